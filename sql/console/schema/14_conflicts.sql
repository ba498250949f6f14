-- SPDX-License-Identifier: GPL-3.0-or-later
-- Conflicts: a key that came again with another request. Services record them, and logs that tell of them are imported.
SET LOCAL ROLE idemdesk_owner;

CREATE TABLE idemdesk.conflict (
    id               bytea PRIMARY KEY,     -- of what is the same: a service's report of a day, a record of a log
    kind             text NOT NULL,         -- key_conflict, message_conflict, unique_violation, deadlock, serialization_failure, refused, application, replay
    source           text NOT NULL CHECK (source IN ('service', 'log')),
    target           text,                  -- registered name, where it is known
    scope            text NOT NULL DEFAULT '',
    key              text,                  -- NULL: the log does not name it
    key_hash         text,
    existing_hash    text,
    incoming_hash    text,
    incoming_payload text,                  -- its beginning
    caller           text,
    first_at         timestamptz NOT NULL,
    last_at          timestamptz NOT NULL,
    n                bigint NOT NULL,
    message          text,
    detail           text,
    file             text,                  -- the log it was imported from
    attributes       jsonb NOT NULL DEFAULT '{}', -- what a service's log says beside: trace, region, latency_ms
    imported_by      text,
    import           uuid,                  -- of one call: the trail has a digest of what it stored
    relation         oid                    -- the table that was registered under the target's name then
);
CREATE INDEX conflict_by_time ON idemdesk.conflict (last_at DESC, id);
-- What lists show: replays are many where a service works well.
CREATE INDEX conflict_listed ON idemdesk.conflict (last_at DESC, id) WHERE kind <> 'replay';
CREATE INDEX conflict_by_key ON idemdesk.conflict USING hash (key); -- a key may be longer than a b-tree takes

-- Conflicts for those who look: keys and payloads of a table's rows, for those who may read that table as a whole,
-- whatever is registered under its name now. Which table the others belong to is not known: they are for those who may
-- read every registered table, and for whoever imported them, who had them already. A role of the console alone shows
-- none.
CREATE VIEW idemdesk.conflict_seen WITH (security_barrier) AS
    SELECT c.* FROM idemdesk.conflict c
     WHERE c.relation = ANY (ARRAY(SELECT idemdesk.readable_tables()))
        OR c.imported_by = session_user
        OR (c.relation IS NULL AND (SELECT idemdesk.reads_everything()));
GRANT SELECT ON idemdesk.conflict_seen TO idemdesk_viewer;

-- For services: on another connection than the claim's, or after its ROLLBACK, for what a transaction recorded goes
-- with it. Never raises to its caller, gives up rather than wait, and counts what is the same within a day. Each login
-- has reports of its own: what one says of its caller or the payload stays as another one said it.
CREATE FUNCTION idemdesk.record_conflict(p_scope text, p_key text, p_existing_hash text, p_incoming_hash text,
    p_incoming_payload text DEFAULT NULL, p_caller text DEFAULT NULL, p_target text DEFAULT NULL) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '50ms'
AS $fn$
DECLARE
    c_now CONSTANT timestamptz := clock_timestamp();
    v_relation oid;
BEGIN
    IF coalesce(p_key, '') = '' THEN
        RETURN;
    END IF;
    PERFORM idemdesk._never_prepare();
    v_relation := (SELECT t.relation FROM idemdesk.target t WHERE t.name = p_target);
    INSERT INTO idemdesk.conflict AS c (id, kind, source, target, scope, key, existing_hash, incoming_hash,
        incoming_payload, caller, first_at, last_at, n, relation)
    VALUES (sha256(convert_to(jsonb_build_array('service', date_trunc('day', c_now, 'UTC'), p_target,
        v_relation::bigint, p_scope, p_key, p_existing_hash, p_incoming_hash, session_user)::text, 'UTF8')),
        'key_conflict', 'service', left(p_target, 200), left(coalesce(p_scope, ''), 1000), left(p_key, 10000), left(p_existing_hash, 1000), left(p_incoming_hash, 1000),
        left(p_incoming_payload, 65536), left(p_caller, 200), c_now, c_now, 1, v_relation)
    -- Under the id of a report nobody may have put a row of a log.
    ON CONFLICT (id) DO UPDATE SET n = c.n + 1, last_at = excluded.last_at, caller = coalesce(excluded.caller, c.caller),
        incoming_payload = coalesce(c.incoming_payload, excluded.incoming_payload) WHERE c.source = 'service';
    PERFORM idemdesk.record_event('conflict', p_scope);
EXCEPTION WHEN OTHERS THEN
    NULL; -- a report less is better than a service that fails
END
$fn$;

CREATE INDEX conflict_of_import ON idemdesk.conflict (import) WHERE import IS NOT NULL;

-- What the trail keeps of an import: how many rows, since when, and what they say. Beside that, for which table each
-- named target stood, as far as rows are there; an adoption gives tables other numbers.
CREATE FUNCTION idemdesk._import_facts(p_import uuid) RETURNS jsonb
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT jsonb_build_object('rows', count(*), 'import', p_import, 'oldest', min(c.last_at), 'sha',
        encode(idemdesk._keyed(sha256(convert_to(coalesce(string_agg((to_jsonb(c) - 'relation')::text, E'\n'
            ORDER BY c.id), ''), 'UTF8'))), 'hex'))
      FROM idemdesk.conflict c WHERE c.import = p_import
$fn$;

-- Stores what a log told; what is there already stays as it is. Gives how many were new. The trail says who imported
-- what.
CREATE FUNCTION idemdesk.import_conflicts(p_file text, p_rows jsonb) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_caller text;
    v_who    text;
    v_count  bigint;
    v_import uuid := gen_random_uuid();
    v_seq    bigint;
BEGIN
    GET DIAGNOSTICS v_caller = PG_CONTEXT;
    v_who := idemdesk._enter('idemdesk_operator', v_caller, 'import_conflicts');
    PERFORM idemdesk._require_guard();
    -- One that lies ahead would stand on top for good, and one that never was would end the proof of its import.
    IF EXISTS (SELECT FROM jsonb_array_elements(p_rows) r WHERE NOT isfinite((r ->> 'at')::timestamptz)
                  OR (r ->> 'at')::timestamptz > clock_timestamp() + interval '1 day') THEN
        RAISE EXCEPTION 'A conflict of % has no time, or one that lies ahead.', left(p_file, 200) USING ERRCODE = 'ID005',
            HINT = 'Look at the times in that log; nothing of it was imported.';
    END IF;
    INSERT INTO idemdesk.conflict (id, kind, source, target, scope, key, key_hash, existing_hash, incoming_hash,
        caller, first_at, last_at, n, message, detail, file, attributes, imported_by, import, relation)
    -- The id is made anew, so that no row of a log stands where a service's report belongs.
    SELECT sha256('log' || decode(r ->> 'id', 'hex')), left(r ->> 'kind', 100), 'log', left(r ->> 'target', 200), left(coalesce(r ->> 'scope', ''), 1000), left(r ->> 'key', 10000),
           left(r ->> 'key_hash', 1000), left(r ->> 'existing_hash', 1000), left(r ->> 'incoming_hash', 1000), left(r ->> 'caller', 200),
           coalesce((r ->> 'at')::timestamptz, now()), coalesce((r ->> 'at')::timestamptz, now()), 1, left(r ->> 'message', 4000), left(r ->> 'detail', 4000),
           left(p_file, 1000), CASE WHEN jsonb_typeof(r -> 'attributes') = 'object' AND length(r ->> 'attributes') <= 4000
                                    THEN r -> 'attributes' ELSE '{}' END, v_who, v_import, (SELECT t.relation FROM idemdesk.target t WHERE t.name = r ->> 'target')
      FROM jsonb_array_elements(p_rows) r
    ON CONFLICT (id) DO NOTHING;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    IF v_count > 0 THEN
        v_seq := idemdesk._chain('import', NULL, NULL, NULL, jsonb_build_object('file', left(p_file, 1000),
            'tables', coalesce((SELECT jsonb_object_agg(c.target, c.relation::bigint) FROM idemdesk.conflict c
                                 WHERE c.import = v_import AND c.relation IS NOT NULL), '{}'))
            || idemdesk._import_facts(v_import), NULL);
    END IF;
    RETURN v_count;
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.record_conflict(text, text, text, text, text, text, text) TO idemdesk_reporter;
GRANT EXECUTE ON FUNCTION idemdesk.import_conflicts(text, jsonb) TO idemdesk_operator;
RESET ROLE;
