-- SPDX-License-Identifier: GPL-3.0-or-later
-- After the migrations: nobody keeps the powers that creating needed, and what was created is remembered.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA idemdesk FROM PUBLIC;
DO $body$
BEGIN
    SET LOCAL ROLE idemdesk_owner;
    PERFORM idemdesk._pin_settings();
    DELETE FROM idemdesk.definition;
    INSERT INTO idemdesk.definition (name, digest)
    SELECT d.name, d.digest FROM idemdesk._definitions() d;
    IF idemdesk._definitions_sha() IS DISTINCT FROM (SELECT a.facts ->> 'definitions' FROM ONLY idemdesk.audit a
            WHERE a.facts ? 'definitions' AND a.what IN ('settings', 'runner') ORDER BY a.seq DESC LIMIT 1) THEN
        PERFORM idemdesk._chain('settings', NULL, NULL, NULL,
            idemdesk._settings_facts() || jsonb_build_object('definitions', idemdesk._definitions_sha()), NULL);
    END IF;
    -- Once only: a table that took the place of this one, or came out of a dump, is never taken for it here.
    UPDATE idemdesk.installation
       SET audit_oid = 'idemdesk.audit'::pg_catalog.regclass::pg_catalog.oid, written_by = idemdesk._written_by()
     WHERE audit_oid = 0;
    RESET ROLE;
    IF NOT (SELECT r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname = CURRENT_USER) THEN
        EXECUTE pg_catalog.format('REVOKE idemdesk_owner FROM %I', CURRENT_USER);
    END IF;
END
$body$;
