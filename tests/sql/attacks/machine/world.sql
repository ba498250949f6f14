-- SPDX-License-Identifier: GPL-3.0-or-later
-- The database that every run begins as: three owners of tables with their schemas, people beside those of the fixture,
-- and what nobody's action may touch. Belongs into the template, once.
CREATE ROLE other_owner LOGIN;
CREATE ROLE part_owner LOGIN;
CREATE ROLE duo LOGIN;     -- an operator who may also approve
CREATE ROLE mallory LOGIN; -- no member of anything; owns a schema that everybody may use
CREATE ROLE keeper;
GRANT idemdesk_operator, idemdesk_approver TO duo;
GRANT CREATE ON DATABASE console_template TO mallory;
SELECT idemdesk.make_runner('other_owner'), idemdesk.make_runner('part_owner');
GRANT part_owner TO idemdesk_runner_part_owner; -- so that it may detach partitions

DO $body$
DECLARE
    v record;
BEGIN
    FOR v IN SELECT * FROM (VALUES ('m_app', 'app_owner'), ('m_other', 'other_owner'), ('m_part',
        'part_owner')) AS x (s, o) LOOP
        EXECUTE replace(replace($sql$
            CREATE SCHEMA @s AUTHORIZATION @o;
            CREATE TABLE @s.kept AS SELECT i AS a, 'x' || i AS b FROM generate_series(1, 5) i;
            ALTER TABLE @s.kept OWNER TO keeper;
            SET LOCAL ROLE @o;
            CREATE TABLE @s.own AS SELECT i AS a FROM generate_series(1, 5) i;
            CREATE TABLE @s.ref (id int PRIMARY KEY);
            INSERT INTO @s.ref VALUES (1), (2), (3), (4);
            CREATE TABLE @s.log (what text);
            CREATE TABLE @s.eff (id text PRIMARY KEY, s text, k text,
                at timestamptz NOT NULL DEFAULT clock_timestamp());
            CREATE TYPE @s.scope_kind AS ENUM ('t0', 't1', 't2');
            CREATE TYPE @s.state_kind AS ENUM ('processing', 'succeeded', 'failed', 'dead', 'waiting', 'odd');
            CREATE TYPE @s.pair AS (a int, b text);
            CREATE DOMAIN @s.d_key AS text CHECK (VALUE <> '');
            CREATE DOMAIN @s.d_amount AS numeric CHECK (VALUE >= 0);
            GRANT USAGE ON SCHEMA @s TO PUBLIC;
            GRANT INSERT ON @s.log TO PUBLIC;
            GRANT SELECT ON @s.ref, @s.eff TO PUBLIC;
            GRANT INSERT ON @s.eff TO service;
            RESET ROLE;
        $sql$, '@s', v.s), '@o', v.o);
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO idemdesk_runner_%s', v.s, v.o);
    END LOOP;
END
$body$;

SET ROLE mallory;
CREATE SCHEMA evil;
GRANT USAGE ON SCHEMA evil TO PUBLIC;
CREATE FUNCTION evil.lower(text) RETURNS text LANGUAGE sql AS $$ SELECT 'evil' $$;
CREATE FUNCTION evil.format(text, text) RETURNS text LANGUAGE sql AS $$ SELECT NULL::text $$;
CREATE FUNCTION evil.jsonb_array_length(jsonb) RETURNS integer LANGUAGE sql AS $$ SELECT 0 $$;
CREATE FUNCTION evil.now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT '2090-01-01'::timestamptz $$;
CREATE FUNCTION evil.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$ SELECT '2090-01-01'::timestamptz $$;
CREATE FUNCTION evil.pg_has_role(name, text, text) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$;
CREATE FUNCTION evil.equal(text, text) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$;
CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.equal);
CREATE FUNCTION evil.passes(text) RETURNS text LANGUAGE sql AS $$ SELECT $1 $$;
RESET ROLE;
-- Looking at it would act.
CREATE VIEW evil.act AS SELECT idemdesk.approve_action((SELECT h.id FROM shadow.hint h ORDER BY h.n DESC LIMIT 1),
    true) AS a;
CREATE VIEW evil.stop AS SELECT idemdesk.set_action((SELECT h.id FROM shadow.hint h ORDER BY h.n DESC LIMIT 1),
    'cancelled') AS a;
GRANT SELECT ON evil.act, evil.stop TO PUBLIC;
