-- SPDX-License-Identifier: GPL-3.0-or-later
-- Watching: who waits for whom and for how long in each sample, counters of the whole database as what happened in a minute,
-- and signals to other sessions, which are written down before they are sent.
SET LOCAL ROLE idemdesk_owner;

-- The last value of a counter that only grows, or begins again at 0: what happened since is the difference.
CREATE TABLE idemdesk.counter_seen (
    target text NOT NULL,
    metric text NOT NULL,
    at     timestamptz NOT NULL,
    value  double precision NOT NULL,
    PRIMARY KEY (target, metric)
);

CREATE TABLE idemdesk.backend_signal (
    id            uuid PRIMARY KEY,
    pid           integer NOT NULL,
    backend_start timestamptz,
    verb          text NOT NULL CHECK (verb IN ('cancel', 'terminate')),
    reason        text NOT NULL CHECK (reason ~ '[^[:space:]]'),
    ticket        text,
    requested_by  text NOT NULL,
    requested_at  timestamptz NOT NULL,
    outcome       text CHECK (outcome IN ('sent', 'gone', 'refused'))
);
GRANT SELECT ON idemdesk.backend_signal TO idemdesk_viewer;

-- Rows of p_rows are [metric, scope, value], or [metric, scope, value, true] for a counter.
CREATE OR REPLACE FUNCTION idemdesk._store_samples(p_target text, p_at timestamptz, p_rows jsonb) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_context text;
    v_count   bigint;
    v_row     record;
    v_seen    idemdesk.counter_seen;
    v_rows    jsonb;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    IF NOT idemdesk._called_by(v_context, 'take_sample') THEN
        RAISE EXCEPTION 'This function works only for the console''s own functions.' USING ERRCODE = 'ID011';
    END IF;
    PERFORM idemdesk._require_functions(); -- the target's expressions ran just before, as the functions' owner
    PERFORM idemdesk._ensure_span('sample_minute', 'day', p_at);
    v_rows := coalesce((SELECT jsonb_agg(r) FROM jsonb_array_elements(p_rows) r WHERE r -> 3 IS NULL), '[]');
    FOR v_row IN SELECT r ->> 0 AS metric, (r ->> 2)::float8 AS value FROM jsonb_array_elements(p_rows) r WHERE r -> 3 IS NOT NULL AND r ->> 2 IS NOT NULL LOOP
        SELECT c.* INTO v_seen FROM idemdesk.counter_seen c WHERE c.target = p_target AND c.metric = v_row.metric;
        -- After an hour's pause nobody can say in which minute it happened.
        IF v_seen.at IS NOT NULL AND p_at > v_seen.at AND p_at - v_seen.at <= interval '1 hour' THEN
            v_rows := v_rows || jsonb_build_array(jsonb_build_array(v_row.metric, '[]',
                (v_row.value - CASE WHEN v_row.value < v_seen.value THEN 0 ELSE v_seen.value END) / greatest(extract(epoch FROM p_at - v_seen.at) / 60, 1)));
        END IF;
        INSERT INTO idemdesk.counter_seen (target, metric, at, value) VALUES (p_target, v_row.metric, p_at, v_row.value)
        ON CONFLICT (target, metric) DO UPDATE SET at = excluded.at, value = excluded.value;
    END LOOP;
    INSERT INTO idemdesk.sample (resolution, bucket_start, target, metric, scope, value, lowest, highest, samples)
    SELECT 'minute', p_at, p_target, left(r ->> 0, 100), left(r ->> 1, 1000), (r ->> 2)::float8, (r ->> 2)::float8, (r ->> 2)::float8, 1
      FROM jsonb_array_elements(v_rows) r
     WHERE r ->> 2 IS NOT NULL
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    RETURN v_count;
END
$fn$;

-- Writes down that a signal is about to be sent; the session that asks then sends it with its own right, and says what came
-- of it. So there is no signal without its row, and no power here that the person does not have.
CREATE FUNCTION idemdesk.open_signal(p_id uuid, p_pid integer, p_backend_start timestamptz, p_verb text, p_reason text, p_ticket text, p_seen jsonb)
    RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_who  text := idemdesk._require('idemdesk_operator');
    v_row  idemdesk.backend_signal;
    v_seq  bigint;
BEGIN
    SELECT s.* INTO v_row FROM idemdesk.backend_signal s WHERE s.id = p_id;
    IF FOUND THEN
        IF v_row.pid <> p_pid OR v_row.verb <> p_verb OR v_row.requested_by <> v_who OR v_row.reason <> p_reason THEN
            RAISE EXCEPTION 'Another action has this id already.' USING ERRCODE = 'ID007';
        END IF;
        RETURN coalesce(v_row.outcome, 'open');
    END IF;
    PERFORM idemdesk._require_guard();
    IF coalesce(p_reason, '') !~ '[^[:space:]]' THEN
        RAISE EXCEPTION 'An action needs a reason.' USING ERRCODE = 'ID005', HINT = 'Say why it is done.';
    END IF;
    IF EXISTS (SELECT FROM idemdesk.shared_login l WHERE l.login = v_who) THEN
        RAISE EXCEPTION 'The login % is shared by several people, so it may not act.', v_who USING ERRCODE = 'ID003',
            HINT = 'Connect with a login of your own.';
    END IF;
    INSERT INTO idemdesk.backend_signal (id, pid, backend_start, verb, reason, ticket, requested_by, requested_at)
    VALUES (p_id, p_pid, p_backend_start, p_verb, p_reason, nullif(p_ticket, ''), v_who, clock_timestamp());
    v_seq := idemdesk._chain('signal', NULL, p_id, NULL, jsonb_build_object('pid', p_pid, 'backend_start', p_backend_start, 'verb', p_verb,
        'reason', p_reason, 'ticket', nullif(p_ticket, ''), 'seen', coalesce(p_seen, '{}')), NULL);
    RETURN 'open';
END
$fn$;

CREATE FUNCTION idemdesk.close_signal(p_id uuid, p_outcome text, p_detail text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_who text := idemdesk._require('idemdesk_operator');
    v_row idemdesk.backend_signal;
    v_seq bigint;
BEGIN
    SELECT s.* INTO v_row FROM idemdesk.backend_signal s WHERE s.id = p_id FOR UPDATE;
    IF NOT FOUND OR v_row.requested_by <> v_who THEN
        RAISE EXCEPTION 'There is no such signal of this login.' USING ERRCODE = 'ID005';
    END IF;
    IF v_row.outcome IS NOT NULL THEN
        RETURN v_row.outcome;
    END IF;
    UPDATE idemdesk.backend_signal s SET outcome = p_outcome WHERE s.id = p_id;
    v_seq := idemdesk._chain('signal_end', NULL, p_id, NULL, jsonb_build_object('pid', v_row.pid, 'verb', v_row.verb, 'outcome', p_outcome,
        'detail', nullif(left(p_detail, 1000), '')), NULL);
    RETURN p_outcome;
END
$fn$;
-- Writes down that sampling by pg_cron was set up or ended; in the transaction that does so.
CREATE FUNCTION idemdesk.note_schedule(p_on boolean, p_job text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_who text := idemdesk._require('idemdesk_operator');
    v_seq bigint;
BEGIN
    PERFORM idemdesk._require_guard();
    v_seq := idemdesk._chain(CASE WHEN p_on THEN 'schedule' ELSE 'unschedule' END, NULL, NULL, NULL, jsonb_build_object('job', left(p_job, 200)), NULL);
    RETURN v_seq;
END
$fn$;
GRANT EXECUTE ON FUNCTION idemdesk.note_schedule(boolean, text) TO idemdesk_operator;
GRANT EXECUTE ON FUNCTION idemdesk.open_signal(uuid, integer, timestamptz, text, text, text, jsonb), idemdesk.close_signal(uuid, text, text) TO idemdesk_operator;
RESET ROLE;
SET LOCAL ROLE idemdesk_runner;

-- As before, and: sessions that wait for any lock while they hold or await one on the table, how long the longest has waited,
-- and the deadlocks and rolled-back transactions of the whole database since it counts.
CREATE OR REPLACE FUNCTION idemdesk.take_sample(p_target text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $fn$
DECLARE
    c_at     CONSTANT timestamptz := date_trunc('minute', now());
    v_target idemdesk.target;
    v_rows   jsonb;
    v_waits  record;
BEGIN
    SELECT t.* INTO v_target FROM idemdesk.target t WHERE t.name = p_target;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The target "%" is not registered.', p_target USING ERRCODE = 'ID005';
    END IF;
    IF idemdesk._relation_named(v_target.compiled ->> 'relation') IS DISTINCT FROM v_target.relation THEN
        RAISE EXCEPTION 'The table % is not the one that was registered.', v_target.compiled ->> 'relation' USING ERRCODE = 'ID006';
    END IF;
    IF NOT idemdesk._claim_sample(p_target, c_at) THEN
        RETURN 0;
    END IF;
    PERFORM set_config('search_path', v_target.search_path, true);
    -- Where each user is a scope there are thousands: those beyond the 100 largest are one, named '-'.
    EXECUTE format('SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(x.metric, x.scope, x.value)) FROM '
                   '(SELECT m.metric, CASE WHEN g.rank <= 100 THEN g.scope ELSE ''-'' END AS scope, '
                   'CASE WHEN m.metric LIKE ''oldest%%'' THEN pg_catalog.max(v.value) ELSE pg_catalog.sum(v.value) END AS value FROM '
                   '(SELECT %1$s AS scope, ARRAY[%3$s]::pg_catalog.float8[] AS list, '
                   'pg_catalog.row_number() OVER (ORDER BY pg_catalog.count(*) DESC) AS rank FROM %2$s t GROUP BY 1) g '
                   'CROSS JOIN LATERAL pg_catalog.unnest(g.list) WITH ORDINALITY AS v (value, n) '
                   'CROSS JOIN LATERAL (SELECT (%4$L::pg_catalog.text[])[v.n] AS metric) m GROUP BY 1, 2) x',
        coalesce(v_target.compiled ->> 'scope_text', '''[]''::pg_catalog.text'), v_target.compiled ->> 'relation',
        (SELECT string_agg(format('(%s)::pg_catalog.float8', m.aggregate), ', ' ORDER BY m.n) FROM idemdesk._sample_list(v_target.compiled) m),
        (SELECT array_agg(m.metric ORDER BY m.n) FROM idemdesk._sample_list(v_target.compiled) m)) INTO v_rows USING transaction_timestamp();
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    -- Who waits for a row waits for its writer's transaction; that it is about this table shows in the lock it holds here.
    SELECT count(DISTINCT w.pid) AS sessions, coalesce(extract(epoch FROM clock_timestamp() - min(w.waitstart)), 0) AS longest INTO v_waits
      FROM pg_locks w
     WHERE NOT w.granted AND EXISTS (SELECT FROM pg_locks r WHERE r.pid = w.pid
               AND r.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
               AND (r.relation = v_target.relation OR r.relation IN (SELECT x.relid FROM pg_partition_tree(v_target.relation) x)));
    v_rows := coalesce(v_rows, '[]') || jsonb_build_array(
        jsonb_build_array('size', '[]', coalesce((SELECT sum(pg_total_relation_size(x.relid))
            FROM pg_partition_tree(v_target.relation) x), pg_total_relation_size(v_target.relation))),
        jsonb_build_array('lock_waits', '[]', v_waits.sessions),
        jsonb_build_array('lock_wait', '[]', v_waits.longest),
        jsonb_build_array('deadlocks', '[]', (SELECT s.deadlocks FROM pg_stat_database s WHERE s.datname = current_database()), true),
        jsonb_build_array('rollbacks', '[]', (SELECT s.xact_rollback FROM pg_stat_database s WHERE s.datname = current_database()), true));
    RETURN idemdesk._store_samples(p_target, c_at, v_rows);
END
$fn$;
RESET ROLE;
