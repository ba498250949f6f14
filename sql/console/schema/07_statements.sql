-- SPDX-License-Identifier: GPL-3.0-or-later
-- How statements on a target are built and judged. They are built from the target's row alone: names quoted, values
-- bound, always in this order: $1 now, $2 reason, $3 action, $4 effect id, $5 effect type, $6 identity, $7 guard values,
-- $8 an image. Only a trampoline runs them.
SET LOCAL ROLE idemdesk_owner;

-- Every text of a profile that statements are built from, by its key in "compiled". Whoever builds with another one adds
-- it here: what is not in this list is not judged.
CREATE FUNCTION idemdesk._expressions(p_compiled jsonb) RETURNS TABLE (key text, said text)
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT x.key, x.said
      FROM (SELECT m, p_compiled ->> m FROM unnest(ARRAY['state', 'status', 'stale', 'leased', 'empty_replay', 'readable',
                'key', 'scope_text', 'fingerprint', 'written']) m
            UNION ALL SELECT 'scope', s FROM jsonb_array_elements_text(coalesce(nullif(p_compiled -> 'scope', 'null'), '[]')) s
            UNION ALL SELECT 'in_state', i.value
                FROM jsonb_each_text(coalesce(nullif(p_compiled -> 'in_state', 'null'), '{}')) i
            UNION ALL SELECT 'purge.' || m, r ->> m
                FROM jsonb_array_elements(p_compiled -> 'purge') r, unnest(ARRAY['where', 'by']) m
            UNION ALL SELECT 'purge.by_type', format('($2)::%s', r ->> 'by_type')
                FROM jsonb_array_elements(p_compiled -> 'purge') r WHERE r ->> 'by_type' IS NOT NULL
            UNION ALL SELECT 'rules.set', s ->> 1
                FROM jsonb_array_elements(p_compiled -> 'rules') r, jsonb_array_elements(r -> 'set') s
            UNION ALL SELECT 'second.match', r -> 'second' ->> 'match' FROM jsonb_array_elements(p_compiled -> 'rules') r
            UNION ALL SELECT 'second.set', s ->> 1
                FROM jsonb_array_elements(p_compiled -> 'rules') r,
                     jsonb_array_elements(coalesce(nullif(r -> 'second', 'null') -> 'set', '[]')) s
            UNION ALL SELECT 'samples', a ->> 1
                FROM jsonb_array_elements(coalesce(nullif(p_compiled -> 'samples', 'null'), '[]')) a
            UNION ALL SELECT 'effects.' || m, e ->> m
                FROM jsonb_array_elements(p_compiled -> 'effects') e, unnest(ARRAY['sql', 'missing']) m
            UNION ALL SELECT 'identity', format('t.%I %s ($6)[%s]::%s', i.v ->> 'name', i.v ->> 'eq', i.n, i.v ->> 'type')
                FROM jsonb_array_elements(p_compiled -> 'identity') WITH ORDINALITY AS i (v, n)) x (key, said)
     WHERE x.said IS NOT NULL
$fn$;

-- One column as PostgreSQL's own output text. A cast to text is that text, but for types with a cast of their own.
CREATE FUNCTION idemdesk._output(p_value text, p_type oid) RETURNS text
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN (
        SELECT CASE WHEN EXISTS (SELECT FROM pg_cast c JOIN pg_type t ON t.oid = p_type
                                  WHERE c.casttarget = 'text'::regtype AND c.castmethod = 'f'
                                    AND c.castsource IN (t.oid, t.typbasetype))
                      OR (SELECT t.typtype IN ('c', 'd') FROM pg_type t WHERE t.oid = p_type)
                    THEN format('CASE WHEN pg_catalog.num_nulls(%1$s) = 0 THEN pg_catalog.format(''%%s'', %1$s) END',
                             p_value)
                    ELSE format('(%s)::pg_catalog.text', p_value) END);
END
$fn$;

-- The stored columns of a table and the SQL of its image over t. Generated columns are left out: they follow from the
-- rest.
CREATE FUNCTION idemdesk._image(p_relation oid, OUT columns text[], OUT types text[], OUT sql text)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    SELECT array_agg(a.attname::text ORDER BY a.attnum),
           array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum),
           'ARRAY[' || string_agg(idemdesk._output(format('t.%I', a.attname), a.atttypid), ', ' ORDER BY a.attnum)
               || ']::pg_catalog.text[]'
      INTO columns, types, sql
      FROM pg_attribute a
     WHERE a.attrelid = p_relation AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '';
END
$fn$;

-- "t.a = $6[1]::type AND …" with each type's own equality, so that the unique index serves (a citext key compared as
-- text would find nothing). p_names picks the columns; p_from says where the values are: $6 by place, or $8 by column
-- number.
CREATE FUNCTION idemdesk._match(p_compiled jsonb) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT string_agg(format('t.%I %s ($6)[%s]::%s', i.v ->> 'name', i.v ->> 'eq', i.n, i.v ->> 'type'), ' AND ' ORDER BY i.n)
      FROM jsonb_array_elements(p_compiled -> 'identity') WITH ORDINALITY AS i (v, n)
$fn$;

-- The guard columns are what the operator saw, to the microsecond: compared as the texts the server prints.
CREATE FUNCTION idemdesk._guard(p_relation oid, p_compiled jsonb) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(string_agg(format('%s IS NOT DISTINCT FROM %s', idemdesk._output(format('t.%I', a.attname), a.atttypid),
               idemdesk._output(format('(($7)[%s]::%s)', g.n, format_type(a.atttypid, a.atttypmod)), a.atttypid)),
               ' AND ' ORDER BY g.n), 'true')
      FROM jsonb_array_elements_text(p_compiled -> 'guard') WITH ORDINALITY AS g (name, n)
      JOIN pg_attribute a ON a.attrelid = p_relation AND a.attname = g.name AND NOT a.attisdropped
$fn$;

-- The second table whose row some rules of a profile change as well, because it holds the lock, too; NULL where there is
-- none.
CREATE FUNCTION idemdesk._second_of(p_compiled jsonb) RETURNS oid
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN CASE WHEN p_compiled -> 'second' ->> 'relation' IS NOT NULL
                THEN idemdesk._relation_named(p_compiled -> 'second' ->> 'relation') END;
END
$fn$;

-- Above so many rows an action on a target needs another person: the stricter of what holds for its table, and for the
-- second one that its rules change.
CREATE FUNCTION idemdesk._limit_of_target(p idemdesk.target) RETURNS bigint
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN least(idemdesk.limit_of(p.relation), idemdesk.limit_of(idemdesk._second_of(p.compiled)));
END
$fn$;

-- Does the login see every row that an action on this target may change?
CREATE FUNCTION idemdesk._sees_target(p idemdesk.target, p_login name) RETURNS boolean
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN idemdesk._sees_every_row(p.relation, p_login)
       AND (idemdesk._second_of(p.compiled) IS NULL OR idemdesk._sees_every_row(idemdesk._second_of(p.compiled), p_login));
END
$fn$;

-- The stored columns of a second table, those of its primary key, as which type and how that index compares each of
-- these (whatever the search path has for "=", and whatever fits a domain better), and the SQL of its image over s: a
-- JSON object of texts.
CREATE FUNCTION idemdesk._second_image(p_relation oid, OUT columns text[], OUT types text[], OUT keys text[], OUT likes text[],
    OUT equals text[], OUT sql text)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    SELECT array_agg(a.attname::text ORDER BY a.attnum),
           array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum),
           coalesce(array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attnum = ANY ((i.indkey::smallint[])[0:i.indnkeyatts - 1])), '{}'),
           format('pg_catalog.jsonb_object(%L::pg_catalog.text[], ARRAY[%s]::pg_catalog.text[])::pg_catalog.text',
               array_agg(a.attname::text ORDER BY a.attnum),
               string_agg(idemdesk._output(format('s.%I', a.attname), a.atttypid), ', ' ORDER BY a.attnum)),
           coalesce(array_agg(o.compared ORDER BY a.attnum) FILTER (WHERE o.compared IS NOT NULL), '{}'),
           coalesce(array_agg(o.operator ORDER BY a.attnum) FILTER (WHERE o.compared IS NOT NULL), '{}')
      INTO columns, types, keys, sql, likes, equals
      FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
      LEFT JOIN LATERAL (
          SELECT format_type(CASE y.typtype WHEN 'p' THEN a.atttypid ELSE c.opcintype END, -1),
                 format('OPERATOR(%I.%s)', n.nspname, o.oprname)
            FROM pg_opclass c JOIN pg_type y ON y.oid = c.opcintype
            JOIN pg_amop m ON m.amopfamily = c.opcfamily AND m.amoplefttype = c.opcintype
                 AND m.amoprighttype = c.opcintype AND m.amopstrategy = 3
            JOIN pg_operator o ON o.oid = m.amopopr JOIN pg_namespace n ON n.oid = o.oprnamespace
           -- Both count from 0, and what an index only includes has no class.
           WHERE c.oid = (i.indclass::oid[])[array_position(i.indkey::smallint[], a.attnum)]) o (compared, operator) ON true
     WHERE a.attrelid = p_relation AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '';
END
$fn$;

-- Columns of the table itself that rules write: by an expression, or with the value of another region's row.
CREATE FUNCTION idemdesk._written_columns(p_compiled jsonb) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT s.v ->> 0 FROM jsonb_array_elements(p_compiled -> 'rules') r, jsonb_array_elements(r -> 'set') AS s (v)
    UNION
    SELECT c.name FROM jsonb_array_elements(p_compiled -> 'rules') r,
           jsonb_array_elements_text(coalesce(nullif(r -> 'copy', 'null'), '[]')) AS c (name)
$fn$;

-- What a type is without lengths and domains: a cast to it never cuts or rounds.
CREATE FUNCTION idemdesk._bare_type(p_type oid) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    WITH RECURSIVE bare (oid, base, depth) AS (
        SELECT t.oid, t.typbasetype, 0 FROM pg_type t WHERE t.oid = p_type
        UNION ALL SELECT t.oid, t.typbasetype, b.depth + 1 FROM bare b JOIN pg_type t ON t.oid = b.base)
    SELECT format_type(b.oid, -1) FROM bare b ORDER BY b.depth DESC LIMIT 1
$fn$;

-- What an align rule copies, as a list for SET: "column" = ($8)[n], which the column takes as it takes any value that is
-- written: what is too long for it is an error. NULL where it copies nothing.
CREATE FUNCTION idemdesk._copy_list(p_relation oid, p_rule jsonb) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT string_agg(format('%I = (($8)[%s]::%s)', a.attname, c.n, idemdesk._bare_type(a.atttypid)), ', ' ORDER BY c.n)
      FROM jsonb_array_elements_text(coalesce(nullif(p_rule -> 'copy', 'null'), '[]')) WITH ORDINALITY AS c (name, n)
      JOIN pg_attribute a ON a.attrelid = p_relation AND a.attname = c.name AND NOT a.attisdropped
$fn$;

-- Whether the row t holds what an align copied, each value to the last digit.
CREATE FUNCTION idemdesk._copied(p_relation oid, p_rule jsonb) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(string_agg(format('coalesce((t.%1$I)::pg_catalog.text OPERATOR(pg_catalog.=) (($8)[%2$s]::%3$s)::pg_catalog.text, '
               't.%1$I IS NULL AND ($8)[%2$s] IS NULL)', a.attname, c.n, idemdesk._bare_type(a.atttypid)), ' AND ' ORDER BY c.n), 'true')
      FROM jsonb_array_elements_text(coalesce(nullif(p_rule -> 'copy', 'null'), '[]')) WITH ORDINALITY AS c (name, n)
      JOIN pg_attribute a ON a.attrelid = p_relation AND a.attname = c.name AND NOT a.attisdropped
$fn$;

CREATE FUNCTION idemdesk._set_list(p_rule jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT string_agg(format('%I = (%s)', s.v ->> 0, s.v ->> 1), ', ' ORDER BY s.n)
      FROM jsonb_array_elements(p_rule -> 'set') WITH ORDINALITY AS s (v, n)
$fn$;

-- Did code of the row raise this itself, with RAISE? Then it may call itself what it likes, and is that row's failure.
-- Not where the server says just so that somebody cancelled: its word may come while such code is at a RAISE.
CREATE FUNCTION idemdesk._raised_by_row(p_sqlstate text, p_message text, p_where text) RETURNS boolean
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(split_part(p_where, E'\n', 1) ~ '\mRAISE$', false)
       AND NOT (p_sqlstate = '57014' AND starts_with(p_message, 'canceling statement due to '))
$fn$;

-- Did it happen within code of the table, as of a trigger or of a function that an expression calls? A line of that in
-- the context is never missing then; who forges one makes of a failure that of the row.
CREATE FUNCTION idemdesk._within_code(p_where text) RETURNS boolean
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(p_where ~ '(?n)^PL/\w+ function (?!"?idemdesk"?[.])' OR p_where ~ '(?n)^SQL function "(?!_)', false)
$fn$;

-- What ends a batch whichever row it came with: the server is out of something, shuts down, is broken or was told to
-- cancel. Not that one row's code asked for more memory or temporary space than there is (53200, 53400, or XX000 for a
-- request that no server grants), nor what goes wrong within such code (a library that is not there, another server that
-- it writes to): it would do so at each retry. A full disk and a cancel are the server's, wherever they come. Everything
-- else, whatever it is called, is the failure of one row. A handler that asks this must name query_canceled and
-- assert_failure beside OTHERS, which is neither.
CREATE FUNCTION idemdesk._ends_batch(p_sqlstate text, p_message text, p_where text) RETURNS boolean
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT p_sqlstate ~ '^(08|53|57|58|F0|XX)' AND p_sqlstate NOT IN ('53200', '53400', 'XX000')
       AND NOT idemdesk._raised_by_row(p_sqlstate, p_message, p_where)
       AND (NOT idemdesk._within_code(p_where) OR p_sqlstate = '53100'
            OR (starts_with(p_message, 'canceling statement due to ') AND p_where !~ '(?n)^remote SQL command: '))
$fn$;

-- May whoever acts hear why a batch ended? A server's message may name what a row's code did with values of the row.
CREATE FUNCTION idemdesk._may_hear_end(p_relation oid, p_where text) RETURNS boolean
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN (NOT idemdesk._within_code(p_where) AND NOT coalesce(split_part(p_where, E'\n', 1) ~ '\mRAISE$', false))
        OR idemdesk._may_read_all(p_relation);
END
$fn$;

-- What a failure that belongs to one row is called.
CREATE FUNCTION idemdesk._outcome(p_sqlstate text) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN p_sqlstate = '55P03' OR p_sqlstate LIKE '40%' THEN 'locked'
                WHEN p_sqlstate = '23505' OR p_sqlstate = '23P01' THEN 'unique_conflict'
                WHEN p_sqlstate LIKE '23%' THEN 'check'
                WHEN p_sqlstate = '42501' THEN 'privilege'
                WHEN p_sqlstate LIKE '22%' OR p_sqlstate LIKE '42%' OR p_sqlstate LIKE '21%' OR p_sqlstate LIKE '44%'
                     OR p_sqlstate LIKE '54%' THEN 'error'
                ELSE 'refused' END
$fn$;

-- A state as it may be told to everybody. What a profile's expression gives beside the known ones may be any value of
-- the row.
CREATE FUNCTION idemdesk._state_told(p_state text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN CASE WHEN p_state IN ('pending', 'in_progress', 'succeeded', 'failed_retryable', 'failed_final') THEN p_state
                ELSE 'unknown' END;
END
$fn$;

-- A row's state, asked for in a way that fails where any expression of the profile does: such a row has none to act on.
CREATE FUNCTION idemdesk._whole_state(p_compiled jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN p_compiled ->> 'readable' IS NULL THEN s.state
                ELSE format('CASE WHEN %s THEN %s END', p_compiled ->> 'readable', s.state) END
      FROM (SELECT coalesce(p_compiled ->> 'state', '''unknown''')) AS s (state)
$fn$;

-- A row on which an expression of the profile fails counts as unknown and is part of no action. A statement over many
-- rows dies of one such row. This finds them by their places: parts of the table are tried, and those in which a row
-- fails are halved; partitions are read through their table, whose rights they have. p_tries are aggregates over t.
-- Together with the ones known already ("around" of the context): {"n", "many", "rows": {table: [place, …]}}.
CREATE FUNCTION idemdesk._unreadable(p_context jsonb, p_tries text[], p_now timestamptz) RETURNS jsonb
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_parts CONSTANT bigint := 16;  -- only those with a bad row are read a second time
    c_most  CONSTANT integer := 100;
    c_from  CONSTANT text := (SELECT format('FROM %I.%I t WHERE ', n.nspname, c.relname) FROM pg_class c
                                JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = (p_context ->> 'relation')::oid);
    c_try   CONSTANT text := format('SELECT pg_catalog.num_nulls(%s) %s(%s) AND ', array_to_string(p_tries, ', '), c_from,
                                idemdesk._around(p_context -> 'around'));
    c_path  CONSTANT text := p_context ->> 'search_path';
    v_rows  jsonb := coalesce(p_context -> 'around' -> 'rows', '{}');
    v_n     integer := coalesce((p_context -> 'around' ->> 'n')::integer, 0);
    v_end   bigint;
    v_from  bigint[];
    v_to    bigint[];   -- NULL: to the end, wherever that is by now
    v_a     bigint;
    v_b     bigint;
    v_part  text;
    v_table text;
    v_place text;
BEGIN
    -- What fails on no row at all (a right that is missing, a column that is gone) is no row's fault.
    IF idemdesk._fails(p_context, c_try || 'false', p_now) THEN
        RETURN jsonb_build_object('n', v_n, 'many', false, 'rows', v_rows);
    END IF;
    WITH RECURSIVE part (oid) AS (
        SELECT (p_context ->> 'relation')::oid
        UNION SELECT i.inhrelid FROM pg_inherits i JOIN part ON part.oid = i.inhparent)
    SELECT coalesce(max(pg_relation_size(c.oid)), 0) / current_setting('block_size')::bigint INTO v_end
      FROM part JOIN pg_class c ON c.oid = part.oid WHERE c.relkind = 'r';
    SELECT array_agg(g.a ORDER BY g.a DESC), array_agg(CASE WHEN g.a + z.size < v_end THEN g.a + z.size END ORDER BY g.a DESC)
      INTO v_from, v_to
      FROM (SELECT greatest(1, v_end / c_parts) AS size) z, generate_series(0, greatest(0, v_end - 1), z.size) AS g (a);
    WHILE cardinality(v_from) > 0 AND v_n < c_most LOOP
        v_a := v_from[cardinality(v_from)];
        v_b := v_to[cardinality(v_to)];
        v_from := trim_array(v_from, 1);
        v_to := trim_array(v_to, 1);
        v_part := format('t.ctid >= ''(%s,0)''::pg_catalog.tid', v_a)
            || CASE WHEN v_b IS NULL THEN '' ELSE format(' AND t.ctid < ''(%s,0)''::pg_catalog.tid', v_b) END;
        CONTINUE WHEN NOT idemdesk._fails(p_context, c_try || v_part, p_now);
        IF coalesce(v_b, v_end) - v_a > 1 THEN
            v_from := v_from || ARRAY[(v_a + coalesce(v_b, v_end)) / 2, v_a];
            v_to := v_to || ARRAY[v_b, (v_a + coalesce(v_b, v_end)) / 2];
            CONTINUE;
        END IF;
        FOR v_table IN SELECT jsonb_array_elements_text(idemdesk._look(p_context ->> 'run', 'said text[]',
            'SELECT pg_catalog.array_agg(DISTINCT t.tableoid::pg_catalog.text) ' || c_from || v_part, c_path,
                p_now) -> 'said')
        LOOP
            CONTINUE WHEN NOT idemdesk._fails(p_context, c_try || v_part || ' AND t.tableoid = ' || v_table, p_now);
            FOR v_place IN SELECT jsonb_array_elements_text(idemdesk._look(p_context ->> 'run', 'said text[]',
                'SELECT pg_catalog.array_agg(t.ctid::pg_catalog.text) ' || c_from || v_part || ' AND t.tableoid = ' ||
                    v_table,
                c_path, p_now) -> 'said')
            LOOP
                IF v_n < c_most AND idemdesk._fails(p_context, c_try || format('t.ctid = %L::pg_catalog.tid AND t.tableoid = %s',
                        v_place, v_table), p_now) THEN
                    v_rows := v_rows || jsonb_build_object(v_table, coalesce(v_rows -> v_table, '[]') || to_jsonb(v_place));
                    v_n := v_n + 1;
                END IF;
            END LOOP;
        END LOOP;
    END LOOP;
    RETURN jsonb_build_object('n', v_n, 'many', v_n >= c_most, 'rows', v_rows);
END
$fn$;

-- Does this statement, which gives one number, fail on a row? It runs read-only and is taken back.
CREATE FUNCTION idemdesk._fails(p_context jsonb, p_statement text, p_now timestamptz) RETURNS boolean
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_n     integer;
    v_done  boolean := false;
    v_where text;
BEGIN
    PERFORM set_config('transaction_read_only', 'on', true);
    EXECUTE idemdesk._call(p_context ->> 'run', 'n integer') INTO v_n
      USING true, p_statement, p_context ->> 'search_path', p_now, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text[],
            NULL::text[], NULL::text[];
    v_done := true;
    RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
    GET STACKED DIAGNOSTICS v_where = PG_EXCEPTION_CONTEXT;
    IF NOT v_done AND idemdesk._ends_batch(SQLSTATE, SQLERRM, v_where) THEN
        RAISE;
    END IF;
    RETURN NOT v_done;
END
$fn$;

-- A condition over t that holds for all rows but the unreadable ones.
CREATE FUNCTION idemdesk._around(p_around jsonb) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN (p_around ->> 'many')::boolean THEN 'false'
                ELSE coalesce('CASE t.tableoid' || string_agg(format(' WHEN %s THEN t.ctid <> ALL (%L::pg_catalog.tid[])', o.key,
                         ARRAY(SELECT jsonb_array_elements_text(o.value))), '') || ' ELSE true END', 'true') END
      FROM jsonb_each(p_around -> 'rows') o
$fn$;
RESET ROLE;
