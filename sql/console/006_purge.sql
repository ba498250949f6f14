-- SPDX-License-Identifier: GPL-3.0-or-later
-- Purge: finished rows past their retention go in batches, walked by the rule's own time so that no batch reads the dead
-- entries of those before it; a last sweep looks for rows that were locked when their batch came by. A picked row is found
-- again by its place, which is quick and which its lock keeps, but identity and predicate decide.
-- $1 cutoff, $2 states, $3 scopes as JSON texts or NULL, $4 lower bound, $5 rows.
SET LOCAL ROLE idemdesk_runner;

CREATE FUNCTION idemdesk._purge_sql(p_context jsonb, p_rule jsonb, p_bounded boolean, p_images boolean) RETURNS text
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_compiled CONSTANT jsonb := p_context -> 'compiled';
    c_where    CONSTANT text := format('(%s) AND (%s) = ANY ($2)%s', p_rule ->> 'where', c_compiled ->> 'state',
        CASE WHEN p_context -> 'plan' ->> 'scopes' IS NULL THEN ''
             ELSE format(' AND (%s) = ANY ($3)', c_compiled ->> 'scope_text') END);
    -- Where the profile names an archive, rows are moved there instead of only deleted.
    c_history  CONSTANT jsonb := nullif(c_compiled -> 'history', 'null');
    v_identity text;
    v_order    text;
    v_same     text;
    v_output   text;
    v_image    text;
BEGIN
    SELECT string_agg(format('t.%I', i.v ->> 'name'), ', ' ORDER BY i.n),
           string_agg(format('t.%1$I %2$s p.%1$I', i.v ->> 'name', i.v ->> 'eq'), ' AND ' ORDER BY i.n),
           'ARRAY[' || string_agg(idemdesk._output(format('t.%I', i.v ->> 'name'), a.atttypid), ', ' ORDER BY i.n) || ']::pg_catalog.text'
      INTO v_identity, v_same, v_output
      FROM jsonb_array_elements(c_compiled -> 'identity') WITH ORDINALITY AS i (v, n)
      JOIN pg_attribute a ON a.attrelid = (p_context ->> 'relation')::oid AND a.attname = i.v ->> 'name';
    SELECT i.sql || '::pg_catalog.text' INTO v_image FROM idemdesk._image((p_context ->> 'relation')::oid) i;
    v_order := coalesce(format('(%s)', p_rule ->> 'by'), v_identity);
    RETURN format(
        'WITH picked AS MATERIALIZED (SELECT t.ctid AS idemdesk_c, t.tableoid AS idemdesk_t, %1$s, %2$s AS idemdesk_k FROM %3$s t WHERE %4$s%5$s ORDER BY %6$s LIMIT $5 FOR UPDATE OF t SKIP LOCKED), '
        'gone AS (DELETE FROM %3$s t USING picked p WHERE t.ctid = p.idemdesk_c AND t.tableoid = p.idemdesk_t AND %7$s AND %4$s RETURNING %8$s AS i, %9$s AS image, (%10$s)::pg_catalog.text AS state, %11$s AS scope%13$s)%14$s '
        'SELECT (SELECT pg_catalog.count(*) FROM picked), '
        '(SELECT pg_catalog.format(''%%s'', k.idemdesk_k) FROM picked k ORDER BY k.idemdesk_k DESC NULLS LAST LIMIT 1), '
        '(SELECT pg_catalog.count(*) FROM gone), '
        '(SELECT pg_catalog.array_agg(gone.i) FROM gone WHERE %12$s), (SELECT pg_catalog.array_agg(gone.image) FROM gone WHERE %12$s), '
        '(SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(''scope'', s.scope, ''state'', s.state, ''rows'', s.n)) '
        'FROM (SELECT gone.scope, gone.state, pg_catalog.count(*) AS n FROM gone GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 100) s), '
        '(SELECT pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.string_agg(gone.i, ''|''), ''UTF8'')), ''hex'') FROM gone WHERE NOT %12$s)',
        v_identity, coalesce(format('(%s)', p_rule ->> 'by'), 'NULL::pg_catalog.text'), c_compiled ->> 'relation', c_where,
        CASE WHEN p_bounded THEN format(' AND (%s) >= $4::%s', p_rule ->> 'by', p_rule ->> 'by_type') ELSE '' END,
        v_order, v_same, v_output, CASE WHEN p_images THEN v_image ELSE 'NULL::pg_catalog.text' END, c_compiled ->> 'state',
        coalesce(c_compiled ->> 'scope_text', '''[]'''), CASE WHEN p_images THEN 'true' ELSE 'false' END,
        CASE WHEN c_history IS NULL THEN '' ELSE ', t AS whole' END,
        CASE WHEN c_history IS NULL THEN '' ELSE (SELECT format(', moved AS (INSERT INTO %s (%s) SELECT %s FROM gone)', c_history ->> 'relation',
                   string_agg(quote_ident(h.name), ', ' ORDER BY h.n), string_agg(format('(gone.whole).%I', h.name), ', ' ORDER BY h.n))
              FROM jsonb_array_elements_text(c_history -> 'columns') WITH ORDINALITY AS h (name, n)) END);
END
$fn$;

-- The next batch of a purge, at most p_limit rows in one transaction. The same p_batch again gives the same answer.
CREATE FUNCTION idemdesk.purge_batch(p_action uuid, p_batch integer, p_limit integer DEFAULT 1000) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' SET datestyle = 'ISO, YMD' SET timezone = 'UTC'
    SET intervalstyle = 'postgres' SET bytea_output = 'hex' SET extra_float_digits = 1
AS $fn$
DECLARE
    v_context  jsonb;
    v_rules    jsonb;
    v_rule     jsonb;
    v_number   integer;
    v_sweep    boolean;
    v_bound    text;
    v_images   boolean;
    v_scopes   text[];
    v_states   text[];
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
    v_images := (v_context -> 'plan' ->> 'images')::boolean IS NOT FALSE;
    v_states := ARRAY(SELECT jsonb_array_elements_text(v_context -> 'plan' -> 'states'));
    -- Each scope as the text of a JSON array, the form that scope_text has.
    v_scopes := ARRAY(SELECT s::text FROM jsonb_array_elements(
        CASE jsonb_typeof(v_context -> 'plan' -> 'scopes') WHEN 'array' THEN v_context -> 'plan' -> 'scopes' ELSE '[]' END) s);
    SELECT i.columns INTO v_columns FROM idemdesk._image((v_context ->> 'relation')::oid) i;
    PERFORM set_config('search_path', v_context ->> 'search_path', true);
    EXECUTE idemdesk._purge_sql(v_context, v_rule, v_bound IS NOT NULL, v_images)
       INTO v_picked, v_last, v_gone, v_keys, v_gone_images, v_groups, v_digest
      USING (v_context -> 'plan' ->> 'cutoff')::timestamptz, v_states, v_scopes, v_bound, (v_context ->> 'limit')::integer;
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
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
        jsonb_build_object('rule', v_number, 'by', v_bound, 'sweep', v_sweep, 'swept', v_swept), v_finished,
        jsonb_build_object('rows', v_gone, 'picked', v_picked, 'by_group', coalesce(v_groups, '[]'), 'identities', v_digest,
            'sweep', v_sweep, 'last', v_last));
    RETURN v_answer;
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.purge_batch(uuid, integer, integer) TO idemdesk_operator;
RESET ROLE;
