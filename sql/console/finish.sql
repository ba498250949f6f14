-- SPDX-License-Identifier: GPL-3.0-or-later
-- After the migrations: nobody keeps the powers that creating needed, and what was created is remembered.
REVOKE CREATE ON SCHEMA idemdesk FROM idemdesk_runner;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA idemdesk FROM PUBLIC;
DO $body$
BEGIN
    SET LOCAL ROLE idemdesk_owner;
    DELETE FROM idemdesk.function_digest;
    INSERT INTO idemdesk.function_digest (name, digest)
    SELECT f.name, f.digest FROM idemdesk._function_digests() f;
    UPDATE idemdesk.installation
       SET audit_oid = 'idemdesk.audit'::pg_catalog.regclass::pg_catalog.oid;
    RESET ROLE;
    IF NOT (SELECT r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname = CURRENT_USER) THEN
        EXECUTE pg_catalog.format('REVOKE idemdesk_owner, idemdesk_runner FROM %I', CURRENT_USER);
    END IF;
END
$body$;
