-- SPDX-License-Identifier: GPL-3.0-or-later
-- Tables on which a careless pager loses or repeats rows: NULL in every nullable column, ties, infinities, NaN, an empty
-- key, keys of 10 kB, numbers equal but printed otherwise, identities of citext and uuid, an identity that is none.
CREATE SCHEMA torture;
CREATE SCHEMA ext;
CREATE EXTENSION citext SCHEMA ext;
CREATE TYPE torture.status AS ENUM ('open', 'busy', 'done', 'broken', 'odd');

CREATE FUNCTION torture.make_rows(n integer)
RETURNS TABLE (tenant text, user_id uuid, key text, id bigint, hash text, status torture.status, attempts integer, owner text,
    created_at timestamptz, updated_ms bigint, lease timestamp, expires_at timestamptz, patience interval, result_type text,
    result_id text, code text, body jsonb, rowno text, message text, "real" float8, amount numeric)
LANGUAGE sql STABLE AS $$
SELECT CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'tenant-' || (i % 3) END,
    CASE WHEN i % 5 = 0 THEN NULL ELSE ('00000000-0000-0000-0000-00000000000' || (i % 5))::uuid END,
    CASE i WHEN 1 THEN '' WHEN 2 THEN repeat('long ', 2048) WHEN 3 THEN E'line\nfeed\u202E<img src=x>' WHEN 4 THEN '100%_\*'
        ELSE 'ord-' || lpad(i::text, 4, '0') END,
    i * 10, CASE WHEN i % 3 = 0 THEN NULL ELSE md5((i % 7)::text) END,
    (ARRAY['open', 'busy', 'done', 'broken', 'odd', NULL])[1 + i % 6]::torture.status,
    CASE WHEN i % 4 = 0 THEN NULL ELSE i % 3 END,
    CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'Worker-A' WHEN 2 THEN 'worker-a' WHEN 3 THEN '' ELSE 'b,c"d' END,
    CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN 'infinity' WHEN 2 THEN '-infinity' ELSE now() - (i / 5 * interval '1 hour') END,
    CASE WHEN i % 6 = 0 THEN NULL ELSE 1700000000000 + i / 4 END,
    CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'infinity'::timestamp ELSE (now() AT TIME ZONE 'UTC') + ((i - 22) * interval '1 minute') END,
    CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN 'infinity' ELSE now() + ((i - 25) * interval '1 day') END,
    CASE WHEN i % 2 = 0 THEN NULL ELSE interval '10 minutes' END,
    CASE WHEN i % 3 = 0 THEN 'order' WHEN i % 3 = 1 THEN 'a/b' END, CASE WHEN i % 2 = 0 THEN i::text END,
    CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN 'OK' ELSE (200 + i * 10)::text END,
    CASE WHEN i % 2 = 0 THEN jsonb_build_object('n', 1.00, 'i', i) END, i::text,
    CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN 'Timeout after ' || i ELSE repeat('x', 400) END,
    CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN 'NaN' WHEN 2 THEN 'Infinity' WHEN 3 THEN '-Infinity' WHEN 4 THEN 0.1::float8 + 0.2 ELSE '-0' END,
    CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN 1.0 WHEN 2 THEN 1.00 ELSE 12345678901234567890.12345678901234567890 END
FROM generate_series(1, n) AS i
$$;

CREATE TABLE torture.plain AS SELECT * FROM torture.make_rows(45);
ALTER TABLE torture.plain ADD PRIMARY KEY (id);
CREATE INDEX ON torture.plain (created_at);
CREATE INDEX ON torture.plain (updated_ms);

-- citext and uuid as identity, operators outside pg_catalog
CREATE TABLE torture.folded AS SELECT r.*, ('Key-' || (id / 20))::ext.citext AS name,
    ('00000000-0000-0000-0000-0000000000' || lpad((id / 10 % 2)::text, 2, '0'))::uuid AS part FROM torture.make_rows(45) r;
ALTER TABLE torture.folded ADD PRIMARY KEY (name, part);
CREATE INDEX ON torture.folded (created_at, name, part);

-- nothing is unique, and every column of the identity may be NULL
CREATE TABLE torture.loose AS SELECT r.*, (CASE WHEN id / 10 % 3 = 0 THEN NULL WHEN id / 10 % 3 = 1 THEN 'A' ELSE 'a' END)::ext.citext AS name,
    CASE WHEN id / 10 % 2 = 0 THEN NULL ELSE 1.0 END::numeric AS part FROM torture.make_rows(45) r;

CREATE TABLE torture.none (LIKE torture.plain INCLUDING ALL);
ANALYZE;
