-- SPDX-License-Identifier: GPL-3.0-or-later
-- The trail: appended to by one function, chained by hash, verified by anyone who may look.
SET LOCAL ROLE idemdesk_owner;

-- Is the function that asked a direct caller named here? p_context is PG_CONTEXT, whose second line is that caller.
-- A line that shows an SQL statement has a quotation mark before anything its author could have chosen, and so does a
-- function whose name needs quoting, in whatever language the server speaks: hence no quotation mark, and no other
-- schema's dot, before the name.
CREATE FUNCTION idemdesk._called_by(p_context text, p_names text) RETURNS boolean
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT split_part(p_context, E'\n', 2)
        ~ ('^[^"''“”„«»‹›「」『』.]*idemdesk[.](' || p_names || ')[(][^"''“”„«»‹›「」『』.]*[)][^"''“”„«»‹›「」『』]*$')
$fn$;

-- Who acts: the login itself, which must be a member of the role, and no superuser: for one no rule here holds.
CREATE FUNCTION idemdesk._require(p_role text) RETURNS text
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    IF (SELECT r.rolsuper FROM pg_roles r WHERE r.rolname = session_user) THEN
        RAISE EXCEPTION 'A superuser''s login may look, but not act: no rule of the console could hold it.'
            USING ERRCODE = 'ID003', HINT = 'Connect with a login of your own that is a member of ' || p_role || '.';
    END IF;
    IF pg_has_role(session_user, 'idemdesk_owner', 'MEMBER') OR pg_has_role(session_user, 'idemdesk_runner', 'MEMBER') THEN
        RAISE EXCEPTION 'The login % could change the trail itself, so it may not act.', session_user
            USING ERRCODE = 'ID003', HINT = 'Nobody may be a member of idemdesk_owner or idemdesk_runner.';
    END IF;
    IF NOT pg_has_role(session_user, p_role, 'MEMBER') THEN
        RAISE EXCEPTION 'The login % is not a member of %.', session_user, p_role
            USING ERRCODE = 'ID001', HINT = format('Ask for: GRANT %I TO %I', p_role, session_user);
    END IF;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'Actions run under READ COMMITTED only, not under %.', upper(current_setting('transaction_isolation'))
            USING ERRCODE = 'ID002';
    END IF;
    RETURN session_user;
END
$fn$;

CREATE FUNCTION idemdesk._row_hash(p idemdesk.audit, p_prev bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT sha256(p_prev || convert_to(jsonb_build_array(
        p.seq, (extract(epoch FROM p.at) * 1000000)::bigint, p.who, p.role, p.pid, p.address, p.application,
        p.action, p.batch, p.what, p.target, p.facts, encode(p.items_sha, 'hex'))::text, 'UTF8'))
$fn$;

-- Appends one row. Only functions of idemdesk_owner may call it. It waits for the chain's head longer than an action
-- waits for a row; whoever still fails with 55P03 tries the batch again. Call it last in the transaction.
CREATE FUNCTION idemdesk._chain(p_what text, p_target text, p_action uuid, p_batch integer, p_facts jsonb, p_items_sha bytea)
    RETURNS bigint
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_row  idemdesk.audit;
    v_prev bytea;
    v_rows bigint;
BEGIN
    SELECT h.seq + 1, h.hash INTO STRICT v_row.seq, v_prev FROM idemdesk.audit_head h FOR UPDATE;
    v_row.at := clock_timestamp();
    v_row.who := session_user;
    v_row.role := current_setting('role');
    v_row.pid := pg_backend_pid();
    v_row.address := host(inet_client_addr());
    v_row.application := current_setting('application_name');
    v_row.action := p_action;
    v_row.batch := p_batch;
    v_row.what := p_what;
    v_row.target := p_target;
    v_row.facts := coalesce(p_facts, '{}');
    v_row.items_sha := p_items_sha;
    v_row.prev_hash := v_prev;
    v_row.hash := idemdesk._row_hash(v_row, v_prev);
    INSERT INTO idemdesk.audit SELECT v_row.*;
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    -- A rule or a trigger that swallows the row must take the action down with it.
    IF v_rows <> 1 OR NOT EXISTS (SELECT FROM ONLY idemdesk.audit a WHERE a.seq = v_row.seq AND a.hash = v_row.hash) THEN
        RAISE EXCEPTION 'The audit row was not stored.' USING ERRCODE = 'ID010',
            HINT = 'Somebody changed the audit table. Look at "console status"; nothing was changed.';
    END IF;
    UPDATE idemdesk.audit_head SET seq = v_row.seq, hash = v_row.hash;
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    IF v_rows <> 1 THEN
        RAISE EXCEPTION 'The head of the audit chain was not moved.' USING ERRCODE = 'ID010';
    END IF;
    RETURN v_row.seq;
END
$fn$;

-- What a batch's items hash to; the same text is built when they are stored and when they are verified.
CREATE FUNCTION idemdesk._item_text(p_ordinal integer, p_identity text[], p_before text[], p_after text[], p_outcome text,
    p_detail text) RETURNS text
    LANGUAGE sql IMMUTABLE
AS $fn$
    SELECT pg_catalog.jsonb_build_array(p_ordinal, p_identity, p_before, p_after, p_outcome, p_detail)::pg_catalog.text
$fn$;

-- What an undo batch says: the items of rows that were looked at one by one, and the runs that came back as a whole,
-- whose images are in the digest of the batch that purged them. NULL where it said nothing.
CREATE FUNCTION idemdesk._undo_digest(p_opened_on date, p_action uuid, p_batch integer) RETURNS bytea
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT sha256(convert_to(string_agg(x.said, E'\n' ORDER BY x.kind, x.a, x.b, x.c), 'UTF8'))
      FROM (SELECT 1 AS kind, m.ordinal AS a, 0 AS b, 0 AS c,
                   idemdesk._item_text(m.ordinal, m.identity, m.before, m.after, m.outcome, m.detail) AS said
              FROM idemdesk.action_item m WHERE m.opened_on = p_opened_on AND m.action = p_action AND m.batch = p_batch
            UNION ALL
            SELECT 2, r.batch, r.first, r.last, jsonb_build_array(r.action, r.batch, r.first, r.last, r.by_row)::text
              FROM idemdesk.restored r WHERE r.by = p_action AND r.by_batch = p_batch) x
$fn$;

-- The same for purged rows. Array literals end where they end, so nothing can move from one to the next unseen.
CREATE FUNCTION idemdesk._quarantine_digest(p_identities text[], p_images text[]) RETURNS bytea
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET client_encoding = 'UTF8'
AS $fn$
    -- The wire form names each text's length, and takes a third of the time that joining them would.
    SELECT sha256(sha256(array_send(p_identities)) || sha256(array_send(p_images)))
$fn$;

-- Walks the chain from p_from on and names the first row that is wrong; then the items that each batch answers for.
CREATE FUNCTION idemdesk.verify_audit(p_from bigint DEFAULT 1)
    RETURNS TABLE (intact boolean, checked bigint, first_bad bigint, problem text, head_seq bigint, head_hash text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
#variable_conflict use_column
DECLARE
    v_bad   bigint;
    v_why   text;
    v_last  bigint;
    v_hash  bytea;
    v_start bytea;
BEGIN
    p_from := greatest(p_from, 1);
    SELECT h.seq, encode(h.hash, 'hex') INTO head_seq, head_hash FROM ONLY idemdesk.audit_head h;
    SELECT count(*) INTO checked FROM ONLY idemdesk.audit a WHERE a.seq >= p_from;
    IF p_from = 1 THEN
        v_start := sha256('idemdesk');
    ELSE
        SELECT a.hash INTO v_start FROM ONLY idemdesk.audit a WHERE a.seq = p_from - 1;
    END IF;
    SELECT w.seq, CASE WHEN w.seq <> w.want_seq THEN format('row %s is missing', w.want_seq)
                       WHEN w.prev_hash IS DISTINCT FROM w.want_prev THEN 'it does not continue the row before it'
                       ELSE 'its content was changed' END
      INTO v_bad, v_why
      FROM (SELECT a.seq, a.prev_hash, a.hash, a AS whole,
                   coalesce(lag(a.seq) OVER o, p_from - 1) + 1 AS want_seq,
                   coalesce(lag(a.hash) OVER o, v_start) AS want_prev
              FROM ONLY idemdesk.audit a WHERE a.seq >= p_from WINDOW o AS (ORDER BY a.seq)) w
     WHERE w.seq <> w.want_seq OR w.prev_hash IS DISTINCT FROM w.want_prev
        OR w.hash IS DISTINCT FROM idemdesk._row_hash(w.whole, w.prev_hash)
     ORDER BY w.seq LIMIT 1;
    IF v_bad IS NULL THEN
        SELECT a.seq, a.hash INTO v_last, v_hash FROM ONLY idemdesk.audit a ORDER BY a.seq DESC LIMIT 1;
        IF coalesce(v_last, 0) <> head_seq OR (v_last IS NOT NULL AND encode(v_hash, 'hex') <> head_hash) THEN
            v_bad := coalesce(v_last, 0) + 1;
            v_why := format('the rows after %s are missing', coalesce(v_last, 0));
        END IF;
    END IF;
    IF v_bad IS NULL THEN
        SELECT b.audit_seq, format('the items of batch %s of action %s were changed', b.batch, b.action)
          INTO v_bad, v_why
          FROM idemdesk.action_batch b
          JOIN idemdesk.action c ON c.id = b.action
          JOIN ONLY idemdesk.audit a ON a.seq = b.audit_seq
          CROSS JOIN idemdesk.installation i
          LEFT JOIN LATERAL (
              SELECT sha256(convert_to(string_agg(
                         idemdesk._item_text(m.ordinal, m.identity, m.before, m.after, m.outcome, m.detail), E'\n' ORDER BY m.ordinal), 'UTF8'))
                     AS digest
                FROM idemdesk.action_item m
               WHERE c.verb NOT IN ('purge', 'undo') AND m.opened_on = c.opened_on AND m.action = b.action
                 AND m.batch = b.batch
              HAVING count(*) > 0
              UNION ALL
              SELECT idemdesk._undo_digest(c.opened_on, b.action, b.batch) WHERE c.verb = 'undo'
              UNION ALL
              SELECT idemdesk._quarantine_digest(q.identities, q.images) FROM idemdesk.quarantine q
               WHERE c.verb = 'purge' AND q.keep_until = c.keep_until AND q.action = b.action AND q.batch = b.batch
          ) d ON true
         WHERE b.audit_seq >= p_from
           AND (b.items_sha IS DISTINCT FROM a.items_sha
                OR (b.items_sha IS NOT NULL AND b.items_sha IS DISTINCT FROM d.digest
                    AND CASE WHEN c.verb = 'purge' THEN c.keep_until >= current_date
                             ELSE c.opened_on >= current_date - i.items_kept END))
         ORDER BY b.audit_seq LIMIT 1;
    END IF;
    IF v_bad IS NULL THEN
        SELECT a.seq, format('batch %s of action %s is missing', a.batch, a.action) INTO v_bad, v_why
          FROM ONLY idemdesk.audit a
         WHERE a.seq >= p_from AND a.batch IS NOT NULL
           AND NOT EXISTS (SELECT FROM idemdesk.action_batch b WHERE b.action = a.action AND b.batch = a.batch)
         ORDER BY a.seq LIMIT 1;
    END IF;
    first_bad := v_bad;
    problem := v_why;
    intact := v_bad IS NULL;
    RETURN NEXT;
END
$fn$;

-- The newest row, for anchors: which cluster and database it belongs to, its number and hash.
CREATE FUNCTION idemdesk.audit_anchor()
    RETURNS TABLE (system_id text, database_oid oid, database_name text, seq bigint, hash text, at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT c.system_identifier::text, d.oid, d.datname::text, h.seq, encode(h.hash, 'hex'), clock_timestamp()
      FROM pg_control_system() c, pg_database d, ONLY idemdesk.audit_head h
     WHERE d.datname = current_database()
$fn$;

-- The hash that row p_seq has today; NULL where it is gone. Compared with an anchor taken earlier.
CREATE FUNCTION idemdesk.audit_hash_at(p_seq bigint) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN p_seq = 0 THEN encode(sha256('idemdesk'), 'hex')
                ELSE (SELECT encode(a.hash, 'hex') FROM ONLY idemdesk.audit a WHERE a.seq = p_seq) END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.verify_audit(bigint), idemdesk.audit_anchor(), idemdesk.audit_hash_at(bigint)
    TO idemdesk_viewer;
GRANT EXECUTE ON FUNCTION idemdesk._called_by(text, text), idemdesk._require(text),
    idemdesk._item_text(integer, text[], text[], text[], text, text) TO idemdesk_runner;
RESET ROLE;
