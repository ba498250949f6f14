-- SPDX-License-Identifier: GPL-3.0-or-later
-- Recovery, requeue, reclassification and alignment of the rows of a frozen set, and the undo of what was done.
SET LOCAL ROLE idemdesk_owner;

-- Is a row freed because no effect of it is known? Then all that would prove one are looked for again, whoever asks and
-- whatever the preview said ('' from there says that none was found).
CREATE FUNCTION idemdesk._looks_again(p_rule jsonb, p_effect_id text) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN p_rule ->> 'needs' IS NULL
       AND (p_effect_id IS NOT DISTINCT FROM '' OR p_rule ->> 'to' IS DISTINCT FROM 'succeeded');
END
$fn$;

-- What a rule's effect queries say of a row: why it may not be changed, or the effect that it may be settled with. The
-- queries run read-only and are taken back, so evidence changes nothing, whatever it calls. The effect is what they find
-- now: p_effect_id says which of several a person chose.
CREATE FUNCTION idemdesk._evidence(p_context jsonb, p_rule jsonb, p_match text, p_now timestamptz, p_effect_id text,
    p_identity text[], OUT why text, OUT effect_id text, OUT effect_type text)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_effect  jsonb;
    v_ids     text[];
    v_missing text;
    v_found   text[];
    v_looked  boolean;
    v_from    text := format('FROM %s t WHERE %s', p_context -> 'compiled' ->> 'relation', p_match);
    v_row     text;
    c_again   CONSTANT boolean := idemdesk._looks_again(p_rule, p_effect_id);
BEGIN
    IF jsonb_array_length(p_context -> 'compiled' -> 'effects') = 0 AND p_rule ->> 'needs' IS NULL AND p_rule ->>
        'forbids' IS NULL THEN
        RETURN;
    END IF;
    -- What nobody looks for is not absent.
    SELECT x INTO v_missing FROM unnest(ARRAY[p_rule ->> 'needs', p_rule ->> 'forbids']) x
     WHERE x IS NOT NULL
       AND NOT EXISTS (SELECT FROM jsonb_array_elements(p_context -> 'compiled' -> 'effects') e WHERE e ->> 'type' = x);
    IF v_missing IS NOT NULL THEN
        why := format('The effect "%s" cannot be looked for: the profile has no query for it.', v_missing);
        RETURN;
    END IF;
    -- Evidence is read whole or not at all. The table itself may have a policy for the runner; its row is then read first.
    IF (c_again OR p_rule ->> 'needs' IS NOT NULL OR p_rule ->> 'forbids' IS NOT NULL)
       AND idemdesk._rows_hidden((p_context ->> 'relation')::oid, idemdesk._runner_of((p_context ->> 'relation')::oid)) THEN
        EXECUTE idemdesk._call(p_context ->> 'run', 'said text') INTO v_row
          USING true, 'SELECT (t.*)::pg_catalog.text ' || v_from, p_context ->> 'search_path', p_now, NULL::text, NULL::text,
                NULL::text, NULL::text, p_identity, NULL::text[], NULL::text[];
        v_from := format('FROM (SELECT (($8)[1]::%s).*) t', p_context -> 'compiled' ->> 'relation');
    END IF;
    FOR v_effect IN SELECT e FROM jsonb_array_elements(p_context -> 'compiled' -> 'effects') e
                     WHERE e ->> 'type' IN (p_rule ->> 'needs', p_rule ->> 'forbids')
                        OR (c_again AND (e ->> 'proves')::boolean)
    LOOP
        v_looked := false;
        BEGIN
            PERFORM set_config('transaction_read_only', 'on', true);
            -- How many rows there are, how many say anything, and the ids of these.
            EXECUTE idemdesk._call(p_context ->> 'run', 'found text[], missing text', true) INTO v_found, v_missing
              USING true, format('SELECT (SELECT ARRAY[pg_catalog.count(*), pg_catalog.count(*) FILTER (WHERE NOT (e.* IS '
                        'NULL))]::pg_catalog.text[] OPERATOR(pg_catalog.||) pg_catalog.array_agg(e.id::pg_catalog.text) '
                        'FILTER (WHERE NOT (e.* IS NULL)) FROM (%s) e), (%s)::pg_catalog.text ',
                        v_effect ->> 'sql', coalesce(v_effect ->> 'missing', '''''')) || v_from,
                    p_context ->> 'search_path', p_now, NULL::text, NULL::text, NULL::text, NULL::text, p_identity,
                    NULL::text[], ARRAY[v_row];
            v_looked := true;
            RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
        EXCEPTION WHEN OTHERS THEN
            IF NOT v_looked THEN
                -- It reads other tables than the target, which whoever looks at the row may not read.
                why := format('The effect "%s" could not be read: %s.', v_effect ->> 'type',
                    idemdesk._failure_told(false, SQLSTATE, SQLERRM));
                RETURN;
            END IF;
        END;
        v_ids := CASE WHEN v_found[2] <> '0' THEN v_found[3:] END;
        -- A query that looks by a column which the row does not have yet finds nothing, whatever happened.
        IF v_ids IS NULL AND v_missing <> '' THEN
            why := format('Whether the effect "%s" exists cannot be known: the row has no %s yet.', v_effect ->> 'type', v_missing);
            RETURN;
        ELSIF v_ids IS NULL AND v_found[1] <> '0' THEN
            why := format('Whether the effect "%s" exists cannot be known: its query gives a row without any value. '
                'Let it give none where there is no effect.', v_effect ->> 'type');
            RETURN;
        ELSIF v_ids IS NULL AND (c_again OR v_effect ->> 'type' = p_rule ->> 'forbids')
              AND p_context ->> 'unknown' IS NOT NULL THEN
            why := format('Whether the effect "%s" exists cannot be known%s', v_effect ->> 'type', p_context ->> 'unknown');
            RETURN;
        ELSIF c_again OR v_effect ->> 'type' = p_rule ->> 'forbids' THEN
            IF v_ids IS NOT NULL THEN
                why := format('The effect "%s" exists.', v_effect ->> 'type');
                RETURN;
            END IF;
        ELSIF v_ids IS NULL THEN
            why := format('The effect "%s" does not exist.', v_effect ->> 'type');
            RETURN;
        ELSIF num_nonnulls(VARIADIC v_ids) = 0 THEN
            why := format('The effect "%s" exists, but its query gives it no id yet.', v_effect ->> 'type');
            RETURN;
        ELSIF p_effect_id IS NOT NULL AND NOT coalesce(p_effect_id = ANY (v_ids), false) THEN
            why := format('The effect "%s" is another one than at the preview.', v_effect ->> 'type');
            RETURN;
        ELSE
            effect_id := coalesce(p_effect_id, (array_remove(v_ids, NULL))[1]);
            effect_type := v_effect ->> 'type';
        END IF;
    END LOOP;
END
$fn$;

-- The tables that the functions behind a profile's effects name in their bodies, also through views; rather too many
-- than one too few, but none that anybody could have made where these bodies do not look.
CREATE FUNCTION idemdesk._tables_named(p_reached jsonb, p_path text) RETURNS oid[]
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $fn$
    WITH RECURSIVE body (oid, text, settings) AS MATERIALIZED (
        SELECT p.oid, lower(p.prosrc), p.proconfig FROM jsonb_array_elements(p_reached) r
          JOIN pg_namespace n ON n.nspname = r ->> 1
          JOIN pg_proc p ON p.pronamespace = n.oid AND p.proname = r ->> 2
         WHERE r ->> 0 = 'evidence'
    ), named (oid) AS (
        SELECT c.oid FROM body b JOIN pg_class c ON c.oid >= 16384 AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
           AND c.relpersistence <> 't' AND strpos(b.text, lower(c.relname)) > 0
          JOIN pg_namespace n ON n.oid = c.relnamespace
           AND idemdesk._names(b.text, n.nspname, c.relname, p_path, b.settings)
        UNION
        SELECT d.refobjid FROM body b JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = b.oid
         WHERE d.refclassid = 'pg_class'::regclass
        UNION
        SELECT d.refobjid FROM named v JOIN pg_rewrite w ON w.ev_class = v.oid AND w.ev_type = '1'
          JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
         WHERE d.refclassid = 'pg_class'::regclass
    )
    SELECT coalesce(array_agg(DISTINCT c.oid), '{}') FROM named n JOIN pg_class c ON c.oid = n.oid
     WHERE c.relkind IN ('r', 'p', 'f', 'm') AND c.oid >= 16384 AND c.relnamespace <> 'idemdesk'::regnamespace
$fn$;

-- Which effects must not be there for some row to be freed: those that prove one, and those that a rule names.
CREATE FUNCTION idemdesk._effects_asked(p_compiled jsonb) RETURNS SETOF jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT e FROM jsonb_array_elements(p_compiled -> 'effects') e
     WHERE (e ->> 'proves')::boolean
        OR EXISTS (SELECT FROM jsonb_array_elements(p_compiled -> 'rules') r WHERE r ->> 'forbids' = e ->> 'type')
$fn$;

-- Why what such a relation shows says nothing of this moment, or NULL.
CREATE FUNCTION idemdesk._not_of_now(p_relation oid) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT format(CASE WHEN c.relkind = 'm' THEN '%s shows what was there when it was refreshed.'
                       WHEN c.relkind = 'S' THEN 'what %s shows changes while it is read.'
                       WHEN c.relkind = 'f' THEN '%s lies elsewhere, and who writes there is not seen from here.'
                       WHEN c.relpersistence = 'u' THEN '%s is unlogged: a crash empties it.'
                       ELSE '%s is filled from another server, and may be behind.' END, c.oid::regclass)
      FROM pg_class c
     WHERE c.oid = p_relation
       AND (c.relkind IN ('f', 'm', 'S') OR (c.relkind IN ('r', 'p') AND c.relpersistence = 'u')
            OR EXISTS (SELECT FROM pg_subscription_rel s WHERE s.srrelid = c.oid))
$fn$;

-- The tables that these effects are read from, with their parts; not the target's own. Which these are shows in
-- the locks that are held once a query took its own; what the caller's transaction locked before counts as well, for it
-- could have locked just these. A function that it calls takes none before it runs: its body names the tables.
-- unsteady says why finding nothing there says nothing, whoever writes: what is read is not the state of this moment.
CREATE FUNCTION idemdesk._evidence_sources(p_context jsonb, OUT tables oid[], OUT unsteady text)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_database CONSTANT oid := (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
    v_found    oid[];
    v_effect   jsonb;
    v_none     text;
BEGIN
    tables := '{}';
    FOR v_effect IN SELECT e FROM idemdesk._effects_asked(p_context -> 'compiled') e LOOP
        v_found := '{}';
        BEGIN
            PERFORM set_config('transaction_read_only', 'on', true);
            EXECUTE idemdesk._call(p_context ->> 'run', 'nothing text') INTO v_none
              USING true, format('SELECT NULL::pg_catalog.text FROM %s t CROSS JOIN LATERAL (%s) e LIMIT 0',
                        p_context -> 'compiled' ->> 'relation', v_effect ->> 'sql'),
                    p_context ->> 'search_path', statement_timestamp(), NULL::text, NULL::text, NULL::text, NULL::text,
                    NULL::text[], NULL::text[], NULL::text[];
            v_found := ARRAY(SELECT l.relation FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
                              WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation' AND l.database = c_database
                                AND c.relkind IN ('r', 'p', 'f', 'm', 'S') AND c.oid >= 16384
                                AND c.relnamespace <> 'idemdesk'::regnamespace);
            RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
        EXCEPTION WHEN OTHERS THEN
            -- A query that cannot be run fails again on each row, which says why; this may have failed for the moment.
            IF SQLSTATE <> 'ID020' THEN
                unsteady := 'what its query reads could not be looked at.';
            END IF;
        END;
        tables := tables || v_found;
    END LOOP;
    tables := tables || idemdesk._tables_named(p_context -> 'reached', p_context ->> 'search_path');
    WITH RECURSIVE part (oid) AS (
        SELECT unnest(tables)
        UNION SELECT i.inhrelid FROM part p JOIN pg_inherits i ON i.inhparent = p.oid),
    own (oid) AS (
        SELECT (p_context ->> 'relation')::oid
        UNION SELECT i.inhrelid FROM own o JOIN pg_inherits i ON i.inhparent = o.oid)
    SELECT coalesce(array_agg(p.oid), '{}') INTO tables FROM part p WHERE p.oid NOT IN (SELECT o.oid FROM own o);
    unsteady := coalesce(unsteady,
        (SELECT idemdesk._not_of_now(x.oid) FROM unnest(tables) AS x (oid)
          WHERE idemdesk._not_of_now(x.oid) IS NOT NULL ORDER BY x.oid LIMIT 1),
        (SELECT format('its query reads %s again, the table of the keys.', p_context -> 'compiled' ->> 'relation')
          WHERE EXISTS (SELECT FROM jsonb_array_elements(p_context -> 'reached') r WHERE r = '["again"]')),
        (SELECT format('what %I.%I reads could not be told.', n.nspname, p.proname)
           FROM jsonb_array_elements(p_context -> 'reached') r
           JOIN pg_namespace n ON n.nspname = r ->> 1
           JOIN pg_proc p ON p.pronamespace = n.oid AND p.proname = r ->> 2
           JOIN pg_language l ON l.oid = p.prolang
          WHERE r ->> 0 = 'evidence'
            AND CASE WHEN l.lanname IN ('sql', 'plpgsql') THEN p.prosrc ~* '\mexecute\M|_to_xml|\mdblink' ELSE p.provolatile <> 'i' END
          ORDER BY n.nspname, p.proname LIMIT 1));
END
$fn$;

-- Who writes to these tables and has not ended: what he commits later may be an effect of any key. Short work is waited
-- for, once: p_lasting are the transactions that were, and lasting those that still write after that. who is NULL where
-- there is nobody; what was committed meanwhile is seen by the next query. Of a partitioned table, also who brings a part.
CREATE FUNCTION idemdesk._writers_to(p_tables oid[], p_lasting text[], OUT who text, OUT lasting text[])
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_database CONSTANT oid := (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
    c_looks    CONSTANT integer := 16; -- 0.3 s in all, the first after a millisecond
    v_first    text[];
    v_found    text[];
BEGIN
    lasting := coalesce(p_lasting, '{}');
    IF cardinality(p_tables) = 0 THEN
        RETURN;
    END IF;
    FOR v_look IN 0 .. c_looks LOOP
        SELECT array_agg(w.transaction), min(w.said) INTO v_found, who
          FROM (SELECT l.virtualtransaction AS transaction, format('%s writes to %s.',
                           coalesce('the process ' || l.pid, 'a prepared transaction'), l.relation::regclass) AS said
                  FROM pg_locks l
                 WHERE l.locktype = 'relation' AND l.granted AND l.database = c_database
                   AND l.relation = ANY (p_tables) AND l.pid IS DISTINCT FROM pg_backend_pid()
                   -- Who attaches a part, or has a table inherit, holds the second; so does VACUUM, which changes nothing.
                   AND (l.mode = 'RowExclusiveLock' OR (l.mode = 'ShareUpdateExclusiveLock'
                            AND EXISTS (SELECT FROM pg_locks x WHERE x.virtualtransaction = l.virtualtransaction
                                           AND x.locktype = 'transactionid' AND x.mode = 'ExclusiveLock' AND x.granted)))
                   AND (v_look = 0 OR l.virtualtransaction = ANY (v_first))) w;
        v_first := coalesce(v_first, v_found);
        EXIT WHEN v_found IS NULL OR v_found <@ lasting;
        IF v_look < c_looks THEN
            PERFORM pg_sleep(least(0.025, 0.001 * 2 ^ v_look));
        END IF;
    END LOOP;
    lasting := lasting || coalesce(v_found, '{}');
END
$fn$;

-- Changes the one row of the second table that a rule names beside a row of the target, which is still as it was. before
-- is NULL where there is no such row, or somebody holds it. What is written is the row that was read, by its place.
CREATE FUNCTION idemdesk._change_second(p_context jsonb, p_sql jsonb, p_now timestamptz, p_action text, p_identity text[],
    OUT before text, OUT after text)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_place text;
    v_rows  bigint;
BEGIN
    BEGIN
        EXECUTE idemdesk._call(p_context ->> 'run', 'image text, place text') INTO before, v_place
          USING true, p_sql ->> 'read', p_context ->> 'search_path', p_now, p_context ->> 'reason', p_action,
                NULL::text, NULL::text, p_identity, NULL::text[], NULL::text[];
        GET DIAGNOSTICS v_rows = ROW_COUNT;
    EXCEPTION WHEN lock_not_available THEN
        v_rows := 0;
    END;
    IF v_rows > 1 THEN
        RAISE EXCEPTION 'more than one row' USING ERRCODE = 'ID020';
    ELSIF v_rows = 1 THEN
        EXECUTE idemdesk._call(p_context ->> 'run', 'image text') INTO after
          USING true, p_sql ->> 'write', p_context ->> 'search_path', p_now, p_context ->> 'reason', p_action,
                NULL::text, NULL::text, p_identity, ARRAY[v_place], NULL::text[];
        GET DIAGNOSTICS v_rows = ROW_COUNT;
        IF v_rows <> 1 THEN
            RAISE EXCEPTION 'not one row' USING ERRCODE = 'ID020';
        END IF;
    END IF;
END
$fn$;

-- Why a row may not become what the other region's row is said to be, or NULL: it is not for the same request, or it stands
-- over the other one. What succeeded is never overwritten, whoever asks and whatever a rule says: its effect happened.
-- Else a success stands, then the later writer, then the first of the two labels.
CREATE FUNCTION idemdesk._stands(p_context jsonb, p_sql jsonb, p_identity text[], p_state text, p_other jsonb,
    p_now timestamptz) RETURNS text
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_other CONSTANT timestamptz := (p_other ->> 'at')::timestamptz;
    v_print text;
    v_at    timestamptz;
BEGIN
    IF c_other > p_now + interval '5 minutes' THEN
        RETURN 'The other region''s row was written in the future by this server''s clock.';
    ELSIF p_state = 'succeeded' THEN
        RETURN 'It succeeded here, and a success is never overwritten: one of two effects must be undone in the business.';
    END IF;
    EXECUTE p_sql ->> 'call_other' INTO v_print, v_at
      USING true, p_sql ->> 'other', p_context ->> 'search_path', p_now, NULL::text, NULL::text, NULL::text, NULL::text,
            p_identity, NULL::text[], NULL::text[];
    IF v_print IS DISTINCT FROM p_other ->> 'fingerprint' THEN
        RETURN 'The other region''s row is for another request.';
    ELSIF p_other ->> 'state' = 'succeeded' OR c_other > v_at THEN
        RETURN NULL;
    ELSIF c_other < v_at THEN
        RETURN 'It was written later than the other region''s row.';
    ELSIF p_context -> 'plan' ->> 'winner' COLLATE "C" > p_context -> 'plan' -> 'group' ->> 'member' THEN
        RETURN 'Nothing tells which is newer, and the label of the other region comes later.';
    END IF;
    RETURN NULL;
END
$fn$;

-- Does a row hold what an align wrote, and is it for the same request as before? A trigger may have changed it since.
CREATE FUNCTION idemdesk._taken(p_context jsonb, p_sql jsonb, p_row jsonb, p_identity text[], p_values text[], p_intent text[],
    p_now timestamptz) RETURNS boolean
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_took   boolean;
    v_intent text[];
BEGIN
    EXECUTE p_sql ->> 'call_taken' INTO v_took, v_intent
      USING true, p_sql -> 'taken' ->> (p_row ->> 'r')::integer, p_context ->> 'search_path', p_now, NULL::text, NULL::text,
            NULL::text, NULL::text, p_identity, NULL::text[], p_values;
    RETURN v_took IS TRUE AND v_intent IS NOT DISTINCT FROM p_intent;
END
$fn$;

-- Changes one row of a frozen set by one rule and gives its item. p_sql holds the statements built for the batch. What
-- concerns only this row is its outcome; what concerns the server (disk full, shutdown, cancel) is raised.
CREATE FUNCTION idemdesk._change_row(p_context jsonb, p_sql jsonb, p_row jsonb, p_action uuid) RETURNS idemdesk.item
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_compiled CONSTANT jsonb := p_context -> 'compiled';
    c_rule     CONSTANT jsonb := c_compiled -> 'rules' -> (p_row ->> 'r')::integer;
    c_write    CONSTANT text := p_sql -> 'write' ->> (p_row ->> 'r')::integer;
    c_now      CONSTANT timestamptz := statement_timestamp();
    v_item     idemdesk.item;
    v_guard    text[] := ARRAY(SELECT jsonb_array_elements_text(p_row -> 'g'));
    v_state    text;
    v_status   text;
    v_stale    boolean;
    v_leased   boolean;
    v_same     boolean;
    v_named    text[];
    v_found    boolean;
    v_empty    boolean;
    v_rows     bigint;
    v_outcome  text;
    v_proof    record;
    v_evidence text;
    v_values   text[]; -- of the other region's row, in the order of the rule's columns
    v_intent   text[]; -- key, scope and fingerprint before an align, which keeps them
    v_took     boolean; -- the row is what the align was to make of it
    v_settled  boolean := false; -- this function's own word on the row, not that of code which the row made run
    v_second   record;
    v_beside   text; -- the second table, while its row is at stake: who reads the item need not be one who may read that
    c_settings CONSTANT text[] := idemdesk._own_settings();
    c_owned    CONSTANT text := idemdesk._owned(p_context ->> 'run');
    v_where    text;
BEGIN
    v_item.ordinal := (p_row ->> 'n')::integer;
    v_item.identity := ARRAY(SELECT jsonb_array_elements_text(p_row -> 'i'));
    BEGIN
        EXECUTE p_sql ->> 'call_read' INTO v_item.before, v_state, v_status, v_stale, v_leased, v_same, v_named
          USING true, p_sql ->> 'read', p_context ->> 'search_path', c_now, p_context ->> 'reason', p_action::text,
                NULL::text, NULL::text, v_item.identity, v_guard, NULL::text[];
        GET DIAGNOSTICS v_rows = ROW_COUNT;
        IF v_rows = 1 THEN
            -- Who is asked about this row later names it as the table does, whatever the client called it.
            v_item.identity := v_named;
        END IF;
        IF v_rows = 0 THEN
            EXECUTE p_sql ->> 'call_exists' INTO v_found
              USING true, p_sql ->> 'exists', p_context ->> 'search_path', c_now, NULL::text, NULL::text, NULL::text, NULL::text,
                    v_item.identity, v_guard, NULL::text[];
            v_item.outcome := CASE WHEN v_found THEN 'locked' ELSE 'gone' END;
        ELSIF NOT v_same OR NOT (c_rule -> 'from' ? coalesce(v_state, 'unknown'))
              OR (jsonb_array_length(c_rule -> 'status') > 0 AND NOT (c_rule -> 'status' ? coalesce(v_status, 'null'))) THEN
            v_item.outcome := 'changed';
            v_item.detail := format('It is %s now.', idemdesk._state_told(v_state));
        ELSIF c_rule ->> 'verb' = 'recover' AND v_state IN ('in_progress', 'pending') AND v_stale IS NOT TRUE THEN
            v_item.outcome := 'changed';
            v_item.detail := 'It is not stale any more.';
        ELSIF c_rule ->> 'verb' <> 'recover' AND (c_rule ->> 'live')::boolean IS NOT TRUE
              AND (v_leased OR (v_state = 'in_progress' AND v_stale IS FALSE)) THEN
            v_item.outcome := 'changed';
            v_item.detail := 'Its lease still runs.';
        ELSE
            IF c_rule ->> 'verb' = 'align' THEN
                v_item.detail := idemdesk._stands(p_context, p_sql, v_item.identity, v_state, p_row -> 'w', c_now);
                v_values := ARRAY(SELECT jsonb_array_elements_text(p_row -> 'w' -> 'values'));
                EXECUTE p_sql ->> 'call_taken' INTO v_took, v_intent
                  USING true, p_sql -> 'taken' ->> (p_row ->> 'r')::integer, p_context ->> 'search_path', c_now, NULL::text,
                        NULL::text, NULL::text, NULL::text, v_item.identity, NULL::text[], v_values;
            END IF;
            IF v_item.detail IS NULL THEN
                v_proof := idemdesk._evidence(p_context, c_rule, p_sql ->> 'match', c_now, p_row ->> 'e', v_item.identity);
                v_evidence := v_proof.why;
            END IF;
            IF v_item.detail IS NOT NULL THEN
                v_item.outcome := 'changed';
            ELSIF v_evidence IS NOT NULL THEN
                v_item.detail := v_evidence;
                v_item.outcome := 'evidence';
            ELSE
                IF p_sql -> 'second' ? (p_row ->> 'r') THEN
                    v_beside := c_compiled -> 'second' ->> 'relation';
                    SELECT s.before, s.after INTO v_second
                      FROM idemdesk._change_second(p_context, p_sql -> 'second' -> (p_row ->> 'r'), c_now, p_action::text,
                               v_item.identity) s;
                    IF v_second.before IS NULL THEN
                        v_item.outcome := 'changed';
                        v_item.detail := format('%s has no row for it as the rule needs it, or somebody holds that.', v_beside);
                        v_settled := true;
                        RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
                    END IF;
                    v_beside := NULL;
                END IF;
                EXECUTE p_sql ->> 'call_write' INTO v_item.after, v_state, v_empty
                  USING true, c_write, p_context ->> 'search_path', c_now, p_context ->> 'reason', p_action::text,
                        v_proof.effect_id, v_proof.effect_type, v_item.identity, v_guard, v_values;
                GET DIAGNOSTICS v_rows = ROW_COUNT;
                IF v_rows <> 1 THEN
                    v_item.outcome := CASE WHEN v_rows = 0 THEN 'refused' ELSE 'error' END;
                    v_item.detail := CASE WHEN v_rows = 0 THEN 'A trigger or row security kept the change away.'
                                          ELSE 'The identity is not unique.' END;
                ELSIF c_rule ->> 'to' <> 'absent' AND v_state IS DISTINCT FROM c_rule ->> 'to' THEN
                    v_item.outcome := 'wrong_state';
                    v_item.detail := format('It would have become %s instead of %s.', idemdesk._state_told(v_state),
                        c_rule ->> 'to');
                ELSIF c_rule ->> 'verb' = 'align' AND NOT idemdesk._taken(p_context, p_sql, p_row, v_item.identity, v_values,
                          v_intent, c_now) THEN
                    v_item.outcome := 'wrong_state';
                    v_item.detail := 'The row would not hold just what the other region''s row holds.';
                ELSIF v_empty THEN
                    v_item.outcome := 'empty_replay';
                    v_item.detail := 'A retry would be answered with nothing.';
                ELSE
                    v_item.outcome := 'done';
                    IF p_sql -> 'second' ? (p_row ->> 'r') THEN
                        v_item.before := v_item.before || v_second.before;
                        v_item.after := v_item.after || v_second.after;
                    END IF;
                END IF;
                v_settled := v_item.outcome <> 'done';
                IF v_settled THEN
                    RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
                END IF;
            END IF;
        END IF;
        PERFORM idemdesk._require_settings(c_settings);
        PERFORM idemdesk._require_nothing_left(p_context ->> 'run', c_owned);
    EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
        GET STACKED DIAGNOSTICS v_where = PG_EXCEPTION_CONTEXT;
        v_outcome := idemdesk._outcome(SQLSTATE);
        v_item.after := NULL;
        IF NOT v_settled THEN
            IF idemdesk._ends_batch(SQLSTATE, SQLERRM, v_where) THEN
                IF v_beside IS NULL AND idemdesk._may_hear_end((p_context ->> 'relation')::oid, v_where) THEN
                    RAISE;
                END IF;
                RAISE EXCEPTION 'The server ended the batch; who may read the whole table is told why.' USING ERRCODE = SQLSTATE;
            END IF;
            -- An expression fails on this row: its state is not known, or would not be.
            v_item.outcome := CASE WHEN SQLSTATE LIKE '22%' THEN 'wrong_state'
                                   WHEN v_beside IS NOT NULL AND SQLSTATE = 'ID020' THEN 'error' ELSE v_outcome END;
            v_item.detail := coalesce(idemdesk._failure_beside(v_beside, SQLSTATE), idemdesk._failure(SQLSTATE, SQLERRM));
        END IF;
    END;
    IF v_item.outcome <> 'done' THEN
        v_item.before := NULL;
        v_item.after := NULL;
    END IF;
    RETURN v_item;
END
$fn$;

-- The statements of one batch, built once.
CREATE FUNCTION idemdesk._change_sql(p_context jsonb, p_image text) RETURNS jsonb
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_compiled CONSTANT jsonb := p_context -> 'compiled';
    c_match    CONSTANT text := idemdesk._match(c_compiled);
    c_guard    CONSTANT text := idemdesk._guard((p_context ->> 'relation')::oid, c_compiled);
    c_from     CONSTANT text := c_compiled ->> 'relation';
    c_state    CONSTANT text := idemdesk._whole_state(c_compiled);
    c_second   CONSTANT oid := idemdesk._second_of(c_compiled);
    v_write    jsonb;
    v_second   jsonb; -- by the rule's number
    v_taken    jsonb;
BEGIN
    SELECT jsonb_agg(format('SELECT %s, ARRAY[(%s)::pg_catalog.text, (%s)::pg_catalog.text, (%s)::pg_catalog.text] FROM %s t WHERE %s',
               idemdesk._copied((p_context ->> 'relation')::oid, x.r), coalesce(c_compiled ->> 'key', 'NULL'),
               coalesce(c_compiled ->> 'scope_text', 'NULL'), coalesce(c_compiled ->> 'fingerprint', 'NULL'), c_from, c_match)
               ORDER BY x.n)
      INTO v_taken
      FROM jsonb_array_elements(c_compiled -> 'rules') WITH ORDINALITY AS x (r, n);
    IF jsonb_path_exists(c_compiled, '$.rules[*].second.match ? (@ != null)') THEN
        SELECT jsonb_object_agg(x.n - 1, jsonb_build_object(
                   -- Another one that fits and is held must not be passed over: it would be two.
                   'read', format('SELECT %s, s.ctid::pg_catalog.text FROM %s s, %s t WHERE %s AND (%s) FOR UPDATE OF s NOWAIT', i.sql,
                               c_compiled -> 'second' ->> 'relation', c_from, c_match, x.r -> 'second' ->> 'match'),
                   'write', format('UPDATE %s s SET %s FROM %s t WHERE %s AND (%s) '
                                'AND s.ctid OPERATOR(pg_catalog.=) ($7)[1]::pg_catalog.tid RETURNING %s',
                                c_compiled -> 'second' ->> 'relation', idemdesk._set_list(x.r -> 'second'), c_from, c_match,
                                x.r -> 'second' ->> 'match', i.sql)))
          INTO v_second
          FROM jsonb_array_elements(c_compiled -> 'rules') WITH ORDINALITY AS x (r, n), idemdesk._second_image(c_second) i
         WHERE x.r -> 'second' ->> 'match' IS NOT NULL;
    END IF;
    SELECT jsonb_agg(CASE r ->> 'to' WHEN 'absent' THEN
               format('DELETE FROM %s t WHERE %s AND (%s) RETURNING NULL::pg_catalog.text[], NULL::pg_catalog.text, false',
                      c_from, c_match, c_guard)
           ELSE
               format('UPDATE %s t SET %s WHERE %s AND (%s) RETURNING %s, (%s)::pg_catalog.text, (%s)', c_from,
                      concat_ws(', ', idemdesk._copy_list((p_context ->> 'relation')::oid, r), idemdesk._set_list(r)),
                      c_match, c_guard, p_image, c_state,
                      CASE WHEN r ->> 'to' = 'succeeded' THEN coalesce(c_compiled ->> 'empty_replay', 'false') ELSE 'false' END)
           END ORDER BY n)
      INTO v_write
      FROM jsonb_array_elements(c_compiled -> 'rules') WITH ORDINALITY AS x (r, n);
    RETURN jsonb_build_object(
        'match', c_match,
        'call_read', idemdesk._call(p_context ->> 'run', 'image text[], state text, status text, stale boolean, leased boolean, same boolean, identity text[]'),
        'call_exists', idemdesk._call(p_context ->> 'run', 'found boolean'),
        'call_write', idemdesk._call(p_context ->> 'run', 'image text[], state text, empty boolean'),
        'read', format('SELECT %s, (%s)::pg_catalog.text, (%s)::pg_catalog.text, (%s), (%s), (%s), %s FROM %s t WHERE %s FOR UPDATE OF t SKIP LOCKED',
            p_image, c_state, coalesce(c_compiled ->> 'status', 'NULL'), coalesce(c_compiled ->> 'stale', 'NULL::pg_catalog.bool'),
            coalesce(c_compiled ->> 'leased', 'NULL::pg_catalog.bool'), c_guard,
            (SELECT format('ARRAY[%s]::pg_catalog.text[]', string_agg(idemdesk._output(format('t.%I', a.attname), a.atttypid), ', ' ORDER BY i.n))
               FROM jsonb_array_elements(c_compiled -> 'identity') WITH ORDINALITY AS i (v, n)
               JOIN pg_attribute a ON a.attrelid = (p_context ->> 'relation')::oid AND a.attname = i.v ->> 'name' AND NOT a.attisdropped),
            c_from, c_match),
        'exists', format('SELECT true FROM %s t WHERE %s', c_from, c_match),
        'call_other', idemdesk._call(p_context ->> 'run', 'fingerprint text, at timestamptz'),
        'other', format('SELECT (%s)::pg_catalog.text, (%s)::pg_catalog.timestamptz FROM %s t WHERE %s',
            coalesce(c_compiled ->> 'fingerprint', 'NULL'), coalesce(c_compiled ->> 'written', 'NULL'), c_from, c_match),
        'call_taken', idemdesk._call(p_context ->> 'run', 'took boolean, intent text[]'), 'taken', v_taken,
        'write', v_write, 'second', coalesce(v_second, '{}'));
END
$fn$;

-- The next rows of a recovery, requeue or reclassification: p_limit of the frozen set in one transaction. Calling it
-- again with the same p_batch gives the same answer and changes nothing.
CREATE FUNCTION idemdesk.change_batch(p_action uuid, p_batch integer, p_limit integer DEFAULT 500) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '500ms'
AS $fn$
DECLARE
    v_caller  text;
    v_context jsonb;
    v_columns text[];
    v_types   text[];
    v_image   text;
    v_second  bigint; -- the second table, where some row of the batch has a rule that changes it, too
    v_sql     jsonb;
    v_row     jsonb;
    v_items   idemdesk.item[] := '{}';
    v_counts  jsonb;
    v_out     jsonb;
    v_answer  jsonb;
    c_look_again CONSTANT interval := '20 milliseconds';
    v_looks   boolean;
    v_looked  timestamptz;
    v_sources oid[];
    v_unsteady text;
    v_writers text;
    v_lasting text[] := '{}';
BEGIN
    GET DIAGNOSTICS v_caller = PG_CONTEXT;
    PERFORM idemdesk._enter('idemdesk_operator', v_caller, 'change_batch');
    v_context := idemdesk._begin_batch(p_action, p_batch, p_limit);
    IF v_context ? 'seen' THEN
        RETURN v_context -> 'seen';
    END IF;
    IF v_context ->> 'verb' NOT IN ('recover', 'requeue', 'reclassify', 'align') THEN
        RAISE EXCEPTION 'This action is a %.', v_context ->> 'verb' USING ERRCODE = 'ID005';
    END IF;
    SELECT i.columns, i.types, i.sql INTO v_columns, v_types, v_image FROM idemdesk._image((v_context ->> 'relation')::oid) i;
    v_sql := idemdesk._change_sql(v_context, v_image);
    IF EXISTS (SELECT FROM jsonb_array_elements(v_context -> 'rows') r WHERE v_sql -> 'second' ? (r ->> 'r')) THEN
        v_second := idemdesk._second_of(v_context -> 'compiled')::bigint;
        v_columns := v_columns || (v_context -> 'compiled' -> 'second' ->> 'relation');
    END IF;
    v_looks := EXISTS (SELECT FROM jsonb_array_elements(v_context -> 'rows') r
                        WHERE idemdesk._looks_again(v_context -> 'compiled' -> 'rules' -> (r ->> 'r')::integer, r ->> 'e')
                           OR v_context -> 'compiled' -> 'rules' -> (r ->> 'r')::integer ->> 'forbids' IS NOT NULL);
    FOR v_row IN SELECT r FROM jsonb_array_elements(v_context -> 'rows') r LOOP
        -- Once for many rows; where rows take their time, whoever began to write meanwhile is seen as well.
        IF v_looks AND (v_looked IS NULL OR clock_timestamp() > v_looked + c_look_again) THEN
            IF v_looked IS NULL THEN
                SELECT e.tables, e.unsteady INTO v_sources, v_unsteady FROM idemdesk._evidence_sources(v_context) e;
            END IF;
            SELECT w.who, w.lasting INTO v_writers, v_lasting FROM idemdesk._writers_to(v_sources, v_lasting) w;
            v_context := v_context || jsonb_build_object('unknown', coalesce(': ' || v_unsteady, ' yet: ' || v_writers));
            v_looked := clock_timestamp();
        END IF;
        v_items := v_items || idemdesk._change_row(v_context, v_sql, v_row, p_action);
    END LOOP;
    SELECT coalesce(jsonb_object_agg(c.outcome, c.n), '{}') INTO v_counts
      FROM (SELECT i.outcome, count(*) AS n FROM unnest(v_items) i GROUP BY i.outcome) c;
    SELECT coalesce(jsonb_agg(jsonb_build_object('n', i.ordinal, 'outcome', i.outcome, 'detail', i.detail) ORDER BY i.ordinal), '[]')
      INTO v_out FROM unnest(v_items) i;
    PERFORM idemdesk._require_trampoline(v_context ->> 'run');
    PERFORM idemdesk._require_unchanged(v_context);
    v_answer := idemdesk._append(p_action, p_batch, v_columns, v_items, NULL, v_counts, '{}', false,
        jsonb_build_object('outcomes', v_out, 'second', v_second));
    RETURN v_answer;
END
$fn$;

-- " AND …" for the rows t of the archive that hold what a purge copied there of the row with this image.
CREATE FUNCTION idemdesk._archived_as(p_context jsonb, p_columns text[], p_image text) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(string_agg(format(' AND %s IS NOT DISTINCT FROM %s', idemdesk._output(format('t.%I', h.name),
        b.atttypid),
               idemdesk._output(format('((%s)[%s]::%s)::%s', p_image, array_position(p_columns, h.name),
                   format_type(a.atttypid, a.atttypmod), format_type(b.atttypid, b.atttypmod)), b.atttypid)), ''), '')
      FROM jsonb_array_elements_text(p_context -> 'compiled' -> 'history' -> 'columns') AS h (name)
      JOIN pg_attribute a ON a.attrelid = (p_context ->> 'relation')::oid AND a.attname = h.name AND NOT a.attisdropped
      JOIN pg_attribute b ON b.attrelid = idemdesk._relation_named(p_context -> 'compiled' -> 'history' ->> 'relation')
       AND b.attname = h.name AND NOT b.attisdropped
     WHERE h.name = ANY (p_columns)
$fn$;

-- What putting rows back needs, for images of these columns; {"gone": true} where the table has lost one of them.
CREATE FUNCTION idemdesk._restore_sql(p_context jsonb, p_columns text[]) RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN count(*) < cardinality(p_columns) THEN jsonb_build_object('gone', true) ELSE jsonb_build_object(
        'match', idemdesk._match(p_context -> 'compiled'),
        -- A key that lived before has older copies there; those of just this life cannot be told from each other.
        'unarchive', 'WITH gone AS (DELETE FROM ' || (p_context -> 'compiled' -> 'history' ->> 'relation')
            || ' t WHERE (t.tableoid, t.ctid) IN (SELECT t.tableoid, t.ctid FROM '
            || (p_context -> 'compiled' -> 'history' ->> 'relation') || ' t WHERE ' ||
                idemdesk._match(p_context -> 'compiled')
            || idemdesk._archived_as(p_context, p_columns, '$8')
            || ' LIMIT 1) RETURNING 1) SELECT pg_catalog.count(*) FROM gone',
        'image', 'ARRAY[' || string_agg(idemdesk._output(format('t.%I', a.attname), a.atttypid), ', ' ORDER BY c.n)
            || ']::pg_catalog.text[]',
        'set', jsonb_agg(format('%I = ($8)[%s]::%s', a.attname, c.n, format_type(a.atttypid, a.atttypmod)) ORDER BY c.n),
        'names', string_agg(quote_ident(a.attname), ', ' ORDER BY c.n),
        'values', string_agg(format('($8)[%s]::%s', c.n, format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY c.n),
        'given', string_agg(format('(g.v)[%s]::%s', c.n, format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY c.n),
        'identity', (SELECT jsonb_agg(array_position(p_columns, i.v ->> 'name') ORDER BY i.n)
                       FROM jsonb_array_elements(p_context -> 'compiled' -> 'identity') WITH ORDINALITY AS i (v, n))) END
      FROM unnest(p_columns) WITH ORDINALITY AS c (name, n)
      JOIN pg_attribute a ON a.attrelid = (p_context ->> 'relation')::oid AND a.attname = c.name AND NOT a.attisdropped
           AND a.attgenerated = ''
$fn$;

-- The identity's values within an image of a row, as _restore_sql() numbers them.
CREATE FUNCTION idemdesk._key_of(p_sql jsonb, p_image text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT ARRAY(SELECT p_image[i.n::integer] FROM jsonb_array_elements_text(p_sql -> 'identity') WITH ORDINALITY AS i (n, at)
                  ORDER BY i.at)
$fn$;

-- Puts the row of the second table back as it was: p_was and p_became are its images. Gives what it is now, NULL where
-- somebody changed or holds it since.
CREATE FUNCTION idemdesk._restore_second(p_context jsonb, p_was jsonb, p_became jsonb) RETURNS text
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_table CONSTANT text := p_context -> 'compiled' -> 'second' ->> 'relation';
    c_call  CONSTANT text := idemdesk._call(p_context ->> 'run', 'image text');
    v_image record;
    v_match text;
    v_set   text;
    v_key   text[];
    v_is    text;
    v_rows  bigint;
BEGIN
    SELECT i.* INTO v_image FROM idemdesk._second_image(idemdesk._second_of(p_context -> 'compiled')) i;
    SELECT string_agg(format('s.%1$I::%2$s %3$s ($6)[%4$s]::%5$s::%2$s', k.name, v_image.likes[k.n], v_image.equals[k.n],
               k.n, v_image.types[array_position(v_image.columns, k.name)]),
               ' AND ' ORDER BY k.n), array_agg(p_became ->> k.name ORDER BY k.n)
      INTO v_match, v_key FROM unnest(v_image.keys) WITH ORDINALITY AS k (name, n);
    EXECUTE c_call INTO v_is
      USING true, format('SELECT %s FROM %s s WHERE %s FOR UPDATE OF s SKIP LOCKED', v_image.sql, c_table, v_match),
            p_context ->> 'search_path', NULL::timestamptz, NULL::text, NULL::text, NULL::text, NULL::text, v_key,
            NULL::text[], NULL::text[];
    IF v_is::jsonb IS DISTINCT FROM p_became THEN
        RETURN NULL;
    END IF;
    SELECT string_agg(format('%I = ($8)[%s]::%s', c.name, c.n, v_image.types[c.n]), ', ') INTO v_set
      FROM unnest(v_image.columns) WITH ORDINALITY AS c (name, n)
     WHERE p_was ->> c.name IS DISTINCT FROM p_became ->> c.name;
    IF v_set IS NULL THEN
        RETURN v_is;
    END IF;
    EXECUTE c_call INTO v_is
      USING true, format('UPDATE %s s SET %s WHERE %s RETURNING %s', c_table, v_set, v_match, v_image.sql),
            p_context ->> 'search_path', NULL::timestamptz, NULL::text, NULL::text, NULL::text, NULL::text, v_key,
            NULL::text[], ARRAY(SELECT p_was ->> c.name FROM unnest(v_image.columns) WITH ORDINALITY AS c (name, n) ORDER BY c.n);
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    IF v_rows <> 1 THEN
        RAISE EXCEPTION 'not one row' USING ERRCODE = 'ID020';
    END IF;
    RETURN v_is;
END
$fn$;

-- Puts one row back as its before-image says, if nobody touched it since. p_sql is _restore_sql() of the image's
-- columns.
CREATE FUNCTION idemdesk._restore_row(p_context jsonb, p_sql jsonb, p_row jsonb, p_ordinal integer) RETURNS idemdesk.item
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_relation CONSTANT text := p_context -> 'compiled' ->> 'relation';
    c_call     CONSTANT text := idemdesk._call(p_context ->> 'run', 'image text[]');
    c_before   CONSTANT text[] := ARRAY(SELECT jsonb_array_elements_text(p_row -> 'before'));
    c_after    CONSTANT text[] := CASE WHEN jsonb_typeof(p_row -> 'after') = 'array'
                                       THEN ARRAY(SELECT jsonb_array_elements_text(p_row -> 'after')) END;
    -- Where the change moved the row (a state inside its identity) it is found by what it became.
    c_key      CONSTANT text[] := idemdesk._key_of(p_sql, coalesce(c_after, c_before));
    c_freed    CONSTANT text[] := ARRAY['pending', 'failed_retryable']; -- states in which anybody does the work again
    c_state    CONSTANT text := format('SELECT (%s)::pg_catalog.text FROM %s t WHERE %s',
        idemdesk._whole_state(p_context -> 'compiled'), c_relation, p_sql ->> 'match');
    v_item     idemdesk.item;
    v_set      text;
    v_was      text;
    v_is       text;
    v_rows     bigint;
    v_outcome  text;
    v_settled  boolean := false; -- as in _change_row
    c_second   CONSTANT jsonb := p_row -> 'second'; -- what the second table's row was and became
    v_beside   text; -- as in _change_row
    v_back     text;
    c_settings CONSTANT text[] := idemdesk._own_settings();
    c_owned    CONSTANT text := idemdesk._owned(p_context ->> 'run');
    v_where    text;
BEGIN
    v_item.ordinal := p_ordinal;
    v_item.identity := ARRAY(SELECT jsonb_array_elements_text(p_row -> 'i'));
    IF p_sql ? 'gone' THEN
        v_item.outcome := 'schema_changed';
        v_item.detail := 'A column of the before-image is gone from the table.';
        RETURN v_item;
    ELSIF c_second IS NOT NULL AND NOT coalesce((p_row ->> 'known')::boolean
              AND (SELECT i.columns @> k.names AND k.names @> i.columns AND cardinality(i.keys) > 0
                     FROM idemdesk._second_image(idemdesk._second_of(p_context -> 'compiled')) i,
                          LATERAL (SELECT array_agg(o.key) AS names FROM jsonb_object_keys((c_second ->> 0)::jsonb) o (key)) k),
              false) THEN
        v_item.outcome := 'schema_changed';
        v_item.detail := 'The second table that was changed with it is another one now, or has other columns.';
        RETURN v_item;
    END IF;
    BEGIN
        EXECUTE c_call INTO v_item.before
          USING true, format('SELECT %s FROM %s t WHERE %s FOR UPDATE OF t SKIP LOCKED', p_sql ->> 'image', c_relation, p_sql ->> 'match'),
                p_context ->> 'search_path', statement_timestamp(), NULL::text, NULL::text, NULL::text, NULL::text, c_key,
                NULL::text[], NULL::text[];
        GET DIAGNOSTICS v_rows = ROW_COUNT;
        IF v_rows = 0 AND c_after IS NOT NULL THEN
            v_item.outcome := 'changed';
            v_item.detail := 'The row is gone, or somebody holds it.';
        ELSIF v_rows > 1 AND c_after IS NOT NULL THEN
            v_item.outcome := 'error';
            v_item.detail := 'The identity is not unique.';
        ELSIF c_after IS NOT NULL AND v_item.before IS DISTINCT FROM c_after THEN
            v_item.outcome := 'changed';
            v_item.detail := 'Somebody changed the row since.';
        ELSIF c_after IS NULL AND v_rows > 0 THEN
            v_item.outcome := 'changed';
            v_item.detail := 'The key exists again.';
        ELSE
            -- First, as the change had it: what its triggers do to the row shows in what is looked at then.
            IF c_second IS NOT NULL THEN
                v_beside := p_context -> 'compiled' -> 'second' ->> 'relation';
                v_back := idemdesk._restore_second(p_context, (c_second ->> 0)::jsonb, (c_second ->> 1)::jsonb);
                IF v_back IS NULL THEN
                    v_item.outcome := 'changed';
                    v_item.detail := format('Somebody changed or holds its row of %s since.', v_beside);
                    v_settled := true;
                    RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
                END IF;
                v_beside := NULL;
            END IF;
            IF c_after IS NULL THEN
                EXECUTE c_call INTO v_item.after
                  USING true, format('INSERT INTO %s AS t (%s) OVERRIDING SYSTEM VALUE VALUES (%s) RETURNING %s', c_relation,
                            p_sql ->> 'names', p_sql ->> 'values', p_sql ->> 'image'),
                        p_context ->> 'search_path', NULL::timestamptz, NULL::text, NULL::text, NULL::text, NULL::text, c_key,
                        NULL::text[], c_before;
            ELSE
                EXECUTE idemdesk._call(p_context ->> 'run', 'state text') INTO v_was
                  USING true, c_state, p_context ->> 'search_path', statement_timestamp(), NULL::text, NULL::text, NULL::text,
                        NULL::text, c_key, NULL::text[], NULL::text[];
                SELECT string_agg(s.v, ', ') FILTER (WHERE c_before[s.n] IS DISTINCT FROM c_after[s.n]) INTO v_set
                  FROM jsonb_array_elements_text(p_sql -> 'set') WITH ORDINALITY AS s (v, n);
                EXECUTE c_call INTO v_item.after
                  USING true, format('UPDATE %s t SET %s WHERE %s RETURNING %s', c_relation, coalesce(v_set, p_sql -> 'set' ->> 0),
                            p_sql ->> 'match', p_sql ->> 'image'),
                        p_context ->> 'search_path', NULL::timestamptz, NULL::text, NULL::text, NULL::text, NULL::text, c_key,
                        NULL::text[], c_before;
            END IF;
            GET DIAGNOSTICS v_rows = ROW_COUNT;
            IF v_rows = 1 AND c_after IS NOT NULL AND (v_was = ANY (c_freed)) IS NOT TRUE THEN -- nor was its state unknown
                EXECUTE idemdesk._call(p_context ->> 'run', 'state text') INTO v_is
                  USING true, c_state, p_context ->> 'search_path', statement_timestamp(), NULL::text, NULL::text, NULL::text,
                        NULL::text, idemdesk._key_of(p_sql, c_before), NULL::text[], NULL::text[];
            END IF;
            -- A way back frees a key as the way there does: not while the effect of its work is there.
            IF v_is = ANY (c_freed) THEN
                v_item.detail := (idemdesk._evidence(p_context, jsonb_build_object('to', v_is), p_sql ->> 'match',
                    statement_timestamp(), NULL, idemdesk._key_of(p_sql, c_before))).why;
            END IF;
            IF v_item.detail IS NOT NULL THEN
                v_item.outcome := 'evidence';
                v_settled := true;
                RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
            ELSIF v_rows = 1 THEN
                v_item.outcome := 'done';
                IF v_item.after IS DISTINCT FROM c_before OR v_back::jsonb IS DISTINCT FROM (c_second ->> 0)::jsonb THEN
                    v_item.detail := 'A trigger changed more than was put back.';
                END IF;
                IF c_second IS NOT NULL THEN
                    v_item.before := v_item.before || (c_second ->> 1);
                    v_item.after := v_item.after || v_back;
                END IF;
                IF c_after IS NULL AND p_sql ->> 'unarchive' IS NOT NULL THEN
                    EXECUTE idemdesk._call(p_context ->> 'run', 'n bigint') INTO v_rows
                      USING true, p_sql ->> 'unarchive', p_context ->> 'search_path', NULL::timestamptz, NULL::text, NULL::text,
                            NULL::text, NULL::text, c_key, NULL::text[], c_before;
                    IF v_rows <> 1 THEN
                        v_item.detail := 'Its copy in the archive was not found, so nothing was removed there.';
                    END IF;
                END IF;
            ELSE
                -- What became of other rows, or what a trigger did before it refused, is taken back.
                v_item.outcome := CASE WHEN v_rows = 0 THEN 'refused' ELSE 'error' END;
                v_item.detail := CASE WHEN v_rows = 0 THEN 'A trigger or row security kept the change away.'
                                      ELSE 'The identity is not unique.' END;
                v_settled := true;
                RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
            END IF;
        END IF;
        PERFORM idemdesk._require_settings(c_settings);
        PERFORM idemdesk._require_nothing_left(p_context ->> 'run', c_owned);
    EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
        GET STACKED DIAGNOSTICS v_where = PG_EXCEPTION_CONTEXT;
        v_outcome := idemdesk._outcome(SQLSTATE);
        v_item.after := NULL;
        IF NOT v_settled THEN
            IF idemdesk._ends_batch(SQLSTATE, SQLERRM, v_where) THEN
                IF v_beside IS NULL AND idemdesk._may_hear_end((p_context ->> 'relation')::oid, v_where) THEN
                    RAISE;
                END IF;
                RAISE EXCEPTION 'The server ended the batch; who may read the whole table is told why.' USING ERRCODE = SQLSTATE;
            END IF;
            v_item.outcome := CASE WHEN v_beside IS NOT NULL AND SQLSTATE = 'ID020' THEN 'error' ELSE v_outcome END;
            v_item.detail := coalesce(idemdesk._failure_beside(v_beside, SQLSTATE), idemdesk._failure(SQLSTATE, SQLERRM));
        END IF;
    END;
    IF v_item.outcome <> 'done' THEN
        v_item.before := NULL;
        v_item.after := NULL;
    END IF;
    RETURN v_item;
END
$fn$;

-- The statement that puts a piece of a purge back at once; $8 holds the rows' images as texts. Its answer: the places
-- in the piece whose key is there again; the places of rows that became something else than their image, and what; and
-- how many have no answer, because a trigger kept them away or gave them another identity, or the archive did not have
-- just one copy. Where no trigger stands before the table a row becomes its image, and what it became is not read back.
-- p_look false: keys that are there again are not looked for, and a single one fails the statement.
CREATE FUNCTION idemdesk._restore_set_sql(p_context jsonb, p_sql jsonb, p_columns text[], p_look boolean) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN NOT p_look AND NOT s.guarded AND c.archive IS NULL THEN format(
        'WITH back AS (INSERT INTO %s AS t (%s) OVERRIDING SYSTEM VALUE '
        'SELECT %s FROM (SELECT g.image::pg_catalog.text[] AS v '
        'FROM pg_catalog.unnest(($8)::pg_catalog.text[]) AS g (image) OFFSET 0) g RETURNING 1) '
        'SELECT NULL::pg_catalog.int4[], NULL::pg_catalog.int4[], NULL::pg_catalog.text[], '
        'pg_catalog.cardinality($8) - pg_catalog.count(*) FROM back',
        c.compiled ->> 'relation', p_sql ->> 'names', p_sql ->> 'given') ELSE format(
        'WITH given AS MATERIALIZED (SELECT g.n::pg_catalog.int4 AS n, g.image, g.image::pg_catalog.text[] AS v '
        'FROM pg_catalog.unnest(($8)::pg_catalog.text[]) WITH ORDINALITY AS g (image, n)), '
        'there AS MATERIALIZED (SELECT g.n FROM given g WHERE %9$s), '
        'free AS NOT MATERIALIZED (SELECT g.n, g.image, g.v FROM given g '
        'WHERE g.n <> ALL (ARRAY(SELECT h.n FROM there h))), '
        'back AS (INSERT INTO %1$s AS t (%3$s) OVERRIDING SYSTEM VALUE SELECT %4$s FROM free g RETURNING %5$s)%6$s '
        'SELECT ARRAY(SELECT h.n FROM there h), o.places, o.images, o.missing%7$s FROM (%8$s) o',
        c.compiled ->> 'relation', i.same, p_sql ->> 'names', p_sql ->> 'given',
        CASE WHEN s.guarded THEN format('ARRAY[%s]::pg_catalog.text AS key, (%s)::pg_catalog.text AS image', i.output,
                 p_sql ->> 'image')
             ELSE '1' END,
        CASE WHEN c.archive IS NULL THEN ''
             ELSE format(', moved AS (DELETE FROM %s t USING free g WHERE %s%s RETURNING g.n)', c.archive, i.same,
                 idemdesk._archived_as(p_context, p_columns, 'g.v')) END,
        CASE WHEN c.archive IS NULL THEN ''
             ELSE ' + (SELECT pg_catalog.count(*) FROM free g LEFT JOIN (SELECT m.n, pg_catalog.count(*) AS copies '
             'FROM moved m GROUP BY m.n) m ON m.n = g.n WHERE m.copies IS DISTINCT FROM 1)' END,
        CASE WHEN s.guarded THEN format(
            'SELECT pg_catalog.array_agg(g.n) FILTER (WHERE b.image <> g.image) AS places, '
            'pg_catalog.array_agg(b.image) FILTER (WHERE b.image <> g.image) AS images, '
            'pg_catalog.count(*) FILTER (WHERE b.key IS NULL) AS missing '
            'FROM free g LEFT JOIN back b ON b.key = ARRAY[%s]::pg_catalog.text', i.given)
             ELSE 'SELECT NULL::pg_catalog.int4[] AS places, NULL::pg_catalog.text[] AS images, '
                  '(SELECT pg_catalog.count(*) FROM free) - (SELECT pg_catalog.count(*) FROM back) AS missing' END,
        CASE WHEN p_look THEN format('EXISTS (SELECT FROM %s t WHERE %s)', c.compiled ->> 'relation', i.same)
             ELSE 'false' END) END
      FROM (SELECT p_context -> 'compiled', p_context -> 'compiled' -> 'history' ->> 'relation')
               AS c (compiled, archive),
           LATERAL (SELECT string_agg(format('t.%I %s (g.v)[%s]::%s', x.v ->> 'name', x.v ->> 'eq',
                               array_position(p_columns, x.v ->> 'name'), x.v ->> 'type'), ' AND ' ORDER BY x.n)
                               AS same,
                           string_agg(idemdesk._output(format('t.%I', x.v ->> 'name'), a.atttypid), ', ' ORDER BY x.n)
                               AS output,
                           string_agg(format('(g.v)[%s]', array_position(p_columns, x.v ->> 'name')), ', ' ORDER BY x.n)
                               AS given
                      FROM jsonb_array_elements(c.compiled -> 'identity') WITH ORDINALITY AS x (v, n)
                      JOIN pg_attribute a ON a.attrelid = (p_context ->> 'relation')::oid
                       AND a.attname = x.v ->> 'name') i,
           -- Of the table or of a partition: row triggers before an insert (bits 0, 1 and 2 of tgtype).
           LATERAL (WITH RECURSIVE part (oid) AS (
                        SELECT (p_context ->> 'relation')::oid
                        UNION ALL SELECT h.inhrelid FROM pg_inherits h JOIN part ON part.oid = h.inhparent)
                    SELECT EXISTS (SELECT FROM pg_trigger g JOIN part ON part.oid = g.tgrelid
                                    WHERE NOT g.tgisinternal AND g.tgtype & 7 = 7) AS guarded) s
$fn$;

-- Puts a piece of a purge back as a whole. Where one row stands in the way of the others nothing was changed, and the
-- answer has why.
CREATE FUNCTION idemdesk._restore_set(p_context jsonb, p_statement text, p_images text[]) RETURNS jsonb
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_there  integer[];
    v_places integer[];
    v_images text[];
    v_open   bigint;
    c_settings CONSTANT text[] := idemdesk._own_settings();
    c_owned    CONSTANT text := idemdesk._owned(p_context ->> 'run');
    v_where  text;
BEGIN
    BEGIN
        EXECUTE idemdesk._call(p_context ->> 'run', 'there integer[], places integer[], images text[], missing bigint')
           INTO v_there, v_places, v_images, v_open
          USING true, p_statement, p_context ->> 'search_path', statement_timestamp(), NULL::text, NULL::text, NULL::text,
                NULL::text, NULL::text[], NULL::text[], p_images;
        PERFORM idemdesk._require_settings(c_settings);
        PERFORM idemdesk._require_nothing_left(p_context ->> 'run', c_owned);
        IF v_open <> 0 THEN
            RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
        END IF;
    EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
        GET STACKED DIAGNOSTICS v_where = PG_EXCEPTION_CONTEXT;
        IF idemdesk._ends_batch(SQLSTATE, SQLERRM, v_where) THEN
            IF idemdesk._may_hear_end((p_context ->> 'relation')::oid, v_where) THEN
                RAISE;
            END IF;
            RAISE EXCEPTION 'The server ended the batch; who may read the whole table is told why.' USING ERRCODE = SQLSTATE;
        END IF;
        RETURN jsonb_build_object('failed', SQLSTATE);
    END;
    RETURN jsonb_build_object('there', coalesce(to_jsonb(v_there), '[]'), 'places', coalesce(to_jsonb(v_places), '[]'),
        'images', coalesce(to_jsonb(v_images), '[]'));
END
$fn$;

-- One batch of a purge's undo, newest row first, in large pieces; where one fails, in small ones; where one of these
-- fails, row by row: a row that cannot come back costs its neighbours the speed, and nothing else. Items are made of the
-- rows that need a word; of the others "restored" has the runs.
CREATE FUNCTION idemdesk._restore_purged(p_context jsonb, p_identities text[], p_images text[],
    OUT items idemdesk.item[], OUT restored jsonb, OUT done bigint)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_large   CONSTANT integer := 2500;
    c_small   CONSTANT integer := 250;
    c_purged  CONSTANT jsonb := p_context -> 'purged';
    c_columns CONSTANT text[] := ARRAY(SELECT jsonb_array_elements_text(c_purged -> 'columns'));
    c_sql     CONSTANT jsonb := idemdesk._restore_sql(p_context, c_columns);
    c_gone    CONSTANT boolean := c_sql ? 'gone';
    c_quick   CONSTANT text := CASE WHEN NOT c_gone
        THEN idemdesk._restore_set_sql(p_context, c_sql, c_columns, false) END;
    c_looking CONSTANT text := CASE WHEN NOT c_gone
        THEN idemdesk._restore_set_sql(p_context, c_sql, c_columns, true) END;
    v_run     record;
    v_offset  integer := 0;  -- of the run in the arrays
    v_number  integer := 1;  -- of the piece's newest row in the batch
    v_first   integer;
    v_last    integer;
    v_answer  jsonb;
    v_item    idemdesk.item;
    v_odd     jsonb;         -- places in the piece with an item, and what they became
    v_piece   text[];
    v_size    integer := c_large;
    v_floor   integer;       -- where the piece ends that is gone through in small ones
BEGIN
    items := '{}';
    restored := '[]';
    done := 0;
    FOR v_run IN SELECT (r ->> 'b')::integer AS batch, (r ->> 'f')::integer AS first, (r ->> 'l')::integer AS last
                   FROM jsonb_array_elements(c_purged -> 'runs') WITH ORDINALITY AS x (r, n) ORDER BY x.n
    LOOP
        v_last := v_run.last;
        WHILE v_last >= v_run.first LOOP
            v_first := greatest(v_run.first, v_floor, v_last - v_size + 1);
            v_piece := p_images[v_offset + v_first - v_run.first + 1 : v_offset + v_last - v_run.first + 1];
            v_answer := CASE WHEN c_gone THEN '{"failed": "gone"}'
                             ELSE idemdesk._restore_set(p_context, c_quick, v_piece) END;
            IF v_answer ->> 'failed' = '23505' THEN
                v_answer := idemdesk._restore_set(p_context, c_looking, v_piece);
            END IF;
            IF v_answer ? 'failed' AND NOT c_gone AND v_last - v_first + 1 > c_small THEN
                v_size := c_small;
                v_floor := v_first;
                CONTINUE;
            END IF;
            v_odd := '{}';
            IF v_answer ? 'failed' THEN
                FOR v_n IN REVERSE v_last .. v_first LOOP
                    v_item := idemdesk._restore_row(p_context, c_sql, jsonb_build_object(
                        'i', p_identities[v_offset + v_n - v_run.first + 1]::text[],
                        'before', p_images[v_offset + v_n - v_run.first + 1]::text[]), v_number + v_last - v_n);
                    items := items || v_item;
                    v_odd := v_odd || jsonb_build_object(v_n, v_item.outcome);
                END LOOP;
            ELSIF jsonb_array_length(v_answer -> 'there') + jsonb_array_length(v_answer -> 'places') > 0 THEN
                SELECT items || array_agg(ROW(v_number + v_last - v_first + 1 - o.place,
                               p_identities[v_offset + v_first - v_run.first + o.place]::text[], NULL, o.image::text[],
                               o.outcome, CASE o.outcome WHEN 'changed' THEN 'The key exists again.'
                                   ELSE 'A trigger changed more than was put back.' END)::idemdesk.item
                           ORDER BY o.place DESC),
                       jsonb_object_agg(v_first + o.place - 1, o.outcome)
                  INTO items, v_odd
                  FROM (SELECT p.place::integer, NULL, 'changed'
                          FROM jsonb_array_elements_text(v_answer -> 'there') AS p (place)
                        UNION ALL
                        SELECT p.place::integer, p.image, 'done'
                          FROM ROWS FROM (jsonb_array_elements_text(v_answer -> 'places'),
                                          jsonb_array_elements_text(v_answer -> 'images')) AS p (place, image))
                       AS o (place, image, outcome);
            END IF;
            IF v_odd = '{}' THEN
                restored := restored || jsonb_build_object('b', v_run.batch, 'f', v_first, 'l', v_last, 'n', v_number);
                done := done + v_last - v_first + 1;
            ELSE
                -- The runs between the odd ones, and those of the odd ones that came back, each for itself.
                SELECT restored || coalesce(jsonb_agg(jsonb_build_object('b', v_run.batch, 'f', k.f, 'l', k.l,
                               'n', CASE WHEN NOT k.odd THEN v_number + v_last - k.l END)), '[]'),
                       done + coalesce(sum(k.l - k.f + 1), 0)
                  INTO restored, done
                  FROM (SELECT min(x.n) AS f, max(x.n) AS l, x.odd
                          FROM (SELECT g.n, v_odd ? g.n::text AS odd,
                                       CASE WHEN v_odd ? g.n::text THEN -g.n
                                            ELSE g.n - row_number() OVER (PARTITION BY v_odd ? g.n::text ORDER BY g.n)
                                       END AS island
                                  FROM generate_series(v_first, v_last) AS g (n)
                                 WHERE coalesce(v_odd ->> g.n::text, 'done') = 'done') x
                         GROUP BY x.odd, x.island) k;
            END IF;
            IF v_first = v_floor THEN
                v_size := c_large;
                v_floor := NULL;
            END IF;
            v_number := v_number + v_last - v_first + 1;
            v_last := v_first - 1;
        END LOOP;
        v_offset := v_offset + v_run.last - v_run.first + 1;
    END LOOP;
END
$fn$;

-- The next rows of an undo, newest change first.
CREATE FUNCTION idemdesk.undo_batch(p_action uuid, p_batch integer, p_limit integer DEFAULT 500) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '500ms'
    SET work_mem = '64MB' -- the images of 10,000 rows, as in purge_batch
AS $fn$
DECLARE
    v_caller   text;
    v_context  jsonb;
    v_row      jsonb;
    v_item     idemdesk.item;
    v_items    idemdesk.item[] := '{}';
    v_restored jsonb := '[]';
    v_counts   jsonb;
    v_out      jsonb;
    v_cursor   jsonb;
    v_number   integer := 0;
    v_columns  text[];
    v_known    jsonb;
    v_sql      jsonb;
    v_answer   jsonb;
    v_purged   record;
    v_done     bigint;
    v_last     boolean;
    v_sources  oid[];
    v_unsteady text;
    v_writers  text;
    v_second   bigint; -- as in change_batch
BEGIN
    GET DIAGNOSTICS v_caller = PG_CONTEXT;
    PERFORM idemdesk._enter('idemdesk_operator', v_caller, 'undo_batch');
    v_context := idemdesk._begin_batch(p_action, p_batch, p_limit);
    IF v_context ? 'seen' THEN
        RETURN v_context -> 'seen';
    END IF;
    IF v_context ->> 'verb' <> 'undo' THEN
        RAISE EXCEPTION 'This action is a %.', v_context ->> 'verb' USING ERRCODE = 'ID005';
    END IF;
    v_cursor := v_context -> 'cursor';
    PERFORM idemdesk._keep_memory((v_context ->> 'limit')::integer);
    IF v_context ? 'purged' THEN
        v_purged := idemdesk._purged_images((v_context -> 'purged' ->> 'of')::uuid, v_context -> 'purged' -> 'runs');
        SELECT p.items, p.restored, p.done INTO v_items, v_restored, v_done
          FROM idemdesk._restore_purged(v_context, v_purged.identities, v_purged.images) p;
        v_columns := ARRAY(SELECT jsonb_array_elements_text(v_context -> 'purged' -> 'columns'));
        v_cursor := coalesce(nullif(v_context -> 'purged' -> 'end', 'null'), v_cursor);
        v_last := (v_context -> 'purged' ->> 'last')::boolean;
    END IF;
    IF jsonb_array_length(v_context -> 'rows') > 0 AND jsonb_array_length(v_context -> 'compiled' -> 'effects') > 0 THEN
        -- As change_batch looks: what somebody is about to write is not absent.
        SELECT e.tables, e.unsteady INTO v_sources, v_unsteady FROM idemdesk._evidence_sources(v_context) e;
        SELECT w.who INTO v_writers FROM idemdesk._writers_to(v_sources, '{}') w;
        v_context := v_context || jsonb_build_object('unknown', coalesce(': ' || v_unsteady, ' yet: ' || v_writers));
    END IF;
    FOR v_row IN SELECT r FROM jsonb_array_elements(v_context -> 'rows') r LOOP
        v_number := v_number + 1;
        IF v_known IS DISTINCT FROM v_row -> 'c' THEN
            v_known := v_row -> 'c';
            v_columns := ARRAY(SELECT jsonb_array_elements_text(v_known));
            v_sql := idemdesk._restore_sql(v_context, v_columns);
        END IF;
        v_item := idemdesk._restore_row(v_context, v_sql, v_row, v_number);
        v_items := v_items || v_item;
        IF v_item.outcome = 'done' THEN
            v_second := CASE WHEN v_row ? 'second' THEN idemdesk._second_of(v_context -> 'compiled')::bigint ELSE v_second END;
            v_restored := v_restored || jsonb_build_object('b', v_row -> 'b', 'f', v_row -> 'o', 'l', v_row -> 'o');
        END IF;
        v_cursor := jsonb_build_object('b', v_row -> 'b', 'o', v_row -> 'o');
    END LOOP;
    SELECT coalesce(jsonb_object_agg(c.outcome, c.n), '{}') INTO v_counts
      FROM (SELECT i.outcome, count(*) AS n FROM unnest(v_items) i GROUP BY i.outcome) c;
    IF v_done > 0 THEN
        v_counts := v_counts || jsonb_build_object('done', v_done);
    END IF;
    SELECT coalesce(jsonb_agg(jsonb_build_object('n', i.ordinal, 'outcome', i.outcome, 'detail', i.detail) ORDER BY i.ordinal), '[]')
      INTO v_out FROM unnest(v_items) i;
    PERFORM idemdesk._require_trampoline(v_context ->> 'run');
    PERFORM idemdesk._require_unchanged(v_context);
    IF v_second IS NOT NULL THEN
        v_columns := v_columns || (v_context -> 'compiled' -> 'second' ->> 'relation');
    END IF;
    v_answer := idemdesk._append(p_action, p_batch, coalesce(v_columns, '{}'), v_items, NULL, v_counts, v_cursor,
        coalesce(v_last, v_number < (v_context ->> 'limit')::integer),
        jsonb_build_object('outcomes', v_out, 'restored', v_restored, 'second', v_second));
    RETURN v_answer;
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.change_batch(uuid, integer, integer), idemdesk.undo_batch(uuid, integer, integer)
    TO idemdesk_operator;
RESET ROLE;
