-- SPDX-License-Identifier: GPL-3.0-or-later
-- Charges of some hundred users, one key each; then the same by daily partition.
CREATE TEMPORARY TABLE charge ON COMMIT DROP AS
SELECT i, at, pg_temp.mark('user', floor(420 * pow(pg_temp.dice(i, 201), 1.8))::bigint) AS user_id,
       (199 + floor(pow(pg_temp.dice(i, 202), 2) * 60000))::bigint AS amount,
       CASE WHEN at > now() - interval '2 minutes' AND pg_temp.dice(i, 203) < 0.7 THEN 'started'
            WHEN at < now() - interval '20 minutes' AND pg_temp.dice(i, 203) < 0.002 THEN 'started'
            WHEN pg_temp.dice(i, 204) < 0.035 THEN 'failed'
            ELSE 'completed' END::seed002.idempotency_status AS status
  FROM pg_temp.moments(30000, 200);

INSERT INTO seed002.idempotency_keys
    (idempotency_key, status, user_id, response_code, response_body, created_at, updated_at, locked_at)
SELECT CASE WHEN i % 4 = 0 THEN 'order-' || (200000 + i) || '-charge' ELSE pg_temp.mark('002-key', i)::text END,
       status, user_id,
       CASE status WHEN 'completed' THEN 201 WHEN 'failed' THEN (ARRAY[402, 402, 500, 409])[1 + i % 4] END,
       CASE status WHEN 'completed' THEN jsonb_build_object('id', 'ch_' || left(md5('charge' || i), 24), 'amount', amount, 'currency', 'eur')
                   WHEN 'failed' THEN jsonb_build_object('error', (ARRAY['card_declined', 'insufficient_funds', 'internal', 'conflict'])[1 + i % 4]) END,
       at, CASE WHEN status = 'started' THEN at ELSE least(at + pg_temp.dice(i, 205) * interval '4 seconds', now()) END,
       CASE WHEN status = 'started' THEN at END
  FROM charge WHERE i % 10 < 7;
INSERT INTO seed002.charges (id, user_id, amount)
SELECT 'ch_' || left(md5('charge' || i), 24), user_id, amount FROM charge WHERE status = 'completed';
-- Started just now, and one service that stopped in the middle of its work.
INSERT INTO seed002.idempotency_keys (idempotency_key, status, user_id, created_at, updated_at, locked_at)
SELECT pg_temp.mark('002-now', n)::text, 'started'::seed002.idempotency_status, pg_temp.mark('user', n), moment, moment, moment
  FROM (SELECT n, now() - n * interval '17 seconds' AS moment FROM generate_series(1, 8) AS n) AS fresh
UNION ALL
SELECT 'order-9' || lpad(n::text, 5, '0') || '-charge', 'started', pg_temp.mark('user', n % 5), moment, moment, moment
  FROM (SELECT n, now() - interval '95 minutes' - n * interval '3 seconds' AS moment FROM generate_series(1, 16) AS n) AS dead;

SELECT seed002.ensure_daily_partitions((now() AT TIME ZONE 'UTC')::date - 31, (now() AT TIME ZONE 'UTC')::date + 3);
INSERT INTO seed002.idempotency_keys_partitioned
    (idempotency_key, status, user_id, response_code, response_body, created_at, updated_at, locked_at)
SELECT pg_temp.mark('002-part', i)::text, status, user_id,
       CASE status WHEN 'completed' THEN 201 WHEN 'failed' THEN 402 END,
       CASE status WHEN 'completed' THEN jsonb_build_object('id', 'ch_' || left(md5('charge' || i), 24), 'amount', amount)
                   WHEN 'failed' THEN jsonb_build_object('error', 'card_declined') END,
       at, at, CASE WHEN status = 'started' THEN at END
  FROM charge WHERE i % 10 >= 7
UNION ALL
-- A key that came back on another day: the partition key lets it in a second time.
SELECT pg_temp.mark('002-part', i)::text, 'completed'::seed002.idempotency_status, user_id, 201,
       jsonb_build_object('id', 'ch_' || left(md5('charge again' || i), 24), 'amount', amount), at + interval '1 day', at + interval '1 day', NULL
  FROM charge WHERE i % 10 >= 7 AND i % 1009 = 7 AND at < now() - interval '1 day'
UNION ALL
SELECT 'late-' || n, 'started', pg_temp.mark('user', n), NULL, NULL, moment, moment, moment
  FROM (SELECT n, now() - n * interval '31 minutes' AS moment FROM generate_series(1, 9) AS n) AS dead
UNION ALL
SELECT 'fresh-' || n, 'started', pg_temp.mark('user', n), NULL, NULL, moment, moment, moment
  FROM (SELECT n, now() - n * interval '19 seconds' AS moment FROM generate_series(1, 4) AS n) AS alive;

SELECT pg_temp.analyse('seed002');
