// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence that does not prove is never taken for proof: such keys need review, and no bulk action takes them.
#include "tests/support/registered_table.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

struct DoubtRun {
    int status = -1;
    QByteArray out;
    QString err;
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    QJsonArray items() const { return json().value(u"items"_s).toArray(); }
};

QByteArray effectsOf(const QByteArray &sql, const QByteArray &more = {})
{
    QJsonObject effect { { u"type"_s, u"eff"_s }, { u"proves"_s, true }, { u"sql"_s, QString::fromUtf8(sql) } };
    const QJsonObject over = QJsonDocument::fromJson(more).object();
    for (auto it = over.begin(); it != over.end(); ++it) {
        effect.insert(it.key(), it.value());
    }
    return QJsonDocument(QJsonObject { { u"effects"_s, QJsonArray { effect } } }).toJson();
}

const QByteArray kFound = "SELECT f.id AS id, NULL::timestamptz AS at, NULL::text AS state FROM app.eff f ";

} // namespace

class CtlDoubtTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init();

    void rowSecurityHidesNothingSilently();
    void rowSecurityBeforeRegistrationIsRefused();
    void aTargetsOwnPolicyStaysInUse();

private:
    DoubtRun ctl(const QStringList &arguments, const QString &login = u"op"_s) const;
    void psql(const QString &sql) { m_fixture->cluster().psql(m_fixture->database(), sql); }
    QString value(const QString &sql) { return m_fixture->root().value(sql); }
    /// What triage says of a key: the item, or an empty one.
    QJsonObject triage(const QString &key, const QString &login = u"op"_s) const;
    /// "class bulk|no: reasons".
    QString told(const QString &key) const;

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_home;
};

void CtlDoubtTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
}

void CtlDoubtTest::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    m_fixture->fresh();
    psql(u"GRANT USAGE ON SCHEMA app TO adm, appr, viewer; "
         "GRANT SELECT ON app.k, app.eff TO adm, appr, viewer, op, op2; GRANT ALL ON app.eff TO service; "
         // Some keys that succeeded have their effect, and so has the stale key k003.
         "INSERT INTO app.eff SELECT 'e-' || key, tenant, key FROM app.k WHERE key ~ '^d000[1-9]$' OR key = 'k003'"_s);
    QVERIFY(m_fixture->root().run(u"DELETE FROM idemdesk.target WHERE name = 'k'"_s).ok());
}

DoubtRun CtlDoubtTest::ctl(const QStringList &arguments, const QString &login) const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"XDG_DATA_HOME"_s, m_home->path());
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(QStringLiteral(IDEMDESKCTL),
        arguments
            + QStringList { u"--connect"_s, m_fixture->cluster().conninfoAs(login, m_fixture->database()) });
    DoubtRun run;
    if (process.waitForFinished(60'000)) {
        run.status = process.exitCode();
    }
    run.out = process.readAllStandardOutput();
    run.err = QString::fromUtf8(process.readAllStandardError());
    return run;
}

QJsonObject CtlDoubtTest::triage(const QString &key, const QString &login) const
{
    const DoubtRun run = ctl({ u"triage"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"key:"_s + key, u"--json"_s }, login);
    return run.items().size() == 1 ? run.items().first().toObject() : QJsonObject { { u"error"_s, run.err } };
}

QString CtlDoubtTest::told(const QString &key) const
{
    const QJsonObject item = triage(key);
    QStringList reasons;
    for (const QJsonValue &reason : item.value(u"reasons"_s).toArray()) {
        reasons += reason.toString();
    }
    return item.value(u"class"_s).toString() + (item.value(u"bulk"_s).toBool() ? u" bulk: "_s : u" no: "_s)
        + reasons.join(u' ') + item.value(u"error"_s).toString();
}

void CtlDoubtTest::rowSecurityHidesNothingSilently()
{
    registerTable(*m_fixture);
    QVERIFY2(told(u"k001"_s).startsWith(u"safe_to_retry bulk"_s), qPrintable(told(u"k001"_s)));
    QVERIFY2(told(u"k003"_s).startsWith(u"effect_happened bulk"_s), qPrintable(told(u"k003"_s)));
    // The service sees its rows; whoever looks for them, none.
    psql(u"ALTER TABLE app.eff ENABLE ROW LEVEL SECURITY; CREATE POLICY mine ON app.eff USING (current_user = 'service')"_s);
    for (const QString &key : { u"k001"_s, u"k003"_s }) {
        const QString said = told(key);
        QVERIFY2(said.startsWith(u"needs_review no"_s) && said.contains(u"Row security hides rows from this login"_s),
            qPrintable(said));
    }
    const QString before = value(u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s);
    const DoubtRun recovered = ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"r"_s, u"--yes"_s });
    QVERIFY2(recovered.status != 0, qPrintable(recovered.err));
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s), before);
    const DoubtRun twice = ctl({ u"duplicates"_s, u"--target"_s, u"k2"_s, u"--json"_s });
    QCOMPARE(twice.status, 5);
    QVERIFY(!twice.json().value(u"complete"_s).toBool(true));
    const DoubtRun shown = ctl({ u"show"_s, u"k003"_s, u"--target"_s, u"k2"_s, u"--json"_s });
    const QJsonObject effect = shown.items().first()[u"effects"_s].toArray().first().toObject();
    QVERIFY2(effect.value(u"error"_s).toString().contains(u"Row security"_s), shown.out.constData());
    // What he may see is shown all the same, and never as all there is.
    psql(u"CREATE POLICY seen ON app.eff TO op USING (true)"_s);
    const DoubtRun seen = ctl({ u"show"_s, u"k003"_s, u"--target"_s, u"k2"_s, u"--json"_s });
    const QJsonObject part = seen.items().first()[u"effects"_s].toArray().first().toObject();
    QCOMPARE(part.value(u"rows"_s).toArray().first()[u"id"_s].toString(), u"e-k003"_s);
    QVERIFY(!part.value(u"error"_s).toString().isEmpty());
    // The server's own look is no other: the runner sees no effect, and says why.
    const RegisteredTable table { {}, {}, {} };
    const auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    const QString rows = value(u"SELECT jsonb_build_array(jsonb_build_object('i', jsonb_build_array(k.tenant, k.key), 'g', "
                               "jsonb_build_array(k.status, (k.locked_until AT TIME ZONE 'UTC')::text || '+00', k.attempts::text), 'r', 2)) "
                               "FROM app.k WHERE k.key = 'k003'"_s);
    const QString sha = value(u"SELECT encode(profile_sha, 'hex') FROM idemdesk.target WHERE name = 'k2'"_s);
    const auto opened = op->run(u"SELECT idemdesk.open_action($1, 'k2', 'recover', 'r', NULL, '{}', $2, $3::jsonb)"_s, { id, sha, rows });
    QVERIFY2(opened.ok(), qPrintable(opened.message));
    const QString batch = op->value(u"SELECT idemdesk.change_batch($1, 1, 10)"_s, { id });
    QVERIFY2(batch.contains(u"evidence"_s) && batch.contains(u"could not be read"_s), qPrintable(batch));
    // One who sees every row has his answer.
    QVERIFY(m_fixture->root().run(u"ALTER ROLE op BYPASSRLS"_s).ok());
    const QString all = told(u"k003"_s);
    QVERIFY(m_fixture->root().run(u"ALTER ROLE op NOBYPASSRLS"_s).ok());
    QVERIFY2(all.startsWith(u"effect_happened bulk"_s), qPrintable(all));
}

void CtlDoubtTest::rowSecurityBeforeRegistrationIsRefused()
{
    psql(u"ALTER TABLE app.eff ENABLE ROW LEVEL SECURITY; CREATE POLICY mine ON app.eff USING (current_user = 'service')"_s);
    QFile file(m_home->filePath(u"k2.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(tableProfile());
    file.close();
    const DoubtRun added = ctl({ u"targets"_s, u"add"_s, file.fileName(), u"--yes"_s }, u"adm"_s);
    QVERIFY2(added.status == 3 || added.status == 1, qPrintable(added.err));
    QVERIFY2((QString::fromUtf8(added.out) + added.err).contains(u"whose owner sees every row"_s), qPrintable(added.err + QString::fromUtf8(added.out)));
    // The remedy that is named works.
    psql(u"CREATE VIEW app.eff_seen AS SELECT * FROM app.eff; ALTER VIEW app.eff_seen OWNER TO app_owner; "
         "GRANT SELECT ON app.eff_seen TO op, adm, idemdesk_runner_app_owner"_s);
    registerTable(*m_fixture,
        effectsOf("SELECT f.id AS id, NULL::timestamptz AS at, NULL::text AS state FROM app.eff_seen f WHERE f.tenant = t.tenant AND f.key = t.key"));
    QVERIFY2(told(u"k003"_s).startsWith(u"effect_happened bulk"_s), qPrintable(told(u"k003"_s)));
}

void CtlDoubtTest::aTargetsOwnPolicyStaysInUse()
{
    registerTable(*m_fixture);
    psql(u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; CREATE POLICY run ON app.k TO idemdesk_runner_app_owner USING (true) WITH CHECK (true); "
         "CREATE POLICY reg ON app.k TO adm USING (true); CREATE POLICY ops ON app.k FOR SELECT TO op USING (tenant = 't0')"_s);
    const DoubtRun run = ctl({ u"triage"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"key:k001"_s });
    QCOMPARE(run.status, 5); // t1 is hidden from him
    QVERIFY2(run.out.contains("No key that this login sees is stale."), run.out.constData());
    QVERIFY2(told(u"k003"_s).startsWith(u"needs_review no"_s), qPrintable(told(u"k003"_s)));
    // A login that sees everything acts, and the runner reads the evidence of a row that its policy shows.
    QVERIFY(m_fixture->root().run(u"ALTER ROLE op BYPASSRLS"_s).ok());
    registerTable(*m_fixture);
    const DoubtRun done = ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"key:k003"_s, u"--reason"_s, u"r"_s, u"--yes"_s });
    QVERIFY(m_fixture->root().run(u"ALTER ROLE op NOBYPASSRLS"_s).ok());
    QVERIFY2(done.status == 0, qPrintable(done.err));
    QCOMPARE(value(u"SELECT status || ' ' || result FROM app.k WHERE key = 'k003'"_s), u"succeeded e-k003"_s);
}

QTEST_GUILESS_MAIN(CtlDoubtTest)
#include "tst_ctl_doubt.moc"
