// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/large_table.h"

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
        (ARRAY['payments.charge', 'payments.charge', 'payments.charge', 'payments.charge', 'payments.refund', 'payments.refund', 'orders.create',
            'orders.create', 'orders.cancel', 'mail.send', 'mail.send', 'ledger.post', 'invoices.issue', 'shipping.book', 'stock.reserve', 'users.invite',
            'reports.run', 'kyc.verify'])[1 + (hashint8(g) & 7) + (hashint8(g) >> 3 & 7) + (hashint8(g) >> 6 & 3)] AS scope,
        (CASE WHEN hashint8(g + 1) % 100 = 0 THEN 'processing' WHEN hashint8(g + 1) % 100 IN (1, 2, 3) THEN 'failed_final'
            WHEN hashint8(g + 1) % 100 IN (4, 5, 6) THEN 'failed_retryable' ELSE 'succeeded' END)::app.idempotency_status AS status
    FROM generate_series(1, %1) g) s;
CREATE INDEX ON app.idempotency_request (created_at);
CREATE INDEX ON app.idempotency_request (status, locked_until);
VACUUM ANALYZE app.idempotency_request;)"_s.arg(rows);
}

} // namespace idemdesk::bench
