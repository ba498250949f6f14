-- SPDX-License-Identifier: GPL-3.0-or-later
-- Two days of a shop's keys in the region eu; replication takes them to the region us.
INSERT INTO app.idempotency_request
    (idempotency_scope, idempotency_key, request_hash, status, result_ref_type, result_ref_id, response_body,
     failure_code, failure_message, claimed_by, claimed_at, locked_until, attempt_count, created_at, updated_at, expires_at)
SELECT scope, 'ord-' || to_char(at, 'YYMMDD') || '-' || lpad(n::text, 5, '0'), md5('request ' || n), status,
       CASE status WHEN 'succeeded' THEN 'order' END,
       CASE status WHEN 'succeeded' THEN md5('order ' || intent)::uuid END,
       CASE status WHEN 'succeeded' THEN jsonb_build_object('amount', round((500 + intent % 9000) / 100.0, 2), 'currency', 'EUR') END,
       CASE status WHEN 'failed_final' THEN 'card_declined' END,
       CASE status WHEN 'failed_final' THEN 'The issuer did not approve the payment.' END,
       'orders-' || n % 4, at, NULL, 1 + (n % 17 = 0)::integer, at, at + interval '2 seconds', at + interval '7 days'
  FROM (SELECT n, now() - n * interval '34 seconds' AS at,
               CASE n WHEN 234 THEN 233 ELSE n END AS intent, -- one order came under two keys
               CASE WHEN n % 5 = 0 THEN 'authorize_payment' ELSE 'create_order' END AS scope,
               (CASE WHEN n % 41 = 0 THEN 'failed_final' ELSE 'succeeded' END)::app.idempotency_status AS status
          FROM generate_series(1, 5000) AS n) AS request;
INSERT INTO app.processed_message (consumer_name, message_id, message_hash, processed_at)
SELECT 'billing', 'msg-' || n, md5('message ' || n), now() - n * interval '50 seconds' FROM generate_series(1, 500) AS n;
-- A day of last week, past its retention in both regions; and keys whose workers died an hour ago.
INSERT INTO app.idempotency_request
    (idempotency_scope, idempotency_key, request_hash, status, result_ref_type, result_ref_id, claimed_by, claimed_at,
     attempt_count, created_at, updated_at, expires_at)
SELECT 'create_order', 'ord-' || to_char(at, 'YYMMDD') || '-' || lpad(n::text, 5, '0'), md5('request ' || n), 'succeeded',
       'order', md5('order ' || n)::uuid, 'orders-' || n % 4, at, 1, at, at + interval '2 seconds', at + interval '7 days'
  FROM generate_series(5001, 5800) AS n, LATERAL (SELECT now() - interval '9 days' - n * interval '9 seconds') AS t(at);
INSERT INTO app.idempotency_request
    (idempotency_scope, idempotency_key, request_hash, status, claimed_by, claimed_at, locked_until, attempt_count,
     created_at, updated_at, expires_at)
SELECT 'create_order', 'ord-' || to_char(at, 'YYMMDD') || '-' || lpad(n::text, 5, '0'), md5('request ' || n), 'processing',
       'orders-2', at, at + interval '30 seconds', 1, at, at, at + interval '7 days'
  FROM generate_series(6001, 6016) AS n, LATERAL (SELECT now() - interval '1 hour' - n % 100 * interval '4 seconds') AS t(at);
ANALYZE app.idempotency_request, app.processed_message;
