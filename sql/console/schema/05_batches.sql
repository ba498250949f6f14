-- SPDX-License-Identifier: GPL-3.0-or-later
-- A batch as the trail sees it: which rows it may take, and the one function through which it is written down. What
-- happens to the rows in between is the business of changes, purges and undos.
SET LOCAL ROLE idemdesk_owner;

-- Which columns a batch's images and identities are of: their numbers, which no other column of the table ever gets.
-- Names may be exchanged later.
CREATE FUNCTION idemdesk._attnums(p_relation oid, p_columns text[], p_identity jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN (
        SELECT jsonb_build_object('relation', p_relation::bigint,
            'names', (SELECT jsonb_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
                       WHERE a.attrelid = p_relation AND a.attnum > 0 AND NOT a.attisdropped),
            'columns', (SELECT jsonb_agg(a.attnum ORDER BY c.n) FROM unnest(p_columns) WITH ORDINALITY AS c (name, n)
                          LEFT JOIN pg_attribute a ON a.attrelid = p_relation AND a.attname = c.name
                           AND NOT a.attisdropped),
            'identity', (SELECT jsonb_agg(a.attnum ORDER BY i.n)
                           FROM jsonb_array_elements(p_identity) WITH ORDINALITY AS i (v, n)
                           LEFT JOIN pg_attribute a ON a.attrelid = p_relation AND a.attname = i.v ->> 'name'
                            AND NOT a.attisdropped)));
END
$fn$;

-- The columns of a restored table that are those of then: the leading ones that have the same names in the same order,
-- which a dump keeps. Behind one that was renamed, exchanged or taken away nobody can tell which column a name means.
-- All of them where nothing of then is known.
CREATE FUNCTION idemdesk._names_kept(p_relation oid, p_then jsonb) RETURNS text[]
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN (
        SELECT coalesce(array_agg(x.name) FILTER (WHERE x.kept), '{}')
          FROM (SELECT n.name, coalesce(jsonb_typeof(p_then), 'null') = 'null' OR bool_and(coalesce(n.name = p_then ->> (n.place - 1), false)) OVER (ORDER BY n.place) AS kept
                  FROM (SELECT a.attname::text AS name, row_number() OVER (ORDER BY a.attnum)::integer AS place
                          FROM pg_attribute a
                         WHERE a.attrelid = p_relation AND a.attnum > 0 AND NOT a.attisdropped) n) x);
END
$fn$;

-- The names that these columns have today, NULL for one that is gone; p_attnums is what was stored with them. After a dump
-- was restored the numbers are others, so there the names hold, where they can.
CREATE FUNCTION idemdesk._columns_now(p_relation oid, p_columns text[], p_attnums jsonb) RETURNS text[]
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN (
        SELECT CASE WHEN (p_attnums ->> 'relation')::bigint IS DISTINCT FROM p_relation::bigint
                    THEN ARRAY(SELECT CASE WHEN c.name = ANY (k.names) THEN c.name END
                                 FROM unnest(p_columns) WITH ORDINALITY AS c (name, n)
                                CROSS JOIN (SELECT idemdesk._names_kept(p_relation, p_attnums -> 'names') AS names) k ORDER BY c.n)
                    ELSE ARRAY(SELECT a.attname::text
                                 FROM unnest(p_columns) WITH ORDINALITY AS c (name, n)
                                 LEFT JOIN pg_attribute a ON a.attrelid = p_relation AND NOT a.attisdropped
                                  AND a.attnum = (p_attnums -> 'columns' ->> (c.n::integer - 1))::smallint
                                ORDER BY c.n) END);
END
$fn$;

-- What was stored of a batch's columns by row p_seq of the trail, without the table's oid where a restored dump was
-- adopted since: the numbers are others then, also where the oid is the same by chance.
CREATE FUNCTION idemdesk._attnums_now(p_attnums jsonb, p_seq bigint) RETURNS jsonb
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN CASE WHEN EXISTS (SELECT FROM idemdesk.action c JOIN ONLY idemdesk.audit a ON a.action = c.id AND a.what = 'adopt'
                              WHERE c.verb = 'adopt' AND a.seq > p_seq)
                THEN p_attnums - 'relation' ELSE p_attnums END;
END
$fn$;

-- An item's images as an undo takes them: those of the row, of this many columns, and apart from them what the row of
-- the second table was and became.
CREATE FUNCTION idemdesk._taken_apart(p_identity text[], p_before text[], p_after text[], p_columns integer) RETURNS jsonb
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT jsonb_build_object('i', p_identity, 'before', p_before[:p_columns], 'after', p_after[:p_columns])
        || CASE WHEN p_before[p_columns + 1] IS NULL THEN '{}'
                ELSE jsonb_build_object('second', jsonb_build_array(p_before[p_columns + 1], p_after[p_columns + 1])) END
$fn$;

-- The second table of a batch that the trail has at p_seq: the one it was then, or the one that it was taken for in each
-- adoption since. Never by its name, which may have gone to another table. 0: it is not there any more.
CREATE FUNCTION idemdesk._second_then(p_attnums jsonb, p_seq bigint) RETURNS oid
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_adoptions jsonb;
BEGIN
    IF NOT p_attnums ? 'second' THEN
        RETURN NULL;
    END IF;
    SELECT jsonb_agg(jsonb_build_object('seq', a.seq, 'relations', a.facts -> 'relations')) INTO v_adoptions
      FROM idemdesk.action c JOIN ONLY idemdesk.audit a ON a.action = c.id AND a.what = 'adopt' WHERE c.verb = 'adopt';
    RETURN idemdesk._adopted(coalesce(v_adoptions, '[]'), p_seq, (p_attnums ->> 'second')::bigint);
END
$fn$;

-- Has this server process keep the memory of a batch of this many rows for the next one. Left alone, the C library gives
-- it back at the end of each batch, and takes it anew page by page: half the time of a batch with images. A piece of
-- nearly 32 MB that came and went raises the limit for that to 64 MB (mallopt(3), M_MMAP_THRESHOLD). It is a constant,
-- so it is made when this is planned, which is once in a session.
CREATE FUNCTION idemdesk._keep_memory(p_rows integer) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    IF p_rows > 2000 THEN
        PERFORM length(repeat('x', 30000000));
    END IF;
END
$fn$;

-- What the server said of one row, for its item.
CREATE FUNCTION idemdesk._failure(p_sqlstate text, p_message text) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT format('%s (%s)', left(p_message, 500), p_sqlstate)
$fn$;

-- What went wrong with what may read more than one row, in the server's words for those who may read all that. Others
-- hear them only where a right is missing or a read would have written: else a rule or an effect could be written so
-- that its failure tells a value.
CREATE FUNCTION idemdesk._failure_told(p_whole boolean, p_sqlstate text, p_message text) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT format('%s (%s)', CASE WHEN p_whole OR p_sqlstate IN ('42501', '25006') THEN p_message
                                  ELSE 'its message may name values of a table that you may not read' END, p_sqlstate)
$fn$;

-- What the server said of one row where it was about the row of a second table: its message stays with nobody, for who
-- may read the item need not be one who may read that table. NULL where it was not.
CREATE FUNCTION idemdesk._failure_beside(p_second text, p_sqlstate text) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN p_second IS NULL THEN NULL
                WHEN p_sqlstate = 'ID020' THEN format('It has not just one row of %s, or that kept the change away.', p_second)
                ELSE format('Its row of %s could not be changed (%s)', p_second, p_sqlstate) END
$fn$;

-- The same for those who may not read the whole table: messages name values of columns. The console's own words may be
-- read by all; those on evidence hold what a query said.
CREATE FUNCTION idemdesk._failure_masked(p_outcome text, p_detail text) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN p_detail ~ '\([0-9A-Z]{5}\)$'
                THEN format('It failed; who may read the whole table sees why %s', right(p_detail, 7))
                WHEN p_outcome = 'evidence' THEN 'It could not be proven; who may read the whole table sees why.'
                ELSE p_detail END
$fn$;

-- The rows of a purge that the next batch of its undo puts back, newest first: p_limit of those behind the cursor, as
-- runs of neighbours in as many of its batches as that takes, while their images have the same columns. What was put
-- back before is left out. "end" is how far that goes, "last" that nothing lies behind.
CREATE FUNCTION idemdesk._purged_runs(p_of uuid, p_cursor jsonb, p_limit integer) RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    WITH waiting AS (
        SELECT b.batch, b.columns, idemdesk._attnums_now(b.result -> 'attnums', b.audit_seq) AS places, CASE WHEN b.batch = (p_cursor ->> 'b')::integer THEN (p_cursor ->> 'o')::integer - 1
                                        ELSE (b.result -> 'counts' ->> 'purged')::integer END AS n
          FROM idemdesk.action_batch b
         WHERE b.action = p_of AND b.batch <= coalesce((p_cursor ->> 'b')::integer, b.batch)
    ), placed AS (
        SELECT w.*, (sum(w.n) OVER newest - w.n)::integer AS before, first_value(w.columns) OVER newest AS newest,
               first_value(w.places) OVER newest AS newest_places
          FROM waiting w WHERE w.n > 0 WINDOW newest AS (ORDER BY w.batch DESC)
    ), picked AS (
        SELECT p.batch, p.columns, p.places, greatest(1, p.n - p_limit + p.before + 1) AS low, p.n AS high
          FROM placed p WHERE p.before < p_limit AND p.columns = p.newest AND p.places IS NOT DISTINCT FROM p.newest_places
    ), spoilt AS (
        SELECT p.batch FROM picked p
         WHERE EXISTS (SELECT FROM idemdesk.restored r
                        WHERE r.action = p_of AND r.batch = p.batch AND r.first <= p.high AND r.last >= p.low)
    ), runs AS (
        SELECT p.batch, p.low, p.high FROM picked p WHERE p.batch NOT IN (SELECT s.batch FROM spoilt s)
        UNION ALL
        SELECT x.batch, min(x.n), max(x.n)
          FROM (SELECT p.batch, g.n, g.n - row_number() OVER (PARTITION BY p.batch ORDER BY g.n) AS island
                  FROM picked p CROSS JOIN LATERAL generate_series(p.low, p.high) AS g (n)
                 WHERE p.batch IN (SELECT s.batch FROM spoilt s)
                   AND NOT EXISTS (SELECT FROM idemdesk.restored r
                                    WHERE r.action = p_of AND r.batch = p.batch AND g.n BETWEEN r.first AND r.last)) x
         GROUP BY x.batch, x.island
    )
    SELECT jsonb_build_object('of', p_of, 'columns', (SELECT to_jsonb(idemdesk._columns_now(c.relation, p.columns, p.places))
                                  FROM picked p, idemdesk.action c WHERE c.id = p_of LIMIT 1),
        'end', (SELECT jsonb_build_object('b', p.batch, 'o', p.low) FROM picked p ORDER BY p.batch LIMIT 1),
        'last', NOT EXISTS (SELECT FROM placed p WHERE p.batch < (SELECT min(k.batch) FROM picked k))
                AND coalesce((SELECT p.low = 1 FROM picked p ORDER BY p.batch LIMIT 1), true),
        'runs', coalesce((SELECT jsonb_agg(jsonb_build_object('b', r.batch, 'f', r.low, 'l', r.high)
                                     ORDER BY r.batch DESC, r.low DESC) FROM runs r), '[]'))
$fn$;

-- For undo_batch: the identities and images of these runs, run after run, each from its first row to its last.
CREATE FUNCTION idemdesk._purged_images(p_of uuid, p_runs jsonb, OUT identities text[], OUT images text[])
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_keep date := (SELECT c.keep_until FROM idemdesk.action c WHERE c.id = p_of);
    v_run  record;
BEGIN
    FOR v_run IN SELECT (r ->> 'b')::integer AS batch, (r ->> 'f')::integer AS first, (r ->> 'l')::integer AS last
                   FROM jsonb_array_elements(p_runs) WITH ORDINALITY AS x (r, n) ORDER BY x.n
    LOOP
        SELECT _purged_images.identities || q.identities[v_run.first:v_run.last],
               _purged_images.images || q.images[v_run.first:v_run.last]
          INTO identities, images
          FROM idemdesk.quarantine q WHERE q.keep_until = v_keep AND q.action = p_of AND q.batch = v_run.batch;
    END LOOP;
    IF coalesce(cardinality(images), 0) <> (SELECT coalesce(sum((r ->> 'l')::integer - (r ->> 'f')::integer + 1), 0)
                                              FROM jsonb_array_elements(p_runs) r) THEN
        RAISE EXCEPTION 'The images of the purged rows are not all there.' USING ERRCODE = 'ID010';
    END IF;
END
$fn$;

-- May the login read every row and column of the table?
CREATE FUNCTION idemdesk._may_read_all(p_relation oid) RETURNS boolean
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN coalesce(has_table_privilege(session_user, p_relation, 'SELECT'), false) AND idemdesk._at_home()
        AND idemdesk._sees_every_row(p_relation, session_user);
END
$fn$;

-- May the login hear what the server said while rows of a table were read? Its words name values of them; of a right
-- that is missing they do not.
CREATE FUNCTION idemdesk._may_hear(p_relation oid, p_sqlstate text) RETURNS boolean
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN p_sqlstate = '42501' OR idemdesk._may_read_all(p_relation);
END
$fn$;

-- Locks the action, checks that it may go on, and gives the rows of one batch with all that acting on them needs; or
-- {"seen"} with the answer where there is nothing to do. Where the table is not what it was the action is paused: the
-- person decides on what is there now.
CREATE FUNCTION idemdesk._begin_batch(p_action uuid, p_batch integer, p_limit integer) RETURNS jsonb
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_asks   CONSTANT text := 'A stricter limit holds for the table now: another person must approve what is left.';
    v_action idemdesk.action;
    v_of     idemdesk.action;
    v_target idemdesk.target;
    v_seen   jsonb;
    v_rows   jsonb;
    v_runs   jsonb;
    v_why    text;
    v_above  bigint;
    v_seq    bigint;
BEGIN
    SELECT a.* INTO v_action FROM idemdesk._lock_action(p_action) a;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'There is no action %.', p_action USING ERRCODE = 'ID005';
    END IF;
    SELECT b.result INTO v_seen FROM idemdesk.action_batch b WHERE b.action = p_action AND b.batch = p_batch;
    IF FOUND THEN
        v_seen := v_seen - 'attnums'; -- of the images, for reading them: no part of the answer
        IF idemdesk._may_read_all(v_action.relation) THEN
            SELECT v_seen || jsonb_build_object('outcomes', coalesce(jsonb_agg(jsonb_build_object('n', m.ordinal, 'outcome', m.outcome,
                       'detail', m.detail) ORDER BY m.ordinal), '[]'))
              INTO v_seen FROM idemdesk.action_item m
             WHERE m.opened_on = v_action.opened_on AND m.action = p_action AND m.batch = p_batch;
        END IF;
        RETURN jsonb_build_object('seen', v_seen || jsonb_build_object('state', v_action.state, 'repeated', true));
    END IF;
    IF v_action.state <> 'running' THEN
        RAISE EXCEPTION 'The action is %.', v_action.state USING ERRCODE = 'ID005', DETAIL = coalesce(v_action.note, '');
    END IF;
    IF p_batch IS DISTINCT FROM v_action.last_batch + 1 THEN
        RAISE EXCEPTION 'Batch % cannot follow batch %.', p_batch, v_action.last_batch USING ERRCODE = 'ID005';
    END IF;
    SELECT t.* INTO v_target FROM idemdesk.target t WHERE t.name = v_action.target;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The target "%" is not registered any more.', v_action.target USING ERRCODE = 'ID005';
    END IF;
    PERFORM idemdesk._require_quiet();
    IF idemdesk._covers(v_target) IS DISTINCT FROM v_action.covers_sha THEN
        RAISE EXCEPTION 'The registration of "%" was changed since the preview.', v_action.target USING ERRCODE = 'ID006',
            HINT = 'Cancel this action and plan it again.';
    END IF;
    IF idemdesk._relation_named(v_target.compiled ->> 'relation') IS DISTINCT FROM v_target.relation THEN
        RAISE EXCEPTION 'The table % is not the one that was registered.', v_target.compiled ->> 'relation'
            USING ERRCODE = 'ID006', HINT = CASE WHEN idemdesk._at_home() THEN 'It was replaced or renamed. Register the target again.'
                                                 ELSE 'A dump was restored here: "idemdeskctl console adopt" mends that.' END;
    END IF;
    IF NOT idemdesk._sees_target(v_target, session_user) THEN
        RAISE EXCEPTION 'Row security shows % only a part of "%", so this login may not act on it.', session_user, v_target.name
            USING ERRCODE = 'ID003', HINT = 'Connect with a login that sees every row of the table.';
    END IF;
    PERFORM idemdesk._require_bare_runner(idemdesk._trampoline_of(v_target.relation));
    v_why := coalesce(
        idemdesk._too_late(v_action) || ' Cancel it and plan it again.',
        'The table was changed since it was registered: '
            || idemdesk._changed_parts(v_target.fingerprint, idemdesk._fingerprint(v_target)) || '.',
        idemdesk._open_schema(v_target.relation, v_target.search_path) || ', and the table''s code would find them.');
    IF v_why IS NOT NULL THEN
        v_why := left(v_why, 3900); -- the trail takes no more, and the pause must not fail
        UPDATE idemdesk.action a SET state = 'paused', note = v_why WHERE a.id = p_action;
        v_seq := idemdesk._chain('pause', v_action.target, p_action, NULL,
            jsonb_build_object('note', v_why, 'counts', v_action.counts, 'allowance', v_action.allowance), NULL);
        RETURN jsonb_build_object('seen', jsonb_build_object('batch', v_action.last_batch, 'counts', '{}'::jsonb,
            'totals', v_action.counts, 'state', 'paused', 'note', v_why, 'planned', v_action.planned_rows, 'seq', v_seq,
            'rows', 0, 'picked', 0, 'outcomes', '[]'::jsonb));
    END IF;
    -- The limit as it is now: a stricter one may have been agreed on under another name, or for a table that this is a part of.
    v_above := idemdesk._limit_of_target(v_target);
    IF idemdesk._over_limit(v_action, v_above) THEN
        UPDATE idemdesk.action a SET state = 'requested', note = c_asks WHERE a.id = p_action;
        v_seq := idemdesk._chain('ask_again', v_action.target, p_action, NULL,
            jsonb_build_object('note', c_asks, 'counts', v_action.counts, 'allowance', v_action.allowance), NULL);
        RETURN jsonb_build_object('seen', jsonb_build_object('batch', v_action.last_batch, 'counts', '{}'::jsonb,
            'totals', v_action.counts, 'state', 'requested', 'note', c_asks, 'planned', v_action.planned_rows, 'seq', v_seq,
            'rows', 0, 'picked', 0, 'outcomes', '[]'::jsonb));
    END IF;
    IF v_action.approved_by IS NULL THEN
        v_action.allowance := least(v_action.allowance, v_above);
    END IF;
    p_limit := greatest(1, least(p_limit, 10000));
    IF EXISTS (SELECT FROM idemdesk.action_lost l WHERE l.action = p_action AND p_batch < l.until) THEN
        p_limit := 1; -- one of them ended the connection: which one, shows only alone
    END IF;
    IF v_action.verb = 'purge' THEN
        v_action.cursor := jsonb_strip_nulls(v_action.cursor || jsonb_build_object('by',
            (SELECT m.by FROM idemdesk.action_mark m WHERE m.action = p_action)));
    END IF;
    IF v_action.verb = 'purge' THEN
        p_limit := greatest(0, least(p_limit, v_action.allowance - coalesce((v_action.counts ->> 'purged')::bigint, 0)));
    END IF;
    IF v_action.verb IN ('recover', 'requeue', 'reclassify', 'align') THEN
        SELECT jsonb_agg(jsonb_build_object('n', r.ordinal, 'i', r.identity, 'g', r.guard, 'r', r.rule, 'e', r.effect_id,
                   'w', r.winner)
                   ORDER BY r.ordinal)
          INTO v_rows
          FROM idemdesk.action_row r
         WHERE r.action = p_action AND r.ordinal >= v_action.next_row AND r.ordinal < v_action.next_row + p_limit;
    ELSIF v_action.verb = 'undo' THEN
        SELECT a.* INTO v_of FROM idemdesk.action a WHERE a.id = v_action.undo_of;
        -- Newest first: where a key was changed twice the later change is taken back before the earlier one.
        IF v_of.verb = 'purge' THEN
            v_runs := idemdesk._purged_runs(v_of.id, v_action.cursor, p_limit);
        ELSE
            SELECT jsonb_agg(idemdesk._taken_apart(u.identity, u.before, u.after, cardinality(o.columns))
                       || jsonb_build_object('b', u.batch, 'o', u.ordinal, 'known', o.known,
                              'c', idemdesk._columns_now(v_of.relation, o.columns, idemdesk._attnums_now(b.result -> 'attnums', b.audit_seq)))
                       ORDER BY u.batch DESC, u.ordinal DESC)
              INTO v_rows
              FROM (SELECT m.* FROM idemdesk.action_item m
                     WHERE m.opened_on = v_of.opened_on AND m.action = v_of.id AND m.outcome = 'done'
                       AND (v_action.cursor = '{}' OR (m.batch, m.ordinal)
                           < ((v_action.cursor ->> 'b')::integer, (v_action.cursor ->> 'o')::integer))
                       AND NOT EXISTS (SELECT FROM idemdesk.restored r
                                        WHERE r.action = m.action AND r.batch = m.batch
                                          AND m.ordinal BETWEEN r.first AND r.last)
                     ORDER BY m.batch DESC, m.ordinal DESC LIMIT p_limit) u
              JOIN idemdesk.action_batch b ON b.action = u.action AND b.batch = u.batch
             -- The columns of the table, and whether the second table is the one that the target has now.
             CROSS JOIN LATERAL (
                    SELECT b.columns[:cardinality(b.columns) - (b.result -> 'attnums' ? 'second')::integer] AS columns,
                           idemdesk._second_then(b.result -> 'attnums', b.audit_seq)
                               = idemdesk._second_of(v_target.compiled)
                           -- Names may have been exchanged, or given to other columns; after a dump their order tells.
                           AND (CASE WHEN (idemdesk._attnums_now(b.result -> 'attnums', b.audit_seq) ->> 'relation')::bigint IS DISTINCT FROM v_of.relation::bigint
                                THEN idemdesk._names_kept(idemdesk._second_of(v_target.compiled), (SELECT jsonb_agg(w.key ORDER BY w.value::smallint)
                                         FROM jsonb_each_text(b.result -> 'attnums' -> 'second_columns') w))
                                     @> ARRAY(SELECT jsonb_object_keys(b.result -> 'attnums' -> 'second_columns'))
                                ELSE NOT EXISTS (SELECT FROM jsonb_each_text(b.result -> 'attnums' -> 'second_columns') w
                                  LEFT JOIN pg_attribute a ON a.attrelid = idemdesk._second_of(v_target.compiled)
                                        AND a.attname = w.key AND NOT a.attisdropped
                                 WHERE a.attnum IS DISTINCT FROM w.value::smallint) END) AS known) o;
        END IF;
    END IF;
    RETURN jsonb_build_object('run', idemdesk._trampoline_of(v_target.relation), 'verb', v_action.verb,
        'cutoff', v_action.cutoff, 'purged_before', coalesce((v_action.counts ->> 'purged')::bigint, 0),
        'allowance', v_action.allowance, 'approval_above', v_above, 'target', v_target.name,
        'scopes', (SELECT c.scopes FROM idemdesk.action_scope c WHERE c.action = p_action AND c.batch = 0), 'reason', v_action.reason, 'plan', v_action.plan, 'cursor', v_action.cursor,
        'limit', p_limit, 'next_row', v_action.next_row, 'planned', v_action.planned_rows, 'relation', v_target.relation::bigint,
        'compiled', v_target.compiled, 'search_path', v_target.search_path, 'fingerprint', v_target.fingerprint,
        'reached', v_target.reached, 'settings', idemdesk._own_settings(),
        'owned', idemdesk._owned(idemdesk._trampoline_of(v_target.relation)), 'locks', idemdesk._own_locks(),
        'prepared', (SELECT coalesce(jsonb_agg(s.name), '[]') FROM pg_prepared_statements s),
        'rows', coalesce(v_rows, '[]'))
        || CASE WHEN v_runs IS NULL THEN '{}' ELSE jsonb_build_object('purged', v_runs) END;
END
$fn$;

-- Statements that code of the table prepared in this session are forgotten: no rollback does that, and whoever runs one
-- of them later would not know whose it is.
CREATE FUNCTION idemdesk._forget_prepared(p_before text[]) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_name text;
BEGIN
    FOR v_name IN SELECT s.name FROM pg_prepared_statements s WHERE s.name <> ALL (p_before) LOOP
        EXECUTE format('DEALLOCATE %I', v_name);
    END LOOP;
END
$fn$;

-- A batch looks at the table, then may wait for its owner, who changes it meanwhile. Once it has written, it holds the
-- table, and nobody can change that any more: so it looks again, and of what a changed table did nothing stays. Nor may
-- it leave anything in the session that runs later.
CREATE FUNCTION idemdesk._require_unchanged(p_context jsonb) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_target   idemdesk.target;
    v_why      text;
    v_settings text[] := ARRAY(SELECT jsonb_array_elements_text(p_context -> 'settings'));
    v_now      text[];
BEGIN
    PERFORM idemdesk._forget_prepared(ARRAY(SELECT jsonb_array_elements_text(p_context -> 'prepared')));
    v_now := idemdesk._own_settings();
    -- Whoever took some of the person's own away had his row taken back; these cannot be brought back, and the count of
    -- prepared statements is the last of the settings.
    PERFORM idemdesk._require_settings(v_settings[:cardinality(v_settings) - 1] || v_now[cardinality(v_now)]);
    PERFORM idemdesk._require_nothing_left(p_context ->> 'run', p_context ->> 'owned');
    IF idemdesk._release_locks(ARRAY(SELECT jsonb_array_elements_text(p_context -> 'locks'))) THEN
        RAISE EXCEPTION 'Code of the table took an advisory lock that would stay; nothing was changed.'
            USING ERRCODE = 'ID013', HINT = 'Let it use pg_advisory_xact_lock().';
    END IF;
    v_target.relation := (p_context ->> 'relation')::oid;
    v_target.compiled := p_context -> 'compiled';
    v_target.search_path := p_context ->> 'search_path';
    v_target.reached := p_context -> 'reached';
    v_why := idemdesk._changed_parts(p_context -> 'fingerprint', idemdesk._fingerprint(v_target));
    IF v_why IS NOT NULL THEN
        RAISE EXCEPTION 'The table was changed while this batch was at it: %. Nothing was changed by it.', v_why
            USING ERRCODE = 'ID006', HINT = 'Look at the change, and register the target again.';
    END IF;
END
$fn$;

-- What the trail keeps of a batch beside its items: the columns of its images, its answer, and what it took by scope.
CREATE FUNCTION idemdesk._batch_digest(p_columns text[], p_result jsonb, p_groups jsonb) RETURNS bytea
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT idemdesk._keyed(sha256(convert_to(jsonb_build_array(p_columns, p_result - 'seq', p_groups)::text, 'UTF8')))
$fn$;

-- Writes one batch down: its items, its place in the action, its audit row. p_kept_sha is the digest of the purged rows
-- that were kept for it. Gives the whole answer.
CREATE FUNCTION idemdesk._append(p_action uuid, p_batch integer, p_columns text[], p_items idemdesk.item[],
    p_kept_sha bytea, p_counts jsonb, p_cursor jsonb, p_finished boolean, p_result jsonb) RETURNS jsonb
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_action   idemdesk.action;
    v_sha      bytea;
    v_rows     bigint;
    v_stored   bigint;
    v_counts   jsonb;
    v_finished boolean := p_finished;
    v_state    text := 'running';
    v_note     text;
    v_groups   jsonb := nullif(p_result -> 'by_group', '[]');
    v_second   bigint := p_result ->> 'second'; -- the table that the last of the columns stands for
    v_kept     jsonb;
    v_seq      bigint;
BEGIN
    p_result := p_result - '{by_group,second}'::text[];
    SELECT a.* INTO STRICT v_action FROM idemdesk.action a WHERE a.id = p_action FOR UPDATE;
    IF v_action.state <> 'running' OR p_batch IS DISTINCT FROM v_action.last_batch + 1 THEN
        RAISE EXCEPTION 'The action went on elsewhere.' USING ERRCODE = 'ID005';
    END IF;
    v_rows := coalesce(array_length(p_items, 1), 0);
    IF v_rows > 0 THEN
        v_sha := idemdesk._items_digest(p_items);
        INSERT INTO idemdesk.action_item
            (opened_on, action, batch, ordinal, identity, identity_hash, before, after, outcome, detail)
        SELECT v_action.opened_on, p_action, p_batch, i.ordinal, i.identity,
               hashtextextended(i.identity::text, 0), i.before, i.after, i.outcome, i.detail
          FROM unnest(p_items) i;
        GET DIAGNOSTICS v_stored = ROW_COUNT;
        IF v_stored <> v_rows THEN
            RAISE EXCEPTION 'Of % items only % were stored.', v_rows, v_stored USING ERRCODE = 'ID010';
        END IF;
    END IF;
    IF p_kept_sha IS NOT NULL THEN
        v_sha := sha256(coalesce(v_sha, '') || p_kept_sha);
    END IF;
    IF v_action.verb = 'undo' THEN
        INSERT INTO idemdesk.restored (action, batch, first, last, by, by_batch, by_row)
        SELECT v_action.undo_of, r.b, r.f, r.l, p_action, p_batch, r.n
          FROM jsonb_to_recordset(p_result -> 'restored') AS r (b integer, f integer, l integer, n integer);
        IF (SELECT coalesce(sum(r.last - r.first + 1), 0) FROM idemdesk.restored r
             WHERE r.by = p_action AND r.by_batch = p_batch) <> coalesce((p_counts ->> 'done')::bigint, 0) THEN
            RAISE EXCEPTION 'Not every row that was put back was noted.' USING ERRCODE = 'ID010';
        END IF;
        v_sha := idemdesk._undo_digest(v_action.opened_on, p_action, p_batch);
        p_result := p_result - 'restored';
    END IF;
    SELECT coalesce(jsonb_object_agg(k, coalesce((v_action.counts ->> k)::bigint, 0) + coalesce((p_counts ->> k)::bigint, 0)), '{}')
      INTO v_counts
      FROM (SELECT jsonb_object_keys(v_action.counts) AS k UNION SELECT jsonb_object_keys(p_counts)) keys;
    IF v_action.verb IN ('recover', 'requeue', 'reclassify', 'align') THEN
        v_finished := v_action.next_row + v_rows > v_action.planned_rows;
        IF v_finished AND (SELECT sum(c.value::bigint) FROM jsonb_each_text(v_counts) c) <> v_action.planned_rows THEN
            RAISE EXCEPTION 'There are fewer outcomes than keys.' USING ERRCODE = 'ID010',
                HINT = 'Row security may hide rows from the role that acts. Nothing of this batch was changed.';
        END IF;
    ELSIF NOT v_finished AND p_result ->> 'pause' IS NOT NULL THEN
        v_state := 'paused';
        v_note := p_result ->> 'pause';
    END IF;
    p_result := p_result - 'pause';
    IF v_finished THEN
        v_state := 'finished';
    END IF;
    p_result := p_result || jsonb_build_object('batch', p_batch, 'counts', p_counts, 'totals', v_counts, 'state', v_state,
        'note', v_note, 'planned', v_action.planned_rows);
    IF v_action.verb = 'purge' THEN
        INSERT INTO idemdesk.action_mark AS m (action, by) VALUES (p_action, p_cursor ->> 'by')
        ON CONFLICT (action) DO UPDATE SET by = excluded.by;
        p_cursor := p_cursor - 'by';
    END IF;
    UPDATE idemdesk.action a
       SET last_batch = p_batch, next_row = v_action.next_row + v_rows, cursor = p_cursor, counts = v_counts, state = v_state,
           note = v_note, finished_at = CASE WHEN v_finished THEN clock_timestamp() END
     WHERE a.id = p_action;
    -- Messages may hold values of the row: they stay with its item, which not everybody may read.
    v_kept := p_result || jsonb_build_object('outcomes', coalesce((SELECT jsonb_agg(o - 'detail')
        FROM jsonb_array_elements(p_result -> 'outcomes') o), '[]'),
        'attnums', idemdesk._attnums(v_action.relation, p_columns,
            (SELECT t.compiled -> 'identity' FROM idemdesk.target t WHERE t.name = v_action.target))
            || jsonb_strip_nulls(jsonb_build_object('second', v_second, 'second_owner', idemdesk._owner_name(v_second::oid), 'second_columns', (SELECT jsonb_object_agg(a.attname, a.attnum)
                 FROM pg_attribute a WHERE a.attrelid = v_second::oid AND a.attnum > 0 AND NOT a.attisdropped))));
    IF NOT idemdesk._may_read_all(v_action.relation) THEN
        p_result := p_result || jsonb_build_object('outcomes', coalesce((SELECT jsonb_agg(o || jsonb_build_object('detail',
            idemdesk._failure_masked(o ->> 'outcome', o ->> 'detail'))) FROM jsonb_array_elements(p_result -> 'outcomes') o), '[]'));
    END IF;
    IF v_groups IS NOT NULL THEN
        INSERT INTO idemdesk.action_scope (action, batch, scopes) VALUES (p_action, p_batch, v_groups);
    END IF;
    v_seq := idemdesk._chain('batch', v_action.target, p_action, p_batch,
        jsonb_build_object('counts', p_counts, 'totals', v_counts, 'state', v_state, 'identities', p_result -> 'identities',
            'said', encode(idemdesk._batch_digest(p_columns, v_kept, v_groups), 'hex')), v_sha);
    INSERT INTO idemdesk.action_batch (action, batch, at, columns, result, items_sha, audit_seq)
    VALUES (p_action, p_batch, (SELECT a.at FROM ONLY idemdesk.audit a WHERE a.seq = v_seq), p_columns, v_kept || jsonb_build_object('seq', v_seq), v_sha, v_seq);
    GET DIAGNOSTICS v_stored = ROW_COUNT;
    IF v_stored <> 1 THEN
        RAISE EXCEPTION 'The batch was not stored.' USING ERRCODE = 'ID010';
    END IF;
    RETURN p_result || jsonb_build_object('seq', v_seq);
END
$fn$;

RESET ROLE;
