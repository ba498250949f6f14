-- SPDX-License-Identifier: GPL-3.0-or-later
-- Where old messages of the shop's consumers are kept, as seed 001 16 proposes: what a purge moves out of the small table
-- goes there. A few that are past their time wait to be moved.
CREATE TABLE app.processed_message_history (
    consumer_name   text        NOT NULL,
    message_id      text        NOT NULL,
    message_hash    text        NOT NULL,
    processed_at    timestamptz NOT NULL,
    result_ref_type text,
    result_ref_id   uuid,
    CONSTRAINT processed_message_history_pkey PRIMARY KEY (consumer_name, message_id)
);

WITH old AS (
    SELECT (ARRAY['billing', 'search-index', 'fraud-scoring'])[1 + n % 3] AS consumer,
           md5('old message ' || n)::uuid::text AS message,
           now() - interval '91 days' - n * interval '37 minutes' AS at, n
      FROM generate_series(1, 2600) AS n
), waiting AS (
    INSERT INTO app.processed_message (consumer_name, message_id, message_hash, processed_at)
    SELECT o.consumer, o.message, md5(o.message), o.at FROM old o WHERE o.n <= 180
)
INSERT INTO app.processed_message_history (consumer_name, message_id, message_hash, processed_at)
SELECT o.consumer, o.message, md5(o.message), o.at FROM old o WHERE o.n > 180;
ANALYZE app.processed_message, app.processed_message_history;
