-- SPDX-License-Identifier: GPL-3.0-or-later
-- What may have changed, in plain SQL. It keeps a copy of each table that is attacked and moves it along: by what the
-- machine itself did directly (shadow.wrote), and by what the trail says that the console did, each row of which is
-- judged by this model's own reading of that copy. Afterwards copy and table must be equal. It calls none of the
-- console's functions but verify_audit(), which is looked at beside it.
CREATE SCHEMA shadow;
GRANT USAGE ON SCHEMA shadow TO PUBLIC;
-- Each row that the machine's own statements and triggers wrote, in their order. Without an image the row went.
CREATE TABLE shadow.wrote (
    n      bigserial PRIMARY KEY,
    at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    target text NOT NULL,
    key    text NOT NULL,
    image  text[],
    pid    integer NOT NULL DEFAULT pg_backend_pid()
);
-- The actions that there are, for code that would like to approve or cancel one of them.
CREATE TABLE shadow.hint (n bigserial PRIMARY KEY, id uuid NOT NULL);
GRANT SELECT ON shadow.hint TO PUBLIC;

CREATE SCHEMA model;
CREATE TABLE model.target (
    name      text PRIMARY KEY,
    rel       text NOT NULL,
    cols      text[],          -- stored columns, in their order
    types     text[],
    touched   text[] NOT NULL, -- columns that the table's own triggers may change beside a rule
    identity  text[] NOT NULL,
    guard     text[] NOT NULL,
    image_sql text, key_sql text, guard_sql text,
    state_sql text NOT NULL, stale_sql text NOT NULL, leased_sql text NOT NULL, due_sql text NOT NULL,
        scope_sql text NOT NULL,
    rules     jsonb NOT NULL   -- in their order: {"verb", "from", "to", "cols", "needs", "live", "status"}
);
-- What each person's own statements asked for; code that acts in somebody's name leaves no row here.
CREATE TABLE model.sent (n bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(),
    who text NOT NULL, fn text NOT NULL,
    action uuid, batch integer);
-- What was sent to open an action; of several with one id the last that was answered well is the one that counts.
CREATE TABLE model.asked (n bigserial PRIMARY KEY, action uuid, who text, target text, verb text, rows jsonb,
    plan jsonb, ok boolean NOT NULL DEFAULT false);
CREATE FUNCTION model.asked_for(p_action uuid) RETURNS model.asked LANGUAGE sql AS $fn$
    SELECT a FROM model.asked a JOIN idemdesk.action c ON c.id = a.action AND c.requested_by = a.who
     WHERE a.action = p_action AND a.ok ORDER BY a.n DESC LIMIT 1
$fn$;
-- Keys that were there right after a batch that keeps no images.
CREATE TABLE model.present (action uuid, batch integer, keys text[]);
-- Purged rows as this model had them.
CREATE TABLE model.gone (action uuid, batch integer, place integer, key text, image text[]);
CREATE TABLE model.changed (action uuid, key text, before text[], after text[]);             -- changed rows, likewise
CREATE TABLE model.undone (action uuid, key text);
-- Each row before its last direct changes, all of one session: where that is a batch's own, a trigger made them.
CREATE TABLE model.prev (target text, key text, image text[], pid integer);
CREATE TABLE model.lim (target text PRIMARY KEY, relation bigint, above bigint);
CREATE TABLE model.agreed (relation bigint PRIMARY KEY, above bigint);
CREATE TABLE model.approval (action uuid, n bigint);
CREATE TABLE model.shared (login text PRIMARY KEY);
CREATE TABLE model.progress (seq bigint NOT NULL, actions bigint NOT NULL DEFAULT 0);
CREATE TABLE model.bystander (name text PRIMARY KEY, digest text);
CREATE TABLE model.guarded (name text PRIMARY KEY, digest text);
CREATE TABLE model.tally (what text PRIMARY KEY, n bigint NOT NULL);

CREATE FUNCTION model.count_up(p_what text, p_n bigint DEFAULT 1) RETURNS void LANGUAGE sql AS $fn$
    INSERT INTO model.tally VALUES (p_what, p_n) ON CONFLICT (what) DO UPDATE SET n = model.tally.n + excluded.n
$fn$;

-- One value as its type's output text.
CREATE FUNCTION model.output(p_column text) RETURNS text LANGUAGE sql AS $fn$
    SELECT format('CASE WHEN num_nulls(t.%1$I) = 0 THEN format(''%%s'', t.%1$I) END', p_column)
$fn$;

-- Copies a table as it is now, and makes the functions by which direct writes are noted.
CREATE FUNCTION model.watch(p_name text) RETURNS void LANGUAGE plpgsql AS $fn$
DECLARE
    t   model.target;
    pin CONSTANT text := 'SET search_path = pg_catalog, pg_temp SET datestyle = ''ISO, YMD'' '
        'SET intervalstyle = ''postgres'' SET timezone = ''UTC'' SET array_nulls = on SET bytea_output = ''hex'' '
        'SET extra_float_digits = 1 SET lc_monetary = ''C'' SET xmlbinary = ''base64''';
    fn  text;
BEGIN
    UPDATE model.target x
       SET (cols, types) = (SELECT array_agg(a.attname::text ORDER BY a.attnum), array_agg(format_type(a.atttypid,
           a.atttypmod) ORDER BY a.attnum)
                              FROM pg_attribute a
                             WHERE a.attrelid = x.rel::regclass AND a.attnum > 0 AND NOT a.attisdropped
                                 AND a.attgenerated = '')
     WHERE x.name = p_name;
    UPDATE model.target x
       SET image_sql = (SELECT 'ARRAY[' || string_agg(model.output(c), ', ' ORDER BY n) || ']'
           FROM unnest(x.cols) WITH ORDINALITY AS u (c, n)),
           guard_sql = (SELECT 'ARRAY[' || string_agg(model.output(c), ', ' ORDER BY n) || ']'
               FROM unnest(x.guard) WITH ORDINALITY AS u (c, n)),
           key_sql = (SELECT '(ARRAY[' || string_agg(model.output(c), ', ' ORDER BY n) || '])::text'
               FROM unnest(x.identity) WITH ORDINALITY AS u (c, n))
     WHERE x.name = p_name RETURNING x.* INTO STRICT t;
    EXECUTE format('DROP TABLE IF EXISTS model.copy_%s', p_name);
    EXECUTE format('CREATE TABLE model.copy_%s AS SELECT %s FROM %s t', p_name,
        (SELECT string_agg(format('t.%I', c), ', ' ORDER BY n) FROM unnest(t.cols) WITH ORDINALITY AS u (c, n)), t.rel);
    FOREACH fn IN ARRAY ARRAY['wrote', 'gone'] LOOP
        EXECUTE format('CREATE OR REPLACE FUNCTION shadow.%s_%s(p %s) RETURNS text LANGUAGE plpgsql '
            'SECURITY DEFINER %s AS $x$ BEGIN INSERT INTO shadow.wrote (target, key, image) SELECT %L, %s, %s '
            'FROM (SELECT (p).*) t; RETURN ''noted''; END $x$',
            fn, p_name, t.rel, pin, p_name, t.key_sql, CASE fn WHEN 'wrote' THEN t.image_sql ELSE 'NULL' END);
    END LOOP;
END
$fn$;

CREATE FUNCTION model.image_of(t model.target, p_key text) RETURNS text[] LANGUAGE plpgsql AS $fn$
DECLARE
    v text[];
BEGIN
    EXECUTE format('SELECT %s FROM model.copy_%s t WHERE %s = $1', t.image_sql, t.name, t.key_sql) INTO v USING p_key;
    RETURN v;
END
$fn$;

-- The row as this model reads it: {"state", "stale", "leased", "due", "scope", "guard"}. Expressions know p_now as $1.
CREATE FUNCTION model.facts_of(t model.target, p_key text, p_now timestamptz) RETURNS jsonb LANGUAGE plpgsql AS $fn$
DECLARE
    v jsonb;
BEGIN
    EXECUTE format('SELECT jsonb_build_object(''state'', %s, ''stale'', %s, ''leased'', %s, ''due'', %s, '
        '''scope'', %s, ''guard'', to_jsonb(%s)) '
        'FROM model.copy_%s t WHERE %s = $2', t.state_sql, t.stale_sql, t.leased_sql, t.due_sql, t.scope_sql,
            t.guard_sql, t.name, t.key_sql)
       INTO v USING p_now, p_key;
    RETURN v;
END
$fn$;

-- An image from before columns were added: owners add them here with the default 7, which a row put back gets.
CREATE FUNCTION model.padded(t model.target, p_image text[]) RETURNS text[] LANGUAGE sql AS $fn$
    SELECT CASE WHEN p_image IS NOT NULL THEN p_image || array_fill('7'::text, ARRAY[greatest(0,
        cardinality(t.cols) - cardinality(p_image))]) END
$fn$;

-- The key of a row with this image.
CREATE FUNCTION model.key_of(t model.target, p_image text[]) RETURNS text LANGUAGE sql AS $fn$
    SELECT array_agg(p_image[array_position(t.cols, c)] ORDER BY n)::text
      FROM unnest(t.identity) WITH ORDINALITY AS u (c, n)
$fn$;

-- Gives the copy this row instead of the one with this key; NULL: none.
CREATE FUNCTION model.put(t model.target, p_key text, p_image text[], p_pid integer DEFAULT NULL) RETURNS void
    LANGUAGE plpgsql AS $fn$
BEGIN
    DELETE FROM model.prev p WHERE p.target = t.name AND p.key = p_key AND p.pid IS DISTINCT FROM p_pid;
    INSERT INTO model.prev VALUES (t.name, p_key, model.image_of(t, p_key), p_pid);
    EXECUTE format('DELETE FROM model.copy_%s t WHERE %s = $1', t.name, t.key_sql) USING p_key;
    IF p_image IS NOT NULL THEN
        EXECUTE format('INSERT INTO model.copy_%s SELECT %s', t.name,
            (SELECT string_agg(format('($1)[%s]::%s', n, y), ', ' ORDER BY n)
                FROM unnest(t.types) WITH ORDINALITY AS u (y, n))) USING p_image;
    END IF;
END
$fn$;

-- Is the row's image in the copy, or was it until the table's own trigger wrote the row, run by this session?
CREATE FUNCTION model.was(t model.target, p_key text, p_image text[], p_pid integer) RETURNS boolean
    LANGUAGE plpgsql AS $fn$
DECLARE
    v text[] := model.image_of(t, p_key);
BEGIN
    RETURN v IS NOT DISTINCT FROM p_image
        OR EXISTS (SELECT FROM model.prev p WHERE p.target = t.name AND p.key = p_key AND p.pid = p_pid
            AND p.image IS NOT DISTINCT FROM p_image);
END
$fn$;

-- Columns in which two images differ, but for those.
CREATE FUNCTION model.differing(t model.target, a text[], b text[], p_but text[]) RETURNS text LANGUAGE sql AS $fn$
    SELECT string_agg(c, ', ') FROM unnest(t.cols) WITH ORDINALITY AS u (c, n) WHERE a[n] IS DISTINCT FROM b[n]
        AND c <> ALL (p_but)
$fn$;

-- Was the row as its rule wants it, and as the operator saw it?
CREATE FUNCTION model.judge_rule(t model.target, p_verb text, p_rule jsonb, p_seen jsonb, p_key text, p_at timestamptz)
    RETURNS SETOF text LANGUAGE plpgsql AS $fn$
DECLARE
    c_facts CONSTANT jsonb := model.facts_of(t, p_key, p_at);
    v_proof boolean;
BEGIN
    IF c_facts IS NULL THEN
        RETURN NEXT 'there was no such row';
        RETURN;
    END IF;
    IF c_facts -> 'guard' <> p_seen THEN
        RETURN NEXT format('the operator saw %s, and it was %s', p_seen, c_facts -> 'guard');
    END IF;
    IF NOT p_rule -> 'from' ? coalesce(c_facts ->> 'state', 'unknown') THEN
        RETURN NEXT format('it was %s, and the rule is for %s', c_facts ->> 'state', p_rule -> 'from');
    END IF;
    IF p_verb = 'recover' AND c_facts ->> 'state' IN ('in_progress', 'pending')
       AND (c_facts ->> 'stale')::boolean IS NOT TRUE THEN
        RETURN NEXT 'it was not stale';
    END IF;
    IF p_verb <> 'recover' AND (c_facts ->> 'leased')::boolean AND (p_rule ->> 'live')::boolean IS NOT TRUE THEN
        RETURN NEXT 'its lease ran';
    END IF;
    IF (p_rule ->> 'needs')::boolean THEN
        EXECUTE format('SELECT EXISTS (SELECT FROM %s.eff e, model.copy_%s t '
            'WHERE e.s = t.s::text AND e.k = t.k::text AND e.at <= $1 AND %s = $2)',
            split_part(t.rel, '.', 1), t.name, t.key_sql) INTO v_proof USING p_at, p_key;
        IF NOT v_proof THEN
            RETURN NEXT 'the effect was not there';
        END IF;
    END IF;
END
$fn$;

-- Did the row become what its rule says, and nothing else?
CREATE FUNCTION model.judge_after(t model.target, p_rule jsonb, p_before text[], p_after text[], p_at timestamptz)
    RETURNS SETOF text LANGUAGE plpgsql AS $fn$
DECLARE
    v_diff  text;
    v_state text;
BEGIN
    IF p_rule ->> 'to' = 'absent' THEN
        IF p_after IS NOT NULL THEN
            RETURN NEXT 'it has an image after it went';
        END IF;
        RETURN;
    END IF;
    v_diff := model.differing(t, p_before, p_after,
        t.touched || ARRAY(SELECT jsonb_array_elements_text(p_rule -> 'cols')));
    IF v_diff IS NOT NULL OR p_after IS NULL THEN
        RETURN NEXT format('the rule does not change %s', coalesce(v_diff, 'its being there'));
    END IF;
    v_state := model.facts_of(t, model.key_of(t, p_after), p_at) ->> 'state';
    IF v_state IS DISTINCT FROM p_rule ->> 'to' THEN
        RETURN NEXT format('it became %s', v_state);
    END IF;
END
$fn$;

CREATE FUNCTION model.judge_change(t model.target, p_action idemdesk.action, i idemdesk.action_item, p_at timestamptz,
    p_pid integer) RETURNS SETOF text LANGUAGE plpgsql AS $fn$
DECLARE
    c_key   CONSTANT text := i.identity::text;
    c_where CONSTANT text := format('%s %s, row %s: ', p_action.verb, p_action.id, i.identity);
    c_asked CONSTANT jsonb := (model.asked_for(p_action.id)).rows -> (i.ordinal - 1);
    c_rule  CONSTANT jsonb := t.rules -> (c_asked ->> 'r')::integer;
    v_later text[] := model.image_of(t, c_key);
BEGIN
    IF c_asked IS NULL OR c_asked -> 'i' <> to_jsonb(i.identity) OR c_rule IS NULL
       OR c_rule ->> 'verb' <> p_action.verb THEN
        RETURN NEXT c_where || 'nobody asked for it';
        RETURN;
    END IF;
    -- Where a trigger wrote the row after the rule did, the rule is judged by what was there before both.
    IF NOT model.was(t, c_key, i.before, p_pid) THEN
        RETURN NEXT c_where || format('its image before is %s, and it was %s', i.before, v_later);
        v_later := NULL;
    ELSIF v_later IS DISTINCT FROM i.before THEN
        PERFORM model.put(t, c_key, i.before);
    ELSE
        v_later := NULL;
    END IF;
    RETURN QUERY SELECT c_where || x FROM model.judge_rule(t, p_action.verb, c_rule, c_asked -> 'g', c_key, p_at) x;
    PERFORM model.put(t, c_key, i.after);
    RETURN QUERY SELECT c_where || x FROM model.judge_after(t, c_rule, i.before, i.after, p_at) x;
    IF v_later IS NOT NULL THEN
        IF model.differing(t, i.after, v_later, t.touched) IS NOT NULL THEN
            RETURN NEXT c_where || format('a trigger made it %s', v_later);
        END IF;
        PERFORM model.put(t, c_key, v_later);
    END IF;
    INSERT INTO model.changed VALUES (p_action.id, c_key, i.before, i.after);
END
$fn$;

-- A purged row: finished, asked for, past its retention; p_image NULL where the purge keeps none.
CREATE FUNCTION model.judge_purged(t model.target, p_action idemdesk.action, p_batch integer, p_place integer,
    p_key text, p_image text[],
    p_at timestamptz, p_pid integer) RETURNS SETOF text LANGUAGE plpgsql AS $fn$
DECLARE
    c_where  CONSTANT text := format('purge %s, row %s: ', p_action.id, p_key);
    v_plan   jsonb := (model.asked_for(p_action.id)).plan;
    v_cutoff timestamptz := least((v_plan ->> 'cutoff')::timestamptz, p_at);
    v_facts  jsonb := model.facts_of(t, p_key, v_cutoff);
BEGIN
    IF v_facts IS NULL THEN
        RETURN NEXT c_where || 'there was no such row';
        RETURN;
    END IF;
    IF p_image IS NOT NULL AND NOT model.was(t, p_key, p_image, p_pid) THEN
        RETURN NEXT c_where || format('its image is %s, and it was %s', p_image, model.image_of(t, p_key));
    END IF;
    IF NOT coalesce(v_plan -> 'states' ? (v_facts ->> 'state'), false) OR v_facts ->> 'state' NOT IN ('succeeded',
        'failed_final') THEN
        RETURN NEXT c_where || format('it was %s', v_facts ->> 'state');
    END IF;
    IF (v_facts ->> 'due')::boolean IS NOT TRUE THEN
        RETURN NEXT c_where || format('it was not past its retention at %s', v_cutoff);
    END IF;
    IF jsonb_typeof(v_plan -> 'scopes') = 'array'
        AND NOT v_plan -> 'scopes' @> jsonb_build_array(v_facts -> 'scope') THEN
        RETURN NEXT c_where || format('its scope is %s', v_facts -> 'scope');
    END IF;
    INSERT INTO model.gone VALUES (p_action.id, p_batch, p_place, p_key, model.image_of(t, p_key));
    IF p_image IS NULL OR model.image_of(t, p_key) IS NOT DISTINCT FROM p_image THEN
        PERFORM model.put(t, p_key, NULL);
    END IF;
END
$fn$;

CREATE FUNCTION model.judge_purge(t model.target, p_action idemdesk.action, a idemdesk.audit) RETURNS SETOF text
    LANGUAGE plpgsql AS $fn$
DECLARE
    q      record;
    v_keys text[];
BEGIN
    IF p_action.plan ->> 'images' IS DISTINCT FROM 'false' THEN
        FOR q IN SELECT x.n::integer AS n, x.i, x.m::text[] AS m FROM idemdesk.quarantine z, unnest(z.identities,
            z.images) WITH ORDINALITY AS x (i, m, n)
                  WHERE z.keep_until = p_action.keep_until AND z.action = p_action.id AND z.batch = a.batch
        LOOP
            RETURN QUERY SELECT * FROM model.judge_purged(t, p_action, a.batch, q.n, q.i, q.m, a.at, a.pid);
        END LOOP;
        RETURN;
    END IF;
    SELECT p.keys INTO v_keys FROM model.present p WHERE p.action = p_action.id AND p.batch = a.batch;
    IF v_keys IS NULL THEN
        RETURN;
    END IF;
    FOR q IN EXECUTE format('SELECT %s AS i, row_number() OVER () AS n FROM model.copy_%s t WHERE %1$s <> ALL ($1)',
        t.key_sql, t.name) USING v_keys LOOP
        RETURN QUERY SELECT * FROM model.judge_purged(t, p_action, a.batch, q.n::integer, q.i, NULL, a.at, a.pid);
    END LOOP;
END
$fn$;

CREATE FUNCTION model.judge_undo(t model.target, p_action idemdesk.action, a idemdesk.audit) RETURNS SETOF text
    LANGUAGE plpgsql AS $fn$
DECLARE
    c_where CONSTANT text := format('undo %s of %s: ', p_action.id, p_action.undo_of);
    r       record;
    v_was   text[];
    v_key   text;
    v_is    text[];
    v_diff  text;
BEGIN
    -- Rows with an item, then those that came back as runs.
    FOR r IN SELECT i.identity::text AS key, i.before, i.after FROM idemdesk.action_item i
              WHERE i.opened_on = p_action.opened_on AND i.action = p_action.id AND i.batch = a.batch
                  AND i.outcome = 'done'
             UNION ALL
             SELECT g.key, NULL, g.image FROM idemdesk.restored s JOIN model.gone g ON g.action = s.action
                 AND g.batch = s.batch
                AND g.place BETWEEN s.first AND s.last
              WHERE s.by = p_action.id AND s.by_batch = a.batch AND s.by_row IS NOT NULL
    LOOP
        SELECT x.before, x.after, x.kind INTO v_was, v_is, v_diff
          FROM (SELECT g.image AS before, NULL::text[] AS after, 'gone' AS kind FROM model.gone g
              WHERE g.action = p_action.undo_of AND g.key = r.key
                UNION ALL SELECT c.before, c.after, 'changed' FROM model.changed c WHERE c.action = p_action.undo_of
                    AND c.key = r.key) x;
        IF NOT FOUND THEN
            RETURN NEXT c_where || format('%s was not touched by it', r.key);
            CONTINUE;
        END IF;
        v_was := model.padded(t, v_was);
        v_is := model.padded(t, v_is);
        r.after := model.padded(t, r.after);
        v_key := model.key_of(t, coalesce(v_is, v_was));
        IF v_diff = 'changed' AND NOT model.was(t, v_key, v_is, a.pid) THEN
            RETURN NEXT c_where || format('%s was %s by then and not %s', v_key, model.image_of(t, v_key), v_is);
        END IF;
        v_diff := model.differing(t, v_was, r.after, t.touched);
        IF v_diff IS NOT NULL THEN
            RETURN NEXT c_where || format('%s did not get its %s back: %s, it was %s', r.key, v_diff, r.after, v_was);
        END IF;
        IF model.image_of(t, v_key) IS NOT DISTINCT FROM v_is THEN
            PERFORM model.put(t, v_key, r.after);
        END IF;
        INSERT INTO model.undone VALUES (p_action.id, r.key);
    END LOOP;
END
$fn$;

-- How many rows this model saw an action touch so far.
CREATE FUNCTION model.touched_by(p_action uuid) RETURNS bigint LANGUAGE sql AS $fn$
    SELECT count(*) FROM (SELECT action FROM model.changed UNION ALL SELECT action FROM model.gone
                          UNION ALL SELECT action FROM model.undone) x WHERE x.action = p_action
$fn$;

-- A batch: who asked and approved, how many rows, each row.
CREATE FUNCTION model.judge_batch(a idemdesk.audit) RETURNS SETOF text LANGUAGE plpgsql AS $fn$
DECLARE
    v_action  idemdesk.action;
    t         model.target;
    i         idemdesk.action_item;
    v_limit   bigint;
    v_total   bigint;
    v_said    bigint := coalesce((a.facts -> 'counts' ->> 'done')::bigint,
        0) + coalesce((a.facts -> 'counts' ->> 'purged')::bigint, 0);
    v_before  bigint;
    v_approved bigint;
BEGIN
    SELECT c.* INTO v_action FROM idemdesk.action c WHERE c.id = a.action;
    SELECT x.* INTO t FROM model.target x WHERE x.name = a.target;
    IF v_action.id IS NULL OR t.name IS NULL THEN
        RETURN NEXT format('a batch of action %s on %s, which nobody knows', a.action, a.target);
        RETURN;
    END IF;
    v_before := model.touched_by(a.action);
    IF v_action.verb = 'purge' THEN
        RETURN QUERY SELECT * FROM model.judge_purge(t, v_action, a);
    ELSIF v_action.verb = 'undo' THEN
        RETURN QUERY SELECT * FROM model.judge_undo(t, v_action, a);
    ELSE
        FOR i IN SELECT m.* FROM idemdesk.action_item m
                  WHERE m.opened_on = v_action.opened_on AND m.action = a.action AND m.batch = a.batch
                      AND m.outcome = 'done' ORDER BY m.ordinal
        LOOP
            RETURN QUERY SELECT * FROM model.judge_change(t, v_action, i, a.at, a.pid);
        END LOOP;
    END IF;
    PERFORM model.count_up(v_action.verb || ' rows', v_said);
    v_total := model.touched_by(a.action);
    IF v_total - v_before <> v_said THEN
        RETURN NEXT format('batch %s of %s says %s rows; this model finds %s', a.batch, a.action, v_said,
            v_total - v_before);
    END IF;
    v_total := coalesce((a.facts -> 'totals' ->> 'done')::bigint,
        0) + coalesce((a.facts -> 'totals' ->> 'purged')::bigint, 0);
    SELECT l.above INTO v_limit FROM model.lim l WHERE l.target = a.target;
    SELECT count(*) INTO v_approved FROM model.approval p WHERE p.action = a.action;
    IF v_total > v_limit AND v_approved = 0 THEN
        RETURN NEXT format('%s %s changed %s rows; %s may change %s alone, and nobody approved', v_action.verb,
            a.action, v_total, v_action.requested_by, v_limit);
    ELSIF v_total > (v_action.planned_rows * 1.05 + 100) * greatest(1, v_approved) AND v_limit IS NOT NULL THEN
        RETURN NEXT format('%s %s changed %s rows; %s approvals were for %s each', v_action.verb, a.action, v_total,
            v_approved, v_action.planned_rows);
    END IF;
END
$fn$;

-- Whoever approves is another person than the one who asked, and neither login is shared.
CREATE FUNCTION model.judge_approval(a idemdesk.audit) RETURNS SETOF text LANGUAGE plpgsql AS $fn$
DECLARE
    v_asked text := (SELECT o.who FROM idemdesk.audit o WHERE o.action = a.action AND o.what IN ('open', 'request')
        ORDER BY o.seq LIMIT 1);
    v_by    text := (SELECT o.who FROM idemdesk.audit o WHERE o.target = a.target AND o.what = 'register'
        AND o.seq < a.seq ORDER BY o.seq DESC LIMIT 1);
BEGIN
    IF v_asked IS NULL OR a.who IN (v_asked, v_by) THEN
        RETURN NEXT format('%s approved %s, which %s asked for on what %s registered', a.who, a.action, v_asked, v_by);
    END IF;
    IF EXISTS (SELECT FROM model.shared s WHERE s.login IN (a.who, v_asked)) THEN
        RETURN NEXT format('%s approved %s of %s, and one of these logins is shared', a.who, a.action, v_asked);
    END IF;
    INSERT INTO model.approval VALUES (a.action, 1);
    PERFORM model.count_up('approvals');
END
$fn$;

-- Limits: the tighter holds, until another person approves a looser one.
CREATE FUNCTION model.judge_limit(a idemdesk.audit) RETURNS SETOF text LANGUAGE plpgsql AS $fn$
DECLARE
    v_new    bigint := (a.facts ->> 'approval_above')::bigint;
    v_rel    bigint := (a.facts ->> 'relation')::bigint;
    v_agreed model.agreed;
BEGIN
    SELECT g.* INTO v_agreed FROM model.agreed g WHERE g.relation = v_rel;
    -- The approval's own row follows the limit that it sets.
    IF a.what = 'register' AND v_agreed.above IS NOT NULL AND (v_new IS NULL OR v_new > v_agreed.above) THEN
        RETURN NEXT format('%s loosened the limit of %s from %s to %s', a.who, a.target, v_agreed.above, v_new);
    ELSIF a.what = 'limit' AND NOT EXISTS (SELECT FROM idemdesk.audit p WHERE p.action = a.action
        AND p.what = 'approve' AND p.seq > a.seq) THEN
        RETURN NEXT format('nobody approved the limit of %s', a.target);
    END IF;
    INSERT INTO model.lim VALUES (a.target, v_rel, v_new) ON CONFLICT (target) DO UPDATE SET above = v_new,
        relation = v_rel;
    INSERT INTO model.agreed VALUES (v_rel, v_new) ON CONFLICT (relation) DO UPDATE SET above = v_new;
END
$fn$;

-- May this login do that, and did it say so itself?
CREATE FUNCTION model.judge_person(a idemdesk.audit) RETURNS SETOF text LANGUAGE plpgsql AS $fn$
DECLARE
    c_limit CONSTANT boolean := EXISTS (SELECT FROM idemdesk.action c WHERE c.id = a.action AND c.verb = 'limit');
    c_who   CONSTANT text[] := CASE WHEN a.what IN ('approve', 'decline', 'limit') THEN '{appr,duo}'
        WHEN a.what IN ('register', 'unregister', 'settings', 'shared_login') OR (c_limit AND a.what IN ('request',
            'cancel')) THEN '{adm}'
        WHEN a.what = 'maintain' THEN '{op,op2,duo,adm}' ELSE '{op,op2,duo}' END;
    c_fn    CONSTANT text[] := CASE WHEN c_limit AND a.what = 'request' THEN '{register_target}' WHEN c_limit
        -- A limit that is set or agreed on takes back the requests for another one.
        AND a.what = 'cancel' THEN '{unregister_target,set_action,register_target,approve_action}'
        WHEN a.what IN ('open', 'request')
            THEN '{open_action,open_undo,detach_partition,attach_partition,drop_partition}'
        WHEN a.what IN ('approve', 'decline', 'limit') THEN '{approve_action}' WHEN a.what = 'register'
            THEN '{register_target}'
        WHEN a.what = 'unregister' THEN '{unregister_target}' WHEN a.what = 'settings'
            THEN '{set_kept}' WHEN a.what = 'shared_login' THEN '{set_shared_login}'
        WHEN a.what = 'batch' THEN '{change_batch,purge_batch,undo_batch}' WHEN a.what = 'pause'
            THEN '{set_action,change_batch,purge_batch,undo_batch}'
        WHEN a.what IN ('resume', 'cancel', 'ask_again') THEN '{set_action}' WHEN a.what = 'maintain' THEN '{maintain}'
        ELSE ARRAY[a.what || '_partition'] END;
BEGIN
    IF a.who <> ALL (c_who) AND NOT (c_limit AND a.what = 'cancel' AND a.who IN ('op', 'op2', 'duo', 'appr')) THEN
        RETURN NEXT format('%s did "%s" (row %s of the trail), and has no role for that', a.who, a.what, a.seq);
    END IF;
    IF NOT EXISTS (SELECT FROM model.sent s WHERE s.who = a.who AND s.fn = ANY (c_fn) AND s.at <= a.at
                      AND (c_limit OR a.action IS NULL OR s.action = a.action) AND (a.what <> 'batch'
                          OR s.batch = a.batch)) THEN
        RETURN NEXT format('"%s" of %s stands in the trail (row %s) as done by %s, who never said so', a.what,
            a.action, a.seq, a.who);
    END IF;
END
$fn$;

-- A partition that left its table, or came back: whole, finished, past its time.
CREATE FUNCTION model.judge_partition(a idemdesk.audit) RETURNS SETOF text LANGUAGE plpgsql AS $fn$
DECLARE
    t      model.target;
    r      record;
    v_n    bigint := 0;
    v_part text := a.facts ->> 'partition';
BEGIN
    SELECT x.* INTO t FROM model.target x WHERE x.name = a.target;
    PERFORM model.count_up('partitions: ' || a.what);
    IF a.what = 'drop' THEN
        RETURN;
    END IF;
    FOR r IN EXECUTE format('SELECT %s AS key, %s AS image FROM %s t', t.key_sql, t.image_sql, v_part) LOOP
        v_n := v_n + 1;
        IF a.what = 'attach' THEN
            PERFORM model.put(t, r.key, r.image);
            CONTINUE;
        END IF;
        IF model.image_of(t, r.key) IS DISTINCT FROM r.image THEN
            RETURN NEXT format('%s of the detached %s was %s', r.key, v_part, model.image_of(t, r.key));
        END IF;
        IF (model.facts_of(t, r.key, (a.facts ->> 'cutoff')::timestamptz) ->> 'due')::boolean IS NOT TRUE
           OR model.facts_of(t, r.key, a.at) ->> 'state' NOT IN ('succeeded', 'failed_final') THEN
            RETURN NEXT format('%s of the detached %s was not finished, or not past its time', r.key, v_part);
        END IF;
        PERFORM model.put(t, r.key, NULL);
    END LOOP;
    IF v_n <> (a.facts ->> 'rows')::bigint THEN
        RETURN NEXT format('%s has %s rows; the trail says %s', v_part, v_n, a.facts ->> 'rows');
    END IF;
    IF a.what = 'detach' AND v_n > (SELECT l.above FROM model.lim l WHERE l.target = a.target)
       AND NOT EXISTS (SELECT FROM model.approval p WHERE p.action = a.action) THEN
        RETURN NEXT format('%s rows went with %s, and nobody approved', v_n, v_part);
    END IF;
END
$fn$;

CREATE FUNCTION model.judge_entry(a idemdesk.audit) RETURNS SETOF text LANGUAGE plpgsql AS $fn$
BEGIN
    PERFORM model.count_up('trail: ' || a.what);
    RETURN QUERY SELECT * FROM model.judge_person(a);
    IF a.what = 'batch' THEN
        RETURN QUERY SELECT * FROM model.judge_batch(a);
    ELSIF a.what = 'approve' THEN
        RETURN QUERY SELECT * FROM model.judge_approval(a);
    ELSIF a.what IN ('register', 'limit') THEN
        RETURN QUERY SELECT * FROM model.judge_limit(a);
    ELSIF a.what = 'unregister' THEN
        DELETE FROM model.lim l WHERE l.target = a.target;
    ELSIF a.what IN ('detach', 'attach', 'drop') THEN
        RETURN QUERY SELECT * FROM model.judge_partition(a);
    ELSIF a.what = 'shared_login' THEN
        DELETE FROM model.shared s WHERE s.login = a.facts ->> 'login';
        INSERT INTO model.shared SELECT a.facts ->> 'login' WHERE (a.facts ->> 'shared')::boolean;
    ELSIF a.what NOT IN ('open', 'request', 'pause', 'resume', 'cancel', 'ask_again', 'decline', 'settings',
        'maintain') THEN
        RETURN NEXT format('the trail has "%s" (row %s), which nobody does here', a.what, a.seq);
    END IF;
END
$fn$;

-- Definitions, rights and roles that nobody's action changes. The tables of a day or a month come and go.
CREATE FUNCTION model.protected() RETURNS TABLE (name text, digest text) LANGUAGE sql AS $fn$
    SELECT 'function ' || p.oid::regprocedure, md5(pg_get_functiondef(p.oid) || p.proowner || coalesce(p.proacl::text,
        ''))
      FROM pg_proc p WHERE p.pronamespace = 'idemdesk'::regnamespace AND p.prokind = 'f'
    UNION ALL
    SELECT 'relation ' || c.oid::regclass, md5(concat(c.relowner, c.relkind, c.relacl, c.relhastriggers,
        c.relrowsecurity, c.relhasrules,
        (SELECT string_agg(pg_get_triggerdef(t.oid) || t.tgenabled::text, ' ' ORDER BY t.tgname) FROM pg_trigger t
            WHERE t.tgrelid = c.oid)))
      FROM pg_class c WHERE c.relnamespace = 'idemdesk'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S')
          AND c.relname !~ '_[0-9]{8}$'
    UNION ALL
    SELECT 'role ' || r.rolname, md5(concat(r.rolsuper, r.rolcreaterole, r.rolcanlogin, r.rolreplication,
        r.rolbypassrls, r.rolconfig)) FROM pg_roles r
    UNION ALL
    SELECT 'members', md5(string_agg(concat(m.roleid, ' ', m.member, ' ', m.admin_option), ',' ORDER BY m.roleid,
        m.member)) FROM pg_auth_members m
    UNION ALL
    SELECT 'schemas', md5(string_agg(concat(n.nspname, n.nspowner, n.nspacl), ',' ORDER BY n.nspname))
        FROM pg_namespace n WHERE n.nspname !~ '^pg_(toast_)?temp'
    UNION ALL
    SELECT 'settings of roles', md5(string_agg(s::text, ',' ORDER BY s.setrole)) FROM pg_db_role_setting s
    UNION ALL
    SELECT 'rows of definition', md5(string_agg(d::text, ',' ORDER BY d.name)) FROM idemdesk.definition d
    UNION ALL
    SELECT 'rows of runner', md5(string_agg(d::text, ',' ORDER BY d.owner)) FROM idemdesk.runner d
    UNION ALL
    SELECT 'rows of migration', md5(string_agg(d::text, ',' ORDER BY d.version)) FROM idemdesk.migration d
$fn$;

CREATE FUNCTION model.digest_of(p_rel text) RETURNS text LANGUAGE plpgsql AS $fn$
DECLARE
    v text;
BEGIN
    EXECUTE format('SELECT md5(string_agg(t::text, ''|'' ORDER BY t::text)) FROM %s t', p_rel) INTO v;
    RETURN coalesce(v, 'empty');
END
$fn$;

-- Begins: from here on nothing changes but by what is accounted for.
CREATE FUNCTION model.begin() RETURNS void LANGUAGE plpgsql AS $fn$
BEGIN
    PERFORM model.watch(t.name) FROM model.target t;
    UPDATE model.bystander b SET digest = model.digest_of(b.name);
    DELETE FROM model.guarded;
    INSERT INTO model.guarded SELECT p.name, p.digest FROM model.protected() p;
    -- Registrations that came before have set limits already.
    DELETE FROM model.lim;
    INSERT INTO model.lim SELECT t.name, t.relation::bigint, t.approval_above FROM idemdesk.target t;
    DELETE FROM model.agreed;
    INSERT INTO model.agreed SELECT l.relation::bigint, l.approval_above FROM idemdesk.target_limit l;
    DELETE FROM model.progress;
    INSERT INTO model.progress SELECT coalesce(max(a.seq), 0) FROM idemdesk.audit a;
END
$fn$;

-- All that happened since the last call, one thing after the other.
CREATE FUNCTION model.judge_events() RETURNS SETOF text LANGUAGE plpgsql
    SET datestyle = 'ISO, YMD' SET intervalstyle = 'postgres' SET timezone = 'UTC' SET array_nulls = on
        SET bytea_output = 'hex'
    SET extra_float_digits = 1 AS $fn$
DECLARE
    e record;
BEGIN
    FOR e IN SELECT w.at, 0 AS kind, w.n, w.target, w.key, w.image, w.pid, NULL::idemdesk.audit AS a FROM shadow.wrote w
             UNION ALL
             SELECT a.at, 1, a.seq, NULL, NULL, NULL, NULL, a FROM idemdesk.audit a WHERE a.seq > (SELECT p.seq
                 FROM model.progress p)
             ORDER BY 1, 2, 3
    LOOP
        IF e.kind = 0 THEN
            PERFORM model.put((SELECT t FROM model.target t WHERE t.name = e.target), e.key, e.image, e.pid);
            DELETE FROM shadow.wrote w WHERE w.n = e.n;
            PERFORM model.count_up('direct rows');
        ELSE
            RETURN QUERY SELECT * FROM model.judge_entry(e.a);
            UPDATE model.progress SET seq = e.n;
        END IF;
    END LOOP;
END
$fn$;

-- Everything else is as it was. Gives what is not.
CREATE FUNCTION model.judge() RETURNS SETOF text LANGUAGE plpgsql
    SET datestyle = 'ISO, YMD' SET intervalstyle = 'postgres' SET timezone = 'UTC' SET array_nulls = on
        SET bytea_output = 'hex'
    SET extra_float_digits = 1 AS $fn$
DECLARE
    t model.target;
BEGIN
    RETURN QUERY SELECT * FROM model.judge_events();
    FOR t IN SELECT x.* FROM model.target x LOOP
        RETURN QUERY EXECUTE format(
            'SELECT format(''%1$s has %%s, and should have %%s'', coalesce(x.image::text, ''no row '' || y.key), '
            'coalesce(y.image::text, ''no row '' || x.key)) '
            'FROM (SELECT %2$s AS key, %3$s AS image FROM %4$s t) x '
            'FULL JOIN (SELECT %2$s AS key, %3$s AS image FROM model.copy_%1$s t) y '
            'ON y.key = x.key AND y.image = x.image WHERE x.key IS NULL OR y.key IS NULL', t.name, t.key_sql,
                t.image_sql, t.rel);
    END LOOP;
    RETURN QUERY SELECT format('%s was changed', b.name) FROM model.bystander b WHERE b.digest IS DISTINCT
        FROM model.digest_of(b.name);
    RETURN QUERY SELECT format('%s is not what it was', coalesce(g.name, p.name)) FROM model.guarded g FULL
        JOIN model.protected() p ON p.name = g.name
                  WHERE g.digest IS DISTINCT FROM p.digest;
    RETURN QUERY SELECT format('action %s (%s) is not in the trail', c.id, c.verb) FROM idemdesk.action c
                  WHERE NOT EXISTS (SELECT FROM idemdesk.audit a WHERE a.action = c.id AND a.who = c.requested_by);
    RETURN QUERY SELECT format('the trail is broken at %s: %s', v.first_bad, v.problem)
        FROM idemdesk.verify_audit() v WHERE NOT v.intact;
END
$fn$;

-- The frozen set of an action as an operator's console would send it: rows in these states (NULL: any), picked by salt.
CREATE FUNCTION model.frozen(p_target text, p_rule integer, p_states text[], p_stale boolean, p_salt text,
    p_limit integer) RETURNS jsonb
    LANGUAGE plpgsql AS $fn$
DECLARE
    t model.target := (SELECT x FROM model.target x WHERE x.name = p_target);
    v jsonb;
BEGIN
    EXECUTE format('SELECT jsonb_agg(x.r) FROM (SELECT jsonb_build_object(''i'', (%s)::text[], ''g'', %s, '
        '''r'', $1::integer) AS r FROM %s t '
        'WHERE ($2 IS NULL OR %s = ANY ($2)) AND ($3 IS NOT TRUE OR %s) ORDER BY md5(t.k::text || $4) LIMIT $5) x',
        t.key_sql, t.guard_sql, t.rel, t.state_sql, replace(t.stale_sql, '$1', 'now()')) INTO v USING p_rule,
            p_states, p_stale, p_salt, p_limit;
    RETURN coalesce(v, '[]');
END
$fn$;

CREATE FUNCTION model.note_present(p_action uuid, p_batch integer, p_target text) RETURNS void LANGUAGE plpgsql AS $fn$
DECLARE
    t model.target := (SELECT x FROM model.target x WHERE x.name = p_target);
BEGIN
    EXECUTE format('INSERT INTO model.present SELECT $1, $2, coalesce(array_agg(%s), ''{}'') FROM %s t', t.key_sql,
        t.rel) USING p_action, p_batch;
END
$fn$;
