-- SPDX-License-Identifier: GPL-3.0-or-later
-- What the Redis in front of app.idempotency_request holds: an entry of every key of the last day, with what is left of
-- its 24 hours, and each way in which a cache and its table come to disagree. A row an entry: its name, whether it is a
-- text or a hash, its value, and its time to live in milliseconds; NULL: it never expires.
WITH recent AS (
    SELECT r.idempotency_scope || ':' || r.idempotency_key AS place, r.status::text AS status, r.updated_at,
           row_number() OVER (PARTITION BY r.status ORDER BY r.created_at DESC, r.idempotency_key) AS n, r.created_at
      FROM app.idempotency_request r
     WHERE r.created_at > now() - interval '23 hours' OR r.status = 'processing'
), said AS (
    SELECT place,
           CASE WHEN status = 'succeeded' AND n % 400 = 50 THEN 'hash' ELSE 'text' END AS kind,
           CASE -- Retries are held off though the work is done.
                WHEN status = 'succeeded' AND n BETWEEN 300 AND 305 THEN 'processing'
                -- A retry is told that it succeeded, and the table knows that it did not.
                WHEN status = 'failed_final' AND n BETWEEN 3 AND 5 THEN 'succeeded'
                WHEN status = 'succeeded' AND n BETWEEN 320 AND 321 THEN 'ok'
                ELSE status END AS value,
           CASE WHEN status = 'succeeded' AND n BETWEEN 330 AND 332 THEN NULL
                WHEN status = 'succeeded' AND n BETWEEN 340 AND 343 THEN interval '40 hours'
                WHEN status = 'succeeded' AND n BETWEEN 350 AND 354 THEN interval '35 minutes'
                WHEN status = 'processing' THEN interval '23 hours' - n % 240 * interval '23 seconds'
                -- A job wrote them again at once, so they go in one minute.
                WHEN status = 'succeeded' AND n BETWEEN 401 AND 700
                THEN date_trunc('minute', now()) + interval '22 hours 30 minutes 20 seconds' - now()
                ELSE greatest(updated_at + interval '24 hours' - now(), interval '2 minutes') END AS ttl
      FROM recent
     WHERE NOT (status = 'processing' AND n % 7 = 3) -- their next retry goes to the database
    UNION ALL
    SELECT 'create_order:never-stored-' || n, 'text', 'processing', interval '20 hours' FROM generate_series(1, 4) n
    UNION ALL -- a key and a scope that hold the text between them: one entry answers for both
    SELECT DISTINCT r.idempotency_scope || ':' || r.idempotency_key, 'text', 'succeeded', interval '23 hours'
      FROM app.idempotency_request r WHERE r.idempotency_scope = 'import_partner_order:acme'
)
SELECT 'idempotency:' || place, kind, value, (extract(epoch FROM ttl) * 1000)::bigint FROM said
