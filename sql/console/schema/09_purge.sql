-- SPDX-License-Identifier: GPL-3.0-or-later
-- Purge: finished rows past their retention go in batches, walked by the rule's own time so that no batch reads the
-- dead entries of those before it; a last sweep looks for rows that were locked when their batch came by. A picked row
-- is found again by its place, which its lock keeps and no other row can take while this statement sees it; the
-- predicate is asked again. $1 cutoff, $2 scopes as JSON texts or NULL, $3 lower bound, $4 rows.
SET LOCAL ROLE idemdesk_runner;

-- The states are conditions on the column as it is stored and the places a list of constants, so that the planner
-- counts rightly and neither reads the whole table nor joins it: a batch of a large table must cost what its rows cost.
CREATE FUNCTION idemdesk._purge_sql(p_context jsonb, p_rule jsonb, p_bounded boolean, p_image text) RETURNS text
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_compiled CONSTANT jsonb := p_context -> 'compiled';
    -- Around rows that cannot be read nothing else may be asked first.
    c_around   CONSTANT jsonb := nullif(p_context -> 'around', 'null');
    c_where    CONSTANT text := format(CASE WHEN c_around IS NULL THEN '(%s) AND (%s)%s'
                                            ELSE 'CASE WHEN %4$s THEN (%1$s) AND (%2$s)%3$s END' END, p_rule ->> 'where',
        (SELECT coalesce(string_agg(coalesce(c_compiled -> 'in_state' ->> s.state, 'false'), ' OR '), 'false')
           FROM jsonb_array_elements_text(p_context -> 'plan' -> 'states') AS s (state)),
        CASE WHEN p_context -> 'plan' ->> 'scopes' IS NULL THEN ''
             ELSE format(' AND (%s) = ANY ($2)', c_compiled ->> 'scope_text') END, idemdesk._around(c_around));
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
        'WITH picked AS MATERIALIZED (SELECT t.ctid AS idemdesk_c%1$s, %2$s AS idemdesk_k FROM %3$s t WHERE %4$s%5$s ORDER BY %6$s LIMIT $4 FOR UPDATE OF t SKIP LOCKED), '
        'gone AS (DELETE FROM %3$s t %7$s AND %4$s RETURNING %8$s AS i, %9$s AS image, (%10$s)::pg_catalog.text AS state%11$s%12$s)%13$s '
        'SELECT p.n, p.last, g.n, g.identities, g.images, '
        '(SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(''scope'', pg_catalog.jsonb_build_array(%14$s)::pg_catalog.text, ''state'', gone.state, ''rows'', gone.n)) '
        'FROM (SELECT %15$sgone.state, pg_catalog.count(*) AS n FROM gone GROUP BY %15$sgone.state ORDER BY n DESC LIMIT 100) gone), '
        'pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(g.digest, ''UTF8'')), ''hex'') '
        'FROM (SELECT pg_catalog.count(*) AS n, %16$s AS last FROM picked k) p, '
        '(SELECT pg_catalog.count(*) AS n, %17$s FROM gone) g',
        CASE WHEN v_single THEN '' ELSE ', t.tableoid AS idemdesk_t, ' || v_identity END, coalesce(c_walked, 'NULL::pg_catalog.text'), c_compiled ->> 'relation', c_where,
        CASE WHEN NOT p_bounded THEN '' ELSE format(CASE WHEN c_around IS NULL OR p_rule ->> 'by' ~ '^\(?t\.("[^"]+"|[[:alnum:]_]+)\)?$'
                 THEN ' AND %s >= $3::%s' ELSE ' AND CASE WHEN %3$s THEN %1$s >= $3::%2$s END' END,
             c_walked, p_rule ->> 'by_type', idemdesk._around(c_around)) END, coalesce(c_walked, v_identity),
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

-- What a purge evaluates over t, for the search of rows on which it fails.
CREATE FUNCTION idemdesk._purge_tries(p_context jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT array_agg(DISTINCT format('pg_catalog.count(%s)', x.e))
      FROM (SELECT p_context -> 'compiled' AS compiled) c,
           LATERAL (SELECT c.compiled ->> m FROM unnest(ARRAY['state', 'scope_text']) m
            UNION ALL SELECT r ->> m FROM jsonb_array_elements(c.compiled -> 'purge') r, unnest(ARRAY['where', 'by']) m
            UNION ALL SELECT s FROM jsonb_array_elements_text(c.compiled -> 'scope') s
            UNION ALL SELECT i.value FROM jsonb_each_text(coalesce(nullif(c.compiled -> 'in_state', 'null'), '{}')) i) x (e)
     WHERE x.e IS NOT NULL
$fn$;

-- The next batch of a purge, at most p_limit rows in one transaction. The same p_batch again gives the same answer.
CREATE FUNCTION idemdesk.purge_batch(p_action uuid, p_batch integer, p_limit integer DEFAULT 1000) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' SET datestyle = 'ISO, YMD' SET timezone = 'UTC'
    SET intervalstyle = 'postgres' SET bytea_output = 'hex' SET extra_float_digits = 1
    SET work_mem = '64MB' -- the images of 10,000 rows, which would else go through a temporary file
AS $fn$
DECLARE
    v_context  jsonb;
    v_rules    jsonb;
    v_rule     jsonb;
    v_number   integer;
    v_sweep    boolean;
    v_bound    text;
    v_image    text;
    v_scopes   text[];
    v_columns  text[];
    v_picked   bigint;
    v_last     text;
    v_gone     bigint;
    v_keys     text[];
    v_gone_images text[];
    v_groups   jsonb;
    v_digest   text;
    v_finished boolean := false;
    v_swept    bigint;
    v_answer   jsonb;
    v_around   jsonb;
BEGIN
    v_context := idemdesk._begin_batch(p_action, p_batch, p_limit);
    IF v_context ? 'seen' THEN
        RETURN v_context -> 'seen';
    END IF;
    IF v_context ->> 'verb' <> 'purge' THEN
        RAISE EXCEPTION 'This action is a %.', v_context ->> 'verb' USING ERRCODE = 'ID005';
    END IF;
    v_rules := v_context -> 'compiled' -> 'purge';
    v_number := coalesce((v_context -> 'cursor' ->> 'rule')::integer, 0);
    v_sweep := coalesce((v_context -> 'cursor' ->> 'sweep')::boolean, false);
    v_swept := coalesce((v_context -> 'cursor' ->> 'swept')::bigint, 0);
    v_rule := v_rules -> v_number;
    v_bound := CASE WHEN NOT v_sweep AND v_rule ->> 'by' IS NOT NULL THEN v_context -> 'cursor' ->> 'by' END;
    -- Each scope as the text of a JSON array, the form that scope_text has.
    v_scopes := ARRAY(SELECT s::text FROM jsonb_array_elements(
        CASE jsonb_typeof(v_context -> 'plan' -> 'scopes') WHEN 'array' THEN v_context -> 'plan' -> 'scopes' ELSE '[]' END) s);
    SELECT i.columns, CASE WHEN (v_context -> 'plan' ->> 'images')::boolean IS NOT FALSE THEN i.sql END INTO v_columns, v_image
      FROM idemdesk._image((v_context ->> 'relation')::oid) i;
    v_context := v_context || jsonb_build_object('around', v_context -> 'cursor' -> 'around');
    LOOP
        BEGIN
            PERFORM set_config('search_path', v_context ->> 'search_path', true);
            EXECUTE idemdesk._purge_sql(v_context, v_rule, v_bound IS NOT NULL, v_image)
               INTO v_picked, v_last, v_gone, v_keys, v_gone_images, v_groups, v_digest
              USING (v_context -> 'plan' ->> 'cutoff')::timestamptz, v_scopes, v_bound, (v_context ->> 'limit')::integer;
            PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
            EXIT;
        EXCEPTION WHEN data_exception OR raise_exception OR cardinality_violation THEN
            -- Some row cannot be read: it stays as it is, and the others go.
            v_around := idemdesk._unreadable(v_context, idemdesk._purge_tries(v_context),
                (v_context -> 'plan' ->> 'cutoff')::timestamptz);
            IF v_around -> 'n' = coalesce(v_context -> 'around' -> 'n', '0') THEN
                RAISE;
            ELSIF (v_around ->> 'many')::boolean THEN
                RAISE EXCEPTION '% or more rows of the table are unreadable, because an expression of the profile fails on them: %',
                    v_around ->> 'n', SQLERRM USING ERRCODE = 'ID006', HINT = 'Correct the profile, and register the target again.';
            END IF;
            v_context := v_context || jsonb_build_object('around', v_around);
        END;
    END LOOP;
    v_swept := v_swept + CASE WHEN v_sweep THEN v_gone ELSE 0 END;
    -- A full batch goes on behind its last row; where nothing went and nothing lies further on (a trigger refuses every row,
    -- or the rule has no time to walk by) going on would never end.
    IF v_picked = (v_context ->> 'limit')::integer
       AND (v_gone > 0 OR (NOT v_sweep AND v_last IS DISTINCT FROM v_context -> 'cursor' ->> 'by')) THEN
        v_bound := coalesce(v_last, v_bound);
    ELSE
        v_bound := NULL;
        v_number := v_number + 1;
        IF v_number >= jsonb_array_length(v_rules) THEN
            v_number := 0;
            v_finished := v_sweep;
            v_sweep := true;
        END IF;
    END IF;
    v_answer := idemdesk._append(p_action, p_batch, v_columns, NULL, v_keys, v_gone_images,
        CASE WHEN v_sweep AND v_picked > v_gone THEN jsonb_build_object('purged', v_gone, 'refused', v_picked - v_gone)
             ELSE jsonb_build_object('purged', v_gone) END,
        jsonb_strip_nulls(jsonb_build_object('rule', v_number, 'by', v_bound, 'sweep', v_sweep, 'swept', v_swept,
            'around', v_context -> 'around')), v_finished,
        jsonb_build_object('rows', v_gone, 'picked', v_picked, 'by_group', coalesce(v_groups, '[]'), 'identities', v_digest,
            'sweep', v_sweep, 'last', v_last, 'unreadable', coalesce(v_context -> 'around' -> 'n', '0')));
    RETURN v_answer;
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.purge_batch(uuid, integer, integer) TO idemdesk_operator;
RESET ROLE;
