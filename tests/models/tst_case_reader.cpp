// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/case_reader.h"
#include "models/casefile/case_report.h"
#include "models/complaint/complaint.h"
#include "models/fingerprint/why_different.h"
#include "models/keys/key_detail.h"
#include "sql/lanes/database.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/registered_table.h"

#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using namespace idemdesk::tests;

namespace {

const QByteArray kProfile
    = R"json({"idemdesk_profile": 1, "name": "loose", "kind": "request", "relation": "app.loose", "identity": ["id"],
  "scope": [{"label": "tenant", "sql": "t.tenant"}], "key": "t.key", "roles": {"status": "t.status", "created_at": "t.created_at", "fingerprint": "t.hash"},
  "states": {"done": "succeeded"}, "stale": null, "guard": ["status"], "orders": [],
  "effects": [{"type": "paid", "proves": true, "sql": "SELECT t.id AS id, NULL::timestamptz AS at, NULL::text AS state"}]})json";

/// A table that keeps requests as bytes, and the recipe that made their fingerprints.
const QByteArray kRequests
    = R"json({"idemdesk_profile": 1, "name": "sent", "kind": "request", "relation": "app.sent", "identity": ["id"],
  "scope": [{"label": "tenant", "sql": "t.tenant"}], "key": "t.key", "roles": {"status": "t.status", "fingerprint": "t.hash", "request_payload": "t.body"},
  "states": {"done": "succeeded"}, "stale": null, "guard": ["status"], "orders": [], "diff_ignore": ["/at"],
  "fingerprint_recipe": {"recipe": "sha256(method + body as raw)", "parts": {"method": {"sql": "t.method"}}}%1})json";

} // namespace

/// Which rows a case is about.
class CaseReaderTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<sql::Session> m_session;
    sql::Target m_target;

    void bind(const QByteArray &json, sql::Target *bound) const
    {
        const auto profile = sql::profileFromJson(json, u"test"_s);
        QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().line()));
        const auto target = sql::bindTarget(*m_session, *profile);
        QVERIFY2(target.ok(), target.ok() ? "" : qPrintable(target.error().line()));
        *bound = *target;
    }
    /// The case of these keys of app.sent. more: further members of its profile.
    CaseFile caseOfRequests(const QStringList &keys, const QByteArray &more = {}) const
    {
        sql::Target target;
        bind(QByteArray(kRequests).replace("%1", more), &target);
        QList<CaseSubject> subjects;
        for (const QString &key : keys) {
            subjects.append({ target, u"sent"_s, key, {} });
        }
        const auto file = readCase(*m_session, subjects, {});
        return file ? *file : CaseFile();
    }
    void storeRequests() const
    {
        const auto done = m_fixture->root().run(
            u"DROP TABLE IF EXISTS app.sent; TRUNCATE idemdesk.conflict; "
            "CREATE TABLE app.sent (id int PRIMARY KEY, tenant text, key text, status text DEFAULT 'done', method text "
            "DEFAULT 'POST', body bytea, hash text); "
            "INSERT INTO app.sent (id, tenant, key, body) VALUES (1, 't1', 'a', convert_to('{\"amount\": 10, \"at\": "
            "1}', 'UTF8')), (2, 't1', 'b', convert_to('{\"amount\": 10, \"at\": 2}', 'UTF8')), "
            "(3, 't1', 'none', NULL), (4, 't1', 'large', convert_to('{\"x\": \"' || repeat('é', 1000000) || '\"}', "
            "'UTF8')), (5, 't1', 'bytes', '\\x00ff'); "
            "UPDATE app.sent SET hash = encode(sha256(convert_to(method, 'UTF8') || body), 'hex'); "
            "GRANT SELECT ON app.sent TO op; SET ROLE idemdesk_owner; "
            "SELECT idemdesk.record_conflict('t1', 'a', 'h1', 'h2', '{\"amount\": 11}'), "
            "idemdesk.record_conflict('t1', 'a', 'h1', 'h3', '{\"amount\": 12}'), "
            "idemdesk.record_conflict('t2', 'a', 'h1', 'h4', '{\"amount\": 13}'); RESET ROLE"_s);
        QVERIFY2(done.ok(), qPrintable(done.value()));
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
        m_fixture->fresh();
        QVERIFY(
            m_fixture->root()
                .run(
                    u"CREATE TABLE app.loose (id int PRIMARY KEY, tenant text, key text, status text, hash text, "
                    u"created_at timestamptz DEFAULT now()); GRANT SELECT ON app.loose TO op; "
                    "INSERT INTO app.loose VALUES (1, NULL, 'k', 'done', 'h'), (2, 't1', 'k', 'done', 'h'), (3, 't1', 'again', 'done', 'h'), (4, 't2', 'other', 'done', 'h')"_s)
                .ok());
        m_session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Read);
        bind(kProfile, &m_target);
    }
    void cleanupTestCase()
    {
        m_session.reset();
        m_fixture.reset();
    }

    void aCandidateIsItsOwnRowAlone()
    {
        ComplaintQuestion question;
        question.key = u"k"_s;
        const auto answer = searchComplaint(*m_session, { m_target }, question);
        QVERIFY(answer.ok());
        QCOMPARE(answer->candidates.size(), 2);
        for (const Candidate &candidate : answer->candidates) {
            const auto file = readCase(*m_session, { caseSubject(m_target, {}, candidate.record) }, {});
            QVERIFY2(file.ok(), file.ok() ? "" : qPrintable(file.error().line()));
            QCOMPARE(file->rows.size(), 1);
            QVERIFY(file->rows.first().detail.record.sameRow(candidate.record));
        }
        QCOMPARE(readCase(*m_session, { { m_target, {}, u"k"_s, {} } }, {})->rows.size(), 2);
    }

    void anIntentThatIsNamedTwiceIsOne()
    {
        const CaseSubject again { m_target, {}, u"again"_s, {} };
        const auto file = readCase(*m_session, { again, again }, {});
        QCOMPARE(file->rows.size(), 1);
        QCOMPARE(kindWord(file->verdict.kind), u"one_effect"_s);
    }

    void aRowThatIsGoneIsAnError()
    {
        sql::KeyRecord gone;
        gone.identity = { sql::Cell::of(u"99"_s) };
        QVERIFY(!readCase(*m_session, { caseSubject(m_target, {}, gone) }, {}).ok());
    }

    /// The same request counts as one command under two keys only within a scope.
    void sameFingerprintOfAnotherScopeIsAnotherCommand()
    {
        const auto alike = [this](const QStringList &keys) {
            QList<CaseSubject> subjects;
            for (const QString &key : keys) {
                subjects.append({ m_target, {}, key,
                    key == u"k" ? QMap<QString, QString> { { u"tenant"_s, u"t1"_s } } : QMap<QString, QString>() });
            }
            const auto file = readCase(*m_session, subjects, {});
            return file.ok() && file->verdict.kind == VerdictKind::SeveralIntents && verdictFacts(*file).alike;
        };
        QVERIFY(alike({ u"k"_s, u"again"_s }));
        QVERIFY(!alike({ u"k"_s, u"other"_s }));
    }

    void requestsAreTakenAsTheyWereStored()
    {
        storeRequests();
        const CaseFile file = caseOfRequests({ u"a"_s, u"b"_s, u"none"_s, u"bytes"_s });
        QCOMPARE(file.requests.size(), 5); // "none" has none, and the refused one of t2 is another intent's
        const CaseRequest &first = file.requests.at(0);
        QCOMPARE(first.payload, QByteArray("{\"amount\": 10, \"at\": 1}"));
        QCOMPARE(first.origin, PayloadOrigin::Bytes);
        QCOMPARE(first.parts.values, (QMap<QString, QByteArray> { { u"key"_s, "a" }, { u"method"_s, "POST" } }));
        QCOMPARE(first.fingerprint.size(), 64);
        QVERIFY(first.recipe.has_value());
        QCOMPARE(file.requests.at(2).payload, QByteArray("\x00\xff", 2));
        // The two that were refused are told apart, and each is compared with the request it stands beside.
        QSet<QString> names;
        for (const CaseRequest &request : file.requests) {
            names.insert(request.name);
        }
        QCOMPARE(names.size(), 5);
        QCOMPARE(file.differences.size(), 4);
        QVERIFY2(file.differences.at(0).sentence.contains(u"the service hashes them, too"_s),
            qPrintable(file.differences.at(0).sentence)); // only /at, and the recipe is known
        QVERIFY2(file.differences.at(1).sentence.contains(u"not JSON. Their text differs from line 1"_s),
            qPrintable(file.differences.at(1).sentence));
        for (qsizetype i = 2; i < 4; ++i) {
            QCOMPARE(file.differences.at(i).first, u"a"_s);
            QCOMPARE(file.differences.at(i).changes.constFirst().pointer, u"/amount"_s);
        }
    }

    /// A message that went out is no request, unless it is all there is.
    void messagesThatWentOutAreNotComparedWithRequests()
    {
        storeRequests();
        sql::Target requests;
        sql::Target outbox;
        bind(QByteArray(kRequests).replace("%1", ""), &requests);
        bind(QByteArray(kRequests).replace("%1", "").replace("\"kind\": \"request\"", "\"kind\": \"outbox\""), &outbox);
        const auto names = [](const sql::Result<CaseFile> &file) {
            QStringList list;
            for (const CaseRequest &request : file ? file->requests : QList<CaseRequest>()) {
                list += request.refused ? u"refused"_s : request.name;
            }
            return list;
        };
        const auto both = readCase(*m_session, { { outbox, {}, u"b"_s, {} }, { requests, {}, u"a"_s, {} } }, {});
        QCOMPARE(names(both), (QStringList { u"a"_s, u"refused"_s, u"refused"_s }));
        QCOMPARE(both->differences.size(), 2);
        QCOMPARE(names(readCase(*m_session, { { outbox, {}, u"b"_s, {} } }, {})), QStringList { u"b"_s });
    }

    /// Without the stored request there is nothing to compare a refused one with.
    void refusedRequestsAreComparedWithTheirOwn()
    {
        storeRequests();
        QVERIFY(
            m_fixture->root()
                .run(
                    u"SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict('t1', 'none', 'h1', 'h9', '{\"amount\": 1}'); RESET ROLE"_s)
                .ok());
        const CaseFile file = caseOfRequests({ u"b"_s, u"none"_s });
        QCOMPARE(file.requests.size(), 2);
        QVERIFY(file.differences.isEmpty());
        QVERIFY2(file.notCompared.join(u' ').contains(u"no stored request"_s), qPrintable(file.notCompared.join(u' ')));
    }

    void aRecipeThatMadeAnotherFingerprintIsNotTrusted()
    {
        storeRequests();
        QVERIFY(m_fixture->root().run(u"UPDATE app.sent SET method = 'PUT' WHERE key = 'a'"_s).ok());
        const CaseFile file = caseOfRequests({ u"a"_s, u"b"_s });
        QVERIFY(!file.requests.at(0).recipe && file.requests.at(1).recipe);
        QVERIFY2(file.differences.at(0).sentence.contains(u"a service that hashes them, too"_s),
            qPrintable(file.differences.at(0).sentence));
    }

    /// Two rows of one key are told apart, and a record that names neither table nor scope is compared with neither.
    void requestsOfOneKeyInTwoScopes()
    {
        storeRequests();
        QVERIFY(
            m_fixture->root()
                .run(
                    u"INSERT INTO app.sent (id, tenant, key, body) VALUES (6, 't2', 'b', '{}'); SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict('', 'b', 'h1', 'h9', '{\"amount\": 1}'); RESET ROLE"_s)
                .ok());
        const CaseFile file = caseOfRequests({ u"b"_s });
        QCOMPARE(file.requests.size(), 3);
        QVERIFY2(file.requests.at(0).name != file.requests.at(1).name && file.requests.at(1).name.contains(u"t2"_s),
            qPrintable(file.requests.at(1).name));
        QCOMPARE(file.differences.size(), 1);
        QVERIFY2(
            file.notCompared.join(u' ').contains(u"several stored ones"_s), qPrintable(file.notCompared.join(u' ')));
        // One that names a table which stores none is of no other.
        QVERIFY(
            m_fixture->root()
                .run(u"SET ROLE idemdesk_owner; DELETE FROM idemdesk.conflict WHERE key = 'b'; SELECT "
                     u"idemdesk.record_conflict('t1', 'k', 'h1', 'h9', '{\"amount\": 1}', NULL, 'loose'); RESET ROLE; "
                     "UPDATE app.sent SET key = 'k' WHERE key = 'b'"_s)
                .ok());
        sql::Target requests;
        bind(QByteArray(kRequests).replace("%1", ""), &requests);
        const auto both = readCase(*m_session, { { m_target, {}, u"k"_s, {} }, { requests, {}, u"k"_s, {} } }, {});
        QVERIFY2(
            both->notCompared.join(u' ').contains(u"no stored request"_s), qPrintable(both->notCompared.join(u' ')));
    }

    void whatIsNotComparedIsSaid_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QByteArray>("masking");
        QTest::addColumn<QString>("says");
        QTest::newRow("only its beginning was recorded")
            << u"idemdesk.record_conflict('t1', 'b', 'h1', 'h9', repeat('x', 70000))"_s << QByteArray()
            << u"only the beginning"_s;
        QTest::newRow("masked") << u"1"_s << QByteArray(", \"masking\": [\"request_payload\"]") << u"masks requests"_s;
        QTest::newRow("too many pairs")
            << u"idemdesk.record_conflict('t1', 'b', 'h1', 'h' || i, '{\"n\": ' || i || '}') FROM generate_series(1, 13) i"_s
            << QByteArray() << u"3 more pair"_s;
    }
    void whatIsNotComparedIsSaid()
    {
        QFETCH(QString, sql);
        QFETCH(QByteArray, masking);
        QFETCH(QString, says);
        storeRequests();
        QVERIFY(m_fixture->root().run(u"SET ROLE idemdesk_owner; SELECT %1; RESET ROLE"_s.arg(sql)).ok());
        const CaseFile file = caseOfRequests({ u"b"_s }, masking);
        QVERIFY2(file.notCompared.join(u' ').contains(says), qPrintable(file.notCompared.join(u' ')));
        QVERIFY(QString::fromUtf8(caseJson(file)).contains(says) && caseHtml(file, {}).contains(says));
    }

    /// What came out of a jsonb says nothing of the form in which it was sent.
    void formIsNotJudgedOutOfJsonb()
    {
        CaseFile file;
        CaseRow row;
        row.target = m_target;
        row.target.roleTypes[sql::Role::RequestPayload].typeName = u"jsonb"_s;
        row.key = u"k"_s;
        row.request = sql::PayloadRow { u"k"_s, {}, QByteArray("{\"a\": 1}") };
        file.rows = { row };
        sql::ConflictRecord conflict;
        conflict.key = u"k"_s;
        conflict.incomingPayload = u"{\"a\":1}"_s;
        file.conflicts = { conflict };
        compareRequests(&file);
        QCOMPARE(file.differences.size(), 1);
        QVERIFY2(file.differences.constFirst().sentence.contains(u"jsonb column does not keep the form"_s),
            qPrintable(file.differences.constFirst().sentence));
        // A field that a rule leaves out may be what was hashed.
        const auto a = JsonSource::read("{\"at\": 1, \"n\": 2}");
        const auto b = JsonSource::read("{\"n\":2,\"at\":5}");
        QVERIFY(whyHashesDiffer(*a, *b, diffJson(*a, *b, { { u"at"_s } }), std::nullopt, true)
                    .contains(u"Only fields that your rules ignore differ"_s));
    }

    void maskingHoldsForRequests_data()
    {
        QTest::addColumn<QByteArray>("masking");
        QTest::addColumn<int>("requests");
        QTest::addColumn<QString>("hidden");
        QTest::newRow("fingerprint") << QByteArray(R"(["hash"])") << 3 << u"fingerprint"_s;
        QTest::newRow("a column that the recipe reads") << QByteArray(R"(["method"])") << 3 << u"method"_s;
        QTest::newRow("request") << QByteArray(R"(["request_payload"])") << 0 << u"all"_s;
    }
    void maskingHoldsForRequests()
    {
        QFETCH(QByteArray, masking);
        QFETCH(int, requests);
        QFETCH(QString, hidden);
        storeRequests();
        const CaseFile file = caseOfRequests({ u"a"_s }, ", \"masking\": " + masking);
        QCOMPARE(file.requests.size(), requests);
        QCOMPARE(file.rows.size(), 1);
        for (const CaseRequest &request : file.requests) {
            QVERIFY(hidden != u"fingerprint" || request.fingerprint.isEmpty());
            QVERIFY(!request.recipe
                && !request.parts.values.contains(u"method"_s) == (hidden == u"method" || request.name != u"a"));
        }
    }

    /// A request of two million bytes is not read with the case, but whole where it is asked for.
    void aLargeRequestIsReadWhenItIsAskedFor()
    {
        storeRequests();
        const CaseFile file = caseOfRequests({ u"large"_s });
        QVERIFY(file.requests.size() == 1 && hasLargeRequest(file.requests)
            && file.requests.constFirst().payload.isEmpty());
        QVERIFY2(file.notCompared.join(u' ').contains(u"too large"_s), qPrintable(file.notCompared.join(u' ')));
        const auto requests = readRequests(*m_session, file);
        QVERIFY2(requests.ok(), requests.ok() ? "" : qPrintable(requests.error().line()));
        QCOMPARE(requests->size(), 1);
        QCOMPARE(requests->constFirst().payload.size(), 2'000'009);
        QVERIFY(requests->constFirst().recipe.has_value());
        // Beside a large one the others are compared all the same.
        const CaseFile others = caseOfRequests({ u"large"_s, u"a"_s, u"b"_s });
        QVERIFY(std::any_of(others.differences.begin(), others.differences.end(),
            [](const RequestDifference &one) { return one.first == u"a" && one.second == u"b"; }));
        QVERIFY(m_fixture->root().run(u"DELETE FROM app.sent WHERE key = 'large'"_s).ok());
        QCOMPARE(readRequests(*m_session, file).error().kind, sql::ErrorKind::MissingObject);
    }

    /// Who said it stands in the key's story and in its case file, and the line as it was; not where values are masked.
    void theWordOfAProviderIsQuoted()
    {
        QVERIFY(m_fixture->root()
                    .run(u"GRANT USAGE ON SCHEMA app TO adm; GRANT SELECT ON app.k, app.eff TO adm, op, op2"_s)
                    .ok());
        const QByteArray provider
            = R"("provider": {"reference": "t.key", "status": "t.status", "at": "t.updated_at", "states": {"x": "sent"}})";
        const RegisteredTable table = registerTable(*m_fixture, '{' + provider + '}');
        const auto told = m_fixture->as(u"op2"_s)->run(
            u"SELECT idemdesk.record_provider_words($1, 1, 'k2', 'acme', 's.csv', $2, 'the reason', $3)"_s,
            { ConsoleFixture::newId(), QString(64, u'a'),
                uR"([{"identity": ["t1", "k001"], "reference": "r", "says": "happened", "line": 2, "text": "r;the line"}])"_s });
        QVERIFY2(told.ok(), qPrintable(told.value()));
        const auto file = readCase(*m_session, { { table.target, u"k2"_s, u"k001"_s, {} } }, {});
        QVERIFY2(file.ok(), file ? "" : qPrintable(file.error().line()));
        for (const QString &text : { QString::fromUtf8(caseJson(*file)), caseHtml(*file, {}) }) {
            QVERIFY2(text.contains(u"Recorded by op2."_s) && text.contains(u"r;the line"_s), qPrintable(text));
        }
        sql::Target masking = table.target;
        masking.profile.masking = { u"result"_s };
        const auto masked = readCase(*m_session, { { masking, u"k2"_s, u"k001"_s, {} } }, {});
        for (const QString &text : { QString::fromUtf8(caseJson(*masked)), caseHtml(*masked, {}) }) {
            QVERIFY2(text.contains(u"Recorded by op2."_s) && !text.contains(u"r;the line"_s), qPrintable(text));
        }
        sql::ConnectionSettings settings;
        settings.conninfo = m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database());
        sql::Database database(settings);
        database.open();
        KeyDetailController detail;
        detail.setDatabase(&database);
        detail.setTarget(table.target);
        detail.show(file->rows.constFirst().detail.record);
        const auto said = [&detail] {
            const QList<StoryEvent> events = detail.story()->events();
            return std::any_of(events.cbegin(), events.cend(), [](const StoryEvent &event) {
                return event.detail.contains(u"Recorded by op2."_s) && event.detail.contains(u"the reason"_s);
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(said(), 20'000);
    }
};

QTEST_GUILESS_MAIN(CaseReaderTest)
#include "tst_case_reader.moc"
