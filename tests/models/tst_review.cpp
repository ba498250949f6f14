// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/connection_controller.h"
#include "models/review/review_controller.h"
#include "models/review/review_report.h"
#include "sql/health/health_report.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "sql/review/review_gateway.h"
#include "tests/support/registered_table.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;
using models::ReviewItem;
using models::ReviewReport;
using models::ReviewStand;

namespace {

const QByteArray kOutbox = R"json({"relation": "app.outbox", "kind": "outbox", "name": "outbox", "identity": ["id"],
  "scope": [], "key": "t.id", "roles": {"status": "t.status", "created_at": "t.made"},
  "states": {"new": "pending", "sent": "succeeded"}, "stale": null, "guard": ["status"],
  "actions": {"recover": [], "requeue": [], "reclassify": []}, "effects": [],
  "policies": [{"match": {}, "dedup": "short"}],
  "purge": {"by": "t.made", "after": "7d", "states": ["succeeded"]}})json";

} // namespace

/// What a review asks, what the console answers of it, and what people sign.
class ReviewTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init();
    void cleanup() { m_op.reset(); }

    void everyQuestionIsThereOnce();
    void whatTheCatalogueAnswersIsFilledIn();
    void messagesAreAskedOfMessagesOnly();
    void aSignedAnswerHasANameATimeAndARow();
    void theNewestAnswerStands();
    void anAnswerOfOneTableIsNotAnothers();
    void anAnswerStaysWithItsTableAndNotWithItsName();
    void anAnswerHoldsWhileTheConsoleFindsTheSame();
    void whoMaySign_data();
    void whoMaySign();
    void whatIsNoAnswerIsRefused_data();
    void whatIsNoAnswerIsRefused();
    void theSameAnswerIsSignedOnce();
    void withoutTheSchemaNothingIsSigned();
    void reportsSayTheSame();
    void theControllerSigns();

private:
    ReviewReport read()
    {
        const auto target = sql::bindTarget(*m_op, m_table.target.profile); // as the table is now
        if (!target) {
            qFatal("%s", qPrintable(target.error().line() + target.error().detail));
        }
        const auto report = models::readReviewReport(*m_op, *target, m_table.registered.name);
        if (!report) {
            qFatal("%s", qPrintable(report.error().line() + report.error().detail));
        }
        return *report;
    }
    ReviewItem item(const QString &question)
    {
        const ReviewReport report = read();
        const ReviewItem *found = report.item(question);
        if (found == nullptr) {
            qFatal("no question %s", qPrintable(question));
        }
        return *found;
    }
    sql::Result<qint64> sign(const QString &login, const sql::ReviewSigning &signing)
    {
        const auto session = openSession(*m_fixture, login, sql::LaneKind::Write);
        return sql::signReview(*session, signing);
    }
    sql::ReviewSigning signing(const QString &question, sql::ReviewVerdict verdict = sql::ReviewVerdict::Settled,
        const QString &note = u"the client makes a UUID"_s)
    {
        const ReviewReport report = read();
        return models::reviewSigning(report, *report.item(question), verdict, note);
    }
    void run(const QString &sql)
    {
        const auto done = m_fixture->root().run(sql);
        QVERIFY2(done.ok(), qPrintable(done.value()));
    }
    QString reviews()
    {
        return m_fixture->root().value(u"SELECT count(*) FROM idemdesk.audit WHERE what = 'review'"_s);
    }

    std::unique_ptr<ConsoleFixture> m_fixture;
    RegisteredTable m_table;
    std::unique_ptr<sql::Session> m_op;
};

void ReviewTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
}

void ReviewTest::init()
{
    m_fixture->fresh([this] {
        const auto done = m_fixture->root().run(
            u"GRANT USAGE ON SCHEMA app TO op, adm, appr, viewer; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm, "
            "appr, viewer; CREATE TABLE app.outbox (id integer PRIMARY KEY, status text NOT NULL, made timestamptz NOT "
            "NULL DEFAULT now()); GRANT SELECT ON app.outbox TO op"_s);
        if (!done.ok()) {
            qFatal("%s", qPrintable(done.value()));
        }
        m_table = registerTable(*m_fixture);
        m_fixture->forgetBare();
    });
    m_op = openSession(*m_fixture, u"op"_s);
}

void ReviewTest::everyQuestionIsThereOnce()
{
    QSet<QString> ids;
    QSet<QString> texts;
    for (const models::ReviewQuestion &question : models::reviewQuestions()) {
        QVERIFY2(!ids.contains(question.name()), question.id);
        QVERIFY2(!texts.contains(question.text()), question.id);
        ids += question.name();
        texts += question.text();
        QCOMPARE(models::reviewQuestion(question.name()), &question);
        QVERIFY2(QRegularExpression(u"^[a-z][a-z0-9_]{0,39}$"_s).match(question.name()).hasMatch(), question.id);
        QVERIFY2(QString::fromUtf8(question.source).contains(u'§'), question.id);
        QVERIFY(!models::reviewTopicTitle(question.topic).isEmpty());
    }
    QVERIFY(ids.size() >= 30);
    QVERIFY(models::reviewQuestion(u"no such"_s) == nullptr);
    // An id that no check has would leave its question open for good.
    QStringList found;
    const auto profile = sql::profileFromJson(tableProfile(kOutbox), u"test"_s);
    const auto outbox = sql::bindTarget(*m_op, *profile);
    QVERIFY(outbox.ok());
    for (const sql::Target &target : { m_table.target, *outbox }) {
        const auto health = sql::readHealth(*m_op, target);
        QVERIFY(health.ok());
        for (const sql::HealthFinding &finding : health->findings) {
            found += finding.id;
        }
    }
    for (const models::ReviewQuestion &question : models::reviewQuestions()) {
        const QStringList findings = question.findings();
        for (const QString &id : findings) {
            QVERIFY2(found.contains(id), qPrintable(question.name() + u' ' + id));
        }
    }
}

void ReviewTest::whatTheCatalogueAnswersIsFilledIn()
{
    QCOMPARE(item(u"one_winner"_s).stand, ReviewStand::Settled);
    QVERIFY(!item(u"one_winner"_s).seen.isEmpty());
    QCOMPARE(item(u"key_source"_s).stand, ReviewStand::Open);
    QVERIFY(!item(u"key_source"_s).level);
    // That a fingerprint is stored does not say that anybody compares it.
    const sql::Target without = m_table.target;
    m_table.target.profile.roles[sql::Role::Fingerprint] = { u"t.\"status\""_s, {}, {}, {}, {}, u"status"_s };
    QVERIFY(item(u"fingerprint"_s).level == sql::HealthLevel::Good);
    QCOMPARE(item(u"fingerprint"_s).stand, ReviewStand::Open);
    m_table.target = without;
    run(u"ALTER TABLE app.k DROP CONSTRAINT k_pkey CASCADE"_s);
    QCOMPARE(item(u"one_winner"_s).stand, ReviewStand::Gap);
    QCOMPARE(item(u"scope"_s).stand, ReviewStand::Gap);
    QCOMPARE(item(u"one_winner"_s).level, sql::HealthLevel::Problem);
    // What cannot be read is no answer.
    run(u"REVOKE SELECT ON app.k FROM op"_s);
    const auto report = models::readReviewReport(*m_op, m_table.target, m_table.registered.name);
    QVERIFY(report.ok() && report->notRead() > 0);
    for (const ReviewItem &one : report->items) {
        QVERIFY2(!one.notRead || one.stand != ReviewStand::Settled, one.question->id);
    }
}

void ReviewTest::messagesAreAskedOfMessagesOnly()
{
    QVERIFY(read().item(u"ack"_s) == nullptr);
    const auto profile = sql::profileFromJson(tableProfile(kOutbox), u"test"_s);
    QVERIFY2(profile.ok(), profile ? "" : qPrintable(profile.error().line()));
    const auto target = sql::bindTarget(*m_op, *profile);
    QVERIFY2(target.ok(), target ? "" : qPrintable(target.error().line()));
    const auto report = models::readReviewReport(*m_op, *target, {});
    QVERIFY(report.ok());
    QVERIFY(report->item(u"ack"_s) != nullptr && report->item(u"publish"_s) != nullptr);
}

void ReviewTest::aSignedAnswerHasANameATimeAndARow()
{
    const qint64 open = read().count(ReviewStand::Open);
    const auto seq = sign(u"op"_s, signing(u"key_source"_s));
    QVERIFY2(seq.ok(), seq ? "" : qPrintable(seq.error().line() + seq.error().detail));
    const ReviewItem answered = item(u"key_source"_s);
    QCOMPARE(answered.stand, ReviewStand::Settled);
    QVERIFY(answered.byPerson());
    QCOMPARE(answered.answer->who, u"op"_s);
    QCOMPARE(answered.answer->seq, *seq);
    QCOMPARE(answered.answer->said.target, u"k2"_s);
    QCOMPARE(answered.answer->said.note, u"the client makes a UUID"_s);
    QCOMPARE(answered.answer->said.asked, answered.question->text());
    QVERIFY(std::abs(answered.answer->at.micros - read().at.micros) < 60 * sql::kMicros);
    QCOMPARE(read().count(ReviewStand::Open), open - 1);
    QCOMPARE(m_fixture->root().value(
                 u"SELECT what || ' ' || who || ' ' || target FROM idemdesk.audit WHERE seq = %1"_s.arg(*seq)),
        u"review op k2"_s);
    QCOMPARE(ConsoleFixture::verified(m_fixture->root()), u"t"_s);
}

void ReviewTest::theNewestAnswerStands()
{
    QVERIFY(sign(u"op"_s, signing(u"key_source"_s)).ok());
    QVERIFY(sign(u"adm"_s, signing(u"key_source"_s, sql::ReviewVerdict::Gap, u"two clients take a counter"_s)).ok());
    QCOMPARE(item(u"key_source"_s).stand, ReviewStand::Gap);
    QCOMPARE(item(u"key_source"_s).answer->who, u"adm"_s);
    QVERIFY(sign(u"op"_s, signing(u"key_source"_s, sql::ReviewVerdict::NotApplicable, u"there are none"_s)).ok());
    QCOMPARE(item(u"key_source"_s).stand, ReviewStand::NotApplicable);
    QCOMPARE(reviews(), u"3"_s); // the older ones stay in the trail
}

void ReviewTest::anAnswerOfOneTableIsNotAnothers()
{
    QVERIFY(sign(u"op"_s, signing(u"key_source"_s)).ok());
    const auto profile = sql::profileFromJson(tableProfile(kOutbox), u"test"_s);
    const auto target = sql::bindTarget(*m_op, *profile);
    QVERIFY(target.ok());
    auto report = models::readReviewReport(*m_op, *target, {});
    QVERIFY(report.ok() && !report->item(u"key_source"_s)->answer);
    // A table that is not registered is reviewed as well.
    const auto seq = sign(u"op"_s,
        models::reviewSigning(*report, *report->item(u"ack"_s), sql::ReviewVerdict::Settled, u"the relay waits"_s));
    QVERIFY2(seq.ok(), seq ? "" : qPrintable(seq.error().line()));
    report = models::readReviewReport(*m_op, *target, {});
    QCOMPARE(report->item(u"ack"_s)->stand, ReviewStand::Settled);
    QVERIFY(!item(u"key_source"_s).answer->said.target.isEmpty());
    QVERIFY(report->item(u"ack"_s)->answer->said.target.isEmpty());
}

void ReviewTest::anAnswerStaysWithItsTableAndNotWithItsName()
{
    QVERIFY(sign(u"op"_s, signing(u"key_source"_s)).ok());
    run(u"ALTER TABLE app.k RENAME TO k_old; CREATE TABLE app.k (LIKE app.k_old INCLUDING ALL); GRANT SELECT ON app.k "
        u"TO "
        "op"_s);
    const ReviewItem other = item(u"key_source"_s);
    QVERIFY(other.answer && other.changed);
    QCOMPARE(other.stand, ReviewStand::Open);
    QVERIFY(models::reviewSignature(other).contains(u"another table"_s));
    run(u"DROP TABLE app.k; ALTER TABLE app.k_old RENAME TO k"_s);
    QCOMPARE(item(u"key_source"_s).stand, ReviewStand::Settled);
}

void ReviewTest::anAnswerHoldsWhileTheConsoleFindsTheSame()
{
    run(u"ALTER TABLE app.k DROP CONSTRAINT k_pkey CASCADE"_s);
    QVERIFY(
        sign(u"op"_s, signing(u"one_winner"_s, sql::ReviewVerdict::NotApplicable, u"the gateway holds a lock"_s)).ok());
    QCOMPARE(item(u"one_winner"_s).stand, ReviewStand::NotApplicable);
    QVERIFY(!item(u"one_winner"_s).changed);
    run(u"ALTER TABLE app.k ADD PRIMARY KEY (tenant, key)"_s);
    QVERIFY(item(u"one_winner"_s).changed);
    QCOMPARE(item(u"one_winner"_s).stand, ReviewStand::Settled); // the console's own word
    QVERIFY(sign(u"op"_s, signing(u"one_winner"_s)).ok());
    QVERIFY(item(u"one_winner"_s).byPerson());
    run(u"ALTER TABLE app.k DROP CONSTRAINT k_pkey CASCADE"_s);
    QCOMPARE(item(u"one_winner"_s).stand, ReviewStand::Gap);
    QVERIFY(models::reviewSignature(item(u"one_winner"_s)).contains(u"sign it anew"_s));
}

void ReviewTest::whoMaySign_data()
{
    QTest::addColumn<QString>("login");
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("refused");
    QTest::newRow("an operator") << u"op"_s << QString() << QString();
    QTest::newRow("an approver") << u"appr"_s << QString() << QString();
    QTest::newRow("an admin") << u"adm"_s << QString() << QString();
    QTest::newRow("a viewer") << u"viewer"_s << QString() << u"42501"_s;
    QTest::newRow("the service") << u"service"_s << QString() << u"42501"_s;
    QTest::newRow("a superuser") << u"boss"_s << QString() << u"ID003"_s;
    QTest::newRow("a shared login") << u"op2"_s << u"INSERT INTO idemdesk.shared_login VALUES ('op2')"_s << u"ID003"_s;
    QTest::newRow("an operator who may not read the table")
        << u"op2"_s << u"REVOKE SELECT ON app.k FROM op2"_s << u"ID001"_s;
    QTest::newRow("an operator who may read one column")
        << u"op2"_s << u"REVOKE SELECT ON app.k FROM op2; GRANT SELECT (key) ON app.k TO op2"_s << QString();
}

void ReviewTest::whoMaySign()
{
    QFETCH(QString, login);
    QFETCH(QString, before);
    QFETCH(QString, refused);
    if (!before.isEmpty()) {
        run(before);
    }
    const auto seq = sign(login, signing(u"key_source"_s));
    QCOMPARE(seq ? QString() : seq.error().sqlState, refused);
    QCOMPARE(reviews(), refused.isEmpty() ? u"1"_s : u"0"_s);
    if (!seq) {
        QCOMPARE(seq.error().what, u"The answer was not signed."_s);
    }
}

void ReviewTest::whatIsNoAnswerIsRefused_data()
{
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("question");
    QTest::addColumn<QString>("note");
    QTest::addColumn<QString>("asked");
    const QString k = uR"("app"."k")"_s;
    QTest::newRow("without a note") << k << u"k2"_s << u"key_source"_s << u" \n "_s << u"?"_s;
    QTest::newRow("of a table that is not there")
        << uR"("app"."nope")"_s << u"k2"_s << u"key_source"_s << u"x"_s << u"?"_s;
    QTest::newRow("of a table by a name without quotes")
        << u"app.k"_s << u"k2"_s << u"key_source"_s << u"x"_s << u"?"_s;
    QTest::newRow("of a table under another's name")
        << uR"("app"."outbox")"_s << u"k2"_s << u"key_source"_s << u"x"_s << u"?"_s;
    QTest::newRow("of a name that nothing has") << k << u"nope"_s << u"key_source"_s << u"x"_s << u"?"_s;
    QTest::newRow("to no question") << k << u"k2"_s << QString() << u"x"_s << u"?"_s;
    QTest::newRow("to a question that steers a terminal") << k << u"k2"_s << u"key\x1b[2J"_s << u"x"_s << u"?"_s;
    QTest::newRow("with a note that nobody sees")
        << k << u"k2"_s << u"key_source"_s << QString(QString(QChar(0x200B)) + QChar(0x2800) + QChar(0x00AD)) << u"?"_s;
    QTest::newRow("with a note without end") << k << u"k2"_s << u"key_source"_s << QString(4'001, u'x') << u"?"_s;
    QTest::newRow("with a question without end") << k << u"k2"_s << u"key_source"_s << u"x"_s << QString(4'001, u'?');
}

void ReviewTest::whatIsNoAnswerIsRefused()
{
    QFETCH(QString, table);
    QFETCH(QString, target);
    QFETCH(QString, question);
    QFETCH(QString, note);
    QFETCH(QString, asked);
    const auto seq = sign(
        u"op"_s, { ConsoleFixture::newId(), table, target, question, sql::ReviewVerdict::Settled, note, asked, {} });
    QCOMPARE(seq ? QString() : seq.error().sqlState, u"ID005"_s);
    QCOMPARE(reviews(), u"0"_s);
}

void ReviewTest::theSameAnswerIsSignedOnce()
{
    const sql::ReviewSigning once = signing(u"key_source"_s);
    const auto first = sign(u"op"_s, once);
    const auto again = sign(u"op"_s, once);
    QVERIFY(first.ok() && again.ok());
    QCOMPARE(*again, *first);
    QCOMPARE(reviews(), u"1"_s);
    sql::ReviewSigning other = once;
    other.note = u"something else"_s;
    const auto taken = sign(u"op"_s, other);
    QCOMPARE(taken ? QString() : taken.error().sqlState, u"ID007"_s);
    const auto stolen = sign(u"adm"_s, once);
    QCOMPARE(stolen ? QString() : stolen.error().sqlState, u"ID007"_s);
    // Within another statement it does not sign at all.
    const auto op = m_fixture->as(u"op"_s);
    QCOMPARE(op->state(u"SELECT idemdesk.sign_review(gen_random_uuid(), '\"app\".\"k\"', 'k2', 'key_source', 'gap', "
                       "'x', '', '') FROM generate_series(1, 2)"_s),
        u"ID011"_s);
}

void ReviewTest::withoutTheSchemaNothingIsSigned()
{
    const sql::ReviewSigning wanted = signing(u"key_source"_s);
    run(u"DROP SCHEMA idemdesk CASCADE"_s);
    const ReviewReport report = read();
    QVERIFY(report.noAnswers);
    QVERIFY2(report.noAnswers->todo.contains(u"Install"_s), qPrintable(report.noAnswers->line()));
    QCOMPARE(
        report.item(u"one_winner"_s)->stand, ReviewStand::Settled); // what the catalogue says is there all the same
    const auto seq = sign(u"op"_s, wanted);
    QVERIFY(!seq && seq.error().todo.contains(u"Install"_s));
}

void ReviewTest::reportsSayTheSame()
{
    QVERIFY(sign(u"op"_s, signing(u"key_source"_s, sql::ReviewVerdict::Gap, u"<b>two</b> & \x1b[2J more"_s)).ok());
    const ReviewReport report = read();
    const QJsonObject json = models::reviewJson(report);
    const QString html = models::reviewHtml(report);
    QCOMPARE(json.value(u"questions"_s).toArray().size(), report.items.size());
    QCOMPARE(json.value(u"gaps"_s).toInteger(), report.count(ReviewStand::Gap));
    for (const ReviewItem &one : report.items) {
        QVERIFY2(html.contains(one.question->text().toHtmlEscaped()), one.question->id);
    }
    QVERIFY(html.contains(u"&lt;b&gt;two&lt;/b&gt; &amp; "_s) && !html.contains(u'\x1b'));
    const QTemporaryDir folder;
    for (const char *name : { "r.pdf", "r.html", "r.json" }) {
        const QString path = folder.filePath(QString::fromLatin1(name));
        QVERIFY(models::writeReview(report, path).ok());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly) && file.size() > 1'000);
        QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    }
    QVERIFY(!models::writeReview(report, folder.filePath(u"no/such/r.html"_s)).ok());
}

void ReviewTest::theControllerSigns()
{
    models::ConnectionController connection({});
    sql::ConnectionSettings to;
    to.conninfo = m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database());
    models::ReviewController review;
    const QAbstractItemModelTester rows(review.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    models::ReviewGroups groups(review.model());
    const QAbstractItemModelTester grouped(&groups, QAbstractItemModelTester::FailureReportingMode::QtTest);
    connect(&connection, &models::ConnectionController::databaseChanged, &review,
        [&] { review.setDatabase(connection.database()); });
    connect(&connection, &models::ConnectionController::targetsChanged, &review, [&] {
        review.setTargets(connection.targets());
        review.choose(u"k2"_s);
        review.refresh();
    });
    connection.connectTo(to);
    QTRY_VERIFY_WITH_TIMEOUT(review.report().has_value(), 20'000);
    const qint64 gaps = review.report()->count(ReviewStand::Gap);
    QVERIFY(gaps > 0 && groups.isHeading(0));
    QVERIFY2(groups.index(0, 0).data().toString().contains(u"gap"_s), qPrintable(groups.index(0, 0).data().toString()));
    QCOMPARE(groups.rowCount(), review.model()->rowCount() + 3); // gaps, open and settled
    QSignalSpy done(&review, &models::ReviewController::signedAnswer);
    QSignalSpy failed(&review, &models::ReviewController::signFailed);
    const auto answer = [&review](const QString &question, sql::ReviewVerdict verdict, const QString &note) {
        return models::reviewSigning(*review.report(), *review.report()->item(question), verdict, note);
    };
    // Also while the table is read: what is read then may be older than the answer.
    review.refresh();
    review.sign(answer(u"key_source"_s, sql::ReviewVerdict::Gap, u"two clients take a counter"_s));
    QVERIFY(review.busy() && review.signing());
    QTRY_COMPARE(done.count(), 1);
    QTRY_VERIFY(!review.busy() && review.report() && review.report()->count(ReviewStand::Gap) == gaps + 1);
    QVERIFY(groups.index(0, 0).data().toString().startsWith(QString::number(gaps + 1)));
    groups.setFolded(int(ReviewStand::Gap), true);
    QVERIFY(groups.isHeading(1));
    // What was shown is signed, although another table was chosen meanwhile.
    const sql::ReviewSigning shown = answer(u"natural"_s, sql::ReviewVerdict::NotApplicable, u"no such fact"_s);
    review.choose(u"other"_s);
    QVERIFY(!review.report());
    review.sign(shown);
    QTRY_COMPARE(done.count(), 2);
    QCOMPARE(m_fixture->root().value(
                 u"SELECT count(*) FROM idemdesk.audit WHERE what = 'review' AND target = 'k2' AND facts::text LIKE "
                 "'%natural%'"_s),
        u"1"_s);
    review.choose(u"k2"_s);
    review.refresh();
    QTRY_VERIFY(!review.busy() && review.report());
    // An answer that the server refuses changes nothing that is shown.
    run(u"REVOKE SELECT ON app.k FROM op"_s);
    review.sign(answer(u"command"_s, sql::ReviewVerdict::Settled, u"x"_s));
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(reviews(), u"2"_s);
    QCOMPARE(review.report()->item(u"command"_s)->stand, ReviewStand::Open);
    review.choose(u"other"_s);
    QVERIFY(!review.report() && review.model()->rowCount() == 0);
    review.setDatabase(nullptr);
    review.sign(shown);
    QCOMPARE(failed.count(), 2); // never without a word
}

QTEST_MAIN(ReviewTest)

#include "tst_review.moc"
