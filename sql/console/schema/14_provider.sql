-- SPDX-License-Identifier: GPL-3.0-or-later
-- What a provider's statement says of keys, as evidence: who read it, when, from which file, and the line as it stood
-- there. No action depends on it: it is one person's word, shown with that person's name, and whoever recovers a key
-- goes the ordinary way.
SET LOCAL ROLE idemdesk_owner;

-- One call: a part of one file. Of it only the table's number ever changes, when a dump is adopted.
CREATE TABLE idemdesk.provider_statement (
    id          uuid NOT NULL,      -- of the reading of one file, made by the client
    batch       integer NOT NULL CHECK (batch > 0),
    target      text NOT NULL,
    relation    oid NOT NULL,
    provider    text NOT NULL,
    file        text NOT NULL,      -- its name, as the client said it
    file_sha    text NOT NULL CHECK (file_sha ~ '^[0-9a-f]{64}$'),
    reason      text NOT NULL,
    recorded_by text NOT NULL,      -- the login
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (id, batch)
);

CREATE TABLE idemdesk.provider_word (
    statement     uuid NOT NULL,
    batch         integer NOT NULL,
    ordinal       integer NOT NULL,
    identity      text[],           -- of the row here; NULL: there is none
    identity_hash bigint,
    key           text,
    reference     text NOT NULL,
    says          text NOT NULL
                  CHECK (says IN ('happened', 'did_not_happen', 'twice', 'amount_differs', 'currency_differs',
                                  'only_provider', 'not_in_statement', 'contradictory')),
    line          bigint CHECK (line > 0),
    text          text,             -- the line; its beginning where it is long
    detail        text,
    covered_from  timestamptz,      -- of a key that the statement does not name: what the statement covers
    covered_to    timestamptz,
    line_at       timestamptz,      -- the latest moment that the line may mean
    amount        text,             -- of the row here when it was compared: of another amount nothing is said
    currency      text,
    PRIMARY KEY (statement, batch, ordinal),
    FOREIGN KEY (statement, batch) REFERENCES idemdesk.provider_statement,
    -- A line says something of a request; that there is none is said of a time only.
    CHECK (CASE WHEN says = 'not_in_statement'
                THEN identity IS NOT NULL AND line IS NULL AND text IS NULL AND isfinite(covered_from)
                     AND isfinite(covered_to) AND covered_from <= covered_to AND covered_from IS NOT NULL
                     AND covered_to IS NOT NULL
                ELSE line IS NOT NULL AND text IS NOT NULL AND covered_from IS NULL AND covered_to IS NULL END),
    CHECK (line_at IS NULL OR (isfinite(line_at) AND says <> 'not_in_statement')),
    CHECK ((identity IS NULL) = (identity_hash IS NULL)),
    CHECK (says = 'only_provider' OR says = 'twice' OR identity IS NOT NULL)
);
CREATE INDEX provider_word_by_identity ON idemdesk.provider_word (identity_hash) WHERE identity_hash IS NOT NULL;

CREATE TRIGGER keep_rows BEFORE UPDATE OR DELETE ON idemdesk.provider_word
    FOR EACH ROW EXECUTE FUNCTION idemdesk._refuse_change();
CREATE TRIGGER keep_table BEFORE TRUNCATE ON idemdesk.provider_word
    FOR EACH STATEMENT EXECUTE FUNCTION idemdesk._refuse_change();
ALTER TABLE idemdesk.provider_word ENABLE ALWAYS TRIGGER keep_rows, ENABLE ALWAYS TRIGGER keep_table;

CREATE UNIQUE INDEX audit_provider_ids ON idemdesk.audit ((facts ->> 'id'), (facts ->> 'batch')) WHERE what = 'provider';

-- For those who may read the table as a whole: keys and lines are values of its rows.
CREATE VIEW idemdesk.provider_word_seen WITH (security_barrier) AS
    SELECT s.target, s.relation, s.provider, s.file, s.file_sha, s.reason, s.recorded_by, s.recorded_at, w.statement,
           w.batch, w.ordinal, w.identity, w.identity_hash, w.key, w.reference, w.says, w.line, w.text, w.detail,
           w.covered_from, w.covered_to, w.line_at, w.amount, w.currency
      FROM idemdesk.provider_word w
      JOIN idemdesk.provider_statement s ON s.id = w.statement AND s.batch = w.batch
     WHERE s.relation = ANY (ARRAY(SELECT idemdesk.readable_tables()));
GRANT SELECT ON idemdesk.provider_word_seen TO idemdesk_viewer;

-- What the trail keeps of one call: all that was said but for the table's number, as a digest.
CREATE FUNCTION idemdesk._provider_sha(p_id uuid, p_batch integer) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT encode(idemdesk._keyed(sha256(convert_to(coalesce(string_agg(x.said, E'\n' ORDER BY x.place), ''), 'UTF8'))),
                  'hex')
      FROM (SELECT 0 AS place, jsonb_build_array(s.target, s.provider, s.file, s.file_sha, s.reason, s.recorded_by,
                       (extract(epoch FROM s.recorded_at) * 1000000)::bigint)::text AS said
              FROM idemdesk.provider_statement s WHERE s.id = p_id AND s.batch = p_batch
            UNION ALL
            SELECT w.ordinal, jsonb_build_array(w.ordinal, w.identity, w.identity_hash, w.key, w.reference, w.says,
                       w.line, w.text, w.detail, (extract(epoch FROM w.covered_from) * 1000000)::bigint,
                       (extract(epoch FROM w.covered_to) * 1000000)::bigint,
                       (extract(epoch FROM w.line_at) * 1000000)::bigint, w.amount, w.currency)::text
              FROM idemdesk.provider_word w WHERE w.statement = p_id AND w.batch = p_batch) x
$fn$;

-- What a client gave for one call, in a form that a repeated call can be compared with.
CREATE FUNCTION idemdesk._provider_asked(p_target text, p_provider text, p_file text, p_file_sha text, p_reason text,
    p_words jsonb) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT encode(idemdesk._keyed(sha256(convert_to(jsonb_build_array(p_target, p_provider, p_file, p_file_sha, p_reason,
                      p_words)::text, 'UTF8'))), 'hex')
$fn$;

-- Raises where the words of a call are none that a statement can say.
CREATE FUNCTION idemdesk._check_provider_words(p_words jsonb) RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_bad jsonb;
BEGIN
    IF jsonb_typeof(p_words) IS DISTINCT FROM 'array' OR jsonb_array_length(p_words) NOT BETWEEN 1 AND 1000 THEN
        RAISE EXCEPTION 'A call records 1 to 1,000 lines.' USING ERRCODE = 'ID005', HINT = 'Send the others in calls of their own.';
    END IF;
    SELECT w INTO v_bad FROM jsonb_array_elements(p_words) w
     WHERE jsonb_typeof(w) <> 'object' OR coalesce(w ->> 'reference', '') = '' OR coalesce(length(w ->> 'reference'), 0) > 1000
        OR greatest(length(w ->> 'text'), length(w ->> 'detail'), length(w ->> 'key')) > 4000
        OR greatest(length(w ->> 'amount'), length(w ->> 'currency')) > 1000
        -- Clocks differ by minutes. A line that names a day may mean its end.
        OR (w ->> 'covered_to')::timestamptz > clock_timestamp() + interval '5 minutes'
        OR (w ->> 'line_at')::timestamptz > clock_timestamp() + interval '1 day'
        OR jsonb_typeof(coalesce(nullif(w -> 'identity', 'null'), '[]')) <> 'array'
        OR length(w ->> 'identity') > 8000
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'What is said of “%” cannot be recorded.', left(v_bad ->> 'reference', 100) USING ERRCODE = 'ID005',
            HINT = 'A reference has at most 1,000 characters and a line 4,000. No statement covers a time to come.';
    END IF;
END
$fn$;

-- Records what a person found in a provider's statement. p_id and p_batch: chosen by the client, so that asking again
-- after a lost connection records once. p_words: a list of {"identity", "key", "reference", "says", "line", "text",
-- "detail", "covered_from", "covered_to", "line_at", "amount", "currency"}. All of it is the client's word, and is kept
-- under the login's name as such. Gives the number of its row in the trail.
CREATE FUNCTION idemdesk.record_provider_words(p_id uuid, p_batch integer, p_target text, p_provider text, p_file text,
    p_file_sha text, p_reason text, p_words jsonb) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_context  text;
    v_who      text;
    v_relation oid;
    v_asked    text;
    v_other    idemdesk.audit;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    v_who := idemdesk._enter('idemdesk_operator', v_context, 'record_provider_words');
    -- Who asks again while the first call waits hears of its row.
    BEGIN
        PERFORM FROM ONLY idemdesk.audit_head h FOR UPDATE;
    EXCEPTION WHEN lock_not_available THEN
        RAISE EXCEPTION 'The audit log is held by another session, so nothing was recorded.' USING ERRCODE = '55P03',
            DETAIL = idemdesk._holders('idemdesk.audit_head'), HINT = 'Try again.';
    END;
    v_asked := idemdesk._provider_asked(p_target, p_provider, p_file, p_file_sha, p_reason, p_words);
    SELECT a.* INTO v_other FROM ONLY idemdesk.audit a
     WHERE a.what = 'provider' AND a.facts ->> 'id' = p_id::text AND a.facts ->> 'batch' = p_batch::text LIMIT 1;
    IF FOUND THEN
        IF v_other.who <> v_who OR v_other.facts ->> 'asked' IS DISTINCT FROM v_asked THEN
            RAISE EXCEPTION 'Something else was recorded under this number already.' USING ERRCODE = 'ID007';
        END IF;
        RETURN v_other.seq;
    END IF;
    PERFORM idemdesk._require_guard();
    IF EXISTS (SELECT FROM idemdesk.shared_login s WHERE s.login = v_who) THEN
        RAISE EXCEPTION 'The login % is shared by several people, so it vouches for none of them.', v_who
            USING ERRCODE = 'ID003', HINT = 'Connect with a login of your own.';
    END IF;
    IF p_id IS NULL OR p_batch IS NULL OR p_batch < 1 OR (p_file_sha ~ '^[0-9a-f]{64}$') IS NOT TRUE
       OR idemdesk._says_nothing(p_provider) OR idemdesk._says_nothing(p_file) OR idemdesk._says_nothing(p_reason)
       OR greatest(length(p_provider), length(p_file)) > 200 OR length(p_reason) > 4000 THEN
        RAISE EXCEPTION 'Evidence needs a provider, a file with its SHA-256, and a reason.' USING ERRCODE = 'ID005',
            HINT = 'Names have at most 200 characters, and a reason 4,000.';
    END IF;
    SELECT t.relation INTO v_relation FROM idemdesk.target t WHERE t.name = p_target;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'No table is registered as %.', p_target USING ERRCODE = 'ID005', HINT = 'Look for the tables again.';
    END IF;
    IF NOT idemdesk._may_read_all(v_relation) THEN
        RAISE EXCEPTION 'The login % may not read all of %, so it cannot say what a statement means for it.', v_who, p_target
            USING ERRCODE = 'ID001', HINT = 'Ask the table''s owner for the right to read it.';
    END IF;
    BEGIN
        PERFORM idemdesk._check_provider_words(p_words);
        INSERT INTO idemdesk.provider_statement (id, batch, target, relation, provider, file, file_sha, reason, recorded_by,
            recorded_at)
        VALUES (p_id, p_batch, p_target, v_relation, p_provider, p_file, p_file_sha, p_reason, v_who, clock_timestamp());
        INSERT INTO idemdesk.provider_word (statement, batch, ordinal, identity, identity_hash, key, reference, says, line,
            text, detail, covered_from, covered_to, line_at, amount, currency)
        SELECT p_id, p_batch, w.ordinal, i.identity, hashtextextended(i.identity::text, 0), w.word ->> 'key',
               w.word ->> 'reference', w.word ->> 'says', (w.word ->> 'line')::bigint, w.word ->> 'text',
               w.word ->> 'detail', (w.word ->> 'covered_from')::timestamptz, (w.word ->> 'covered_to')::timestamptz,
               (w.word ->> 'line_at')::timestamptz, w.word ->> 'amount', w.word ->> 'currency'
          FROM jsonb_array_elements(p_words) WITH ORDINALITY AS w (word, ordinal)
         CROSS JOIN LATERAL (
             SELECT CASE WHEN jsonb_typeof(w.word -> 'identity') = 'array'
                         THEN ARRAY(SELECT e.value FROM jsonb_array_elements_text(w.word -> 'identity') WITH ORDINALITY AS
                                        e (value, place) ORDER BY e.place) END AS identity) i;
    EXCEPTION WHEN check_violation OR not_null_violation OR data_exception THEN
        RAISE EXCEPTION 'What the statement is said to say makes no sense, so nothing was recorded.'
            USING ERRCODE = 'ID005', DETAIL = SQLERRM,
            HINT = 'A line has its number and text. “Not in the statement” is said of a key and of a time.';
    END;
    -- The number is the client's, so it is a fact and no action's: it could be that of any.
    RETURN idemdesk._chain('provider', p_target, NULL, NULL, jsonb_build_object('id', p_id, 'batch', p_batch, 'provider',
        p_provider, 'file', p_file, 'file_sha', p_file_sha, 'reason', p_reason, 'words', jsonb_array_length(p_words),
        'relation', v_relation::bigint, 'asked', v_asked, 'sha', idemdesk._provider_sha(p_id, p_batch)), NULL);
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.record_provider_words(uuid, integer, text, text, text, text, text, jsonb)
    TO idemdesk_operator;
RESET ROLE;
