-- SPDX-License-Identifier: GPL-3.0-or-later
-- Purge: finished rows past their retention go in batches, walked by the rule's own time so that no batch reads the
-- dead entries of those before it; a last sweep looks for rows that were locked when their batch came by. A picked row
-- is found again by its place, which its lock keeps and no other row can take while this statement sees it; the
-- predicate is asked again. Of the trampoline's parameters $1 is the cutoff, $2 the lower bound, $3 how many rows, $4 and
-- $5 the place of one row, $6 the scopes as JSON texts.
SET LOCAL ROLE idemdesk_owner;

-- Which rows a purge takes: a rule's condition, the finished states of the plan, its scopes. A row is taken only where
-- every expression of the profile can be read; just the rows that would be taken are asked for that.
CREATE FUNCTION idemdesk._purge_where(p_compiled jsonb, p_rule jsonb, p_states jsonb, p_scoped boolean, p_around jsonb)
    RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    -- Around rows that cannot be read nothing else may be asked first.
    SELECT format(CASE WHEN p_around IS NULL THEN '%1$s' ELSE 'CASE WHEN %2$s THEN %1$s END' END,
               w.taken || CASE WHEN p_compiled ->> 'readable' IS NULL THEN ''
                               ELSE format(' AND CASE WHEN %s THEN %s END', w.taken, p_compiled ->> 'readable') END,
               idemdesk._around(p_around))
      FROM (SELECT format('(%s) AND (%s)%s', p_rule ->> 'where',
                (SELECT coalesce(string_agg(coalesce(p_compiled -> 'in_state' ->> s.state, 'false'), ' OR '), 'false')
                   FROM jsonb_array_elements_text(p_states) AS s (state)),
                CASE WHEN p_scoped THEN format(' AND (%s) = ANY ($6)', p_compiled ->> 'scope_text') ELSE '' END)) AS w (taken)
$fn$;

-- The lower bound of what a batch walks by.
CREATE FUNCTION idemdesk._purge_bound(p_rule jsonb, p_around jsonb) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT format(CASE WHEN p_around IS NULL OR p_rule ->> 'by' ~ '^\(?t\.("[^"]+"|[[:alnum:]_]+)\)?$'
                       THEN ' AND (%s) >= ($2)::%s' ELSE ' AND CASE WHEN %3$s THEN (%1$s) >= ($2)::%2$s END' END,
        p_rule ->> 'by', p_rule ->> 'by_type', idemdesk._around(p_around))
$fn$;

-- What a purge evaluates over t, for the search of rows on which it fails.
CREATE FUNCTION idemdesk._purge_tries(p_compiled jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT array_agg(DISTINCT format('pg_catalog.count(%s)', e.said)) FROM idemdesk._expressions(p_compiled) e
     WHERE e.key IN ('state', 'scope_text', 'readable', 'scope', 'in_state', 'purge.where', 'purge.by')
$fn$;

-- Each scope as the text of a JSON array, the form that scope_text has; NULL where a plan names none.
CREATE FUNCTION idemdesk._scope_texts(p_scopes jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN jsonb_typeof(p_scopes) = 'array' THEN ARRAY(SELECT s::text FROM jsonb_array_elements(p_scopes) s) END
$fn$;

-- How many rows a purge would take now, counted up to p_limit; NULL where that took over ten seconds or did not work,
-- which counts as more than anybody may take alone.
CREATE FUNCTION idemdesk._purge_count(p_target idemdesk.target, p_plan jsonb, p_cutoff timestamptz, p_limit bigint) RETURNS bigint
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_until CONSTANT timestamptz := clock_timestamp() + interval '10 s';
    c_scopes CONSTANT text[] := idemdesk._scope_texts(p_plan -> 'scopes');
    v_where text;
    v_count bigint;
    v_done  boolean := false;
    v_where_from text;
    v_settings   text[];
    v_left       boolean;
    c_locks CONSTANT text[] := idemdesk._own_locks();
BEGIN
    -- Rows that cannot be read are counted, too: rather too many than an approval too few.
    SELECT string_agg(format('(%s)', idemdesk._purge_where(p_target.compiled - 'readable', r, p_plan -> 'states', c_scopes IS NOT NULL, NULL)), ' OR ')
      INTO v_where FROM jsonb_array_elements(p_target.compiled -> 'purge') r;
    BEGIN
        PERFORM set_config('transaction_read_only', 'on', true);
        v_settings := idemdesk._own_settings();
        EXECUTE idemdesk._call(idemdesk._trampoline_of(p_target.relation), 'n bigint') INTO v_count
          USING true, format('SELECT pg_catalog.count(*) FROM (SELECT 1 FROM %s t WHERE pg_catalog.clock_timestamp() < ($2)::pg_catalog.timestamptz '
                    'AND (%s) LIMIT ($3)::pg_catalog.int8) x', p_target.compiled ->> 'relation', v_where),
                p_target.search_path, p_cutoff, c_until::text, p_limit::text, NULL::text, NULL::text, c_scopes, NULL::text[], NULL::text[];
        PERFORM idemdesk._require_settings(v_settings);
        v_done := true;
        RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
    EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
        GET STACKED DIAGNOSTICS v_where_from = PG_EXCEPTION_CONTEXT;
        v_left := idemdesk._release_locks(c_locks);
        IF NOT v_done THEN
            IF SQLSTATE = '57014' AND idemdesk._ends_batch(SQLSTATE, SQLERRM, v_where_from) THEN
                RAISE;
            END IF;
            RETURN NULL;
        END IF;
    END;
    RETURN CASE WHEN v_count >= p_limit OR clock_timestamp() < c_until THEN v_count END;
END
$fn$;

-- The states are conditions on the column as it is stored and the places a list of constants, so that the planner
-- counts rightly and neither reads the whole table nor joins it: a batch of a large table must cost what its rows cost.
CREATE FUNCTION idemdesk._purge_sql(p_context jsonb, p_rule jsonb, p_bounded boolean, p_placed boolean, p_image text) RETURNS text
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_compiled CONSTANT jsonb := p_context -> 'compiled';
    c_around   CONSTANT jsonb := nullif(p_context -> 'around', 'null');
    c_where    CONSTANT text := idemdesk._purge_where(c_compiled, p_rule, p_context -> 'plan' -> 'states',
            jsonb_typeof(p_context -> 'scopes') = 'array', c_around)
        || CASE WHEN p_placed THEN ' AND t.ctid = ($4)::pg_catalog.tid AND t.tableoid = ($5)::pg_catalog.oid' ELSE '' END;
    -- Where the profile names an archive, rows are moved there instead of only deleted.
    c_history  CONSTANT jsonb := nullif(c_compiled -> 'history', 'null');
    c_walked   CONSTANT text := '(' || (p_rule ->> 'by') || ')';
    v_identity text;
    v_same     text;
    v_output   text;
    v_scope    text;
    v_names    text;
    v_single   boolean;
BEGIN
    SELECT string_agg(format('t.%I', i.v ->> 'name'), ', ' ORDER BY i.n),
           string_agg(format('t.%1$I %2$s p.%1$I', i.v ->> 'name', i.v ->> 'eq'), ' AND ' ORDER BY i.n),
           'ARRAY[' || string_agg(idemdesk._output(format('t.%I', i.v ->> 'name'), a.atttypid), ', ' ORDER BY i.n) || ']::pg_catalog.text'
      INTO v_identity, v_same, v_output
      FROM jsonb_array_elements(c_compiled -> 'identity') WITH ORDINALITY AS i (v, n)
      JOIN pg_attribute a ON a.attrelid = (p_context ->> 'relation')::oid AND a.attname = i.v ->> 'name';
    -- As raw texts: one JSON text a group is built, not one a row.
    SELECT string_agg(format(', (%s)::pg_catalog.text AS s%s', s.sql, s.n), '' ORDER BY s.n), string_agg(format('gone.s%s', s.n), ', ' ORDER BY s.n)
      INTO v_scope, v_names
      FROM jsonb_array_elements_text(c_compiled -> 'scope') WITH ORDINALITY AS s (sql, n);
    -- A place is one row only within one table: partitions are told apart by a join.
    v_single := (SELECT c.relkind = 'r' AND NOT c.relhassubclass FROM pg_class c WHERE c.oid = (p_context ->> 'relation')::oid);
    RETURN format(
        'WITH picked AS MATERIALIZED (SELECT t.ctid AS idemdesk_c%1$s, %2$s AS idemdesk_k FROM %3$s t WHERE %4$s%5$s ORDER BY %6$s LIMIT ($3)::pg_catalog.int8 FOR UPDATE OF t SKIP LOCKED), '
        'gone AS (DELETE FROM %3$s t %7$s AND %4$s RETURNING %8$s AS i, %9$s AS image, (%10$s)::pg_catalog.text AS state%11$s%12$s)%13$s '
        'SELECT p.n, p.last, g.n, g.identities, g.images, '
        '(SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(''scope'', pg_catalog.jsonb_build_array(%14$s)::pg_catalog.text, ''state'', gone.state, ''rows'', gone.n)) '
        'FROM (SELECT %15$sgone.state, pg_catalog.count(*) AS n FROM gone GROUP BY %15$sgone.state ORDER BY n DESC LIMIT 100) gone), '
        'pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(g.digest, ''UTF8'')), ''hex'') '
        'FROM (SELECT pg_catalog.count(*) AS n, %16$s AS last FROM picked k) p, '
        '(SELECT pg_catalog.count(*) AS n, %17$s FROM gone) g',
        CASE WHEN v_single THEN '' ELSE ', t.tableoid AS idemdesk_t, ' || v_identity END, coalesce(c_walked, 'NULL::pg_catalog.text'), c_compiled ->> 'relation', c_where,
        CASE WHEN p_bounded THEN idemdesk._purge_bound(p_rule, c_around) ELSE '' END, coalesce(c_walked, v_identity),
        CASE WHEN v_single THEN 'WHERE t.ctid = ANY (ARRAY(SELECT p.idemdesk_c FROM picked p))'
             ELSE format('USING picked p WHERE t.ctid = p.idemdesk_c AND t.tableoid = p.idemdesk_t AND %s', v_same) END,
        v_output, coalesce(p_image || '::pg_catalog.text', 'NULL::pg_catalog.text'), c_compiled ->> 'state', coalesce(v_scope, ''),
        CASE WHEN c_history IS NULL THEN '' ELSE ', t AS whole' END,
        CASE WHEN c_history IS NULL THEN '' ELSE (SELECT format(', moved AS (INSERT INTO %s (%s) SELECT %s FROM gone)', c_history ->> 'relation',
                   string_agg(quote_ident(h.name), ', ' ORDER BY h.n), string_agg(format('(gone.whole).%I', h.name), ', ' ORDER BY h.n))
              FROM jsonb_array_elements_text(c_history -> 'columns') WITH ORDINALITY AS h (name, n)) END,
        coalesce(v_names, ''), coalesce(v_names || ', ', ''),
        CASE WHEN c_walked IS NULL THEN 'NULL::pg_catalog.text' ELSE 'CASE WHEN pg_catalog.count(k.idemdesk_k) > 0 THEN pg_catalog.format(''%s'', pg_catalog.max(k.idemdesk_k)) END' END,
        CASE WHEN p_image IS NOT NULL THEN 'pg_catalog.array_agg(gone.i) AS identities, pg_catalog.array_agg(gone.image) AS images, NULL::pg_catalog.text AS digest'
             ELSE 'NULL::pg_catalog.text[] AS identities, NULL::pg_catalog.text[] AS images, pg_catalog.string_agg(gone.i, ''|'') AS digest' END);
END
$fn$;

-- The places of the next rows instead of the rows themselves, their tables and identities, and the last value of "by".
CREATE FUNCTION idemdesk._purge_places_sql(p_context jsonb, p_rule jsonb, p_bounded boolean) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT format('SELECT pg_catalog.array_agg(k.c::pg_catalog.text), pg_catalog.array_agg(k.t::pg_catalog.text), '
            'pg_catalog.array_agg(k.i), %s '
            'FROM (SELECT t.ctid AS c, t.tableoid AS t, %s AS k, %s AS i FROM %s t WHERE %s%s ORDER BY 3 LIMIT ($3)::pg_catalog.int8 '
            'FOR UPDATE OF t SKIP LOCKED) k',
        CASE WHEN w.walked IS NULL THEN 'NULL::pg_catalog.text'
             ELSE 'CASE WHEN pg_catalog.count(k.k) > 0 THEN pg_catalog.format(''%s'', pg_catalog.max(k.k)) END' END,
        coalesce(w.walked, 'NULL::pg_catalog.text'),
        (SELECT 'ARRAY[' || string_agg(idemdesk._output(format('t.%I', i.v ->> 'name'), a.atttypid), ', ' ORDER BY i.n)
                    || ']::pg_catalog.text'
           FROM jsonb_array_elements(p_context -> 'compiled' -> 'identity') WITH ORDINALITY AS i (v, n)
           JOIN pg_attribute a ON a.attrelid = (p_context ->> 'relation')::oid AND a.attname = i.v ->> 'name'),
        p_context -> 'compiled' ->> 'relation',
        idemdesk._purge_where(p_context -> 'compiled', p_rule, p_context -> 'plan' -> 'states',
            jsonb_typeof(p_context -> 'scopes') = 'array', nullif(p_context -> 'around', 'null')),
        CASE WHEN p_bounded THEN idemdesk._purge_bound(p_rule, nullif(p_context -> 'around', 'null')) ELSE '' END)
      FROM (SELECT '(' || (p_rule ->> 'by') || ')' AS walked) w
$fn$;

-- These places; the rows are locked.
CREATE FUNCTION idemdesk._purge_places(p_context jsonb, p_rule jsonb, p_bound text, p_limit integer,
    OUT places text[], OUT tables text[], OUT keys text[], OUT last text)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    EXECUTE idemdesk._call(p_context ->> 'run', 'places text[], tables text[], keys text[], last text')
       INTO places, tables, keys, last
      USING true, idemdesk._purge_places_sql(p_context, p_rule, p_bound IS NOT NULL), p_context ->> 'search_path',
            (p_context ->> 'cutoff')::timestamptz, p_bound, p_limit::text, NULL::text, NULL::text,
            idemdesk._scope_texts(p_context -> 'scopes'), NULL::text[], NULL::text[];
EXCEPTION WHEN OTHERS THEN
    IF idemdesk._may_hear((p_context ->> 'relation')::oid, SQLSTATE) THEN
        RAISE;
    END IF;
    RAISE EXCEPTION 'The next rows could not be looked for; who may read the whole table is told why.'
        USING ERRCODE = SQLSTATE;
END
$fn$;

-- Has the runner the rights that a purge itself needs, whatever the code of rows lacks?
CREATE FUNCTION idemdesk._may_purge(p_context jsonb) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(bool_and(has_table_privilege(r.runner, (p_context ->> 'relation')::oid, 'DELETE')
               AND (h.archive IS NULL OR has_table_privilege(r.runner, idemdesk._relation_named(h.archive), 'INSERT'))), false)
      FROM idemdesk.runner r CROSS JOIN (SELECT p_context -> 'compiled' -> 'history' ->> 'relation') AS h (archive)
     WHERE r.trampoline = p_context ->> 'run'
$fn$;

-- Keeps identities and images of the rows that one batch purged, and gives their digest; NULL where they are not as
-- many as went, or were not stored. As SQL it takes the arrays where they lie: PL/pgSQL would copy them first.
CREATE FUNCTION idemdesk._keep_purged(p_context jsonb, p_identities text[], p_images text[], p_gone bigint)
    RETURNS bytea
    LANGUAGE sql SET search_path = pg_catalog, pg_temp
AS $fn$
    WITH kept AS (
        INSERT INTO idemdesk.quarantine (keep_until, action, batch, identities, hashes, images)
        SELECT a.keep_until, a.id, (p_context ->> 'batch')::integer, p_identities,
               ARRAY(SELECT hashtextextended(x, 0) FROM unnest(p_identities) x), p_images
          FROM idemdesk.action a WHERE a.id = (p_context ->> 'action')::uuid
        RETURNING 1
    )
    SELECT CASE WHEN k.n = 1 AND cardinality(p_identities) = p_gone AND cardinality(p_images) = p_gone
                THEN idemdesk._quarantine_digest(p_identities, p_images) END
      FROM (SELECT count(*) AS n FROM kept) k
$fn$;

-- One batch of a purge: what was picked, the last value of "by", and what went. A row that cannot be read is left where it
-- is, and read around from then on. One that cannot go (a trigger that raises, a constraint that only it violates) stops
-- itself: the batch is then gone through row by row, and such rows become items.
CREATE FUNCTION idemdesk._purge_rows(p_context jsonb, p_rule jsonb, p_bound text, p_image text, p_limit integer,
    OUT picked bigint, OUT last text, OUT gone bigint, OUT kept_sha bytea, OUT groups jsonb, OUT digest text,
    OUT items idemdesk.item[], OUT around jsonb)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_columns CONSTANT text := 'picked bigint, last text, gone bigint, identities text[], images text[], groups jsonb, digest text';
    c_call    CONSTANT text := idemdesk._call(p_context ->> 'run', c_columns);
    -- The images of many rows go straight from there to where they are kept. What is said below is still asked of what
    -- the table's code did, and takes them back with it.
    c_kept    CONSTANT text := 'SELECT r.picked, r.last, r.gone, r.groups, r.digest, CASE WHEN r.images IS NOT NULL '
        'THEN idemdesk._keep_purged($12, r.identities, r.images, r.gone) END FROM (' || c_call || ') r';
    c_cutoff  CONSTANT timestamptz := (p_context ->> 'cutoff')::timestamptz;
    c_scopes  CONSTANT text[] := idemdesk._scope_texts(p_context -> 'scopes');
    c_path    CONSTANT text := p_context ->> 'search_path';
    c_slow    CONSTANT integer := 200; -- rows, each with a statement of its own
    v_places  text[];
    v_tables  text[];
    v_keys    text[];
    v_row     record;
    v_keep    text[];
    v_images  text[];
    v_found   jsonb;
    v_one     text;
    v_said    text[] := '{}';
    v_where   text;
    c_settings CONSTANT text[] := idemdesk._own_settings();
    c_owned   CONSTANT text := idemdesk._owned(p_context ->> 'run');
BEGIN
    around := nullif(p_context -> 'around', 'null');
    LOOP
        BEGIN
            EXECUTE c_kept INTO picked, last, gone, groups, digest, kept_sha
              USING true, idemdesk._purge_sql(p_context, p_rule, p_bound IS NOT NULL, false, p_image), c_path, c_cutoff, p_bound,
                    p_limit::text, NULL::text, NULL::text, c_scopes, NULL::text[], NULL::text[], p_context;
            PERFORM idemdesk._require_settings(c_settings);
            PERFORM idemdesk._require_nothing_left(p_context ->> 'run', c_owned);
            RETURN;
        EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
            GET STACKED DIAGNOSTICS v_where = PG_EXCEPTION_CONTEXT;
            -- What somebody holds is waited for, all of it; what one row's code calls so is not. Nor is a right that only
            -- such code lacks the batch's own.
            IF idemdesk._ends_batch(SQLSTATE, SQLERRM, v_where) OR (SQLSTATE IN ('55P03', '40P01')
                   AND NOT idemdesk._raised_by_row(SQLSTATE, SQLERRM, v_where))
               OR (SQLSTATE = '42501' AND NOT idemdesk._may_purge(p_context)) THEN
                IF idemdesk._may_hear_end((p_context ->> 'relation')::oid, v_where) THEN
                    RAISE;
                END IF;
                RAISE EXCEPTION 'The server ended the batch; who may read the whole table is told why.' USING ERRCODE = SQLSTATE;
            END IF;
            v_found := idemdesk._unreadable(p_context, idemdesk._purge_tries(p_context -> 'compiled'), c_cutoff);
            IF (v_found ->> 'many')::boolean THEN
                RAISE EXCEPTION '% or more rows of the table are unreadable, because an expression of the profile fails on them: %',
                    v_found ->> 'n', CASE WHEN idemdesk._may_read_all((p_context ->> 'relation')::oid) THEN SQLERRM ELSE SQLSTATE END USING ERRCODE = 'ID006', HINT = 'Correct the profile, and register the target again.';
            END IF;
        END;
        EXIT WHEN v_found -> 'n' = coalesce(around -> 'n', '0');
        around := v_found;
        p_context := p_context || jsonb_build_object('around', around);
    END LOOP;
    -- What such a row's expressions leave in the session would have the rows of this statement at hand later.
    SELECT p.places, p.tables, p.keys, p.last INTO v_places, v_tables, v_keys, last
      FROM idemdesk._purge_places(p_context, p_rule, p_bound, least(p_limit, c_slow)) p;
    PERFORM idemdesk._require_settings(c_settings);
    PERFORM idemdesk._require_nothing_left(p_context ->> 'run', c_owned);
    picked := coalesce(cardinality(v_places), 0);
    gone := 0;
    kept_sha := NULL;
    groups := '[]';
    items := '{}';
    v_one := idemdesk._purge_sql(p_context, p_rule, false, true, p_image);
    FOR v_n IN 1 .. picked LOOP
        BEGIN
            EXECUTE c_call INTO v_row
              USING true, v_one, c_path, c_cutoff, NULL::text, '1', v_places[v_n], v_tables[v_n], c_scopes, NULL::text[], NULL::text[];
            PERFORM idemdesk._require_settings(c_settings); -- first: what is added below would stay
            PERFORM idemdesk._require_nothing_left(p_context ->> 'run', c_owned);
            gone := gone + v_row.gone;
            v_keep := v_keep || v_row.identities;
            v_images := v_images || v_row.images;
            v_said := v_said || v_row.digest;
            groups := groups || coalesce(v_row.groups, '[]');
        EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
            GET STACKED DIAGNOSTICS v_where = PG_EXCEPTION_CONTEXT;
            IF idemdesk._ends_batch(SQLSTATE, SQLERRM, v_where) THEN
                IF idemdesk._may_hear_end((p_context ->> 'relation')::oid, v_where) THEN
                    RAISE;
                END IF;
                RAISE EXCEPTION 'The server ended the batch; who may read the whole table is told why.' USING ERRCODE = SQLSTATE;
            END IF;
            items := items || ROW(v_n, v_keys[v_n]::text[], NULL, NULL, idemdesk._outcome(SQLSTATE), idemdesk._failure(SQLSTATE, SQLERRM))::idemdesk.item;
        END;
    END LOOP;
    IF v_images IS NOT NULL THEN
        kept_sha := idemdesk._keep_purged(p_context, v_keep, v_images, gone);
    END IF;
    digest := encode(sha256(convert_to(array_to_string(v_said, '|'), 'UTF8')), 'hex');
    SELECT coalesce(jsonb_agg(jsonb_build_object('scope', g.scope, 'state', g.state, 'rows', g.n)), '[]') INTO groups
      FROM (SELECT g ->> 'scope' AS scope, g ->> 'state' AS state, sum((g ->> 'rows')::bigint) AS n
              FROM jsonb_array_elements(groups) g GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 100) g;
END
$fn$;

-- The next batch of a purge, at most p_limit rows in one transaction. The same p_batch again gives the same answer.
CREATE FUNCTION idemdesk.purge_batch(p_action uuid, p_batch integer, p_limit integer DEFAULT 1000) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '500ms'
    SET work_mem = '64MB' -- the images of 10,000 rows, which would else go through a temporary file
AS $fn$
DECLARE
    v_caller   text;
    v_context  jsonb;
    v_target   idemdesk.target;
    v_rules    jsonb;
    v_rule     jsonb;
    v_number   integer;
    v_sweep    boolean;
    v_sweeping boolean; -- of this batch; v_sweep is the next one's
    v_bound    text;
    v_image    text;
    v_columns  text[];
    v_limit    integer;
    v_rows     record;
    v_finished boolean := false;
    v_swept    bigint;
    v_total    bigint;
    v_pause    text;
    v_counts   jsonb;
    v_answer   jsonb;
BEGIN
    GET DIAGNOSTICS v_caller = PG_CONTEXT;
    PERFORM idemdesk._enter('idemdesk_operator', v_caller, 'purge_batch');
    v_context := idemdesk._begin_batch(p_action, p_batch, p_limit);
    IF v_context ? 'seen' THEN
        RETURN v_context -> 'seen';
    END IF;
    IF v_context ->> 'verb' <> 'purge' THEN
        RAISE EXCEPTION 'This action is a %.', v_context ->> 'verb' USING ERRCODE = 'ID005';
    END IF;
    v_limit := (v_context ->> 'limit')::integer;
    v_rules := v_context -> 'compiled' -> 'purge';
    v_number := coalesce((v_context -> 'cursor' ->> 'rule')::integer, 0);
    v_sweep := coalesce((v_context -> 'cursor' ->> 'sweep')::boolean, false);
    v_sweeping := v_sweep;
    v_swept := coalesce((v_context -> 'cursor' ->> 'swept')::bigint, 0);
    v_rule := v_rules -> v_number;
    v_bound := CASE WHEN NOT v_sweep AND v_rule ->> 'by' IS NOT NULL THEN v_context -> 'cursor' ->> 'by' END;
    SELECT i.columns, CASE WHEN (v_context -> 'plan' ->> 'images')::boolean IS NOT FALSE THEN i.sql END INTO v_columns, v_image
      FROM idemdesk._image((v_context ->> 'relation')::oid) i;
    v_context := v_context || jsonb_build_object('around', v_context -> 'cursor' -> 'around', 'action', p_action,
        'batch', p_batch);
    IF v_image IS NOT NULL THEN
        PERFORM idemdesk._keep_memory(v_limit);
    END IF;
    v_rows := idemdesk._purge_rows(v_context, v_rule, v_bound, v_image, v_limit);
    IF v_image IS NOT NULL AND v_rows.gone > 0 AND v_rows.kept_sha IS NULL THEN
        RAISE EXCEPTION 'The images of the purged rows were not stored.' USING ERRCODE = 'ID010';
    END IF;
    PERFORM idemdesk._require_trampoline(v_context ->> 'run');
    PERFORM idemdesk._require_unchanged(v_context);
    v_swept := v_swept + CASE WHEN v_sweep THEN v_rows.gone ELSE 0 END;
    v_total := (v_context ->> 'purged_before')::bigint + v_rows.gone;
    -- A full batch goes on behind its last row; where nothing went and nothing lies further on (a trigger refuses every row,
    -- or the rule has no time to walk by) going on would never end.
    IF v_rows.picked > 0 AND (v_rows.picked = v_limit OR v_rows.items IS NOT NULL)
       AND (v_rows.gone > 0 OR (NOT v_sweep AND v_rows.last IS DISTINCT FROM v_context -> 'cursor' ->> 'by')) THEN
        v_bound := coalesce(v_rows.last, v_bound);
    ELSIF v_limit > 0 THEN
        v_bound := NULL;
        v_number := v_number + 1;
        IF v_number >= jsonb_array_length(v_rules) THEN
            v_number := 0;
            v_finished := v_sweep;
            v_sweep := true;
        END IF;
    END IF;
    IF NOT v_finished AND v_total >= (v_context ->> 'allowance')::bigint THEN
        SELECT t.* INTO v_target FROM idemdesk.target t WHERE t.name = v_context ->> 'target';
        IF idemdesk._purge_count(v_target, (v_context -> 'plan') || jsonb_build_object('scopes', v_context -> 'scopes'),
               (v_context ->> 'cutoff')::timestamptz, 1) = 0 THEN
            v_finished := true;
        ELSIF (v_context ->> 'allowance')::bigint <= (v_context ->> 'approval_above')::bigint THEN
            v_pause := 'As many rows were purged as one person may purge. More of them need the approval of another.';
        ELSE
            v_pause := 'More rows were purged than the plan expected by over 5 %.';
        END IF;
    END IF;
    v_counts := jsonb_build_object('purged', v_rows.gone);
    -- What stays is told once, by the sweep: the pass before may meet it at its bound again.
    IF v_sweeping AND v_rows.items IS NOT NULL THEN
        SELECT v_counts || jsonb_object_agg(o.outcome, o.n) INTO v_counts
          FROM (SELECT i.outcome, count(*) AS n FROM unnest(v_rows.items) i GROUP BY i.outcome HAVING count(*) > 0) o
        HAVING count(*) > 0;
        v_counts := coalesce(v_counts, jsonb_build_object('purged', v_rows.gone));
    ELSIF v_sweeping AND v_rows.picked > v_rows.gone THEN
        v_counts := v_counts || jsonb_build_object('refused', v_rows.picked - v_rows.gone);
    END IF;
    v_answer := idemdesk._append(p_action, p_batch, v_columns, CASE WHEN v_sweeping THEN v_rows.items END,
        v_rows.kept_sha, v_counts,
        jsonb_strip_nulls(jsonb_build_object('rule', v_number, 'by', v_bound, 'sweep', v_sweep, 'swept', v_swept,
            'around', v_rows.around)), v_finished,
        jsonb_build_object('rows', v_rows.gone, 'picked', v_rows.picked, 'by_group', coalesce(v_rows.groups, '[]'),
            'identities', encode(idemdesk._keyed(decode(v_rows.digest, 'hex')), 'hex'), 'sweep', v_sweep, 'unreadable', coalesce(v_rows.around -> 'n', '0'),
            'pause', v_pause));
    RETURN v_answer;
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.purge_batch(uuid, integer, integer) TO idemdesk_operator;
RESET ROLE;
