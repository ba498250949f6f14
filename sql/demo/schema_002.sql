-- SPDX-License-Identifier: GPL-3.0-or-later
-- A key held by a lock time, first as one table, then split by day.
CREATE SCHEMA IF NOT EXISTS seed002;

CREATE TYPE seed002.idempotency_status AS ENUM ('started', 'completed', 'failed');

CREATE TABLE seed002.idempotency_keys (
    idempotency_key varchar(255),
    status          seed002.idempotency_status NOT NULL,
    user_id         uuid                       NOT NULL,
    response_code   int,
    response_body   jsonb,
    created_at      timestamptz                NOT NULL DEFAULT now(),
    updated_at      timestamptz                NOT NULL DEFAULT now(),
    locked_at       timestamptz,
    PRIMARY KEY (idempotency_key)
);

CREATE INDEX idx_idempotency_keys_user_id ON seed002.idempotency_keys (user_id);

-- The business rows; the service writes them in the same transaction as the key.
CREATE TABLE seed002.charges (
    id      varchar(255),
    user_id uuid   NOT NULL,
    amount  bigint NOT NULL,
    PRIMARY KEY (id)
);

-- A unique key of a partitioned table must contain the partition key: one key may have a row per day.
CREATE TABLE seed002.idempotency_keys_partitioned (
    idempotency_key varchar(255)               NOT NULL,
    status          seed002.idempotency_status NOT NULL,
    user_id         uuid                       NOT NULL,
    response_code   int,
    response_body   jsonb,
    created_at      timestamptz                NOT NULL DEFAULT now(),
    updated_at      timestamptz                NOT NULL DEFAULT now(),
    locked_at       timestamptz,
    PRIMARY KEY (idempotency_key, created_at)
) PARTITION BY RANGE (created_at);

CREATE INDEX idx_idempotency_keys_partitioned_user_id ON seed002.idempotency_keys_partitioned (user_id);
CREATE INDEX idx_idempotency_keys_partitioned_created_at ON seed002.idempotency_keys_partitioned (created_at);

-- Makes one partition for each day from p_first to p_last, both included, bounded by midnight UTC; days that have one
-- already are passed over. Gives how many were made.
CREATE FUNCTION seed002.ensure_daily_partitions(p_first date, p_last date) RETURNS integer
LANGUAGE plpgsql AS $body$
DECLARE
    day  date := p_first;
    made integer := 0;
    part text;
BEGIN
    WHILE day <= p_last LOOP
        part := to_char(day, '"idempotency_keys_y"YYYY"m"MM"d"DD');
        IF to_regclass(format('seed002.%I', part)) IS NULL THEN
            EXECUTE format(
                'CREATE TABLE seed002.%I PARTITION OF seed002.idempotency_keys_partitioned FOR VALUES FROM (%L) TO (%L)',
                part, to_char(day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(day + 1, 'YYYY-MM-DD') || ' 00:00:00+00');
            made := made + 1;
        END IF;
        day := day + 1;
    END LOOP;
    RETURN made;
END
$body$;

-- Begins an operation under a key, or says why not: new, completed (with what is stored), busy or again.
CREATE FUNCTION seed002.begin_operation(p_key text, p_user uuid, OUT outcome text, OUT code integer, OUT body jsonb)
LANGUAGE plpgsql AS $body$
DECLARE
    held seed002.idempotency_keys;
BEGIN
    INSERT INTO seed002.idempotency_keys (idempotency_key, status, user_id, locked_at)
    VALUES (p_key, 'started', p_user, now()) ON CONFLICT (idempotency_key) DO NOTHING;
    IF FOUND THEN
        outcome := 'new';
        RETURN;
    END IF;
    SELECT k.* INTO STRICT held FROM seed002.idempotency_keys AS k WHERE k.idempotency_key = p_key;
    IF held.status = 'completed' THEN
        outcome := 'completed';
        code := held.response_code;
        body := held.response_body;
    ELSIF held.status = 'started' AND held.locked_at > now() - interval '5 minutes' THEN
        outcome := 'busy';
        code := 409;
    ELSE -- failed, or its lock is old or missing
        outcome := 'again';
        UPDATE seed002.idempotency_keys AS k SET status = 'started', locked_at = now(), updated_at = now()
         WHERE k.idempotency_key = p_key;
    END IF;
END
$body$;

-- The same on the table by day. Its unique key cannot be the key alone, so that no second insert meets the first row.
CREATE FUNCTION seed002.begin_operation_by_day(p_key text, p_user uuid) RETURNS text
LANGUAGE plpgsql AS $body$
BEGIN
    INSERT INTO seed002.idempotency_keys_partitioned (idempotency_key, status, user_id, created_at, locked_at)
    VALUES (p_key, 'started', p_user, clock_timestamp(), clock_timestamp()) ON CONFLICT DO NOTHING;
    RETURN CASE WHEN FOUND THEN 'new' ELSE 'known' END;
END
$body$;
