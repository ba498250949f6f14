// SPDX-License-Identifier: GPL-3.0-or-later
// What the server itself answers: evidence without a link, leases that run, and trials on several rows.
#include "tests/support/console_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

class AnswersSqlTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init() { m_fixture->fresh(); }

    void evidenceWithoutALinkIsNotAbsent();
    void aRunningLeaseIsLeftAlone_data();
    void aRunningLeaseIsLeftAlone();
    void whatNobodyLooksForIsNotAbsent();
    void oneRowDoesNotDecideATrial();
    void theFirstRowsDoNotDecideATrial();
    void aTrialFindsTheRowsWithTheirEffect_data();
    void aTrialFindsTheRowsWithTheirEffect();
    void aBrokenRowDecidesNoTrial();
    void deferredConstraintsAreTried();
    void theTrialEvaluatesWhatAPurgeDoes();
    void aBrokenRowIsInTheWrongState_data();
    void aBrokenRowIsInTheWrongState();
    void aPurgeGoesAroundBrokenRows_data();
    void aPurgeGoesAroundBrokenRows();
    void aPurgeOfAHundredBrokenRowsSaysSo();
    void aSampleGoesAroundBrokenRows_data();
    void aSampleGoesAroundBrokenRows();

private:
    /// The fixture's compiled target with `change` made to it.
    static QString compiled(const std::function<void(QJsonObject &)> &change);
    QJsonObject registered(const QString &compiled)
    {
        return QJsonDocument::fromJson(m_fixture->registerTarget(compiled).toUtf8()).object();
    }
    /// The expression, failing on each row whose pad is "bad".
    static QString failing(const QString &sql)
    {
        return u"CASE WHEN 1 / (CASE WHEN t.pad = 'bad' THEN 0 ELSE 1 END) = 1 THEN "_s + sql + u" END"_s;
    }
    /// "k" with the expression at this place failing so.
    static QString brokenAt(const QString &place);
    void psql(const QString &sql) { m_fixture->cluster().psql(m_fixture->database(), sql); }
    static QStringList findings(const QJsonObject &answer, const QString &code);

    std::unique_ptr<ConsoleFixture> m_fixture;
};

void AnswersSqlTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
}

QString AnswersSqlTest::compiled(const std::function<void(QJsonObject &)> &change)
{
    QJsonObject json = QJsonDocument::fromJson(ConsoleFixture::compiled().toUtf8()).object();
    change(json);
    return QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact));
}

QStringList AnswersSqlTest::findings(const QJsonObject &answer, const QString &code)
{
    QStringList lines;
    const QJsonArray all = answer.value(u"findings"_s).toArray();
    for (const QJsonValue &finding : all) {
        if (finding[u"code"_s].toString() == code) {
            lines += finding[u"severity"_s].toString() + u": "_s + finding[u"text"_s].toString() + u" | "_s
                + finding[u"sql"_s].toString();
        }
    }
    return lines;
}

void AnswersSqlTest::evidenceWithoutALinkIsNotAbsent()
{
    const QJsonObject answer = registered(compiled([](QJsonObject &json) {
        QJsonArray effects = json.value(u"effects"_s).toArray();
        QJsonObject effect = effects.at(0).toObject();
        effect.insert(u"missing"_s, u"CASE WHEN t.result IS NULL THEN 'result' ELSE '' END"_s);
        effects[0] = effect;
        json.insert(u"effects"_s, effects);
    }));
    QVERIFY(answer.value(u"registered"_s).toBool());
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET result = 'r' WHERE key = 'k002'"_s).ok());
    const auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    QVERIFY(m_fixture->open(*op, id, u"recover"_s, m_fixture->frozen(u"key IN ('k001', 'k002')"_s, 2)).ok());
    QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 1, \"evidence\": 1}"_s);
    QCOMPARE(m_fixture->root().value(u"SELECT string_agg(key, ',') FROM app.k WHERE status = 'failed'"_s), u"k002"_s);
    QVERIFY(m_fixture->root()
                .value(u"SELECT string_agg(detail, '') FROM idemdesk.action_item WHERE outcome = 'evidence'"_s)
                .contains(u"cannot be known: the row has no result"_s));
}

void AnswersSqlTest::aRunningLeaseIsLeftAlone_data()
{
    QTest::addColumn<bool>("live");
    QTest::newRow("not without the rule's word") << false;
    QTest::newRow("with it") << true;
}

void AnswersSqlTest::aRunningLeaseIsLeftAlone()
{
    QFETCH(bool, live);
    const QJsonObject answer = registered(compiled([live](QJsonObject &json) {
        json.insert(u"leased"_s, u"(t.locked_until > ($1))"_s);
        QJsonArray rules = json.value(u"rules"_s).toArray();
        QJsonObject rule = rules.at(3).toObject();
        rule.insert(u"live"_s, live);
        rules[3] = rule;
        json.insert(u"rules"_s, rules);
    }));
    QVERIFY(answer.value(u"registered"_s).toBool());
    QVERIFY(
        m_fixture->root()
            .run(
                u"UPDATE app.k SET status = 'failed', locked_until = CASE WHEN key = 'k001' THEN now() + interval '1 hour' END WHERE key IN ('k001', 'k002')"_s)
            .ok());
    const auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    QVERIFY(m_fixture->open(*op, id, u"requeue"_s, m_fixture->frozen(u"status = 'failed'"_s, 3)).ok());
    QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1),
        live ? u"{\"done\": 2}"_s : u"{\"done\": 1, \"changed\": 1}"_s);
    QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM app.k WHERE key = 'k001'"_s), live ? u"0"_s : u"1"_s);
}

QString AnswersSqlTest::brokenAt(const QString &place)
{
    return compiled([&place](QJsonObject &json) {
        if (place == u"scope"_s) {
            json.insert(u"scope"_s, QJsonArray { failing(u"t.tenant"_s) });
            json.insert(u"scope_text"_s,
                u"pg_catalog.jsonb_build_array(("_s + failing(u"t.tenant"_s)
                    + u")::pg_catalog.text)::pg_catalog.text"_s);
        } else if (place.startsWith(u"purge."_s)) {
            QJsonArray purge = json.value(u"purge"_s).toArray();
            QJsonObject rule = purge.at(0).toObject();
            rule.insert(place.mid(6), failing(rule.value(place.mid(6)).toString()));
            purge[0] = rule;
            json.insert(u"purge"_s, purge);
        } else if (place == u"in_state"_s) {
            QJsonObject states = json.value(place).toObject();
            states.insert(u"succeeded"_s, failing(states.value(u"succeeded"_s).toString()));
            json.insert(place, states);
        } else if (place == u"readable"_s) {
            json.insert(place, failing(u"true"_s)); // a role that no action uses
        } else if (place == u"set"_s) {
            QJsonArray rules = json.value(u"rules"_s).toArray();
            QJsonObject rule = rules.at(0).toObject();
            QJsonArray set = rule.value(place).toArray();
            set[0] = QJsonArray { u"status"_s, failing(u"'failed'"_s) };
            rule.insert(place, set);
            rules[0] = rule;
            json.insert(u"rules"_s, rules);
        } else {
            json.insert(place, failing(json.value(place).toString()));
        }
    });
}

void AnswersSqlTest::whatNobodyLooksForIsNotAbsent()
{
    QVERIFY(registered(compiled([](QJsonObject &json) { json.insert(u"effects"_s, QJsonArray()); }))
                .value(u"registered"_s)
                .toBool());
    const auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    QVERIFY(m_fixture->open(*op, id, u"recover"_s, m_fixture->frozen(u"key = 'k001'"_s, 2)).ok());
    QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"evidence\": 1}"_s);
}

void AnswersSqlTest::theFirstRowsDoNotDecideATrial()
{
    // More rows than are tried at first, and all of those that a look finds first.
    psql(u"ALTER TABLE app.k ADD CONSTRAINT not_here CHECK (NOT (status = 'failed' AND key <= 'k010')) NOT VALID"_s);
    const QJsonObject answer = registered(ConsoleFixture::compiled());
    QVERIFY2(answer.value(u"registered"_s).toBool(), qPrintable(findings(answer, u"trial"_s).join(u'\n')));
    QVERIFY(findings(answer, u"trial"_s).constFirst().startsWith(u"warning: "));
}

void AnswersSqlTest::aTrialFindsTheRowsWithTheirEffect_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<qsizetype>("proven");
    QTest::newRow("no row has one") << u"k"_s << u"t.key"_s << qsizetype(1);
    QTest::newRow("the last row that is looked at") << u"k050"_s << u"t.key"_s << qsizetype(3);
    QTest::newRow("which cannot be asked of every row")
        << u"k050"_s << u"CASE WHEN t.key = 'k020' THEN (1 / (t.attempts - 1))::text ELSE t.key END"_s << qsizetype(3);
    QTest::newRow("whose own code fails on one, which is left alone")
        << u"k050"_s << u"app.only(t.key)"_s << qsizetype(1);
}

/// One of the fixture's rules that lead to a success needs no effect; two others do.
void AnswersSqlTest::aTrialFindsTheRowsWithTheirEffect()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(qsizetype, proven);
    psql(u"INSERT INTO app.eff SELECT 'e1', tenant, '%1' FROM app.k WHERE key = 'k050'; "
         "UPDATE app.k SET result = 'x' WHERE key = 'k050'; "
         "SET ROLE app_owner; CREATE FUNCTION app.only(text) RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN "
         "ASSERT $1 IS DISTINCT FROM 'k020'; RETURN $1; END $$"_s.arg(key));
    const QJsonObject answer = registered(compiled([&value](QJsonObject &json) {
        QJsonObject effect = json.value(u"effects"_s).toArray().at(0).toObject();
        effect.insert(u"sql"_s, u"SELECT f.id FROM app.eff f WHERE f.tenant = t.tenant AND f.key = %1"_s.arg(value));
        json.insert(u"effects"_s, QJsonArray { effect });
    }));
    QVERIFY2(answer.value(u"registered"_s).toBool(), QJsonDocument(answer).toJson().constData());
    QCOMPARE(findings(answer, u"proven"_s).filter(u"recover to succeeded"_s).size(), proven);
}

void AnswersSqlTest::aBrokenRowDecidesNoTrial()
{
    // An update moves a row behind the others: the broken ones come first.
    psql(
        u"UPDATE app.k SET pad = 'bad' WHERE key IN ('k001', 'd0300'); UPDATE app.k SET attempts = 1 WHERE pad <> 'bad'"_s);
    for (const QString &place : { u"state"_s, u"purge.where"_s, u"stale"_s, u"readable"_s }) {
        const QJsonObject answer = registered(brokenAt(place));
        QVERIFY2(answer.value(u"registered"_s).toBool(), qPrintable(place + findings(answer, u"trial"_s).join(u'\n')));
        const QStringList found = findings(answer, u"unreadable"_s);
        QCOMPARE(found.size(), 1);
        QVERIFY2(found.constFirst().startsWith(u"warning: 2 rows"), qPrintable(found.constFirst()));
        QVERIFY(!findings(answer, u"proven"_s).isEmpty());
    }
}

void AnswersSqlTest::theTrialEvaluatesWhatAPurgeDoes()
{
    psql(
        u"CREATE FUNCTION app.named(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN $1; END'; REVOKE ALL ON FUNCTION app.named(text) FROM PUBLIC"_s);
    const QString scoped = compiled([](QJsonObject &json) {
        json.insert(u"scope"_s, QJsonArray { u"app.named(t.tenant)"_s });
        json.insert(u"scope_text"_s, u"pg_catalog.jsonb_build_array(app.named(t.tenant))::pg_catalog.text"_s);
    });
    const QJsonObject answer = registered(scoped);
    QVERIFY(!answer.value(u"registered"_s).toBool());
    QVERIFY2(findings(answer, u"trial"_s).join(u'\n').contains(u"permission denied for function named"_s),
        qPrintable(findings(answer, u"trial"_s).join(u'\n')));
    QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM app.k"_s), u"650"_s); // nothing of the trial stays
    psql(u"GRANT EXECUTE ON FUNCTION app.named(text) TO idemdesk_runner_app_owner"_s);
    QVERIFY(registered(scoped).value(u"registered"_s).toBool());
}

void AnswersSqlTest::aBrokenRowIsInTheWrongState_data()
{
    QTest::addColumn<QString>("place");
    for (const char *place : { "state", "status", "stale", "set", "readable" }) {
        QTest::newRow(place) << QString::fromLatin1(place);
    }
}

void AnswersSqlTest::aBrokenRowIsInTheWrongState()
{
    QFETCH(QString, place);
    const QJsonObject answer = registered(brokenAt(place));
    QVERIFY2(answer.value(u"registered"_s).toBool(), qPrintable(findings(answer, u"trial"_s).join(u'\n')));
    const auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    psql(u"UPDATE app.k SET pad = 'bad' WHERE key = 'k002'"_s);
    QVERIFY(m_fixture->open(*op, id, u"recover"_s, m_fixture->frozen(u"key IN ('k001', 'k002', 'k003')"_s, 0)).ok());
    QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 2, \"wrong_state\": 1}"_s);
    QCOMPARE(m_fixture->root().value(u"SELECT string_agg(key, ',' ORDER BY key) FROM app.k WHERE status = 'failed'"_s),
        u"k001,k003"_s);
    QVERIFY(m_fixture->root()
                .value(u"SELECT detail FROM idemdesk.action_item WHERE outcome = 'wrong_state'"_s)
                .contains(u"division by zero"_s));
    QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
}

void AnswersSqlTest::aPurgeGoesAroundBrokenRows_data()
{
    QTest::addColumn<QString>("place");
    QTest::addColumn<bool>("parts");
    for (const char *place : { "state", "scope", "purge.where", "purge.by", "in_state", "readable" }) {
        QTest::newRow(place) << QString::fromLatin1(place) << false;
        QTest::addRow("%s, in partitions", place) << QString::fromLatin1(place) << true;
    }
}

void AnswersSqlTest::aPurgeGoesAroundBrokenRows()
{
    QFETCH(QString, place);
    QFETCH(bool, parts);
    if (parts) {
        psql(
            u"ALTER TABLE app.k RENAME TO old; CREATE TABLE app.k (LIKE app.old INCLUDING DEFAULTS, PRIMARY "
            u"KEY (tenant, key)) PARTITION BY LIST (tenant);"
            "CREATE TABLE app.k0 PARTITION OF app.k FOR VALUES IN ('t0'); CREATE TABLE app.k1 PARTITION OF "
            "app.k DEFAULT;"
            "INSERT INTO app.k SELECT * FROM app.old; ALTER TABLE app.k OWNER TO app_owner; ALTER TABLE app.k0 OWNER "
            "TO app_owner; "
            "ALTER TABLE app.k1 OWNER TO app_owner; GRANT SELECT, UPDATE, DELETE, INSERT ON app.k TO idemdesk_runner_app_owner"_s);
    }
    const QJsonObject answer = registered(brokenAt(place));
    QVERIFY2(answer.value(u"registered"_s).toBool(), qPrintable(findings(answer, u"trial"_s).join(u'\n')));
    psql(u"UPDATE app.k SET pad = 'bad' WHERE key IN ('d0007', 'd0008', 'd0300')"_s);
    const auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    QVERIFY(m_fixture->openPurge(*op, id, 600).ok());
    for (int batch = 1; batch < 30
         && m_fixture->root().value(u"SELECT state FROM idemdesk.action WHERE id = '%1'"_s.arg(id)) == u"running";
         ++batch) {
        if (batch == 3) { // a row breaks, or goes elsewhere, while the purge runs
            psql(
                u"UPDATE app.k SET pad = 'bad' WHERE key = 'd0030'; UPDATE app.k SET attempts = 7 WHERE key = 'd0300'"_s);
        }
        const auto done = op->run(u"SELECT idemdesk.purge_batch($1, $2, 100)"_s, { id, QString::number(batch) });
        QVERIFY2(done.ok(), qPrintable(done.message));
    }
    QCOMPARE(m_fixture->root().value(u"SELECT state FROM idemdesk.action WHERE id = '%1'"_s.arg(id)), u"finished"_s);
    const QString left
        = m_fixture->root().value(u"SELECT string_agg(key, ',' ORDER BY key) FROM app.k WHERE status = 'succeeded'"_s);
    QVERIFY2(left == u"d0007,d0008,d0030,d0300" || left == u"d0007,d0008,d0300",
        qPrintable(left)); // d0030 may have gone before
    QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
}

void AnswersSqlTest::aPurgeOfAHundredBrokenRowsSaysSo()
{
    QVERIFY(registered(brokenAt(u"state"_s)).value(u"registered"_s).toBool());
    psql(u"UPDATE app.k SET pad = 'bad' WHERE key < 'd0200'"_s);
    const auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    QVERIFY(m_fixture->openPurge(*op, id, 600).ok());
    const auto done = op->run(u"SELECT idemdesk.purge_batch($1, 1, 100)"_s, { id });
    QVERIFY2(done.message.contains(u"100 or more rows of the table are unreadable"_s), qPrintable(done.message));
    QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM app.k WHERE status = 'succeeded'"_s), u"600"_s);
}

void AnswersSqlTest::aSampleGoesAroundBrokenRows_data()
{
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("bad");
    QTest::addColumn<QString>("succeeded");
    QTest::addColumn<QString>("unknown");
    for (const char *place : { "state", "scope", "stale" }) {
        QTest::newRow(place) << QString::fromLatin1(place) << u"key IN ('d0007', 'd0300')"_s << u"598"_s << u"2"_s;
    }
    QTest::newRow("none") << u"state"_s << u"false"_s << u"600"_s << u"0"_s;
    QTest::newRow("100 or more") << u"state"_s << u"key < 'd0200'"_s << u"(no row)"_s << u"650"_s;
}

void AnswersSqlTest::aSampleGoesAroundBrokenRows()
{
    QFETCH(QString, place);
    QFETCH(QString, bad);
    QFETCH(QString, succeeded);
    QFETCH(QString, unknown);
    QVERIFY(registered(brokenAt(place)).value(u"registered"_s).toBool());
    psql(u"UPDATE app.k SET pad = 'bad' WHERE "_s + bad);
    const auto op = m_fixture->as(u"op"_s);
    const auto taken = op->run(u"SELECT idemdesk.take_sample('k')"_s);
    QVERIFY2(taken.ok(), qPrintable(taken.message));
    const QString sum
        = u"SELECT sum(value) FROM idemdesk.sample WHERE target = 'k' AND resolution = 'minute' AND metric = '%1' HAVING count(*) > 0"_s;
    QCOMPARE(m_fixture->root().value(sum.arg(u"succeeded"_s)), succeeded);
    QCOMPARE(m_fixture->root().value(sum.arg(u"unknown"_s)), unknown);
}

void AnswersSqlTest::oneRowDoesNotDecideATrial()
{
    m_fixture->cluster().psql(m_fixture->database(),
        u"ALTER TABLE app.k ADD CONSTRAINT not_here CHECK (NOT (status = 'failed' AND tenant = 't1')) NOT VALID"_s);
    const QJsonObject answer = registered(ConsoleFixture::compiled());
    QVERIFY2(answer.value(u"registered"_s).toBool(), qPrintable(findings(answer, u"trial"_s).join(u'\n')));
    const QStringList some = findings(answer, u"trial"_s);
    QVERIFY(!some.isEmpty());
    for (const QString &line : some) {
        QVERIFY2(line.startsWith(u"warning: ") && line.contains(u"on some rows"), qPrintable(line));
    }
    // Nothing of the trial stays.
    QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"0"_s);
}

void AnswersSqlTest::deferredConstraintsAreTried()
{
    m_fixture->cluster().psql(m_fixture->database(),
        u"CREATE TABLE app.allowed (status text PRIMARY KEY); INSERT INTO app.allowed VALUES ('processing'), "
        u"('succeeded'); GRANT SELECT ON app.allowed TO idemdesk_runner_app_owner; GRANT USAGE ON SCHEMA app TO adm; "
        "GRANT SELECT ON app.k TO adm;" // else the reason would stay with those who may read the table

        "ALTER TABLE app.k ADD CONSTRAINT allowed FOREIGN KEY (status) REFERENCES app.allowed DEFERRABLE INITIALLY DEFERRED"_s);
    const QJsonObject answer = registered(ConsoleFixture::compiled());
    QVERIFY(!answer.value(u"registered"_s).toBool());
    QVERIFY2(findings(answer, u"trial"_s).join(u'\n').contains(u"violates foreign key constraint"_s),
        qPrintable(findings(answer, u"trial"_s).join(u'\n')));
}

QTEST_GUILESS_MAIN(AnswersSqlTest)
#include "tst_answers_sql.moc"
