// SPDX-License-Identifier: GPL-3.0-or-later
// How the terminal program writes what it has to say: fitted to a terminal, as JSON of a documented shape, and again.
#include "tests/support/program_run.h"
#include "tests/support/redis_fixture.h"
#include "tests/support/registered_table.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
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

namespace {

struct OutputRun : ProgramRun {
    QString error() const { return json().value(u"error"_s).toObject().value(u"what"_s).toString(); }
};

} // namespace

class CtlOutputTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init();

    void everyDocumentHasItsShape();
    void errorsAreDocuments_data();
    void errorsAreDocuments();
    void examplesRun_data();
    void examplesRun();
    void tablesFitTheTerminal_data();
    void tablesFitTheTerminal();
    void sentencesStandBelowWhereTheyWouldBeAStrip();
    void alertsAreReadWhole();
    void columnsWithoutContentGoFirst();
    void namesAreQuotedWhereSqlNeedsIt();
    void notesAreBrokenBetweenWords();
    void trendsBeginWhereSomethingIsKnown();
    void aPipeGetsEverythingWhole();
    void columnsAreChosen();
    void aTerminalHasColoursAndAges();
    void thePagerShowsWhatIsLonger();
    void aCommandIsRepeated();
    void targetsHaveSeveralNames();
    void theTrailIsAskedByBeginnings();
    void namesOfAProfileAreShownAsText_data();
    void namesOfAProfileAreShownAsText();
    void variablesStandForOptions();
    void metricsAreSuggested();
    void aKeyIsFoundInEveryTable();
    void aCaseIsReadAtOnce();
    void anActionsIdIsItsBeginning();
    void whoSeesNothingIsToldSo();
    void serversWordsAreForTheVerbose();
    void anApproverSeesWhatIsDecided();
    void theManualKnowsMetricsAndFields();

private:
    OutputRun run(const QStringList &arguments, const QString &login = u"op"_s,
        const QMap<QString, QString> &variables = {}) const;
    /// The same on a terminal of 100 columns and 30 lines; what it shows.
    OutputRun onTerminal(const QStringList &arguments, const QMap<QString, QString> &variables = {}) const;
    QProcessEnvironment environment(const QMap<QString, QString> &variables) const;
    QStringList on(const QStringList &arguments, const QString &login) const
    {
        return arguments
            + QStringList { u"--connect"_s, m_fixture->cluster().conninfoAs(login, m_fixture->database()) };
    }
    void psql(const QString &sql) { m_fixture->cluster().psql(m_fixture->database(), sql); }
    /// payments.json in the home: a group whose two members are this database.
    QString groupFile() const;
    QString twoDatabases() const; ///< a group of two with one table each, which no conninfo shares
    QString groupFile(const QStringList &conninfos) const;
    /// Keeps what `cache` and `show` say of a table with a Redis in front of it.
    template <typename Keep> void keepCache(const Keep &keep) const;
    /// Keeps three rows, all of whose times are fixed.
    void makeStill();

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_home;
    QByteArray m_function; ///< that runs now
    QString m_wide; ///< the profile that examplesRun registers, by its SHA-256
};

void CtlOutputTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
    m_home = std::make_unique<QTemporaryDir>(); // rows are made before the first init()
}

void CtlOutputTest::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    // Examples take the database as the one before left it: there are many of them.
    const QByteArray before = std::exchange(m_function, QByteArray(QTest::currentTestFunction()));
    if (m_function == "examplesRun" && before == m_function) {
        return;
    }
    m_fixture->fresh([this] {
        psql(u"GRANT USAGE ON SCHEMA app TO adm, appr; GRANT SELECT ON app.k, app.eff TO adm, appr, op, op2"_s);
        registerTable(*m_fixture);
        QVERIFY(m_fixture->root().run(u"DELETE FROM idemdesk.target WHERE name = 'k'"_s).ok());
    });
}

QString CtlOutputTest::groupFile() const
{
    const QString conninfo = m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database());
    return groupFile({ conninfo, conninfo });
}

QString CtlOutputTest::twoDatabases() const
{
    QStringList conninfos;
    for (const QString &name : { u"region_eu"_s, u"region_us"_s }) {
        m_fixture->cluster().createDatabase(name);
        m_fixture->cluster().psqlFile(name, u"sql/demo/schema_001.sql"_s);
        m_fixture->cluster().psql(name,
            u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
            u"expires_at) "
            "VALUES ('order', '%1', 'aa', 'processing', '2100-01-01')"_s.arg(name));
        conninfos += m_fixture->cluster().conninfo(name);
    }
    return groupFile(conninfos);
}

QString CtlOutputTest::groupFile(const QStringList &conninfos) const
{
    const QStringList labels { u"eu"_s, u"us"_s };
    QJsonArray members;
    for (qsizetype i = 0; i < labels.size(); ++i) {
        members.append(QJsonObject { { u"label"_s, labels.at(i) }, { u"conninfo"_s, conninfos.at(i) } });
    }
    const QJsonObject group { { u"idemdesk_group"_s, 1 }, { u"name"_s, u"payments"_s }, { u"kind"_s, u"regions"_s },
        { u"members"_s, members } };
    QFile file(m_home->filePath(u"payments.json"_s));
    insist(file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(group).toJson()) > 0, file.errorString());
    return file.fileName();
}

void CtlOutputTest::makeStill()
{
    psql(u"DELETE FROM app.k WHERE key NOT IN ('k001', 'd0002', 'd0004'); "
         "UPDATE app.k SET key = 'order-2026-11-20-0000000000000000000000000000000000000000000000000000-first' WHERE "
         "key = 'k001'; "
         "UPDATE app.k SET updated_at = '2026-11-20 10:00:00+00', expires_at = '2026-11-21 10:00:00+00'; "
         "UPDATE app.k SET locked_until = '2026-11-20 10:05:00.25+00' WHERE status = 'processing'; "
         "INSERT INTO app.eff SELECT 'e-' || key, tenant, key FROM app.k WHERE key = 'd0002'"_s);
}

QProcessEnvironment CtlOutputTest::environment(const QMap<QString, QString> &variables) const
{
    QProcessEnvironment environment = privateEnvironment(m_home->path());
    for (const QString &name : { u"COLUMNS"_s, u"NO_COLOR"_s, u"PAGER"_s, u"LESS"_s }) {
        environment.remove(name);
    }
    for (auto it = variables.cbegin(); it != variables.cend(); ++it) {
        environment.insert(it.key(), it.value());
    }
    return environment;
}

OutputRun CtlOutputTest::run(
    const QStringList &arguments, const QString &login, const QMap<QString, QString> &variables) const
{
    return { runProgram(QStringLiteral(IDEMDESKCTL), login.isEmpty() ? arguments : on(arguments, login),
        { environment(variables), {}, m_home->path() }) };
}

OutputRun CtlOutputTest::onTerminal(const QStringList &arguments, const QMap<QString, QString> &variables) const
{
    QStringList command { QStringLiteral(IDEMDESKCTL) };
    command += on(arguments, u"op"_s);
    for (QString &word : command) {
        word = u'\'' + word.replace(u"'"_s, u"'\\''"_s) + u'\'';
    }
    QMap<QString, QString> all = variables;
    all.insert(u"TERM"_s, u"xterm"_s);
    OutputRun run { runProgram(u"script"_s,
        { u"-qec"_s, u"stty cols 100 rows 30; "_s + command.join(u' '), u"/dev/null"_s }, { environment(all) }) };
    run.out.replace("\r\n", "\n");
    return run;
}

template <typename Keep> void CtlOutputTest::keepCache(const Keep &keep) const
{
    QJsonObject profile = QJsonDocument::fromJson(tableProfile()).object();
    profile.insert(u"name"_s, u"cached"_s);
    profile.insert(u"cache"_s,
        QJsonObject { { u"key"_s, u"k:{tenant}:{key}"_s }, { u"ttl"_s, u"300s"_s },
            { u"values"_s, QJsonObject { { u"processing"_s, u"in_progress"_s } } } });
    const QByteArray text = QJsonDocument(profile).toJson();
    QFile file(m_home->filePath(u"cached.json"_s));
    insist(file.open(QIODevice::WriteOnly) && file.write(text) == text.size(), file.errorString());
    file.close();
    const RedisFixture redis;
    redis.run("SET k:t1:d0010 processing EX 200\nLPUSH k:t1:k001 x\nSET k:t1:none done\n");
    const QStringList how { u"--target"_s, file.fileName(), u"--trust"_s,
        QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex()), u"--cache"_s,
        redis.url() };
    keep(u"cache"_s, QStringList { u"cache"_s, u"--settle"_s, u"0"_s } + how);
    keep(u"show@cached"_s, QStringList { u"show"_s, u"k001"_s } + how);
    registerTable(*m_fixture, text, u"cached"_s);
    const QStringList why { u"--reason"_s, u"the worker died"_s };
    keep(u"release"_s,
        QStringList { u"release"_s, u"d0010"_s, u"--target"_s, u"cached"_s, u"--cache"_s, redis.url() } + why);
    keep(u"release@dry"_s,
        QStringList {
            u"release"_s, u"d0010"_s, u"--target"_s, u"cached"_s, u"--cache"_s, redis.url(), u"--dry-run"_s });
    keep(u"release@refused"_s,
        QStringList { u"release"_s, u"k001"_s, u"--target"_s, u"cached"_s, u"--cache"_s, redis.url() } + why);
    insist(run({ u"targets"_s, u"remove"_s, u"cached"_s }, u"adm"_s).status == 0, u"cached stays"_s);
}

/// What each command writes is one document that its schema in the package describes to the last field.
void CtlOutputTest::everyDocumentHasItsShape()
{
    const QDir folder(m_home->filePath(u"documents"_s));
    QVERIFY(QDir().mkpath(folder.path()));
    const auto keep = [&](const QString &schema, const QStringList &arguments, const QString &login = u"op"_s) {
        const OutputRun document = run(arguments + QStringList { u"--json"_s }, login);
        QFile file(folder.filePath(schema + u".json"_s));
        if (!file.open(QIODevice::WriteOnly) || file.write(document.out) != document.out.size()) {
            qFatal("%s", qPrintable(file.errorString()));
        }
        if (document.status < 0 || document.out.isEmpty() || document.json().value(u"version"_s).toInt() != 1) {
            qWarning("%s: status %d, %s %s", qPrintable(arguments.join(u' ')), document.status,
                document.out.left(200).constData(), qPrintable(document.err));
        }
        return document;
    };
    psql(u"INSERT INTO app.eff SELECT 'e-' || key, tenant, key FROM app.k WHERE key = 'd0010'; "
         "INSERT INTO app.k SELECT 't1', 'same-' || i, 'succeeded', NULL, 1, 'twice', now(), now(), 1.50, 'ab', '{}' "
         "FROM generate_series(1, 2) i; "
         "SELECT idemdesk.record_conflict('t1', 'k001', 'aa', 'bb', '{}', 'svc', 'k2')"_s);
    const QStringList k2 { u"--target"_s, u"k2"_s };
    const QStringList why { u"--reason"_s, u"test"_s };
    keep(u"detect"_s, { u"detect"_s });
    keep(u"targets"_s, { u"targets"_s });
    QFile profile(m_home->filePath(u"k3.json"_s));
    QVERIFY(profile.open(QIODevice::WriteOnly));
    profile.write(QJsonDocument([] {
        QJsonObject object = QJsonDocument::fromJson(tableProfile()).object();
        object.insert(u"name"_s, u"k3"_s);
        return object;
    }())
                      .toJson());
    profile.close();
    const QString sha = QString::fromLatin1(QCryptographicHash::hash(
        [&] {
            QFile again(profile.fileName());
            return again.open(QIODevice::ReadOnly) ? again.readAll() : QByteArray();
        }(),
        QCryptographicHash::Sha256)
                                                .toHex());
    keep(u"targets-check"_s, { u"targets"_s, u"check"_s, profile.fileName(), u"--trust"_s, sha }, u"adm"_s);
    keep(u"targets-add"_s, { u"targets"_s, u"add"_s, profile.fileName(), u"--trust"_s, sha }, u"adm"_s);
    keep(u"targets-remove"_s, { u"targets"_s, u"remove"_s, u"k3"_s }, u"adm"_s);
    keepCache(keep);
    keep(u"keys"_s, QStringList { u"keys"_s, u"--limit"_s, u"3"_s } + k2);
    keep(u"keys@all"_s, QStringList { u"keys"_s, u"--limit"_s, u"10000"_s } + k2);
    keep(u"show"_s, QStringList { u"show"_s, u"k001"_s } + k2);
    keep(u"find"_s, { u"find"_s, u"k001"_s });
    keep(u"find@done"_s, { u"find"_s, u"d0010"_s });
    keep(u"case"_s, { u"case"_s, u"k003"_s, u"d0010"_s });
    keep(u"triage"_s, QStringList { u"triage"_s } + k2);
    keep(u"scopes"_s, QStringList { u"scopes"_s } + k2);
    keep(u"scopes-retries"_s, QStringList { u"scopes"_s, u"--retries"_s } + k2);
    keep(u"causes"_s, QStringList { u"causes"_s } + k2);
    keep(u"plan"_s, QStringList { u"recover"_s, u"--dry-run"_s } + k2);
    keep(u"purge-plan"_s, QStringList { u"purge"_s, u"--dry-run"_s } + k2);
    const OutputRun recovered = keep(u"run"_s,
        QStringList { u"recover"_s, u"--key"_s, u"k002"_s, u"--to"_s, u"failed_retryable"_s, u"--no-pauses"_s } + k2
            + why);
    QCOMPARE(recovered.json().value(u"state"_s).toString(), u"finished"_s);
    QVERIFY(recovered.json().value(u"finished_at"_s).isString());
    const QString id = recovered.json().value(u"id"_s).toString();
    keep(u"plan@none"_s, QStringList { u"recover"_s, u"--filter"_s, u"key:none"_s } + k2 + why);
    keep(u"run@purge"_s, QStringList { u"purge"_s, u"--no-pauses"_s } + k2 + why);
    keep(u"run@undo"_s, QStringList { u"actions"_s, u"undo"_s, id, u"--no-pauses"_s } + why);
    keep(u"actions"_s, { u"actions"_s });
    psql(u"UPDATE idemdesk.target SET approval_above = 0; UPDATE idemdesk.target_limit SET approval_above = 0"_s);
    keep(u"run@asked"_s,
        QStringList { u"recover"_s, u"--key"_s, u"k004"_s, u"--to"_s, u"failed_retryable"_s } + k2 + why);
    keep(u"requests"_s, { u"requests"_s });
    keep(u"requests@sql"_s, { u"requests"_s, u"--verbose"_s });
    keep(u"actions-show"_s, { u"actions"_s, u"show"_s, id });
    keep(u"partitions"_s, QStringList { u"partitions"_s } + k2);
    keep(u"conflicts"_s, { u"conflicts"_s });
    QFile log(m_home->filePath(u"service.jsonl"_s));
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.write("{\"time\":\"2026-11-20T10:00:00Z\",\"key\":\"k003\",\"outcome\":\"conflict\"}\nno json\n");
    log.close();
    keep(u"conflicts-import"_s, { u"conflicts"_s, u"import"_s, log.fileName() });
    keep(u"complaint"_s, { u"complaint"_s, u"--key"_s, u"k003"_s });
    keep(u"duplicates"_s, QStringList { u"duplicates"_s } + k2);
    registerTable(*m_fixture,
        R"({"provider": {"reference": "t.key", "amount": "t.price", "status": "t.status", "at": "t.updated_at",
            "states": {"processing": "sent", "succeeded": "confirmed"}, "link": "https://acme.example/{reference}"}})",
        u"pay"_s);
    const QStringList pay { u"--target"_s, u"pay"_s };
    QFile statement(m_home->filePath(u"statement.csv"_s));
    QVERIFY(statement.open(QIODevice::WriteOnly));
    statement.write(
        "reference,amount,currency,time\nk001,1.50,EUR,2026-11-20T10:00:00Z\nk003,1.51,EUR,2026-11-20T10:00:00Z\n"
        "none,1,EUR,2026-11-20T11:00:00Z\nbroken\n");
    statement.close();
    keep(u"provider"_s, QStringList { u"provider"_s } + pay);
    keep(u"provider-preview"_s, QStringList { u"provider"_s, statement.fileName(), u"--preview"_s } + pay);
    keep(u"provider-statement"_s,
        QStringList { u"provider"_s, statement.fileName(), u"--provider"_s, u"acme"_s, u"--record"_s, u"--map"_s,
            u"outcome=happened"_s }
            + pay + why);
    keep(u"case@provider"_s, QStringList { u"case"_s, u"k001"_s } + pay);
    QCOMPARE(run({ u"targets"_s, u"remove"_s, u"pay"_s }, u"adm"_s).status, 0);
    const auto bare = [&](const QString &schema, const QStringList &arguments) {
        const OutputRun document = run(arguments + QStringList { u"--json"_s }, {});
        QFile file(folder.filePath(schema + u".json"_s));
        return file.open(QIODevice::WriteOnly) && file.write(document.out) > 0;
    };
    QVERIFY(bare(u"compare"_s, { u"compare"_s, u"--group"_s, twoDatabases(), u"--target"_s, u"plpgsql-request"_s }));
    const QString one = m_home->filePath(u"one.json"_s);
    const QString two = m_home->filePath(u"two.json"_s);
    for (const auto &[name, text] :
        { std::pair(one, "{\"a\":1,\"b\":[1,2]}"), std::pair(two, "{\"b\":[2],\"a\":1.0}") }) {
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) > 0);
    }
    QVERIFY(bare(u"diff"_s, { u"diff"_s, one, two, u"--fingerprint"_s, QString(64, u'a') }));
    QVERIFY(bare(u"diff@text"_s, { u"diff"_s, one, QStringLiteral(CHECK_SHAPES) }));
    QVERIFY(bare(u"demo"_s, { u"demo"_s, u"status"_s }));
    keep(u"trends-metrics"_s, QStringList { u"trends"_s } + k2);
    keep(u"sample"_s, { u"sample"_s });
    keep(u"sample-cron"_s, { u"sample"_s, u"--cron"_s, u"status"_s });
    keep(u"trends"_s, QStringList { u"trends"_s, u"--metric"_s, u"stale"_s, u"--source"_s, u"samples"_s } + k2);
    keep(u"check"_s, QStringList { u"check"_s } + k2);
    keep(u"check-alerts"_s, { u"check"_s, u"--alerts"_s });
    keep(u"runbooks"_s, { u"runbook"_s });
    keep(u"runbook"_s, { u"runbook"_s, u"orphaned-keys"_s });
    keep(u"runbook@table"_s, QStringList { u"runbook"_s, u"purge-wrong"_s } + k2);
    keep(u"review-sign"_s,
        QStringList { u"review"_s, u"sign"_s, u"key_source"_s, u"--verdict"_s, u"settled"_s, u"--note"_s,
            u"the client makes a UUID"_s }
            + k2);
    keep(u"review"_s, QStringList { u"review"_s } + k2);
    psql(u"GRANT INSERT, DELETE ON app.k TO op; COMMENT ON DATABASE %1 IS 'idemdesk: test'"_s.arg(
        m_fixture->database()));
    QFile statements(m_home->filePath(u"drill.json"_s));
    QVERIFY(statements.open(QIODevice::WriteOnly));
    const QByteArray drill
        = R"json({"perform": ["INSERT INTO app.k (tenant, key, status) VALUES ('drill', $key, 'succeeded')"],
        "effects": "SELECT count(*) FROM app.k WHERE tenant = 'drill' AND key = $key",
        "cleanup": ["DELETE FROM app.k WHERE tenant = 'drill' AND key = $key"]})json";
    statements.write(drill);
    statements.close();
    const QStringList given { u"--statements"_s, statements.fileName() };
    const QStringList trusted { u"--trust"_s,
        QString::fromLatin1(QCryptographicHash::hash(drill, QCryptographicHash::Sha256).toHex()) };
    keep(u"drill"_s, QStringList { u"drill"_s } + given + trusted + k2);
    keep(u"drill-statements"_s, QStringList { u"drill"_s, u"--dry-run"_s } + given + k2);
    keep(u"activity"_s, { u"activity"_s });
    keep(u"targets-counts"_s, { u"targets"_s, u"--counts"_s });
    keep(u"console-status"_s, { u"console"_s, u"status"_s });
    keep(u"console-repair"_s, { u"console"_s, u"repair"_s }, m_fixture->superuser());
    keep(u"audit"_s, { u"audit"_s });
    keep(u"audit-verify"_s, { u"audit"_s, u"verify"_s });
    keep(u"audit-anchor"_s, { u"audit"_s, u"anchor"_s });
    keep(u"error"_s, QStringList { u"show"_s, u"nothing"_s } + k2);
    keep(u"console-uninstall"_s, { u"console"_s, u"uninstall"_s }, m_fixture->superuser());
    keep(u"console-install"_s, { u"console"_s, u"install"_s }, m_fixture->superuser());

    QProcess check;
    check.start(u"/usr/bin/python3"_s, { QStringLiteral(CHECK_SHAPES), QStringLiteral(SCHEMAS), folder.path() });
    QVERIFY(check.waitForFinished(120'000));
    const QByteArray said = check.readAll() + check.readAllStandardError();
    QVERIFY2(check.exitCode() == 0, said.constData());
    // A schema that no document was checked against would prove nothing. Groups, align and compensation lists need two
    // servers, and check theirs beside them (tst_ctl_group, tst_ctl_align, tst_ctl_compare).
    QStringList unused;
    const QStringList schemas = QDir(QStringLiteral(SCHEMAS)).entryList({ u"*.json"_s });
    for (const QString &schema : schemas) {
        const QString name = schema.chopped(5);
        if (name != u"common" && !name.endsWith(u"-group"_s) && name != u"align" && name != u"compensation"
            && folder.entryList({ name + u".json"_s, name + u"@*.json"_s }).isEmpty()) {
            unused += name;
        }
    }
    QCOMPARE(unused.join(u' '), u"activity-signal group-file recipe"_s); // a session to end, none, a hash
}

void CtlOutputTest::errorsAreDocuments_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::newRow("no such option") << QStringList { u"keys"_s, u"--limt"_s, u"3"_s } << 2;
    QTest::newRow("no target") << QStringList { u"keys"_s } << 2;
    QTest::newRow("no such target") << QStringList { u"keys"_s, u"--target"_s, u"nope"_s } << 2;
    QTest::newRow("a filter that is none")
        << QStringList { u"keys"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"atempts>3"_s } << 2;
    QTest::newRow("no reason") << QStringList { u"recover"_s, u"--target"_s, u"k2"_s } << 2;
    QTest::newRow("no id") << QStringList { u"actions"_s, u"show"_s } << 2;
    QTest::newRow("no such key") << QStringList { u"find"_s, u"nope"_s } << 1;
    QTest::newRow("no right") << QStringList { u"targets"_s, u"remove"_s, u"k2"_s } << 3;
}

/// One document on standard output, and the same for people on standard error.
void CtlOutputTest::errorsAreDocuments()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    const OutputRun failed = run(arguments + QStringList { u"--json"_s });
    QVERIFY2(failed.status == status, qPrintable(failed.err));
    QVERIFY2(!failed.error().isEmpty(), failed.out.constData());
    QCOMPARE(failed.json().value(u"version"_s).toInt(), 1);
    QVERIFY2(failed.err.contains(failed.error()), qPrintable(failed.err));
}

void CtlOutputTest::examplesRun_data()
{
    QTest::addColumn<QString>("example");
    static const QRegularExpression command(u"^  ([a-z]+)  +\\S"_s, QRegularExpression::MultilineOption);
    const QString usage = QString::fromUtf8(run({ u"help"_s }, {}).out);
    int all = 0;
    for (auto it = command.globalMatch(usage); it.hasNext();) {
        const QString name = it.next().captured(1);
        const QStringList lines = QString::fromUtf8(run({ u"help"_s, name }, {}).out)
                                      .section(u"Examples:\n"_s, 1)
                                      .split(u'\n')
                                      .filter(u"    idemdeskctl "_s);
        for (const QString &line : lines) {
            ++all;
            // tst_ctl_examples runs those of demo and completion; a file of the reader's own is not here.
            if (name != u"demo" && name != u"completion" && !line.contains(u"mine.json"_s)) {
                QTest::newRow(qPrintable(line.trimmed())) << line.trimmed();
            }
        }
    }
    QVERIFY(all >= 60);
}

/// No example of the manual is a wrong call. What it is about need not be here.
void CtlOutputTest::examplesRun()
{
    QFETCH(QString, example);
    // An example may take it out, or register it otherwise.
    if (m_fixture->root().value(u"SELECT encode(profile_sha, 'hex') FROM idemdesk.target WHERE name = 'k2'"_s)
        != m_wide) {
        m_wide = registerTable(
            *m_fixture, R"({"roles": {"status": "t.status", "attempts": "t.attempts", "lease_until": "t.locked_until",
        "created_at": "t.updated_at", "claimed_at": "t.updated_at", "error_code": "t.result"},
        "actions": {"recover": [{"from": ["in_progress"], "to": "failed_retryable", "set": {"status": "'failed'"}}],
                    "requeue": [{"from": ["failed_final"], "to": "failed_retryable", "set": {"status": "'failed'"}}],
                    "reclassify": [{"from": ["failed_retryable"], "to": "failed_final", "set": {"status": "'dead'"}}]}})")
                     .registered.profileSha;
    }
    QString line = example;
    static const QRegularExpression table(u"app\\.(idempotency_request|idempotency_keys|inbox_message)\\b(?!_)"_s);
    static const QRegularExpression behind(u" (\\||>|&&) .*$"_s);
    static const QRegularExpression connect(u" --connect \\S+"_s);
    line.replace(table, u"app.k"_s)
        .remove(behind)
        .remove(connect)
        .replace(u"--scope scope="_s, u"--scope tenant="_s)
        .replace(u"'scope:"_s, u"'tenant:"_s);
    const QStringList words = QProcess::splitCommand(line.replace(QChar(u'\''), QChar(u'"'))).mid(1);
    static const QStringList files { u"first.json"_s, u"retry.json"_s };
    for (const QString &name : files) {
        QFile file(m_home->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{\"a\":1}") > 0);
    }
    groupFile();
    const QStringList alone { u"help"_s, u"safety"_s, u"diff"_s, u"compare"_s, u"align"_s };
    const OutputRun done
        = run(words, alone.contains(words.constFirst()) || words.contains(u"--group"_s) ? QString() : u"op"_s);
    static const QRegularExpression notHere(
        u"No action's id begins with|neither holds nor awaits|keeps none|There is no key|There is no partition|"
        "shipped profiles|names no statements for a drill"_s);
    const bool reaches = done.status >= 0 && (done.status != 2 || notHere.match(done.err).hasMatch());
    QVERIFY2(reaches, qPrintable(QString::number(done.status) + u": "_s + done.err));
}

void CtlOutputTest::tablesFitTheTerminal_data()
{
    QTest::addColumn<QString>("recording");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("width");
    const QStringList k2 { u"--target"_s, u"k2"_s };
    for (const int width : { 80, 120 }) {
        const auto row = [width](const QString &name, const QStringList &arguments) {
            const QString file = u"%1.%2.txt"_s.arg(name).arg(width);
            QTest::newRow(qPrintable(file)) << file << arguments << width;
        };
        row(u"help"_s, { u"help"_s });
        row(u"help-recover"_s, { u"help"_s, u"recover"_s });
        row(u"keys"_s, QStringList { u"keys"_s } + k2);
        row(u"triage"_s, QStringList { u"triage"_s } + k2);
        row(u"detect"_s, { u"detect"_s, u"--schema"_s, u"app"_s });
        row(u"safety"_s, { u"safety"_s });
        row(u"scopes"_s, QStringList { u"scopes"_s } + k2);
        row(u"recover-plan"_s, QStringList { u"recover"_s, u"--dry-run"_s } + k2);
        row(u"complaint"_s, { u"complaint"_s, u"--customer"_s, u"t1"_s, u"--at"_s, u"2026-11-20"_s });
        row(u"wrong-filter"_s, QStringList { u"keys"_s, u"--filter"_s, u"state:stale atempts>3"_s } + k2);
    }
}

/// What stands in the recording, and no line is wider than the terminal. IDEMDESK_RECORD=1 writes the recordings anew.
void CtlOutputTest::tablesFitTheTerminal()
{
    QFETCH(QString, recording);
    QFETCH(QStringList, arguments);
    QFETCH(int, width);
    makeStill();
    const OutputRun shown
        = run(arguments, QStringList({ u"help"_s, u"safety"_s }).contains(arguments.constFirst()) ? QString() : u"op"_s,
            { { u"COLUMNS"_s, QString::number(width) } });
    const QByteArray text = "$ idemdeskctl " + arguments.join(u' ').toUtf8() + "\n" + shown.out
        + (shown.err.isEmpty() ? QByteArray() : "-- standard error --\n" + shown.err.toUtf8()) + "-- exit status "
        + QByteArray::number(shown.status) + " --\n";
    const QStringList lines = QString::fromUtf8(shown.out).split(u'\n');
    for (const QString &line : lines) {
        QVERIFY2(line.size() <= width || line.startsWith(u"    idemdeskctl "_s),
            qPrintable(line)); // examples are to be pasted
    }
    QFile file(QStringLiteral(RECORDINGS) + u'/' + recording);
    if (qEnvironmentVariableIsSet("IDEMDESK_RECORD")) {
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        return;
    }
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(recording));
    QCOMPARE(QString::fromUtf8(text), QString::fromUtf8(file.readAll()));
}

void CtlOutputTest::sentencesStandBelowWhereTheyWouldBeAStrip()
{
    makeStill();
    psql(u"INSERT INTO app.k SELECT tenant, key || '-again', status, locked_until, attempts, result, updated_at, "
         "expires_at, price, pad, doc FROM app.k WHERE status = 'processing'"_s);
    const OutputRun shown = run({ u"triage"_s, u"--target"_s, u"k2"_s }, u"op"_s, { { u"COLUMNS"_s, u"60"_s } });
    const QStringList lines = QString::fromUtf8(shown.out).split(u'\n');
    QVERIFY2(
        lines.constFirst().startsWith(u"SCOPE "_s) && !lines.constFirst().contains(u"WHY"_s), shown.out.constData());
    QCOMPARE(lines.value(1), u"    WHY"_s);
    QVERIFY2(lines.value(3).startsWith(u"    No “eff” exists for this key."_s), shown.out.constData());
    QCOMPARE(lines.filter(u"No “eff” exists"_s).size(), 1);
    QCOMPARE(lines.filter(u"    as above"_s).size(), 1); // the other one has the same reason
    for (const QString &line : lines) {
        QVERIFY2(line.size() <= 60, qPrintable(line));
    }
}

void CtlOutputTest::alertsAreReadWhole()
{
    const OutputRun shown = run({ u"check"_s, u"--alerts"_s }, u"op"_s, { { u"COLUMNS"_s, u"80"_s } });
    QVERIFY2(shown.out.startsWith("STATE") && shown.out.contains("Not known"), shown.said().constData());
    QVERIFY2(!shown.out.contains("…"), shown.out.constData()); // neither a name nor a reason is cut
    const QStringList lines = QString::fromUtf8(shown.out).split(u'\n');
    for (const QString &line : lines) {
        QVERIFY2(line.size() <= 80, qPrintable(line));
    }
}

void CtlOutputTest::columnsWithoutContentGoFirst()
{
    makeStill();
    const QStringList scopes { u"scopes"_s, u"--target"_s, u"k2"_s };
    const OutputRun narrow = run(scopes, u"op"_s, { { u"COLUMNS"_s, u"80"_s } });
    QVERIFY2(narrow.out.startsWith("TENANT  STUCK  IN_PROGRESS"), narrow.out.constData());
    QVERIFY2(!narrow.out.contains("PENDING") && !narrow.err.contains(u"pending"_s), narrow.said().constData());
    QVERIFY(run(scopes).out.contains("PENDING")); // with room enough
}

void CtlOutputTest::namesAreQuotedWhereSqlNeedsIt()
{
    psql(
        u"CREATE TABLE app.\"Order\" (LIKE app.k INCLUDING ALL); CREATE TABLE app.\"user\" (LIKE app.k INCLUDING ALL); "
        "INSERT INTO app.\"Order\" SELECT * FROM app.k; INSERT INTO app.\"user\" SELECT * FROM app.k; "
        "GRANT SELECT ON app.\"Order\", app.\"user\" TO op"_s);
    const QByteArray found = run({ u"detect"_s, u"--schema"_s, u"app"_s }).out;
    psql(u"DROP TABLE app.\"Order\", app.\"user\""_s);
    QVERIFY2(found.contains("\napp.k "), found.constData());
    QVERIFY2(found.contains("\napp.\"Order\" "), found.constData());
    QVERIFY2(found.contains("\napp.\"user\" "), found.constData());
}

/// A terminal would break them anywhere.
void CtlOutputTest::notesAreBrokenBetweenWords()
{
    const OutputRun shown = onTerminal({ u"keys"_s, u"--target"_s, u"nope"_s });
    const QStringList lines = QString::fromUtf8(shown.out).split(u'\n', Qt::SkipEmptyParts);
    QVERIFY2(lines.size() > 2, shown.out.constData());
    for (const QString &line : lines) {
        QVERIFY2(line.size() <= 100, qPrintable(line));
    }
    QVERIFY2(QString::fromUtf8(shown.out).simplified().contains(u"proposes profiles for the tables of a database."_s),
        shown.out.constData());
    QCOMPARE(run({ u"keys"_s, u"--target"_s, u"nope"_s }).err.trimmed().count(u'\n'), 0); // whole for a program
}

void CtlOutputTest::trendsBeginWhereSomethingIsKnown()
{
    const OutputRun shown = run({ u"trends"_s, u"--target"_s, u"k2"_s, u"--metric"_s, u"stale"_s });
    const QStringList lines = QString::fromUtf8(shown.out).split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 2); // rows tell only how it is now
    QVERIFY2(!lines.value(1).contains(u"–"_s) && !lines.value(1).contains(u".000000"_s), shown.out.constData());
    QVERIFY2(shown.err.contains(u"Nothing is known of the time before"_s), qPrintable(shown.err));
    QVERIFY2(shown.err.contains(u"The last one is still filling."_s), qPrintable(shown.err));
}

void CtlOutputTest::aPipeGetsEverythingWhole()
{
    makeStill();
    const QByteArray key = "order-2026-11-20-0000000000000000000000000000000000000000000000000000-first";
    const QStringList keys { u"keys"_s, u"--target"_s, u"k2"_s };
    const QMap<QString, QString> narrow { { u"COLUMNS"_s, u"80"_s } };
    QVERIFY(run(keys).out.contains(key));
    QVERIFY(!run(keys, u"op"_s, narrow).out.contains(key));
    QVERIFY(run(keys, u"op"_s, narrow).out.contains("order-")); // its beginning and end are there
    QVERIFY(run(keys + QStringList { u"--wide"_s }, u"op"_s, narrow).out.contains(key));
    QVERIFY(run(keys + QStringList { u"--columns"_s, u"key"_s }, u"op"_s, narrow).out.contains(key));
    QVERIFY(run(keys + QStringList { u"--json"_s }, u"op"_s, narrow).out.contains(key));
    QVERIFY(!run(keys).out.contains('\x1b'));
    const OutputRun cut = run(keys, u"op"_s, { { u"COLUMNS"_s, u"60"_s } });
    QVERIFY2(cut.err.contains(u"No room for:"_s) && cut.err.contains(u"--wide"_s), qPrintable(cut.err));
}

void CtlOutputTest::columnsAreChosen()
{
    makeStill();
    const OutputRun two = run(
        { u"keys"_s, u"--target"_s, u"k2"_s, u"--columns"_s, u"state,lease-until"_s, u"--filter"_s, u"state:stale"_s });
    QCOMPARE(
        two.out, QByteArray("STATE                LEASE_UNTIL\nin_progress (stuck)  2026-11-20T10:05:00.250000Z\n"));
    const OutputRun wrong = run({ u"keys"_s, u"--target"_s, u"k2"_s, u"--columns"_s, u"sttae"_s });
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.contains(u"Did you mean “state”?"_s), qPrintable(wrong.err));
}

void CtlOutputTest::aTerminalHasColoursAndAges()
{
    const QStringList keys { u"keys"_s, u"--target"_s, u"k2"_s, u"--limit"_s, u"3"_s, u"--filter"_s, u"state:stale"_s };
    static const QRegularExpression age(u"\\b1 h( \\d+ min)? ago"_s);
    const auto agesIn = [](const OutputRun &shown) { return age.match(QString::fromUtf8(shown.out)).hasMatch(); };
    const OutputRun coloured = onTerminal(keys);
    QVERIFY2(coloured.status == 0 && coloured.out.contains("\x1b[1mKEY"), coloured.out.constData());
    QVERIFY2(agesIn(coloured), coloured.out.constData());
    const OutputRun plain = onTerminal(keys, { { u"NO_COLOR"_s, u"1"_s } });
    QVERIFY2(!plain.out.contains("\x1b[1m") && agesIn(plain), plain.out.constData());
    const OutputRun wide = onTerminal(keys + QStringList { u"--wide"_s });
    QVERIFY2(!agesIn(wide) && wide.out.contains("Z  "), wide.out.constData());
    const QList<QByteArray> lines = plain.out.split('\n');
    for (const QByteArray &line : lines) {
        QVERIFY2(QString::fromUtf8(line).size() <= 100 || line.startsWith("More follow"), line.constData());
    }
}

void CtlOutputTest::thePagerShowsWhatIsLonger()
{
    const QStringList keys { u"keys"_s, u"--target"_s, u"k2"_s, u"--limit"_s };
    const QMap<QString, QString> pager { { u"PAGER"_s, u"sed 's/^/paged: /'"_s } };
    QVERIFY(onTerminal(keys + QStringList { u"60"_s }, pager).out.contains("paged: "));
    QVERIFY(!onTerminal(keys + QStringList { u"3"_s }, pager).out.contains("paged: ")); // it fits
    QVERIFY(!run(keys + QStringList { u"60"_s }, u"op"_s, pager).out.contains("paged: ")); // nobody looks
    QVERIFY(onTerminal(keys + QStringList { u"60"_s }, { { u"PAGER"_s, u"/no/such/pager"_s } }).out.contains("TENANT"));
}

void CtlOutputTest::aCommandIsRepeated()
{
    QProcess process;
    process.setProcessEnvironment(environment({}));
    process.start(QStringLiteral(IDEMDESKCTL),
        on({ u"keys"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"key:k001"_s, u"--watch=1"_s }, u"op"_s));
    QByteArray out;
    QTRY_VERIFY_WITH_TIMEOUT((out += process.readAllStandardOutput()).count("k001") >= 1, 30'000);
    psql(u"UPDATE app.k SET status = 'succeeded' WHERE key = 'k001'"_s);
    QTRY_VERIFY_WITH_TIMEOUT((out += process.readAllStandardOutput()).contains("succeeded"), 30'000);
    QVERIFY(out.contains("in_progress (stuck)"));
    ::kill(pid_t(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(10'000));
    QCOMPARE(run({ u"recover"_s, u"--target"_s, u"k2"_s, u"--watch"_s }).status, 2); // it changes something
    QCOMPARE(run({ u"console"_s, u"install"_s, u"--watch"_s }).status, 2);
}

void CtlOutputTest::targetsHaveSeveralNames()
{
    for (const QString &name : { u"k2"_s, u"app.k"_s, u"k"_s, u"keys of the tests"_s, u"\"app\".\"k\""_s }) {
        const OutputRun found = run({ u"keys"_s, u"--limit"_s, u"1"_s, u"--target"_s, name });
        QVERIFY2(found.status == 0, qPrintable(name + found.err));
    }
    registerTable(*m_fixture, R"({"name": "k4", "title": "Others"})", u"k4"_s);
    const OutputRun several = run({ u"keys"_s, u"--target"_s, u"app.k"_s });
    QCOMPARE(several.status, 2);
    QVERIFY2(several.err.contains(u"means several targets. Name one of them: k2, k4"_s), qPrintable(several.err));
    const OutputRun near = run({ u"keys"_s, u"--target"_s, u"app.kk"_s });
    QCOMPARE(near.status, 2);
    QVERIFY2(near.err.contains(u"Did you mean “app.k”?"_s), qPrintable(near.err));
}

void CtlOutputTest::theTrailIsAskedByBeginnings()
{
    registerTable(*m_fixture, R"({"name": "orders", "title": "Orders"})", u"orders"_s);
    for (const QString &name : { u"k22"_s, u"alpha1"_s, u"alpha2"_s }) {
        registerTable(*m_fixture, R"({"title": "Others"})", name);
    }
    for (const QString &command : { u"actions"_s, u"audit"_s }) {
        const auto told = [&](const QString &name) { return run({ command, u"--target"_s, name, u"--json"_s }); };
        for (const QString &name : { u"orders"_s, u"ord"_s, u"o"_s }) {
            const OutputRun found = told(name);
            QVERIFY2(found.status == 0, qPrintable(name + found.err));
            const QJsonArray items = found.json().value(u"items"_s).toArray();
            QCOMPARE(items.isEmpty(), command == u"actions");
            for (const QJsonValue &item : items) {
                QCOMPARE(item[u"target"_s].toString(), u"orders"_s);
            }
        }
        QCOMPARE(told(u"k2"_s).status, 0); // whole, though another begins so
        const OutputRun several = run({ command, u"--target"_s, u"alpha"_s });
        QVERIFY2(several.status == 2 && several.err.contains(u"means several targets"_s), qPrintable(several.err));
        const OutputRun none = run({ command, u"--target"_s, u"ordres"_s });
        QVERIFY2(none.status == 2 && none.err.contains(u"Did you mean “orders”?"_s), qPrintable(none.err));
        // What was taken out stays in the trail.
        QVERIFY(m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('orders')"_s).ok());
        QCOMPARE(told(u"orders"_s).status, 0);
        registerTable(*m_fixture, R"({"name": "orders", "title": "Orders"})", u"orders"_s);
    }
}

void CtlOutputTest::namesOfAProfileAreShownAsText_data()
{
    QTest::addColumn<QStringList>("command");
    const QStringList k { u"--target"_s, u"odd"_s };
    for (const QStringList &command :
        { QStringList { u"targets"_s }, QStringList { u"keys"_s, u"--limit"_s, u"5"_s } + k,
            QStringList { u"show"_s, u"k001"_s } + k, QStringList { u"scopes"_s } + k, QStringList { u"triage"_s } + k,
            QStringList { u"recover"_s, u"--dry-run"_s } + k, QStringList { u"purge"_s, u"--dry-run"_s } + k,
            QStringList { u"duplicates"_s } + k, QStringList { u"check"_s, u"--all"_s } + k,
            QStringList { u"check"_s, u"--alerts"_s, u"--all"_s } + k, QStringList { u"find"_s, u"k001"_s },
            QStringList { u"case"_s, u"k001"_s } + k, QStringList { u"complaint"_s, u"--key"_s, u"k001"_s },
            QStringList { u"metrics"_s } + k, QStringList { u"trends"_s, u"--metric"_s, u"stale"_s } + k,
            QStringList { u"activity"_s } + k, QStringList { u"audit"_s }, QStringList { u"actions"_s },
            QStringList { u"keys"_s, u"--order"_s, u"none such"_s } + k }) {
        QTest::newRow(qPrintable(command.join(u' '))) << command;
    }
}

/// Titles, kinds of effects, statuses and orders may be any text; none of it reaches the terminal as more than text.
void CtlOutputTest::namesOfAProfileAreShownAsText()
{
    QFETCH(QStringList, command);
    const QString odd = u"\x1b]0;owned\x07\x1b[31m<img src=x>\r\n\u202e"_s + QString(200, u'w');
    psql(u"UPDATE app.k SET status = E'\\x1b[31m<b>\\r\\n' || repeat('w', 200) WHERE key IN ('k002', 'd0003')"_s);
    const QJsonObject effect {
        { u"type"_s, odd }, { u"proves"_s, true },
        { u"sql"_s,
            u"SELECT f.id AS id, NULL::timestamptz AS at, NULL::text AS state FROM app.eff f WHERE f.tenant = t.tenant AND f.key = t.key"_s }
    };
    const QJsonObject states { { u"processing"_s, u"in_progress"_s }, { u"succeeded"_s, u"succeeded"_s },
        { odd, u"failed_final"_s }, { u"failed"_s, u"failed_retryable"_s }, { u"dead"_s, u"failed_final"_s } };
    const QJsonObject retry { { u"from"_s, QJsonArray { u"in_progress"_s } }, { u"to"_s, u"failed_retryable"_s },
        { u"set"_s, QJsonObject { { u"status"_s, u"'failed'"_s }, { u"locked_until"_s, u"NULL"_s } } } };
    registerTable(*m_fixture,
        QJsonDocument(
            QJsonObject { { u"title"_s, odd }, { u"effects"_s, QJsonArray { effect } }, { u"states"_s, states },
                { u"actions"_s, QJsonObject { { u"recover"_s, QJsonArray { retry } } } },
                { u"orders"_s, QJsonArray { QJsonObject { { u"label"_s, odd }, { u"sql"_s, u"t.updated_at"_s } } } },
                { u"aliases"_s, QJsonArray { QJsonObject { { u"label"_s, odd }, { u"sql"_s, u"t.result"_s } } } } })
            .toJson(),
        u"odd"_s);
    const OutputRun told = run(command);
    for (const QString &text : { QString::fromUtf8(told.out), told.err }) {
        for (const QChar sign : text) {
            const bool plain
                = sign == u'\n' || (sign.category() != QChar::Other_Control && sign.category() != QChar::Other_Format);
            QVERIFY2(plain, qPrintable(QString::number(sign.unicode(), 16) + u": "_s + text));
        }
    }
}

void CtlOutputTest::variablesStandForOptions()
{
    const QMap<QString, QString> variables { { u"IDEMDESK_CONNECT"_s,
                                                 m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database()) },
        { u"IDEMDESK_TARGET"_s, u"k2"_s } };
    const OutputRun found = run({ u"keys"_s, u"--limit"_s, u"1"_s }, {}, variables);
    QVERIFY2(found.status == 0 && found.out.contains("TENANT"), qPrintable(found.err));
    QCOMPARE(run({ u"keys"_s, u"--target"_s, u"nope"_s }, {}, variables).status, 2); // what is written goes first
}

void CtlOutputTest::metricsAreSuggested()
{
    const OutputRun wrong = run({ u"trends"_s, u"--target"_s, u"k2"_s, u"--metric"_s, u"retires"_s });
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.contains(u"Did you mean “retries”?"_s), qPrintable(wrong.err));
}

/// Story, verdict, what cannot be known of the effect, and a command that runs as it stands.
void CtlOutputTest::aKeyIsFoundInEveryTable()
{
    const OutputRun found = run({ u"find"_s, u"k001"_s });
    QVERIFY2(found.status == 0, qPrintable(found.err));
    QVERIFY2(found.out.contains("app.k") && found.out.contains("Lease ended") && found.out.contains("Stuck: k001"),
        found.out.constData());
    QVERIFY2(found.out.contains("the query of “eff” never found an effect here"), found.out.constData()); // the doubt
    const OutputRun json = run({ u"find"_s, u"k001"_s, u"--json"_s });
    const QJsonObject item = json.json().value(u"items"_s).toArray().at(0).toObject();
    QCOMPARE(item.value(u"triage"_s).toObject().value(u"class"_s).toString(), u"needs_review"_s);
    const QString next = item.value(u"next_command"_s).toString();
    QVERIFY2(found.out.contains(next.toUtf8()), qPrintable(next));
    const OutputRun followed
        = run(QProcess::splitCommand(QString(next).remove(u'\'').replace(u"\""_s, u"\"\"\""_s)).mid(1));
    QVERIFY2(followed.status == 0 && followed.out.contains("k001"), qPrintable(next + followed.err));
    // Whatever the key is made of, a shell takes the command as it was meant.
    psql(u"UPDATE app.k SET key = 'a\"b ''c\\d $(id)' WHERE key = 'k002'"_s);
    const OutputRun odd = run({ u"find"_s, u"a\"b 'c\\d $(id)"_s, u"--json"_s });
    const QString command = odd.json().value(u"items"_s).toArray().at(0).toObject().value(u"next_command"_s).toString();
    QProcess shell;
    shell.setProcessEnvironment(
        environment({ { u"PATH"_s, QFileInfo(QStringLiteral(IDEMDESKCTL)).path() + u":/usr/bin:/bin"_s },
            { u"IDEMDESK_CONNECT"_s, m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database()) } }));
    shell.start(u"/bin/sh"_s, { u"-c"_s, command });
    QVERIFY(shell.waitForFinished(60'000));
    QVERIFY2(shell.exitCode() == 0 && shell.readAllStandardOutput().contains("a\"b 'c"),
        qPrintable(command + QString::fromUtf8(shell.readAllStandardError())));
    const OutputRun none = run({ u"find"_s, u"no-such-key"_s });
    QCOMPARE(none.status, 1);
    psql(u"REVOKE SELECT ON app.k FROM op"_s); // it may be there
    const OutputRun closed = run({ u"find"_s, u"no-such-key"_s });
    QVERIFY2(closed.status == 5, qPrintable(closed.err));
}

void CtlOutputTest::aCaseIsReadAtOnce()
{
    const OutputRun verdict = run({ u"case"_s, u"k001"_s });
    QVERIFY2(verdict.status == 0 && verdict.out.contains("outcome unknown") && verdict.out.contains("Stuck: k001"),
        verdict.out.constData());
    const OutputRun document = run({ u"case"_s, u"k001"_s, u"-o"_s, u"-"_s });
    QCOMPARE(document.json().value(u"idemdesk_case"_s).toInt(), 1);
    QCOMPARE(document.json().value(u"stuck"_s).toArray().size(), 1);
}

void CtlOutputTest::anActionsIdIsItsBeginning()
{
    const OutputRun done = run({ u"recover"_s, u"--target"_s, u"k2"_s, u"--key"_s, u"k002"_s, u"--to"_s,
        u"failed_retryable"_s, u"--reason"_s, u"test"_s, u"--json"_s });
    const QString id = done.json().value(u"id"_s).toString();
    QVERIFY2(!id.isEmpty(), qPrintable(done.err));
    QCOMPARE(run({ u"actions"_s, u"show"_s, id.left(8), u"--json"_s }).json().value(u"id"_s).toString(), id);
    QCOMPARE(run({ u"actions"_s, u"show"_s, id.left(3) }).status, 2); // too little to be sure
    QCOMPARE(run({ u"actions"_s, u"show"_s, u"zzzzzzzz"_s }).status, 2);
    const OutputRun undone = run({ u"actions"_s, u"undo"_s, id.left(8), u"--reason"_s, u"test"_s });
    QVERIFY2(undone.status == 0, qPrintable(undone.err));
}

/// "No conflict" is no answer for a login from which all of them are kept.
void CtlOutputTest::whoSeesNothingIsToldSo()
{
    const OutputRun none = run({ u"conflicts"_s, u"--key"_s, u"k001"_s });
    QVERIFY2(none.status == 0 && none.out.contains("No conflict is known that fits --key k001"), none.out.constData());
    psql(u"SELECT idemdesk.record_conflict('t1', 'k001', 'aa', 'bb', '{}', 'svc', 'k2')"_s);
    QVERIFY(run({ u"conflicts"_s }).out.contains("k001"));
    const OutputRun blind = run({ u"conflicts"_s }, u"viewer"_s);
    QVERIFY2(blind.status == 5 && blind.err.contains(u"Nothing was seen"_s) && !blind.out.contains("No conflict"),
        qPrintable(blind.err));
}

void CtlOutputTest::serversWordsAreForTheVerbose()
{
    const QStringList call { u"conflicts"_s };
    psql(u"REVOKE ALL ON SCHEMA idemdesk FROM idemdesk_viewer"_s);
    const OutputRun brief = run(call);
    const OutputRun verbose = run(call + QStringList { u"--verbose"_s });
    QVERIFY2(brief.status != 0 && !brief.err.contains(u"42501"_s), qPrintable(brief.err));
    QVERIFY2(verbose.err.contains(u"SQLSTATE: 42501"_s) && verbose.err.contains(u"permission denied"_s),
        qPrintable(verbose.err));
}

void CtlOutputTest::anApproverSeesWhatIsDecided()
{
    psql(u"UPDATE idemdesk.target SET approval_above = 5; UPDATE idemdesk.target_limit SET approval_above = 5"_s);
    const OutputRun asked = run({ u"purge"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"monthly purge"_s, u"--ticket"_s,
        u"OPS-7"_s, u"--json"_s });
    QCOMPARE(asked.status, 3);
    const QString id = asked.json().value(u"id"_s).toString();
    const OutputRun shown = run({ u"requests"_s }, u"appr"_s);
    for (const char *word : { "Purge", "k2 (app.k)", "600", "retention ended before", "succeeded", "every scope",
             "kept for undo", "above 5 rows", "monthly purge", "OPS-7" }) {
        QVERIFY2(shown.out.contains(word), (QByteArray(word) + ": " + shown.out).constData());
    }
    QVERIFY(!shown.out.contains("What the server runs"));
    const OutputRun whole = run({ u"requests"_s, u"--verbose"_s }, u"appr"_s);
    QVERIFY2(whole.out.contains("What the server runs") && whole.out.contains("expires_at"), whole.out.constData());
    const OutputRun approved = run({ u"approve"_s, id.left(8) }, u"appr"_s);
    QVERIFY2(approved.status == 0 && approved.out.contains("retention ended before"), qPrintable(approved.err));
    psql(u"UPDATE app.k SET status = 'dead', locked_until = NULL WHERE key = 'k002'"_s);
    psql(u"UPDATE idemdesk.target SET approval_above = 0; UPDATE idemdesk.target_limit SET approval_above = 0"_s);
    const OutputRun requeue = run(
        { u"requeue"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"key:k002"_s, u"--reason"_s, u"x"_s, u"--json"_s });
    QVERIFY2(requeue.json().value(u"state"_s).toString() == u"requested"_s,
        (requeue.out + requeue.err.toUtf8()).constData());
    const OutputRun rules = run({ u"requests"_s, u"--verbose"_s }, u"appr"_s);
    QVERIFY2(rules.out.contains("\"verb\": \"requeue\""), (requeue.err.toUtf8() + rules.out).constData());
}

/// What a person can name is in the manual: from the table, the metrics and the fields themselves.
void CtlOutputTest::theManualKnowsMetricsAndFields()
{
    const QString manual = QString::fromUtf8(run({ u"help"_s, u"--man"_s }, {}).out).remove(u'\\');
    const QJsonArray metrics
        = run({ u"trends"_s, u"--target"_s, u"k2"_s, u"--json"_s }).json().value(u"items"_s).toArray();
    QVERIFY(metrics.size() > 10);
    for (const QJsonValue &metric : metrics) {
        const QString name = metric.toObject().value(u"metric"_s).toString();
        QVERIFY2(manual.contains(u"\n.TP\nfB"_s + name + u"fR\n"_s), qPrintable(name));
    }
    const QString refused = run({ u"keys"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"zzzzzz:1"_s }).err;
    const QStringList fields = refused.section(u"Fields are: "_s, 1).section(u'.', 0, 0).split(u", "_s);
    QVERIFY2(fields.size() > 15, qPrintable(refused));
    for (const QString &field : fields) {
        QVERIFY2(field == u"tenant" || manual.contains(u"fB"_s + field), qPrintable(field)); // a part of this scope
    }
    for (const QString &status : { u"0"_s, u"1"_s, u"2"_s, u"3"_s, u"4"_s, u"5"_s }) {
        QVERIFY2(manual.contains(u"\n.TP\nfB"_s + status + u"fR\n"_s), qPrintable(status));
    }
}

QTEST_GUILESS_MAIN(CtlOutputTest)
#include "tst_ctl_output.moc"
