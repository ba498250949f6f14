// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody prepared for the terminal program: a server, a folder, a profile.
#include "tests/support/password_thief.h"
#include "tests/support/program_run.h"
#include "tests/support/registered_table.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <libpq-fe.h>
#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

int fileMode(const QString &path)
{
    struct stat info {
    };
    return ::lstat(QFile::encodeName(path).constData(), &info) == 0 ? int(info.st_mode & 07777) : -1;
}

} // namespace

class AttacksCtlTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init();
    void filesArePrivate_data();
    void filesArePrivate();
    void passwordsOfTheEnvironment_data();
    void passwordsOfTheEnvironment();
    void nothingRunsBeforeThePersonSaidYes();
    void aSuperuserRunsNobodysProfile_data();
    void aSuperuserRunsNobodysProfile();
    void jsonSteersNoTerminal();
    void whatIsConfirmedIsAll();
    void aDryRunDoesNothing_data();
    void aDryRunDoesNothing();

private:
    ProgramRun ctl(const QStringList &arguments, const QProcessEnvironment &environment) const;
    ProgramRun on(QStringList arguments, const QString &login) const
    {
        return ctl(arguments += { u"--connect"_s, m_fixture->cluster().conninfoAs(login, m_fixture->database()) },
            environment());
    }
    QProcessEnvironment environment() const;
    QString writeProfile(const QByteArray &changes) const;
    QString rows() const { return m_fixture->root().value(u"SELECT count(*) FROM app.victim"_s); }

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_home;
};

void AttacksCtlTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
}

void AttacksCtlTest::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    m_fixture->fresh();
    m_fixture->cluster().psql(m_fixture->database(),
        u"GRANT USAGE ON SCHEMA app TO adm, viewer; GRANT SELECT ON app.k, app.eff TO adm, viewer, op; "
        "CREATE TABLE app.victim AS SELECT i FROM generate_series(1, 99) i; GRANT ALL ON app.victim TO PUBLIC; "
        "CREATE FUNCTION app.sneak() RETURNS void LANGUAGE sql AS 'DELETE FROM app.victim'; "
        "CREATE FUNCTION app.sneaky(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM "
        "app.sneak(); RETURN $1; END $$"_s);
}

QProcessEnvironment AttacksCtlTest::environment() const
{
    QProcessEnvironment environment = privateEnvironment(m_home->path());
    for (const QString &name : { u"PGPASSWORD"_s, u"PGSSLMODE"_s }) {
        environment.remove(name);
    }
    environment.insert(u"PGPASSFILE"_s, u"/nonexistent/pgpass"_s);
    return environment;
}

ProgramRun AttacksCtlTest::ctl(const QStringList &arguments, const QProcessEnvironment &environment) const
{
    return runProgram(QStringLiteral(IDEMDESKCTL), arguments, { environment, {}, {}, 60'000, [] { ::umask(022); } });
}

QString AttacksCtlTest::writeProfile(const QByteArray &changes) const
{
    QFile file(m_home->filePath(u"k2.json"_s));
    if (!file.open(QIODevice::WriteOnly) || file.write(tableProfile(changes)) < 0) {
        qFatal("no profile");
    }
    return file.fileName();
}

void AttacksCtlTest::filesArePrivate_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<QString>("name");
    QTest::newRow("trail") << QStringList { u"audit"_s, u"export"_s } << u"trail.csv"_s;
    QTest::newRow("trail as lines") << QStringList { u"audit"_s, u"export"_s, u"--format"_s, u"jsonl"_s }
                                    << u"trail.jsonl"_s;
    QTest::newRow("keys") << QStringList { u"export"_s, u"--target"_s, u"k2"_s } << u"keys.csv"_s;
    QTest::newRow("case, HTML") << QStringList { u"case"_s, u"k001"_s, u"--target"_s, u"k2"_s } << u"case.html"_s;
    QTest::newRow("case, JSON") << QStringList { u"case"_s, u"k001"_s, u"--target"_s, u"k2"_s } << u"case.json"_s;
    QTest::newRow("case, PDF") << QStringList { u"case"_s, u"k001"_s, u"--target"_s, u"k2"_s } << u"case.pdf"_s;
}

void AttacksCtlTest::filesArePrivate()
{
    QFETCH(QStringList, command);
    QFETCH(QString, name);
    registerTable(*m_fixture);
    const QString path = m_home->filePath(name);
    const ProgramRun run = on(command + QStringList { u"-o"_s, path }, u"op"_s);
    QVERIFY2(run.status == 0, qPrintable(run.err));
    QVERIFY(QFileInfo(path).size() > 0);
    QCOMPARE(fileMode(path), 0600);
    // Neither is a file written over, nor what a link of that name leads to.
    QVERIFY(on(command + QStringList { u"-o"_s, path }, u"op"_s).status != 0);
    const QString link = m_home->filePath(u"link."_s + QFileInfo(name).suffix());
    QVERIFY(QFile::link(m_home->filePath(u"victim"_s), link));
    QVERIFY(on(command + QStringList { u"-o"_s, link }, u"op"_s).status != 0);
    QVERIFY(!QFileInfo::exists(m_home->filePath(u"victim"_s)) && QFileInfo(link).isSymLink());
}

void AttacksCtlTest::passwordsOfTheEnvironment_data()
{
    QTest::addColumn<bool>("file");
    QTest::newRow("PGPASSWORD") << false;
    QTest::newRow("password file") << true;
}

void AttacksCtlTest::passwordsOfTheEnvironment()
{
    QFETCH(bool, file);
    const PasswordThief thief(PasswordThief::Asks::ClearText);
    QProcessEnvironment variables = environment();
    if (file) {
        QFile stored(m_home->filePath(u"pgpass"_s));
        QVERIFY(stored.open(QIODevice::WriteOnly) && stored.setPermissions(QFile::ReadOwner | QFile::WriteOwner)
            && stored.write("*:*:*:*:canary\n") > 0);
        variables.insert(u"PGPASSFILE"_s, stored.fileName());
    } else {
        variables.insert(u"PGPASSWORD"_s, u"canary"_s);
    }
    const QStringList command { u"targets"_s, u"--connect"_s,
        u"host=127.0.0.1 port=%1 dbname=x user=me"_s.arg(thief.port()) };
    const ProgramRun refused = ctl(command, variables);
    QCOMPARE(refused.status, 3);
    QVERIFY2(refused.err.contains(u"not sent"_s) && refused.err.contains(u"verify-full"_s), qPrintable(refused.err));
    QCOMPARE(thief.asked(), 1);
    QCOMPARE(thief.loot(), QByteArray());
    QVERIFY(ctl(command + QStringList { u"--unverified-password"_s }, variables).status != 0);
    QCOMPARE(thief.loot().contains("canary"), PQlibVersion() < 160'000);
}

namespace {

QString shaOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly)
        ? QString::fromLatin1(QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256).toHex())
        : QString();
}

} // namespace

void AttacksCtlTest::nothingRunsBeforeThePersonSaidYes()
{
    const QString path = writeProfile(
        R"json({ "effects": [{ "type": "eff", "proves": true,
            "sql": "SELECT app.sneaky('x') AS id, NULL::timestamptz AS at, NULL::text AS state" }] })json");
    const ProgramRun asked = on({ u"targets"_s, u"add"_s, path }, u"adm"_s);
    QCOMPARE(asked.status, 3);
    QVERIFY2(asked.err.contains(u"app.sneaky('x')"_s) && asked.err.contains(u"--trust"_s), qPrintable(asked.err));
    QCOMPARE(rows(), u"99"_s);
    // Nor as somebody who may do anything.
    const ProgramRun superuser
        = on({ u"targets"_s, u"add"_s, u"--trust"_s, shaOf(path), path }, m_fixture->superuser());
    QCOMPARE(superuser.status, 3);
    QCOMPARE(rows(), u"99"_s);
}

/// What is JSON is shown on a terminal, too.
void AttacksCtlTest::jsonSteersNoTerminal()
{
    registerTable(*m_fixture);
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET key = E'C\\u009b31m\\u202eX\\u2028' WHERE key = 'k001'"_s).ok());
    const ProgramRun run = on({ u"keys"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"key:C*"_s, u"--json"_s }, u"op"_s);
    QCOMPARE(run.items().size(), 1);
    const QString key = run.items().first().toObject().value(u"key"_s).toString();
    QCOMPARE(key, QString(u"C"_s + QChar(0x9b) + u"31m"_s + QChar(0x202e) + u'X' + QChar(0x2028))); // none is lost
    for (const QChar c : QString::fromUtf8(run.out)) {
        QVERIFY(c.unicode() < 0x7f || (c.unicode() > 0x9f && c.category() != QChar::Other_Format));
    }
    const ProgramRun refused
        = on({ u"show"_s, QString(u'a' + QChar(0x202e)), u"--target"_s, u"k2"_s, u"--json"_s }, u"op"_s);
    QVERIFY(refused.status != 0 && !QString::fromUtf8(refused.out).contains(QChar(0x202e)));
}

/// A table that is read as well and an address that a person may be led to stand beside the SQL.
void AttacksCtlTest::whatIsConfirmedIsAll()
{
    const QString path = writeProfile(
        R"json({"history": {"relation": "app.victim", "columns": ["key"]}, "links": [{"label": "Trace",
            "url": "https://evil.example/{key}"}]})json");
    const ProgramRun asked = on({ u"targets"_s, u"add"_s, path }, u"adm"_s);
    QCOMPARE(asked.status, 3);
    QVERIFY2(asked.err.contains(u"app.victim"_s) && asked.err.contains(u"https://evil.example/{key}"_s),
        qPrintable(asked.err));
}

/// An admin registers what the server may well run, and beside it a text of his own by which everybody reads: through
/// a function that calls another one it wrote a file as the server's account, when a superuser merely looked.
void AttacksCtlTest::aSuperuserRunsNobodysProfile_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::newRow("keys") << QStringList { u"keys"_s, u"--target"_s, u"k2"_s };
    QTest::newRow("triage") << QStringList { u"triage"_s, u"--target"_s, u"k2"_s };
    QTest::newRow("find") << QStringList { u"find"_s, u"k001"_s };
    QTest::newRow("check") << QStringList { u"check"_s };
    QTest::newRow("alerts") << QStringList { u"check"_s, u"--alerts"_s };
    QTest::newRow("metrics") << QStringList { u"metrics"_s };
}

void AttacksCtlTest::aSuperuserRunsNobodysProfile()
{
    QFETCH(QStringList, command);
    registerTable(*m_fixture);
    m_fixture->forgetBare();
    const auto made = m_fixture->root().run(
        u"GRANT CREATE ON DATABASE %1 TO adm; SET ROLE adm; CREATE SCHEMA mine; GRANT USAGE ON SCHEMA mine TO PUBLIC; "
        "CREATE FUNCTION mine.writes() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('COPY (SELECT 1) TO "
        "%L', current_setting('data_directory') || '/written'); END $$; "
        "CREATE FUNCTION mine.text(text) RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN PERFORM mine.writes(); "
        "RETURN $1; EXCEPTION WHEN insufficient_privilege THEN RETURN $1; END $$; RESET ROLE"_s.arg(
            m_fixture->database()));
    QVERIFY2(made.ok(), qPrintable(made.value()));
    const QByteArray roles = R"json({"roles": {"status": "mine.text(t.status)", "attempts": "t.attempts", )json"
                             R"json("lease_until": "t.locked_until", "updated_at": "t.updated_at"}})json";
    const QString compiled = m_fixture->root().value(u"SELECT compiled FROM idemdesk.target WHERE name = 'k2'"_s);
    const QString answer
        = m_fixture->registerTarget(compiled, u"{}"_s, QString::fromUtf8(tableProfile(roles)), u"k2"_s);
    QVERIFY2(answer.contains(u"\"registered\": true"_s), qPrintable(answer));
    const ProgramRun run = on(command, m_fixture->superuser());
    QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM pg_ls_dir('.') d WHERE d = 'written'"_s), u"0"_s);
    QVERIFY2(run.said().contains("k2 was not used"), run.said().constData());
}

void AttacksCtlTest::aDryRunDoesNothing_data()
{
    QTest::addColumn<QByteArray>("changes");
    QTest::newRow("an effect") << QByteArray(
        R"json({ "effects": [{ "type": "eff", "proves": true,
            "sql": "SELECT app.sneaky('x') AS id, NULL::timestamptz AS at, NULL::text AS state" }] })json");
    QTest::newRow("an effect of the row") << QByteArray(
        R"json({ "effects": [{ "type": "eff", "proves": true,
            "sql": "SELECT app.sneaky(t.key) AS id, NULL::timestamptz AS at, NULL::text AS state" }] })json");
    QTest::newRow("a role") << QByteArray(
        R"json({ "roles": { "status": "t.status", "attempts": "t.attempts", "lease_until": "t.locked_until",
            "owner": "app.sneaky('x')" } })json");
    QTest::newRow("a rule") << QByteArray(
        R"json({ "actions": { "recover": [{ "from": ["in_progress"], "to": "failed_retryable",
            "set": { "status": "app.sneaky('failed')" } }], "requeue": [] } })json");
}

void AttacksCtlTest::aDryRunDoesNothing()
{
    QFETCH(QByteArray, changes);
    const QString path = writeProfile(changes);
    on({ u"targets"_s, u"add"_s, u"--trust"_s, shaOf(path), u"--dry-run"_s, path }, u"adm"_s);
    QCOMPARE(rows(), u"99"_s);
    QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM idemdesk.target WHERE name = 'k2'"_s), u"0"_s);
    on({ u"targets"_s, u"check"_s, u"--trust"_s, shaOf(path), path }, u"adm"_s);
    QCOMPARE(rows(), u"99"_s);
}

QTEST_GUILESS_MAIN(AttacksCtlTest)
#include "tst_attacks_ctl.moc"
