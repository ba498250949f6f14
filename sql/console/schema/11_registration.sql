-- SPDX-License-Identifier: GPL-3.0-or-later
-- Registering a target: what its owner must grant, what would go wrong, and a trial of every rule on a real row.
SET LOCAL ROLE idemdesk_owner;

-- What the trail keeps of a registration; verify_audit() compares the target with it.
CREATE FUNCTION idemdesk._target_facts(p idemdesk.target) RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET intervalstyle = 'postgres'
AS $fn$
    SELECT jsonb_build_object('relation', p.relation::bigint, 'table', p.compiled ->> 'relation',
        'owner', idemdesk._owner_name(p.relation), 'profile', encode(p.profile_sha, 'hex'), 'compiled', encode(sha256(convert_to(p.compiled::text, 'UTF8')), 'hex'),
        'search_path', p.search_path, 'approval_above', p.approval_above, 'undo_window', p.undo_window,
        'image_limit', p.image_limit, 'findings', encode(sha256(convert_to(p.findings::text, 'UTF8')), 'hex'),
        'limit_by', (SELECT l.set_by FROM idemdesk.target_limit l WHERE l.relation = p.relation),
        'registered_at', p.registered_at, 'covers', encode(idemdesk._covers(p), 'hex'))
$fn$;

-- Gives a target the limits that were asked for, and remembers for its table who did.
CREATE FUNCTION idemdesk._set_limit(p_target idemdesk.target, p_action idemdesk.action) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_target idemdesk.target;
    v_seq    bigint;
BEGIN
    UPDATE idemdesk.target t
       SET approval_above = (p_action.plan ->> 'approval_above')::bigint, undo_window = (p_action.plan ->> 'undo_window')::interval
     WHERE t.name = p_target.name RETURNING t.* INTO STRICT v_target;
    UPDATE idemdesk.target_limit l
       SET approval_above = v_target.approval_above, undo_window = v_target.undo_window, set_by = p_action.requested_by
     WHERE l.relation = v_target.relation;
    PERFORM idemdesk._drop_limit_requests(v_target.relation, 'Another limit was agreed on.');
    v_seq := idemdesk._chain('limit', v_target.name, p_action.id, NULL, idemdesk._target_facts(v_target), NULL);
END
$fn$;

-- Cancels the looser limits that were asked for this table, under whatever name.
CREATE FUNCTION idemdesk._drop_limit_requests(p_relation oid, p_why text) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_request record;
    v_seq     bigint;
BEGIN
    FOR v_request IN UPDATE idemdesk.action a SET state = 'cancelled', note = p_why, finished_at = clock_timestamp()
                      WHERE a.relation = p_relation AND a.verb = 'limit' AND a.state = 'requested' RETURNING a.id,
                          a.target
    LOOP
        v_seq := idemdesk._chain('cancel', v_request.target, v_request.id, NULL, jsonb_build_object('note', p_why),
            NULL);
    END LOOP;
END
$fn$;

-- What was agreed on for a table, by whom: for itself, for the one that had this target's name, and for the one that had
-- its name when the trail last told of it. A table that is made anew has another oid, and is held to what the old one was.
CREATE FUNCTION idemdesk._agreed_limits(p_name text, p_relation oid, p_table text)
    RETURNS TABLE (approval_above bigint, undo_window interval, set_by text)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT l.approval_above, l.undo_window, l.set_by FROM idemdesk.target_limit l WHERE l.relation = p_relation
    UNION ALL
    SELECT t.approval_above, t.undo_window, coalesce(l.set_by, t.registered_by)
      FROM idemdesk.target t LEFT JOIN idemdesk.target_limit l ON l.relation = t.relation
     WHERE t.name = p_name AND t.relation <> p_relation
    UNION ALL
    (SELECT (a.facts ->> 'approval_above')::bigint, (a.facts ->> 'undo_window')::interval,
            -- None is named where a dump was adopted while the table had another name.
            coalesce((SELECT b.facts ->> 'limit_by' FROM ONLY idemdesk.audit b
                       WHERE b.what IN ('register', 'rebind', 'limit') AND b.facts ->> 'table' = p_table
                         AND b.facts ->> 'limit_by' IS NOT NULL ORDER BY b.seq DESC LIMIT 1), a.who)
       FROM ONLY idemdesk.audit a
      WHERE a.what IN ('register', 'rebind', 'limit') AND a.facts ->> 'table' = p_table ORDER BY a.seq DESC LIMIT 1);
END
$fn$;

-- The same for a target, with what was agreed on for the table that had its second table's name, where that was made
-- anew: the limit of a second table that is still itself is looked up for each action.
CREATE FUNCTION idemdesk._agreed_limits_of(p_name text, p_relation oid, p_compiled jsonb)
    RETURNS TABLE (approval_above bigint, undo_window interval, set_by text)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
#variable_conflict use_column
DECLARE
    c_second CONSTANT oid := idemdesk._second_of(p_compiled);
BEGIN
    RETURN QUERY
    SELECT g.* FROM idemdesk._agreed_limits(p_name, p_relation, p_compiled ->> 'relation') g
    UNION ALL
    SELECT g.* FROM idemdesk._agreed_limits(NULL, c_second, p_compiled -> 'second' ->> 'relation') g
     WHERE c_second IS NOT NULL AND NOT EXISTS (SELECT FROM idemdesk.target_limit l WHERE l.relation = c_second);
END
$fn$;

-- Stores a registration. Limits that were agreed on for a table hold, whatever it is registered as: a looser one is
-- asked for as an action, which another person approves; until then the old one stays.
CREATE FUNCTION idemdesk._register(p_name text, p_relation oid, p_profile text, p_compiled jsonb, p_search_path text,
    p_settings jsonb, p_findings jsonb, p_reached jsonb, p_fingerprint jsonb) RETURNS boolean
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_above  CONSTANT bigint := (p_settings ->> 'approval_above')::bigint;
    c_window CONSTANT interval := coalesce(idemdesk._span(p_settings ->> 'undo_window'), '7 days');
    v_limit  record;
    v_by     text;
    v_target idemdesk.target;
    v_action idemdesk.action;
    v_rows   bigint;
    v_looser boolean;
    v_seq    bigint;
BEGIN
    IF c_above < 0 OR (p_settings ->> 'image_limit')::bigint < 0 THEN
        RAISE EXCEPTION 'A limit is never negative.' USING ERRCODE = 'ID005';
    END IF;
    SELECT t.* INTO v_target FROM idemdesk.target t WHERE t.name = p_name FOR UPDATE;
    PERFORM FROM idemdesk.target_limit l WHERE l.relation = p_relation FOR UPDATE;
    -- The strictest of them; a time to undo is held to only where there is a limit.
    SELECT min(g.approval_above) AS approval_above,
           max(g.undo_window) FILTER (WHERE g.approval_above IS NOT NULL) AS undo_window
      INTO v_limit FROM idemdesk._agreed_limits_of(p_name, p_relation, p_compiled) g;
    v_looser := v_limit.approval_above IS NOT NULL
        AND (c_above IS NULL OR c_above > v_limit.approval_above OR c_window < v_limit.undo_window);
    v_target.name := p_name;
    v_target.relation := p_relation;
    v_target.profile := p_profile;
    v_target.profile_sha := sha256(convert_to(p_profile, 'UTF8'));
    v_target.compiled := p_compiled;
    v_target.search_path := p_search_path;
    v_target.approval_above := CASE WHEN v_looser THEN least(v_limit.approval_above, c_above) ELSE c_above END;
    v_target.undo_window := CASE WHEN v_looser THEN greatest(v_limit.undo_window, c_window) ELSE c_window END;
    v_target.image_limit := coalesce((p_settings ->> 'image_limit')::bigint, 1000000);
    v_target.reached := p_reached;
    v_target.fingerprint := p_fingerprint; -- of the table that was looked at
    v_target.findings := p_findings;
    v_target.registered_by := session_user;
    v_target.registered_at := clock_timestamp();
    v_by := coalesce((SELECT g.set_by FROM idemdesk._agreed_limits_of(p_name, p_relation, p_compiled) g
                       WHERE g.approval_above = v_target.approval_above AND g.undo_window = v_target.undo_window LIMIT 1),
        session_user);
    DELETE FROM idemdesk.target t WHERE t.name = p_name;
    INSERT INTO idemdesk.target SELECT v_target.*;
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    IF v_rows <> 1 THEN
        RAISE EXCEPTION 'The target was not stored.' USING ERRCODE = 'ID010';
    END IF;
    INSERT INTO idemdesk.target_limit AS l (relation, approval_above, undo_window, set_by)
    VALUES (p_relation, v_target.approval_above, v_target.undo_window, v_by)
    ON CONFLICT (relation) DO UPDATE
       SET approval_above = excluded.approval_above, undo_window = excluded.undo_window,
           set_by = CASE WHEN l.approval_above IS DISTINCT FROM excluded.approval_above OR l.undo_window <> excluded.undo_window
                         THEN excluded.set_by ELSE l.set_by END;
    v_seq := idemdesk._chain('register', p_name, NULL, NULL, idemdesk._target_facts(v_target), NULL);
    -- Whoever approved a limit that was asked for before this one would approve something else than was shown.
    PERFORM idemdesk._drop_limit_requests(p_relation, 'The table was registered again.');
    IF v_looser THEN
        v_action.id := gen_random_uuid();
        v_action.target := p_name;
        v_action.relation := p_relation;
        v_action.verb := 'limit';
        v_action.requested_by := session_user;
        v_action.requested_at := clock_timestamp();
        v_action.opened_on := v_action.requested_at::date;
        v_action.keep_until := v_action.opened_on;
        v_action.state := 'requested';
        v_action.reason := 'A looser limit was asked for as the table was registered.';
        v_action.plan := jsonb_build_object('approval_above', c_above, 'undo_window', c_window,
            'approval_above_now', v_target.approval_above, 'undo_window_now', v_target.undo_window);
        v_action.content_sha := sha256(convert_to(v_action.plan::text, 'UTF8'));
        v_action.profile_sha := v_target.profile_sha;
        v_action.covers_sha := idemdesk._covers(v_target);
        v_action.planned_rows := 0;
        v_action.allowance := 0;
        v_action.last_batch := 0;
        v_action.next_row := 1;
        v_action.cursor := '{}';
        v_action.counts := '{}';
        INSERT INTO idemdesk.action SELECT v_action.*;
        v_seq := idemdesk._chain('request', p_name, v_action.id, NULL,
            idemdesk._action_facts(v_action) || jsonb_build_object('allowance', 0, 'frozen', idemdesk._frozen(v_action.id)), NULL);
    END IF;
    RETURN v_looser;
END
$fn$;

CREATE FUNCTION idemdesk.unregister_target(p_name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_caller text;
    v_limit  uuid;
    v_seq    bigint;
BEGIN
    GET DIAGNOSTICS v_caller = PG_CONTEXT;
    PERFORM idemdesk._enter('idemdesk_admin', v_caller, 'unregister_target');
    -- Whoever opens an action holds this row until that is committed, so none can appear behind the next look.
    PERFORM FROM idemdesk.target t WHERE t.name = p_name FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The target "%" is not registered.', p_name USING ERRCODE = 'ID005';
    END IF;
    IF EXISTS (SELECT FROM idemdesk.action a WHERE a.target = p_name AND a.state IN ('requested', 'running', 'paused')
                  AND a.verb <> 'limit') THEN
        RAISE EXCEPTION 'The target "%" has an open action.', p_name USING ERRCODE = 'ID005', HINT = 'Finish or cancel it first.';
    END IF;
    FOR v_limit IN UPDATE idemdesk.action a SET state = 'cancelled', finished_at = clock_timestamp()
                    WHERE a.target = p_name AND a.verb = 'limit' AND a.state = 'requested' RETURNING a.id
    LOOP
        v_seq := idemdesk._chain('cancel', p_name, v_limit, NULL, jsonb_build_object('note', 'The target was taken out.'), NULL);
    END LOOP;
    DELETE FROM idemdesk.target t WHERE t.name = p_name;
    v_seq := idemdesk._chain('unregister', p_name, NULL, NULL, '{}', NULL);
END
$fn$;
GRANT EXECUTE ON FUNCTION idemdesk.unregister_target(text) TO idemdesk_admin;

CREATE FUNCTION idemdesk._finding(p_severity text, p_code text, p_text text, p_sql text DEFAULT NULL) RETURNS jsonb
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT jsonb_build_array(jsonb_build_object('severity', p_severity, 'code', p_code, 'text', p_text, 'sql', p_sql))
$fn$;

-- Findings as everybody may read them: what a trial of a row failed with is for who may read that row's table, and was
-- told to who registered it.
CREATE FUNCTION idemdesk._findings_told(p_findings jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(jsonb_agg(CASE WHEN f ->> 'code' = 'trial' AND f ->> 'text' ~ ': '
        THEN f || jsonb_build_object('text', regexp_replace(f ->> 'text', ': .*$', ': who registers it sees why.'))
            ELSE f END ORDER BY n), '[]')
      FROM jsonb_array_elements(p_findings) WITH ORDINALITY AS x (f, n)
$fn$;

-- Rights of a runner that may not be there yet.
CREATE FUNCTION idemdesk._has_table_right(p_runner text, p_relation oid, p_right text) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce((SELECT has_table_privilege(r.oid, p_relation, p_right) FROM pg_roles r WHERE r.rolname = p_runner), false)
$fn$;

-- What the catalogue says about the code of a table and of its parts: it all runs as the runner of p_owner, and none of
-- it may wait for COMMIT, reach further than that runner, or change rows that no undo knows. p_set are the columns that
-- rules set.
CREATE FUNCTION idemdesk._code_findings(p_relation oid, p_owner oid, p_deletes boolean, p_set text[]) RETURNS jsonb
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_family CONSTANT oid[] := ARRAY(
        WITH RECURSIVE family (oid) AS (
            SELECT p_relation UNION SELECT i.inhrelid FROM family f JOIN pg_inherits i ON i.inhparent = f.oid)
        SELECT f.oid FROM family f);
    -- A trigger may set further columns.
    c_any    CONSTANT boolean := EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = ANY (c_family)
        AND NOT t.tgisinternal
                                            AND t.tgenabled <> 'D' AND t.tgtype & 19 = 19);
    v_out    jsonb := '[]';
    v_row    record;
BEGIN
    FOR v_row IN SELECT c.oid::regclass AS part, pg_get_userbyid(c.relowner) AS owner FROM pg_class c
                  WHERE c.oid = ANY (c_family) AND c.relowner <> p_owner ORDER BY c.oid
    LOOP
        v_out := v_out || idemdesk._finding('problem', 'owner', format(
            '%s belongs to %s, and its code would run with the rights on tables of %s.', v_row.part, v_row.owner,
            pg_get_userbyid(p_owner)), format('ALTER TABLE %s OWNER TO %I', v_row.part, pg_get_userbyid(p_owner)));
    END LOOP;
    FOR v_row IN SELECT r.rulename, c.oid::regclass AS part FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
                  WHERE c.oid = ANY (c_family) AND r.ev_type <> '1' AND r.ev_enabled <> 'D' ORDER BY c.oid, r.rulename
    LOOP
        v_out := v_out || idemdesk._finding('problem', 'rule', format(
            'The rule %s makes a change of %s something else, with the rights of its owner.', v_row.rulename,
                v_row.part));
    END LOOP;
    FOR v_row IN SELECT f.conname, f.conrelid::regclass AS child, f.confdeltype, f.confupdtype,
                        ARRAY(SELECT a.attname::text FROM pg_attribute a
                               WHERE a.attrelid = f.confrelid AND a.attnum = ANY (f.confkey)) AS columns
                   FROM pg_constraint f
                  WHERE f.confrelid = ANY (c_family) AND f.contype = 'f' AND f.conparentid = 0 ORDER BY f.oid
    LOOP
        IF p_deletes AND v_row.confdeltype IN ('c', 'n', 'd') THEN
            v_out := v_out || idemdesk._finding('problem', 'foreign_key', format(
                'Deleting a row would %s rows of %s through the foreign key %s, and no undo could put them back.',
                CASE v_row.confdeltype WHEN 'c' THEN 'delete' ELSE 'change' END, v_row.child, v_row.conname));
        ELSIF p_deletes THEN
            v_out := v_out || idemdesk._finding('note', 'foreign_key', format(
                'Rows that %s points at through %s cannot be deleted; they are reported.', v_row.child, v_row.conname));
        END IF;
        IF v_row.confupdtype IN ('c', 'n', 'd') AND (v_row.columns && p_set OR (c_any AND cardinality(p_set) > 0)) THEN
            v_out := v_out || idemdesk._finding('problem', 'foreign_key', format(
                'Changing %s would change rows of %s through the foreign key %s, and no undo could put them back.',
                array_to_string(v_row.columns, ', '), v_row.child, v_row.conname));
        END IF;
    END LOOP;
    -- A part's copy of a trigger of the whole says nothing new.
    FOR v_row IN SELECT t.tgname, pg_get_triggerdef(t.oid) AS definition, t.tgdeferrable,
                        p.prosrc ~* ('\m(create|into)\s+(or\s+replace\s+)?((global|local)\s+)?temp(orary)?\M'
                                     '|\mpg_temp\M') AS leaves
                   FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
                  WHERE t.tgrelid = ANY (c_family) AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')
                    AND t.tgparentid = 0 ORDER BY t.tgrelid, t.tgname
    LOOP
        v_out := v_out || idemdesk._finding('note', 'trigger', format('The trigger %s fires: %s', v_row.tgname,
            v_row.definition));
        IF v_row.leaves THEN
            v_out := v_out || idemdesk._finding('warning', 'temporary', format(
                'The function of the trigger %s makes temporary tables, or the like. A row on which it does so is left '
                'alone by every action.', v_row.tgname));
        END IF;
        IF v_row.tgdeferrable THEN
            v_out := v_out || idemdesk._finding('problem', 'trigger', format(
                'The trigger %s may wait for COMMIT, and would then run with the rights of whoever acts.',
                    v_row.tgname));
        END IF;
    END LOOP;
    RETURN v_out;
END
$fn$;

-- What the catalogue says about the archive that purged rows move to.
CREATE FUNCTION idemdesk._archive_findings(p_history jsonb, p_identity jsonb, p_runner text, p_owner oid) RETURNS jsonb
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
    IF (SELECT c.relkind NOT IN ('r', 'p') FROM pg_class c WHERE c.oid = c_archive) THEN
        RETURN idemdesk._finding('problem', 'archive', format('The archive %s is not a table.',
            p_history ->> 'relation'));
    END IF;
    v_out := idemdesk._code_findings(c_archive, p_owner, true, '{}');
    SELECT string_agg(n.name, ', ') INTO v_missing
      FROM (SELECT jsonb_array_elements_text(p_history -> 'columns') AS name
            UNION SELECT i ->> 'name' FROM jsonb_array_elements(p_identity) i) n
     WHERE NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c_archive AND a.attname = n.name AND NOT a.attisdropped);
    IF v_missing IS NOT NULL THEN
        v_out := v_out || idemdesk._finding('problem', 'archive', format('The archive table lacks %s.', v_missing));
    END IF;
    IF (SELECT count(*) FROM unnest(ARRAY['SELECT', 'INSERT', 'DELETE']) AS p (right_)
         WHERE idemdesk._has_table_right(p_runner, c_archive, p.right_)) < 3 THEN
        v_out := v_out || idemdesk._finding('grant', 'grant', format('%s may not write the archive.', p_runner),
            format('GRANT SELECT, INSERT, DELETE ON %s TO %I', c_archive::regclass, p_runner));
    END IF;
    RETURN v_out;
END
$fn$;

-- What the catalogue says about the second table that rules change beside rows of p_relation.
CREATE FUNCTION idemdesk._second_findings(p_relation oid, p_compiled jsonb, p_runner text, p_owner oid) RETURNS jsonb
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_second CONSTANT oid := idemdesk._second_of(p_compiled);
    c_table  CONSTANT text := p_compiled -> 'second' ->> 'relation';
    c_role   CONSTANT oid := (SELECT r.oid FROM pg_roles r WHERE r.rolname = p_runner);
    v_out    jsonb := '[]';
    v_class  record;
    v_image  record;
    v_set    text[];
    v_wrong  text;
BEGIN
    IF EXISTS (SELECT FROM jsonb_array_elements(p_compiled -> 'rules') r
                WHERE jsonb_typeof(r -> 'second') <> 'null'
                  AND (c_table IS NULL OR r ->> 'to' = 'absent' OR coalesce(r -> 'second' ->> 'match', '') = ''
                       OR NOT jsonb_path_exists(r, '$.second.set[0]'))) THEN
        RETURN idemdesk._finding('problem', 'second', 'A rule changes a row of a second table, and does not say which or '
            'what, or deletes its own row.');
    ELSIF c_table IS NULL THEN
        RETURN v_out;
    ELSIF c_second IS NULL THEN
        RETURN idemdesk._finding('problem', 'second', format('There is no second table %s.', c_table));
    END IF;
    SELECT c.relkind, c.relnamespace, n.nspname INTO v_class
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = c_second;
    IF v_class.relkind <> 'r' OR c_second = p_relation
       OR EXISTS (SELECT FROM pg_inherits i WHERE c_second IN (i.inhrelid, i.inhparent)) THEN
        RETURN idemdesk._finding('problem', 'second', format('%s is not one plain table apart from the target.', c_table));
    END IF;
    SELECT i.* INTO v_image FROM idemdesk._second_image(c_second) i;
    v_set := ARRAY(SELECT DISTINCT s.v ->> 0 FROM jsonb_array_elements(p_compiled -> 'rules') r,
                          jsonb_array_elements(coalesce(nullif(r -> 'second', 'null') -> 'set', '[]')) AS s (v));
    IF cardinality(v_image.keys) = 0 THEN
        v_out := v_out || idemdesk._finding('problem', 'second', format('%s has no primary key, so an undo could not find its row.', c_table));
    END IF;
    SELECT string_agg(s.name, ', ' ORDER BY s.name) INTO v_wrong FROM unnest(v_set) AS s (name)
     WHERE s.name <> ALL (v_image.columns) OR s.name = ANY (v_image.keys);
    IF v_wrong IS NOT NULL THEN
        v_out := v_out || idemdesk._finding('problem', 'second', format('A rule sets %s of %s, which is no column of it, is '
            'generated, or is part of its primary key.', v_wrong, c_table));
    END IF;
    IF EXISTS (SELECT FROM pg_class c WHERE c.oid = c_second AND c.relpersistence = 'u') THEN
        v_out := v_out || idemdesk._finding('warning', 'unlogged',
            format('%s is unlogged: a crash of the server empties it, whatever was audited.', c_table));
    END IF;
    v_out := v_out || idemdesk._code_findings(c_second, p_owner, false, v_set);
    IF idemdesk._rows_hidden(c_second, p_runner)
       AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c_second AND (p.polroles = '{0}' OR p.polroles @> ARRAY[c_role])) THEN
        v_out := v_out || idemdesk._finding('problem', 'row_security', format('Row security hides rows of %s from %s.', c_table, p_runner),
            format('CREATE POLICY idemdesk ON %s TO %I USING (true) WITH CHECK (true)', c_second::regclass, p_runner));
    END IF;
    IF v_class.relnamespace <> (SELECT c.relnamespace FROM pg_class c WHERE c.oid = p_relation)
       AND (c_role IS NULL OR NOT has_schema_privilege(c_role, v_class.relnamespace, 'USAGE')) THEN
        v_out := v_out || idemdesk._finding('grant', 'grant', format('%s may not use the schema %s.', p_runner, v_class.nspname),
            format('GRANT USAGE ON SCHEMA %I TO %I', v_class.nspname, p_runner));
    END IF;
    IF NOT idemdesk._has_table_right(p_runner, c_second, 'SELECT') THEN
        v_out := v_out || idemdesk._finding('grant', 'grant', format('%s may not read %s.', p_runner, c_table),
            format('GRANT SELECT ON %s TO %I', c_second::regclass, p_runner));
    END IF;
    SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attname) INTO v_wrong FROM pg_attribute a
     WHERE a.attrelid = c_second AND a.attname = ANY (v_set) AND NOT a.attisdropped
       AND (c_role IS NULL OR NOT has_column_privilege(c_role, c_second, a.attnum, 'UPDATE'));
    IF v_wrong IS NOT NULL THEN
        v_out := v_out || idemdesk._finding('grant', 'grant', format('%s may not update %s of %s.', p_runner, v_wrong, c_table),
            format('GRANT UPDATE (%s) ON %s TO %I', v_wrong, c_second::regclass, p_runner));
    END IF;
    RETURN v_out;
END
$fn$;

-- Partitions that lie on another server: no action of this one could be audited, locked and undone together with rows
-- there, and no unique index spans both.
CREATE FUNCTION idemdesk._elsewhere_findings(p_relation oid) RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    WITH RECURSIVE part (oid) AS (
        SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = p_relation
        UNION SELECT i.inhrelid FROM pg_inherits i JOIN part ON part.oid = i.inhparent)
    SELECT coalesce(jsonb_agg(idemdesk._finding('problem', 'elsewhere', format(
               'The rows of %s lie on the server %s%s, in its table %s.%s. No action runs on them from here; it runs there.',
               f.ftrelid::regclass, quote_ident(s.srvname),
               coalesce((SELECT ' (' || string_agg(o.option_name || ' ' || o.option_value, ', ' ORDER BY o.option_name) || ')'
                           FROM pg_options_to_table(s.srvoptions) o WHERE o.option_name IN ('host', 'port', 'dbname')), ''),
               coalesce((SELECT quote_ident(o.option_value) FROM pg_options_to_table(f.ftoptions) o
                          WHERE o.option_name = 'schema_name'), quote_ident(n.nspname)),
               coalesce((SELECT quote_ident(o.option_value) FROM pg_options_to_table(f.ftoptions) o
                          WHERE o.option_name = 'table_name'), quote_ident(c.relname)))) -> 0 ORDER BY c.relname), '[]')
      FROM part JOIN pg_foreign_table f ON f.ftrelid = part.oid JOIN pg_foreign_server s ON s.oid = f.ftserver
      JOIN pg_class c ON c.oid = f.ftrelid JOIN pg_namespace n ON n.oid = c.relnamespace
$fn$;

-- What speaks against the rules that take over another region's row. They never take a success, nor lead to a row that is
-- another one, and only they copy.
CREATE FUNCTION idemdesk._align_findings(p_compiled jsonb) RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(jsonb_agg(f.v), '[]')
      FROM jsonb_array_elements(p_compiled -> 'rules') r,
           LATERAL (SELECT CASE
               WHEN r ->> 'verb' IS DISTINCT FROM 'align'
               THEN CASE WHEN jsonb_path_exists(r, '$.copy[*]') THEN 'A rule copies columns, and is no rule of "align".' END
               WHEN NOT jsonb_path_exists(r, '$.copy[0]') OR jsonb_path_exists(r, '$.copy[*] ? (@.type() != "string")')
               THEN 'A rule of "align" names no columns to copy.'
               WHEN r -> 'from' ?| ARRAY['succeeded', 'unknown'] OR r ->> 'to' IN ('absent', 'unknown')
               THEN 'A rule of "align" takes keys that succeeded or whose state is unknown, or deletes them.'
               WHEN r ->> 'needs' IS NOT NULL
               THEN 'A rule of "align" needs an effect: the other region says what came of it.'
               WHEN (SELECT count(DISTINCT c) <> count(*) FROM jsonb_array_elements_text(r -> 'copy') AS c)
                    OR EXISTS (SELECT FROM jsonb_array_elements(r -> 'set') s WHERE r -> 'copy' ? (s ->> 0))
                    OR EXISTS (SELECT FROM jsonb_array_elements(p_compiled -> 'identity') i WHERE r -> 'copy' ? (i ->> 'name'))
               THEN 'A rule of "align" copies a column twice, sets it as well, or copies one of the identity.' END) AS w (why),
           LATERAL jsonb_array_elements(CASE WHEN w.why IS NULL THEN '[]' ELSE idemdesk._finding('problem', 'align', w.why) END) AS f (v)
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
    v_runner  text;
    v_role    oid;
BEGIN
    SELECT idemdesk._runner_name(c.relowner), pg_get_userbyid(c.relowner) INTO v_runner, v_name FROM pg_class c WHERE c.oid = p_relation;
    v_role := (SELECT r.oid FROM pg_roles r WHERE r.rolname = v_runner);
    IF v_role IS NULL OR NOT EXISTS (SELECT FROM idemdesk.runner r WHERE r.runner = v_role) THEN
        v_out := v_out || idemdesk._finding('grant', 'runner',
            format('No role runs the code of tables of %s yet. A superuser makes it, or who installed the console, as a member of idemdesk_viewer.', v_name),
            format('SELECT idemdesk.make_runner(%L)', v_name));
    END IF;
    SELECT c.relkind, c.relname, c.relnamespace, n.nspname, c.relpersistence, c.relowner INTO v_class
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = p_relation;
    IF v_class.relkind NOT IN ('r', 'p') THEN
        RETURN idemdesk._finding('problem', 'not_a_table', 'It is not a table; rows of a view cannot be locked, so it stays read-only.');
    END IF;
    v_out := v_out || idemdesk._elsewhere_findings(p_relation);
    IF v_class.relpersistence = 'u' THEN
        v_out := v_out || idemdesk._finding('warning', 'unlogged', 'The table is unlogged: a crash of the server empties it, whatever was audited.');
    END IF;
    -- Columns that rules set; where they set none, one column: a row lock needs the right to update something.
    SELECT array_agg(DISTINCT n) INTO v_columns FROM (
        SELECT w.name AS n FROM idemdesk._written_columns(p_compiled) AS w (name)
        UNION ALL SELECT p_compiled -> 'identity' -> 0 ->> 'name'
         WHERE c_deletes AND NOT EXISTS (SELECT FROM idemdesk._written_columns(p_compiled))) x;
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
    IF NOT idemdesk._identity_unique(p_relation, p_compiled -> 'identity') THEN
        v_out := v_out || idemdesk._finding('problem', 'identity', 'No unique index proves that the identity names one row; its columns must also be NOT NULL.');
    END IF;
    IF idemdesk._rows_hidden(p_relation, v_runner)
       AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = p_relation
                          AND (p.polroles = '{0}' OR p.polroles @> ARRAY[v_role])) THEN
        v_out := v_out || idemdesk._finding('problem', 'row_security', format('Row security hides rows from %s.', v_runner),
            format('CREATE POLICY idemdesk ON %s TO %I USING (true) WITH CHECK (true)', p_relation::regclass, v_runner));
    END IF;
    IF v_role IS NULL OR NOT has_schema_privilege(v_role, v_class.relnamespace, 'USAGE') THEN
        v_out := v_out || idemdesk._finding('grant', 'grant', format('%s may not use the schema %s.', v_runner, v_class.nspname),
            format('GRANT USAGE ON SCHEMA %I TO %I', v_class.nspname, v_runner));
    END IF;
    IF v_role IS NOT NULL AND NOT has_database_privilege(v_role, current_database(), 'TEMPORARY') THEN
        v_out := v_out || idemdesk._finding('grant', 'grant', format('%s may not create temporary objects, which the check of expressions needs.', v_runner),
            format('GRANT TEMPORARY ON DATABASE %I TO %I', current_database(), v_runner));
    END IF;
    IF NOT idemdesk._has_table_right(v_runner, p_relation, 'SELECT') THEN
        v_out := v_out || idemdesk._finding('grant', 'grant', format('%s may not read the table.', v_runner),
            format('GRANT SELECT ON %s TO %I', p_relation::regclass, v_runner));
    END IF;
    SELECT string_agg(quote_ident(c.name), ', ' ORDER BY c.name) INTO v_name FROM unnest(v_columns) AS c (name)
      JOIN pg_attribute a ON a.attrelid = p_relation AND a.attname = c.name AND NOT a.attisdropped
     WHERE v_role IS NULL OR NOT has_column_privilege(v_role, p_relation, a.attnum, 'UPDATE');
    IF v_name IS NOT NULL THEN
        v_out := v_out || idemdesk._finding('grant', 'grant',
            format('%s may not update %s, %s.', v_runner, v_name,
                CASE WHEN EXISTS (SELECT FROM idemdesk._written_columns(p_compiled)) THEN 'which its rules set'
                     ELSE 'and locking a row needs that right' END),
            format('GRANT UPDATE (%s) ON %s TO %I', v_name, p_relation::regclass, v_runner));
    END IF;
    IF c_deletes AND NOT (idemdesk._has_table_right(v_runner, p_relation, 'DELETE')
                          AND idemdesk._has_table_right(v_runner, p_relation, 'INSERT')) THEN
        v_out := v_out || idemdesk._finding('grant', 'grant', format('%s may not delete rows, or not put them back.', v_runner),
            format('GRANT DELETE, INSERT ON %s TO %I', p_relation::regclass, v_runner));
    END IF;
    IF p_compiled -> 'history' ->> 'relation' IS NOT NULL THEN
        v_out := v_out || idemdesk._archive_findings(p_compiled -> 'history', p_compiled -> 'identity', v_runner,
            v_class.relowner);
    END IF;
    v_out := v_out || idemdesk._second_findings(p_relation, p_compiled, v_runner, v_class.relowner)
        || idemdesk._align_findings(p_compiled);
    v_out := v_out || idemdesk._code_findings(p_relation, v_class.relowner, c_deletes,
        ARRAY(SELECT w.name FROM idemdesk._written_columns(p_compiled) AS w (name)));
    FOREACH v_name IN ARRAY p_schemas LOOP
        IF to_regnamespace(quote_ident(v_name)) IS NULL THEN
            v_out := v_out || idemdesk._finding('problem', 'search_path', format('The schema "%s" of the search path does not exist.', v_name));
        END IF;
    END LOOP;
    v_name := idemdesk._open_schema(p_relation, (SELECT string_agg(quote_ident(s), ', ') FROM unnest(p_schemas) s));
    IF v_name IS NOT NULL THEN
        v_out := v_out || idemdesk._finding('problem', 'search_path', format('%s, and the table''s code would find them.', v_name),
            (SELECT CASE x.grantee WHEN n.nspowner THEN format('ALTER SCHEMA %I OWNER TO %I', n.nspname,
                pg_get_userbyid(c.relowner))
                        ELSE format('REVOKE CREATE ON SCHEMA %I FROM %s', n.nspname,
                            CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(x.grantee)) END) END
               FROM pg_class c CROSS JOIN pg_namespace n
              CROSS JOIN LATERAL (SELECT a.grantee FROM aclexplode(n.nspacl) a WHERE a.privilege_type = 'CREATE'
                                  UNION SELECT n.nspowner) x
               LEFT JOIN pg_roles r ON r.oid = x.grantee
              WHERE c.oid = p_relation AND n.nspname = ANY (p_schemas) AND x.grantee <> c.relowner
                AND NOT coalesce(r.rolsuper OR r.rolname = 'pg_database_owner', false)
              ORDER BY n.nspname, x.grantee <> n.nspowner LIMIT 1));
    END IF;
    RETURN v_out;
END
$fn$;

-- For the trial of an align: a row of the same table that has the state already stands for the other region's. Texts for
-- the statement that finds rows x to try it on.
CREATE FUNCTION idemdesk._trial_other(p_relation oid, p_compiled jsonb, p_rule jsonb, OUT said text, OUT joined text)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    said := '';
    joined := '';
    IF p_rule ->> 'verb' IS DISTINCT FROM 'align' THEN
        RETURN;
    END IF;
    said := format(', ''w'', pg_catalog.jsonb_build_object(''state'', %L, ''fingerprint'', x.f, ''at'', ''9999-12-31T00:00:00Z'', ''values'', w.v)',
        p_rule ->> 'to');
    SELECT format(', (SELECT pg_catalog.jsonb_build_array(%s) AS v FROM %s t WHERE (%s) OPERATOR(pg_catalog.=) %L::pg_catalog.text LIMIT 1) w',
               string_agg(idemdesk._output(format('t.%I', a.attname), a.atttypid), ', ' ORDER BY c.n), p_compiled ->> 'relation',
               idemdesk._whole_state(p_compiled), p_rule ->> 'to')
      INTO joined
      FROM jsonb_array_elements_text(p_rule -> 'copy') WITH ORDINALITY AS c (name, n)
      JOIN pg_attribute a ON a.attrelid = p_relation AND a.attname = c.name AND NOT a.attisdropped;
END
$fn$;

-- Rows of a rule's kind to try it on, as rows of a frozen set: 50, or the first p_limit of these for which an expression
-- holds. It is asked of no more than it takes to find them: it may take long.
CREATE FUNCTION idemdesk._trial_rows(p_context jsonb, p_rule integer, p_where text, p_proof text DEFAULT 'true',
    p_limit integer DEFAULT 50) RETURNS jsonb
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_compiled CONSTANT jsonb := p_context -> 'compiled';
    c_relation CONSTANT oid := (p_context ->> 'relation')::oid;
    v_other    record;
    v_identity text;
    v_guard    text;
BEGIN
    SELECT string_agg(idemdesk._output(format('t.%I', i.v ->> 'name'), a.atttypid), ', ' ORDER BY i.n) INTO v_identity
      FROM jsonb_array_elements(c_compiled -> 'identity') WITH ORDINALITY AS i (v, n)
      JOIN pg_attribute a ON a.attrelid = c_relation AND a.attname = i.v ->> 'name';
    SELECT string_agg(idemdesk._output(format('t.%I', g.name), a.atttypid), ', ' ORDER BY g.n) INTO v_guard
      FROM jsonb_array_elements_text(c_compiled -> 'guard') WITH ORDINALITY AS g (name, n)
      JOIN pg_attribute a ON a.attrelid = c_relation AND a.attname = g.name;
    SELECT o.said, o.joined INTO v_other
      FROM idemdesk._trial_other(c_relation, c_compiled, c_compiled -> 'rules' -> p_rule) o;
    RETURN idemdesk._look(p_context ->> 'run', 'found jsonb',
        format('SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(''n'', 1, ''i'', x.i, ''g'', x.g, ''r'', %s%s)) FROM '
                   '(SELECT y.* FROM (SELECT pg_catalog.jsonb_build_array(%s) AS i, pg_catalog.jsonb_build_array(%s) AS g, '
                   '(%s)::pg_catalog.text AS f, (%s) AS fits FROM %s t WHERE %s LIMIT 50) y WHERE y.fits LIMIT %s) x%s',
                p_rule, v_other.said, v_identity, coalesce(v_guard, ''), coalesce(c_compiled ->> 'fingerprint', 'NULL'), p_proof,
                c_compiled ->> 'relation', CASE WHEN p_context ? 'around'
                    THEN format('CASE WHEN %s THEN (%s) END', idemdesk._around(p_context -> 'around'), p_where) ELSE p_where END,
                p_limit, v_other.joined),
            p_context ->> 'search_path', transaction_timestamp(), NULL, ARRAY['succeeded',
                'failed_final']) -> 'found';
END
$fn$;

-- Rows of a rule's kind that have the effect which it needs; those of its kind where that cannot be asked of some.
CREATE FUNCTION idemdesk._proven_rows(p_context jsonb, p_rule integer, p_where text) RETURNS jsonb
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_compiled CONSTANT jsonb := p_context -> 'compiled';
    v_proof    text;
    v_where    text;
BEGIN
    SELECT string_agg(format('EXISTS (SELECT FROM (%s) e WHERE NOT (e.* IS NULL))', e ->> 'sql'), ' OR ') INTO v_proof
      FROM jsonb_array_elements(c_compiled -> 'effects') e
     WHERE e ->> 'type' = c_compiled -> 'rules' -> p_rule ->> 'needs';
    IF v_proof IS NULL THEN
        RETURN NULL; -- none is looked for, so no row has it
    END IF;
    RETURN idemdesk._trial_rows(p_context, p_rule, p_where, v_proof, 10); -- five that are tried to their end, and some held
EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
    GET STACKED DIAGNOSTICS v_where = PG_EXCEPTION_CONTEXT;
    IF SQLSTATE = '57014' AND idemdesk._ends_batch(SQLSTATE, SQLERRM, v_where) THEN
        RAISE;
    END IF;
    RETURN idemdesk._trial_rows(p_context, p_rule, p_where);
END
$fn$;

-- Tries one rule on rows of its kind, one after the other, until five were tried to their end; puts each back, and rolls
-- both back. 'proven', 'unproven', what went wrong, or "some: " and what went wrong with some rows while others went
-- well: what a batch leaves alone row by row need not keep the rule out. 'unreadable' where a row keeps its neighbours
-- from being found.
CREATE FUNCTION idemdesk._try_rule(p_context jsonb, p_rule integer, p_where text) RETURNS text
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_compiled CONSTANT jsonb := p_context -> 'compiled';
    c_relation CONSTANT oid := (p_context ->> 'relation')::oid;
    c_action   CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
    c_whole    CONSTANT boolean := idemdesk._may_read_all(c_relation);
    c_rule     CONSTANT jsonb := c_compiled -> 'rules' -> p_rule;
    c_needs    CONSTANT boolean := c_rule ->> 'needs' IS NOT NULL;
    c_few      CONSTANT integer := 5;
    v_columns  text[];
    v_types    text[];
    v_image    text;
    v_rows     jsonb;
    v_row      jsonb;
    v_change   jsonb;
    v_restore  jsonb;
    v_item     idemdesk.item;
    v_back     idemdesk.item;
    v_result   text;
    v_good     integer := 0;
    v_bad      text;
    v_ended    integer := 0;
    v_where    text;
BEGIN
    SELECT i.columns, i.types, i.sql INTO v_columns, v_types, v_image FROM idemdesk._image(c_relation) i;
    v_change := idemdesk._change_sql(p_context, v_image);
    v_restore := idemdesk._restore_sql(p_context, v_columns);
    -- Where a rule needs an effect and a few rows have none, one question finds those that have it.
    FOR v_look IN 1 .. CASE WHEN c_needs THEN 2 ELSE 1 END LOOP
        BEGIN
            v_rows := CASE v_look WHEN 1 THEN idemdesk._trial_rows(p_context, p_rule, p_where)
                                  ELSE idemdesk._proven_rows(p_context, p_rule, p_where) END;
        EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
            GET STACKED DIAGNOSTICS v_where = PG_EXCEPTION_CONTEXT;
            IF SQLSTATE = '57014' AND idemdesk._ends_batch(SQLSTATE, SQLERRM, v_where) THEN
                RAISE;
            END IF;
            RETURN CASE WHEN NOT p_context ? 'around' AND NOT idemdesk._ends_batch(SQLSTATE, SQLERRM, v_where)
                             AND (SQLSTATE !~ '^(42|0A)' OR idemdesk._raised_by_row(SQLSTATE, SQLERRM, v_where)) THEN 'unreadable'
                        ELSE idemdesk._failure_told(c_whole, SQLSTATE, SQLERRM) END;
        END;
        FOR v_row IN SELECT r.v FROM jsonb_array_elements(v_rows) WITH ORDINALITY AS r (v, n)
                      WHERE NOT c_needs OR v_look = 2 OR r.n <= c_few LOOP
            v_result := 'unproven';
            BEGIN
                v_item := idemdesk._change_row(p_context, v_change, v_row, c_action);
                IF v_item.outcome = 'done' THEN
                    v_back := idemdesk._restore_row(p_context, v_restore, idemdesk._taken_apart(v_item.identity, v_item.before,
                        v_item.after, cardinality(v_columns)) || '{"known": true}', 1);
                    -- The row went back before its evidence was looked for.
                    v_result := CASE WHEN v_back.outcome IN ('done', 'evidence') THEN 'proven'
                        ELSE format('it could not be undone (%s: %s)', v_back.outcome,
                            CASE WHEN c_whole THEN v_back.detail ELSE idemdesk._failure_masked(v_back.outcome, v_back.detail) END) END;
                ELSIF v_item.outcome NOT IN ('evidence', 'changed', 'locked', 'gone', 'empty_replay')
                      -- What is copied here is another key's: it may be refused for that alone.
                      AND NOT (c_rule ->> 'verb' = 'align' AND v_item.outcome IN ('unique_conflict', 'check')) THEN
                    v_result := format('%s: %s', v_item.outcome,
                        CASE WHEN c_whole THEN v_item.detail ELSE idemdesk._failure_masked(v_item.outcome, v_item.detail) END);
                END IF;
                RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
            EXCEPTION WHEN OTHERS THEN
                IF SQLSTATE LIKE '42%' THEN -- a statement that cannot run at all is not this row's fault
                    RETURN idemdesk._failure_told(c_whole, SQLSTATE, SQLERRM);
                ELSIF SQLSTATE <> 'ID020' THEN
                    v_result := idemdesk._failure_told(c_whole, SQLSTATE, SQLERRM);
                END IF;
            END;
            v_good := v_good + CASE v_result WHEN 'proven' THEN 1 ELSE 0 END;
            v_bad := CASE WHEN v_result IN ('proven', 'unproven') THEN v_bad ELSE coalesce(v_bad, v_result) END;
            v_ended := v_ended + CASE v_result WHEN 'unproven' THEN 0 ELSE 1 END;
            EXIT WHEN v_ended >= 5 AND v_good > 0;
        END LOOP;
        EXIT WHEN (v_ended >= 5 AND v_good > 0) OR coalesce(jsonb_array_length(v_rows), 0) <= c_few; -- these were all
        v_ended := 0;
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
    c_whole    CONSTANT boolean := idemdesk._may_read_all((p_context ->> 'relation')::oid);
    v_sql      text;
    v_row      record;
    v_where    text;
BEGIN
    FOR v_sql IN
        SELECT idemdesk._purge_sql(p_context || jsonb_build_object('plan', jsonb_build_object('states', c_states), 'scopes', s.scopes),
                   r.rule, false, false, i.sql)
          FROM jsonb_array_elements(c_compiled -> 'purge') AS r (rule), (VALUES (NULL::jsonb), ('[]')) AS s (scopes),
               idemdesk._image((p_context ->> 'relation')::oid) i
        UNION ALL
        SELECT format('SELECT 0::pg_catalog.int8, NULL::pg_catalog.text, 0::pg_catalog.int8, NULL::pg_catalog.text[], '
                   'NULL::pg_catalog.text[], pg_catalog.jsonb_build_array(%s, pg_catalog.count(%s)), NULL::pg_catalog.text FROM %s t '
                   'WHERE false', string_agg(m.aggregate, ', '),
                   coalesce(c_compiled ->> 'scope_text', '1'), c_compiled ->> 'relation') FROM idemdesk._sample_list(c_compiled) m
    LOOP
        BEGIN
            EXECUTE idemdesk._call(p_context ->> 'run',
                    'picked bigint, last text, gone bigint, identities text[], images text[], groups jsonb, digest text') INTO v_row
              USING true, v_sql, p_context ->> 'search_path', transaction_timestamp(), NULL::text, '1', NULL::text, NULL::text,
                    ARRAY[]::text[], NULL::text[], NULL::text[];
            RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
        EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
            GET STACKED DIAGNOSTICS v_where = PG_EXCEPTION_CONTEXT;
            IF SQLSTATE = '57014' AND idemdesk._ends_batch(SQLSTATE, SQLERRM, v_where) THEN
                RAISE;
            ELSIF SQLSTATE LIKE '42%' AND NOT idemdesk._raised_by_row(SQLSTATE, SQLERRM, v_where) THEN
                RETURN idemdesk._failure_told(c_whole, SQLSTATE, SQLERRM);
            END IF;
        END;
    END LOOP;
    RETURN NULL;
END
$fn$;

-- What things of the catalogue make the server run or look at next: functions behind operators, aggregates, casts and
-- SQL bodies; views; the policies of tables other than p_table, which has its own ones looked at; what types are made
-- of, down to the checks of domains and the comparisons of their own. Of what PostgreSQL brought along (ids below
-- 16384) nothing is followed but aggregates.
CREATE FUNCTION idemdesk._next_reached(p_classes oid[], p_objects oid[], p_table oid) RETURNS TABLE (classid oid,
    objid oid)
    -- In PL/pgSQL because its plan is kept: one registration asks some ten times, and to plan it takes longest.
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off SET plan_cache_mode = force_generic_plan
AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH thing (classid, objid) AS MATERIALIZED (
        SELECT t.c, t.o FROM unnest(p_classes, p_objects) AS t (c, o)
    ), procedure AS MATERIALIZED (
        SELECT t.objid AS oid FROM thing t WHERE t.classid = 'pg_proc'::regclass
    ), type AS MATERIALIZED (
        SELECT y.* FROM thing t JOIN pg_type y ON y.oid = t.objid WHERE t.classid = 'pg_type'::regclass
            AND t.objid >= 16384
    ), relation AS MATERIALIZED (
        SELECT c.* FROM thing t JOIN pg_class c ON c.oid = t.objid WHERE t.classid = 'pg_class'::regclass
            AND t.objid >= 16384
    ), body (text) AS MATERIALIZED ( -- parsed expressions as they are stored
        SELECT p.prosqlbody::text FROM procedure r JOIN pg_proc p ON p.oid = r.oid AND p.prosqlbody IS NOT NULL
         WHERE r.oid >= 16384
        UNION ALL SELECT w.ev_action::text FROM thing t JOIN pg_rewrite w ON w.oid = t.objid
            WHERE t.classid = 'pg_rewrite'::regclass
        UNION ALL SELECT x.e FROM thing t JOIN pg_policy y ON y.oid = t.objid, unnest(ARRAY[y.polqual::text,
            y.polwithcheck::text]) AS x (e)
                   WHERE t.classid = 'pg_policy'::regclass
        UNION ALL SELECT k.conbin::text FROM thing t JOIN pg_constraint k ON k.oid = t.objid
            WHERE t.classid = 'pg_constraint'::regclass
    ), opclass AS (
        SELECT o.opcfamily, o.opcintype FROM type t JOIN pg_opclass o ON o.opcintype = t.oid
    ), next (classid, objid) AS (
        SELECT 'pg_proc'::regclass::oid, r.m[1]::oid
          FROM body b, regexp_matches(b.text, ':(?:funcid|aggfnoid|winfnoid|hashfuncid) (\d+)', 'g') AS r (m)
        UNION
        SELECT 'pg_operator'::regclass, o.oid::oid
          FROM body b, regexp_matches(b.text, ':(?:opno|eqop|sortop|opnos) (?:\(o )?([\d ]+)', 'g') AS r (m),
               regexp_split_to_table(btrim(r.m[1]), ' +') AS o (oid)
        UNION -- what an expression makes; what it merely reads was made before
        SELECT 'pg_type'::regclass, r.m[1]::oid
          FROM body b, regexp_matches(b.text,
                   ':(?:funcresulttype|opresulttype|resulttype|consttype|row_typeid|array_typeid|aggtype|wintype|typid) (\d+)', 'g') AS r (m)
        UNION
        SELECT d.refclassid, d.refobjid FROM thing t JOIN pg_depend d ON d.classid = t.classid AND d.objid = t.objid
         WHERE t.objid >= 16384
           AND t.classid IN ('pg_proc'::regclass, 'pg_rewrite'::regclass, 'pg_policy'::regclass,
               'pg_constraint'::regclass)
           AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass, 'pg_class'::regclass)
        UNION
        SELECT 'pg_proc'::regclass, f.oid
          FROM thing t JOIN pg_operator o ON o.oid = t.objid, unnest(ARRAY[o.oprcode::oid, o.oprrest::oid,
              o.oprjoin::oid]) AS f (oid)
         WHERE t.classid = 'pg_operator'::regclass AND t.objid >= 16384
        UNION
        SELECT 'pg_proc'::regclass, f.oid
          FROM procedure r JOIN pg_aggregate a ON a.aggfnoid = r.oid,
               unnest(ARRAY[a.aggtransfn::oid, a.aggfinalfn::oid, a.aggcombinefn::oid, a.aggserialfn::oid,
                   a.aggdeserialfn::oid,
                   a.aggmtransfn::oid, a.aggminvtransfn::oid, a.aggmfinalfn::oid]) AS f (oid)
        UNION
        SELECT 'pg_rewrite'::regclass, w.oid FROM relation c JOIN pg_rewrite w ON w.ev_class = c.oid AND w.ev_type = '1'
        UNION
        SELECT 'pg_policy'::regclass, y.oid FROM relation c JOIN pg_policy y ON y.polrelid = c.oid
         WHERE c.relrowsecurity AND c.oid <> p_table
        UNION
        SELECT 'pg_type'::regclass, x.oid FROM type t, unnest(ARRAY[t.typbasetype, t.typelem]) AS x (oid)
        UNION
        SELECT 'pg_type'::regclass, a.atttypid FROM type t JOIN pg_attribute a ON a.attrelid = t.typrelid
         WHERE a.attnum > 0 AND NOT a.attisdropped
        UNION
        SELECT x.classid, x.oid FROM type t JOIN pg_range g ON t.oid IN (g.rngtypid, g.rngmultitypid),
               LATERAL (VALUES ('pg_type'::regclass::oid, g.rngsubtype), ('pg_proc'::regclass, g.rngcanonical::oid),
                   ('pg_proc'::regclass, g.rngsubdiff::oid)) AS x (classid, oid)
        UNION
        SELECT 'pg_constraint'::regclass, k.oid FROM type t JOIN pg_constraint k ON k.contypid = t.oid
        UNION
        SELECT 'pg_operator'::regclass, m.amopopr FROM opclass o JOIN pg_amop m ON m.amopfamily = o.opcfamily
            AND m.amoplefttype = o.opcintype
        UNION
        SELECT 'pg_proc'::regclass, m.amproc FROM opclass o JOIN pg_amproc m ON m.amprocfamily = o.opcfamily
            AND m.amproclefttype = o.opcintype
    )
    SELECT n.classid, n.objid FROM next n WHERE n.objid <> 0;
END
$fn$;

-- All that these functions reach, themselves among it.
CREATE FUNCTION idemdesk._closure(p_functions oid[], p_table oid, OUT classes oid[], OUT objects oid[])
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_next record;
BEGIN
    objects := p_functions;
    classes := array_fill('pg_proc'::regclass::oid, ARRAY[cardinality(p_functions)]);
    SELECT classes AS classes, objects AS objects INTO v_next;
    LOOP
        SELECT array_agg(n.classid) AS classes, array_agg(n.objid) AS objects INTO v_next
          FROM (SELECT x.classid, x.objid FROM idemdesk._next_reached(v_next.classes, v_next.objects, p_table) x
                EXCEPT SELECT * FROM unnest(classes, objects)) n;
        EXIT WHEN v_next.objects IS NULL;
        classes := classes || v_next.classes;
        objects := objects || v_next.objects;
    END LOOP;
END
$fn$;

-- The functions by which effects are looked for, and those that they call in turn, in their bodies' words or as
-- parsed, also through views that they name: [evidence, schema, name]. They tell which tables an effect is read from.
CREATE FUNCTION idemdesk._evidence_functions(p_functions oid[], p_path text) RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $fn$
    WITH RECURSIVE made (oid, space, name, body, settings) AS MATERIALIZED (
        SELECT p.oid, n.nspname, p.proname, CASE WHEN l.lanname IN ('internal', 'c') THEN '' ELSE lower(p.prosrc) END,
               p.proconfig
          FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
         WHERE n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'idemdesk')
    ), seen (oid, space, name) AS MATERIALIZED (
        SELECT c.oid, n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relkind IN ('v', 'm') AND c.oid >= 16384 AND c.relpersistence <> 't'
    ), reached (view, oid) AS (
        SELECT false, m.oid FROM made m WHERE m.oid = ANY (p_functions)
        UNION
        SELECT n.view, n.oid FROM reached r CROSS JOIN LATERAL (
            SELECT false AS view, m.oid FROM made b JOIN made m ON m.oid <> b.oid AND strpos(b.body, lower(m.name)) > 0
               AND idemdesk._names(b.body, m.space, m.name, p_path, b.settings)
             WHERE NOT r.view AND b.oid = r.oid
            UNION ALL
            SELECT true, v.oid FROM made b JOIN seen v ON strpos(b.body, lower(v.name)) > 0
               AND idemdesk._names(b.body, v.space, v.name, p_path, b.settings)
             WHERE NOT r.view AND b.oid = r.oid
            UNION ALL
            SELECT d.refclassid = 'pg_class'::regclass, d.refobjid FROM pg_depend d
             WHERE d.refclassid IN ('pg_proc'::regclass, 'pg_class'::regclass)
               AND CASE WHEN r.view THEN d.classid = 'pg_rewrite'::regclass AND d.objid IN (
                                SELECT w.oid FROM pg_rewrite w WHERE w.ev_class = r.oid AND w.ev_type = '1')
                        ELSE d.classid = 'pg_proc'::regclass AND d.objid = r.oid END) n
    )
    SELECT coalesce(jsonb_agg(DISTINCT jsonb_build_array('evidence', m.space, m.name)), '[]')
      FROM reached r JOIN made m ON NOT r.view AND m.oid = r.oid
$fn$;

-- Gives one text of a profile to the server's own parser as the body of a function that is never called; gives the
-- function. First it is text alone, twice, within brackets that differ: whatever closes them and goes on fits one of the
-- two at most, and a quote left open ends with the body. Only what is one expression by that becomes part of a statement.
-- Nothing stands between it and its bracket, as in the statements that are built of it: a comment at its end would hide
-- what follows, up to a line that another text begins.
-- With p_from it stands over that instead of the table.
CREATE FUNCTION idemdesk._parsed(p_context jsonb, p_said text, p_effect boolean, p_from text DEFAULT NULL) RETURNS oid
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_from CONSTANT text := coalesce(p_from, p_context -> 'compiled' ->> 'relation');
    v_form record;
    v_name text;
    v_none text;
BEGIN
    FOR v_form IN
        SELECT f.body, f.parsed FROM (VALUES
            (1, false, false, 'SELECT CASE WHEN true THEN (%1$s) END FROM %2$s t'),
            (2, false, false, 'SELECT ((%1$s)) FROM %2$s t'),
            (3, false, true, 'SELECT (%1$s) FROM %2$s t;'),
            (1, true, false, 'SELECT 1 FROM %2$s t CROSS JOIN LATERAL (%1$s) e'),
            (2, true, false, 'SELECT 1 FROM %2$s t CROSS JOIN LATERAL ((%1$s)) e'),
            (3, true, true, 'SELECT 1 FROM %2$s t CROSS JOIN LATERAL (%1$s) e;')) AS f (n, effect, parsed, body)
         WHERE f.effect = p_effect ORDER BY f.n
    LOOP
        v_name := 'idemdesk_' || replace(gen_random_uuid()::text, '-', ''); -- nobody's before
        PERFORM set_config('check_function_bodies', 'on', true); -- each time: a check of a domain could switch it off
        EXECUTE idemdesk._call(p_context ->> 'run', 'nothing text') INTO v_none
          USING false,
              format('CREATE FUNCTION pg_temp.%I(pg_catalog.timestamptz, pg_catalog.text, pg_catalog.text, pg_catalog.text, '
                    'pg_catalog.text, pg_catalog.text[], pg_catalog.text[], pg_catalog.text[]) RETURNS pg_catalog.void '
                    'LANGUAGE sql %s', v_name, CASE WHEN v_form.parsed THEN 'BEGIN ATOMIC ' || format(v_form.body, p_said, c_from)
                        || ' END' ELSE format('AS %L', format(v_form.body, p_said, c_from)) END),
                p_context ->> 'search_path', NULL::timestamptz, NULL::text, NULL::text, NULL::text,
                    NULL::text, NULL::text[],
                NULL::text[], NULL::text[];
    END LOOP;
    RETURN (SELECT p.oid FROM pg_proc p
        WHERE p.proname = v_name AND p.pronamespace = pg_my_temp_schema() AND p.prosqlbody IS NOT NULL);
END
$fn$;

-- Functions of PostgreSQL itself through which a value names code: a type whose check runs, a table or a query that is
-- read. What is reached so shows in no expression. p_functions are all that are reached; what aggregates do inside is
-- theirs.
CREATE FUNCTION idemdesk._by_name(p_functions oid[]) RETURNS oid[]
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(array_agg(p.oid), '{}') FROM pg_proc p
     WHERE p.oid = ANY (p_functions) AND p.oid < 16384
       AND NOT EXISTS (SELECT FROM pg_aggregate a WHERE a.aggfnoid = ANY (p_functions) AND p.oid IN (a.aggtransfn,
               a.aggfinalfn, a.aggcombinefn, a.aggserialfn, a.aggdeserialfn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn))
       AND (p.proargtypes::oid[] && ARRAY['cstring'::regtype::oid, 'internal'::regtype] -- a type's own input and its kin
            OR EXISTS (SELECT FROM pg_type t WHERE t.oid = p.prorettype AND t.typtype = 'p'
                          AND (t.typname IN ('void', 'internal', 'trigger', 'event_trigger') OR t.typname ~ '_handler$'))
            OR p.proname ~ '_to_xml$|_to_xmlschema$|_to_xml_and_xmlschema$|^pg_input_|^to_reg|^ts_stat$|^ts_rewrite$'
            OR p.proname = 'satisfies_hash_partition'
            OR p.prorettype::regtype::text ~ '^reg') -- a table or a type out of a text
$fn$;

-- Does an effect's query read the table of the keys again, beside the row that it is asked about? It is parsed over a row
-- that is made up of NULLs, column by column, so that the table is only there where the query itself names it. What
-- needs a place in the table (ctid) cannot be parsed so, and may be anything.
CREATE FUNCTION idemdesk._reads_again(p_context jsonb, p_said text) RETURNS boolean
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_relation CONSTANT oid := (p_context ->> 'relation')::oid;
    v_columns  text;
    v_made     oid;
BEGIN
    SELECT string_agg(format('NULL::%s AS %I', format_type(a.atttypid, a.atttypmod), a.attname), ', ' ORDER BY a.attnum)
      INTO v_columns FROM pg_attribute a WHERE a.attrelid = c_relation AND a.attnum > 0 AND NOT a.attisdropped;
    BEGIN
        v_made := idemdesk._parsed(p_context, p_said, true, format('(SELECT %s)', v_columns));
    EXCEPTION WHEN undefined_column THEN
        RETURN true;
    WHEN lock_not_available THEN
        RAISE; -- not looked at is not "no"
    WHEN OTHERS THEN
        RETURN false; -- it takes the row as a whole; what it reads then is told by its functions
    END;
    RETURN EXISTS (
        WITH RECURSIVE family (oid) AS (
            SELECT c_relation UNION
            SELECT x.oid FROM family f CROSS JOIN LATERAL (
                SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = f.oid
                UNION SELECT i.inhparent FROM pg_inherits i WHERE i.inhrelid = f.oid) AS x (oid))
        SELECT FROM idemdesk._closure(ARRAY[v_made], c_relation) c, unnest(c.classes, c.objects) AS x (classid, objid)
         WHERE x.classid = 'pg_class'::regclass AND x.objid IN (SELECT f.oid FROM family f));
END
$fn$;

-- What of who asks, or of his session, decides what an effect's query finds: "current_user, current_setting", or NULL.
-- Policies are left out, for evidence is read whole or not at all.
CREATE FUNCTION idemdesk._asks_who(p_effects oid[], p_proofs jsonb) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $fn$
    WITH reached (classid, objid) AS MATERIALIZED (
        SELECT x.classid, x.objid FROM idemdesk._closure(p_effects, NULL) c, unnest(c.classes, c.objects) AS x (classid, objid)
    ), body (text) AS (
        SELECT p.prosqlbody::text FROM reached r JOIN pg_proc p ON r.classid = 'pg_proc'::regclass AND p.oid = r.objid
         WHERE p.prosqlbody IS NOT NULL
        UNION ALL
        SELECT w.ev_action::text FROM reached r JOIN pg_rewrite w ON r.classid = 'pg_rewrite'::regclass AND w.oid = r.objid
    ), word (said) AS ( -- the numbers of CURRENT_ROLE to SESSION_USER and CURRENT_SCHEMA in parsed expressions
        SELECT CASE m.m[1] WHEN '12' THEN 'session_user' WHEN '14' THEN 'current_schema' ELSE 'current_user' END
          FROM body b, regexp_matches(b.text, 'SQLVALUEFUNCTION :op (9|10|11|12|14) ', 'g') AS m (m)
        UNION
        SELECT p.proname FROM reached r JOIN pg_proc p ON r.classid = 'pg_proc'::regclass AND p.oid = r.objid
         WHERE p.pronamespace = 'pg_catalog'::regnamespace
           AND p.proname ~ '^(current_(setting|user|role|schemas?)|session_user|getpgusername|inet_(client|server)_(addr|port)|pg_backend_pid|pg_my_temp_schema|row_security_active|pg_client_encoding|pg_has_role)$|^(txid|pg)_current_(snapshot|xact_id)'
        UNION
        SELECT lower(m.m[1]) FROM jsonb_array_elements(p_proofs) j
          JOIN pg_namespace n ON n.nspname = j ->> 1
          JOIN pg_proc p ON p.pronamespace = n.oid AND p.proname = j ->> 2
          JOIN pg_language l ON l.oid = p.prolang AND l.lanname NOT IN ('internal', 'c'),
               regexp_matches(p.prosrc, '\m(current_setting|current_user|current_role|session_user|current_schemas?|inet_client_addr|pg_backend_pid)\M', 'gi') AS m (m)
         WHERE j ->> 0 = 'evidence')
    SELECT string_agg(DISTINCT w.said, ', ' ORDER BY w.said) FROM word w
$fn$;

-- What the expressions of a profile reach. From what _parsed() made of each all else is followed. Volatile functions are refused, and what
-- somebody else than the table's owner could change; and what could not be judged. Answers {"findings", "reached"}.
CREATE FUNCTION idemdesk._judge(p_context jsonb) RETURNS jsonb
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_compiled CONSTANT jsonb := p_context -> 'compiled';
    c_relation CONSTANT oid := (p_context ->> 'relation')::oid;
    c_whole    CONSTANT boolean := idemdesk._may_read_all(c_relation);
    v_out      jsonb := '[]';
    v_part     record;
    v_where    text;
    v_raised   boolean;
    v_made     oid[] := '{}';
    v_effects  oid[] := '{}'; -- those of them that look for an effect
    v_one      oid;
    v_classes  oid[];
    v_objects  oid[];
    v_proofs   jsonb := '[]';
    v_again    boolean := false;
    v_who      text;
    v_found    record;
    v_judged   boolean := false;
BEGIN
    FOR v_part IN -- identities are compared with one operator, as values of one type
        SELECT i.v ->> 'name' AS name FROM jsonb_array_elements(c_compiled -> 'identity') AS i (v)
         WHERE NOT coalesce(i.v ->> 'eq' ~ '^OPERATOR\(([[:alpha:]_][[:alnum:]_$]*|"([^"]|"")+")\.[-+*/<>=~!@#%^&|`?]+\)$', false)
            OR NOT EXISTS (SELECT FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
                            WHERE i.v ->> 'type' IN (format('%I.%I', n.nspname, t.typname), format_type(t.oid, NULL),
                                                     format('%I.%I[]', n.nspname, t.typname)))
    LOOP
        v_out := v_out || idemdesk._finding('problem', 'identity',
            format('How the identity "%s" is compared is not one operator on one type.', v_part.name));
    END LOOP;
    BEGIN
        PERFORM idemdesk._require_quiet();
        FOR v_part IN SELECT DISTINCT e.said, e.key = 'effects.sql' AS effect, e.key ~ '^second[.]' AS second
                        FROM idemdesk._expressions(c_compiled) e LOOP
            BEGIN
                v_one := idemdesk._parsed(p_context, v_part.said, v_part.effect, CASE WHEN v_part.second
                    THEN format('%s s CROSS JOIN %s', c_compiled -> 'second' ->> 'relation', c_compiled ->> 'relation') END);
                v_made := v_made || v_one;
                v_effects := CASE WHEN v_part.effect THEN v_effects || v_one ELSE v_effects END;
            EXCEPTION WHEN OTHERS THEN
                GET STACKED DIAGNOSTICS v_where = PG_EXCEPTION_CONTEXT;
                -- Where a constant of a domain is parsed, its check runs, and may say what it likes.
                v_raised := idemdesk._raised_by_row(SQLSTATE, SQLERRM, v_where);
                v_out := v_out || idemdesk._finding(CASE WHEN SQLSTATE = '42501' AND NOT v_raised THEN 'grant' ELSE 'problem' END,
                    'expression', format('An expression of the profile could not be judged: %s: %s',
                        idemdesk._failure_told(c_whole, CASE WHEN v_raised THEN 'P0001' ELSE SQLSTATE END, SQLERRM),
                        left(v_part.said, 200)));
            END;
        END LOOP;
        IF cardinality(v_effects) > 0 THEN
            SELECT idemdesk._evidence_functions(array_agg(x.objid), p_context ->> 'search_path') INTO v_proofs
              FROM idemdesk._closure(v_effects, c_relation) c, unnest(c.classes, c.objects) AS x (classid, objid)
             WHERE x.classid = 'pg_proc'::regclass AND x.objid >= 16384 AND x.objid <> ALL (v_made);
        END IF;
        v_proofs := coalesce(v_proofs, '[]');
        v_who := CASE WHEN cardinality(v_effects) > 0 THEN idemdesk._asks_who(v_effects, v_proofs) END;
        v_again := EXISTS (SELECT FROM idemdesk._effects_asked(c_compiled) e WHERE idemdesk._reads_again(p_context, e ->> 'sql'));
        SELECT c.classes, c.objects INTO v_classes, v_objects FROM idemdesk._closure(v_made, c_relation) c;
        WITH reached (classid, objid) AS (
            SELECT r.c, r.o FROM unnest(v_classes, v_objects) AS r (c, o) WHERE r.o <> ALL (v_made)
        ), named AS (
            SELECT r.classid, p.provolatile = 'v' AS changes, p.proowner AS owner, p.pronamespace AS space,
                   p.oid::regprocedure::text AS name
              FROM reached r JOIN pg_proc p ON r.classid = 'pg_proc'::regclass AND p.oid = r.objid
            UNION ALL
            SELECT r.classid, false, t.typowner, t.typnamespace, format_type(t.oid, NULL)
              FROM reached r JOIN pg_type t ON r.classid = 'pg_type'::regclass AND t.oid = r.objid
             WHERE t.typtype IN ('c', 'd', 'r')
            UNION ALL
            SELECT r.classid, false, NULL, c.relnamespace, c.oid::regclass::text
              FROM reached r JOIN pg_class c ON r.classid = 'pg_class'::regclass AND c.oid = r.objid
        )
        SELECT (SELECT coalesce(jsonb_agg(DISTINCT format(
                           'An expression of the profile calls %s, through which a value can name code or a table.',
                           p.oid::regprocedure)), '[]')
                  FROM pg_proc p WHERE p.oid = ANY (idemdesk._by_name(ARRAY(
                           SELECT r.objid FROM reached r WHERE r.classid = 'pg_proc'::regclass))))
               || (SELECT coalesce(jsonb_agg(DISTINCT format(
                           'An expression of the profile makes a value of the type %s, which can name code or a table.',
                           t.oid::regtype)), '[]')
                  FROM pg_proc p
                 CROSS JOIN LATERAL regexp_matches(p.prosqlbody::text, ':resulttype (\d+)', 'g') AS m (m)
                  JOIN pg_type t ON t.oid = m.m[1]::oid
                 WHERE p.oid = ANY (v_made) AND t.typnamespace = 'pg_catalog'::regnamespace AND t.typname ~ '^_?reg')
               || (SELECT coalesce(jsonb_agg(DISTINCT format(CASE
                           WHEN n.space = pg_my_temp_schema()
                               THEN 'An expression of the profile needs %s, which only this session has.'
                           WHEN n.changes
                               THEN 'An expression of the profile calls %s, which may change something or answer otherwise each time.'
                           WHEN n.classid = 'pg_proc'::regclass
                               THEN 'An expression of the profile calls %s, which %s could change.'
                           ELSE 'An expression of the profile makes a value of the type %s, which %s could change.' END,
                           n.name, pg_get_userbyid(n.owner))), '[]')
                  FROM named n LEFT JOIN pg_roles o ON o.oid = n.owner
                 WHERE n.space = pg_my_temp_schema() OR n.changes
                    OR NOT (o.rolsuper OR o.oid = (SELECT c.relowner FROM pg_class c WHERE c.oid = c_relation))) AS bad,
               (SELECT coalesce(jsonb_agg(DISTINCT format(
                           'An expression of the profile calls %s of the extension %s, '
                           'which an update of that could change.',
                           p.oid::regprocedure, x.extname)), '[]')
                  FROM reached r JOIN pg_proc p ON r.classid = 'pg_proc'::regclass AND p.oid = r.objid AND p.oid >=
                      16384
                  JOIN pg_depend d ON d.classid = r.classid AND d.objid = p.oid AND d.deptype = 'e'
                  JOIN pg_extension x ON x.oid = d.refobjid) AS extended,
               ARRAY(SELECT r.objid FROM reached r WHERE r.classid = 'pg_proc'::regclass) AS functions,
               ARRAY(SELECT r.objid FROM reached r WHERE r.classid = 'pg_operator'::regclass) AS operators,
               ARRAY(SELECT r.objid FROM reached r WHERE r.classid = 'pg_type'::regclass) AS types,
               ARRAY(SELECT r.objid FROM reached r WHERE r.classid = 'pg_class'::regclass) AS relations INTO v_found;
        v_judged := true;
        RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
    EXCEPTION WHEN OTHERS THEN
        IF NOT v_judged THEN
            RAISE;
        END IF;
    END;
    IF v_who IS NOT NULL THEN
        v_out := v_out || idemdesk._finding('problem', 'effect', format(
            'What the effects'' queries find depends on who asks, or on the session: %s. What they do not find may be there.',
            v_who));
    END IF;
    SELECT v_out || coalesce(jsonb_agg(idemdesk._finding('problem', 'expression', b) -> 0), '[]') INTO v_out
      FROM jsonb_array_elements_text(v_found.bad) b;
    SELECT v_out || coalesce(jsonb_agg(idemdesk._finding('warning', 'extension', b) -> 0), '[]') INTO v_out
      FROM jsonb_array_elements_text(v_found.extended) b;
    RETURN jsonb_build_object('findings', v_out, 'reached',
        idemdesk._reached(c_relation, array_remove(ARRAY[idemdesk._second_of(c_compiled),
            CASE WHEN c_compiled -> 'history' ->> 'relation' IS NOT NULL
                 THEN idemdesk._relation_named(c_compiled -> 'history' ->> 'relation') END], NULL), v_found.functions, v_found.operators, v_found.types, v_found.relations,
            p_context ->> 'search_path')
            || v_proofs || CASE WHEN v_again THEN '[["again"]]' ELSE '[]' END::jsonb);
END
$fn$;

-- Can the runner read all that the effects' queries read? What row security hides from it would count as not there.
CREATE FUNCTION idemdesk._try_effects(p_context jsonb) RETURNS jsonb
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_relation CONSTANT text := p_context -> 'compiled' ->> 'relation';
    v_out      jsonb := '[]';
    v_effect   jsonb;
    v_why      text;
    v_state    text;
    v_rows     bigint;
BEGIN
    FOR v_effect IN SELECT e FROM jsonb_array_elements(p_context -> 'compiled' -> 'effects') e LOOP
        FOR v_whole IN 0 .. 1 LOOP
            BEGIN
                -- A row of the table's type, for the table's own row security is no matter of the evidence.
                PERFORM idemdesk._look(p_context ->> 'run', 'nothing text', format('SELECT NULL::pg_catalog.text FROM %s t '
                        'CROSS JOIN LATERAL (%s) e LIMIT 0', CASE v_whole WHEN 0 THEN c_relation
                            ELSE format('(SELECT (NULL::%s).*)', c_relation) END, v_effect ->> 'sql'),
                    p_context ->> 'search_path', transaction_timestamp(), p_whole => v_whole = 1);
            EXCEPTION WHEN OTHERS THEN
                v_state := SQLSTATE;
                -- No row was read: what the server says of the query itself tells no value.
                v_why := CASE WHEN v_state LIKE '42%' THEN SQLERRM ELSE idemdesk._failure_told(false, v_state, SQLERRM) END;
                IF v_whole = 0 THEN
                    v_out := v_out || idemdesk._finding(CASE v_state WHEN '42501' THEN 'grant' ELSE 'problem' END, 'effect',
                        format('The effect "%s" cannot be read: %s', v_effect ->> 'type', v_why));
                    EXIT;
                ELSIF v_state = '42501' THEN
                    v_out := v_out || idemdesk._finding('problem', 'row_security', format(
                        'Row security hides rows of what the effect "%s" reads from %s: %s. Let the effect read a view '
                        'whose owner sees every row.', v_effect ->> 'type',
                        idemdesk._runner_of((p_context ->> 'relation')::oid), v_why));
                END IF;
            END;
        END LOOP;
        -- Nothing and an effect without a value look alike where max() or a function gives a row of anything.
        BEGIN
            v_rows := (idemdesk._look(p_context ->> 'run', 'n bigint', format('SELECT pg_catalog.count(*) FROM '
                    '(SELECT (NULL::%s).*%s%s) t CROSS JOIN LATERAL (%s) e', c_relation,
                    -- A made-up row has no columns of the system's own, unless they are made.
                    CASE WHEN v_effect ->> 'sql' LIKE '%ctid%' THEN ', NULL::pg_catalog.tid AS ctid' ELSE '' END,
                    CASE WHEN v_effect ->> 'sql' LIKE '%tableoid%' THEN ', NULL::pg_catalog.oid AS tableoid' ELSE '' END,
                    v_effect ->> 'sql'),
                p_context ->> 'search_path', transaction_timestamp(), p_whole => true) ->> 'n')::bigint;
        EXCEPTION WHEN OTHERS THEN
            v_rows := 0;
            -- Where it can be read at all, it must be tried: what fails on no key was not seen to find none.
            IF NOT jsonb_path_exists(v_out, '$[*] ? (@.code == "effect" || @.code == "row_security")') THEN
                v_out := v_out || idemdesk._finding('problem', 'effect', format(
                    'The query of the effect "%s" fails on a key that does not exist: %s. Let it give no row there.',
                    -- It reads other tables than the target, which whoever asks may not read.
                    v_effect ->> 'type', idemdesk._failure_told(false, SQLSTATE, SQLERRM)));
            END IF;
        END;
        IF v_rows > 0 THEN
            v_out := v_out || idemdesk._finding('problem', 'effect', format('The query of the effect "%s" gives a row of '
                'a key that does not exist. Let it give none: add HAVING count(*) > 0, or a WHERE.', v_effect ->> 'type'));
        END IF;
    END LOOP;
    RETURN v_out;
END
$fn$;

-- The table that a profile names; 0 where what it names is none, NULL where its text names nothing. Programs preview by
-- that text, while what was compiled is what acts.
CREATE FUNCTION idemdesk._profile_table(p_profile text) RETURNS oid
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_parts text[];
    v_named text;
BEGIN
    BEGIN
        v_named := p_profile::jsonb ->> 'relation';
    EXCEPTION WHEN invalid_text_representation OR untranslatable_character THEN
        RETURN NULL; -- no profile that a program reads
    END;
    v_parts := parse_ident(v_named);
    -- Not to_regclass(): the console has no rights on other schemas.
    RETURN CASE WHEN v_named IS NOT NULL THEN coalesce((
        SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE cardinality(v_parts) = 2 AND n.nspname = v_parts[1]::name AND c.relname = v_parts[2]::name), 0) END;
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN 0; -- no name
END
$fn$;

-- Registers a target. With p_store false it only says what the catalogue tells of it: nothing of the table's is run, so
-- nothing is tried. p_compiled is the profile's SQL as the console
-- placed it; p_schemas becomes the search path around statements on the target; p_settings may hold "approval_above",
-- "undo_window" and "image_limit". Answers {"registered", "findings", "limit_requested"}.
CREATE FUNCTION idemdesk.register_target(p_name text, p_profile text, p_compiled jsonb, p_schemas text[], p_settings jsonb,
    p_store boolean) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '500ms'
AS $fn$
DECLARE
    v_caller   text;
    v_relation oid;
    v_findings jsonb := '[]';
    v_context  jsonb;
    v_path     text;
    v_rule     record;
    v_result   text;
    v_count    integer;
    v_fatal    boolean;
    v_judged   jsonb;
    v_stored   boolean := false;
    v_limit    boolean := false;
    v_bare     idemdesk.target; -- the table alone, and with what the profile reaches
    v_looked   idemdesk.target;
    v_table    jsonb;
    v_settings text[];
    v_locks    text[];
BEGIN
    GET DIAGNOSTICS v_caller = PG_CONTEXT;
    PERFORM idemdesk._enter('idemdesk_admin', v_caller, 'register_target');
    v_settings := idemdesk._own_settings();
    v_locks := idemdesk._own_locks();
    PERFORM idemdesk._require_guard();
    v_relation := idemdesk._relation_named(p_compiled ->> 'relation');
    IF v_relation IS NULL THEN
        RAISE EXCEPTION 'There is no table %.', p_compiled ->> 'relation' USING ERRCODE = 'ID005';
    END IF;
    IF idemdesk._profile_table(p_profile) <> v_relation THEN
        RAISE EXCEPTION 'The profile is about another table than %.', p_compiled ->> 'relation' USING ERRCODE = 'ID005',
            HINT = 'A preview reads by the profile, so both must name one table.';
    END IF;
    IF coalesce(p_name, '') = '' OR p_profile IS NULL OR jsonb_typeof(p_compiled -> 'rules') IS DISTINCT FROM 'array'
       OR jsonb_typeof(p_compiled -> 'purge') IS DISTINCT FROM 'array' OR jsonb_typeof(p_compiled -> 'identity') IS DISTINCT FROM 'array' THEN
        RAISE EXCEPTION 'The registration is not complete.' USING ERRCODE = 'ID005';
    END IF;
    SELECT 'pg_catalog' || coalesce(', ' || string_agg(quote_ident(s.name), ', ' ORDER BY s.n), '') || ', pg_temp'
      INTO v_path FROM unnest(p_schemas) WITH ORDINALITY AS s (name, n);
    v_bare.relation := v_relation;
    v_bare.compiled := p_compiled;
    v_bare.search_path := v_path;
    v_bare.reached := '[]';
    v_table := idemdesk._fingerprint(v_bare);
    v_findings := idemdesk._target_findings(v_relation, p_compiled, p_schemas);
    v_fatal := jsonb_path_exists(v_findings, '$[*] ? (@.severity == "problem" || @.severity == "grant")');
    IF p_store AND NOT v_fatal THEN
        v_count := jsonb_array_length(p_compiled -> 'rules');
        v_context := jsonb_build_object('run', idemdesk._trampoline_of(v_relation), 'relation', v_relation::bigint, 'search_path', v_path, 'reason', 'trial',
            'compiled', jsonb_set(p_compiled, '{rules}', (p_compiled -> 'rules') || jsonb_build_array(jsonb_build_object(
                'verb', 'purge', 'to', 'absent', 'set', '[]'::jsonb, 'status', '[]'::jsonb,
                'from', jsonb_build_array('pending', 'in_progress', 'succeeded', 'failed_retryable', 'failed_final', 'unknown')))));
        v_judged := idemdesk._judge(v_context);
        v_looked := v_bare;
        v_looked.reached := v_judged -> 'reached';
        v_judged := v_judged || jsonb_build_object('table', idemdesk._fingerprint(v_looked));
        v_findings := v_findings || (v_judged -> 'findings');
        v_fatal := jsonb_path_exists(v_findings, '$[*] ? (@.severity == "problem" || @.severity == "grant")');
    END IF;
    IF p_store AND NOT v_fatal THEN
        v_result := idemdesk._try_rest(v_context);
        IF v_result IS NOT NULL THEN
            v_findings := v_findings || idemdesk._finding(CASE WHEN v_result LIKE '%(42501)' THEN 'grant' ELSE 'problem' END, 'trial',
                format('What a purge or a sample reads failed: %s', v_result));
        END IF;
        FOR v_rule IN
            SELECT format('%s to %s', r ->> 'verb', r ->> 'to') AS label, (n - 1)::integer AS number,
                   format('(%s) = ANY (%L::pg_catalog.text[])%s', idemdesk._whole_state(p_compiled), ARRAY(SELECT jsonb_array_elements_text(r -> 'from')),
                       CASE WHEN r ->> 'verb' = 'recover' AND p_compiled ->> 'stale' IS NOT NULL
                            THEN format(' AND ((%s) OR (%s) <> ALL (ARRAY[''pending'', ''in_progress'']))', p_compiled ->> 'stale', idemdesk._whole_state(p_compiled))
                            ELSE '' END) AS condition
              FROM jsonb_array_elements(p_compiled -> 'rules') WITH ORDINALITY AS x (r, n)
            UNION ALL
            SELECT 'purge', v_count, format('(%s) AND (%s) = ANY ($6)', p_compiled -> 'purge' -> 0 ->> 'where', idemdesk._whole_state(p_compiled))
             WHERE jsonb_array_length(p_compiled -> 'purge') > 0
        LOOP
            v_result := idemdesk._try_rule(v_context, v_rule.number, v_rule.condition);
            IF v_result = 'unreadable' THEN
                v_context := v_context || jsonb_build_object('around', idemdesk._unreadable(v_context,
                    idemdesk._purge_tries(p_compiled) || format('pg_catalog.count(%s)', coalesce(p_compiled ->> 'stale', '1')),
                    transaction_timestamp()));
                v_findings := v_findings || idemdesk._finding('warning', 'unreadable', format(
                    '%s%s rows are unreadable, because an expression of the profile fails on them; they count as unknown, and no action takes them.',
                    v_context -> 'around' ->> 'n', CASE WHEN (v_context -> 'around' ->> 'many')::boolean THEN ' or more' ELSE '' END));
                v_result := idemdesk._try_rule(v_context, v_rule.number, v_rule.condition);
            END IF;
            v_findings := v_findings || CASE v_result
                WHEN 'proven' THEN idemdesk._finding('note', 'proven', format('Tried on rows of its kind and taken back: %s.', v_rule.label))
                WHEN 'unproven' THEN idemdesk._finding('warning', 'unproven', format('Unproven: no row was found on which this could be tried to its end (none in such a state, none with its evidence, or all held by somebody): %s.', v_rule.label))
                ELSE CASE WHEN starts_with(v_result, 'some: ')
                    THEN idemdesk._finding('warning', 'trial', format('The trial of "%s" went well on some rows and failed on others, which an action leaves alone: %s', v_rule.label, substr(v_result, 7)))
                    ELSE idemdesk._finding('problem', 'trial', format('The trial of "%s" failed: %s', v_rule.label, v_result)) END END;
        END LOOP;
        v_findings := v_findings || idemdesk._try_effects(v_context);
        IF idemdesk._release_locks(v_locks) THEN
            v_findings := v_findings || idemdesk._finding('problem', 'trial',
                'Code of the table takes an advisory lock that stays in the session. Let it use pg_advisory_xact_lock().');
        END IF;
        v_fatal := jsonb_path_exists(v_findings, '$[*] ? (@.severity == "problem" || @.severity == "grant")');
    END IF;
    IF p_store AND NOT v_fatal THEN
        PERFORM idemdesk._require_settings(v_settings);
        PERFORM idemdesk._require_trampoline(v_context ->> 'run');
        -- What its owner changed while the trials ran was not looked at.
        v_result := coalesce(idemdesk._changed_parts(v_judged -> 'table', idemdesk._fingerprint(v_looked)),
            idemdesk._changed_parts(v_table, idemdesk._fingerprint(v_bare)));
        IF v_result IS NOT NULL THEN
            RAISE EXCEPTION 'The table was changed while it was being registered: %.', v_result USING ERRCODE = 'ID006',
                HINT = 'Look at the change, and register it again.';
        END IF;
        v_limit := idemdesk._register(p_name, v_relation, p_profile, p_compiled, v_path, coalesce(p_settings, '{}'),
            idemdesk._findings_told(v_findings), v_judged -> 'reached', v_judged -> 'table');
        v_stored := true;
        IF v_limit THEN
            v_findings := v_findings || idemdesk._finding('warning', 'limit',
                'The looser limit waits for the approval of another person; until then the one that was agreed on holds.');
        END IF;
    END IF;
    RETURN jsonb_build_object('registered', v_stored, 'findings', v_findings, 'limit_requested', v_limit);
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.register_target(text, text, jsonb, text[], jsonb, boolean) TO idemdesk_admin;
RESET ROLE;
