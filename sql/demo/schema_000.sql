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

-- The claim, which is also how a worker ends its own: the row says afterwards whether it is new (pending), was ended
-- just now or before (completed), or failed. A second claim of a pending key therefore completes it with an empty
-- answer.
CREATE FUNCTION seed000.begin_payment(
    p_tenant uuid, p_key text, p_response jsonb DEFAULT NULL, OUT status text, OUT response jsonb)
LANGUAGE sql AS $body$
    INSERT INTO seed000.idempotency_keys AS k (tenant_id, idempotency_key, status, response_payload, expires_at)
    VALUES (p_tenant, p_key, 'pending', p_response, now() + interval '24 hours')
        ON CONFLICT ON CONSTRAINT uk_tenant_key DO UPDATE
       SET response_payload = CASE k.status WHEN 'completed' THEN k.response_payload ELSE EXCLUDED.response_payload END,
           status = CASE k.status WHEN 'pending' THEN 'completed' ELSE k.status END
    RETURNING k.status, k.response_payload
$body$;

CREATE FUNCTION seed000.begin_export(
    p_tenant uuid, p_key text, p_response jsonb DEFAULT NULL, OUT status text, OUT response jsonb)
LANGUAGE sql AS $body$
    INSERT INTO seed000.idempotency_keys_heartbeat AS k
        (tenant_id, idempotency_key, status, response_payload, expires_at)
    VALUES (p_tenant, p_key, 'pending', p_response, now() + interval '3 days')
        ON CONFLICT ON CONSTRAINT uk_tenant_key_heartbeat DO UPDATE
       SET response_payload = CASE k.status WHEN 'completed' THEN k.response_payload ELSE EXCLUDED.response_payload END,
           status = CASE k.status WHEN 'pending' THEN 'completed' ELSE k.status END
    RETURNING k.status, k.response_payload
$body$;
