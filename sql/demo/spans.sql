-- SPDX-License-Identifier: GPL-3.0-or-later
-- The partitions of a month of samples and of ten days of reports, made before two sessions fill them.
SET LOCAL ROLE idemdesk_owner;
SET LOCAL TimeZone = 'UTC';
SELECT idemdesk._ensure_span('sample_hour', 'month', m) FROM pg_catalog.generate_series(now() - interval '31 days', now(), interval '1 day') m;
SELECT idemdesk._ensure_span('sample_minute', 'day', m) FROM pg_catalog.generate_series(now() - interval '1 day', now(), interval '1 day') m;
SELECT idemdesk._ensure_span('event', 'day', m) FROM pg_catalog.generate_series(now() - interval '10 days', now(), interval '1 day') m;
RESET ROLE;
