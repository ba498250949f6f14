-- SPDX-License-Identifier: GPL-3.0-or-later
-- Every function that a login may call is given the settings that its words mean. It is called at the end of an
-- installation and of a repair.
SET LOCAL ROLE idemdesk_owner;

CREATE FUNCTION idemdesk._pin_settings() RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    -- Whoever calls could else have the server print what is planned within, with the values of rows.
    c_silent   CONSTANT text := (SELECT string_agg(format(' SET %I = off', s.name), '' ORDER BY s.name)
                                   FROM pg_settings s WHERE starts_with(s.name, 'debug_print_'));
    v_function regprocedure;
BEGIN
    FOR v_function IN SELECT p.oid FROM pg_proc p
                       WHERE p.pronamespace = 'idemdesk'::regnamespace AND p.prosecdef AND p.proowner = 'idemdesk_owner'::regrole
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET datestyle = ''ISO, YMD'' SET intervalstyle = ''postgres'' SET timezone = ''UTC'' '
            'SET array_nulls = on SET standard_conforming_strings = on SET transform_null_equals = off '
            'SET quote_all_identifiers = off SET xmloption = ''content'' SET xmlbinary = ''base64'' SET bytea_output = ''hex'' '
            'SET extra_float_digits = 1 SET row_security = on SET lc_monetary = ''C'' SET lc_numeric = ''C'' SET lc_time = ''C'' '
            'SET gin_fuzzy_search_limit = 0' || c_silent, v_function);
    END LOOP;
END
$fn$;
RESET ROLE;
