-- SPDX-License-Identifier: GPL-3.0-or-later
-- Further tables of any application, with rows: some speak of states, attempts, hashes, locks and payloads, too.
-- None is
-- a store of keys, messages or jobs.
INSERT INTO ordinary.users (email, name) SELECT 'u' || i || '@example.org', 'U' FROM generate_series(1, 60) i;
INSERT INTO ordinary.sessions SELECT md5(i::text), i, '{}', now(), now() FROM generate_series(1, 60) i;
INSERT INTO ordinary.schema_migrations SELECT 'V' || i, md5(i::text), true, now() FROM generate_series(1, 30) i;
INSERT INTO ordinary.cache SELECT md5(i::text), '\x00', now() FROM generate_series(1, 60) i;
INSERT INTO ordinary.settings SELECT 'global', 'k' || i, '{"a": 1}' FROM generate_series(1, 30) i;
INSERT INTO ordinary.invoices SELECT gen_random_uuid(), 'i' || i, (ARRAY['open', 'paid', 'failed'])[1 + i % 3], i,
    NULL
  FROM generate_series(1, 60) i;
INSERT INTO ordinary.refresh_tokens SELECT encode(sha256(i::text::bytea), 'hex'), i, NULL, now(), now()
  FROM generate_series(1, 60) i;
INSERT INTO ordinary.audit_log (actor, action, payload) SELECT 'a', 'login', '{}' FROM generate_series(1, 60) i;

CREATE TABLE ordinary.orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer_id bigint NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'processing', 'completed', 'cancelled')),
    total_amount numeric(12, 2) NOT NULL, placed_at timestamptz NOT NULL DEFAULT now(), completed_at timestamptz);
INSERT INTO ordinary.orders (customer_id, status, total_amount)
SELECT i, (ARRAY['pending', 'processing', 'completed', 'cancelled'])[1 + i % 4], i FROM generate_series(1, 120) i;
CREATE TABLE ordinary.order_lines (order_id bigint NOT NULL REFERENCES ordinary.orders (id) ON DELETE CASCADE,
    line_no int NOT NULL, sku text NOT NULL, quantity int NOT NULL, PRIMARY KEY (order_id, line_no));
INSERT INTO ordinary.order_lines SELECT i, 1, 's', 2 FROM generate_series(1, 120) i;
CREATE TABLE ordinary.payments (id uuid PRIMARY KEY, order_id bigint NOT NULL, provider_reference text NOT NULL
    UNIQUE,
    status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'refunded')), amount_cents bigint NOT
    NULL,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now());
INSERT INTO ordinary.payments SELECT gen_random_uuid(), i, 'ch_' || i,
    (ARRAY['pending', 'succeeded', 'failed'])[1 + i % 3], i FROM generate_series(1, 90) i;
CREATE TABLE ordinary.shipments (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, order_id bigint NOT NULL,
    tracking_number text UNIQUE, carrier text NOT NULL, status text NOT NULL, shipped_at timestamptz,
    delivered_at timestamptz, created_at timestamptz NOT NULL DEFAULT now());
INSERT INTO ordinary.shipments (order_id, tracking_number, carrier, status) SELECT i, 'T' || i, 'dhl',
    (ARRAY['pending', 'in_transit', 'delivered'])[1 + i % 3] FROM generate_series(1, 90) i;
CREATE TABLE ordinary.carts (id uuid PRIMARY KEY, session_key text NOT NULL UNIQUE, user_id bigint, items jsonb NOT
    NULL,
    state text NOT NULL DEFAULT 'active', abandoned_at timestamptz, updated_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now());
INSERT INTO ordinary.carts (id, session_key, items, state) SELECT gen_random_uuid(), 's' || i, '[]',
    (ARRAY['active', 'abandoned', 'converted'])[1 + i % 3] FROM generate_series(1, 90) i;
CREATE TABLE ordinary.api_tokens (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, token_hash text NOT NULL UNIQUE,
    name text NOT NULL, user_id bigint NOT NULL, scopes text[] NOT NULL, last_used_at timestamptz, revoked_at
    timestamptz,
    expires_at timestamptz, created_at timestamptz NOT NULL DEFAULT now());
INSERT INTO ordinary.api_tokens (token_hash, name, user_id, scopes) SELECT encode(sha256(i::text::bytea), 'hex'),
    'ci', i,
    '{}' FROM generate_series(1, 60) i;
CREATE TABLE ordinary.api_keys (key_id uuid PRIMARY KEY, key_hash bytea NOT NULL UNIQUE, owner_id bigint NOT NULL,
    enabled boolean NOT NULL DEFAULT true, created_at timestamptz NOT NULL DEFAULT now(), expires_at timestamptz);
INSERT INTO ordinary.api_keys (key_id, key_hash, owner_id) SELECT gen_random_uuid(), sha256(i::text::bytea), i
  FROM generate_series(1, 60) i;
CREATE TABLE ordinary.webhook_subscriptions (id uuid PRIMARY KEY, tenant_id uuid NOT NULL, endpoint_url text NOT NULL,
    event_type text NOT NULL, secret text NOT NULL, status text NOT NULL DEFAULT 'active', failure_count int NOT NULL
    DEFAULT 0, disabled_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), UNIQUE (tenant_id,
    endpoint_url));
INSERT INTO ordinary.webhook_subscriptions (id, tenant_id, endpoint_url, event_type, secret) SELECT gen_random_uuid(),
    gen_random_uuid(), 'https://example.org/' || i, 'order.placed', md5(i::text) FROM generate_series(1, 60) i;
CREATE TABLE ordinary.analytics_events (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_name text NOT NULL,
    anonymous_id uuid NOT NULL, user_id bigint, properties jsonb NOT NULL, occurred_at timestamptz NOT NULL DEFAULT
    now());
INSERT INTO ordinary.analytics_events (event_name, anonymous_id, properties) SELECT 'page_view', gen_random_uuid(),
    '{}'
  FROM generate_series(1, 120) i;
CREATE TABLE ordinary.files (id uuid PRIMARY KEY, bucket text NOT NULL, object_key text NOT NULL, sha256 bytea NOT
    NULL,
    size_bytes bigint NOT NULL, content_type text NOT NULL, status text NOT NULL DEFAULT 'uploaded',
    created_at timestamptz NOT NULL DEFAULT now(), deleted_at timestamptz, UNIQUE (bucket, object_key));
INSERT INTO ordinary.files SELECT gen_random_uuid(), 'b', 'o' || i, sha256(i::text::bytea), i, 'image/png',
    'uploaded', now(),
    NULL FROM generate_series(1, 60) i;
CREATE TABLE ordinary.image_blobs (digest char(64) PRIMARY KEY, data bytea NOT NULL, created_at timestamptz NOT NULL
    DEFAULT now());
INSERT INTO ordinary.image_blobs SELECT encode(sha256(i::text::bytea), 'hex'), '\x00' FROM generate_series(1, 40) i;
CREATE TABLE ordinary.app_logs (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, level text NOT NULL, logger text
    NOT
    NULL, message text NOT NULL, trace_id text, logged_at timestamptz NOT NULL DEFAULT now());
INSERT INTO ordinary.app_logs (level, logger, message) SELECT (ARRAY['info', 'error', 'warn'])[1 + i % 3], 'web', 'm'
  FROM generate_series(1, 120) i;
CREATE TABLE ordinary.request_logs (request_id uuid PRIMARY KEY, method text NOT NULL, path text NOT NULL,
    status_code int NOT NULL, duration_ms int NOT NULL, user_agent text, created_at timestamptz NOT NULL DEFAULT
    now());
INSERT INTO ordinary.request_logs SELECT gen_random_uuid(), 'GET', '/', 200, 12, 'curl' FROM generate_series(1, 120)
    i;
CREATE TABLE ordinary.flyway_schema_history (installed_rank int PRIMARY KEY, version varchar(50), description
    varchar(200)
    NOT NULL, type varchar(20) NOT NULL, script varchar(1000) NOT NULL, checksum int, installed_by varchar(100) NOT
    NULL,
    installed_on timestamp NOT NULL DEFAULT now(), execution_time int NOT NULL, success boolean NOT NULL);
INSERT INTO ordinary.flyway_schema_history SELECT i, i::text, 'd', 'SQL', 'V.sql', 1, 'app', now(), 1, true
  FROM generate_series(1, 30) i;
CREATE TABLE ordinary.databasechangelog (id varchar(255) NOT NULL, author varchar(255) NOT NULL, filename
    varchar(255) NOT
    NULL, dateexecuted timestamp NOT NULL, orderexecuted int NOT NULL, exectype varchar(10) NOT NULL, md5sum
    varchar(35),
    description varchar(255), deployment_id varchar(10));
INSERT INTO ordinary.databasechangelog SELECT i::text, 'a', 'f.xml', now(), i, 'EXECUTED', '8:' || md5(i::text), 'd',
    '1'
  FROM generate_series(1, 30) i;
CREATE TABLE ordinary.databasechangeloglock (id int PRIMARY KEY, locked boolean NOT NULL, lockgranted timestamp,
    lockedby varchar(255));
INSERT INTO ordinary.databasechangeloglock VALUES (1, false, NULL, NULL);
CREATE TABLE ordinary.knex_migrations (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name varchar(255), batch int,
    migration_time timestamptz);
INSERT INTO ordinary.knex_migrations (name, batch, migration_time) SELECT 'm' || i, 1, now() FROM generate_series(1,
    20) i;
CREATE TABLE ordinary._prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at
    timestamptz, migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz, started_at timestamptz
    NOT
    NULL DEFAULT now(), applied_steps_count int NOT NULL DEFAULT 0);
INSERT INTO ordinary._prisma_migrations SELECT gen_random_uuid(), encode(sha256(i::text::bytea), 'hex'), now(), 'm'
    || i,
    NULL, NULL, now(), 1 FROM generate_series(1, 20) i;
CREATE TABLE ordinary.http_cache (cache_key text PRIMARY KEY, response_body bytea NOT NULL, headers jsonb NOT NULL,
    etag
    text, created_at timestamptz NOT NULL DEFAULT now(), expires_at timestamptz NOT NULL);
INSERT INTO ordinary.http_cache SELECT 'GET /' || i, '\x00', '{}', md5(i::text), now(), now() FROM generate_series(1,
    60) i;
CREATE TABLE ordinary.cache_locks (key varchar(255) PRIMARY KEY, owner varchar(255) NOT NULL, expiration int NOT
    NULL);
INSERT INTO ordinary.cache_locks SELECT 'k' || i, 'o', 1764000000 + i FROM generate_series(1, 20) i;
CREATE TABLE ordinary.password_resets (token_hash text PRIMARY KEY, email text NOT NULL, used_at timestamptz,
    created_at
    timestamptz NOT NULL DEFAULT now(), expires_at timestamptz NOT NULL);
INSERT INTO ordinary.password_resets SELECT encode(sha256(i::text::bytea), 'hex'), 'u@example.org', NULL, now(), now()
  FROM generate_series(1, 40) i;
CREATE TABLE ordinary.oauth_states (state text PRIMARY KEY, nonce text NOT NULL, redirect_uri text NOT NULL,
    created_at
    timestamptz NOT NULL DEFAULT now(), expires_at timestamptz NOT NULL);
INSERT INTO ordinary.oauth_states SELECT md5(i::text), md5(i::text), '/', now(), now() FROM generate_series(1, 40) i;
CREATE TABLE ordinary.support_tickets (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ticket_key text NOT NULL
    UNIQUE,
    subject text NOT NULL, status text NOT NULL CHECK (status IN ('new', 'open', 'in_progress', 'done')), priority
    int NOT
    NULL, assignee_id bigint, created_at timestamptz NOT NULL DEFAULT now(), resolved_at timestamptz);
INSERT INTO ordinary.support_tickets (ticket_key, subject, status, priority) SELECT 'T-' || i, 's',
    (ARRAY['new', 'open', 'in_progress', 'done'])[1 + i % 4], 1 FROM generate_series(1, 90) i;
CREATE TABLE ordinary.todo_items (id uuid PRIMARY KEY, title text NOT NULL, done boolean NOT NULL DEFAULT false,
    due_at timestamptz, completed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now());
INSERT INTO ordinary.todo_items SELECT gen_random_uuid(), 't', i % 2 = 0, NULL, NULL, now() FROM generate_series(1,
    60) i;
CREATE TABLE ordinary.blog_posts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, slug text NOT NULL UNIQUE,
    title text
    NOT NULL, body text NOT NULL, status text NOT NULL CHECK (status IN ('draft', 'scheduled', 'published')),
    published_at
    timestamptz, created_at timestamptz NOT NULL DEFAULT now());
INSERT INTO ordinary.blog_posts (slug, title, body, status) SELECT 'p' || i, 't', 'b',
    (ARRAY['draft', 'scheduled', 'published'])[1 + i % 3] FROM generate_series(1, 60) i;
CREATE TABLE ordinary.comments (id uuid PRIMARY KEY, post_id bigint NOT NULL, author_id bigint NOT NULL, content text
    NOT
    NULL, approved boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now());
INSERT INTO ordinary.comments SELECT gen_random_uuid(), i, i, 'c', true, now() FROM generate_series(1, 60) i;
CREATE TABLE ordinary.chat_messages (message_id uuid PRIMARY KEY, room_id bigint NOT NULL, sender_id bigint NOT NULL,
    content text NOT NULL, sent_at timestamptz NOT NULL DEFAULT now(), read_at timestamptz, edited_at timestamptz);
INSERT INTO ordinary.chat_messages SELECT gen_random_uuid(), 1, i, 'hello', now(), NULL, NULL FROM generate_series(1,
    90) i;
CREATE TABLE ordinary.notifications (id uuid PRIMARY KEY, type text NOT NULL, notifiable_id bigint NOT NULL, data
    jsonb NOT
    NULL, read_at timestamptz, created_at timestamptz NOT NULL DEFAULT now());
INSERT INTO ordinary.notifications SELECT gen_random_uuid(), 'InvoicePaid', i, '{}', NULL, now() FROM
    generate_series(1, 90) i;
CREATE TABLE ordinary.bookings (id uuid PRIMARY KEY, room_id bigint NOT NULL, guest_name text NOT NULL, starts_at
    timestamptz
    NOT NULL, ends_at timestamptz NOT NULL, status text NOT NULL CHECK (status IN ('pending', 'confirmed',
    'cancelled')),
    reserved_until timestamptz);
INSERT INTO ordinary.bookings SELECT gen_random_uuid(), i, 'g', now(), now(),
    (ARRAY['pending', 'confirmed', 'cancelled'])[1 + i % 3], NULL FROM generate_series(1, 60) i;
CREATE TABLE ordinary.subscriptions (id uuid PRIMARY KEY, customer_id bigint NOT NULL, plan_id bigint NOT NULL,
    status text
    NOT NULL, current_period_end timestamptz NOT NULL, cancelled_at timestamptz, created_at timestamptz NOT NULL
    DEFAULT
    now());
INSERT INTO ordinary.subscriptions SELECT gen_random_uuid(), i, 1, (ARRAY['active', 'past_due', 'cancelled'])[1 + i %
    3],
    now(), NULL, now() FROM generate_series(1, 60) i;
CREATE TABLE ordinary.builds (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, commit_sha char(40) NOT NULL,
    branch text
    NOT NULL, status text NOT NULL CHECK (status IN ('queued', 'running', 'success', 'failed')), started_at
    timestamptz,
    finished_at timestamptz, created_at timestamptz NOT NULL DEFAULT now());
INSERT INTO ordinary.builds (commit_sha, branch, status) SELECT encode(digest, 'hex'), 'main',
    (ARRAY['queued', 'running', 'success', 'failed'])[1 + i % 4]
  FROM (SELECT i, substr(sha256(i::text::bytea), 1, 20) AS digest FROM generate_series(1, 60) i) x;
CREATE TABLE ordinary.devices (device_id uuid PRIMARY KEY, owner_id bigint NOT NULL, firmware text NOT NULL, status
    text NOT
    NULL, last_heartbeat timestamptz, registered_at timestamptz NOT NULL DEFAULT now());
INSERT INTO ordinary.devices SELECT gen_random_uuid(), i, '1.0', (ARRAY['online', 'offline'])[1 + i % 2], now()
  FROM generate_series(1, 60) i;
CREATE TABLE ordinary.documents (id uuid PRIMARY KEY, title text NOT NULL, content jsonb NOT NULL, content_hash text
    NOT NULL,
    locked_by bigint, locked_at timestamptz, version int NOT NULL DEFAULT 1, created_at timestamptz NOT NULL DEFAULT
    now(),
    updated_at timestamptz NOT NULL DEFAULT now());
INSERT INTO ordinary.documents SELECT gen_random_uuid(), 't', '{}', md5(i::text) FROM generate_series(1, 60) i;
CREATE TABLE ordinary.login_attempts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id bigint NOT NULL, ip
    inet NOT
    NULL, success boolean NOT NULL, attempted_at timestamptz NOT NULL DEFAULT now());
INSERT INTO ordinary.login_attempts (user_id, ip, success) SELECT i, '127.0.0.1', true FROM generate_series(1, 60) i;
CREATE TABLE ordinary.rate_limits (key text PRIMARY KEY, attempts int NOT NULL, window_start timestamptz NOT NULL,
    expires_at
    timestamptz NOT NULL);
INSERT INTO ordinary.rate_limits SELECT 'ip:' || i, 1, now(), now() FROM generate_series(1, 60) i;
CREATE TABLE ordinary.exchange_rates (base char(3) NOT NULL, quote char(3) NOT NULL, rate numeric NOT NULL, source
    text NOT
    NULL, created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (source, base, quote));
INSERT INTO ordinary.exchange_rates SELECT 'EUR', 'U' || i, 1, 'ecb' FROM generate_series(10, 40) i;
CREATE TABLE ordinary.translations (locale text NOT NULL, message_key text NOT NULL, content text NOT NULL, updated_at
    timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (locale, message_key));
INSERT INTO ordinary.translations SELECT 'en', 'k' || i, 'c' FROM generate_series(1, 60) i;
CREATE TABLE ordinary.event_store (stream_id uuid NOT NULL, version int NOT NULL, event_type text NOT NULL, payload
    jsonb NOT
    NULL, recorded_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (stream_id, version));
INSERT INTO ordinary.event_store SELECT gen_random_uuid(), 1, 'Opened', '{}' FROM generate_series(1, 90) i;
CREATE TABLE ordinary.ab_assignments (experiment text NOT NULL, user_id bigint NOT NULL, variant text NOT NULL,
    assigned_at
    timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (experiment, user_id));
INSERT INTO ordinary.ab_assignments SELECT 'e', i, 'a' FROM generate_series(1, 60) i;
CREATE TABLE ordinary.cities (id int PRIMARY KEY, name text NOT NULL, country char(2) NOT NULL, population int);
INSERT INTO ordinary.cities SELECT i, 'c', 'DE', i FROM generate_series(1, 60) i;
CREATE TABLE ordinary.coupons (code text PRIMARY KEY, discount_cents int NOT NULL, redeemed_at timestamptz, expires_at
    timestamptz, state text NOT NULL);
INSERT INTO ordinary.coupons SELECT 'c' || i, 1, NULL, NULL, (ARRAY['available', 'used', 'expired'])[1 + i % 3]
  FROM generate_series(1, 60) i;
CREATE TABLE ordinary.employees (employee_no text PRIMARY KEY, full_name text NOT NULL, phone text, hired_on date NOT
    NULL,
    state text NOT NULL);
INSERT INTO ordinary.employees SELECT 'e' || i, 'n', NULL, '2020-01-01', 'active' FROM generate_series(1, 60) i;
CREATE TABLE ordinary.tags (id int PRIMARY KEY, name text NOT NULL UNIQUE);
INSERT INTO ordinary.tags SELECT i, 't' || i FROM generate_series(1, 60) i;
ANALYZE;
