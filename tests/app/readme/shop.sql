-- SPDX-License-Identifier: GPL-3.0-or-later
-- The table of README's five minutes: 612 rows of shop_owner. Twelve belong to workers that died two hours ago, two of
-- which had made their payment already.
CREATE TABLE payment_key (
    tenant text NOT NULL, idem_key text NOT NULL, request_hash text NOT NULL, status text NOT NULL,
    attempts integer NOT NULL DEFAULT 1, locked_by text, locked_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), expires_at timestamptz NOT NULL,
    response_code integer, response_body jsonb, PRIMARY KEY (tenant, idem_key));
CREATE TABLE payment (payment_id uuid PRIMARY KEY DEFAULT gen_random_uuid(), tenant text NOT NULL, idem_key text NOT NULL, amount numeric NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
INSERT INTO payment_key SELECT CASE WHEN i % 3 = 0 THEN 'acme' ELSE 'globex' END, 'pay-' || lpad(i::text, 5, '0'), md5(i::text),
    CASE WHEN i % 50 = 0 THEN 'failed' WHEN i > 600 THEN 'processing' ELSE 'succeeded' END, 1 + i % 3, CASE WHEN i > 600 THEN 'worker-' || i % 4 END,
    CASE WHEN i > 600 THEN now() - interval '2 hours' + i % 60 * interval '1 minute' END, now() - (700 - i) * interval '5 minutes' - interval '3 hours', now() - (700 - i) * interval '5 minutes' - interval '3 hours', now() - (700 - i) * interval '5 minutes' + interval '7 days',
    CASE WHEN i <= 600 THEN 200 END, CASE WHEN i <= 600 THEN '{"ok": true}'::jsonb END FROM generate_series(1, 612) i ORDER BY md5(i::text);
INSERT INTO payment (tenant, idem_key, amount) SELECT tenant, idem_key, 10 FROM payment_key WHERE status = 'succeeded' OR idem_key IN ('pay-00601', 'pay-00602');
CREATE INDEX ON payment_key (expires_at); CREATE INDEX ON payment (tenant, idem_key);
ANALYZE payment_key, payment;
GRANT SELECT ON payment_key, payment TO alice;
