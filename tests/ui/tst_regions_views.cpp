// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/translation/translation.h"
#include "models/groups/group_session.h"
#include "models/regions/region_controller.h"
#include "models/regions/replication_controller.h"
#include "models/settings.h"
#include "tests/support/console_fixture.h"
#include "tests/support/two_regions.h"
#include "ui/pages/regions/difference_pane.h"
#include "ui/pages/regions/differences_view.h"
#include "ui/pages/regions/member_card.h"
#include "ui/pages/regions/replication_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge_view.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notice_bar.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <functional>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// The differences between two regions, and the replication between them, as a person meets them: two real clusters
/// with logical replication, each difference made by hand.
class RegionsViewsTest final : public QObject
{
    Q_OBJECT

    using Stage = models::RegionController::Stage;

    std::unique_ptr<TwoRegions> m_regions;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_store;
    std::unique_ptr<models::Settings> m_settings;
    std::unique_ptr<models::GroupSession> m_group;
    std::unique_ptr<QWidget> m_window;
    ui::DifferencesView *m_differences = nullptr;
    ui::ReplicationView *m_replication = nullptr;
    ui::Theme *m_theme = nullptr;

    static models::GroupPlace place(const QString &label, const QString &conninfo)
    {
        models::GroupPlace place;
        place.label = label;
        place.settings.conninfo = conninfo;
        return place;
    }
    void open(const QString &us = {})
    {
        m_group = std::make_unique<models::GroupSession>(
            models::GroupPlaces { u"payments"_s, sql::GroupKind::Regions,
                { place(u"eu"_s, m_regions->eu.conninfoAs(u"support"_s, m_regions->database())),
                    place(
                        u"us"_s, us.isEmpty() ? m_regions->us.conninfoAs(u"support"_s, m_regions->database()) : us) } },
            nullptr, m_folder->filePath(u"profiles"_s));
        m_window = std::make_unique<QWidget>();
        m_differences = new ui::DifferencesView(m_group.get(), m_settings.get(), m_window.get());
        m_replication = new ui::ReplicationView(m_group.get(), m_settings.get(), m_window.get());
        auto *layout = new QVBoxLayout(m_window.get());
        layout->addWidget(m_differences);
        layout->addWidget(m_replication);
        m_window->resize(1200, 1400);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_group->open();
        using State = models::GroupSession::MemberState;
        QTRY_VERIFY_WITH_TIMEOUT(m_group->state(0) != State::Opening && m_group->state(1) != State::Opening, 30'000);
        auto *targets = find<QComboBox>(u"differencesTarget"_s);
        targets->setCurrentIndex(targets->findData(u"plpgsql-request"_s));
    }
    template <typename Widget> Widget *find(const QString &name) const
    {
        auto *widget = m_window->findChild<Widget *>(name);
        insist(widget != nullptr, u"There is no %1."_s.arg(name));
        return widget;
    }
    models::RegionController *regions() const { return m_differences->controller(); }
    void compare()
    {
        QTest::mouseClick(find<QPushButton>(u"differencesCompare"_s), Qt::LeftButton);
        QVERIFY(regions()->running());
        QTRY_VERIFY_WITH_TIMEOUT(!regions()->running(), 60'000);
    }
    QStringList listed() const
    {
        QStringList lines;
        const QAbstractItemModel *model = find<QTableView>(u"differencesTable"_s)->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            lines += model->index(row, models::RegionList::Difference).data().toString() + u' '
                + model->index(row, models::RegionList::Key).data().toString();
        }
        return lines;
    }
    /// Every label that is seen in the view.
    static QString said(const QWidget *view)
    {
        QStringList texts;
        for (const QLabel *label : view->findChildren<QLabel *>()) {
            texts += label->isVisible() ? QStringList { label->text() } : QStringList();
        }
        return texts.join(u'\n');
    }
    /// One of each kind that two regions come to have.
    void diverge()
    {
        m_regions->both(TwoRegions::keys(1, 500));
        m_regions->us.psql(m_regions->database(), uR"(
            DELETE FROM app.idempotency_request WHERE idempotency_key = 'k7';
            UPDATE app.idempotency_request SET request_hash = md5('other') WHERE idempotency_key = 'k8';
            UPDATE app.idempotency_request SET response_body = '{"n":2}', result_ref_type = NULL
             WHERE idempotency_key = 'k9';
            UPDATE app.idempotency_request SET status = 'failed_final' WHERE idempotency_key = 'k11')"_s);
    }
    void readReplication()
    {
        m_replication->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(m_replication->controller()->loaded() && !m_replication->controller()->busy(), 30'000);
    }
    QString way(int column) const { return m_replication->controller()->list()->index(0, column).data().toString(); }

private slots:
    void onlyWhatDiffersStandsOut_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("other");
        QTest::addColumn<QString>("differs");
        QTest::newRow("the end") << u"2026-11-29 18:19:07"_s << u"2026-11-29 18:19:11"_s << u"07"_s;
        QTest::newRow("whole numbers") << u"10.50 EUR"_s << u"12.50 EUR"_s << u"10"_s;
        QTest::newRow("all of it") << u"6.15"_s << u"99.90"_s << u"6.15"_s;
        QTest::newRow("more of it") << u"a b c"_s << u"a c"_s << u"b "_s;
        QTest::newRow("less of it") << u"a c"_s << u"a b c"_s << u""_s;
        QTest::newRow("what repeats itself") << u"1 1 1"_s << u"1 1"_s << u"1 "_s;
        QTest::newRow("nothing there") << u"abc"_s << u""_s << u"abc"_s;
    }
    void onlyWhatDiffersStandsOut()
    {
        QFETCH(QString, text);
        QFETCH(QString, other);
        const auto [head, tail] = ui::sharedEnds(text, other);
        QVERIFY(head + tail <= text.size());
        QTEST(text.mid(head, text.size() - head - tail), "differs");
    }

    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        app::installTranslations();
        m_theme = new ui::Theme(qApp);
        m_theme->apply(models::Theme::Light);
        m_regions = std::make_unique<TwoRegions>();
    }
    void cleanupTestCase()
    {
        m_regions.reset();
        delete m_theme;
    }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_store = std::make_unique<QSettings>(m_folder->filePath(u"settings.ini"_s), QSettings::IniFormat);
        m_settings = std::make_unique<models::Settings>(m_store.get());
        m_regions->begin();
    }
    void cleanup()
    {
        m_window.reset();
        m_group.reset();
        m_regions->end();
    }

    void eachKindIsListedTheGravestFirst()
    {
        diverge();
        open();
        QAbstractItemModelTester tester(
            find<QTableView>(u"differencesTable"_s)->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QAbstractItemModelTester lines(
            find<QTableView>(u"differenceLines"_s)->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(said(m_differences).contains(u"Not compared yet"));
        compare();
        QCOMPARE(regions()->stage(), Stage::Done);
        QCOMPARE(
            listed(), QStringList({ u"Done twice k9"_s, u"Reused key k8"_s, u"Missing k7"_s, u"Other state k11"_s }));
        const auto *table = find<QTableView>(u"differencesTable"_s);
        QCOMPARE(table->model()->headerData(models::RegionList::Second, Qt::Horizontal).toString(), u"us"_s);
        // Four lines take no half of the page from what both sides say.
        QTRY_VERIFY(table->viewport()->height() <= 5 * table->rowHeight(0));
        QTRY_VERIFY(!table->verticalScrollBar()->isVisible());
        QCOMPARE(find<QLabel>(u"differencesSummary"_s)->text(),
            u"Compared: eu with 500 rows, us with 499 rows. 4 keys differ."_s);
        // No replication runs, so retries have a way to go.
        const QString advice = find<QLabel>(u"differencesAdvice"_s)->text();
        QVERIFY2(advice.contains(u"send the retries of a key to the region where it began"), qPrintable(advice));
        // The answer is what differs, and it was read for that.
        const QAbstractItemModel *detail = find<QTableView>(u"differenceLines"_s)->model();
        QTRY_VERIFY_WITH_TIMEOUT(
            !detail->match(detail->index(0, 0), Qt::DisplayRole, u"/n"_s, 1, Qt::MatchContains).isEmpty(), 20'000);
        const QModelIndex line
            = detail->match(detail->index(0, 0), Qt::DisplayRole, u"/n"_s, 1, Qt::MatchContains).constFirst();
        QCOMPARE(line.siblingAtColumn(1).data().toString(), u"1"_s);
        QCOMPARE(line.siblingAtColumn(2).data().toString(), u"2"_s);
        QVERIFY(find<QLabel>(u"differenceProposal"_s)->text().contains(u"Reverse one of the two effects"));
        // What is the same on both sides is folded away until it is wanted.
        auto *lineTable = find<QTableView>(u"differenceLines"_s);
        auto *equal = find<QPushButton>(u"differenceEqual"_s);
        const auto hidden = [lineTable] {
            int rows = 0;
            for (int row = 0; row < lineTable->model()->rowCount(); ++row) {
                rows += lineTable->isRowHidden(row) ? 1 : 0;
            }
            return rows;
        };
        const int same = hidden();
        QVERIFY(same > 0 && equal->text() == u"Show %1 equal lines"_s.arg(same));
        QVERIFY(!lineTable->isRowHidden(line.row()));
        QTest::mouseClick(equal, Qt::LeftButton);
        QCOMPARE(hidden(), 0);
        QTest::mouseClick(equal, Qt::LeftButton);
        QCOMPARE(hidden(), same);
    }

    /// What was found is about what was chosen then: under another choice it would be taken for that one's answer.
    void anotherChoiceForgetsWhatWasFound_data()
    {
        QTest::addColumn<std::function<void()>>("choose");
        QTest::newRow("another filter") << std::function<void()>(
            [this] { QTest::keyClicks(find<QLineEdit>(u"differencesFilter"_s), u"k"_s); });
        QTest::newRow("another side") << std::function<void()>([this] {
            auto *side = find<QComboBox>(u"differencesSide0"_s);
            QTest::keyClick(side, side->currentIndex() == 0 ? Qt::Key_Down : Qt::Key_Up);
        });
    }
    void anotherChoiceForgetsWhatWasFound()
    {
        QFETCH(std::function<void()>, choose);
        diverge();
        open();
        compare();
        QCOMPARE(listed().size(), 4);
        choose();
        QCOMPARE(regions()->stage(), Stage::Nothing);
        QVERIFY(listed().isEmpty() && !find<QToolButton>(u"differencesExport"_s)->isVisible());
    }

    void chipsFilterAndCountAll()
    {
        diverge();
        open();
        compare();
        auto *missing = find<ui::Chip>(u"difference_missing"_s);
        QCOMPARE(missing->text(), u"Missing 1"_s);
        QVERIFY(!find<ui::Chip>(u"difference_rows"_s)->isVisible());
        missing->setFocus();
        QTest::keyClick(missing, Qt::Key_Space);
        QCOMPARE(listed(), QStringList { u"Missing k7"_s });
        QCOMPARE(find<QLabel>(u"differenceKey"_s)->text(), u"k7"_s);
        QVERIFY(!find<QPushButton>(u"differenceShow1"_s)->isEnabled()); // us does not have it
        QTest::keyClick(missing, Qt::Key_Space);
        QCOMPARE(listed().size(), 4);
    }

    /// From the filter to a key in its own window, without a mouse.
    void theKeyboardLeadsToAKey()
    {
        diverge();
        open();
        QSignalSpy wanted(m_differences, &ui::DifferencesView::keyWanted);
        auto *filter = find<QLineEdit>(u"differencesFilter"_s);
        filter->setFocus();
        QTest::keyClicks(filter, u"key:k7,k8"_s);
        QTest::keyClick(filter, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(listed(), QStringList({ u"Reused key k8"_s, u"Missing k7"_s }), 60'000);
        auto *table = find<QTableView>(u"differencesTable"_s);
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(find<QLabel>(u"differenceKey"_s)->text(), u"k7"_s);
        auto *show = find<QPushButton>(u"differenceShow0"_s);
        show->setFocus();
        QTest::keyClick(show, Qt::Key_Space);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.constFirst(), QVariantList({ 0, u"plpgsql-request"_s, u"key:k7"_s }));
        // A filter that cannot be read is said, and nothing is claimed.
        filter->setText(u"state:nonsense"_s);
        QTest::keyClick(filter, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(regions()->stage(), Stage::Failed, 60'000);
        QVERIFY2(said(m_differences).contains(u"Not compared"), qPrintable(said(m_differences)));
    }

    void theSameRowsDoNotDiffer()
    {
        m_regions->both(TwoRegions::keys(1, 200));
        open();
        compare();
        QVERIFY(said(m_differences).contains(u"No key differs"));
        QVERIFY(!find<QToolButton>(u"differencesExport"_s)->isVisible());
    }

    /// Stopped while it waits for replication, which is held up: what it knew by then is no answer.
    void aStoppedComparisonClaimsNothing()
    {
        m_regions->both(TwoRegions::keys(1, 200));
        m_regions->replicate();
        Connection lock(m_regions->us.conninfo(m_regions->database()));
        QVERIFY(lock.run(u"BEGIN; LOCK TABLE app.idempotency_request IN SHARE MODE"_s).ok());
        m_regions->eu.psql(m_regions->database(), TwoRegions::keys(501, 503));
        open();
        find<QSpinBox>(u"differencesWait"_s)->setValue(600);
        auto *button = find<QPushButton>(u"differencesCompare"_s);
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(regions()->phase(), models::RegionCompare::Phase::Waiting, 30'000);
        QVERIFY2(said(m_differences).contains(u"Waiting until replication"), qPrintable(said(m_differences)));
        QVERIFY(!button->isEnabled());
        auto *stop = find<QPushButton>(u"differencesStop"_s);
        stop->setFocus();
        QTest::keyClick(stop, Qt::Key_Space);
        QCOMPARE(regions()->stage(), Stage::Cancelled);
        QVERIFY2(said(m_differences).contains(u"is not known") && !said(m_differences).contains(u"No key"),
            qPrintable(said(m_differences)));
        QCOMPARE(listed(), QStringList());
        QVERIFY(lock.run(u"COMMIT"_s).ok());
        QTRY_VERIFY_WITH_TIMEOUT((compare(), said(m_differences).contains(u"No key differs")), 60'000);
    }

    void aSideThatIsDownIsNotCompared()
    {
        m_regions->both(TwoRegions::keys(1, 20));
        open(u"host=/nowhere dbname=x"_s);
        QVERIFY(!find<QPushButton>(u"differencesCompare"_s)->isEnabled());
        QVERIFY2(said(m_differences).contains(u"us does not answer"), qPrintable(said(m_differences)));
        QCOMPARE(find<QComboBox>(u"differencesSide1"_s)->itemText(1), u"us (no answer)"_s);
        readReplication();
        const QString told = said(m_replication);
        QVERIFY2(
            told.contains(u"1 of 2 members answered") && told.contains(u"in those that answered"), qPrintable(told));
        QVERIFY(find<ui::BadgeView>(u"replicationBadge"_s)->text() == u"Not known");
    }

    /// The databases go while they are compared.
    void aClosedGroupEndsIt()
    {
        m_regions->both(TwoRegions::keys(1, 200));
        open();
        Connection lock(m_regions->us.conninfo(m_regions->database()));
        QVERIFY(lock.run(u"BEGIN; LOCK TABLE app.idempotency_request IN ACCESS EXCLUSIVE MODE"_s).ok());
        // Half a second, and it gives the lock up: to start a psql for each look may take longer.
        Connection watch(m_regions->us.conninfo(m_regions->database()));
        QTest::mouseClick(find<QPushButton>(u"differencesCompare"_s), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(watch.value(u"SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
                                              "AND datname = current_database()"_s),
            u"1"_s, 30'000);
        m_group->close();
        QCOMPARE(regions()->stage(), Stage::Nothing);
        QVERIFY(lock.run(u"ROLLBACK"_s).ok());
    }

    void hiddenRowsAreRefused()
    {
        m_regions->both(TwoRegions::keys(1, 20));
        m_regions->us.psql(m_regions->database(), uR"(ALTER TABLE app.idempotency_request ENABLE ROW LEVEL SECURITY;
            CREATE POLICY few ON app.idempotency_request USING (idempotency_key = 'k1'))"_s);
        open();
        compare();
        QCOMPARE(regions()->stage(), Stage::Failed);
        QVERIFY2(said(m_differences).contains(u"us: "), qPrintable(said(m_differences)));
    }

    void exportsWhatIsListedAndWhatWasDoneTwice()
    {
        diverge();
        m_regions->us.psql(m_regions->database(),
            u"UPDATE app.idempotency_request SET status = 'failed_final' WHERE idempotency_key = 'k12'; UPDATE "
            "app.idempotency_request SET result_ref_type = '=1+1' WHERE idempotency_key = 'k13'"_s);
        open();
        compare();
        const auto exported = [this](const QString &action, const QString &file) {
            m_window->findChild<QAction *>(action)->trigger();
            auto *dialog = find<QFileDialog>(u"differencesExportDialog"_s);
            const QString path = m_folder->filePath(file);
            emit dialog->fileSelected(path);
            delete dialog;
            insist(QTest::qWaitFor([&path] { return QFile::exists(path); }, 10'000), path);
            QFile written(path);
            insist(written.open(QIODevice::ReadOnly), path);
            return QString::fromUtf8(written.readAll());
        };
        const QString all = exported(u"differencesExportListed"_s, u"all.csv"_s);
        QCOMPARE(all.count(u'\n'), 1 + 6);
        QVERIFY2(all.contains(u"'=1+1") || !all.contains(u",=1+1"), qPrintable(all));
        const QString twice = exported(u"differencesExportTwice"_s, u"twice.jsonl"_s);
        QCOMPARE(twice.count(u'\n'), 2);
        QVERIFY(twice.contains(u"\"kind\":\"results\"") && !twice.contains(u"missing"));
        QVERIFY(said(m_differences).contains(u"Exported to"));
        const QString paper = exported(u"differencesExportTwice"_s, u"twice.html"_s);
        QVERIFY2(paper.contains(u"2 keys succeeded") && paper.contains(u"Undone by"), qPrintable(paper));
        QTRY_VERIFY(said(m_differences).contains(u"twice.html"));
    }

    void replicationIsToldAsItIs()
    {
        m_regions->both(TwoRegions::keys(1, 100));
        m_regions->replicate();
        open();
        QAbstractItemModelTester tester(
            m_replication->controller()->list(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QTRY_VERIFY_WITH_TIMEOUT((readReplication(), way(models::ReplicationList::State) == u"Runs"), 30'000);
        QCOMPARE(way(models::ReplicationList::Way), u"eu → us"_s);
        QVERIFY2(said(m_replication).contains(u"Replication runs on 1 way"), qPrintable(said(m_replication)));
        QVERIFY(said(m_replication).contains(u"keys (1 table; insert, update, delete, truncate)"));
        // Off: a person is needed, and retries have a way to go.
        m_regions->us.psql(m_regions->database(), u"ALTER SUBSCRIPTION %1 DISABLE"_s.arg(m_regions->database()));
        QTRY_VERIFY_WITH_TIMEOUT((readReplication(), way(models::ReplicationList::State) == u"Off"), 30'000);
        QVERIFY2(said(m_replication).contains(u"Replication eu to us: Off."), qPrintable(said(m_replication)));
        QVERIFY(said(m_replication).contains(u"send the retries of a key to the region where it began"));
        QVERIFY(find<QPlainTextEdit>(u"replicationFix"_s)->toPlainText().startsWith(u"ALTER SUBSCRIPTION"));
        QVERIFY(find<QWidget>(u"replicationAlarm"_s)->isVisible()); // no plain line
        QVERIFY(!find<ui::BadgeView>(u"replicationBadge"_s)->isVisible());
        QCOMPARE(way(models::ReplicationList::Seconds), u"stopped"_s);
        // The card of the member that gets no rows says so; that of the other one has none to say.
        ui::MemberCard us(m_group.get(), 1, m_window.get());
        ui::MemberCard eu(m_group.get(), 0, m_window.get());
        us.showWays(*m_replication->controller()->list());
        eu.showWays(*m_replication->controller()->list());
        const QString card = us.findChild<QLabel *>(u"memberReplication"_s)->text();
        QVERIFY2(card.startsWith(u"✗ Replication from eu: Off"_s), qPrintable(card));
        QVERIFY(eu.findChild<QLabel *>(u"memberReplication"_s)->isHidden());
        m_regions->us.psql(m_regions->database(), u"ALTER SUBSCRIPTION %1 ENABLE"_s.arg(m_regions->database()));
        QTRY_VERIFY_WITH_TIMEOUT((readReplication(), way(models::ReplicationList::State) != u"Off"), 30'000);
    }

    void aSlotThatNobodyReadsIsTold()
    {
        m_regions->both(TwoRegions::keys(1, 10));
        m_regions->eu.psql(m_regions->database(),
            u"SELECT pg_create_logical_replication_slot('left_%1', 'pgoutput')"_s.arg(m_regions->database()));
        open();
        QTRY_VERIFY_WITH_TIMEOUT((readReplication(), way(models::ReplicationList::State) == u"Nobody reads"), 30'000);
        QVERIFY2(find<QPlainTextEdit>(u"replicationFix"_s)->toPlainText().contains(u"pg_drop_replication_slot"),
            qPrintable(said(m_replication)));
        m_regions->eu.psql(
            m_regions->database(), u"SELECT pg_drop_replication_slot('left_%1')"_s.arg(m_regions->database()));
    }

    /// A standby has no subscription, and its primary may well have one: that slot must not be dropped.
    void aSlotMayBeReadByThePrimaryOfAStandby()
    {
        sql::LogicalSlot slot;
        slot.name = u"us_to_eu"_s;
        sql::ReplicationSide us;
        us.slots_ = { slot };
        sql::ReplicationSide eu;
        const auto state = [&] {
            const QList<models::MemberReplication> members { { u"us"_s, us }, { u"eu"_s, eu } };
            return models::replicationWays(members).constFirst().state;
        };
        QCOMPARE(state(), u"Nobody reads"_s);
        eu.standby = true;
        QCOMPARE(state(), u"Not known"_s);
        const QList<models::MemberReplication> members { { u"us"_s, us }, { u"eu"_s, eu } };
        const auto verdict = models::replicationVerdict(models::replicationWays(members), members);
        QVERIFY2(
            verdict.notes.join(u' ').contains(u"eu was read on a standby"_s), qPrintable(verdict.notes.join(u'\n')));
    }

    /// What comes late is no difference, and is told apart from those.
    void whatIsOnItsWayIsToldApart()
    {
        m_regions->both(TwoRegions::keys(1, 100));
        m_regions->us.psql(m_regions->database(),
            u"UPDATE app.idempotency_request SET status = 'failed_final' WHERE idempotency_key = 'k5'"_s);
        m_regions->replicate();
        Connection lock(m_regions->us.conninfo(m_regions->database()));
        QVERIFY(lock.run(u"BEGIN; LOCK TABLE app.idempotency_request IN SHARE MODE"_s).ok());
        m_regions->eu.psql(m_regions->database(), TwoRegions::keys(501, 503));
        open();
        find<QSpinBox>(u"differencesWait"_s)->setValue(1);
        compare();
        const auto *chip = find<ui::Chip>(u"difference_on_its_way"_s);
        QVERIFY2(chip->isVisible() && chip->text() == u"Still on its way 4", qPrintable(said(m_differences)));
        QVERIFY(lock.run(u"COMMIT"_s).ok());
        find<QSpinBox>(u"differencesWait"_s)->setValue(60);
        QTRY_VERIFY_WITH_TIMEOUT((compare(), listed() == QStringList { u"Other state k5"_s }), 60'000);
    }
};

QTEST_MAIN(RegionsViewsTest)
#include "tst_regions_views.moc"
