-- SPDX-License-Identifier: GPL-3.0-or-later
-- Partitions that hold nothing but what a purge would take: detached whole, attached again to undo it, dropped after a
-- hold. PostgreSQL lets only a table's owner do that. Where idemdesk_runner is no member of the owner, the console
-- prints a script for the owner instead, and nothing here works.
SET LOCAL ROLE idemdesk_owner;

CREATE TABLE idemdesk.detached_partition (
    relation    oid PRIMARY KEY,
    target      text NOT NULL,
    name        text NOT NULL,    -- quoted, qualified
    bounds      text NOT NULL,    -- FOR VALUES …, to attach it again
    rows        bigint NOT NULL,
    detached_by uuid NOT NULL REFERENCES idemdesk.action,
    detached_at timestamptz NOT NULL,
    drop_after  timestamptz NOT NULL
);
GRANT SELECT ON idemdesk.detached_partition TO idemdesk_viewer, idemdesk_runner;

-- Writes a finished partition action down.
CREATE FUNCTION idemdesk._partition_done(p_id uuid, p_verb text, p_target text, p_relation oid, p_name text, p_bounds text,
    p_rows bigint, p_reason text, p_ticket text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s' SET timezone = 'UTC'
AS $fn$
DECLARE
    v_context text;
    v_who     text := idemdesk._require('idemdesk_operator');
    v_action  idemdesk.action;
    v_target  idemdesk.target;
    v_seq     bigint;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    IF NOT idemdesk._called_by(v_context, 'detach_partition|attach_partition|drop_partition') THEN
        RAISE EXCEPTION 'This function works only for the console''s own functions.' USING ERRCODE = 'ID011';
    END IF;
    PERFORM idemdesk._require_functions();
    SELECT t.* INTO STRICT v_target FROM idemdesk.target t WHERE t.name = p_target;
    v_action.id := p_id;
    v_action.target := p_target;
    v_action.verb := p_verb;
    v_action.requested_by := v_who;
    v_action.requested_at := clock_timestamp();
    v_action.opened_on := v_action.requested_at::date;
    v_action.keep_until := (v_action.requested_at + v_target.undo_window)::date;
    v_action.state := 'finished';
    v_action.reason := p_reason;
    v_action.ticket := nullif(p_ticket, '');
    v_action.plan := jsonb_build_object('partition', p_name, 'bounds', p_bounds);
    v_action.content_sha := sha256(convert_to(jsonb_build_array(p_verb, p_target, p_name, p_reason, p_ticket)::text, 'UTF8'));
    v_action.profile_sha := v_target.profile_sha;
    v_action.planned_rows := p_rows;
    v_action.last_batch := 0;
    v_action.next_row := 1;
    v_action.cursor := '{}';
    v_action.counts := jsonb_build_object(p_verb, p_rows);
    v_action.finished_at := clock_timestamp();
    INSERT INTO idemdesk.action SELECT v_action.*;
    IF p_verb = 'detach' THEN
        INSERT INTO idemdesk.detached_partition (relation, target, name, bounds, rows, detached_by, detached_at, drop_after)
        VALUES (p_relation, p_target, p_name, p_bounds, p_rows, p_id, clock_timestamp(), clock_timestamp() + v_target.undo_window);
    ELSE
        DELETE FROM idemdesk.detached_partition d WHERE d.relation = p_relation;
    END IF;
    v_seq := idemdesk._chain(p_verb, p_target, p_id, NULL, jsonb_build_object('partition', p_name, 'relation', p_relation::bigint,
        'bounds', p_bounds, 'rows', p_rows, 'reason', p_reason, 'ticket', v_action.ticket), NULL);
    RETURN idemdesk._action_json(v_action);
END
$fn$;

-- What an earlier call with this id did, or NULL. The id must have asked for the same.
CREATE FUNCTION idemdesk._partition_seen(p_id uuid, p_verb text, p_target text, p_name text, p_reason text, p_ticket text) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_who    text := idemdesk._require('idemdesk_operator');
    v_action idemdesk.action;
BEGIN
    SELECT a.* INTO v_action FROM idemdesk.action a WHERE a.id = p_id;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF v_action.content_sha <> sha256(convert_to(jsonb_build_array(p_verb, p_target, p_name, p_reason, p_ticket)::text, 'UTF8'))
       OR v_action.requested_by <> v_who THEN
        RAISE EXCEPTION 'Another action has this id already.' USING ERRCODE = 'ID007';
    END IF;
    RETURN idemdesk._action_json(v_action);
END
$fn$;
GRANT EXECUTE ON FUNCTION idemdesk._partition_done(uuid, text, text, oid, text, text, bigint, text, text),
    idemdesk._partition_seen(uuid, text, text, text, text, text) TO idemdesk_runner;
RESET ROLE;
SET LOCAL ROLE idemdesk_runner;

CREATE FUNCTION idemdesk._require_owner(p_relation oid) RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    IF NOT (SELECT pg_has_role('idemdesk_runner', c.relowner, 'USAGE') FROM pg_class c WHERE c.oid = p_relation) THEN
        RAISE EXCEPTION 'idemdesk_runner does not own the table, so it cannot detach or drop partitions.' USING ERRCODE = 'ID005',
            HINT = 'Hand the printed script to the owner of the table.';
    END IF;
END
$fn$;

-- Detaches a partition that holds nothing but finished rows past their retention; looked at again under its lock.
CREATE FUNCTION idemdesk.detach_partition(p_id uuid, p_target text, p_partition text, p_cutoff timestamptz, p_reason text,
    p_ticket text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' SET timezone = 'UTC'
AS $fn$
DECLARE
    v_who      text := idemdesk._require('idemdesk_operator');
    v_target   record;
    v_relation oid;
    v_bounds   text;
    v_rows     bigint;
    v_kept     bigint;
    v_answer   jsonb;
BEGIN
    v_answer := idemdesk._partition_seen(p_id, 'detach', p_target, p_partition, p_reason, p_ticket);
    IF v_answer IS NOT NULL THEN
        RETURN v_answer;
    END IF;
    PERFORM idemdesk._require_guard();
    IF coalesce(p_reason, '') !~ '[^[:space:]]' THEN
        RAISE EXCEPTION 'An action needs a reason.' USING ERRCODE = 'ID005', HINT = 'Say why it is done.';
    END IF;
    SELECT t.relation, t.compiled, t.search_path INTO v_target FROM idemdesk.target t WHERE t.name = p_target;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The target "%" is not registered.', p_target USING ERRCODE = 'ID005';
    END IF;
    v_relation := idemdesk._relation_named(p_partition);
    SELECT pg_get_expr(c.relpartbound, c.oid) INTO v_bounds FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.oid = v_relation AND i.inhparent = v_target.relation AND c.relispartition;
    IF v_bounds IS NULL THEN
        RAISE EXCEPTION '% is not a partition of "%".', p_partition, p_target USING ERRCODE = 'ID005';
    END IF;
    IF p_cutoff > clock_timestamp() OR jsonb_array_length(v_target.compiled -> 'purge') = 0 THEN
        RAISE EXCEPTION 'The cutoff lies in the future, or the profile has no purge rule.' USING ERRCODE = 'ID005';
    END IF;
    PERFORM idemdesk._require_owner(v_target.relation);
    PERFORM idemdesk._require_owner(v_relation);
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', p_partition);
    PERFORM set_config('search_path', v_target.search_path, true);
    EXECUTE format('SELECT pg_catalog.count(*), pg_catalog.count(*) FILTER (WHERE (%s) IS NOT TRUE OR (%s) <> ALL (ARRAY[''succeeded'', ''failed_final''])) FROM %s t',
        (SELECT pg_catalog.string_agg(pg_catalog.format('(%s)', r ->> 'where'), ' OR ')
           FROM pg_catalog.jsonb_array_elements(v_target.compiled -> 'purge') r),
        v_target.compiled ->> 'state', p_partition) INTO v_rows, v_kept USING p_cutoff;
    IF v_kept > 0 THEN
        RAISE EXCEPTION '% of % rows of % are not finished or not past their retention.', v_kept, v_rows, p_partition
            USING ERRCODE = 'ID005', HINT = 'Purge row by row instead.';
    END IF;
    EXECUTE pg_catalog.format('ALTER TABLE %s DETACH PARTITION %s', v_target.compiled ->> 'relation', p_partition);
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    v_answer := idemdesk._partition_done(p_id, 'detach', p_target, v_relation, p_partition, v_bounds, v_rows, p_reason, p_ticket);
    RETURN v_answer;
END
$fn$;

-- Undoes a detach.
CREATE FUNCTION idemdesk.attach_partition(p_id uuid, p_target text, p_partition text, p_reason text, p_ticket text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' SET timezone = 'UTC'
AS $fn$
DECLARE
    v_who      text := idemdesk._require('idemdesk_operator');
    v_detached record;
    v_relation text;
    v_answer   jsonb;
BEGIN
    v_answer := idemdesk._partition_seen(p_id, 'attach', p_target, p_partition, p_reason, p_ticket);
    IF v_answer IS NOT NULL THEN
        RETURN v_answer;
    END IF;
    PERFORM idemdesk._require_guard();
    IF coalesce(p_reason, '') !~ '[^[:space:]]' THEN
        RAISE EXCEPTION 'An action needs a reason.' USING ERRCODE = 'ID005', HINT = 'Say why it is done.';
    END IF;
    SELECT d.* INTO v_detached FROM idemdesk.detached_partition d
     WHERE d.target = p_target AND d.name = p_partition AND d.relation = idemdesk._relation_named(p_partition);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The console did not detach %, or it is gone.', p_partition USING ERRCODE = 'ID005';
    END IF;
    SELECT t.compiled ->> 'relation' INTO v_relation FROM idemdesk.target t WHERE t.name = p_target;
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', v_relation, p_partition, v_detached.bounds);
    v_answer := idemdesk._partition_done(p_id, 'attach', p_target, v_detached.relation, p_partition, v_detached.bounds,
        v_detached.rows, p_reason, p_ticket);
    RETURN v_answer;
END
$fn$;

-- Drops what was detached, once its hold is over. Nothing brings it back.
CREATE FUNCTION idemdesk.drop_partition(p_id uuid, p_target text, p_partition text, p_reason text, p_ticket text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' SET timezone = 'UTC'
AS $fn$
DECLARE
    v_who      text := idemdesk._require('idemdesk_operator');
    v_detached record;
    v_answer   jsonb;
BEGIN
    v_answer := idemdesk._partition_seen(p_id, 'drop', p_target, p_partition, p_reason, p_ticket);
    IF v_answer IS NOT NULL THEN
        RETURN v_answer;
    END IF;
    PERFORM idemdesk._require_guard();
    IF coalesce(p_reason, '') !~ '[^[:space:]]' THEN
        RAISE EXCEPTION 'An action needs a reason.' USING ERRCODE = 'ID005', HINT = 'Say why it is done.';
    END IF;
    SELECT d.* INTO v_detached FROM idemdesk.detached_partition d
     WHERE d.target = p_target AND d.name = p_partition AND d.relation = idemdesk._relation_named(p_partition);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The console did not detach %, or it is gone.', p_partition USING ERRCODE = 'ID005';
    END IF;
    IF v_detached.drop_after > clock_timestamp() THEN
        RAISE EXCEPTION '% is held until %.', p_partition, v_detached.drop_after USING ERRCODE = 'ID005';
    END IF;
    EXECUTE format('DROP TABLE %s', p_partition);
    v_answer := idemdesk._partition_done(p_id, 'drop', p_target, v_detached.relation, p_partition, v_detached.bounds,
        v_detached.rows, p_reason, p_ticket);
    RETURN v_answer;
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.detach_partition(uuid, text, text, timestamptz, text, text),
    idemdesk.attach_partition(uuid, text, text, text, text), idemdesk.drop_partition(uuid, text, text, text, text)
    TO idemdesk_operator;
RESET ROLE;
