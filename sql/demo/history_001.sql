-- SPDX-License-Identifier: GPL-3.0-or-later
-- Commands of a shop: about 200,000 keys in six scopes, with the orders and events of those that made one.
-- Five hours ago worker orders-7 died and the publisher stood still for half an hour.

CREATE TEMPORARY TABLE command ON COMMIT DROP AS
-- Materialized: else each mention of a column would be computed anew.
WITH scoped AS MATERIALIZED (
    SELECT i, at, pg_temp.dice(i, 101) AS fate, pg_temp.dice(i, 102) AS tries, pg_temp.dice(i, 103) AS pace,
           CASE WHEN pg_temp.dice(i, 104) < 0.55 THEN 'create_order'
                WHEN pg_temp.dice(i, 104) < 0.78 THEN 'authorize_payment'
                WHEN pg_temp.dice(i, 104) < 0.86 THEN 'refund_payment'
                WHEN pg_temp.dice(i, 104) < 0.92 THEN 'transition_case'
                WHEN pg_temp.dice(i, 104) < 0.98 THEN 'send_notification'
                ELSE 'import_partner_order' END AS scope,
           at BETWEEN now() - interval '5 hours 12 minutes' AND now() - interval '5 hours' AS incident
      FROM pg_temp.moments(214000, 100)
), fated AS MATERIALIZED (
    SELECT *,
           CASE WHEN at > now() - interval '3 minutes' AND fate < 0.55 THEN 'processing'
                WHEN incident AND fate < 0.5 THEN 'processing'
                WHEN at < now() - interval '20 minutes' AND fate < 0.0006 THEN 'processing'
                WHEN at > now() - interval '2 days' AND fate BETWEEN 0.900 AND 0.913 THEN 'failed_retryable'
                WHEN fate BETWEEN 0.900 AND 0.901 THEN 'failed_retryable'
                WHEN fate BETWEEN 0.920 AND 0.936 THEN 'failed_final'
                ELSE 'succeeded' END::app.idempotency_status AS status,
           CASE WHEN at > now() - interval '3 minutes' THEN 1
                WHEN tries < 0.90 THEN 1 WHEN tries < 0.965 THEN 2 WHEN tries < 0.988 THEN 3
                WHEN tries < 0.998 THEN 4 + floor(pace * 3)::integer ELSE 7 + floor(pace * 8)::integer END AS attempts
      FROM scoped
     -- Notices and transitions live for a day and are purged after five.
     WHERE NOT (scope IN ('transition_case', 'send_notification') AND at < now() - interval '5 days')
)
SELECT i, at, scope, fate, pace, status, attempts, incident,
       CASE scope
           WHEN 'create_order' THEN 'ord-' || to_char(at, 'YYMMDD') || '-' || lpad(i::text, 7, '0')
           WHEN 'refund_payment' THEN 'rf_' || left(md5('refund' || i), 16)
           WHEN 'transition_case' THEN 'CASE-' || (4000 + i % 2500) || '/' || (ARRAY['open', 'review', 'approve', 'close'])[1 + i % 4] || '/' || i
           WHEN 'import_partner_order' THEN (ARRAY['acme', 'globex', 'initech'])[1 + i % 3] || ':' || to_char(at, 'YYYY-MM-DD') || ':' || i
           ELSE pg_temp.mark('001-key', i)::text END AS key,
       encode(sha256(convert_to('001 request ' || i, 'UTF8')), 'hex') AS hash,
       CASE WHEN incident AND status = 'processing' THEN 'orders-7'
            ELSE CASE WHEN scope = 'create_order' THEN 'orders-' WHEN scope LIKE '%payment' THEN 'payments-' ELSE 'backoffice-' END
                 || (1 + floor(pg_temp.dice(i, 105) * 8)) END AS worker,
       least(at + (attempts - 1) * (20 + pace * 70) * interval '1 second', now() - interval '2 seconds') AS claimed_at,
       at + CASE WHEN scope = 'create_order' THEN interval '7 days'
                 WHEN scope LIKE '%payment' THEN interval '30 days'
                 WHEN scope = 'import_partner_order' THEN interval '14 days'
                 ELSE interval '24 hours' END AS expires_at,
       CASE scope WHEN 'create_order' THEN pg_temp.mark('order', i) WHEN 'import_partner_order' THEN pg_temp.mark('order', i)
                  WHEN 'transition_case' THEN pg_temp.mark('case', i % 2500) ELSE pg_temp.mark('payment', i) END AS result_id,
       pg_temp.mark('customer', floor(9000 * pow(pg_temp.dice(i, 106), 2))::bigint) AS customer,
       (400 + floor(pow(pg_temp.dice(i, 107), 3) * 90000))::numeric / 100 AS amount,
       -- The worker died between the effect and the mark.
       status = 'processing' AND at < now() - interval '20 minutes' AND pg_temp.dice(i, 109) < 0.3 AS effect_without_mark
  FROM fated;

SELECT pg_temp.set_aside(t)
  FROM unnest('{app.idempotency_request,app.customer_order,app.outbox_event,app.processed_message}'::regclass[]) AS t;

INSERT INTO app.idempotency_request
    (idempotency_scope, idempotency_key, request_hash, status, result_ref_type, result_ref_id, response_body,
     failure_code, failure_message, claimed_by, claimed_at, locked_until, attempt_count, created_at, updated_at, expires_at)
SELECT scope, key, hash, status,
       CASE WHEN status = 'succeeded' THEN CASE WHEN scope LIKE '%order' THEN 'customer_order' WHEN scope = 'transition_case' THEN 'case'
                                                WHEN scope = 'send_notification' THEN 'notification' ELSE 'payment' END END,
       CASE WHEN status = 'succeeded' THEN result_id END,
       CASE WHEN status <> 'succeeded' THEN NULL
            WHEN scope LIKE '%order' THEN jsonb_build_object('orderId', result_id, 'status', 'created', 'total', amount, 'currency', 'EUR')
            WHEN scope LIKE '%payment' THEN jsonb_build_object(
                'paymentId', result_id, 'amount', amount, 'currency', 'EUR', 'network', (ARRAY['visa', 'mastercard', 'sepa'])[1 + i % 3],
                'risk', jsonb_build_object('score', round(pace::numeric, 4), 'rules', jsonb_build_array('velocity', 'country')))
            ELSE jsonb_build_object('ok', true, 'id', result_id) END,
       -- Some failures that pass by themselves were stored as final, as a careless handler does.
       CASE WHEN status = 'failed_final' AND i % 16 IN (5, 9, 14) THEN
                CASE i % 16 WHEN 5 THEN '55P03' WHEN 9 THEN '57P01' ELSE '40P01' END
            WHEN status IN ('failed_retryable', 'failed_final') OR (status = 'processing' AND attempts > 1) THEN
           CASE WHEN status = 'failed_final' THEN (ARRAY['card_declined', 'out_of_stock', 'validation_failed', 'account_closed'])[1 + i % 4]
                ELSE (ARRAY['gateway_timeout', 'deadlock_detected', 'service_unavailable', 'rate_limited'])[1 + i % 4] END END,
       CASE WHEN status = 'failed_final' AND i % 16 IN (5, 9, 14) THEN
                CASE i % 16 WHEN 5 THEN 'canceling statement due to lock timeout'
                            WHEN 9 THEN 'terminating connection due to administrator command'
                            ELSE 'deadlock detected' END
            WHEN status = 'failed_final' THEN (ARRAY[
                'The issuer declined the card (code 05).', 'No stock is left for one of the items.',
                'Field "deliveryDate" lies in the past.', 'The account was closed.'])[1 + i % 4]
            WHEN status = 'failed_retryable' OR (status = 'processing' AND attempts > 1) THEN (ARRAY[
                'No answer from the payment gateway within 10 s (timeout).', 'The database ended the transaction: deadlock detected.',
                'The inventory service answered 503.', 'The carrier''s interface asked to slow down (429).'])[1 + i % 4] END,
       worker, claimed_at,
       CASE WHEN status = 'processing' THEN claimed_at + interval '5 minutes' END,
       attempts, at,
       CASE WHEN status = 'processing' THEN claimed_at
            ELSE least(claimed_at + (0.04 + pace * pace * 3) * interval '1 second', now()) END,
       expires_at
  FROM command;

INSERT INTO app.customer_order (order_id, customer_id, external_cart_id, status, total_amount, created_at)
SELECT result_id, customer, 'cart-' || i,
       CASE WHEN claimed_at < now() - interval '3 days' THEN (ARRAY['delivered', 'delivered', 'delivered', 'cancelled'])[1 + i % 4]
            ELSE (ARRAY['created', 'paid', 'shipped'])[1 + i % 3] END,
       amount, least(claimed_at + interval '30 milliseconds', now())
  FROM command
 WHERE scope LIKE '%order' AND (status = 'succeeded' OR effect_without_mark);

-- Published events are kept for 20 days.
INSERT INTO app.outbox_event
    (outbox_id, event_type, aggregate_type, aggregate_id, idempotency_scope, idempotency_key, payload, status, attempt_count,
     created_at, published_at)
SELECT pg_temp.mark('event', i), 'order.created', 'customer_order', result_id, scope, key,
       jsonb_build_object('orderId', result_id, 'customerId', customer, 'total', amount, 'currency', 'EUR', 'version', 1),
       CASE WHEN pending THEN 'pending' ELSE 'published' END,
       CASE WHEN stuck THEN 3 + (i % 9)::integer WHEN pending THEN 0 ELSE 1 END,
       claimed_at, CASE WHEN NOT pending THEN least(claimed_at + (0.2 + pace * 4) * interval '1 second', now()) END
  FROM (SELECT *, stuck OR claimed_at > now() - interval '100 seconds' AS pending
          -- A number of events and not a span of time: at night a span may hold none.
          FROM (SELECT *, row_number() OVER (ORDER BY claimed_at <= now() - interval '4 hours 40 minutes' DESC, claimed_at DESC) <= 60
                          AND pg_temp.dice(i, 108) < 0.6 AS stuck
                  FROM command
                 WHERE scope LIKE '%order' AND (status = 'succeeded' OR effect_without_mark)
                   AND at > now() - interval '20 days') AS event) AS event;

-- One intent under two keys: the client lost its key with a crash and sent the same order again.
CREATE TEMPORARY TABLE again ON COMMIT DROP AS
SELECT *, row_number() OVER (ORDER BY i) AS n,
       false AS after_purge
  FROM (SELECT * FROM command
         WHERE scope = 'create_order' AND status = 'succeeded'
           AND at BETWEEN now() - interval '2 days' AND now() - interval '1 hour' AND i % 211 = 0 ORDER BY i LIMIT 9) AS twice
UNION ALL
-- And a late retry after the key was purged: nothing was left to replay.
SELECT *, 100 + row_number() OVER (ORDER BY i), true
  FROM (SELECT * FROM command
         WHERE scope = 'create_order' AND status = 'succeeded' AND at < now() - interval '22 days' AND i % 307 = 0 ORDER BY i LIMIT 6) AS late;

DELETE FROM app.idempotency_request AS r USING again AS a
 WHERE a.after_purge AND (r.idempotency_scope, r.idempotency_key) = (a.scope, a.key);
INSERT INTO app.idempotency_request
    (idempotency_scope, idempotency_key, request_hash, status, result_ref_type, result_ref_id, response_body, claimed_by,
     claimed_at, created_at, updated_at, expires_at)
SELECT scope, CASE WHEN after_purge THEN key ELSE pg_temp.mark('second', i)::text END, hash, 'succeeded', 'customer_order',
       pg_temp.mark('second order', i),
       jsonb_build_object('orderId', pg_temp.mark('second order', i), 'status', 'created', 'total', amount, 'currency', 'EUR'),
       worker, moment, moment, moment + interval '400 milliseconds', moment + interval '7 days'
  FROM (SELECT *, CASE WHEN after_purge THEN now() - n * interval '40 seconds' ELSE at + interval '42 seconds' END AS moment
          FROM again) AS a;
INSERT INTO app.customer_order (order_id, customer_id, external_cart_id, status, total_amount, created_at)
SELECT pg_temp.mark('second order', i), customer, 'cart-' || i || '-b', 'created', amount,
       CASE WHEN after_purge THEN now() - n * interval '40 seconds' ELSE at + interval '42 seconds' END
  FROM again;
INSERT INTO app.outbox_event
    (outbox_id, event_type, aggregate_type, aggregate_id, idempotency_scope, idempotency_key, payload, status, attempt_count,
     created_at, published_at)
SELECT pg_temp.mark('second event', i), 'order.created', 'customer_order', pg_temp.mark('second order', i), scope,
       CASE WHEN after_purge THEN key ELSE pg_temp.mark('second', i)::text END,
       jsonb_build_object('orderId', pg_temp.mark('second order', i), 'customerId', customer, 'total', amount, 'currency', 'EUR', 'version', 1),
       'published', 1, at + interval '43 seconds', at + interval '44 seconds'
  FROM again;

-- Claims with long leases, alive whatever the hour.
INSERT INTO app.idempotency_request
    (idempotency_scope, idempotency_key, request_hash, status, claimed_by, claimed_at, locked_until, attempt_count, created_at, updated_at, expires_at)
SELECT 'import_partner_order', 'acme:batch:' || n, md5('batch' || n), 'processing', 'backoffice-' || n,
       now() - n * interval '3 minutes', now() + interval '2 hours', 1 + n % 2, now() - n * interval '4 minutes',
       now() - n * interval '3 minutes', now() + interval '14 days'
  FROM generate_series(1, 7) AS n;
-- Another form of the same: in a cache both come under one name, "import_partner_order:acme:batch:3".
INSERT INTO app.idempotency_request
    (idempotency_scope, idempotency_key, request_hash, status, response_body, claimed_by, claimed_at, created_at, updated_at, expires_at)
SELECT 'import_partner_order:acme', 'batch:3', md5('batch 3 of before'), 'succeeded', '{"imported": 12}', 'backoffice-3', moment,
       moment, moment, now() + interval '14 days'
  FROM (SELECT now() - interval '3 hours' AS moment) AS before;
-- Keys nobody would choose, but some client sent them.
INSERT INTO app.idempotency_request
    (idempotency_scope, idempotency_key, request_hash, status, failure_code, failure_message, claimed_by, created_at, claimed_at, updated_at, expires_at)
SELECT 'authorize_payment', key, md5(key), 'failed_final', 'validation_failed', message, 'payments-2', moment, moment, moment, moment + interval '30 days'
  FROM (VALUES ('<img src="file:///etc/hostname">', 'The key holds markup: <b>not bold</b>.', now() - interval '8 hours'),
               (E'pay\u202Eexe.fdp', E'A key with a right-to-left override: \u202Eabc.', now() - interval '7 hours'),
               (E'two\nlines\tand a tab', E'First line.\nSecond line.', now() - interval '6 hours 30 minutes'),
               ('=cmd|''/C calc''!A1', 'Looks like a formula.', now() - interval '6 hours')) AS odd (key, message, moment);

-- What the consumers of the orders' events remember of the last twelve days.
INSERT INTO app.processed_message (consumer_name, message_id, message_hash, processed_at, result_ref_type, result_ref_id)
SELECT consumer, outbox_id::text, md5(e.payload::text), least(published_at + lag * interval '1 second', now()),
       CASE consumer WHEN 'billing' THEN 'invoice' WHEN 'fraud-scoring' THEN 'score' END,
       CASE WHEN consumer IN ('billing', 'fraud-scoring') THEN overlay(outbox_id::text PLACING 'b' FROM 1 FOR 1)::uuid END
  FROM app.outbox_event AS e
 CROSS JOIN (VALUES ('billing', 0.45, 0.4), ('search-index', 0.3, 1.2), ('fraud-scoring', 0.08, 9)) AS c (consumer, share, lag)
 WHERE e.status = 'published' AND e.created_at > now() - interval '12 days'
   AND pg_temp.dice(hashtextextended(outbox_id::text, 0), 120) < share;

SELECT pg_temp.put_back();

INSERT INTO app.idempotency_keys (key)
SELECT pg_temp.mark('weak', n)::text FROM generate_series(1, 1400) AS n;

SELECT pg_temp.analyse('app');
