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
    void oneRowDoesNotDecideATrial();
    void deferredConstraintsAreTried();

private:
    /// The fixture's compiled target with `change` made to it.
    static QString compiled(const std::function<void(QJsonObject &)> &change);
    QJsonObject registered(const QString &compiled)
    {
        return QJsonDocument::fromJson(m_fixture->registerTarget(compiled).toUtf8()).object();
    }
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
            lines += finding[u"severity"_s].toString() + u": "_s + finding[u"text"_s].toString() + u" | "_s + finding[u"sql"_s].toString();
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
    QVERIFY(m_fixture->root().value(u"SELECT string_agg(detail, '') FROM idemdesk.action_item WHERE outcome = 'evidence'"_s).contains(u"cannot be known: the row has no result"_s));
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
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET status = 'failed', locked_until = CASE WHEN key = 'k001' THEN now() + interval '1 hour' END WHERE key IN ('k001', 'k002')"_s).ok());
    const auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    QVERIFY(m_fixture->open(*op, id, u"requeue"_s, m_fixture->frozen(u"status = 'failed'"_s, 3)).ok());
    QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), live ? u"{\"done\": 2}"_s : u"{\"done\": 1, \"changed\": 1}"_s);
    QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM app.k WHERE key = 'k001'"_s), live ? u"0"_s : u"1"_s);
}

void AnswersSqlTest::oneRowDoesNotDecideATrial()
{
    m_fixture->cluster().psql(m_fixture->database(), u"ALTER TABLE app.k ADD CONSTRAINT not_here CHECK (NOT (status = 'failed' AND tenant = 't1')) NOT VALID"_s);
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
        u"CREATE TABLE app.allowed (status text PRIMARY KEY); INSERT INTO app.allowed VALUES ('processing'), ('succeeded'); GRANT SELECT ON app.allowed TO idemdesk_runner;"
        "ALTER TABLE app.k ADD CONSTRAINT allowed FOREIGN KEY (status) REFERENCES app.allowed DEFERRABLE INITIALLY DEFERRED"_s);
    const QJsonObject answer = registered(ConsoleFixture::compiled());
    QVERIFY(!answer.value(u"registered"_s).toBool());
    QVERIFY2(findings(answer, u"trial"_s).join(u'\n').contains(u"violates foreign key constraint"_s), qPrintable(findings(answer, u"trial"_s).join(u'\n')));
}

QTEST_GUILESS_MAIN(AnswersSqlTest)
#include "tst_answers_sql.moc"
