-- SPDX-License-Identifier: GPL-3.0-or-later
-- What a provider of charges would send about the last day of seed002.idempotency_keys, as CSV, a line a row. It agrees
-- with most keys, and differs in every way that a statement can.
WITH recent AS (
    SELECT k.idempotency_key AS reference, k.status::text, k.response_body ->> 'amount' AS cents, k.created_at AS at,
           row_number() OVER (PARTITION BY k.status ORDER BY k.created_at DESC, k.idempotency_key) AS n
      FROM seed002.idempotency_keys k WHERE k.created_at BETWEEN now() - interval '1 day' AND now() - interval '1 minute'
), charged AS (
    SELECT r.reference, r.n, r.at + interval '1 second' AS at, 'succeeded' AS state, r.cents::bigint AS cents,
           CASE r.n % 97 WHEN 5 THEN 100 ELSE 0 END AS more, CASE r.n % 97 WHEN 11 THEN 'usd' ELSE 'eur' END AS currency
      FROM recent r WHERE r.status = 'completed' AND r.cents IS NOT NULL AND r.n % 97 <> 23 -- which the provider lost
), lines AS (
    SELECT c.reference, c.cents + c.more AS cents, c.currency, c.at, c.state FROM charged c
    UNION ALL -- charged twice
    SELECT c.reference, c.cents, 'eur', c.at + interval '2 seconds', c.state FROM charged c WHERE c.n % 97 = 17
    UNION ALL -- what the service refused was refused here; and what it never finished happened, or did not
    SELECT r.reference, 4200, 'eur', r.at + interval '1 second',
           CASE WHEN r.status = 'failed' OR r.n % 4 = 1 THEN 'declined' ELSE 'succeeded' END
      FROM recent r WHERE r.status = 'failed' OR (r.status = 'started' AND r.n % 4 < 3)
    UNION ALL -- what nobody here knows of
    SELECT 'order-lost-' || n, 1990 + n, 'eur', now() - n * interval '3 hours', 'succeeded' FROM generate_series(1, 3) n
    UNION ALL
    SELECT 'fee-' || to_char(now(), 'YYYYMMDD'), 150, 'eur', now(), 'fee'
)
SELECT 'Merchant reference,Cents,Currency,Created,Status' AS line, 0 AS place
UNION ALL
SELECT format('"%s",%s,%s,%s,%s', replace(l.reference, '"', '""'), l.cents, l.currency,
           to_char(l.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.USZ'), l.state),
       row_number() OVER (ORDER BY l.at, l.reference, l.cents)
  FROM lines l
 ORDER BY place
