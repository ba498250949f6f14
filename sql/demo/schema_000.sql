-- SPDX-License-Identifier: GPL-3.0-or-later
-- Keys per tenant with a cached response; a key that stays pending is freed by deleting its row.
CREATE SCHEMA IF NOT EXISTS seed000;

CREATE TABLE seed000.idempotency_keys (
    id               uuid         DEFAULT gen_random_uuid(),
    tenant_id        uuid         NOT NULL,
    idempotency_key  varchar(255) NOT NULL,
    status           varchar(32)  NOT NULL,
    response_payload jsonb,
    created_at       timestamptz  NOT NULL DEFAULT now(),
    expires_at       timestamptz  NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT uk_tenant_key UNIQUE (tenant_id, idempotency_key),
    CONSTRAINT idempotency_keys_status_check CHECK (status IN ('pending', 'completed', 'failed'))
);

-- An index predicate must be immutable, so "not expired yet" and "expired" cannot be predicates. The lookup index carries
-- the expiry instead and answers from the index alone; the cleanup index is ordered by expiry and read from its old end.
CREATE INDEX idx_idempotency_active_lookup
    ON seed000.idempotency_keys (tenant_id, idempotency_key) INCLUDE (expires_at, status);
CREATE INDEX idx_idempotency_expired_cleanup ON seed000.idempotency_keys (expires_at);
-- The orphan sweep looks for old pending rows only.
CREATE INDEX idx_idempotency_orphans ON seed000.idempotency_keys (created_at) WHERE status = 'pending';

-- The same table where the worker says from time to time that it lives.
CREATE TABLE seed000.idempotency_keys_heartbeat (
    id                uuid         DEFAULT gen_random_uuid(),
    tenant_id         uuid         NOT NULL,
    idempotency_key   varchar(255) NOT NULL,
    status            varchar(32)  NOT NULL,
    response_payload  jsonb,
    created_at        timestamptz  NOT NULL DEFAULT now(),
    expires_at        timestamptz  NOT NULL,
    last_heartbeat_at timestamptz,
    PRIMARY KEY (id),
    CONSTRAINT uk_tenant_key_heartbeat UNIQUE (tenant_id, idempotency_key),
    CONSTRAINT idempotency_keys_heartbeat_status_check CHECK (status IN ('pending', 'completed', 'failed'))
);

CREATE INDEX idx_idempotency_heartbeat_active_lookup
    ON seed000.idempotency_keys_heartbeat (tenant_id, idempotency_key) INCLUDE (expires_at, status);
CREATE INDEX idx_idempotency_heartbeat_expired_cleanup ON seed000.idempotency_keys_heartbeat (expires_at);
CREATE INDEX idx_idempotency_heartbeat_orphans
    ON seed000.idempotency_keys_heartbeat (last_heartbeat_at) WHERE status = 'pending';
