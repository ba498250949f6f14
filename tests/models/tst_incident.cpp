// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_center.h"
#include "models/alerts/alert_controller.h"
#include "models/connection/connection_controller.h"
#include "models/incident/incident_changes.h"
#include "models/incident/incident_controller.h"
#include "models/incident/incident_tiles.h"
#include "models/overview/overview_controller.h"
#include "models/workspace/workspace.h"
#include "sql/trends/recent_history.h"
#include "tests/models/fake_keys.h"
#include "tests/support/registered_table.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using namespace idemdesk::tests;

namespace {

constexpr qint64 kTwoOClock = 1'763'647'200; // 2025-11-20 14:00 UTC

sql::HistoryValues values(const QList<double> &numbers)
{
    sql::HistoryValues list;
    for (const double number : numbers) {
        list += qIsNaN(number) ? std::nullopt : std::optional(number);
    }
    return list;
}

QList<double> times(int count, double value)
{
    return QList<double>(count, value);
}

IncidentTable tableOf(const QString &metric, const QList<double> &hour, const QList<double> &before)
{
    IncidentTable table { FakeKeys::target(), {} };
    table.history.hourBegan = { sql::Timestamp::Kind::Finite, kTwoOClock * sql::kMicros };
    sql::ScopeHistory series;
    series.metric = metric;
    series.scope = { sql::Cell::of(u"acme"_s) };
    series.hour = values(hour);
    series.before = values(before);
    table.history.scopes = { series };
    return table;
}

} // namespace

/// What needs a person at a glance: sentences, figures and their honesty.
class IncidentTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase() { m_fixture.reset(); }

    void aChangeIsASentence_data();
    void aChangeIsASentence();
    void reusedKeysAreComparedWithTheDay_data();
    void reusedKeysAreComparedWithTheDay();
    void whatGrewMostStandsFirst();
    void theFiguresSayWhatTheyAreOf();
    void whatIsComparedIsSaid();
    void aScopeThatIsNewHadNothingBefore();
    void theSameHourLiesAcrossTwoOfTheClocks();
    void theUsualIsOfTheSameTables();
    void whatWasNotLookedAtIsNoZero();
    void figuresOfSeveralTablesSayWhatTheyLeaveOut();
    void quietIsSaidOfWhatIsKnownAlone_data();
    void quietIsSaidOfWhatIsKnownAlone();
    void oneScopeOfManyIsNamed_data();
    void oneScopeOfManyIsNamed();
    void anAlertThatSomebodyIsAtIsStillCounted();
    void samplesTellTheHourBesideTheDaysBefore();
    void theControllerPutsTheServersWordsTogether();
    void aBacklogAlertMarksTheBacklog();
    void notesThatStayDoNotFlicker();

private:
    void sample(
        const QString &metric, const QString &resolution, const QString &at, const QString &scope, double value);
    void sampleQuietWeek();
    void grant()
    {
        m_fixture->root().run(u"GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, "
                              "adm, idemdesk_runner_app_owner"_s);
    }

    std::unique_ptr<ConsoleFixture> m_fixture;
};

void IncidentTest::aChangeIsASentence_data()
{
    QTest::addColumn<QString>("metric");
    QTest::addColumn<QList<double>>("hour");
    QTest::addColumn<QList<double>>("before");
    QTest::addColumn<QString>("sentence");
    const QList<double> usual = times(7, 24);
    QTest::newRow("as usual") << "retries" << times(12, 2) << usual << QString();
    QTest::newRow("since a moment") << "retries" << times(4, 2) + times(8, 6) << usual << u"acme: retries ×3.0"_s;
    QTest::newRow("the whole hour") << "failures_retryable" << times(12, 8) << usual << u"acme: failures ×4.0"_s;
    QTest::newRow("usually none") << "failures_final" << times(10, 0) + times(2, 4) << times(7, 0)
                                  << u"acme: 8 final failures since 14:50, usually none"_s;
    QTest::newRow("one of what never happens is chance")
        << "failures_final" << times(11, 0) + times(1, 1) << times(7, 0) << QString();
    QTest::newRow("within what chance explains") << "retries" << times(12, 0.5) << times(7, 2.9) << QString();
    QTest::newRow("fewer new keys") << "claims" << times(12, 1) << times(7, 120)
                                    << u"acme: 10 % of its usual new keys in the last hour"_s;
    QTest::newRow("no new keys") << "claims" << times(12, 0) << times(7, 120)
                                 << u"acme: no new keys in the last hour"_s;
    QTest::newRow("fewer retries are no trouble") << "retries" << times(12, 0) << times(7, 120) << QString();
    QTest::newRow("stuck keys are a number of what is there")
        << "stale" << times(6, 4) + times(6, 40) << times(7, 4) << u"acme: stuck keys ×10"_s;
    QTest::newRow("two days are too few") << "retries" << times(12, 90) << times(2, 1) << QString();
    QTest::newRow("half an hour of samples is too little")
        << "retries" << times(6, qQNaN()) + times(6, 90) << usual << QString();
    QTest::newRow("one odd day does not make it usual")
        << "retries" << times(12, 10) << QList<double> { 24, 24, 900, 24, 24 } << u"acme: retries ×5.0"_s;
}

void IncidentTest::aChangeIsASentence()
{
    QFETCH(QString, metric);
    QFETCH(QList<double>, hour);
    QFETCH(QList<double>, before);
    QFETCH(QString, sentence);
    const QList<IncidentNote> notes = incidentChanges({ tableOf(metric, hour, before) }, {});
    QCOMPARE(notes.isEmpty() ? QString() : notes.constFirst().text, sentence);
    QCOMPARE(notes.size(), sentence.isEmpty() ? 0 : 1);
    if (!notes.isEmpty()) {
        QCOMPARE(notes.constFirst().link.kind, IncidentLink::Kind::Keys);
        QVERIFY2(notes.constFirst().link.what.startsWith(u"tenant:acme"_s), qPrintable(notes.constFirst().link.what));
    }
}

void IncidentTest::reusedKeysAreComparedWithTheDay_data()
{
    QTest::addColumn<QList<double>>("hours");
    QTest::addColumn<double>("lastHour"); ///< not a number: not known
    QTest::addColumn<QString>("sentence"); ///< empty: nothing is said
    QTest::newRow("a burst where there are none")
        << times(23, 0) + times(1, 7) << 7.0 << u"Reused keys: 7 this hour, usually none"_s;
    QTest::newRow("more than ever") << times(23, 4) + times(1, 40) << 40.0 << u"Reused keys ×10"_s;
    QTest::newRow("as on any day") << times(24, 4) << 5.0 << QString();
    QTest::newRow("a few where there are none") << times(23, 0) + times(1, 3) << 3.0 << QString();
    QTest::newRow("the day is hardly known") << times(5, 0) + times(19, qQNaN()) << 50.0 << QString();
    QTest::newRow("the hour is not known") << times(24, 0) << qQNaN() << QString();
    QTest::newRow("nothing is known") << QList<double> {} << qQNaN() << QString();
}

void IncidentTest::reusedKeysAreComparedWithTheDay()
{
    QFETCH(QList<double>, hours);
    QFETCH(double, lastHour);
    QFETCH(QString, sentence);
    const auto note
        = reusedKeysChange(values(hours), qIsNaN(lastHour) ? std::nullopt : std::optional<double>(lastHour));
    QCOMPARE(note ? note->text : QString(), sentence);
    QVERIFY(
        !note || (note->level == IncidentLevel::Watch && note->link.what == u"conflicts" && !note->detail.isEmpty()));
}

/// Forty times the usual of what is retried stands above six times the usual of what is final.
void IncidentTest::whatGrewMostStandsFirst()
{
    IncidentTable table = tableOf(u"failures_final"_s, times(12, 2), times(7, 4)); // ×6, final
    table.history.scopes += tableOf(u"failures_retryable"_s, times(12, 4), times(7, 1.2)).history.scopes.constFirst();
    table.history.scopes += tableOf(u"retries"_s, times(12, 6), times(7, 24)).history.scopes.constFirst();
    QStringList told;
    for (const IncidentNote &note : incidentChanges({ table }, {})) {
        told += note.text;
    }
    QCOMPARE(told, (QStringList { u"acme: failures ×40"_s, u"acme: final failures ×6.0"_s, u"acme: retries ×3.0"_s }));
}

/// The sentence tells the factor since it began; the figures beneath are of the same time.
void IncidentTest::theFiguresSayWhatTheyAreOf()
{
    const auto detail = [](const QString &metric, const QList<double> &hour, const QList<double> &before) {
        const QList<IncidentNote> notes = incidentChanges({ tableOf(metric, hour, before) }, {});
        return notes.isEmpty() ? QString() : notes.constFirst().detail.section(u" · "_s, 0, 0);
    };
    QCOMPARE(detail(u"retries"_s, times(4, 2) + times(8, 6), times(7, 24)), u"48 since 14:20, usually 16"_s);
    QCOMPARE(detail(u"stale"_s, times(6, 4) + times(6, 40), times(7, 4)), u"On average 40 since 14:30, usually 4"_s);
    // A count has no decimals; what happens every other day is not nothing.
    QCOMPARE(detail(u"failures_final"_s, times(12, 0.675), times(7, 1.2)), u"8 this hour, usually 1"_s);
    QCOMPARE(
        detail(u"failures_final"_s, times(12, 1), QList<double> { 0.4, 0.4, 0.4 }), u"12 this hour, usually under 1"_s);
}

void IncidentTest::whatIsComparedIsSaid()
{
    const IncidentTable week = tableOf(u"retries"_s, times(12, 1), times(7, 1));
    const IncidentTable oneDay = tableOf(u"retries"_s, times(12, 1), times(1, 1));
    QVERIFY(comparedSentence({}).startsWith(u"No samples yet"_s));
    QCOMPARE(comparedSentence({ week }), u"1 table(s) compared with the same hour of the last 7 days."_s);
    QCOMPARE(comparedSentence({ oneDay }), u"Samples of 1 day(s) only: too few to compare with."_s);
    QCOMPARE(comparedSentence({ week, oneDay }),
        u"1 table(s) compared with the same hour of the last 7 days. 1 more table(s) have too few samples."_s);
    IncidentTable unread = week;
    unread.history.notCompared = u"The samples could not be read."_s;
    QCOMPARE(comparedSentence({ week, unread, oneDay }),
        u"1 table(s) compared with the same hour of the last 7 days. 1 more table(s) have too few samples. "
        "1 table(s) could not be compared: The samples could not be read."_s);
    QCOMPARE(comparedSentence({ unread }), u"1 table(s) could not be compared: The samples could not be read."_s);
}

void IncidentTest::aScopeThatIsNewHadNothingBefore()
{
    const auto series = [](const QString &scope, double value) {
        sql::TrendSeries one;
        one.scope = { sql::Cell::of(scope) };
        one.values = sql::HistoryValues(24 * sql::TableHistory::kDays, value);
        return one;
    };
    const auto scopes = sql::comparedScopes(u"retries"_s, { series(u"old"_s, 5), series(u"new"_s, 7) },
        { series(u"old"_s, 3) }, { sql::Timestamp::Kind::Finite, kTwoOClock * sql::kMicros });
    QCOMPARE(scopes.size(), 2);
    QCOMPARE(scopes.at(0).before.constFirst(), std::optional(3.0));
    QCOMPARE(scopes.at(1).before.constFirst(), std::optional(0.0)); // not a gap: it was looked at
    QVERIFY(
        sql::comparedScopes(u"retries"_s, { series(u"new"_s, 7) }, {}, {}).constFirst().before.contains(std::nullopt));
}

void IncidentTest::theSameHourLiesAcrossTwoOfTheClocks()
{
    sql::HistoryValues hours(sql::TableHistory::kDays * 24);
    hours[24 * 6] = 60; // yesterday, from 14:00
    hours[24 * 6 + 1] = 120;
    hours[0] = 10; // a week ago, and the hour after it is not known
    const auto at = [](int minute) {
        return sql::Timestamp { sql::Timestamp::Kind::Finite, (kTwoOClock + minute * 60) * sql::kMicros };
    };
    QCOMPARE(sql::hourOfEachDay(hours, at(0)).constFirst(), std::optional(60.0));
    QCOMPARE(sql::hourOfEachDay(hours, at(15)).constFirst(), std::optional(75.0));
    QCOMPARE(sql::hourOfEachDay(hours, at(0)).constLast(), std::optional(10.0));
    QCOMPARE(sql::hourOfEachDay(hours, at(15)).constLast(), std::nullopt);
    QCOMPARE(sql::comparedHour(at(64)).micros, at(0).micros);
}

/// A table that has no days before says nothing of what is usual, neither for itself nor for the others.
void IncidentTest::theUsualIsOfTheSameTables()
{
    OverviewEntry known { FakeKeys::target(), sql::TargetSummary(), {}, false, {}, {} };
    known.target.profile.name = u"a"_s;
    OverviewEntry fresh = known;
    fresh.target.profile.name = u"b"_s;
    const QList<OverviewEntry> both { known, fresh };
    IncidentReading reading;
    for (const auto &[name, hour, days] :
        QList<std::tuple<QString, int, int>> { { u"a"_s, 2, 7 }, { u"b"_s, 50, 1 } }) {
        IncidentTable table = tableOf(u"failures_final"_s, times(12, hour), times(days, 24));
        table.history.day.insert(u"failures_final"_s, values(times(24, 1)));
        reading.histories.insert(name, table.history);
    }
    const std::optional<IncidentReading> given(reading);
    const auto tiles = incidentTiles({ both, 0, given, {}, {} });
    QCOMPARE(tiles.at(2).figure, u"624"_s);
    QCOMPARE(tiles.at(2).word, u"Too few samples"_s); // not 26 times its usual
}

void IncidentTest::whatWasNotLookedAtIsNoZero()
{
    QList<OverviewEntry> tables { { FakeKeys::target(), {}, {}, false, {}, {} } };
    tables[0].target.profile.stale = QList<sql::TimeRule>();
    const std::optional<IncidentReading> none;
    for (const IncidentTile &tile : incidentTiles({ tables, 0, none, u"The server is gone."_s, {} })) {
        if (tile.id == u"backlog"_s) { // of which a table of requests has none
            QCOMPARE(tile.level, IncidentLevel::Nothing);
            QCOMPARE(tile.word, u"No such table"_s);
            continue;
        }
        QVERIFY2(tile.figure.isEmpty(), qPrintable(tile.id));
        QCOMPARE(tile.level, IncidentLevel::Unknown);
        QCOMPARE(tile.word, u"Not looked at"_s);
    }
    const auto tiles = incidentTiles({ tables, 0, none, u"The server is gone."_s, {} });
    QCOMPARE(tiles.at(2).why, u"The server is gone."_s);
    QCOMPARE(tiles.at(0).why, u"Not counted yet."_s);
}

void IncidentTest::figuresOfSeveralTablesSayWhatTheyLeaveOut()
{
    OverviewEntry stuck { FakeKeys::target(), sql::TargetSummary(), {}, false, {}, {} };
    stuck.target.profile.name = u"a"_s;
    stuck.target.profile.stale = QList<sql::TimeRule>();
    stuck.summary->stale = { sql::RowCount::Kind::AtLeast, 10'000 };
    stuck.summary->now = { sql::Timestamp::Kind::Finite, kTwoOClock * sql::kMicros };
    stuck.summary->oldestStale = sql::Timestamp { sql::Timestamp::Kind::Finite, (kTwoOClock - 7'500) * sql::kMicros };
    OverviewEntry quiet = stuck;
    quiet.target.profile.name = u"b"_s;
    quiet.summary->stale = { sql::RowCount::Kind::Exact, 0 };
    quiet.summary->oldestStale.reset();
    const std::optional<IncidentReading> none;
    const QList<OverviewEntry> both { quiet, stuck };
    const AlertFacts firing { .judged = true, .firing = 2, .unknown = 1, .rules = 3 };
    auto tiles = incidentTiles({ both, 0, none, {}, firing });
    QCOMPARE(tiles.at(0).figure, u"10,000+"_s);
    QCOMPARE(tiles.at(0).level, IncidentLevel::Watch);
    QCOMPARE(tiles.at(0).link, (IncidentLink { IncidentLink::Kind::Keys, u"a"_s, u"state:stuck"_s }));
    QCOMPARE(tiles.at(1).figure, u"2 h"_s);
    QCOMPARE(tiles.at(1).word, u"Act now"_s);
    QCOMPARE(tiles.at(5).figure, u"2"_s);
    QCOMPARE(tiles.at(5).level, IncidentLevel::Act);
    const AlertFacts begun { .judged = true, .firing = 1, .unknown = 59, .rules = 60 };
    QCOMPARE(incidentTiles({ both, 0, none, {}, begun }).at(5).figure, u"1+"_s); // most are not judged yet

    // A zero of which a part is not known is not quiet.
    const QList<OverviewEntry> one { quiet };
    tiles = incidentTiles({ one, 2, none, {}, {} });
    QCOMPARE(tiles.at(0).figure, u"0"_s);
    QCOMPARE(tiles.at(0).level, IncidentLevel::Unknown);
    QVERIFY2(tiles.at(0).why.startsWith(u"2 table(s) not looked at"_s), qPrintable(tiles.at(0).why));
    tiles = incidentTiles({ one, 0, none, {}, {} });
    QCOMPARE(tiles.at(0).level, IncidentLevel::Quiet);
    QCOMPARE(tiles.at(0).link.kind, IncidentLink::Kind::None); // nothing to see there
}

void IncidentTest::quietIsSaidOfWhatIsKnownAlone_data()
{
    QTest::addColumn<int>("tile");
    QTest::addColumn<QString>("doubt");
    QTest::addColumn<QString>("word");
    QTest::newRow("nothing is stuck") << 0 << u"none"_s << u"None"_s;
    QTest::newRow("the newest count failed") << 0 << u"failed"_s << u"Not looked at"_s;
    QTest::newRow("stuck by a rule without a time") << 1 << u"no time"_s << u"Not looked at"_s;
    QTest::newRow("no failure in an hour of samples") << 2 << u"none"_s << u"None"_s;
    QTest::newRow("sampled for half an hour") << 2 << u"gap"_s << u"Not looked at"_s;
    QTest::newRow("a table whose history is not read") << 2 << u"no history"_s << u"Not looked at"_s;
    QTest::newRow("one metric is withheld") << 2 << u"withheld"_s << u"Not all looked at"_s;
    QTest::newRow("messages wait") << 4 << u"none"_s << u"Waiting"_s;
    QTest::newRow("no rule says whether they stay") << 4 << u"no rule"_s << u"Not judged"_s;
    QTest::newRow("they wait over their limit") << 4 << u"over"_s << u"Over its limit"_s;
    QTest::newRow("an alert says that they stay") << 4 << u"backlog"_s << u"Not worked off"_s;
    QTest::newRow("no alert fires") << 5 << u"none"_s << u"Quiet"_s;
    QTest::newRow("a rule cannot be judged") << 5 << u"unknown"_s << u"Not all known"_s;
    QTest::newRow("a rule is over its limit") << 5 << u"over"_s << u"1 over the limit"_s;
    QTest::newRow("no rule watches") << 5 << u"no rule"_s << u"Not looked at"_s;
    QTest::newRow("a table is not judged") << 5 << u"unread"_s << u"Not all known"_s;
    QTest::newRow("no standby is neither good nor unknown") << 6 << u"alone"_s << u"No standby"_s;
    QTest::newRow("a standby that catches up") << 6 << u"catches up"_s << u"Not known"_s;
}

void IncidentTest::quietIsSaidOfWhatIsKnownAlone()
{
    QFETCH(int, tile);
    QFETCH(QString, doubt);
    QFETCH(QString, word);
    OverviewEntry entry { FakeKeys::target(), sql::TargetSummary(), {}, false, {}, {} };
    entry.target.profile.kind = sql::TargetKind::Outbox;
    entry.target.profile.stale = QList<sql::TimeRule>();
    entry.summary->now = { sql::Timestamp::Kind::Finite, kTwoOClock * sql::kMicros };
    entry.summary->stale = { sql::RowCount::Kind::Exact, doubt == u"no time" ? 3 : 0 };
    entry.summary->states.insert(sql::KeyState::Pending, { sql::RowCount::Kind::Exact, 7 });
    if (doubt == u"failed") {
        entry.error = sql::makeError(sql::ErrorKind::Privilege, u"This login may not read it."_s);
    }
    IncidentReading reading;
    reading.replication = sql::ReplicationLag();
    reading.replication->standbys = doubt == u"catches up" ? 1 : 0;
    IncidentTable table = tableOf(u"failures_final"_s, times(doubt == u"gap" ? 6 : 12, 0), times(7, 0));
    table.history.day.insert(u"failures_final"_s, values(times(24, 0)));
    if (doubt == u"withheld") {
        table.history.missing.insert(u"failures_retryable"_s, u"This login may not read the whole table."_s);
    }
    if (doubt != u"no history") {
        reading.histories.insert(entry.target.profile.name, table.history);
    }
    AlertFacts alerts { .judged = true, .unknown = doubt == u"unknown" ? 1 : 0 };
    alerts.rules = doubt == u"no rule" ? 0 : 3;
    alerts.pending = doubt == u"over" ? 1 : 0;
    alerts.tablesNotJudged = doubt == u"unread" ? 1 : 0;
    alerts.backlog = doubt == u"backlog" ? sql::AlertState::Firing
        : doubt == u"over"               ? sql::AlertState::Pending
        : doubt == u"no rule"            ? sql::AlertState::Unknown
                                         : sql::AlertState::Quiet;
    const std::optional<IncidentReading> read(reading);
    const QList<OverviewEntry> tables { entry };
    const IncidentTile shown = incidentTiles({ tables, 0, read, {}, alerts }).at(tile);
    QCOMPARE(shown.word, word);
    QCOMPARE(shown.level == IncidentLevel::Quiet, doubt == u"none"_s);
    QCOMPARE(shown.level == IncidentLevel::Nothing, doubt == u"alone"_s);
    if (doubt == u"gap") { // no figure, and so no dot at its end that would read as none
        QVERIFY(shown.day.size() == 24 && shown.day.at(22) && !shown.day.constLast());
    }
}

void IncidentTest::oneScopeOfManyIsNamed_data()
{
    QTest::addColumn<QString>("metric");
    QTest::addColumn<double>("now");
    QTest::addColumn<bool>("other");
    QTest::addColumn<QString>("word");
    QTest::addColumn<IncidentLevel>("level");
    QTest::newRow("each is as usual") << "failures_final" << 0.1 << false << u"As usual"_s << IncidentLevel::Quiet;
    QTest::newRow("one stands out") << "failures_final" << 3.0 << false << u"small ×18"_s << IncidentLevel::Act;
    QTest::newRow("one that is retried") << "failures_retryable" << 3.0 << false << u"small ×18"_s
                                         << IncidentLevel::Watch;
    QTest::newRow("those beyond the largest are not looked at one by one")
        << "failures_final" << 3.0 << true << u"Too few samples"_s << IncidentLevel::Unknown;
    QTest::newRow("a backlog") << "backlog" << 40.0 << false << u"small ×20"_s << IncidentLevel::Watch;
}

/// The sum of a busy table hides one scope that fails: a sum as usual is quiet only where each scope of it is.
void IncidentTest::oneScopeOfManyIsNamed()
{
    QFETCH(QString, metric);
    QFETCH(double, now);
    QFETCH(bool, other);
    QFETCH(QString, word);
    QFETCH(IncidentLevel, level);
    OverviewEntry entry { FakeKeys::target(), sql::TargetSummary(), {}, false, {}, {} };
    entry.target.profile.kind = sql::TargetKind::Outbox;
    entry.summary->states.insert(sql::KeyState::Pending, { sql::RowCount::Kind::Exact, 900 });
    IncidentTable table = tableOf(metric, times(12, 100), times(7, metric == u"backlog" ? 100 : 1'200));
    sql::ScopeHistory small = tableOf(metric, times(12, now), times(7, 2)).history.scopes.constFirst();
    small.scope = { sql::Cell::of(u"small"_s) };
    small.other = other;
    table.history.scopes += small;
    table.history.day.insert(metric, values(times(24, 1)));
    IncidentReading reading;
    reading.histories.insert(entry.target.profile.name, table.history);
    const std::optional<IncidentReading> read(reading);
    const QList<OverviewEntry> tables { entry };
    AlertFacts alerts { .judged = true };
    alerts.backlog = sql::AlertState::Quiet;
    const IncidentTile tile = incidentTiles({ tables, 0, read, {}, alerts }).at(metric == u"backlog" ? 4 : 2);
    QCOMPARE(tile.word, word);
    QCOMPARE(tile.level, level);
    if (word.startsWith(u"small")) {
        QVERIFY2(tile.link.what.startsWith(u"tenant:small"_s), qPrintable(tile.link.what));
    }
}

void IncidentTest::anAlertThatSomebodyIsAtIsStillCounted()
{
    const std::optional<IncidentReading> none;
    const QList<OverviewEntry> tables;
    const auto tile = [&](qsizetype acknowledged) {
        AlertFacts facts { .judged = true, .firing = 2, .rules = 3 };
        facts.acknowledged = acknowledged;
        return incidentTiles({ tables, 0, none, {}, facts }).at(5);
    };
    QCOMPARE(tile(0).level, IncidentLevel::Act);
    QCOMPARE(tile(1).level, IncidentLevel::Act);
    QCOMPARE(tile(1).word, u"1 acknowledged"_s);
    QCOMPARE(tile(2).level, IncidentLevel::Watch);
    QCOMPARE(tile(2).word, u"All acknowledged"_s);
    QCOMPARE(tile(2).figure, u"2"_s);
    QCOMPARE(tile(2).why, u"2 of 2 are acknowledged."_s);
}

void IncidentTest::sample(
    const QString &metric, const QString &resolution, const QString &at, const QString &scope, double value)
{
    const auto done = m_fixture->root().run(
        u"INSERT INTO idemdesk.sample (resolution, bucket_start, target, metric, scope, value, lowest, highest, "
        "samples, relation) SELECT '%1', b, 'k2', '%2', '%3', %4, %4, %4, CASE '%1' WHEN 'hour' THEN 60 ELSE 1 END, "
        "'app.k'::regclass FROM %5 b"_s.arg(resolution, metric, scope, QString::number(value), at));
    QVERIFY2(done.ok(), qPrintable(done.value()));
}

/// A week of hours, and the minutes of the last hour and a bit: one failure a minute of acme, none of other.
void IncidentTest::sampleQuietWeek()
{
    // The figures are of whole five minutes: none may end between this and what reads them.
    QTRY_VERIFY_WITH_TIMEOUT(QDateTime::currentSecsSinceEpoch() % 300 < 270, 40'000);
    const auto spans = m_fixture->root().run(
        u"SELECT idemdesk._ensure_span('sample_hour', 'month', d), idemdesk._ensure_span('sample_minute', 'day', d) "
        "FROM generate_series(now() - interval '8 days', now(), interval '1 day') d"_s);
    QVERIFY2(spans.ok(), qPrintable(spans.value()));
    const QString hours = u"generate_series(date_trunc('hour', now()) - interval '8 days', "
                          "date_trunc('hour', now()) - interval '3 hours', interval '1 hour')"_s;
    const QString minutes = u"generate_series(date_trunc('hour', now()) - interval '2 hours', "
                            "date_trunc('minute', now()), interval '1 minute')"_s;
    for (const auto &[resolution, at] : { std::pair(u"hour"_s, hours), std::pair(u"minute"_s, minutes) }) {
        sample(u"size"_s, resolution, at, u"[]"_s, 8'192);
        sample(u"failures_retryable"_s, resolution, at, u"[\"other\"]"_s, 0);
    }
    sample(u"failures_retryable"_s, u"hour"_s, hours, u"[\"acme\"]"_s, 1);
    sample(u"failures_retryable"_s, u"minute"_s,
        u"generate_series(date_trunc('hour', now()) - interval '2 hours', date_bin('5 minutes', now(), 'epoch') - "
        "interval '21 minutes', interval '1 minute')"_s,
        u"[\"acme\"]"_s, 1);
    sample(u"failures_retryable"_s, u"minute"_s,
        u"generate_series(date_bin('5 minutes', now(), 'epoch') - interval '20 minutes', date_trunc('minute', now()), "
        "interval '1 minute')"_s,
        u"[\"acme\"]"_s, 4);
}

void IncidentTest::samplesTellTheHourBesideTheDaysBefore()
{
    m_fixture->fresh();
    grant();
    const RegisteredTable table = registerTable(*m_fixture);
    auto session = openSession(*m_fixture, u"op"_s);
    const auto before = sql::readRecentHistory(*session, { { u"k2"_s, table.target } });
    QVERIFY2(before.ok(), before.ok() ? "" : qPrintable(before.error().line()));
    QVERIFY(before->value(u"k2"_s).day.isEmpty()); // no sample is no zero
    QVERIFY(!before->value(u"k2"_s).missing.value(u"failures_retryable"_s).isEmpty());
    QVERIFY(!before->value(u"k2"_s).missing.contains(u"backlog"_s)); // of which such a table has none
    QVERIFY(!failuresLastHour(before->value(u"k2"_s)));
    sampleQuietWeek();
    const auto read = sql::readRecentHistory(*session, { { u"k2"_s, table.target } });
    QVERIFY2(read.ok(), read.ok() ? "" : qPrintable(read.error().line() + read.error().detail));
    const sql::TableHistory history = read->value(u"k2"_s);
    const sql::HistoryValues day = history.day.value(u"failures_retryable"_s);
    QCOMPARE(day.size(), 25);
    QCOMPARE(day.constFirst(), std::optional(60.0)); // of both scopes, one a minute
    const auto acme = std::find_if(history.scopes.cbegin(), history.scopes.cend(), [](const sql::ScopeHistory &one) {
        return one.metric == u"failures_retryable"_s && one.scope == sql::Cells { sql::Cell::of(u"acme"_s) };
    });
    QVERIFY(acme != history.scopes.cend());
    QCOMPARE(acme->hour, values(times(8, 5) + times(4, 20)));
    QCOMPARE(acme->before, values(times(7, 60)));
    QCOMPARE(failuresLastHour(history), std::optional(120.0));

    // What a viewer is not shown is no zero either.
    auto viewer = openSession(*m_fixture, u"viewer"_s);
    const auto seen = sql::readRecentHistory(*viewer, { { u"k2"_s, table.target } });
    QVERIFY2(seen.ok(), seen.ok() ? "" : qPrintable(seen.error().line()));
    QVERIFY(!seen->value(u"k2"_s).day.contains(u"failures_retryable"_s));
    QVERIFY(seen->value(u"k2"_s).missing.value(u"failures_retryable"_s).contains(u"may not read"_s));
    QVERIFY(!failuresLastHour(seen->value(u"k2"_s)));

    // Who may not look at the samples is told so; a viewer of all else is not shown a quiet table.
    auto stranger = openSession(*m_fixture, u"service"_s);
    QVERIFY(!sql::readRecentHistory(*stranger, { { u"k2"_s, table.target } }).ok());
}

void IncidentTest::theControllerPutsTheServersWordsTogether()
{
    m_fixture->fresh();
    grant();
    registerTable(*m_fixture);
    m_fixture->forgetBare();
    m_fixture->root().run(
        u"TRUNCATE app.k CASCADE; INSERT INTO app.k (tenant, key, status, locked_until) "
        "SELECT 'acme', 'x' || i, 'processing', now() - interval '3 hours' FROM generate_series(1, 7) i"_s);
    sampleQuietWeek();
    ConnectionController connection({});
    sql::ConnectionSettings to;
    to.conninfo = m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database());
    const QTemporaryDir folder;
    Workspace work(&connection, { folder.filePath(u"actions.json"_s), folder.filePath(u"anchors.json"_s), {}, {} });
    work.follow();
    IncidentController *incident = work.incident();
    QAbstractItemModelTester tester(incident->changes(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    connection.connectTo(to);
    QTRY_VERIFY_WITH_TIMEOUT(incident->read() && !incident->busy() && work.alerts()->judged(), 20'000);
    QTRY_COMPARE(incident->tiles().constFirst().figure, u"7"_s);
    QCOMPARE(incident->tiles().at(1).figure, u"3 h"_s);
    QCOMPARE(incident->tiles().at(2).word, u"2.0 × usual"_s);
    QVERIFY2(incident->tiles().at(3).why.contains(u"No service reports"_s), qPrintable(incident->tiles().at(3).why));
    QCOMPARE(incident->tiles().at(6).word, u"No standby"_s);
    const QString told = incident->changes()->index(0).data().toString();
    QCOMPARE(told, u"acme: failures ×4.0"_s);
    const QString detail = incident->changes()->index(0).data(IncidentNotes::DetailTextRole).toString();
    QVERIFY2(detail.contains(u" since "_s), qPrintable(detail));
    QCOMPARE(incident->actions()->index(0).data().toString(), u"Nobody acted here yet."_s);

    // The line of the table knows it, too; without a connection nothing is known.
    const OverviewEntry &entry = work.overview()->model()->rows().constFirst();
    QCOMPARE(entry.failures, std::optional(120.0));
    connection.disconnectNow();
    QTRY_VERIFY(incident->tiles().constFirst().figure.isEmpty());
}

/// The rule that fires is of the metric that the tile shows: its limit decides, not the number.
void IncidentTest::aBacklogAlertMarksTheBacklog()
{
    OverviewController overview;
    AlertController alerts;
    ActionCenter actions({});
    IncidentController incident({ &overview, &alerts, &actions });
    sql::Target outbox = FakeKeys::target();
    outbox.profile.kind = sql::TargetKind::Outbox;
    overview.model()->setTargets({ outbox });
    sql::TargetSummary summary;
    summary.states.insert(sql::KeyState::Pending, { sql::RowCount::Kind::Exact, 12 });
    overview.model()->setResult(0, summary);
    const auto backlog = [&incident] {
        const auto &tiles = incident.tiles();
        return *std::find_if(
            tiles.cbegin(), tiles.cend(), [](const IncidentTile &tile) { return tile.id == u"backlog"_s; });
    };
    const auto fire = [&](const QString &metric, sql::AlertState state) {
        AlertEntry entry { outbox.profile.name, u"Outbox"_s, {} };
        entry.status.rule.metric = metric;
        entry.status.rule.title = u"The backlog is not being worked off"_s;
        entry.status.state = state;
        alerts.model()->setEntries({ entry });
        emit alerts.changed();
    };
    fire(u"oldest_stale"_s, sql::AlertState::Firing);
    QTRY_COMPARE(backlog().figure, u"12"_s);
    QCOMPARE(backlog().word, u"Not judged"_s); // no rule looks at the oldest message
    fire(u"oldest_backlog"_s, sql::AlertState::Firing);
    QTRY_COMPARE(backlog().word, u"Not worked off"_s);
    QCOMPARE(backlog().level, IncidentLevel::Act);
    fire(u"oldest_backlog"_s, sql::AlertState::Quiet);
    QTRY_COMPARE(backlog().word, u"Waiting"_s);
}

void IncidentTest::notesThatStayDoNotFlicker()
{
    IncidentNotes notes;
    QAbstractItemModelTester tester(&notes, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy reset(&notes, &QAbstractItemModel::modelReset);
    QSignalSpy changed(&notes, &QAbstractItemModel::dataChanged);
    const IncidentNote first { u"One"_s, u"of them"_s, IncidentLevel::Act, {} };
    notes.setNotes({ first });
    notes.setNotes({ first });
    QCOMPARE(reset.size(), 1);
    QCOMPARE(changed.size(), 0);
    notes.setNotes({ { u"Two"_s, {}, IncidentLevel::Quiet, {} } });
    QCOMPARE(reset.size(), 1);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(notes.index(0).data(Qt::AccessibleTextRole).toString(), u"Quiet. Two"_s);
    notes.setNotes({ { {}, u"Three"_s, IncidentLevel::Nothing, {} } });
    QCOMPARE(notes.index(0).data(Qt::AccessibleTextRole).toString(), u"Three"_s);
}

QTEST_GUILESS_MAIN(IncidentTest)
#include "tst_incident.moc"
