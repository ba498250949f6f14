-- SPDX-License-Identifier: GPL-3.0-or-later
-- Reviews: what a person answers to a question of the review checklist that no catalogue can answer. Each answer is a row
-- of the trail, so it has a name and a time that nobody can change; the newest one of a table and a question stands.
SET LOCAL ROLE idemdesk_owner;

-- One finds the answers about a table, however many there are about others; the other keeps an id to one row.
CREATE INDEX audit_reviews ON idemdesk.audit ((facts ->> 'table'), (facts ->> 'question'), seq DESC) WHERE what = 'review';
CREATE UNIQUE INDEX audit_review_ids ON idemdesk.audit ((facts ->> 'id')) WHERE what = 'review';

-- Signs an answer about one table. p_id: chosen by the client, so that asking again after a lost connection signs once.
-- p_table: "schema"."table"; p_target: the name it is registered under, or NULL. p_asked and p_found: the question as the
-- person read it, and what the console found of it then; both are the client's word, and are kept as such.
CREATE FUNCTION idemdesk.sign_review(p_id uuid, p_table text, p_target text, p_question text, p_verdict text, p_note text,
    p_asked text, p_found text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '5s'
AS $fn$
DECLARE
    v_context  text;
    v_who      text;
    v_relation oid;
    v_facts    jsonb;
    v_other    idemdesk.audit;
BEGIN
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    v_who := idemdesk._enter(CASE WHEN pg_has_role(session_user, 'idemdesk_approver', 'MEMBER') THEN 'idemdesk_approver'
                                  WHEN pg_has_role(session_user, 'idemdesk_admin', 'MEMBER') THEN 'idemdesk_admin'
                                  ELSE 'idemdesk_operator' END, v_context, 'sign_review');
    -- Who asks again while the first call waits hears of its row.
    BEGIN
        PERFORM FROM ONLY idemdesk.audit_head h FOR UPDATE;
    EXCEPTION WHEN lock_not_available THEN
        RAISE EXCEPTION 'The audit log is held by another session, so nothing was signed.' USING ERRCODE = '55P03',
            DETAIL = idemdesk._holders('idemdesk.audit_head'), HINT = 'Try again.';
    END;
    v_facts := jsonb_build_object('id', p_id, 'table', p_table, 'question', p_question, 'verdict', p_verdict, 'note', p_note,
        'asked', p_asked, 'found', p_found);
    SELECT a.* INTO v_other FROM ONLY idemdesk.audit a WHERE a.what = 'review' AND a.facts ->> 'id' = p_id::text LIMIT 1;
    IF FOUND THEN
        IF v_other.who <> v_who OR v_other.facts - 'relation' <> v_facts OR v_other.target IS DISTINCT FROM p_target THEN
            RAISE EXCEPTION 'Another answer has this id already.' USING ERRCODE = 'ID007';
        END IF;
        RETURN v_other.seq;
    END IF;
    PERFORM idemdesk._require_guard();
    IF EXISTS (SELECT FROM idemdesk.shared_login s WHERE s.login = v_who) THEN
        RAISE EXCEPTION 'The login % is shared by several people, so it signs for none of them.', v_who USING ERRCODE = 'ID003',
            HINT = 'Connect with a login of your own.';
    END IF;
    IF p_id IS NULL OR (p_question ~ '^[a-z][a-z0-9_]{0,39}$') IS NOT TRUE
       OR (p_verdict IN ('settled', 'gap', 'not_applicable')) IS NOT TRUE THEN
        RAISE EXCEPTION 'There is no such answer: question %, verdict %.', p_question, p_verdict USING ERRCODE = 'ID005',
            HINT = 'A verdict is settled, gap or not_applicable.';
    END IF;
    IF idemdesk._says_nothing(p_note) THEN
        RAISE EXCEPTION 'An answer needs a note.' USING ERRCODE = 'ID005', HINT = 'Say how it is, and how you know.';
    END IF;
    IF greatest(length(p_asked), length(p_found)) > 4000 THEN
        RAISE EXCEPTION 'The question or what was found is too long.' USING ERRCODE = 'ID005',
            HINT = 'Each has at most 4,000 characters.';
    END IF;
    v_relation := idemdesk._relation_named(p_table);
    IF v_relation IS NULL THEN
        RAISE EXCEPTION 'There is no table %.', p_table USING ERRCODE = 'ID005', HINT = 'Look for the tables again.';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = v_relation AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
                      AND c.relnamespace <> 'pg_catalog'::regnamespace AND c.relnamespace <> 'idemdesk'::regnamespace) THEN
        RAISE EXCEPTION '% is no table of keys.', p_table USING ERRCODE = 'ID005', HINT = 'Look for the tables again.';
    END IF;
    IF NOT (has_table_privilege(session_user, v_relation, 'SELECT') OR has_any_column_privilege(session_user, v_relation, 'SELECT'))
       OR NOT (SELECT has_schema_privilege(session_user, c.relnamespace, 'USAGE') FROM pg_class c WHERE c.oid = v_relation) THEN
        RAISE EXCEPTION 'The login % may not read %, so it cannot answer for it.', v_who, p_table USING ERRCODE = 'ID001',
            HINT = format('Ask for: GRANT SELECT ON %s TO %I', p_table, v_who);
    END IF;
    IF p_target IS NOT NULL AND NOT EXISTS (SELECT FROM idemdesk.target t WHERE t.name = p_target AND t.relation = v_relation) THEN
        RAISE EXCEPTION 'The table % is not registered as %.', p_table, p_target USING ERRCODE = 'ID005',
            HINT = 'Look for the tables again.';
    END IF;
    -- A name may go to another table; the number does not.
    RETURN idemdesk._chain('review', p_target, NULL, NULL, v_facts || jsonb_build_object('relation', v_relation::bigint), NULL);
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.sign_review(uuid, text, text, text, text, text, text, text)
    TO idemdesk_operator, idemdesk_approver, idemdesk_admin;
RESET ROLE;
