-- SPDX-License-Identifier: GPL-3.0-or-later
-- Tables as services and libraries keep them: twelve public projects, and every shape of status, time, key and lease
-- that was met in others. Two thirds stand in "worked", on which detection was made better; those in "counted" were
-- only counted, once, when it was done.
CREATE SCHEMA worked;
CREATE SCHEMA counted;

-- Phases of one application up to "finished"; other tables refer to it.
CREATE TABLE worked.ride_keys (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at      timestamptz NOT NULL DEFAULT now(),
    idempotency_key text        NOT NULL CHECK (char_length(idempotency_key) <= 100),
    last_run_at     timestamptz NOT NULL DEFAULT now(),
    locked_at       timestamptz DEFAULT now(),
    request_method  text        NOT NULL CHECK (char_length(request_method) <= 10),
    request_params  jsonb       NOT NULL,
    request_path    text        NOT NULL CHECK (char_length(request_path) <= 100),
    response_code   int,
    response_body   jsonb,
    recovery_point  text        NOT NULL CHECK (char_length(recovery_point) <= 50),
    user_id         bigint      NOT NULL,
    UNIQUE (user_id, idempotency_key)
);
CREATE TABLE worked.rides (
    id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    idempotency_key_id bigint REFERENCES worked.ride_keys (id) ON DELETE SET NULL,
    origin             text NOT NULL,
    target             text NOT NULL
);
INSERT INTO worked.ride_keys (idempotency_key, locked_at, request_method, request_params, request_path, response_code,
                              response_body, recovery_point, user_id)
SELECT gen_random_uuid()::text, CASE WHEN i % 5 = 0 THEN now() END, 'POST', '{"origin_lat": 1.5}', '/rides',
       CASE WHEN i % 5 > 0 THEN 201 END, CASE WHEN i % 5 > 0 THEN '{"message": "Payment accepted."}'::jsonb END,
       (ARRAY['charge_created', 'finished', 'finished', 'finished', 'finished'])[1 + i % 5], i % 7
  FROM generate_series(1, 400) i;

CREATE TABLE worked.idempotency_key (
    id              varchar PRIMARY KEY,
    idempotency_key varchar NOT NULL UNIQUE,
    created_at      timestamptz NOT NULL DEFAULT now(),
    locked_at       timestamptz,
    request_method  varchar,
    request_params  jsonb,
    request_path    varchar,
    response_code   int,
    response_body   jsonb,
    recovery_point  varchar NOT NULL DEFAULT 'started'
);
INSERT INTO worked.idempotency_key (id, idempotency_key, locked_at, request_method, request_params, request_path,
                                    response_code, recovery_point)
SELECT 'ikey_' || md5(i::text), gen_random_uuid()::text, now(), 'POST', '{}', '/store/carts',
       CASE WHEN i % 4 > 0 THEN 200 END, (ARRAY['tax_lines_created', 'finished', 'finished', 'finished'])[1 + i % 4]
  FROM generate_series(1, 120) i;

-- A lease that the row itself says, and a limit for each row.
CREATE TABLE counted.idempotency_records (
    idempotency_key     varchar(255) PRIMARY KEY,
    request_fingerprint varchar(255),
    status              varchar(20) NOT NULL,
    locked_at           timestamp,
    lock_expires_at     timestamp,
    lock_timeout_ms     bigint,
    response_status     int,
    response_headers    text,
    response_body       bytea,
    created_at          timestamp NOT NULL,
    expires_at          timestamp NOT NULL
);
INSERT INTO counted.idempotency_records
SELECT gen_random_uuid()::text, encode(sha256(i::text::bytea), 'hex'),
       (ARRAY['COMPLETE', 'COMPLETE', 'IN_PROGRESS', 'FAILED'])[1 + i % 4], now() - i * interval '1 min',
       now() - i * interval '1 min' + interval '30 s', 30000, CASE WHEN i % 4 < 2 THEN 201 END, NULL,
       CASE WHEN i % 4 < 2 THEN '\x7b7d'::bytea END, now() - i * interval '1 min', now() + interval '1 day'
  FROM generate_series(1, 200) i;

-- Its expiry is short while the work runs, and long once the answer is there.
CREATE TABLE worked.idempotency_records (
    key              text PRIMARY KEY,
    fingerprint      text,
    status           text NOT NULL,
    token            uuid NOT NULL,
    response_status  int,
    response_headers jsonb,
    response_body    jsonb,
    created_at       timestamptz NOT NULL DEFAULT now(),
    expires_at       timestamptz NOT NULL
);
INSERT INTO worked.idempotency_records
SELECT 'POST /orders::' || gen_random_uuid(), encode(sha256(i::text::bytea), 'hex'),
       CASE WHEN i % 6 = 0 THEN 'PROCESSING' ELSE 'COMPLETED' END, gen_random_uuid(),
       CASE WHEN i % 6 > 0 THEN 201 END, NULL, CASE WHEN i % 6 > 0 THEN '{}'::jsonb END, now() - i * interval '1 s',
       now() - i * interval '1 s' + CASE WHEN i % 6 = 0 THEN interval '30 s' ELSE interval '24 h' END
  FROM generate_series(1, 300) i;

CREATE TYPE worked."TaskRunStatus" AS ENUM ('DELAYED', 'PENDING', 'PENDING_VERSION', 'WAITING_FOR_DEPLOY', 'DEQUEUED',
    'EXECUTING', 'WAITING_TO_RESUME', 'RETRYING_AFTER_FAILURE', 'PAUSED', 'CANCELED', 'INTERRUPTED',
    'COMPLETED_SUCCESSFULLY', 'COMPLETED_WITH_ERRORS', 'SYSTEM_FAILURE', 'CRASHED', 'EXPIRED', 'TIMED_OUT');
CREATE TABLE worked."TaskRun" (
    id                     text PRIMARY KEY,
    "friendlyId"           text NOT NULL UNIQUE,
    status                 worked."TaskRunStatus" NOT NULL DEFAULT 'PENDING',
    "idempotencyKey"       text,
    "idempotencyKeyExpiresAt" timestamp(3),
    "taskIdentifier"       text NOT NULL,
    "runtimeEnvironmentId" text NOT NULL,
    payload                text NOT NULL,
    "payloadType"          text NOT NULL DEFAULT 'application/json',
    "attemptNumber"        int,
    "createdAt"            timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt"            timestamp(3) NOT NULL,
    "lockedAt"             timestamp(3),
    "lockedById"           text,
    "completedAt"          timestamp(3),
    "startedAt"            timestamp(3),
    output                 text,
    error                  jsonb,
    UNIQUE ("runtimeEnvironmentId", "taskIdentifier", "idempotencyKey")
);
INSERT INTO worked."TaskRun" (id, "friendlyId", status, "idempotencyKey", "taskIdentifier", "runtimeEnvironmentId",
                              payload, "updatedAt", "completedAt")
SELECT 'c' || md5(i::text), 'run_' || i,
       (ARRAY['COMPLETED_SUCCESSFULLY', 'EXECUTING', 'PENDING', 'CRASHED'])[1 + i % 4]::worked."TaskRunStatus",
       CASE WHEN i % 3 = 0 THEN md5(i::text) END, 'send-mail', 'env_1', '{"to": 1}', now(),
       CASE WHEN i % 4 = 0 THEN now() END
  FROM generate_series(1, 250) i;

-- Two clocks: what is processing since processing_at, and what waits since created_at.
CREATE TYPE counted.inbound_webhook_status AS ENUM ('pending', 'processing', 'succeeded', 'failed');
CREATE TABLE counted.inbound_webhooks (
    id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    source          varchar NOT NULL,
    event_type      varchar NOT NULL,
    payload         jsonb   NOT NULL,
    status          counted.inbound_webhook_status NOT NULL DEFAULT 'pending',
    organization_id uuid    NOT NULL,
    code            varchar,
    signature       varchar,
    created_at      timestamp(6) NOT NULL,
    updated_at      timestamp(6) NOT NULL,
    processing_at   timestamp(6)
);
INSERT INTO counted.inbound_webhooks (source, event_type, payload, status, organization_id, created_at, updated_at,
                                      processing_at)
SELECT 'stripe', 'charge.succeeded', '{"id": "evt_1"}',
       (enum_range(NULL::counted.inbound_webhook_status))[1 + i % 4], gen_random_uuid(), now(), now(),
       CASE WHEN i % 4 > 0 THEN now() END
  FROM generate_series(1, 180) i;

-- Dispatched or not: nothing else.
CREATE TABLE worked.outbox (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    messageid     varchar(255) NOT NULL UNIQUE,
    topic         varchar(255),
    messagetype   varchar(32),
    "timestamp"   timestamptz,
    correlationid varchar(255),
    replyto       varchar(255),
    contenttype   varchar(128),
    dispatched    timestamptz,
    headerbag     text,
    body          text
);
INSERT INTO worked.outbox (messageid, topic, messagetype, "timestamp", dispatched, headerbag, body)
SELECT gen_random_uuid(), 'orders', 'MT_EVENT', now() - i * interval '1 min', CASE WHEN i % 4 > 0 THEN now() END,
           '{}',
       '{"order": 1}'
  FROM generate_series(1, 150) i;

-- Who handles a row is told by another table, with its heartbeat.
CREATE TABLE worked.outbox_record (
    id              varchar(255) PRIMARY KEY,
    status          varchar(20)  NOT NULL,
    record_key      varchar(255) NOT NULL,
    record_type     varchar(255) NOT NULL,
    payload         text         NOT NULL,
    context         text,
    partition_no    int          NOT NULL,
    created_at      timestamptz  NOT NULL,
    completed_at    timestamptz,
    failure_count   int          NOT NULL,
    failure_reason  varchar(1000),
    next_retry_at   timestamptz  NOT NULL,
    handler_id      varchar(1000) NOT NULL
);
INSERT INTO worked.outbox_record
SELECT gen_random_uuid(), (ARRAY['NEW', 'COMPLETED', 'COMPLETED', 'FAILED'])[1 + i % 4], 'order-' || i, 'OrderPlaced',
       '{"id": 1}', NULL, i % 256, now(), CASE WHEN i % 4 IN (1, 2) THEN now() END, CASE WHEN i % 4 = 3 THEN 10 ELSE
           0 END,
       CASE WHEN i % 4 = 3 THEN 'broker away' END, now(), 'mail'
  FROM generate_series(1, 200) i;

-- Numbers for states, told nowhere in the database.
CREATE TABLE counted.order_outbox_items (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid          uuid        NOT NULL UNIQUE,
    event_name    varchar     NOT NULL,
    event_key     varchar     NOT NULL,
    bucket        int         NOT NULL,
    status        int         NOT NULL DEFAULT 0,
    options       json,
    payload       bytea       NOT NULL,
    errors_count  int         NOT NULL DEFAULT 0,
    error_log     text,
    processed_at  timestamptz,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL
);
INSERT INTO counted.order_outbox_items (uuid, event_name, event_key, bucket, status, payload, errors_count, error_log,
                                        processed_at, created_at, updated_at)
SELECT gen_random_uuid(), 'order_placed', 'k' || i, i % 16, s, '\x0a01', CASE WHEN s = 1 THEN 3 ELSE 0 END,
       CASE WHEN s = 1 THEN 'Kafka: timeout' END, CASE WHEN s = 2 THEN now() END, now(), now()
  FROM (SELECT i, (ARRAY[2, 2, 0, 1])[1 + i % 4] AS s FROM generate_series(1, 200) i) x;

-- A key only some jobs have, unique only while the job is in some states.
CREATE TYPE worked.river_job_state AS ENUM ('available', 'cancelled', 'completed', 'discarded', 'pending',
           'retryable',
    'running', 'scheduled');
CREATE TABLE worked.river_job (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    state         worked.river_job_state NOT NULL DEFAULT 'available',
    attempt       smallint    NOT NULL DEFAULT 0,
    max_attempts  smallint    NOT NULL,
    attempted_at  timestamptz,
    created_at    timestamptz NOT NULL DEFAULT now(),
    finalized_at  timestamptz,
    scheduled_at  timestamptz NOT NULL DEFAULT now(),
    priority      smallint    NOT NULL DEFAULT 1,
    args          jsonb       NOT NULL DEFAULT '{}',
    attempted_by  text[],
    errors        jsonb[],
    kind          text        NOT NULL,
    metadata      jsonb       NOT NULL DEFAULT '{}',
    queue         text        NOT NULL DEFAULT 'default',
    unique_key    bytea,
    unique_states bit(8),
    CONSTRAINT finalized_or_finalized_at_null CHECK (
        (finalized_at IS NULL AND state NOT IN ('cancelled', 'completed', 'discarded'))
        OR (finalized_at IS NOT NULL AND state IN ('cancelled', 'completed', 'discarded')))
);
CREATE UNIQUE INDEX river_job_unique_idx ON worked.river_job (unique_key)
    WHERE unique_key IS NOT NULL AND unique_states IS NOT NULL AND state IN ('available', 'running');
INSERT INTO worked.river_job (state, attempt, max_attempts, attempted_at, finalized_at, kind, unique_key)
SELECT s, 1, 25, now(), CASE WHEN s IN ('completed', 'discarded') THEN now() END, 'sort',
       CASE WHEN i % 9 = 0 THEN sha256(i::text::bytea) END
  FROM (SELECT i, (ARRAY['available', 'running', 'completed', 'completed', 'discarded', 'retryable'])[1 + i % 6]
                      ::worked.river_job_state AS s FROM generate_series(1, 220) i) x;

CREATE TYPE worked.oban_job_state AS ENUM ('available', 'suspended', 'scheduled', 'executing', 'retryable',
           'completed',
    'discarded', 'cancelled');
CREATE TABLE worked.oban_jobs (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    state        worked.oban_job_state NOT NULL DEFAULT 'available',
    queue        text      NOT NULL DEFAULT 'default',
    worker       text      NOT NULL,
    args         jsonb     NOT NULL DEFAULT '{}',
    errors       jsonb[]   NOT NULL DEFAULT '{}',
    attempt      int       NOT NULL DEFAULT 0,
    max_attempts int       NOT NULL DEFAULT 20,
    inserted_at  timestamp NOT NULL DEFAULT timezone('UTC', now()),
    scheduled_at timestamp NOT NULL DEFAULT timezone('UTC', now()),
    attempted_at timestamp,
    completed_at timestamp,
    attempted_by text[],
    discarded_at timestamp,
    priority     int       NOT NULL DEFAULT 0,
    tags         text[]    DEFAULT '{}',
    meta         jsonb     DEFAULT '{}',
    cancelled_at timestamp
);
INSERT INTO worked.oban_jobs (state, worker, attempted_at, completed_at)
SELECT s, 'App.Mailer', CASE WHEN s <> 'available' THEN now() AT TIME ZONE 'UTC' END,
       CASE WHEN s = 'completed' THEN now() AT TIME ZONE 'UTC' END
  FROM (SELECT i, (ARRAY['available', 'executing', 'completed', 'completed', 'retryable'])[1 + i % 5]
                      ::worked.oban_job_state AS s FROM generate_series(1, 200) i) x;

-- Every time is a number of milliseconds.
CREATE TABLE counted.workflow_status (
    workflow_uuid              text PRIMARY KEY,
    status                     text,
    name                       text,
    authenticated_user         text,
    request                    text,
    inputs                     text,
    output                     text,
    error                      text,
    executor_id                text,
    created_at                 bigint NOT NULL,
    updated_at                 bigint NOT NULL,
    application_version        text,
    recovery_attempts          bigint DEFAULT 0,
    queue_name                 text,
    workflow_timeout_ms        bigint,
    workflow_deadline_epoch_ms bigint,
    started_at_epoch_ms        bigint,
    deduplication_id           text,
    priority                   int NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX uq_workflow_queue ON counted.workflow_status (queue_name, deduplication_id);
INSERT INTO counted.workflow_status (workflow_uuid, status, name, inputs, output, error, executor_id, created_at,
                                     updated_at, recovery_attempts, queue_name)
SELECT gen_random_uuid(), s, 'checkout', '{}', CASE WHEN s = 'SUCCESS' THEN '"ok"' END,
       CASE WHEN s = 'ERROR' THEN 'boom' END, 'local', 1764000000000 + i, 1764000005000 + i, 1, NULL
  FROM (SELECT i, (ARRAY['SUCCESS', 'SUCCESS', 'PENDING', 'ERROR', 'ENQUEUED'])[1 + i % 5] AS s
          FROM generate_series(1, 200) i) x;

-- Closed words, upper case, and a lease.
CREATE TABLE worked.api_requests (
    tenant_id     uuid        NOT NULL,
    request_key   text        NOT NULL,
    request_hash  char(64)    NOT NULL,
    state         text        NOT NULL CHECK (state IN ('IN_PROGRESS', 'COMPLETED', 'FAILED')),
    locked_until  timestamptz,
    response_code smallint,
    response      jsonb,
    created_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, request_key)
);
INSERT INTO worked.api_requests
SELECT gen_random_uuid(), 'k' || i, encode(sha256(i::text::bytea), 'hex'),
       (ARRAY['COMPLETED', 'IN_PROGRESS', 'FAILED'])[1 + i % 3], now(), NULL, NULL, now()
  FROM generate_series(1, 90) i;

-- One expiry with two meanings: when to try again, and when to throw away.
CREATE TABLE worked.published (
    "Id"         bigint PRIMARY KEY,
    "Version"    varchar(20)  NOT NULL,
    "Name"       varchar(200) NOT NULL,
    "Content"    text,
    "Retries"    int          NOT NULL,
    "Added"      timestamp    NOT NULL,
    "ExpiresAt"  timestamp,
    "StatusName" varchar(50)  NOT NULL
);
INSERT INTO worked.published
SELECT i, 'v1', 'order.placed', '{"Headers": {}, "Value": 1}', 0, now(), CASE WHEN i % 4 < 2 THEN now() END,
       (ARRAY['Succeeded', 'Succeeded', 'Scheduled', 'Failed'])[1 + i % 4]
  FROM generate_series(1, 160) i;

-- Phases of a process; only its end has a known name.
CREATE TABLE counted.provisioning_requests (
    account_id      bigint      NOT NULL,
    idempotency_key uuid        NOT NULL,
    request_digest  bytea       NOT NULL,
    current_step    text        NOT NULL DEFAULT 'received',
    response_body   json,
    inserted_at     timestamptz NOT NULL DEFAULT now(),
    touched_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, idempotency_key)
);
INSERT INTO counted.provisioning_requests (account_id, idempotency_key, request_digest, current_step)
SELECT i % 5, gen_random_uuid(), sha256(i::text::bytea),
       (ARRAY['done', 'done', 'network_ready', 'disk_ready', 'done'])[1 + i % 5]
  FROM generate_series(1, 130) i;

-- Where a state says "retry", "failed" is the end; the enum has words that no list holds.
CREATE TYPE worked.delivery_state AS ENUM ('fresh', 'sending', 'awaiting_retry', 'ok', 'failed');
CREATE TABLE worked.webhook_deliveries (
    id            uuid PRIMARY KEY,
    delivery_key  text        NOT NULL UNIQUE,
    endpoint      text        NOT NULL,
    state         worked.delivery_state NOT NULL DEFAULT 'fresh',
    attempts      int         NOT NULL DEFAULT 0,
    payload       jsonb       NOT NULL,
    last_error    text,
    picked_at     timestamptz,
    created_at    timestamptz NOT NULL DEFAULT now(),
    delivered_at  timestamptz
);
INSERT INTO worked.webhook_deliveries (id, delivery_key, endpoint, state, payload, picked_at, delivered_at)
SELECT gen_random_uuid(), 'd' || i, 'https://example.org', s, '{"a": 1}', CASE WHEN s <> 'fresh' THEN now() END,
       CASE WHEN s = 'ok' THEN now() END
  FROM (SELECT i, (enum_range(NULL::worked.delivery_state))[1 + i % 5] AS s FROM generate_series(1, 150) i) x;

-- Numbers for states, told by the column's comment.
CREATE TABLE worked.mail_commands (
    command_id   uuid PRIMARY KEY,
    command_type text        NOT NULL,
    status       smallint    NOT NULL DEFAULT 3,
    tries        int         NOT NULL DEFAULT 0,
    body         jsonb       NOT NULL,
    taken_at     timestamptz,
    taken_by     text,
    created_at   timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN worked.mail_commands.status IS '3 = pending, 1 = processing, 7 = done, 2 = failed, 9 = dead';
INSERT INTO worked.mail_commands (command_id, command_type, status, body, taken_at)
SELECT gen_random_uuid(), 'SendMail', (ARRAY[3, 1, 7, 7, 2])[1 + i % 5], '{}', CASE WHEN i % 5 > 0 THEN now() END
  FROM generate_series(1, 110) i;

-- One boolean.
CREATE TABLE counted.incoming_events (
    event_id    varchar(64) PRIMARY KEY,
    provider    varchar(32) NOT NULL,
    handled     boolean     NOT NULL DEFAULT false,
    raw_body    text        NOT NULL,
    received_on timestamptz NOT NULL DEFAULT now()
);
INSERT INTO counted.incoming_events
SELECT 'evt_' || md5(i::text), 'stripe', i % 5 > 0, '{"type": "x"}', now() FROM generate_series(1, 140) i;

-- Two booleans.
CREATE TABLE worked.command_inbox (
    message_id   uuid        NOT NULL,
    consumer     text        NOT NULL,
    is_processed boolean     NOT NULL DEFAULT false,
    is_failed    boolean     NOT NULL DEFAULT false,
    payload      jsonb       NOT NULL,
    error_text   text,
    retry_count  int         NOT NULL DEFAULT 0,
    received_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, message_id)
);
INSERT INTO worked.command_inbox (message_id, consumer, is_processed, is_failed, payload)
SELECT gen_random_uuid(), 'billing', i % 4 > 1, i % 4 = 1, '{}' FROM generate_series(1, 100) i;

-- A time that is set when the work is done, and nothing else.
CREATE TABLE worked.inbox_messages (
    id           uuid PRIMARY KEY,
    type         text        NOT NULL,
    content      jsonb       NOT NULL,
    occurred_on  timestamptz NOT NULL,
    processed_on timestamptz,
    error        text
);
INSERT INTO worked.inbox_messages
SELECT gen_random_uuid(), 'UserRegistered', '{}', now(), CASE WHEN i % 3 > 0 THEN now() END, NULL
  FROM generate_series(1, 120) i;

-- Times alone tell four states.
CREATE TABLE counted.dispatch_requests (
    request_id   uuid PRIMARY KEY,
    tenant       text        NOT NULL,
    request_body jsonb       NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    started_at   timestamptz,
    finished_at  timestamptz,
    abandoned_at timestamptz,
    attempts     int         NOT NULL DEFAULT 0
);
INSERT INTO counted.dispatch_requests
SELECT gen_random_uuid(), 't1', '{}', now(), CASE WHEN i % 4 > 0 THEN now() END, CASE WHEN i % 4 = 2 THEN now() END,
       CASE WHEN i % 4 = 3 THEN now() END, 1
  FROM generate_series(1, 120) i;

-- Whether a message is held depends on the clock alone.
CREATE TABLE worked.q_orders (
    msg_id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    read_ct     int         NOT NULL DEFAULT 0,
    enqueued_at timestamptz NOT NULL DEFAULT now(),
    vt          timestamptz NOT NULL,
    message     jsonb
);
INSERT INTO worked.q_orders (read_ct, vt, message)
SELECT i % 3, now() + (i % 3) * interval '20 s', '{"order": 1}' FROM generate_series(1, 100) i;

-- A row's presence is all.
CREATE TABLE worked.consumed_messages (
    consumer_group text        NOT NULL,
    message_id     text        NOT NULL,
    consumed_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer_group, message_id)
);
INSERT INTO worked.consumed_messages SELECT 'billing', 'm' || i, now() FROM generate_series(1, 200) i;

-- A row's absence is all: what was sent is deleted.
CREATE TABLE counted.message_outbox (
    id             uuid PRIMARY KEY,
    aggregate_type text        NOT NULL,
    aggregate_id   text        NOT NULL,
    event_type     text        NOT NULL,
    payload        jsonb       NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now()
);
INSERT INTO counted.message_outbox
SELECT gen_random_uuid(), 'order', i::text, 'OrderPlaced', '{}', now() FROM generate_series(1, 12) i;

-- The status sits in JSON that is kept as text.
CREATE TABLE worked.saga_commands (
    command_key varchar(100) PRIMARY KEY,
    document    text        NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    updated_at  timestamptz NOT NULL DEFAULT now()
);
INSERT INTO worked.saga_commands (command_key, document)
SELECT 'cmd-' || i, json_build_object('type', 'CloseCase', 'status', (ARRAY['processing', 'completed', 'completed',
           'failed'])[1 + i % 4], 'attempts', 1, 'note', repeat('x', 150))::text
  FROM generate_series(1, 120) i;

-- No status is a status: it was not begun.
CREATE TABLE worked.import_requests (
    client_id   bigint      NOT NULL,
    dedup_key   text        NOT NULL,
    status      text,
    payload     jsonb       NOT NULL,
    retries     int         NOT NULL DEFAULT 0,
    created_at  timestamptz NOT NULL DEFAULT now(),
    UNIQUE (client_id, dedup_key),
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY
);
INSERT INTO worked.import_requests (client_id, dedup_key, status, payload)
SELECT i % 4, 'k' || i, CASE i % 3 WHEN 0 THEN 'DONE' WHEN 1 THEN 'FAILED' END, '{}' FROM generate_series(1, 120) i;

-- The status decides where a row lies.
CREATE TABLE counted.outbox_entries (
    status      text        NOT NULL DEFAULT 'PENDING',
    message_id  uuid        NOT NULL,
    topic       text        NOT NULL,
    payload     jsonb       NOT NULL,
    attempts    int         NOT NULL DEFAULT 0,
    created_at  timestamptz NOT NULL DEFAULT now(),
    sent_at     timestamptz,
    PRIMARY KEY (status, message_id)
) PARTITION BY LIST (status);
CREATE TABLE counted.outbox_entries_open PARTITION OF counted.outbox_entries FOR VALUES IN ('PENDING', 'SENDING');
CREATE TABLE counted.outbox_entries_done PARTITION OF counted.outbox_entries FOR VALUES IN ('SENT', 'FAILED');
INSERT INTO counted.outbox_entries (status, message_id, topic, payload, sent_at)
SELECT s, gen_random_uuid(), 'orders', '{}', CASE WHEN s = 'SENT' THEN now() END
  FROM (SELECT (ARRAY['PENDING', 'SENDING', 'SENT', 'SENT', 'FAILED'])[1 + i % 5] AS s FROM generate_series(1, 150)
           i) x;

-- A registry of publications: who still has to hear of an event.
CREATE TABLE worked.event_publication (
    id               uuid PRIMARY KEY,
    listener_id      text        NOT NULL,
    event_type       text        NOT NULL,
    serialized_event text        NOT NULL,
    publication_date timestamptz NOT NULL,
    completion_date  timestamptz
);
INSERT INTO worked.event_publication
SELECT gen_random_uuid(), 'MailListener.on', 'OrderPlaced', '{"id": 1}', now(), CASE WHEN i % 4 > 0 THEN now() END
  FROM generate_series(1, 150) i;

-- Times without a zone, written by a clock on the wall.
CREATE TABLE worked.payment_intents_seen (
    merchant     text         NOT NULL,
    intent_key   text         NOT NULL,
    intent_hash  text         NOT NULL,
    status       text         NOT NULL CHECK (status IN ('started', 'succeeded', 'failed')),
    begun_at     timestamp    NOT NULL DEFAULT (now() AT TIME ZONE 'Europe/Berlin'),
    finished_at  timestamp,
    PRIMARY KEY (merchant, intent_key)
);
INSERT INTO worked.payment_intents_seen (merchant, intent_key, intent_hash, status)
SELECT 'm1', 'i' || i, md5(i::text), (ARRAY['started', 'succeeded', 'failed'])[1 + i % 3] FROM generate_series(1, 90)
           i;

-- Seconds since 1970.
CREATE TABLE counted.idempotency_store (
    idempotency_token varchar(80) PRIMARY KEY,
    state             varchar(12) NOT NULL,
    result            text,
    created           bigint      NOT NULL,
    expires           bigint      NOT NULL
);
INSERT INTO counted.idempotency_store
SELECT gen_random_uuid(), (ARRAY['INPROGRESS', 'COMPLETED', 'COMPLETED'])[1 + i % 3],
       CASE WHEN i % 3 > 0 THEN '{"ok": true}' END, 1764000000 + i, 1764086400 + i
  FROM generate_series(1, 120) i;

-- Times as text.
CREATE TABLE worked.call_ledger (
    call_id     text PRIMARY KEY,
    outcome     text NOT NULL,
    attempts    int  NOT NULL DEFAULT 1,
    created_at  text NOT NULL,
    finished_at text,
    claimed_by  text
);
INSERT INTO worked.call_ledger
SELECT 'call-' || i, (ARRAY['running', 'success', 'success', 'error'])[1 + i % 4], 1, '2026-11-20T10:00:00.123Z',
       CASE WHEN i % 4 > 0 THEN '2026-11-20T10:00:01Z' END, 'w' || i % 3
  FROM generate_series(1, 120) i;

-- No time at all.
CREATE TABLE worked.charge_requests (
    idempotency_key text PRIMARY KEY,
    request_sha256  bytea NOT NULL,
    phase           text  NOT NULL CHECK (phase IN ('begun', 'charged', 'completed')),
    response        jsonb
);
INSERT INTO worked.charge_requests
SELECT gen_random_uuid(), sha256(i::text::bytea), (ARRAY['begun', 'charged', 'completed'])[1 + i % 3], NULL
  FROM generate_series(1, 90) i;

-- Names that mislead: a lock's id is no lease, and a row version is no status.
CREATE TABLE counted."InboxState" (
    "Id"              bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    "MessageId"       uuid        NOT NULL,
    "ConsumerId"      uuid        NOT NULL,
    "LockId"          uuid        NOT NULL,
    "RowVersion"      bytea,
    "Received"        timestamptz NOT NULL,
    "ReceiveCount"    int         NOT NULL,
    "ExpirationTime"  timestamptz,
    "Consumed"        timestamptz,
    "Delivered"       timestamptz,
    "LastSequenceNumber" bigint,
    UNIQUE ("MessageId", "ConsumerId")
);
INSERT INTO counted."InboxState" ("MessageId", "ConsumerId", "LockId", "Received", "ReceiveCount", "Consumed",
                                  "Delivered")
SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now(), 1, CASE WHEN i % 4 > 0 THEN now() END,
       CASE WHEN i % 4 > 1 THEN now() END
  FROM generate_series(1, 140) i;

-- The same library's other half: what came in.
CREATE TABLE worked.received (
    "Id"         bigint PRIMARY KEY,
    "Version"    varchar(20)  NOT NULL,
    "Name"       varchar(200) NOT NULL,
    "Group"      varchar(200),
    "Content"    text,
    "Retries"    int          NOT NULL,
    "Added"      timestamp    NOT NULL,
    "ExpiresAt"  timestamp,
    "StatusName" varchar(50)  NOT NULL
);
INSERT INTO worked.received
SELECT i, 'v1', 'order.placed', 'mail.v1', '{"Headers": {}, "Value": 1}', 0, now(), CASE WHEN i % 4 < 2 THEN now()
           END,
       (ARRAY['Succeeded', 'Succeeded', 'Scheduled', 'Failed'])[1 + i % 4]
  FROM generate_series(1, 160) i;

-- Simply called so, with a key that is simply called id.
CREATE TABLE worked.idempotency (
    id         varchar(64) PRIMARY KEY,
    status     varchar(16) NOT NULL,
    response   text,
    created_at timestamp   NOT NULL DEFAULT (now() AT TIME ZONE 'utc'),
    expired_at timestamp
);
INSERT INTO worked.idempotency (id, status, response)
SELECT gen_random_uuid(), (ARRAY['processing', 'done', 'done'])[1 + i % 3], NULL FROM generate_series(1, 120) i;

-- Keywords for names.
CREATE TABLE counted.calls (
    "key"       varchar(120) NOT NULL,
    "user"      bigint       NOT NULL,
    "lock"      timestamptz,
    "Group"     text         NOT NULL DEFAULT 'main',
    "order"     int          NOT NULL DEFAULT 0,
    "timestamp" timestamptz  NOT NULL DEFAULT now(),
    "state"     text         NOT NULL CHECK ("state" IN ('new', 'working', 'done', 'error')),
    "result"    jsonb,
    PRIMARY KEY ("user", "key")
);
INSERT INTO counted.calls ("key", "user", "lock", "state")
SELECT gen_random_uuid(), i % 5, CASE WHEN i % 4 = 1 THEN now() END, (ARRAY['new', 'working', 'done', 'error'])[1 + i
           % 4]
  FROM generate_series(1, 120) i;

-- Padded with blanks.
CREATE TABLE worked.edi_messages_in (
    partner     char(10)    NOT NULL,
    message_no  char(20)    NOT NULL,
    status      char(12)    NOT NULL DEFAULT 'RECEIVED',
    content     text        NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (partner, message_no)
);
INSERT INTO worked.edi_messages_in (partner, message_no, status, content)
SELECT 'ACME', 'N' || i, (ARRAY['RECEIVED', 'PROCESSED', 'PROCESSED', 'REJECTED'])[1 + i % 4], 'UNB+1'
  FROM generate_series(1, 120) i;

-- A hash is the key.
CREATE TABLE worked.request_dedupe (
    dedupe_hash bytea PRIMARY KEY,
    outcome     text        NOT NULL CHECK (outcome IN ('pending', 'accepted', 'rejected')),
    seen_at     timestamptz NOT NULL DEFAULT now()
);
INSERT INTO worked.request_dedupe
SELECT sha256(i::text::bytea), (ARRAY['pending', 'accepted', 'rejected'])[1 + i % 3], now() FROM generate_series(1,
           90) i;

-- A stamp, and a limit that the service knows.
CREATE TABLE counted.refund_attempts (
    merchant_id    uuid        NOT NULL,
    refund_key     text        NOT NULL,
    payload_digest text        NOT NULL,
    state          text        NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'working', 'refunded', 'gave_up')),
    locked_at      timestamptz,
    locked_by      text,
    created_at     timestamptz NOT NULL DEFAULT now(),
    UNIQUE (merchant_id, refund_key),
    id             uuid PRIMARY KEY DEFAULT gen_random_uuid()
);
INSERT INTO counted.refund_attempts (merchant_id, refund_key, payload_digest, state, locked_at)
SELECT gen_random_uuid(), 'r' || i, md5(i::text), (ARRAY['open', 'working', 'refunded', 'gave_up'])[1 + i % 4],
       CASE WHEN i % 4 = 1 THEN now() END
  FROM generate_series(1, 120) i;

-- A lease for a name: whoever holds it until then.
CREATE TABLE worked.shedlock (
    name       varchar(64)  PRIMARY KEY,
    lock_until timestamptz  NOT NULL,
    locked_at  timestamptz  NOT NULL,
    locked_by  varchar(255) NOT NULL
);
INSERT INTO worked.shedlock
SELECT 'job-' || i, now() + interval '1 min', now(), 'host-1' FROM generate_series(1, 12) i;

-- Nothing but an expiry says when work is given up.
CREATE TABLE worked.powertools_keys (
    id              text PRIMARY KEY,
    status          text NOT NULL,
    expiration      bigint NOT NULL,
    in_progress_expiration bigint,
    data            text,
    validation      text
);
INSERT INTO worked.powertools_keys
SELECT 'fn#' || md5(i::text), (ARRAY['INPROGRESS', 'COMPLETED', 'COMPLETED'])[1 + i % 3], 1764003600 + i,
       CASE WHEN i % 3 = 0 THEN 1764000000000 + i END, NULL, NULL
  FROM generate_series(1, 120) i;

-- Each row has its own limit.
CREATE TABLE counted.worker_claims (
    claim_key     text PRIMARY KEY,
    worker_name   text        NOT NULL,
    status        text        NOT NULL CHECK (status IN ('claimed', 'released', 'failed')),
    claimed_at    timestamptz NOT NULL DEFAULT now(),
    claim_seconds int         NOT NULL DEFAULT 60
);
INSERT INTO counted.worker_claims (claim_key, worker_name, status)
SELECT 'c' || i, 'w' || i % 4, (ARRAY['claimed', 'released', 'failed'])[1 + i % 3] FROM generate_series(1, 90) i;

-- Each row has its own limit, as an interval.
CREATE TABLE worked.lease_requests (
    scope         text        NOT NULL,
    request_id    text        NOT NULL,
    status        text        NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
    claimed_at    timestamptz,
    lease_timeout interval    NOT NULL DEFAULT '30 s',
    attempt_count int         NOT NULL DEFAULT 0,
    created_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (scope, request_id)
);
INSERT INTO worked.lease_requests (scope, request_id, status, claimed_at)
SELECT 'pay', 'r' || i, (ARRAY['processing', 'completed', 'failed'])[1 + i % 3], now() FROM generate_series(1, 90) i;

-- Its owner beats in another table.
CREATE TABLE worked.workers (
    worker_id      uuid PRIMARY KEY,
    host           text        NOT NULL,
    last_heartbeat timestamptz NOT NULL
);
CREATE TABLE worked.async_commands (
    command_id   uuid PRIMARY KEY,
    worker_id    uuid REFERENCES worked.workers (worker_id),
    command_name text NOT NULL,
    arguments    jsonb NOT NULL,
    status       text NOT NULL CHECK (status IN ('queued', 'running', 'done', 'failed'))
);
INSERT INTO worked.workers SELECT ('00000000-0000-0000-0000-00000000000' || i)::uuid, 'h', now() FROM
           generate_series(1, 3) i;
INSERT INTO worked.async_commands
SELECT gen_random_uuid(), CASE WHEN i % 4 = 1 THEN '00000000-0000-0000-0000-000000000001'::uuid END, 'Rebuild', '{}',
       (ARRAY['queued', 'running', 'done', 'failed'])[1 + i % 4]
  FROM generate_series(1, 100) i;

-- Whether it runs is known by an advisory lock alone.
CREATE TABLE counted.settlement_runs_dedup (
    dedup_key text PRIMARY KEY,
    status    text NOT NULL DEFAULT 'RUNNING' CHECK (status IN ('RUNNING', 'DONE', 'FAILED'))
);
INSERT INTO counted.settlement_runs_dedup
SELECT 'd' || i, (ARRAY['RUNNING', 'DONE', 'FAILED'])[1 + i % 3] FROM generate_series(1, 60) i;

-- A version that every writer counts up.
CREATE TABLE worked.order_commands (
    order_ref   text        NOT NULL,
    command_key text        NOT NULL,
    status      text        NOT NULL CHECK (status IN ('accepted', 'in_progress', 'completed', 'rejected')),
    version     bigint      NOT NULL DEFAULT 0,
    updated_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (order_ref, command_key)
);
INSERT INTO worked.order_commands (order_ref, command_key, status)
SELECT 'o' || i, 'k' || i, (ARRAY['accepted', 'in_progress', 'completed', 'rejected'])[1 + i % 4]
  FROM generate_series(1, 100) i;

-- The status is generated from what is written.
CREATE TABLE worked.notification_outbox (
    id           uuid PRIMARY KEY,
    channel      text        NOT NULL,
    payload      jsonb       NOT NULL,
    sent_at      timestamptz,
    failed_at    timestamptz,
    status       text GENERATED ALWAYS AS (CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN failed_at IS NOT NULL
                     THEN 'failed' ELSE 'pending' END) STORED,
    created_at   timestamptz NOT NULL DEFAULT now()
);
INSERT INTO worked.notification_outbox (id, channel, payload, sent_at, failed_at)
SELECT gen_random_uuid(), 'mail', '{}', CASE WHEN i % 3 = 1 THEN now() END, CASE WHEN i % 3 = 2 THEN now() END
  FROM generate_series(1, 90) i;

-- Empty after a crash.
CREATE UNLOGGED TABLE counted.rate_guard_requests (
    client_ref   text        NOT NULL,
    nonce        text        NOT NULL,
    body_md5     uuid        NOT NULL,
    result_state text        NOT NULL CHECK (result_state IN ('processing', 'succeeded', 'failed')),
    created_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (client_ref, nonce)
);
INSERT INTO counted.rate_guard_requests
SELECT 'c1', md5(i::text), md5(i::text)::uuid, (ARRAY['processing', 'succeeded', 'failed'])[1 + i % 3], now()
  FROM generate_series(1, 90) i;

-- received_at is an address here, and the owner a number of a node.
CREATE TABLE worked.wolverine_incoming_envelopes (
    id             uuid        NOT NULL,
    status         varchar     NOT NULL,
    owner_id       int         NOT NULL,
    execution_time timestamptz DEFAULT NULL,
    attempts       int         DEFAULT 0,
    body           bytea       NOT NULL,
    message_type   varchar     NOT NULL,
    received_at    varchar     NOT NULL,
    keep_until     timestamptz,
    PRIMARY KEY (id, received_at)
);
INSERT INTO worked.wolverine_incoming_envelopes
SELECT gen_random_uuid(), (ARRAY['Incoming', 'Handled', 'Handled', 'Scheduled'])[1 + i % 4], i % 3, NULL, 1, '\x00',
       'OrderPlaced', 'rabbitmq://queue/orders', CASE WHEN i % 4 IN (1, 2) THEN now() END
  FROM generate_series(1, 140) i;

CREATE TABLE worked."OutboxData" (
    "MessageId"          varchar(200) PRIMARY KEY,
    "Dispatched"         boolean NOT NULL DEFAULT false,
    "DispatchedAt"       timestamp,
    "PersistenceVersion" varchar(23) NOT NULL,
    "Operations"         jsonb NOT NULL
);
INSERT INTO worked."OutboxData"
SELECT gen_random_uuid(), i % 4 > 0, CASE WHEN i % 4 > 0 THEN now() END, '1.0.0.0', '[]' FROM generate_series(1, 120)
           i;

CREATE TABLE counted."OutboxState" (
    "OutboxId"           uuid PRIMARY KEY,
    "LockId"             uuid        NOT NULL,
    "RowVersion"         bytea,
    "Created"            timestamptz NOT NULL,
    "Delivered"          timestamptz,
    "LastSequenceNumber" bigint
);
INSERT INTO counted."OutboxState"
SELECT gen_random_uuid(), gen_random_uuid(), NULL, now(), CASE WHEN i % 3 > 0 THEN now() END, i
  FROM generate_series(1, 90) i;
ANALYZE;
