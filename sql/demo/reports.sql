-- SPDX-License-Identifier: GPL-3.0-or-later
-- What the shop's services reported over the past ten days.
SET LOCAL ROLE idemdesk_owner;
SET LOCAL TimeZone = 'UTC';

INSERT INTO idemdesk.event (bucket_start, kind, scope, slot, n, timed, milliseconds, longest, bins)
SELECT m, k.kind, 'create_order', 0, k.n, CASE WHEN k.ms > 0 THEN k.n ELSE 0 END, k.n * k.ms,
       CASE WHEN k.ms > 0 THEN k.ms * 4 END,
       CASE WHEN k.ms > 0 THEN jsonb_build_object(idemdesk._latency_bin(k.ms * 0.7)::text, k.n - k.n / 5 - k.n / 20,
           idemdesk._latency_bin(k.ms * 1.6)::text, k.n / 5, idemdesk._latency_bin(k.ms * 4)::text, k.n / 20) ELSE '{}' END
  FROM pg_catalog.generate_series(date_trunc('hour', now()) - interval '9 days', now() - interval '10 minutes', interval '10 minutes') m
 CROSS JOIN LATERAL (SELECT abs(hashtextextended('event ' || m, 3) % 1000) / 1000.0 AS dice) d
 CROSS JOIN LATERAL (VALUES ('replay', 4 + (d.dice * 9)::bigint, 0.0), ('conflict', CASE WHEN d.dice > 0.8 THEN 1::bigint ELSE 0 END, 0.0),
                            ('check', 40 + (d.dice * 30)::bigint, 4 + d.dice * 9), ('cache_hit', 25 + (d.dice * 20)::bigint, 0.4 + d.dice), ('cache_miss', 15::bigint, 0.3 + d.dice)) AS k (kind, n, ms)
 WHERE k.n > 0
ON CONFLICT DO NOTHING;
INSERT INTO idemdesk.event_total (kind, n, timed, milliseconds, bins)
SELECT e.kind, sum(e.n), sum(e.timed), sum(e.milliseconds),
       coalesce((SELECT jsonb_object_agg(x.key, x.n) FROM (SELECT b.key, sum(b.value::numeric) AS n
           FROM idemdesk.event o CROSS JOIN LATERAL jsonb_each_text(o.bins) b WHERE o.kind = e.kind GROUP BY 1) x), '{}')
  FROM idemdesk.event e GROUP BY e.kind ORDER BY e.kind
ON CONFLICT DO NOTHING;
RESET ROLE;

-- Keys that came again with another request, as services recorded them over the last ten days.
INSERT INTO idemdesk.conflict (id, kind, source, target, scope, key, existing_hash, incoming_hash, incoming_payload,
    caller, first_at, last_at, n, relation)
SELECT sha256(convert_to('demo ' || r.idempotency_key, 'UTF8')), 'key_conflict', 'service', 'plpgsql-request', r.idempotency_scope, r.idempotency_key, r.request_hash,
       encode(sha256(convert_to('another ' || r.idempotency_key, 'UTF8')), 'hex'), '{"cart": "changed", "total": ' || (10 + n * 7 % 300) || '.90}', 'checkout-' || n % 3,
       r.created_at + interval '3 minutes', r.created_at + interval '4 minutes', 1 + n % 4,
       (SELECT t.relation FROM idemdesk.target t WHERE t.name = 'plpgsql-request')
  FROM (SELECT q.*, row_number() OVER (ORDER BY q.created_at DESC) AS n FROM app.idempotency_request q
         WHERE q.idempotency_scope = 'create_order' AND q.status = 'succeeded' AND q.created_at BETWEEN now() - interval '10 days' AND now() - interval '1 hour'
           AND abs(hashtextextended(q.idempotency_key, 9) % 900) = 0) r
 WHERE r.n <= 60
ON CONFLICT DO NOTHING;
