-- SPDX-License-Identifier: GPL-3.0-or-later
-- The health of the guard itself: whoever weakened it shows here, and while anything is red no action starts.
SET LOCAL ROLE idemdesk_owner;

CREATE FUNCTION idemdesk._function_digests() RETURNS TABLE (name text, digest bytea)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT p.oid::regprocedure::text,
           sha256(convert_to(jsonb_build_array(p.prosrc, p.prosecdef, p.proconfig, l.lanname, p.provolatile,
               pg_get_userbyid(p.proowner), p.proacl::text)::text, 'UTF8'))
      FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
     WHERE p.pronamespace = 'idemdesk'::regnamespace
$fn$;

-- idemdesk_runner owns its functions, so code that a target or a profile makes it run could alter them (not the trail).
-- The batch in which that happened is refused.
CREATE FUNCTION idemdesk._require_functions() RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    IF EXISTS (SELECT FROM idemdesk.function_digest d FULL JOIN idemdesk._function_digests() f ON f.name = d.name
                WHERE d.digest IS DISTINCT FROM f.digest) THEN
        RAISE EXCEPTION 'Something the target made the server run has altered the console''s functions; nothing was changed.'
            USING ERRCODE = 'ID004', HINT = 'Look at the target''s triggers and at the functions its profile uses.';
    END IF;
END
$fn$;

-- Who was given the owner's or the runner's role. Up to PostgreSQL 15 each member may act as the role. From 16 on a
-- grant says so itself, and a role's creator holds a grant of the bootstrap superuser that is good for ADMIN alone: its
-- REVOKE needs the name of its grantor.
CREATE FUNCTION idemdesk._memberships() RETURNS TABLE (role text, member text, acts boolean, admin boolean, remedy text)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT m.roleid::regrole::text, m.member::regrole::text,
           coalesce((o.options ->> 'inherit_option')::boolean, true)
               OR coalesce((o.options ->> 'set_option')::boolean, true),
           m.admin_option,
           format('REVOKE %s FROM %s', m.roleid::regrole, m.member::regrole)
               || CASE WHEN o.options ? 'set_option' THEN format(' GRANTED BY %s', m.grantor::regrole) ELSE '' END
      FROM pg_auth_members m CROSS JOIN LATERAL to_jsonb(m) AS o (options)
     WHERE m.roleid IN ('idemdesk_owner'::regrole, 'idemdesk_runner'::regrole)
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

-- One row for each thing that is wrong. Red: no action can start. Amber: worth knowing.
CREATE FUNCTION idemdesk.guard_findings() RETURNS TABLE (severity text, code text, finding text, remedy text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
    WITH guarded (relation, trigger_name) AS (
        SELECT t.relation, n.trigger_name
          FROM unnest(ARRAY['audit', 'action_batch', 'action_item', 'quarantine']) AS t (relation)
         CROSS JOIN unnest(ARRAY['keep_rows', 'keep_table']) AS n (trigger_name)
    ), relations AS (
        SELECT c.* FROM pg_class c WHERE c.relnamespace = 'idemdesk'::regnamespace
    ), expected_grant (relation, grantee, privilege) AS (
        SELECT t.relation, 'idemdesk_viewer', 'SELECT'
          FROM unnest(ARRAY['migration', 'installation', 'target', 'action', 'action_batch', 'audit', 'audit_head',
                            'shared_login', 'sample', 'sample_run', 'event', 'backend_signal', 'conflict']) AS t (relation)
        UNION ALL VALUES ('target', 'idemdesk_runner', 'SELECT'), ('action', 'idemdesk_runner', 'SELECT'),
            ('detached_partition', 'idemdesk_runner', 'SELECT'), ('detached_partition', 'idemdesk_viewer', 'SELECT')
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
    SELECT 'red', 'function', format('The function %s is not the one that was installed.', coalesce(d.name, f.name)),
           'Install the console schema again; then find out who changed it.'
      FROM idemdesk.function_digest d
      FULL JOIN idemdesk._function_digests() f ON f.name = d.name
     WHERE d.digest IS DISTINCT FROM f.digest
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
    SELECT 'red', 'table', 'The audit table is not the one that was installed: it was renamed, replaced or dropped.',
           'Compare it with an anchor, restore it from a backup, and find out who did it.'
      FROM idemdesk.installation i
     WHERE to_regclass('idemdesk.audit') IS NULL OR i.audit_oid <> to_regclass('idemdesk.audit')::oid
    UNION ALL
    SELECT 'red', 'owner', format('%s belongs to %s.', c.oid::regclass, pg_get_userbyid(c.relowner)),
           format('ALTER TABLE %s OWNER TO idemdesk_owner', c.oid::regclass)
      FROM relations c
     WHERE c.relkind IN ('r', 'p') AND c.relowner <> 'idemdesk_owner'::regrole
    UNION ALL
    SELECT 'red', 'owner', format('The schema idemdesk belongs to %s.', pg_get_userbyid(n.nspowner)),
           'ALTER SCHEMA idemdesk OWNER TO idemdesk_owner'
      FROM pg_namespace n WHERE n.nspname = 'idemdesk' AND n.nspowner <> 'idemdesk_owner'::regrole
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
       AND (x.grantee = 0 OR pg_get_userbyid(x.grantee) NOT IN ('idemdesk_runner', 'idemdesk_owner', 'idemdesk_viewer',
                'idemdesk_operator', 'idemdesk_approver', 'idemdesk_admin', 'idemdesk_reporter')
            OR (starts_with(p.proname::text, '_') AND pg_get_userbyid(x.grantee) NOT IN ('idemdesk_runner', 'idemdesk_owner')))
    UNION ALL
    SELECT 'red', 'grant', format('%s may create things in the schema idemdesk.',
               CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(x.grantee) END),
           'REVOKE CREATE ON SCHEMA idemdesk FROM that role'
      FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) x
     WHERE n.nspname = 'idemdesk' AND x.privilege_type = 'CREATE' AND x.grantee <> n.nspowner
    UNION ALL
    SELECT 'red', 'member', format('%s is a member of %s.', m.member, m.role), m.remedy
      FROM idemdesk._memberships() m WHERE m.acts
    UNION ALL
    SELECT 'amber', 'member',
           format('%s may make itself a member of %s and change the trail; only an anchor would show it.', m.member,
               string_agg(m.role, ' and ' ORDER BY m.role)),
           'Run no actions with that login, and let nobody use it day by day.'
      FROM idemdesk._memberships() m WHERE m.admin AND NOT m.acts GROUP BY m.member
    UNION ALL
    SELECT 'red', 'login',
           format('The login %s is, or could make itself, a member of %s; it may look, but not act.', session_user,
               string_agg(r.rolname, ' and ' ORDER BY r.rolname)),
           'Connect with a login that is no member of either.'
      FROM pg_roles r
     WHERE r.rolname IN ('idemdesk_owner', 'idemdesk_runner') AND pg_has_role(session_user, r.oid, 'MEMBER')
       AND NOT (SELECT s.rolsuper FROM pg_roles s WHERE s.rolname = session_user)
    HAVING count(*) > 0
    UNION ALL
    SELECT 'red', 'role', format('%s %s.', r.rolname,
               CASE WHEN r.rolcanlogin THEN 'can log in' WHEN r.rolsuper THEN 'is a superuser'
                    WHEN r.rolcreaterole THEN 'may create roles' ELSE 'may replicate' END),
           format('ALTER ROLE %I NOLOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION', r.rolname)
      FROM pg_roles r
     WHERE r.rolname IN ('idemdesk_owner', 'idemdesk_runner')
       AND (r.rolcanlogin OR r.rolsuper OR r.rolcreaterole OR r.rolreplication)
    UNION ALL
    SELECT 'red', 'owner', format('idemdesk_runner owns %s, so it could change it unseen.', c.oid::regclass),
           format('ALTER TABLE %s OWNER TO another role', c.oid::regclass)
      FROM pg_class c
     WHERE c.relowner = 'idemdesk_runner'::regrole AND c.relkind IN ('r', 'p') AND c.relnamespace = 'idemdesk'::regnamespace
    UNION ALL
    SELECT 'red', 'parameter', format('%s may set session_replication_role, which switches triggers off.', p.grantee),
           format('REVOKE SET ON PARAMETER session_replication_role FROM %s', p.grantee)
      FROM idemdesk._replication_role_setters() p
    UNION ALL
    SELECT 'red', 'member', format('%s may write every table through pg_write_all_data.', m.member::regrole),
           format('REVOKE pg_write_all_data FROM %s', m.member::regrole)
      FROM pg_auth_members m WHERE m.roleid = 'pg_write_all_data'::regrole
    UNION ALL
    SELECT 'red', 'superuser', format('The login %s is a superuser: for it none of these rules holds.', session_user),
           'Connect with a login that is no superuser.'
      FROM pg_roles r WHERE r.rolname = session_user AND r.rolsuper
    UNION ALL
    SELECT 'amber', 'superuser', format('%s superusers may log in; each could change the trail, and only an anchor would show it.',
               count(*)), NULL
      FROM pg_roles r WHERE r.rolsuper AND r.rolcanlogin HAVING count(*) > 1
$fn$;

CREATE FUNCTION idemdesk._require_guard() RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_first text;
    v_count bigint;
BEGIN
    SELECT min(g.finding), count(*) INTO v_first, v_count FROM idemdesk.guard_findings() g WHERE g.severity = 'red';
    IF v_count > 0 THEN
        RAISE EXCEPTION 'The guard is not whole: %', v_first USING ERRCODE = 'ID004',
            DETAIL = format('%s findings are red.', v_count), HINT = 'See "console status". No action can start until it is mended.';
    END IF;
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.guard_findings() TO idemdesk_viewer, idemdesk_runner;
GRANT EXECUTE ON FUNCTION idemdesk._require_guard() TO idemdesk_runner;
RESET ROLE;
