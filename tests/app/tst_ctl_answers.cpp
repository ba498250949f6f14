// SPDX-License-Identifier: GPL-3.0-or-later
// What the terminal program says is true: nothing that was not looked at is quiet, nothing unasked runs,
// nothing goes unconfirmed.
#include "tests/support/program_run.h"
#include "tests/support/registered_table.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <utility>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

class CtlAnswersTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init();

    void whatCannotBeKnownIsNotQuiet();
    void staleSamplesAreNotQuiet();
    void theTrailGoesOnlyByName_data();
    void theTrailGoesOnlyByName();
    void theTrailIsWrittenBeforeItGoes();
    void theNameIsTyped_data();
    void theNameIsTyped();
    void aReclassificationSaysItsDirection();
    void whatWasNotBegunIsSaid();
    void oneCauseIsOneAlert();
    void partitionsAreOneTable();
    void showTellsTheWholeStory();
    void partitionNamesAsPsqlTakesThem();
    void aFilesSqlRunsOnlyWhenTrusted_data();
    void aFilesSqlRunsOnlyWhenTrusted();
    void aFilesSqlNeverRunsAsSuperuser();
    void oneOfSeveralRowsIsNamed();
    void aPartThatIsNullIsNamed();
    void theTrueReasonIsSaid();
    void leftOutExpressionsAreSaid();
    void aRunningLeaseIsLeftAlone();
    void aConstantScopeHasItsCounts();
    void checkAndAddAreOneList();
    void grantsAreStatementsThatRun();
    void aCursorIsOfItsListing();
    void noneInThisScopeIsSaid();
    void anExportDoesNotSteerTheTerminal();
    void zerosAtTheEndAreNoOtherAmount();
    void aStoryIsReadWhole();
    void helpKnowsACommandsWords();
    void aBrokenRowStopsNoCommand_data();
    void aBrokenRowStopsNoCommand();

private:
    ProgramRun ctl(const QStringList &arguments, const QString &login = u"op"_s) const;
    /// The same on a terminal, where a person types this.
    ProgramRun typed(const QStringList &arguments, const QByteArray &line, const QString &login) const;
    /// Two broken rows by each command that tells states; out: the exports as CSV (1) and JSON Lines (2). known: only
    /// their evidence is broken.
    void tellsOneState(const QString &out, bool known);
    /// The broken row k002 by each command that is asked for it alone.
    void tellsTheBrokenRow(const QString &out);
    QString value(const QString &sql) { return m_fixture->root().value(sql); }
    void psql(const QString &sql) { m_fixture->cluster().psql(m_fixture->database(), sql); }
    /// How often app.probe was called by sessions that have ended.
    QString probed();
    /// A profile file over app.k with these members changed; its SHA-256 beside it.
    std::pair<QString, QString> file(const QByteArray &changes, const QString &name = u"file"_s);

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_home;
};

void CtlAnswersTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
}

void CtlAnswersTest::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    m_fixture->fresh([this] {
        psql(
            u"GRANT USAGE ON SCHEMA app TO adm, appr, viewer; GRANT SELECT ON app.k, app.eff TO adm, appr, viewer, op, "
            u"op2; "
            // A query that never finds anything proves nothing: a key that succeeded has its effect.
            "INSERT INTO app.eff SELECT 'e-' || key, tenant, key FROM app.k WHERE key = 'd0010'"_s);
        registerTable(*m_fixture);
        // What the fixture registers itself is no profile that can be read.
        QVERIFY(m_fixture->root().run(u"DELETE FROM idemdesk.target WHERE name = 'k'"_s).ok());
    });
}

ProgramRun CtlAnswersTest::typed(const QStringList &arguments, const QByteArray &line, const QString &login) const
{
    QStringList command { QStringLiteral(IDEMDESKCTL) };
    command
        += arguments + QStringList { u"--connect"_s, m_fixture->cluster().conninfoAs(login, m_fixture->database()) };
    for (QString &word : command) {
        word = u'\'' + word.replace(u"'"_s, u"'\\''"_s) + u'\'';
    }
    ProgramRun run = runProgram(
        u"script"_s, { u"-qec"_s, command.join(u' '), u"/dev/null"_s }, { privateEnvironment(m_home->path()), line });
    run.err = QString::fromUtf8(std::exchange(run.out, {})); // a terminal shows both
    return run;
}

ProgramRun CtlAnswersTest::ctl(const QStringList &arguments, const QString &login) const
{
    return runProgram(QStringLiteral(IDEMDESKCTL),
        arguments + QStringList { u"--connect"_s, m_fixture->cluster().conninfoAs(login, m_fixture->database()) },
        { privateEnvironment(m_home->path()) });
}

std::pair<QString, QString> CtlAnswersTest::file(const QByteArray &changes, const QString &name)
{
    QJsonObject profile = QJsonDocument::fromJson(tableProfile(changes)).object();
    profile.insert(u"name"_s, name);
    const QByteArray text = QJsonDocument(profile).toJson();
    QFile file(m_home->filePath(name + u".json"_s));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
        qFatal("%s", qPrintable(file.errorString()));
    }
    return { file.fileName(), QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex()) };
}

void CtlAnswersTest::whatCannotBeKnownIsNotQuiet()
{
    QCOMPARE(ctl({ u"targets"_s, u"remove"_s, u"k2"_s }, u"adm"_s).status, 0);
    const ProgramRun none = ctl({ u"check"_s, u"--alerts"_s });
    QCOMPARE(none.status, 5);
    QVERIFY2(!none.out.contains("quiet") && none.err.contains(u"Cannot be known. No target is registered"_s),
        qPrintable(none.err));
    QCOMPARE(ctl({ u"check"_s }).status, 5);
    psql(u"DROP SCHEMA idemdesk CASCADE"_s);
    const ProgramRun gone = ctl({ u"check"_s, u"--alerts"_s });
    QCOMPARE(gone.status, 5);
    QVERIFY2(gone.err.contains(u"The console schema is not installed"_s), qPrintable(gone.err));
    const ProgramRun json = ctl({ u"check"_s, u"--alerts"_s, u"--json"_s, u"--target"_s, u"k2"_s });
    QCOMPARE(json.status, 5);
    QVERIFY(json.json().contains(u"items"_s));
    QCOMPARE(ctl({ u"check"_s }).status, 5);
}

void CtlAnswersTest::staleSamplesAreNotQuiet()
{
    const ProgramRun never = ctl({ u"check"_s, u"--alerts"_s });
    QCOMPARE(never.status, 5); // nobody took a sample
    QVERIFY2(never.err.contains(u"some alerts could not be judged"_s), qPrintable(never.err));
}

void CtlAnswersTest::theTrailGoesOnlyByName_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::newRow("nothing said") << QStringList { u"--with-audit"_s } << 2;
    QTest::newRow("no terminal to ask on") << QStringList { u"--with-audit"_s, u"-o"_s, u"@"_s } << 3;
    QTest::newRow("yes without a name") << QStringList { u"--with-audit"_s, u"-o"_s, u"@"_s, u"--yes"_s } << 2;
    QTest::newRow("a name without yes") << QStringList { u"--with-audit"_s, u"-o"_s, u"@"_s, u"--database"_s, u"#"_s }
                                        << 3;
    QTest::newRow("another name") << QStringList { u"--with-audit"_s, u"-o"_s, u"@"_s, u"--yes"_s, u"--database"_s,
        u"production"_s } << 3;
    QTest::newRow("no file for the trail")
        << QStringList { u"--with-audit"_s, u"--yes"_s, u"--database"_s, u"#"_s } << 2;
    QTest::newRow("a file that cannot be written")
        << QStringList { u"--with-audit"_s, u"-o"_s, u"/nowhere/trail.jsonl"_s, u"--yes"_s, u"--database"_s, u"#"_s }
        << 1;
}

void CtlAnswersTest::theTrailGoesOnlyByName()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    arguments.replaceInStrings(u"@"_s, m_home->filePath(u"trail.jsonl"_s))
        .replaceInStrings(u"#"_s, m_fixture->database());
    const ProgramRun run = ctl(QStringList { u"console"_s, u"uninstall"_s } + arguments, u"boss"_s);
    QVERIFY2(run.status == status, qPrintable(QString::number(run.status) + run.err));
    QCOMPARE(value(u"SELECT count(*) > 0 FROM idemdesk.audit"_s), u"t"_s);
}

void CtlAnswersTest::theTrailIsWrittenBeforeItGoes()
{
    const QString rows = value(u"SELECT count(*) FROM idemdesk.audit"_s);
    const QString path = m_home->filePath(u"trail.jsonl"_s);
    const ProgramRun run = ctl({ u"console"_s, u"uninstall"_s, u"--with-audit"_s, u"-o"_s, path, u"--database"_s,
                                   m_fixture->database(), u"--yes"_s },
        u"boss"_s);
    QVERIFY2(run.status == 0, qPrintable(run.err));
    QFile written(path);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(QString::number(written.readAll().count('\n')), rows);
    QCOMPARE(QFile::permissions(path) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    QCOMPARE(value(u"SELECT to_regnamespace('idemdesk') IS NULL"_s), u"t"_s);
}

void CtlAnswersTest::theNameIsTyped_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("goes");
    QTest::newRow("the name") << u"#"_s << true;
    QTest::newRow("another") << u"production"_s << false;
    QTest::newRow("yes") << u"yes"_s << false;
    QTest::newRow("nothing") << QString() << false;
}

void CtlAnswersTest::theNameIsTyped()
{
    QFETCH(QString, name);
    QFETCH(bool, goes);
    name.replace(u"#"_s, m_fixture->database());
    const ProgramRun run
        = typed({ u"console"_s, u"uninstall"_s, u"--with-audit"_s, u"-o"_s, m_home->filePath(u"trail.jsonl"_s) },
            name.toUtf8() + '\n', u"boss"_s);
    QVERIFY2(run.status == (goes ? 0 : 3), qPrintable(QString::number(run.status) + run.err));
    QVERIFY2(run.err.contains(u"Type the name of the database"_s), qPrintable(run.err));
    QCOMPARE(value(u"SELECT to_regnamespace('idemdesk') IS NULL"_s), goes ? u"t"_s : u"f"_s);
}

void CtlAnswersTest::aReclassificationSaysItsDirection()
{
    registerTable(*m_fixture,
        R"({"actions": {"recover": [], "requeue": [], "reclassify": [
            {"from": ["failed_final"], "to": "failed_retryable", "set": {"status": "'failed'"}},
            {"from": ["failed_retryable"], "to": "failed_final", "set": {"status": "'dead'"}}]}})");
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET status = 'failed', locked_until = NULL WHERE key < 'k'"_s).ok());
    const ProgramRun silent
        = ctl({ u"reclassify"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"state:failed_retryable"_s, u"--dry-run"_s });
    QCOMPARE(silent.status, 2);
    QVERIFY2(silent.err.contains(u"--to"_s), qPrintable(silent.err));
    const ProgramRun wrong = ctl({ u"reclassify"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"state:failed_retryable"_s,
        u"--to"_s, u"failed_retryable"_s, u"--dry-run"_s, u"--json"_s });
    QCOMPARE(wrong.json().value(u"rows"_s).toInt(), 0);
    const ProgramRun said = ctl({ u"reclassify"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"state:failed_retryable"_s,
        u"--to"_s, u"failed_final"_s, u"--dry-run"_s, u"--json"_s });
    QVERIFY2(said.status == 0, qPrintable(said.err));
    QCOMPARE(said.json().value(u"rows"_s).toInt(), 600);
    QCOMPARE(said.json().value(u"groups"_s).toArray().at(0)[u"to"_s].toString(), u"failed_final"_s);
    QCOMPARE(ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--to"_s, u"failed_final"_s, u"--dry-run"_s }).status, 2);
}

void CtlAnswersTest::whatWasNotBegunIsSaid()
{
    const ProgramRun run = ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s }, u"viewer"_s);
    QVERIFY(run.status != 0);
    QVERIFY2(run.err.contains(u"was not begun"_s) && !run.err.contains(u"is paused"_s)
            && !run.err.contains(u"actions resume"_s),
        qPrintable(run.err));
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
}

void CtlAnswersTest::oneCauseIsOneAlert()
{
    registerTable(*m_fixture, "{}", u"k3"_s);
    psql(u"GRANT idemdesk_reporter TO service"_s);
    QVERIFY(ctl({ u"sample"_s }).status == 0);
    const auto service = m_fixture->as(u"service"_s);
    for (int i = 0; i < 42; ++i) {
        QVERIFY(service->run(u"SELECT idemdesk.record_event('conflict', 't1')"_s).ok());
    }
    const ProgramRun run = ctl({ u"check"_s, u"--alerts"_s, u"--json"_s });
    QCOMPARE(run.status, 1);
    int conflicts = 0;
    int others = 0;
    for (const QJsonValue &item : run.items()) {
        conflicts += item[u"id"_s].toString() == u"conflicts" ? 1 : 0;
        others += item[u"id"_s].toString() == u"stale_old" ? 1 : 0;
        if (item[u"id"_s].toString() == u"conflicts") {
            QCOMPARE(item[u"state"_s].toString(), u"firing"_s);
            QVERIFY(item[u"target"_s].isNull()); // of the whole database
        }
    }
    QCOMPARE(conflicts, 1);
    QCOMPARE(others, 2); // each table has its own
}

void CtlAnswersTest::partitionsAreOneTable()
{
    psql(
        u"CREATE TABLE app.parts (LIKE app.k) PARTITION BY LIST (tenant); ALTER TABLE app.parts ADD PRIMARY "
        u"KEY (tenant, key);"
        "CREATE TABLE app.part0 PARTITION OF app.parts FOR VALUES IN ('t0'); CREATE TABLE app.part1 "
        "PARTITION OF app.parts FOR VALUES IN ('t1');"
        "CREATE TABLE app.part2 PARTITION OF app.parts DEFAULT; INSERT INTO app.parts SELECT * FROM app.k; GRANT SELECT ON app.parts TO op"_s);
    const auto [path, sha] = file("{}", u"parts"_s);
    const ProgramRun run = ctl({ u"check"_s, u"--target"_s, path, u"--trust"_s, sha, u"--relation"_s, u"app.parts"_s,
        u"--json"_s, u"--all"_s });
    QVERIFY2(!run.items().isEmpty(), qPrintable(run.err));
    for (const QJsonValue &item : run.items()) {
        QVERIFY2(!item[u"seen"_s].toString().contains(u"part0"_s) && !item[u"seen"_s].toString().contains(u"part2"_s),
            qPrintable(item[u"seen"_s].toString()));
    }
}

void CtlAnswersTest::showTellsTheWholeStory()
{
    psql(u"GRANT idemdesk_reporter TO service"_s);
    QVERIFY(m_fixture->as(u"service"_s)
                ->run(u"SELECT idemdesk.record_conflict('t1', 'k001', 'aa', 'bb', 'k2', 'their-service')"_s)
                .ok());
    QCOMPARE(ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--key"_s, u"k001"_s, u"--to"_s, u"failed_retryable"_s,
                     u"--reason"_s, u"worker crashed"_s })
                 .status,
        0);
    const ProgramRun run = ctl({ u"show"_s, u"k001"_s, u"--target"_s, u"k2"_s, u"--json"_s });
    QVERIFY2(run.status == 0, qPrintable(run.err));
    const QJsonObject item = run.items().at(0).toObject();
    QCOMPARE(item.value(u"conflicts"_s).toArray().size(), 1);
    QCOMPARE(item.value(u"conflicts"_s)[0][u"caller"_s].toString(), u"their-service"_s);
    QVERIFY(item.value(u"conflicts_known"_s).toBool());
    QCOMPARE(item.value(u"actions"_s).toArray().size(), 1);
    QCOMPARE(item.value(u"actions"_s)[0][u"reason"_s].toString(), u"worker crashed"_s);
    QVERIFY(item.value(u"replays"_s).isArray());
    const ProgramRun text = ctl({ u"show"_s, u"k001"_s, u"--target"_s, u"k2"_s });
    QVERIFY2(text.out.contains("worker crashed") && text.out.contains("their-service"), text.out.constData());
}

void CtlAnswersTest::partitionNamesAsPsqlTakesThem()
{
    psql(
        u"CREATE TABLE app.parts (LIKE app.k) PARTITION BY LIST (tenant); ALTER TABLE app.parts ADD PRIMARY "
        u"KEY (tenant, key); ALTER TABLE app.parts OWNER TO app_owner;"
        "CREATE TABLE app.part0 PARTITION OF app.parts FOR VALUES IN ('t0'); CREATE TABLE app.\"Part 1\" "
        "PARTITION OF app.parts DEFAULT; ALTER TABLE app.part0 OWNER TO app_owner; ALTER TABLE app.\"Part 1\" OWNER TO "
        "app_owner;"
        "INSERT INTO app.parts SELECT * FROM app.k WHERE status = 'succeeded'; GRANT SELECT, UPDATE, INSERT, DELETE ON app.parts TO idemdesk_runner_app_owner; GRANT SELECT ON app.parts, app.part0 TO op, adm; GRANT SELECT ON app.part0, app.\"Part 1\" TO idemdesk_runner_app_owner"_s);
    registerTable(*m_fixture, R"({"relation": "app.parts"})", u"parts"_s);
    const ProgramRun run
        = ctl({ u"partitions"_s, u"detach"_s, u"APP.part0"_s, u"--target"_s, u"parts"_s, u"--reason"_s, u"old"_s });
    QCOMPARE(run.status, 3); // the runner does not own the table
    QVERIFY2(!run.err.contains(u"is not a partition"_s), qPrintable(run.err));
    QVERIFY2(run.out.contains("ALTER TABLE \"app\".\"parts\" DETACH PARTITION \"app\".\"part0\" CONCURRENTLY;"),
        run.out.constData());
    const ProgramRun quoted = ctl(
        { u"partitions"_s, u"detach"_s, u"app.\"Part 1\""_s, u"--target"_s, u"parts"_s, u"--reason"_s, u"old"_s });
    QVERIFY2(quoted.out.contains("DETACH PARTITION \"app\".\"Part 1\""), qPrintable(quoted.err));
    const ProgramRun none
        = ctl({ u"partitions"_s, u"detach"_s, u"app.part7"_s, u"--target"_s, u"parts"_s, u"--reason"_s, u"old"_s });
    QCOMPARE(none.status, 2);
    QCOMPARE(
        ctl({ u"partitions"_s, u"detach"_s, u"no name;"_s, u"--target"_s, u"parts"_s, u"--reason"_s, u"old"_s }).status,
        2);
}

void CtlAnswersTest::aFilesSqlRunsOnlyWhenTrusted_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::newRow("keys") << QStringList { u"keys"_s, u"--target"_s };
    QTest::newRow("scopes") << QStringList { u"scopes"_s, u"--target"_s };
    QTest::newRow("check") << QStringList { u"check"_s, u"--target"_s };
    QTest::newRow("targets check") << QStringList { u"targets"_s, u"check"_s };
    QTest::newRow("targets add") << QStringList { u"targets"_s, u"add"_s };
}

void CtlAnswersTest::aFilesSqlRunsOnlyWhenTrusted()
{
    QFETCH(QStringList, command);
    // A function whose calls the server counts, even those of a transaction that only reads or is rolled back. It is
    // declared immutable, so that nothing but the confirmation stands before it.
    psql(u"CREATE FUNCTION app.probe(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN $1; END $$; "
         "GRANT EXECUTE ON FUNCTION app.probe(text) TO PUBLIC; ALTER DATABASE %1 SET track_functions = 'pl'"_s.arg(
             m_fixture->database()));
    const auto [path, sha] = file(R"json({"key": "app.probe(t.key)"})json");
    const QString login = command.last() == u"add" ? u"adm"_s : u"op"_s;
    const ProgramRun refused = ctl(command + QStringList { path }, login);
    QCOMPARE(refused.status, 3);
    QVERIFY2(refused.err.contains(u"app.probe(t.key)"_s) && refused.err.contains(u"--trust "_s + sha),
        qPrintable(refused.err));
    QVERIFY(refused.out.isEmpty());
    const ProgramRun other = ctl(command + QStringList { path, u"--trust"_s, QString(64, u'0') }, login);
    QCOMPARE(other.status, 3);
    QVERIFY2(other.err.contains(sha), qPrintable(other.err));
    const ProgramRun super = ctl(command + QStringList { path, u"--trust"_s, sha }, u"boss"_s);
    QCOMPARE(super.status, 3);
    QVERIFY2(super.err.contains(u"superuser"_s) && super.out.isEmpty(), qPrintable(super.err));
    QCOMPARE(probed(), u"0"_s);
    const ProgramRun trusted = ctl(command + QStringList { path, u"--trust"_s, sha }, login);
    QVERIFY2(!trusted.err.contains(u"--trust"_s), qPrintable(trusted.err));
    QVERIFY(trusted.status != 3 || login == u"adm"_s);
    QVERIFY(!trusted.out.isEmpty());
    // So this is what would have been seen. A check runs nothing of the table's but the queries for effects.
    if (command.last() == u"check"_s) {
        QCOMPARE(probed(), u"0"_s);
    } else { // before 15 the server counts a while later
        QTRY_VERIFY_WITH_TIMEOUT(probed().toInt() > 0, 20'000);
    }
}

QString CtlAnswersTest::probed()
{
    // What a session called is counted when it has ended.
    const bool ended = QTest::qWaitFor(
        [this] {
            return value(u"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND "
                         "backend_type = 'client backend' AND pid <> pg_backend_pid()"_s)
                == u"0"_s;
        },
        20'000);
    return ended ? value(u"SELECT coalesce(sum(calls), 0) FROM pg_stat_user_functions WHERE funcname = 'probe'"_s)
                 : u"a session did not end"_s;
}

void CtlAnswersTest::aFilesSqlNeverRunsAsSuperuser()
{
    const auto [path, sha] = file("{}");
    for (const QStringList &command : { QStringList { u"keys"_s, u"--target"_s },
             QStringList { u"scopes"_s, u"--target"_s }, QStringList { u"check"_s, u"--target"_s },
             QStringList { u"targets"_s, u"check"_s }, QStringList { u"targets"_s, u"add"_s } }) {
        const ProgramRun run = ctl(command + QStringList { path, u"--trust"_s, sha }, u"boss"_s);
        QCOMPARE(run.status, 3);
        QVERIFY2(run.err.contains(u"superuser"_s), qPrintable(run.err));
        QVERIFY(run.out.isEmpty());
    }
}

void CtlAnswersTest::oneOfSeveralRowsIsNamed()
{
    QVERIFY(
        m_fixture->root()
            .run(
                u"INSERT INTO app.k (tenant, key, status, locked_until) VALUES ('t0', 'k001', 'processing', now() - interval '1 hour')"_s)
            .ok());
    const QStringList base { u"recover"_s, u"--target"_s, u"k2"_s, u"--key"_s, u"k001"_s, u"--to"_s, u"failed_final"_s,
        u"--reason"_s, u"x"_s };
    const ProgramRun several = ctl(base);
    QCOMPARE(several.status, 2);
    QVERIFY2(several.err.contains(u"--identity tenant="_s), qPrintable(several.err));
    QCOMPARE(ctl(base + QStringList { u"--identity"_s, u"nothing=1"_s }).status, 2);
    QCOMPARE(ctl(base + QStringList { u"--scope"_s, u"tenant:null"_s }).status, 1); // none is
    const ProgramRun one = ctl(base + QStringList { u"--identity"_s, u"tenant=t0"_s });
    QVERIFY2(one.status == 0, qPrintable(one.err));
    QCOMPARE(value(u"SELECT string_agg(tenant || key, ',') FROM app.k WHERE status = 'dead'"_s), u"t0k001"_s);
    const ProgramRun other = ctl(base + QStringList { u"--scope"_s, u"tenant=t1"_s });
    QVERIFY2(other.status == 0, qPrintable(other.err));
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'dead'"_s), u"2"_s);
}

/// A table with a shop that may be none, and a key in several shops: each row is found, named and acted on alone.
void CtlAnswersTest::aPartThatIsNullIsNamed()
{
    psql(u"CREATE TABLE app.shops (id bigint PRIMARY KEY, LIKE app.k INCLUDING DEFAULTS); ALTER TABLE app.shops ALTER "
         "tenant DROP NOT NULL, OWNER TO app_owner; INSERT INTO app.shops (id, tenant, key, status, locked_until) "
         "SELECT i, CASE WHEN i > 1 THEN 's' || i END, 'k001', 'processing', now() - interval '1 hour' FROM "
         "generate_series(1, 3) i; GRANT SELECT, UPDATE, INSERT, DELETE ON app.shops TO idemdesk_runner_app_owner; "
         "GRANT SELECT ON app.shops TO op, adm"_s);
    registerTable(*m_fixture,
        R"({"relation": "app.shops", "identity": ["id"], "scope": [{"label": "tenant", "sql": "t.tenant"}],
            "effects": [], "actions": {"requeue": [], "reclassify": [], "recover": [
                {"from": ["in_progress"], "to": "failed_final", "set": {"status": "'dead'", "locked_until": "NULL"}}]}})",
        u"shops"_s);
    const QStringList ofTable { u"--target"_s, u"shops"_s };
    for (const QString &command : { u"show"_s, u"find"_s }) {
        const ProgramRun run
            = ctl(QStringList { command, u"k001"_s, u"--scope"_s, u"tenant:null"_s, u"--json"_s } + ofTable);
        QVERIFY2(run.status == 0, run.said().constData());
        QCOMPARE(run.items().size(), 1);
    }
    const ProgramRun shown
        = ctl(QStringList { u"show"_s, u"k001"_s, u"--scope"_s, u"tenant:null"_s, u"--json"_s } + ofTable);
    const QJsonObject record = shown.items().at(0)[u"record"_s].toObject();
    QVERIFY2(record[u"scope"_s].toObject().contains(u"tenant"_s) && record[u"scope"_s][u"tenant"_s].isNull(),
        shown.out.constData());
    QCOMPARE(shown.items().at(0)[u"columns"_s][u"id"_s].toString(), u"1"_s);
    const QStringList recover
        = QStringList { u"recover"_s, u"--key"_s, u"k001"_s, u"--to"_s, u"failed_final"_s, u"--reason"_s, u"x"_s }
        + ofTable;
    const ProgramRun several = ctl(recover);
    QVERIFY2(several.status == 2 && several.err.contains(u"--identity id=1"_s), several.said().constData());
    const QString dead
        = u"SELECT coalesce(string_agg(id::text, ',' ORDER BY id), '') FROM app.shops WHERE status = 'dead'"_s;
    QCOMPARE(value(dead), QString());
    // A column of the identity holds no NULL, so naming one by it finds none.
    const ProgramRun none = ctl(recover + QStringList { u"--identity"_s, u"id:null"_s });
    QVERIFY2(none.status == 1 && none.err.contains(u"There is no key"_s), none.said().constData());
    const ProgramRun one = ctl(recover + QStringList { u"--scope"_s, u"tenant:null"_s });
    QVERIFY2(one.status == 0, one.said().constData());
    QCOMPARE(value(dead), u"1"_s);
    const ProgramRun other = ctl(recover + QStringList { u"--scope"_s, u"tenant=s3"_s });
    QVERIFY2(other.status == 0, other.said().constData());
    QCOMPARE(value(dead), u"1,3"_s);
}

void CtlAnswersTest::theTrueReasonIsSaid()
{
    QVERIFY(
        m_fixture->root().run(u"UPDATE app.k SET locked_until = now() + interval '1 hour' WHERE key = 'k001'"_s).ok());
    const ProgramRun fresh = ctl(
        { u"recover"_s, u"--target"_s, u"k2"_s, u"--key"_s, u"k001"_s, u"--to"_s, u"failed_final"_s, u"--dry-run"_s });
    QCOMPARE(fresh.status, 4);
    QVERIFY2(fresh.out.contains("is not stuck") && !fresh.out.contains("no rule"), fresh.out.constData());
    registerTable(*m_fixture,
        R"({"roles": {"status": "t.status", "lease_until": "t.locked_until", "attempts": "CASE WHEN t.pad = 'bad' THEN t.key::int ELSE t.attempts END"}})");
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET pad = 'bad' WHERE key = 'k002'"_s).ok());
    const ProgramRun broken = ctl(
        { u"recover"_s, u"--target"_s, u"k2"_s, u"--key"_s, u"k002"_s, u"--to"_s, u"failed_final"_s, u"--dry-run"_s });
    QCOMPARE(broken.status, 1);
    QVERIFY2(broken.err.contains(u"cannot be read"_s) && !broken.err.contains(u"no longer in the table"_s),
        qPrintable(broken.err));
}

void CtlAnswersTest::leftOutExpressionsAreSaid()
{
    const auto [path, sha] = file(R"({"roles": {"status": "t.nothing", "lease_until": "t.locked_until"}})");
    const ProgramRun run = ctl({ u"keys"_s, u"--target"_s, path, u"--trust"_s, sha });
    QVERIFY2(run.err.contains(u"$.roles.status"_s), qPrintable(run.err));
}

void CtlAnswersTest::aRunningLeaseIsLeftAlone()
{
    QVERIFY(
        m_fixture->root()
            .run(
                u"UPDATE app.k SET status = 'dead', locked_until = CASE WHEN key < 'k004' THEN now() + interval '1 hour' END WHERE key LIKE 'k00%'"_s)
            .ok());
    const ProgramRun run
        = ctl({ u"requeue"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"state:failed_final"_s, u"--reason"_s, u"x"_s });
    QCOMPARE(run.status, 4);
    QVERIFY2(run.out.contains("lease still runs"), run.out.constData());
    QCOMPARE(
        value(u"SELECT string_agg(key, ',' ORDER BY key) FROM app.k WHERE status = 'dead'"_s), u"k001,k002,k003"_s);
}

void CtlAnswersTest::aConstantScopeHasItsCounts()
{
    const auto [path, sha] = file(
        R"({"scope": [{"label": "part", "sql": "'Sales'"}, {"label": "tenant", "sql": "t.tenant"}], "policies": [],
                                     "aliases": [{"label": "the result, as known", "sql": "t.result"}]})");
    const ProgramRun run = ctl({ u"scopes"_s, u"--target"_s, path, u"--trust"_s, sha, u"--json"_s });
    QVERIFY2(run.status == 0, qPrintable(run.err));
    QCOMPARE(run.items().size(), 3);
    QCOMPARE(run.items().at(0)[u"scope"_s][u"part"_s].toString(), u"Sales"_s);
}

void CtlAnswersTest::checkAndAddAreOneList()
{
    const auto list = [](const ProgramRun &run, const QString &under) {
        QStringList lines;
        const QJsonArray items = run.json().value(under).toArray();
        for (const QJsonValue &item : items) {
            lines += item[u"severity"_s].toString() + u' ' + item[u"path"_s].toString() + u' '
                + item[u"text"_s].toString() + u' ' + item[u"sql"_s].toString();
        }
        return lines;
    };
    psql(
        u"REVOKE SELECT ON app.eff FROM idemdesk_runner_app_owner; REVOKE UPDATE (status) ON app.k FROM idemdesk_runner_app_owner"_s);
    for (const QByteArray &changes :
        { QByteArray("{}"), QByteArray(R"({"roles": {"status": "t.nothing", "lease_until": "t.locked_until"}})"),
            QByteArray(R"({"guard": ["no_column"]})") }) {
        const auto [path, sha] = file(changes);
        const ProgramRun check = ctl({ u"targets"_s, u"check"_s, path, u"--trust"_s, sha, u"--json"_s }, u"adm"_s);
        const ProgramRun add = ctl({ u"targets"_s, u"add"_s, path, u"--trust"_s, sha, u"--json"_s }, u"adm"_s);
        QVERIFY2(check.status == 1 && !check.out.isEmpty(), qPrintable(check.err));
        QVERIFY2(add.status == 3, qPrintable(add.err));
        QVERIFY(!check.json().value(u"ok"_s).toBool(true));
        QVERIFY(!list(add, u"findings"_s).isEmpty());
        // Refused before a rule was tried, it is not said that registering tries them: it just did not.
        QCOMPARE(list(check, u"items"_s), list(add, u"findings"_s));
        QVERIFY2(!add.out.contains("when the target is registered"), add.out.constData());
    }
    psql(
        u"GRANT SELECT ON app.eff TO idemdesk_runner_app_owner; GRANT UPDATE (status) ON app.k TO idemdesk_runner_app_owner"_s);
    const auto [path, sha] = file("{}");
    const ProgramRun good = ctl({ u"targets"_s, u"check"_s, path, u"--trust"_s, sha, u"--json"_s }, u"adm"_s);
    QVERIFY2(good.status == 0 && good.json().value(u"ok"_s).toBool(), good.out.constData());
    QVERIFY(good.json().value(u"not_asked"_s).isNull());
    // Whoever may not register is told that this part was not looked at.
    const ProgramRun other = ctl({ u"targets"_s, u"check"_s, path, u"--trust"_s, sha }, u"op"_s);
    QVERIFY2(other.status == 5 && other.err.contains(u"was not looked at"_s), qPrintable(other.err));
    const ProgramRun json = ctl({ u"targets"_s, u"check"_s, path, u"--trust"_s, sha, u"--json"_s }, u"op"_s);
    QVERIFY(json.status == 5 && json.json().contains(u"ok"_s) && json.json().value(u"ok"_s).isNull());
    QVERIFY2(good.out.contains("when the target is registered"), good.out.constData()); // this one only looked
    for (const QStringList &more : { QStringList {}, QStringList { u"--dry-run"_s } }) {
        const ProgramRun refused = ctl(QStringList { u"targets"_s, u"add"_s, path, u"--trust"_s, sha } + more, u"op"_s);
        QVERIFY2(refused.status == 3 && refused.err.contains(u"idemdesk_admin"_s),
            qPrintable(refused.err + QString::fromUtf8(refused.out)));
        QVERIFY2(!refused.out.contains("can be registered"), refused.out.constData());
    }
}

void CtlAnswersTest::grantsAreStatementsThatRun()
{
    psql(
        u"CREATE ROLE side_owner LOGIN; CREATE SCHEMA \"Side\"; CREATE SCHEMA kinds; CREATE TYPE kinds.kind AS ENUM "
        u"('a', 'b'); CREATE "
        u"TABLE \"Side\".\"Effects\" (key text, kind kinds.kind, secret text);"
        "CREATE FUNCTION kinds.named(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1'; REVOKE ALL ON FUNCTION "
        "kinds.named(text) FROM PUBLIC; "
        "ALTER SCHEMA \"Side\" OWNER TO side_owner; ALTER SCHEMA kinds OWNER TO side_owner; ALTER TYPE kinds.kind "
        "OWNER TO side_owner; "
        "ALTER TABLE \"Side\".\"Effects\" OWNER TO side_owner; GRANT USAGE ON SCHEMA kinds TO app_owner; ALTER FUNCTION kinds.named(text) OWNER TO app_owner"_s);
    const auto [path, sha] = file(R"json({"effects": [{"type": "eff", "proves": true, "sql":
        "SELECT kinds.named(f.key) AS id, NULL::timestamptz AS at, f.kind::text AS state FROM \"Side\".\"Effects\" f WHERE f.key = t.key AND f.kind = 'a'::kinds.kind"}]})json");
    const QStringList add { u"targets"_s, u"add"_s, path, u"--trust"_s, sha };
    // Once what this login lacks, without which nothing can be planned, and once what the runner lacks: all of it each
    // time, and run by whoever is named above it, who is no superuser.
    for (const QString &to : { u" TO adm;"_s, u" TO idemdesk_runner_app_owner;"_s }) {
        const ProgramRun run = ctl(add, u"adm"_s);
        QCOMPARE(run.status, 3);
        QVERIFY2(!run.out.contains("the table it names"), run.said().constData());
        QString by;
        QStringList told;
        QStringList owners;
        for (const QString &line : QString::fromUtf8(run.out).split(u'\n')) {
            static const QRegularExpression named(u"^The owner, (\\S+), runs:$"_s);
            const auto owner = named.match(line);
            if (owner.hasMatch()) {
                by = owner.captured(1);
                owners += by;
            }
            if (line.startsWith(u"GRANT "_s)) {
                QVERIFY2(!by.isEmpty() && line.endsWith(to), qPrintable(line));
                const auto done = m_fixture->as(by)->run(line);
                QVERIFY2(done.ok(), qPrintable(by + u": "_s + line + done.message));
                told += line.chopped(to.size());
            }
        }
        QCOMPARE(owners, QStringList({ u"side_owner"_s, u"app_owner"_s }));
        const bool whole = to == u" TO adm;"_s; // the runner reads no more than the profile does
        for (const QString &wanted :
            { whole ? u"GRANT SELECT ON \"Side\".\"Effects\""_s : u"GRANT SELECT (key, kind) ON \"Side\".\"Effects\""_s,
                u"GRANT USAGE ON SCHEMA kinds"_s, u"GRANT USAGE ON SCHEMA \"Side\""_s,
                u"GRANT EXECUTE ON FUNCTION kinds.named(text)"_s }) {
            QVERIFY2(told.contains(wanted), qPrintable(wanted + u" is not in "_s + told.join(u'\n')));
        }
    }
    const ProgramRun run = ctl(add + QStringList { u"--json"_s }, u"adm"_s);
    QVERIFY2(run.json().value(u"registered"_s).toBool(), run.out.constData());
}

void CtlAnswersTest::aCursorIsOfItsListing()
{
    const QStringList list { u"keys"_s, u"--target"_s, u"k2"_s, u"--limit"_s, u"2"_s, u"--json"_s };
    const QString next = ctl(list).json().value(u"next"_s).toString();
    QVERIFY(!next.isEmpty());
    QCOMPARE(ctl(list + QStringList { u"--after"_s, next }).items().size(), 2);
    for (const QStringList &other :
        { QStringList { u"--order"_s, u"-identity"_s }, QStringList { u"--filter"_s, u"state:stale"_s } }) {
        const ProgramRun run = ctl(list + other + QStringList { u"--after"_s, next });
        QVERIFY2(run.status == 2 && run.err.contains(u"cursor is of another order, filter or table"_s),
            run.said().constData());
    }
}

void CtlAnswersTest::noneInThisScopeIsSaid()
{
    const QString tenant = value(u"SELECT tenant FROM app.k WHERE key = 'k001'"_s);
    for (const QString &command : { u"show"_s, u"case"_s, u"find"_s }) {
        const QStringList here { command, u"k001"_s, u"--target"_s, u"k2"_s, u"--scope"_s };
        const ProgramRun there = ctl(here + QStringList { u"tenant="_s + tenant });
        QVERIFY2(there.status == 0, there.said().constData());
        const ProgramRun none = ctl(here + QStringList { u"tenant=Nope"_s });
        QVERIFY2(none.status == 1 && none.err.contains(u"or none in this scope"_s), none.said().constData());
        const ProgramRun null = ctl(here + QStringList { u"tenant:null"_s });
        QVERIFY2(null.status == 1 && null.err.contains(u"or none in this scope"_s), null.said().constData());
        QCOMPARE(ctl(here + QStringList { u"shop=1"_s }).status, 2);
    }
}

void CtlAnswersTest::anExportDoesNotSteerTheTerminal()
{
    psql(u"INSERT INTO app.k (tenant, key, status) VALUES ('t1', E'x\\x1b[2Jy', 'failed')"_s);
    const QStringList exported { u"export"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"state:failed_retryable"_s };
    QVERIFY(ctl(exported).out.contains("x\x1b[2Jy")); // a program gets the bytes
    const ProgramRun seen = typed(exported, {}, u"op"_s);
    QVERIFY2(seen.status == 0 && seen.err.contains(u"[2Jy"_s), seen.said().constData());
    QVERIFY2(!seen.err.contains(u"\x1b[2Jy"_s) && !seen.err.contains(u"\r\r"_s), seen.said().constData());
    const ProgramRun trail = typed({ u"audit"_s, u"export"_s }, {}, u"op"_s);
    QVERIFY2(trail.status == 0 && !trail.err.contains(u"\r\r"_s), trail.said().constData());
}

void CtlAnswersTest::zerosAtTheEndAreNoOtherAmount()
{
    psql(u"ALTER TABLE app.k ADD sent text; GRANT SELECT ON app.k TO op; "
         "UPDATE app.k SET sent = '{\"total\": 61.96}' WHERE key = 'k001'"_s);
    registerTable(*m_fixture,
        R"({"roles": {"status": "t.status", "lease_until": "t.locked_until", "updated_at": "t.updated_at", "request_payload": "t.sent"}})");
    const QStringList complaint { u"complaint"_s, u"--target"_s, u"k2"_s, u"--json"_s, u"--amount"_s };
    QCOMPARE(ctl(complaint + QStringList { u"61.96"_s }).items().size(), 1);
    const ProgramRun padded = ctl(complaint + QStringList { u"61.9600000000000000"_s });
    QVERIFY2(padded.status == 0 && padded.items().size() == 1, padded.said().constData());
}

void CtlAnswersTest::aStoryIsReadWhole()
{
    QProcessEnvironment environment = privateEnvironment(m_home->path());
    environment.insert(u"COLUMNS"_s, u"80"_s);
    const QString login = m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database());
    const ProgramRun run = runProgram(QStringLiteral(IDEMDESKCTL),
        { u"find"_s, u"k001"_s, u"--target"_s, u"k2"_s, u"--connect"_s, login }, { environment });
    QVERIFY2(run.status == 0 && !run.out.contains("…"), run.said().constData());
    for (const QByteArray &line : run.out.split('\n')) {
        QVERIFY2(QString::fromUtf8(line).size() <= 80 || line.startsWith("Next:") || !line.startsWith("20"),
            line.constData());
    }
}

void CtlAnswersTest::helpKnowsACommandsWords()
{
    const ProgramRun run = ctl({ u"help"_s, u"console"_s, u"install"_s });
    QVERIFY2(run.status == 2, run.said().constData()); // help connects to nothing
    const ProgramRun help = runProgram(QStringLiteral(IDEMDESKCTL), { u"help"_s, u"console"_s, u"install"_s });
    QVERIFY2(help.status == 0 && help.out.contains("console"), help.said().constData());
    QCOMPARE(runProgram(QStringLiteral(IDEMDESKCTL), { u"help"_s, u"console"_s, u"destroy"_s }).status, 2);
    QCOMPARE(runProgram(QStringLiteral(IDEMDESKCTL), { u"help"_s, u"find"_s, u"destroy"_s }).status, 2);
}

void CtlAnswersTest::aBrokenRowStopsNoCommand_data()
{
    QTest::addColumn<QByteArray>("changes");
    const auto row = [](const char *name, const char *changes, const QString &sql = {}) {
        QJsonObject roles { { u"status"_s, u"t.status"_s }, { u"attempts"_s, u"t.attempts"_s },
            { u"lease_until"_s, u"t.locked_until"_s }, { u"created_at"_s, u"t.updated_at"_s },
            { u"updated_at"_s, u"t.updated_at"_s }, { u"expires_at"_s, u"t.expires_at"_s },
            { u"result_id"_s, u"t.result"_s } };
        if (!sql.isEmpty()) {
            roles.insert(QString::fromLatin1(name), sql);
        }
        QJsonObject profile = QJsonDocument::fromJson(changes).object();
        profile.insert(u"roles"_s, roles);
        QTest::newRow(name) << QJsonDocument(profile).toJson();
    };
    const auto role = [&row](const char *name, const char *sql) { row(name, "{}", QString::fromLatin1(sql)); };
    role("status", "CASE WHEN t.pad = 'bad' THEN t.key::int::text ELSE t.status END");
    role("attempts", "CASE WHEN t.pad = 'bad' THEN t.key::int ELSE t.attempts END");
    role("lease_until", "CASE WHEN t.pad = 'bad' THEN t.key::timestamptz ELSE t.locked_until END");
    role("created_at", "CASE WHEN t.pad = 'bad' THEN t.key::timestamptz ELSE t.updated_at END");
    role("expires_at", "CASE WHEN t.pad = 'bad' THEN t.key::timestamptz ELSE t.expires_at END");
    role("result_id", "CASE WHEN t.pad = 'bad' THEN t.key::int::text ELSE t.result END");
    role("fingerprint", "CASE WHEN t.pad = 'bad' THEN t.key::int::text ELSE t.result END");
    role("request_payload", "CASE WHEN t.pad = 'bad' THEN t.key::json ELSE t.doc END");
    role("response_body", "CASE WHEN t.pad = 'bad' THEN t.key::json ELSE t.doc END");
    row("scope",
        R"({"scope": [{"label": "tenant", "sql": "CASE WHEN t.pad = 'bad' THEN t.key::int::text ELSE t.tenant END"}]})");
    row("field",
        R"({"fields": [{"label": "worth", "sql": "CASE WHEN t.pad = 'bad' THEN t.key::int ELSE 1 END", "type": "number"}]})");
    row("key", R"({"key": "CASE WHEN t.pad = 'bad' THEN t.key::int::text ELSE t.key END"})");
    row("stale",
        R"({"stale": [{"states": ["in_progress"], "when": "t.locked_until < $now AND CASE WHEN t.pad = 'bad' THEN t.key::int > 0 ELSE true END"}]})");
    row("purge",
        R"({"purge": {"by": "t.expires_at", "after": "0s", "states": ["succeeded"], "when": "CASE WHEN t.pad = 'bad' THEN t.key::int > 0 ELSE true END"}})");
    row("effect",
        R"({"effects": [{"type": "eff", "proves": true, "optional": ["pad"], "sql": "SELECT f.id AS id, NULL::timestamptz AS at, NULL::text AS state FROM app.eff f WHERE f.tenant = t.tenant AND f.key = CASE WHEN t.pad = 'bad' THEN t.key::int::text ELSE t.key END"}]})");
}

void CtlAnswersTest::tellsOneState(const QString &out, bool known)
{
    // The state of such a row is the same wherever it is told; that of an effect's row is its own.
    const QString unknown = known ? u"0"_s : u"2"_s;
    const QStringList ofTable { u"--target"_s, u"k2"_s };
    const auto counted = [](const QJsonArray &rows) {
        qsizetype count = 0;
        for (const QJsonValue &row : rows) {
            count += row[u"state"_s].toString() == u"unknown" ? 1 : 0;
        }
        return QString::number(count);
    };
    QCOMPARE(counted(ctl(QStringList { u"keys"_s, u"--json"_s, u"--limit"_s, u"1000"_s } + ofTable).items()), unknown);
    QCOMPARE(counted(ctl(QStringList { u"keys"_s, u"--json"_s, u"--filter"_s, u"state:unknown"_s } + ofTable).items()),
        unknown);
    QCOMPARE(ctl(QStringList { u"keys"_s, u"--json"_s, u"--limit"_s, u"1000"_s, u"--filter"_s, u"state:succeeded"_s }
                 + ofTable)
                 .items()
                 .size(),
        known ? 600 : 599);
    qint64 inScopes = 0;
    for (const QJsonValue &scope : ctl(QStringList { u"scopes"_s, u"--json"_s } + ofTable).items()) {
        inScopes += scope[u"states"_s][u"unknown"_s].toInteger();
    }
    QCOMPARE(QString::number(inScopes), unknown);
    for (const QString &ending : { u"1"_s, u"2"_s }) {
        QFile written(out + ending);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray text = written.readAll();
        QCOMPARE(text.count('\n'), ending == u"1" ? 651 : 650); // a table has a header
        QCOMPARE(
            QString::number(ending == u"1" ? text.count(",unknown,") : text.count("\"state\":\"unknown\"")), unknown);
        QCOMPARE(QString::number(text.count("invalid input syntax") > 0 ? 2 : 0), unknown);
    }
    const ProgramRun looked = ctl(QStringList { u"check"_s, u"--json"_s } + ofTable);
    QVERIFY2(known || looked.out.contains("\"unreadable\""), looked.out.constData());
}

void CtlAnswersTest::tellsTheBrokenRow(const QString &out)
{
    const QStringList show { u"show"_s, u"k002"_s, u"--target"_s, u"k2"_s };
    if (QLatin1String(QTest::currentDataTag()) == u"key"_s) { // which rows have this key cannot be read: not none
        const ProgramRun run = ctl(show);
        QVERIFY2(run.status == 5 && run.err.contains(u"not all could"_s), run.said().constData());
        return;
    }
    const QList<QStringList> commands { show, { u"find"_s, u"k002"_s, u"--target"_s, u"k2"_s },
        { u"case"_s, u"k002"_s, u"--target"_s, u"k2"_s, u"-o"_s, out + u"4.html"_s } };
    for (const QStringList &command : commands) {
        const ProgramRun run = ctl(command);
        const QByteArray said = command.join(u' ').toUtf8() + ": " + run.said();
        QVERIFY2(run.status == 0 || run.status == 5, said.constData());
        QVERIFY2(!run.err.contains(u"invalid input syntax"_s), said.constData());
        QVERIFY2(command.contains(u"-o"_s) || run.out.contains("k002"), said.constData());
    }
}

void CtlAnswersTest::aBrokenRowStopsNoCommand()
{
    QFETCH(QByteArray, changes);
    registerTable(*m_fixture, changes);
    psql(u"UPDATE app.k SET pad = 'bad' WHERE key IN ('k002', 'd0007')"_s);
    // By its key's order, so that a broken row is met before the one that has an effect.
    psql(u"CLUSTER app.k USING k_pkey; ALTER TABLE app.k SET WITHOUT CLUSTER"_s);
    const QString out = m_home->filePath(u"out"_s);
    const QList<QStringList> commands { { u"keys"_s }, { u"keys"_s, u"--filter"_s, u"state:stale"_s },
        { u"keys"_s, u"--filter"_s, u"state:unknown"_s }, { u"keys"_s, u"--filter"_s, u"tenant:t1"_s },
        { u"keys"_s, u"--filter"_s, u"expires<now"_s }, { u"show"_s, u"k001"_s }, { u"scopes"_s },
        { u"scopes"_s, u"--retries"_s }, { u"export"_s, u"--format"_s, u"csv"_s, u"-o"_s, out + u"1"_s },
        { u"export"_s, u"--format"_s, u"jsonl"_s, u"-o"_s, out + u"2"_s }, { u"triage"_s },
        { u"recover"_s, u"--dry-run"_s }, { u"requeue"_s, u"--filter"_s, u"state:failed_final"_s, u"--dry-run"_s },
        { u"find"_s, u"k001"_s }, { u"purge"_s, u"--dry-run"_s }, { u"duplicates"_s },
        { u"trends"_s, u"--metric"_s, u"stale"_s, u"--source"_s, u"rows"_s },
        { u"trends"_s, u"--metric"_s, u"claims"_s, u"--source"_s, u"rows"_s, u"--by"_s, u"scope"_s }, { u"sample"_s },
        { u"metrics"_s }, { u"check"_s }, { u"case"_s, u"k001"_s, u"-o"_s, out + u"3.html"_s },
        { u"complaint"_s, u"--key"_s, u"k001"_s }, { u"conflicts"_s } };
    // What counts or judges many rows; lists show such a row itself, and a plan skips it.
    const auto ofMany = [](const QStringList &command) {
        return command.first() == u"scopes" || command.first() == u"triage" || command.first() == u"requeue"
            || command.first() == u"duplicates" || command.first() == u"trends" || command.first() == u"metrics";
    };
    for (const QStringList &command : commands) {
        const bool ofAll = command.first() == u"sample" || command.first() == u"metrics"
            || command.first() == u"complaint" || command.first() == u"conflicts";
        const ProgramRun run = ctl(ofAll ? command : command + QStringList { u"--target"_s, u"k2"_s });
        const QString said = command.join(u' ') + u": "_s + QString::number(run.status) + u' ' + run.err;
        QVERIFY2(
            run.status == 0 || run.status == 4 || run.status == 5 || (run.status == 1 && command.first() == u"check"),
            qPrintable(said));
        // Where an answer is not about every row, this is said beside it, and has its own status.
        const bool told = run.err.contains(u"unreadable"_s) || run.err.contains(u"could not be read"_s);
        QVERIFY2(run.status != 5 || told, qPrintable(said));
        QVERIFY2(run.status == 5 || !told || !ofMany(command), qPrintable(said));
        QVERIFY2(!run.err.contains(u"invalid input syntax"_s) && !run.err.contains(u"not judged"_s), qPrintable(said));
    }
    tellsOneState(out, QLatin1String(QTest::currentDataTag()) == u"effect"_s);
    if (QTest::currentTestFailed()) {
        return;
    }
    tellsTheBrokenRow(out);
    if (QTest::currentTestFailed()) {
        return;
    }
    // What was not broken is there, and acted on.
    const ProgramRun recovered = ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s });
    QVERIFY2(recovered.status == 4, qPrintable(QString::number(recovered.status) + recovered.err));
    QVERIFY2(value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s).toInt() >= 32,
        qPrintable(recovered.err + QString::fromUtf8(recovered.out))); // t2's effects are outside, and need a look
    QCOMPARE(value(u"SELECT status FROM app.k WHERE key = 'k002'"_s), u"processing"_s);
    // A purge takes just what its plan says: no row that is unknown, whatever is wrong with it. An effect is not its
    // own.
    const int planned
        = ctl({ u"purge"_s, u"--target"_s, u"k2"_s, u"--dry-run"_s, u"--json"_s }).json().value(u"rows"_s).toInt();
    const int before = value(u"SELECT count(*) FROM app.k"_s).toInt();
    const ProgramRun purged = ctl({ u"purge"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s });
    QVERIFY2(planned > 0 && value(u"SELECT count(*) FROM app.k"_s).toInt() == before - planned,
        qPrintable(QString::number(planned) + purged.err));
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE key = 'd0007'"_s),
        QLatin1String(QTest::currentDataTag()) == u"effect"_s ? u"0"_s : u"1"_s);
}

QTEST_GUILESS_MAIN(CtlAnswersTest)
#include "tst_ctl_answers.moc"
