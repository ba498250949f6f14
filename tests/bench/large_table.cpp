// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/large_table.h"

#include "tests/support/test_cluster.h"

#include <QElapsedTimer>

using namespace Qt::StringLiterals;

namespace idemdesk::bench {

QStringList largeTableSettings()
{
    return { u"shared_buffers = '1GB'"_s, u"effective_cache_size = '12GB'"_s, u"maintenance_work_mem = '1GB'"_s,
        u"max_wal_size = '4GB'"_s, u"random_page_cost = 1.1"_s, u"wal_level = minimal"_s, u"max_wal_senders = 0"_s };
}

QString largeTableSql(qint64 rows)
{
    return uR"(
ALTER TABLE app.idempotency_request SET (autovacuum_enabled = off);
INSERT INTO app.idempotency_request
SELECT s.scope, 'ord-' || md5(g::text), md5('h' || g), s.status, CASE WHEN s.status = 'succeeded' THEN 'order' END,
    CASE WHEN s.status = 'succeeded' THEN md5('r' || g)::uuid END,
    CASE WHEN s.status = 'succeeded' THEN jsonb_build_object('order', g, 'total', g % 9973 * 1.25, 'note', repeat('n', 60)) END,
    CASE WHEN s.status >= 'failed_retryable' THEN 'E' || g % 17 END,
    CASE WHEN s.status >= 'failed_retryable' THEN 'Gateway timeout after ' || g % 30 || ' s' END,
    'worker-' || g % 31, s.made, CASE WHEN s.status = 'processing' THEN s.made + interval '30 seconds' END, 1 + (g % 50 = 0)::int * (g % 7)::int,
    s.made, s.made + interval '1 second', s.made + interval '21 days'
FROM (SELECT g, now() - (%1 - g) * (interval '30 days' / %1) AS made,
        (ARRAY['payments.charge', 'payments.refund', 'orders.create', 'orders.cancel', 'mail.send', 'ledger.post', 'invoices.issue',
            'shipping.book', 'stock.reserve', 'kyc.verify', 'users.invite', 'reports.run', 'coupons.redeem', 'loyalty.accrue', 'returns.open',
            'vouchers.issue', 'taxes.file', 'payouts.batch', 'disputes.open', 'seats.hold'])
            [1 + width_bucket((hashint8(g)::bigint & 2147483647) % 1000, ARRAY[370, 480, 580, 640, 700, 750, 790, 830, 864, 898, 923, 943,
                958, 970, 980, 988, 994, 997, 999]::bigint[])] AS scope,
        (CASE WHEN hashint8(g + 1) % 100 = 0 THEN 'processing' WHEN hashint8(g + 1) % 100 IN (1, 2, 3) THEN 'failed_final'
            WHEN hashint8(g + 1) % 100 IN (4, 5, 6) THEN 'failed_retryable' ELSE 'succeeded' END)::app.idempotency_status AS status
    FROM generate_series(1, %1) g) s;
CREATE INDEX ON app.idempotency_request (created_at);
CREATE INDEX ON app.idempotency_request (status, locked_until);
VACUUM ANALYZE app.idempotency_request;)"_s.arg(rows);
}

QString manyScopesSql(qint64 rows, qint64 scopes)
{
    return uR"(
CREATE SCHEMA many;
CREATE TABLE many.idempotency_request (LIKE app.idempotency_request INCLUDING ALL) WITH (autovacuum_enabled = off);
INSERT INTO many.idempotency_request
SELECT 'tenant-' || lpad(((hashint8(g)::bigint & 2147483647) % %2)::text, 8, '0'), 'ord-' || md5(g::text), md5('h' || g),
    (CASE WHEN g % 100 = 0 THEN 'processing' WHEN g % 100 < 4 THEN 'failed_final' WHEN g % 100 < 7 THEN 'failed_retryable' ELSE 'succeeded' END)
        ::app.idempotency_status,
    NULL, NULL, NULL, NULL, NULL, 'worker-' || g % 31, made, CASE WHEN g % 100 = 0 THEN made + interval '30 seconds' END, 1, made, made,
    made + interval '21 days'
FROM (SELECT g, now() - (%1 - g) * (interval '30 days' / %1) AS made FROM generate_series(1, %1) g) s;
VACUUM ANALYZE many.idempotency_request;)"_s.arg(rows)
        .arg(scopes);
}

void demand(bool condition, const QString &message)
{
    if (!condition) {
        qFatal("%s", qPrintable(message));
    }
}

LargeServer::LargeServer(Report &report, const QStringList &arguments)
{
    if (!arguments.isEmpty()) {
        m_rows = arguments.first().toLongLong();
    }
    demand(m_rows >= 1'000, u"usage: NAME [ROWS [CONNINFO]], at least 1000 rows"_s);
    m_conninfo = arguments.value(1);
    if (!m_conninfo.isEmpty()) {
        report.note(u"app.idempotency_request: %1 rows, on a server that held them"_s.arg(m_rows));
        return;
    }
    m_cluster = std::make_unique<tests::TestCluster>(largeTableSettings());
    m_conninfo = m_cluster->conninfo();
    m_cluster->psqlFile(u"postgres"_s, u"sql/demo/schema_001.sql"_s);
    QElapsedTimer timer;
    timer.start();
    m_cluster->psql(u"postgres"_s, largeTableSql(m_rows));
    m_cluster->psql(u"postgres"_s, manyScopesSql(m_rows / 5, manyScopes()));
    report.note(u"app.idempotency_request: %1 rows, loaded in %2 s"_s.arg(m_rows).arg(timer.elapsed() / 1000));
}

LargeServer::~LargeServer() = default;

qint64 LargeServer::manyScopes() const
{
    return std::min<qint64>(100'000, m_rows / 100);
}

} // namespace idemdesk::bench
