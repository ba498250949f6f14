// SPDX-License-Identifier: GPL-3.0-or-later
// A month of keys searched for duplicates ("duplicates"; arguments as LargeServer takes them): each reason beside the
// one aggregate that names its groups, in psql, and how long somebody waits for the first group.
#include "app/cluster/private_cluster.h"
#include "sql/duplicates/duplicate_gateway.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/bench/bench.h"
#include "tests/bench/expect.h"
#include "tests/bench/large_table.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

using bench::demand;
using bench::expect;

constexpr double kAggregateBudget = 3; // DESIGN 7
constexpr double kFirstGroupSeconds = 2;
constexpr double kMemoryMiB = 64; ///< of the searching program, over before
constexpr int kDays = 30;

/// Duplicates all over the month, and an order for each key that ordered; twice of some.
const QString kPlant = uR"(
CREATE TABLE app.bench_planted ();
UPDATE app.idempotency_request SET request_hash = md5('again' || date_trunc('hour', created_at)), result_ref_id = md5('again' || date_trunc('day', created_at))::uuid
 WHERE hashtext(idempotency_key) % (%1 / 1000) = 0 AND status = 'succeeded';
INSERT INTO app.customer_order (order_id, customer_id, external_cart_id, total_amount)
SELECT md5('o' || r.idempotency_key)::uuid, md5('c' || r.idempotency_key)::uuid, r.idempotency_key, 10
  FROM app.idempotency_request r WHERE r.idempotency_scope = 'orders.create' AND r.status = 'succeeded';
INSERT INTO app.customer_order (order_id, customer_id, external_cart_id, total_amount)
SELECT md5('p' || r.idempotency_key)::uuid, md5('d' || r.idempotency_key)::uuid, r.idempotency_key, 10
  FROM app.idempotency_request r WHERE r.idempotency_scope = 'orders.create' AND r.status = 'succeeded' AND hashtext(r.idempotency_key) % 10000 = 0;
INSERT INTO app.outbox_event (event_type, aggregate_type, aggregate_id, idempotency_scope, idempotency_key, payload)
SELECT 'made', 'order', md5('o' || r.idempotency_key)::uuid, r.idempotency_scope, r.idempotency_key, '{}'
  FROM app.idempotency_request r WHERE r.idempotency_scope = 'orders.create' AND r.status = 'succeeded';
INSERT INTO app.outbox_event (event_type, aggregate_type, aggregate_id, idempotency_scope, idempotency_key, payload)
SELECT 'made again', 'order', md5('p' || r.idempotency_key)::uuid, r.idempotency_scope, r.idempotency_key, '{}'
  FROM app.idempotency_request r WHERE r.idempotency_scope = 'orders.create' AND r.status = 'succeeded' AND hashtext(r.idempotency_key) % 10000 = 0;)"_s;
/// By itself, as it may stand in no transaction with others.
const QString kVacuum = u"VACUUM ANALYZE app.idempotency_request, app.customer_order, app.outbox_event"_s;

/// Orders whose amount stands in the response, and whose customer is the scope.
sql::Profile ordersProfile()
{
    sql::Profile profile = sql::shippedProfile(u"plpgsql-request"_s).value_or(sql::Profile());
    profile.scope.first().label = u"customer"_s;
    sql::Expression payload;
    payload.sql = u"t.response_body"_s;
    profile.roles.insert(sql::Role::RequestPayload, payload);
    profile.diffIgnore = { u"/order"_s };
    profile.policies.clear();
    return profile;
}

struct Reason {
    sql::DuplicateReason reason;
    QString aggregates; ///< what psql is given
};

QString aggregate(
    const QString &values, const QString &where, const QString &having = u"count(*) > 1"_s, const QString &join = {})
{
    return u"SELECT t.idempotency_scope, "_s + values + u", count(*) FROM app.idempotency_request t"_s + join
        + u" WHERE t.created_at >= now() - interval '%1 days' AND "_s.arg(kDays) + where
        + u" GROUP BY t.idempotency_scope, "_s + values + u" HAVING "_s + having + u";\n"_s;
}

QList<Reason> reasons()
{
    using R = sql::DuplicateReason;
    const QString effect = u" CROSS JOIN LATERAL ("_s + ordersProfile().effects.first().sql + u") e"_s;
    return { { R::SeveralEffects,
                 aggregate(u"t.idempotency_key"_s, u"e.id IS NOT NULL"_s, u"count(DISTINCT e.id) > 1"_s, effect) },
        { R::SameBusinessReference, aggregate(u"e.id"_s, u"e.id IS NOT NULL"_s, u"count(*) > 1"_s, effect) },
        { R::SameResult, aggregate(u"t.result_ref_type, t.result_ref_id"_s, u"t.result_ref_id IS NOT NULL"_s) },
        { R::SameFingerprint, aggregate(u"t.request_hash"_s, u"t.request_hash IS NOT NULL"_s) },
        { R::TwoCharges,
            aggregate(u"t.response_body ->> 'total', date_trunc('hour', t.created_at)"_s,
                u"t.status = 'succeeded' AND t.response_body ->> 'total' IS NOT NULL"_s) },
        { R::NearPayload,
            aggregate(u"sha256(convert_to((t.response_body #- '{order}')::text, 'UTF8'))"_s,
                u"t.response_body IS NOT NULL"_s) } };
}

void inPsql(const QString &conninfo, const QString &sql)
{
    QProcess process;
    process.setStandardOutputFile(QProcess::nullDevice());
    process.start(
        app::PrivateCluster::program(u"psql"_s), { u"-X"_s, u"-q"_s, u"-A"_s, u"-d"_s, conninfo, u"-c"_s, sql });
    const bool done = process.waitForFinished(-1) && process.exitCode() == 0;
    demand(done, QString::fromUtf8(process.readAllStandardError()));
}

void runDuplicates(bench::Report &report, const QStringList &arguments)
{
    const bench::LargeServer server(report, arguments);
    sql::ConnectionSettings settings;
    settings.conninfo = server.conninfo();
    sql::Session::Options options;
    options.lane = sql::LaneKind::Background;
    options.readOnly = true;
    options.statementTimeoutMs = 0;
    const auto session = expect(sql::Session::open(settings, options));
    const QString planted
        = expect(session->one({ u"SELECT pg_catalog.to_regclass('app.bench_planted')"_s, {} })).first().text;
    if (planted.isEmpty()) {
        inPsql(server.conninfo(), kPlant.arg(server.rows()));
        inPsql(server.conninfo(), kVacuum);
    }
    const sql::Target target = expect(sql::bindTarget(*session, ordersProfile()));
    sql::DuplicateRequest request;
    request.spanSeconds = qint64(kDays) * 86'400;
    const double before = bench::residentMiB(QCoreApplication::applicationPid());
    double most = before;
    for (const Reason &reason : reasons()) {
        request.reasons = { reason.reason };
        qsizetype groups = 0;
        const auto times
            = bench::interleaved({ [&] {
                                      groups = expect(sql::findDuplicates(*session, target, request)).groups.size();
                                      most = std::max(most, bench::residentMiB(QCoreApplication::applicationPid()));
                                  },
                                     [&] { inPsql(server.conninfo(), reason.aggregates); } },
                server.rows() > 5'000'000 ? 1 : 3, server.rows() > 5'000'000 ? 0 : 1);
        report.note(u"%1: %2 groups"_s.arg(sql::duplicateReasonName(reason.reason)).arg(groups));
        report.ratio(sql::duplicateReasonName(reason.reason), bench::median(times.at(0)), u"one aggregate in psql"_s,
            bench::median(times.at(1)), kAggregateBudget);
    }
    request.reasons.clear();
    QElapsedTimer timer;
    timer.start();
    std::optional<double> first;
    const auto answer = expect(sql::findDuplicates(*session, target, request,
        [&](const QList<sql::DuplicateGroup> &) { first = first.value_or(double(timer.elapsed()) / 1'000); }));
    report.figure(u"all reasons"_s, double(timer.elapsed()) / 1'000, u"s"_s, std::nullopt);
    report.figure(u"until the first group is shown"_s, first.value_or(1e9), u"s"_s, kFirstGroupSeconds);
    report.figure(u"memory while searching, over before"_s, most - before, u"MiB"_s, kMemoryMiB);
    report.note(answer.notes.join(u' '));
}

const bool registered
    = bench::add({ u"duplicates"_s, u"a large table searched for duplicates, beside aggregates"_s, runDuplicates });

} // namespace
