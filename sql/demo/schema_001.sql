-- SPDX-License-Identifier: GPL-3.0-or-later
-- Commands claimed under a lease by database functions, with orders, an outbox and a consumer's processed messages.
CREATE SCHEMA IF NOT EXISTS app;

-- The weak form: it remembers that a key was seen and nothing else.
CREATE TABLE app.idempotency_keys (
    key text,
    PRIMARY KEY (key)
);

CREATE TYPE app.idempotency_status AS ENUM ('processing', 'succeeded', 'failed_retryable', 'failed_final');

CREATE TABLE app.idempotency_request (
    idempotency_scope text                   NOT NULL,
    idempotency_key   text                   NOT NULL,
    request_hash      text                   NOT NULL,
    status            app.idempotency_status NOT NULL,
    result_ref_type   text,
    result_ref_id     uuid,
    response_body     jsonb,
    failure_code      text,
    failure_message   text,
    claimed_by        text,
    claimed_at        timestamptz            NOT NULL DEFAULT clock_timestamp(),
    locked_until      timestamptz,
    attempt_count     integer                NOT NULL DEFAULT 1,
    created_at        timestamptz            NOT NULL DEFAULT clock_timestamp(),
    updated_at        timestamptz            NOT NULL DEFAULT clock_timestamp(),
    expires_at        timestamptz            NOT NULL,
    CONSTRAINT idempotency_request_pkey PRIMARY KEY (idempotency_scope, idempotency_key),
    CONSTRAINT idempotency_request_scope_filled CHECK (idempotency_scope <> ''),
    CONSTRAINT idempotency_request_key_filled CHECK (idempotency_key <> ''),
    CONSTRAINT idempotency_request_hash_filled CHECK (request_hash <> ''),
    CONSTRAINT idempotency_request_attempted CHECK (attempt_count >= 1),
    CONSTRAINT idempotency_request_expires_later CHECK (expires_at > created_at)
);

-- What the purge walks by, and what the search for lapsed leases reads.
CREATE INDEX idempotency_request_expiry_idx ON app.idempotency_request (expires_at);
CREATE INDEX idempotency_request_lease_idx ON app.idempotency_request (locked_until) WHERE status = 'processing';

CREATE TABLE app.customer_order (
    order_id         uuid           DEFAULT gen_random_uuid(),
    customer_id      uuid           NOT NULL,
    external_cart_id text           NOT NULL,
    status           text           NOT NULL DEFAULT 'created',
    total_amount     numeric(18, 2) NOT NULL,
    created_at       timestamptz    NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT customer_order_pkey PRIMARY KEY (order_id),
    CONSTRAINT customer_order_once_per_cart UNIQUE (customer_id, external_cart_id),
    CONSTRAINT customer_order_amount_not_negative CHECK (total_amount >= 0)
);

CREATE TABLE app.outbox_event (
    outbox_id         uuid        DEFAULT gen_random_uuid(),
    event_type        text        NOT NULL,
    aggregate_type    text        NOT NULL,
    aggregate_id      uuid        NOT NULL,
    idempotency_scope text        NOT NULL,
    idempotency_key   text        NOT NULL,
    payload           jsonb       NOT NULL,
    status            text        NOT NULL DEFAULT 'pending',
    attempt_count     integer     NOT NULL DEFAULT 0,
    created_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    published_at      timestamptz,
    CONSTRAINT outbox_event_pkey PRIMARY KEY (outbox_id),
    CONSTRAINT outbox_event_once_per_command UNIQUE (idempotency_scope, idempotency_key, event_type)
);

-- The publisher takes the oldest unpublished rows first.
CREATE INDEX outbox_event_backlog_idx ON app.outbox_event (created_at) WHERE status = 'pending';

CREATE TABLE app.processed_message (
    consumer_name   text        NOT NULL,
    message_id      text        NOT NULL,
    message_hash    text        NOT NULL,
    processed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    result_ref_type text,
    result_ref_id   uuid,
    CONSTRAINT processed_message_pkey PRIMARY KEY (consumer_name, message_id)
);

-- How a claim ended: what the caller must do now, and what to replay.
CREATE TYPE app.idempotency_claim_kind AS ENUM (
    'new_claim', 'replay_success', 'processing_active', 'processing_stale', 'retryable_failure', 'final_failure');

CREATE TYPE app.idempotency_claim AS (
    claim_kind      app.idempotency_claim_kind,
    response_body   jsonb,
    result_ref_type text,
    result_ref_id   uuid,
    attempt_count   integer
);

-- Refuses a key that comes back with another request. SQLSTATE P4002 is what services and log readers look for.
CREATE FUNCTION app.assert_same_idempotent_request(p_existing_hash text, p_incoming_hash text) RETURNS void
LANGUAGE plpgsql AS $body$
BEGIN
    IF p_existing_hash IS NOT DISTINCT FROM p_incoming_hash THEN
        RETURN;
    END IF;
    RAISE EXCEPTION 'this idempotency key already belongs to another request'
        USING ERRCODE = 'P4002',
              DETAIL = 'existing_hash=' || coalesce(p_existing_hash, '') || ' incoming_hash=' || coalesce(p_incoming_hash, ''),
              HINT = 'Send a changed request under a new key.';
END
$body$;

-- Takes a key for one worker, or says who or what stands in the way. Creating the row decides between newcomers; the row
-- lock that follows decides between everyone else.
CREATE FUNCTION app.claim_idempotency_key(
    p_scope text,
    p_key text,
    p_request_hash text,
    p_claimed_by text,
    p_lock_seconds integer DEFAULT 300,
    p_retention interval DEFAULT interval '24 hours')
RETURNS app.idempotency_claim
LANGUAGE plpgsql AS $body$
DECLARE
    moment  constant timestamptz := clock_timestamp();
    lease   constant timestamptz := moment + make_interval(secs => p_lock_seconds);
    created integer;
    held    app.idempotency_request;
    answer  app.idempotency_claim;
BEGIN
    IF coalesce(btrim(p_scope), '') = '' THEN
        RAISE EXCEPTION 'a scope must be given' USING ERRCODE = 'P4000';
    ELSIF coalesce(btrim(p_key), '') = '' THEN
        RAISE EXCEPTION 'a key must be given' USING ERRCODE = 'P4001';
    ELSIF coalesce(btrim(p_request_hash), '') = '' THEN
        RAISE EXCEPTION 'a request hash must be given' USING ERRCODE = 'P4003';
    END IF;

    INSERT INTO app.idempotency_request AS r
        (idempotency_scope, idempotency_key, request_hash, status, claimed_by, claimed_at, locked_until, created_at, updated_at, expires_at)
    VALUES (p_scope, p_key, p_request_hash, 'processing', p_claimed_by, moment, lease, moment, moment, moment + p_retention)
    ON CONFLICT ON CONSTRAINT idempotency_request_pkey DO NOTHING;
    GET DIAGNOSTICS created = ROW_COUNT;

    SELECT r.* INTO STRICT held
      FROM app.idempotency_request AS r
     WHERE (r.idempotency_scope, r.idempotency_key) = (p_scope, p_key)
       FOR UPDATE;
    PERFORM app.assert_same_idempotent_request(held.request_hash, p_request_hash);

    answer.attempt_count := held.attempt_count;
    IF created = 1 THEN
        answer.claim_kind := 'new_claim';
        RETURN answer;
    END IF;

    CASE held.status
        WHEN 'succeeded' THEN
            answer.claim_kind := 'replay_success';
            answer.response_body := held.response_body;
            answer.result_ref_type := held.result_ref_type;
            answer.result_ref_id := held.result_ref_id;
            RETURN answer;
        WHEN 'failed_final' THEN
            answer.claim_kind := 'final_failure';
            answer.response_body := jsonb_build_object(
                'failureCode', held.failure_code, 'failureMessage', held.failure_message);
            answer.result_ref_type := held.result_ref_type;
            answer.result_ref_id := held.result_ref_id;
            RETURN answer;
        WHEN 'failed_retryable' THEN
            answer.claim_kind := 'retryable_failure';
            answer.result_ref_type := held.result_ref_type;
            answer.result_ref_id := held.result_ref_id;
        WHEN 'processing' THEN
            IF held.locked_until > moment THEN
                answer.claim_kind := 'processing_active';
                RETURN answer;
            ELSIF held.locked_until IS NULL THEN -- somebody's, but nobody can say until when
                RAISE EXCEPTION 'this key is in a state that no claim knows'
                    USING ERRCODE = 'P4099', DETAIL = format('scope=%s key=%s status=%s', p_scope, p_key, held.status);
            END IF;
            answer.claim_kind := 'processing_stale';
    END CASE;

    -- A failed or abandoned attempt is taken over as the next attempt.
    UPDATE app.idempotency_request AS r
       SET status = 'processing', attempt_count = held.attempt_count + 1,
           claimed_by = p_claimed_by, claimed_at = moment, locked_until = lease, updated_at = moment
     WHERE (r.idempotency_scope, r.idempotency_key) = (p_scope, p_key);
    answer.attempt_count := held.attempt_count + 1;
    RETURN answer;
END
$body$;

-- Ends a claim well and keeps what a retry shall be answered with.
CREATE FUNCTION app.mark_idempotency_succeeded(
    p_scope text, p_key text, p_result_ref_type text, p_result_ref_id uuid, p_response_body jsonb)
RETURNS void
LANGUAGE plpgsql AS $body$
BEGIN
    UPDATE app.idempotency_request AS r
       SET status = 'succeeded', result_ref_type = p_result_ref_type, result_ref_id = p_result_ref_id,
           response_body = p_response_body, failure_code = NULL, failure_message = NULL,
           locked_until = NULL, updated_at = clock_timestamp()
     WHERE (r.idempotency_scope, r.idempotency_key) = (p_scope, p_key) AND r.status = 'processing';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no claim is open that could succeed'
            USING ERRCODE = 'P4010', DETAIL = format('scope=%s key=%s', p_scope, p_key);
    END IF;
END
$body$;

-- Ends a claim badly; retryable says whether another attempt may follow.
CREATE FUNCTION app.mark_idempotency_failed(
    p_scope text, p_key text, p_retryable boolean, p_failure_code text, p_failure_message text)
RETURNS void
LANGUAGE plpgsql AS $body$
DECLARE
    outcome constant app.idempotency_status := CASE p_retryable WHEN true THEN 'failed_retryable' ELSE 'failed_final' END;
BEGIN
    UPDATE app.idempotency_request AS r
       SET status = outcome, failure_code = p_failure_code, failure_message = p_failure_message,
           locked_until = NULL, updated_at = clock_timestamp()
     WHERE (r.idempotency_scope, r.idempotency_key) = (p_scope, p_key) AND r.status = 'processing';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no claim is open that could fail'
            USING ERRCODE = 'P4011', DETAIL = format('scope=%s key=%s', p_scope, p_key);
    END IF;
END
$body$;

-- An order, made once however often it is asked for. A claim that is refused ends the transaction and marks nothing:
-- the key belongs to somebody else, or to the past.
CREATE FUNCTION app.create_order_once(
    p_key text, p_request_hash text, p_customer uuid, p_cart text, p_total numeric, p_worker text DEFAULT 'orders')
RETURNS jsonb
LANGUAGE plpgsql AS $body$
DECLARE
    claim  constant app.idempotency_claim :=
        app.claim_idempotency_key('create_order', p_key, p_request_hash, p_worker, 300, interval '7 days');
    made   uuid;
    answer jsonb;
BEGIN
    IF claim.claim_kind = 'replay_success' THEN
        RETURN claim.response_body;
    ELSIF claim.claim_kind = 'processing_active' THEN
        RAISE EXCEPTION 'another attempt works on this order' USING ERRCODE = 'P4029', HINT = 'Ask again later.';
    ELSIF claim.claim_kind = 'final_failure' THEN
        RAISE EXCEPTION 'this order failed for good' USING ERRCODE = 'P4030', DETAIL = claim.response_body::text;
    END IF;
    INSERT INTO app.customer_order (customer_id, external_cart_id, total_amount) VALUES (p_customer, p_cart, p_total)
        ON CONFLICT ON CONSTRAINT customer_order_once_per_cart DO NOTHING;
    SELECT o.order_id INTO STRICT made
      FROM app.customer_order AS o WHERE (o.customer_id, o.external_cart_id) = (p_customer, p_cart);
    INSERT INTO app.outbox_event
        (event_type, aggregate_type, aggregate_id, idempotency_scope, idempotency_key, payload)
    VALUES ('order.created', 'customer_order', made, 'create_order', p_key, jsonb_build_object('orderId', made))
        ON CONFLICT ON CONSTRAINT outbox_event_once_per_command DO NOTHING;
    answer := jsonb_build_object('orderId', made, 'status', 'created', 'total', p_total);
    PERFORM app.mark_idempotency_succeeded('create_order', p_key, 'customer_order', made, answer);
    RETURN answer;
END
$body$;

-- A message, taken once by each consumer.
CREATE FUNCTION app.consume_case_event_once(p_consumer text, p_message text, p_hash text, p_payload jsonb) RETURNS text
LANGUAGE plpgsql AS $body$
BEGIN
    INSERT INTO app.processed_message (consumer_name, message_id, message_hash, result_ref_type, result_ref_id)
    VALUES (p_consumer, p_message, p_hash, 'case', (p_payload ->> 'caseId')::uuid)
        ON CONFLICT ON CONSTRAINT processed_message_pkey DO NOTHING;
    IF FOUND THEN
        RETURN 'processed';
    END IF;
    IF EXISTS (SELECT FROM app.processed_message AS m
                WHERE (m.consumer_name, m.message_id, m.message_hash) = (p_consumer, p_message, p_hash)) THEN
        RETURN 'duplicate_ignored';
    END IF;
    RAISE EXCEPTION 'this message id came before with another payload'
        USING ERRCODE = 'P4050', DETAIL = format('consumer=%s message_id=%s', p_consumer, p_message);
END
$body$;
