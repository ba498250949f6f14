-- SPDX-License-Identifier: GPL-3.0-or-later
-- Commands per tenant and operation, consumers' and inbox messages, command tables, a leased queue, import rows; and the
-- business tables around them.
CREATE SCHEMA IF NOT EXISTS seed003;

CREATE TABLE seed003.idempotency_request (
    tenant_id       uuid        NOT NULL,
    operation_name  text        NOT NULL,
    idempotency_key text        NOT NULL,
    request_hash    text        NOT NULL,
    status          text        NOT NULL,
    resource_type   text,
    resource_id     uuid,
    response_code   integer,
    response_body   jsonb,
    error_code      text,
    locked_until    timestamptz,
    created_at      timestamptz NOT NULL DEFAULT now(),
    completed_at    timestamptz,
    expires_at      timestamptz,
    CONSTRAINT idempotency_request_pkey PRIMARY KEY (tenant_id, operation_name, idempotency_key),
    CONSTRAINT idempotency_request_status_check
        CHECK (status IN ('IN_PROGRESS', 'COMPLETED', 'FAILED_RETRYABLE', 'FAILED_TERMINAL'))
);

CREATE INDEX idx_idempotency_request_expires_at
    ON seed003.idempotency_request (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE seed003.processed_message (
    consumer_name  text        NOT NULL,
    message_id     text        NOT NULL,
    message_source text        NOT NULL,
    message_hash   text,
    processed_at   timestamptz NOT NULL DEFAULT now(),
    result_status  text        NOT NULL,
    aggregate_type text,
    aggregate_id   uuid,
    CONSTRAINT processed_message_pkey PRIMARY KEY (consumer_name, message_source, message_id),
    CONSTRAINT processed_message_result_status_check
        CHECK (result_status IN ('APPLIED', 'IGNORED', 'FAILED_TERMINAL'))
);

CREATE TABLE seed003.inbox_message (
    inbox_id        uuid,
    source_system   text        NOT NULL,
    message_id      text        NOT NULL,
    message_type    text        NOT NULL,
    aggregate_id    uuid,
    payload         jsonb       NOT NULL,
    headers         jsonb       NOT NULL DEFAULT '{}'::jsonb,
    received_at     timestamptz NOT NULL DEFAULT now(),
    status          text        NOT NULL,
    attempt_count   integer     NOT NULL DEFAULT 0,
    next_attempt_at timestamptz,
    last_error      text,
    CONSTRAINT inbox_message_pkey PRIMARY KEY (inbox_id),
    CONSTRAINT inbox_message_once UNIQUE (source_system, message_id),
    CONSTRAINT inbox_message_status_check
        CHECK (status IN ('RECEIVED', 'PROCESSING', 'PROCESSED', 'FAILED_RETRYABLE', 'FAILED_TERMINAL'))
);

-- Only its INSERT is given: no mark says whether a row was published.
CREATE TABLE seed003.outbox_event (
    event_id          uuid,
    aggregate_type    text    NOT NULL,
    aggregate_id      uuid    NOT NULL,
    event_type        text    NOT NULL,
    aggregate_version integer NOT NULL,
    payload           jsonb   NOT NULL,
    CONSTRAINT outbox_event_pkey PRIMARY KEY (event_id)
);

CREATE TABLE seed003.case_command (
    tenant_id    uuid        NOT NULL,
    command_id   uuid        NOT NULL,
    command_type text        NOT NULL,
    request_hash text        NOT NULL,
    case_id      uuid,
    status       text        NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz,
    CONSTRAINT case_command_pkey PRIMARY KEY (tenant_id, command_id)
);

CREATE TABLE seed003.case_transition_command (
    tenant_id             uuid        NOT NULL,
    command_id            uuid        NOT NULL,
    case_id               uuid        NOT NULL,
    from_status           text        NOT NULL,
    to_status             text        NOT NULL,
    requested_by          uuid        NOT NULL,
    request_hash          text        NOT NULL,
    result_status         text        NOT NULL,
    applied_transition_id uuid,
    created_at            timestamptz NOT NULL DEFAULT now(),
    completed_at          timestamptz,
    CONSTRAINT case_transition_command_pkey PRIMARY KEY (tenant_id, command_id),
    CONSTRAINT case_transition_command_result_status_check
        CHECK (result_status IN ('IN_PROGRESS', 'APPLIED', 'REJECTED', 'FAILED_RETRYABLE'))
);

-- Given by its claims only: the columns they touch. Its end states are the words of the request table.
CREATE TABLE seed003.work_item (
    work_item_id uuid,
    status       text        NOT NULL DEFAULT 'READY',
    priority     integer     NOT NULL DEFAULT 0,
    available_at timestamptz NOT NULL DEFAULT now(),
    claimed_by   text,
    claimed_at   timestamptz,
    lease_until  timestamptz,
    CONSTRAINT work_item_pkey PRIMARY KEY (work_item_id),
    CONSTRAINT work_item_status_check
        CHECK (status IN ('READY', 'PROCESSING', 'COMPLETED', 'FAILED_RETRYABLE', 'FAILED_TERMINAL'))
);

CREATE INDEX work_item_ready_idx ON seed003.work_item (priority DESC, available_at) WHERE status = 'READY';
CREATE INDEX work_item_lease_idx ON seed003.work_item (lease_until) WHERE status = 'PROCESSING';

CREATE TABLE seed003.import_job (
    import_job_id uuid,
    tenant_id     uuid        NOT NULL,
    source_name   text        NOT NULL,
    status        text        NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT import_job_pkey PRIMARY KEY (import_job_id)
);

CREATE TABLE seed003.import_row_result (
    import_job_id   uuid    NOT NULL,
    row_number      integer NOT NULL,
    source_row_hash text    NOT NULL,
    natural_key     text,
    target_type     text,
    target_id       uuid,
    status          text    NOT NULL,
    error_code      text,
    CONSTRAINT import_row_result_pkey PRIMARY KEY (import_job_id, row_number),
    CONSTRAINT import_row_result_job FOREIGN KEY (import_job_id) REFERENCES seed003.import_job (import_job_id),
    CONSTRAINT import_row_result_status_check CHECK (status IN ('PENDING', 'APPLIED', 'SKIPPED', 'FAILED'))
);

CREATE TABLE seed003.enforcement_case (
    case_id               uuid,
    tenant_id             uuid        NOT NULL,
    source_system         text        NOT NULL,
    external_complaint_id text        NOT NULL,
    status                text        NOT NULL,
    created_at            timestamptz NOT NULL DEFAULT now(),
    version               integer     NOT NULL DEFAULT 1,
    updated_at            timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT enforcement_case_pkey PRIMARY KEY (case_id),
    CONSTRAINT enforcement_case_once_per_complaint UNIQUE (tenant_id, source_system, external_complaint_id)
);

CREATE TABLE seed003.case_sla_timer (
    timer_id   uuid,
    tenant_id  uuid        NOT NULL,
    case_id    uuid        NOT NULL,
    sla_type   text        NOT NULL,
    status     text        NOT NULL,
    started_at timestamptz NOT NULL,
    stopped_at timestamptz,
    CONSTRAINT case_sla_timer_pkey PRIMARY KEY (timer_id),
    CONSTRAINT case_sla_timer_status_check CHECK (status IN ('ACTIVE', 'STOPPED', 'BREACHED'))
);

CREATE UNIQUE INDEX uq_active_case_sla_timer
    ON seed003.case_sla_timer (tenant_id, case_id, sla_type) WHERE status = 'ACTIVE';

CREATE TABLE seed003.user_notification (
    notification_id uuid,
    read_at         timestamptz,
    CONSTRAINT user_notification_pkey PRIMARY KEY (notification_id)
);

CREATE TABLE seed003.ledger_entry (
    ledger_entry_id     uuid,
    tenant_id           uuid        NOT NULL,
    account_id          uuid        NOT NULL,
    source_system       text        NOT NULL,
    source_operation_id text        NOT NULL,
    direction           text        NOT NULL,
    amount_cents        bigint      NOT NULL,
    currency_code       char(3)     NOT NULL,
    posted_at           timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT ledger_entry_pkey PRIMARY KEY (ledger_entry_id),
    CONSTRAINT ledger_entry_once_per_operation UNIQUE (tenant_id, source_system, source_operation_id),
    CONSTRAINT ledger_entry_direction_check CHECK (direction IN ('DEBIT', 'CREDIT')),
    CONSTRAINT ledger_entry_amount_positive CHECK (amount_cents > 0)
);

CREATE TABLE seed003.ledger_transaction (
    tenant_id           uuid        NOT NULL,
    ledger_txn_id       uuid        NOT NULL,
    source_system       text        NOT NULL,
    source_operation_id text        NOT NULL,
    created_at          timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT ledger_transaction_pkey PRIMARY KEY (tenant_id, ledger_txn_id),
    CONSTRAINT ledger_transaction_once_per_operation UNIQUE (tenant_id, source_system, source_operation_id)
);

CREATE TABLE seed003.external_case_reference (
    tenant_id         uuid        NOT NULL,
    source_system     text        NOT NULL,
    external_case_ref text        NOT NULL,
    case_id           uuid        NOT NULL,
    first_seen_at     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT external_case_reference_pkey PRIMARY KEY (tenant_id, source_system, external_case_ref),
    CONSTRAINT external_case_reference_once_per_case UNIQUE (case_id)
);

-- Claims of the case office. Each says how it ended: new and again mean that the caller runs the work now.
-- An attempt whose lease is over is not taken over: somebody has to look first whether its case is there.
CREATE FUNCTION seed003.claim_request(p_tenant uuid, p_operation text, p_key text, p_hash text, OUT outcome text,
    OUT code integer, OUT body jsonb)
LANGUAGE plpgsql AS $body$
DECLARE
    held seed003.idempotency_request;
BEGIN
    INSERT INTO seed003.idempotency_request
        (tenant_id, operation_name, idempotency_key, request_hash, status, locked_until, expires_at)
    VALUES (p_tenant, p_operation, p_key, p_hash, 'IN_PROGRESS', now() + interval '2 minutes',
            now() + interval '30 days')
        ON CONFLICT ON CONSTRAINT idempotency_request_pkey DO NOTHING;
    IF FOUND THEN
        outcome := 'new';
        RETURN;
    END IF;
    SELECT r.* INTO STRICT held FROM seed003.idempotency_request AS r
     WHERE (r.tenant_id, r.operation_name, r.idempotency_key) = (p_tenant, p_operation, p_key) FOR UPDATE;
    IF held.request_hash <> p_hash THEN
        outcome := 'different_request';
        code := 409;
    ELSIF held.status = 'COMPLETED' THEN
        outcome := 'done';
        code := held.response_code;
        body := held.response_body;
    ELSIF held.status = 'FAILED_TERMINAL' THEN
        outcome := 'failed';
        code := held.response_code;
        body := held.response_body;
    ELSIF held.status = 'IN_PROGRESS' THEN
        outcome := CASE WHEN held.locked_until > now() THEN 'busy' ELSE 'needs_recovery' END;
        code := 409;
    ELSE
        outcome := 'again';
        UPDATE seed003.idempotency_request AS r
           SET status = 'IN_PROGRESS', locked_until = now() + interval '2 minutes', error_code = NULL
         WHERE (r.tenant_id, r.operation_name, r.idempotency_key) = (p_tenant, p_operation, p_key);
    END IF;
END
$body$;

CREATE FUNCTION seed003.claim_command(p_tenant uuid, p_command uuid, p_hash text) RETURNS text
LANGUAGE plpgsql AS $body$
DECLARE
    held seed003.case_command;
BEGIN
    INSERT INTO seed003.case_command (tenant_id, command_id, command_type, request_hash, status)
    VALUES (p_tenant, p_command, 'CreateCase', p_hash, 'IN_PROGRESS')
        ON CONFLICT ON CONSTRAINT case_command_pkey DO NOTHING;
    IF FOUND THEN
        RETURN 'new';
    END IF;
    SELECT c.* INTO STRICT held FROM seed003.case_command AS c
     WHERE (c.tenant_id, c.command_id) = (p_tenant, p_command) FOR UPDATE;
    IF held.request_hash <> p_hash THEN
        RETURN 'different_request';
    END IF;
    IF held.status NOT IN ('FAILED', 'FAILED_RETRYABLE') THEN
        RETURN CASE WHEN held.status IN ('APPLIED', 'COMPLETED', 'CONFIRMED') THEN 'done'
                    WHEN held.status IN ('REJECTED', 'FAILED_TERMINAL') THEN 'failed' ELSE 'busy' END;
    END IF;
    UPDATE seed003.case_command AS c SET status = 'IN_PROGRESS', completed_at = NULL
     WHERE (c.tenant_id, c.command_id) = (p_tenant, p_command);
    RETURN 'again';
END
$body$;

CREATE FUNCTION seed003.claim_transition(p_tenant uuid, p_command uuid, p_hash text) RETURNS text
LANGUAGE plpgsql AS $body$
DECLARE
    held seed003.case_transition_command;
BEGIN
    INSERT INTO seed003.case_transition_command
        (tenant_id, command_id, case_id, requested_by, from_status, to_status, request_hash, result_status)
    VALUES (p_tenant, p_command, p_command, p_command, 'OPEN', 'UNDER_REVIEW', p_hash, 'IN_PROGRESS')
        ON CONFLICT ON CONSTRAINT case_transition_command_pkey DO NOTHING;
    IF FOUND THEN
        RETURN 'new';
    END IF;
    SELECT c.* INTO STRICT held FROM seed003.case_transition_command AS c
     WHERE (c.tenant_id, c.command_id) = (p_tenant, p_command) FOR UPDATE;
    IF held.request_hash <> p_hash THEN
        RETURN 'different_request';
    END IF;
    IF held.result_status <> 'FAILED_RETRYABLE' THEN
        RETURN CASE WHEN held.result_status IN ('APPLIED') THEN 'done'
                    WHEN held.result_status IN ('REJECTED') THEN 'failed' ELSE 'busy' END;
    END IF;
    UPDATE seed003.case_transition_command AS c SET result_status = 'IN_PROGRESS', completed_at = NULL
     WHERE (c.tenant_id, c.command_id) = (p_tenant, p_command);
    RETURN 'again';
END
$body$;

-- A delivery is worked on where it is the first one; what was inserted before is skipped.
CREATE FUNCTION seed003.consume_message(p_consumer text, p_source text, p_message text, p_hash text) RETURNS boolean
LANGUAGE plpgsql AS $body$
BEGIN
    INSERT INTO seed003.processed_message (consumer_name, message_source, message_id, message_hash, result_status)
    VALUES (p_consumer, p_source, p_message, p_hash, 'APPLIED') ON CONFLICT DO NOTHING;
    RETURN FOUND;
END
$body$;
CREATE FUNCTION seed003.receive_message(p_source text, p_message text, p_payload jsonb) RETURNS boolean
LANGUAGE plpgsql AS $body$
BEGIN
    INSERT INTO seed003.inbox_message (inbox_id, source_system, message_id, message_type, payload, status)
    VALUES (gen_random_uuid(), p_source, p_message, 'ComplaintFiled', p_payload, 'RECEIVED') ON CONFLICT DO NOTHING;
    RETURN FOUND;
END
$body$;

-- The worker that changes the state has the item.
CREATE FUNCTION seed003.claim_work_item(p_item uuid, p_worker text) RETURNS boolean
LANGUAGE plpgsql AS $body$
BEGIN
    UPDATE seed003.work_item AS w
       SET status = 'PROCESSING', claimed_by = p_worker, claimed_at = now(), lease_until = now() + interval '5 minutes'
     WHERE w.work_item_id = p_item AND w.status = 'READY' AND w.available_at <= now();
    RETURN FOUND;
END
$body$;
-- A job that starts again goes on with what is pending.
CREATE FUNCTION seed003.resume_import_row(p_job uuid, p_row integer) RETURNS boolean
LANGUAGE plpgsql AS $body$
BEGIN
    PERFORM FROM seed003.import_row_result AS r
      WHERE (r.import_job_id, r.row_number, r.status) = (p_job, p_row, 'PENDING') FOR UPDATE;
    RETURN FOUND;
END
$body$;
