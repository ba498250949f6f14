-- SPDX-License-Identifier: GPL-3.0-or-later
-- Trends: samples of how things are, taken by a console, by cron or by pg_cron, and counters that services report.
SET LOCAL ROLE idemdesk_owner;

-- Who sampled which minute first: only that one's numbers are kept, and a minute without a row was not sampled.
CREATE TABLE idemdesk.sample_run (
    target       text NOT NULL,
    bucket_start timestamptz NOT NULL,
    taken_by     text NOT NULL DEFAULT session_user,
    relation     oid NOT NULL DEFAULT 0, -- as in a sample
    PRIMARY KEY (target, bucket_start, relation)
);

-- Who said how the cache in front of it was. That is this login's word, so it is known whose.
CREATE TABLE idemdesk.cache_sample_run (LIKE idemdesk.sample_run INCLUDING ALL);

CREATE TABLE idemdesk.sample (
    resolution   text NOT NULL CHECK (resolution IN ('minute', 'hour', 'day')),
    bucket_start timestamptz NOT NULL,
    target       text NOT NULL,
    metric       text NOT NULL,
    scope        text NOT NULL,             -- JSON list of its parts
    value        double precision NOT NULL, -- of an hour or day: the mean of its samples
    lowest       double precision NOT NULL,
    highest      double precision NOT NULL,
    samples      bigint NOT NULL,
    relation     oid NOT NULL DEFAULT 0,    -- what was counted; another table of its name has none of it. 0: by hand
    PRIMARY KEY (resolution, target, metric, bucket_start, scope, relation)
) PARTITION BY LIST (resolution);
CREATE TABLE idemdesk.sample_minute PARTITION OF idemdesk.sample FOR VALUES IN ('minute') PARTITION BY RANGE (bucket_start);
CREATE TABLE idemdesk.sample_hour PARTITION OF idemdesk.sample FOR VALUES IN ('hour') PARTITION BY RANGE (bucket_start);
CREATE TABLE idemdesk.sample_day PARTITION OF idemdesk.sample FOR VALUES IN ('day');

-- The last value of a counter that only grows, or begins again at 0: what happened since is the difference.
CREATE TABLE idemdesk.counter_seen (
    target text NOT NULL,
    metric text NOT NULL,
    at     timestamptz NOT NULL,
    value  double precision NOT NULL,
    relation oid NOT NULL DEFAULT 0,
    PRIMARY KEY (target, metric, relation)
);

-- Counters of services. A slot for each of 16 groups of sessions, so that they seldom wait for each other.
CREATE TABLE idemdesk.event (
    bucket_start timestamptz NOT NULL,
    kind         text NOT NULL,
    scope        text NOT NULL,
    slot         smallint NOT NULL,
    n            bigint NOT NULL,
    timed        bigint NOT NULL,           -- how many came with a duration
    milliseconds double precision NOT NULL, -- of those together
    longest      double precision,
    bins         jsonb NOT NULL DEFAULT '{}', -- how many durations by the bound of their bin, see _latency_bin()
    PRIMARY KEY (kind, bucket_start, scope, slot)
) PARTITION BY RANGE (bucket_start);

-- What was counted of each kind since this schema is here, as far as it was moved to idemdesk.event. It only grows,
-- whatever goes of the rows: that is what a counter is.
CREATE TABLE idemdesk.event_total (
    kind         text PRIMARY KEY,          -- '-': of those beyond the first 200
    n            numeric NOT NULL,
    timed        numeric NOT NULL,
    milliseconds double precision NOT NULL,
    bins         jsonb NOT NULL
);

-- What samples counted since this schema is here: what happened in the minutes that were sampled, and for how long
-- sessions had waited for a lock whenever it was looked. It only grows.
CREATE TABLE idemdesk.counter_total (
    target   text NOT NULL,
    relation oid NOT NULL,
    metric   text NOT NULL,
    bound    numeric NOT NULL DEFAULT 0,    -- of lock waits: at most so many seconds; 'Infinity': longer than all bounds
    value    numeric NOT NULL,
    PRIMARY KEY (target, relation, metric, bound)
);

-- A partition of a day or a month in UTC, made when it is first needed.
CREATE FUNCTION idemdesk._ensure_span(p_parent text, p_unit text, p_at timestamptz) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET TimeZone = 'UTC'
AS $fn$
DECLARE
    v_from timestamptz := date_trunc(p_unit, p_at, 'UTC');
    v_to   timestamptz := (date_trunc(p_unit, p_at AT TIME ZONE 'UTC') + ('1 ' || p_unit)::interval) AT TIME ZONE 'UTC';
    v_name text := p_parent || '_' || to_char(v_from AT TIME ZONE 'UTC', 'YYYYMMDD');
BEGIN
    IF to_regclass(format('idemdesk.%I', v_name)) IS NOT NULL THEN
        RETURN;
    END IF;
    PERFORM idemdesk._require_quiet();
    -- A row that only the console reaches, for an advisory lock could be held by anybody. Attaching waits for no reader of the
    -- other partitions; making it as a partition would.
    PERFORM FROM idemdesk.installation FOR UPDATE;
    IF EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = 'idemdesk'::regnamespace AND c.relname = v_name) THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE idemdesk.%I (LIKE idemdesk.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', v_name, p_parent);
    EXECUTE format('ALTER TABLE idemdesk.%I ATTACH PARTITION idemdesk.%I FOR VALUES FROM (%L) TO (%L)', p_parent, v_name, v_from, v_to);
END
$fn$;

-- The last minutes of it. Services write here alone: no lock that a sampler or maintain() holds is in their way.
CREATE TABLE idemdesk.event_now (LIKE idemdesk.event INCLUDING ALL);

-- The bin of a duration, by its upper bound in milliseconds: the next number of two decimal digits, from 0.001 to
-- 1000000000. The middle of a bin is within 5 % of each duration in it, and a limit of two digits (50, 150) is a bound,
-- so that what lies above it is counted exactly. Adding the counts of bins is exact, too.
CREATE FUNCTION idemdesk._latency_bin(p_ms double precision) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN x.ms <= 0.001 THEN 0.001 ELSE trim_scale(ceil(x.ms / x.step) * x.step) END
      FROM (SELECT p_ms::numeric AS ms, CASE WHEN p_ms > 0.001 THEN power(10::numeric, floor(log(p_ms::numeric)) - 1) ELSE 1 END AS step) x
$fn$;

-- The bins of both together.
CREATE FUNCTION idemdesk._merged_bins(p_a jsonb, p_b jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(jsonb_object_agg(b.key, b.n), '{}')
      FROM (SELECT x.key, sum(x.value::numeric) AS n
              FROM (SELECT * FROM jsonb_each_text(p_a) UNION ALL SELECT * FROM jsonb_each_text(p_b)) x GROUP BY x.key) b
$fn$;

-- Counts something a service saw: a replay served, a cache hit, how long a check took. Never raises to its caller, and
-- hardly waits. Its row stays locked until the caller's transaction ends, so call it on its own; that transaction can't
-- be prepared, as nobody else would end what it holds. A duration that is none, or longer than eleven days, is not
-- counted, and one call counts for 1,000,000,000 at most: no report makes the sums of all others fail.
CREATE FUNCTION idemdesk.record_event(p_kind text, p_scope text DEFAULT '', p_n bigint DEFAULT 1,
    p_milliseconds double precision DEFAULT NULL) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '50ms'
AS $fn$
DECLARE
    c_at CONSTANT timestamptz := date_trunc('minute', clock_timestamp());
    c_most CONSTANT bigint := 1000000000;
    v_ms double precision := CASE WHEN p_milliseconds >= 0 AND p_milliseconds <= c_most THEN p_milliseconds END;
    v_slot smallint := pg_backend_pid() % 16;
    v_bin text;
BEGIN
    IF coalesce(p_kind, '') = '' OR coalesce(p_n, 0) <= 0 THEN
        RETURN;
    END IF;
    IF v_ms IS NULL AND p_milliseconds IS NOT NULL THEN
        RAISE WARNING 'A duration of % ms is not counted; it is from 0 to %.', p_milliseconds, c_most;
    END IF;
    p_n := least(p_n, c_most);
    v_bin := idemdesk._latency_bin(v_ms)::text;
    PERFORM idemdesk._never_prepare();
    FOR v_try IN 1 .. 2 LOOP
        BEGIN
            INSERT INTO idemdesk.event_now AS e (bucket_start, kind, scope, slot, n, timed, milliseconds, longest, bins)
            VALUES (c_at, left(p_kind, 100), left(coalesce(p_scope, ''), 200), v_slot, p_n,
                CASE WHEN v_ms IS NULL THEN 0 ELSE p_n END, coalesce(v_ms, 0), v_ms,
                CASE WHEN v_bin IS NULL THEN '{}' ELSE jsonb_build_object(v_bin, p_n) END)
            ON CONFLICT (kind, bucket_start, scope, slot) DO UPDATE
               SET n = e.n + excluded.n, timed = e.timed + excluded.timed,
                   milliseconds = e.milliseconds + excluded.milliseconds, longest = greatest(e.longest, excluded.longest),
                   bins = CASE WHEN v_bin IS NULL THEN e.bins ELSE e.bins
                       || jsonb_build_object(v_bin, coalesce((e.bins ->> v_bin)::numeric, 0) + p_n) END;
            RETURN;
        EXCEPTION WHEN lock_not_available THEN
            v_slot := 16 + pg_backend_pid() % 32000; -- somebody sits on that row: one of its own
        END;
    END LOOP;
EXCEPTION WHEN OTHERS THEN
    NULL; -- a number less is better than a service that fails
END
$fn$;

-- Kinds of events that mean something to the console; services may count others.
CREATE FUNCTION idemdesk.known_kinds() RETURNS text[]
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT ARRAY['check', 'replay', 'conflict', 'violation', 'cache_hit', 'cache_miss', 'outbox_replay']
$fn$;

-- Moves what services counted to the day that it belongs to, once no service adds to it any more.
CREATE FUNCTION idemdesk._fold_events() RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_end CONSTANT timestamptz := date_trunc('minute', clock_timestamp()) - interval '5 minutes';
BEGIN
    PERFORM idemdesk._ensure_span('event', 'day', d.at)
       FROM (SELECT DISTINCT date_trunc('day', e.bucket_start, 'UTC') FROM idemdesk.event_now e WHERE e.bucket_start < c_end) AS d (at);
    WITH moved AS (
        DELETE FROM idemdesk.event_now e WHERE e.ctid = ANY (ARRAY(
            SELECT o.ctid FROM idemdesk.event_now o WHERE o.bucket_start < c_end FOR UPDATE SKIP LOCKED)) RETURNING e.*),
    -- Whoever reports may call a kind what he likes, and each is a line of every scrape for good.
    named AS (
        SELECT k.kind, CASE WHEN k.kept OR k.place <= 200 - (SELECT count(*) FROM idemdesk.event_total)
                            THEN k.kind ELSE '-' END AS name
          FROM (SELECT d.kind, d.kept, row_number() OVER (PARTITION BY d.kept ORDER BY d.kind) AS place
                  FROM (SELECT DISTINCT m.kind, m.kind = ANY (idemdesk.known_kinds())
                               OR EXISTS (SELECT FROM idemdesk.event_total t WHERE t.kind = m.kind) AS kept
                          FROM moved m) d) k),
    bin AS (
        SELECT x.name, jsonb_object_agg(x.key, x.n) AS bins
          FROM (SELECT k.name, b.key, sum(b.value::numeric) AS n
                  FROM moved m JOIN named k ON k.kind = m.kind CROSS JOIN LATERAL jsonb_each_text(m.bins) b
                 GROUP BY 1, 2) x GROUP BY 1),
    told AS (
        INSERT INTO idemdesk.event_total AS t (kind, n, timed, milliseconds, bins)
        SELECT k.name, sum(least(m.n, 1000000000000000)), sum(least(m.timed, 1000000000000000)),
               sum(least(m.milliseconds, 1e15)), coalesce((SELECT b.bins FROM bin b WHERE b.name = k.name), '{}')
          FROM moved m JOIN named k ON k.kind = m.kind GROUP BY k.name ORDER BY k.name
        ON CONFLICT (kind) DO UPDATE
           SET n = t.n + excluded.n, timed = t.timed + excluded.timed,
               milliseconds = least(t.milliseconds + excluded.milliseconds, 1e300),
               bins = idemdesk._merged_bins(t.bins, excluded.bins))
    INSERT INTO idemdesk.event AS e SELECT m.* FROM moved m
    ON CONFLICT (kind, bucket_start, scope, slot) DO UPDATE
       SET n = least(e.n, 1000000000000000) + least(excluded.n, 1000000000000000),
           timed = least(e.timed, 1000000000000000) + least(excluded.timed, 1000000000000000),
           milliseconds = least(e.milliseconds, 1e15) + least(excluded.milliseconds, 1e15),
           longest = greatest(e.longest, excluded.longest), bins = idemdesk._merged_bins(e.bins, excluded.bins);
END
$fn$;

-- Takes the minute for this caller; false where somebody has it already.
CREATE FUNCTION idemdesk._claim_sample(p_target text, p_relation oid, p_at timestamptz) RETURNS boolean
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    INSERT INTO idemdesk.sample_run (target, bucket_start, relation) VALUES (p_target, p_at, p_relation) ON CONFLICT
        DO NOTHING;
    RETURN FOUND;
END
$fn$;

-- Adds [metric, bound, value] to the counters of a table.
CREATE FUNCTION idemdesk._count_on(p_target text, p_relation oid, p_rows jsonb) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, pg_temp
AS $fn$
    INSERT INTO idemdesk.counter_total AS c (target, relation, metric, bound, value)
    SELECT p_target, p_relation, r ->> 0, (r ->> 1)::numeric, (r ->> 2)::numeric
      FROM jsonb_array_elements(coalesce(p_rows, '[]')) r ORDER BY 3, 4
    ON CONFLICT (target, relation, metric, bound) DO UPDATE SET value = c.value + excluded.value
$fn$;

-- Rows of p_rows are [metric, scope, value], or [metric, scope, value, true] for a counter, which is stored as what
-- happened in a minute.
CREATE FUNCTION idemdesk._store_samples(p_target text, p_relation oid, p_at timestamptz, p_rows jsonb) RETURNS bigint
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_count bigint;
    v_row   record;
    v_seen  idemdesk.counter_seen;
    v_rows  jsonb;
BEGIN
    PERFORM idemdesk._ensure_span('sample_minute', 'day', p_at);
    v_rows := coalesce((SELECT jsonb_agg(r) FROM jsonb_array_elements(p_rows) r WHERE r -> 3 IS NULL), '[]');
    FOR v_row IN SELECT r ->> 0 AS metric, (r ->> 2)::float8 AS value FROM jsonb_array_elements(p_rows) r WHERE r -> 3 IS NOT NULL AND r ->> 2 IS NOT NULL LOOP
        SELECT c.* INTO v_seen FROM idemdesk.counter_seen c
         WHERE c.target = p_target AND c.metric = v_row.metric AND c.relation = p_relation;
        -- After an hour's pause nobody can say in which minute it happened.
        IF v_seen.at IS NOT NULL AND p_at > v_seen.at AND p_at - v_seen.at <= interval '1 hour' THEN
            v_rows := v_rows || jsonb_build_array(jsonb_build_array(v_row.metric, '[]',
                (v_row.value - CASE WHEN v_row.value < v_seen.value THEN 0 ELSE v_seen.value END) / greatest(extract(epoch FROM p_at - v_seen.at) / 60, 1)));
        END IF;
        INSERT INTO idemdesk.counter_seen (target, metric, at, value, relation)
        VALUES (p_target, v_row.metric, p_at, v_row.value, p_relation)
        ON CONFLICT (target, metric, relation) DO UPDATE SET at = excluded.at, value = excluded.value;
    END LOOP;
    INSERT INTO idemdesk.sample (resolution, bucket_start, target, metric, scope, value, lowest, highest, samples,
        relation)
    -- Cut to what leaves the sums of hours and days finite; what is no number is not stored.
    SELECT 'minute', p_at, p_target, left(r ->> 0, 100), left(r ->> 1, 1000), v.value, v.value, v.value, 1, p_relation
      FROM jsonb_array_elements(v_rows) r
     CROSS JOIN LATERAL (SELECT least(greatest((r ->> 2)::float8, -1e15), 1e15) AS value) v
     WHERE r ->> 2 IS NOT NULL AND (r ->> 2)::float8 <> 'NaN'
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    PERFORM idemdesk._count_on(p_target, p_relation, (SELECT jsonb_agg(jsonb_build_array(x.metric, 0, x.value))
        FROM (SELECT r ->> 0 AS metric, sum(least((r ->> 2)::float8, 1e15)) AS value FROM jsonb_array_elements(v_rows) r
               WHERE r ->> 0 = ANY (ARRAY['claims', 'retries', 'retried_keys', 'completions', 'failures_retryable',
                         'failures_final']) AND (r ->> 2)::float8 >= 0 AND (r ->> 2)::float8 <> 'NaN' GROUP BY 1) x));
    RETURN v_count;
END
$fn$;

-- Minutes into hours, hours into days, of spans that ended a while ago.
CREATE FUNCTION idemdesk._roll_up(p_from text, p_to text) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET TimeZone = 'UTC'
AS $fn$
DECLARE
    c_end  CONSTANT timestamptz := date_trunc(p_to, now() - interval '5 minutes', 'UTC');
    v_at   timestamptz;
BEGIN
    FOR v_at IN
        SELECT DISTINCT date_trunc(p_to, s.bucket_start, 'UTC') FROM idemdesk.sample s
         WHERE s.resolution = p_from AND s.bucket_start < c_end
           AND s.bucket_start >= coalesce((SELECT max(d.bucket_start) FROM idemdesk.sample d WHERE d.resolution = p_to), '-infinity')
    LOOP
        IF p_to = 'hour' THEN
            PERFORM idemdesk._ensure_span('sample_hour', 'month', v_at);
        END IF;
        INSERT INTO idemdesk.sample (resolution, bucket_start, target, metric, scope, value, lowest, highest,
            samples, relation)
        SELECT p_to, v_at, s.target, s.metric, s.scope, sum(s.value * s.samples) / sum(s.samples), min(s.lowest),
               max(s.highest), sum(s.samples), s.relation
          FROM idemdesk.sample s
         WHERE s.resolution = p_from AND s.bucket_start >= v_at AND s.bucket_start < v_at + ('1 ' || p_to)::interval
         GROUP BY s.target, s.metric, s.scope, s.relation
        ON CONFLICT DO NOTHING;
    END LOOP;
END
$fn$;

-- Writes down that sampling by pg_cron was set up or ended; in the transaction that does so.
CREATE FUNCTION idemdesk.note_schedule(p_on boolean, p_job text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_caller text;
    v_seq    bigint;
BEGIN
    GET DIAGNOSTICS v_caller = PG_CONTEXT;
    PERFORM idemdesk._enter('idemdesk_operator', v_caller, 'note_schedule');
    PERFORM idemdesk._require_guard();
    v_seq := idemdesk._chain(CASE WHEN p_on THEN 'schedule' ELSE 'unschedule' END, NULL, NULL, NULL, jsonb_build_object('job', left(p_job, 200)), NULL);
    RETURN v_seq;
END
$fn$;

-- Targets whose tables the login may read as a whole, every column and every row.
CREATE FUNCTION idemdesk.readable_targets() RETURNS SETOF text
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT t.name FROM idemdesk.target t WHERE idemdesk._may_read_all(t.relation)
$fn$;

-- The registered tables, and whether the login may read them as a whole: what was counted of one is not shown for
-- another that took its name.
CREATE FUNCTION idemdesk.known_tables() RETURNS TABLE (name text, relation oid, whole boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp ROWS 20
AS $fn$
    SELECT t.name, t.relation, idemdesk._may_read_all(t.relation) FROM idemdesk.target t
$fn$;

-- Tables that are registered or once were, and that the login may read as a whole.
CREATE FUNCTION idemdesk.readable_tables() RETURNS SETOF oid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp ROWS 20
AS $fn$
    SELECT l.relation FROM idemdesk.target_limit l WHERE idemdesk._may_read_all(l.relation)
$fn$;

-- May the login read every table as a whole that is registered, or once was? What belongs to no known table may come
-- from
-- any of them.
CREATE FUNCTION idemdesk.reads_everything() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(bool_and(idemdesk._may_read_all(l.relation)), false)
      FROM idemdesk.target_limit l JOIN pg_class c ON c.oid = l.relation
$fn$;

-- The metrics that everybody may see who may look: how many rows there are in which state, what the server tells beside
-- the rows, and that rows were not counted. All else is what a profile says, which may well be a value of a row.
CREATE FUNCTION idemdesk.public_metrics() RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN ARRAY['pending', 'in_progress', 'succeeded', 'failed_retryable', 'failed_final', 'unknown', 'stale',
                 'size', 'lock_waits', 'lock_wait', 'deadlocks', 'rollbacks', 'standby_lag', 'slot_log', 'hidden',
                 'unreadable'];
END
$fn$;

-- Samples for those who look. Scopes are values of the table's columns: whoever may not read it all gets the numbers of
-- all scopes together, under the name of those beyond the largest, and only what everybody may see.
CREATE VIEW idemdesk.sample_seen WITH (security_barrier) AS
    SELECT s.resolution, s.bucket_start, s.target, s.metric, s.scope, s.value, s.lowest, s.highest, s.samples
      FROM idemdesk.sample s JOIN idemdesk.known_tables() t ON t.name = s.target AND t.whole AND s.relation IN (0,
          t.relation)
    UNION ALL
    SELECT s.resolution, s.bucket_start, s.target, s.metric, CASE WHEN s.metric = ANY (ARRAY['size', 'lock_waits', 'lock_wait',
               'deadlocks', 'rollbacks', 'standby_lag', 'slot_log', 'hidden', 'unreadable']) THEN '[]' ELSE '-' END,
           sum(s.value), sum(s.lowest), sum(s.highest), max(s.samples)
      FROM idemdesk.sample s LEFT JOIN idemdesk.known_tables() t ON t.name = s.target
     WHERE (t.name IS NULL OR (NOT t.whole AND s.relation IN (0, t.relation)))
       AND s.metric = ANY ((SELECT idemdesk.public_metrics())::text[])
     GROUP BY s.resolution, s.bucket_start, s.target, s.metric;

-- What services counted. It belongs to no target, so its scopes are for those who may read them all. A row that an
-- older version let in is cut to what leaves the sums of all finite.
CREATE VIEW idemdesk.event_seen WITH (security_barrier) AS
    SELECT e.bucket_start, e.kind, CASE WHEN (SELECT idemdesk.reads_everything()) THEN e.scope ELSE '' END AS scope, e.slot,
           least(e.n, 1000000000000000) AS n, least(e.timed, 1000000000000000) AS timed,
           least(e.milliseconds, 1e15) AS milliseconds, least(e.longest, 1e15) AS longest, e.bins
      FROM (SELECT d.* FROM idemdesk.event d UNION ALL SELECT n.* FROM idemdesk.event_now n) e;

-- The same since this schema is here, in parts: whoever adds them up has counters that only grow.
CREATE VIEW idemdesk.event_told WITH (security_barrier) AS
    SELECT t.kind, t.n, t.timed, t.milliseconds, t.bins FROM idemdesk.event_total t
    UNION ALL
    SELECT CASE WHEN n.kind = ANY (idemdesk.known_kinds()) OR (SELECT count(*) FROM idemdesk.event_total) < 200
                     OR EXISTS (SELECT FROM idemdesk.event_total t WHERE t.kind = n.kind) THEN n.kind ELSE '-' END,
           least(n.n, 1000000000000000), least(n.timed, 1000000000000000), least(n.milliseconds, 1e15), n.bins
      FROM idemdesk.event_now n;

-- Counters of samples: of tables that the login may read as a whole, and of all how long somebody waited for locks.
CREATE VIEW idemdesk.counter_told WITH (security_barrier) AS
    SELECT c.target, c.metric, c.bound, c.value
      FROM idemdesk.counter_total c JOIN idemdesk.known_tables() t ON t.name = c.target AND t.relation = c.relation
     WHERE t.whole OR c.metric IN ('lock_wait', 'lock_wait_sum');

GRANT SELECT ON idemdesk.sample_seen, idemdesk.sample_run, idemdesk.cache_sample_run, idemdesk.event_seen, idemdesk.event_told,
    idemdesk.counter_told TO idemdesk_viewer;
GRANT EXECUTE ON FUNCTION idemdesk.readable_targets(), idemdesk.known_tables(), idemdesk.readable_tables(),
    idemdesk.reads_everything(), idemdesk.public_metrics(), idemdesk.known_kinds() TO idemdesk_viewer;
GRANT EXECUTE ON FUNCTION idemdesk.record_event(text, text, bigint, double precision) TO idemdesk_reporter;
GRANT EXECUTE ON FUNCTION idemdesk.note_schedule(boolean, text) TO idemdesk_operator;

-- What is counted of a target, as aggregates over t.
CREATE FUNCTION idemdesk._sample_list(p_compiled jsonb) RETURNS TABLE (n bigint, metric text, aggregate text)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT row_number() OVER (), m.metric, m.aggregate FROM (
        SELECT s AS metric, format('pg_catalog.count(*) FILTER (WHERE (%s) = %L)', coalesce(p_compiled ->> 'state', '''unknown'''), s) AS aggregate
          FROM unnest(ARRAY['pending', 'in_progress', 'succeeded', 'failed_retryable', 'failed_final', 'unknown']) s
        UNION ALL SELECT 'stale', format('pg_catalog.count(*) FILTER (WHERE %s)', p_compiled ->> 'stale')
         WHERE p_compiled ->> 'stale' IS NOT NULL
        -- By another name than what everybody may see.
        UNION ALL SELECT e ->> 0, e ->> 1 FROM jsonb_array_elements(coalesce(p_compiled -> 'samples', '[]')) e
         WHERE e ->> 0 <> ALL (idemdesk.public_metrics())) m
$fn$;

-- Counts a registered target by state, and what is stale, by scope; and whatever the console compiled under "samples"
-- as [[metric, aggregate], …]. Also: the table's size, sessions that wait for any lock while they hold or await one on
-- the table, how long the longest has waited, and the deadlocks and rolled-back transactions of the whole database
-- since it counts. Gives how many numbers were stored: 0 where this minute was sampled already.
-- What could not be looked at is a number, too: "hidden" where row security keeps rows from the role that counts, and then
-- none of them is counted; "unreadable" is how many rows no expression could be evaluated on.
CREATE FUNCTION idemdesk.take_sample(p_target text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $fn$
DECLARE
    -- Not when the transaction began: what is counted now belongs to no minute of before.
    c_now    CONSTANT timestamptz := clock_timestamp();
    c_at     CONSTANT timestamptz := date_trunc('minute', c_now);
    v_target idemdesk.target;
    v_rows   jsonb;
    v_waits  record;
    v_context jsonb;
    v_around jsonb;
    v_unread bigint;
    v_why    text;
    v_hidden boolean;
    v_where  text;
BEGIN
    PERFORM idemdesk._require_first();
    PERFORM idemdesk._hold_briefly();
    SELECT t.* INTO v_target FROM idemdesk.target t WHERE t.name = p_target;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The target "%" is not registered.', p_target USING ERRCODE = 'ID005';
    END IF;
    IF idemdesk._relation_named(v_target.compiled ->> 'relation') IS DISTINCT FROM v_target.relation THEN
        RAISE EXCEPTION 'The table % is not the one that was registered.', v_target.compiled ->> 'relation' USING ERRCODE = 'ID006';
    END IF;
    v_why := coalesce(
        'it was changed since it was registered: '
            || idemdesk._changed_parts(v_target.fingerprint, idemdesk._fingerprint(v_target)),
        idemdesk._open_schema(v_target.relation, v_target.search_path) || ', and the table''s code would find them');
    IF v_why IS NOT NULL THEN
        RAISE EXCEPTION '"%" was not sampled: %.', p_target, v_why
            USING ERRCODE = 'ID006', HINT = 'Register the target again, so that the change is looked at.';
    END IF;
    PERFORM idemdesk._require_quiet();
    IF NOT idemdesk._claim_sample(p_target, v_target.relation, c_at) THEN
        RETURN 0;
    END IF;
    v_context := jsonb_build_object('run', idemdesk._trampoline_of(v_target.relation), 'relation', v_target.relation::bigint,
        'search_path', v_target.search_path);
    v_hidden := NOT idemdesk._sees_every_row(v_target.relation, idemdesk._runner_name(
        (SELECT c.relowner FROM pg_class c WHERE c.oid = v_target.relation))::name);
    LOOP
        EXIT WHEN v_hidden;
        BEGIN
            -- Where each user is a scope there are thousands: those beyond the 100 largest are one, named '-'.
            v_rows := idemdesk._look(v_context ->> 'run', 'counted jsonb',
                format('SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(x.metric, x.scope, x.value)) FROM '
                   '(SELECT m.metric, CASE WHEN g.rank <= 100 THEN g.scope ELSE ''-'' END AS scope, '
                   'CASE WHEN m.metric LIKE ''oldest%%'' THEN pg_catalog.max(v.value) ELSE pg_catalog.sum(v.value) END AS value FROM '
                   '(SELECT %1$s AS scope, ARRAY[%3$s]::pg_catalog.float8[] AS list, '
                   'pg_catalog.row_number() OVER (ORDER BY pg_catalog.count(*) DESC) AS rank FROM %2$s t%5$s GROUP BY 1) g '
                   'CROSS JOIN LATERAL pg_catalog.unnest(g.list) WITH ORDINALITY AS v (value, n) '
                   'CROSS JOIN LATERAL (SELECT (%4$L::pg_catalog.text[])[v.n] AS metric) m GROUP BY 1, 2) x',
                coalesce(v_target.compiled ->> 'scope_text', '''[]''::pg_catalog.text'), v_target.compiled ->> 'relation',
                (SELECT string_agg(format('(%s)::pg_catalog.float8', m.aggregate), ', ' ORDER BY m.n) FROM idemdesk._sample_list(v_target.compiled) m),
                (SELECT array_agg(m.metric ORDER BY m.n) FROM idemdesk._sample_list(v_target.compiled) m),
                ' WHERE ' || idemdesk._around(v_context -> 'around')), v_target.search_path,
                    c_now) -> 'counted';
            EXIT;
        EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
            GET STACKED DIAGNOSTICS v_where = PG_EXCEPTION_CONTEXT;
            IF idemdesk._ends_batch(SQLSTATE, SQLERRM, v_where) OR (SQLSTATE IN ('55P03', '40P01')
                   AND NOT idemdesk._raised_by_row(SQLSTATE, SQLERRM, v_where)) THEN
                IF idemdesk._may_hear_end(v_target.relation, v_where) THEN
                    RAISE;
                END IF;
                RAISE EXCEPTION 'The server ended the count; who may read the whole table is told why.' USING ERRCODE = SQLSTATE;
            END IF;
            -- Rows that cannot be read are counted as unknown, with the scopes that have no name.
            v_around := idemdesk._unreadable(v_context, ARRAY(SELECT m.aggregate FROM idemdesk._sample_list(v_target.compiled) m)
                || format('pg_catalog.count(%s)', coalesce(v_target.compiled ->> 'scope_text', '1')), c_now);
            IF v_around -> 'n' = coalesce(v_context -> 'around' -> 'n', '0') THEN
                IF idemdesk._may_read_all(v_target.relation) OR SQLSTATE = '42501' THEN
                    RAISE;
                END IF;
                RAISE EXCEPTION 'The table of "%" could not be counted; who may read it all is told why.', p_target
                    USING ERRCODE = SQLSTATE;
            END IF;
            v_context := v_context || jsonb_build_object('around', v_around);
        END;
    END LOOP;
    IF v_context ? 'around' THEN
        v_unread := (v_around ->> 'n')::bigint;
        IF (v_around ->> 'many')::boolean THEN -- no row was counted
            v_unread := (idemdesk._look(v_context ->> 'run', 'n bigint', format('SELECT pg_catalog.count(*) FROM %s',
                v_target.compiled ->> 'relation'), v_target.search_path, NULL) ->> 'n')::bigint;
        END IF;
        SELECT jsonb_agg(jsonb_build_array(x.metric, x.scope, x.value)) INTO v_rows
          FROM (SELECT r ->> 0 AS metric, r ->> 1 AS scope, sum((r ->> 2)::float8) AS value
                  FROM jsonb_array_elements(coalesce(v_rows, '[]') || jsonb_build_array(jsonb_build_array('unknown',
                           CASE WHEN v_target.compiled -> 'scope' IN ('[]', 'null') THEN '[]' ELSE '-' END, v_unread))) r
                 GROUP BY 1, 2) x;
        v_rows := v_rows || jsonb_build_array(jsonb_build_array('unreadable', '[]', v_unread));
    END IF;
    IF v_hidden THEN
        v_rows := jsonb_build_array(jsonb_build_array('hidden', '[]', 1));
    END IF;
    -- Who waits for a row waits for its writer's transaction; that it is about this table shows in the lock it holds here.
    SELECT count(*) AS sessions, coalesce(max(x.seconds), 0) AS longest, coalesce(sum(x.seconds), 0) AS total,
           jsonb_agg(jsonb_build_array('lock_wait', x.bound, 1)) AS each INTO v_waits
      FROM (SELECT o.seconds, (SELECT min(b.bound) FROM unnest(ARRAY[0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60,
                   300, 1800, 'Infinity']::numeric[]) AS b (bound) WHERE o.seconds <= b.bound) AS bound FROM (
    SELECT w.pid, greatest(extract(epoch FROM clock_timestamp() - min(w.waitstart)), 0)::numeric AS seconds
      FROM pg_locks w
     WHERE NOT w.granted AND EXISTS (SELECT FROM pg_locks r WHERE r.pid = w.pid
               AND r.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
               AND (r.relation = v_target.relation OR r.relation IN (SELECT x.relid FROM pg_partition_tree(v_target.relation) x)))
     GROUP BY w.pid) o) x;
    v_rows := coalesce(v_rows, '[]') || jsonb_build_array(
        jsonb_build_array('size', '[]', coalesce((SELECT sum(pg_total_relation_size(x.relid))
            FROM pg_partition_tree(v_target.relation) x), pg_total_relation_size(v_target.relation))),
        jsonb_build_array('lock_waits', '[]', v_waits.sessions),
        jsonb_build_array('lock_wait', '[]', v_waits.longest),
        -- NULL, which is not stored: a standby catches up, which has no lag in time, or this role may not see it.
        jsonb_build_array('standby_lag', '[]', (SELECT CASE WHEN coalesce(bool_and(r.state IS NOT DISTINCT FROM 'streaming'), true)
                THEN coalesce(max(extract(epoch FROM r.replay_lag)), 0) END
            FROM pg_stat_replication r WHERE r.state IS DISTINCT FROM 'backup')),
        jsonb_build_array('slot_log', '[]', (SELECT coalesce(max(pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery()
                THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, s.restart_lsn)), 0)
            FROM pg_replication_slots s WHERE NOT s.temporary AND (s.database IS NULL OR s.database = current_database()))),
        jsonb_build_array('deadlocks', '[]', (SELECT s.deadlocks FROM pg_stat_database s WHERE s.datname = current_database()), true),
        jsonb_build_array('rollbacks', '[]', (SELECT s.xact_rollback FROM pg_stat_database s WHERE s.datname = current_database()), true));
    PERFORM idemdesk._require_trampoline(v_context ->> 'run');
    -- First what may wait for maintain(), which takes the totals of events after it.
    PERFORM idemdesk._ensure_span('sample_minute', 'day', c_at);
    PERFORM idemdesk._fold_events();
    PERFORM idemdesk._count_on(p_target, v_target.relation, (SELECT jsonb_agg(jsonb_build_array(x.metric, x.bound, x.value))
        FROM (SELECT w ->> 0 AS metric, (w ->> 1)::numeric AS bound, sum((w ->> 2)::numeric) AS value
                FROM jsonb_array_elements(v_waits.each) w GROUP BY 1, 2
               UNION ALL SELECT 'lock_wait_sum', 0, v_waits.total WHERE v_waits.total > 0) x));
    RETURN idemdesk._store_samples(p_target, v_target.relation, c_at, v_rows);
END
$fn$;

-- A number that a client says: what is none, or below nothing, is not there; and cut, so that sums stay finite.
CREATE FUNCTION idemdesk._number_said(p_said jsonb, p_name text, p_most double precision DEFAULT 1e15) RETURNS double precision
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN jsonb_typeof(p_said -> p_name) = 'number' AND (p_said ->> p_name)::numeric >= 0
                THEN least((p_said ->> p_name)::numeric, p_most::numeric)::float8 END
$fn$;

-- What happened since a counter of this cache was seen last, in a minute; NULL where that was not within the hour, or the
-- counter was set back. The counter is remembered as it is after the look, which counts itself.
CREATE FUNCTION idemdesk._cache_counted(p_target text, p_relation oid, p_at timestamptz, p_metric text,
    p_before double precision, p_after double precision) RETURNS double precision
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_seen idemdesk.counter_seen;
BEGIN
    SELECT c.* INTO v_seen FROM idemdesk.counter_seen c
     WHERE c.target = p_target AND c.metric = p_metric AND c.relation = p_relation;
    IF coalesce(p_after, p_before) IS NOT NULL THEN
        INSERT INTO idemdesk.counter_seen (target, metric, at, value, relation)
        VALUES (p_target, p_metric, p_at, coalesce(p_after, p_before), p_relation)
        ON CONFLICT (target, metric, relation) DO UPDATE SET at = excluded.at, value = excluded.value;
    END IF;
    RETURN CASE WHEN p_at > v_seen.at AND p_at - v_seen.at <= interval '1 hour' AND p_before >= v_seen.value
                THEN (p_before - v_seen.value) / (extract(epoch FROM p_at - v_seen.at) / 60) END;
END
$fn$;

-- Stores how the cache in front of a registered target is, as a client saw it: {"run": which start of which server,
-- "hits", "misses": before the look, "hits_after", "misses_after": after it, "memory": bytes, "judged": entries, "off": how
-- many of them live off their baseline, "crowded": how many expire in the fullest crowded minute}. What it does not say is
-- not stored. All of it is the client's word, as what services report is. Gives how many numbers were stored: 0 where this
-- minute was taken.
CREATE FUNCTION idemdesk.take_cache_sample(p_target text, p_seen jsonb) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '2s'
AS $fn$
DECLARE
    c_at     CONSTANT timestamptz := date_trunc('minute', clock_timestamp());
    c_judged CONSTANT double precision := 1e6; -- entries; more than a look takes
    c_run    CONSTANT text := '@' || left(coalesce(p_seen ->> 'run', ''), 64);
    v_target idemdesk.target;
    v_hits   double precision;
    v_misses double precision;
BEGIN
    PERFORM idemdesk._require_first();
    PERFORM idemdesk._hold_briefly();
    SELECT t.* INTO v_target FROM idemdesk.target t WHERE t.name = p_target;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The target "%" is not registered.', p_target USING ERRCODE = 'ID005';
    END IF;
    IF v_target.profile::jsonb -> 'cache' IS NULL THEN
        RAISE EXCEPTION 'The profile of "%" names no cache.', p_target USING ERRCODE = 'ID005';
    END IF;
    PERFORM idemdesk._require_quiet();
    IF NOT EXISTS (SELECT FROM unnest(ARRAY['hits', 'misses', 'memory', 'judged', 'off', 'crowded']) AS n (name)
                    WHERE idemdesk._number_said(p_seen, n.name) IS NOT NULL) THEN
        RETURN 0; -- who says nothing takes the minute from nobody
    END IF;
    -- The first one takes the minute; another waits for its row.
    INSERT INTO idemdesk.counter_seen AS c (target, metric, at, value, relation)
    VALUES (p_target, 'cache', c_at, 0, v_target.relation)
    ON CONFLICT (target, metric, relation) DO UPDATE SET at = excluded.at WHERE c.at < excluded.at;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    INSERT INTO idemdesk.cache_sample_run (target, bucket_start, relation) VALUES (p_target, c_at, v_target.relation)
        ON CONFLICT DO NOTHING;
    v_hits := idemdesk._cache_counted(p_target, v_target.relation, c_at, 'cache_hits' || c_run,
        idemdesk._number_said(p_seen, 'hits'), idemdesk._number_said(p_seen, 'hits_after'));
    v_misses := idemdesk._cache_counted(p_target, v_target.relation, c_at, 'cache_misses' || c_run,
        idemdesk._number_said(p_seen, 'misses'), idemdesk._number_said(p_seen, 'misses_after'));
    -- Of servers that are not there any more, or were started anew.
    DELETE FROM idemdesk.counter_seen c
     WHERE c.target = p_target AND c.metric LIKE 'cache\_%@%' AND c.at < c_at - interval '1 day';
    RETURN idemdesk._store_samples(p_target, v_target.relation, c_at, jsonb_build_array(
        jsonb_build_array('cache_lookups', '[]', v_hits + v_misses),
        jsonb_build_array('cache_misses', '[]', CASE WHEN v_hits IS NOT NULL THEN v_misses END),
        jsonb_build_array('cache_memory', '[]', idemdesk._number_said(p_seen, 'memory')),
        -- Of a minute's look, so that no one minute outweighs an hour.
        jsonb_build_array('cache_ttl_judged', '[]', idemdesk._number_said(p_seen, 'judged', c_judged)),
        -- No more can be off than were judged.
        jsonb_build_array('cache_ttl_off', '[]', least(idemdesk._number_said(p_seen, 'off', c_judged),
                                                       idemdesk._number_said(p_seen, 'judged', c_judged))),
        jsonb_build_array('cache_crowded', '[]', idemdesk._number_said(p_seen, 'crowded'))));
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.take_sample(text), idemdesk.take_cache_sample(text, jsonb)
    TO idemdesk_operator, idemdesk_admin;
RESET ROLE;
