// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cache/cache_controller.h"
#include "models/cache/cache_figures.h"
#include "models/cache/cache_place.h"
#include "models/cache/expiry_picture.h"
#include "models/keys/key_detail.h"
#include "models/keys/story_model.h"
#include "models/table/item_role.h"
#include "sql/profile/profile_json.h"
#include "tests/support/redis_fixture.h"
#include "tests/ui/window_fixture.h"
#include "ui/charts/expiry_bars.h"
#include "ui/pages/cache/cache_page.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/chip_row.h"
#include "ui/widgets/figure_card.h"
#include "ui/widgets/layouts.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

const QString kTenant = u"0a000000-0000-4000-8000-00000000000a"_s;

/// A keychain in memory.
class MemorySecrets final : public models::SecretStore
{
public:
    QHash<QString, QString> all;
    bool available() const override { return true; }
    void get(const QString &id, QObject *, std::function<void(sql::Result<std::optional<QString>>)> done) override
    {
        done(all.contains(id) ? std::optional(all.value(id)) : std::optional<QString>());
    }
    void set(const QString &id, const QString &secret, QObject *, std::function<void(sql::Result<void>)> done) override
    {
        all.insert(id, secret);
        done({});
    }
    void remove(const QString &id, QObject *, std::function<void(sql::Result<void>)> done) override
    {
        all.remove(id);
        done({});
    }
};

} // namespace

/// The page Cache as a person meets it: there only where a profile names a cache, and asking only when told to.
class CachePageTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<RedisFixture> m_redis;
    std::unique_ptr<WindowFixture> m_window;

    void open()
    {
        m_window = std::make_unique<WindowFixture>(*m_cluster);
        QVERIFY(QTest::qWaitForWindowActive(m_window->window.get()));
        m_window->connectAs(u"support"_s, u"keys"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
    }
    void addProfile()
    {
        auto profile = sql::shippedProfile(u"pending-key"_s);
        QVERIFY(profile);
        profile->name = u"cached-key"_s;
        profile->title = u"Cached keys"_s;
        profile->cache = sql::CacheSpec { u"idempotency:{tenant}:{key}"_s, u"300s"_s, {},
            { { u"processing"_s, sql::KeyState::InProgress } }, sql::KeyState::Succeeded };
        m_window->connection.addProfile(*profile, models::TargetSource::File, u"cached.json"_s, true);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->window->offers(u"cache"_s), 20'000);
        m_window->window->showPage(u"cache"_s);
        QTRY_COMPARE(m_window->window->currentPage(), u"cache"_s);
    }
    void showKey(const QString &key)
    {
        m_window->window->showPage(u"keys"_s);
        m_window->window->keysPage()->showTarget(u"cached-key"_s, u"key:"_s + key);
        const auto isShown = [this, &key] { // not the list before it
            const auto record = m_window->model()->record(0);
            return m_window->calm() && m_window->model()->rowCount() == 1 && record && record->key.text == key;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isShown(), 20'000);
        m_window->window->keysPage()->selectRow(0);
    }
    void compare(const QString &url)
    {
        m_window->find<QLineEdit>(u"cacheAddress"_s)->setText(url);
        QTest::mouseClick(m_window->find<QPushButton>(u"cacheCompare"_s), Qt::LeftButton);
    }
    void compareAnew()
    {
        const QDateTime before = controller()->readAt();
        compare(m_redis->url());
        QTRY_VERIFY_WITH_TIMEOUT(controller()->readAt() != before && !controller()->busy(), 20'000);
        QVERIFY(!controller()->error());
    }
    /// So many entries without rows; until: what SET takes of their end, or nothing.
    void addEntries(int count, const QByteArray &kind, const QByteArray &until)
    {
        QByteArray commands;
        for (int i = 0; i < count; ++i) {
            commands += "SET idempotency:" + kTenant.toUtf8() + ':' + kind + QByteArray::number(i) + " processing "
                + until + '\n';
        }
        m_redis->run(commands);
    }
    models::CacheController *controller() const { return m_window->window->cache(); }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        m_cluster = std::make_unique<TestCluster>();
        m_cluster->psql(u"postgres"_s, u"CREATE ROLE support LOGIN; GRANT pg_read_all_data TO support"_s);
        m_cluster->createDatabase(u"keys"_s);
        m_cluster->psqlFile(u"keys"_s, u"sql/demo/schema_000.sql"_s);
        m_redis = std::make_unique<RedisFixture>();
    }
    void cleanupTestCase()
    {
        m_redis.reset();
        m_cluster.reset();
    }
    void init()
    {
        m_redis->clear();
        m_cluster->psql(u"keys"_s,
            u"TRUNCATE seed000.idempotency_keys; INSERT INTO seed000.idempotency_keys "
            "(tenant_id, idempotency_key, status, expires_at) VALUES "
            "('%1', 'behind', 'completed', now() + interval '1 day'), "
            "('%1', 'uncached', 'pending', now() + interval '1 day')"_s.arg(kTenant));
        const QByteArray prefix = "idempotency:" + kTenant.toUtf8() + ':';
        m_redis->ask({ "SET", prefix + "behind", "processing", "EX", "300" });
        m_redis->ask({ "SET", prefix + "<img src=x>", "processing", "EX", "300" });
    }
    void cleanup() { m_window.reset(); }

    void itIsThereWhereAProfileNamesACache()
    {
        open();
        QVERIFY(!m_window->window->offers(u"cache"_s));
        addProfile();
        QVERIFY(!m_window->find<QPushButton>(u"cacheCompare"_s)->isEnabled()); // no address yet
        m_window->connection.disconnectNow();
        QTRY_VERIFY(!m_window->window->offers(u"cache"_s));
        QTRY_VERIFY(m_window->window->currentPage() != u"cache"_s);
    }

    void whatDisagreesIsListed()
    {
        open();
        addProfile();
        QAbstractItemModelTester tester(controller()->list(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        compare(m_redis->url());
        QTRY_VERIFY_WITH_TIMEOUT(controller()->report().has_value() && !controller()->busy(), 20'000);
        const auto *table = m_window->find<QTableView>(u"cacheTable"_s);
        QCOMPARE(table->model()->rowCount(), 3);
        QStringList keys;
        for (int row = 0; row < 3; ++row) {
            keys += table->model()->index(row, models::CacheList::Key).data().toString();
        }
        QCOMPARE(keys, QStringList({ u"behind"_s, u"<img src=x>"_s, u"uncached"_s })); // the gravest first
        const QString facts = m_window->find<ui::FigureCard>(u"cacheFacts"_s)->text();
        QVERIFY2(
            facts.contains(u"Entries: 2, all of this table"_s) && facts.contains(u"Memory: "_s), qPrintable(facts));
        // Each finding says how grave it is, the row and the entry in which state they are.
        const auto cell = [table](int row, int column) { return table->model()->index(row, column); };
        using Level = sql::HealthLevel;
        for (const auto &[row, level] :
            { std::pair { 0, Level::Advice }, { 1, Level::Problem }, { 2, Level::Nothing } }) {
            QCOMPARE(cell(row, models::CacheList::Finding).data(models::LevelRole).toInt(), int(level));
        }
        QCOMPARE(cell(0, models::CacheList::Cached).data().toString(), u"In progress"_s);
        QCOMPARE(cell(0, models::CacheList::Cached).data(Qt::ToolTipRole).toString(), u"processing"_s);
        QCOMPARE(cell(0, models::CacheList::Row).data(models::StateRole).toInt(), int(sql::KeyState::Succeeded));
        QVERIFY(!cell(1, models::CacheList::Row).data(models::StateRole).isValid()); // it has none
        // The chosen one is told beneath the list, and where the cache is takes one line by now.
        QVERIFY(m_window->find<QLabel>(u"cacheMeaning"_s)->text().startsWith(u"Retries are held off until"_s));
        QVERIFY(!m_window->find<QLineEdit>(u"cacheAddress"_s)->isVisible());
        QVERIFY(m_window->find<QLabel>(u"cacheWhere"_s)->text().startsWith(m_redis->url()));
        QTest::mouseClick(m_window->find<QPushButton>(u"cacheEdit"_s), Qt::LeftButton);
        QVERIFY(m_window->find<QLineEdit>(u"cacheAddress"_s)->isVisible());
        // A row's key leads to the list of keys.
        m_window->find<QTableView>(u"cacheTable"_s)->setCurrentIndex(table->model()->index(0, 0));
        emit m_window->find<QTableView>(u"cacheTable"_s)->activated(table->model()->index(0, 0));
        QTRY_COMPARE(m_window->window->currentPage(), u"keys"_s);
        // What was told was of that connection.
        m_window->connection.disconnectNow();
        QTRY_VERIFY(!controller()->report().has_value());
    }

    /// In a low window the numbers are one line, and the list has their room; a click shows them.
    void aLowWindowFoldsTheNumbers()
    {
        open();
        addProfile();
        compareAnew();
        auto *line = m_window->find<QToolButton>(u"cacheOverview"_s);
        const auto *facts = m_window->find<ui::FigureCard>(u"cacheFacts"_s);
        const auto *table = m_window->find<QTableView>(u"cacheTable"_s);
        m_window->window->resize(1360, 840);
        QTRY_VERIFY(!line->isVisible() && facts->isVisible());
        m_window->window->resize(1024, 700);
        QTRY_VERIFY(line->isVisible() && !facts->isVisible());
        QVERIFY2(line->text().startsWith(u"Entries: 2 · "_s), qPrintable(line->text()));
        QTest::mouseClick(line, Qt::LeftButton);
        QTRY_VERIFY(facts->isVisible());
        QCoreApplication::processEvents(); // the page is laid out anew
        const int unfolded = table->height();
        QTest::mouseClick(line, Qt::LeftButton);
        QTRY_VERIFY(!facts->isVisible() && table->height() > unfolded);
        m_window->window->resize(1360, 840);
        QTRY_VERIFY(!line->isVisible() && facts->isVisible());
    }

    /// How many expire when: counts against entries made by hand, and the crowded minute marked.
    void expiriesAreDrawn()
    {
        m_redis->clear();
        m_cluster->psql(u"keys"_s, u"TRUNCATE seed000.idempotency_keys"_s);
        addEntries(7, "soon", "EX 100");
        // In the middle of a minute, three and a half from now at least.
        const qint64 crowd = (QDateTime::currentSecsSinceEpoch() + 240) / 60 * 60 + 30;
        addEntries(150, "crowd", "EXAT " + QByteArray::number(crowd));
        addEntries(2, "years", "EX 900000000");
        addEntries(3, "ever", "");
        open();
        addProfile();
        compareAnew();
        const auto *chart = m_window->find<ui::ExpiryBars>(u"expiryBars"_s);
        QVERIFY(!chart->isHidden());
        const qint64 width = controller()->report()->spread.widthSeconds;
        const auto &bars = chart->picture().bars;
        QCOMPARE(chart->picture().crowds.size(), 1); // the minute itself, not all of its span
        QCOMPARE(chart->picture().crowds.constFirst().entries, 150);
        QVERIFY(chart->picture().crowds.constFirst().at * double(width) > 150);
        const auto *notice = m_window->find<QWidget>(u"cacheCrowded"_s);
        QVERIFY2(!notice->isHidden() && notice->accessibleName().startsWith(u"150 "_s),
            qPrintable(notice->accessibleName()));
        QVERIFY(width > 0 && bars.size() <= 24 && chart->picture().ticks.size() == bars.size() + 1);
        qint64 soon = 0;
        qint64 late = 0;
        qint64 crowded = 0;
        for (qsizetype i = 0; i < bars.size(); ++i) {
            (i * width < 150 ? soon : late) += bars.at(i).entries;
            crowded += bars.at(i).crowded ? bars.at(i).entries : 0;
        }
        QCOMPARE(soon, 7);
        QCOMPARE(late, 150);
        QCOMPARE(crowded, 150);
        const QString said = chart->accessibleDescription();
        QVERIFY2(said.contains(u"157 "_s) && said.contains(u"150 "_s) && said.contains(u"in the minute from"_s),
            qPrintable(said));
        const QString note = m_window->find<QLabel>(u"cacheExpiryNote"_s)->text();
        QVERIFY2(
            note.contains(u"2 "_s) && note.contains(u"3 "_s) && note.contains(u"never expire"_s), qPrintable(note));
        // The keyboard reads bar after bar.
        auto *read = m_window->find<ui::ExpiryBars>(u"expiryBars"_s);
        QTest::keyClick(read, Qt::Key_Home);
        QCOMPARE(chart->accessibleDescription(), bars.constFirst().text);
        QTest::keyClick(read, Qt::Key_Escape);
        QCOMPARE(chart->accessibleDescription(), said);

        m_redis->clear(); // such that never expire alone: in words, without a chart
        addEntries(2, "ever", "");
        compareAnew();
        QVERIFY(chart->isHidden());
        QVERIFY(m_window->find<QLabel>(u"cacheExpiryNote"_s)->text().startsWith(u"2 "_s));
        QVERIFY(notice->isHidden());
        m_redis->clear();
        compareAnew();
        QVERIFY(chart->isHidden());
        QVERIFY(m_window->find<QLabel>(u"cacheExpiryNote"_s)->isHidden());
    }

    /// Redis counts this page's look-ups as well: that is said, and the ratio leads nobody.
    void theHitRatioIsQuiet()
    {
        sql::CacheReport report;
        report.facts.hits = 1'041;
        report.facts.misses = 17;
        const auto ratio = models::cacheFigures(report).constLast();
        QCOMPARE(ratio.value, u"98.4 %"_s);
        QCOMPARE(ratio.note, u"of 1,058 look-ups, this page's own among them"_s);
        QVERIFY(ratio.quiet && !models::cacheFigures(report).constFirst().quiet);
    }

    /// The axis ends at a number that is read at a glance.
    void theAxisEndsAtARoundNumber_data()
    {
        QTest::addColumn<qint64>("most");
        QTest::addColumn<qint64>("top");
        for (const auto &[most, top] : { std::pair<qint64, qint64> { 1, 1 }, { 10, 10 }, { 11, 12 }, { 99, 100 },
                 { 100, 100 }, { 301, 400 }, { 826, 1'000 }, { 1'001, 1'200 }, { 81'000, 100'000 } }) {
            QTest::newRow(qPrintable(QString::number(most))) << most << top;
        }
    }
    void theAxisEndsAtARoundNumber()
    {
        QFETCH(qint64, most);
        QFETCH(qint64, top);
        sql::CacheReport report;
        report.now = *sql::Timestamp::parse(u"2026-11-29 12:00:00+00"_s);
        report.spread.widthSeconds = 7'200;
        report.spread.entries = { 1, most, 0 };
        QCOMPARE(models::expiryPicture(report, {}).top, top);
    }

    /// In a low window chips take one line, a button shows the rest, and one that is pressed is never among it.
    void chipsTakeOneLineInALowWindow()
    {
        QWidget page;
        QVBoxLayout *column = ui::partColumn(&page);
        auto *row = new ui::ChipRow(u"row"_s, &page);
        column->addWidget(row);
        column->addStretch(1);
        QList<ui::Chip *> chips;
        for (int i = 0; i < 8; ++i) {
            auto *chip = new ui::Chip(u"chip%1"_s.arg(i), row);
            chip->setText(u"A kind of finding 12"_s);
            chips += chip;
            row->add(chip);
            row->offer(chip, i != 1);
        }
        const auto seen = [&chips] {
            return std::count_if(chips.cbegin(), chips.cend(), [](const ui::Chip *chip) { return chip->isVisible(); });
        };
        auto *more = row->findChild<QToolButton *>(u"rowMore"_s);
        page.resize(600, 900);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        QTRY_VERIFY(seen() == 7 && !more->isVisible());
        page.resize(600, 500);
        QTRY_VERIFY(more->isVisible() && seen() > 0 && seen() < 7);
        QVERIFY2(more->text().startsWith(QString::number(7 - seen())), qPrintable(more->text()));
        QVERIFY(!chips.at(1)->isVisible() && !row->offers(chips.at(1)) && row->offers(chips.constLast()));
        QTRY_VERIFY(row->height() < 2 * chips.constFirst()->height());
        QTest::mouseClick(more, Qt::LeftButton);
        QTRY_COMPARE(seen(), 7);
        chips.constLast()->setChecked(true);
        QTest::mouseClick(more, Qt::LeftButton);
        QTRY_VERIFY(seen() < 7 && chips.constLast()->isVisible());
        page.resize(600, 900);
        QTRY_VERIFY(seen() == 7 && !more->isVisible());
    }

    void kindsAreChosenByChips()
    {
        open();
        addProfile();
        const auto isShown
            = [this](const QString &kind) { return !m_window->find<ui::Chip>(u"cacheKind_"_s + kind)->isHidden(); };
        QVERIFY(!isShown(u"behind"_s));
        QAbstractItemModelTester tester(controller()->list(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        compareAnew();
        QVERIFY(isShown(u"behind"_s) && isShown(u"without_row"_s) && isShown(u"not_cached"_s) && !isShown(u"ahead"_s));
        auto *behind = m_window->find<ui::Chip>(u"cacheKind_behind"_s);
        QCOMPARE(behind->text(), u"Held off, though finished 1"_s);
        QVERIFY(!behind->icon().isNull()); // how grave that is
        QTest::mouseClick(behind, Qt::LeftButton);
        QCOMPARE(controller()->list()->rowCount(), 1);
        QCOMPARE(controller()->list()->row(0)->kind, sql::CacheFindingKind::Behind);
        QTest::mouseClick(m_window->find<ui::Chip>(u"cacheKind_not_cached"_s), Qt::LeftButton);
        QCOMPARE(controller()->list()->rowCount(), 2);
        QTest::mouseClick(m_window->find<ui::Chip>(u"cacheKind_not_cached"_s), Qt::LeftButton);
        compareAnew(); // what was chosen stays chosen
        QCOMPARE(controller()->list()->rowCount(), 1);
        m_redis->ask({ "DEL", "idempotency:" + kTenant.toUtf8() + ":behind" });
        compareAnew(); // a kind that is no more hides nothing
        QVERIFY(!isShown(u"behind"_s) && !behind->isChecked());
        QCOMPARE(controller()->list()->rowCount(), 2);
    }

    void whatDoesNotAnswerIsTold()
    {
        open();
        addProfile();
        compare(u"unix:///nowhere/redis.sock"_s);
        QTRY_VERIFY_WITH_TIMEOUT(controller()->error().has_value(), 20'000);
        QVERIFY(!m_window->find<QWidget>(u"cacheNotice"_s)->isHidden());
        compare(u"redis://me:topsecret@localhost"_s);
        QVERIFY(!m_window->find<QWidget>(u"cacheNotice"_s)->isHidden());
        QVERIFY(m_window->settings.cacheAddress(m_window->connection.title()) == u"unix:///nowhere/redis.sock"_s);
        // A server that stands still can be left, and the window goes on.
        m_redis->pause();
        compare(m_redis->url());
        QTRY_VERIFY(controller()->busy());
        QTest::mouseClick(m_window->find<QPushButton>(u"cacheCompare"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!controller()->busy(), 4'000);
        m_redis->go();
        QCOMPARE(controller()->error()->kind, sql::ErrorKind::Cancelled);
        compare(m_redis->url());
        QTRY_VERIFY_WITH_TIMEOUT(controller()->report().has_value() && !controller()->busy(), 20'000);
        QVERIFY(!controller()->error());
    }

    /// The key beside the list: what the cache has of it; and a cache that is down or slow keeps nothing waiting.
    void theKeyTellsOfItsEntry()
    {
        open();
        addProfile();
        m_window->settings.setCacheAddress(m_window->connection.title(), m_redis->url());
        showKey(u"behind"_s);
        auto *line = m_window->find<QLabel>(u"detailCached"_s);
        QTRY_VERIFY_WITH_TIMEOUT(line->text().startsWith(u"Cached as “processing”"_s), 20'000);
        QCOMPARE(line->text(), u"Cached as “processing” (In progress)."_s);
        QVERIFY(line->toolTip().startsWith(u"Asked at"_s));
        // What the cache does to a retry comes before what the table would do.
        const QString retry = m_window->find<QLabel>(u"detailRetry"_s)->text();
        QVERIFY2(retry.startsWith(u"A retry is held off by the cache for nothing until "_s), qPrintable(retry));
        QVERIFY2(!retry.contains(u"A retry now"_s), qPrintable(retry));
        QCOMPARE(line->textFormat(), Qt::PlainText);
        // Its story has it at this moment, and its end among what is to come.
        const auto told = [this](models::StoryEvent::Kind kind) {
            const QList<models::StoryEvent> &events = m_window->window->detail()->story()->events();
            const auto event
                = std::find_if(events.cbegin(), events.cend(), [kind](const auto &one) { return one.kind == kind; });
            return event == events.cend() ? models::StoryEvent() : *event;
        };
        using Kind = models::StoryEvent::Kind;
        QTRY_COMPARE(told(Kind::Cached).title, u"In the cache: “processing”"_s);
        QVERIFY2(told(Kind::Cached).detail.contains(u"expires in"_s), qPrintable(told(Kind::Cached).detail));
        QVERIFY(!told(Kind::Cached).future && told(Kind::CacheEnds).future);
        const sql::Timestamp now = m_window->window->detail()->detail().now;
        const qint64 left = (told(Kind::CacheEnds).at->micros - now.micros) / sql::kMicros;
        QVERIFY2(left > 100 && left <= 301, qPrintable(QString::number(left)));
        // Not registered: the button is there, says why, and does nothing.
        const auto *release = m_window->find<QPushButton>(u"detailRelease"_s);
        QVERIFY(!release->isHidden() && !release->isEnabled());
        QVERIFY(release->toolTip().contains(u"not registered"_s));
        showKey(u"uncached"_s);
        QTRY_VERIFY_WITH_TIMEOUT(line->text().startsWith(u"Not in the cache"_s), 20'000);
        QVERIFY(release->isHidden());
        QVERIFY(!m_window->find<QLabel>(u"detailRetry"_s)->text().contains(u"cache"_s));
        QVERIFY(told(Kind::Cached).title.isEmpty() && told(Kind::CacheEnds).title.isEmpty());
        m_redis->pause();
        showKey(u"behind"_s);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->window->detail()->status() == models::KeyDetailController::Status::Ready, 2'000);
        QTRY_VERIFY_WITH_TIMEOUT(line->text().startsWith(u"The cache did not answer"_s), 20'000);
        QVERIFY(told(Kind::Cached).title.isEmpty() && told(Kind::CacheEnds).title.isEmpty());
        m_redis->go();
        m_window->window->detail()->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(line->text().startsWith(u"Cached as"_s), 20'000);
    }

    /// A few entries far behind all others do not take the picture's room; they are counted in words.
    void aLongTailIsCut()
    {
        sql::CacheReport report;
        report.now = *sql::Timestamp::parse(u"2026-11-29 12:00:00+00"_s);
        report.spread.widthSeconds = 7'200;
        report.spread.entries = QList<qint64>(12, 100) + QList<qint64>(7, 0) + QList<qint64> { 4 };
        report.minutes = { { *sql::Timestamp::parse(u"2026-11-30 10:37:00+00"_s), 90, true } };
        const auto picture = models::expiryPicture(report, {});
        QCOMPARE(picture.bars.size(), 12);
        QCOMPARE(picture.ticks.constLast(), u"1 d"_s);
        QCOMPARE(picture.beyond, u"after 1 d: 4"_s);
        QCOMPARE(picture.crowds.constFirst().text, u"90 at 2026-11-30 10:37"_s);
        QVERIFY(std::abs(picture.crowds.constFirst().at - (22 * 3'600 + 37 * 60 + 30) / 7'200.0) < 1e-6);
        // A crowd is never cut, and neither is what is not few.
        report.minutes[0].from = *sql::Timestamp::parse(u"2026-12-01 03:00:00+00"_s);
        QCOMPARE(models::expiryPicture(report, {}).bars.size(), 20);
        report.minutes.clear();
        report.spread.entries[19] = 40;
        QCOMPARE(models::expiryPicture(report, {}).bars.size(), 20);
    }

    void aPasswordIsInTheKeychainOrNowhere()
    {
        QTemporaryDir folder;
        QSettings store(folder.filePath(u"s.ini"_s), QSettings::IniFormat);
        models::Settings settings(&store);
        MemorySecrets secrets;
        models::CachePlace place(&settings, &secrets);
        const QString url = u"rediss://me@cache.example"_s;
        QVERIFY(place.setAddress(u"orders"_s, url).ok());
        QVERIFY(!place.setAddress(u"orders"_s, u"rediss://me:topsecret@cache.example"_s).ok());
        QCOMPARE(place.address(u"orders"_s), url);
        place.keepPassword(url, u"topsecret"_s);
        QString told;
        place.fetchPassword(u"rediss://me@cache.example:6379/0"_s, [&told](const QString &known) { told = known; });
        QCOMPARE(told, u"topsecret"_s); // the same place, written otherwise
        place.fetchPassword(u"rediss://other@cache.example"_s, [&told](const QString &known) { told = known; });
        QCOMPARE(told, QString());
        // One that worked is known until the program ends, without a keychain, too.
        models::CachePlace bare(&settings, nullptr);
        bare.rememberPassword(url, u"topsecret"_s);
        bare.fetchPassword(u"rediss://me@cache.example:6379/0"_s, [&told](const QString &known) { told = known; });
        QCOMPARE(told, u"topsecret"_s);
        store.sync();
        QFile file(store.fileName());
        QVERIFY(file.open(QIODevice::ReadOnly) && !file.readAll().contains("topsecret"));
    }
};

QTEST_MAIN(CachePageTest)
#include "tst_cache_page.moc"
