-- SPDX-License-Identifier: GPL-3.0-or-later
-- The health of the guard itself: whoever weakened it shows here, and while anything is red no action starts.
SET LOCAL ROLE idemdesk_owner;

-- Everything here whose change would change what the console promises, each as a whole: functions with their owner,
-- settings and rights, triggers with their conditions, tables with columns, constraints and indexes. Partitions come and
-- go; they are looked at one by one. In PL/pgSQL, here and below, because its plans are kept: each batch asks.
CREATE FUNCTION idemdesk._definitions() RETURNS TABLE (name text, digest bytea)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT x.name, sha256(convert_to(x.said, 'UTF8'))
      -- The long text not as JSON: to escape it takes longer than to make it.
      FROM (SELECT format('function %s', p.oid::regprocedure) AS name,
                   jsonb_build_array(pg_get_userbyid(p.proowner), p.proacl::text)::text || pg_get_functiondef(p.oid) AS said
              FROM pg_proc p WHERE p.pronamespace = 'idemdesk'::regnamespace AND p.prokind = 'f'
            UNION ALL
            SELECT format('trigger %s of %s', t.tgname, c.oid::regclass),
                   jsonb_build_array(pg_get_triggerdef(t.oid), t.tgenabled)::text
              FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
             WHERE c.relnamespace = 'idemdesk'::regnamespace AND NOT c.relispartition AND NOT t.tgisinternal
            UNION ALL
            SELECT format('table %s', c.oid::regclass), jsonb_build_array(c.relkind, c.relpersistence, c.relrowsecurity,
                       c.relforcerowsecurity, c.reloptions,
                       (SELECT jsonb_agg(jsonb_build_array(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                                   a.attgenerated,
                                   (SELECT jsonb_build_array(l.collname, l.collisdeterministic)
                                      FROM pg_collation l WHERE l.oid = a.attcollation),
                                   pg_get_expr(d.adbin, d.adrelid)) ORDER BY a.attname)
                          FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
                         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
                       (SELECT jsonb_agg(pg_get_constraintdef(k.oid) ORDER BY k.conname) FROM pg_constraint k
                         WHERE k.conrelid = c.oid AND k.contype <> 'n'),
                       (SELECT jsonb_agg(pg_get_indexdef(i.indexrelid) ORDER BY i.indexrelid::regclass::text)
                          FROM pg_index i WHERE i.indrelid = c.oid))::text
              FROM pg_class c
             WHERE c.relnamespace = 'idemdesk'::regnamespace AND c.relkind IN ('r', 'p', 'c') AND NOT c.relispartition
            UNION ALL
            SELECT 'list of versions that were installed', coalesce(jsonb_agg(jsonb_build_array(m.version, m.name,
                       m.applied_at AT TIME ZONE 'UTC', m.applied_by) ORDER BY m.version), '[]')::text
              FROM ONLY idemdesk.migration m
            UNION ALL
            SELECT format('view %s', c.oid::regclass), jsonb_build_array(pg_get_viewdef(c.oid), c.reloptions)::text
              FROM pg_class c WHERE c.relnamespace = 'idemdesk'::regnamespace AND c.relkind = 'v') x;
END
$fn$;

-- What is remembered of all that; whoever alters a function and what is remembered of it shows by the audit log.
CREATE FUNCTION idemdesk._definitions_sha() RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT encode(sha256(convert_to(coalesce(string_agg(d.name || encode(d.digest, 'hex'), E'\n' ORDER BY d.name COLLATE "C"), ''),
        'UTF8')), 'hex') FROM ONLY idemdesk.definition d
$fn$;

-- What belongs to the runner of this trampoline, and what this session has for itself, whoever made it: code that runs
-- with its owner's rights leaves things of that owner. A name in the person's next statement may mean one of them. A
-- user mapping belongs to whom it maps, but whoever has a foreign server makes it: it would stop others' tables.
CREATE FUNCTION idemdesk._owned(p_trampoline text) RETURNS text
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN (
        SELECT coalesce(string_agg(x.classid || ':' || x.objid, ' ' ORDER BY x.classid, x.objid), '')
          FROM (SELECT d.classid, d.objid FROM idemdesk.runner r
                  JOIN pg_shdepend d ON d.refclassid = 'pg_authid'::regclass AND d.refobjid = r.runner
                                    AND d.deptype = 'o' AND d.classid <> 'pg_user_mapping'::regclass
                 WHERE r.trampoline = p_trampoline
                   AND d.dbid = (SELECT b.oid FROM pg_database b WHERE b.datname = current_database())
                UNION
                SELECT d.classid, d.objid FROM pg_depend d
                 WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = pg_my_temp_schema()) x);
END
$fn$;

-- "idemdesk_runner_app owns large object 4711": what belongs to a runner beside its trampoline and what ends with the
-- session, or NULL. Only what is the runner's is looked up by name: a database has many other things.
CREATE FUNCTION idemdesk._runner_owns(p_trampoline text) RETURNS text
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_runner CONSTANT oid := (SELECT r.runner FROM idemdesk.runner r WHERE r.trampoline = p_trampoline);
BEGIN
    RETURN (
        WITH mine AS MATERIALIZED (
            SELECT d.classid, d.objid, d.objsubid FROM pg_shdepend d
             WHERE d.refclassid = 'pg_authid'::regclass AND d.refobjid = c_runner AND d.deptype = 'o'
               AND d.classid <> 'pg_user_mapping'::regclass
               AND d.dbid = (SELECT b.oid FROM pg_database b WHERE b.datname = current_database())
               AND NOT (d.classid = 'pg_proc'::regclass AND EXISTS (
                       SELECT FROM pg_proc p WHERE p.oid = d.objid AND p.pronamespace = 'idemdesk'::regnamespace
                          AND format('idemdesk.%I', p.proname) = p_trampoline))
        )
        SELECT format('%s owns %s', pg_get_userbyid(c_runner),
                   string_agg(pg_describe_object(m.classid, m.objid, m.objsubid), ', ' ORDER BY m.classid, m.objid))
          FROM mine m CROSS JOIN LATERAL pg_identify_object(m.classid, m.objid, m.objsubid) n
         WHERE NOT starts_with(split_part(n.identity, '.', 1), 'pg_temp')
           AND coalesce(n.schema !~ '^pg_(toast_)?temp', true)
        HAVING count(*) > 0);
END
$fn$;

-- What would let a runner reach more than the tables of its owner, or NULL: what it owns, or what it is a member of, for
-- whoever may give somebody's rights away may give them to it. It stops the tables of its owner, and nobody else's.
CREATE FUNCTION idemdesk._runner_excess(p_trampoline text) RETURNS TABLE (code text, finding text, remedy text)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT 'owner', format('%s, and whatever a table makes it run could change that. Tables of %s wait for it.',
               idemdesk._runner_owns(r.trampoline), pg_get_userbyid(r.owner)), 'Give it to another role.'
      FROM idemdesk.runner r WHERE r.trampoline = p_trampoline AND idemdesk._runner_owns(r.trampoline) IS NOT NULL
    UNION ALL
    SELECT 'member', format('%s is a member of %s, so a table''s code reaches more than its owner''s tables. Tables of %s wait for it.',
               pg_get_userbyid(m.member), pg_get_userbyid(m.roleid), pg_get_userbyid(r.owner)),
           format('REVOKE %I FROM %I', pg_get_userbyid(m.roleid), pg_get_userbyid(m.member))
      FROM idemdesk.runner r JOIN pg_auth_members m ON m.member = r.runner AND m.roleid <> r.owner
     WHERE r.trampoline = p_trampoline;
END
$fn$;

-- A runner owns its trampoline, so code that a target makes it run could alter that (and nothing else of the console).
-- The batch in which that happened is refused; so is one in which such code made something that stays the runner's.
CREATE FUNCTION idemdesk._require_trampoline(p_trampoline text) RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    IF NOT EXISTS (SELECT FROM idemdesk.runner r
                     JOIN pg_proc p ON p.proowner = r.runner AND p.pronamespace = 'idemdesk'::regnamespace
                     JOIN idemdesk.definition d ON d.name = format('function %s', p.oid::regprocedure)
                    WHERE r.trampoline = p_trampoline AND format('idemdesk.%I', p.proname) = p_trampoline
                      AND d.digest = sha256(convert_to(jsonb_build_array(pg_get_userbyid(p.proowner), p.proacl::text)::text
                              || pg_get_functiondef(p.oid), 'UTF8'))) THEN
        RAISE EXCEPTION 'Something the table made the server run has altered the function %; nothing was changed.', p_trampoline
            USING ERRCODE = 'ID004', HINT = 'Look at the table''s triggers and at the functions its profile uses.';
    END IF;
    PERFORM idemdesk._require_bare_runner(p_trampoline);
END
$fn$;

CREATE FUNCTION idemdesk._require_bare_runner(p_trampoline text) RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_first record;
BEGIN
    SELECT x.finding, x.remedy INTO v_first FROM idemdesk._runner_excess(p_trampoline) x LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '% Nothing was changed.', v_first.finding
            USING ERRCODE = 'ID004', HINT = format('Look at the table''s triggers, and at who did it. %s', v_first.remedy);
    END IF;
END
$fn$;

-- The same within the block of one row, which is then taken back alone: cheap where nothing came or went. p_owned is
-- _owned() before.
CREATE FUNCTION idemdesk._require_nothing_left(p_trampoline text, p_owned text) RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    IF idemdesk._owned(p_trampoline) IS DISTINCT FROM p_owned THEN
        PERFORM idemdesk._require_trampoline(p_trampoline);
        RAISE EXCEPTION 'Code of the table left something in this session; nothing was changed.'
            USING ERRCODE = 'ID013', HINT = 'Look at the table''s triggers and at the functions its profile uses.';
    END IF;
END
$fn$;

-- The owner of the console and the roles that run what tables make them run.
CREATE FUNCTION idemdesk._inner_roles() RETURNS TABLE (role oid)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT 'idemdesk_owner'::regrole::oid UNION ALL SELECT r.runner FROM idemdesk.runner r;
END
$fn$;

-- Who was given the owner's or a runner's role. Up to PostgreSQL 15 each member may act as the role. From 16 on a
-- grant says so itself, and a role's creator holds a grant of the bootstrap superuser that is good for ADMIN alone: its
-- REVOKE needs the name of its grantor.
CREATE FUNCTION idemdesk._memberships() RETURNS TABLE (role text, member text, acts boolean, admin boolean, remedy text)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT m.roleid::regrole::text, m.member::regrole::text,
           coalesce((o.options ->> 'inherit_option')::boolean, true)
               OR coalesce((o.options ->> 'set_option')::boolean, true),
           m.admin_option,
           format('REVOKE %s FROM %s', m.roleid::regrole, m.member::regrole)
               || CASE WHEN o.options ? 'set_option' THEN format(' GRANTED BY %s', m.grantor::regrole) ELSE '' END
      FROM pg_auth_members m CROSS JOIN LATERAL to_jsonb(m) AS o (options)
     WHERE m.roleid IN (SELECT i.role FROM idemdesk._inner_roles() i);
END
$fn$;

-- Who but a superuser may set session_replication_role. PostgreSQL 14 knows no such grants, nor the catalogue of them.
CREATE FUNCTION idemdesk._replication_role_setters() RETURNS TABLE (grantee text)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    IF to_regclass('pg_catalog.pg_parameter_acl') IS NOT NULL THEN
        RETURN QUERY EXECUTE $sql$
            SELECT CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(r.rolname) END
              FROM pg_parameter_acl p
             CROSS JOIN LATERAL aclexplode(p.paracl) x
              LEFT JOIN pg_roles r ON r.oid = x.grantee
             WHERE p.parname = 'session_replication_role' AND x.privilege_type = 'SET'
               AND (x.grantee = 0 OR NOT r.rolsuper)
        $sql$;
    END IF;
END
$fn$;

-- One row for each thing that is wrong. Red: no action can start. Amber: worth knowing; left out with p_red_only where
-- finding it takes long. No table of a target is locked: who holds one could otherwise stop the actions on all.
CREATE FUNCTION idemdesk.guard_findings(p_red_only boolean DEFAULT false) RETURNS TABLE (severity text, code text, finding text, remedy text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
    -- Compiling so wide a statement takes ten times as long as running it, and planning it as long; each batch asks.
    SET jit = off SET plan_cache_mode = force_generic_plan
AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH guarded (relation, trigger_name) AS (
        SELECT t.relation, n.trigger_name
          FROM unnest(ARRAY['audit', 'action_batch', 'action_item', 'quarantine', 'provider_word']) AS t (relation)
         CROSS JOIN unnest(ARRAY['keep_rows', 'keep_table']) AS n (trigger_name)
    ), relations AS (
        SELECT c.* FROM pg_class c WHERE c.relnamespace = 'idemdesk'::regnamespace
    ), expected_grant (relation, grantee, privilege) AS (
        SELECT t.relation, 'idemdesk_viewer', 'SELECT'
          FROM unnest(ARRAY['migration', 'installation', 'target', 'action', 'action_batch', 'audit', 'audit_head',
                            'shared_login', 'sample_seen', 'sample_run', 'event_seen', 'event_told',
                            'counter_told', 'backend_signal', 'conflict_seen', 'provider_word_seen', 'runner',
                            'cache_release_seen', 'cache_sample_run',
                            'target_limit', 'detached_partition']) AS t (relation)
    ), runners AS (
        SELECT r.owner, r.trampoline, u.* FROM idemdesk.runner r JOIN pg_roles u ON u.oid = r.runner
    )
    SELECT 'red', 'trigger', format('The trigger %s of idemdesk.%s is %s.', g.trigger_name, g.relation,
               CASE WHEN t.oid IS NULL THEN 'missing' ELSE 'not enabled ALWAYS' END),
           'Install the console schema again; then find out who changed it.'
      FROM guarded g
      LEFT JOIN relations c ON c.relname = g.relation
      LEFT JOIN pg_trigger t ON t.tgrelid = c.oid AND t.tgname = g.trigger_name
     WHERE t.oid IS NULL OR t.tgenabled <> 'A'
    UNION ALL
    SELECT 'red', 'trigger', format('Somebody added the trigger %s to idemdesk.%s.', t.tgname, c.relname),
           format('DROP TRIGGER %I ON idemdesk.%I', t.tgname, c.relname)
      FROM pg_trigger t JOIN relations c ON c.oid = t.tgrelid
     WHERE NOT t.tgisinternal AND t.tgname NOT IN ('keep_rows', 'keep_table')
    UNION ALL
    SELECT 'red', 'trigger', format('The trigger %s of idemdesk.%s is not enabled ALWAYS.', t.tgname, c.relname),
           format('ALTER TABLE idemdesk.%I ENABLE ALWAYS TRIGGER %I', c.relname, t.tgname)
      FROM pg_trigger t JOIN relations c ON c.oid = t.tgrelid
     WHERE t.tgname IN ('keep_rows', 'keep_table') AND c.relispartition AND t.tgenabled <> 'A'
    UNION ALL
    SELECT 'red', 'trigger', format('The trigger %s of idemdesk.%s is missing.', n.name, c.relname),
           'Find out who dropped it; what is in that part may have been changed.'
      FROM pg_inherits i JOIN relations c ON c.oid = i.inhrelid JOIN relations p ON p.oid = i.inhparent
     CROSS JOIN unnest(ARRAY['keep_rows', 'keep_table']) AS n (name)
     WHERE p.relname IN ('action_item', 'quarantine')
       AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = n.name)
    UNION ALL
    SELECT 'red', 'trigger', format('The trigger %s of idemdesk.%s does something else than it did.', t.tgname, c.relname),
           'Install the console schema again; then find out who changed it.'
      FROM pg_trigger t JOIN relations c ON c.oid = t.tgrelid
     WHERE t.tgname IN ('keep_rows', 'keep_table') AND c.relispartition
       AND (t.tgqual IS NOT NULL OR t.tgfoid <> 'idemdesk._refuse_change()'::regprocedure
            OR t.tgtype <> CASE t.tgname WHEN 'keep_rows' THEN 27 ELSE 34 END)
    UNION ALL
    SELECT 'red', split_part(coalesce(d.name, f.name), ' ', 1), format('The %s is not the one that was installed.', coalesce(d.name, f.name)),
           'Install the console schema again; then find out who changed it.'
      FROM idemdesk.definition d
      FULL JOIN idemdesk._definitions() f ON f.name = d.name
     WHERE d.digest IS DISTINCT FROM f.digest
    UNION ALL
    SELECT 'red', 'table', format('The condition %s of idemdesk.%s is not checked any more.', k.conname, c.relname),
           format('ALTER TABLE idemdesk.%I VALIDATE CONSTRAINT %I', c.relname, k.conname)
      FROM pg_constraint k JOIN relations c ON c.oid = k.conrelid WHERE NOT k.convalidated
    UNION ALL
    SELECT 'red', 'table', format('The part idemdesk.%s %s, as the whole does not.', c.relname, x.how), x.remedy
      FROM relations c CROSS JOIN LATERAL (
          SELECT 'is unlogged', format('ALTER TABLE idemdesk.%I SET LOGGED', c.relname) WHERE c.relpersistence <> 'p'
          UNION ALL
          SELECT 'hides rows', format('ALTER TABLE idemdesk.%I DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY',
                     c.relname) WHERE c.relrowsecurity OR c.relforcerowsecurity
          UNION ALL
          SELECT format('has the condition %s', k.conname), format('ALTER TABLE idemdesk.%I DROP CONSTRAINT %I',
                     c.relname, k.conname)
            FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.coninhcount = 0) x (how, remedy)
     WHERE c.relispartition AND c.relkind IN ('r', 'p')
    UNION ALL
    SELECT 'red', 'extra', format('Somebody put the %s into the schema idemdesk.', pg_describe_object(d.classid, d.objid, 0)),
           'Find out who did it, and drop it.'
      FROM pg_depend d
      LEFT JOIN pg_class c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
      LEFT JOIN pg_type y ON d.classid = 'pg_type'::regclass AND y.oid = d.objid
      LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
     WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = to_regnamespace('idemdesk')
       AND d.classid::regclass::text NOT IN ('pg_default_acl', 'pg_publication_namespace')
       AND CASE WHEN c.oid IS NOT NULL THEN c.relkind NOT IN ('r', 'p', 'v', 'i', 'I', 'c')
                WHEN y.oid IS NOT NULL THEN y.typtype <> 'c' OR y.typname <> 'item'
                WHEN p.oid IS NOT NULL THEN p.prokind <> 'f' ELSE true END
    UNION ALL
    SELECT 'red', 'grant', format('What %s makes%s later will be open to others: somebody changed its default privileges.',
               pg_get_userbyid(a.defaclrole), ' in ' || a.defaclnamespace::regnamespace),
           format('ALTER DEFAULT PRIVILEGES FOR ROLE %I%s REVOKE ALL ON %s FROM %s', pg_get_userbyid(a.defaclrole),
               ' IN SCHEMA ' || a.defaclnamespace::regnamespace, CASE a.defaclobjtype WHEN 'r' THEN 'TABLES' WHEN 'S' THEN 'SEQUENCES'
                   WHEN 'f' THEN 'FUNCTIONS' WHEN 'T' THEN 'TYPES' ELSE 'SCHEMAS' END,
               CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE x.grantee::regrole::text END)
      FROM pg_default_acl a CROSS JOIN LATERAL aclexplode(a.defaclacl) x
     WHERE a.defaclrole IN (SELECT i.role FROM idemdesk._inner_roles() i)
       AND x.grantee <> a.defaclrole
    UNION ALL
    SELECT 'amber', 'publication', format('The publication %s sends the console''s tables elsewhere, with values of rows.',
               p.pubname), 'Leave the schema idemdesk out of it, or see who may read there.'
      FROM pg_publication p
     WHERE p.puballtables
        OR EXISTS (SELECT FROM pg_publication_rel r JOIN relations c ON c.oid = r.prrelid WHERE r.prpubid = p.oid)
        OR EXISTS (SELECT FROM pg_depend n JOIN pg_depend o USING (classid, objid)
                    WHERE n.classid = to_regclass('pg_catalog.pg_publication_namespace') AND n.refclassid =
                              'pg_namespace'::regclass AND n.refobjid = to_regnamespace('idemdesk')
                      AND o.refclassid = 'pg_publication'::regclass AND o.refobjid = p.oid)
    UNION ALL
    SELECT 'amber', 'depends', format('%s stands on idemdesk.%s, which cannot go as long as it is there, though its time is past.',
               v.oid::regclass, c.relname), format('DROP VIEW %s', v.oid::regclass)
      FROM pg_depend d JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid
      JOIN pg_class v ON v.oid = w.ev_class JOIN relations c ON d.refclassid = 'pg_class'::regclass AND c.oid = d.refobjid
     WHERE v.relnamespace <> 'idemdesk'::regnamespace
     GROUP BY v.oid, c.relname
    UNION ALL
    SELECT 'amber', 'table', format('The replica identity of idemdesk.%s is not the one that was installed.', c.relname),
           format('ALTER TABLE idemdesk.%I REPLICA IDENTITY DEFAULT', c.relname)
      FROM relations c WHERE c.relkind IN ('r', 'p') AND c.relreplident <> 'd'
    UNION ALL
    SELECT 'red', 'rule', format('The rule %s rewrites statements on idemdesk.%s.', r.rulename, c.relname),
           format('DROP RULE %I ON idemdesk.%I', r.rulename, c.relname)
      FROM pg_rewrite r JOIN relations c ON c.oid = r.ev_class
     WHERE c.relkind IN ('r', 'p')
    UNION ALL
    SELECT 'red', 'inherits', format('The table %s inherits from idemdesk.%s.', i.inhrelid::regclass, c.relname),
           format('ALTER TABLE %s NO INHERIT idemdesk.%I', i.inhrelid::regclass, c.relname)
      FROM pg_inherits i JOIN relations c ON c.oid = i.inhparent
     WHERE c.relkind = 'r'
    UNION ALL
    SELECT 'red', 'inherits', format('idemdesk.%s inherits from the table %s, whose readers see its rows.', c.relname,
               i.inhparent::regclass), format('ALTER TABLE idemdesk.%I NO INHERIT %s', c.relname, i.inhparent::regclass)
      FROM pg_inherits i JOIN relations c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
     WHERE c.relkind IN ('r', 'p') AND p.relnamespace <> 'idemdesk'::regnamespace
    UNION ALL
    SELECT 'red', 'table', 'The audit table is not the one that was installed: a dump was restored, or it was renamed, replaced or dropped.',
           'Where a dump was restored: "idemdeskctl console adopt". Else compare it with an anchor, and find out who did it.'
     WHERE NOT idemdesk._at_home()
    UNION ALL
    SELECT 'red', 'owner', format('%s belongs to %s.', c.oid::regclass, pg_get_userbyid(c.relowner)),
           format('ALTER TABLE %s OWNER TO idemdesk_owner', c.oid::regclass)
      FROM relations c
     WHERE c.relkind IN ('r', 'p', 'v') AND c.relowner <> 'idemdesk_owner'::regrole
    UNION ALL
    SELECT 'red', 'owner', format('The schema idemdesk belongs to %s.', pg_get_userbyid(n.nspowner)),
           'ALTER SCHEMA idemdesk OWNER TO idemdesk_owner'
      FROM pg_namespace n WHERE n.nspname = 'idemdesk' AND n.nspowner <> 'idemdesk_owner'::regrole
    UNION ALL
    SELECT 'red', 'owner', format('%s belongs to idemdesk_owner, so whoever calls it may act as the console.',
               p.oid::regprocedure), format('DROP ROUTINE %s', p.oid::regprocedure)
      FROM pg_proc p
     WHERE p.proowner = 'idemdesk_owner'::regrole AND p.pronamespace <> 'idemdesk'::regnamespace
       AND (SELECT n.nspname FROM pg_namespace n WHERE n.oid = p.pronamespace) !~ '^pg_temp'
    UNION ALL
    SELECT 'red', 'grant', format('%s may %s idemdesk.%s.', a.grantee_name, a.privilege_type, c.relname),
           format('REVOKE %s ON idemdesk.%I FROM %s', a.privilege_type, c.relname, a.grantee_name)
      FROM relations c
     CROSS JOIN LATERAL (SELECT x.privilege_type, x.grantee,
                                CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(x.grantee)) END AS grantee_name
                           FROM aclexplode(c.relacl) x) a
     WHERE c.relkind IN ('r', 'p', 'v', 'm') AND a.grantee <> c.relowner
       AND NOT EXISTS (SELECT FROM expected_grant e WHERE e.relation = c.relname
                          AND e.grantee = pg_get_userbyid(a.grantee) AND e.privilege = a.privilege_type)
    UNION ALL
    SELECT 'red', 'grant', format('Columns of idemdesk.%s were granted one by one.', c.relname),
           format('REVOKE ALL (%I) ON idemdesk.%I FROM the role that has it', t.attname, c.relname)
      FROM relations c JOIN pg_attribute t ON t.attrelid = c.oid AND t.attacl IS NOT NULL
    UNION ALL
    SELECT 'red', 'grant', format('%s may execute %s.', CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(x.grantee) END,
               p.oid::regprocedure),
           format('REVOKE EXECUTE ON FUNCTION %s FROM %s', p.oid::regprocedure,
               CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(x.grantee)) END)
      FROM pg_proc p
     CROSS JOIN LATERAL aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x
     WHERE p.pronamespace = 'idemdesk'::regnamespace AND x.grantee <> p.proowner
       AND (x.grantee = 0
            OR pg_get_userbyid(x.grantee) NOT IN ('idemdesk_owner', 'idemdesk_viewer', 'idemdesk_operator',
                'idemdesk_approver', 'idemdesk_admin', 'idemdesk_reporter')
            OR (starts_with(p.proname::text, '_') AND pg_get_userbyid(x.grantee) <> 'idemdesk_owner'))
    UNION ALL
    SELECT 'red', 'grant', format('%s may create things in the schema idemdesk.',
               CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(x.grantee) END),
           'REVOKE CREATE ON SCHEMA idemdesk FROM that role'
      FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) x
     WHERE n.nspname = 'idemdesk' AND x.privilege_type = 'CREATE' AND x.grantee <> n.nspowner
    UNION ALL
    SELECT CASE WHEN e.kept AND e.extension IS NOT NULL THEN 'amber' ELSE 'red' END, 'event_trigger',
           CASE WHEN e.kept AND e.extension IS NOT NULL
                THEN format('The event trigger %I of the extension %I runs %s as the console.', e.name, e.extension,
                    e.function)
                ELSE format('The event trigger %I runs %s as the console wherever that makes or drops something.',
                    e.name, e.function) END,
           CASE WHEN e.kept THEN '' ELSE
               format('ALTER FUNCTION %s OWNER TO %I; ALTER EVENT TRIGGER %I OWNER TO %2$I; ', e.function,
                    (SELECT r.rolname FROM pg_roles r WHERE r.rolsuper ORDER BY r.oid LIMIT 1), e.name) END
               || format('COMMENT ON EVENT TRIGGER %I IS ''vouched for: idemdesk''', e.name)
               || CASE WHEN e.extension IS NULL THEN format('; or ALTER EVENT TRIGGER %I DISABLE', e.name) ELSE '' END
      FROM idemdesk._event_triggers() e WHERE NOT e.vouched
    UNION ALL
    SELECT DISTINCT 'amber', 'extension',
        format('The profile of "%s" calls %I.%I of the extension %I, which an update of that could change.',
               t.name, n.nspname, p.proname, x.extname), NULL
      FROM idemdesk.target t
     CROSS JOIN LATERAL jsonb_array_elements(t.reached) r
      JOIN pg_namespace n ON n.nspname = r ->> 1
      JOIN pg_proc p ON p.pronamespace = n.oid AND p.proname = r ->> 2
      JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
      JOIN pg_extension x ON x.oid = d.refobjid
     WHERE r ->> 0 = 'function'
    UNION ALL
    SELECT 'red', 'member', format('%s is a member of %s.', m.member, m.role), m.remedy
      FROM idemdesk._memberships() m WHERE m.acts
    UNION ALL
    SELECT 'amber', 'member',
           format('%s may make itself a member of %s and change the audit log; only an anchor would show it.', m.member,
               string_agg(m.role, ' and ' ORDER BY m.role)),
           'Run no actions with that login, and let nobody use it day by day.'
      FROM idemdesk._memberships() m WHERE m.admin AND NOT m.acts GROUP BY m.member
    UNION ALL -- before 16 without a word from anybody; since then only where it was given ADMIN, which stands above
    SELECT 'amber', 'member',
           format('%s may create roles, so it may make itself the owner of the console and change the audit log; only an anchor would show it.',
               r.rolname),
           'Run no actions with that login, and let nobody use it day by day.'
      FROM pg_roles r
     WHERE current_setting('server_version_num')::integer < 160000 AND r.rolcreaterole AND r.rolcanlogin
       AND NOT r.rolsuper
    UNION ALL
    SELECT 'amber', 'member', format('Whoever is in %s is in %s, too.', m.member::regrole, m.roleid::regrole),
           format('REVOKE %s FROM %s', m.roleid::regrole, m.member::regrole)
      FROM pg_auth_members m
     WHERE m.roleid::regrole::text IN ('idemdesk_operator', 'idemdesk_approver', 'idemdesk_admin')
       AND m.member::regrole::text IN ('idemdesk_viewer', 'idemdesk_operator', 'idemdesk_approver', 'idemdesk_admin',
           'idemdesk_reporter')
    UNION ALL
    SELECT 'red', 'login', format('The login %s may look, but not act: %s.', session_user, p.power),
           'Connect with a login that has no such power.'
      FROM pg_roles r CROSS JOIN LATERAL (SELECT idemdesk._excess_power(r.oid) AS power) p
     WHERE r.rolname = session_user AND NOT r.rolsuper AND p.power IS NOT NULL
    UNION ALL
    SELECT 'red', 'login', format('This session logged in as %s and calls itself %s.', pg_get_userbyid(a.usesysid), session_user),
           'Connect with a login of your own.'
      FROM pg_stat_get_activity(pg_backend_pid()) a WHERE pg_get_userbyid(a.usesysid) <> session_user
    UNION ALL
    SELECT 'red', 'role', format('%s %s.', r.rolname,
               CASE WHEN r.rolcanlogin THEN 'can log in' WHEN r.rolsuper THEN 'is a superuser'
                    WHEN r.rolcreaterole THEN 'may create roles' WHEN r.rolbypassrls THEN 'passes by row security'
                    ELSE 'may replicate' END),
           format('ALTER ROLE %I NOLOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS', r.rolname)
      FROM pg_roles r
     WHERE r.oid IN (SELECT i.role FROM idemdesk._inner_roles() i)
       AND (r.rolcanlogin OR r.rolsuper OR r.rolcreaterole OR r.rolreplication OR r.rolbypassrls)
    UNION ALL
    SELECT 'red', 'role', format('The role of %s for tables of %s is gone.', r.trampoline, pg_get_userbyid(r.owner)),
           'Make it anew: register one of the tables again and run what is printed.'
      FROM idemdesk.runner r WHERE NOT EXISTS (SELECT FROM pg_roles u WHERE u.oid = r.runner)
    UNION ALL
    SELECT 'red', x.code, x.finding, x.remedy FROM idemdesk.runner r CROSS JOIN LATERAL idemdesk._runner_excess(r.trampoline) x
    UNION ALL
    SELECT 'amber', 'owner', format('Somebody mapped %s to a user of the foreign server %s.', m.usename, m.srvname),
           format('DROP USER MAPPING FOR %I SERVER %I', m.usename, m.srvname)
      FROM pg_user_mappings m WHERE m.umuser IN (SELECT i.role FROM idemdesk._inner_roles() i)
    UNION ALL
    SELECT 'amber', 'member', format('%s is a member of %s: what a table makes it run has all rights of its owner.',
               r.rolname, m.roleid::regrole),
           'It needs that to detach partitions, and for nothing else.'
      FROM runners r JOIN pg_auth_members m ON m.member = r.oid AND m.roleid = r.owner
    UNION ALL
    SELECT 'red', 'grant', format('%s may use the schema idemdesk.', r.rolname),
           format('REVOKE ALL ON SCHEMA idemdesk FROM %I', r.rolname)
      FROM runners r WHERE has_schema_privilege(r.oid, 'idemdesk', 'USAGE, CREATE')
    UNION ALL
    SELECT 'amber', 'write', format('%s may change rows of %s past the console, which nobody would see in its audit log.',
               l.rolname, string_agg(DISTINCT t.relation::regclass::text, ', ' ORDER BY t.relation::regclass::text)),
           'Take the rights away, or the memberships that give them. Whoever owns the table keeps them.'
      FROM pg_roles l
      JOIN (SELECT DISTINCT t.relation, x.grantee
              FROM idemdesk.target t
             CROSS JOIN LATERAL (
                 WITH RECURSIVE family (oid) AS (
                     SELECT t.relation UNION SELECT i.inhrelid FROM family f JOIN pg_inherits i ON i.inhparent = f.oid)
                 SELECT f.oid FROM family f) r (oid)
              JOIN pg_class c ON c.oid = r.oid
             CROSS JOIN LATERAL (
                 SELECT e.grantee FROM aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) e
                  WHERE e.privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')
                 UNION
                 SELECT e.grantee FROM pg_attribute a CROSS JOIN LATERAL aclexplode(a.attacl) e
                  WHERE a.attrelid = c.oid AND e.privilege_type IN ('INSERT', 'UPDATE')
                 UNION
                 SELECT c.relowner) x) t
        ON t.grantee = 0 OR pg_has_role(l.oid, t.grantee, 'MEMBER')
     WHERE NOT p_red_only AND l.rolcanlogin AND NOT l.rolsuper
       AND (pg_has_role(l.oid, 'idemdesk_operator', 'MEMBER') OR pg_has_role(l.oid, 'idemdesk_approver', 'MEMBER'))
     GROUP BY l.rolname
    UNION ALL
    SELECT 'red', 'parameter', format('%s may set session_replication_role, which switches triggers off.', p.grantee),
           format('REVOKE SET ON PARAMETER session_replication_role FROM %s', p.grantee)
      FROM idemdesk._replication_role_setters() p
    UNION ALL
    SELECT 'red', 'member', format('%s may write every table through pg_write_all_data.', m.member::regrole),
           format('REVOKE pg_write_all_data FROM %s', m.member::regrole)
      FROM pg_auth_members m WHERE m.roleid = 'pg_write_all_data'::regrole
    UNION ALL
    SELECT 'amber', 'overdue', format('Purged rows are past their time since %s and still there%s.', min(q.starts) + 1,
               coalesce(', held by ' || max(u.holders), '')),
           CASE WHEN max(u.holders) IS NULL THEN 'Let a sampler run idemdesk.maintain(), or keep the console open.'
                ELSE 'End that session or transaction, or ask its owner to.' END
      FROM (SELECT i.inhrelid, i.inhparent, (regexp_match(pg_get_expr(c.relpartbound, c.oid),
                       $re$FROM \('([0-9-]{10})'$re$))[1]::date AS starts
              FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
             WHERE i.inhparent = to_regclass('idemdesk.quarantine')) q
     CROSS JOIN LATERAL idemdesk._users_of(ARRAY[q.inhparent, q.inhrelid]) AS u (holders)
     -- Where nobody is in the way the next maintain() takes them.
     WHERE q.starts < current_date AND (u.holders IS NOT NULL OR q.starts < current_date - 2)
    HAVING count(*) > 0
    UNION ALL
    SELECT 'red', 'superuser', format('The login %s is a superuser: for it none of these rules holds.', session_user),
           'Connect with a login that is no superuser.'
      FROM pg_roles r WHERE r.rolname = session_user AND r.rolsuper
    UNION ALL
    SELECT 'amber', 'superuser', format('%s superusers may log in; each could change the audit log, and only an anchor would show it.',
               count(*)), NULL
      FROM pg_roles r WHERE r.rolsuper AND r.rolcanlogin HAVING count(*) > 1;
END
$fn$;

CREATE FUNCTION idemdesk._require_guard() RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_first text;
    v_count bigint;
BEGIN
    -- What a runner has too much concerns the tables of its owner; their actions ask for that themselves.
    SELECT min(g.finding), count(*) INTO v_first, v_count FROM idemdesk.guard_findings(true) g
     WHERE g.severity = 'red'
       AND (g.code, g.finding) NOT IN (SELECT x.code, x.finding FROM idemdesk.runner r
                                        CROSS JOIN LATERAL idemdesk._runner_excess(r.trampoline) x);
    IF v_count > 0 THEN
        RAISE EXCEPTION 'The guard is not whole: %', v_first USING ERRCODE = 'ID004',
            DETAIL = format('%s findings are red.', v_count), HINT = 'See "console status". No action can start until it is mended.';
    END IF;
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.guard_findings(boolean) TO idemdesk_viewer;
RESET ROLE;
