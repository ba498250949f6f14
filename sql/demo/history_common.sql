-- SPDX-License-Identifier: GPL-3.0-or-later
-- Helpers of the history files, gone with the session. Everything they give depends on the item's number alone, and
-- times also on now(): two demos look alike.

-- What a load is fastest with.
SET jit = off;
SET work_mem = '64MB';
SET maintenance_work_mem = '128MB';

-- A number in [0, 1) for an item; salt keeps the uses apart.
CREATE FUNCTION pg_temp.dice(item bigint, salt integer) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (hashint8extended(item, salt) & 9007199254740991)::double precision / 9007199254740992;

-- A version 4 uuid for an item of some sort. The cast is immutable where item alone is not: so the body is inlined.
CREATE FUNCTION pg_temp.mark(sort text, item bigint) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN overlay(overlay(md5(sort || ':' || item::text) PLACING '4' FROM 13) PLACING '9' FROM 17)::uuid;

-- One of some texts.
CREATE FUNCTION pg_temp.pick(texts text[], share double precision) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN texts[1 + floor(share * cardinality(texts))::integer];

-- About total moments over the last 30 days, with the rhythm of days, nights and weekends, oldest first.
CREATE FUNCTION pg_temp.moments(total integer, salt integer) RETURNS TABLE (i bigint, at timestamptz)
LANGUAGE sql STABLE AS $body$
    WITH hour AS (
        SELECT h, now() - make_interval(hours => h) AS until,
               (1.25 + sin((extract(hour FROM now() - make_interval(hours => h)) - 8) / 24 * 2 * pi()))
                   * CASE WHEN extract(isodow FROM now() - make_interval(hours => h)) > 5 THEN 0.5 ELSE 1 END AS weight
          FROM generate_series(0, 719) AS h
    ), share AS (
        SELECT h, until, ceil(total * weight / sum(weight) OVER ())::integer AS items FROM hour
    )
    SELECT numbered.i, numbered.until - pg_temp.dice(numbered.i, salt) * interval '1 hour'
      FROM (SELECT row_number() OVER (ORDER BY h DESC, n) AS i, until
              FROM share, generate_series(1, items) AS n) AS numbered
$body$;

-- Takes a table's indexes and keys off, to be put back in one go when its rows are there: that takes half the time.
CREATE TEMPORARY TABLE aside (n bigint GENERATED ALWAYS AS IDENTITY, definition text NOT NULL);
CREATE FUNCTION pg_temp.set_aside(relation regclass) RETURNS void
LANGUAGE plpgsql AS $body$
DECLARE
    part record;
BEGIN
    FOR part IN
        SELECT i.indexrelid::regclass AS index, pg_get_indexdef(i.indexrelid) AS definition, c.conname AS key,
               pg_get_constraintdef(c.oid) AS key_definition
          FROM pg_index AS i
          LEFT JOIN pg_constraint AS c
            ON c.conindid = i.indexrelid AND c.conrelid = i.indrelid AND c.contype IN ('p', 'u')
         WHERE i.indrelid = relation
         ORDER BY i.indisprimary DESC, i.indexrelid
    LOOP
        IF part.key IS NULL THEN
            INSERT INTO aside (definition) VALUES (part.definition);
            EXECUTE format('DROP INDEX %s', part.index);
        ELSE
            INSERT INTO aside (definition)
            VALUES (format('ALTER TABLE %s ADD CONSTRAINT %I %s', relation, part.key, part.key_definition));
            EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', relation, part.key);
        END IF;
    END LOOP;
END
$body$;
CREATE FUNCTION pg_temp.put_back() RETURNS void
LANGUAGE plpgsql AS $body$
DECLARE
    part record;
BEGIN
    FOR part IN DELETE FROM aside RETURNING n, definition LOOP
        EXECUTE part.definition;
    END LOOP;
END
$body$;

-- Looks at all tables of a schema, for the planner; less closely than autovacuum will.
CREATE FUNCTION pg_temp.analyse(schema name) RETURNS void
LANGUAGE plpgsql SET default_statistics_target = 30 AS $body$
BEGIN
    EXECUTE (SELECT 'ANALYZE ' || string_agg(c.oid::regclass::text, ', ')
               FROM pg_class AS c
              WHERE c.relnamespace = schema::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition);
END
$body$;
