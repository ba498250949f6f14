-- SPDX-License-Identifier: GPL-3.0-or-later
-- After a dump was restored: tables and roles have other oids then, so nobody may read the images and nothing may act.
-- An admin asks for the oids of the tables that now have the names of the old ones; another person approves.
SET LOCAL ROLE idemdesk_owner;

-- Each table that the console knows by its oid, its name when it was last registered, detached or seen under another
-- one, and the oid that this name has now; 0 where there is no such table, where the name went to another one before the
-- dump, or where it belongs to another owner now: whoever took a free name does not get what was kept of the table that
-- had it.
CREATE FUNCTION idemdesk._adoption_plan() RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    WITH known AS (
        SELECT a.relation FROM idemdesk.action a WHERE a.verb <> 'adopt'
        UNION SELECT t.relation FROM idemdesk.target t
        UNION SELECT l.relation FROM idemdesk.target_limit l
        UNION SELECT d.relation FROM idemdesk.detached_partition d
        UNION SELECT s.relation FROM idemdesk.provider_statement s WHERE s.relation <> 4294967295
        UNION SELECT r.relation FROM idemdesk.cache_release r WHERE r.relation <> 4294967295
        UNION SELECT idemdesk._second_then(b.result -> 'attnums', b.audit_seq) FROM idemdesk.action_batch b
               WHERE b.result -> 'attnums' ? 'second'
    ), told AS (
        SELECT a.seq, (a.facts ->> 'relation')::bigint AS relation, a.facts ->> 'table' AS name, a.facts ->> 'owner' AS owner
          FROM ONLY idemdesk.audit a WHERE a.what IN ('register', 'rebind', 'renamed')
        UNION ALL
        SELECT a.seq, (a.facts ->> 'partition_relation')::bigint, a.facts ->> 'partition', a.facts ->> 'owner'
          FROM ONLY idemdesk.audit a WHERE a.what = 'detach'
        UNION ALL -- a second table: its name is the last of the columns of what was done to it
        SELECT b.audit_seq, idemdesk._second_then(b.result -> 'attnums', b.audit_seq)::bigint, b.columns[cardinality(b.columns)],
               b.result -> 'attnums' ->> 'second_owner'
          FROM idemdesk.action_batch b WHERE b.result -> 'attnums' ? 'second'
        UNION ALL
        SELECT a.seq, (r ->> 'is')::bigint, r ->> 'table', r ->> 'owner'
          FROM ONLY idemdesk.audit a CROSS JOIN LATERAL jsonb_array_elements(a.facts -> 'relations') r
         WHERE a.what = 'adopt' AND (r ->> 'is')::bigint <> 0 -- what was not adopted has no name any more
    ), named AS (
        SELECT DISTINCT ON (t.relation) t.relation, t.name, t.owner, t.seq FROM told t ORDER BY t.relation, t.seq DESC
    ), latest AS (
        SELECT DISTINCT ON (n.name) n.relation FROM named n ORDER BY n.name, n.seq DESC
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object('was', k.relation::bigint, 'table', n.name, 'owner', n.owner,
               'is', CASE WHEN k.relation::bigint IN (SELECT l.relation FROM latest l) AND o.name = n.owner
                          THEN i.relation ELSE 0 END)
               -- Who approves sees whose the table of that name is now, where it is another's.
               || CASE WHEN o.name <> n.owner THEN jsonb_build_object('owner_now', o.name) ELSE '{}' END
               ORDER BY n.name, k.relation), '[]')
      FROM known k LEFT JOIN named n ON n.relation = k.relation::bigint
     CROSS JOIN LATERAL (SELECT coalesce(idemdesk._relation_named(n.name), 0)::bigint AS relation) i
     CROSS JOIN LATERAL (SELECT idemdesk._owner_name(i.relation::oid) AS name) o
     WHERE k.relation <> 0
$fn$;

-- Takes the tables of an approved plan for those that the console knows, and the roles of the same names for its runners.
CREATE FUNCTION idemdesk._adopt(p_action idemdesk.action) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_target idemdesk.target;
    v_seq    bigint;
BEGIN
    -- All at once: what is one table's new oid may have been another one's old oid.
    UPDATE idemdesk.action a SET relation = r."is"::oid
      FROM jsonb_to_recordset(p_action.plan -> 'relations') AS r (was bigint, "is" bigint)
     WHERE a.relation = r.was::oid AND a.verb <> 'adopt';
    UPDATE idemdesk.target t SET relation = r."is"::oid
      FROM jsonb_to_recordset(p_action.plan -> 'relations') AS r (was bigint, "is" bigint) WHERE t.relation = r.was::oid;
    WITH old AS (
        DELETE FROM idemdesk.target_limit l RETURNING l.*
    )
    INSERT INTO idemdesk.target_limit (relation, approval_above, undo_window, set_by)
    SELECT r."is"::oid, o.approval_above, o.undo_window, o.set_by
      FROM old o JOIN jsonb_to_recordset(p_action.plan -> 'relations') AS r (was bigint, "is" bigint) ON o.relation = r.was::oid
     WHERE r."is" <> 0;
    -- What was counted or reported of a table that is not there any more belongs to none: no table has the highest oid.
    UPDATE idemdesk.conflict c SET relation = coalesce(nullif(r."is", 0), 4294967295)::oid
      FROM jsonb_to_recordset(p_action.plan -> 'relations') AS r (was bigint, "is" bigint) WHERE c.relation =
          r.was::oid;
    UPDATE idemdesk.provider_statement s SET relation = coalesce(nullif(r."is", 0), 4294967295)::oid
      FROM jsonb_to_recordset(p_action.plan -> 'relations') AS r (was bigint, "is" bigint) WHERE s.relation =
          r.was::oid;
    UPDATE idemdesk.cache_release c SET relation = coalesce(nullif(r."is", 0), 4294967295)::oid
      FROM jsonb_to_recordset(p_action.plan -> 'relations') AS r (was bigint, "is" bigint) WHERE c.relation =
          r.was::oid;
    UPDATE idemdesk.sample s SET relation = coalesce(nullif(r."is", 0), 4294967295)::oid
      FROM jsonb_to_recordset(p_action.plan -> 'relations') AS r (was bigint, "is" bigint) WHERE s.relation =
          r.was::oid;
    UPDATE idemdesk.sample_run s SET relation = coalesce(nullif(r."is", 0), 4294967295)::oid
      FROM jsonb_to_recordset(p_action.plan -> 'relations') AS r (was bigint, "is" bigint) WHERE s.relation =
          r.was::oid;
    UPDATE idemdesk.cache_sample_run s SET relation = coalesce(nullif(r."is", 0), 4294967295)::oid
      FROM jsonb_to_recordset(p_action.plan -> 'relations') AS r (was bigint, "is" bigint) WHERE s.relation =
          r.was::oid;
    DELETE FROM idemdesk.counter_seen;
    WITH old AS (
        DELETE FROM idemdesk.counter_total c RETURNING c.*
    )
    INSERT INTO idemdesk.counter_total (target, relation, metric, bound, value)
    SELECT o.target, CASE WHEN r.was IS NULL THEN o.relation ELSE coalesce(nullif(r."is", 0), 4294967295)::oid END,
           o.metric, o.bound, sum(o.value)
      FROM old o LEFT JOIN jsonb_to_recordset(p_action.plan -> 'relations') AS r (was bigint, "is" bigint)
        ON o.relation = r.was::oid
     GROUP BY 1, 2, 3, 4;
    WITH old AS (
        DELETE FROM idemdesk.detached_partition d RETURNING d.*
    )
    INSERT INTO idemdesk.detached_partition (relation, target, name, bounds, rows, detached_by, detached_at, drop_after)
    SELECT r."is"::oid, o.target, o.name, o.bounds, o.rows, o.detached_by, o.detached_at, o.drop_after
      FROM old o JOIN jsonb_to_recordset(p_action.plan -> 'relations') AS r (was bigint, "is" bigint) ON o.relation = r.was::oid
     WHERE r."is" <> 0;
    WITH old AS (
        DELETE FROM idemdesk.runner r RETURNING r.trampoline
    ), named AS (
        SELECT DISTINCT ON (a.facts ->> 'runner') a.facts ->> 'owner' AS owner, a.facts ->> 'runner' AS runner
          FROM ONLY idemdesk.audit a WHERE a.what = 'runner' ORDER BY a.facts ->> 'runner', a.seq DESC
    )
    INSERT INTO idemdesk.runner (owner, runner, trampoline)
    SELECT to_regrole(quote_ident(n.owner)), to_regrole(quote_ident(n.runner)), o.trampoline
      FROM old o JOIN named n ON o.trampoline = format('idemdesk.%I', '_run_' || substr(n.runner, length('idemdesk_runner_') + 1))
     WHERE to_regrole(quote_ident(n.owner)) IS NOT NULL AND to_regrole(quote_ident(n.runner)) IS NOT NULL;
    UPDATE idemdesk.installation SET audit_oid = 'idemdesk.audit'::regclass, written_by = idemdesk._written_by();
    -- What effects are read from has other oids, too; all else of it must be as it was.
    UPDATE idemdesk.target t SET fingerprint = t.fingerprint || n.parts
      FROM idemdesk.target o
     CROSS JOIN LATERAL (SELECT jsonb_object_agg(f.key, f.value) AS parts FROM jsonb_each(idemdesk._fingerprint(o)) f
                          WHERE o.fingerprint ? f.key AND starts_with(f.key, 'the table or view ')) n
     WHERE o.name = t.name AND n.parts IS NOT NULL;
    v_seq := idemdesk._chain('adopt', NULL, p_action.id, NULL, jsonb_build_object('relations', p_action.plan -> 'relations',
        'runners', ARRAY(SELECT r.trampoline FROM idemdesk.runner r ORDER BY 1)), NULL);
    FOR v_target IN SELECT t.* FROM idemdesk.target t ORDER BY t.name LOOP
        v_seq := idemdesk._chain('rebind', v_target.name, NULL, NULL, idemdesk._target_facts(v_target), NULL);
    END LOOP;
END
$fn$;

-- What keeps a restored console from being adopted; raises it.
CREATE FUNCTION idemdesk._require_restored() RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_problem text;
BEGIN
    IF idemdesk._at_home() THEN
        RAISE EXCEPTION 'The tables of this database are those that the console knows; there is nothing to adopt.' USING ERRCODE = 'ID005';
    END IF;
    SELECT v.problem INTO v_problem FROM idemdesk._verify_chain(1) v LIMIT 1;
    IF v_problem IS NOT NULL THEN
        RAISE EXCEPTION 'The audit log in this database is not whole: %.', v_problem USING ERRCODE = 'ID004',
            HINT = 'Find out what became of it first; "audit verify" says more.';
    END IF;
END
$fn$;

-- Asks that a restored database's tables be taken for those that the console knew. It is tried here and taken back, so
-- that whoever asks hears at once what else would stand in the way.
CREATE FUNCTION idemdesk.ask_adoption(p_id uuid, p_reason text, p_ticket text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_context text;
    v_who     text;
    v_other   idemdesk.action;
    v_action  idemdesk.action;
    v_seq     bigint;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    v_who := idemdesk._enter('idemdesk_admin', v_context, 'ask_adoption');
    v_action.content_sha := sha256(convert_to(jsonb_build_array('adopt', p_reason, p_ticket)::text, 'UTF8'));
    SELECT a.* INTO v_other FROM idemdesk.action a WHERE a.id = p_id;
    IF FOUND THEN
        IF v_other.content_sha <> v_action.content_sha OR v_other.requested_by <> v_who THEN
            RAISE EXCEPTION 'Another action has this id already.' USING ERRCODE = 'ID007';
        END IF;
        RETURN idemdesk._action_json(v_other);
    END IF;
    IF idemdesk._says_nothing(p_reason) THEN
        RAISE EXCEPTION 'An action needs a reason.' USING ERRCODE = 'ID005', HINT = 'Say which dump was restored, and why.';
    END IF;
    IF EXISTS (SELECT FROM idemdesk.shared_login s WHERE s.login = v_who) THEN
        RAISE EXCEPTION 'The login % is shared by several people, so it cannot ask for what another person must approve.', v_who
            USING ERRCODE = 'ID008', HINT = 'Use a login of your own.';
    END IF;
    PERFORM idemdesk._require_restored();
    v_action.id := p_id;
    v_action.target := '';
    v_action.relation := 'idemdesk.audit'::regclass;
    v_action.verb := 'adopt';
    v_action.requested_by := v_who;
    v_action.requested_at := clock_timestamp();
    v_action.opened_on := v_action.requested_at::date;
    v_action.keep_until := v_action.opened_on;
    v_action.state := 'requested';
    v_action.reason := p_reason;
    v_action.ticket := nullif(p_ticket, '');
    v_action.plan := jsonb_build_object('relations', idemdesk._adoption_plan());
    v_action.profile_sha := sha256('');
    v_action.covers_sha := sha256(convert_to(v_action.plan::text, 'UTF8'));
    v_action.planned_rows := 0;
    v_action.allowance := 0;
    v_action.last_batch := 0;
    v_action.next_row := 1;
    v_action.cursor := '{}';
    v_action.counts := '{}';
    BEGIN
        PERFORM idemdesk._adopt(v_action);
        PERFORM idemdesk._require_guard();
        RAISE EXCEPTION 'take it back' USING ERRCODE = 'ID020';
    EXCEPTION WHEN SQLSTATE 'ID020' THEN
        NULL;
    END;
    INSERT INTO idemdesk.action SELECT v_action.*;
    v_seq := idemdesk._chain('request', '', p_id, NULL,
        idemdesk._action_facts(v_action) || jsonb_build_object('allowance', 0, 'frozen', idemdesk._frozen(p_id)), NULL);
    RETURN idemdesk._action_json(v_action);
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.ask_adoption(uuid, text, text) TO idemdesk_admin;
RESET ROLE;
