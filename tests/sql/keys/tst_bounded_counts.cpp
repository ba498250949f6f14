// SPDX-License-Identifier: GPL-3.0-or-later
// A count up to a cap looks at a bounded number of rows, also where one of a large table cannot be read. What was
// looked at is counted by the profile's own expression, each time that it is asked.
#include "tests/sql/keys/keys_fixture.h"

#include "sql/actions/purge_stay.h"
#include "sql/keys/spread_reader.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;
using idemdesk::tests::KeysFixture;

namespace {

constexpr qint64 kRows = 100'000;
constexpr qint64 kCap = 1'000;
/// How many rows may be looked at because of a broken one, over the cap: sql/keys/bounded_count.h says why.
constexpr qint64 kFactor = 16;

const QByteArray kProfile = R"json({
  "idemdesk_profile": 1, "name": "large", "kind": "request", "relation": "counted.%1", "identity": ["id"],
  "scope": [{"label": "tenant", "sql": "t.tenant"}], "key": "t.key",
  "roles": {"status": "counted.status(t.j)", "expires_at": "t.expires"},
  "states": {"open": "in_progress", "done": "succeeded", "again": "failed_retryable", "rare": "failed_final"},
  "stale": [{"states": ["in_progress"], "by": "t.expires", "after": "0s"}],
  "guard": ["j"], "actions": {}, "purge": {"by": "t.expires", "after": "0s", "states": ["succeeded"]},
  "orders": [], "effects": [], "policies": [{"match": {}, "effect": "local"}]
})json";

Filter filterOf(FilterField field, const QStringList &values, const Filter &more = {})
{
    FilterTerm term;
    term.field = field;
    term.values = values;
    return { {}, more.terms + QList<FilterTerm> { term } };
}

Filter states(const QStringList &values, const Filter &more = {})
{
    return filterOf(FilterField::State, values, more);
}

} // namespace

class BoundedCountsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void theyAreBoundedAndTrue_data();
    void theyAreBoundedAndTrue();
    void fewRowsAreCountedToTheEnd();
    void theOverviewIsBounded();
    void theFirstRowsMayBeGone();
    void partsAreBounded();
    void aSmallTableIsCountedWhole();
    void aSmallTablesSpreadIsCounted();
    void aLargeTablesSpreadIsASample();
    void beyondASampleTheNewestAreCounted();
    void anEmptyTablesStatisticsDoNotUnboundASample_data();
    void anEmptyTablesStatisticsDoNotUnboundASample();
    void whatAPurgeLeavesIsASample_data();
    void whatAPurgeLeavesIsASample();
    void whatManyScopesKeepIsWhole();
    void onlyAnEndOfTheFilterEndsTheTime_data();
    void onlyAnEndOfTheFilterEndsTheTime();
    void aSpreadSaysWhyThereIsNone();
    void withoutARuleNothingIsKnownToBeStuck();

private:
    void make(const QString &table, const QString &rows, const QList<qint64> &bad, const QString &like = {});
    /// With the time at which a key was made.
    Target dated(const QString &table)
    {
        return m_fixture->bind(QByteArray(kProfile)
                                   .replace("%1", table.toUtf8())
                                   .replace(R"("roles": {)", R"("roles": {"created_at": "t.expires", )"));
    }
    Target bound(const QString &table) { return m_fixture->bind(QByteArray(kProfile).replace("%1", table.toUtf8())); }
    /// Rows that the expression was asked about since the last time, also by statements that failed.
    qint64 looked();
    /// As the rule is: a row that cannot be read is unknown.
    qint64 truth(const QString &table, const QString &status);

    std::unique_ptr<KeysFixture> m_fixture;
};

void BoundedCountsTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<KeysFixture>();
    m_fixture->psql(
        u"CREATE SCHEMA counted;"
        // A session's own sequence counts in read-only transactions, and what failed stays counted.
        "CREATE FUNCTION counted.status(text) RETURNS text LANGUAGE plpgsql STABLE COST 1 AS $$ BEGIN "
        "PERFORM nextval('pg_temp.looked'); RETURN $1::jsonb ->> 's'; END $$;"
        "CREATE FUNCTION counted.fill(first int8, last int8) RETURNS TABLE (id int8, tenant text, key text, j text, "
        "expires timestamptz) LANGUAGE sql AS $$ SELECT i, 't' || i % 3, 'k' || i, format('{\"s\": \"%s\"}', CASE WHEN "
        "i % 1000 = 999 THEN 'rare' ELSE (ARRAY['open', 'done', 'done', 'again'])[1 + i % 4] END), now() - interval "
        "'1 hour' FROM generate_series(first, last) i $$"_s);
    for (const QString &sql : { u"SET default_transaction_read_only = off"_s, u"CREATE TEMPORARY SEQUENCE looked"_s,
             u"SET default_transaction_read_only = on"_s }) {
        QVERIFY(m_fixture->session().run({ sql, {} }).ok());
    }
}

qint64 BoundedCountsTest::looked()
{
    const auto rows = m_fixture->session().one({ u"SELECT last_value FROM pg_temp.looked"_s, {} });
    (void)m_fixture->session().one({ u"SELECT pg_catalog.setval('pg_temp.looked', 1)"_s, {} });
    return rows ? rows->constFirst().text.toLongLong() : -1;
}

void BoundedCountsTest::make(const QString &table, const QString &rows, const QList<qint64> &bad, const QString &like)
{
    QStringList ids;
    for (const qint64 id : bad) {
        ids += QString::number(id);
    }
    // Broken from the first, so that each stands where its number says.
    const QString all
        = u"SELECT x.id, x.tenant, x.key, CASE WHEN x.id = ANY ('{%1}') THEN '{broken' ELSE x.j END AS j, "
          "x.expires FROM (%2) x;"_s.arg(ids.join(u','), rows);
    m_fixture->psql((like.isEmpty() ? u"CREATE TABLE counted.%1 AS "_s : like + u"INSERT INTO counted.%1 "_s).arg(table)
        + all
        + u"CREATE UNIQUE INDEX ON counted.%1 (id, tenant); CREATE INDEX ON counted.%1 (key); "
          "VACUUM ANALYZE counted.%1"_s.arg(table));
}

qint64 BoundedCountsTest::truth(const QString &table, const QString &status)
{
    return m_fixture
        ->lines(u"SELECT count(*) FROM counted.%1 WHERE j %2"_s.arg(
            table, status == u"unknown" ? u"= '{broken'"_s : u"LIKE '%\"%1\"%'"_s.arg(status)))
        .value(0)
        .toLongLong();
}

void BoundedCountsTest::theyAreBoundedAndTrue_data()
{
    QTest::addColumn<QList<qint64>>("bad");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("status");
    QTest::addColumn<qint64>("least"); ///< what the answer says at least
    const QList<std::pair<const char *, QList<qint64>>> places { { "at the beginning", { 5 } },
        { "among the first rows", { 1'500 } }, { "in the middle", { kRows / 2 } }, { "at the end", { kRows } },
        { "two", { 300, 700 } }, { "two, far apart", { 300, kRows / 2 } }, { "none", {} } };
    for (const auto &[name, bad] : places) {
        QTest::addRow("%s, a frequent state", name) << bad << u"succeeded"_s << u"done"_s << kCap;
        const bool among = !bad.isEmpty() && bad.constFirst() < kCap;
        QTest::addRow("%s, unknown", name) << bad << u"unknown"_s << u"unknown"_s << qint64(among ? 1 : 0);
    }
}

void BoundedCountsTest::theyAreBoundedAndTrue()
{
    QFETCH(QList<qint64>, bad);
    QFETCH(QString, state);
    QFETCH(QString, status);
    QFETCH(qint64, least);
    m_fixture->psql(u"DROP TABLE IF EXISTS counted.large"_s);
    make(u"large"_s, u"SELECT * FROM counted.fill(1, %1)"_s.arg(kRows), bad);
    const Target target = bound(u"large"_s);
    looked();
    for (int refresh = 0; refresh < 2; ++refresh) {
        const auto count = countRows(m_fixture->session(), target, states({ state }), kCap, std::nullopt);
        const qint64 rows = looked();
        QVERIFY2(count.ok(), qPrintable(count.ok() ? QString() : count.error().line()));
        QVERIFY2(rows <= kFactor * kCap, qPrintable(u"%1 rows were looked at"_s.arg(rows)));
        QCOMPARE(count->kind, RowCount::Kind::AtLeast);
        QVERIFY2(count->rows <= truth(u"large"_s, status) && count->rows <= kCap && count->rows >= least,
            qPrintable(QString::number(count->rows)));
    }
}

/// What few rows can be, is exact: an index finds them, and the one among them that cannot be read.
void BoundedCountsTest::fewRowsAreCountedToTheEnd()
{
    m_fixture->psql(u"DROP TABLE IF EXISTS counted.large"_s);
    make(u"large"_s, u"SELECT * FROM counted.fill(1, %1)"_s.arg(kRows), { 90'000 });
    const Target target = bound(u"large"_s);
    const Filter keys = filterOf(FilterField::Key, { u"k89999"_s, u"k90000"_s, u"k90001"_s, u"k90002"_s });
    looked();
    const auto counted = [&](const QString &state) {
        const auto count = countRows(m_fixture->session(), target, states({ state }, keys), kCap, std::nullopt);
        return count && count->kind == RowCount::Kind::Exact ? count->rows : -1;
    };
    QCOMPARE(counted(u"unknown"_s), 1);
    QCOMPARE(counted(u"succeeded"_s), 2); // 90001 and 90002
    QCOMPARE(counted(u"failed_final"_s), 1); // 89999
    const qint64 rows = looked();
    QVERIFY2(rows < 100, qPrintable(u"%1 rows were looked at"_s.arg(rows)));
}

void BoundedCountsTest::theOverviewIsBounded()
{
    m_fixture->psql(u"DROP TABLE IF EXISTS counted.large"_s);
    make(u"large"_s, u"SELECT * FROM counted.fill(1, %1)"_s.arg(kRows), {});
    looked();
    QVERIFY(readSummary(m_fixture->session(), bound(u"large"_s), kCap).ok());
    const qint64 whole = looked();
    m_fixture->psql(u"DROP TABLE counted.large"_s);
    make(u"large"_s, u"SELECT * FROM counted.fill(1, %1)"_s.arg(kRows), { 400 });
    const Target target = bound(u"large"_s);
    looked();
    const auto summary = readSummary(m_fixture->session(), target, kCap);
    const qint64 rows = looked();
    QVERIFY2(summary.ok(), qPrintable(summary.ok() ? QString() : summary.error().line()));
    QVERIFY2(
        rows <= whole + kFactor * kCap, qPrintable(u"%1 rows were looked at, %2 without it"_s.arg(rows).arg(whole)));
    for (const auto &[state, status] :
        QList<std::pair<KeyState, QString>> { { KeyState::Succeeded, u"done"_s }, { KeyState::InProgress, u"open"_s },
            { KeyState::FailedFinal, u"rare"_s }, { KeyState::Unknown, u"unknown"_s } }) {
        const RowCount count = summary->states.value(state);
        QVERIFY(count.kind != RowCount::Kind::Exact || count.rows == truth(u"large"_s, status));
        QVERIFY(count.kind != RowCount::Kind::AtLeast || count.rows <= truth(u"large"_s, status));
    }
}

/// Old rows go: where the first blocks are empty, those behind them are the first ones.
void BoundedCountsTest::theFirstRowsMayBeGone()
{
    m_fixture->psql(u"DROP TABLE IF EXISTS counted.large"_s);
    make(u"large"_s, u"SELECT * FROM counted.fill(1, %1)"_s.arg(kRows), { 60'300 });
    m_fixture->psql(u"DELETE FROM counted.large WHERE id < 60000; VACUUM ANALYZE counted.large"_s);
    const Target target = bound(u"large"_s);
    looked();
    const auto count = countRows(m_fixture->session(), target, states({ u"unknown"_s }), kCap, std::nullopt);
    const qint64 rows = looked();
    QVERIFY2(count.ok(), qPrintable(count.ok() ? QString() : count.error().line()));
    QCOMPARE(count->kind, RowCount::Kind::AtLeast);
    QCOMPARE(count->rows, 1);
    QVERIFY2(rows <= kFactor * kCap, qPrintable(u"%1 rows were looked at"_s.arg(rows)));
}

void BoundedCountsTest::partsAreBounded()
{
    const QString parts
        = u"CREATE TABLE counted.parts (id int8, tenant text, key text, j text, expires timestamptz) PARTITION BY LIST "
          "(tenant); CREATE TABLE counted.p0 PARTITION OF counted.parts FOR VALUES IN ('t0'); "
          "CREATE TABLE counted.p1 PARTITION OF counted.parts FOR VALUES IN ('t1'); "
          "CREATE TABLE counted.p2 PARTITION OF counted.parts DEFAULT;"_s;
    make(u"parts"_s, u"SELECT * FROM counted.fill(1, %1)"_s.arg(kRows), { 400, 401 }, parts);
    const Target target = bound(u"parts"_s);
    looked();
    for (const QString &state : { u"succeeded"_s, u"unknown"_s }) {
        const auto count = countRows(m_fixture->session(), target, states({ state }), kCap, std::nullopt);
        QVERIFY2(count.ok(), qPrintable(count.ok() ? QString() : count.error().line()));
        QCOMPARE(count->kind, RowCount::Kind::AtLeast);
        QCOMPARE(count->rows, state == u"unknown" ? 2 : kCap);
        const qint64 rows = looked();
        QVERIFY2(rows <= kFactor * kCap, qPrintable(u"%1 rows were looked at"_s.arg(rows)));
    }
}

void BoundedCountsTest::aSmallTableIsCountedWhole()
{
    make(u"small"_s, u"SELECT * FROM counted.fill(1, 1500)"_s, { 700 });
    const Target target = bound(u"small"_s);
    for (const auto &[state, rows] :
        QList<std::pair<QString, qint64>> { { u"unknown"_s, 1 }, { u"succeeded"_s, truth(u"small"_s, u"done"_s) } }) {
        const auto count = countRows(m_fixture->session(), target, states({ state }), kCap, std::nullopt);
        QVERIFY(count.ok());
        QCOMPARE(count->kind, RowCount::Kind::Exact);
        QCOMPARE(count->rows, rows);
    }
}

void BoundedCountsTest::aSmallTablesSpreadIsCounted()
{
    m_fixture->psql(u"DROP TABLE IF EXISTS counted.dated"_s);
    make(u"dated"_s,
        u"SELECT x.id, x.tenant, x.key, x.j, CASE WHEN x.id = 9 THEN 'infinity' ELSE now() - x.id * "
        "interval '1 minute' END AS expires FROM counted.fill(1, 1500) x"_s,
        { 700 });
    const auto spread = readSpread(m_fixture->session(), dated(u"dated"_s), {});
    QVERIFY2(spread.ok(), spread.ok() ? "" : qPrintable(spread.error().line()));
    QVERIFY(spread->exact());
    QCOMPARE(spread->looked, 1500); // the row that cannot be read, too
    QCOMPARE(spread->notes.size(), 1);
    QCOMPARE(spread->undated, 1.0);
    QCOMPARE(spread->bucketSeconds, 3600); // 25 hours
    SpreadCount sum;
    for (const SpreadCount &count : spread->buckets) {
        sum.rows += count.rows;
        sum.failed += count.failed;
        sum.stuck += count.stuck;
    }
    QCOMPARE(sum.rows, 1499.0);
    QCOMPARE(sum.stuck, double(truth(u"dated"_s, u"open"_s)));
    QCOMPARE(sum.failed, double(truth(u"dated"_s, u"again"_s) + truth(u"dated"_s, u"rare"_s)));
    QCOMPARE(spread->scopes.size(), 3);
    QCOMPARE(spread->scopes.constFirst().rows, 500.0);
    const SpreadScope &first = spread->scopes.constFirst();
    QVERIFY(first.ages.at(0).rows >= 19 && first.ages.at(0).rows <= 20); // of the last hour, by three scopes
    QVERIFY(first.ages.at(1).rows >= 99 && first.ages.at(1).rows <= 101);
    QCOMPARE(first.ages.at(4).rows + first.ages.at(5).rows, 0.0);
    // What is filtered is counted alone; a time that the filter ends is no silence up to now.
    FilterTerm old;
    old.field = FilterField::Age;
    old.op = FilterOperator::Greater;
    old.values = { u"72000"_s };
    const auto part = readSpread(m_fixture->session(), dated(u"dated"_s), { {}, { old } });
    QVERIFY(part.ok() && part->looked < 400 && part->buckets.size() < 40);
    QVERIFY(part->buckets.constLast().rows > 0);
}

/// However large, and whatever row of it cannot be read: forty thousand rows and some are looked at.
void BoundedCountsTest::aLargeTablesSpreadIsASample()
{
    m_fixture->psql(u"DROP TABLE IF EXISTS counted.large"_s);
    QList<qint64> bad; // so many that some lie in the sample
    for (qint64 id = 5'000; id < 2 * kRows; id += 10'000) {
        bad += id;
    }
    make(u"large"_s, u"SELECT * FROM counted.fill(1, %1)"_s.arg(2 * kRows), bad);
    const Target target = dated(u"large"_s);
    looked();
    const auto spread = readSpread(m_fixture->session(), target, {});
    const qint64 rows = looked();
    QVERIFY2(spread.ok(), spread.ok() ? "" : qPrintable(spread.error().line()));
    QVERIFY(!spread->exact());
    QVERIFY2(spread->rows() > 1.6 * kRows && spread->rows() < 2.4 * kRows, qPrintable(QString::number(spread->rows())));
    QCOMPARE(spread->notes.size(), 1); // of those that could not be read
    // Each of the sample is asked for its state several times over: for failed, for stuck, and whether it can be read.
    QVERIFY2(rows <= 10 * 40'000, qPrintable(u"%1 times"_s.arg(rows)));
    double part = 0;
    for (const SpreadCount &count : spread->buckets) {
        part += count.rows;
    }
    QCOMPARE(qRound64(part + spread->undated), qRound64(spread->rows()));
    const auto again = readSpread(m_fixture->session(), target, {});
    QVERIFY(again.ok());
    QCOMPARE(again->looked, spread->looked); // it stands still
}

/// A sample seldom meets the few that began just now, and they are what an incident is about.
void BoundedCountsTest::beyondASampleTheNewestAreCounted()
{
    m_fixture->psql(u"DROP TABLE IF EXISTS counted.newest"_s);
    make(u"newest"_s,
        u"SELECT id, tenant, key, j, now() - interval '2 hours' AS expires FROM counted.fill(1, %1) UNION ALL "
        "SELECT %1 + i, 'fresh', 'new' || i, '{\"s\": \"open\"}', now() - interval '10 minutes' "
        "FROM generate_series(1, 7) i"_s.arg(2 * kRows),
        {});
    const Target target = dated(u"newest"_s);
    m_fixture->psql(u"CREATE INDEX ON counted.newest (expires)"_s);
    const auto counted = readSpread(m_fixture->session(), target, {});
    QVERIFY2(counted.ok(), counted.ok() ? "" : qPrintable(counted.error().line()));
    QVERIFY(!counted->exact() && counted->exactAt(0) && !counted->exactAt(1));
    double newest = 0;
    for (const SpreadScope &scope : counted->scopes) {
        newest += scope.ages.at(0).rows;
        const bool fresh = scope.scope.value(0).text == u"fresh"_s;
        QCOMPARE(scope.ages.at(0).rows, fresh ? 7.0 : 0.0);
        QVERIFY(!fresh || scope.ages.at(0).stuck == 7.0);
    }
    QCOMPARE(newest, 7.0);
    QVERIFY(counted->rows() > 1.6 * kRows && counted->rows() < 2.4 * kRows); // by the sample alone
}

/// The catalog may know of a table what it was before it was loaded.
void BoundedCountsTest::anEmptyTablesStatisticsDoNotUnboundASample_data()
{
    QTest::addColumn<double>("estimate");
    QTest::newRow("vacuumed while empty") << 0.0;
    QTest::newRow("analysed while small") << 1'000.0;
    QTest::newRow("never analysed") << -1.0;
}

void BoundedCountsTest::anEmptyTablesStatisticsDoNotUnboundASample()
{
    QFETCH(double, estimate);
    Target target = dated(u"large"_s);
    target.relation.estimatedRows = estimate;
    const auto spread = readSpread(m_fixture->session(), target, {});
    QVERIFY2(spread.ok(), spread.ok() ? "" : qPrintable(spread.error().line()));
    QVERIFY2(spread->looked < 120'000, qPrintable(QString::number(spread->looked)));
    QVERIFY2(spread->rows() > 1.6 * kRows && spread->rows() < 2.4 * kRows, qPrintable(QString::number(spread->rows())));
}

void BoundedCountsTest::whatAPurgeLeavesIsASample_data()
{
    QTest::addColumn<double>("estimate");
    QTest::newRow("analysed") << 2.0 * kRows;
    QTest::newRow("never analysed") << -1.0;
}

/// Rows of the sample that cannot be read are looked for in the sample.
void BoundedCountsTest::whatAPurgeLeavesIsASample()
{
    QFETCH(double, estimate);
    Target target = bound(u"large"_s);
    target.relation.estimatedRows = estimate;
    PurgePlan plan;
    plan.states = { KeyState::Succeeded };
    plan.cutoff = Timestamp::fromDateTime(QDateTime::currentDateTimeUtc());
    looked();
    const auto stay = readPurgeStay(m_fixture->session(), target, plan);
    const qint64 rows = looked();
    QVERIFY2(stay.ok(), stay.ok() ? "" : qPrintable(stay.error().line()));
    QVERIFY2(stay->share < 0.7, qPrintable(QString::number(stay->share)));
    // Each of the sample is asked about a dozen times over; of the whole table it would be more than three times that.
    QVERIFY2(rows <= 14 * 60'000, qPrintable(u"%1 times"_s.arg(rows)));
    double left = 0;
    for (const StayingScope &scope : stay->scopes) {
        left += scope.rows();
    }
    QVERIFY2(left > 0.8 * kRows && left < 1.2 * kRows, qPrintable(QString::number(left))); // every other row
    QVERIFY(!stay->cut());
}

/// The picture names a thousand scopes; what the others keep is counted all the same.
void BoundedCountsTest::whatManyScopesKeepIsWhole()
{
    make(u"scopes"_s,
        u"SELECT x.id, 't' || x.id % 1500 AS tenant, x.key, x.j, x.expires FROM counted.fill(1, 4500) x"_s, {});
    PurgePlan plan;
    plan.states = { KeyState::Succeeded };
    plan.cutoff = Timestamp::fromDateTime(QDateTime::currentDateTimeUtc().addDays(-1)); // nothing goes
    const auto stay = readPurgeStay(m_fixture->session(), bound(u"scopes"_s), plan);
    QVERIFY2(stay.ok(), stay.ok() ? "" : qPrintable(stay.error().line()));
    QCOMPARE(stay->scopes.size(), 1'000);
    QVERIFY(stay->exact() && stay->cut());
    StayingScope all = stay->rest;
    for (const StayingScope &scope : stay->scopes) {
        all.kept += scope.kept;
        all.unfinished += scope.unfinished;
        all.others += scope.others;
    }
    QCOMPARE(all.kept, double(truth(u"scopes"_s, u"done"_s)));
    QCOMPARE(all.unfinished, double(truth(u"scopes"_s, u"open"_s)));
    QCOMPARE(all.rows(), 4'500.0);
}

void BoundedCountsTest::onlyAnEndOfTheFilterEndsTheTime_data()
{
    QTest::addColumn<FilterField>("field");
    QTest::addColumn<FilterOperator>("op");
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("negated");
    QTest::addColumn<bool>("ends");
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const QString recent = now.addSecs(-5 * 3'600).toString(Qt::ISODate);
    const QString day = u"2020-01-01T00:00:00Z/2020-01-02T00:00:00Z"_s;
    using enum FilterOperator;
    QTest::newRow("before a time") << FilterField::Created << Less << recent << false << true;
    QTest::newRow("from a time on") << FilterField::Created << GreaterOrEqual << u"2020-01-01T00:00:00Z"_s << false
                                    << false;
    QTest::newRow("not from a time on") << FilterField::Created << GreaterOrEqual << recent << true << true;
    QTest::newRow("not before a time") << FilterField::Created << Less << u"2020-01-01T00:00:00Z"_s << true << false;
    QTest::newRow("without a day") << FilterField::Created << Equal << day << true << false;
    QTest::newRow("with a time") << FilterField::Created << Equal << QString() << true << false; // -created:null
    QTest::newRow("older") << FilterField::Age << Greater << u"18000"_s << false << true;
    QTest::newRow("not younger") << FilterField::Age << Less << u"18000"_s << true << true;
    QTest::newRow("not older") << FilterField::Age << Greater << u"18000000"_s << true << false;
}

/// After an outage the axis goes on to now; where the filter has an end of its own, it does not.
void BoundedCountsTest::onlyAnEndOfTheFilterEndsTheTime()
{
    QFETCH(FilterField, field);
    QFETCH(FilterOperator, op);
    QFETCH(QString, value);
    QFETCH(bool, negated);
    QFETCH(bool, ends);
    if (m_fixture->lines(u"SELECT to_regclass('counted.past') IS NOT NULL"_s).value(0) != u"t") {
        make(u"past"_s,
            u"SELECT x.id, x.tenant, x.key, x.j, now() - (600 + x.id) * interval '1 minute' AS expires "
            "FROM counted.fill(1, 600) x"_s,
            {});
    }
    FilterTerm term;
    term.field = field;
    term.op = op;
    term.negated = negated;
    term.isNull = value.isEmpty();
    term.values = value.isEmpty() ? QStringList() : QStringList { value };
    const auto spread = readSpread(m_fixture->session(), dated(u"past"_s), { {}, { term } });
    QVERIFY2(spread.ok(), spread.ok() ? "" : qPrintable(spread.error().line()));
    QCOMPARE(spread->looked, 600);
    QCOMPARE(spread->buckets.constLast().rows > 0, ends);
}

void BoundedCountsTest::withoutARuleNothingIsKnownToBeStuck()
{
    Target target = dated(u"past"_s);
    QVERIFY(readSpread(m_fixture->session(), target, {})->stuckKnown);
    target.profile.stale.reset();
    const auto spread = readSpread(m_fixture->session(), target, {});
    QVERIFY(spread.ok() && !spread->stuckKnown);
}

void BoundedCountsTest::aSpreadSaysWhyThereIsNone()
{
    const auto timeless = readSpread(m_fixture->session(), bound(u"large"_s), {});
    QVERIFY(!timeless.ok());
    QCOMPARE(timeless.error().kind, ErrorKind::Refused);
    // Few rows match, and no index leads to them.
    const auto few = readSpread(m_fixture->session(), dated(u"large"_s), filterOf(FilterField::Scope, { u"nobody"_s }));
    QVERIFY(!few.ok() || few->exact());
    QVERIFY2(few.ok() || few.error().kind == ErrorKind::Refused, qPrintable(few.ok() ? QString() : few.error().line()));
}

QTEST_GUILESS_MAIN(BoundedCountsTest)
#include "tst_bounded_counts.moc"
