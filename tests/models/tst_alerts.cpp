// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_board.h"
#include "models/alerts/alert_controller.h"
#include "models/alerts/alert_groups.h"
#include "models/alerts/alert_judge.h"
#include "models/alerts/alert_rules.h"
#include "sql/lanes/database.h"
#include "sql/profile/profile_json.h"
#include "sql/trends/minute_series.h"
#include "tests/support/registered_table.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using namespace idemdesk::tests;
using sql::AlertForm;
using sql::AlertRule;
using sql::AlertState;

namespace {

constexpr qint64 kNow = 1'700'000'040; // a whole minute

/// Minutes that end now, newest last, one value each; a NaN is a minute that was not sampled.
sql::MinuteSet minutes(const QString &metric, const QList<double> &values)
{
    sql::MinuteSet set;
    set.now = { sql::Timestamp::Kind::Finite, kNow * 1'000'000 };
    for (qsizetype i = 0; i < values.size(); ++i) {
        const qint64 at = kNow - (values.size() - 1 - i) * 60;
        if (!qIsNaN(values.at(i))) {
            set.sampled += at;
            set.values[metric].insert(at, values.at(i));
        }
    }
    return set;
}

QList<double> repeated(double value, int times)
{
    return QList<double>(times, value);
}

} // namespace

/// Alert rules: what they say of minutes that are known, how profiles change them, and what the window hears of it.
class AlertsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase() { m_fixture.reset(); }

    /// One rule that tells of eleven tables is one heading; the states stay in their order.
    void alertsStandByRuleWhereOneTellsOfSeveralTables()
    {
        const auto alert = [](const QString &target, const QString &rule, sql::AlertState state) {
            AlertEntry entry;
            entry.target = target;
            entry.title = target;
            entry.status.rule.id = rule;
            entry.status.rule.title = u"<b>"_s + rule;
            entry.status.state = state;
            return entry;
        };
        AlertModel model;
        AlertGroups groups(&model);
        QAbstractItemModelTester tester(&groups, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto texts = [&groups] {
            QStringList all;
            for (int row = 0; row < groups.rowCount(); ++row) {
                all += groups.index(row, groups.isHeading(row) ? groups.headingColumn() : int(AlertModel::Table))
                           .data()
                           .toString();
            }
            return all;
        };
        model.setEntries({ alert(u"a"_s, u"age"_s, sql::AlertState::Firing),
            alert(u"a"_s, u"growth"_s, sql::AlertState::Quiet), alert(u"b"_s, u"growth"_s, sql::AlertState::Quiet) });
        QVERIFY(!groups.byRule()); // quiet ones are only counted
        QCOMPARE(groups.headingColumn(), int(AlertModel::What));
        model.setEntries({ alert(u"a"_s, u"age"_s, sql::AlertState::Firing),
            alert(u"a"_s, u"backlog"_s, sql::AlertState::Firing), alert(u"b"_s, u"age"_s, sql::AlertState::Firing),
            alert(u"c"_s, u"age"_s, sql::AlertState::Pending), alert(u"c"_s, u"growth"_s, sql::AlertState::Quiet) });
        QVERIFY(groups.byRule());
        QCOMPARE(texts(),
            (QStringList { u"<b>age: 2 table(s)"_s, u"a"_s, u"b"_s, u"<b>backlog"_s, u"a"_s, u"<b>age"_s, u"c"_s,
                u"1 rule(s) are quiet"_s }));
        QCOMPARE(AlertGroups::stateOf(groups.groupAt(3)), AlertGroup::Firing);
        QCOMPARE(AlertGroups::stateOf(groups.groupAt(5)), AlertGroup::OverLimit);
        groups.setFolded(groups.groupAt(0), true);
        QCOMPARE(groups.rowCount(), 6);
        // It stays folded when the alerts are judged anew, whichever others are there then.
        model.setEntries({ alert(u"a"_s, u"backlog"_s, sql::AlertState::Firing),
            alert(u"a"_s, u"age"_s, sql::AlertState::Firing), alert(u"b"_s, u"age"_s, sql::AlertState::Firing) });
        QCOMPARE(texts(), (QStringList { u"<b>backlog"_s, u"a"_s, u"<b>age: 2 table(s)"_s }));
    }

    /// What is not known stands behind one heading that says why, and buries nothing that fires.
    void whatIsNotKnownIsOnlyCounted()
    {
        const auto alert = [](const QString &target, const QString &rule, sql::AlertState state, const QString &why) {
            AlertEntry entry;
            entry.target = entry.title = target;
            entry.status.rule.id = entry.status.rule.title = rule;
            entry.status.state = state;
            entry.status.why = why;
            return entry;
        };
        const auto unknown = [&alert](const QString &target, const QString &rule, const QString &why) {
            return alert(target, rule, sql::AlertState::Unknown, why);
        };
        AlertModel model;
        AlertGroups groups(&model);
        QAbstractItemModelTester tester(&groups, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto text = [&groups](int row) { return groups.index(row, groups.headingColumn()).data().toString(); };
        model.setEntries({ unknown(u"a"_s, u"age"_s, u"No sample."_s), unknown(u"b"_s, u"age"_s, u"No sample."_s),
            alert(u"a"_s, u"backlog"_s, sql::AlertState::Firing, {}) });
        QVERIFY(!groups.byRule());
        QCOMPARE(groups.rowCount(), 3); // the alert under its heading, and the other heading
        QCOMPARE(AlertGroups::stateOf(groups.groupAt(0)), AlertGroup::Firing);
        QCOMPARE(text(2), u"2 rule(s) not checked: No sample."_s);
        groups.setFolded(groups.groupAt(2), false);
        QCOMPARE(groups.rowCount(), 5);
        model.setEntries({ unknown(u"a"_s, u"age"_s, u"No sample."_s), unknown(u"b"_s, u"age"_s, u"No rights."_s) });
        QCOMPARE(text(0), u"2 rule(s) not checked"_s);
        // Where other rows are named by their tables alone, these name their rule, too.
        model.setEntries({ alert(u"a"_s, u"backlog"_s, sql::AlertState::Firing, {}),
            alert(u"b"_s, u"backlog"_s, sql::AlertState::Firing, {}), unknown(u"c"_s, u"age"_s, u"No sample."_s) });
        QVERIFY(groups.byRule());
        const QModelIndex row = groups.index(4, AlertModel::Table);
        QCOMPARE(row.data().toString(), u"age"_s);
        QCOMPARE(row.data(AlertModel::DetailRole).toString(), u"c"_s);
    }

    void above_data()
    {
        QTest::addColumn<QList<double>>("values");
        QTest::addColumn<int>("state");
        QTest::addColumn<int>("since"); // minutes ago, -1: none
        const QList<double> quiet = repeated(1, 10);
        QTest::newRow("never") << quiet << int(AlertState::Quiet) << -1;
        QTest::newRow("just the limit is not above it")
            << QList<double> { 5, 5, 5, 5, 5, 5 } << int(AlertState::Quiet) << -1;
        QTest::newRow("now, but not for long") << quiet + repeated(9, 3) << int(AlertState::Pending) << 2;
        QTest::newRow("for the whole span") << quiet + repeated(9, 6) << int(AlertState::Firing) << 5;
        QTest::newRow("with a break") << quiet + repeated(9, 6) + QList<double> { 1 } + repeated(9, 2)
                                      << int(AlertState::Pending) << 1;
        QTest::newRow("over again") << repeated(9, 10) + QList<double> { 1 } << int(AlertState::Quiet) << -1;
        QTest::newRow("minutes without a sample in between")
            << repeated(9, 3) + repeated(qQNaN(), 4) + repeated(9, 1) << int(AlertState::Firing) << 7;
        QTest::newRow("no sample for a quarter of an hour")
            << repeated(9, 6) + repeated(qQNaN(), 15) << int(AlertState::Unknown) << -1;
        QTest::newRow("no sample at all") << QList<double>() << int(AlertState::Unknown) << -1;
    }
    void above()
    {
        QFETCH(QList<double>, values);
        QFETCH(int, state);
        QFETCH(int, since);
        const sql::AlertStatus status = alertStatus(
            { u"x"_s, u"X"_s, u"oldest_stale"_s, AlertForm::Above, 5, 300 }, minutes(u"oldest_stale"_s, values));
        QCOMPARE(int(status.state), state);
        QCOMPARE(status.since.has_value(), since >= 0);
        if (since >= 0) {
            QCOMPARE((kNow - status.since->micros / 1'000'000) / 60, since);
        }
        QCOMPARE(status.why.isEmpty(), status.state != AlertState::Unknown);
    }

    /// A sample says only in which minute it was taken: what it says of the oldest key's beginning is up to a minute
    /// early. The seconds into its minute at which each of three samples of one key was taken.
    void sinceIsOfTheOldestKeyWheneverASampleWasTaken_data()
    {
        QTest::addColumn<QList<int>>("seconds");
        QTest::newRow("the newest at the minute's beginning") << QList<int> { 5, 50, 0 };
        QTest::newRow("the newest at its end") << QList<int> { 0, 30, 59 };
        QTest::newRow("the oldest at its end") << QList<int> { 59, 20, 0 };
    }
    void sinceIsOfTheOldestKeyWheneverASampleWasTaken()
    {
        QFETCH(QList<int>, seconds);
        constexpr qint64 kBegan = kNow - 86'400;
        QList<double> ages;
        for (qsizetype i = 0; i < seconds.size(); ++i) {
            ages += double(kNow - (seconds.size() - 1 - i) * 60 + seconds.at(i) - kBegan);
        }
        const AlertRule rule { u"stale_old"_s, u"X"_s, u"oldest_stale"_s, AlertForm::Above, 3'600, 300 };
        const sql::AlertStatus status = alertStatus(rule, minutes(u"oldest_stale"_s, ages));
        QCOMPARE(status.state, AlertState::Firing);
        QCOMPARE(status.since->micros / 1'000'000, kBegan + 3'600);
    }

    /// What a person read as the beginning stays, as long as it is one and the same alert.
    void sinceStaysWhileAnAlertLasts_data()
    {
        QTest::addColumn<int>("before"); // state
        QTest::addColumn<double>("limit"); // of the rule before
        QTest::addColumn<qint64>("then");
        QTest::addColumn<qint64>("now");
        QTest::addColumn<qint64>("since");
        QTest::newRow("a sample later") << int(AlertState::Firing) << 5.0 << qint64(1'000) << qint64(1'012)
                                        << qint64(1'000);
        QTest::newRow("a sample that is early")
            << int(AlertState::Firing) << 5.0 << qint64(1'000) << qint64(950) << qint64(1'000);
        QTest::newRow("the span goes on with the clock")
            << int(AlertState::Pending) << 5.0 << qint64(1'000) << qint64(9'000) << qint64(1'000);
        QTest::newRow("it turns out to be older")
            << int(AlertState::Firing) << 5.0 << qint64(1'000) << qint64(700) << qint64(700);
        QTest::newRow("it had ended") << int(AlertState::Quiet) << 5.0 << qint64(1'000) << qint64(9'000)
                                      << qint64(9'000);
        QTest::newRow("another limit") << int(AlertState::Firing) << 6.0 << qint64(1'000) << qint64(9'000)
                                       << qint64(9'000);
    }
    void sinceStaysWhileAnAlertLasts()
    {
        QFETCH(int, before);
        QFETCH(double, limit);
        QFETCH(qint64, then);
        QFETCH(qint64, now);
        QFETCH(qint64, since);
        const auto at = [](qint64 second) {
            return sql::Timestamp { sql::Timestamp::Kind::Finite, second * 1'000'000 };
        };
        AlertEntry entry;
        entry.target = u"a"_s;
        entry.status.rule = { u"x"_s, u"X"_s, u"oldest_stale"_s, AlertForm::Above, 5, 300 };
        entry.status.state = AlertState::Firing;
        AlertEntry old = entry;
        old.status.state = AlertState(before);
        old.status.rule.limit = limit;
        old.status.since = at(then);
        entry.status.since = at(now);
        QList<AlertEntry> entries { entry };
        keepSince({ old }, &entries);
        QCOMPARE(entries.constFirst().status.since->micros, at(since).micros);
        old.target = u"b"_s; // of another table nothing is kept
        entries = { entry };
        keepSince({ old }, &entries);
        QCOMPARE(entries.constFirst().status.since->micros, at(now).micros);
    }

    void theLastDayIsToldByTheHour()
    {
        const AlertRule oldest { u"x"_s, u"X"_s, u"oldest_stale"_s, AlertForm::Above, 5, 300 };
        QVERIFY(alertDay(oldest, minutes(u"oldest_stale"_s, {})).isEmpty());
        const sql::HistoryValues day = alertDay(oldest, minutes(u"oldest_stale"_s, repeated(3, 90) + repeated(9, 1)));
        QCOMPARE(day.size(), 24);
        QCOMPARE(day.constLast(), std::optional(9.0)); // of an age the highest
        QVERIFY(!day.constFirst()); // what was not sampled is a gap
        const AlertRule rows { u"y"_s, u"Y"_s, u"stale"_s, AlertForm::Rising, 2, 900 };
        const auto mean = alertDay(rows, minutes(u"stale"_s, { 2, 4 })).constLast();
        QVERIFY(mean && (*mean == 3 || *mean == 4)); // both in one hour, or not
    }

    /// Hours whose minutes are gone, or were never there, are told as they were put together by the hour.
    void anHourWithoutMinutesIsToldByItsSum()
    {
        const AlertRule rule { u"x"_s, u"X"_s, u"oldest_stale"_s, AlertForm::Above, 5, 300 };
        sql::MinuteSet set = minutes(u"oldest_stale"_s, { 9 });
        const qint64 hour = kNow / 3'600 * 3'600;
        set.hours[u"oldest_stale"_s] = { { hour - 3'600, 7 }, { hour, 1 }, { hour - 40 * 3'600, 3 } };
        const sql::HistoryValues day = alertDay(rule, set);
        QCOMPARE(day.constLast(), std::optional(9.0)); // minutes say it nearer
        QCOMPARE(day.at(22), std::optional(7.0));
        QCOMPARE(std::count_if(day.cbegin(), day.cend(), [](const auto &value) { return value.has_value(); }), 2);
        set.withheld += u"oldest_stale"_s;
        QVERIFY(alertDay(rule, set).isEmpty()); // what this login is not shown is no 0

        AlertEntry entry;
        entry.target = entry.title = u"t"_s;
        entry.status.rule = rule;
        entry.day = day;
        entry.judged = set.now;
        AlertModel model;
        model.setEntries({ entry });
        const auto said = [&model] { return model.index(0, AlertModel::Day).data(DetailRole).toString(); };
        QCOMPARE(said(), u"no samples before 21:00"_s); // it is 22:14
        entry.day.fill(1);
        model.setEntries({ entry });
        QVERIFY(said().isEmpty());
    }

    void whatWasPutTogetherByTheHourIsRead()
    {
        fresh();
        const RegisteredTable table = registerTable(*m_fixture);
        const QString samples
            = u"SET ROLE idemdesk_owner; SELECT idemdesk._ensure_span('sample_hour', 'month', now() - h * interval '1 "
              "hour') FROM (VALUES (2), (3)) AS x (h); " // a month may begin between them
              "INSERT INTO idemdesk.sample (resolution, bucket_start, target, metric, scope, value, lowest, highest, "
              "samples) "
              "SELECT 'hour', date_trunc('hour', now()) - h * interval '1 hour', 'k2', x.metric, x.scope, x.value, 0, "
              "x.highest, 60 FROM (VALUES (2, 'size', '[]', 1.0, 1.0), (2, 'stale', '[\"a\"]', 3.0, 9.0), "
              "(2, 'stale', '[\"b\"]', 4.0, 9.0), (2, 'oldest_stale', '[\"a\"]', 50.0, 70.0), "
              "(2, 'lock_wait', '[]', 0.7, 40.0), "
              "(3, 'size', '[]', 1.0, 1.0), (3, 'hidden', '[]', 1.0, 1.0)) AS x (h, metric, scope, value, highest)"_s;
        const auto put = m_fixture->root().run(samples);
        QVERIFY2(put.ok(), qPrintable(put.value()));
        const auto session = openSession(*m_fixture, u"op"_s);
        const auto set = sql::readMinutes(
            *session, u"k2"_s, { u"stale"_s, u"oldest_stale"_s, u"lock_wait"_s, u"standby_lag"_s }, sql::kDay);
        QVERIFY(set);
        QVERIFY(set->values.value(u"stale"_s).isEmpty());
        QCOMPARE(set->hours.value(u"stale"_s).values(), QList<double>({ 7 }));
        QCOMPARE(set->hours.value(u"oldest_stale"_s).values(), QList<double>({ 70 })); // of an age the highest
        QVERIFY(set->hours.value(u"lock_wait"_s).values().contains(40)); // and of the longest wait
        QVERIFY(!set->hours.contains(u"standby_lag"_s)); // nobody saw it, which is not 0
    }

    /// The limit that all alerts under a heading have stands in it, once.
    void oneLimitIsToldByTheHeading()
    {
        const auto alert = [](const QString &target, double limit) {
            AlertEntry entry;
            entry.target = entry.title = target;
            entry.status.rule = { u"age"_s, u"age"_s, u"oldest_stale"_s, AlertForm::Above, limit, 300 };
            entry.status.state = AlertState::Firing;
            return entry;
        };
        AlertModel model;
        AlertGroups groups(&model);
        const auto detail = [&groups](int row, int column) {
            return groups.index(row, column).data(AlertModel::DetailRole).toString();
        };
        model.setEntries({ alert(u"a"_s, 3'600), alert(u"b"_s, 3'600) });
        QVERIFY(detail(0, groups.headingColumn()).startsWith(u"Limit: over "_s));
        QVERIFY(detail(1, AlertModel::Value).isEmpty() && detail(2, AlertModel::Value).isEmpty());
        model.setEntries({ alert(u"a"_s, 3'600), alert(u"b"_s, 60) });
        QVERIFY(detail(0, groups.headingColumn()).isEmpty());
        QVERIFY(detail(1, AlertModel::Value).startsWith(u"Limit: over "_s));
    }

    void aLockWaitTellsItselfHowLongItLasts()
    {
        const AlertRule rule { u"lock_wait"_s, u"X"_s, u"lock_wait"_s, AlertForm::Above, 2, 60 };
        QCOMPARE(alertStatus(rule, minutes(u"lock_wait"_s, { 0, 0, 30 })).state, AlertState::Pending);
        QCOMPARE(alertStatus(rule, minutes(u"lock_wait"_s, { 0, 0, 62 })).state, AlertState::Firing);
    }

    void rising_data()
    {
        QTest::addColumn<QString>("metric");
        QTest::addColumn<QList<double>>("values");
        QTest::addColumn<int>("state");
        QTest::newRow("as before") << "retries" << repeated(2, 100) << int(AlertState::Quiet);
        QTest::newRow("three times and a bit")
            << "retries" << repeated(2, 100) + repeated(7, 16) << int(AlertState::Firing);
        QTest::newRow("just three times") << "retries" << repeated(2, 100) + repeated(6, 16) << int(AlertState::Quiet);
        QTest::newRow("out of nothing, but few")
            << "retries" << repeated(0, 100) + repeated(1, 16) << int(AlertState::Quiet);
        QTest::newRow("out of nothing, and many")
            << "retries" << repeated(0, 100) + repeated(2, 16) << int(AlertState::Firing);
        QTest::newRow("a gauge counts as it is")
            << "stale" << repeated(0, 100) + repeated(19, 16) << int(AlertState::Quiet);
        QTest::newRow("a gauge that is large enough")
            << "stale" << repeated(0, 100) + repeated(21, 16) << int(AlertState::Firing);
        QTest::newRow("too little to compare with")
            << "retries" << repeated(2, 20) + repeated(7, 16) << int(AlertState::Unknown);
    }
    void rising()
    {
        QFETCH(QString, metric);
        QFETCH(QList<double>, values);
        QFETCH(int, state);
        QCOMPARE(
            int(alertStatus({ u"x"_s, u"X"_s, metric, AlertForm::Rising, 3, 900, 20 }, minutes(metric, values)).state),
            state);
    }

    void shares_data()
    {
        QTest::addColumn<double>("violations"); // each of the last ten minutes
        QTest::addColumn<double>("claims");
        QTest::addColumn<int>("state");
        QTest::newRow("none") << 0.0 << 1000.0 << int(AlertState::Quiet);
        QTest::newRow("just the share") << 1.0 << 10000.0 << int(AlertState::Quiet);
        QTest::newRow("more") << 2.0 << 10000.0 << int(AlertState::Firing);
        QTest::newRow("nothing to divide by") << 2.0 << 0.0 << int(AlertState::Firing);
        QTest::newRow("nothing at all") << 0.0 << 0.0 << int(AlertState::Quiet);
    }
    void shares()
    {
        QFETCH(double, violations);
        QFETCH(double, claims);
        QFETCH(int, state);
        sql::MinuteSet set = minutes(u"claims"_s, repeated(claims, 10));
        set.reportedSince.insert(u"violations"_s, kNow - 600);
        for (int i = 0; i < 10; ++i) {
            set.values[u"violations"_s].insert(kNow - (i + 1) * 60, violations);
        }
        QCOMPARE(
            int(alertStatus({ u"x"_s, u"X"_s, u"violations"_s, AlertForm::Share, 0.0001, 3'600, 1, u"claims"_s }, set)
                    .state),
            state);
        set.reportedSince.clear();
        set.values.remove(u"violations"_s);
        const sql::AlertStatus nobody
            = alertStatus({ u"x"_s, u"X"_s, u"violations"_s, AlertForm::Share, 0.0001, 3'600, 1, u"claims"_s }, set);
        QCOMPARE(nobody.state, AlertState::Unknown); // silence of services is not a zero
        QVERIFY(nobody.why.contains(u"record_event"_s));
    }

    /// The 99th percentile of each minute is what the limits of 50 and 150 ms are for.
    void latencyIsJudgedByItsPercentile()
    {
        fresh();
        const RegisteredTable table = registerTable(*m_fixture);
        m_fixture->root().run(u"GRANT idemdesk_reporter TO service"_s);
        const auto report = [this](const QString &kind, int count, const QString &milliseconds) {
            return m_fixture->as(u"service"_s)
                ->state(u"SELECT idemdesk.record_event('%1', 's', %2, %3)"_s.arg(kind).arg(count).arg(milliseconds));
        };
        const auto judged = [&](const QString &id) {
            const auto rules = alertRules(table.target);
            const auto session = openSession(*m_fixture, u"op"_s);
            const auto set = sql::readMinutes(*session, u"k2"_s, alertMetrics(*rules), alertSpan(*rules));
            for (const AlertRule &rule : *rules) {
                if (rule.id == id && set) {
                    return alertStatus(rule, *set);
                }
            }
            return sql::AlertStatus();
        };
        QCOMPARE(judged(u"check_time"_s).state, AlertState::Unknown); // nobody times it
        QCOMPARE(report(u"check"_s, 99, u"150"_s), QString());
        QCOMPARE(report(u"check"_s, 1, u"9000"_s), QString()); // one of a hundred is not the 99th percentile
        QCOMPARE(judged(u"check_time"_s).state, AlertState::Quiet);
        QCOMPARE(report(u"check"_s, 2, u"151"_s), QString());
        QCOMPARE(judged(u"check_time"_s).state, AlertState::Pending);
        QCOMPARE(judged(u"cache_time"_s).state, AlertState::Unknown);
        QCOMPARE(report(u"cache_miss"_s, 1, u"50.5"_s), QString());
        QCOMPARE(judged(u"cache_time"_s).state, AlertState::Pending);
        // What was slow before everybody fell silent is not slow now.
        m_fixture->root().run(u"UPDATE idemdesk.event_now SET bucket_start = bucket_start - interval '11 minutes'"_s);
        QCOMPARE(judged(u"check_time"_s).state, AlertState::Unknown);
    }

    /// Stuck keys are one trouble, however many rules see it.
    void oneCauseIsToldOnce()
    {
        AlertSource source;
        source.rules = { { u"stale_rising"_s, u"Rising"_s, u"stale"_s, AlertForm::Above, 1, 60 },
            { u"stale_old"_s, u"Old"_s, u"oldest_stale"_s, AlertForm::Above, 1, 60 } };
        source.minutes = minutes(u"stale"_s, repeated(9, 10));
        source.minutes.values[u"oldest_stale"_s] = source.minutes.values.value(u"stale"_s);
        AlertSource other = source;
        other.minutes.values.remove(u"oldest_stale"_s);
        const QList<JudgedAlert> alerts = judgedTogether({ source, other });
        QCOMPARE(alerts.size(), 4);
        QCOMPARE(alerts.at(0).status.state, AlertState::Pending);
        QVERIFY2(alerts.at(0).status.why.contains(u"Old"_s), qPrintable(alerts.at(0).status.why));
        QCOMPARE(alerts.at(1).status.state, AlertState::Firing);
        QCOMPARE(alerts.at(2).status.state, AlertState::Firing); // of another table, where nothing else tells it
    }

    void aShareOfWhatIsThereIsOfItsMean()
    {
        const AlertRule growth { u"growth"_s, u"X"_s, u"expired"_s, AlertForm::Share, 0.3, 3'600, 1'000, u"rows"_s };
        for (const int samples : { 1, 10 }) { // the same table, however often it was looked at
            sql::MinuteSet set = minutes(u"rows"_s, repeated(1'000, samples));
            set.values[u"expired"_s] = minutes(u"expired"_s, repeated(395, samples)).values.value(u"expired"_s);
            const sql::AlertStatus few = alertStatus(growth, set);
            QCOMPARE(few.state, AlertState::Quiet);
            // Over the limit, and the reason why that is quiet stands beside it.
            QVERIFY2(few.why.contains(u"39.5 %"_s) && few.why.contains(u"395"_s), qPrintable(few.why));
            set = minutes(u"rows"_s, repeated(10'000, samples));
            set.values[u"expired"_s] = minutes(u"expired"_s, repeated(3'950, samples)).values.value(u"expired"_s);
            QCOMPARE(alertStatus(growth, set).state, AlertState::Firing);
        }
    }

    void whatWasHiddenIsNotCounted()
    {
        const AlertRule old { u"x"_s, u"X"_s, u"oldest_stale"_s, AlertForm::Above, 5, 300 };
        sql::MinuteSet set = minutes(u"oldest_stale"_s, repeated(1, 10));
        set.hidden += kNow - 120; // a while ago: what is known now counts
        QCOMPARE(alertStatus(old, set).state, AlertState::Quiet);
        set.hidden += kNow;
        QCOMPARE(alertStatus(old, set).state, AlertState::Unknown);
        QVERIFY(alertStatus(old, set).why.contains(u"Row security"_s));
        QCOMPARE(
            alertStatus({ u"x"_s, u"X"_s, u"lock_wait"_s, AlertForm::Above, 2, 60 }, set).state, AlertState::Quiet);
    }

    /// Whoever looks in the first second of a minute sees what was reported in it.
    void aReportCountsAtOnce()
    {
        const AlertRule reused { u"x"_s, u"X"_s, u"conflicts"_s, AlertForm::Sum, 3, 3'600 };
        const qint64 minute = kNow / 60 * 60;
        sql::MinuteSet set;
        set.now = { sql::Timestamp::Kind::Finite, minute * 1'000'000 + 300'000 };
        set.reportedSince.insert(u"conflicts"_s, minute);
        set.values[u"conflicts"_s].insert(minute, 4);
        QCOMPARE(alertStatus(reused, set).state, AlertState::Firing);
    }

    /// A sample without a lag was taken by a role that may not see it.
    void aLagThatWasNotSeenIsNotQuiet()
    {
        const AlertRule lag { u"x"_s, u"X"_s, u"standby_lag"_s, AlertForm::Above, 60, 300 };
        sql::MinuteSet set = minutes(u"standby_lag"_s, repeated(0, 10));
        QCOMPARE(alertStatus(lag, set).state, AlertState::Quiet);
        set.values[u"standby_lag"_s].remove(kNow);
        QCOMPARE(alertStatus(lag, set).state, AlertState::Unknown);
        QVERIFY(alertStatus(lag, set).why.contains(u"pg_read_all_stats"_s));
        QCOMPARE(alertStatus(lag, minutes(u"standby_lag"_s, repeated(90, 10))).state, AlertState::Firing);
        // What was not seen for a while says nothing of what is seen now.
        set = minutes(u"standby_lag"_s, repeated(0, 10));
        set.values[u"standby_lag"_s].remove(kNow - 120);
        QCOMPARE(alertStatus(lag, set).state, AlertState::Quiet);
    }

    /// Zeros in the place of what a login is not shown would be quiet, whatever there is.
    void whatIsNotShownIsNotQuiet_data()
    {
        QTest::addColumn<QString>("withheld");
        QTest::newRow("what it looks at") << u"expired"_s;
        QTest::newRow("what that is a share of") << u"claims"_s;
    }
    void whatIsNotShownIsNotQuiet()
    {
        QFETCH(QString, withheld);
        const AlertRule rule { u"x"_s, u"X"_s, u"expired"_s, AlertForm::Share, 0.3, 3'600, 0, u"claims"_s };
        sql::MinuteSet set = minutes(u"expired"_s, repeated(1, 100));
        set.values[u"claims"_s] = minutes(u"claims"_s, repeated(10, 100)).values.value(u"claims"_s);
        QCOMPARE(alertStatus(rule, set).state, AlertState::Quiet);
        set.values.remove(withheld);
        set.withheld += withheld;
        const sql::AlertStatus status = alertStatus(rule, set);
        QCOMPARE(status.state, AlertState::Unknown);
        QVERIFY2(status.why.contains(u"may not read the whole table"_s) && status.why.contains(withheld),
            qPrintable(status.why));
    }

    void whatCannotBeReadMayBeMore()
    {
        const AlertRule old { u"x"_s, u"X"_s, u"oldest_stale"_s, AlertForm::Above, 5, 300 };
        sql::MinuteSet set = minutes(u"oldest_stale"_s, repeated(1, 10));
        set.unreadable.insert(kNow - 120, 3); // mended since
        QCOMPARE(alertStatus(old, set).state, AlertState::Quiet);
        set.unreadable.insert(kNow, 3);
        QCOMPARE(alertStatus(old, set).state, AlertState::Unknown);
        set = minutes(u"oldest_stale"_s, repeated(9, 10));
        set.unreadable.insert(kNow, 3);
        QCOMPARE(alertStatus(old, set).state, AlertState::Firing); // whatever they hold
    }

    void profilesChangeTheRules_data()
    {
        QTest::addColumn<QByteArray>("alerts");
        QTest::addColumn<QString>("expected"); // "id limit seconds", or the place of the error
        QTest::newRow("as they are") << QByteArray("null") << "stale_old 3600 300";
        QTest::newRow("another limit") << QByteArray(R"([{"id": "stale_old", "above": 60, "for": "1m"}])")
                                       << "stale_old 60 60";
        QTest::newRow("off") << QByteArray(R"([{"id": "stale_old", "off": true}])") << "";
        QTest::newRow("one of its own") << QByteArray(
            R"([{"id": "stale_old", "off": true}, {"id": "stale_old", "metric": "in_progress", "above": 7, "for": "10m", "title": "Busy"}])")
                                        << "stale_old 7 600";
        QTest::newRow("no list") << QByteArray(R"({"id": "x"})") << "$.alerts";
        QTest::newRow("no id") << QByteArray(R"([{"above": 60}])") << "$.alerts[0].id";
        QTest::newRow("a duration that is none")
            << QByteArray(R"([{"id": "stale_old", "for": "soon"}])") << "$.alerts[0].for";
        QTest::newRow("a limit that is no number")
            << QByteArray(R"([{"id": "stale_old", "above": "60"}])") << "$.alerts[0].above";
        QTest::newRow("a member there is not")
            << QByteArray(R"([{"id": "stale_old", "abvoe": 60}])") << "$.alerts[0].abvoe";
        QTest::newRow("no metric") << QByteArray(R"([{"id": "stale_old"}, {"id": "mine", "above": 60}])")
                                   << "$.alerts[1].metric";
        QTest::newRow("a metric there is not")
            << QByteArray(R"([{"id": "mine", "metric": "weather", "above": 60}])") << "$.alerts";
        QTest::newRow("a share of nothing")
            << QByteArray(R"([{"id": "mine", "metric": "claims", "share": 0.5}])") << "$.alerts[0].over";
        QTest::newRow("off that is not there") << QByteArray(R"([{"id": "mine", "off": true}])") << "$.alerts[0].id";
    }
    void profilesChangeTheRules()
    {
        QFETCH(QByteArray, alerts);
        QFETCH(QString, expected);
        fresh();
        RegisteredTable table = registerTable(*m_fixture);
        const QByteArray whole = sql::profileToJson(table.target.profile);
        const auto profile = sql::profileFromJson(
            whole.first(whole.lastIndexOf('}')) + ", \"alerts\": " + alerts + '}', u"profile.json"_s);
        if (!profile) { // its form is the profile's own
            QCOMPARE(profile.error().where, u"profile.json: "_s + expected);
            return;
        }
        table.target.profile.alerts = profile->alerts;
        const auto rules = alertRules(table.target);
        if (expected.startsWith(u'$')) {
            QVERIFY(!rules.ok());
            QCOMPARE(rules.error().where, expected);
            QVERIFY(!rules.error().why.isEmpty());
            return;
        }
        QVERIFY2(rules.ok(), rules.ok() ? "" : qPrintable(rules.error().line()));
        QString found;
        for (const AlertRule &rule : *rules) {
            if (rule.id == u"stale_old") {
                found = u"%1 %2 %3"_s.arg(rule.id).arg(rule.limit).arg(rule.seconds);
            }
            QVERIFY(rule.id != u"backlog_old"); // a table of requests has no backlog
        }
        QCOMPARE(found, expected);
    }

    /// From samples in the database to the window: firing is heard of once, and is over when it is over.
    void theWindowHearsOfIt()
    {
        fresh();
        const RegisteredTable table = registerTable(*m_fixture);
        const auto put = [this](int minutesAgo, double age) {
            const auto done = m_fixture->root().run(
                u"SET ROLE idemdesk_owner; SELECT idemdesk._ensure_span('sample_minute', 'day', now() - interval '10 "
                u"minutes'), idemdesk._ensure_span('sample_minute', 'day', now()); RESET ROLE; "
                u"INSERT INTO idemdesk.sample_run (target, bucket_start) SELECT 'k2', date_trunc('minute', now() - "
                u"interval '%1 minutes') ON CONFLICT DO NOTHING; "
                u"INSERT INTO idemdesk.sample (resolution, bucket_start, target, metric, scope, value, lowest, "
                u"highest, samples) SELECT 'minute', "
                u"date_trunc('minute', now() - interval '%1 minutes'), 'k2', 'oldest_stale', '[\"t1\"]', %2, 0, 0, 1 ON CONFLICT (resolution, target, metric, bucket_start, scope, relation) DO UPDATE SET value = excluded.value"_s
                    .arg(minutesAgo)
                    .arg(age));
            QVERIFY2(done.ok(), qPrintable(done.value()));
        };
        sql::ConnectionSettings settings;
        settings.conninfo = m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database());
        sql::Database database(settings);
        database.open();
        AlertController alerts;
        QAbstractItemModelTester tester(alerts.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy raised(&alerts, &AlertController::raised);
        alerts.setDatabase(&database);
        put(9, 10);
        TargetEntry entry;
        entry.target = table.target;
        entry.registration = table.registered;
        TargetEntry shipped = entry; // not registered: not watched
        shipped.registration.reset();
        alerts.setTargets({ entry, shipped });
        QTRY_VERIFY_WITH_TIMEOUT(alerts.judged(), 20'000);
        QCOMPARE(alerts.firing(), 0);
        QVERIFY(alerts.model()->rowCount() > 3);
        for (const int ago : { 7, 5, 3, 1, 0 }) {
            put(ago, 4'000);
        }
        alerts.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(alerts.firing(), 1, 20'000);
        QCOMPARE(raised.size(), 1);
        QCOMPARE(alerts.model()->index(0, AlertModel::State).data().toString(), u"Firing"_s);
        QCOMPARE(alerts.model()->index(0, AlertModel::Value).data().toString(), u"1 h 6 min"_s);
        QCOMPARE(alerts.model()->index(0, AlertModel::Limit).data().toString(), u"over 1 h, for 5 min"_s);
        QSignalSpy changed(&alerts, &AlertController::changed);
        alerts.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, 20'000);
        QCOMPARE(raised.size(), 1); // still the same alert

        // Somebody knows of it: it still fires, and counts no longer as what needs a person.
        const QTemporaryDir folder;
        QSettings store(folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
        Settings kept(&store);
        alerts.keepIn(&kept, u"here"_s);
        AlertGroups groups(alerts.model());
        QAbstractItemModelTester groupsTester(&groups, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto judge = [&] {
            const qsizetype before = changed.size();
            alerts.refresh();
            QTRY_VERIFY_WITH_TIMEOUT(changed.size() > before, 20'000);
        };
        alerts.acknowledge(alerts.model()->rows().constFirst(), u"Bob is at it"_s);
        QCOMPARE(std::pair(alerts.firing(), alerts.unacknowledged()), std::pair(qsizetype(1), qsizetype(0)));
        QVERIFY(groups.isHeading(0));
        QCOMPARE(groups.groupAt(0), int(AlertGroup::Acknowledged));
        const QString said = groups.index(1, AlertModel::Value).data(AlertModel::DetailRole).toString();
        QVERIFY2(said.startsWith(u"Acknowledged by op, "_s) && said.endsWith(u": Bob is at it"_s), qPrintable(said));
        judge();
        QCOMPARE(alerts.unacknowledged(), 0);
        kept.setAcknowledgements(u"elsewhere"_s, {});
        QCOMPARE(kept.acknowledgements(u"here"_s).size(), 1); // as after a new start
        put(0, 7'100); // less than double the limit
        judge();
        QCOMPARE(alerts.unacknowledged(), 0);
        put(0, 7'300);
        judge();
        QCOMPARE(alerts.unacknowledged(), 1); // it got worse
        QCOMPARE(raised.size(), 2);
        QVERIFY(kept.acknowledgements(u"here"_s).isEmpty());
        alerts.acknowledge(alerts.model()->rows().constFirst(), {});
        alerts.withdraw(alerts.model()->rows().constFirst());
        QCOMPARE(alerts.unacknowledged(), 1);
        alerts.acknowledge(alerts.model()->rows().constFirst(), {});
        put(1, 5);
        put(0, 5);
        alerts.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(alerts.firing(), 0, 20'000);
        QVERIFY(kept.acknowledgements(u"here"_s).isEmpty()); // it ended: the next one is another
        QCOMPARE(groups.groupAt(groups.rowCount() - 1), int(AlertGroup::Quiet)); // counted, not listed
        QVERIFY(groups.index(groups.rowCount() - 1, AlertModel::What).data().toString().endsWith(u"quiet"_s));
        alerts.setTargets({});
        QCOMPARE(alerts.model()->rowCount(), 0);
        alerts.setDatabase(nullptr);
    }

private:
    void fresh()
    {
        m_fixture->fresh();
        QVERIFY(m_fixture->root()
                    .run(u"GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm"_s)
                    .ok());
    }

    std::unique_ptr<ConsoleFixture> m_fixture;
};

QTEST_GUILESS_MAIN(AlertsTest)
#include "tst_alerts.moc"
