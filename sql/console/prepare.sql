-- SPDX-License-Identifier: GPL-3.0-or-later
-- Before the migrations: the roles, which belong to the cluster, and the right to create what they own.
-- Run by a superuser, or by a role with CREATEROLE that may create schemas in this database.
DO $body$
DECLARE
    v_name text;
BEGIN
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
