// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence never guesses: every shipped profile with rows of each kind, on the seeds' own tables.
#include "models/triage/frozen_set.h"
#include "sql/actions/compile.h"
#include "sql/actions/triage_reader.h"
#include "sql/keys/detail_reader.h"
#include "sql/profile/binder.h"
#include "sql/profile/effect_links.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QRegularExpression>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using idemdesk::tests::TestCluster;

class EvidenceTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanupTestCase() { m_session.reset(); }

    void rowsOfEachKind_data();
    void rowsOfEachKind();
    void blankLinksAreNoLinks_data();
    void blankLinksAreNoLinks();
    void everyShippedProfileIsTried();
    void linksAreWhatTheQueryReads_data();
    void linksAreWhatTheQueryReads();
    void checkProvesWithRealRows_data();
    void checkProvesWithRealRows();
    void checkRefusesAQueryThatGivesARowOfAnything();
    void optionalColumnsMayBeNull();
    void wordOfTheProfileStandsInForEvidence();
    void requeueLeavesARunningLease();
    void theTrueReasonIsGiven_data();
    void theTrueReasonIsGiven();

private:
    void run(const QString &sql) { m_cluster->psql(u"seeds"_s, sql); }
    sql::Target bound(sql::Profile profile);
    /// The facts about the row with this key.
    sql::TriageFacts facts(const sql::Target &target, const QString &key);

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<sql::Session> m_session;
};

namespace {

const QString kTenant = u"00000000-0000-0000-0000-00000000000a"_s;
const QString kCase = u"00000000-0000-0000-0000-0000000000c1"_s;
const QString kKey = u"00000000-0000-0000-0000-0000000000f1"_s;

/// The case that the work led to.
const QString kTheCase = u"INSERT INTO seed003.enforcement_case (case_id, tenant_id, source_system, "
                         u"external_complaint_id, status) "
                         "VALUES ('%1', '%2', 'portal', 'C-1', 'OPEN');"_s.arg(kCase, kTenant);

QString request(const QString &key, const QString &operation, const QString &resource)
{
    return u"INSERT INTO seed003.idempotency_request (tenant_id, operation_name, idempotency_key, "
           u"request_hash, status, resource_id, locked_until, created_at) "
           "VALUES ('%1', '%3', '%2', 'h', 'IN_PROGRESS', %4, now() - interval '1 hour', now() - interval '2 hours');"_s
               .arg(kTenant, key, operation, resource);
}

QString command(const QString &type, const QString &caseId)
{
    return u"INSERT INTO seed003.case_command (tenant_id, command_id, command_type, request_hash, case_id, "
           u"status, created_at) "
           "VALUES ('%1', '%2', '%3', 'h', %4, 'IN_PROGRESS', now() - interval '2 hours');"_s.arg(
               kTenant, kKey, type, caseId);
}

const QString kTransition
    = u"INSERT INTO seed003.case_transition_command (tenant_id, command_id, case_id, from_status, to_status, "
      u"requested_by, "
      "request_hash, result_status, created_at) VALUES ('%1', '%2', '%3', 'OPEN', 'UNDER_REVIEW', '%1', 'h', "
      "'IN_PROGRESS', now() - interval '2 hours');"_s.arg(kTenant, kKey, kCase);

QString inbox(const QString &aggregate)
{
    return u"INSERT INTO seed003.inbox_message (inbox_id, source_system, message_id, message_type, "
           u"aggregate_id, payload, received_at, status) "
           "VALUES ('%1', 'portal', 'm-1', 'ComplaintFiled', %2, '{}', now() - interval '2 hours', 'PROCESSING');"_s
               .arg(kKey, aggregate);
}

QString order(const QString &scope)
{
    return u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
           u"locked_until, created_at, expires_at) "
           "VALUES ('%1', 'o-1', 'h', 'processing', now() - interval '1 hour', now() - interval '2 hours', now() + interval '1 day');"_s
               .arg(scope);
}

const QString kTheOrder
    = u"INSERT INTO app.customer_order (order_id, customer_id, external_cart_id, total_amount) VALUES ('%1', "
      u"'%2', 'cart', 1);"
      "INSERT INTO app.outbox_event (event_type, aggregate_type, aggregate_id, idempotency_scope, "
      "idempotency_key, payload) "
      "VALUES ('OrderCreated', 'customer_order', '%1', 'create_order', 'o-1', '{}');"_s.arg(kCase, kTenant);

QString started(const QString &table, const QString &body)
{
    return u"INSERT INTO seed002.%1 (idempotency_key, status, user_id, response_body, locked_at, created_at, "
           u"updated_at) "
           "VALUES ('c-1', 'started', '%2', %3, now() - interval '1 hour', '2026-11-01 12:00Z', now());"_s.arg(
               table, kTenant, body);
}

const QString kTheCharge
    = u"INSERT INTO seed002.charges (id, user_id, amount) VALUES ('ch-1', '%1', 5);"_s.arg(kTenant);

struct Kind {
    const char *name;
    const char *profile;
    QString key;
    QString rows; ///< SQL that makes them
    TriageClass cls;
};

QList<Kind> kinds()
{
    QList<Kind> all;
    const auto add
        = [&all](const char *name, const char *profile, const QString &key, const QString &rows, TriageClass cls) {
              all.append({ name, profile, key, rows, cls });
          };
    using enum TriageClass;
    const QString quoted = u'\'' + kCase + u'\'';
    add("done, and the row does not name it yet", "command-request", u"k-1"_s,
        kTheCase + request(u"k-1"_s, u"CreateCase"_s, u"NULL"_s), NeedsReview);
    add("nothing done, and the row names nothing", "command-request", u"k-1"_s,
        request(u"k-1"_s, u"CreateCase"_s, u"NULL"_s), NeedsReview);
    add("done, and the key is the business key", "command-request", u"portal:C-1"_s,
        kTheCase + request(u"portal:C-1"_s, u"CreateCase"_s, u"NULL"_s), EffectHappened);
    add("another's complaint", "command-request", u"portal:C-2"_s,
        kTheCase + request(u"portal:C-2"_s, u"CreateCase"_s, u"NULL"_s), NeedsReview);
    add("another operation of that name", "command-request", u"portal:C-1"_s,
        kTheCase + request(u"portal:C-1"_s, u"CloseCase"_s, u"NULL"_s), NeedsReview);
    add("done and named", "command-request", u"k-1"_s, kTheCase + request(u"k-1"_s, u"CreateCase"_s, quoted),
        EffectHappened);
    // That a query finds nothing says something once it found what is there.
    const QString shown = kTheCase + request(u"portal:C-1"_s, u"CreateCase"_s, quoted)
        + u"UPDATE seed003.idempotency_request SET status = 'COMPLETED';"_s;
    add("named and not there", "command-request", u"k-1"_s,
        shown + request(u"k-1"_s, u"CreateCase"_s, u'\'' + kKey + u'\''), SafeToRetry);
    add("named and not there, and none ever was", "command-request", u"k-1"_s,
        request(u"k-1"_s, u"CreateCase"_s, quoted), NeedsReview);
    add("named and not there, outside", "command-request", u"k-1"_s, request(u"k-1"_s, u"CallCourt"_s, quoted),
        NeedsReview);

    add("done, and the row does not name it yet", "case-command", kKey, kTheCase + command(u"CreateCase"_s, u"NULL"_s),
        NeedsReview);
    add("nothing done", "case-command", kKey, command(u"CreateCase"_s, u"NULL"_s), NeedsReview);
    add("a case older than the command", "case-command", kKey, kTheCase + command(u"AssignCase"_s, quoted),
        NeedsReview);
    add("named and not there", "case-command", kKey, command(u"CreateCase"_s, quoted), NeedsReview);

    add("the case has moved on since", "case-transition", kKey,
        kTheCase + u"UPDATE seed003.enforcement_case SET status = 'CLOSED';"_s + kTransition, NeedsReview);
    add("the case is there", "case-transition", kKey,
        kTheCase + u"UPDATE seed003.enforcement_case SET status = 'UNDER_REVIEW';"_s + kTransition, NeedsReview);
    add("no case", "case-transition", kKey, kTransition, NeedsReview);

    add("names no case", "command-inbox", u"m-1"_s, inbox(u"NULL"_s), NeedsReview);
    add("the case is there", "command-inbox", u"m-1"_s, kTheCase + inbox(quoted), NeedsReview);
    add("no case", "command-inbox", u"m-1"_s, inbox(quoted), NeedsReview);

    add("done before the mark", "plpgsql-request", u"o-1"_s, kTheOrder + order(u"create_order"_s), EffectHappened);
    add("nothing done", "plpgsql-request", u"o-2"_s,
        kTheOrder + order(u"create_order"_s)
            + u"UPDATE app.idempotency_request SET status = 'succeeded', result_ref_id = gen_random_uuid();"_s
            + order(u"create_order"_s).replace(u"'o-1'"_s, u"'o-2'"_s),
        SafeToRetry);
    add("nothing done, and nothing ever was", "plpgsql-request", u"o-1"_s, order(u"create_order"_s), NeedsReview);
    add("another scope's order", "plpgsql-request", u"o-1"_s, kTheOrder + order(u"pay"_s), NeedsReview);

    add("charged, not answered", "started-key", u"c-1"_s, kTheCharge + started(u"idempotency_keys"_s, u"NULL"_s),
        NeedsReview);
    add("charged and answered", "started-key", u"c-1"_s,
        kTheCharge + started(u"idempotency_keys"_s, u"'{\"transactionId\": \"ch-1\"}'"_s), NeedsReview);
    add("charged, not answered", "started-key-partitioned", u"c-1"_s,
        kTheCharge + started(u"idempotency_keys_partitioned"_s, u"NULL"_s), NeedsReview);

    add("no evidence declared", "pending-key", u"p-1"_s,
        u"INSERT INTO seed000.idempotency_keys (tenant_id, idempotency_key, status, created_at, expires_at) "
        "VALUES ('%1', 'p-1', 'pending', now() - interval '1 hour', now() + interval '1 day')"_s.arg(kTenant),
        NeedsReview);
    add("no evidence declared", "pending-key-heartbeat", u"p-1"_s,
        u"INSERT INTO seed000.idempotency_keys_heartbeat (tenant_id, idempotency_key, status, created_at, "
        u"expires_at) "
        "VALUES ('%1', 'p-1', 'pending', now() - interval '1 hour', now() + interval '1 day')"_s.arg(kTenant),
        NeedsReview);
    add("no evidence declared", "work-item", kKey,
        u"INSERT INTO seed003.work_item (work_item_id, status, lease_until) VALUES ('%1', 'PROCESSING', now() - interval '1 hour')"_s
            .arg(kKey),
        NeedsReview);
    add("waits", "import-row", u"1"_s,
        u"INSERT INTO seed003.import_job (import_job_id, tenant_id, source_name, status) VALUES ('%1', '%2', "
        u"'s', 'x');"
        "INSERT INTO seed003.import_row_result (import_job_id, row_number, source_row_hash, status) VALUES ('%1', 1, 'h', 'PENDING')"_s
            .arg(kKey, kTenant),
        NeedsReview);
    add("waits", "plpgsql-outbox", u"k"_s,
        u"INSERT INTO app.outbox_event (outbox_id, event_type, aggregate_type, aggregate_id, "
        u"idempotency_scope, idempotency_key, payload, created_at) "
        "VALUES ('%1', 'e', 'customer_order', '%1', 's', 'k', '{}', now() - interval '1 hour')"_s.arg(kKey),
        NeedsReview);
    add("done", "plpgsql-message", u"m-1"_s,
        u"INSERT INTO app.processed_message (consumer_name, message_id, message_hash) VALUES ('c', 'm-1', 'h')"_s,
        NeedsReview);
    add("done", "command-message", u"m-1"_s,
        u"INSERT INTO seed003.processed_message (consumer_name, message_id, message_source, result_status) VALUES ('c', 'm-1', 's', 'APPLIED')"_s,
        NeedsReview);
    add("nothing says", "command-outbox", kKey,
        u"INSERT INTO seed003.outbox_event (event_id, aggregate_type, aggregate_id, event_type, "
        u"aggregate_version, payload) "
        "VALUES ('%1', 'a', '%1', 'e', 1, '{}')"_s.arg(kKey),
        NeedsReview);
    return all;
}

} // namespace

void EvidenceTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_cluster = std::make_unique<TestCluster>();
    m_cluster->createDatabase(u"seeds"_s, u"TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"_s);
    for (const int seed : { 0, 1, 2, 3 }) {
        m_cluster->psqlFile(u"seeds"_s, u"sql/demo/schema_00%1.sql"_s.arg(seed));
    }
    m_cluster->psql(u"seeds"_s, u"SELECT seed002.ensure_daily_partitions('2026-11-01', '2026-11-03')"_s);
    sql::ConnectionSettings settings;
    settings.conninfo = m_cluster->conninfo(u"seeds"_s);
    auto session = sql::Session::open(settings, {});
    QVERIFY(session.ok());
    m_session = std::move(*session);
}

void EvidenceTest::init()
{
    run(u"TRUNCATE app.idempotency_request, app.customer_order, app.outbox_event, app.processed_message, "
        u"seed000.idempotency_keys, "
        "seed000.idempotency_keys_heartbeat, seed002.idempotency_keys, seed002.idempotency_keys_partitioned, "
        "seed002.charges, "
        "seed003.idempotency_request, seed003.processed_message, seed003.inbox_message, "
        "seed003.outbox_event, seed003.case_command, "
        "seed003.case_transition_command, seed003.work_item, seed003.import_job, seed003.import_row_result, seed003.enforcement_case CASCADE"_s);
}

sql::Target EvidenceTest::bound(sql::Profile profile)
{
    auto target = sql::bindTarget(*m_session, profile);
    if (!target) {
        qFatal("%s", qPrintable(target.error().line()));
    }
    return *target;
}

sql::TriageFacts EvidenceTest::facts(const sql::Target &target, const QString &key)
{
    const auto found = sql::rowsWithKey(*m_session, target, key, {});
    if (!found || found->size() != 1) {
        qFatal("%s rows have the key", qPrintable(QString::number(found ? found->size() : -1)));
    }
    const auto page = sql::readTriageOf(*m_session, target, { found->constFirst().identity });
    if (!page || page->rows.size() != 1) {
        qFatal("%s", page ? "no facts" : qPrintable(page.error().line()));
    }
    return page->rows.constFirst();
}

void EvidenceTest::rowsOfEachKind_data()
{
    QTest::addColumn<QString>("profile");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("rows");
    QTest::addColumn<TriageClass>("cls");
    for (const Kind &kind : kinds()) {
        QTest::addRow("%s: %s", kind.profile, kind.name)
            << QString::fromLatin1(kind.profile) << kind.key << kind.rows << kind.cls;
    }
}

void EvidenceTest::rowsOfEachKind()
{
    QFETCH(QString, profile);
    QFETCH(QString, key);
    QFETCH(QString, rows);
    QFETCH(TriageClass, cls);
    run(rows);
    const sql::Target target = bound(*sql::shippedProfile(profile));
    const auto compiled = sql::compileTarget(*m_session, target);
    QVERIFY(compiled.ok());
    const sql::TriageFacts row = facts(target, key);
    const TriageJudgement judgement = judgeTriage(target, row, *compiled);
    QVERIFY2(judgement.cls == cls, qPrintable(triageClassName(judgement.cls) + u": "_s + judgement.reasons.join(u' ')));
    QCOMPARE(judgement.bulk, cls == TriageClass::EffectHappened || cls == TriageClass::SafeToRetry);
    // The story says the same: what cannot be known is never "not found".
    const auto detail = sql::readDetail(*m_session, target, row.record.identity, 1024);
    QVERIFY(detail.ok());
    QCOMPARE(detail->effects.size(), row.effects.size());
    for (qsizetype i = 0; i < row.effects.size(); ++i) {
        QCOMPARE(detail->effects.at(i).error, row.effects.at(i).error);
        QCOMPARE(detail->effects.at(i).rows.size(), row.effects.at(i).rows.size());
        QCOMPARE(row.effects.at(i).unlinked, !row.effects.at(i).error.isEmpty());
    }
}

void EvidenceTest::blankLinksAreNoLinks_data()
{
    QTest::addColumn<QString>("profile");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("rows");
    QTest::addColumn<QString>("missing"); // empty: the row has all that the query looks by
    const QString ordered = kTheOrder + order(u"create_order"_s);
    const auto renamed = [&ordered](const QString &key, const QString &scope) {
        return ordered
            + u"UPDATE app.idempotency_request SET idempotency_key = '%1', idempotency_scope = '%2';"_s.arg(key, scope);
    };
    QTest::newRow("a key of blanks") << u"plpgsql-request"_s << u"  "_s << renamed(u"  "_s, u"create_order"_s)
                                     << u"idempotency_key"_s;
    QTest::newRow("a key of a tab and a line end")
        << u"plpgsql-request"_s << u"\t\n"_s << renamed(u"\t\n"_s, u"create_order"_s) << u"idempotency_key"_s;
    QTest::newRow("a scope of blanks") << u"plpgsql-request"_s << u"o-2"_s << renamed(u"o-2"_s, u" "_s)
                                       << u"idempotency_scope"_s;
    QTest::newRow("a key that is there") << u"plpgsql-request"_s << u"o-2"_s << renamed(u"o-2"_s, u"create_order"_s)
                                         << QString();
    const QString asked = request(u"k-1"_s, u"CreateCase"_s, u'\'' + kCase + u'\'');
    const auto keyed = [&asked](const QString &key) {
        return kTheCase + asked
            + u"UPDATE seed003.idempotency_request SET resource_id = gen_random_uuid(), idempotency_key = '%1';"_s.arg(
                key);
    };
    QTest::newRow("no source in the key")
        << u"command-request"_s << u":C-9"_s << keyed(u":C-9"_s) << u"split_part(idempotency_key, ':', 1)"_s;
    QTest::newRow("no number in the key")
        << u"command-request"_s << u"portal:"_s << keyed(u"portal:"_s) << u"substr(idempotency_key"_s;
    QTest::newRow("blanks for a number") << u"command-request"_s << u"portal:  "_s << keyed(u"portal:  "_s)
                                         << u"substr(idempotency_key"_s;
    QTest::newRow("both in the key") << u"command-request"_s << u"portal:C-9"_s << keyed(u"portal:C-9"_s) << QString();
    for (const auto &[profile, table] : { std::pair { u"started-key"_s, u"idempotency_keys"_s },
             std::pair { u"started-key-partitioned"_s, u"idempotency_keys_partitioned"_s } }) {
        for (const QString &body : { u"{\"transactionId\": \"\"}"_s, u"{\"transactionId\": \" \\t\"}"_s,
                 u"{\"transactionId\": null}"_s, u"{}"_s, u"null"_s }) {
            QTest::addRow("%s: %s", qPrintable(profile), qPrintable(body))
                << profile << u"c-1"_s << kTheCharge + started(table, u'\'' + body + u'\'') << u"response_body"_s;
        }
        QTest::addRow("%s: named", qPrintable(profile))
            << profile << u"c-1"_s << kTheCharge + started(table, u"'{\"transactionId\": \"ch-9\"}'"_s) << QString();
    }
    const QString moved = kTheCase + kTransition;
    QTest::newRow("a state of blanks") << u"case-transition"_s << kKey
                                       << moved + u"UPDATE seed003.case_transition_command SET to_status = ' ';"_s
                                       << u"to_status"_s;
    QTest::newRow("a state") << u"case-transition"_s << kKey << moved << QString();
    const QString event
        = u"INSERT INTO app.outbox_event (outbox_id, event_type, aggregate_type, aggregate_id, idempotency_scope, "
          "idempotency_key, payload, created_at) VALUES ('%1', 'e', '%2', '%1', 's', 'k', '{}', now() - interval '1 hour')"_s;
    QTest::newRow("a type of blanks") << u"plpgsql-outbox"_s << u"k"_s << event.arg(kKey, u" "_s)
                                      << u"aggregate_type"_s;
    QTest::newRow("a type") << u"plpgsql-outbox"_s << u"k"_s << event.arg(kKey, u"customer_order"_s) << QString();
}

/// A link of blanks finds nothing, whatever happened: that is never "no effect".
void EvidenceTest::blankLinksAreNoLinks()
{
    QFETCH(QString, profile);
    QFETCH(QString, key);
    QFETCH(QString, rows);
    QFETCH(QString, missing);
    run(rows);
    const sql::Target target = bound(*sql::shippedProfile(profile));
    const auto compiled = sql::compileTarget(*m_session, target);
    QVERIFY(compiled.ok());
    const sql::TriageFacts row = facts(target, key);
    const sql::EffectResult &effect = row.effects.constFirst();
    QVERIFY2(effect.rows.isEmpty() && effect.unlinked == !missing.isEmpty() && effect.error.contains(missing),
        qPrintable(effect.error));
    const TriageJudgement judgement = judgeTriage(target, row, *compiled);
    QVERIFY2(missing.isEmpty() || (judgement.cls == TriageClass::NeedsReview && !judgement.bulk),
        qPrintable(triageClassName(judgement.cls)));
    const auto detail = sql::readDetail(*m_session, target, row.record.identity, 1024);
    QVERIFY(detail.ok());
    QCOMPARE(detail->effects.constFirst().error, effect.error);
    // The server's own look, before it changes the row, is no other.
    QVERIFY(missing.isEmpty() || QString::fromUtf8(compiled->json).contains(u"btrim"_s));
}

void EvidenceTest::everyShippedProfileIsTried()
{
    const QList<Kind> all = kinds();
    for (const sql::Profile &profile : sql::shippedProfiles()) {
        QVERIFY2(std::any_of(all.cbegin(), all.cend(),
                     [&profile](const Kind &kind) { return profile.name == QLatin1StringView(kind.profile); }),
            qPrintable(profile.name));
    }
}

void EvidenceTest::linksAreWhatTheQueryReads_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<QStringList>("optional");
    QTest::addColumn<QStringList>("links");
    const auto row = [](const char *name, const char *query, const QStringList &optional, const QStringList &links) {
        QTest::newRow(name) << QString::fromUtf8(query) << optional << links;
    };
    row("plain", "SELECT 1 FROM x WHERE x.a = t.resource_id", {}, { u"resource_id"_s });
    row("columns that are never NULL are none", "SELECT 1 FROM x WHERE x.a = t.tenant_id", {}, {});
    row("quoted, folded, spaced", "SELECT 1 FROM x WHERE x.a = T . Resource_ID AND t.\"error_code\" = 'x'", {},
        { u"resource_id"_s, u"error_code"_s });
    row("not in texts, comments and other tables",
        "SELECT 't.resource_id' /* t.error_code */ FROM s.t WHERE x.t.resource_type = 1 -- t.response_body\n", {}, {});
    row("optional", "SELECT 1 FROM x WHERE x.a = t.resource_id AND x.b = coalesce(t.error_code, '')",
        { u"error_code"_s }, { u"resource_id"_s });
    row("the whole row", "SELECT 1 FROM x WHERE x.a = to_jsonb(t) ->> 'resource_id'", { u"error_code"_s },
        { u"operation_name"_s, u"idempotency_key"_s, u"request_hash"_s, u"status"_s, u"resource_type"_s,
            u"resource_id"_s, u"response_code"_s, u"response_body"_s, u"locked_until"_s, u"completed_at"_s,
            u"expires_at"_s });
    row("a text may be blank though it is never NULL", "SELECT 1 FROM x WHERE x.a = t.operation_name", {},
        { u"operation_name"_s });
}

void EvidenceTest::linksAreWhatTheQueryReads()
{
    QFETCH(QString, query);
    QFETCH(QStringList, optional);
    QFETCH(QStringList, links);
    const sql::Target target = bound(*sql::shippedProfile(u"command-request"_s));
    QCOMPARE(sql::effectLinks({ u"x"_s, true, query, optional }, target.relation), links);
}

void EvidenceTest::checkProvesWithRealRows_data()
{
    QTest::addColumn<QString>("profile");
    QTest::addColumn<QString>("rows");
    QTest::addColumn<QStringList>("says");
    QTest::newRow("empty table") << u"plpgsql-request"_s << QString()
                                 << QStringList { u"Not provable here: the table has no row"_s };
    QTest::newRow("found before the mark")
        << u"plpgsql-request"_s << kTheOrder + order(u"create_order"_s)
        << QStringList {
               u"Proved with real rows: “customer_order” is found before its key is marked, in 1 unfinished and 0 succeeded rows."_s
           };
    QTest::newRow("found without what the mark wrote") << u"plpgsql-request"_s
                                                       << kTheOrder + order(u"create_order"_s)
            + u"UPDATE app.idempotency_request SET status = 'succeeded', result_ref_id = gen_random_uuid();"_s
                                                       << QStringList { u"in 0 unfinished and 1 succeeded rows"_s };
    QTest::newRow("found only by what the mark wrote")
        << u"command-request"_s
        << kTheCase + request(u"k-1"_s, u"CreateCase"_s, u'\'' + kCase + u'\'')
            + u"UPDATE seed003.idempotency_request SET status = 'COMPLETED';"_s
        << QStringList { u"Not provable here: of 0 unfinished and 1 succeeded rows"_s };
    QTest::newRow("cannot be known")
        << u"command-request"_s << kTheCase + request(u"k-1"_s, u"CreateCase"_s, u"NULL"_s)
        << QStringList {
               u"For 1 of 1 unfinished rows it cannot be known whether “enforcement_case” exists: they have no resource_id."_s,
               u"Not provable here: of 1 unfinished and 0 succeeded rows"_s
           };
    QTest::newRow("by the business key") << u"command-request"_s
                                         << kTheCase + request(u"portal:C-1"_s, u"CreateCase"_s, u'\'' + kCase + u'\'')
            + u"UPDATE seed003.idempotency_request SET status = 'COMPLETED';"_s
                                         << QStringList { u"in 0 unfinished and 1 succeeded rows"_s };
}

void EvidenceTest::checkProvesWithRealRows()
{
    QFETCH(QString, profile);
    QFETCH(QString, rows);
    QFETCH(QStringList, says);
    run(rows.isEmpty() ? u"SELECT 1"_s : rows);
    const auto findings = sql::validateTarget(*m_session, *sql::shippedProfile(profile));
    QVERIFY(findings.ok());
    QStringList texts;
    for (const sql::Finding &finding : *findings) {
        if (finding.jsonPath == u"$.effects[0]") {
            texts += finding.text;
        }
    }
    QCOMPARE(texts.size(), says.size());
    for (qsizetype i = 0; i < says.size(); ++i) {
        QVERIFY2(texts.at(i).contains(says.at(i)), qPrintable(texts.at(i)));
    }
}

void EvidenceTest::checkRefusesAQueryThatGivesARowOfAnything()
{
    run(kTheOrder + order(u"create_order"_s));
    sql::Profile profile = *sql::shippedProfile(u"plpgsql-request"_s);
    const QString query = u"SELECT max(o.order_id::text) AS id, NULL::timestamptz AS at, NULL::text AS state FROM "
                          "app.customer_order o WHERE o.order_id = t.result_ref_id"_s;
    const auto problems = [&](const QString &sql) {
        profile.effects[0].sql = sql;
        const auto findings = sql::validateTarget(*m_session, profile);
        return findings.ok() && std::any_of(findings->cbegin(), findings->cend(), [](const sql::Finding &finding) {
            return finding.jsonPath == u"$.effects[0]" && finding.severity == sql::Finding::Severity::Problem
                && finding.text.contains(u"gives a row of a key that does not exist"_s);
        });
    };
    for (const bool proves : { true, false }) { // one that forbids a change is asked the same
        profile.effects[0].proves = proves;
        QVERIFY(problems(query));
        QVERIFY(!problems(query + u" HAVING count(*) > 0"_s));
    }
}

void EvidenceTest::optionalColumnsMayBeNull()
{
    run(request(u"k-1"_s, u"CreateCase"_s, u"NULL"_s));
    sql::Profile profile = *sql::shippedProfile(u"command-request"_s);
    profile.effects[0].optional = { u"resource_id"_s };
    const sql::TriageFacts row = facts(bound(profile), u"k-1"_s);
    QVERIFY(row.effects.constFirst().error.isEmpty());
    // The word outlives writing and reading.
    const auto again = sql::profileFromJson(sql::profileToJson(profile), u"again"_s);
    QVERIFY(again.ok());
    QCOMPARE(again->effects.constFirst().optional, QStringList { u"resource_id"_s });
}

void EvidenceTest::wordOfTheProfileStandsInForEvidence()
{
    run(u"INSERT INTO seed003.work_item (work_item_id, status, lease_until) VALUES ('%1', 'PROCESSING', now() - interval '1 hour')"_s
            .arg(kKey));
    sql::Profile profile = *sql::shippedProfile(u"work-item"_s);
    profile.policies[0].safeToRepeat = u"Each step asks whether it was done."_s;
    const auto again = sql::profileFromJson(sql::profileToJson(profile), u"again"_s);
    QVERIFY(again.ok());
    const sql::Target target = bound(*again);
    const auto compiled = sql::compileTarget(*m_session, target);
    QVERIFY(compiled.ok());
    const TriageJudgement judgement = judgeTriage(target, facts(target, kKey), *compiled);
    QVERIFY2(judgement.cls == TriageClass::SafeToRetry && judgement.bulk, qPrintable(judgement.reasons.join(u' ')));
    QVERIFY(judgement.reasons.constLast().contains(u"Each step asks"));

    // It stands in for evidence that is not there, not for evidence that cannot be known.
    run(request(u"k-1"_s, u"CreateCase"_s, u"NULL"_s));
    sql::Profile unknown = *sql::shippedProfile(u"command-request"_s);
    unknown.policies[0].safeToRepeat = u"It is."_s;
    const sql::Target other = bound(unknown);
    QVERIFY(judgeTriage(other, facts(other, u"k-1"_s), *sql::compileTarget(*m_session, other)).cls
        == TriageClass::NeedsReview);
}

void EvidenceTest::requeueLeavesARunningLease()
{
    run(u"INSERT INTO seed003.work_item (work_item_id, status, lease_until) VALUES ('%1', 'FAILED_TERMINAL', now() + interval '1 hour')"_s
            .arg(kKey));
    sql::Profile profile = *sql::shippedProfile(u"work-item"_s);
    for (const bool live : { false, true }) {
        profile.requeue[0].live = live;
        const auto again = sql::profileFromJson(sql::profileToJson(profile), u"again"_s);
        QVERIFY(again.ok());
        const sql::Target target = bound(*again);
        const auto compiled = sql::compileTarget(*m_session, target);
        QVERIFY(compiled.ok());
        const sql::TriageFacts row = facts(target, kKey);
        QCOMPARE(row.leaseRuns, sql::Known::Yes);
        sql::TriagePage page;
        page.rows = { row };
        const FrozenSet many = freeze(target, *compiled, page, sql::ActionVerb::Requeue);
        const FrozenSet one = freezeOne(target, *compiled, row, sql::ActionVerb::Requeue, sql::KeyState::Pending);
        QCOMPARE(many.rows.size(), live ? 1 : 0);
        QCOMPARE(one.rows.size(), live ? 1 : 0);
        QCOMPARE(choicesFor(target, *compiled, row, sql::ActionVerb::Requeue).size(), live ? 1 : 0);
        if (!live) {
            QVERIFY(many.skipped.constFirst().why.contains(u"lease still runs"));
            QVERIFY(one.skipped.constFirst().why.contains(u"lease still runs"));
        }
    }
}

void EvidenceTest::theTrueReasonIsGiven_data()
{
    QTest::addColumn<QString>("rows");
    QTest::addColumn<QString>("why");
    const QString lease = u"UPDATE seed003.idempotency_request SET locked_until = now() + interval '1 hour';"_s;
    QTest::newRow("not stale") << request(u"k-1"_s, u"CreateCase"_s, u"NULL"_s) + lease << u"not stuck"_s;
    QTest::newRow("cannot be known") << request(u"k-1"_s, u"CreateCase"_s, u"NULL"_s)
                                     << u"which it needs, is not known"_s;
    QTest::newRow("not there") << request(u"k-1"_s, u"CreateCase"_s, u'\'' + kCase + u'\'')
                               << u"No “enforcement_case” exists"_s;
    QTest::newRow("succeeded already") << request(u"k-1"_s, u"CreateCase"_s, u"NULL"_s)
            + u"UPDATE seed003.idempotency_request SET status = 'COMPLETED';"_s
                                       << u"It has succeeded already"_s;
}

void EvidenceTest::theTrueReasonIsGiven()
{
    QFETCH(QString, rows);
    QFETCH(QString, why);
    run(rows);
    const sql::Target target = bound(*sql::shippedProfile(u"command-request"_s));
    const FrozenSet set = freezeOne(target, *sql::compileTarget(*m_session, target), facts(target, u"k-1"_s),
        sql::ActionVerb::Recover, sql::KeyState::Succeeded);
    QVERIFY(set.rows.isEmpty());
    QVERIFY2(set.skipped.constFirst().why.contains(why), qPrintable(set.skipped.constFirst().why));
}

QTEST_GUILESS_MAIN(EvidenceTest)
#include "tst_evidence.moc"
