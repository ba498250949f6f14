// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program_run.h"
#include "tests/support/registered_table.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// Actions from the terminal: each call its own process, as a person or a script makes it, on a real server.
class CtlActionsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init();

    void triageSaysWhatItKnows();
    void dryRunsChangeNothing_data();
    void dryRunsChangeNothing();
    void wrongCallsAreUsage_data();
    void wrongCallsAreUsage();
    void whatIsStuckForSecondsIsLeft();
    void recoversAndUndoes();
    void oneKeyByChoice();
    void aPlanSaysWhatTheRunWould();
    void whatIsDoneIsNotReviewed();
    void manyThatAreLeftAreCounted();
    void theLastRowThatIsThereIsNamed();
    void anIntactLogMayBeUnprotected();
    void purgesToTheEnd();
    void whatWasPurgedIsTold();
    void whatWasMovedIsFoundInItsArchive();
    void anUndoFreesNoPaidKey();
    void aJobIsFreedWithItsQueue();
    void aReviewListsWhatIsLeft();
    void aDrillRunsOnlyWhatWasConfirmed();
    void controlCEndsADrillTidily();
    void controlCCancels();
    void killedRunIsResumed();
    void approvalIsAskedAndGiven();
    void rightsAreMissed_data();
    void rightsAreMissed();
    void targetsAreRegisteredAndTakenOut();
    void trailIsListedExportedAndChecked();
    void alertsMakeTheExitStatus();
    void aSessionIsStoppedWithAReason();
    void samplingByCronSaysWhatIsInTheWay();

private:
    /// Names a file with a drill on app.k, where op may run one now.
    QString drillFile(const QByteArray &json);
    QProcessEnvironment environment() const;
    QStringList on(QStringList arguments, const QString &login) const;
    ProgramRun ctl(const QStringList &arguments, const QString &login = u"op"_s) const;
    QString value(const QString &sql) { return m_fixture->root().value(sql); }
    /// From now on a purge's batch takes a minute, until app.slow is empty. The trigger is registered with the table,
    /// for a new one would stop the purge.
    void makeSlow();

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_home;
};

void CtlActionsTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
}

void CtlActionsTest::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    m_fixture->fresh([this] {
        m_fixture->cluster().psql(m_fixture->database(),
            u"GRANT USAGE ON SCHEMA app TO adm, appr, viewer; GRANT SELECT ON app.k, app.eff TO adm, appr, viewer, op, "
            u"op2; "
            // A query that never finds anything proves nothing: a key that succeeded has its effect.
            "INSERT INTO app.eff SELECT 'e-' || key, tenant, key FROM app.k WHERE key = 'd0001'"_s);
        registerTable(*m_fixture);
    });
}

void CtlActionsTest::makeSlow()
{
    m_fixture->cluster().psql(m_fixture->database(),
        u"SET ROLE app_owner; CREATE TABLE app.slow (seconds double precision); GRANT SELECT ON app.slow TO "
        u"idemdesk_runner_app_owner;"
        "CREATE FUNCTION app.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(s.seconds) FROM "
        "app.slow s; RETURN NULL; END $$;"
        "CREATE TRIGGER slow BEFORE DELETE ON app.k FOR EACH STATEMENT EXECUTE FUNCTION app.slow()"_s);
    registerTable(*m_fixture);
    m_fixture->cluster().psql(m_fixture->database(), u"INSERT INTO app.slow VALUES (60)"_s);
}

QProcessEnvironment CtlActionsTest::environment() const
{
    return privateEnvironment(m_home->path());
}

QStringList CtlActionsTest::on(QStringList arguments, const QString &login) const
{
    return arguments += { u"--connect"_s, m_fixture->cluster().conninfoAs(login, m_fixture->database()) };
}

ProgramRun CtlActionsTest::ctl(const QStringList &arguments, const QString &login) const
{
    return runProgram(QStringLiteral(IDEMDESKCTL), on(arguments, login), { environment() });
}

void CtlActionsTest::triageSaysWhatItKnows()
{
    QVERIFY(
        m_fixture->root().run(u"INSERT INTO app.eff SELECT 'o-1', tenant, key FROM app.k WHERE key = 'k001'"_s).ok());
    const ProgramRun run = ctl({ u"triage"_s, u"--target"_s, u"k2"_s, u"--json"_s });
    QCOMPARE(run.status, 0);
    QCOMPARE(run.items().size(), 50);
    QMap<QString, int> classes;
    for (const QJsonValue &item : run.items()) {
        ++classes[item[u"class"_s].toString()];
        QVERIFY(!item[u"reasons"_s].toArray().isEmpty());
        QVERIFY(!item[u"record"_s][u"key"_s].toString().isEmpty());
        if (item[u"record"_s][u"key"_s].toString() == u"k001") {
            QCOMPARE(item[u"proposed"_s].toString(), u"succeeded"_s);
            QCOMPARE(item[u"effect_id"_s].toString(), u"o-1"_s);
        }
    }
    QCOMPARE(classes,
        (QMap<QString, int> { { u"effect_happened"_s, 1 }, { u"needs_review"_s, 17 }, { u"safe_to_retry"_s, 32 } }));
    QCOMPARE(ctl({ u"triage"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"key:k001"_s, u"--json"_s }).items().size(), 1);
    QCOMPARE(ctl({ u"triage"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"attempts>=many"_s }).status, 2);
}

void CtlActionsTest::dryRunsChangeNothing_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::newRow("recover") << QStringList { u"recover"_s } << 4;
    QTest::newRow("requeue") << QStringList { u"requeue"_s, u"--filter"_s, u"state:failed_final"_s } << 0;
    QTest::newRow("purge") << QStringList { u"purge"_s } << 0;
    QTest::newRow("purge of the past") << QStringList { u"purge"_s, u"--before"_s, u"2020-01-01T00:00:00Z"_s } << 0;
}

void CtlActionsTest::dryRunsChangeNothing()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    const QString before = value(u"SELECT md5(string_agg(t::text, '|' ORDER BY key)) FROM app.k t"_s);
    const ProgramRun text = ctl(arguments + QStringList { u"--target"_s, u"k2"_s, u"--dry-run"_s });
    QVERIFY2(text.status == status, qPrintable(text.err));
    QVERIFY(!text.out.isEmpty());
    const ProgramRun json = ctl(arguments + QStringList { u"--target"_s, u"k2"_s, u"--dry-run"_s, u"--json"_s });
    QCOMPARE(json.status, status);
    QVERIFY(json.json().contains(u"rows"_s) && json.json().contains(u"groups"_s));
    QCOMPARE(value(u"SELECT md5(string_agg(t::text, '|' ORDER BY key)) FROM app.k t"_s), before);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
}

void CtlActionsTest::wrongCallsAreUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("no reason") << QStringList { u"recover"_s, u"--target"_s, u"k2"_s };
    QTest::newRow("an empty reason") << QStringList { u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"  "_s };
    QTest::newRow("no target") << QStringList { u"recover"_s, u"--reason"_s, u"x"_s };
    QTest::newRow("key without state") << QStringList { u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s,
        u"--key"_s, u"k001"_s };
    QTest::newRow("no such state") << QStringList { u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s,
        u"--key"_s, u"k001"_s, u"--to"_s, u"gone"_s };
    QTest::newRow("requeue of everything")
        << QStringList { u"requeue"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s };
    QTest::newRow("a filter that is none")
        << QStringList { u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s, u"--filter"_s, u"nonsense:1"_s };
    QTest::newRow("a time without offset") << QStringList { u"purge"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s,
        u"--before"_s, u"2026-01-01T00:00:00"_s };
    QTest::newRow("a state that stays") << QStringList { u"purge"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s,
        u"--states"_s, u"in_progress"_s };
    QTest::newRow("undo of nothing") << QStringList { u"actions"_s, u"undo"_s };
    QTest::newRow("undo without reason") << QStringList { u"actions"_s, u"undo"_s,
        u"7d444840-9dc0-11d1-b245-5ffdce74fad2"_s };
    QTest::newRow("no uuid") << QStringList { u"actions"_s, u"show"_s, u"17"_s };
    QTest::newRow("approve no uuid") << QStringList { u"approve"_s, u"17"_s };
    QTest::newRow("no such word") << QStringList { u"actions"_s, u"destroy"_s, u"x"_s };
    for (const QString &option : { u"--key"_s, u"--identity"_s }) {
        QTest::newRow(qPrintable(u"a filter beside "_s + option)) << QStringList { u"recover"_s, u"--target"_s, u"k2"_s,
            u"--reason"_s, u"x"_s, u"--to"_s, u"failed_final"_s, option, u"k001"_s, u"--filter"_s, u"key:other"_s };
    }
    QTest::newRow("an empty key") << QStringList { u"find"_s, u""_s };
    QTest::newRow("an empty key of a case") << QStringList { u"case"_s, u""_s };
    QTest::newRow("an empty filter") << QStringList { u"requeue"_s, u"--target"_s, u"k2"_s, u"--dry-run"_s,
        u"--filter"_s, u""_s };
    QTest::newRow("an empty customer") << QStringList { u"complaint"_s, u"--customer"_s, u""_s };
    QTest::newRow("an empty order") << QStringList { u"keys"_s, u"--target"_s, u"k2"_s, u"--order="_s };
    QTest::newRow("empty columns") << QStringList { u"keys"_s, u"--target"_s, u"k2"_s, u"--columns="_s };
    QTest::newRow("an empty file") << QStringList { u"export"_s, u"--target"_s, u"k2"_s, u"-o="_s };
    QTest::newRow("no rule of this kind") << QStringList { u"reclassify"_s, u"--target"_s, u"k2"_s, u"--filter"_s,
        u"state:succeeded"_s, u"--to"_s, u"failed_final"_s, u"--dry-run"_s };
    QTest::newRow("more places than an amount has") << QStringList { u"complaint"_s, u"--amount"_s, u"1.2345678"_s };
    QTest::newRow("audit of no such word") << QStringList { u"audit"_s, u"destroy"_s };
    QTest::newRow("audit of no such kind") << QStringList { u"audit"_s, u"--what"_s, u"foo"_s };
    QTest::newRow("audit of what is no id") << QStringList { u"audit"_s, u"--action"_s, u"xyz"_s };
}

void CtlActionsTest::wrongCallsAreUsage()
{
    QFETCH(QStringList, arguments);
    const ProgramRun run = ctl(arguments);
    QVERIFY2(run.status == 2, qPrintable(QString::number(run.status) + run.err));
    QVERIFY(!run.err.isEmpty());
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
}

/// Its worker may be finishing. A person who names it by --key knows better.
void CtlActionsTest::whatIsStuckForSecondsIsLeft()
{
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET locked_until = now() - interval '5 s' WHERE key = 'k001'"_s).ok());
    const QStringList recover { u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s };
    const ProgramRun many = ctl(recover);
    QCOMPARE(many.status, 4);
    QVERIFY2(many.out.contains("stuck for under a minute"), many.said().constData());
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"32"_s);
    QCOMPARE(value(u"SELECT status FROM app.k WHERE key = 'k001'"_s), u"processing"_s);
    QCOMPARE(ctl(recover + QStringList { u"--key"_s, u"k001"_s, u"--to"_s, u"failed_retryable"_s }).status, 0);
    QCOMPARE(value(u"SELECT status FROM app.k WHERE key = 'k001'"_s), u"failed"_s);
}

void CtlActionsTest::recoversAndUndoes()
{
    const QString before = value(u"SELECT md5(string_agg(t::text, '|' ORDER BY key)) FROM app.k t"_s);
    const ProgramRun run = ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"worker crashed"_s,
        u"--ticket"_s, u"OPS-1"_s, u"--json"_s });
    QVERIFY2(run.status == 4, qPrintable(run.err)); // 17 keys of the external scope are left
    QCOMPARE(run.json().value(u"state"_s).toString(), u"finished"_s);
    QCOMPARE(run.json().value(u"counts"_s)[u"done"_s].toInt(), 33);
    const QString id = run.json().value(u"id"_s).toString();
    const ProgramRun list = ctl({ u"actions"_s, u"--json"_s, u"--text"_s, u"ops-1"_s });
    QCOMPARE(list.items().size(), 1);
    QCOMPARE(list.items().first()[u"reason"_s].toString(), u"worker crashed"_s);
    const ProgramRun show = ctl({ u"actions"_s, u"show"_s, id, u"--json"_s });
    QCOMPARE(show.items().size(), 33);
    QCOMPARE(show.items().first()[u"before"_s][u"status"_s].toString(), u"processing"_s);
    QCOMPARE(show.items().first()[u"after"_s][u"status"_s].toString(), u"failed"_s);
    const ProgramRun undo = ctl({ u"actions"_s, u"undo"_s, id, u"--reason"_s, u"it lives"_s });
    QVERIFY2(undo.status == 0, qPrintable(undo.err));
    QCOMPARE(value(u"SELECT md5(string_agg(t::text, '|' ORDER BY key)) FROM app.k t"_s), before);
    QCOMPARE(ctl({ u"actions"_s, u"undo"_s, id, u"--reason"_s, u"again"_s }).status, 3); // nothing is left to undo
}

void CtlActionsTest::oneKeyByChoice()
{
    const ProgramRun run = ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--key"_s, u"k002"_s, u"--to"_s,
        u"failed_final"_s, u"--reason"_s, u"asked the bank"_s });
    QVERIFY2(run.status == 0, qPrintable(run.err));
    QCOMPARE(value(u"SELECT string_agg(key, ',') FROM app.k WHERE status = 'dead'"_s), u"k002"_s);
}

void CtlActionsTest::aPlanSaysWhatTheRunWould()
{
    // The effect is looked for by what the row of a claim does not have yet.
    registerTable(*m_fixture,
        R"({"effects": [{"type": "eff", "proves": true, "sql": "SELECT f.id AS id, NULL::timestamptz AS at, NULL::text AS state FROM app.eff f WHERE f.id = t.result"}]})");
    const QStringList one { u"recover"_s, u"--target"_s, u"k2"_s, u"--key"_s, u"k001"_s, u"--to"_s,
        u"failed_retryable"_s };
    const ProgramRun plan = ctl(one + QStringList { u"--dry-run"_s });
    QVERIFY2(plan.status == 4 && plan.out.contains("which is still empty"), plan.said().constData());
    const ProgramRun run = ctl(one + QStringList { u"--reason"_s, u"x"_s });
    QVERIFY2(run.status == 4 && run.out.contains("which is still empty"), run.said().constData());
    QVERIFY2(!run.said().contains("speaks against it"), run.said().constData());
    QCOMPARE(value(u"SELECT status FROM app.k WHERE key = 'k001'"_s), u"processing"_s);
    // An effect that exists speaks against it, and so does the plan.
    registerTable(*m_fixture);
    QVERIFY(
        m_fixture->root().run(u"INSERT INTO app.eff SELECT 'o-1', tenant, key FROM app.k WHERE key = 'k001'"_s).ok());
    const ProgramRun exists = ctl(one + QStringList { u"--dry-run"_s });
    QVERIFY2(exists.status == 4 && exists.out.contains("exists"), exists.said().constData());
}

void CtlActionsTest::whatIsDoneIsNotReviewed()
{
    const ProgramRun run = ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--key"_s, u"d0001"_s, u"--to"_s,
        u"failed_retryable"_s, u"--dry-run"_s });
    QVERIFY2(run.status == 4 && run.out.contains("It has succeeded already") && !run.out.contains("Needs review"),
        run.said().constData());
}

void CtlActionsTest::manyThatAreLeftAreCounted()
{
    const QStringList plan { u"requeue"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"state:succeeded"_s,
        u"--dry-run"_s };
    const ProgramRun counted = ctl(plan);
    QVERIFY2(counted.status == 4 && counted.out.count('\n') < 10, counted.out.constData());
    QVERIFY2(counted.err.contains(u"--wide"_s), qPrintable(counted.err));
    const ProgramRun all = ctl(plan + QStringList { u"--wide"_s });
    QVERIFY2(all.out.count('\n') > 100, all.out.constData());
}

void CtlActionsTest::theLastRowThatIsThereIsNamed()
{
    QCOMPARE(ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s }).status, 4);
    QCOMPARE(ctl({ u"audit"_s, u"verify"_s }).status, 0);
    const QString head = value(u"SELECT max(seq) FROM idemdesk.audit"_s);
    m_fixture->cluster().psql(m_fixture->database(),
        u"ALTER TABLE idemdesk.audit DISABLE TRIGGER keep_rows; DELETE FROM idemdesk.audit WHERE seq > 2; "
        "ALTER TABLE idemdesk.audit ENABLE ALWAYS TRIGGER keep_rows"_s);
    const ProgramRun run = ctl({ u"audit"_s, u"verify"_s });
    QVERIFY2(run.status == 1 && run.err.contains(u"ends at row 2, while its head still says row "_s + head),
        qPrintable(run.err));
}

void CtlActionsTest::anIntactLogMayBeUnprotected()
{
    const ProgramRun guarded = ctl({ u"audit"_s, u"verify"_s, u"--json"_s });
    QVERIFY2(guarded.status == 0 && guarded.json().value(u"protected"_s).toBool(), guarded.out.constData());
    m_fixture->cluster().psql(m_fixture->database(), u"ALTER TABLE idemdesk.audit DISABLE TRIGGER keep_rows"_s);
    const ProgramRun open = ctl({ u"audit"_s, u"verify"_s, u"--json"_s });
    QVERIFY(open.json().value(u"intact"_s).toBool() && !open.json().value(u"protected"_s).toBool(true));
    const ProgramRun told = ctl({ u"audit"_s, u"verify"_s });
    QVERIFY2(told.err.contains(u"not protected"_s), qPrintable(told.err));
}

void CtlActionsTest::purgesToTheEnd()
{
    const QString expected = value(u"SELECT count(*) FROM app.k WHERE key LIKE 'd%'"_s);
    const ProgramRun run = ctl({ u"purge"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"monthly"_s, u"--json"_s });
    QVERIFY2(run.status == 0, qPrintable(run.err));
    QCOMPARE(QString::number(run.json().value(u"counts"_s)[u"purged"_s].toInt()), expected);
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE key LIKE 'd%'"_s), u"0"_s);
    QCOMPARE(ctl({ u"purge"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"again"_s }).status, 0); // nothing to do
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action"_s), u"1"_s);
}

/// The way back asks for evidence as the way there does: an effect that came since keeps a key from being freed.
void CtlActionsTest::anUndoFreesNoPaidKey()
{
    registerTable(*m_fixture, R"({"actions": {"recover": [], "requeue": [], "reclassify": [
        {"from": ["failed_retryable"], "to": "succeeded", "needs_effect": "eff",
         "set": {"status": "'succeeded'", "result": "$effect_id"}},
        {"from": ["failed_retryable"], "to": "failed_final", "set": {"status": "'dead'"}}]}})");
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET status = 'failed' WHERE key IN ('k001', 'k002', 'k003')"_s).ok());
    const auto reclassified = [this](const QString &filter, const QString &to) {
        const ProgramRun run = ctl({ u"reclassify"_s, u"--target"_s, u"k2"_s, u"--filter"_s, filter, u"--to"_s, to,
            u"--reason"_s, u"x"_s, u"--json"_s });
        return run.json().value(u"id"_s).toString();
    };
    const QString dead = reclassified(u"key:k001,k002"_s, u"failed_final"_s);
    QVERIFY(!dead.isEmpty());
    QVERIFY(
        m_fixture->root().run(u"INSERT INTO app.eff SELECT 'late', tenant, key FROM app.k WHERE key = 'k001'"_s).ok());
    const ProgramRun undo = ctl({ u"actions"_s, u"undo"_s, dead, u"--reason"_s, u"back"_s });
    QCOMPARE(undo.status, 4);
    QVERIFY2(undo.err.contains(u"k001 was left: "_s) && !undo.err.contains(u"k002"_s), qPrintable(undo.err));
    QCOMPARE(value(u"SELECT status FROM app.k WHERE key = 'k001'"_s), u"dead"_s);
    QCOMPARE(value(u"SELECT status FROM app.k WHERE key = 'k002'"_s), u"failed"_s);
    QVERIFY(
        m_fixture->root().run(u"INSERT INTO app.eff SELECT 'own', tenant, key FROM app.k WHERE key = 'k003'"_s).ok());
    const QString settled = reclassified(u"key:k003"_s, u"succeeded"_s);
    QVERIFY(!settled.isEmpty());
    QCOMPARE(value(u"SELECT status || ' ' || result FROM app.k WHERE key = 'k003'"_s), u"succeeded own"_s);
    QCOMPARE(ctl({ u"actions"_s, u"undo"_s, settled, u"--reason"_s, u"back"_s }).status, 4);
    QCOMPARE(value(u"SELECT status || ' ' || result FROM app.k WHERE key = 'k003'"_s), u"succeeded own"_s);
}

/// Whoever asks for a key that was purged is told by whom, when and why.
void CtlActionsTest::whatWasPurgedIsTold()
{
    const ProgramRun before = ctl({ u"find"_s, u"never"_s });
    QVERIFY2(before.status != 0 && !before.err.contains(u"monthly"_s), before.said().constData());
    QCOMPARE(ctl({ u"purge"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"monthly"_s }).status, 0);
    for (const QStringList &question :
        { QStringList { u"find"_s, u"d0002"_s }, QStringList { u"show"_s, u"d0002"_s, u"--target"_s, u"k2"_s },
            QStringList { u"case"_s, u"d0002"_s, u"--target"_s, u"k2"_s, u"-o"_s, m_home->filePath(u"gone.json"_s) },
            QStringList { u"recover"_s, u"--key"_s, u"d0002"_s, u"--to"_s, u"failed_final"_s, u"--target"_s, u"k2"_s,
                u"--reason"_s, u"x"_s } }) {
        const ProgramRun told = ctl(question);
        QVERIFY2(told.status != 0 && told.err.contains(u"by op on "_s) && told.err.contains(u"Reason: monthly."_s),
            qPrintable(question.join(u' ') + u": "_s + QString::fromUtf8(told.said())));
        QVERIFY2(!told.err.contains(u"may have been purged"_s), told.said().constData());
    }
    const ProgramRun asked = ctl({ u"complaint"_s, u"--key"_s, u"d0002"_s });
    QVERIFY2(asked.status != 0 && asked.said().contains("Reason: monthly."), asked.said().constData());
    // A key that nobody ever had says nothing of the kind.
    QVERIFY(!ctl({ u"find"_s, u"never"_s }).err.contains(u"monthly"_s));
}

/// A purge with an archive moves. Whoever asks for such a key later is told where it is, and nothing acts there.
void CtlActionsTest::whatWasMovedIsFoundInItsArchive()
{
    QVERIFY(
        m_fixture->root()
            .run(u"SET ROLE app_owner; CREATE TABLE app.k_old (tenant text NOT NULL, key text NOT NULL, status text "
                 "NOT NULL, result text, PRIMARY KEY (tenant, key)); GRANT SELECT, INSERT, DELETE ON app.k_old TO "
                 "idemdesk_runner_app_owner; GRANT SELECT ON app.k_old TO op, op2, adm; RESET ROLE"_s)
            .ok());
    registerTable(*m_fixture,
        R"({"history": {"relation": "app.k_old", "columns": ["tenant", "key", "status", "result"]}})", u"k2"_s);
    QVERIFY(!ctl({ u"find"_s, u"d0002"_s, u"--json"_s }).out.contains("k2.history"));
    const ProgramRun purged = ctl({ u"purge"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"monthly"_s, u"--json"_s });
    QVERIFY2(purged.status == 0, qPrintable(purged.err));
    QCOMPARE(value(u"SELECT count(*) FROM app.k_old"_s), u"600"_s);

    const ProgramRun found = ctl({ u"find"_s, u"d0002"_s, u"--json"_s });
    QVERIFY2(found.out.contains("k2.history"), found.out.constData());
    const ProgramRun asked = ctl({ u"complaint"_s, u"--key"_s, u"d0002"_s, u"--json"_s });
    QVERIFY2(asked.out.contains("k2.history"), qPrintable(QString::fromUtf8(asked.out) + asked.err));
    const ProgramRun shown = ctl({ u"show"_s, u"d0002"_s, u"--target"_s, u"k2.history"_s, u"--json"_s });
    QVERIFY2(shown.status == 0, qPrintable(shown.err));
    QVERIFY2(shown.out.contains("runs_again"), shown.out.constData());
    QVERIFY2(shown.out.contains("monthly"), shown.out.constData()); // who moved it, and why
    const ProgramRun listed
        = ctl({ u"keys"_s, u"--target"_s, u"k2.history"_s, u"--filter"_s, u"state:succeeded"_s, u"--json"_s });
    QVERIFY2(listed.items().size() > 0, qPrintable(listed.err));
    // Nobody should register a table twice.
    QVERIFY(ctl({ u"detect"_s, u"--schema"_s, u"app"_s, u"--json"_s }).out.contains("It is registered as"));
    // Of the table itself it is said where to look.
    const ProgramRun gone = ctl({ u"show"_s, u"d0002"_s, u"--target"_s, u"k2"_s });
    QVERIFY2(gone.status != 0 && gone.err.contains(u"k2.history"), qPrintable(gone.err));
    for (const QStringList &action : { QStringList { u"recover"_s }, QStringList { u"purge"_s } }) {
        const ProgramRun refused = ctl(action + QStringList { u"--target"_s, u"k2.history"_s, u"--reason"_s, u"x"_s });
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains(u"only reads"), qPrintable(refused.err));
    }
    QCOMPARE(value(u"SELECT count(*) FROM app.k_old"_s), u"600"_s);
    // A view in its place would run its functions in the name of whoever looks.
    QVERIFY(
        m_fixture->root()
            .run(u"SET ROLE app_owner; ALTER TABLE app.k_old RENAME TO k_was; CREATE VIEW app.k_old AS SELECT * FROM "
                 "app.k_was; GRANT SELECT ON app.k_old TO op; RESET ROLE"_s)
            .ok());
    const ProgramRun swapped = ctl({ u"find"_s, u"d0002"_s });
    QVERIFY2(swapped.status != 0 && swapped.said().contains("is a view"), swapped.said().constData());
    QVERIFY(ctl({ u"keys"_s, u"--target"_s, u"k2.history"_s }).status != 0);
    QVERIFY(m_fixture->root().run(u"DROP VIEW app.k_old; ALTER TABLE app.k_was RENAME TO k_old"_s).ok());
    // Where the archive cannot be read, "no match" is not said.
    QVERIFY(m_fixture->root().run(u"REVOKE SELECT ON app.k_old FROM op"_s).ok());
    const ProgramRun unread = ctl({ u"find"_s, u"d0002"_s });
    QVERIFY2(unread.status != 0 && (unread.err + QString::fromUtf8(unread.out)).contains(u"k2.history"),
        qPrintable(unread.err));
}

/// With the shipped preset, on tables with the columns and the row security that the library gives them.
void CtlActionsTest::aJobIsFreedWithItsQueue()
{
    const auto make = m_fixture->root().run(
        u"CREATE SCHEMA graphile_worker AUTHORIZATION app_owner; SET ROLE app_owner;"
        "CREATE TABLE graphile_worker._private_tasks (id integer PRIMARY KEY, identifier text NOT NULL UNIQUE);"
        "CREATE TABLE graphile_worker._private_job_queues (id integer PRIMARY KEY, queue_name text NOT NULL UNIQUE,"
        " locked_at timestamptz, locked_by text, is_available boolean GENERATED ALWAYS AS (locked_at IS NULL) STORED);"
        "CREATE TABLE graphile_worker._private_jobs (id bigint PRIMARY KEY, job_queue_id integer, task_id integer NOT "
        "NULL,"
        " payload json NOT NULL DEFAULT '{}', priority smallint NOT NULL DEFAULT 0, run_at timestamptz NOT NULL "
        "DEFAULT "
        "now(),"
        " attempts smallint NOT NULL DEFAULT 0, max_attempts smallint NOT NULL DEFAULT 25, last_error text,"
        " created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), key text "
        "UNIQUE,"
        " locked_at timestamptz, locked_by text, revision integer NOT NULL DEFAULT 0, flags jsonb,"
        " is_available boolean GENERATED ALWAYS AS (locked_at IS NULL AND attempts < max_attempts) STORED);"
        "INSERT INTO graphile_worker._private_tasks VALUES (1, 'send_mail');"
        "INSERT INTO graphile_worker._private_job_queues VALUES (1, 'mail', now() - interval '5 hours', 'pool-b'),"
        " (2, 'post', now(), 'pool-c');"
        "INSERT INTO graphile_worker._private_jobs (id, job_queue_id, task_id, attempts, locked_at, locked_by) VALUES"
        " (6, NULL, 1, 1, now() - interval '5 hours', 'pool-b'), (7, 1, 1, 1, now() - interval '5 hours', 'pool-b'),"
        " (8, 2, 1, 1, now() - interval '5 hours', 'pool-b'), (9, 2, 1, 1, now(), 'pool-c');"
        "ALTER TABLE graphile_worker._private_tasks ENABLE ROW LEVEL SECURITY;"
        "ALTER TABLE graphile_worker._private_job_queues ENABLE ROW LEVEL SECURITY;"
        "ALTER TABLE graphile_worker._private_jobs ENABLE ROW LEVEL SECURITY;"
        "GRANT USAGE ON SCHEMA graphile_worker TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA graphile_worker TO op, "
        "adm; RESET ROLE"_s);
    QVERIFY2(make.ok(), qPrintable(make.value()));
    const QStringList target { u"--target"_s, u"graphile-worker"_s };
    for (const char16_t *table : { u"tasks", u"job_queues", u"jobs" }) {
        QVERIFY(
            m_fixture->root()
                .run(u"CREATE POLICY every ON graphile_worker._private_%1 TO op, adm, idemdesk_runner_app_owner USING "
                     "(true) WITH CHECK (true)"_s.arg(QString::fromUtf16(table)))
                .ok());
    }
    // What its owner has to give is listed in the order in which it runs, for the second table as well.
    const ProgramRun missing = ctl({ u"targets"_s, u"add"_s, u"graphile-worker"_s, u"--json"_s }, u"adm"_s);
    QStringList grants;
    for (const QJsonValue &finding : missing.json().value(u"findings"_s).toArray()) {
        if (finding[u"severity"_s].toString() == u"grant") {
            grants += finding[u"sql"_s].toString();
        }
    }
    QVERIFY2(!grants.filter(u"_private_job_queues"_s).isEmpty(), missing.said().constData());
    const auto granted = m_fixture->root().run(grants.join(u"; "_s));
    QVERIFY2(granted.ok(), qPrintable(granted.value()));
    const ProgramRun added = ctl({ u"targets"_s, u"add"_s, u"graphile-worker"_s }, u"adm"_s);
    QVERIFY2(added.status == 0, added.said().constData());

    const QString jobs = u"SELECT string_agg(id || ' ' || coalesce(locked_by, 'free'), ', ' ORDER BY id) FROM "
                         "graphile_worker._private_jobs"_s;
    const QString queues = u"SELECT string_agg(id || ' ' || coalesce(locked_by, 'free'), ', ' ORDER BY id) FROM "
                           "graphile_worker._private_job_queues"_s;
    const QString lockedJobs = value(jobs);
    const QString lockedQueues = value(queues);
    const ProgramRun run = ctl(QStringList { u"recover"_s, u"--reason"_s, u"pool-b died"_s, u"--json"_s } + target);
    // Job 8 is locked by one worker and its queue by another: that is for a person to look at.
    QCOMPARE(value(jobs), u"6 free, 7 free, 8 pool-b, 9 pool-c"_s);
    QCOMPARE(value(queues), u"1 free, 2 pool-c"_s);
    QVERIFY2(run.out.contains("has no row for it as the rule needs it"), run.said().constData());
    const QString action = value(u"SELECT id FROM idemdesk.action WHERE verb = 'recover'"_s);
    const ProgramRun shown = ctl({ u"actions"_s, u"show"_s, action });
    QVERIFY2(shown.out.contains("_private_job_queues") && shown.out.contains("pool-b"), shown.said().constData());
    const ProgramRun undone = ctl({ u"actions"_s, u"undo"_s, action, u"--reason"_s, u"it lives"_s });
    QVERIFY2(undone.status == 0, undone.said().constData());
    QCOMPARE(value(jobs), lockedJobs);
    QCOMPARE(value(queues), lockedQueues);
    QCOMPARE(ConsoleFixture::verified(m_fixture->root()), u"t"_s);
}

void CtlActionsTest::aReviewListsWhatIsLeft()
{
    const QStringList review { u"review"_s, u"--target"_s, u"k2"_s };
    const QJsonObject whole = ctl(review + QStringList { u"--json"_s }).json();
    const QJsonArray questions = whole.value(u"questions"_s).toArray();
    const int left = whole.value(u"gaps"_s).toInt() + whole.value(u"open"_s).toInt();
    QVERIFY(left > 0 && left < questions.size());
    const QStringList only { u"--only"_s, u"gap"_s, u"--only"_s, u"open"_s };
    const QJsonObject listed = ctl(review + only + QStringList { u"--json"_s }).json();
    QCOMPARE(listed.value(u"questions"_s).toArray().size(), left);
    QCOMPARE(listed.value(u"settled"_s), whole.value(u"settled"_s)); // counts are of all
    const ProgramRun text = ctl(review + only);
    QVERIFY2(
        text.status == 0 && text.out.contains("?") && !text.out.contains("\xe2\x9c\x93 "), text.said().constData());
    QCOMPARE(ctl(review + QStringList { u"--only"_s, u"bad"_s }).status, 2);
    const QStringList sign { u"review"_s, u"sign"_s, u"key_source"_s, u"--target"_s, u"k2"_s, u"--verdict"_s,
        u"settled"_s, u"--note"_s, u"x"_s };
    QCOMPARE(ctl(sign + only).status, 2);
}

namespace {

const QByteArray kDrill
    = R"json({"perform": ["INSERT INTO app.k (tenant, key, status) VALUES ('drill', $key, 'succeeded') ON CONFLICT DO NOTHING"],
    "effects": "SELECT count(*) FROM app.k WHERE tenant = 'drill' AND key = $key",
    "cleanup": ["DELETE FROM app.k WHERE tenant = 'drill' AND key = $key"]})json";

QStringList trusting(const QByteArray &text)
{
    return { u"--trust"_s, QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex()) };
}

} // namespace

QString CtlActionsTest::drillFile(const QByteArray &json)
{
    m_fixture->root().run(u"GRANT INSERT, DELETE ON app.k TO op; COMMENT ON DATABASE %1 IS 'idemdesk: test'"_s.arg(
        m_fixture->database()));
    QFile file(m_home->filePath(u"drill.json"_s));
    if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size()) {
        qFatal("the drill could not be written");
    }
    return file.fileName();
}

/// What a file says is run for good, so nobody runs it unseen: neither statements nor a profile's.
void CtlActionsTest::aDrillRunsOnlyWhatWasConfirmed()
{
    const QString before = value(u"SELECT count(*) FROM app.k"_s);
    const QStringList statements { u"drill"_s, u"--target"_s, u"k2"_s, u"--statements"_s, drillFile(kDrill) };
    const ProgramRun asked = ctl(statements);
    QCOMPARE(asked.status, 3);
    QVERIFY2(asked.err.contains(u"DELETE FROM app.k WHERE tenant = 'drill'"_s) && asked.err.contains(u"--trust"_s),
        qPrintable(asked.err));
    QCOMPARE(ctl(statements + trusting("another file")).status, 3);
    QCOMPARE(ctl(statements + QStringList { u"--dry-run"_s }).status, 0); // runs none
    const ProgramRun run = ctl(statements + trusting(kDrill) + QStringList { u"--json"_s });
    QVERIFY2(run.status == 1 && run.json().value(u"tests"_s).toArray().size() == 8, run.said().constData()); // payloads
    const QByteArray profile = tableProfile(R"json({"drill": )json" + kDrill + "}");
    const QStringList target { u"drill"_s, u"--target"_s, drillFile(profile) };
    QCOMPARE(ctl(target).status, 3);
    QCOMPARE(ctl(target + trusting(profile)).status, 1);
    // Nor what somebody registered: it runs with the rights of whoever runs the drill.
    registerTable(*m_fixture, R"json({"drill": )json" + kDrill + "}", u"drilled"_s);
    const QStringList registered { u"drill"_s, u"--target"_s, u"drilled"_s };
    const ProgramRun unseen = ctl(registered);
    QVERIFY2(unseen.status == 3 && unseen.err.contains(u"DELETE FROM app.k WHERE tenant = 'drill'"_s),
        unseen.said().constData());
    const QByteArray stored = value(u"SELECT profile FROM idemdesk.target WHERE name = 'drilled'"_s).toUtf8();
    QCOMPARE(ctl(registered + trusting(stored)).status, 1);
    QCOMPARE(value(u"SELECT count(*) FROM app.k"_s), before);
}

void CtlActionsTest::controlCEndsADrillTidily()
{
    const QStringList drill { u"drill"_s, u"--target"_s, u"k2"_s, u"--statements"_s, drillFile(kDrill) };
    const QString before = value(u"SELECT count(*) FROM app.k"_s);
    const auto holder = m_fixture->as(m_fixture->superuser());
    QVERIFY(holder->run(u"BEGIN; LOCK TABLE app.k IN SHARE MODE"_s).ok());
    QProcess process;
    process.setProcessEnvironment(environment());
    process.start(QStringLiteral(IDEMDESKCTL), on(drill + trusting(kDrill), u"op"_s));
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name LIKE 'idemdesk "
                                    "drill%' AND wait_event_type = 'Lock'"_s),
        u"t"_s, 20'000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardError()).contains("Stopping after this test"), 20'000);
    QVERIFY(holder->run(u"ROLLBACK"_s).ok());
    QVERIFY(process.waitForFinished(20'000));
    QCOMPARE(process.exitCode(), 5);
    QCOMPARE(value(u"SELECT count(*) FROM app.k"_s), before);
}

void CtlActionsTest::controlCCancels()
{
    makeSlow();
    QProcess process;
    process.setProcessEnvironment(environment());
    process.start(
        QStringLiteral(IDEMDESKCTL), on({ u"purge"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"monthly"_s }, u"op"_s));
    QTRY_COMPARE_WITH_TIMEOUT(
        value(u"SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"_s), u"1"_s, 20'000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(20'000));
    QCOMPARE(process.exitCode(), 1);
    QCOMPARE(value(u"SELECT state FROM idemdesk.action"_s), u"cancelled"_s);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.quarantine"_s), u"0"_s);
}

void CtlActionsTest::killedRunIsResumed()
{
    makeSlow();
    QProcess process;
    process.setProcessEnvironment(environment());
    process.start(
        QStringLiteral(IDEMDESKCTL), on({ u"purge"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"monthly"_s }, u"op"_s));
    QTRY_COMPARE_WITH_TIMEOUT(
        value(u"SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"_s), u"1"_s, 20'000);
    process.kill();
    QVERIFY(process.waitForFinished(20'000));
    m_fixture->root().run(u"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"_s);
    QTRY_COMPARE_WITH_TIMEOUT(
        value(u"SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"_s), u"0"_s, 20'000);
    m_fixture->cluster().psql(m_fixture->database(), u"DELETE FROM app.slow"_s);
    QCOMPARE(value(u"SELECT state FROM idemdesk.action"_s), u"running"_s);
    const QString id = value(u"SELECT id FROM idemdesk.action"_s);
    const ProgramRun other = ctl({ u"purge"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"me too"_s }, u"op2"_s);
    QVERIFY2(other.status == 3 && other.err.contains(id), qPrintable(other.err)); // one open purge a target
    const ProgramRun run = ctl({ u"actions"_s, u"resume"_s, id }, u"op2"_s);
    QVERIFY2(run.status == 0, qPrintable(run.err));
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE key LIKE 'd%'"_s), u"0"_s);
    QCOMPARE(ctl({ u"actions"_s, u"resume"_s, id }, u"op2"_s).status, 1); // it is over
}

void CtlActionsTest::approvalIsAskedAndGiven()
{
    m_fixture->root().run(u"UPDATE idemdesk.target_limit SET approval_above = 3 WHERE relation = 'app.k'::regclass"_s);
    for (const QString &verb : { u"purge"_s, u"recover"_s }) {
        const ProgramRun dry = ctl({ verb, u"--target"_s, u"k2"_s, u"--dry-run"_s });
        QVERIFY2(dry.err.contains(u"Above 3 rows another person must approve"_s), qPrintable(dry.err));
    }
    const ProgramRun asked
        = ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"worker crashed"_s, u"--json"_s });
    QCOMPARE(asked.status, 3);
    const QString id = asked.json().value(u"id"_s).toString();
    QCOMPARE(asked.json().value(u"state"_s).toString(), u"requested"_s);
    QCOMPARE(ctl({ u"requests"_s, u"--json"_s }, u"appr"_s).items().size(), 1);
    const ProgramRun named = ctl({ u"requests"_s }, u"appr"_s);
    QVERIFY2(named.out.contains("t0 / k003 becomes ") && named.out.contains("and 28 more"), named.out.constData());
    QVERIFY(ctl({ u"requests"_s, u"--verbose"_s }, u"appr"_s).out.contains("t1 / k049"));
    m_fixture->root().run(u"REVOKE SELECT ON app.k FROM appr"_s);
    const ProgramRun hidden = ctl({ u"requests"_s }, u"appr"_s);
    QVERIFY2(hidden.out.contains("may not read what names the rows") && !hidden.out.contains("k003"),
        hidden.out.constData());
    const ProgramRun shown = ctl({ u"requests"_s, u"--json"_s }, u"op"_s);
    QCOMPARE(shown.items().first()[u"rows_asked"_s][0][u"identity"_s][1].toString(), u"k003"_s);
    QCOMPARE(ctl({ u"approve"_s, id }).status, 3); // who asked may not
    QCOMPARE(ctl({ u"actions"_s, u"resume"_s, id }).status, 1); // not yet
    const ProgramRun approved = ctl({ u"approve"_s, id, u"--reason"_s, u"seen"_s }, u"appr"_s);
    QVERIFY2(approved.status == 0 && approved.out.contains("Approved, not begun"), approved.said().constData());
    QCOMPARE(ctl({ u"actions"_s, u"resume"_s, id }).status, 0);
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"33"_s);
    const ProgramRun second = ctl({ u"purge"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"monthly"_s, u"--json"_s });
    QCOMPARE(ctl({ u"approve"_s, second.json().value(u"id"_s).toString(), u"--decline"_s }, u"appr"_s).status, 0);
    QCOMPARE(value(u"SELECT state FROM idemdesk.action WHERE verb = 'purge'"_s), u"declined"_s);
}

void CtlActionsTest::rightsAreMissed_data()
{
    QTest::addColumn<QString>("login");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("role");
    QTest::newRow("viewer recovers") << u"viewer"_s
                                     << QStringList { u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s }
                                     << u"idemdesk_operator"_s;
    QTest::newRow("viewer purges") << u"viewer"_s
                                   << QStringList { u"purge"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s }
                                   << u"idemdesk_operator"_s;
    QTest::newRow("operator registers") << u"op"_s
                                        << QStringList { u"targets"_s, u"add"_s, u"pending-key"_s, u"--relation"_s,
                                               u"app.k"_s }
                                        << u""_s;
    QTest::newRow("operator takes out") << u"op"_s << QStringList { u"targets"_s, u"remove"_s, u"k2"_s }
                                        << u"idemdesk_admin"_s;
    QTest::newRow("shipped, not registered")
        << u"op"_s << QStringList { u"recover"_s, u"--target"_s, u"plpgsql-request"_s, u"--reason"_s, u"x"_s }
        << u"targets add"_s;
}

void CtlActionsTest::rightsAreMissed()
{
    QFETCH(QString, login);
    QFETCH(QStringList, arguments);
    QFETCH(QString, role);
    const ProgramRun run = ctl(arguments, login);
    QVERIFY2(run.status == 3 || role.isEmpty(), qPrintable(QString::number(run.status) + run.err));
    QVERIFY2(run.err.contains(role), qPrintable(run.err));
    QVERIFY(run.status != 0);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.target WHERE name = 'k2'"_s), u"1"_s);
}

void CtlActionsTest::targetsAreRegisteredAndTakenOut()
{
    QCOMPARE(ctl({ u"targets"_s, u"--json"_s }).items().size(), 2);
    QCOMPARE(ctl({ u"targets"_s, u"remove"_s, u"k2"_s }, u"adm"_s).status, 0);
    QFile file(m_home->filePath(u"k2.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(tableProfile());
    file.close();
    const QStringList trusted { u"--trust"_s,
        QString::fromLatin1(QCryptographicHash::hash(tableProfile(), QCryptographicHash::Sha256).toHex()) };
    m_fixture->cluster().psql(m_fixture->database(), u"REVOKE DELETE ON app.k FROM idemdesk_runner_app_owner"_s);
    const ProgramRun missing = ctl(QStringList { u"targets"_s, u"add"_s, file.fileName() } + trusted, u"adm"_s);
    QCOMPARE(missing.status, 3);
    QVERIFY2(
        missing.out.contains("GRANT DELETE, INSERT ON app.k TO idemdesk_runner_app_owner;"), missing.out.constData());
    m_fixture->cluster().psql(m_fixture->database(), u"GRANT DELETE ON app.k TO idemdesk_runner_app_owner"_s);
    const ProgramRun dry
        = ctl(QStringList { u"targets"_s, u"add"_s, file.fileName(), u"--dry-run"_s, u"--json"_s } + trusted, u"adm"_s);
    QCOMPARE(dry.status, 0);
    QCOMPARE(dry.json().value(u"registered"_s).toBool(), false);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.target WHERE name = 'k2'"_s), u"0"_s);
    const ProgramRun added = ctl(QStringList { u"targets"_s, u"add"_s, file.fileName(), u"--approval-above"_s, u"5"_s,
                                     u"--undo-window"_s, u"3 days"_s }
            + trusted,
        u"adm"_s);
    QVERIFY2(added.status == 0, qPrintable(added.err));
    QCOMPARE(
        value(u"SELECT approval_above || ' ' || undo_window FROM idemdesk.target WHERE name = 'k2'"_s), u"5 3 days"_s);
    QCOMPARE(ctl(QStringList { u"targets"_s, u"add"_s, file.fileName(), u"--approval-above"_s, u"many"_s } + trusted,
                 u"adm"_s)
                 .status,
        2);
}

void CtlActionsTest::alertsMakeTheExitStatus()
{
    QVERIFY(ctl({ u"sample"_s }).status == 0);
    const ProgramRun firing = ctl({ u"check"_s, u"--alerts"_s, u"--json"_s, u"--target"_s, u"k2"_s });
    QJsonObject byId;
    for (const QJsonValue &item : firing.items()) {
        byId.insert(item.toObject().value(u"id"_s).toString(), item);
    }
    QVERIFY2(byId.contains(u"stale_old"_s) && byId.contains(u"lock_wait"_s), firing.out.constData());
    QCOMPARE(byId.value(u"lock_wait"_s).toObject().value(u"state"_s).toString(), u"quiet"_s);
    // One sample of a key that has been stale for two hours, six minutes ago and now.
    QVERIFY(
        m_fixture->root()
            .run(
                u"INSERT INTO idemdesk.sample_run (target, bucket_start) SELECT 'k2', date_trunc('minute', now()) - m "
                u"* interval '1 minute' FROM generate_series(0, 7) m ON CONFLICT DO NOTHING; "
                "SET ROLE idemdesk_owner; SELECT idemdesk._ensure_span('sample_minute', 'day', now() - m * interval '1 "
                "minute') FROM (VALUES (0), (7)) AS x (m); RESET ROLE; " // a day may begin between them
                "INSERT INTO idemdesk.sample SELECT 'minute', date_trunc('minute', now()) - m * interval '1 minute', 'k2', 'oldest_stale', '[\"made up\"]', 7200, 0, 7200, 1 FROM generate_series(0, 7) m"_s)
            .ok());
    const ProgramRun now = ctl({ u"check"_s, u"--alerts"_s, u"--target"_s, u"k2"_s });
    QCOMPARE(now.status, 1);
    QVERIFY2(now.out.contains("Firing") && now.out.contains("2 h"), now.out.constData());
    QCOMPARE(ctl({ u"check"_s, u"--alerts"_s, u"--target"_s, u"nobody"_s }).status, 2);
}

void CtlActionsTest::aSessionIsStoppedWithAReason()
{
    m_fixture->cluster().psql(m_fixture->database(),
        u"GRANT USAGE ON SCHEMA app TO service; GRANT SELECT, UPDATE ON app.k TO service; GRANT pg_read_all_stats, pg_signal_backend TO op"_s);
    const auto worker = m_fixture->as(u"service"_s);
    QVERIFY(worker->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s).ok());
    const QString pid = QString::number(worker->pid());
    const ProgramRun listed = ctl({ u"activity"_s, u"--target"_s, u"k2"_s, u"--json"_s });
    QCOMPARE(listed.items().size(), 1);
    QCOMPARE(ctl({ u"activity"_s, u"terminate"_s, pid }).status, 2); // no reason
    QCOMPARE(ctl({ u"activity"_s, u"kill"_s, pid, u"--reason"_s, u"x"_s }).status, 2);
    const QStringList nobody { u"activity"_s, u"terminate"_s, u"1"_s, u"--reason"_s, u"x"_s };
    QCOMPARE(ctl(nobody + QStringList { u"--target"_s, u"k2"_s }).status, 2); // it is not listed
    QCOMPARE(ctl(nobody).status, 5); // what "k" says of its table cannot be read: it may be there
    QCOMPARE(ctl({ u"activity"_s, u"terminate"_s, pid, u"--reason"_s, u"x"_s }, u"viewer"_s).status, 3);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.backend_signal"_s), u"0"_s);
    const ProgramRun done = ctl({ u"activity"_s, u"terminate"_s, pid, u"--reason"_s, u"holds a claim"_s, u"--json"_s });
    QVERIFY2(done.status == 0, qPrintable(done.err));
    QCOMPARE(done.json().value(u"outcome"_s).toString(), u"sent"_s);
    QCOMPARE(worker->run(u"SELECT 1"_s).state.isEmpty(), false);
    QCOMPARE(value(u"SELECT requested_by || ' ' || outcome FROM idemdesk.backend_signal"_s), u"op sent"_s);
}

void CtlActionsTest::samplingByCronSaysWhatIsInTheWay()
{
    const ProgramRun status = ctl({ u"sample"_s, u"--cron"_s, u"status"_s, u"--json"_s });
    QCOMPARE(status.status, 0);
    QCOMPARE(status.json().value(u"state"_s).toString(), u"no_extension"_s);
    QCOMPARE(ctl({ u"sample"_s, u"--cron"_s, u"on"_s }).status, 3);
    QCOMPARE(ctl({ u"sample"_s, u"--cron"_s, u"maybe"_s }).status, 2);
}

void CtlActionsTest::trailIsListedExportedAndChecked()
{
    QCOMPARE(ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"=cmd|' /C calc'!A0"_s }).status, 4);
    const ProgramRun list = ctl({ u"audit"_s, u"--json"_s, u"--person"_s, u"op"_s });
    QVERIFY(list.items().size() >= 2);
    QCOMPARE(list.items().first()[u"who"_s].toString(), u"op"_s);
    const QString action = m_fixture->root().value(u"SELECT max(id::text) FROM idemdesk.action"_s);
    const ProgramRun ofOne = ctl({ u"audit"_s, u"--json"_s, u"--action"_s, action.left(8), u"--what"_s, u"open"_s });
    QCOMPARE(ofOne.items().size(), 1);
    QCOMPARE(ofOne.items().first()[u"action"_s].toString(), action);
    const ProgramRun csv = ctl({ u"audit"_s, u"export"_s });
    QVERIFY(csv.out.startsWith("seq,at,who"));
    QVERIFY(!QRegularExpression(u"(^|,)[=+@-]"_s, QRegularExpression::MultilineOption)
                 .match(QString::fromUtf8(csv.out))
                 .hasMatch());
    const QString file = m_home->filePath(u"trail.jsonl"_s);
    QCOMPARE(ctl({ u"audit"_s, u"export"_s, u"--format"_s, u"jsonl"_s, u"-o"_s, file }).status, 0);
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(QString::number(written.readAll().count('\n')), value(u"SELECT count(*) FROM idemdesk.audit"_s));
    QCOMPARE(ctl({ u"audit"_s, u"export"_s, u"-o"_s, file }).status, 1); // it is there already
    const ProgramRun lately = ctl({ u"audit"_s, u"--since"_s, u"1h"_s, u"--json"_s });
    QVERIFY2(lately.status == 0 && !lately.json().value(u"items"_s).toArray().isEmpty(), qPrintable(lately.err));
    const ProgramRun first = ctl({ u"audit"_s, u"verify"_s, u"--json"_s });
    QCOMPARE(first.status, 0);
    QCOMPARE(first.json().value(u"anchor"_s).toString(), u"none"_s);
    QCOMPARE(ctl({ u"audit"_s, u"verify"_s, u"--json"_s }).json().value(u"anchor"_s).toString(), u"matches"_s);
    const ProgramRun anchor = ctl({ u"audit"_s, u"anchor"_s });
    QCOMPARE(anchor.status, 0);
    QCOMPARE(QString::number(anchor.json().value(u"seq"_s).toInt()), value(u"SELECT max(seq) FROM idemdesk.audit"_s));
    m_fixture->cluster().psql(m_fixture->database(),
        u"BEGIN; ALTER TABLE idemdesk.audit DISABLE TRIGGER keep_rows; DELETE FROM idemdesk.audit WHERE seq = (SELECT "
        u"max(seq) FROM idemdesk.audit);"
        "ALTER TABLE idemdesk.audit ENABLE ALWAYS TRIGGER keep_rows;"
        "UPDATE idemdesk.audit_head h SET seq = a.seq, hash = a.hash FROM (SELECT seq, hash FROM idemdesk.audit ORDER BY seq DESC LIMIT 1) a; COMMIT"_s);
    const ProgramRun betrayed
        = ctl({ u"audit"_s, u"verify"_s, u"--json"_s }); // the action did more than the trail says
    QCOMPARE(betrayed.status, 1);
    QCOMPARE(betrayed.json().value(u"anchor"_s).toString(), u"cut_off"_s);
    QVERIFY(betrayed.json().value(u"chain_intact"_s).toBool()); // what is left of it fits together
    QVERIFY(!betrayed.json().value(u"tables_agree"_s).toBool());
    QVERIFY(betrayed.json().value(u"findings"_s).toArray().size() > 1);
    const QString told = ctl({ u"audit"_s, u"verify"_s }).err;
    QVERIFY2(told.startsWith(u"The end of the audit log is gone"_s), qPrintable(told));
    QVERIFY2(told.contains(u"\nA table holds what no row of the audit log says"_s)
            || told.contains(u"\nA table does not agree"_s),
        qPrintable(told));
    QVERIFY2(!told.contains(u"tampered with at row"_s), qPrintable(told));
    // As though the action had done nothing yet: the tables and the trail agree, and only the anchor tells.
    m_fixture->cluster().psql(m_fixture->database(),
        u"BEGIN; ALTER TABLE idemdesk.action_batch DISABLE TRIGGER keep_rows; ALTER TABLE idemdesk.action_item DISABLE "
        u"TRIGGER keep_rows;"
        "DELETE FROM idemdesk.action_item; DELETE FROM idemdesk.action_batch;"
        "ALTER TABLE idemdesk.action_batch ENABLE ALWAYS TRIGGER keep_rows; ALTER TABLE idemdesk.action_item ENABLE "
        "ALWAYS TRIGGER keep_rows;"
        "UPDATE idemdesk.action SET state = 'running', last_batch = 0, next_row = 1, counts = '{}', finished_at = NULL; COMMIT"_s);
    const ProgramRun cut = ctl({ u"audit"_s, u"verify"_s, u"--json"_s });
    QCOMPARE(cut.status, 1);
    QCOMPARE(cut.json().value(u"anchor"_s).toString(), u"cut_off"_s);
    QVERIFY(cut.json().value(u"chain_intact"_s).toBool());
    QVERIFY(cut.json().value(u"tables_agree"_s).toBool());
    QCOMPARE(ctl({ u"audit"_s, u"anchor"_s }).status, 1); // and does not take the place of the evidence
    QCOMPARE(ctl({ u"audit"_s, u"verify"_s }).status, 1);
    QCOMPARE(ctl({ u"audit"_s, u"anchor"_s, u"--accept"_s }).status, 0); // a backup was restored, says who knows
    QCOMPARE(ctl({ u"audit"_s, u"verify"_s, u"--json"_s }).json().value(u"anchor"_s).toString(), u"matches"_s);
}

QTEST_GUILESS_MAIN(CtlActionsTest)
#include "tst_ctl_actions.moc"
