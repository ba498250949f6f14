// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/duplicates/duplicate_gateway.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;

namespace {

const char *const kTables = R"sql(
    CREATE TABLE public.intent (tenant text NOT NULL, key text NOT NULL, status text NOT NULL DEFAULT 'done', hash text, result text,
        order_no text, body jsonb, response jsonb, created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (tenant, key));
    CREATE TABLE public.charge (charge_no text NOT NULL, tenant text NOT NULL, key text NOT NULL, at timestamptz NOT NULL DEFAULT now());
)sql";

const char *const kProfile = R"json({
    "idemdesk_profile": 1, "name": "intent", "kind": "request", "relation": "public.intent", "identity": ["tenant", "key"],
    "scope": [ { "label": "tenant", "sql": "t.tenant" } ], "key": "t.key",
    "roles": { "fingerprint": "t.hash", "status": "t.status", "created_at": "t.created_at", "result_id": "t.result", "request_payload": "t.body",
               "response_body": "t.response" },
    "states": { "done": "succeeded", "busy": "in_progress" }, "stale": null, "guard": ["status"], "actions": {}, "orders": [],
    "business_reference": "t.order_no", "diff_ignore": ["/sent_at", "/meta/trace", "/items/0/line"],
    "effects": [ { "type": "charge", "proves": true, "sql": "SELECT c.charge_no AS id, c.at AS at, 'made' AS state FROM public.charge c WHERE c.tenant = t.tenant AND c.key = t.key" } ],
    "policies": [ { "match": {}, "effect": "local" } ]
})json";

} // namespace

class DuplicatesTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<idemdesk::tests::TestCluster>();
        m_cluster->psql(u"postgres"_s, QString::fromLatin1(kTables));
        ConnectionSettings settings;
        settings.conninfo = m_cluster->conninfo();
        auto session = Session::open(settings, {});
        QVERIFY2(session.ok(), session.ok() ? "" : qPrintable(session.error().line()));
        m_session = std::move(*session);
        m_target = bind({}, {});
    }

    void init() { sql(u"TRUNCATE public.intent, public.charge"_s); }
    void cleanupTestCase() { m_session.reset(); }

    void eachReasonIsFoundAndItsNearMissIsNot_data()
    {
        QTest::addColumn<QString>("rows"); // tenant, key, status, hash, result, order_no, body, age
        QTest::addColumn<QString>("charges");
        QTest::addColumn<QString>("found");
        const auto row = [](const char *name, const char *rows, const char *charges, const char *found) {
            QTest::newRow(name) << QString::fromUtf8(rows) << QString::fromUtf8(charges) << QString::fromUtf8(found);
        };
        row("same result", "('a','k1','done','h1','r',NULL,NULL,'1h'), ('a','k2','done','h2','r',NULL,NULL,'2h')", "",
            "same_result r: k1,k2");
        row("another result", "('a','k1','done','h1','r',NULL,NULL,'1h'), ('a','k2','done','h2','r2',NULL,NULL,'2h')",
            "", "");
        row("same result in another scope",
            "('a','k1','done','h1','r',NULL,NULL,'1h'), ('b','k2','done','h2','r',NULL,NULL,'2h')", "", "");
        row("same fingerprint", "('a','k1','done','h',NULL,NULL,NULL,'1h'), ('a','k2','busy','h',NULL,NULL,NULL,'2h')",
            "", "same_fingerprint h: k1,k2");
        row("fingerprint in another case",
            "('a','k1','done','h',NULL,NULL,NULL,'1h'), ('a','k2','done','H',NULL,NULL,NULL,'2h')", "", "");
        row("no fingerprint at all",
            "('a','k1','done',NULL,NULL,NULL,NULL,'1h'), ('a','k2','done',NULL,NULL,NULL,NULL,'2h')", "", "");
        row("same fingerprint, too long ago",
            "('a','k1','done','h',NULL,NULL,NULL,'1h'), ('a','k2','done','h',NULL,NULL,NULL,'9d')", "", "");
        row("same business reference",
            "('a','k1','done','h1',NULL,'o-1',NULL,'1h'), ('a','k2','done','h2',NULL,'o-1',NULL,'2h')", "",
            "same_business_reference o-1: k1,k2");
        row("another business reference",
            "('a','k1','done','h1',NULL,'o-1',NULL,'1h'), ('a','k2','done','h2',NULL,'o-2',NULL,'2h')", "", "");
        row("several effects of one key", "('a','k1','done','h1',NULL,NULL,NULL,'1h')",
            "('c-1','a','k1'), ('c-2','a','k1')", "several_effects k1: k1");
        row("one effect, seen in two rows", "('a','k1','done','h1',NULL,NULL,NULL,'1h')",
            "('c-1','a','k1'), ('c-1','a','k1')", "");
        row("one effect of several keys",
            "('a','k1','done','h1',NULL,NULL,NULL,'1h'), ('a','k2','done','h2',NULL,NULL,NULL,'2h')",
            "('c-1','a','k1'), ('c-1','a','k2')", "same_business_reference c-1: k1,k2");
        row("an effect for each key",
            "('a','k1','done','h1',NULL,NULL,NULL,'1h'), ('a','k2','done','h2',NULL,NULL,NULL,'2h')",
            "('c-1','a','k1'), ('c-2','a','k2')", "");
        row("near payload",
            R"(('a','k1','done','h1',NULL,NULL,'{"n": 5, "sent_at": 1, "meta": {"trace": "x"}}','1h'), ('a','k2','done','h2',NULL,NULL,'{"meta": {"trace": "y"}, "n": 5}','2h'))",
            "", "near_payload k1,k2");
        row("another payload",
            R"(('a','k1','done','h1',NULL,NULL,'{"n": 5, "sent_at": 1}','1h'), ('a','k2','done','h2',NULL,NULL,'{"n": 6, "sent_at": 1}','2h'))",
            "", "");
        row("a field that is not ignored",
            R"(('a','k1','done','h1',NULL,NULL,'{"n": 5, "meta": {"other": 1}}','1h'), ('a','k2','done','h2',NULL,NULL,'{"n": 5, "meta": {}}','2h'))",
            "", "");
        row("the same again after three days",
            R"(('a','k1','done','h1',NULL,NULL,'{"n": 5, "sent_at": 1}','1h'), ('a','k2','done','h2',NULL,NULL,'{"n": 5}','73h'))",
            "", "");
        row("near payload that the fingerprint tells",
            R"(('a','k1','done','h',NULL,NULL,'{"n": 5, "sent_at": 1}','1h'), ('a','k2','done','h',NULL,NULL,'{"n": 5}','2h'))",
            "", "same_fingerprint h: k1,k2");
        row("payloads of other kinds beside",
            R"(('a','k1','done','h1',NULL,NULL,'{"n": 5, "items": [{"line": 1, "q": 2}]}','1h'), ('a','k2','done','h2',NULL,NULL,'{"n": 5, "items": [{"q": 2}]}','2h'),
            ('a','k3','done','h3',NULL,NULL,'{"n": 5, "meta": [1]}','2h'), ('a','k4','done','h4',NULL,NULL,'"text"','2h'), ('a','k5','done','h5',NULL,NULL,'[1]','2h'), ('a','k6','done','h6',NULL,NULL,'7','2h'),
            ('a','k7','done','h7',NULL,NULL,'{"items": {"0": {"line": 1}}}','2h'))",
            "", "near_payload k1,k2");
    }
    void eachReasonIsFoundAndItsNearMissIsNot()
    {
        QFETCH(QString, rows);
        QFETCH(QString, charges);
        QFETCH(QString, found);
        plant(rows, charges);
        const auto answer = findDuplicates(*m_session, m_target, {});
        QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().line() + answer.error().detail));
        QCOMPARE(lines(*answer).join(u"; "_s), found);
        QVERIFY2(answer->notes.join(u' ').contains(u"tried several times"_s)
                && answer->notes.join(u' ').contains(u"No stored response tells customer, amount"_s)
                && answer->notes.size() == 2,
            qPrintable(answer->notes.join(u' ')));
    }

    void groupsAreRanked()
    {
        plant(
            u"('a','n1','done','1',NULL,NULL,'{\"n\": 5, \"sent_at\": 1}','1h'), "
            u"('a','n2','done','2',NULL,NULL,'{\"n\": 5}','1h'),"
            "('a','f1','busy','fff',NULL,NULL,NULL,'1h'), ('a','f2','done','fff',NULL,NULL,NULL,'1h'), "
            "('a','f3','busy','fff',NULL,NULL,NULL,'1h'),"
            "('a','g1','done','ggg',NULL,NULL,NULL,'3h'), ('a','g2','done','ggg',NULL,NULL,NULL,'1h'),"
            "('a','w1','done','www',NULL,NULL,NULL,'99h'), ('a','w2','done','www',NULL,NULL,NULL,'1h'),"
            "('a','b1','done','3',NULL,'o',NULL,'1h'), ('a','b2','done','4',NULL,'o',NULL,'1h'),"
            "('a','r1','done','5','r',NULL,NULL,'1h'), ('a','r2','done','6','r',NULL,NULL,'1h'), ('a','e1','busy','7',NULL,NULL,NULL,'1h')"_s,
            u"('c-1','a','e1'), ('c-2','a','e1'), ('c-3','a','e1')"_s);
        const auto answer = findDuplicates(*m_session, m_target, {});
        QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().line() + answer.error().detail));
        QCOMPARE(lines(*answer),
            (QStringList { u"several_effects e1: e1"_s, u"same_result r: r1,r2"_s,
                u"same_business_reference o: b1,b2"_s, u"same_fingerprint ggg: g1,g2"_s,
                u"same_fingerprint www: w1,w2"_s, u"same_fingerprint fff: f1,f2,f3"_s, u"near_payload n1,n2"_s }));
        const DuplicateGroup &effects = answer->groups.first();
        QCOMPARE(effects.effects, 3);
        QCOMPARE(effects.effectType, u"charge"_s);
        QCOMPARE(effects.keys, 1);
        QCOMPARE(answer->groups.at(3).succeeded, 2);
        QCOMPARE(answer->groups.at(3).last->micros - answer->groups.at(3).first->micros, qint64(7'200'000'000));
        QCOMPARE(answer->groups.last().ignored, (QStringList { u"/sent_at"_s, u"/meta/trace"_s, u"/items/0/line"_s }));
        DuplicateRequest request;
        request.limit = 2;
        QCOMPARE(lines(*findDuplicates(*m_session, m_target, request)), lines(*answer).first(2));
        // Many groups of one reason do not crowd out the others, and what is left out is said.
        request.limit = 6;
        const auto shared = findDuplicates(*m_session, m_target, request);
        QStringList expected = lines(*answer);
        expected.removeAt(5);
        QCOMPARE(lines(*shared), expected);
        QVERIFY2(
            shared->notes.join(u' ').contains(u"more groups than the 6 given"_s), qPrintable(shared->notes.join(u' ')));
        request.limit = 7;
        QCOMPARE(findDuplicates(*m_session, m_target, request)->notes, answer->notes);
    }

    void twoChargesAreASuspicion_data()
    {
        QTest::addColumn<QString>("rows"); // tenant, key, status, response, how long before half past ten of yesterday
        QTest::addColumn<QString>("found");
        const auto row = [](const char *name, const char *rows, const char *found) {
            QTest::newRow(name) << QString::fromUtf8(rows) << QString::fromUtf8(found);
        };
        row("one customer, amount and hour",
            R"(('a','k1','done','{"charge_id": "c-1", "customer": "x", "amount": 10.50, "currency": "EUR"}','0'), ('a','k2','done','{"charge_id": "c-2", "customer": "x", "amount": "10.5", "currency": "EUR"}','20m'))",
            "two_charges x, 10.5 EUR: k1,k2");
        row("around the end of an hour",
            R"(('a','k1','done','{"id": 1, "customer": "x", "total": 5}','25m'), ('a','k2','done','{"id": 2, "customer": "x", "total": 5}','35m'))",
            "two_charges x, 5: k1,k2");
        row("three in both hours are one group",
            R"(('a','k1','done','{"id": 1, "customer": "x", "total": 5}','20m'), ('a','k2','done','{"id": 2, "customer": "x", "total": 5}','25m'), ('a','k3','done','{"id": 3, "customer": "x", "total": 5}','35m'))",
            "two_charges x, 5: k1,k2,k3");
        row("the customer is the scope",
            R"(('a','k1','done','{"id": 1, "total": 5}','0'), ('a','k2','done','{"id": 2, "total": 5}','10m'))",
            "two_charges a, 5: k1,k2");
        row("another amount",
            R"(('a','k1','done','{"id": 1, "customer": "x", "total": 5}','0'), ('a','k2','done','{"id": 2, "customer": "x", "total": 6}','10m'))",
            "");
        row("another currency",
            R"(('a','k1','done','{"id": 1, "total": 5, "currency": "EUR"}','0'), ('a','k2','done','{"id": 2, "total": 5, "currency": "USD"}','10m'))",
            "");
        row("another customer",
            R"(('a','k1','done','{"id": 1, "customer": "x", "total": 5}','0'), ('a','k2','done','{"id": 2, "customer": "y", "total": 5}','10m'))",
            "");
        row("hours later",
            R"(('a','k1','done','{"id": 1, "customer": "x", "total": 5}','0'), ('a','k2','done','{"id": 2, "customer": "x", "total": 5}','3h'))",
            "");
        row("one charge, told twice",
            R"(('a','k1','done','{"id": 1, "customer": "x", "total": 5}','0'), ('a','k2','done','{"id": 1, "customer": "x", "total": 5}','10m'))",
            "");
        row("one that did not succeed",
            R"(('a','k1','done','{"id": 1, "customer": "x", "total": 5}','0'), ('a','k2','busy','{"id": 2, "customer": "x", "total": 5}','10m'))",
            "");
        row("answers of other kinds beside",
            R"(('a','k1','done','[1, {"total": 5}]','0'), ('a','k2','done','"total"','10m'), ('a','k3','done','{"total": {"id": 5}, "id": [2], "customer": null}','10m'), ('a','k4','done',NULL,'10m'))",
            "");
    }
    void twoChargesAreASuspicion()
    {
        QFETCH(QString, rows);
        QFETCH(QString, found);
        sql(u"INSERT INTO public.intent SELECT r.tenant, r.key, r.status, r.key, NULL, NULL, NULL, r.response::jsonb, "
            "date_trunc('day', now(), 'UTC') - interval '13 hours 30 minutes' - r.age::interval FROM (VALUES %1) r "
            "(tenant, key, status, response, age)"_s.arg(rows));
        const auto answer = findDuplicates(*m_session, m_target, {});
        QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().line() + answer.error().detail));
        QCOMPARE(lines(*answer).join(u"; "_s), found);
        QVERIFY2(found.isEmpty() || answer->groups.constFirst().succeeded == answer->groups.constFirst().keys,
            qPrintable(found));
    }

    /// Of a large table the newest part comes first; what is found in the whole takes its place.
    void groupsAreHeardOfAsTheyAreFound()
    {
        sql(u"INSERT INTO public.intent SELECT 'a', 'k' || n, 'done', 'h' || CASE WHEN n % 100000 < 2 THEN 0 ELSE n "
            u"END, "
            "NULL, NULL, NULL, NULL, now() - n * interval '1 second' FROM generate_series(1, 500000) n; "
            "CREATE INDEX intent_made ON public.intent (created_at); ANALYZE public.intent"_s);
        QList<QStringList> heard;
        DuplicateRequest request;
        request.spanSeconds = 501'000;
        request.reasons = { DuplicateReason::SameFingerprint };
        const auto listen = [&heard](const QList<DuplicateGroup> &groups) {
            QStringList told;
            for (const DuplicateGroup &group : groups) {
                told += QString::number(group.keys);
            }
            heard += told;
        };
        const auto answer = findDuplicates(*m_session, bind({}, {}), request, listen);
        sql(u"DROP INDEX public.intent_made"_s);
        const auto places = [&] { return findDuplicates(*m_session, bind({}, {}), request, listen); }();
        QVERIFY2(answer.ok() && places.ok(), answer.ok() ? "" : qPrintable(answer.error().line()));
        QCOMPARE(answer->groups.size(), 1);
        QCOMPARE(answer->groups.constFirst().keys, 10);
        QCOMPARE(answer->groups.constFirst().sample.size(), 10);
        QCOMPARE(places->groups.constFirst().keys, 10);
        // By time the newest sixth of the span: k1, and the two around 100,000. By place the last rows: the oldest
        // ones.
        QCOMPARE(heard.size(), 4);
        QVERIFY2(
            heard.at(0).value(0).toInt() > 1 && heard.at(0).value(0).toInt() < 10, qPrintable(heard.at(0).join(u' ')));
        QCOMPARE(heard.at(1), QStringList { u"10"_s });
        QVERIFY2(
            heard.at(2).value(0).toInt() > 1 && heard.at(2).value(0).toInt() < 10, qPrintable(heard.at(2).join(u' ')));
    }

    /// What millions share is counted, and only its first keys are read.
    void aHashThatManyShareNamesItsFirst()
    {
        sql(u"INSERT INTO public.intent SELECT 'a', 'k' || (100000 - n), 'done', 'h', NULL, NULL, NULL, NULL, now() - "
            "interval '1 day' + n * interval '1 second' FROM generate_series(1, 50000) n"_s);
        DuplicateRequest request;
        request.reasons = { DuplicateReason::SameFingerprint };
        const auto answer = findDuplicates(*m_session, m_target, request);
        QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().line() + answer.error().detail));
        QCOMPARE(answer->groups.size(), 1);
        QCOMPARE(answer->groups.constFirst().keys, 50'000);
        QStringList first;
        for (int n = 10; n >= 1; --n) {
            first += u'k' + QString::number(100'000 - n);
        }
        QCOMPARE(answer->groups.constFirst().sample, first);
        // Most of them at the end: those that were read at first were too few.
        sql(u"UPDATE public.intent SET created_at = now() WHERE key NOT IN ('k99999', 'k99998')"_s);
        const auto late = findDuplicates(*m_session, m_target, request);
        QVERIFY(late.ok());
        QCOMPARE(late->groups.constFirst().sample.size(), 10);
        QVERIFY(late->groups.constFirst().sample.contains(u"k99999"_s));
    }

    /// However many there are: keys that sort last by name and began first are the ones that are named.
    void theFirstKeysAreNamed()
    {
        sql(u"INSERT INTO public.intent (tenant, key, status, hash, created_at) SELECT 'a', 'k' || (1000 - i), 'done', 'h', now() - interval '1 hour' + i * interval '1 second' FROM generate_series(1, 300) i"_s);
        const auto answer = findDuplicates(*m_session, m_target, {});
        QCOMPARE(answer->groups.size(), 1);
        QCOMPARE(answer->groups.first().keys, 300);
        QCOMPARE(answer->groups.first().sample,
            (QStringList { u"k990"_s, u"k991"_s, u"k992"_s, u"k993"_s, u"k994"_s, u"k995"_s, u"k996"_s, u"k997"_s,
                u"k998"_s, u"k999"_s }));
    }

    void scopesAndFilters()
    {
        plant(
            u"('a','k1','done','h',NULL,NULL,NULL,'1h'), ('a','k2','done','h',NULL,NULL,NULL,'1h'), ('b','k1','done','h',NULL,NULL,NULL,'1h'), ('b','k2','done','h',NULL,NULL,NULL,'1h')"_s,
            {});
        const auto apart = findDuplicates(*m_session, m_target, {});
        QCOMPARE(apart->groups.size(), 2);
        QCOMPARE(apart->groups.first().scope.size(), 1);
        DuplicateRequest request;
        request.acrossScopes = true;
        const auto together = findDuplicates(*m_session, m_target, request);
        QCOMPARE(together->groups.size(), 1);
        const DuplicateGroup &group = together->groups.first();
        QCOMPARE(group.keys, 4); // a key counts once for each scope it has
        QVERIFY(group.scope.isEmpty());
        QCOMPARE(group.sample, (QStringList { u"k1"_s, u"k1"_s, u"k2"_s, u"k2"_s }));
        QCOMPARE(group.sampleScopes.at(0), Cells { Cell::of(u"a"_s) });
        QCOMPARE(group.sampleScopes.at(1), Cells { Cell::of(u"b"_s) });
        request.acrossScopes = false;
        FilterTerm term;
        term.field = FilterField::Scope;
        term.label = u"tenant"_s;
        term.values = { u"b"_s };
        request.filter.terms = { term };
        const auto filtered = findDuplicates(*m_session, m_target, request);
        QVERIFY2(filtered.ok(), filtered.ok() ? "" : qPrintable(filtered.error().line() + filtered.error().detail));
        QCOMPARE(filtered->groups.size(), 1);
        QCOMPARE(filtered->groups.first().scope, Cells { Cell::of(u"b"_s) });
    }

    void aTimeWithoutEndIsFarFromAllOthers()
    {
        plant(
            uR"(('a','k1','done','h1',NULL,NULL,'{"n": 5, "sent_at": 1}','1h'), ('a','k2','done','h2',NULL,NULL,'{"n": 5}','2h'), ('a','k3','done','h3',NULL,NULL,'{"n": 5}','1h'),
            ('a','f1','done','f',NULL,NULL,NULL,'1h'), ('a','f2','done','f',NULL,NULL,NULL,'1h'), ('a','g1','done','g',NULL,NULL,NULL,'30h'), ('a','g2','done','g',NULL,NULL,NULL,'9h'))"_s,
            {});
        sql(u"UPDATE public.intent SET created_at = 'infinity' WHERE key IN ('k3', 'f2')"_s);
        const auto answer = findDuplicates(*m_session, m_target, {});
        QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().line() + answer.error().detail));
        QCOMPARE(lines(*answer),
            (QStringList { u"same_fingerprint g: g1,g2"_s, u"same_fingerprint f: f1,f2"_s, u"near_payload k1,k2"_s }));
        QCOMPARE(answer->notes.size(), 2);
    }

    void whatCannotBeSearchedIsSaid_data()
    {
        QTest::addColumn<QByteArray>("old");
        QTest::addColumn<QByteArray>("put");
        QTest::addColumn<QString>("note");
        QTest::newRow("no business reference") << QByteArray("\"business_reference\": \"t.order_no\",") << QByteArray()
                                               << u"names no business_reference: one business matter"_s;
        QTest::newRow("no ignored fields") << QByteArray("\"/sent_at\", \"/meta/trace\", \"/items/0/line\"")
                                           << QByteArray() << u"names no diff_ignore"_s;
        QTest::newRow("a star") << QByteArray("\"/meta/trace\"") << QByteArray("\"/items/*/at\"")
                                << u"“/items/*/at” in diff_ignore"_s;
        QTest::newRow("no proof") << QByteArray("\"proves\": true") << QByteArray("\"proves\": false")
                                  << u"no effect that proves its key"_s;
        QTest::newRow("broken reference") << QByteArray("\"t.order_no\"") << QByteArray("\"t.nothing\"")
                                          << u"at $.business_reference cannot be used"_s;
        QTest::newRow("broken effect") << QByteArray("public.charge c") << QByteArray("public.nothing c")
                                       << u"at $.effects[0].sql cannot be used"_s;
        QTest::newRow("payload as text") << QByteArray("\"t.body\"") << QByteArray("\"t.body::text\"")
                                         << u"stored as text, not as jsonb"_s;
        QTest::newRow("an effect that fails on a row")
            << QByteArray("c.charge_no AS id") << QByteArray("c.charge_no || (1 / (t.key = 'k1')::int)::text AS id")
            << u"is unreadable, because the query of an effect fails"_s;
    }
    void whatCannotBeSearchedIsSaid()
    {
        QFETCH(QByteArray, old);
        QFETCH(QByteArray, put);
        QFETCH(QString, note);
        plant(u"('a','k1','done','h',NULL,NULL,NULL,'1h'), ('a','k2','done','h',NULL,NULL,NULL,'1h')"_s,
            u"('c-1','a','k1'), ('c-2','a','k2')"_s);
        const Target target = bind(old, put);
        const auto answer = findDuplicates(*m_session, target, {});
        QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().line() + answer.error().detail));
        QVERIFY2(answer->notes.join(u'\n').contains(note), qPrintable(answer->notes.join(u'\n')));
        QCOMPARE(lines(*answer), QStringList { u"same_fingerprint h: k1,k2"_s }); // the rest was searched
    }

    void aTableThatIsGoneIsAnError()
    {
        sql(u"ALTER TABLE public.intent RENAME TO away"_s);
        const auto answer = findDuplicates(*m_session, m_target, {});
        sql(u"ALTER TABLE public.away RENAME TO intent"_s);
        QVERIFY(!answer.ok());
        QCOMPARE(answer.error().kind, ErrorKind::MissingObject);
    }

    void aLargeTableWithoutAnIndexIsNamed()
    {
        sql(u"INSERT INTO public.intent SELECT 'a', 'k' || n, 'done', 'h' || n, NULL, NULL, NULL, NULL, now() - n * interval '1 minute' FROM generate_series(1, 60000) n; ANALYZE public.intent"_s);
        DuplicateRequest request;
        request.spanSeconds = 3'600;
        const auto without = findDuplicates(*m_session, bind({}, {}), request);
        const QString note = without->notes.filter(u"end to end"_s).join(u' ');
        QVERIFY2(note.contains(u"60,000 rows"_s)
                && note.contains(u"CREATE INDEX CONCURRENTLY ON \"public\".\"intent\" (\"created_at\")"_s),
            qPrintable(note));
        sql(u"CREATE INDEX ON public.intent (created_at)"_s);
        const auto with = findDuplicates(*m_session, bind({}, {}), request);
        QVERIFY2(!with->notes.join(u' ').contains(u"CREATE INDEX"_s), qPrintable(with->notes.join(u'\n')));
        sql(u"DROP INDEX public.intent_created_at_idx"_s);
    }

    /// One join with an OR would compare each row with each effect.
    void effectsFoundByEitherColumnAreLookedUp()
    {
        sql(u"CREATE INDEX by_no ON public.charge (charge_no); CREATE INDEX by_key ON public.charge (tenant, key); "
            "INSERT INTO public.intent (tenant, key, result) SELECT 'a', 'k' || n, 'c-' || n FROM generate_series(1, "
            "4000) n; "
            "INSERT INTO public.charge (charge_no, tenant, key) SELECT 'c-' || n, 'a', 'k' || n FROM "
            "generate_series(1, 4000) n; INSERT INTO public.charge VALUES ('x', 'a', 'k7'); ANALYZE public.intent, public.charge"_s);
        const auto tidy = qScopeGuard([this] { sql(u"DROP INDEX public.by_no, public.by_key"_s); });
        const Target either = bind("c.tenant = t.tenant AND c.key = t.key",
            "c.tenant = t.tenant AND (c.charge_no = t.result OR c.key = t.key)");
        {
            ConnectionSettings settings;
            settings.conninfo = m_cluster->conninfo();
            const auto session = Session::open(settings, {});
            DuplicateRequest request;
            request.reasons = { DuplicateReason::SeveralEffects };
            const auto answer = findDuplicates(**session, either, request);
            QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().line()));
            QCOMPARE(lines(*answer), QStringList { u"several_effects k7: k7"_s });
        }
        // The server counts what a session did once it is gone.
        const Statement scans { u"SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'by_no'"_s, {} };
        QTRY_VERIFY_WITH_TIMEOUT(m_session->one(scans)->constFirst().text.toInt() >= 4'000, 15'000);
        // Entered at both its columns, an index is two or three blocks for a row; else it is read from end to end.
        const Statement blocks {
            u"SELECT idx_blks_hit + idx_blks_read FROM pg_statio_user_indexes WHERE indexrelname = "
            "'by_key'"_s,
            {}
        };
        const int read = m_session->one(blocks)->constFirst().text.toInt();
        QVERIFY2(read > 0 && read < 8 * 4'000, qPrintable(QString::number(read)));
    }

private:
    void sql(const QString &text) { m_cluster->psql(u"postgres"_s, text); }

    void plant(const QString &rows, const QString &charges)
    {
        sql(u"INSERT INTO public.intent (tenant, key, status, hash, result, order_no, body, created_at) SELECT r.tenant, r.key, r.status, r.hash, r.result, r.order_no, r.body::jsonb, now() - r.age::interval FROM (VALUES %1) r (tenant, key, status, hash, result, order_no, body, age)"_s
                .arg(rows));
        if (!charges.isEmpty()) {
            sql(u"INSERT INTO public.charge (charge_no, tenant, key) VALUES "_s + charges);
        }
    }

    Target bind(const QByteArray &old, const QByteArray &put)
    {
        QByteArray json(kProfile);
        const auto profile = profileFromJson(old.isEmpty() ? json : json.replace(old, put), u"intent.json"_s);
        if (!profile) {
            qFatal("%s", qPrintable(profile.error().line() + profile.error().where));
        }
        const auto target = bindTarget(*m_session, *profile);
        if (!target) {
            qFatal("%s", qPrintable(target.error().line() + target.error().detail));
        }
        return *target;
    }

    /// "same_result r: k1,k2"; of near payloads without their hash.
    static QStringList lines(const DuplicateAnswer &answer)
    {
        QStringList all;
        for (const DuplicateGroup &group : answer.groups) {
            all += duplicateReasonName(group.reason)
                + (group.reason == DuplicateReason::NearPayload ? u" "_s : u" "_s + group.shared + u": "_s)
                + group.sample.join(u',');
        }
        return all;
    }

    std::unique_ptr<idemdesk::tests::TestCluster> m_cluster;
    std::unique_ptr<Session> m_session;
    Target m_target;
};

QTEST_GUILESS_MAIN(DuplicatesTest)
#include "tst_duplicates.moc"
