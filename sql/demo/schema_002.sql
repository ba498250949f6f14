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
