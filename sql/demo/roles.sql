-- SPDX-License-Identifier: GPL-3.0-or-later
-- Roles belong to the cluster and outlive a reload of the database.
DO $body$
BEGIN
    IF to_regrole('demo_operator') IS NULL THEN
        -- The person at the console: reads everything, also other people's sessions; changes nothing.
        CREATE ROLE demo_operator LOGIN;
    END IF;
    IF to_regrole('demo_service') IS NULL THEN
        -- The services whose work is shown.
        CREATE ROLE demo_service LOGIN;
    END IF;
END
$body$;
GRANT pg_monitor TO demo_operator;
