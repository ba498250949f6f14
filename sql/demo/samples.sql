-- SPDX-License-Identifier: GPL-3.0-or-later
-- What samples of the past month would have said of the tables in the schemas that demo.schemas names: as they are now,
-- over a day's rhythm with some noise. Hours for ten days of every target and a month of the largest; minutes for the
-- last hour and a half.
SET LOCAL ROLE idemdesk_owner;
SET LOCAL TimeZone = 'UTC';

-- What depends on the moment alone, and what on the series alone, is reckoned once for each.
CREATE TEMPORARY TABLE span ON COMMIT DROP AS
SELECT resolution, at, samples, extract(epoch FROM at)::bigint AS second, extract(epoch FROM now() - at)::float8 AS age,
       0.55 + 0.35 * sin(2 * pi() * (extract(hour FROM at)::float8 - 8) / 24) AS rhythm
  FROM (SELECT 'hour' AS resolution, h AS at, 60 AS samples
          FROM pg_catalog.generate_series(date_trunc('hour', now()) - interval '30 days',
                                          date_trunc('hour', now()) - interval '2 hours', interval '1 hour') h
         UNION ALL
        SELECT 'minute', m, 1
          FROM pg_catalog.generate_series(date_trunc('hour', now()) - interval '1 hour',
                                          date_trunc('minute', now()) - interval '1 minute', interval '1 minute') m) AS moment;

-- Where each user is a scope there are hundreds: of the past, those beyond the seven largest are one, named '-', as a
-- sample has it beyond a hundred.
CREATE TEMPORARY TABLE level ON COMMIT DROP AS
WITH sampled AS (
    SELECT s.target, s.relation, s.metric, s.scope, s.value,
           -- The first is the whole table.
           dense_rank() OVER (PARTITION BY s.target ORDER BY s.size DESC NULLS FIRST, s.scope) > 8 AS small
      FROM (SELECT s.*, sum(s.value) FILTER (WHERE s.metric IN (
                       'pending', 'in_progress', 'succeeded', 'failed_retryable', 'failed_final', 'unknown'))
                            OVER (PARTITION BY s.target, s.scope) AS size
              FROM idemdesk.sample s
              JOIN pg_catalog.pg_class c ON c.oid = s.relation
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
             WHERE s.resolution = 'minute'
               AND n.nspname = ANY (string_to_array(current_setting('demo.schemas'), ','))) s
)
SELECT l.target, l.relation, l.metric, l.scope, hashtextextended(l.target || l.metric || l.scope, 7) AS seed,
       -- A last minute in which nothing happened is no measure of the month.
       CASE WHEN l.metric IN ('claims', 'completions') THEN greatest(l.value, 1.5)
            WHEN l.metric IN ('retries', 'retried_keys') THEN greatest(l.value, 0.3)
            WHEN l.metric LIKE 'failures%' THEN greatest(l.value, 0.05) ELSE l.value END AS value
  FROM (SELECT s.target, s.relation, s.metric, CASE WHEN s.small THEN '-' ELSE s.scope END AS scope,
               CASE WHEN s.metric LIKE 'oldest%' THEN max(s.value) ELSE sum(s.value) END AS value
          FROM sampled s
         WHERE s.metric IN ('stale', 'oldest_stale', 'in_progress', 'claims', 'completions', 'retries', 'retried_keys',
               'failures_retryable', 'failures_final',
               'backlog', 'oldest_backlog', 'dead', 'expired', 'size', 'lock_waits', 'lock_wait', 'pending', 'succeeded',
               'failed_retryable', 'failed_final', 'unknown')
         GROUP BY 1, 2, 3, 4) l;

INSERT INTO idemdesk.sample_run (target, bucket_start, taken_by, relation)
SELECT DISTINCT l.target, s.at, 'demo_operator', l.relation FROM level l CROSS JOIN span s WHERE s.resolution =
    'minute' ON CONFLICT DO NOTHING;

INSERT INTO idemdesk.sample (resolution, bucket_start, target, metric, scope, value, lowest, highest, samples, relation)
SELECT x.resolution, x.at, x.target, x.metric, x.scope, x.v,
       CASE WHEN x.metric LIKE 'oldest%' THEN x.v ELSE 0.8 * x.v END,
       CASE WHEN x.metric LIKE 'oldest%' THEN x.v ELSE 1.2 * x.v END, x.samples, x.relation
  FROM (SELECT s.resolution, s.at, s.samples, l.target, l.relation, l.metric, l.scope,
               CASE WHEN l.metric IN ('size', 'expired', 'succeeded', 'failed_final')
                    THEN l.value * (1 - 0.3 * s.age / 2592000)
                    WHEN l.metric LIKE 'oldest%' THEN greatest(0, l.value - s.age)
                    -- What a visitor finds changed: orders are tried again and again since a while.
                    WHEN l.target = 'plpgsql-request' AND l.metric IN ('retries', 'failures_retryable')
                         AND l.scope = '["create_order"]' AND s.age < 1500 THEN 4 * l.value
                    ELSE l.value * (s.rhythm + 0.3 * abs(hashint8extended(s.second, l.seed) % 1000) / 1000) END AS v
          FROM level l CROSS JOIN span s
         WHERE s.resolution = 'minute'
            OR l.metric NOT IN ('pending', 'succeeded', 'failed_retryable', 'failed_final', 'unknown')
               AND (s.at > now() - interval '10 days' OR l.target = 'plpgsql-request')
         ORDER BY s.resolution, l.target, l.metric, s.at, l.scope
        OFFSET 0) x
ON CONFLICT DO NOTHING;
-- For how long sessions had waited for a lock whenever a sample looked: by upper bound in seconds, and in all.
INSERT INTO idemdesk.counter_total (target, relation, metric, bound, value)
SELECT t.name, t.relation, w.metric, w.bound, CASE t.name WHEN 'plpgsql-request' THEN w.n ELSE ceil(w.n / 9.0) END
  FROM idemdesk.target t
 CROSS JOIN (VALUES ('lock_wait', 0.05, 214), ('lock_wait', 0.25, 61), ('lock_wait', 1, 17), ('lock_wait', 5, 4),
                    ('lock_wait', 30, 1), ('lock_wait_sum', 0, 46.2)) AS w (metric, bound, n)
 WHERE t.name IN ('plpgsql-request', 'command-request') AND t.relation IN (SELECT l.relation FROM level l)
ON CONFLICT DO NOTHING;
RESET ROLE;
