-- SPDX-License-Identifier: GPL-3.0-or-later
-- A row whose code ends the connection, or the whole server, or never ends itself: nothing of its batch stays, not even a
-- word of it, and the same batch would do it again. So whoever got no answer says so. From there on rows are tried one by
-- one; the one that does it again is passed by, and has an item that says so.
SET LOCAL ROLE idemdesk_owner;

-- Where the next row of a purge lies, and which one it is; NULL where there is none.
CREATE FUNCTION idemdesk._next_to_purge(p_context jsonb, OUT place text, OUT part text, OUT identity text[])
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    c_cursor CONSTANT jsonb := p_context -> 'cursor';
    c_rule   CONSTANT jsonb := p_context -> 'compiled' -> 'purge' -> coalesce((c_cursor ->> 'rule')::integer, 0);
    c_bound  CONSTANT text := CASE WHEN (c_cursor ->> 'sweep')::boolean IS NOT TRUE AND c_rule ->> 'by' IS NOT NULL
                                   THEN c_cursor ->> 'by' END;
    v_found  record;
BEGIN
    v_found := idemdesk._purge_places(p_context || jsonb_build_object('around', c_cursor -> 'around'), c_rule,
        c_bound, 1);
    place := v_found.places[1];
    part := v_found.tables[1];
    identity := v_found.keys[1]::text[];
END
$fn$;

-- The cursor of a purge that leaves out this row from now on, as one that cannot be read.
CREATE FUNCTION idemdesk._pass_by(p_cursor jsonb, p_place text, p_part text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT p_cursor || jsonb_build_object('around', jsonb_build_object('n', a.n + 1, 'many', a.n + 1 >= 100,
               'rows', a.rows || jsonb_build_object(p_part, coalesce(a.rows -> p_part, '[]') || to_jsonb(p_place))))
      FROM (SELECT coalesce((p_cursor -> 'around' ->> 'n')::integer, 0), coalesce(p_cursor -> 'around' -> 'rows',
          '{}')) AS a (n, rows)
$fn$;

-- Writes down that the row of this batch was tried and ended the connection each time; gives the batch's answer.
CREATE FUNCTION idemdesk._give_up_row(p_action uuid, p_batch integer) RETURNS jsonb
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_context jsonb := idemdesk._begin_batch(p_action, p_batch, 1);
    v_item    idemdesk.item;
    v_cursor  jsonb := '{}';
    v_last    boolean := false;
    v_row     jsonb;
    v_next    record;
BEGIN
    IF v_context ? 'seen' THEN
        RETURN v_context -> 'seen';
    END IF;
    v_row := v_context -> 'rows' -> 0;
    v_item.ordinal := 1;
    IF v_context ->> 'verb' = 'purge' THEN
        v_next := idemdesk._next_to_purge(v_context);
        v_item.identity := v_next.identity;
        v_cursor := idemdesk._pass_by(v_context -> 'cursor', v_next.place, v_next.part);
    ELSIF v_context ? 'purged' THEN
        SELECT i.identities[1]::text[] INTO v_item.identity
          FROM idemdesk._purged_images((v_context -> 'purged' ->> 'of')::uuid, v_context -> 'purged' -> 'runs') i;
        v_cursor := coalesce(nullif(v_context -> 'purged' -> 'end', 'null'), v_context -> 'cursor');
        v_last := (v_context -> 'purged' ->> 'last')::boolean;
    ELSE
        v_item.identity := ARRAY(SELECT jsonb_array_elements_text(v_row -> 'i'));
        IF v_context ->> 'verb' = 'undo' THEN
            v_cursor := jsonb_build_object('b', v_row -> 'b', 'o', v_row -> 'o');
        ELSE
            v_item.ordinal := (v_row ->> 'n')::integer;
        END IF;
    END IF;
    IF v_item.identity IS NULL OR cardinality(v_item.identity) = 0 THEN
        RETURN NULL; -- no row is left that could have done it
    END IF;
    v_item.outcome := 'broke';
    v_item.detail := format('No answer came each time it was tried: the connection was lost, or it took too long. %s reported that.', session_user);
    UPDATE idemdesk.action_lost l SET until = p_batch + 1 WHERE l.action = p_action;
    PERFORM idemdesk._require_trampoline(v_context ->> 'run');
    PERFORM idemdesk._require_unchanged(v_context);
    RETURN idemdesk._append(p_action, p_batch, '{}', ARRAY[v_item], NULL, '{"broke": 1}', v_cursor, v_last,
        jsonb_build_object('outcomes', jsonb_build_array(jsonb_build_object('n', v_item.ordinal, 'outcome',
            v_item.outcome,
            'detail', v_item.detail)))
            || CASE v_context ->> 'verb' WHEN 'undo' THEN '{"restored": []}'::jsonb ELSE '{}' END);
END
$fn$;

-- Says that the connection was lost while this batch ran, with so many rows in it. Where it was committed nevertheless
-- nothing happens. Only who opened the action or ran its last batch can know. Gives the action, or the answer of the
-- batch in which a row was passed by.
CREATE FUNCTION idemdesk.note_lost(p_action uuid, p_batch integer, p_limit integer) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_caller text;
    v_who    text;
    v_action idemdesk.action;
    v_answer jsonb;
    v_seq    bigint;
BEGIN
    GET DIAGNOSTICS v_caller = PG_CONTEXT;
    v_who := idemdesk._enter('idemdesk_operator', v_caller, 'note_lost');
    SELECT a.* INTO v_action FROM idemdesk._lock_action(p_action) a;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'There is no action %.', p_action USING ERRCODE = 'ID005';
    END IF;
    IF v_action.state <> 'running' OR v_action.verb NOT IN ('recover', 'requeue', 'reclassify', 'align', 'purge', 'undo')
       OR p_batch IS DISTINCT FROM v_action.last_batch + 1 THEN
        RETURN idemdesk._action_json(v_action);
    END IF;
    IF v_who <> v_action.requested_by AND v_who IS DISTINCT FROM (SELECT a.who FROM ONLY idemdesk.audit a
           WHERE a.action = p_action AND a.what = 'batch' ORDER BY a.seq DESC LIMIT 1) THEN
        RAISE EXCEPTION '% neither opened this action nor ran its last batch, so it cannot say that one was lost.', v_who
            USING ERRCODE = 'ID001', HINT = format('Let %s go on with it.', v_action.requested_by);
    END IF;
    IF EXISTS (SELECT FROM idemdesk.action_lost l WHERE l.action = p_action AND p_batch < l.until) THEN
        v_answer := idemdesk._give_up_row(p_action, p_batch);
        IF v_answer IS NOT NULL THEN
            RETURN v_answer;
        END IF;
    END IF;
    INSERT INTO idemdesk.action_lost AS l (action, batch, until)
    VALUES (p_action, p_batch, p_batch + greatest(1, least(coalesce(p_limit, 500), 10000)))
    ON CONFLICT (action) DO UPDATE SET batch = excluded.batch, until = excluded.until;
    v_seq := idemdesk._chain('lost', v_action.target, p_action, NULL, jsonb_build_object('at_batch', p_batch,
        'limit', p_limit), NULL);
    RETURN idemdesk._action_json(v_action);
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.note_lost(uuid, integer, integer) TO idemdesk_operator;
RESET ROLE;
