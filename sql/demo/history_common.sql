-- SPDX-License-Identifier: GPL-3.0-or-later
-- Helpers of the history files, gone with the session. Everything they give depends on the item's number alone, and
-- times also on now(): two demos look alike.

-- A number in [0, 1) for an item; salt keeps the uses apart.
CREATE FUNCTION pg_temp.dice(item bigint, salt integer) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (hashint8extended(item, salt) & 9007199254740991)::double precision / 9007199254740992;

-- A version 4 uuid for an item of some sort.
CREATE FUNCTION pg_temp.mark(sort text, item bigint) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN overlay(overlay(md5(sort || ':' || item) PLACING '4' FROM 13) PLACING '9' FROM 17)::uuid;

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
