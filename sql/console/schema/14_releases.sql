-- SPDX-License-Identifier: GPL-3.0-or-later
-- Claims in a cache that hold retries off although their row is finished, or gone. A person releases them, with the
-- right that person has there; it is written down before it is done, as a signal to a session is. Whether it may be done
-- is read from the table itself: only what the cache said, and what came of it, is the client's word.
SET LOCAL ROLE idemdesk_owner;

CREATE TABLE idemdesk.cache_release (
    id           uuid PRIMARY KEY,
    target       text NOT NULL,
    relation     oid NOT NULL,
    cache        text NOT NULL,  -- where it is, as the client said it; without a password
    entry        text NOT NULL,  -- its name there
    value        text NOT NULL,  -- that was seen there, and is the only one that is deleted
    claims       text NOT NULL CHECK (claims IN ('pending', 'in_progress')), -- what the profile says of that value
    found        jsonb NOT NULL, -- the states of the rows that it stands for; []: there was none
    reason       text NOT NULL CHECK (reason ~ '[^[:space:]]'),
    ticket       text,
    requested_by text NOT NULL,
    requested_at timestamptz NOT NULL,
    outcome      text CHECK (outcome IN ('deleted', 'changed', 'gone', 'refused', 'unknown')) -- NULL: nobody said
);
-- One, and what came of it, is looked for by its id, in a log that grows.
CREATE INDEX audit_releases ON idemdesk.audit ((facts ->> 'id'), seq) WHERE what IN ('release', 'release_end');
CREATE INDEX cache_release_of_login ON idemdesk.cache_release (relation, requested_by, requested_at);
CREATE INDEX cache_release_of_entry ON idemdesk.cache_release (relation, entry);
CREATE INDEX cache_release_age ON idemdesk.cache_release (requested_at);

-- For those who may read the table as a whole: names and values of entries are values of its rows.
CREATE VIEW idemdesk.cache_release_seen WITH (security_barrier) AS
    SELECT r.* FROM idemdesk.cache_release r WHERE r.relation = ANY (ARRAY(SELECT idemdesk.readable_tables()));
GRANT SELECT ON idemdesk.cache_release_seen TO idemdesk_viewer;

-- What the trail keeps of it: all that was said but for the table's number and the outcome, as a digest.
CREATE FUNCTION idemdesk._release_sha(p_id uuid) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT encode(idemdesk._keyed(sha256(convert_to(jsonb_build_array(r.target, r.cache, r.entry, r.value, r.claims,
               r.found, r.reason, r.ticket, r.requested_by, (extract(epoch FROM r.requested_at) * 1000000)::bigint)::text,
               'UTF8'))), 'hex')
      FROM idemdesk.cache_release r WHERE r.id = p_id
$fn$;

-- How entries are called, by a profile's "cache": the texts around the values, and which value stands between them: 0 is
-- the key, n the n-th part of the scope. NULL where the form leads back to no row.
CREATE FUNCTION idemdesk._cache_form(p_profile jsonb, p_compiled jsonb, OUT texts text[], OUT parts integer[])
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_form  CONSTANT text := p_profile -> 'cache' ->> 'key';
    c_parts CONSTANT integer := jsonb_array_length(coalesce(nullif(p_compiled -> 'scope', 'null'), '[]'));
    v_token text;
    v_name  text;
    v_text  text := '';
    v_seen  text := '';
BEGIN
    texts := '{}';
    parts := '{}';
    FOR v_token IN SELECT m.token[1] FROM regexp_matches(c_form, '\{\{|\}\}|\{[^{}]*\}|[^{}]+', 'g') AS m (token) LOOP
        v_seen := v_seen || v_token;
        IF v_token IN ('{{', '}}') THEN
            v_text := v_text || left(v_token, 1);
        ELSIF v_token LIKE '{%' THEN
            v_name := btrim(v_token, '{}');
            texts := texts || v_text;
            v_text := '';
            parts := parts || CASE WHEN v_name = 'key' OR p_compiled ->> 'key' IN ('t.' || v_name, format('t.%I', v_name)) THEN 0
                ELSE (SELECT min(g.n) FROM generate_series(1, c_parts) AS g (n)
                       WHERE p_profile -> 'scope' -> (g.n - 1) ->> 'label' = v_name
                          OR p_compiled -> 'scope' ->> (g.n - 1) IN ('t.' || v_name, format('t.%I', v_name))) END;
        ELSE
            v_text := v_text || v_token;
        END IF;
    END LOOP;
    texts := texts || v_text;
    -- A text between any two values tells where the first one ends.
    IF v_seen IS DISTINCT FROM c_form OR '' = ANY (texts[2:cardinality(parts)])
       OR (SELECT count(DISTINCT p) <> c_parts + 1 FROM unnest(parts) p) OR cardinality(parts) <> c_parts + 1 THEN
        texts := NULL;
        parts := NULL;
    END IF;
END
$fn$;

-- The values that an entry's name may stand for, in the order of its form: several where one holds the text that parts
-- the values. Part by part, and no more than 64 of them: whoever names a key must not choose how long this takes.
CREATE FUNCTION idemdesk._cache_readings(p_texts text[], p_entry text) RETURNS TABLE (found text[])
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_last CONSTANT text := p_texts[cardinality(p_texts)];
    v_open jsonb; -- of what was read so far: what is left of the name, and the values before it
BEGIN
    IF NOT starts_with(p_entry, p_texts[1]) THEN
        RETURN;
    END IF;
    v_open := jsonb_build_array(jsonb_build_array(substr(p_entry, length(p_texts[1]) + 1), '[]'::jsonb));
    FOR v_n IN 2..cardinality(p_texts) - 1 LOOP
        SELECT jsonb_agg(x.reading) INTO v_open
          FROM (SELECT jsonb_build_array(substr(o ->> 0, g.at + length(p_texts[v_n])), (o -> 1) || to_jsonb(left(o ->> 0, g.at - 1))) AS reading
                  FROM jsonb_array_elements(v_open) o CROSS JOIN LATERAL generate_series(1, length(o ->> 0) + 1) AS g (at)
                 WHERE starts_with(substr(o ->> 0, g.at), p_texts[v_n]) LIMIT 65) x;
        IF jsonb_array_length(v_open) > 64 THEN
            RAISE EXCEPTION 'This entry may stand for too many rows.' USING ERRCODE = 'ID005';
        END IF;
    END LOOP;
    RETURN QUERY
    SELECT ARRAY(SELECT v.value FROM jsonb_array_elements_text(o -> 1) WITH ORDINALITY AS v (value, n) ORDER BY v.n)
               || left(o ->> 0, length(o ->> 0) - length(c_last))
      FROM jsonb_array_elements(v_open) o
     WHERE length(o ->> 0) >= length(c_last) AND right(o ->> 0, length(c_last)) = c_last;
END
$fn$;

-- As which type a value is compared, and by which operator: the type's own, so that an index serves.
CREATE FUNCTION idemdesk._equality(p_type oid, OUT compared text, OUT operator text)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    WITH RECURSIVE bare (oid, base, depth) AS (
        SELECT t.oid, t.typbasetype, 0 FROM pg_type t WHERE t.oid = p_type
        UNION ALL SELECT t.oid, t.typbasetype, b.depth + 1 FROM bare b JOIN pg_type t ON t.oid = b.base)
    SELECT format_type(b.oid, -1), format('OPERATOR(%I.=)', coalesce((
               SELECT n.nspname FROM pg_type y JOIN pg_operator o ON o.oprnamespace = y.typnamespace AND o.oprowner = y.typowner
                 JOIN pg_namespace n ON n.oid = o.oprnamespace
                WHERE y.oid = b.oid AND o.oprname = '=' AND o.oprleft = y.oid AND o.oprright = y.oid), 'pg_catalog'))
      FROM bare b ORDER BY b.depth DESC LIMIT 1
$fn$;

-- Who writes to a table, or a part of it, in a transaction that began before the session asked, and has not ended two
-- seconds later; NULL where each of them ended: the next query sees what they made. Who began later does not count: a busy
-- table always has one. Of whom it is not known when he began, he counts.
CREATE FUNCTION idemdesk._lasting_writer(p_relation oid) RETURNS text
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_database CONSTANT oid := (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
    c_until    CONSTANT timestamptz := statement_timestamp() + interval '2 seconds';
    c_tables   CONSTANT oid[] := ARRAY(WITH RECURSIVE part (oid) AS (
        SELECT p_relation UNION SELECT i.inhrelid FROM part p JOIN pg_inherits i ON i.inhparent = p.oid) SELECT p.oid FROM part p);
    v_first    text[];
    v_found    text[];
    v_who      text;
    v_pause    double precision := 0.001; -- seconds: most work is short
BEGIN
    PERFORM pg_stat_clear_snapshot();
    LOOP
        SELECT array_agg(l.virtualtransaction), min(format('%s writes to %s.',
                   coalesce('The process ' || l.pid, 'A prepared transaction'), l.relation::regclass)) INTO v_found, v_who
          FROM pg_locks l
         WHERE l.locktype = 'relation' AND l.granted AND l.mode = 'RowExclusiveLock' AND l.database = c_database
           AND l.relation = ANY (c_tables) AND l.pid IS DISTINCT FROM pg_backend_pid()
           AND CASE WHEN v_first IS NOT NULL THEN l.virtualtransaction = ANY (v_first)
                    ELSE NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = l.pid AND a.xact_start > statement_timestamp()) END;
        v_first := coalesce(v_first, v_found);
        IF v_found IS NULL OR clock_timestamp() >= c_until THEN
            RETURN v_who;
        END IF;
        PERFORM pg_sleep(v_pause);
        v_pause := least(v_pause * 2, 0.1);
    END LOOP;
END
$fn$;

-- A row that a transaction is just changing counts as unknown: what it will say is not known. Where there is none, and
-- p_await, who writes to the table may have made one: that is waited for, and refused where it takes too long.
-- The states of all rows that an entry of this name may stand for, as the table says it now; [] where there is none. A row
-- with NULL in a part of its scope may be called by any text there: how a service writes that only the service knows.
CREATE FUNCTION idemdesk._cached_rows(p_target idemdesk.target, p_profile jsonb, p_entry text, p_await boolean)
    RETURNS jsonb
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_run   CONSTANT text := idemdesk._trampoline_of(p_target.relation);
    c_now   CONSTANT timestamptz := clock_timestamp();
    v_form  record;
    v_sql   text[];
    v_types jsonb;
    v_same  text;
    v_reading record;
    v_values text[];
    v_n     integer := 0;
    v_found jsonb;
    v_all   jsonb := '[]';
    v_lacks boolean := false;
    v_who   text;
BEGIN
    SELECT f.* INTO v_form FROM idemdesk._cache_form(p_profile, p_target.compiled) f;
    IF v_form.texts IS NULL THEN
        RAISE EXCEPTION 'The profile of "%" does not say which row an entry stands for.', p_target.name USING ERRCODE = 'ID005',
            HINT = 'Look at "cache" in it, and register the table again.';
    END IF;
    v_sql := ARRAY(SELECT CASE f.part WHEN 0 THEN p_target.compiled ->> 'key' ELSE p_target.compiled -> 'scope' ->> (f.part - 1) END
                     FROM unnest(v_form.parts) WITH ORDINALITY AS f (part, n) ORDER BY f.n);
    v_types := idemdesk._look(c_run, 'types oid[]', format('SELECT ARRAY[%s]::pg_catalog.oid[] FROM (SELECT (NULL::%s).*) t',
        (SELECT string_agg(format('pg_catalog.pg_typeof((%s))', s.sql), ', ' ORDER BY s.n) FROM unnest(v_sql) WITH ORDINALITY AS s (sql, n)),
        p_target.compiled ->> 'relation'), p_target.search_path, c_now) -> 'types';
    SELECT string_agg(format(CASE v_form.parts[s.n] WHEN 0 THEN '(%1$s) %2$s ($6)[%3$s]::%4$s'
               ELSE '((%1$s) %2$s ($6)[%3$s]::%4$s OR (%1$s) IS NULL)' END, s.sql, e.operator, s.n, e.compared), ' AND ' ORDER BY s.n)
      INTO v_same
      FROM unnest(v_sql) WITH ORDINALITY AS s (sql, n)
     CROSS JOIN LATERAL idemdesk._equality((v_types ->> (s.n - 1)::integer)::oid) e;
    FOR v_reading IN SELECT r.found FROM idemdesk._cache_readings(v_form.texts, p_entry) r LOOP
        v_n := v_n + 1;
        -- What is no value of its type may be how NULL is written.
        v_values := ARRAY(SELECT CASE WHEN v_form.parts[x.n] <> 0 AND y.typcategory <> 'S'
                                       AND lower(x.value) IN ('', 'null', 'none', 'nil', 'undefined') THEN NULL ELSE x.value END
                            FROM unnest(v_reading.found) WITH ORDINALITY AS x (value, n)
                            JOIN pg_type y ON y.oid = (v_types ->> (x.n - 1)::integer)::oid ORDER BY x.n);
        -- A service writes a value in one way; another spelling of it finds no row where there is one.
        IF idemdesk._look(c_run, 'same boolean', format('SELECT %s AS same', (SELECT string_agg(format(
               '(($6)[%s] IS NULL OR ($6)[%1$s]::%s::pg_catalog.text OPERATOR(pg_catalog.=) ($6)[%1$s])', s.n, e.compared),
               ' AND ' ORDER BY s.n)
             FROM unnest(v_sql) WITH ORDINALITY AS s (sql, n)
            CROSS JOIN LATERAL idemdesk._equality((v_types ->> (s.n - 1)::integer)::oid) e)), p_target.search_path, c_now,
               p_identity => v_values) -> 'same' IS DISTINCT FROM 'true' THEN
            RAISE EXCEPTION 'An entry of "%" does not write its values so.', p_target.name USING ERRCODE = 'ID005',
                HINT = 'A value must stand in the name as the server writes it.';
        END IF;
        v_found := coalesce(idemdesk._look(c_run, 'states text[]', format('SELECT pg_catalog.array_agg(x.state) FROM '
            '(SELECT CASE WHEN NOT EXISTS (SELECT FROM pg_catalog.pg_locks l WHERE l.transactionid OPERATOR(pg_catalog.=) t.xmax '
            'AND l.granted) THEN (%s) END AS state FROM %s t WHERE %s LIMIT 101) x', idemdesk._whole_state(p_target.compiled),
            p_target.compiled ->> 'relation', v_same), p_target.search_path, c_now, p_identity => v_values) -> 'states', '[]');
        v_lacks := v_lacks OR v_found = '[]';
        v_all := v_all || v_found;
    END LOOP;
    IF v_n = 0 THEN
        RAISE EXCEPTION 'This is no name of an entry of "%".', p_target.name USING ERRCODE = 'ID005',
            HINT = 'The profile''s "cache" says how they are called.';
    ELSIF jsonb_array_length(v_all) > 100 THEN
        RAISE EXCEPTION 'This entry may stand for too many rows.' USING ERRCODE = 'ID005';
    END IF;
    IF v_lacks AND p_await THEN
        v_who := idemdesk._lasting_writer(p_target.relation);
        IF v_who IS NOT NULL THEN
            RAISE EXCEPTION 'Somebody is writing to the table of "%" just now, so the row of this claim may not be seen yet.',
                p_target.name USING ERRCODE = 'ID005', DETAIL = v_who, HINT = 'Try again in a moment.';
        END IF;
        RETURN idemdesk._cached_rows(p_target, p_profile, p_entry, false);
    END IF;
    RETURN (SELECT coalesce(jsonb_agg(idemdesk._state_told(s #>> '{}')), '[]') FROM jsonb_array_elements(v_all) s);
END
$fn$;

-- What the profile says of a value in the cache: a state, or NULL.
CREATE FUNCTION idemdesk._cached_state(p_profile jsonb, p_value text) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(p_profile -> 'cache' -> 'values' ->> p_value, p_profile -> 'cache' -> 'values' ->> '*')
$fn$;

-- Raises where the cached claim may be right: somebody may be at the row, or it cannot be known.
CREATE FUNCTION idemdesk._require_wrong_claim(p_claims text, p_found jsonb) RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    IF p_claims IS NULL OR p_claims NOT IN ('pending', 'in_progress') THEN
        RAISE EXCEPTION 'The entry claims nothing: its value does not say that somebody is at it.' USING ERRCODE = 'ID005',
            HINT = 'Only an entry that says so holds retries off. The profile''s "cache" tells what values mean.';
    ELSIF p_found @> '["unknown"]' THEN
        RAISE EXCEPTION 'What the row says is not known, so the claim may be right.' USING ERRCODE = 'ID005',
            HINT = 'Look at its status in the profile''s "states".';
    ELSIF p_found @> '["in_progress"]' OR p_found @> '["pending"]' THEN
        RAISE EXCEPTION 'The row is % in the table, too, so the claim may be that of somebody at work.',
            CASE WHEN p_found @> '["in_progress"]' THEN 'in progress' ELSE 'pending' END USING ERRCODE = 'ID005',
            HINT = 'Recover the key first, where nobody works on it.';
    END IF;
END
$fn$;

-- Another table's entries may be called alike: none of their rows is at work, either.
CREATE FUNCTION idemdesk._require_claim_of_none(p_but text, p_entry text) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_other idemdesk.target;
    v_found jsonb;
BEGIN
    FOR v_other IN SELECT t.* FROM idemdesk.target t CROSS JOIN LATERAL idemdesk._cache_form(t.profile::jsonb, t.compiled) f
                    WHERE t.name <> p_but AND f.texts IS NOT NULL
                      AND EXISTS (SELECT FROM idemdesk._cache_readings(f.texts, p_entry)) ORDER BY t.name LOOP
        BEGIN
            v_found := idemdesk._cached_rows(v_other, v_other.profile::jsonb, p_entry, true);
        EXCEPTION WHEN data_exception THEN
            CONTINUE; -- no row of that table is called so
        END;
        IF v_found ?| ARRAY['in_progress', 'pending', 'unknown'] THEN
            RAISE EXCEPTION 'The entry may be that of "%", whose row is not finished.', v_other.name USING ERRCODE = 'ID005',
                HINT = 'Both profiles call their entries alike.';
        END IF;
    END LOOP;
END
$fn$;

-- More of them within an hour than one person may do on this table is for two people to decide, and those act on the table.
CREATE FUNCTION idemdesk._require_few_releases(p_target idemdesk.target, p_who text) RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_most  CONSTANT bigint := 1000; -- where the table sets no limit, or a higher one
    c_above CONSTANT bigint := least(coalesce(idemdesk._limit_of_target(p_target), c_most), c_most);
    v_done  bigint;
BEGIN
    SELECT count(*) INTO v_done FROM idemdesk.cache_release r
     WHERE r.relation = p_target.relation AND r.requested_by = p_who AND r.requested_at > clock_timestamp() - interval '1 hour';
    IF v_done >= c_above THEN
        RAISE EXCEPTION 'One person may change % rows of "%", and % released % claims within an hour.', c_above, p_target.name,
            p_who, v_done USING ERRCODE = 'ID008', HINT = 'Have another person go on, or wait.';
    END IF;
END
$fn$;

-- Writes down that a cached claim is about to be released. The session that asks then deletes the entry where its value is
-- still p_value, with its own right there, and says what came of it. p_cache says where that is. Gives {"outcome": "open",
-- or what was said of it already, "found": the states of its rows}.
CREATE FUNCTION idemdesk.open_release(p_id uuid, p_target text, p_cache text, p_entry text, p_value text, p_reason text,
    p_ticket text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_context text;
    v_who     text;
    v_target  idemdesk.target;
    v_row     idemdesk.cache_release;
    v_again   boolean;
    v_seq     bigint;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    v_who := idemdesk._enter('idemdesk_operator', v_context, 'open_release');
    SELECT r.* INTO v_row FROM idemdesk.cache_release r WHERE r.id = p_id;
    v_again := FOUND;
    IF v_again THEN
        IF (v_row.target, v_row.cache, v_row.entry, v_row.value, v_row.reason, v_row.ticket, v_row.requested_by)
           IS DISTINCT FROM (p_target, p_cache, p_entry, p_value, p_reason, nullif(p_ticket, ''), v_who) THEN
            RAISE EXCEPTION 'Another action has this id already.' USING ERRCODE = 'ID007';
        ELSIF v_row.outcome IS NOT NULL THEN
            RETURN jsonb_build_object('outcome', v_row.outcome, 'found', v_row.found);
        END IF; -- else it is looked at again: what held once may not hold now
    END IF;
    IF NOT v_again AND EXISTS (SELECT FROM ONLY idemdesk.audit a WHERE a.what = 'release' AND a.facts ->> 'id' = p_id::text) THEN
        RAISE EXCEPTION 'Another action has this id already.' USING ERRCODE = 'ID007'; -- of long ago: its row is gone
    END IF;
    PERFORM idemdesk._require_guard();
    PERFORM idemdesk._require_reason_of_one(v_who, p_reason);
    IF p_id IS NULL OR idemdesk._says_nothing(p_cache) OR coalesce(p_entry, '') = '' OR p_value IS NULL
       OR length(p_cache) > 300 OR length(p_entry) > 1000 OR length(p_value) > 1000 THEN
        RAISE EXCEPTION 'A release needs the cache, the entry and its value.' USING ERRCODE = 'ID005',
            HINT = 'Name and value have at most 1,000 characters.';
    END IF;
    SELECT t.* INTO v_target FROM idemdesk.target t WHERE t.name = p_target FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The target "%" is not registered.', p_target USING ERRCODE = 'ID005',
            HINT = 'An idemdesk_admin registers it with "targets add".';
    END IF;
    PERFORM idemdesk._require_target(v_target);
    -- "No row" must not mean one that the role does not see which looks.
    IF NOT idemdesk._may_read_all(v_target.relation)
       OR NOT idemdesk._sees_every_row(v_target.relation, idemdesk._runner_of(v_target.relation)) THEN
        RAISE EXCEPTION 'Not all of the table of "%" can be read here, so what the claim stands for is not known.', p_target
            USING ERRCODE = 'ID001', HINT = 'Ask the table''s owner for the right to read it.';
    END IF;
    v_row.claims := idemdesk._cached_state(v_target.profile::jsonb, p_value);
    BEGIN
        v_row.found := idemdesk._cached_rows(v_target, v_target.profile::jsonb, p_entry, true);
    EXCEPTION WHEN data_exception THEN
        RAISE EXCEPTION 'The row of this entry could not be looked up, so nothing is known of its claim.' USING ERRCODE = 'ID005',
            DETAIL = SQLERRM, HINT = 'Look whether the values in its name are of the columns'' types.';
    END;
    PERFORM idemdesk._require_wrong_claim(v_row.claims, v_row.found);
    PERFORM idemdesk._require_claim_of_none(v_target.name, p_entry);
    PERFORM idemdesk._require_trampoline(idemdesk._trampoline_of(v_target.relation));
    BEGIN
        PERFORM FROM ONLY idemdesk.audit_head h FOR UPDATE; -- so that two at once are counted one after the other
    EXCEPTION WHEN lock_not_available THEN
        RAISE EXCEPTION 'The audit log is held by another session, so nothing was changed yet.' USING ERRCODE = '55P03',
            DETAIL = idemdesk._holders('idemdesk.audit_head'), HINT = 'Try again.';
    END;
    -- Seconds may have gone by in that wait: a retry may be at the row by now.
    v_row.found := idemdesk._cached_rows(v_target, v_target.profile::jsonb, p_entry, true);
    PERFORM idemdesk._require_wrong_claim(v_row.claims, v_row.found);
    PERFORM idemdesk._require_claim_of_none(v_target.name, p_entry);
    PERFORM idemdesk._require_trampoline(idemdesk._trampoline_of(v_target.relation));
    IF v_again THEN
        RETURN jsonb_build_object('outcome', 'open', 'found', v_row.found);
    END IF;
    PERFORM idemdesk._require_few_releases(v_target, v_who);
    INSERT INTO idemdesk.cache_release (id, target, relation, cache, entry, value, claims, found, reason, ticket,
        requested_by, requested_at)
    VALUES (p_id, p_target, v_target.relation, p_cache, p_entry, p_value, v_row.claims, v_row.found, p_reason,
        nullif(p_ticket, ''), v_who, clock_timestamp());
    -- The number is the client's, so it is a fact and no action's: it could be that of any.
    v_seq := idemdesk._chain('release', p_target, NULL, NULL, jsonb_build_object('id', p_id, 'cache', p_cache,
        'claims', v_row.claims, 'found', v_row.found, 'reason', p_reason, 'ticket', nullif(p_ticket, ''),
        'relation', v_target.relation::bigint, 'sha', idemdesk._release_sha(p_id)), NULL);
    RETURN jsonb_build_object('outcome', 'open', 'found', v_row.found);
END
$fn$;

-- Writes down what came of it: the word of who released it, once.
CREATE FUNCTION idemdesk.close_release(p_id uuid, p_outcome text, p_detail text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_context text;
    v_who     text;
    v_row     idemdesk.cache_release;
    v_seq     bigint;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    v_who := idemdesk._enter('idemdesk_operator', v_context, 'close_release');
    SELECT r.* INTO v_row FROM idemdesk.cache_release r WHERE r.id = p_id FOR UPDATE;
    IF NOT FOUND OR v_row.requested_by <> v_who THEN
        RAISE EXCEPTION 'There is no such release of this login.' USING ERRCODE = 'ID005';
    END IF;
    IF p_outcome IS NULL OR p_outcome NOT IN ('deleted', 'changed', 'gone', 'refused', 'unknown') THEN
        RAISE EXCEPTION 'There is no outcome "%".', p_outcome USING ERRCODE = 'ID005';
    END IF;
    IF v_row.outcome IS NOT NULL THEN
        RETURN v_row.outcome;
    END IF;
    UPDATE idemdesk.cache_release r SET outcome = p_outcome WHERE r.id = p_id;
    v_seq := idemdesk._chain('release_end', v_row.target, NULL, NULL, jsonb_build_object('id', p_id, 'outcome', p_outcome,
        'detail', nullif(left(p_detail, 1000), '')), NULL);
    RETURN p_outcome;
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.open_release(uuid, text, text, text, text, text, text),
    idemdesk.close_release(uuid, text, text) TO idemdesk_operator;
RESET ROLE;
