// SPDX-License-Identifier: GPL-3.0-or-later
// "Quiet", "good" and "none" are said only of what was looked at; the rest has its own word and exit status.
#include "tests/support/program_run.h"
#include "tests/support/registered_table.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

constexpr int kUnknown = 5;

/// Alerts that a table's rows and the server tell by themselves; what services report is switched off.
const QByteArray kOwnAlerts = R"([{"id": "conflicts", "off": true}, {"id": "violations", "off": true},
    {"id": "check_time", "off": true}, {"id": "cache_time", "off": true}, {"id": "stale_rising", "off": true}, {"id": "duplicates", "off": true}])";
/// Row security that shows the login op, and nobody else but the owner, only tenant t9's rows: none.
const QString kHideFromOp = u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; "
                            "CREATE POLICY every ON app.k TO idemdesk_runner_app_owner USING (true) WITH CHECK (true); "
                            "CREATE POLICY mine ON app.k TO op USING (tenant = 't9')"_s;

struct QuietRun : ProgramRun {
    QByteArray said() const { return QByteArray::number(status) + '\n' + out + err.toUtf8(); }
};

} // namespace

class CtlQuietTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init();

    void hiddenRowsAreNotQuiet();
    void whatALoginIsNotShownIsNotQuiet();
    void unreadableRowsAreNotQuiet_data();
    void unreadableRowsAreNotQuiet();
    void whatNobodyReportsIsNotQuiet();
    void noneIsNoAnswerWhereRowsAreHidden_data();
    void noneIsNoAnswerWhereRowsAreHidden();
    void aStatusThatCannotBeReadIsSaid();
    void rowsThatCannotBeReadMayBeStale();
    void metricsDoNotCountWhatIsHidden();
    void aRowThatCannotBeReadIsUnknownEverywhere();
    void whatDoesNotMatchIsSaidOfWhatWasLookedAt();
    void aPlanRefusesWhatTheRunWould();
    void anotherDatabasesLogIsNotThisOnes();
    void aLogThatNobodyUnderstandsTellsNothing();
    void withoutATrailThereIsNothingToVerify();
    void withoutTheSchemaNothingIsNone();

private:
    QuietRun ctl(const QStringList &arguments, const QString &login = u"op"_s) const;
    QString value(const QString &sql) { return m_fixture->root().value(sql); }
    void psql(const QString &sql) { m_fixture->cluster().psql(m_fixture->database(), sql); }
    /// A sample of this minute, in place of one that was taken before.
    void sampleAgain();
    /// The state of each alert by its id.
    static QMap<QString, QString> states(const QuietRun &run);

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_home;
};

void CtlQuietTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
}

void CtlQuietTest::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    m_fixture->fresh([this] {
        psql(
            u"GRANT USAGE ON SCHEMA app TO adm, appr, viewer; GRANT SELECT ON app.k, app.eff TO adm, appr, viewer, op, op2"_s);
        registerTable(*m_fixture);
        m_fixture->forgetBare();
    });
}

QuietRun CtlQuietTest::ctl(const QStringList &arguments, const QString &login) const
{
    return { runProgram(QStringLiteral(IDEMDESKCTL),
        arguments + QStringList { u"--connect"_s, m_fixture->cluster().conninfoAs(login, m_fixture->database()) },
        { privateEnvironment(m_home->path()) }) };
}

void CtlQuietTest::sampleAgain()
{
    psql(u"DELETE FROM idemdesk.sample; DELETE FROM idemdesk.sample_run"_s);
    const QuietRun run = ctl({ u"sample"_s });
    QVERIFY2(run.status == 0 && !run.out.contains("sampled already"), run.said().constData());
}

QMap<QString, QString> CtlQuietTest::states(const QuietRun &run)
{
    QMap<QString, QString> states;
    const QJsonArray items = run.items();
    for (const QJsonValue &item : items) {
        states.insert(item[u"id"_s].toString(), item[u"state"_s].toString());
    }
    return states;
}

void CtlQuietTest::hiddenRowsAreNotQuiet()
{
    const QByteArray profile = "{\"alerts\": " + kOwnAlerts + '}';
    registerTable(*m_fixture, profile);
    psql(u"UPDATE app.k SET locked_until = now() + interval '1 hour' WHERE status = 'processing'"_s);
    const QStringList alerts { u"check"_s, u"--alerts"_s, u"--json"_s };
    sampleAgain();
    const QuietRun seen = ctl(alerts);
    QVERIFY2(seen.status == 0, seen.said().constData());
    QCOMPARE(states(seen).value(u"stale_old"_s), u"quiet"_s);

    // Keys are stale for long, and nobody who counts is shown one of them.
    psql(u"UPDATE app.k SET locked_until = now() - interval '9 hours' WHERE status = 'processing'; "
         "ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; "
         "CREATE POLICY part ON app.k TO idemdesk_runner_app_owner USING (tenant = 't9') WITH CHECK (true)"_s);
    registerTable(*m_fixture, profile); // a table that changed is not sampled
    sampleAgain();
    const QuietRun hidden = ctl(alerts);
    QVERIFY2(hidden.status == kUnknown, hidden.said().constData());
    QCOMPARE(states(hidden).value(u"stale_old"_s), u"unknown"_s);
    QCOMPARE(states(hidden).value(u"growth"_s), u"unknown"_s);
    QCOMPARE(states(hidden).value(u"lock_wait"_s), u"quiet"_s); // the server tells it, not the rows
    QVERIFY2(hidden.out.contains("Row security hides rows"), hidden.said().constData());
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.sample WHERE metric IN ('stale', 'in_progress')"_s), u"0"_s);
    const QuietRun words = ctl({ u"check"_s, u"--alerts"_s });
    QVERIFY2(words.out.contains("Not known") && !words.out.contains("quiet"), words.said().constData());
    const QuietRun trend = ctl({ u"trends"_s, u"--target"_s, u"k2"_s, u"--metric"_s, u"stale"_s, u"--source"_s,
        u"samples"_s, u"--since"_s, u"1h"_s });
    QVERIFY2(trend.err.contains(u"row security hid rows"_s), trend.said().constData());

    // Nor does a policy help that is true, where another takes rows away beside it.
    psql(u"CREATE POLICY every ON app.k TO idemdesk_runner_app_owner USING (true) WITH CHECK (true); "
         "CREATE POLICY less ON app.k AS RESTRICTIVE USING (tenant <> 't1')"_s);
    registerTable(*m_fixture, profile);
    sampleAgain();
    QCOMPARE(states(ctl(alerts)).value(u"stale_old"_s), u"unknown"_s);
    // One that is true shows every row, so that it is counted; and known to those whom no policy concerns.
    psql(u"DROP POLICY less ON app.k; CREATE ROLE sees LOGIN BYPASSRLS; GRANT idemdesk_viewer TO sees; "
         "GRANT USAGE ON SCHEMA app TO sees; GRANT SELECT ON app.k, app.eff TO sees"_s);
    registerTable(*m_fixture, profile);
    sampleAgain();
    const QuietRun shown = ctl(alerts, u"sees"_s);
    QVERIFY2(shown.status == 1 || states(shown).value(u"stale_old"_s) == u"pending"_s, shown.said().constData());
    QCOMPARE(states(ctl(alerts)).value(u"stale_old"_s), u"unknown"_s);
}

void CtlQuietTest::whatALoginIsNotShownIsNotQuiet()
{
    registerTable(*m_fixture, "{\"alerts\": " + kOwnAlerts + '}');
    psql(
        u"UPDATE app.k SET locked_until = now() - interval '9 hours' WHERE status = 'processing'; "
        "REVOKE SELECT ON app.k FROM viewer; "
        "GRANT SELECT (tenant, key, status, locked_until, attempts, result, updated_at, expires_at) ON app.k TO viewer"_s);
    sampleAgain();
    const QStringList alerts { u"check"_s, u"--alerts"_s, u"--json"_s };
    QVERIFY(states(ctl(alerts)).value(u"stale_old"_s) != u"quiet"_s);
    const QuietRun run = ctl(alerts, u"viewer"_s);
    QVERIFY2(run.status == kUnknown, run.said().constData());
    QCOMPARE(states(run).value(u"stale_old"_s), u"unknown"_s);
    QCOMPARE(states(run).value(u"growth"_s), u"unknown"_s); // past retention
    QCOMPARE(states(run).value(u"lock_wait"_s), u"quiet"_s); // the server tells it, not the rows
    QVERIFY2(run.out.contains("may not read the whole table"), run.said().constData());
    const QStringList trend { u"trends"_s, u"--target"_s, u"k2"_s, u"--source"_s, u"samples"_s, u"--since"_s, u"1h"_s,
        u"--metric"_s };
    QCOMPARE(ctl(trend + QStringList { u"stale"_s }, u"viewer"_s).status, 0);
    const QuietRun withheld = ctl(trend + QStringList { u"oldest_stale"_s }, u"viewer"_s);
    QVERIFY2(withheld.status != 0 && withheld.err.contains(u"not shown to this login"_s), withheld.said().constData());
}

void CtlQuietTest::unreadableRowsAreNotQuiet_data()
{
    QTest::addColumn<QString>("which");
    QTest::addColumn<double>("rows");
    QTest::newRow("one") << u"key = 'k007'"_s << 1.0;
    QTest::newRow("all") << u"true"_s << 50.0;
}

void CtlQuietTest::unreadableRowsAreNotQuiet()
{
    QFETCH(QString, which);
    QFETCH(double, rows);
    registerTable(*m_fixture, R"({"alerts": )" + kOwnAlerts + R"(, "stale": [{"states": ["in_progress"], "by":
            "CASE WHEN t.pad = 'bad' THEN t.key::timestamptz ELSE t.locked_until END", "after": "0s"}]})");
    psql(u"UPDATE app.k SET locked_until = now() + interval '1 hour' WHERE status = 'processing'; "
         "UPDATE app.k SET pad = 'bad' WHERE "_s
        + which);
    sampleAgain();
    const QuietRun run = ctl({ u"check"_s, u"--alerts"_s, u"--json"_s });
    QVERIFY2(run.status == kUnknown, run.said().constData());
    QCOMPARE(states(run).value(u"stale_old"_s), u"unknown"_s);
    QVERIFY2(run.out.contains("cannot be read"), run.said().constData());
    QCOMPARE(
        value(u"SELECT value FROM idemdesk.sample WHERE metric = 'unreadable' AND resolution = 'minute'"_s).toDouble(),
        rows);
}

void CtlQuietTest::whatNobodyReportsIsNotQuiet()
{
    const QByteArray others
        = R"({"id": "stale_rising", "off": true}, {"id": "duplicates", "off": true}, {"id": "growth", "off": true})";
    // Violations are told as a share of the claims, which only a time of creation tells.
    const QByteArray roles
        = R"("roles": {"status": "t.status", "attempts": "t.attempts", "lease_until": "t.locked_until",
        "created_at": "t.updated_at", "updated_at": "t.updated_at", "expires_at": "t.expires_at", "result_id": "t.result"}, )";
    registerTable(*m_fixture, '{' + roles + "\"alerts\": [" + others + "]}");
    psql(u"UPDATE app.k SET locked_until = now() + interval '1 hour' WHERE status = 'processing'"_s);
    sampleAgain();
    const QuietRun silent = ctl({ u"check"_s, u"--alerts"_s, u"--json"_s });
    QVERIFY2(silent.status == kUnknown, silent.said().constData());
    QVERIFY2(states(silent).value(u"violations"_s) == u"unknown", silent.said().constData());
    QVERIFY2(silent.err.contains(u"No service reports what these need: conflicts, violations, check_time"_s),
        silent.said().constData());
    // Declared as not applying, it is not asked for.
    registerTable(*m_fixture,
        '{' + roles + "\"alerts\": [" + others
            + R"(, {"id": "conflicts", "off": true}, {"id": "violations", "off": true}, {"id": "check_time", "off": true}, {"id": "cache_time", "off": true}]})");
    const QuietRun off = ctl({ u"check"_s, u"--alerts"_s });
    QVERIFY2(off.status == 0 && off.out.contains("Every alert is quiet."), off.said().constData());
}

void CtlQuietTest::noneIsNoAnswerWhereRowsAreHidden_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<QByteArray>("neverSaid");
    const QByteArray nothing;
    QTest::newRow("triage") << QStringList { u"triage"_s } << QByteArray("No key is stuck.");
    QTest::newRow("triage as JSON") << QStringList { u"triage"_s, u"--json"_s } << QByteArray("\"complete\":true");
    QTest::newRow("recover") << QStringList { u"recover"_s, u"--dry-run"_s } << nothing;
    QTest::newRow("duplicates") << QStringList { u"duplicates"_s } << QByteArray("No request looks carried out");
    QTest::newRow("complaint") << QStringList { u"complaint"_s, u"--key"_s, u"k001"_s } << QByteArray("No match.\n");
    QTest::newRow("scopes") << QStringList { u"scopes"_s } << nothing;
    QTest::newRow("scopes by retries") << QStringList { u"scopes"_s, u"--retries"_s } << nothing;
    QTest::newRow("trends") << QStringList { u"trends"_s, u"--metric"_s, u"stale"_s } << nothing;
    QTest::newRow("show") << QStringList { u"show"_s, u"k001"_s } << QByteArray("may have been purged");
    QTest::newRow("keys") << QStringList { u"keys"_s, u"--filter"_s, u"state:stale"_s } << nothing;
    QTest::newRow("purge") << QStringList { u"purge"_s, u"--dry-run"_s } << nothing;
    QTest::newRow("keys as JSON") << QStringList { u"keys"_s, u"--filter"_s, u"state:stale"_s, u"--json"_s }
                                  << QByteArray("\"complete\":true");
    QTest::newRow("export") << QStringList { u"export"_s, u"--filter"_s, u"state:stale"_s } << nothing;
    QTest::newRow("requeue one key") << QStringList { u"requeue"_s, u"--key"_s, u"k001"_s, u"--to"_s,
        u"failed_retryable"_s, u"--dry-run"_s }
                                     << QByteArray("There is no key");
    QTest::newRow("check") << QStringList { u"check"_s } << QByteArray("Good");
}

void CtlQuietTest::noneIsNoAnswerWhereRowsAreHidden()
{
    QFETCH(QStringList, command);
    QFETCH(QByteArray, neverSaid);
    // Duplicates and the report look at the fewest things with a profile that has no other fault.
    const QStringList whole = command + QStringList { u"--target"_s, u"k2"_s };
    psql(kHideFromOp);
    const QuietRun hidden = ctl(whole);
    QVERIFY2(
        hidden.status == kUnknown || (hidden.status == 1 && command.first() == u"check"), hidden.said().constData());
    QVERIFY2(
        hidden.said().contains("Row security hides rows of this table from this login"), hidden.said().constData());
    QVERIFY2(neverSaid.isEmpty() || !hidden.said().contains(neverSaid), hidden.said().constData());
    // A policy that shows every row hides nothing.
    psql(u"CREATE POLICY all_of_them ON app.k TO op USING (true)"_s);
    const QuietRun shown = ctl(whole);
    QVERIFY2(!shown.said().contains("Row security hides rows of this table"), shown.said().constData());
    if (command.first() == u"triage" || command.first() == u"recover") {
        // What shall prove is read with row security off, which the server refuses whatever the policy says.
        QVERIFY2(
            shown.said().contains(
                "The evidence for “eff” could not be read: The server refused the request. Row security hides rows"),
            shown.said().constData());
        QVERIFY2(!shown.said().contains("Safe to retry") && !shown.said().contains("safe_to_retry"),
            shown.said().constData());
    }
    QVERIFY2(shown.status != kUnknown || command.first() == u"duplicates", shown.said().constData());
}

void CtlQuietTest::aStatusThatCannotBeReadIsSaid()
{
    psql(u"CREATE TABLE app.said (key text PRIMARY KEY, status text); INSERT INTO app.said SELECT key, status FROM "
         u"app.k; "
         "ALTER TABLE app.said OWNER TO app_owner; GRANT SELECT ON app.said TO adm, idemdesk_runner_app_owner; "
         "GRANT UPDATE (tenant) ON app.k TO idemdesk_runner_app_owner"_s); // by which a purge locks its rows
    registerTable(*m_fixture, R"json({"roles": {"status": "(SELECT s.status FROM app.said s WHERE s.key = t.key)",
        "lease_until": "t.locked_until"}, "guard": ["locked_until"],
        "actions": {"recover": [], "requeue": [], "reclassify": []}})json",
        u"aside"_s);
    const QuietRun run = ctl({ u"triage"_s, u"--target"_s, u"aside"_s });
    QVERIFY2(run.status == kUnknown, run.said().constData());
    QVERIFY2(run.err.contains(u"every row counts as unknown"_s) && !run.out.contains("No key is stuck.\n"),
        run.said().constData());
    const QuietRun json = ctl({ u"triage"_s, u"--target"_s, u"aside"_s, u"--json"_s });
    QCOMPARE(json.status, kUnknown);
    QVERIFY(!json.json().value(u"complete"_s).toBool(true) && !json.json().value(u"notes"_s).toArray().isEmpty());
    for (const QStringList &command : { QStringList { u"scopes"_s }, QStringList { u"purge"_s, u"--dry-run"_s } }) {
        const QuietRun other = ctl(command + QStringList { u"--target"_s, u"aside"_s });
        QVERIFY2(
            other.status == kUnknown && other.err.contains(u"every row counts as unknown"_s), other.said().constData());
    }
    const QuietRun metrics = ctl({ u"metrics"_s, u"--target"_s, u"aside"_s });
    QVERIFY2(metrics.status == kUnknown, metrics.said().constData());
    const QuietRun check = ctl({ u"check"_s, u"--target"_s, u"aside"_s, u"--json"_s });
    QVERIFY2(check.status != 0 && check.err.contains(u"could not be answered"_s), check.said().constData());
}

void CtlQuietTest::rowsThatCannotBeReadMayBeStale()
{
    registerTable(*m_fixture, R"({"stale": [{"states": ["in_progress"], "by":
        "CASE WHEN t.pad = 'bad' THEN t.key::timestamptz ELSE t.locked_until END", "after": "0s"}]})");
    psql(u"UPDATE app.k SET pad = 'bad' WHERE status = 'processing'"_s);
    const QuietRun run = ctl({ u"triage"_s, u"--target"_s, u"k2"_s });
    QVERIFY2(run.status == kUnknown && !run.out.contains("No key is stuck.\n"), run.said().constData());
    const QuietRun metrics = ctl({ u"metrics"_s });
    QVERIFY2(metrics.status == kUnknown && metrics.out.contains("idempotency_unreadable_rows{target=\"k2\"} 50\n"),
        metrics.said().constData());
}

void CtlQuietTest::aRowThatCannotBeReadIsUnknownEverywhere()
{
    // One row on which the lease fails, and one on which the status does.
    registerTable(*m_fixture, R"({"roles": {
        "status": "CASE WHEN t.pad = 'odd' THEN t.key::int::text ELSE t.status END", "attempts": "t.attempts",
        "lease_until": "CASE WHEN t.pad = 'bad' THEN t.key::timestamptz ELSE t.locked_until END",
        "expires_at": "t.expires_at", "result_id": "t.result"},
        "stale": [{"states": ["in_progress"], "by": "CASE WHEN t.pad = 'bad' THEN t.key::timestamptz ELSE t.locked_until END", "after": "0s"}]})");
    psql(u"UPDATE app.k SET pad = 'bad' WHERE key = 'k009'; UPDATE app.k SET pad = 'odd' WHERE key = 'd0004'"_s);
    const QStringList target { u"--target"_s, u"k2"_s, u"--json"_s };
    const QuietRun shown = ctl(QStringList { u"show"_s, u"k009"_s } + target);
    QVERIFY2(shown.out.contains("\"state\":\"unknown\""), shown.said().constData());
    QStringList keys;
    const QuietRun unknown = ctl(QStringList { u"keys"_s, u"--filter"_s, u"state:unknown"_s } + target);
    const QJsonArray items = unknown.items();
    for (const QJsonValue &item : items) {
        keys += item[u"key"_s].toString();
        QCOMPARE(item[u"state"_s].toString(), u"unknown"_s);
    }
    keys.sort();
    QVERIFY2(keys == (QStringList { u"d0004"_s, u"k009"_s }), unknown.said().constData());
    int counted = 0;
    const QuietRun scopes = ctl(QStringList { u"scopes"_s } + target);
    const QJsonArray all = scopes.items();
    for (const QJsonValue &item : all) {
        counted += item[u"states"_s][u"unknown"_s].toInt();
        QVERIFY2(item[u"scope"_s][u"tenant"_s].isString(), scopes.said().constData()); // its own, which can be read
    }
    QCOMPARE(counted, 2);
    const QuietRun check = ctl(QStringList { u"check"_s } + target);
    QVERIFY2(check.out.contains("2 rows are unreadable"), check.said().constData());
    QVERIFY2(!check.out.contains("does not say what this status means"), check.said().constData());
}

void CtlQuietTest::metricsDoNotCountWhatIsHidden()
{
    const QuietRun all = ctl({ u"metrics"_s });
    QVERIFY2(all.status == 0 && all.out.contains("state=\"in_progress\"}"), all.said().constData());
    psql(kHideFromOp);
    const QuietRun run = ctl({ u"metrics"_s });
    QVERIFY2(run.status == kUnknown, run.said().constData());
    QVERIFY2(
        run.out.contains("idempotency_table_readable{target=\"k2\"} 0\n") && !run.out.contains("state=\"in_progress\""),
        run.said().constData());
}

void CtlQuietTest::whatDoesNotMatchIsSaidOfWhatWasLookedAt()
{
    registerTable(*m_fixture, R"({"stale": [{"states": ["in_progress"], "by":
        "CASE WHEN t.pad = 'bad' THEN t.key::timestamptz ELSE t.locked_until END", "after": "0s"}]})");
    psql(u"UPDATE app.k SET locked_until = now() + interval '1 hour' WHERE status = 'processing'"_s);
    const QStringList target { u"--target"_s, u"k2"_s };
    const QStringList stale = target + QStringList { u"--filter"_s, u"state:stale"_s };
    const QuietRun none = ctl(QStringList { u"keys"_s } + stale);
    QVERIFY2(none.status == 0, none.said().constData());
    const QuietRun file = ctl(QStringList { u"export"_s } + stale);
    QVERIFY2(file.status == 0, file.said().constData());
    psql(u"UPDATE app.k SET pad = 'bad' WHERE key = 'k007'"_s);
    const QuietRun partly = ctl(QStringList { u"keys"_s } + stale);
    QVERIFY2(partly.status == kUnknown && partly.out.contains("not all could"), partly.said().constData());
    const QuietRun json = ctl(QStringList { u"keys"_s, u"--json"_s } + stale);
    QVERIFY2(json.status == kUnknown && !json.json().value(u"complete"_s).toBool(true), json.said().constData());
    const QuietRun written = ctl(QStringList { u"export"_s } + stale);
    QVERIFY2(written.status == kUnknown && written.err.contains(u"more may match than was written"_s),
        written.said().constData());
    const QuietRun all = ctl(QStringList { u"export"_s } + target);
    QVERIFY2(all.status == 0, all.said().constData()); // every row is in it
    // What no table keeps was not searched for, which is not "none".
    const QuietRun complaint = ctl({ u"complaint"_s, u"--amount"_s, u"12345"_s });
    QVERIFY2(complaint.status == kUnknown && !complaint.out.contains("No match.\n"), complaint.said().constData());
    // A session that is not listed may hold a lock on a table that could not be looked at.
    psql(u"ALTER TABLE app.k RENAME TO gone"_s);
    const QuietRun session = ctl({ u"activity"_s, u"cancel"_s, u"1"_s, u"--reason"_s, u"r"_s });
    QVERIFY2(session.status == kUnknown && session.err.contains(u"could be looked at"_s), session.said().constData());
}

void CtlQuietTest::aPlanRefusesWhatTheRunWould()
{
    const QStringList purge { u"purge"_s, u"--target"_s, u"k2"_s, u"--before"_s };
    const QuietRun plan = ctl(purge + QStringList { u"2999-01-01T00:00:00Z"_s, u"--dry-run"_s });
    QVERIFY2(plan.status == 3 && plan.err.contains(u"The cutoff lies in the future."_s), plan.said().constData());
    const QuietRun past = ctl(purge + QStringList { u"2026-01-01T00:00:00Z"_s, u"--dry-run"_s });
    QVERIFY2(past.status == 0, past.said().constData());
}

void CtlQuietTest::anotherDatabasesLogIsNotThisOnes()
{
    const auto line = [](const QString &database, int number) {
        return u"2026-11-20 10:00:0%1.000 "
               u"UTC,\"service\",\"%2\",4711,\"127.0.0.1:5000\",673dc0a%1.1267,%1,\"INSERT\",2026-11-20 09:00:00 "
               u"UTC,3/7,0,"
               "ERROR,23505,\"duplicate key value violates unique constraint \"\"k_pkey\"\"\",\"Key (tenant, key)=(t1, "
               "k001) already exists.\",,,,,"
               "\"INSERT INTO app.k VALUES (1)\",,,\"svc\",\"client backend\",,0\n"_s.arg(number)
                   .arg(database);
    };
    QFile log(m_home->filePath(u"s.csv"_s));
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.write((line(u"elsewhere"_s, 1) + line(m_fixture->database(), 2) + line({}, 3)).toUtf8());
    log.close();
    const QuietRun run = ctl({ u"conflicts"_s, u"import"_s, log.fileName(), u"--json"_s });
    QVERIFY2(run.items().size() == 1, run.said().constData());
    QCOMPARE(run.items().at(0)[u"other_databases"_s].toInt(), 1);
    QCOMPARE(run.items().at(0)[u"conflicts"_s].toInt(), 2);
    QCOMPARE(run.items().at(0)[u"database_not_named"_s].toInt(), 1);
    const QuietRun again = ctl({ u"conflicts"_s, u"import"_s, log.fileName() });
    QVERIFY2(again.out.contains("1 record of another database was left out")
            && again.out.contains("the log does not name the database"),
        again.said().constData());
}

void CtlQuietTest::aLogThatNobodyUnderstandsTellsNothing()
{
    QFile log(m_home->filePath(u"odd.log"_s));
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.write("one two three\nfour five six\n");
    log.close();
    const QuietRun run = ctl({ u"conflicts"_s, u"import"_s, log.fileName(), u"--format"_s, u"csv"_s });
    QVERIFY2(run.status == kUnknown && run.err.contains(u"Nothing in it was understood"_s), run.said().constData());
    QFile empty(m_home->filePath(u"empty.log"_s));
    QVERIFY(empty.open(QIODevice::WriteOnly));
    empty.close();
    QCOMPARE(ctl({ u"conflicts"_s, u"import"_s, empty.fileName(), u"--format"_s, u"csv"_s }).status,
        0); // all of it was read
}

void CtlQuietTest::withoutATrailThereIsNothingToVerify()
{
    QCOMPARE(ctl({ u"audit"_s, u"verify"_s }).status, 0);
    psql(u"DROP SCHEMA idemdesk CASCADE"_s);
    const QuietRun run = ctl({ u"audit"_s, u"verify"_s });
    QVERIFY2(run.status == kUnknown && run.err.contains(u"there is no audit log to verify"_s), run.said().constData());
    const QuietRun json = ctl({ u"audit"_s, u"verify"_s, u"--json"_s });
    QCOMPARE(json.status, kUnknown);
    QVERIFY(json.json().contains(u"intact"_s) && json.json().value(u"intact"_s).isNull());
}

void CtlQuietTest::withoutTheSchemaNothingIsNone()
{
    for (const QString &command : { u"actions"_s, u"audit"_s }) {
        const QuietRun stranger = ctl({ command }, u"service"_s);
        QVERIFY2(
            stranger.status == 3 && stranger.err.contains(u"GRANT idemdesk_viewer"_s), stranger.said().constData());
    }
    psql(u"DELETE FROM idemdesk.target"_s);
    const QuietRun none = ctl({ u"sample"_s });
    QVERIFY2(none.status == kUnknown && none.err.contains(u"No target is registered"_s), none.said().constData());
    psql(u"DROP SCHEMA idemdesk CASCADE"_s);
    for (const QStringList &command :
        { QStringList { u"conflicts"_s }, QStringList { u"sample"_s }, QStringList { u"actions"_s },
            QStringList { u"requests"_s }, QStringList { u"check"_s }, QStringList { u"audit"_s },
            QStringList { u"audit"_s, u"anchor"_s }, QStringList { u"audit"_s, u"export"_s } }) {
        const QuietRun run = ctl(command);
        QVERIFY2(run.status == kUnknown && run.err.contains(u"schema is not installed"_s), run.said().constData());
        QVERIFY2(!run.err.contains(u"does not exist"_s) && !run.out.contains("seq,at"), run.said().constData());
        const QuietRun json = ctl(command + QStringList { u"--json"_s });
        QVERIFY2(json.status == kUnknown && !json.json().isEmpty(), json.said().constData());
    }
    const QuietRun metrics = ctl({ u"metrics"_s });
    QVERIFY2(
        metrics.status == kUnknown && metrics.err.contains(u"schema is not installed"_s), metrics.said().constData());
}

QTEST_GUILESS_MAIN(CtlQuietTest)
#include "tst_ctl_quiet.moc"
