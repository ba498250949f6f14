-- SPDX-License-Identifier: GPL-3.0-or-later
-- What the log of a checkout service told of the past days, for import_conflicts(): retries that were answered from the
-- store, and keys that came again with another request, each with its trace.
SELECT coalesce(jsonb_agg(jsonb_build_object('id', encode(sha256(convert_to('demo log ' || r.idempotency_key, 'UTF8')), 'hex'),
    'kind', k.kind, 'target', 'plpgsql-request', 'scope', r.idempotency_scope, 'key', r.idempotency_key,
    'existing_hash', r.request_hash,
    'incoming_hash', CASE k.kind WHEN 'replay' THEN r.request_hash
        ELSE encode(sha256(convert_to('one more ' || r.idempotency_key, 'UTF8')), 'hex') END,
    'caller', 'checkout-' || r.n % 3, 'at', r.created_at + interval '2 minutes',
    'message', CASE k.kind WHEN 'replay' THEN 'Answered from the store.'
        ELSE 'P4002: this key stands for another request.' END,
    'attributes', jsonb_build_object('trace', md5('trace ' || r.idempotency_key),
        'span', left(md5('span ' || r.idempotency_key), 16), 'correlation', 'cart-' || 4000 + r.n,
        'region', CASE r.n % 3 WHEN 0 THEN 'eu-central-1' ELSE 'eu-west-1' END, 'tenant', 'shop-' || 1 + r.n % 4,
        'resource', '/orders', 'latency_ms', (3 + r.n * 37 % 240)::text, 'retries', (r.n % 3)::text))), '[]')
  FROM (SELECT q.*, row_number() OVER (ORDER BY q.created_at DESC) AS n FROM app.idempotency_request q
         WHERE q.idempotency_scope = 'create_order' AND q.status = 'succeeded'
           AND q.created_at BETWEEN now() - interval '5 days' AND now() - interval '1 hour'
           AND abs(hashtextextended(q.idempotency_key, 4) % 700) = 0) r
 CROSS JOIN LATERAL (SELECT CASE WHEN r.n % 4 = 0 THEN 'key_conflict' ELSE 'replay' END AS kind) k
 WHERE r.n <= 40
