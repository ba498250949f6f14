-- SPDX-License-Identifier: GPL-3.0-or-later
-- Registering a target: what its owner must grant, what would go wrong, and a trial of every rule on a real row.
SET LOCAL ROLE idemdesk_owner;

CREATE FUNCTION idemdesk._register(p_name text, p_relation oid, p_profile text, p_compiled jsonb, p_search_path text,
    p_settings jsonb, p_findings jsonb) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_context text;
    v_who     text := idemdesk._require('idemdesk_admin');
    v_sha     bytea := sha256(convert_to(p_profile, 'UTF8'));
    v_rows    bigint;
    v_seq     bigint;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    IF NOT idemdesk._called_by(v_context, 'register_target') THEN
        RAISE EXCEPTION 'This function works only for the console''s own functions.' USING ERRCODE = 'ID011';
    END IF;
    INSERT INTO idemdesk.target AS t (name, relation, profile, profile_sha, compiled, search_path, approval_above, undo_window,
        image_limit, findings, registered_by)
    VALUES (p_name, p_relation, p_profile, v_sha, p_compiled, p_search_path, (p_settings ->> 'approval_above')::bigint,
        coalesce((p_settings ->> 'undo_window')::interval, '7 days'), coalesce((p_settings ->> 'image_limit')::bigint, 1000000),
        p_findings, v_who)
    ON CONFLICT (name) DO UPDATE
       SET relation = excluded.relation, profile = excluded.profile, profile_sha = excluded.profile_sha, compiled = excluded.compiled,
           search_path = excluded.search_path, approval_above = excluded.approval_above, undo_window = excluded.undo_window,
           image_limit = excluded.image_limit, findings = excluded.findings, registered_by = excluded.registered_by,
           registered_at = clock_timestamp();
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    IF v_rows <> 1 THEN
        RAISE EXCEPTION 'The target was not stored.' USING ERRCODE = 'ID010';
    END IF;
    v_seq := idemdesk._chain('register', p_name, NULL, NULL, jsonb_build_object('relation', p_relation::regclass,
        'profile', encode(v_sha, 'hex'), 'compiled', encode(sha256(convert_to(p_compiled::text, 'UTF8')), 'hex'),
        'search_path', p_search_path, 'settings', p_settings), NULL);
    RETURN v_seq;
END
$fn$;

CREATE FUNCTION idemdesk.unregister_target(p_name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_who text := idemdesk._require('idemdesk_admin');
    v_seq bigint;
BEGIN
    IF EXISTS (SELECT FROM idemdesk.action a WHERE a.target = p_name AND a.state IN ('requested', 'running', 'paused')) THEN
        RAISE EXCEPTION 'The target "%" has an open action.', p_name USING ERRCODE = 'ID005', HINT = 'Finish or cancel it first.';
    END IF;
    DELETE FROM idemdesk.target t WHERE t.name = p_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The target "%" is not registered.', p_name USING ERRCODE = 'ID005';
    END IF;
    v_seq := idemdesk._chain('unregister', p_name, NULL, NULL, '{}', NULL);
END
$fn$;
GRANT EXECUTE ON FUNCTION idemdesk._register(text, oid, text, jsonb, text, jsonb, jsonb) TO idemdesk_runner;
GRANT EXECUTE ON FUNCTION idemdesk.unregister_target(text) TO idemdesk_admin;
RESET ROLE;
SET LOCAL ROLE idemdesk_runner;

CREATE FUNCTION idemdesk._finding(p_severity text, p_code text, p_text text, p_sql text DEFAULT NULL) RETURNS jsonb
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT jsonb_build_array(jsonb_build_object('severity', p_severity, 'code', p_code, 'text', p_text, 'sql', p_sql))
$fn$;

-- What the catalogue says about the archive that purged rows move to.
CREATE FUNCTION idemdesk._archive_findings(p_history jsonb, p_identity jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_archive CONSTANT oid := idemdesk._relation_named(p_history ->> 'relation');
    v_out     jsonb := '[]';
    v_missing text;
BEGIN
    IF c_archive IS NULL THEN
        RETURN idemdesk._finding('problem', 'archive', format('There is no archive table %s.', p_history ->> 'relation'));
    END IF;
    SELECT string_agg(n.name, ', ') INTO v_missing
      FROM (SELECT jsonb_array_elements_text(p_history -> 'columns') AS name
            UNION SELECT i ->> 'name' FROM jsonb_array_elements(p_identity) i) n
     WHERE NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c_archive AND a.attname = n.name AND NOT a.attisdropped);
    IF v_missing IS NOT NULL THEN
        v_out := v_out || idemdesk._finding('problem', 'archive', format('The archive table lacks %s.', v_missing));
    END IF;
    IF NOT (has_table_privilege('idemdesk_runner', c_archive, 'SELECT') AND has_table_privilege('idemdesk_runner', c_archive, 'INSERT')
            AND has_table_privilege('idemdesk_runner', c_archive, 'DELETE')) THEN
        v_out := v_out || idemdesk._finding('grant', 'grant', 'idemdesk_runner may not write the archive.',
            format('GRANT SELECT, INSERT, DELETE ON %s TO idemdesk_runner', c_archive::regclass));
    END IF;
    RETURN v_out;
END
$fn$;

-- What the catalogue says about acting on a table. Severity "problem" forbids registration, "grant" names what its
-- owner must give, "warning" and "note" are for reading.
CREATE FUNCTION idemdesk._target_findings(p_relation oid, p_compiled jsonb, p_schemas text[]) RETURNS jsonb
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_deletes CONSTANT boolean := jsonb_array_length(p_compiled -> 'purge') > 0
        OR jsonb_path_exists(p_compiled, '$.rules[*] ? (@.to == "absent")');
    v_out     jsonb := '[]';
    v_class   record;
    v_columns text[];
    v_name    text;
    v_row     record;
BEGIN
    SELECT c.relkind, c.relname, c.relnamespace, n.nspname, c.relpersistence INTO v_class
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = p_relation;
    IF v_class.relkind NOT IN ('r', 'p') THEN
        RETURN idemdesk._finding('problem', 'not_a_table', 'It is not a table; rows of a view cannot be locked, so it stays read-only.');
    END IF;
    IF v_class.relpersistence = 'u' THEN
        v_out := v_out || idemdesk._finding('warning', 'unlogged', 'The table is unlogged: a crash of the server empties it, whatever was audited.');
    END IF;
    -- Columns that rules set; where they set none, one column: a row lock needs the right to update something.
    SELECT array_agg(DISTINCT n) INTO v_columns FROM (
        SELECT s.v ->> 0 AS n FROM jsonb_array_elements(p_compiled -> 'rules') r, jsonb_array_elements(r -> 'set') AS s (v)
        UNION ALL SELECT p_compiled -> 'identity' -> 0 ->> 'name'
         WHERE c_deletes AND NOT jsonb_path_exists(p_compiled, '$.rules[*].set[*]')) x;
    FOR v_row IN SELECT c.name, a.attgenerated, a.attnum, a.attidentity
                   FROM unnest(v_columns) AS c (name)
                   LEFT JOIN pg_attribute a ON a.attrelid = p_relation AND a.attname = c.name AND NOT a.attisdropped
    LOOP
        IF v_row.attnum IS NULL THEN
            v_out := v_out || idemdesk._finding('problem', 'no_column', format('A rule sets the column "%s", which the table does not have.', v_row.name));
        ELSIF v_row.attgenerated <> '' THEN
            v_out := v_out || idemdesk._finding('problem', 'generated', format('A rule sets the column "%s", which is generated and cannot be set.', v_row.name));
        END IF;
    END LOOP;
    FOR v_name IN SELECT g FROM jsonb_array_elements_text(p_compiled -> 'guard') g
                   WHERE NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = p_relation AND a.attname = g AND NOT a.attisdropped)
    LOOP
        v_out := v_out || idemdesk._finding('problem', 'no_column', format('The guard names the column "%s", which the table does not have.', v_name));
    END LOOP;
    IF jsonb_array_length(p_compiled -> 'guard') = 0 AND jsonb_array_length(p_compiled -> 'rules') > 0 THEN
        v_out := v_out || idemdesk._finding('problem', 'no_guard', 'The profile names no guard columns, so a change in the meantime could not be seen.');
    END IF;
    IF NOT EXISTS (
        SELECT FROM pg_index i
         WHERE i.indrelid = p_relation AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
           AND (SELECT bool_and(a.attnotnull AND p_compiled -> 'identity' @> jsonb_build_array(jsonb_build_object('name', a.attname)))
                  FROM unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (n, place)
                  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.n
                 WHERE k.place <= i.indnkeyatts)) THEN
        v_out := v_out || idemdesk._finding('problem', 'identity', 'No unique index proves that the identity names one row; its columns must also be NOT NULL.');
    END IF;
    IF row_security_active(p_relation)
       AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = p_relation
                          AND (p.polroles = '{0}' OR p.polroles @> ARRAY['idemdesk_runner'::regrole::oid])) THEN
        v_out := v_out || idemdesk._finding('problem', 'row_security', 'Row security hides rows from idemdesk_runner.',
            format('CREATE POLICY idemdesk ON %s TO idemdesk_runner USING (true) WITH CHECK (true)', p_relation::regclass));
    END IF;
    IF NOT has_schema_privilege('idemdesk_runner', v_class.relnamespace, 'USAGE') THEN
        v_out := v_out || idemdesk._finding('grant', 'grant', format('idemdesk_runner may not use the schema %s.', v_class.nspname),
            format('GRANT USAGE ON SCHEMA %I TO idemdesk_runner', v_class.nspname));
    END IF;
    IF NOT has_table_privilege('idemdesk_runner', p_relation, 'SELECT') THEN
        v_out := v_out || idemdesk._finding('grant', 'grant', 'idemdesk_runner may not read the table.',
            format('GRANT SELECT ON %s TO idemdesk_runner', p_relation::regclass));
    END IF;
    SELECT string_agg(quote_ident(c.name), ', ' ORDER BY c.name) INTO v_name FROM unnest(v_columns) AS c (name)
      JOIN pg_attribute a ON a.attrelid = p_relation AND a.attname = c.name AND NOT a.attisdropped
     WHERE NOT has_column_privilege('idemdesk_runner', p_relation, a.attnum, 'UPDATE');
    IF v_name IS NOT NULL THEN
        v_out := v_out || idemdesk._finding('grant', 'grant', format('idemdesk_runner may not update %s.', v_name),
            format('GRANT UPDATE (%s) ON %s TO idemdesk_runner', v_name, p_relation::regclass));
    END IF;
    IF c_deletes AND NOT (has_table_privilege('idemdesk_runner', p_relation, 'DELETE')
                          AND has_table_privilege('idemdesk_runner', p_relation, 'INSERT')) THEN
        v_out := v_out || idemdesk._finding('grant', 'grant', 'idemdesk_runner may not delete rows, or not put them back.',
            format('GRANT DELETE, INSERT ON %s TO idemdesk_runner', p_relation::regclass));
    END IF;
    IF p_compiled -> 'history' ->> 'relation' IS NOT NULL THEN
        v_out := v_out || idemdesk._archive_findings(p_compiled -> 'history', p_compiled -> 'identity');
    END IF;
    IF c_deletes THEN
        FOR v_row IN SELECT f.conname, f.conrelid::regclass AS child, f.confdeltype FROM pg_constraint f
                      WHERE f.confrelid = p_relation AND f.contype = 'f'
        LOOP
            IF v_row.confdeltype IN ('c', 'n', 'd') THEN
                v_out := v_out || idemdesk._finding('problem', 'foreign_key', format(
                    'Deleting a row would %s rows of %s through the foreign key %s, and no undo could put them back.',
                    CASE v_row.confdeltype WHEN 'c' THEN 'delete' ELSE 'change' END, v_row.child, v_row.conname));
            ELSE
                v_out := v_out || idemdesk._finding('note', 'foreign_key', format(
                    'Rows that %s points at through %s cannot be deleted; they are reported.', v_row.child, v_row.conname));
            END IF;
        END LOOP;
    END IF;
    FOR v_row IN SELECT t.tgname, pg_get_triggerdef(t.oid) AS definition, t.tgtype FROM pg_trigger t
                  WHERE t.tgrelid = p_relation AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')
    LOOP
        v_out := v_out || idemdesk._finding('note', 'trigger', format('The trigger %s fires: %s', v_row.tgname, v_row.definition));
    END LOOP;
    FOREACH v_name IN ARRAY p_schemas LOOP
        IF to_regnamespace(quote_ident(v_name)) IS NULL THEN
            v_out := v_out || idemdesk._finding('problem', 'search_path', format('The schema "%s" of the search path does not exist.', v_name));
        ELSIF has_schema_privilege('public', to_regnamespace(quote_ident(v_name)), 'CREATE') THEN
            v_out := v_out || idemdesk._finding('warning', 'search_path', format(
                'Everybody may create functions in the schema "%s", and the table''s triggers would find them.', v_name));
        END IF;
    END LOOP;
    RETURN v_out;
END
$fn$;

-- Tries one rule on rows of its kind, one after the other, until five were tried to their end; puts each back, and rolls
-- both back. 'proven', 'unproven', what went wrong, or "some: " and what went wrong with some rows while others went
-- well: what a batch leaves alone row by row need not keep the rule out. 'unreadable' where a row keeps its neighbours
-- from being found. Deferred constraints are asked at once, as the end of a batch would ask them.
CREATE FUNCTION idemdesk._try_rule(p_context jsonb, p_rule integer, p_where text) RETURNS text
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_compiled CONSTANT jsonb := p_context -> 'compiled';
    c_relation CONSTANT oid := (p_context ->> 'relation')::oid;
    c_action   CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
    v_columns  text[];
    v_types    text[];
    v_image    text;
    v_identity text;
    v_guard    text;
    v_rows     jsonb;
    v_row      jsonb;
    v_item     idemdesk.item;
    v_back     idemdesk.item;
    v_result   text;
    v_good     integer := 0;
    v_bad      text;
    v_ended    integer := 0;
BEGIN
    SELECT i.columns, i.types, i.sql INTO v_columns, v_types, v_image FROM idemdesk._image(c_relation) i;
    SELECT string_agg(idemdesk._output(format('t.%I', i.v ->> 'name'), a.atttypid), ', ' ORDER BY i.n) INTO v_identity
      FROM jsonb_array_elements(c_compiled -> 'identity') WITH ORDINALITY AS i (v, n)
      JOIN pg_attribute a ON a.attrelid = c_relation AND a.attname = i.v ->> 'name';
    SELECT string_agg(idemdesk._output(format('t.%I', g.name), a.atttypid), ', ' ORDER BY g.n) INTO v_guard
      FROM jsonb_array_elements_text(c_compiled -> 'guard') WITH ORDINALITY AS g (name, n)
      JOIN pg_attribute a ON a.attrelid = c_relation AND a.attname = g.name;
    BEGIN
        PERFORM set_config('search_path', p_context ->> 'search_path', true);
        EXECUTE format('SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(''n'', 1, ''i'', x.i, ''g'', x.g, ''r'', %s)) FROM '
                       '(SELECT pg_catalog.jsonb_build_array(%s) AS i, pg_catalog.jsonb_build_array(%s) AS g FROM %s t '
                       'WHERE %s LIMIT 50) x',
            p_rule, v_identity, coalesce(v_guard, ''), c_compiled ->> 'relation', CASE WHEN p_context ? 'around'
                THEN format('CASE WHEN %s THEN (%s) END', idemdesk._around(p_context -> 'around'), p_where) ELSE p_where END)
           INTO v_rows USING transaction_timestamp(), ARRAY['succeeded', 'failed_final'];
        PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    EXCEPTION WHEN OTHERS THEN
        RETURN CASE WHEN SQLSTATE ~ '^(22|21|23|P0)' AND NOT p_context ? 'around' THEN 'unreadable'
                    ELSE format('%s (%s)', SQLERRM, SQLSTATE) END;
    END;
    FOR v_row IN SELECT r FROM jsonb_array_elements(v_rows) r LOOP
        v_result := 'unproven';
        BEGIN
            v_item := idemdesk._change_row(p_context, idemdesk._change_sql(p_context, v_image), v_row, c_action);
            IF v_item.outcome = 'done' THEN
                SET CONSTRAINTS ALL IMMEDIATE;
                v_back := idemdesk._restore_row(p_context, idemdesk._restore_sql(p_context, v_columns),
                    jsonb_build_object('i', v_item.identity, 'before', v_item.before, 'after', v_item.after), 1);
                v_result := CASE v_back.outcome WHEN 'done' THEN 'proven'
                    ELSE format('it could not be undone (%s: %s)', v_back.outcome, v_back.detail) END;
            ELSIF v_item.outcome NOT IN ('evidence', 'changed', 'locked', 'gone', 'empty_replay') THEN
                v_result := format('%s: %s', v_item.outcome, v_item.detail);
            END IF;
            RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
        EXCEPTION WHEN OTHERS THEN
            IF SQLSTATE LIKE '42%' THEN -- a statement that cannot run at all is not this row's fault
                RETURN format('%s (%s)', SQLERRM, SQLSTATE);
            ELSIF SQLSTATE <> 'ID020' THEN
                v_result := format('%s (%s)', SQLERRM, SQLSTATE);
            END IF;
        END;
        v_good := v_good + CASE v_result WHEN 'proven' THEN 1 ELSE 0 END;
        v_bad := CASE WHEN v_result IN ('proven', 'unproven') THEN v_bad ELSE coalesce(v_bad, v_result) END;
        v_ended := v_ended + CASE v_result WHEN 'unproven' THEN 0 ELSE 1 END;
        EXIT WHEN v_ended >= 5 AND v_good > 0;
    END LOOP;
    RETURN CASE WHEN v_bad IS NULL THEN CASE WHEN v_good > 0 THEN 'proven' ELSE 'unproven' END
                WHEN v_good > 0 THEN 'some: ' || v_bad ELSE v_bad END;
END
$fn$;

-- Evaluates what the batches and the samples of a target do beside its rules, as they do it, and takes it back: what
-- fails here, or needs a right that is missing, would stop them later. What went wrong, or NULL.
CREATE FUNCTION idemdesk._try_rest(p_context jsonb) RETURNS text
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_compiled CONSTANT jsonb := p_context -> 'compiled';
    c_states   CONSTANT jsonb := '["succeeded", "failed_retryable", "failed_final"]';
    v_sql      text;
BEGIN
    FOR v_sql IN
        SELECT idemdesk._purge_sql(p_context || jsonb_build_object('plan', jsonb_build_object('states', c_states, 'scopes', s.scopes)),
                   r.rule, false, i.sql)
          FROM jsonb_array_elements(c_compiled -> 'purge') AS r (rule), (VALUES (NULL::jsonb), ('[]')) AS s (scopes),
               idemdesk._image((p_context ->> 'relation')::oid) i
        UNION ALL
        SELECT format('SELECT %s, pg_catalog.count(%s) FROM %s t WHERE false', string_agg(m.aggregate, ', '),
                   coalesce(c_compiled ->> 'scope_text', '1'), c_compiled ->> 'relation') FROM idemdesk._sample_list(c_compiled) m
    LOOP
        BEGIN
            PERFORM set_config('search_path', p_context ->> 'search_path', true);
            EXECUTE v_sql USING pg_catalog.transaction_timestamp(), ARRAY[]::pg_catalog.text[], NULL::pg_catalog.text, 1;
            RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
        EXCEPTION WHEN OTHERS THEN
            IF SQLSTATE LIKE '42%' THEN -- not a row's fault
                RETURN format('%s (%s)', SQLERRM, SQLSTATE);
            END IF;
        END;
    END LOOP;
    RETURN NULL;
END
$fn$;

-- Registers a target, or with p_store false only says what would happen. p_compiled is the profile's SQL as the console
-- placed it; p_schemas becomes the search path around statements on the target; p_settings may hold "approval_above",
-- "undo_window" and "image_limit". Answers {"registered", "findings"}.
CREATE FUNCTION idemdesk.register_target(p_name text, p_profile text, p_compiled jsonb, p_schemas text[], p_settings jsonb,
    p_store boolean) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' SET datestyle = 'ISO, YMD' SET timezone = 'UTC'
    SET intervalstyle = 'postgres' SET bytea_output = 'hex' SET extra_float_digits = 1
AS $fn$
DECLARE
    v_who      text := idemdesk._require('idemdesk_admin');
    v_relation oid;
    v_findings jsonb := '[]';
    v_context  jsonb;
    v_path     text;
    v_rule     record;
    v_effect   jsonb;
    v_result   text;
    v_count    integer;
    v_fatal    boolean;
    v_seq      bigint;
BEGIN
    PERFORM idemdesk._require_guard();
    v_relation := idemdesk._relation_named(p_compiled ->> 'relation');
    IF v_relation IS NULL THEN
        RAISE EXCEPTION 'There is no table %.', p_compiled ->> 'relation' USING ERRCODE = 'ID005';
    END IF;
    IF coalesce(p_name, '') = '' OR p_profile IS NULL OR jsonb_typeof(p_compiled -> 'rules') IS DISTINCT FROM 'array'
       OR jsonb_typeof(p_compiled -> 'purge') IS DISTINCT FROM 'array' OR jsonb_typeof(p_compiled -> 'identity') IS DISTINCT FROM 'array' THEN
        RAISE EXCEPTION 'The registration is not complete.' USING ERRCODE = 'ID005';
    END IF;
    SELECT 'pg_catalog' || coalesce(', ' || string_agg(quote_ident(s.name), ', ' ORDER BY s.n), '') || ', pg_temp'
      INTO v_path FROM unnest(p_schemas) WITH ORDINALITY AS s (name, n);
    v_findings := idemdesk._target_findings(v_relation, p_compiled, p_schemas);
    v_fatal := jsonb_path_exists(v_findings, '$[*] ? (@.severity == "problem" || @.severity == "grant")');
    IF NOT v_fatal THEN
        v_count := jsonb_array_length(p_compiled -> 'rules');
        v_context := jsonb_build_object('relation', v_relation::bigint, 'search_path', v_path, 'reason', 'trial',
            'compiled', jsonb_set(p_compiled, '{rules}', (p_compiled -> 'rules') || jsonb_build_array(jsonb_build_object(
                'verb', 'purge', 'to', 'absent', 'set', '[]'::jsonb, 'status', '[]'::jsonb,
                'from', jsonb_build_array('pending', 'in_progress', 'succeeded', 'failed_retryable', 'failed_final', 'unknown')))));
        v_result := idemdesk._try_rest(v_context);
        IF v_result IS NOT NULL THEN
            v_findings := v_findings || idemdesk._finding(CASE WHEN v_result LIKE '%(42501)' THEN 'grant' ELSE 'problem' END, 'trial',
                format('What a purge or a sample reads failed: %s', v_result));
        END IF;
        FOR v_rule IN
            SELECT format('%s to %s', r ->> 'verb', r ->> 'to') AS label, (n - 1)::integer AS number,
                   format('(%s) = ANY (%L::pg_catalog.text[])%s', p_compiled ->> 'state', ARRAY(SELECT jsonb_array_elements_text(r -> 'from')),
                       CASE WHEN r ->> 'verb' = 'recover' AND p_compiled ->> 'stale' IS NOT NULL
                            THEN format(' AND ((%s) OR (%s) <> ALL (ARRAY[''pending'', ''in_progress'']))', p_compiled ->> 'stale', p_compiled ->> 'state')
                            ELSE '' END) AS condition
              FROM jsonb_array_elements(p_compiled -> 'rules') WITH ORDINALITY AS x (r, n)
            UNION ALL
            SELECT 'purge', v_count, format('(%s) AND (%s) = ANY ($2)', p_compiled -> 'purge' -> 0 ->> 'where', p_compiled ->> 'state')
             WHERE jsonb_array_length(p_compiled -> 'purge') > 0
        LOOP
            v_result := idemdesk._try_rule(v_context, v_rule.number, v_rule.condition);
            IF v_result = 'unreadable' THEN
                v_context := v_context || jsonb_build_object('around', idemdesk._unreadable(v_context,
                    idemdesk._purge_tries(v_context) || format('pg_catalog.count(%s)', coalesce(p_compiled ->> 'stale', '1')),
                    transaction_timestamp()));
                v_findings := v_findings || idemdesk._finding('warning', 'unreadable', format(
                    '%s%s rows are unreadable, because an expression of the profile fails on them; they count as unknown, and no action takes them.',
                    v_context -> 'around' ->> 'n', CASE WHEN (v_context -> 'around' ->> 'many')::boolean THEN ' or more' ELSE '' END));
                v_result := idemdesk._try_rule(v_context, v_rule.number, v_rule.condition);
            END IF;
            v_findings := v_findings || CASE v_result
                WHEN 'proven' THEN idemdesk._finding('note', 'proven', format('Tried on one row and taken back: %s.', v_rule.label))
                WHEN 'unproven' THEN idemdesk._finding('warning', 'unproven', format('Unproven: no row was found on which this could be tried to its end (none in such a state, none with its evidence, or all held by somebody): %s.', v_rule.label))
                ELSE CASE WHEN starts_with(v_result, 'some: ')
                    THEN idemdesk._finding('warning', 'trial', format('The trial of "%s" went well on some rows and failed on others, which an action leaves alone: %s', v_rule.label, substr(v_result, 7)))
                    ELSE idemdesk._finding('problem', 'trial', format('The trial of "%s" failed: %s', v_rule.label, v_result)) END END;
        END LOOP;
        FOR v_effect IN SELECT e FROM jsonb_array_elements(p_compiled -> 'effects') e LOOP
            BEGIN
                PERFORM set_config('search_path', v_path, true);
                EXECUTE format('SELECT NULL FROM %s t CROSS JOIN LATERAL (%s) e LIMIT 0', p_compiled ->> 'relation', v_effect ->> 'sql')
                  USING transaction_timestamp();
                PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
            EXCEPTION WHEN OTHERS THEN
                v_findings := v_findings || idemdesk._finding(CASE SQLSTATE WHEN '42501' THEN 'grant' ELSE 'problem' END, 'effect',
                    format('The effect "%s" cannot be read: %s', v_effect ->> 'type', SQLERRM),
                    NULL);
            END;
        END LOOP;
        v_fatal := jsonb_path_exists(v_findings, '$[*] ? (@.severity == "problem" || @.severity == "grant")');
    END IF;
    IF p_store AND NOT v_fatal THEN
        v_seq := idemdesk._register(p_name, v_relation, p_profile, p_compiled, v_path, coalesce(p_settings, '{}'), v_findings);
    END IF;
    RETURN jsonb_build_object('registered', v_seq IS NOT NULL, 'findings', v_findings);
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.register_target(text, text, jsonb, text[], jsonb, boolean) TO idemdesk_admin;
RESET ROLE;
