// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/trend_controller.h"
#include "models/trends/trend_table_model.h"
#include "sql/types/utc.h"
#include "tests/ui/window_fixture.h"
#include "ui/charts/trend_chart.h"
#include "ui/pages/trends/trends_page.h"
#include "ui/widgets/notice_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QToolButton>
#include <QXYSeries>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// The trends page as a person meets it, over rows whose numbers are known.
class TrendsWindowTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup() { m_fixture.reset(); }
    void cleanupTestCase() { m_cluster.reset(); }

    void chartDrawsWhatTheTableHolds();
    void refreshCountsOnlyWhatWasOpen();
    void metricsWithoutASourceAreGreyed();
    void anUnknownMetricOffersTheOthers();
    void dragChoosesARangeAndTheButtonGoesBack();
    void ownRangeIsAskedInTheZoneOnScreen();
    void keyboardLeadsToTheKeys();
    void clickTakesTheNearestScope();
    void marksHaveALegend();
    void legendTellsWhatIsFull();
    void aBandHasItsPlaceInTheLegend();
    void dotsThatWouldMeltAreLeftOut();
    void lackOfPrivilegeSaysSoAndRetries();
    void writesPictureDrawingAndNumbers();
    void aSmallWindowCutsNothing();

private:
    models::TrendController *trends() const { return m_fixture->window->trends(); }
    ui::TrendChart *chart() const { return m_fixture->window->trendsPage()->chart(); }
    void choose(const models::TrendChoice &choice);
    QString sql(const QString &statement) const { return m_cluster->psql(u"postgres"_s, statement); }
    bool calm() const { return !trends()->busy() && trends()->answer().has_value(); }

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<WindowFixture> m_fixture;
};

void TrendsWindowTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    m_cluster = std::make_unique<TestCluster>();
    m_cluster->psqlFile(u"postgres"_s, u"sql/demo/schema_001.sql"_s);
    // Of hour h before now: h orders and two payments; none in the hours 5 and 6; every tenth was tried three times.
    sql(u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, claimed_by, "
        u"attempt_count, created_at, claimed_at, updated_at, expires_at)"
        " SELECT s, s || h || '-' || i, md5('x'), 'succeeded', 'w', CASE WHEN i % 10 = 0 THEN 3 ELSE 1 END, at, at, "
        "at, now() + interval '1 day'"
        " FROM generate_series(1, 20) h CROSS JOIN LATERAL (SELECT date_trunc('hour', now(), 'UTC') - h * interval '1 "
        "hour' + interval '7 min' AS at) x"
        " CROSS JOIN LATERAL (SELECT 'order' AS s, i FROM generate_series(1, h) i UNION ALL SELECT 'payment', i FROM generate_series(1, 2) i) y WHERE h NOT IN (5, 6)"_s);
    sql(u"CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA app TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA app TO reader; ANALYZE"_s);
}

void TrendsWindowTest::init()
{
    m_fixture = std::make_unique<WindowFixture>(*m_cluster);
    QVERIFY(QTest::qWaitForWindowActive(m_fixture->window.get()));
    m_fixture->connectAs(u"reader"_s, u"postgres"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_fixture->connection.targetsLoaded(), 20'000);
    m_fixture->window->showPage(u"trends"_s);
    m_fixture->window->trendsPage()->showTarget(u"plpgsql-request"_s);
    models::TrendChoice choice;
    choice.bucket = u"1h"_s;
    choice.byScope = true;
    choose(choice);
}

void TrendsWindowTest::choose(const models::TrendChoice &choice)
{
    trends()->choose(choice);
    QTRY_VERIFY_WITH_TIMEOUT(calm(), 20'000);
}

void TrendsWindowTest::chartDrawsWhatTheTableHolds()
{
    const auto &picture = chart()->picture();
    QCOMPARE(picture.lines.size(), 2);
    QCOMPARE(picture.lines.first().name, u"order"_s); // most rows first
    // The same by another statement: hour and number of rows.
    const QStringList expected
        = sql(u"SELECT string_agg(extract(epoch FROM h)::bigint * 1000 || '=' || n, ' ' ORDER BY h) FROM (SELECT "
              u"to_timestamp(floor(extract(epoch FROM created_at) / 3600) * 3600) h, "
              "count(*) n FROM app.idempotency_request WHERE idempotency_scope = 'order' GROUP BY 1) x"_s)
              .split(u' ');
    QCOMPARE(expected.size(), 18);
    QStringList drawn;
    for (const auto &run : picture.lines.first().runs) {
        for (const QPointF &point : run) {
            if (point.y() > 0) {
                drawn += u"%1=%2"_s.arg(qint64(point.x())).arg(int(point.y()));
            }
        }
    }
    QCOMPARE(drawn, expected);
    // Hours without a row are zeros: the table says that nothing happened.
    const auto &values = trends()->answer()->series.first().values;
    QCOMPARE(std::count(values.begin() + 5, values.end(), std::optional<double>(0.0)),
        3); // hours 5, 6 and the one that fills
    m_fixture->find<QCheckBox>(u"trendsStacked"_s)->click();
    QVERIFY(chart()->picture().stacked);
    const QString total = chart()->legendTexts().filter(u"Total"_s).value(0);
    QVERIFY2(total.contains(u" last full hour · "_s) && total.contains(u" so far · max "_s), qPrintable(total));
    // By itself each scope stands on the ground, also while the large chart stacks them.
    QCOMPARE(
        m_fixture->find<QWidget>(u"trendsScopes"_s)->findChildren<QAbstractButton *>(u"multiplesPanel"_s).size(), 2);
    m_fixture->find<QCheckBox>(u"trendsByScope"_s)->click();
    QTRY_VERIFY_WITH_TIMEOUT(calm() && trends()->answer()->series.size() == 1, 20'000);
    QCOMPARE(chart()->picture().lines.first().name, u"All keys"_s);
    QVERIFY(!m_fixture->find<QCheckBox>(u"trendsStacked"_s)->isEnabled());
    m_fixture->find<QCheckBox>(u"trendsCompare"_s)->click();
    QTRY_VERIFY_WITH_TIMEOUT(calm() && trends()->previous().has_value(), 20'000);
    QVERIFY(!m_fixture->find<QCheckBox>(u"trendsByScope"_s)->isEnabled());
}

void TrendsWindowTest::refreshCountsOnlyWhatWasOpen()
{
    models::TrendChoice choice;
    choice.bucket = u"1h"_s;
    choose(choice);
    const auto total = [this] {
        double sum = 0;
        for (const auto &value : trends()->answer()->series.first().values) {
            sum += value.value_or(0);
        }
        return sum;
    };
    const double before = total();
    const auto put = [this](const QString &key, const QString &at) {
        sql(u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, created_at, claimed_at, expires_at) VALUES ('order', '%1', 'x', 'succeeded', %2, now(), now() + interval '1 day')"_s
                .arg(key, at));
    };
    put(u"late-1"_s, u"now() - interval '10 hours'"_s); // in a bucket that was closed
    put(u"late-2"_s, u"now()"_s);
    trends()->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(calm(), 20'000);
    QCOMPARE(total(), before + 1);
    models::TrendChoice other = choice;
    other.metric = u"retries"_s;
    choose(other);
    choose(choice); // read as a whole
    QCOMPARE(total(), before + 2);
    sql(u"DELETE FROM app.idempotency_request WHERE idempotency_key LIKE 'late-%'"_s);
}

void TrendsWindowTest::metricsWithoutASourceAreGreyed()
{
    auto *list = m_fixture->find<QComboBox>(u"trendsMetric"_s);
    const auto *items = qobject_cast<QStandardItemModel *>(list->model());
    const int dead = list->findData(u"dead"_s);
    QVERIFY(dead >= 0 && !items->item(dead)->isEnabled());
    QVERIFY(list->itemData(dead, Qt::ToolTipRole).toString().contains(u"Only inboxes and outboxes"_s));
    QVERIFY(items->item(list->findData(u"retries"_s))->isEnabled());
    m_fixture->window->trendsPage()->showMetric(u"stale"_s);
    QTRY_VERIFY_WITH_TIMEOUT(calm() && trends()->answer()->metric.id == u"stale", 20'000);
    QVERIFY(m_fixture->find<QLabel>(u"trendsNotes"_s)->text().contains(u"only how it is now"_s));
    QVERIFY(!m_fixture->find<QCheckBox>(u"trendsCompare"_s)->isEnabled());
}

/// A metric that this table has not: those that it has are buttons.
void TrendsWindowTest::anUnknownMetricOffersTheOthers()
{
    models::TrendChoice choice;
    choice.metric = u"gone"_s;
    trends()->choose(choice);
    QTRY_VERIFY_WITH_TIMEOUT(trends()->error().has_value(), 20'000);
    auto *offer = m_fixture->find<QPushButton>(u"trendsOffer_retries"_s);
    QTRY_VERIFY(offer->isVisible());
    QVERIFY(m_fixture->window->findChild<QPushButton *>(u"trendsOffer_dead"_s) == nullptr); // which it cannot tell
    QTest::mouseClick(offer, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(calm() && trends()->answer() && trends()->answer()->metric.id == u"retries", 20'000);
    QVERIFY(!offer->isVisible());
}

void TrendsWindowTest::dragChoosesARangeAndTheButtonGoesBack()
{
    const QRect plot = chart()->chart()->plotArea().toRect();
    const auto buckets = trends()->answer()->buckets.size();
    auto *reset = m_fixture->find<QPushButton>(u"trendsReset"_s);
    QVERIFY(!reset->isVisible());
    QTest::mousePress(
        chart()->viewport(), Qt::LeftButton, {}, QPoint(plot.left() + plot.width() / 2, plot.center().y()));
    QTest::mouseMove(chart()->viewport(), QPoint(plot.right() - 2, plot.center().y()));
    QTest::mouseRelease(chart()->viewport(), Qt::LeftButton, {}, QPoint(plot.right() - 2, plot.center().y()));
    QTRY_VERIFY_WITH_TIMEOUT(calm() && trends()->answer()->buckets.size() < buckets, 20'000);
    QVERIFY(std::abs(trends()->answer()->buckets.size() - buckets / 2) <= 2);
    const auto *range = m_fixture->find<QComboBox>(u"trendsRange"_s);
    QVERIFY2(
        range->currentText().startsWith(trends()->timeFormat().text(*trends()->choice().since).left(16) + u" to "_s),
        qPrintable(range->currentText())); // and not what asks for one
    QTest::mouseClick(reset, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(calm() && trends()->answer()->buckets.size() == buckets, 20'000);
    QVERIFY(!reset->isVisible());
    QCOMPARE(range->itemText(range->count() - 1), u"Custom range…"_s);
}

void TrendsWindowTest::ownRangeIsAskedInTheZoneOnScreen()
{
    auto *range = m_fixture->find<QComboBox>(u"trendsRange"_s);
    range->setCurrentIndex(range->count() - 1);
    emit range->activated(range->count() - 1);
    auto *dialog = m_fixture->find<QDialog>(u"rangeDialog"_s);
    auto *since = dialog->findChild<QDateTimeEdit *>(u"rangeSince"_s);
    auto *until = dialog->findChild<QDateTimeEdit *>(u"rangeUntil"_s);
    auto *show = dialog->findChild<QPushButton *>(u"rangeShow"_s);
    until->setDateTime(since->dateTime().addDays(-1));
    QVERIFY(!show->isEnabled());
    since->setDateTime(QDateTime(QDate(2020, 1, 1), QTime(0, 0), sql::kUtc));
    until->setDateTime(QDateTime(QDate(2020, 1, 3), QTime(0, 0), sql::kUtc));
    QTest::mouseClick(show, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(calm() && trends()->choice().since.has_value(), 20'000);
    QCOMPARE(trends()->answer()->buckets.size(), 48);
    QCOMPARE(trends()->choice().since->toRfc3339(),
        sql(u"SELECT to_char('2020-01-01 00:00'::timestamp AT TIME ZONE current_setting('TimeZone') AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"_s));
    auto *title = m_fixture->window->trendsPage()->findChild<QLabel *>(u"emptyStateTitle"_s);
    QVERIFY(title->isVisible());
    QCOMPARE(title->text(), u"Nothing in 1–2 Jan 2020"_s); // as the choice of ranges names it
    // The next step is a button.
    auto *next = m_fixture->window->trendsPage()->findChild<QPushButton *>(u"emptyStateButton"_s);
    QVERIFY(next->isVisible());
    QTest::mouseClick(next, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(calm() && !trends()->choice().since.has_value(), 20'000);
    QCOMPARE(trends()->choice().spanSeconds, 30 * 86'400);
}

void TrendsWindowTest::keyboardLeadsToTheKeys()
{
    chart()->setFocus();
    auto *mark = m_fixture->find<QLabel>(u"trendMark"_s);
    QTest::keyClick(chart(), Qt::Key_Right); // the newest
    QTest::keyClick(chart(), Qt::Key_Left);
    QTest::keyClick(chart(), Qt::Key_Left); // two hours before the current one
    QVERIFY(mark->isVisible());
    QVERIFY2(mark->text().contains(u"order: 2\npayment: 2"_s), qPrintable(mark->text()));
    QTest::keyClick(chart(), Qt::Key_Return);
    QCOMPARE(m_fixture->window->currentPage(), u"keys"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == 4, 20'000);
}

void TrendsWindowTest::clickTakesTheNearestScope()
{
    const QRectF plot = chart()->chart()->plotArea();
    const auto &picture = chart()->picture();
    const QPointF point = picture.lines.first().runs.first().at(3); // orders of an early hour
    const auto place = [&](double y) {
        return QPoint(int(plot.left() + (point.x() - picture.from) / (picture.to - picture.from) * plot.width()) + 1,
            int(plot.bottom() - y / picture.top * plot.height()));
    };
    QTest::mouseMove(chart()->viewport(), place(point.y()));
    QTRY_VERIFY(m_fixture->find<QLabel>(u"trendMark"_s)->isVisible());
    QTest::mouseClick(chart()->viewport(), Qt::LeftButton, {}, place(point.y()));
    QCOMPARE(m_fixture->window->currentPage(), u"keys"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == int(point.y()), 20'000);
}

void TrendsWindowTest::marksHaveALegend()
{
    // After the two lines; the hour that is still filling has its mark, too.
    const auto marks = [this] { return chart()->legendTexts().mid(2); };
    QCOMPARE(marks(), QStringList { u"still filling"_s });
    const sql::Timestamp at = trends()->answer()->buckets.at(3);
    trends()->setEvents({ { at, u"plpgsql-request"_s, u"Recover 3 keys"_s, false } });
    QTRY_COMPARE(marks(), (QStringList { u"action"_s, u"still filling"_s }));
    trends()->setEvents({ { at, u"plpgsql-request"_s, u"Recover 3 keys"_s, false },
        { at, u"plpgsql-request"_s, u"Stuck keys"_s, true }, { at, u"another"_s, u"Purge"_s, false } });
    QTRY_COMPARE(marks(), (QStringList { u"action"_s, u"alert began"_s, u"still filling"_s }));
    QCOMPARE(chart()->picture().markers.size(), 2); // of this table alone
}

/// A crowd in the hour that is still filling is told, and does not flatten the hours before.
void TrendsWindowTest::legendTellsWhatIsFull()
{
    QCOMPARE(chart()->legendTexts().first(), u"order · 1 last full hour · 0 so far · max 20"_s);
    const double top = chart()->picture().top;
    sql(u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, created_at, claimed_at, expires_at) SELECT 'order', 'crowd-' || i, 'x', 'succeeded', now(), now(), now() + interval '1 day' FROM generate_series(1, 90) i"_s);
    trends()->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(calm(), 20'000);
    QCOMPARE(chart()->legendTexts().first(), u"order · 1 last full hour · 90 so far · max 20"_s);
    QCOMPARE(chart()->picture().top, top);
    sql(u"DELETE FROM app.idempotency_request WHERE idempotency_key LIKE 'crowd-%'"_s);
}

/// A few points beside each other would be a thick bar, which is a sign of its own.
void TrendsWindowTest::dotsThatWouldMeltAreLeftOut()
{
    models::TrendPicture picture = chart()->picture();
    const double whole = picture.to - picture.from;
    models::TrendLine &line = picture.lines.first();
    const auto dots = [&](double step) {
        line.runs = { {} };
        for (int i = 0; i < 5; ++i) {
            line.runs.first().append({ picture.from + i * step, 1 });
        }
        chart()->setPicture(picture, {});
        return qobject_cast<QXYSeries *>(chart()->chart()->series().first())->pointsVisible();
    };
    QVERIFY(dots(whole / 10));
    QVERIFY(!dots(whole / 1'000));
}

/// Behind its line, and named once for all lines.
void TrendsWindowTest::aBandHasItsPlaceInTheLegend()
{
    models::TrendPicture picture = chart()->picture();
    const auto drawn = [this] {
        const QRect plot = chart()->chart()->plotArea().toRect().adjusted(2, 2, -2, -2);
        return chart()->grab(plot).toImage();
    };
    chart()->setPicture(picture, {});
    QVERIFY(!chart()->legendTexts().contains(u"lowest to highest hour"_s));
    const QImage before = drawn();
    models::TrendBand band;
    for (const QPointF &point : picture.lines.first().runs.first()) {
        band.lowest.append({ point.x(), 0 });
        band.highest.append({ point.x(), picture.top });
    }
    picture.lines.first().bands = { band };
    chart()->setPicture(picture, {});
    const QImage first = drawn();
    QVERIFY(first != before);
    picture.lines.last().bands = { { { band.lowest.first() }, { band.highest.first() } } }; // one bucket alone
    chart()->setPicture(picture, {});
    QCOMPARE(chart()->legendTexts().filter(u"lowest to highest hour"_s),
        QStringList { u"lowest to highest hour · "_s + picture.lines.first().name });
    // Of several the one of the line that the mouse is at, else that of the first: what the legend names is there.
    QCOMPARE(drawn(), first);
    const QRectF plot = chart()->chart()->plotArea();
    const QPointF point = picture.lines.last().runs.first().at(3);
    QTest::mouseMove(chart()->viewport(),
        QPoint(int(plot.left() + (point.x() - picture.from) / (picture.to - picture.from) * plot.width()),
            int(plot.bottom() - point.y() / picture.top * plot.height())));
    QTRY_VERIFY(drawn() != first);
}

void TrendsWindowTest::lackOfPrivilegeSaysSoAndRetries()
{
    sql(u"REVOKE SELECT ON app.idempotency_request FROM reader"_s);
    trends()->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(trends()->error().has_value(), 20'000);
    QCOMPARE(trends()->error()->kind, sql::ErrorKind::Privilege);
    QVERIFY(!trends()->answer().has_value()); // no old chart under a new error
    sql(u"GRANT SELECT ON app.idempotency_request TO reader"_s);
    auto *retry = m_fixture->window->trendsPage()->findChild<QPushButton *>(u"noticePrimary"_s);
    QVERIFY(retry->isVisible());
    QTest::mouseClick(retry, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(calm(), 20'000);
    QVERIFY(!chart()->picture().empty());
}

void TrendsWindowTest::writesPictureDrawingAndNumbers()
{
    QTemporaryDir folder;
    const std::pair<QString, QByteArray> kinds[]
        = { { u"png"_s, "\x89PNG" }, { u"svg"_s, "<?xml" }, { u"csv"_s, "from,to,open,order,payment\r\n" } };
    const auto actions = m_fixture->find<QToolButton>(u"trendsExport"_s)->menu()->actions();
    for (qsizetype i = 0; i < std::ssize(kinds); ++i) {
        actions.at(i)->trigger();
        auto *dialog = m_fixture->find<QFileDialog>(u"trendsExportDialog"_s);
        const QString path = folder.filePath(u"chart."_s + kinds[i].first);
        emit dialog->fileSelected(path);
        dialog->reject();
        QTRY_VERIFY(m_fixture->window->findChild<QFileDialog *>(u"trendsExportDialog"_s) == nullptr);
        QFile file(path);
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(path));
        QVERIFY(file.readAll().startsWith(kinds[i].second));
    }
    actions.constFirst()->trigger();
    emit m_fixture->find<QFileDialog>(u"trendsExportDialog"_s)->fileSelected(folder.path()); // a folder
    QVERIFY(m_fixture->window->trendsPage()->findChild<ui::NoticeBar *>()->isVisible());
}

/// The chart gives way; the footnote stands whole, and the page has no scroll bar. Small charts say whether they
/// compare.
void TrendsWindowTest::aSmallWindowCutsNothing()
{
    const auto *notes = m_fixture->find<QLabel>(u"trendsNotes"_s);
    const auto *page = m_fixture->window->trendsPage();
    const auto *area = qobject_cast<const QScrollArea *>(page->parentWidget()->parentWidget());
    QVERIFY(area != nullptr);
    m_fixture->window->resize(1024, 700);
    QTRY_COMPARE(m_fixture->window->size(), QSize(1024, 700));
    QTRY_VERIFY(notes->isVisible() && !notes->text().isEmpty());
    QTRY_COMPARE(area->horizontalScrollBar()->maximum(), 0);
    QTRY_COMPARE(area->verticalScrollBar()->maximum(), 0);
    QTRY_VERIFY2(
        notes->height() >= notes->heightForWidth(notes->width()), qPrintable(QString::number(notes->height())));
    m_fixture->window->trendsPage()->showTab(u"scopes"_s);
    const auto *axis = m_fixture->find<QLabel>(u"multiplesAxis"_s);
    QTRY_VERIFY(axis->isVisible());
    QVERIFY2(axis->text().contains(u"a scale of its own"_s), qPrintable(axis->text()));
    m_fixture->find<QCheckBox>(u"multiplesSame"_s)->click();
    QVERIFY2(axis->text().contains(u"from 0 to %1"_s.arg(int(chart()->picture().top))), qPrintable(axis->text()));
}

QTEST_MAIN(TrendsWindowTest)
#include "tst_trends_window.moc"
