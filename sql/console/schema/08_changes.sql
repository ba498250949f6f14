-- SPDX-License-Identifier: GPL-3.0-or-later
-- Recovery, requeue and reclassification of the rows of a frozen set, and the undo of what was done.
SET LOCAL ROLE idemdesk_runner;

-- Why a row may not be changed by a rule, from what its effect queries say, or NULL where it may. It has no search_path
-- of its own: its caller has just set the target's, which the queries need.
CREATE FUNCTION idemdesk._evidence(p_compiled jsonb, p_rule jsonb, p_match text, p_now timestamptz, p_effect_id text,
    p_identity text[]) RETURNS text
    LANGUAGE plpgsql
AS $fn$
DECLARE
    v_effect pg_catalog.jsonb;
    v_ids    pg_catalog.text[];
BEGIN
    FOR v_effect IN SELECT e FROM pg_catalog.jsonb_array_elements(p_compiled -> 'effects') e
                     WHERE e ->> 'type' IN (p_rule ->> 'needs', p_rule ->> 'forbids')
    LOOP
        BEGIN
            EXECUTE pg_catalog.format('SELECT pg_catalog.array_agg(e.id::pg_catalog.text) FROM %s t CROSS JOIN LATERAL (%s) e WHERE %s',
                    p_compiled ->> 'relation', v_effect ->> 'sql', p_match) INTO v_ids
              USING p_now, NULL::pg_catalog.text, NULL::pg_catalog.text, NULL::pg_catalog.text, NULL::pg_catalog.text, p_identity;
        EXCEPTION WHEN OTHERS THEN
            RETURN pg_catalog.format('The effect "%s" could not be read: %s', v_effect ->> 'type', SQLERRM);
        END;
        IF v_effect ->> 'type' = p_rule ->> 'needs' AND v_ids IS NULL THEN
            RETURN pg_catalog.format('The effect "%s" does not exist.', v_effect ->> 'type');
        ELSIF v_effect ->> 'type' = p_rule ->> 'needs' AND p_effect_id IS NOT NULL AND NOT p_effect_id = ANY (v_ids) THEN
            RETURN pg_catalog.format('The effect "%s" is another one than at the preview.', v_effect ->> 'type');
        ELSIF v_effect ->> 'type' = p_rule ->> 'forbids' AND v_ids IS NOT NULL THEN
            RETURN pg_catalog.format('The effect "%s" exists.', v_effect ->> 'type');
        END IF;
    END LOOP;
    RETURN NULL;
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
    c_now      CONSTANT timestamptz := transaction_timestamp();
    v_item     idemdesk.item;
    v_guard    text[] := ARRAY(SELECT jsonb_array_elements_text(p_row -> 'g'));
    v_state    text;
    v_status   text;
    v_stale    boolean;
    v_same     boolean;
    v_found    boolean;
    v_empty    boolean;
    v_rows     bigint;
    v_outcome  text;
BEGIN
    v_item.ordinal := (p_row ->> 'n')::integer;
    v_item.identity := ARRAY(SELECT jsonb_array_elements_text(p_row -> 'i'));
    BEGIN
        PERFORM set_config('search_path', p_context ->> 'search_path', true);
        EXECUTE p_sql ->> 'read' INTO v_item.before, v_state, v_status, v_stale, v_same
          USING c_now, p_context ->> 'reason', p_action::text, p_row ->> 'e', p_row ->> 't', v_item.identity, v_guard;
        GET DIAGNOSTICS v_rows = ROW_COUNT;
        IF v_rows = 0 THEN
            EXECUTE p_sql ->> 'exists' INTO v_found
              USING c_now, NULL::text, NULL::text, NULL::text, NULL::text, v_item.identity, v_guard;
            v_item.outcome := CASE WHEN v_found THEN 'locked' ELSE 'gone' END;
        ELSIF NOT v_same OR NOT (c_rule -> 'from' ? coalesce(v_state, 'unknown'))
              OR (jsonb_array_length(c_rule -> 'status') > 0 AND NOT (c_rule -> 'status' ? coalesce(v_status, 'null'))) THEN
            v_item.outcome := 'changed';
            v_item.detail := format('It is %s now.', coalesce(v_state, 'unknown'));
        ELSIF c_rule ->> 'verb' = 'recover' AND v_state IN ('in_progress', 'pending') AND v_stale IS NOT TRUE THEN
            v_item.outcome := 'changed';
            v_item.detail := 'It is not stale any more.';
        ELSE
            v_item.detail := idemdesk._evidence(c_compiled, c_rule, p_sql ->> 'match', c_now, p_row ->> 'e', v_item.identity);
            IF v_item.detail IS NOT NULL THEN
                v_item.outcome := 'evidence';
            ELSE
                EXECUTE c_write INTO v_item.after, v_state, v_empty
                  USING c_now, p_context ->> 'reason', p_action::text, p_row ->> 'e', p_row ->> 't', v_item.identity, v_guard;
                GET DIAGNOSTICS v_rows = ROW_COUNT;
                IF v_rows <> 1 THEN
                    v_item.outcome := CASE WHEN v_rows = 0 THEN 'refused' ELSE 'error' END;
                    v_item.detail := CASE WHEN v_rows = 0 THEN 'A trigger or row security kept the change away.'
                                          ELSE 'The identity is not unique.' END;
                ELSIF c_rule ->> 'to' <> 'absent' AND v_state IS DISTINCT FROM c_rule ->> 'to' THEN
                    v_item.outcome := 'wrong_state';
                    v_item.detail := format('It would have become %s instead of %s.', coalesce(v_state, 'unknown'), c_rule ->> 'to');
                ELSIF v_empty THEN
                    v_item.outcome := 'empty_replay';
                    v_item.detail := 'A retry would be answered with nothing.';
                ELSE
                    v_item.outcome := 'done';
                END IF;
                IF v_item.outcome <> 'done' THEN
                    RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
                END IF;
            END IF;
        END IF;
        PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    EXCEPTION WHEN OTHERS THEN
        v_outcome := idemdesk._outcome(SQLSTATE);
        v_item.after := NULL;
        IF SQLSTATE <> 'ID020' THEN
            IF v_outcome IS NULL THEN
                RAISE;
            END IF;
            v_item.outcome := v_outcome;
            v_item.detail := left(SQLERRM, 500);
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
    c_state    CONSTANT text := coalesce(c_compiled ->> 'state', '''unknown''');
    v_write    jsonb;
BEGIN
    SELECT jsonb_agg(CASE r ->> 'to' WHEN 'absent' THEN
               format('DELETE FROM %s t WHERE %s AND (%s) RETURNING NULL::pg_catalog.text[], NULL::pg_catalog.text, false',
                      c_from, c_match, c_guard)
           ELSE
               format('UPDATE %s t SET %s WHERE %s AND (%s) RETURNING %s, (%s)::pg_catalog.text, (%s)', c_from, idemdesk._set_list(r),
                      c_match, c_guard, p_image, c_state,
                      CASE WHEN r ->> 'to' = 'succeeded' THEN coalesce(c_compiled ->> 'empty_replay', 'false') ELSE 'false' END)
           END ORDER BY n)
      INTO v_write
      FROM jsonb_array_elements(c_compiled -> 'rules') WITH ORDINALITY AS x (r, n);
    RETURN jsonb_build_object(
        'match', c_match,
        'read', format('SELECT %s, (%s)::pg_catalog.text, (%s)::pg_catalog.text, (%s), (%s) FROM %s t WHERE %s FOR UPDATE OF t SKIP LOCKED',
            p_image, c_state, coalesce(c_compiled ->> 'status', 'NULL'), coalesce(c_compiled ->> 'stale', 'NULL::pg_catalog.bool'),
            c_guard, c_from, c_match),
        'exists', format('SELECT true FROM %s t WHERE %s', c_from, c_match),
        'write', v_write);
END
$fn$;

-- The next rows of a recovery, requeue or reclassification: p_limit of the frozen set in one transaction. Calling it
-- again with the same p_batch gives the same answer and changes nothing.
CREATE FUNCTION idemdesk.change_batch(p_action uuid, p_batch integer, p_limit integer DEFAULT 500) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' SET datestyle = 'ISO, YMD' SET timezone = 'UTC'
    SET intervalstyle = 'postgres' SET bytea_output = 'hex' SET extra_float_digits = 1
AS $fn$
DECLARE
    v_context jsonb;
    v_columns text[];
    v_types   text[];
    v_image   text;
    v_sql     jsonb;
    v_row     jsonb;
    v_items   idemdesk.item[] := '{}';
    v_counts  jsonb;
    v_out     jsonb;
    v_answer  jsonb;
BEGIN
    v_context := idemdesk._begin_batch(p_action, p_batch, p_limit);
    IF v_context ? 'seen' THEN
        RETURN v_context -> 'seen';
    END IF;
    IF v_context ->> 'verb' NOT IN ('recover', 'requeue', 'reclassify') THEN
        RAISE EXCEPTION 'This action is a %.', v_context ->> 'verb' USING ERRCODE = 'ID005';
    END IF;
    SELECT i.columns, i.types, i.sql INTO v_columns, v_types, v_image FROM idemdesk._image((v_context ->> 'relation')::oid) i;
    v_sql := idemdesk._change_sql(v_context, v_image);
    FOR v_row IN SELECT r FROM jsonb_array_elements(v_context -> 'rows') r LOOP
        v_items := v_items || idemdesk._change_row(v_context, v_sql, v_row, p_action);
    END LOOP;
    SELECT coalesce(jsonb_object_agg(c.outcome, c.n), '{}') INTO v_counts
      FROM (SELECT i.outcome, count(*) AS n FROM unnest(v_items) i GROUP BY i.outcome) c;
    SELECT coalesce(jsonb_agg(jsonb_build_object('n', i.ordinal, 'outcome', i.outcome, 'detail', i.detail) ORDER BY i.ordinal), '[]')
      INTO v_out FROM unnest(v_items) i;
    v_answer := idemdesk._append(p_action, p_batch, v_columns, v_items, NULL, NULL, v_counts, '{}', false, jsonb_build_object('outcomes', v_out));
    RETURN v_answer;
END
$fn$;

-- What putting rows back needs, for images of these columns; {"gone": true} where the table has lost one of them.
CREATE FUNCTION idemdesk._restore_sql(p_context jsonb, p_columns text[]) RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN count(*) < cardinality(p_columns) THEN jsonb_build_object('gone', true) ELSE jsonb_build_object(
        'match', idemdesk._match(p_context -> 'compiled'),
        'unarchive', 'DELETE FROM ' || (p_context -> 'compiled' -> 'history' ->> 'relation') || ' t WHERE '
            || idemdesk._match(p_context -> 'compiled'),
        'image', 'ARRAY[' || string_agg(idemdesk._output(format('t.%I', a.attname), a.atttypid), ', ' ORDER BY c.n)
            || ']::pg_catalog.text[]',
        'set', jsonb_agg(format('%I = ($8)[%s]::%s', a.attname, c.n, format_type(a.atttypid, a.atttypmod)) ORDER BY c.n),
        'names', string_agg(quote_ident(a.attname), ', ' ORDER BY c.n),
        'values', string_agg(format('($8)[%s]::%s', c.n, format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY c.n),
        'identity', (SELECT jsonb_agg(array_position(p_columns, i.v ->> 'name') ORDER BY i.n)
                       FROM jsonb_array_elements(p_context -> 'compiled' -> 'identity') WITH ORDINALITY AS i (v, n))) END
      FROM unnest(p_columns) WITH ORDINALITY AS c (name, n)
      JOIN pg_attribute a ON a.attrelid = (p_context ->> 'relation')::oid AND a.attname = c.name AND NOT a.attisdropped
           AND a.attgenerated = ''
$fn$;

-- Puts one row back as its before-image says, if nobody touched it since. p_sql is _restore_sql() of the image's
-- columns.
CREATE FUNCTION idemdesk._restore_row(p_context jsonb, p_sql jsonb, p_row jsonb, p_ordinal integer) RETURNS idemdesk.item
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_relation CONSTANT text := p_context -> 'compiled' ->> 'relation';
    c_before   CONSTANT text[] := ARRAY(SELECT jsonb_array_elements_text(p_row -> 'before'));
    c_after    CONSTANT text[] := CASE WHEN jsonb_typeof(p_row -> 'after') = 'array'
                                       THEN ARRAY(SELECT jsonb_array_elements_text(p_row -> 'after')) END;
    -- Where the change moved the row (a state inside its identity) it is found by what it became.
    c_key      CONSTANT text[] := ARRAY(SELECT (coalesce(c_after, c_before))[n::integer]
                                          FROM jsonb_array_elements_text(p_sql -> 'identity') n);
    v_item     idemdesk.item;
    v_set      text;
    v_rows     bigint;
    v_outcome  text;
BEGIN
    v_item.ordinal := p_ordinal;
    v_item.identity := ARRAY(SELECT jsonb_array_elements_text(p_row -> 'i'));
    IF p_sql ? 'gone' THEN
        v_item.outcome := 'schema_changed';
        v_item.detail := 'A column of the before-image is gone from the table.';
        RETURN v_item;
    END IF;
    BEGIN
        PERFORM set_config('search_path', p_context ->> 'search_path', true);
        EXECUTE format('SELECT %s FROM %s t WHERE %s FOR UPDATE OF t SKIP LOCKED', p_sql ->> 'image', c_relation, p_sql ->> 'match')
           INTO v_item.before
          USING transaction_timestamp(), NULL::text, NULL::text, NULL::text, NULL::text, c_key;
        GET DIAGNOSTICS v_rows = ROW_COUNT;
        IF v_rows = 0 AND c_after IS NOT NULL THEN
            v_item.outcome := 'changed';
            v_item.detail := 'The row is gone, or somebody holds it.';
        ELSIF c_after IS NOT NULL AND v_item.before IS DISTINCT FROM c_after THEN
            v_item.outcome := 'changed';
            v_item.detail := 'Somebody changed the row since.';
        ELSIF c_after IS NULL AND v_rows > 0 THEN
            v_item.outcome := 'changed';
            v_item.detail := 'The key exists again.';
        ELSE
            IF c_after IS NULL THEN
                EXECUTE format('INSERT INTO %s AS t (%s) OVERRIDING SYSTEM VALUE VALUES (%s) RETURNING %s',
                    c_relation, p_sql ->> 'names', p_sql ->> 'values', p_sql ->> 'image') INTO v_item.after
                  USING NULL::timestamptz, NULL::text, NULL::text, NULL::text, NULL::text, c_key, NULL::text[], c_before;
            ELSE
                SELECT string_agg(s.v, ', ') FILTER (WHERE c_before[s.n] IS DISTINCT FROM c_after[s.n]) INTO v_set
                  FROM jsonb_array_elements_text(p_sql -> 'set') WITH ORDINALITY AS s (v, n);
                EXECUTE format('UPDATE %s t SET %s WHERE %s RETURNING %s', c_relation, coalesce(v_set, p_sql -> 'set' ->> 0),
                    p_sql ->> 'match', p_sql ->> 'image') INTO v_item.after
                  USING NULL::timestamptz, NULL::text, NULL::text, NULL::text, NULL::text, c_key, NULL::text[], c_before;
            END IF;
            GET DIAGNOSTICS v_rows = ROW_COUNT;
            IF v_rows = 1 THEN
                v_item.outcome := 'done';
                IF v_item.after IS DISTINCT FROM c_before THEN
                    v_item.detail := 'A trigger changed more than was put back.';
                END IF;
                IF c_after IS NULL AND p_sql ->> 'unarchive' IS NOT NULL THEN
                    EXECUTE p_sql ->> 'unarchive'
                      USING NULL::timestamptz, NULL::text, NULL::text, NULL::text, NULL::text, c_key;
                    GET DIAGNOSTICS v_rows = ROW_COUNT;
                    IF v_rows <> 1 THEN
                        v_item.detail := format('%s copies were removed from the archive.', v_rows);
                    END IF;
                END IF;
            ELSE
                v_item.outcome := 'refused';
                v_item.detail := 'A trigger or row security kept the change away.';
            END IF;
        END IF;
        PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    EXCEPTION WHEN OTHERS THEN
        v_outcome := idemdesk._outcome(SQLSTATE);
        IF v_outcome IS NULL THEN
            RAISE;
        END IF;
        v_item.outcome := v_outcome;
        v_item.detail := left(SQLERRM, 500);
        v_item.after := NULL;
    END;
    IF v_item.outcome <> 'done' THEN
        v_item.before := NULL;
        v_item.after := NULL;
    END IF;
    RETURN v_item;
END
$fn$;

-- The next rows of an undo, newest change first.
CREATE FUNCTION idemdesk.undo_batch(p_action uuid, p_batch integer, p_limit integer DEFAULT 500) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' SET datestyle = 'ISO, YMD' SET timezone = 'UTC'
    SET intervalstyle = 'postgres' SET bytea_output = 'hex' SET extra_float_digits = 1
AS $fn$
DECLARE
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
BEGIN
    v_context := idemdesk._begin_batch(p_action, p_batch, p_limit);
    IF v_context ? 'seen' THEN
        RETURN v_context -> 'seen';
    END IF;
    IF v_context ->> 'verb' <> 'undo' THEN
        RAISE EXCEPTION 'This action is a %.', v_context ->> 'verb' USING ERRCODE = 'ID005';
    END IF;
    v_cursor := v_context -> 'cursor';
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
            v_restored := v_restored || jsonb_build_object('b', v_row -> 'b', 'o', v_row -> 'o');
        END IF;
        v_cursor := jsonb_build_object('b', v_row -> 'b', 'o', v_row -> 'o');
    END LOOP;
    SELECT coalesce(jsonb_object_agg(c.outcome, c.n), '{}') INTO v_counts
      FROM (SELECT i.outcome, count(*) AS n FROM unnest(v_items) i GROUP BY i.outcome) c;
    SELECT coalesce(jsonb_agg(jsonb_build_object('n', i.ordinal, 'outcome', i.outcome, 'detail', i.detail) ORDER BY i.ordinal), '[]')
      INTO v_out FROM unnest(v_items) i;
    v_answer := idemdesk._append(p_action, p_batch, coalesce(v_columns, '{}'), v_items, NULL, NULL, v_counts, v_cursor,
        v_number < (v_context ->> 'limit')::integer, jsonb_build_object('outcomes', v_out, 'restored', v_restored));
    RETURN v_answer;
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.change_batch(uuid, integer, integer), idemdesk.undo_batch(uuid, integer, integer)
    TO idemdesk_operator;
RESET ROLE;
