-- SPDX-License-Identifier: GPL-3.0-or-later
-- Payments of six tenants. Nobody cleans the first table; the second is cleaned after three days.
INSERT INTO seed000.idempotency_keys
    (id, tenant_id, idempotency_key, status, response_payload, created_at, expires_at)
SELECT pg_temp.mark('000-row', i), pg_temp.mark('tenant', floor(6 * pow(pg_temp.dice(i, 1), 2.2))::bigint),
       CASE WHEN pg_temp.dice(i, 2) < 0.7 THEN pg_temp.mark('000-key', i)::text
            ELSE 'pay-' || to_char(at, 'YYYYMMDD') || '-' || lpad(i::text, 6, '0') END,
       status,
       CASE status
           WHEN 'completed' THEN jsonb_build_object(
               'id', 'ch_' || left(md5('000' || i), 20), 'status', 'captured', 'currency', 'EUR',
               'amount', (500 + floor(pg_temp.dice(i, 3) * 25000))::numeric / 100)
           WHEN 'failed' THEN jsonb_build_object('error', jsonb_build_object(
               'code', pg_temp.pick('{card_declined,insufficient_funds,expired_card,gateway_timeout}', pg_temp.dice(i, 4)),
               'message', 'The issuer did not approve the payment.'))
       END,
       at, at + interval '24 hours'
  FROM (SELECT i, at,
               CASE WHEN at > now() - interval '3 minutes' AND pg_temp.dice(i, 5) < 0.6 THEN 'pending'
                    WHEN at < now() - interval '20 minutes' AND pg_temp.dice(i, 5) < 0.0035 THEN 'pending'
                    WHEN pg_temp.dice(i, 6) < 0.024 THEN 'failed'
                    ELSE 'completed' END AS status
          FROM pg_temp.moments(12000, 10)) AS request;
-- Whatever the hour, somebody is paying just now, and one worker died a while ago.
INSERT INTO seed000.idempotency_keys (id, tenant_id, idempotency_key, status, created_at, expires_at)
SELECT pg_temp.mark('000-now', n), pg_temp.mark('tenant', n % 3), pg_temp.mark('000-now-key', n)::text, 'pending',
       now() - n * interval '23 seconds', now() - n * interval '23 seconds' + interval '24 hours'
  FROM generate_series(1, 6) AS n
UNION ALL
SELECT pg_temp.mark('000-dead', n), pg_temp.mark('tenant', 1), 'pay-retry-' || lpad(n::text, 4, '0'), 'pending',
       now() - interval '2 hours 10 minutes' - n * interval '4 seconds', now() + interval '21 hours'
  FROM generate_series(1, 14) AS n;

INSERT INTO seed000.idempotency_keys_heartbeat
    (id, tenant_id, idempotency_key, status, response_payload, created_at, expires_at, last_heartbeat_at)
SELECT pg_temp.mark('000h-row', i), pg_temp.mark('tenant', floor(6 * pow(pg_temp.dice(i, 11), 2.2))::bigint),
       'export-' || left(md5('000h' || i), 12), status,
       CASE status WHEN 'completed' THEN jsonb_build_object('file', 'export-' || i || '.csv', 'rows', 100 + i % 9000)
                   WHEN 'failed' THEN jsonb_build_object('error', jsonb_build_object('code', 'storage_full')) END,
       at, at + interval '3 days',
       CASE WHEN pg_temp.dice(i, 12) < 0.02 THEN NULL
            WHEN status = 'pending' AND at > now() - interval '6 minutes' THEN now() - pg_temp.dice(i, 13) * interval '15 seconds'
            ELSE least(at + (5 + pg_temp.dice(i, 13) * 200) * interval '1 second', now()) END
  FROM (SELECT i, at,
               CASE WHEN at > now() - interval '6 minutes' AND pg_temp.dice(i, 14) < 0.7 THEN 'pending'
                    WHEN at < now() - interval '20 minutes' AND pg_temp.dice(i, 14) < 0.008 THEN 'pending'
                    WHEN pg_temp.dice(i, 15) < 0.03 THEN 'failed'
                    ELSE 'completed' END AS status
          FROM pg_temp.moments(24000, 20)) AS request
 WHERE at > now() - interval '6 days';
-- Long exports that run, and two whose worker has been silent for long.
INSERT INTO seed000.idempotency_keys_heartbeat
    (id, tenant_id, idempotency_key, status, created_at, expires_at, last_heartbeat_at)
SELECT pg_temp.mark('000h-now', n), pg_temp.mark('tenant', n % 4), 'export-night-' || n, 'pending',
       now() - n * interval '11 minutes', now() + interval '3 days', now() - n * interval '2 seconds'
  FROM generate_series(1, 5) AS n
UNION ALL
SELECT pg_temp.mark('000h-dead', n), pg_temp.mark('tenant', 2), 'export-month-' || n, 'pending',
       now() - n * interval '3 hours', now() + interval '2 days', now() - n * interval '95 minutes'
  FROM generate_series(1, 2) AS n;

SELECT pg_temp.analyse('seed000');
