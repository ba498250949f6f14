-- SPDX-License-Identifier: GPL-3.0-or-later
-- Partitions that hold nothing but what a purge would take: detached whole, attached again to undo it, dropped after a
-- hold. PostgreSQL lets only a table's owner do that. Where the runner is no member of the owner, the console prints a
-- script for the owner instead, and nothing here works. The limit above which another person must approve holds for
-- them as for purges: the first call then only asks, and the same call again, once it was approved, does it.
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
GRANT SELECT ON idemdesk.detached_partition TO idemdesk_viewer;

-- Begins an action on a partition: what an earlier call with this id did ("seen"), or the approved one that is now done,
-- or a new one. Locks the target, so that it stays registered.
CREATE FUNCTION idemdesk._begin_partition(p_id uuid, p_verb text, p_target text, p_partition text, p_cutoff text, p_reason text,
    p_ticket text, OUT action idemdesk.action, OUT target idemdesk.target, OUT seen jsonb)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_cutoff  CONSTANT timestamptz := p_cutoff::timestamptz;
    c_content CONSTANT bytea := sha256(convert_to(
        jsonb_build_array(p_verb, p_target, p_partition, c_cutoff, p_reason, p_ticket)::text, 'UTF8'));
BEGIN
    SELECT a.* INTO action FROM idemdesk._lock_action(p_id) a;
    IF FOUND AND (action.content_sha <> c_content OR action.requested_by <> session_user) THEN
        RAISE EXCEPTION 'Another action has this id already.' USING ERRCODE = 'ID007';
    END IF;
    IF FOUND AND action.state <> 'running' THEN
        seen := idemdesk._action_json(action);
        RETURN;
    END IF;
    PERFORM idemdesk._require_guard();
    IF idemdesk._says_nothing(p_reason) THEN
        RAISE EXCEPTION 'An action needs a reason.' USING ERRCODE = 'ID005', HINT = 'Say why it is done.';
    END IF;
    SELECT t.* INTO target FROM idemdesk.target t WHERE t.name = p_target FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The target "%" is not registered.', p_target USING ERRCODE = 'ID005';
    END IF;
    PERFORM idemdesk._require_target(target);
    IF action.id IS NOT NULL THEN
        IF idemdesk._covers(target) <> action.covers_sha THEN
            RAISE EXCEPTION 'The registration of "%" was changed since this was asked for.', p_target USING ERRCODE = 'ID006',
                HINT = 'Cancel this action and plan it again.';
        END IF;
        RETURN;
    END IF;
    action.id := p_id;
    action.target := p_target;
    action.relation := target.relation;
    action.verb := p_verb;
    action.requested_by := session_user;
    action.requested_at := clock_timestamp();
    action.opened_on := action.requested_at::date;
    action.keep_until := (action.requested_at + target.undo_window)::date;
    action.state := 'finished';
    action.reason := p_reason;
    action.ticket := nullif(p_ticket, '');
    action.content_sha := c_content;
    action.profile_sha := target.profile_sha;
    action.covers_sha := idemdesk._covers(target);
    action.cutoff := c_cutoff;
    action.last_batch := 0;
    action.next_row := 1;
    action.cursor := '{}';
END
$fn$;

-- Must another person approve an action on so many rows? Then it is stored as asked for, and the answer is its state.
-- An approval is for as many rows as were counted when it was asked for.
CREATE FUNCTION idemdesk._ask_for_partition(p_action idemdesk.action, p_target idemdesk.target, p_relation oid,
    p_name text,
    p_bounds text, p_rows bigint) RETURNS jsonb
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_above CONSTANT bigint := least(idemdesk.limit_of(p_target.relation), idemdesk.limit_of(p_relation));
    v_seq   bigint;
BEGIN
    -- What was approved is that partition, whichever one has its name now.
    IF p_action.approved_by IS NOT NULL AND (p_action.plan ->> 'relation')::bigint IS DISTINCT FROM
        p_relation::bigint THEN
        RAISE EXCEPTION '% is another partition than the one that was approved.', p_name USING ERRCODE = 'ID006',
            HINT = 'Cancel this action and ask again.';
    END IF;
    IF c_above IS NULL
       OR p_rows <= (CASE WHEN p_action.approved_by IS NOT NULL THEN p_action.planned_rows ELSE c_above END) THEN
        RETURN NULL;
    END IF;
    IF p_action.approved_by IS NOT NULL THEN
        RAISE EXCEPTION '% holds % rows now; % were approved.', p_name, p_rows, p_action.planned_rows USING ERRCODE = 'ID005',
            HINT = 'Cancel this action and ask again.';
    END IF;
    IF EXISTS (SELECT FROM idemdesk.shared_login s WHERE s.login = session_user) THEN
        RAISE EXCEPTION 'The login % is shared by several people, so it cannot ask for what another person must approve.', session_user
            USING ERRCODE = 'ID008', HINT = 'Use a login of your own.';
    END IF;
    p_action.state := 'requested';
    p_action.plan := jsonb_build_object('partition', p_name, 'bounds', p_bounds, 'relation', p_relation::bigint);
    p_action.planned_rows := p_rows;
    p_action.allowance := p_rows;
    p_action.counts := '{}';
    INSERT INTO idemdesk.action SELECT p_action.*;
    v_seq := idemdesk._chain('request', p_action.target, p_action.id, NULL,
        idemdesk._action_facts(p_action) || jsonb_build_object('allowance', p_action.allowance, 'frozen', idemdesk._frozen(p_action.id)), NULL);
    RETURN idemdesk._action_json(p_action);
END
$fn$;

-- Writes a finished partition action down.
CREATE FUNCTION idemdesk._partition_done(p_action idemdesk.action, p_target idemdesk.target, p_relation oid, p_name text,
    p_bounds text, p_rows bigint) RETURNS jsonb
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_until timestamptz;
    v_since timestamptz;
    v_seq   bigint;
BEGIN
    PERFORM idemdesk._require_trampoline(idemdesk._trampoline_of(p_action.relation));
    p_action.counts := jsonb_build_object(p_action.verb, p_rows);
    p_action.finished_at := clock_timestamp();
    IF p_action.approved_by IS NULL THEN
        p_action.plan := jsonb_build_object('partition', p_name, 'bounds', p_bounds, 'relation', p_relation::bigint);
        p_action.planned_rows := p_rows;
        p_action.allowance := p_rows;
        INSERT INTO idemdesk.action SELECT p_action.*;
    ELSE
        p_action.state := 'finished';
        UPDATE idemdesk.action a SET state = 'finished', counts = p_action.counts, finished_at = p_action.finished_at
         WHERE a.id = p_action.id;
    END IF;
    IF p_action.verb = 'detach' THEN
        INSERT INTO idemdesk.detached_partition (relation, target, name, bounds, rows, detached_by, detached_at, drop_after)
        VALUES (p_relation, p_action.target, p_name, p_bounds, p_rows, p_action.id, clock_timestamp(),
            clock_timestamp() + p_target.undo_window)
        -- Where somebody attached it by hand in between.
        ON CONFLICT (relation) DO UPDATE
           SET target = excluded.target, name = excluded.name, bounds = excluded.bounds, rows = excluded.rows,
               detached_by = excluded.detached_by, detached_at = excluded.detached_at, drop_after = excluded.drop_after
        RETURNING drop_after, detached_at INTO v_until, v_since;
    ELSE
        DELETE FROM idemdesk.detached_partition d WHERE d.relation = p_relation;
    END IF;
    v_seq := idemdesk._chain(p_action.verb, p_action.target, p_action.id, NULL, idemdesk._action_facts(p_action)
        || jsonb_build_object('partition', p_name, 'partition_relation', p_relation::bigint,
            'owner', idemdesk._owner_name(p_relation), 'bounds', p_bounds, 'rows', p_rows,
            'allowance', p_action.allowance, 'frozen', idemdesk._frozen(p_action.id), 'drop_after', v_until,
            'detached_at', v_since), NULL);
    RETURN idemdesk._action_json(p_action);
END
$fn$;

CREATE FUNCTION idemdesk._require_owner(p_relation oid) RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    IF NOT (SELECT pg_has_role(r.runner, c.relowner, 'USAGE') FROM pg_class c JOIN idemdesk.runner r ON r.owner = c.relowner
             WHERE c.oid = p_relation) THEN
        RAISE EXCEPTION 'The role that acts does not own the table, so it cannot detach or drop partitions.' USING ERRCODE = 'ID005',
            HINT = 'Hand the printed script to the owner of the table.';
    END IF;
END
$fn$;

-- One statement on a partition, as the runner; it locks these tables against everybody.
CREATE FUNCTION idemdesk._on_partition(p_target idemdesk.target, p_locks oid[], p_sql text) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_run      CONSTANT text := idemdesk._trampoline_of(p_target.relation);
    c_settings CONSTANT text[] := idemdesk._own_settings();
    c_owned    CONSTANT text := idemdesk._owned(c_run);
    v_none text;
BEGIN
    PERFORM idemdesk._require_quiet();
    BEGIN
        EXECUTE idemdesk._call(c_run, 'nothing text') INTO v_none
          USING false, p_sql, p_target.search_path, NULL::timestamptz, NULL::text, NULL::text, NULL::text, NULL::text,
                NULL::text[], NULL::text[], NULL::text[];
    EXCEPTION WHEN lock_not_available THEN
        RAISE EXCEPTION 'The table is in use, so nothing was changed yet.' USING ERRCODE = '55P03',
            DETAIL = coalesce(idemdesk._users_of(p_locks), 'It has just been let go.'),
            HINT = 'Try again. If it stays so, end that session, or ask its owner to.';
    WHEN OTHERS THEN
        IF idemdesk._may_hear(p_target.relation, SQLSTATE) THEN
            RAISE;
        END IF;
        RAISE EXCEPTION 'The partition could not be changed; who may read the whole table is told why.'
            USING ERRCODE = SQLSTATE;
    END;
    PERFORM idemdesk._require_settings(c_settings);
    PERFORM idemdesk._require_nothing_left(c_run, c_owned);
END
$fn$;

-- Its owner may exchange the table under a name while that is waited for: what was done must be what was looked at.
CREATE FUNCTION idemdesk._require_done(p_partition text, p_done boolean) RETURNS void
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    IF NOT p_done THEN
        RAISE EXCEPTION '% is another table now than the one that was looked at; nothing was changed.', p_partition
            USING ERRCODE = 'ID006', HINT = 'Look at what was renamed, and try again.';
    END IF;
END
$fn$;

-- How many rows a partition has, all of them finished and past their retention; raises where one is not. Row security
-- of its own (of the table's it has none here) could hide rows that are: it is counted whole or not at all.
CREATE FUNCTION idemdesk._finished_rows(p_target idemdesk.target, p_partition text, p_cutoff timestamptz) RETURNS bigint
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_said jsonb;
    v_rows bigint;
    v_kept bigint;
BEGIN
    IF idemdesk._rows_hidden(idemdesk._relation_named(p_partition), idemdesk._runner_of(p_target.relation)) THEN
        RAISE EXCEPTION 'Row security may hide rows of % from the role that counts them.', p_partition USING ERRCODE
            = 'ID005',
            HINT = 'Purge row by row instead, or switch it off on that part.';
    END IF;
    BEGIN
        v_said := idemdesk._look(idemdesk._trampoline_of(p_target.relation), 'rows bigint, kept bigint',
            format('SELECT pg_catalog.count(*), pg_catalog.count(*) FILTER (WHERE (%s) IS NOT TRUE '
                    'OR (%s) <> ALL (ARRAY[''succeeded'', ''failed_final''])) FROM %s t',
                    (SELECT string_agg(format('(%s)', r ->> 'where'), ' OR ')
                       FROM jsonb_array_elements(p_target.compiled -> 'purge') r),
                    idemdesk._whole_state(p_target.compiled), p_partition),
                p_target.search_path, p_cutoff, p_whole => true);
    EXCEPTION WHEN OTHERS THEN
        IF idemdesk._may_hear(p_target.relation, SQLSTATE) THEN
            RAISE;
        END IF;
        RAISE EXCEPTION 'Rows of % could not be counted; who may read the whole table is told why.', p_partition
            USING ERRCODE = SQLSTATE;
    END;
    v_rows := (v_said ->> 'rows')::bigint;
    v_kept := (v_said ->> 'kept')::bigint;
    IF v_kept > 0 THEN
        RAISE EXCEPTION '% of % rows of % are not finished or not past their retention.', v_kept, v_rows, p_partition
            USING ERRCODE = 'ID005', HINT = 'Purge row by row instead.';
    END IF;
    RETURN v_rows;
END
$fn$;

-- Detaches a partition that holds nothing but finished rows past their retention; looked at again under its lock.
CREATE FUNCTION idemdesk.detach_partition(p_id uuid, p_target text, p_partition text, p_cutoff text, p_reason text,
    p_ticket text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '500ms'
AS $fn$
DECLARE
    v_caller   text;
    v_begun    record;
    v_action   idemdesk.action;
    v_target   idemdesk.target;
    v_relation oid;
    v_bounds   text;
    v_rows     bigint;
    v_answer   jsonb;
BEGIN
    GET DIAGNOSTICS v_caller = PG_CONTEXT;
    PERFORM idemdesk._enter('idemdesk_operator', v_caller, 'detach_partition');
    v_begun := idemdesk._begin_partition(p_id, 'detach', p_target, p_partition, p_cutoff, p_reason, p_ticket);
    IF v_begun.seen IS NOT NULL THEN
        RETURN v_begun.seen;
    END IF;
    v_action := v_begun.action;
    v_target := v_begun.target;
    v_relation := idemdesk._relation_named(p_partition);
    SELECT pg_get_expr(c.relpartbound, c.oid) INTO v_bounds FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.oid = v_relation AND i.inhparent = v_target.relation AND c.relispartition;
    IF v_bounds IS NULL THEN
        RAISE EXCEPTION '% is not a partition of "%".', p_partition, p_target USING ERRCODE = 'ID005';
    END IF;
    IF v_action.cutoff IS NULL OR NOT isfinite(v_action.cutoff) OR v_action.cutoff > clock_timestamp()
       OR jsonb_array_length(v_target.compiled -> 'purge') = 0 THEN
        RAISE EXCEPTION 'The cutoff lies in the future, or the profile has no purge rule.' USING ERRCODE = 'ID005';
    END IF;
    -- Before its owner is asked for: nobody is handed a script that detaches rows which are still needed.
    v_rows := idemdesk._finished_rows(v_target, p_partition, v_action.cutoff);
    PERFORM idemdesk._require_owner(v_target.relation);
    PERFORM idemdesk._require_owner(v_relation);
    PERFORM idemdesk._on_partition(v_target, ARRAY[v_relation], format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', p_partition));
    v_rows := idemdesk._finished_rows(v_target, p_partition, v_action.cutoff);
    v_answer := idemdesk._ask_for_partition(v_action, v_target, v_relation, p_partition, v_bounds, v_rows);
    IF v_answer IS NOT NULL THEN
        RETURN v_answer;
    END IF;
    PERFORM idemdesk._on_partition(v_target, ARRAY[v_target.relation, v_relation],
        format('ALTER TABLE %s DETACH PARTITION %s', v_target.compiled ->> 'relation', p_partition));
    PERFORM idemdesk._require_done(p_partition,
        NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = v_relation));
    RETURN idemdesk._partition_done(v_action, v_target, v_relation, p_partition, v_bounds, v_rows);
END
$fn$;

-- A name may be registered for another table since: a part belongs to the table that it was detached from, with its
-- limit, its time and its rules.
CREATE FUNCTION idemdesk._require_its_table(p_detached idemdesk.detached_partition, p_target idemdesk.target) RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    IF NOT EXISTS (SELECT FROM idemdesk.action a WHERE a.id = p_detached.detached_by AND a.relation = p_target.relation) THEN
        RAISE EXCEPTION '% was detached from another table than "%" is now.', p_detached.name, p_target.name USING ERRCODE = 'ID006',
            HINT = 'Register the table that it was detached from under this name.';
    END IF;
END
$fn$;

-- Undoes a detach. The part may have been filled since: its rows are counted under its lock, and come back as a purge's
-- undo does.
CREATE FUNCTION idemdesk.attach_partition(p_id uuid, p_target text, p_partition text, p_reason text, p_ticket text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '500ms'
AS $fn$
DECLARE
    v_caller   text;
    v_begun    record;
    v_target   idemdesk.target;
    v_detached idemdesk.detached_partition;
    v_rows     bigint;
    v_answer   jsonb;
BEGIN
    GET DIAGNOSTICS v_caller = PG_CONTEXT;
    PERFORM idemdesk._enter('idemdesk_operator', v_caller, 'attach_partition');
    v_begun := idemdesk._begin_partition(p_id, 'attach', p_target, p_partition, NULL, p_reason, p_ticket);
    IF v_begun.seen IS NOT NULL THEN
        RETURN v_begun.seen;
    END IF;
    v_target := v_begun.target;
    SELECT d.* INTO v_detached FROM idemdesk.detached_partition d
     WHERE d.target = p_target AND d.name = p_partition AND d.relation = idemdesk._relation_named(p_partition);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The console did not detach %, or it is gone.', p_partition USING ERRCODE = 'ID005';
    END IF;
    PERFORM idemdesk._require_its_table(v_detached, v_target);
    PERFORM idemdesk._on_partition(v_target, ARRAY[v_detached.relation], format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', p_partition));
    v_rows := (idemdesk._look(idemdesk._trampoline_of(v_target.relation), 'n bigint',
        format('SELECT pg_catalog.count(*) FROM %s', p_partition), v_target.search_path, NULL, p_whole => true) ->> 'n')::bigint;
    v_answer := idemdesk._ask_for_partition(v_begun.action, v_target, v_detached.relation, p_partition,
        v_detached.bounds, v_rows);
    IF v_answer IS NOT NULL THEN
        RETURN v_answer;
    END IF;
    PERFORM idemdesk._on_partition(v_target, ARRAY[v_target.relation, v_detached.relation],
        format('ALTER TABLE %s ATTACH PARTITION %s %s', v_target.compiled ->> 'relation', p_partition, v_detached.bounds));
    PERFORM idemdesk._require_done(p_partition, EXISTS (SELECT FROM pg_inherits i
        WHERE i.inhrelid = v_detached.relation AND i.inhparent = v_target.relation));
    RETURN idemdesk._partition_done(v_begun.action, v_target, v_detached.relation, p_partition, v_detached.bounds, v_rows);
END
$fn$;

-- Drops what was detached, once its hold is over. Nothing brings it back, so its rows are looked at once more: it may
-- have been attached again by hand, or filled.
CREATE FUNCTION idemdesk.drop_partition(p_id uuid, p_target text, p_partition text, p_reason text, p_ticket text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '500ms'
AS $fn$
DECLARE
    v_caller   text;
    v_begun    record;
    v_target   idemdesk.target;
    v_detached idemdesk.detached_partition;
    v_rows     bigint;
    v_answer   jsonb;
BEGIN
    GET DIAGNOSTICS v_caller = PG_CONTEXT;
    PERFORM idemdesk._enter('idemdesk_operator', v_caller, 'drop_partition');
    v_begun := idemdesk._begin_partition(p_id, 'drop', p_target, p_partition, NULL, p_reason, p_ticket);
    IF v_begun.seen IS NOT NULL THEN
        RETURN v_begun.seen;
    END IF;
    v_target := v_begun.target;
    SELECT d.* INTO v_detached FROM idemdesk.detached_partition d
     WHERE d.target = p_target AND d.name = p_partition AND d.relation = idemdesk._relation_named(p_partition);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The console did not detach %, or it is gone.', p_partition USING ERRCODE = 'ID005';
    END IF;
    PERFORM idemdesk._require_its_table(v_detached, v_target);
    IF v_detached.drop_after > clock_timestamp() THEN
        RAISE EXCEPTION '% is held until %.', p_partition, v_detached.drop_after USING ERRCODE = 'ID005';
    END IF;
    PERFORM idemdesk._require_owner(v_detached.relation);
    PERFORM idemdesk._on_partition(v_target, ARRAY[v_detached.relation], format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', p_partition));
    IF EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = v_detached.relation) THEN
        RAISE EXCEPTION '% was attached again.', p_partition USING ERRCODE = 'ID005',
            HINT = 'Detach it here once more when its rows are past their retention.';
    END IF;
    v_rows := idemdesk._finished_rows(v_target, p_partition,
        (SELECT a.cutoff FROM idemdesk.action a WHERE a.id = v_detached.detached_by));
    v_answer := idemdesk._ask_for_partition(v_begun.action, v_target, v_detached.relation, p_partition,
        v_detached.bounds, v_rows);
    IF v_answer IS NOT NULL THEN
        RETURN v_answer;
    END IF;
    PERFORM idemdesk._on_partition(v_target, ARRAY[v_detached.relation], format('DROP TABLE %s', p_partition));
    PERFORM idemdesk._require_done(p_partition,
        NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = v_detached.relation));
    RETURN idemdesk._partition_done(v_begun.action, v_target, v_detached.relation, p_partition, v_detached.bounds, v_rows);
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.detach_partition(uuid, text, text, text, text, text),
    idemdesk.attach_partition(uuid, text, text, text, text), idemdesk.drop_partition(uuid, text, text, text, text)
    TO idemdesk_operator;
RESET ROLE;
