-- SPDX-License-Identifier: GPL-3.0-or-later
-- How statements on a target are built and judged. From here on what runs a target's code runs as idemdesk_runner,
-- which may change the registered targets but not the trail: whatever triggers or a profile's expressions do, they do
-- with no more.
--
-- Statements on a target are built from the target's row alone: names quoted, values bound, always in this order:
-- $1 now, $2 reason, $3 action, $4 effect id, $5 effect type, $6 identity, $7 guard values, $8 an image.
SET LOCAL ROLE idemdesk_runner;

-- One column as PostgreSQL's own output text. A cast to text is that text, but for types with a cast of their own.
CREATE FUNCTION idemdesk._output(p_value text, p_type oid) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN EXISTS (SELECT FROM pg_cast c JOIN pg_type t ON t.oid = p_type
                              WHERE c.casttarget = 'text'::regtype AND c.castmethod = 'f'
                                AND c.castsource IN (t.oid, t.typbasetype))
                  OR (SELECT t.typtype IN ('c', 'd') FROM pg_type t WHERE t.oid = p_type)
                THEN format('CASE WHEN pg_catalog.num_nulls(%1$s) = 0 THEN pg_catalog.format(''%%s'', %1$s) END', p_value)
                ELSE format('(%s)::pg_catalog.text', p_value) END
$fn$;

-- The stored columns of a table and the SQL of its image over t. Generated columns are left out: they follow from the
-- rest.
CREATE FUNCTION idemdesk._image(p_relation oid, OUT columns text[], OUT types text[], OUT sql text)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT array_agg(a.attname::text ORDER BY a.attnum), array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum),
           'ARRAY[' || string_agg(idemdesk._output(format('t.%I', a.attname), a.atttypid), ', ' ORDER BY a.attnum)
               || ']::pg_catalog.text[]'
      FROM pg_attribute a
     WHERE a.attrelid = p_relation AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
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

CREATE FUNCTION idemdesk._set_list(p_rule jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT string_agg(format('%I = (%s)', s.v ->> 0, s.v ->> 1), ', ' ORDER BY s.n)
      FROM jsonb_array_elements(p_rule -> 'set') WITH ORDINALITY AS s (v, n)
$fn$;

-- Failures that belong to one row; anything else ends the batch.
CREATE FUNCTION idemdesk._outcome(p_sqlstate text) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN p_sqlstate = '55P03' THEN 'locked'
                WHEN p_sqlstate IN ('40P01') THEN 'locked'
                WHEN p_sqlstate = '23505' OR p_sqlstate = '23P01' THEN 'unique_conflict'
                WHEN p_sqlstate LIKE '23%' THEN 'check'
                WHEN p_sqlstate = '42501' THEN 'privilege'
                WHEN p_sqlstate LIKE 'P0%' OR p_sqlstate LIKE '09%' OR p_sqlstate LIKE '27%' THEN 'refused'
                WHEN p_sqlstate LIKE '22%' OR p_sqlstate LIKE '42%' OR p_sqlstate LIKE '21%' OR p_sqlstate LIKE '44%' THEN 'error' END
$fn$;
RESET ROLE;
