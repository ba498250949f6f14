-- SPDX-License-Identifier: GPL-3.0-or-later
-- Asking for actions and undos, approving, pausing and cancelling them: what people decide, before any row is touched.
SET LOCAL ROLE idemdesk_owner;

CREATE FUNCTION idemdesk._action_json(p idemdesk.action) RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT to_jsonb(p) - ARRAY['content_sha', 'profile_sha', 'covers_sha', 'cursor', 'relation', 'allowance']
        || jsonb_build_object('sweep', coalesce((p.cursor ->> 'sweep')::boolean, false))
$fn$;

-- The day on which a partition of the console's tables begins, by its bound: a name says what somebody called it.
CREATE FUNCTION idemdesk._partition_start(p_partition oid) RETURNS date
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET datestyle = 'ISO, YMD' SET timezone = 'UTC'
AS $fn$
    SELECT (regexp_match(pg_get_expr(c.relpartbound, c.oid), $re$FROM \('([^']+)'$re$))[1]::timestamp::date
      FROM pg_class c WHERE c.oid = p_partition
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
    -- Two consoles may open actions at the same moment, so one waits for the other. The lock is a row that only the console
    -- can reach: an advisory lock could be held by anybody. What to_regclass() did not find before it need not find now:
    -- the wait brings its cache no news, a query does.
    PERFORM FROM idemdesk.audit_head FOR UPDATE;
    IF EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = 'idemdesk'::regnamespace AND c.relname = v_name) THEN
        RETURN;
    END IF;
    PERFORM idemdesk._require_quiet();
    EXECUTE format('CREATE TABLE idemdesk.%I (LIKE idemdesk.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION)', v_name, p_table);
    EXECUTE format('ALTER TABLE idemdesk.%I ATTACH PARTITION idemdesk.%I FOR VALUES FROM (%L) TO (%L)', p_table, v_name, v_from, v_to);
    EXECUTE format('CREATE TRIGGER keep_table BEFORE TRUNCATE ON idemdesk.%I FOR EACH STATEMENT EXECUTE FUNCTION idemdesk._refuse_change()', v_name);
    EXECUTE format('ALTER TABLE idemdesk.%I ENABLE ALWAYS TRIGGER keep_table, ENABLE ALWAYS TRIGGER keep_rows', v_name);
END
$fn$;

-- A plan as everybody may read it: what decides, the group of databases that it was asked for in, and nothing else that
-- the client says; scopes are keys' values, so only their number is told.
CREATE FUNCTION idemdesk._plan_told(p_plan jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(jsonb_object_agg(p.key, CASE WHEN p.key = 'scopes' AND jsonb_typeof(p.value) = 'array'
                                            THEN to_jsonb(jsonb_array_length(p.value)) ELSE p.value END), '{}')
      FROM jsonb_each(CASE WHEN jsonb_typeof(p_plan) = 'object' THEN p_plan ELSE '{}' END) p
     WHERE p.key IN ('cutoff', 'states', 'scopes', 'images', 'expected', 'group', 'winner')
$fn$;

-- Does this name the action over a group of databases that an action is a part of? Its id is a UUID, the same in all.
CREATE FUNCTION idemdesk._group_told(p_said jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN jsonb_typeof(p_said) = 'object'
       AND (SELECT array_agg(k.key ORDER BY k.key) = ARRAY['id', 'member', 'name']
                AND bool_and(jsonb_typeof(k.value) = 'string' AND k.value #>> '{}' ~ '[^[:space:]]'
                        AND length(k.value #>> '{}') <= 200)
              FROM jsonb_each(p_said) k)
       AND p_said ->> 'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
END
$fn$;

-- Why the frozen set of an align cannot be meant, or NULL. What the other side's rows hold is the client's word: it is
-- kept as evidence beside what it changed. So the word alone must be enough for a rule to hold, and never takes a success.
CREATE FUNCTION idemdesk._align_wrong(p_plan jsonb, p_rows jsonb, p_rules jsonb) RETURNS text
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN CASE
        WHEN idemdesk._group_told(p_plan -> 'group') IS NOT TRUE
             OR jsonb_typeof(p_plan -> 'winner') IS DISTINCT FROM 'string'
             OR p_plan ->> 'winner' !~ '[^[:space:]]' OR length(p_plan ->> 'winner') > 200
             OR p_plan ->> 'winner' = p_plan -> 'group' ->> 'member'
        THEN 'An align names its group, the member that it changes, and the other one whose rows stand.'
        WHEN EXISTS (SELECT FROM jsonb_array_elements(p_rows) r
                      WHERE jsonb_typeof(r -> 'w') IS DISTINCT FROM 'object'
                         OR jsonb_typeof(r -> 'w' -> 'values') IS DISTINCT FROM 'array'
                         OR r -> 'w' ->> 'state' IS DISTINCT FROM p_rules -> (r ->> 'r')::integer ->> 'to'
                         OR coalesce(jsonb_typeof(r -> 'w' -> 'fingerprint'), 'null') NOT IN ('string', 'null')
                         OR coalesce(jsonb_typeof(r -> 'w' -> 'at'), 'null') NOT IN ('string', 'null')
                         OR r -> 'w' ->> 'at' !~ '^[0-9]{4,6}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,15}Z$'
                         OR (SELECT count(*) FROM jsonb_object_keys(r -> 'w') k
                              WHERE k NOT IN ('state', 'fingerprint', 'at', 'values')) > 0)
             OR EXISTS (SELECT FROM jsonb_array_elements(p_rows) r
                         WHERE jsonb_array_length(r -> 'w' -> 'values')
                               <> jsonb_array_length(p_rules -> (r ->> 'r')::integer -> 'copy')
                            OR jsonb_path_exists(r -> 'w', 'strict $.values[*] ? (@.type() != "string" && @.type() != "null")'))
        THEN 'A row of an align says how the other side''s row was seen: its state, which the rule leads to, and a value '
             'for each column that the rule copies.' END;
END
$fn$;

-- Why an action waited too long, or NULL. The time to undo counts from the asking: whoever waits long enough would do what
-- nobody can take back. An align puts in place what was seen elsewhere, which may be otherwise by then.
CREATE FUNCTION idemdesk._too_late(p idemdesk.action) RETURNS text
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RETURN CASE WHEN p.verb = 'align' AND clock_timestamp() > p.requested_at + interval '15 minutes'
                THEN 'The other region''s rows were looked at over 15 minutes ago.'
                WHEN p.verb IN ('recover', 'requeue', 'reclassify', 'align', 'purge') AND p.keep_until > p.opened_on
                 AND p.plan ->> 'images' IS DISTINCT FROM 'false'
                 AND clock_timestamp() >= p.requested_at + (p.keep_until - p.opened_on) * interval '12 hours'
                THEN 'It was asked for so long ago that half of the time to undo it is over.' END;
END
$fn$;

-- What the trail keeps of an action as it was asked for; verify_audit() compares the action with it.
CREATE FUNCTION idemdesk._action_facts(p idemdesk.action) RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT jsonb_build_object('verb', p.verb, 'of', p.undo_of, 'reason', p.reason, 'ticket', p.ticket, 'plan', p.plan,
        'rows', p.planned_rows, 'content', encode(p.content_sha, 'hex'), 'profile', encode(p.profile_sha, 'hex'),
        'covers', encode(p.covers_sha, 'hex'), 'relation', p.relation::bigint, 'opened_on', p.opened_on,
        'keep_until', p.keep_until, 'cutoff', p.cutoff, 'requested_at', p.requested_at)
$fn$;

-- The digest of what an action was narrowed to: its frozen set, or the scopes of its plan.
CREATE FUNCTION idemdesk._frozen(p_action uuid) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT encode(idemdesk._keyed(sha256(convert_to(jsonb_build_array((SELECT string_agg(r::text, E'\n' ORDER BY r.ordinal)
        FROM idemdesk.action_row r WHERE r.action = p_action),
        (SELECT s.scopes FROM idemdesk.action_scope s WHERE s.action = p_action AND s.batch = 0))::text, 'UTF8'))), 'hex')
$fn$;

-- May this login act on the target as it is now? Its table must be the one that was registered, its search path safe,
-- and its rows all visible to whoever acts on them.
CREATE FUNCTION idemdesk._require_target(p_target idemdesk.target) RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_why text;
BEGIN
    IF idemdesk._relation_named(p_target.compiled ->> 'relation') IS DISTINCT FROM p_target.relation THEN
        RAISE EXCEPTION 'The table % is not the one that was registered.', p_target.compiled ->> 'relation'
            USING ERRCODE = 'ID006', HINT = CASE WHEN idemdesk._at_home() THEN 'It was replaced or renamed. Register the target again.'
                                                 ELSE 'A dump was restored here: "idemdeskctl console adopt" mends that.' END;
    END IF;
    IF NOT idemdesk._sees_target(p_target, session_user) THEN
        RAISE EXCEPTION 'Row security shows % only a part of "%", so this login may not act on it.', session_user, p_target.name
            USING ERRCODE = 'ID003', HINT = 'Connect with a login that sees every row of the table.';
    END IF;
    PERFORM idemdesk._require_bare_runner(idemdesk._trampoline_of(p_target.relation));
    v_why := idemdesk._changed_parts(p_target.fingerprint, idemdesk._fingerprint(p_target));
    IF v_why IS NOT NULL THEN
        RAISE EXCEPTION 'The table of "%" was changed since it was registered: %.', p_target.name, v_why
            USING ERRCODE = 'ID006', HINT = 'Register the target again, so that the change is looked at.';
    END IF;
    v_why := idemdesk._open_schema(p_target.relation, p_target.search_path);
    IF v_why IS NOT NULL THEN
        RAISE EXCEPTION '%, and the code of "%" would find them.', v_why, p_target.name
            USING ERRCODE = 'ID006', HINT = 'Have that right revoked.';
    END IF;
END
$fn$;

-- Asks for an action. p_id comes from the console: the same call again observes what the first one did. p_rows is the
-- frozen set of a recovery, requeue or reclassification: [{"i": identity, "g": guard values, "r": rule, "e": the effect
-- that the person saw, '' where the preview found none and the server is to look again}]; of an align also "w", the other
-- side's row as it was seen, and its p_plan says {"winner": that side's label, "group": {"id", "name", "member"}}.
-- A purge has none, its p_plan says {"cutoff", "states", "scopes" or null, "images", "expected"}.
-- What p_plan expects is shown and compared; whether another person must approve is counted here.
CREATE FUNCTION idemdesk.open_action(p_id uuid, p_target text, p_verb text, p_reason text, p_ticket text, p_plan jsonb,
    p_profile_sha text, p_rows jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_context text;
    v_who     text;
    v_target  idemdesk.target;
    v_action  idemdesk.action;
    v_other   idemdesk.action;
    v_rules   jsonb;
    v_counted bigint := 0;
    v_above   bigint;
    v_seq     bigint;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    v_who := idemdesk._enter('idemdesk_operator', v_context, 'open_action');
    v_action.content_sha := idemdesk._keyed(sha256(convert_to(
        jsonb_build_array(p_target, p_verb, p_reason, p_ticket, p_plan, p_profile_sha, p_rows)::text, 'UTF8')));
    SELECT a.* INTO v_other FROM idemdesk.action a WHERE a.id = p_id;
    IF FOUND THEN
        IF v_other.content_sha <> v_action.content_sha OR v_other.requested_by <> v_who THEN
            RAISE EXCEPTION 'Another action has this id already.' USING ERRCODE = 'ID007';
        END IF;
        RETURN idemdesk._action_json(v_other);
    END IF;
    PERFORM idemdesk._require_guard();
    IF p_verb IS NULL OR p_verb NOT IN ('recover', 'requeue', 'reclassify', 'align', 'purge') THEN
        RAISE EXCEPTION 'There is no action "%".', p_verb USING ERRCODE = 'ID005';
    END IF;
    IF idemdesk._says_nothing(p_reason) THEN
        RAISE EXCEPTION 'An action needs a reason.' USING ERRCODE = 'ID005', HINT = 'Say why it is done.';
    END IF;
    SELECT t.* INTO v_target FROM idemdesk.target t WHERE t.name = p_target FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The target "%" is not registered.', p_target USING ERRCODE = 'ID005',
            HINT = 'An idemdesk_admin registers it with "targets add".';
    END IF;
    IF encode(v_target.profile_sha, 'hex') IS DISTINCT FROM p_profile_sha THEN
        RAISE EXCEPTION 'The profile of "%" was changed since the preview.', p_target USING ERRCODE = 'ID006',
            HINT = 'Make the plan again.';
    END IF;
    PERFORM idemdesk._require_target(v_target);
    v_above := idemdesk._limit_of_target(v_target);
    v_action.id := p_id;
    v_action.target := p_target;
    v_action.relation := v_target.relation;
    v_action.covers_sha := idemdesk._covers(v_target);
    v_action.verb := p_verb;
    v_action.requested_by := v_who;
    v_action.requested_at := clock_timestamp();
    v_action.opened_on := v_action.requested_at::date;
    v_action.keep_until := (v_action.requested_at + v_target.undo_window)::date;
    v_action.reason := p_reason;
    v_action.ticket := nullif(p_ticket, '');
    v_action.plan := idemdesk._plan_told(p_plan);
    IF p_verb <> 'purge' THEN
        v_action.plan := v_action.plan - ARRAY['cutoff', 'states', 'scopes', 'images', 'expected'];
    END IF;
    IF p_verb <> 'align' THEN
        v_action.plan := v_action.plan - 'winner';
    END IF;
    IF v_action.plan ? 'group' AND idemdesk._group_told(v_action.plan -> 'group') IS NOT TRUE THEN
        RAISE EXCEPTION 'A group is said by its id, which is a UUID, its name and the member.' USING ERRCODE = 'ID005';
    END IF;
    -- Whoever undoes the whole undoes one thing that one person did; everybody may read such ids.
    IF EXISTS (SELECT FROM idemdesk.action a WHERE a.plan ? 'group' AND a.plan -> 'group' ->> 'id' = v_action.plan -> 'group' ->> 'id'
                  AND (a.requested_by, a.target, a.verb, a.reason) IS DISTINCT FROM
                      (v_who, p_target, p_verb, p_reason)) THEN
        RAISE EXCEPTION 'Another action over a group has this group id already.' USING ERRCODE = 'ID007',
            HINT = 'Begin it anew, with an id of its own.';
    END IF;
    v_action.profile_sha := v_target.profile_sha;
    v_action.last_batch := 0;
    v_action.next_row := 1;
    v_action.cursor := '{}';
    v_action.counts := '{}';
    IF length(v_action.plan::text) > 4000 THEN -- it stays for good, as a reason does
        RAISE EXCEPTION 'The plan is too long.' USING ERRCODE = 'ID005', HINT = 'Name each state once.';
    END IF;
    IF p_verb = 'purge' THEN
        v_action.planned_rows := (p_plan ->> 'expected')::bigint;
        v_action.cutoff := (p_plan ->> 'cutoff')::timestamptz;
        IF v_action.planned_rows IS NULL OR v_action.planned_rows < 0 OR v_action.cutoff IS NULL
           OR NOT isfinite(v_action.cutoff) OR v_action.cutoff < '0001-01-01T00:00:00Z'
           OR jsonb_typeof(p_plan -> 'states') IS DISTINCT FROM 'array'
           OR coalesce(jsonb_typeof(p_plan -> 'scopes'), 'null') NOT IN ('array', 'null')
           OR coalesce(jsonb_typeof(p_plan -> 'images'), 'null') NOT IN ('boolean', 'null')
           OR jsonb_array_length(v_target.compiled -> 'purge') = 0 THEN
            RAISE EXCEPTION 'A purge needs a cutoff, states, an expected number of rows, scopes as a list or none, and a purge rule in the profile.'
                USING ERRCODE = 'ID005';
        END IF;
        IF v_action.cutoff > clock_timestamp() THEN
            RAISE EXCEPTION 'The cutoff lies in the future.' USING ERRCODE = 'ID005';
        END IF;
        -- Whoever approves reads what the server understood, not what was typed.
        v_action.plan := v_action.plan || jsonb_build_object('expected', v_action.planned_rows, 'cutoff',
            to_char(v_action.cutoff AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'));
        -- A profile may count an expired retryable failure as finished (its purge rule then names that state); nothing else.
        IF NOT p_plan -> 'states' <@ '["succeeded", "failed_final", "failed_retryable"]' OR (p_plan -> 'states' ? 'failed_retryable'
               AND NOT EXISTS (SELECT FROM jsonb_array_elements(v_target.compiled -> 'purge') r
                                WHERE r -> 'states' ? 'failed_retryable')) THEN
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
        IF p_verb = 'align' AND idemdesk._align_wrong(p_plan, p_rows, v_rules) IS NOT NULL THEN
            RAISE EXCEPTION '%', idemdesk._align_wrong(p_plan, p_rows, v_rules) USING ERRCODE = 'ID005';
        END IF;
    END IF;
    v_action.state := 'running';
    v_action.allowance := v_action.planned_rows;
    IF p_verb = 'purge' THEN
        IF v_above IS NOT NULL THEN
            v_counted := idemdesk._purge_count(v_target, p_plan, v_action.cutoff, v_above + 1);
            v_action.planned_rows := greatest(v_action.planned_rows, coalesce(v_counted, v_above + 1));
        END IF;
        -- What another person approves is what may go, and no row more.
        v_action.allowance := CASE WHEN v_action.planned_rows > v_above THEN v_action.planned_rows
                                   ELSE least((v_action.planned_rows * 1.05)::bigint + 100, v_above) END;
    END IF;
    IF v_action.planned_rows > v_above THEN
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
        INSERT INTO idemdesk.action_row (action, ordinal, identity, guard, rule, effect_id, winner)
        SELECT p_id, r.n, ARRAY(SELECT jsonb_array_elements_text(r.v -> 'i')), ARRAY(SELECT jsonb_array_elements_text(r.v -> 'g')),
               (r.v ->> 'r')::integer, r.v ->> 'e', CASE WHEN p_verb = 'align' THEN r.v -> 'w' END
          FROM jsonb_array_elements(p_rows) WITH ORDINALITY AS r (v, n);
        PERFORM idemdesk._ensure_partition('action_item', v_action.opened_on);
    ELSIF (p_plan ->> 'images')::boolean IS NOT FALSE THEN
        PERFORM idemdesk._ensure_partition('quarantine', v_action.keep_until);
    END IF;
    IF p_verb = 'purge' THEN
        PERFORM idemdesk._ensure_partition('action_item', v_action.opened_on); -- rows that stand in the way have items
        IF jsonb_typeof(p_plan -> 'scopes') = 'array' THEN
            INSERT INTO idemdesk.action_scope (action, batch, scopes) VALUES (p_id, 0, p_plan -> 'scopes');
        END IF;
    END IF;
    v_seq := idemdesk._chain(CASE v_action.state WHEN 'requested' THEN 'request' ELSE 'open' END, p_target, p_id, NULL,
        idemdesk._action_facts(v_action) || jsonb_build_object('allowance', v_action.allowance, 'frozen', idemdesk._frozen(p_id)), NULL);
    RETURN idemdesk._action_json(v_action);
END
$fn$;

-- Asks to undo an action: puts back what nobody touched since.
CREATE FUNCTION idemdesk.open_undo(p_id uuid, p_of uuid, p_reason text, p_ticket text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_context text;
    v_who     text;
    v_of      idemdesk.action;
    v_target  idemdesk.target;
    v_action  idemdesk.action;
    v_seq     bigint;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    v_who := idemdesk._enter('idemdesk_operator', v_context, 'open_undo');
    SELECT a.* INTO v_action FROM idemdesk.action a WHERE a.id = p_id;
    IF FOUND THEN
        IF v_action.undo_of IS DISTINCT FROM p_of OR v_action.requested_by <> v_who OR v_action.reason IS DISTINCT
            FROM p_reason THEN
            RAISE EXCEPTION 'Another action has this id already.' USING ERRCODE = 'ID007';
        END IF;
        RETURN idemdesk._action_json(v_action);
    END IF;
    PERFORM idemdesk._require_guard();
    IF idemdesk._says_nothing(p_reason) THEN
        RAISE EXCEPTION 'An action needs a reason.' USING ERRCODE = 'ID005', HINT = 'Say why it is undone.';
    END IF;
    SELECT a.* INTO v_of FROM idemdesk._lock_action(p_of) a;
    IF NOT FOUND THEN
        IF EXISTS (SELECT FROM idemdesk.cache_release r WHERE r.id = p_of) THEN
            RAISE EXCEPTION 'The release of a cached claim cannot be undone: the entry is gone from the cache.'
                USING ERRCODE = 'ID005', HINT = 'The next retry writes an entry of its own.';
        END IF;
        RAISE EXCEPTION 'There is no action %.', p_of USING ERRCODE = 'ID005';
    END IF;
    IF v_of.verb NOT IN ('recover', 'requeue', 'reclassify', 'align', 'purge') OR v_of.state NOT IN ('finished', 'cancelled') THEN
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
    IF v_target.relation <> v_of.relation THEN
        RAISE EXCEPTION '"%" is another table now than the one that was changed.', v_of.target USING ERRCODE = 'ID006',
            HINT = 'Register that table again under this name.';
    END IF;
    PERFORM idemdesk._require_target(v_target);
    IF v_of.keep_until < clock_timestamp()::date THEN
        RAISE EXCEPTION 'The time to undo this action ended on %.', v_of.keep_until USING ERRCODE = 'ID005';
    END IF;
    v_action.id := p_id;
    v_action.target := v_of.target;
    v_action.relation := v_of.relation;
    v_action.covers_sha := idemdesk._covers(v_target);
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
    v_action.planned_rows := v_action.planned_rows
        - (SELECT coalesce(sum(r.last - r.first + 1), 0) FROM idemdesk.restored r WHERE r.action = p_of);
    IF v_action.planned_rows = 0 THEN
        RAISE EXCEPTION 'There is nothing left to undo: no before-images are kept, or all rows were put back.'
            USING ERRCODE = 'ID005';
    END IF;
    v_action.allowance := v_action.planned_rows;
    IF v_action.planned_rows > idemdesk._limit_of_target(v_target) THEN
        v_action.state := 'requested';
        IF EXISTS (SELECT FROM idemdesk.shared_login s WHERE s.login = v_who) THEN
            RAISE EXCEPTION 'The login % is shared by several people, so it cannot ask for what another person must approve.', v_who
                USING ERRCODE = 'ID008', HINT = 'Use a login of your own.';
        END IF;
    END IF;
    INSERT INTO idemdesk.action SELECT v_action.*;
    PERFORM idemdesk._ensure_partition('action_item', v_action.opened_on);
    v_seq := idemdesk._chain(CASE v_action.state WHEN 'requested' THEN 'request' ELSE 'open' END, v_action.target, p_id, NULL,
        idemdesk._action_facts(v_action) || jsonb_build_object('allowance', v_action.allowance, 'frozen', idemdesk._frozen(p_id)), NULL);
    RETURN idemdesk._action_json(v_action);
END
$fn$;

-- Is this more than the limit as it is now lets one person do, though nobody approved it? A purge has its allowance,
-- which each batch cuts; all else was counted when it was asked for.
CREATE FUNCTION idemdesk._over_limit(p idemdesk.action, p_above bigint) RETURNS boolean
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT p.verb <> 'purge' AND p.approved_by IS NULL AND coalesce(p.planned_rows > p_above, false)
$fn$;

-- Pauses, resumes or cancels an action; any operator may, so that a crashed console leaves nothing behind.
CREATE FUNCTION idemdesk.set_action(p_id uuid, p_state text, p_note text DEFAULT NULL) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_context text;
    v_who     text;
    v_action  idemdesk.action;
    v_target  idemdesk.target;
    v_state   text := p_state;
    v_seq     bigint;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    v_who := idemdesk._enter('idemdesk_operator', v_context, 'set_action');
    SELECT a.* INTO v_action FROM idemdesk._lock_action(p_id) a;
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
    IF p_state = 'running' THEN
        SELECT t.* INTO v_target FROM idemdesk.target t WHERE t.name = v_action.target FOR SHARE;
        IF NOT FOUND OR idemdesk._covers(v_target) IS DISTINCT FROM v_action.covers_sha THEN
            RAISE EXCEPTION 'The registration of "%" was changed since this was asked for.', v_action.target
                USING ERRCODE = 'ID006', HINT = 'Cancel this action and plan it again.';
        END IF;
        PERFORM idemdesk._require_target(v_target);
        IF v_action.verb = 'purge' AND coalesce((v_action.counts ->> 'purged')::bigint, 0) >= v_action.allowance THEN
            -- It took as many rows as were agreed on. More of them are agreed on as the first ones were.
            v_action.allowance := v_action.allowance + v_action.planned_rows;
            IF idemdesk._limit_of_target(v_target) IS NOT NULL THEN
                v_state := 'requested';
            END IF;
        ELSIF idemdesk._over_limit(v_action, idemdesk._limit_of_target(v_target)) THEN
            v_state := 'requested';
        END IF;
    END IF;
    UPDATE idemdesk.action a
       SET state = v_state, note = nullif(p_note, ''), allowance = v_action.allowance,
           finished_at = CASE WHEN v_state = 'cancelled' THEN clock_timestamp() END
     WHERE a.id = p_id RETURNING a.* INTO v_action;
    v_seq := idemdesk._chain(CASE v_state WHEN 'paused' THEN 'pause' WHEN 'running' THEN 'resume' WHEN 'requested' THEN 'ask_again'
                                          ELSE 'cancel' END,
        v_action.target, p_id, NULL,
        jsonb_build_object('note', p_note, 'counts', v_action.counts, 'allowance', v_action.allowance), NULL);
    RETURN idemdesk._action_json(v_action);
END
$fn$;

-- The second pair of eyes: another person than the one who asked, each with a login of their own.
CREATE FUNCTION idemdesk.approve_action(p_id uuid, p_approve boolean, p_note text DEFAULT NULL) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_context text;
    v_who     text;
    v_action  idemdesk.action;
    v_target  idemdesk.target;
    v_seq     bigint;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    v_who := idemdesk._enter('idemdesk_approver', v_context, 'approve_action');
    IF p_approve IS NULL THEN
        RAISE EXCEPTION 'Say whether it is approved or declined.' USING ERRCODE = 'ID005';
    END IF;
    SELECT a.* INTO v_action FROM idemdesk._lock_action(p_id) a;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'There is no action %.', p_id USING ERRCODE = 'ID005';
    END IF;
    IF v_action.verb <> 'adopt' THEN
        PERFORM idemdesk._require_guard();
    ELSIF p_approve THEN
        PERFORM idemdesk._require_restored();
    END IF;
    IF v_action.state <> 'requested' THEN
        RAISE EXCEPTION 'The action does not wait for approval; it is %.', v_action.state USING ERRCODE = 'ID005';
    END IF;
    IF v_action.requested_by = v_who OR EXISTS (SELECT FROM ONLY idemdesk.audit a
                                                 WHERE a.action = p_id AND a.what = 'ask_again' AND a.who = v_who) THEN
        RAISE EXCEPTION '% asked for this action, so another person must approve it.', v_who USING ERRCODE = 'ID008';
    END IF;
    -- Also one that was shared when this was asked for: taking it off the list makes nobody another person.
    IF EXISTS (SELECT FROM idemdesk.shared_login s WHERE s.login IN (v_who, v_action.requested_by))
       OR EXISTS (SELECT FROM ONLY idemdesk.audit a WHERE a.what = 'shared_login' AND a.at >= v_action.requested_at
                     AND a.facts ->> 'login' IN (v_who, v_action.requested_by)) THEN
        RAISE EXCEPTION 'A login that several people share can neither ask for nor give an approval.' USING ERRCODE = 'ID008';
    END IF;
    -- Nor is whoever just declared a login to be one person's the other person.
    IF EXISTS (SELECT FROM ONLY idemdesk.audit a WHERE a.what = 'shared_login' AND a.who = v_who
                  AND a.facts ->> 'login' = v_action.requested_by AND a.facts ->> 'shared' = 'false') THEN
        RAISE EXCEPTION '% took % off the list of shared logins, so another person must approve.', v_who,
            v_action.requested_by USING ERRCODE = 'ID008';
    END IF;
    IF p_approve AND idemdesk._too_late(v_action) IS NOT NULL THEN
        RAISE EXCEPTION '%', idemdesk._too_late(v_action) USING ERRCODE = 'ID006', HINT = 'Decline it, and have it asked for again.';
    END IF;
    IF v_action.verb = 'adopt' THEN
        IF p_approve AND v_action.plan -> 'relations' IS DISTINCT FROM idemdesk._adoption_plan() THEN
            RAISE EXCEPTION 'The tables of this database changed since this was asked for.' USING ERRCODE = 'ID006',
                HINT = 'Decline it, and have it asked for again.';
        END IF;
    ELSE
        SELECT t.* INTO v_target FROM idemdesk.target t WHERE t.name = v_action.target FOR UPDATE;
        IF NOT FOUND OR idemdesk._covers(v_target) IS DISTINCT FROM v_action.covers_sha THEN
            RAISE EXCEPTION 'The registration of "%" was changed since this was asked for.', v_action.target USING ERRCODE = 'ID006';
        END IF;
        -- The table's limit may have been agreed on anew under another name meanwhile.
        IF p_approve AND v_action.verb = 'limit' AND NOT EXISTS (
               SELECT FROM idemdesk.target_limit l
                WHERE l.relation = v_target.relation
                  AND l.approval_above IS NOT DISTINCT FROM (v_action.plan ->> 'approval_above_now')::bigint
                  AND l.undo_window = (v_action.plan ->> 'undo_window_now')::interval) THEN
            RAISE EXCEPTION 'Another limit was agreed on for this table since this was asked for.' USING ERRCODE =
                'ID006',
                HINT = 'Decline it, and have it asked for again.';
        END IF;
    END IF;
    -- Also whoever made a second table's limit, or that of a table which this one is a part of, so that it waits.
    IF v_who = v_target.registered_by OR EXISTS (
           SELECT FROM unnest(ARRAY[v_target.relation, idemdesk._second_of(v_target.compiled)]) AS x (relation)
            CROSS JOIN LATERAL idemdesk.limits_over(x.relation) l
            WHERE l.set_by = v_who AND (l.relation = v_target.relation OR l.approval_above IS NOT NULL)) THEN
        RAISE EXCEPTION '% wrote the profile of "%" or its limits, so another person must approve.', v_who, v_action.target
            USING ERRCODE = 'ID008';
    END IF;
    UPDATE idemdesk.action a
       SET state = CASE WHEN NOT p_approve THEN 'declined' WHEN a.verb IN ('limit', 'adopt') THEN 'finished' ELSE 'running' END,
           approved_by = v_who, approved_at = clock_timestamp(), note = nullif(p_note, ''),
           finished_at = CASE WHEN NOT p_approve OR a.verb IN ('limit', 'adopt') THEN clock_timestamp() END
     WHERE a.id = p_id RETURNING a.* INTO v_action;
    IF p_approve AND v_action.verb = 'limit' THEN
        PERFORM idemdesk._set_limit(v_target, v_action);
    ELSIF p_approve AND v_action.verb = 'adopt' THEN
        PERFORM idemdesk._adopt(v_action);
        PERFORM idemdesk._require_guard();
    END IF;
    v_seq := idemdesk._chain(CASE WHEN p_approve THEN 'approve' ELSE 'decline' END, v_action.target, p_id, NULL,
        jsonb_build_object('note', p_note, 'requested_by', v_action.requested_by, 'covers', encode(v_action.covers_sha, 'hex'),
            'approved_at', v_action.approved_at, 'allowance', v_action.allowance), NULL);
    RETURN idemdesk._action_json(v_action);
END
$fn$;

-- What became of an action, or NULL where it never was: settles a COMMIT whose answer got lost.
CREATE FUNCTION idemdesk.action_state(p_id uuid) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT idemdesk._action_json(a) FROM idemdesk.action a WHERE a.id = p_id
$fn$;

-- Lists a login as shared by several people, or takes it off the list.
CREATE FUNCTION idemdesk.set_shared_login(p_login text, p_shared boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_context text;
    v_who     text;
    v_seq     bigint;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    v_who := idemdesk._enter('idemdesk_admin', v_context, 'set_shared_login');
    IF p_login IS NULL OR p_shared IS NULL THEN
        RAISE EXCEPTION 'Say which login, and whether it is shared.' USING ERRCODE = 'ID005';
    END IF;
    IF p_shared THEN
        INSERT INTO idemdesk.shared_login VALUES (p_login) ON CONFLICT DO NOTHING;
    ELSE
        DELETE FROM idemdesk.shared_login s WHERE s.login = p_login;
    END IF;
    v_seq := idemdesk._chain('shared_login', NULL, NULL, NULL, jsonb_build_object('login', p_login, 'shared', p_shared), NULL);
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.open_action(uuid, text, text, text, text, jsonb, text, jsonb),
    idemdesk.open_undo(uuid, uuid, text, text), idemdesk.set_action(uuid, text, text) TO idemdesk_operator;
GRANT EXECUTE ON FUNCTION idemdesk.approve_action(uuid, boolean, text) TO idemdesk_approver;
GRANT EXECUTE ON FUNCTION idemdesk.set_shared_login(text, boolean) TO idemdesk_admin;
GRANT EXECUTE ON FUNCTION idemdesk.action_state(uuid) TO idemdesk_viewer;
RESET ROLE;
