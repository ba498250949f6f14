-- SPDX-License-Identifier: GPL-3.0-or-later
-- Tables of any application, none of which keeps idempotency keys: what detection must pass over.
CREATE SCHEMA ordinary;

CREATE TABLE ordinary.users (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email      text        NOT NULL UNIQUE,
    name       text        NOT NULL,
    status     text        NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'locked', 'deleted')),
    locked_at  timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE ordinary.sessions (
    session_id text        PRIMARY KEY,
    user_id    bigint      NOT NULL REFERENCES ordinary.users (id) ON DELETE CASCADE,
    data       jsonb       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_expires_at_idx ON ordinary.sessions (expires_at);

CREATE TABLE ordinary.schema_migrations (
    version     varchar(255) PRIMARY KEY,
    checksum    text         NOT NULL,
    success     boolean      NOT NULL,
    executed_at timestamptz  NOT NULL DEFAULT now()
);

CREATE TABLE ordinary.cache (
    key        text        PRIMARY KEY,
    value      bytea       NOT NULL,
    expires_at timestamptz
);

CREATE TABLE ordinary.settings (
    scope      text  NOT NULL,
    key        text  NOT NULL,
    value      jsonb NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (scope, key)
);

CREATE TABLE ordinary.products (
    sku         text           PRIMARY KEY,
    title       text           NOT NULL,
    price       numeric(10, 2) NOT NULL,
    status      text           NOT NULL CHECK (status IN ('draft', 'published', 'archived')),
    published_at timestamptz
);

CREATE TABLE ordinary.invoices (
    tenant_id  uuid        NOT NULL,
    invoice_no text        NOT NULL,
    status     text        NOT NULL CHECK (status IN ('open', 'paid', 'failed', 'void')),
    total      numeric(12, 2) NOT NULL,
    paid_at    timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, invoice_no)
);

CREATE TABLE ordinary.refresh_tokens (
    token_hash text        PRIMARY KEY,
    user_id    bigint      NOT NULL REFERENCES ordinary.users (id),
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);

CREATE TABLE ordinary.feature_flags (
    name    text    PRIMARY KEY,
    enabled boolean NOT NULL
);

CREATE TABLE ordinary.audit_log (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    actor      text        NOT NULL,
    action     text        NOT NULL,
    payload    jsonb       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
