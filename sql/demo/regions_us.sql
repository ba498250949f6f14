-- SPDX-License-Identifier: GPL-3.0-or-later
-- What went wrong in the region us once replication had brought the keys of eu: each kind of difference, by hand.
-- A failover while two payments were under way: both regions carried them out.
UPDATE app.idempotency_request
   SET result_ref_id = md5('us ' || idempotency_key)::uuid, updated_at = updated_at + interval '4 seconds',
       response_body = response_body || '{"amount": 99.90, "region": "us"}'
 WHERE idempotency_scope = 'authorize_payment' AND idempotency_key LIKE '%-00115';
UPDATE app.idempotency_request
   SET result_ref_id = md5('us ' || idempotency_key)::uuid, updated_at = updated_at + interval '3 seconds'
 WHERE idempotency_scope = 'authorize_payment' AND idempotency_key LIKE '%-00220';
-- A client that changed its cart and kept its key.
UPDATE app.idempotency_request
   SET request_hash = md5('another cart'), status = 'processing', result_ref_type = NULL, result_ref_id = NULL,
       response_body = NULL, locked_until = updated_at + interval '30 seconds'
 WHERE idempotency_key LIKE '%-00331';
-- Workers of us that died, and one that gave up.
UPDATE app.idempotency_request
   SET status = 'processing', result_ref_type = NULL, result_ref_id = NULL, response_body = NULL, claimed_by = 'orders-us-3',
       locked_until = updated_at + interval '30 seconds'
 WHERE idempotency_key LIKE ANY ('{%-00412,%-00413,%-00414}');
UPDATE app.idempotency_request
   SET response_body = '{"error": "gateway_timeout"}', failure_code = 'gateway_timeout',
       failure_message = 'The payment provider did not answer.', updated_at = updated_at + interval '1 minute'
 WHERE idempotency_key LIKE '%-00533';
UPDATE app.idempotency_request
   SET status = 'failed_retryable', failure_code = 'gateway_timeout', updated_at = updated_at + interval '2 minutes'
 WHERE idempotency_key LIKE '%-00615';
-- Somebody cleaned up by hand; and keys that began in us, which nothing takes to eu. Two of these are of one order.
DELETE FROM app.idempotency_request WHERE idempotency_key LIKE ANY ('{%-00701,%-00702,%-00703,%-00704}');
INSERT INTO app.idempotency_request
    (idempotency_scope, idempotency_key, request_hash, status, result_ref_type, result_ref_id, claimed_by, claimed_at,
     created_at, updated_at, expires_at)
SELECT 'create_order', 'ord-us-' || n, md5('us request ' || n), 'succeeded', 'order', md5('us order ' || least(n, 5))::uuid,
       'orders-us-1', at, at, at, at + interval '7 days'
  FROM generate_series(1, 6) AS n, LATERAL (SELECT now() - n * interval '9 minutes') AS t(at);
