-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes the console's functions and everything that is not the trail out of this database. The roles belong to the cluster and
-- other databases may use them, so they stay. Once the functions are gone the trail can still be read by its owner, by hand.
DO $body$
DECLARE
    v_function regprocedure;
    v_trail    CONSTANT text[] := ARRAY['audit', 'audit_head', 'action', 'action_row', 'action_batch', 'action_item',
                                        'quarantine', 'provider_statement', 'provider_word', 'cache_release',
                                        'migration'];
    v_table    text;
BEGIN
    -- Triggers of the trail go with the function they call; whoever may uninstall may change the trail anyway.
    FOR v_function IN SELECT p.oid::regprocedure FROM pg_catalog.pg_proc p
                       WHERE p.pronamespace = 'idemdesk'::pg_catalog.regnamespace
    LOOP
        EXECUTE pg_catalog.format('DROP FUNCTION IF EXISTS %s CASCADE', v_function);
    END LOOP;
    FOR v_table IN SELECT c.relname FROM pg_catalog.pg_class c
                    WHERE c.relnamespace = 'idemdesk'::pg_catalog.regnamespace AND c.relkind IN ('r', 'p')
                      AND NOT c.relispartition AND c.relname <> ALL (v_trail)
    LOOP
        EXECUTE pg_catalog.format('DROP TABLE IF EXISTS idemdesk.%I CASCADE', v_table);
    END LOOP;
    EXECUTE pg_catalog.format('ALTER SCHEMA idemdesk RENAME TO %I',
        'idemdesk_trail_' || pg_catalog.to_char(pg_catalog.clock_timestamp(), 'YYYYMMDD_HH24MISS'));
END
$body$;
