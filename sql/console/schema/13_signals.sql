-- SPDX-License-Identifier: GPL-3.0-or-later
-- Signals to other sessions, written down before they are sent.
SET LOCAL ROLE idemdesk_owner;

CREATE TABLE idemdesk.backend_signal (
    id            uuid PRIMARY KEY,
    pid           integer NOT NULL,
    backend_start timestamptz,
    verb          text NOT NULL CHECK (verb IN ('cancel', 'terminate')),
    reason        text NOT NULL CHECK (reason ~ '[^[:space:]]'),
    ticket        text,
    requested_by  text NOT NULL,
    requested_at  timestamptz NOT NULL,
    outcome       text CHECK (outcome IN ('sent', 'gone', 'refused'))
);
GRANT SELECT ON idemdesk.backend_signal TO idemdesk_viewer;

-- What the person saw of that session. Its statement may hold values of any table, so it is shown only to whom the
-- server shows the statements of other sessions, and to who asked. The trail has its digest.
CREATE TABLE idemdesk.signal_note (
    id   uuid PRIMARY KEY,
    seen jsonb NOT NULL
);

CREATE FUNCTION idemdesk._seen_digest(p_seen jsonb) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT encode(idemdesk._keyed(sha256(convert_to(p_seen::text, 'UTF8'))), 'hex')
$fn$;

-- Is there a session of somebody with this number? What came of a signal is the word of who sent it; this the server sees for itself,
-- before and right after. A session that is told to end may still be at it.
CREATE FUNCTION idemdesk._session_there(p_pid integer) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT EXISTS (SELECT FROM pg_stat_get_activity(p_pid) s WHERE s.usesysid IS NOT NULL)
$fn$;

-- What was seen of the session that a signal went to: its user, application, state and statement.
CREATE FUNCTION idemdesk.signal_seen(p_id uuid) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN s.requested_by = session_user OR pg_has_role(session_user, 'pg_read_all_stats', 'USAGE')
                THEN n.seen ELSE n.seen - 'query' END
      FROM idemdesk.signal_note n JOIN idemdesk.backend_signal s ON s.id = n.id WHERE n.id = p_id
$fn$;
GRANT EXECUTE ON FUNCTION idemdesk.signal_seen(uuid) TO idemdesk_viewer;

-- Writes down that a signal is about to be sent; the session that asks then sends it with its own right, and says what
-- came of it. So there is no signal without its row, and no power here that the person does not have.
CREATE FUNCTION idemdesk.open_signal(p_id uuid, p_pid integer, p_backend_start timestamptz, p_verb text, p_reason text, p_ticket text, p_seen jsonb)
    RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_caller text;
    v_who    text;
    v_row    idemdesk.backend_signal;
    v_seq    bigint;
    -- As much of it as a person looks at: it stays for good.
    v_seen   jsonb := (SELECT coalesce(jsonb_object_agg(k, left(p_seen ->> k, 1000)), '{}')
                         FROM unnest(ARRAY['user', 'application', 'client', 'state', 'query']) k WHERE p_seen ? k);
BEGIN
    GET DIAGNOSTICS v_caller = PG_CONTEXT;
    v_who := idemdesk._enter('idemdesk_operator', v_caller, 'open_signal');
    SELECT s.* INTO v_row FROM idemdesk.backend_signal s WHERE s.id = p_id;
    IF FOUND THEN
        IF v_row.pid IS DISTINCT FROM p_pid OR v_row.verb IS DISTINCT FROM p_verb OR v_row.requested_by <> v_who
           OR v_row.reason IS DISTINCT FROM p_reason THEN
            RAISE EXCEPTION 'Another action has this id already.' USING ERRCODE = 'ID007';
        END IF;
        RETURN coalesce(v_row.outcome, 'open');
    END IF;
    PERFORM idemdesk._require_guard();
    PERFORM idemdesk._require_reason_of_one(v_who, p_reason);
    INSERT INTO idemdesk.backend_signal (id, pid, backend_start, verb, reason, ticket, requested_by, requested_at)
    VALUES (p_id, p_pid, p_backend_start, p_verb, p_reason, nullif(p_ticket, ''), v_who, clock_timestamp())
    RETURNING * INTO v_row;
    INSERT INTO idemdesk.signal_note (id, seen) VALUES (p_id, v_seen);
    v_seq := idemdesk._chain('signal', NULL, p_id, NULL, jsonb_build_object('pid', p_pid, 'backend_start', p_backend_start, 'verb', p_verb,
        'reason', p_reason, 'ticket', nullif(p_ticket, ''), 'requested_at', v_row.requested_at,
        'seen_sha', idemdesk._seen_digest(v_seen), 'there', idemdesk._session_there(p_pid)), NULL);
    RETURN 'open';
END
$fn$;

CREATE FUNCTION idemdesk.close_signal(p_id uuid, p_outcome text, p_detail text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_caller text;
    v_who    text;
    v_row    idemdesk.backend_signal;
    v_seq    bigint;
BEGIN
    GET DIAGNOSTICS v_caller = PG_CONTEXT;
    v_who := idemdesk._enter('idemdesk_operator', v_caller, 'close_signal');
    SELECT s.* INTO v_row FROM idemdesk.backend_signal s WHERE s.id = p_id FOR UPDATE;
    IF NOT FOUND OR v_row.requested_by <> v_who THEN
        RAISE EXCEPTION 'There is no such signal of this login.' USING ERRCODE = 'ID005';
    END IF;
    IF v_row.outcome IS NOT NULL THEN
        RETURN v_row.outcome;
    END IF;
    UPDATE idemdesk.backend_signal s SET outcome = p_outcome WHERE s.id = p_id;
    v_seq := idemdesk._chain('signal_end', NULL, p_id, NULL, jsonb_build_object('pid', v_row.pid, 'verb', v_row.verb, 'outcome', p_outcome,
        'detail', nullif(left(p_detail, 1000), ''), 'there', idemdesk._session_there(v_row.pid)), NULL);
    RETURN p_outcome;
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.open_signal(uuid, integer, timestamptz, text, text, text, jsonb), idemdesk.close_signal(uuid, text, text)
    TO idemdesk_operator;
RESET ROLE;
