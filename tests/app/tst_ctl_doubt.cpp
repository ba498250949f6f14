// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence that does not prove is never taken for proof: such keys need review, and no bulk action takes them.
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

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

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
    void aLinkInsideAValueIsALink_data();
    void aLinkInsideAValueIsALink();
    void aQueryThatNeverFoundProvesNothing();
    void aQueryThatReadsWhatChangesSettlesNothing_data();
    void aQueryThatReadsWhatChangesSettlesNothing();
    void caseAndStoryCarryTheDoubts();
    void aRowWithoutAnIdIsNoEffect();
    void anEffectUnderWayIsWaitedFor();
    void theServerLooksAgain();
    void evidenceThatWasPurgedProvesNothing();
    void aBrokenRowForbidsNoRegistration();
    void theReasonWhyNothingIsKnownToBeStale();

private:
    ProgramRun ctl(const QStringList &arguments, const QString &login = u"op"_s) const;
    void psql(const QString &sql) { m_fixture->cluster().psql(m_fixture->database(), sql); }
    QString value(const QString &sql) { return m_fixture->root().value(sql); }
    /// What triage says of a key: the item, or an empty one.
    QJsonObject triage(const QString &key, const QString &login = u"op"_s) const;
    /// Runs the first rule on a key as one that is freed because nothing was found; the batch's answer.
    QString freed(const QString &key);
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
    m_fixture->fresh([this] {
        psql(
            u"GRANT USAGE ON SCHEMA app TO adm, appr, viewer; "
            "GRANT SELECT ON app.k, app.eff TO adm, appr, viewer, op, op2; GRANT ALL ON app.eff TO service; "
            // Some keys that succeeded have their effect, and so has the stale key k003.
            "INSERT INTO app.eff SELECT 'e-' || key, tenant, key FROM app.k WHERE key ~ '^d000[1-9]$' OR key = 'k003'"_s);
        QVERIFY(m_fixture->root().run(u"DELETE FROM idemdesk.target WHERE name = 'k'"_s).ok());
    });
}

ProgramRun CtlDoubtTest::ctl(const QStringList &arguments, const QString &login) const
{
    return runProgram(QStringLiteral(IDEMDESKCTL),
        arguments + QStringList { u"--connect"_s, m_fixture->cluster().conninfoAs(login, m_fixture->database()) },
        { privateEnvironment(m_home->path()) });
}

QJsonObject CtlDoubtTest::triage(const QString &key, const QString &login) const
{
    const ProgramRun run
        = ctl({ u"triage"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"key:"_s + key, u"--json"_s }, login);
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
    psql(
        u"ALTER TABLE app.eff ENABLE ROW LEVEL SECURITY; CREATE POLICY mine ON app.eff USING (current_user = 'service')"_s);
    for (const QString &key : { u"k001"_s, u"k003"_s }) {
        const QString said = told(key);
        QVERIFY2(said.startsWith(u"needs_review no"_s) && said.contains(u"Row security hides rows from this login"_s),
            qPrintable(said));
    }
    const QString before = value(u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s);
    const ProgramRun recovered = ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"r"_s });
    QVERIFY2(recovered.status != 0, qPrintable(recovered.err));
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s), before);
    const ProgramRun twice = ctl({ u"duplicates"_s, u"--target"_s, u"k2"_s, u"--json"_s });
    QCOMPARE(twice.status, 5);
    QVERIFY(!twice.json().value(u"complete"_s).toBool(true));
    const ProgramRun shown = ctl({ u"show"_s, u"k003"_s, u"--target"_s, u"k2"_s, u"--json"_s });
    const QJsonObject effect = shown.items().first()[u"effects"_s].toArray().first().toObject();
    QVERIFY2(effect.value(u"error"_s).toString().contains(u"Row security"_s), shown.out.constData());
    // What he may see is shown all the same, and never as all there is.
    psql(u"CREATE POLICY seen ON app.eff TO op USING (true)"_s);
    const ProgramRun seen = ctl({ u"show"_s, u"k003"_s, u"--target"_s, u"k2"_s, u"--json"_s });
    const QJsonObject part = seen.items().first()[u"effects"_s].toArray().first().toObject();
    QCOMPARE(part.value(u"rows"_s).toArray().first()[u"id"_s].toString(), u"e-k003"_s);
    QVERIFY(!part.value(u"error"_s).toString().isEmpty());
    // The server begins nothing, either: what would prove is another table now.
    const auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    const QString rows = value(
        u"SELECT jsonb_build_array(jsonb_build_object('i', jsonb_build_array(k.tenant, k.key), 'g', "
        "jsonb_build_array(k.status, (k.locked_until AT TIME ZONE 'UTC')::text || '+00', k.attempts::text), 'r', 2)) "
        "FROM app.k WHERE k.key = 'k003'"_s);
    const QString sha = value(u"SELECT encode(profile_sha, 'hex') FROM idemdesk.target WHERE name = 'k2'"_s);
    const auto opened = op->run(
        u"SELECT idemdesk.open_action($1, 'k2', 'recover', 'r', NULL, '{}', $2, $3::jsonb)"_s, { id, sha, rows });
    QCOMPARE(opened.state, u"ID006"_s);
    QVERIFY2(opened.message.contains(u"the definition of app.eff is another"_s), qPrintable(opened.message));
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
    // One who sees every row has his answer.
    QVERIFY(m_fixture->root().run(u"ALTER ROLE op BYPASSRLS"_s).ok());
    const QString all = told(u"k003"_s);
    QVERIFY(m_fixture->root().run(u"ALTER ROLE op NOBYPASSRLS"_s).ok());
    QVERIFY2(all.startsWith(u"effect_happened bulk"_s), qPrintable(all));
}

void CtlDoubtTest::rowSecurityBeforeRegistrationIsRefused()
{
    psql(
        u"ALTER TABLE app.eff ENABLE ROW LEVEL SECURITY; CREATE POLICY mine ON app.eff USING (current_user = 'service')"_s);
    QFile file(m_home->filePath(u"k2.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(tableProfile());
    file.close();
    // As a person who confirmed what is in the file.
    const QString sha
        = QString::fromLatin1(QCryptographicHash::hash(tableProfile(), QCryptographicHash::Sha256).toHex());
    const ProgramRun added = ctl({ u"targets"_s, u"add"_s, file.fileName(), u"--trust"_s, sha }, u"adm"_s);
    QVERIFY2(added.status == 3 || added.status == 1, qPrintable(added.err));
    QVERIFY2((QString::fromUtf8(added.out) + added.err).contains(u"whose owner sees every row"_s),
        qPrintable(added.err + QString::fromUtf8(added.out)));
    // The remedy that is named works.
    psql(u"CREATE VIEW app.eff_seen AS SELECT * FROM app.eff; ALTER VIEW app.eff_seen OWNER TO app_owner; "
         "GRANT SELECT ON app.eff_seen TO op, adm, idemdesk_runner_app_owner"_s);
    registerTable(*m_fixture,
        effectsOf("SELECT f.id AS id, NULL::timestamptz AS at, NULL::text AS state FROM app.eff_seen f WHERE f.tenant "
                  "= t.tenant AND f.key = t.key"));
    QVERIFY2(told(u"k003"_s).startsWith(u"effect_happened bulk"_s), qPrintable(told(u"k003"_s)));
}

void CtlDoubtTest::aTargetsOwnPolicyStaysInUse()
{
    registerTable(*m_fixture);
    psql(
        u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; CREATE POLICY run ON app.k TO idemdesk_runner_app_owner USING "
        u"(true) WITH CHECK (true); "
        "CREATE POLICY reg ON app.k TO adm USING (true); CREATE POLICY ops ON app.k FOR SELECT TO op USING (tenant = 't0')"_s);
    const ProgramRun run = ctl({ u"triage"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"key:k001"_s });
    QCOMPARE(run.status, 5); // t1 is hidden from him
    QVERIFY2(run.out.contains("No stuck key among what could be looked at; not all could."), run.out.constData());
    QVERIFY2(run.err.contains(u"Row security hides rows of this table from this login"_s), qPrintable(run.err));
    QVERIFY2(told(u"k003"_s).startsWith(u"needs_review no"_s), qPrintable(told(u"k003"_s)));
    // A login that sees everything acts, and the runner reads the evidence of a row that its policy shows.
    QVERIFY(m_fixture->root().run(u"GRANT app_owner TO op"_s).ok());
    registerTable(*m_fixture);
    const ProgramRun done
        = ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"key:k003"_s, u"--reason"_s, u"r"_s });
    QVERIFY(m_fixture->root().run(u"REVOKE app_owner FROM op"_s).ok());
    QVERIFY2(done.status == 0, qPrintable(done.err));
    QCOMPARE(value(u"SELECT status || ' ' || result FROM app.k WHERE key = 'k003'"_s), u"succeeded e-k003"_s);
}

void CtlDoubtTest::aLinkInsideAValueIsALink_data()
{
    QTest::addColumn<QByteArray>("where");
    QTest::addColumn<QByteArray>("optional");
    QTest::addColumn<QString>("known"); // of k001, whose value says nothing, and of k002, whose value does
    QTest::addColumn<QString>("reason");
    const QString doubt = u"needs_review no"_s;
    const QString sure = u"safe_to_retry bulk"_s;
    QTest::newRow("a member of a JSON value")
        << QByteArray("f.key = t.doc->>'order'") << QByteArray() << doubt << u"doc->>'order'"_s;
    QTest::newRow("part of a larger value")
        << QByteArray("f.key = nullif(t.pad, 'none') || t.key") << QByteArray() << doubt << u"nullif(pad, 'none')"_s;
    QTest::newRow("an argument") << QByteArray("f.key = concat('k-', t.doc->>'order')") << QByteArray() << doubt
                                 << u"doc->>'order'"_s;
    QTest::newRow("beside what is not of the row")
        << QByteArray("f.key = f.tenant || (t.doc->>'order')") << QByteArray() << doubt << u"doc->>'order'"_s;
    QTest::newRow("in a subquery") << QByteArray("f.key IN (SELECT x.o FROM (SELECT t.doc #>> '{order}' AS o) x)")
                                   << QByteArray() << doubt << u"doc #>> '{order}'"_s;
    QTest::newRow("in a branch that is taken")
        << QByteArray("f.key = CASE WHEN t.key LIKE 'k%' THEN t.doc->>'order' ELSE t.key END") << QByteArray() << doubt
        << u"doc->>'order'"_s;
    QTest::newRow("in a branch that is not taken")
        << QByteArray("f.tenant = t.tenant AND f.key = CASE WHEN t.key LIKE 'd%' THEN t.doc->>'order' ELSE t.key END")
        << QByteArray() << sure << QString();
    QTest::newRow("in a branch that would fail elsewhere")
        << QByteArray("f.tenant = t.tenant AND f.key = CASE t.status WHEN 'none' THEN t.key::int::text ELSE t.key END")
        << QByteArray() << sure << QString();
    QTest::newRow("optional") << QByteArray("f.key = t.doc->>'order' OR (f.tenant = t.tenant AND f.key = t.key)")
                              << QByteArray(R"({"optional": ["doc"]})") << sure << QString();
    QTest::newRow("never empty") << QByteArray(
        "f.tenant = lower(t.tenant) AND f.key = split_part(t.key || ':x', ':', 1)")
                                 << QByteArray() << sure << QString();
}

void CtlDoubtTest::aLinkInsideAValueIsALink()
{
    QFETCH(QByteArray, where);
    QFETCH(QByteArray, optional);
    QFETCH(QString, known);
    QFETCH(QString, reason);
    psql(u"UPDATE app.k SET doc = '{\"order\": null}', pad = 'none' WHERE key = 'k001'; UPDATE app.k SET doc = "
         u"'{\"order\": \"o-2\"}' WHERE key = 'k003';"
         "UPDATE app.k SET doc = json_build_object('order', key) WHERE key ~ '^d'; INSERT INTO app.eff SELECT v, "
         "tenant, v "
         "FROM app.k, unnest(ARRAY[key, 'ab' || key, 'k-' || key, tenant || key]) v WHERE key ~ '^d000'"_s);
    registerTable(*m_fixture, effectsOf(kFound + "WHERE " + where, optional));
    const QString said = told(u"k001"_s);
    QVERIFY2(said.startsWith(known) && said.contains(reason), qPrintable(said));
    if (!reason.isEmpty()) {
        QVERIFY2(said.contains(u"proves nothing"_s), qPrintable(said));
        // The server's own look is no other. The rule that needs the effect is the third.
        QVERIFY2(m_fixture->root()
                     .value(u"SELECT compiled -> 'effects' -> 0 ->> 'missing' FROM idemdesk.target WHERE name = 'k2'"_s)
                     .contains(u"CASE"_s),
            "the server does not look");
    }
    const QString other = told(u"k007"_s); // its document names no order, its pad is there
    QVERIFY2(other.startsWith(u"needs_review"_s) == (reason.startsWith(u"doc"_s)), qPrintable(other));
}

void CtlDoubtTest::aQueryThatNeverFoundProvesNothing()
{
    registerTable(*m_fixture, effectsOf(kFound + "WHERE f.tenant = t.tenant AND f.key = t.key AND false"));
    const QString said = told(u"k001"_s);
    QVERIFY2(said.startsWith(u"needs_review no"_s) && said.contains(u"never found an effect here"_s), qPrintable(said));
    const ProgramRun run = ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"r"_s });
    QVERIFY2(run.status != 0, qPrintable(run.err));
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s), u"50"_s);
    // The profile's explicit word stands.
    registerTable(*m_fixture,
        QByteArray(effectsOf(kFound + "WHERE f.tenant = t.tenant AND f.key = t.key AND false"))
            .replace(QByteArray("{\n    \"effects\""),
                QByteArray("{\"policies\": [{\"match\": {}, \"effect\": \"local\", \"safe_to_repeat\": \"Each step "
                           "asks first.\"}], \"effects\"")));
    QVERIFY2(told(u"k001"_s).startsWith(u"safe_to_retry bulk"_s), qPrintable(told(u"k001"_s)));
}

void CtlDoubtTest::aQueryThatReadsWhatChangesSettlesNothing_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QString>("why");
    const QString again = u"reads k again"_s;
    QTest::newRow("the keys themselves") << QByteArray(
        "app.k f WHERE f.tenant = t.tenant AND f.key = t.key AND f.status = 'succeeded'")
                                         << again;
    QTest::newRow("in a subquery") << QByteArray(
        "app.eff f WHERE f.key = t.key AND EXISTS (SELECT FROM app.k o WHERE o.key = f.key AND o.attempts > 0)")
                                   << again;
    QTest::newRow("through a view") << QByteArray("app.done f WHERE f.tenant = t.tenant AND f.key = t.key") << again;
    QTest::newRow("a materialized view") << QByteArray("app.eff_then f WHERE f.tenant = t.tenant AND f.key = t.key")
                                         << u"when it was refreshed"_s;
    QTest::newRow("one that does not") << QByteArray("app.eff f WHERE f.tenant = t.tenant AND f.key = t.key")
                                       << QString();
}

void CtlDoubtTest::aQueryThatReadsWhatChangesSettlesNothing()
{
    QFETCH(QByteArray, from);
    QFETCH(QString, why);
    psql(u"CREATE VIEW app.done AS SELECT key AS id, tenant, key FROM app.k WHERE status = 'succeeded'; ALTER VIEW "
         u"app.done OWNER TO app_owner; "
         "CREATE MATERIALIZED VIEW app.eff_then AS SELECT * FROM app.eff; ALTER MATERIALIZED VIEW app.eff_then OWNER "
         "TO app_owner; "
         "GRANT SELECT ON app.done, app.eff_then TO adm, op, idemdesk_runner_app_owner"_s);
    // The profile's word, so that nothing but the doubt stands between such a key and a retry in bulk.
    const QByteArray word
        = R"({"sql": "SELECT f.key AS id, NULL::timestamptz AS at, NULL::text AS state FROM )" + from + "\"}";
    QByteArray changes = effectsOf({}, word);
    changes.replace(changes.indexOf('{'), 1,
        R"({"policies": [{"match": {}, "effect": "local", "safe_to_repeat": "Each step asks first."}], )");
    registerTable(*m_fixture, changes);
    const QString said = told(u"k001"_s);
    QVERIFY2(why.isEmpty() ? said.startsWith(u"safe_to_retry bulk"_s)
                           : said.startsWith(u"needs_review no"_s) && said.contains(why),
        qPrintable(said));
    // What such a query finds proves no more than what it does not; of an older picture it does.
    const QString found = told(u"k003"_s);
    QVERIFY2(why.contains(u"again"_s) ? !found.contains(u" bulk"_s) : found.startsWith(u"effect_happened bulk"_s),
        qPrintable(found));
    QFile file(m_home->filePath(u"k2.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(tableProfile(changes));
    file.close();
    const QString sha
        = QString::fromLatin1(QCryptographicHash::hash(tableProfile(changes), QCryptographicHash::Sha256).toHex());
    const ProgramRun check = ctl({ u"targets"_s, u"check"_s, file.fileName(), u"--trust"_s, sha }, u"adm"_s);
    QVERIFY2(check.out.contains(why.toUtf8()) && check.out.contains("Proved with real rows") == why.isEmpty(),
        check.out.constData());
}

void CtlDoubtTest::caseAndStoryCarryTheDoubts()
{
    registerTable(*m_fixture);
    psql(u"UPDATE app.k SET status = 'dead' WHERE key = 'k002'"_s); // over, and without its effect
    const QStringList dead { u"k002"_s, u"--target"_s, u"k2"_s };
    const auto toFile = [&](const QString &key) {
        const QString name = m_home->filePath(ConsoleFixture::newId() + u".html"_s);
        const ProgramRun run = ctl({ u"case"_s, key, u"--target"_s, u"k2"_s, u"-o"_s, name });
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : run.err;
    };
    const ProgramRun sure = ctl(QStringList { u"case"_s } + dead);
    QVERIFY2(sure.out.contains("failed and has no effect"), sure.out.constData());
    // Under way: nothing found says nothing, in the verdict, the file, the story and what find says.
    const auto worker = m_fixture->as(u"service"_s);
    QVERIFY(worker->run(u"BEGIN; INSERT INTO app.eff SELECT 'late', tenant, key FROM app.k WHERE key = 'k002'"_s).ok());
    const QString why = u"a transaction writes to eff"_s;
    const ProgramRun verdict = ctl(QStringList { u"case"_s } + dead);
    QVERIFY2(verdict.out.contains("proves nothing") && verdict.out.contains(why.toUtf8())
            && !verdict.out.contains("has no effect"),
        verdict.out.constData());
    QVERIFY2(toFile(u"k002"_s).contains(why), qPrintable(toFile(u"k002"_s)));
    const ProgramRun shown = ctl(QStringList { u"show"_s } + dead + QStringList { u"--json"_s });
    const QJsonObject effect = shown.items().first()[u"effects"_s].toArray().first().toObject();
    QVERIFY2(effect.value(u"doubt"_s).toString().contains(why), shown.out.constData());
    const ProgramRun found = ctl({ u"find"_s, u"k002"_s });
    QVERIFY2(found.out.contains("No eff found, which proves nothing"), found.out.constData());
    QVERIFY(worker->run(u"ROLLBACK"_s).ok());
    // A query that never found anything.
    psql(u"DELETE FROM app.eff"_s);
    const ProgramRun never = ctl(QStringList { u"case"_s } + dead);
    QVERIFY2(never.out.contains("never found an effect here") && !never.out.contains("has no effect"),
        never.out.constData());
    QVERIFY2(toFile(u"k001"_s).contains(u"never found an effect here"_s), "the file of a stale key");
}

void CtlDoubtTest::aRowWithoutAnIdIsNoEffect()
{
    registerTable(*m_fixture,
        effectsOf("SELECT max(f.id)::text AS id, NULL::timestamptz AS at, NULL::text AS state FROM app.eff f WHERE "
                  "f.tenant = t.tenant AND f.key = t.key HAVING count(*) > 0"));
    QVERIFY2(told(u"k001"_s).startsWith(u"safe_to_retry bulk"_s), qPrintable(told(u"k001"_s)));
    QVERIFY2(told(u"k003"_s).startsWith(u"effect_happened bulk"_s), qPrintable(told(u"k003"_s)));
    const ProgramRun shown = ctl({ u"show"_s, u"k001"_s, u"--target"_s, u"k2"_s, u"--json"_s });
    QVERIFY2(
        shown.items().first()[u"effects"_s].toArray().first()[u"rows"_s].toArray().isEmpty(), shown.out.constData());
    // On the server: the rule that needs the effect leaves such a key alone.
    const auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    const QString rows = value(
        u"SELECT jsonb_build_array(jsonb_build_object('i', jsonb_build_array(k.tenant, k.key), 'g', "
        "jsonb_build_array(k.status, (k.locked_until AT TIME ZONE 'UTC')::text || '+00', k.attempts::text), 'r', 2)) "
        "FROM app.k WHERE k.key = 'k001'"_s);
    const QString sha = value(u"SELECT encode(profile_sha, 'hex') FROM idemdesk.target WHERE name = 'k2'"_s);
    QVERIFY(op->run(u"SELECT idemdesk.open_action($1, 'k2', 'recover', 'r', NULL, '{}', $2, $3::jsonb)"_s,
                  { id, sha, rows })
                .ok());
    const QString batch = op->value(u"SELECT idemdesk.change_batch($1, 1, 10)"_s, { id });
    QVERIFY2(batch.contains(u"does not exist"_s), qPrintable(batch));
}

void CtlDoubtTest::anEffectUnderWayIsWaitedFor()
{
    registerTable(*m_fixture);
    QVERIFY2(told(u"k001"_s).startsWith(u"safe_to_retry bulk"_s), qPrintable(told(u"k001"_s)));
    const auto worker = m_fixture->as(u"service"_s);
    QVERIFY(worker->run(u"BEGIN; INSERT INTO app.eff SELECT 'late', tenant, key FROM app.k WHERE key = 'k001'"_s).ok());
    const QString said = told(u"k001"_s);
    QVERIFY2(said.startsWith(u"needs_review no"_s) && said.contains(u"a transaction writes to eff"_s)
            && said.contains(QString::number(worker->pid())),
        qPrintable(said));
    QVERIFY2(
        told(u"k003"_s).startsWith(u"effect_happened bulk"_s), qPrintable(told(u"k003"_s))); // what is there is there
    // Who only reads is in nobody's way.
    QVERIFY(worker->run(u"ROLLBACK; BEGIN; SELECT count(*) FROM app.eff"_s).ok());
    QVERIFY2(told(u"k001"_s).startsWith(u"safe_to_retry bulk"_s), qPrintable(told(u"k001"_s)));
}

QString CtlDoubtTest::freed(const QString &key)
{
    const auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    const QString rows
        = value(u"SELECT jsonb_build_array(jsonb_build_object('i', jsonb_build_array(k.tenant, k.key), 'g', "
                "jsonb_build_array(k.status, (k.locked_until AT TIME ZONE 'UTC')::text || '+00', k.attempts::text), "
                "'r', 0, 'e', '')) "
                "FROM app.k WHERE k.key = '%1'"_s.arg(key));
    const QString sha = value(u"SELECT encode(profile_sha, 'hex') FROM idemdesk.target WHERE name = 'k2'"_s);
    const auto opened = op->run(
        u"SELECT idemdesk.open_action($1, 'k2', 'recover', 'r', NULL, '{}', $2, $3::jsonb)"_s, { id, sha, rows });
    return opened.ok() ? op->value(u"SELECT idemdesk.change_batch($1, 1, 10)"_s, { id }) : opened.message;
}

void CtlDoubtTest::theServerLooksAgain()
{
    registerTable(*m_fixture);
    const auto worker = m_fixture->as(u"service"_s);
    QVERIFY(worker->run(u"BEGIN; INSERT INTO app.eff SELECT 'late', tenant, key FROM app.k WHERE key = 'k001'"_s).ok());
    const QString during = freed(u"k001"_s);
    QVERIFY2(during.contains(u"cannot be known yet"_s) && during.contains(QString::number(worker->pid())),
        qPrintable(during));
    QVERIFY(worker->run(u"COMMIT"_s).ok());
    const QString after = freed(u"k001"_s);
    QVERIFY2(after.contains(u"exists."_s), qPrintable(after));
    QCOMPARE(value(u"SELECT status FROM app.k WHERE key = 'k001'"_s), u"processing"_s);
    const QString free = freed(u"k007"_s);
    QVERIFY2(free.contains(u"\"done\": 1"_s), qPrintable(free));
    // The console asks for that look: what commits between the preview and the run is seen.
    const ProgramRun run
        = ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"key:k010"_s, u"--reason"_s, u"r"_s });
    QVERIFY2(run.status == 0, qPrintable(run.err));
    QCOMPARE(value(u"SELECT r.effect_id FROM idemdesk.action_row r WHERE r.identity[2] = 'k010'"_s), QString());
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action_row r WHERE r.effect_id = '' AND r.identity[2] = 'k010'"_s),
        u"1"_s);
}

void CtlDoubtTest::evidenceThatWasPurgedProvesNothing()
{
    psql(u"SET ROLE app_owner; CREATE TABLE app.ev (id text PRIMARY KEY, tenant text, key text, status text NOT NULL, "
         u"at timestamptz NOT NULL);"
         "GRANT SELECT, UPDATE, DELETE, INSERT ON app.ev TO idemdesk_runner_app_owner; GRANT SELECT ON app.ev TO op, "
         "adm;"
         "INSERT INTO app.ev SELECT 'e-' || key, tenant, key, 'done', now() FROM app.k WHERE key ~ '^d000';"
         "UPDATE app.k SET updated_at = now() - interval '10 days' WHERE key = 'k001'; RESET ROLE"_s);
    registerTable(*m_fixture,
        R"json({"kind": "outbox", "relation": "app.ev", "identity": ["id"], "scope": [], "key": "t.id",
        "roles": {"status": "t.status", "created_at": "t.at"}, "states": {"new": "pending", "done": "succeeded"}, "stale": null, "guard": ["status"],
        "actions": {}, "purge": {"by": "t.at", "after": "7d", "states": ["succeeded"]}, "effects": [], "policies": []})json",
        u"events"_s);
    QJsonObject changes = QJsonDocument::fromJson(effectsOf("SELECT v.id AS id, v.at AS at, v.status AS state FROM "
                                                            "app.ev v WHERE v.tenant = t.tenant AND v.key = t.key"))
                              .object();
    changes.insert(u"roles"_s,
        QJsonObject { { u"status"_s, u"t.status"_s }, { u"attempts"_s, u"t.attempts"_s },
            { u"lease_until"_s, u"t.locked_until"_s }, { u"created_at"_s, u"t.updated_at"_s } });
    registerTable(*m_fixture, QJsonDocument(changes).toJson());
    const QString old = told(u"k001"_s);
    QVERIFY2(old.startsWith(u"needs_review no"_s) && old.contains(u"through “Keys of the tests”"_s), qPrintable(old));
    QVERIFY2(told(u"k007"_s).startsWith(u"safe_to_retry bulk"_s), qPrintable(told(u"k007"_s)));
    const ProgramRun plan = ctl({ u"purge"_s, u"--target"_s, u"events"_s, u"--dry-run"_s, u"--reason"_s, u"r"_s });
    QVERIFY2((QString::fromUtf8(plan.out) + plan.err).contains(u"Keys of “k2” are proved through this table"_s),
        qPrintable(plan.err));
    // A purge that was done tells of itself, whatever the rule says.
    QVERIFY(m_fixture->root()
                .run(u"SET session_replication_role = replica; INSERT INTO idemdesk.action (id, target, relation, "
                     u"verb, requested_by, requested_at, opened_on, "
                     "keep_until, reason, plan, content_sha, profile_sha, covers_sha, planned_rows, allowance, "
                     "last_batch, next_row, cursor, counts, state) "
                     "SELECT gen_random_uuid(), 'events', 'app.ev'::regclass, 'detach', 'op', now() + interval '1 "
                     "hour', current_date, current_date, 'r', '{}', '', '', '', 0, 0, 0, 1, "
                     "'{}', '{}', 'finished'"_s)
                .ok());
    const QString since = told(u"k007"_s);
    QVERIFY2(since.startsWith(u"needs_review no"_s) && since.contains(u"purged since"_s), qPrintable(since));
}

void CtlDoubtTest::aBrokenRowForbidsNoRegistration()
{
    psql(u"UPDATE app.k SET attempts = 0 WHERE key = 'k050'"_s);
    const QByteArray changes
        = R"json({"roles": {"status": "CASE WHEN t.attempts / t.attempts = 1 THEN t.status END", "attempts": "t.attempts",
        "lease_until": "t.locked_until", "updated_at": "t.updated_at", "expires_at": "t.expires_at", "result_id": "t.result"}})json";
    registerTable(*m_fixture, changes);
    QFile file(m_home->filePath(u"k2.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(tableProfile(changes));
    file.close();
    const QString sha
        = QString::fromLatin1(QCryptographicHash::hash(tableProfile(changes), QCryptographicHash::Sha256).toHex());
    const ProgramRun again = ctl({ u"targets"_s, u"add"_s, file.fileName(), u"--trust"_s, sha }, u"adm"_s);
    QVERIFY2(again.status == 0, qPrintable(again.err + QString::fromUtf8(again.out)));
    const ProgramRun check = ctl({ u"targets"_s, u"check"_s, file.fileName(), u"--trust"_s, sha }, u"adm"_s);
    QVERIFY2((QString::fromUtf8(check.out) + check.err).contains(u"which count as unknown"_s),
        qPrintable(check.err + QString::fromUtf8(check.out)));
    QVERIFY2(check.status == 0, qPrintable(check.err));
}

void CtlDoubtTest::theReasonWhyNothingIsKnownToBeStale()
{
    registerTable(*m_fixture);
    psql(
        u"REVOKE SELECT ON app.k FROM op; GRANT SELECT (tenant, key, status, attempts, updated_at, expires_at, result) ON app.k TO op"_s);
    const ProgramRun run = ctl({ u"triage"_s, u"--target"_s, u"k2"_s });
    QVERIFY2(run.status != 2 && run.err.contains(u"locked_until"_s) && !run.err.contains(u"does not say when"_s),
        qPrintable(run.err));
    psql(u"GRANT SELECT ON app.k TO op; ALTER TABLE app.k RENAME locked_until TO leased_until"_s);
    const ProgramRun renamed = ctl({ u"triage"_s, u"--target"_s, u"k2"_s });
    QVERIFY2(
        renamed.status != 2 && renamed.err.contains(u"locked_until"_s) && !renamed.err.contains(u"does not say when"_s),
        qPrintable(renamed.err));
}

QTEST_GUILESS_MAIN(CtlDoubtTest)
#include "tst_ctl_doubt.moc"
