-- SPDX-License-Identifier: GPL-3.0-or-later
-- Opening, approving, pausing and reading actions, and the one function through which a batch is written down.
SET LOCAL ROLE idemdesk_owner;

CREATE FUNCTION idemdesk._action_json(p idemdesk.action) RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT to_jsonb(p) - ARRAY['content_sha', 'profile_sha', 'cursor']
        || jsonb_build_object('sweep', coalesce((p.cursor ->> 'sweep')::boolean, false))
$fn$;

-- The table of this quoted, qualified name; to_regclass() would need the right to use its schema.
CREATE FUNCTION idemdesk._relation_named(p_sql text) RETURNS oid
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE format('"%s"."%s"', replace(n.nspname, '"', '""'), replace(c.relname, '"', '""')) = p_sql
$fn$;

CREATE FUNCTION idemdesk._ensure_partition(p_table text, p_day date) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $fn$
DECLARE
    -- Items go by month, quarantine by day: each is dropped whole.
    v_from date := CASE p_table WHEN 'quarantine' THEN p_day ELSE date_trunc('month', p_day)::date END;
    v_to   date := CASE p_table WHEN 'quarantine' THEN v_from + 1 ELSE (v_from + interval '1 month')::date END;
    v_name text := p_table || '_' || to_char(v_from, 'YYYYMMDD');
BEGIN
    IF to_regclass(format('idemdesk.%I', v_name)) IS NOT NULL THEN
        RETURN;
    END IF;
    -- Two consoles may open actions at the same moment. What to_regclass() did not find before it need not find now: the wait
    -- for this lock brings its cache no news, a query does.
    PERFORM pg_advisory_xact_lock(hashtextextended('idemdesk partition ' || v_name, 0));
    IF EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = 'idemdesk'::regnamespace AND c.relname = v_name) THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE idemdesk.%I (LIKE idemdesk.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION)', v_name, p_table);
    EXECUTE format('ALTER TABLE idemdesk.%I ATTACH PARTITION idemdesk.%I FOR VALUES FROM (%L) TO (%L)', p_table, v_name, v_from, v_to);
    EXECUTE format('CREATE TRIGGER keep_table BEFORE TRUNCATE ON idemdesk.%I FOR EACH STATEMENT EXECUTE FUNCTION idemdesk._refuse_change()', v_name);
    EXECUTE format('ALTER TABLE idemdesk.%I ENABLE ALWAYS TRIGGER keep_table, ENABLE ALWAYS TRIGGER keep_rows', v_name);
END
$fn$;

-- Asks for an action. p_id comes from the console: the same call again observes what the first one did. p_rows is the frozen
-- set of a recovery, requeue or reclassification: [{"i": identity, "g": guard values, "r": rule, "e": effect id,
-- "t": effect type}]; a purge has none, its p_plan says {"cutoff", "states", "scopes" or null, "images", "expected"}.
CREATE FUNCTION idemdesk.open_action(p_id uuid, p_target text, p_verb text, p_reason text, p_ticket text, p_plan jsonb,
    p_profile_sha text, p_rows jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s' SET timezone = 'UTC'
AS $fn$
DECLARE
    v_who    text := idemdesk._require('idemdesk_operator');
    v_target idemdesk.target;
    v_action idemdesk.action;
    v_other  idemdesk.action;
    v_rules  jsonb;
    v_seq    bigint;
BEGIN
    v_action.content_sha := sha256(convert_to(
        jsonb_build_array(p_target, p_verb, p_reason, p_ticket, p_plan, p_profile_sha, p_rows)::text, 'UTF8'));
    SELECT a.* INTO v_other FROM idemdesk.action a WHERE a.id = p_id;
    IF FOUND THEN
        IF v_other.content_sha <> v_action.content_sha OR v_other.requested_by <> v_who THEN
            RAISE EXCEPTION 'Another action has this id already.' USING ERRCODE = 'ID007';
        END IF;
        RETURN idemdesk._action_json(v_other);
    END IF;
    PERFORM idemdesk._require_guard();
    IF p_verb NOT IN ('recover', 'requeue', 'reclassify', 'purge') THEN
        RAISE EXCEPTION 'There is no action "%".', p_verb USING ERRCODE = 'ID005';
    END IF;
    IF coalesce(p_reason, '') !~ '[^[:space:]]' THEN
        RAISE EXCEPTION 'An action needs a reason.' USING ERRCODE = 'ID005', HINT = 'Say why it is done.';
    END IF;
    SELECT t.* INTO v_target FROM idemdesk.target t WHERE t.name = p_target FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The target "%" is not registered.', p_target USING ERRCODE = 'ID005',
            HINT = 'An idemdesk_admin registers it with "targets add".';
    END IF;
    IF encode(v_target.profile_sha, 'hex') <> p_profile_sha THEN
        RAISE EXCEPTION 'The profile of "%" was changed since the preview.', p_target USING ERRCODE = 'ID006',
            HINT = 'Make the plan again.';
    END IF;
    v_action.id := p_id;
    v_action.target := p_target;
    v_action.verb := p_verb;
    v_action.requested_by := v_who;
    v_action.requested_at := clock_timestamp();
    v_action.opened_on := v_action.requested_at::date;
    v_action.keep_until := (v_action.requested_at + v_target.undo_window)::date;
    v_action.reason := p_reason;
    v_action.ticket := nullif(p_ticket, '');
    v_action.plan := p_plan;
    v_action.profile_sha := v_target.profile_sha;
    v_action.last_batch := 0;
    v_action.next_row := 1;
    v_action.cursor := '{}';
    v_action.counts := '{}';
    IF p_verb = 'purge' THEN
        v_action.planned_rows := (p_plan ->> 'expected')::bigint;
        IF v_action.planned_rows IS NULL OR p_plan ->> 'cutoff' IS NULL OR jsonb_typeof(p_plan -> 'states') IS DISTINCT FROM 'array'
           OR jsonb_array_length(v_target.compiled -> 'purge') = 0 THEN
            RAISE EXCEPTION 'A purge needs a cutoff, states, an expected number of rows, and a purge rule in the profile.'
                USING ERRCODE = 'ID005';
        END IF;
        IF (p_plan ->> 'cutoff')::timestamptz > clock_timestamp() THEN
            RAISE EXCEPTION 'The cutoff lies in the future.' USING ERRCODE = 'ID005';
        END IF;
        -- A profile may count an expired retryable failure as finished (its purge rule then names that state); nothing else.
        IF p_plan -> 'states' ?| ARRAY['pending', 'in_progress', 'unknown'] THEN
            RAISE EXCEPTION 'Only finished keys are purged.' USING ERRCODE = 'ID005';
        END IF;
        IF v_target.compiled ->> 'purge_refused' IS NOT NULL THEN
            RAISE EXCEPTION '%', v_target.compiled ->> 'purge_refused' USING ERRCODE = 'ID005';
        END IF;
    ELSE
        v_action.planned_rows := jsonb_array_length(p_rows);
        v_rules := v_target.compiled -> 'rules';
        IF v_action.planned_rows = 0 THEN
            RAISE EXCEPTION 'No key was chosen.' USING ERRCODE = 'ID005';
        END IF;
        IF v_action.planned_rows > 100000 THEN
            RAISE EXCEPTION 'At most 100,000 keys are acted on at once.' USING ERRCODE = 'ID005',
                HINT = 'Narrow the filter and run it in parts.';
        END IF;
        IF EXISTS (SELECT FROM jsonb_to_recordset(p_rows) AS r (r integer)
                    WHERE r.r IS NULL OR v_rules -> r.r ->> 'verb' IS DISTINCT FROM p_verb OR r.r < 0) THEN
            RAISE EXCEPTION 'A row names a rule that the profile does not have for "%".', p_verb USING ERRCODE = 'ID005';
        END IF;
        IF (SELECT count(DISTINCT r ->> 'i') FROM jsonb_array_elements(p_rows) r) <> v_action.planned_rows THEN
            RAISE EXCEPTION 'The same key was chosen twice.' USING ERRCODE = 'ID005';
        END IF;
    END IF;
    v_action.state := 'running';
    IF v_action.planned_rows > v_target.approval_above THEN
        v_action.state := 'requested';
        IF EXISTS (SELECT FROM idemdesk.shared_login s WHERE s.login = v_who) THEN
            RAISE EXCEPTION 'The login % is shared by several people, so it cannot ask for what another person must approve.', v_who
                USING ERRCODE = 'ID008', HINT = 'Use a login of your own.';
        END IF;
    END IF;
    BEGIN
        INSERT INTO idemdesk.action SELECT v_action.*;
    EXCEPTION WHEN unique_violation THEN
        SELECT a.* INTO v_other FROM idemdesk.action a
         WHERE a.target = p_target AND a.verb = 'purge' AND a.state IN ('requested', 'running', 'paused');
        IF NOT FOUND THEN
            RAISE;
        END IF;
        RAISE EXCEPTION '% has an open purge of "%" (%, %).', v_other.requested_by, p_target, v_other.id, v_other.state
            USING ERRCODE = 'ID009', HINT = 'Resume or cancel that one first.';
    END;
    IF p_verb <> 'purge' THEN
        INSERT INTO idemdesk.action_row (action, ordinal, identity, guard, rule, effect_id, effect_type)
        SELECT p_id, r.n, ARRAY(SELECT jsonb_array_elements_text(r.v -> 'i')), ARRAY(SELECT jsonb_array_elements_text(r.v -> 'g')),
               (r.v ->> 'r')::integer, r.v ->> 'e', r.v ->> 't'
          FROM jsonb_array_elements(p_rows) WITH ORDINALITY AS r (v, n);
        PERFORM idemdesk._ensure_partition('action_item', v_action.opened_on);
    ELSIF (p_plan ->> 'images')::boolean IS NOT FALSE THEN
        PERFORM idemdesk._ensure_partition('quarantine', v_action.keep_until);
    END IF;
    v_seq := idemdesk._chain(CASE v_action.state WHEN 'requested' THEN 'request' ELSE 'open' END, p_target, p_id, NULL,
        jsonb_build_object('verb', p_verb, 'reason', p_reason, 'ticket', v_action.ticket, 'plan', p_plan,
            'rows', v_action.planned_rows, 'content', encode(v_action.content_sha, 'hex'), 'profile', p_profile_sha), NULL);
    RETURN idemdesk._action_json(v_action);
END
$fn$;

-- Asks to undo an action: puts back what nobody touched since.
CREATE FUNCTION idemdesk.open_undo(p_id uuid, p_of uuid, p_reason text, p_ticket text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s' SET timezone = 'UTC'
AS $fn$
DECLARE
    v_who    text := idemdesk._require('idemdesk_operator');
    v_of     idemdesk.action;
    v_target idemdesk.target;
    v_action idemdesk.action;
    v_seq    bigint;
BEGIN
    SELECT a.* INTO v_action FROM idemdesk.action a WHERE a.id = p_id;
    IF FOUND THEN
        IF v_action.undo_of IS DISTINCT FROM p_of OR v_action.requested_by <> v_who OR v_action.reason <> p_reason THEN
            RAISE EXCEPTION 'Another action has this id already.' USING ERRCODE = 'ID007';
        END IF;
        RETURN idemdesk._action_json(v_action);
    END IF;
    PERFORM idemdesk._require_guard();
    IF coalesce(p_reason, '') !~ '[^[:space:]]' THEN
        RAISE EXCEPTION 'An action needs a reason.' USING ERRCODE = 'ID005', HINT = 'Say why it is undone.';
    END IF;
    SELECT a.* INTO v_of FROM idemdesk.action a WHERE a.id = p_of FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'There is no action %.', p_of USING ERRCODE = 'ID005';
    END IF;
    IF v_of.verb = 'undo' OR v_of.state NOT IN ('finished', 'cancelled') THEN
        RAISE EXCEPTION 'Only a finished or cancelled action can be undone; this one is % (%).', v_of.verb, v_of.state
            USING ERRCODE = 'ID005';
    END IF;
    IF EXISTS (SELECT FROM idemdesk.action a WHERE a.undo_of = p_of AND a.state IN ('requested', 'running', 'paused')) THEN
        RAISE EXCEPTION 'Somebody is undoing this action already.' USING ERRCODE = 'ID009';
    END IF;
    SELECT t.* INTO v_target FROM idemdesk.target t WHERE t.name = v_of.target FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The target "%" is not registered any more.', v_of.target USING ERRCODE = 'ID005';
    END IF;
    IF v_of.keep_until < clock_timestamp()::date THEN
        RAISE EXCEPTION 'The time to undo this action ended on %.', v_of.keep_until USING ERRCODE = 'ID005';
    END IF;
    v_action.id := p_id;
    v_action.target := v_of.target;
    v_action.verb := 'undo';
    v_action.undo_of := p_of;
    v_action.requested_by := v_who;
    v_action.requested_at := clock_timestamp();
    v_action.opened_on := v_action.requested_at::date;
    v_action.keep_until := v_of.keep_until;
    v_action.state := 'running';
    v_action.reason := p_reason;
    v_action.ticket := nullif(p_ticket, '');
    v_action.plan := '{}';
    v_action.content_sha := sha256(convert_to(jsonb_build_array(p_of, p_reason, p_ticket)::text, 'UTF8'));
    v_action.profile_sha := v_target.profile_sha;
    v_action.last_batch := 0;
    v_action.next_row := 1;
    v_action.cursor := '{}';
    v_action.counts := '{}';
    IF v_of.verb = 'purge' THEN
        SELECT coalesce(sum(cardinality(q.hashes)), 0) INTO v_action.planned_rows FROM idemdesk.quarantine q
         WHERE q.keep_until = v_of.keep_until AND q.action = p_of;
    ELSE
        SELECT count(*) INTO v_action.planned_rows FROM idemdesk.action_item m
         WHERE m.opened_on = v_of.opened_on AND m.action = p_of AND m.outcome = 'done';
    END IF;
    v_action.planned_rows := v_action.planned_rows - (SELECT count(*) FROM idemdesk.restored r WHERE r.action = p_of);
    IF v_action.planned_rows = 0 THEN
        RAISE EXCEPTION 'There is nothing left to undo: no before-images are kept, or all rows were put back.'
            USING ERRCODE = 'ID005';
    END IF;
    IF v_action.planned_rows > v_target.approval_above THEN
        v_action.state := 'requested';
        IF EXISTS (SELECT FROM idemdesk.shared_login s WHERE s.login = v_who) THEN
            RAISE EXCEPTION 'The login % is shared by several people, so it cannot ask for what another person must approve.', v_who
                USING ERRCODE = 'ID008', HINT = 'Use a login of your own.';
        END IF;
    END IF;
    INSERT INTO idemdesk.action SELECT v_action.*;
    PERFORM idemdesk._ensure_partition('action_item', v_action.opened_on);
    v_seq := idemdesk._chain(CASE v_action.state WHEN 'requested' THEN 'request' ELSE 'open' END, v_action.target, p_id, NULL,
        jsonb_build_object('verb', 'undo', 'of', p_of, 'reason', p_reason, 'ticket', v_action.ticket,
            'rows', v_action.planned_rows), NULL);
    RETURN idemdesk._action_json(v_action);
END
$fn$;

-- Pauses, resumes or cancels an action; any operator may, so that a crashed console leaves nothing behind.
CREATE FUNCTION idemdesk.set_action(p_id uuid, p_state text, p_note text DEFAULT NULL) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_who    text := idemdesk._require('idemdesk_operator');
    v_action idemdesk.action;
    v_seq    bigint;
BEGIN
    SELECT a.* INTO v_action FROM idemdesk.action a WHERE a.id = p_id FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'There is no action %.', p_id USING ERRCODE = 'ID005';
    END IF;
    IF v_action.state = p_state THEN
        RETURN idemdesk._action_json(v_action);
    END IF;
    IF NOT (CASE p_state WHEN 'paused' THEN v_action.state = 'running'
                         WHEN 'running' THEN v_action.state = 'paused'
                         WHEN 'cancelled' THEN v_action.state IN ('requested', 'running', 'paused')
                         ELSE false END) THEN
        RAISE EXCEPTION 'The action is % and cannot become %.', v_action.state, p_state USING ERRCODE = 'ID005';
    END IF;
    UPDATE idemdesk.action a
       SET state = p_state, note = nullif(p_note, ''),
           finished_at = CASE WHEN p_state = 'cancelled' THEN clock_timestamp() END
     WHERE a.id = p_id RETURNING a.* INTO v_action;
    v_seq := idemdesk._chain(CASE p_state WHEN 'paused' THEN 'pause' WHEN 'running' THEN 'resume' ELSE 'cancel' END,
        v_action.target, p_id, NULL, jsonb_build_object('note', p_note, 'counts', v_action.counts), NULL);
    RETURN idemdesk._action_json(v_action);
END
$fn$;

-- The second pair of eyes: another person than the one who asked, each with a login of their own.
CREATE FUNCTION idemdesk.approve_action(p_id uuid, p_approve boolean, p_note text DEFAULT NULL) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_who    text := idemdesk._require('idemdesk_approver');
    v_action idemdesk.action;
    v_seq    bigint;
BEGIN
    PERFORM idemdesk._require_guard();
    SELECT a.* INTO v_action FROM idemdesk.action a WHERE a.id = p_id FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'There is no action %.', p_id USING ERRCODE = 'ID005';
    END IF;
    IF v_action.state <> 'requested' THEN
        RAISE EXCEPTION 'The action does not wait for approval; it is %.', v_action.state USING ERRCODE = 'ID005';
    END IF;
    IF v_action.requested_by = v_who THEN
        RAISE EXCEPTION '% asked for this action, so another person must approve it.', v_who USING ERRCODE = 'ID008';
    END IF;
    IF EXISTS (SELECT FROM idemdesk.shared_login s WHERE s.login IN (v_who, v_action.requested_by)) THEN
        RAISE EXCEPTION 'A login that several people share can neither ask for nor give an approval.' USING ERRCODE = 'ID008';
    END IF;
    IF NOT EXISTS (SELECT FROM idemdesk.target t WHERE t.name = v_action.target AND t.profile_sha = v_action.profile_sha) THEN
        RAISE EXCEPTION 'The profile of "%" was changed since this was asked for.', v_action.target USING ERRCODE = 'ID006';
    END IF;
    UPDATE idemdesk.action a
       SET state = CASE WHEN p_approve THEN 'running' ELSE 'declined' END, approved_by = v_who,
           approved_at = clock_timestamp(), note = nullif(p_note, ''),
           finished_at = CASE WHEN NOT p_approve THEN clock_timestamp() END
     WHERE a.id = p_id RETURNING a.* INTO v_action;
    v_seq := idemdesk._chain(CASE WHEN p_approve THEN 'approve' ELSE 'decline' END, v_action.target, p_id, NULL,
        jsonb_build_object('note', p_note, 'requested_by', v_action.requested_by), NULL);
    RETURN idemdesk._action_json(v_action);
END
$fn$;

-- What became of an action, or NULL where it never was: settles a COMMIT whose answer got lost.
CREATE FUNCTION idemdesk.action_state(p_id uuid) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT idemdesk._action_json(a) FROM idemdesk.action a WHERE a.id = p_id
$fn$;

-- For the functions of idemdesk_runner: locks the action, checks that it may go on, and hands out the rows of one batch.
CREATE FUNCTION idemdesk._begin_batch(p_action uuid, p_batch integer, p_limit integer) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_context text;
    v_who     text := idemdesk._require('idemdesk_operator');
    v_action  idemdesk.action;
    v_of      idemdesk.action;
    v_target  idemdesk.target;
    v_seen    jsonb;
    v_rows    jsonb;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    IF NOT idemdesk._called_by(v_context, 'change_batch|purge_batch|undo_batch') THEN
        RAISE EXCEPTION 'This function works only for the console''s own functions.' USING ERRCODE = 'ID011';
    END IF;
    SELECT a.* INTO v_action FROM idemdesk.action a WHERE a.id = p_action FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'There is no action %.', p_action USING ERRCODE = 'ID005';
    END IF;
    SELECT b.result INTO v_seen FROM idemdesk.action_batch b WHERE b.action = p_action AND b.batch = p_batch;
    IF FOUND THEN
        RETURN jsonb_build_object('seen', v_seen || jsonb_build_object('state', v_action.state, 'repeated', true));
    END IF;
    IF v_action.state <> 'running' THEN
        RAISE EXCEPTION 'The action is %.', v_action.state USING ERRCODE = 'ID005', DETAIL = coalesce(v_action.note, '');
    END IF;
    IF p_batch <> v_action.last_batch + 1 THEN
        RAISE EXCEPTION 'Batch % cannot follow batch %.', p_batch, v_action.last_batch USING ERRCODE = 'ID005';
    END IF;
    SELECT t.* INTO v_target FROM idemdesk.target t WHERE t.name = v_action.target;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The target "%" is not registered any more.', v_action.target USING ERRCODE = 'ID005';
    END IF;
    IF v_target.profile_sha <> v_action.profile_sha THEN
        RAISE EXCEPTION 'The profile of "%" was changed since the preview.', v_action.target USING ERRCODE = 'ID006',
            HINT = 'Cancel this action and plan it again.';
    END IF;
    IF idemdesk._relation_named(v_target.compiled ->> 'relation') IS DISTINCT FROM v_target.relation THEN
        RAISE EXCEPTION 'The table % is not the one that was registered.', v_target.compiled ->> 'relation'
            USING ERRCODE = 'ID006', HINT = 'It was replaced or renamed. Register the target again.';
    END IF;
    p_limit := greatest(1, least(p_limit, 10000));
    IF v_action.verb IN ('recover', 'requeue', 'reclassify') THEN
        SELECT jsonb_agg(jsonb_build_object('n', r.ordinal, 'i', r.identity, 'g', r.guard, 'r', r.rule, 'e', r.effect_id,
                   't', r.effect_type) ORDER BY r.ordinal)
          INTO v_rows
          FROM idemdesk.action_row r
         WHERE r.action = p_action AND r.ordinal >= v_action.next_row AND r.ordinal < v_action.next_row + p_limit;
    ELSIF v_action.verb = 'undo' THEN
        SELECT a.* INTO v_of FROM idemdesk.action a WHERE a.id = v_action.undo_of;
        -- Newest first: where a key was changed twice the later change is taken back before the earlier one.
        IF v_of.verb = 'purge' THEN
            SELECT jsonb_agg(jsonb_build_object('i', u.identity::text[], 'before', u.image::text[], 'b', u.batch, 'o', u.n, 'c', b.columns)
                       ORDER BY u.batch DESC, u.n DESC)
              INTO v_rows
              FROM (SELECT q.action, q.batch, x.n, x.identity, x.image
                      FROM idemdesk.quarantine q
                     CROSS JOIN LATERAL unnest(q.identities, q.images) WITH ORDINALITY AS x (identity, image, n)
                     WHERE q.keep_until = v_of.keep_until AND q.action = v_of.id
                       AND (v_action.cursor = '{}' OR (q.batch <= (v_action.cursor ->> 'b')::integer AND (q.batch, x.n)
                           < ((v_action.cursor ->> 'b')::integer, (v_action.cursor ->> 'o')::bigint)))
                       AND NOT EXISTS (SELECT FROM idemdesk.restored r WHERE r.action = q.action AND r.batch = q.batch AND r.ordinal = x.n)
                     ORDER BY q.batch DESC, x.n DESC LIMIT p_limit) u
              JOIN idemdesk.action_batch b ON b.action = u.action AND b.batch = u.batch;
        ELSE
            SELECT jsonb_agg(jsonb_build_object('i', u.identity, 'before', u.before, 'after', u.after, 'b', u.batch,
                       'o', u.ordinal, 'c', b.columns) ORDER BY u.batch DESC, u.ordinal DESC)
              INTO v_rows
              FROM (SELECT m.* FROM idemdesk.action_item m
                     WHERE m.opened_on = v_of.opened_on AND m.action = v_of.id AND m.outcome = 'done'
                       AND (v_action.cursor = '{}' OR (m.batch, m.ordinal)
                           < ((v_action.cursor ->> 'b')::integer, (v_action.cursor ->> 'o')::integer))
                       AND NOT EXISTS (SELECT FROM idemdesk.restored r
                                        WHERE r.action = m.action AND r.batch = m.batch AND r.ordinal = m.ordinal)
                     ORDER BY m.batch DESC, m.ordinal DESC LIMIT p_limit) u
              JOIN idemdesk.action_batch b ON b.action = u.action AND b.batch = u.batch;
        END IF;
    END IF;
    RETURN jsonb_build_object('verb', v_action.verb, 'reason', v_action.reason, 'plan', v_action.plan, 'cursor', v_action.cursor,
        'limit', p_limit, 'next_row', v_action.next_row, 'planned', v_action.planned_rows, 'relation', v_target.relation::bigint,
        'compiled', v_target.compiled, 'search_path', v_target.search_path, 'rows', coalesce(v_rows, '[]'));
END
$fn$;

-- Writes one batch down: its items, or the identities and images of purged rows, its place in the action, its audit row.
-- Gives the whole answer.
CREATE FUNCTION idemdesk._append(p_action uuid, p_batch integer, p_columns text[], p_items idemdesk.item[], p_identities text[],
    p_images text[], p_counts jsonb, p_cursor jsonb, p_finished boolean, p_result jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_context  text;
    v_who      text := idemdesk._require('idemdesk_operator');
    v_action   idemdesk.action;
    v_sha      bytea;
    v_rows     bigint;
    v_stored   bigint;
    v_counts   jsonb;
    v_finished boolean := p_finished;
    v_state    text := 'running';
    v_note     text;
    v_seq      bigint;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    IF NOT idemdesk._called_by(v_context, 'change_batch|purge_batch|undo_batch') THEN
        RAISE EXCEPTION 'Only the console''s own functions write to the trail.' USING ERRCODE = 'ID011';
    END IF;
    PERFORM idemdesk._require_functions();
    SELECT a.* INTO STRICT v_action FROM idemdesk.action a WHERE a.id = p_action FOR UPDATE;
    IF v_action.state <> 'running' OR p_batch <> v_action.last_batch + 1 THEN
        RAISE EXCEPTION 'The action went on elsewhere.' USING ERRCODE = 'ID005';
    END IF;
    v_rows := coalesce(array_length(p_items, 1), 0);
    IF v_rows > 0 THEN
        SELECT sha256(convert_to(string_agg(
                   idemdesk._item_text(i.ordinal, i.identity, i.before, i.after, i.outcome, i.detail), E'\n' ORDER BY i.ordinal), 'UTF8'))
          INTO v_sha FROM unnest(p_items) i;
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
    IF p_images IS NOT NULL THEN
        v_sha := idemdesk._quarantine_digest(p_identities, p_images);
        INSERT INTO idemdesk.quarantine (keep_until, action, batch, identities, hashes, images)
        VALUES (v_action.keep_until, p_action, p_batch, p_identities,
                ARRAY(SELECT hashtextextended(x, 0) FROM unnest(p_identities) x), p_images);
        GET DIAGNOSTICS v_stored = ROW_COUNT;
        IF v_stored <> 1 OR cardinality(p_identities) <> cardinality(p_images)
           OR cardinality(p_images) IS DISTINCT FROM (p_counts ->> 'purged')::integer THEN
            RAISE EXCEPTION 'The images of the purged rows were not stored.' USING ERRCODE = 'ID010';
        END IF;
    END IF;
    IF v_action.verb = 'undo' THEN
        INSERT INTO idemdesk.restored (action, batch, ordinal, by)
        SELECT v_action.undo_of, r.b, r.o, p_action FROM jsonb_to_recordset(p_result -> 'restored') AS r (b integer, o integer);
        p_result := p_result - 'restored';
    END IF;
    SELECT coalesce(jsonb_object_agg(k, coalesce((v_action.counts ->> k)::bigint, 0) + coalesce((p_counts ->> k)::bigint, 0)), '{}')
      INTO v_counts
      FROM (SELECT jsonb_object_keys(v_action.counts) AS k UNION SELECT jsonb_object_keys(p_counts)) keys;
    IF v_action.verb IN ('recover', 'requeue', 'reclassify') THEN
        v_finished := v_action.next_row + v_rows > v_action.planned_rows;
        IF v_finished AND (SELECT sum(c.value::bigint) FROM jsonb_each_text(v_counts) c) <> v_action.planned_rows THEN
            RAISE EXCEPTION 'There are fewer outcomes than keys.' USING ERRCODE = 'ID010',
                HINT = 'Row security may hide rows from idemdesk_runner. Nothing of this batch was changed.';
        END IF;
    ELSIF v_action.verb = 'purge' AND NOT v_finished
          AND coalesce((v_counts ->> 'purged')::bigint, 0) > v_action.planned_rows * 1.05 + 100 THEN
        v_state := 'paused';
        v_note := 'More rows were purged than the plan expected by over 5 %.';
    END IF;
    IF v_finished THEN
        v_state := 'finished';
    END IF;
    p_result := p_result || jsonb_build_object('batch', p_batch, 'counts', p_counts, 'totals', v_counts, 'state', v_state,
        'note', v_note, 'planned', v_action.planned_rows);
    UPDATE idemdesk.action a
       SET last_batch = p_batch, next_row = v_action.next_row + v_rows, cursor = p_cursor, counts = v_counts, state = v_state,
           note = v_note, finished_at = CASE WHEN v_finished THEN clock_timestamp() END
     WHERE a.id = p_action;
    v_seq := idemdesk._chain('batch', v_action.target, p_action, p_batch,
        jsonb_build_object('counts', p_counts, 'totals', v_counts, 'state', v_state, 'by_group', p_result -> 'by_group',
            'identities', p_result -> 'identities'), v_sha);
    INSERT INTO idemdesk.action_batch (action, batch, at, columns, result, items_sha, audit_seq)
    VALUES (p_action, p_batch, clock_timestamp(), p_columns, p_result || jsonb_build_object('seq', v_seq), v_sha, v_seq);
    GET DIAGNOSTICS v_stored = ROW_COUNT;
    IF v_stored <> 1 THEN
        RAISE EXCEPTION 'The batch was not stored.' USING ERRCODE = 'ID010';
    END IF;
    RETURN p_result || jsonb_build_object('seq', v_seq);
END
$fn$;

-- An image with NULL for each column that the login may not read (also where the column or the table is gone).
CREATE FUNCTION idemdesk._visible(p_relation oid, p_columns text[], p_image text[]) RETURNS text[]
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN p_image IS NOT NULL THEN ARRAY(
        SELECT CASE WHEN EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = p_relation AND a.attname = c.name
                                    AND NOT a.attisdropped
                                    AND has_column_privilege(session_user, p_relation, a.attnum, 'SELECT'))
                    THEN p_image[c.n] END
          FROM unnest(p_columns) WITH ORDINALITY AS c (name, n) ORDER BY c.n) END
$fn$;

-- May the login read this column? No, where the column or the table is gone.
CREATE FUNCTION idemdesk._may_read(p_relation oid, p_column text) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = p_relation AND a.attname = p_column AND NOT a.attisdropped
                      AND has_column_privilege(session_user, p_relation, a.attnum, 'SELECT'))
$fn$;

-- The items of an action with their images, masked where the reader may not read that column of the target.
CREATE FUNCTION idemdesk.items(p_action uuid, p_after_batch integer DEFAULT 0, p_after integer DEFAULT 0, p_limit integer DEFAULT 500)
    RETURNS TABLE (batch integer, ordinal integer, identity text[], outcome text, detail text, columns text[], before text[],
        after text[], restored_by uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
    WITH wanted AS (
        SELECT c.*, t.relation, t.compiled FROM idemdesk.action c LEFT JOIN idemdesk.target t ON t.name = c.target WHERE c.id = p_action
    ), found AS (
        (SELECT m.batch, m.ordinal, m.identity, m.outcome, m.detail, m.before, m.after
           FROM wanted w JOIN idemdesk.action_item m ON m.opened_on = w.opened_on AND m.action = w.id
          WHERE (m.batch, m.ordinal) > (p_after_batch, p_after)
          ORDER BY m.batch, m.ordinal LIMIT p_limit)
        UNION ALL
        (SELECT q.batch, x.n::integer, x.identity::text[], 'purged', NULL, x.image::text[], NULL
           FROM wanted w JOIN idemdesk.quarantine q ON q.keep_until = w.keep_until AND q.action = w.id
          CROSS JOIN LATERAL unnest(q.identities, q.images) WITH ORDINALITY AS x (identity, image, n)
          WHERE q.batch >= p_after_batch AND (q.batch, x.n) > (p_after_batch, p_after)
          ORDER BY q.batch, x.n LIMIT p_limit)
    )
    SELECT f.batch, f.ordinal,
           CASE WHEN coalesce((SELECT bool_and(idemdesk._may_read(w.relation, i.value ->> 'name'))
                                 FROM jsonb_array_elements(w.compiled -> 'identity') i), false)
                THEN f.identity END,
           f.outcome, f.detail, b.columns, idemdesk._visible(w.relation, b.columns, f.before),
           idemdesk._visible(w.relation, b.columns, f.after), r.by
      FROM found f CROSS JOIN wanted w
      JOIN idemdesk.action_batch b ON b.action = w.id AND b.batch = f.batch
      LEFT JOIN idemdesk.restored r ON r.action = w.id AND r.batch = f.batch AND r.ordinal = f.ordinal
     ORDER BY f.batch, f.ordinal
$fn$;

-- Who touched a key: what was done to the row with this identity, newest first.
CREATE FUNCTION idemdesk.actions_on(p_target text, p_identity text[])
    RETURNS TABLE (action uuid, verb text, who text, approved_by text, at timestamptz, reason text, ticket text, outcome text,
        detail text, undone_by uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT c.id, c.verb, c.requested_by, c.approved_by, b.at, c.reason, c.ticket, f.outcome, f.detail, r.by
      FROM (SELECT m.action, m.batch, m.ordinal, m.outcome, m.detail FROM idemdesk.action_item m
             WHERE m.identity_hash = hashtextextended(p_identity::text, 0) AND m.identity = p_identity
            UNION ALL
            SELECT q.action, q.batch, array_position(q.identities, p_identity::text), 'purged', NULL FROM idemdesk.quarantine q
             WHERE hashtextextended(p_identity::text, 0) = ANY (q.hashes) AND p_identity::text = ANY (q.identities)) f
      LEFT JOIN idemdesk.restored r ON r.action = f.action AND r.batch = f.batch AND r.ordinal = f.ordinal
      JOIN idemdesk.action c ON c.id = f.action AND c.target = p_target
      JOIN idemdesk.action_batch b ON b.action = f.action AND b.batch = f.batch
     WHERE EXISTS (SELECT FROM idemdesk.target t WHERE t.name = p_target
                      AND (SELECT bool_and(idemdesk._may_read(t.relation, i.value ->> 'name'))
                             FROM jsonb_array_elements(t.compiled -> 'identity') i))
     ORDER BY b.at DESC
$fn$;

-- Lists a login as shared by several people, or takes it off the list.
CREATE FUNCTION idemdesk.set_shared_login(p_login text, p_shared boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_who text := idemdesk._require('idemdesk_admin');
    v_seq bigint;
BEGIN
    IF p_shared THEN
        INSERT INTO idemdesk.shared_login VALUES (p_login) ON CONFLICT DO NOTHING;
    ELSE
        DELETE FROM idemdesk.shared_login s WHERE s.login = p_login;
    END IF;
    v_seq := idemdesk._chain('shared_login', NULL, NULL, NULL, jsonb_build_object('login', p_login, 'shared', p_shared), NULL);
END
$fn$;

-- Ends undo windows and empties what is past its time, a partition at a time. Safe to call at any moment, by the console,
-- by a sampler, or by cron. Gives the names of the partitions it dropped.
CREATE FUNCTION idemdesk.maintain() RETURNS text[]
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms'
AS $fn$
DECLARE
    v_part    record;
    v_dropped text[] := '{}';
    v_kept    interval := (SELECT i.items_kept FROM idemdesk.installation i);
    v_seq     bigint;
BEGIN
    FOR v_part IN
        SELECT c.relname, p.relname AS parent, to_date(right(c.relname, 8), 'YYYYMMDD') AS starts
          FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
         WHERE p.relnamespace = 'idemdesk'::regnamespace AND p.relname IN ('action_item', 'quarantine')
    LOOP
        CONTINUE WHEN CASE v_part.parent WHEN 'quarantine' THEN v_part.starts >= current_date
                                         ELSE v_part.starts + interval '1 month' + v_kept >= current_date END;
        BEGIN
            EXECUTE format('ALTER TABLE idemdesk.%I DETACH PARTITION idemdesk.%I', v_part.parent, v_part.relname);
            EXECUTE format('DROP TABLE idemdesk.%I', v_part.relname);
            v_dropped := v_dropped || v_part.relname::text;
        EXCEPTION WHEN lock_not_available THEN
            NULL; -- in use: the next call finds it again
        END;
    END LOOP;
    IF v_dropped <> '{}' THEN
        v_seq := idemdesk._chain('maintain', NULL, NULL, NULL, jsonb_build_object('dropped', v_dropped), NULL);
    END IF;
    RETURN v_dropped;
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.open_action(uuid, text, text, text, text, jsonb, text, jsonb),
    idemdesk.open_undo(uuid, uuid, text, text), idemdesk.set_action(uuid, text, text) TO idemdesk_operator;
GRANT EXECUTE ON FUNCTION idemdesk.approve_action(uuid, boolean, text) TO idemdesk_approver;
GRANT EXECUTE ON FUNCTION idemdesk.set_shared_login(text, boolean) TO idemdesk_admin;
GRANT EXECUTE ON FUNCTION idemdesk.maintain() TO idemdesk_operator, idemdesk_admin;
GRANT EXECUTE ON FUNCTION idemdesk.action_state(uuid), idemdesk.items(uuid, integer, integer, integer),
    idemdesk.actions_on(text, text[]) TO idemdesk_viewer;
GRANT EXECUTE ON FUNCTION idemdesk._relation_named(text), idemdesk._begin_batch(uuid, integer, integer),
    idemdesk._append(uuid, integer, text[], idemdesk.item[], text[], text[], jsonb, jsonb, boolean, jsonb) TO idemdesk_runner;
RESET ROLE;
