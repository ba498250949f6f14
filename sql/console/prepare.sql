-- SPDX-License-Identifier: GPL-3.0-or-later
-- Before the migrations: the roles, which belong to the cluster, and the right to create what they own.
-- Run by a superuser, or by a role with CREATEROLE that may create schemas in this database.
DO $body$
DECLARE
    v_name text;
BEGIN
    -- Its code would run as the owner of all that is made here; as in idemdesk._event_triggers().
    SELECT min(e.evtname::pg_catalog.text) INTO v_name
      FROM pg_catalog.pg_event_trigger e
      JOIN pg_catalog.pg_proc p ON p.oid = e.evtfoid
      JOIN pg_catalog.pg_roles o ON o.oid = e.evtowner
      JOIN pg_catalog.pg_roles f ON f.oid = p.proowner
     WHERE e.evtenabled <> 'D'
       AND NOT (o.rolsuper AND f.rolsuper
                AND (pg_catalog.obj_description(e.oid, 'pg_event_trigger') IS NOT DISTINCT FROM 'vouched for: idemdesk'
                     OR EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.objid = e.oid AND d.deptype = 'e'
                                   AND d.classid = 'pg_catalog.pg_event_trigger'::pg_catalog.regclass)));
    IF v_name IS NOT NULL THEN
        RAISE EXCEPTION 'The event trigger % would run its code as the owner of the console.',
            pg_catalog.quote_ident(v_name)
            USING ERRCODE = 'ID004', HINT =
                pg_catalog.format('Switch it off; or, where superusers own it and its function and you '
                'know what it does: COMMENT ON EVENT TRIGGER %I IS ''vouched for: idemdesk''', v_name);
    END IF;
    FOREACH v_name IN ARRAY ARRAY['idemdesk_owner', 'idemdesk_viewer', 'idemdesk_operator',
                                  'idemdesk_approver', 'idemdesk_admin', 'idemdesk_reporter']
    LOOP
        IF pg_catalog.to_regrole(v_name) IS NULL THEN
            EXECUTE pg_catalog.format('CREATE ROLE %I NOLOGIN', v_name);
        END IF;
    END LOOP;
    -- Whoever may act or approve may also look.
    GRANT idemdesk_viewer TO idemdesk_operator, idemdesk_approver, idemdesk_admin;
    IF NOT (SELECT r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname = CURRENT_USER) THEN
        EXECUTE pg_catalog.format('GRANT idemdesk_owner TO %I', CURRENT_USER);
    END IF;
    IF pg_catalog.to_regnamespace('idemdesk') IS NULL THEN
        CREATE SCHEMA idemdesk AUTHORIZATION idemdesk_owner;
    END IF;
    -- To say since when somebody holds what others wait for; without it only who does is said.
    BEGIN
        GRANT pg_read_all_stats TO idemdesk_owner;
    EXCEPTION WHEN insufficient_privilege THEN
        NULL;
    END;
    -- Where transactions can be prepared, the console's own are kept from it by a temporary table.
    IF NOT pg_catalog.has_database_privilege('idemdesk_owner', pg_catalog.current_database(), 'TEMPORARY') THEN
        BEGIN
            EXECUTE pg_catalog.format('GRANT TEMPORARY ON DATABASE %I TO idemdesk_owner', pg_catalog.current_database());
        EXCEPTION WHEN insufficient_privilege THEN
            NULL;
        END;
    END IF;
    ALTER DEFAULT PRIVILEGES FOR ROLE idemdesk_owner REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
END
$body$;
