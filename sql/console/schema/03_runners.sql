-- SPDX-License-Identifier: GPL-3.0-or-later
-- Who runs what a table makes the server run. Triggers, defaults, policies and a profile's expressions are code of the
-- table's owner and of whoever wrote the profile. It runs as a role of its own for each owner of tables, which owns one
-- function, the trampoline, and has rights on that owner's registered tables alone: it reaches neither the console nor
-- another owner's tables. The trampoline takes one statement from the console's own functions, and nobody else may call
-- it.
SET LOCAL ROLE idemdesk_owner;

CREATE FUNCTION idemdesk._runner_name(p_owner oid) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce((SELECT r.rolname::text FROM idemdesk.runner u JOIN pg_roles r ON r.oid = u.runner WHERE u.owner = p_owner),
        (SELECT 'idemdesk_runner_' || CASE WHEN octet_length(o.rolname) <= 40 THEN o.rolname ELSE md5(o.rolname) END
           FROM pg_roles o WHERE o.oid = p_owner))
$fn$;

-- What the trampoline of a runner is made with. Its settings are those that _require_settings() compares afterwards;
-- text search is left as this database has it, for triggers store what they find by it. Constraints are made immediate,
-- so that what one row violates is that row's own failure and no code waits for COMMIT, when it would run as the person.
CREATE FUNCTION idemdesk._trampoline_sql(p_runner text) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT format($sql$
CREATE FUNCTION idemdesk.%I(p_rows boolean, p_sql text, p_path text, p_now timestamptz, p_reason text, p_action text,
    p_effect text, p_type text, p_identity text[], p_guard text[], p_image text[], p_whole boolean DEFAULT false)
    RETURNS SETOF record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET datestyle = 'ISO, YMD' SET intervalstyle = 'postgres' SET timezone = 'UTC'
    SET array_nulls = on SET standard_conforming_strings = on SET transform_null_equals = off
    SET quote_all_identifiers = off SET xmloption = 'content' SET xmlbinary = 'base64' SET bytea_output = 'hex'
    SET extra_float_digits = 1 SET row_security = on SET lc_monetary = 'C' SET lc_numeric = 'C' SET lc_time = 'C'
    SET gin_fuzzy_search_limit = 0 SET default_text_search_config FROM CURRENT
AS $trampoline$
BEGIN
    PERFORM pg_catalog.set_config('search_path', p_path, true);
    IF p_whole THEN
        PERFORM pg_catalog.set_config('row_security', 'off', true);
    END IF;
    SET CONSTRAINTS ALL IMMEDIATE;
    IF p_rows THEN
        RETURN QUERY EXECUTE p_sql USING p_now, p_reason, p_action, p_effect, p_type, p_identity, p_guard, p_image;
    ELSE
        EXECUTE p_sql;
    END IF;
    SET CONSTRAINTS ALL IMMEDIATE;
END
$trampoline$
$sql$, '_run_' || substr(p_runner, length('idemdesk_runner_') + 1))
$fn$;

-- How a statement is given to a trampoline and its columns come back: $1 whether it gives rows, $2 the statement, $3 the
-- search path, then what the statement itself knows as $1 now, $2 reason, $3 action, $4 effect id, $5 effect type,
-- $6 identity, $7 guard values, $8 images. With p_whole the statement sees every row or fails: what row security hides
-- from the runner would else count as not there.
CREATE FUNCTION idemdesk._call(p_trampoline text, p_columns text, p_whole boolean DEFAULT false) RETURNS text
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN format('SELECT r.* FROM %s($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11%s) AS r (%s)', p_trampoline,
        CASE WHEN p_whole THEN ', true' ELSE '' END, p_columns);
END
$fn$;

-- What one statement says of a target, as JSON of its one row. It only looks: it runs read-only, and what the code that it
-- reaches did nevertheless is taken back. Whatever happens outside a batch goes through here, for it leaves no trail.
CREATE FUNCTION idemdesk._look(p_run text, p_columns text, p_sql text, p_path text, p_now timestamptz, p_reason text DEFAULT NULL,
    p_identity text[] DEFAULT NULL, p_whole boolean DEFAULT false) RETURNS jsonb
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_locks CONSTANT text[] := idemdesk._own_locks();
    v_said     jsonb;
    v_done     boolean := false;
    v_left     boolean;
    v_settings text[];
BEGIN
    BEGIN
        PERFORM set_config('transaction_read_only', 'on', true);
        v_settings := idemdesk._own_settings();
        EXECUTE format('SELECT to_jsonb(x) FROM (%s) x', idemdesk._call(p_run, p_columns, p_whole)) INTO v_said
          USING true, p_sql, p_path, p_now, p_reason, NULL::text, NULL::text, NULL::text, p_identity, NULL::text[],
              NULL::text[];
        PERFORM idemdesk._require_settings(v_settings);
        v_done := true;
        RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
    EXCEPTION WHEN OTHERS THEN
        v_left := idemdesk._release_locks(c_locks); -- a lock of the session outlives what is taken back
        IF NOT v_done THEN
            RAISE;
        END IF;
    END;
    RETURN jsonb_strip_nulls(v_said);
END
$fn$;

-- Takes a runner into use, once its role and trampoline are there; only make_runner() gets here.
CREATE FUNCTION idemdesk._adopt_runner(p_owner oid, p_runner text) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_role     record;
    v_function record;
    v_seq      bigint;
BEGIN
    SELECT r.* INTO STRICT v_role FROM pg_roles r WHERE r.rolname = p_runner;
    IF v_role.rolcanlogin OR v_role.rolsuper OR v_role.rolcreaterole OR v_role.rolreplication OR v_role.rolbypassrls THEN
        RAISE EXCEPTION 'There is a role % already, and it has powers that a runner must not have.', p_runner
            USING ERRCODE = 'ID005', HINT = format('ALTER ROLE %I NOLOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS', p_runner);
    END IF;
    SELECT p.oid, format('idemdesk.%I', p.proname) AS name INTO STRICT v_function
      FROM pg_proc p WHERE p.pronamespace = 'idemdesk'::regnamespace AND p.proowner = v_role.oid;
    INSERT INTO idemdesk.runner AS r (owner, runner, trampoline) VALUES (p_owner, v_role.oid, v_function.name)
    ON CONFLICT (owner) DO UPDATE SET runner = excluded.runner, trampoline = excluded.trampoline;
    INSERT INTO idemdesk.definition AS d (name, digest)
    SELECT f.name, f.digest FROM idemdesk._definitions() f WHERE f.name = format('function %s', v_function.oid::regprocedure)
    ON CONFLICT (name) DO UPDATE SET digest = excluded.digest;
    v_seq := idemdesk._chain('runner', NULL, NULL, NULL,
        jsonb_build_object('owner', pg_get_userbyid(p_owner), 'owner_id', p_owner::bigint, 'runner', p_runner,
            'trampoline', v_function.name, 'definitions', idemdesk._definitions_sha()), NULL);
END
$fn$;

-- Makes the role and the trampoline for the tables of p_owner; gives the role's name. It has the rights of whoever calls
-- it: a superuser, or the role with CREATEROLE that installed the console.
CREATE FUNCTION idemdesk.make_runner(p_owner text) RETURNS text
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off
AS $fn$
DECLARE
    c_super  CONSTANT boolean := (SELECT r.rolsuper FROM pg_roles r WHERE r.rolname = session_user);
    v_owner  oid := (SELECT r.oid FROM pg_roles r WHERE r.rolname = p_owner);
    v_runner text;
    v_sql    text;
BEGIN
    IF v_owner IS NULL THEN
        RAISE EXCEPTION 'There is no role %.', p_owner USING ERRCODE = 'ID005';
    END IF;
    IF NOT c_super THEN
        EXECUTE format('GRANT idemdesk_owner TO %I', session_user);
    END IF;
    SET LOCAL ROLE idemdesk_owner;
    PERFORM idemdesk._require_quiet();
    v_runner := idemdesk._runner_name(v_owner);
    v_sql := idemdesk._trampoline_sql(v_runner);
    SET LOCAL ROLE NONE;
    IF to_regrole(quote_ident(v_runner)) IS NULL THEN
        EXECUTE format('CREATE ROLE %I NOLOGIN', v_runner);
    END IF;
    IF NOT c_super THEN
        EXECUTE format('GRANT %I TO %I', v_runner, session_user);
    END IF;
    SET LOCAL ROLE idemdesk_owner;
    EXECUTE format('GRANT USAGE, CREATE ON SCHEMA idemdesk TO %I', v_runner);
    EXECUTE format('SET LOCAL ROLE %I', v_runner);
    -- Anew, so that nothing is left of rights that somebody gave to it.
    EXECUTE format('DROP FUNCTION IF EXISTS idemdesk.%I', '_run_' || substr(v_runner, length('idemdesk_runner_') + 1));
    EXECUTE v_sql;
    EXECUTE format('REVOKE ALL ON FUNCTION idemdesk.%1$I FROM PUBLIC', '_run_' || substr(v_runner, length('idemdesk_runner_') + 1));
    EXECUTE format('GRANT EXECUTE ON FUNCTION idemdesk.%1$I TO idemdesk_owner', '_run_' || substr(v_runner, length('idemdesk_runner_') + 1));
    SET LOCAL ROLE idemdesk_owner;
    EXECUTE format('REVOKE ALL ON SCHEMA idemdesk FROM %I', v_runner);
    PERFORM idemdesk._adopt_runner(v_owner, v_runner);
    SET LOCAL ROLE NONE;
    IF NOT c_super THEN
        EXECUTE format('REVOKE idemdesk_owner, %I FROM %I', v_runner, session_user);
    END IF;
    RETURN v_runner;
END
$fn$;

-- The table of this quoted, qualified name; to_regclass() would need the right to use its schema. As names the parts
-- are cut to what a name may hold, and found by index; so the whole is compared, too.
CREATE FUNCTION idemdesk._relation_named(p_sql text) RETURNS oid
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_parts CONSTANT text[] := regexp_match(p_sql, '^"((?:[^"]|"")+)"\."((?:[^"]|"")+)"$');
BEGIN
    RETURN (
        SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = replace(c_parts[1], '""', '"')::name AND c.relname = replace(c_parts[2], '""', '"')::name
           AND format('"%s"."%s"', replace(n.nspname, '"', '""'), replace(c.relname, '"', '""')) = p_sql);
END
$fn$;

-- The trampoline for a table; raises where its owner changed or the runner is gone.
CREATE FUNCTION idemdesk._trampoline_of(p_relation oid) RETURNS text
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_name text := (SELECT r.trampoline FROM idemdesk.runner r JOIN pg_class c ON c.relowner = r.owner
                      JOIN pg_roles u ON u.oid = r.runner WHERE c.oid = p_relation);
BEGIN
    IF v_name IS NULL THEN
        RAISE EXCEPTION 'There is no role that runs the code of this table''s owner.' USING ERRCODE = 'ID005',
            HINT = 'Register the table again: what is missing is printed.';
    END IF;
    RETURN v_name;
END
$fn$;

-- The role that runs the code of the table's owner; NULL where there is none.
CREATE FUNCTION idemdesk._runner_of(p_relation oid) RETURNS name
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN (
        SELECT u.rolname FROM idemdesk.runner r JOIN pg_class c ON c.relowner = r.owner
          JOIN pg_roles u ON u.oid = r.runner
         WHERE c.oid = p_relation);
END
$fn$;

-- Does row security apply to the reader? Whether it hides a row from him is _sees_every_row()'s to say.
CREATE FUNCTION idemdesk._rows_hidden(p_relation oid, p_login name) RETURNS boolean
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN (
        SELECT coalesce(bool_or(c.relrowsecurity AND NOT r.rolsuper AND NOT r.rolbypassrls
                   AND (c.relforcerowsecurity OR NOT pg_has_role(r.oid, c.relowner, 'USAGE'))), false)
          FROM pg_class c CROSS JOIN pg_roles r WHERE c.oid = p_relation AND r.rolname = p_login);
END
$fn$;

-- Does the reader see every row, whatever row security says? Where it applies, only a policy that is "true" tells so, and
-- no other may take rows away beside it.
CREATE FUNCTION idemdesk._sees_every_row(p_relation oid, p_login name) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT NOT idemdesk._rows_hidden(p_relation, p_login) OR coalesce((
        SELECT bool_or(y.polpermissive AND x.every) AND bool_and(y.polpermissive OR x.every)
          FROM pg_policy y CROSS JOIN pg_roles r
         CROSS JOIN LATERAL (SELECT coalesce(pg_get_expr(y.polqual, y.polrelid) = 'true', false) AS every) x
         WHERE r.rolname = p_login AND y.polrelid = p_relation AND y.polcmd IN ('*', 'r')
           AND (y.polroles = '{0}' OR EXISTS (SELECT FROM unnest(y.polroles) o WHERE pg_has_role(r.oid, o, 'USAGE')))), false)
$fn$;

-- Does a body's text, in small letters, name a thing of this schema? Its name alone may mean any other, so that counts
-- where the body finds things of the schema without saying so; elsewhere "schema.name" must stand there. Whoever may
-- make something somewhere could else put it under a word that each body has. p_path is the target's, and p_settings
-- are the function's own.
CREATE FUNCTION idemdesk._names(p_body text, p_space text, p_name text, p_path text, p_settings text[]) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_name  CONSTANT text := regexp_replace(lower(p_name), '(\W)', '\\\1', 'g');
    c_space CONSTANT text := regexp_replace(lower(p_space), '(\W)', '\\\1', 'g');
BEGIN
    IF strpos(p_body, lower(p_name)) = 0 THEN
        RETURN false;
    END IF;
    -- A body that sets the path itself may find it anywhere.
    RETURN p_body ~ CASE WHEN strpos(p_body, 'search_path') > 0 OR EXISTS (
            SELECT FROM unnest(p_path || ARRAY(SELECT substr(s, length('search_path=') + 1) FROM unnest(p_settings) s
                                                WHERE starts_with(s, 'search_path='))) AS x (path)
             WHERE strpos(', ' || x.path || ',', ', ' || quote_ident(p_space) || ',') > 0)
        THEN '\m' || c_name || '\M' ELSE '\m' || c_space || '"?\s*[.]\s*"?' || c_name || '\M' END;
END
$fn$;

-- The types of a table's columns, and what those are made of: what domains stand on, elements, parts of composites, the
-- bounds of ranges. Whoever owns one of them may add code to it. Without those that PostgreSQL brought along.
CREATE FUNCTION idemdesk._column_types(p_relation oid) RETURNS SETOF oid
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $fn$
BEGIN
    RETURN QUERY
    WITH RECURSIVE type (oid) AS (
        SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = p_relation AND a.attnum > 0 AND NOT a.attisdropped
        UNION
        SELECT x.oid FROM type t JOIN pg_type y ON y.oid = t.oid CROSS JOIN LATERAL (
            SELECT y.typbasetype UNION ALL SELECT y.typelem
            UNION ALL SELECT a.atttypid FROM pg_attribute a
                       WHERE a.attrelid = y.typrelid AND a.attnum > 0 AND NOT a.attisdropped
            UNION ALL SELECT g.rngsubtype FROM pg_range g WHERE y.oid IN (g.rngtypid, g.rngmultitypid)) x (oid)
         WHERE y.oid >= 16384
    )
    SELECT t.oid FROM type t WHERE t.oid >= 16384;
END
$fn$;

-- What decides what a value of this type is and what is made of it: its parts and labels, its checks, and its casts with
-- their functions. A cast is found by its types, so whoever owns one of them may bring it later, for tables of others.
CREATE FUNCTION idemdesk._type_said(p_type oid) RETURNS jsonb
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN (
        SELECT jsonb_build_array(y.typnotnull, pg_get_userbyid(y.typowner), format_type(y.typbasetype, y.typtypmod),
                   format_type(y.typelem, NULL),
                   (SELECT jsonb_agg(pg_get_constraintdef(k.oid) ORDER BY k.conname) FROM pg_constraint k
                     WHERE k.contypid = y.oid AND k.contype <> 'n'),
                   (SELECT jsonb_agg(jsonb_build_array(a.attname, format_type(a.atttypid, a.atttypmod))
                            ORDER BY a.attnum)
                      FROM pg_attribute a WHERE a.attrelid = y.typrelid AND a.attnum > 0 AND NOT a.attisdropped),
                   (SELECT jsonb_agg(e.enumlabel ORDER BY e.enumsortorder)
                      FROM pg_enum e WHERE e.enumtypid = y.oid),
                   (SELECT jsonb_agg(jsonb_build_array(format_type(c.castsource, NULL), format_type(c.casttarget, NULL),
                               c.castcontext, c.castmethod, pg_get_userbyid(f.proowner),
                               CASE WHEN f.oid >= 16384 THEN pg_get_functiondef(f.oid) ELSE f.proname END)
                            ORDER BY format_type(c.castsource, NULL), format_type(c.casttarget, NULL))
                      FROM pg_cast c LEFT JOIN pg_proc f ON f.oid = c.castfunc
                     WHERE c.castsource IN (y.oid, y.typarray) OR c.casttarget IN (y.oid, y.typarray)))
          FROM pg_type y WHERE y.oid = p_type);
END
$fn$;

-- What code may call that was found while a table was registered: the functions and operators that a profile's
-- expressions name, what the table's defaults, constraints, indexes, policies and triggers depend on, and what the
-- bodies of those name in turn. A body's text is only searched for names, which rather finds too many of them.
-- (Compiling such a query takes the server seconds, running it milliseconds, here and below.)
CREATE FUNCTION idemdesk._reached(p_relation oid, p_beside oid[], p_functions oid[], p_operators oid[], p_types oid[],
    p_relations oid[], p_path text)
    RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $fn$
    WITH RECURSIVE family (oid) AS (
        SELECT p_relation
        UNION SELECT i.inhrelid FROM family f JOIN pg_inherits i ON i.inhparent = f.oid
    ), whole (oid) AS (
        SELECT f.oid FROM family f
        UNION SELECT unnest(p_beside)
        UNION SELECT i.inhrelid FROM whole w JOIN pg_inherits i ON i.inhparent = w.oid
    ), code (classid, objid) AS (
        SELECT 'pg_attrdef'::regclass, d.oid FROM pg_attrdef d JOIN whole f ON f.oid = d.adrelid
        UNION ALL SELECT 'pg_constraint'::regclass, k.oid FROM pg_constraint k JOIN whole f ON f.oid = k.conrelid
        UNION ALL SELECT 'pg_constraint'::regclass, k.oid FROM pg_constraint k
                   WHERE k.contypid IN (SELECT t FROM unnest(p_beside || p_relation) r, idemdesk._column_types(r) t)
        UNION ALL SELECT 'pg_type'::regclass, t FROM unnest(p_beside || p_relation) r, idemdesk._column_types(r) t
        -- Casts of what is read, here and where effects are looked for.
        UNION ALL SELECT 'pg_cast'::regclass, k.oid
                    FROM unnest(p_relations || p_beside || p_relation) r CROSS JOIN LATERAL idemdesk._column_types(r) t
                    JOIN pg_cast k ON t IN (k.castsource, k.casttarget)
        UNION ALL SELECT 'pg_policy'::regclass, y.oid FROM pg_policy y JOIN whole f ON f.oid = y.polrelid
        UNION ALL SELECT 'pg_trigger'::regclass, t.oid FROM pg_trigger t JOIN whole f ON f.oid = t.tgrelid WHERE NOT t.tgisinternal
        UNION ALL SELECT 'pg_class'::regclass, i.indexrelid FROM pg_index i JOIN whole f ON f.oid = i.indrelid
    ), made (oid, space, name, body, text, settings) AS ( -- by somebody, so that it can be changed
        SELECT p.oid, n.nspname::text, p.proname::text, lower(p.prosrc), l.lanname NOT IN ('internal', 'c'), p.proconfig
          FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
         WHERE n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'idemdesk')
    ), called (oid) AS (
        (SELECT f FROM unnest(p_functions) f
         UNION SELECT d.refobjid FROM code c JOIN pg_depend d ON d.classid = c.classid AND d.objid = c.objid
                WHERE d.refclassid = 'pg_proc'::regclass)
        UNION
        SELECT m.oid FROM called r JOIN made b ON b.oid = r.oid
          JOIN made m ON m.oid <> b.oid
           AND ((b.text AND strpos(b.body, lower(m.name)) > 0
                 AND idemdesk._names(b.body, m.space, m.name, p_path, b.settings))
                OR EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = b.oid
                              AND d.refclassid = 'pg_proc'::regclass AND d.refobjid = m.oid))
    ), thing (kind, space, name) AS (
        SELECT 'function', p.pronamespace, p.proname FROM called r JOIN pg_proc p ON p.oid = r.oid
        UNION SELECT 'operator', o.oprnamespace, o.oprname FROM pg_operator o WHERE o.oid = ANY (p_operators)
        UNION SELECT 'type', t.typnamespace, t.typname FROM pg_type t WHERE t.oid = ANY (p_types)
        -- The table itself is looked at as a whole.
        UNION SELECT 'relation', c.relnamespace, c.relname FROM pg_class c
               WHERE c.oid = ANY (p_relations) AND c.oid NOT IN (SELECT f.oid FROM family f)
    )
    SELECT coalesce(jsonb_agg(jsonb_build_array(t.kind, n.nspname, t.name) ORDER BY t.kind, n.nspname, t.name), '[]')
      FROM thing t JOIN pg_namespace n ON n.oid = t.space
     WHERE n.nspname !~ '^pg_temp'
       AND (n.nspname NOT IN ('pg_catalog', 'information_schema') OR t.kind NOT IN ('type', 'relation'))
$fn$;

-- These as they are now. A name stands for all that bear it in its schema or in the search path: another one of them
-- may fit the arguments better, so the built-in ones are looked at for that, too.
CREATE FUNCTION idemdesk._reached_parts(p_reached jsonb, p_path text) RETURNS TABLE (name text, said jsonb)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH thing AS (
        SELECT r ->> 0 AS kind, r ->> 1 AS space, r ->> 2 AS name FROM jsonb_array_elements(p_reached) r
    ), space AS (
        SELECT n.oid, n.nspname, strpos(', ' || p_path || ',', ', ' || quote_ident(n.nspname) || ',') > 0 AS in_path
          FROM pg_namespace n WHERE n.nspname !~ '^pg_'
    )
    SELECT format('the function %s%I', CASE t.space WHEN 'pg_catalog' THEN '' ELSE quote_ident(t.space) || '.' END, t.name),
           coalesce((SELECT jsonb_agg(jsonb_build_array(CASE p.prokind WHEN 'a' THEN to_jsonb(a)::text ELSE pg_get_functiondef(p.oid) END,
                                pg_get_userbyid(p.proowner)) ORDER BY s.nspname, pg_get_function_identity_arguments(p.oid))
                       FROM pg_proc p JOIN space s ON s.oid = p.pronamespace LEFT JOIN pg_aggregate a ON a.aggfnoid = p.oid
                      WHERE p.proname = t.name AND (s.nspname = t.space OR s.in_path)), '[]')
      FROM thing t WHERE t.kind = 'function'
    UNION ALL
    SELECT format('the operator %s%s', CASE t.space WHEN 'pg_catalog' THEN '' ELSE quote_ident(t.space) || '.' END, t.name),
           coalesce((SELECT jsonb_agg(jsonb_build_array(o.oprcode::text, s.nspname, format_type(o.oprleft, NULL), format_type(o.oprright, NULL),
                                pg_get_userbyid(o.oprowner)) ORDER BY s.nspname, format_type(o.oprleft, NULL), format_type(o.oprright, NULL))
                       FROM pg_operator o JOIN space s ON s.oid = o.oprnamespace
                      WHERE o.oprname = t.name AND (s.nspname = t.space OR s.in_path)), '[]')
      FROM thing t WHERE t.kind = 'operator'
    UNION ALL
    SELECT format('the type %I.%I', t.space, t.name),
           coalesce((SELECT idemdesk._type_said(y.oid)
                       FROM pg_type y JOIN space s ON s.oid = y.typnamespace WHERE y.typname = t.name AND s.nspname = t.space), '[]')
      FROM thing t WHERE t.kind = 'type'
    UNION ALL
    SELECT format('the table or view %I.%I', t.space, t.name),
           coalesce((SELECT to_jsonb(c.oid::bigint) FROM pg_class c JOIN space s ON s.oid = c.relnamespace
                      WHERE c.relname = t.name AND s.nspname = t.space), '[]')
      FROM thing t WHERE t.kind = 'relation'
    UNION ALL -- apart from its oid, which an adoption takes anew
    SELECT format('the definition of %I.%I', t.space, t.name),
           coalesce((SELECT jsonb_build_array(c.relkind, pg_get_userbyid(c.relowner), c.relrowsecurity, c.relforcerowsecurity,
                                CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END,
                                (SELECT jsonb_agg(jsonb_build_array(y.polname, y.polcmd, y.polpermissive,
                                    ARRAY(SELECT pg_get_userbyid(r) FROM unnest(y.polroles) r ORDER BY 1),
                                            pg_get_expr(y.polqual, y.polrelid)) ORDER BY y.polname)
                                   FROM pg_policy y WHERE y.polrelid = c.oid AND c.relrowsecurity))
                       FROM pg_class c JOIN space s ON s.oid = c.relnamespace WHERE c.relname = t.name
                           AND s.nspname = t.space), '[]')
      FROM thing t WHERE t.kind = 'relation'
    UNION ALL
    -- A column that takes the name of another one is another one.
    SELECT format('the column %I.%I.%I that is read', t.space, t.name, a.attname),
           jsonb_build_array(a.attnum, format_type(a.atttypid, a.atttypmod), a.attgenerated,
               (SELECT jsonb_build_array(l.collname, l.collisdeterministic)
                  FROM pg_collation l WHERE l.oid = a.attcollation))
      FROM thing t JOIN space s ON s.nspname = t.space JOIN pg_class c ON c.relnamespace = s.oid AND c.relname = t.name
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE t.kind = 'relation' AND c.relkind IN ('r', 'p', 'f')
    UNION ALL
    SELECT format('the type %s of %I.%I', format_type(y.oid, NULL), t.space, t.name), idemdesk._type_said(y.oid)
      FROM thing t JOIN space s ON s.nspname = t.space JOIN pg_class c ON c.relnamespace = s.oid AND c.relname = t.name
     CROSS JOIN LATERAL idemdesk._column_types(c.oid) y (oid)
     WHERE t.kind = 'relation' AND c.relkind IN ('r', 'p', 'f');
END
$fn$;

-- Does this run a function, an operator or a cast that PostgreSQL did not bring along?
CREATE FUNCTION idemdesk._needs_code(p_class oid, p_object oid) RETURNS boolean
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN EXISTS (SELECT FROM pg_depend d WHERE d.classid = p_class AND d.objid = p_object AND d.refobjid >= 16384
                      AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass,
                          'pg_opclass'::regclass));
END
$fn$;

-- What decides what a change of a table does, part by part: columns, the types that they are made of, keys from and to
-- it, triggers with their functions, rules, policies, its owner. A new plain partition of the same owner changes none of
-- it, unless it brings code of its own: a condition, a generated column, a default, an index or a key by somebody's
-- function.
CREATE FUNCTION idemdesk._table_parts(p_relation oid) RETURNS TABLE (name text, said jsonb)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH RECURSIVE family (oid, name, plain) AS (
        SELECT p_relation, '', false
        UNION
        SELECT c.oid, format(' of %s', c.oid::regclass), c.relispartition
          FROM family f
         CROSS JOIN LATERAL (SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = f.oid OFFSET 0) i
          JOIN pg_class c ON c.oid = i.inhrelid
    ), part (name, said) AS (
        SELECT 'the table', jsonb_build_array(c.relkind, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity,
                   pg_get_userbyid(c.relowner), pg_get_partkeydef(c.oid))
          FROM pg_class c WHERE c.oid = p_relation
        UNION ALL
        SELECT 'the table' || f.name, jsonb_build_array(pg_get_userbyid(c.relowner), c.relrowsecurity, c.relforcerowsecurity)
          FROM family f JOIN pg_class c ON c.oid = f.oid WHERE f.oid <> p_relation
           AND (NOT f.plain OR c.relrowsecurity OR c.relkind = 'f'
                OR c.relowner <> (SELECT o.relowner FROM pg_class o WHERE o.oid = p_relation))
        UNION ALL
        SELECT format('the column %s', a.attname), jsonb_build_array(a.attnum, format_type(a.atttypid, a.atttypmod),
                   a.attnotnull, a.attgenerated, a.attidentity,
                   (SELECT jsonb_build_array(l.collname, l.collisdeterministic)
                      FROM pg_collation l WHERE l.oid = a.attcollation),
                   pg_get_expr(d.adbin, d.adrelid),
                   (SELECT jsonb_agg(pg_get_constraintdef(k.oid) ORDER BY k.conname) FROM pg_constraint k
                     WHERE k.contypid = a.atttypid AND k.contype <> 'n'))
          FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
         WHERE a.attrelid = p_relation AND a.attnum > 0 AND NOT a.attisdropped
        UNION ALL
        SELECT format('the type %s of its columns', format_type(t.oid, NULL)), idemdesk._type_said(t.oid)
          FROM idemdesk._column_types(p_relation) t (oid)
        UNION ALL
        SELECT format('the column %s%s', a.attname, f.name), jsonb_build_array(a.attgenerated, x.said)
          FROM family f CROSS JOIN LATERAL (SELECT d.* FROM pg_attrdef d WHERE d.adrelid = f.oid OFFSET 0) d
          JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
         CROSS JOIN LATERAL (SELECT pg_get_expr(d.adbin, d.adrelid) AS said) x
         WHERE f.plain AND idemdesk._needs_code('pg_attrdef'::regclass, d.oid)
           AND NOT EXISTS (SELECT FROM pg_attribute w JOIN pg_attrdef v ON v.adrelid = w.attrelid AND v.adnum = w.attnum
                            WHERE w.attrelid = p_relation AND w.attname = a.attname
                              AND w.attgenerated = a.attgenerated AND pg_get_expr(v.adbin, v.adrelid) = x.said)
        UNION ALL
        SELECT 'the partition key' || f.name, jsonb_build_array(pg_get_partkeydef(f.oid))
          FROM family f JOIN pg_partitioned_table p ON p.partrelid = f.oid
         WHERE f.plain AND idemdesk._needs_code('pg_class'::regclass, f.oid)
        UNION ALL -- each expression once: what parts have by their whole is nothing new
        SELECT 'what its indexes compute', jsonb_agg(x.said ORDER BY x.said)
          FROM (SELECT DISTINCT jsonb_build_array(pg_get_expr(i.indexprs, i.indrelid), pg_get_expr(i.indpred, i.indrelid))
                  FROM family f
                 CROSS JOIN LATERAL (SELECT i.* FROM pg_index i WHERE i.indrelid = f.oid OFFSET 0) i
                 WHERE num_nulls(i.indexprs, i.indpred) < 2
                   AND idemdesk._needs_code('pg_class'::regclass, i.indexrelid)) x (said)
        HAVING count(*) > 0
        UNION ALL
        SELECT format('the constraint %s%s', k.conname, f.name), jsonb_build_array(k.contype, pg_get_constraintdef(k.oid))
          FROM family f CROSS JOIN LATERAL (SELECT k.* FROM pg_constraint k WHERE k.conrelid = f.oid OFFSET 0) k
         WHERE k.contype <> 'n' AND (f.oid = p_relation OR NOT f.plain
                OR (k.contype = 'c' AND k.coninhcount = 0 AND idemdesk._needs_code('pg_constraint'::regclass, k.oid)))
        UNION ALL
        SELECT format('the foreign key %s of %s', k.conname, k.conrelid::regclass), jsonb_build_array(pg_get_constraintdef(k.oid))
          FROM family f JOIN pg_constraint k ON k.confrelid = f.oid AND k.contype = 'f' AND k.conparentid = 0
        UNION ALL
        SELECT format('the trigger %s%s', t.tgname, f.name), jsonb_build_array(pg_get_triggerdef(t.oid), t.tgenabled,
                   pg_get_functiondef(t.tgfoid), pg_get_userbyid(p.proowner))
          FROM family f CROSS JOIN LATERAL (SELECT t.* FROM pg_trigger t WHERE t.tgrelid = f.oid OFFSET 0) t
          JOIN pg_proc p ON p.oid = t.tgfoid
         WHERE NOT t.tgisinternal AND (t.tgparentid = 0 OR t.tgenabled <> 'O')
        UNION ALL
        SELECT format('the rule %s%s', r.rulename, f.name), jsonb_build_array(pg_get_ruledef(r.oid), r.ev_enabled)
          FROM family f CROSS JOIN LATERAL (SELECT r.* FROM pg_rewrite r WHERE r.ev_class = f.oid OFFSET 0) r
        UNION ALL
        SELECT format('the policy %s%s', y.polname, f.name), jsonb_build_array(y.polcmd, y.polpermissive, ARRAY(SELECT pg_get_userbyid(r) FROM unnest(y.polroles) r ORDER BY 1),
                   pg_get_expr(y.polqual, y.polrelid), pg_get_expr(y.polwithcheck, y.polrelid))
          FROM family f CROSS JOIN LATERAL (SELECT y.* FROM pg_policy y WHERE y.polrelid = f.oid OFFSET 0) y
    )
    SELECT p.name, p.said FROM part p;
END
$fn$;

-- Does a unique index prove that the identity names one row?
CREATE FUNCTION idemdesk._identity_unique(p_relation oid, p_identity jsonb) RETURNS boolean
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN (
        SELECT EXISTS (
            SELECT FROM pg_index i
             WHERE i.indrelid = p_relation AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
               AND i.indexprs IS NULL
               AND (SELECT bool_and(a.attnotnull
                               AND p_identity @> jsonb_build_array(jsonb_build_object('name', a.attname)))
                      FROM unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (n, place)
                      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.n
                     WHERE k.place <= i.indnkeyatts)));
END
$fn$;

-- All of that, of its archive, too, and of what is reached from there and from the profile, each part with a digest.
-- Roles stand in it by their names, which a dump keeps.
-- Each batch asks for it twice, so it and its parts are planned once in a session: that takes longer than running them.
CREATE FUNCTION idemdesk._fingerprint(p idemdesk.target) RETURNS jsonb
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off SET plan_cache_mode = force_generic_plan
AS $fn$
DECLARE
    c_archive CONSTANT oid := CASE WHEN p.compiled -> 'history' ->> 'relation' IS NOT NULL
                                   THEN idemdesk._relation_named(p.compiled -> 'history' ->> 'relation') END;
    c_second  CONSTANT oid := idemdesk._second_of(p.compiled);
BEGIN
    RETURN (
        WITH part (name, said) AS (
            SELECT t.name, t.said FROM idemdesk._table_parts(p.relation) t
            UNION ALL
            SELECT t.name || ' of the archive', t.said
              FROM idemdesk._table_parts(c_archive) t WHERE c_archive IS NOT NULL
            UNION ALL
            SELECT t.name || ' of the second table', t.said
              FROM idemdesk._table_parts(c_second) t WHERE c_second IS NOT NULL
            UNION ALL -- named so that an adoption takes the oids anew
            SELECT 'the table or view that is ' || o.name, to_jsonb(o.relation::bigint)
              FROM (VALUES ('the archive', c_archive), ('the second table', c_second)) o (name, relation)
             WHERE o.relation IS NOT NULL
            UNION ALL
            SELECT 'the unique index of the identity', 'true' WHERE idemdesk._identity_unique(p.relation,
                p.compiled -> 'identity')
            UNION ALL
            SELECT r.name, r.said FROM idemdesk._reached_parts(p.reached, p.search_path) r
        )
        -- Two parts may have one name, as people choose names: none of them hides the other.
        SELECT coalesce(jsonb_object_agg(y.name, encode(sha256(convert_to(y.said, 'UTF8')), 'hex')), '{}')
          FROM (SELECT x.name, string_agg(x.said::text, E'\n' ORDER BY x.said::text COLLATE "C") AS said
                  FROM part x GROUP BY x.name) y);
END
$fn$;

-- The parts in which two fingerprints differ, in words, or NULL.
CREATE FUNCTION idemdesk._changed_parts(p_then jsonb, p_now jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN (
        SELECT string_agg(CASE WHEN b.key IS NULL THEN format('%s is new', n.key)
                               WHEN n.key IS NULL THEN format('%s is gone', b.key)
                               ELSE format('%s is another', n.key) END, ', ' ORDER BY coalesce(n.key, b.key))
          FROM jsonb_each_text(p_then) b FULL JOIN jsonb_each_text(p_now) n ON n.key = b.key
         WHERE b.value IS DISTINCT FROM n.value
           -- One more where effects are looked for was not read before, and is not now.
           AND NOT (b.key IS NULL AND n.key ~ '^the column .* that is read$'));
END
$fn$;

-- The first schema of a search path in which somebody else than the table's owner may create functions, which the
-- table's code would then find; NULL where there is none. Who owns a schema may always.
CREATE FUNCTION idemdesk._open_schema(p_relation oid, p_path text) RETURNS text
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN (
        SELECT format('%s may create functions in the schema %I',
                   CASE x.grantee WHEN 0 THEN 'Everybody' ELSE pg_get_userbyid(x.grantee) END, n.nspname)
          FROM pg_class c CROSS JOIN pg_namespace n
         CROSS JOIN LATERAL (SELECT a.grantee FROM aclexplode(n.nspacl) a WHERE a.privilege_type = 'CREATE'
                             UNION SELECT n.nspowner) x
          LEFT JOIN pg_roles r ON r.oid = x.grantee
         WHERE c.oid = p_relation AND strpos(', ' || p_path || ',', ', ' || quote_ident(n.nspname) || ',') > 0
           AND x.grantee <> c.relowner AND NOT coalesce(r.rolsuper OR r.rolname = 'pg_database_owner', false)
         ORDER BY n.nspname, x.grantee <> n.nspowner LIMIT 1);
END
$fn$;

-- The limits that hold for a table: those agreed on for it, for a table it is a part of, or for a part of it; also where
-- the console took the part out.
CREATE FUNCTION idemdesk.limits_over(p_relation oid) RETURNS SETOF idemdesk.target_limit
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN QUERY
        WITH RECURSIVE link (part, whole) AS (
            SELECT i.inhrelid, i.inhparent FROM pg_inherits i
            UNION ALL
            SELECT d.relation, a.relation FROM idemdesk.detached_partition d JOIN idemdesk.action a ON a.id = d.detached_by
        ), above (relation) AS (
            SELECT p_relation UNION SELECT l.whole FROM above x JOIN link l ON l.part = x.relation
        ), below (relation) AS (
            SELECT p_relation UNION SELECT l.part FROM below x JOIN link l ON l.whole = x.relation
        )
        SELECT t.* FROM idemdesk.target_limit t
         WHERE t.relation IN (SELECT a.relation FROM above a UNION ALL SELECT b.relation FROM below b);
END
$fn$;

-- Above how many rows another person must approve what is done to a table: the strictest of them. NULL: there is none.
CREATE FUNCTION idemdesk.limit_of(p_relation oid) RETURNS bigint
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN (SELECT min(l.approval_above) FROM idemdesk.limits_over(p_relation) l);
END
$fn$;

-- All that decides what an action on a target does; an approval is given for just that.
CREATE FUNCTION idemdesk._covers(p idemdesk.target) RETURNS bytea
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET intervalstyle = 'postgres'
AS $fn$
BEGIN
    RETURN (
        SELECT sha256(convert_to(jsonb_build_array(p.name, p.relation::bigint, p.profile, p.compiled, p.search_path,
            p.approval_above, p.undo_window, p.image_limit, p.fingerprint, p.reached)::text, 'UTF8')));
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.make_runner(text), idemdesk.limits_over(oid), idemdesk.limit_of(oid) TO idemdesk_viewer;
RESET ROLE;
