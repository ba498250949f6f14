-- SPDX-License-Identifier: GPL-3.0-or-later
-- The proof of the trail: the chain itself, and every table that tells what happened, against it. For each kind of thing
-- that may be wrong, the first one is named, with the trail's row that says otherwise; 0 where no row does.
SET LOCAL ROLE idemdesk_owner;

-- The chain from p_from on.
CREATE FUNCTION idemdesk._verify_chain(p_from bigint) RETURNS TABLE (seq bigint, problem text)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
#variable_conflict use_column
DECLARE
    v_start bytea := sha256('idemdesk');
    v_last  bigint;
    v_hash  bytea;
    v_head  idemdesk.audit_head;
BEGIN
    IF p_from > 1 THEN
        SELECT a.hash INTO v_start FROM ONLY idemdesk.audit a WHERE a.seq = p_from - 1;
    END IF;
    RETURN QUERY
    SELECT w.seq, CASE WHEN w.seq <> w.want_seq THEN format('row %s is missing', w.want_seq)
                       WHEN w.prev_hash IS DISTINCT FROM w.want_prev THEN 'it does not continue the row before it'
                       ELSE 'its content was changed' END
      FROM (SELECT a.seq, a.prev_hash, a.hash, a AS whole,
                   coalesce(lag(a.seq) OVER o, p_from - 1) + 1 AS want_seq,
                   coalesce(lag(a.hash) OVER o, v_start) AS want_prev
              FROM ONLY idemdesk.audit a WHERE a.seq >= p_from WINDOW o AS (ORDER BY a.seq)) w
     WHERE w.seq <> w.want_seq OR w.prev_hash IS DISTINCT FROM w.want_prev OR w.prev_hash IS NULL
        OR w.hash IS NULL OR w.hash IS DISTINCT FROM idemdesk._row_hash(w.whole, w.prev_hash)
     ORDER BY w.seq LIMIT 1;
    IF NOT FOUND THEN
        SELECT h.* INTO v_head FROM ONLY idemdesk.audit_head h;
        SELECT a.seq, a.hash INTO v_last, v_hash FROM ONLY idemdesk.audit a ORDER BY a.seq DESC LIMIT 1;
        IF coalesce(v_last, 0) IS DISTINCT FROM v_head.seq OR v_head.hash IS DISTINCT FROM coalesce(v_hash,
            sha256('idemdesk')) THEN
            seq := least(coalesce(v_last, 0), v_head.seq) + 1;
            problem := CASE WHEN v_head.seq IS NULL THEN 'its own count of rows is gone'
                            WHEN coalesce(v_last, 0) < v_head.seq THEN format('the rows after %s are missing',
                                coalesce(v_last, 0))
                            WHEN v_last > v_head.seq THEN format('its own count ends at row %s', v_head.seq)
                            ELSE 'the hash kept of its newest row is another one' END;
            RETURN NEXT;
        END IF;
    END IF;
END
$fn$;

-- The shortest time for which something was kept since a row of the trail: what is older may have gone by the rules.
CREATE FUNCTION idemdesk._least_kept(p_what text, p_since bigint) RETURNS interval
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT min((a.facts ->> p_what)::interval) FROM ONLY idemdesk.audit a
     WHERE a.what = 'settings' AND a.seq >= (SELECT max(s.seq) FROM ONLY idemdesk.audit s WHERE s.what = 'settings' AND s.seq <= p_since)
$fn$;

-- What each batch answers for: its items, the rows it purged, its answer, and that it is there at all.
CREATE FUNCTION idemdesk._verify_batches(p_from bigint) RETURNS TABLE (seq bigint, problem text)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    (SELECT b.audit_seq, format('the items of batch %s of action %s were changed', b.batch, b.action)
       FROM idemdesk.action_batch b
       JOIN idemdesk.action c ON c.id = b.action
       JOIN ONLY idemdesk.audit a ON a.seq = b.audit_seq
       LEFT JOIN LATERAL idemdesk._stored_digest(c.opened_on, b.action, b.batch) d ON true
       LEFT JOIN LATERAL (
           SELECT idemdesk._quarantine_digest(q.identities, q.images) AS digest,
                  q.hashes IS NOT DISTINCT FROM ARRAY(SELECT hashtextextended(x, 0) FROM unnest(q.identities) x) AS
                      found
             FROM idemdesk.quarantine q
            WHERE c.verb = 'purge' AND q.keep_until = c.keep_until AND q.action = b.action AND q.batch = b.batch
       ) p ON true
      WHERE b.audit_seq >= p_from
        AND (b.items_sha IS DISTINCT FROM a.items_sha
             -- A batch that answers for nothing has nothing. What a purge kept for its undo goes with that.
             OR (CASE WHEN c.verb = 'purge' THEN c.keep_until >= current_date OR b.items_sha IS NULL
                        OR c.plan ->> 'images' = 'false' ELSE true END
                 AND (c.opened_on >= current_date - coalesce(idemdesk._least_kept('items_kept', b.audit_seq), '100 years')
                      OR c.keep_until >= current_date)
                 AND (b.items_sha IS DISTINCT FROM CASE c.verb
                          WHEN 'undo' THEN idemdesk._undo_digest(c.opened_on, b.action, b.batch)
                          WHEN 'purge' THEN CASE WHEN p.digest IS NULL THEN d.digest
                                                 ELSE sha256(coalesce(d.digest, '') || p.digest) END
                          ELSE d.digest END
                      OR NOT coalesce(d.found, true) OR NOT coalesce(p.found, true))))
      ORDER BY b.audit_seq LIMIT 1)
    UNION ALL
    (SELECT b.audit_seq, format('the answer of batch %s of action %s was changed', b.batch, b.action)
       FROM idemdesk.action_batch b JOIN ONLY idemdesk.audit a ON a.seq = b.audit_seq
      WHERE b.audit_seq >= p_from AND a.facts ->> 'said' IS DISTINCT FROM encode(idemdesk._batch_digest(b.columns, b.result,
                (SELECT s.scopes FROM idemdesk.action_scope s WHERE s.action = b.action AND s.batch = b.batch)), 'hex')
      ORDER BY b.audit_seq LIMIT 1)
    UNION ALL
    (SELECT a.seq, format('batch %s of action %s is missing', a.batch, a.action)
       FROM ONLY idemdesk.audit a
      WHERE a.seq >= p_from AND a.batch IS NOT NULL
        AND NOT EXISTS (SELECT FROM idemdesk.action_batch b WHERE b.action = a.action AND b.batch = a.batch AND b.audit_seq = a.seq)
      ORDER BY a.seq LIMIT 1)
    UNION ALL
    (SELECT b.audit_seq, format('batch %s of action %s was made at another time', b.batch, b.action)
       FROM idemdesk.action_batch b JOIN ONLY idemdesk.audit a ON a.seq = b.audit_seq
      WHERE b.audit_seq >= p_from AND a.at IS DISTINCT FROM b.at
      ORDER BY b.audit_seq LIMIT 1)
    UNION ALL
    (SELECT 0, format('there are items of batch %s of action %s, which did not write them', m.batch, m.action)
       FROM (SELECT DISTINCT i.opened_on, i.action, i.batch FROM idemdesk.action_item i) m
      WHERE NOT EXISTS (SELECT FROM idemdesk.action_batch b JOIN idemdesk.action c ON c.id = b.action
                         WHERE b.action = m.action AND b.batch = m.batch AND c.opened_on = m.opened_on)
      LIMIT 1)
    UNION ALL
    (SELECT 0, format('there are scopes of batch %s of action %s, which is no batch of it', s.batch, s.action)
       FROM idemdesk.action_scope s
      WHERE s.batch <> 0
        AND NOT EXISTS (SELECT FROM idemdesk.action_batch b WHERE b.action = s.action AND b.batch = s.batch)
      LIMIT 1)
    UNION ALL
    (SELECT 0, format('there are purged rows of batch %s of action %s, which did not take them', q.batch, q.action)
       FROM idemdesk.quarantine q
      WHERE NOT EXISTS (SELECT FROM idemdesk.action_batch b JOIN idemdesk.action c ON c.id = b.action
                         WHERE b.action = q.action AND b.batch = q.batch AND c.keep_until = q.keep_until AND c.verb =
                             'purge')
      LIMIT 1)
    UNION ALL
    (SELECT 0, format('rows of action %s were put back by nobody', r.action)
       FROM idemdesk.restored r
      WHERE NOT EXISTS (SELECT FROM idemdesk.action_batch b JOIN idemdesk.action u ON u.id = b.action
                         WHERE b.action = r.by AND b.batch = r.by_batch AND u.undo_of = r.action)
      LIMIT 1)
    UNION ALL
    (SELECT 0, format('batch %s of action %s is not in it', b.batch, b.action)
       FROM idemdesk.action_batch b
      WHERE b.audit_seq >= p_from
        AND NOT EXISTS (SELECT FROM ONLY idemdesk.audit a WHERE a.seq = b.audit_seq AND a.action = b.action AND a.batch = b.batch)
      ORDER BY b.audit_seq LIMIT 1)
$fn$;

-- Which oid a table has now that had p_relation when row p_seq of the trail was written, by the adoptions since. 0: one of
-- them did not know it, and the number means nothing any more.
CREATE FUNCTION idemdesk._adopted(p_adoptions jsonb, p_seq bigint, p_relation bigint) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_adoption jsonb;
BEGIN
    FOR v_adoption IN SELECT a FROM jsonb_array_elements(p_adoptions) a WHERE (a ->> 'seq')::bigint > p_seq ORDER BY (a ->> 'seq')::bigint
    LOOP
        p_relation := coalesce((SELECT (r ->> 'is')::bigint FROM jsonb_array_elements(v_adoption -> 'relations') r
                                 WHERE (r ->> 'was')::bigint = p_relation), 0);
    END LOOP;
    RETURN p_relation;
END
$fn$;

-- Every adoption that the trail knows.
CREATE FUNCTION idemdesk._adoptions() RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(jsonb_agg(jsonb_build_object('seq', a.seq, 'relations', a.facts -> 'relations')), '[]')
      FROM ONLY idemdesk.audit a WHERE a.what = 'adopt'
$fn$;

-- Each action against the rows in which it was asked for, approved, and went on.
CREATE FUNCTION idemdesk._verify_actions() RETURNS TABLE (seq bigint, problem text)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    WITH adopted AS MATERIALIZED (
        SELECT idemdesk._adoptions() AS list
    ), told AS (
        SELECT a.* FROM ONLY idemdesk.audit a
         WHERE a.action IS NOT NULL AND a.what NOT IN ('signal', 'signal_end', 'limit', 'adopt')
    ), asked AS (
        SELECT DISTINCT ON (t.action) t.* FROM told t ORDER BY t.action, t.seq
    ), latest AS (
        SELECT DISTINCT ON (t.action) t.action, t.seq,
               t.facts ->> 'standing' AS standing,
               CASE t.what WHEN 'open' THEN 'running' WHEN 'request' THEN 'requested' WHEN 'ask_again' THEN 'requested'
                    WHEN 'approve' THEN 'running' WHEN 'decline' THEN 'declined' WHEN 'pause' THEN 'paused'
                    WHEN 'resume' THEN 'running' WHEN 'lost' THEN 'running' WHEN 'cancel' THEN 'cancelled' WHEN
                        'batch' THEN t.facts ->> 'state'
                    ELSE 'finished' END AS state
          FROM told t ORDER BY t.action, t.seq DESC
    ), approved AS (
        SELECT DISTINCT ON (t.action) t.* FROM told t WHERE t.what IN ('approve', 'decline') ORDER BY t.action, t.seq DESC
    ), batched AS (
        SELECT DISTINCT ON (t.action) t.* FROM told t WHERE t.what = 'batch' ORDER BY t.action, t.seq DESC
    ), allowed AS (
        SELECT DISTINCT ON (t.action) t.action, t.facts -> 'allowance' AS rows FROM told t
         WHERE t.facts ? 'allowance' ORDER BY t.action, t.seq DESC
    )
    SELECT coalesce(k.seq, l.seq, 0),
           CASE WHEN c.id IS NULL THEN format('action %s is missing', k.action)
                WHEN k.seq IS NULL THEN format('nobody asked for action %s', c.id)
                ELSE format('action %s is not what was asked for, approved and done', c.id) END
      FROM idemdesk.action c CROSS JOIN adopted o
      FULL JOIN asked k ON k.action = c.id
      LEFT JOIN latest l ON l.action = c.id
      LEFT JOIN approved p ON p.action = c.id
      LEFT JOIN batched b ON b.action = c.id
      LEFT JOIN allowed w ON w.action = c.id
     WHERE c.id IS NULL OR k.seq IS NULL OR k.who IS DISTINCT FROM c.requested_by OR k.target IS DISTINCT FROM c.target
        OR EXISTS (SELECT FROM jsonb_each(idemdesk._action_facts(c) - 'relation') e WHERE k.facts -> e.key IS DISTINCT FROM e.value)
        OR c.relation::bigint IS DISTINCT FROM CASE c.verb WHEN 'adopt' THEN (k.facts ->> 'relation')::bigint
                ELSE idemdesk._adopted(o.list, k.seq, (k.facts ->> 'relation')::bigint) END
        OR c.approved_by IS DISTINCT FROM p.who OR to_jsonb(c.approved_at) IS DISTINCT FROM nullif(p.facts -> 'approved_at', 'null')
        OR c.state IS DISTINCT FROM CASE WHEN c.verb IN ('limit', 'adopt') AND l.state = 'running' THEN 'finished'
            ELSE l.state END
        OR c.last_batch IS DISTINCT FROM coalesce(b.batch, 0) OR to_jsonb(c.allowance) IS DISTINCT FROM w.rows
        OR (b.seq IS NOT NULL AND c.counts IS DISTINCT FROM b.facts -> 'totals')
        OR l.standing IS DISTINCT FROM idemdesk._standing(c) OR k.facts ->> 'frozen' IS DISTINCT FROM idemdesk._frozen(c.id)
     ORDER BY 1 LIMIT 1
$fn$;

-- Each action of which somebody said that its connection was lost goes on row by row from there. Where the last such word
-- was followed by an item that broke, the batch of that item ends it.
CREATE FUNCTION idemdesk._verify_lost() RETURNS TABLE (seq bigint, problem text)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    WITH told AS (
        SELECT DISTINCT ON (a.action) a.seq, a.action, (a.facts ->> 'at_batch')::integer AS batch,
               (a.facts ->> 'at_batch')::integer + greatest(1, least(coalesce((a.facts ->> 'limit')::integer, 500), 10000))
                   AS until
          FROM ONLY idemdesk.audit a WHERE a.what = 'lost' ORDER BY a.action, a.seq DESC
    )
    SELECT coalesce(t.seq, 0), format('what was said of the lost connection of action %s was changed',
               coalesce(t.action, l.action))
      FROM told t FULL JOIN idemdesk.action_lost l ON l.action = t.action
     WHERE l.batch IS DISTINCT FROM t.batch
        OR l.until IS DISTINCT FROM coalesce((
               SELECT max(b.batch) + 1 FROM ONLY idemdesk.audit b
                WHERE b.action = t.action AND b.what = 'batch' AND b.seq > t.seq AND b.facts -> 'counts' ? 'broke'), t.until)
     ORDER BY 1 LIMIT 1
$fn$;

-- How long things are kept, in the words that the trail has.
CREATE FUNCTION idemdesk._settings_facts() RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET intervalstyle = 'postgres'
AS $fn$
    SELECT to_jsonb(i) - 'only_one' - 'audit_oid' - 'written_by' FROM idemdesk.installation i
$fn$;

-- Targets, settings, shared logins, runners, signals, detached partitions and imports against their last word.
CREATE FUNCTION idemdesk._verify_settings() RETURNS TABLE (seq bigint, problem text)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    (SELECT coalesce(k.seq, 0), format('the registration of "%s" is not the one that was made', coalesce(t.name, k.target))
       FROM idemdesk.target t
       FULL JOIN (SELECT * FROM (SELECT DISTINCT ON (a.target) a.* FROM ONLY idemdesk.audit a
                                  WHERE a.what IN ('register', 'rebind', 'unregister', 'limit') ORDER BY a.target, a.seq DESC) l
                   WHERE l.what <> 'unregister') k ON k.target = t.name
      WHERE t.name IS NULL OR k.seq IS NULL OR k.facts ->> 'covers' IS DISTINCT FROM encode(idemdesk._covers(t), 'hex')
         OR k.facts ->> 'profile' IS DISTINCT FROM encode(t.profile_sha, 'hex')
         OR k.facts ->> 'findings' IS DISTINCT FROM encode(sha256(convert_to(t.findings::text, 'UTF8')), 'hex')
         OR k.facts -> 'registered_at' IS DISTINCT FROM to_jsonb(t.registered_at)
         OR t.registered_by IS DISTINCT FROM (SELECT a.who FROM ONLY idemdesk.audit a WHERE a.target = t.name AND
             a.what = 'register'
                                 ORDER BY a.seq DESC LIMIT 1)
      ORDER BY 1 LIMIT 1)
    UNION ALL
    (SELECT coalesce(k.seq, 0), format('the limit of the table %s is not the one that was agreed on',
                coalesce(k.facts ->> 'table', l.relation::regclass::text))
       FROM idemdesk.target_limit l
       FULL JOIN (SELECT DISTINCT ON (r.now) r.* FROM (
                      SELECT a.*, idemdesk._adopted(o.list, a.seq, (a.facts ->> 'relation')::bigint)::oid AS now
                        FROM ONLY idemdesk.audit a CROSS JOIN (SELECT idemdesk._adoptions() AS list) o
                       WHERE a.what IN ('register', 'limit', 'rebind')) r
                   WHERE r.now <> 0 ORDER BY r.now, r.seq DESC) k ON k.now = l.relation
      WHERE l.relation IS NULL OR k.seq IS NULL OR to_jsonb(l.approval_above) IS DISTINCT FROM nullif(k.facts -> 'approval_above', 'null')
         OR to_jsonb(l.undo_window) IS DISTINCT FROM k.facts -> 'undo_window' OR l.set_by IS DISTINCT FROM k.facts ->> 'limit_by'
      ORDER BY 1 LIMIT 1)
    UNION ALL
    (SELECT k.seq, 'how long things are kept was changed'
       FROM (SELECT a.* FROM ONLY idemdesk.audit a WHERE a.what = 'settings' ORDER BY a.seq DESC LIMIT 1) k
      WHERE k.facts - 'definitions' IS DISTINCT FROM idemdesk._settings_facts())
    UNION ALL
    (SELECT coalesce(max(k.seq), 0), 'what is remembered of the console''s own functions and tables was changed'
       FROM (SELECT a.* FROM ONLY idemdesk.audit a WHERE a.what IN ('settings', 'runner') AND a.facts ? 'definitions'
              ORDER BY a.seq DESC LIMIT 1) k
     HAVING max(k.facts ->> 'definitions') IS DISTINCT FROM idemdesk._definitions_sha())
    UNION ALL
    (SELECT coalesce(k.seq, 0), format('whether the login %s is shared was changed', coalesce(s.login, k.login))
       FROM idemdesk.shared_login s
       FULL JOIN (SELECT DISTINCT ON (a.facts ->> 'login') a.seq, a.facts ->> 'login' AS login, (a.facts ->> 'shared')::boolean AS shared
                    FROM ONLY idemdesk.audit a WHERE a.what = 'shared_login' ORDER BY a.facts ->> 'login', a.seq DESC) k ON k.login = s.login
      WHERE (s.login IS NOT NULL) <> coalesce(k.shared, false) ORDER BY 1 LIMIT 1)
    UNION ALL
    (SELECT 0, format('nobody made the runner for %s', pg_get_userbyid(r.owner)) FROM idemdesk.runner r
      WHERE NOT EXISTS (SELECT FROM ONLY idemdesk.audit a WHERE a.what = 'runner' AND a.facts ->> 'runner' = pg_get_userbyid(r.runner)
                           AND a.facts ->> 'trampoline' = r.trampoline
                           AND (a.facts ->> 'owner' = pg_get_userbyid(r.owner) OR (a.facts ->> 'owner_id')::oid = r.owner))
      LIMIT 1)
    UNION ALL -- and each that was made, or was there after the last adoption, is known
    (SELECT m.seq, format('the runner of %s is gone', m.trampoline)
       FROM (SELECT a.seq, a.facts ->> 'trampoline' AS trampoline FROM ONLY idemdesk.audit a
              WHERE a.what = 'runner' AND a.seq > coalesce((SELECT max(o.seq) FROM ONLY idemdesk.audit o
                                                             WHERE o.what = 'adopt'), 0)
             UNION ALL
             SELECT o.seq, t.name FROM (SELECT a.seq, a.facts -> 'runners' AS list FROM ONLY idemdesk.audit a
                                         WHERE a.what = 'adopt' ORDER BY a.seq DESC LIMIT 1) o
              CROSS JOIN LATERAL jsonb_array_elements_text(o.list) AS t (name)) m
      WHERE NOT EXISTS (SELECT FROM idemdesk.runner r WHERE r.trampoline = m.trampoline)
      ORDER BY m.seq LIMIT 1)
    UNION ALL
    (SELECT coalesce(k.seq, 0), format('signal %s is not what was asked for', coalesce(s.id, k.action))
       FROM idemdesk.backend_signal s
       FULL JOIN (SELECT a.* FROM ONLY idemdesk.audit a WHERE a.what = 'signal') k ON k.action = s.id
      WHERE s.id IS NULL OR k.seq IS NULL OR s.requested_by IS DISTINCT FROM k.who OR s.pid IS DISTINCT FROM (k.facts
          ->> 'pid')::integer
         OR to_jsonb(s.backend_start) IS DISTINCT FROM nullif(k.facts -> 'backend_start', 'null')
         OR k.facts -> 'requested_at' IS DISTINCT FROM to_jsonb(s.requested_at)
         OR k.facts ->> 'seen_sha' IS DISTINCT FROM idemdesk._seen_digest((SELECT n.seen FROM idemdesk.signal_note n
             WHERE n.id = s.id))
         OR s.verb IS DISTINCT FROM k.facts ->> 'verb' OR s.reason IS DISTINCT FROM k.facts ->> 'reason' OR s.ticket
             IS DISTINCT FROM k.facts ->> 'ticket'
         OR s.outcome IS DISTINCT FROM (SELECT e.facts ->> 'outcome' FROM ONLY idemdesk.audit e
                                         WHERE e.what = 'signal_end' AND e.action = s.id ORDER BY e.seq DESC LIMIT 1)
      ORDER BY 1 LIMIT 1)
    UNION ALL
    (SELECT coalesce(k.seq, 0), format('the detached partition %s is not what was detached', d.name)
       FROM idemdesk.detached_partition d CROSS JOIN (SELECT idemdesk._adoptions() AS list) o
       LEFT JOIN ONLY idemdesk.audit k ON k.action = d.detached_by AND k.what = 'detach'
      WHERE k.seq IS NULL OR k.target IS DISTINCT FROM d.target OR k.facts ->> 'partition' IS DISTINCT FROM d.name
         OR k.facts ->> 'bounds' IS DISTINCT FROM d.bounds
         OR idemdesk._adopted(o.list, k.seq, (k.facts ->> 'partition_relation')::bigint) IS DISTINCT FROM
             d.relation::bigint
         OR (k.facts ->> 'rows')::bigint IS DISTINCT FROM d.rows OR k.facts -> 'drop_after' IS DISTINCT FROM
             to_jsonb(d.drop_after)
         OR k.facts -> 'detached_at' IS DISTINCT FROM to_jsonb(d.detached_at)
      ORDER BY 1 LIMIT 1)
    UNION ALL -- and each that the trail says was detached, and neither attached again nor dropped, is known
    (SELECT k.seq, format('what was noted of the detached partition %s is gone', k.facts ->> 'partition')
       FROM (SELECT DISTINCT ON (r.now) r.* FROM (
                 SELECT a.*, idemdesk._adopted(o.list, a.seq, (a.facts ->> 'partition_relation')::bigint) AS now
                   FROM ONLY idemdesk.audit a CROSS JOIN (SELECT idemdesk._adoptions() AS list) o
                  WHERE a.what IN ('detach', 'attach', 'drop')) r
              WHERE r.now <> 0 ORDER BY r.now, r.seq DESC) k
      WHERE k.what = 'detach'
        AND NOT EXISTS (SELECT FROM idemdesk.detached_partition d
                         WHERE d.relation = k.now::oid AND d.detached_by = k.action)
      ORDER BY 1 LIMIT 1)
    UNION ALL
    (SELECT a.seq, format('%s conflicts were imported from %s, and %s', a.facts ->> 'rows', a.facts ->> 'file',
                CASE WHEN (f.facts ->> 'rows')::bigint < (a.facts ->> 'rows')::bigint THEN 'some of them are gone' ELSE 'they were changed' END)
       FROM ONLY idemdesk.audit a
       CROSS JOIN LATERAL (SELECT idemdesk._import_facts((a.facts ->> 'import')::uuid) AS facts) f
      WHERE a.what = 'import' AND (a.facts ->> 'oldest')::timestamptz > now() -
          coalesce(idemdesk._least_kept('conflicts_kept', a.seq), '100 years')
        AND f.facts ->> 'sha' IS DISTINCT FROM a.facts ->> 'sha'
      ORDER BY a.seq LIMIT 1)
    UNION ALL
    (SELECT a.seq, format('the conflicts that were imported from %s are shown for another table', a.facts ->> 'file')
       FROM ONLY idemdesk.audit a CROSS JOIN (SELECT idemdesk._adoptions() AS list) o
       JOIN idemdesk.conflict c ON c.import = (a.facts ->> 'import')::uuid
      WHERE a.what = 'import' AND c.relation::bigint IS DISTINCT FROM
            coalesce(nullif(idemdesk._adopted(o.list, a.seq, (a.facts -> 'tables' ->> c.target)::bigint), 0),
                CASE WHEN a.facts -> 'tables' ? c.target THEN 4294967295 END)
      ORDER BY a.seq LIMIT 1)
    UNION ALL
    (SELECT 0, format('conflict %s was imported by nobody', encode(c.id, 'hex')) FROM idemdesk.conflict c
      WHERE c.source = 'log' AND NOT EXISTS (SELECT FROM ONLY idemdesk.audit a WHERE a.what = 'import'
                                                AND a.facts ->> 'import' = c.import::text) LIMIT 1)
$fn$;

-- Each call that recorded a provider's word is what it was, is of the table it was of, and has its row in the trail.
CREATE FUNCTION idemdesk._verify_provider() RETURNS TABLE (seq bigint, problem text)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    (SELECT coalesce(k.seq, 0), CASE WHEN k.seq IS NULL THEN format('nobody recorded what %s is said to say', s.file)
            WHEN s.id IS NULL THEN format('what was recorded of %s is gone', k.facts ->> 'file')
            ELSE format('what was recorded of %s was changed', k.facts ->> 'file') END
       FROM idemdesk.provider_statement s
       FULL JOIN (SELECT a.* FROM ONLY idemdesk.audit a WHERE a.what = 'provider') k
         ON k.facts ->> 'id' = s.id::text AND k.facts ->> 'batch' = s.batch::text
      WHERE s.id IS NULL OR k.seq IS NULL OR k.target IS DISTINCT FROM s.target OR k.who IS DISTINCT FROM s.recorded_by
         OR k.facts ->> 'sha' IS DISTINCT FROM idemdesk._provider_sha(s.id, s.batch)
      ORDER BY 1 LIMIT 1)
    UNION ALL
    (SELECT k.seq, format('what was recorded of %s is shown for another table', s.file)
       FROM idemdesk.provider_statement s CROSS JOIN (SELECT idemdesk._adoptions() AS list) o
       JOIN ONLY idemdesk.audit k ON k.what = 'provider' AND k.facts ->> 'id' = s.id::text
                                 AND k.facts ->> 'batch' = s.batch::text
      WHERE s.relation::bigint IS DISTINCT FROM
            coalesce(nullif(idemdesk._adopted(o.list, k.seq, (k.facts ->> 'relation')::bigint), 0), 4294967295)
      ORDER BY 1 LIMIT 1)
    UNION ALL
    (SELECT 0, format('line %s of a statement was recorded by nobody', w.line) FROM idemdesk.provider_word w
      WHERE NOT EXISTS (SELECT FROM idemdesk.provider_statement s WHERE s.id = w.statement AND s.batch = w.batch)
      LIMIT 1)
$fn$;

-- Each release of a cached claim is what was asked for, and its outcome what was said of it. What is older than items are
-- kept may be gone.
CREATE FUNCTION idemdesk._verify_releases() RETURNS TABLE (seq bigint, problem text)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    (SELECT coalesce(k.seq, 0), format('the release %s of a cached claim is not what was asked for', coalesce(r.id::text, k.facts ->> 'id'))
       FROM idemdesk.cache_release r CROSS JOIN (SELECT idemdesk._adoptions() AS list) o
       FULL JOIN (SELECT a.* FROM ONLY idemdesk.audit a WHERE a.what = 'release') k ON k.facts ->> 'id' = r.id::text
      WHERE CASE WHEN r.id IS NULL THEN k.at > now() - coalesce(idemdesk._least_kept('items_kept', k.seq), '100 years') ELSE
         k.seq IS NULL OR k.target IS DISTINCT FROM r.target OR k.who IS DISTINCT FROM r.requested_by
         OR k.facts ->> 'sha' IS DISTINCT FROM idemdesk._release_sha(r.id)
         OR r.relation::bigint IS DISTINCT FROM
            coalesce(nullif(idemdesk._adopted(o.list, k.seq, (k.facts ->> 'relation')::bigint), 0), 4294967295)
         OR r.outcome IS DISTINCT FROM (SELECT e.facts ->> 'outcome' FROM ONLY idemdesk.audit e
                                         WHERE e.what = 'release_end' AND e.facts ->> 'id' = r.id::text
                                         ORDER BY e.seq DESC LIMIT 1) END
      ORDER BY 1 LIMIT 1)
$fn$;

-- One part of the proof. What a tampered row says need not be of its type; that ends this part only.
CREATE FUNCTION idemdesk._verify_part(p_part text, p_from bigint) RETURNS TABLE (seq bigint, problem text)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    CASE p_part
        WHEN 'chain' THEN RETURN QUERY SELECT * FROM idemdesk._verify_chain(p_from);
        WHEN 'batches' THEN RETURN QUERY SELECT * FROM idemdesk._verify_batches(p_from);
        WHEN 'actions' THEN
            RETURN QUERY SELECT * FROM idemdesk._verify_actions() UNION ALL SELECT * FROM idemdesk._verify_lost();
        WHEN 'settings' THEN
            RETURN QUERY SELECT * FROM idemdesk._verify_settings() UNION ALL SELECT * FROM idemdesk._verify_provider()
                UNION ALL SELECT * FROM idemdesk._verify_releases();
    END CASE;
EXCEPTION WHEN data_exception THEN
    seq := 0;
    problem := format('what the audit log says about %s cannot be read (%s)', p_part, SQLERRM);
    RETURN NEXT;
END
$fn$;

-- Walks the trail and what it vouches for. findings is a list of {"part", "seq", "problem"}: the chain first, then the
-- tables that disagree with it; first_bad and problem are its first. p_from leaves out older rows of the chain and their
-- batches; actions and settings are looked at as a whole.
CREATE FUNCTION idemdesk.verify_audit(p_from bigint DEFAULT 1)
    RETURNS TABLE (intact boolean, checked bigint, first_bad bigint, problem text, head_seq bigint, head_hash text, findings jsonb)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
#variable_conflict use_column
BEGIN
    PERFORM idemdesk._never_prepare(); -- what it reads could not be dropped while such a transaction stands
    p_from := greatest(p_from, 1);
    SELECT h.seq, encode(h.hash, 'hex') INTO head_seq, head_hash FROM ONLY idemdesk.audit_head h;
    SELECT count(*) INTO checked FROM ONLY idemdesk.audit a WHERE a.seq >= p_from;
    SELECT coalesce(jsonb_agg(jsonb_build_object('part', p.part, 'seq', v.seq, 'problem', v.problem)
                              ORDER BY p.place, v.seq = 0, v.seq), '[]')
      INTO findings
      FROM unnest(ARRAY['chain', 'batches', 'actions', 'settings']) WITH ORDINALITY AS p (part, place)
      CROSS JOIN LATERAL idemdesk._verify_part(p.part, p_from) v;
    first_bad := (findings -> 0 ->> 'seq')::bigint;
    problem := findings -> 0 ->> 'problem';
    intact := problem IS NULL;
    RETURN NEXT;
END
$fn$;

-- Changes how long something is kept: "items", "minutes", "hours", "days" or "conflicts".
CREATE FUNCTION idemdesk.set_kept(p_what text, p_kept text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_caller text;
    v_seq    bigint;
BEGIN
    GET DIAGNOSTICS v_caller = PG_CONTEXT;
    PERFORM idemdesk._enter('idemdesk_admin', v_caller, 'set_kept');
    IF p_what NOT IN ('items', 'minutes', 'hours', 'days', 'conflicts') THEN
        RAISE EXCEPTION 'Nothing named "%" is kept.', p_what USING ERRCODE = 'ID005';
    END IF;
    EXECUTE format('UPDATE idemdesk.installation SET %I = $1', p_what || '_kept') USING idemdesk._span(p_kept);
    v_seq := idemdesk._chain('settings', NULL, NULL, NULL, idemdesk._settings_facts(), NULL);
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.verify_audit(bigint) TO idemdesk_viewer;
GRANT EXECUTE ON FUNCTION idemdesk.set_kept(text, text) TO idemdesk_admin;
RESET ROLE;
