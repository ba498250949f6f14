-- SPDX-License-Identifier: GPL-3.0-or-later
-- The console's own tables. Nobody but idemdesk_owner may write any of them; people reach them through functions.
DO $body$
BEGIN
    IF pg_catalog.to_regclass('idemdesk.migration') IS NOT NULL THEN
        RAISE EXCEPTION 'A console schema is installed in this database already.' USING ERRCODE = 'ID005',
            HINT = 'Where a pre-release of Idemdesk installed it: export the audit log, uninstall it, and install again.';
    END IF;
END
$body$;
SET LOCAL ROLE idemdesk_owner;

REVOKE ALL ON SCHEMA idemdesk FROM PUBLIC;
GRANT USAGE ON SCHEMA idemdesk TO idemdesk_viewer, idemdesk_reporter;

-- The version that was installed, and each one that it was upgraded to since.
CREATE TABLE idemdesk.migration (
    version    integer PRIMARY KEY,
    name       text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    applied_by text NOT NULL DEFAULT session_user
);

-- One row: which audit table is the real one (a renamed or replaced table has another oid), by which transaction the
-- first row of idemdesk.migration was written here (a dump may bring the same oid again, but writes that row anew; an
-- upgrade or a copy of the files does neither), and how long things are kept. Whoever shortens these times makes
-- evidence go, so they have bounds, and the trail knows them.
CREATE TABLE idemdesk.installation (
    only_one       boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    audit_oid      oid NOT NULL DEFAULT 0,
    written_by     xid NOT NULL DEFAULT '0',
    items_kept     interval NOT NULL DEFAULT '400 days' CHECK (items_kept BETWEEN '7 days' AND '100 years'),
    minutes_kept   interval NOT NULL DEFAULT '3 days' CHECK (minutes_kept BETWEEN '1 hour' AND '100 years'),
    hours_kept     interval NOT NULL DEFAULT '400 days' CHECK (hours_kept BETWEEN '1 day' AND '100 years'),
    days_kept      interval NOT NULL DEFAULT '10 years' CHECK (days_kept BETWEEN '1 day' AND '100 years'),
    conflicts_kept interval NOT NULL DEFAULT '400 days' CHECK (conflicts_kept BETWEEN '1 day' AND '100 years')
);
INSERT INTO idemdesk.installation DEFAULT VALUES;

-- Digests that people without a right to the rows may see are made with it: nobody proves a guess of the rows by them.
CREATE TABLE idemdesk.salt (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    value    bytea NOT NULL DEFAULT pg_catalog.decode(pg_catalog.replace(
        pg_catalog.gen_random_uuid()::pg_catalog.text || pg_catalog.gen_random_uuid()::pg_catalog.text, '-', ''), 'hex')
);
INSERT INTO idemdesk.salt DEFAULT VALUES;

-- What the guard compares with: each function, trigger and table of this schema as a whole, when it was installed.
CREATE TABLE idemdesk.definition (
    name   text PRIMARY KEY,
    digest bytea NOT NULL
);

-- For each owner of registered tables the role that runs what their code runs, and the one function that it owns.
CREATE TABLE idemdesk.runner (
    owner      oid PRIMARY KEY,
    runner     oid NOT NULL UNIQUE,
    trampoline text NOT NULL UNIQUE -- quoted, qualified
);

-- Logins that several people use: they prove nobody's identity, so they can neither request nor approve.
CREATE TABLE idemdesk.shared_login (
    login text PRIMARY KEY
);

CREATE TABLE idemdesk.target (
    name           text PRIMARY KEY CHECK (name <> ''),
    relation       oid NOT NULL,
    profile        text NOT NULL,   -- the JSON document as it was registered
    profile_sha    bytea NOT NULL,
    compiled       jsonb NOT NULL,  -- its expressions as SQL over t, placed by the console, vetted by who registered it
    search_path    text NOT NULL,   -- set only around statements on the target (its triggers need it)
    approval_above bigint,          -- actions on more rows than this wait for an approver; NULL: none does
    undo_window    interval NOT NULL DEFAULT '7 days' CHECK (undo_window BETWEEN '0' AND '100 years'),
    image_limit    bigint NOT NULL DEFAULT 1000000, -- purges above it keep images only by explicit choice
    reached        jsonb NOT NULL,  -- what its code and the profile's expressions reach: [kind, schema, name]
    fingerprint    jsonb NOT NULL,  -- of the table and of what is reached as they were registered, part by part
    findings       jsonb NOT NULL,  -- what registration saw: triggers, foreign keys, what stayed unproven
    registered_by  text NOT NULL,
    registered_at  timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
);

-- What was last agreed on for a table; it outlives the registration, which anybody who may register could repeat.
CREATE TABLE idemdesk.target_limit (
    relation       oid PRIMARY KEY,
    approval_above bigint,
    undo_window    interval NOT NULL CHECK (undo_window BETWEEN '0' AND '100 years'),
    set_by         text NOT NULL
);

CREATE TABLE idemdesk.action (
    id           uuid PRIMARY KEY,
    target       text NOT NULL,
    relation     oid NOT NULL,      -- the table itself: rights to images follow it, whatever name it is registered under
    verb         text NOT NULL
                 CHECK (verb IN ('recover', 'requeue', 'reclassify', 'align', 'purge', 'undo', 'detach', 'attach', 'drop', 'limit', 'adopt')),
    undo_of      uuid,
    requested_by text NOT NULL,
    requested_at timestamptz NOT NULL,
    opened_on    date NOT NULL,     -- partition of its items
    keep_until   date NOT NULL,     -- partition of its quarantine: past it nothing can be undone
    approved_by  text,
    approved_at  timestamptz,
    state        text NOT NULL
                 CHECK (state IN ('requested', 'running', 'paused', 'finished', 'cancelled', 'declined')),
    note         text,              -- why it is paused, where the server paused it
    reason       text NOT NULL CHECK (reason ~ '[^[:space:]]'),
    ticket       text,
    plan         jsonb NOT NULL,
    content_sha  bytea NOT NULL,    -- of everything asked for: a repeated open must ask for the same
    profile_sha  bytea NOT NULL,
    covers_sha   bytea NOT NULL,    -- of all that decides what it does: table, profile, SQL, path, limits, definitions
    cutoff       timestamptz,       -- of a purge or a detached partition: read once, when it was asked for
    planned_rows bigint NOT NULL,
    allowance    bigint NOT NULL,   -- a purge pauses here, and who resumes it needs another approval where one was needed
    last_batch   integer NOT NULL DEFAULT 0,
    next_row     integer NOT NULL DEFAULT 1,
    cursor       jsonb NOT NULL DEFAULT '{}',
    counts       jsonb NOT NULL DEFAULT '{}', -- outcome -> rows
    finished_at  timestamptz
);
CREATE INDEX action_by_time ON idemdesk.action (requested_at DESC, id);
CREATE INDEX action_of_group ON idemdesk.action ((plan -> 'group' ->> 'id')) WHERE plan ? 'group';
CREATE UNIQUE INDEX action_one_open_purge ON idemdesk.action (target)
    WHERE verb = 'purge' AND state IN ('requested', 'running', 'paused');
CREATE INDEX action_adoption ON idemdesk.action (id) WHERE verb = 'adopt';
CREATE INDEX action_undo_of ON idemdesk.action (undo_of) WHERE undo_of IS NOT NULL;

-- How far a purge went: the last value of what it walks by, which is a value of the table. The server alone keeps it.
CREATE TABLE idemdesk.action_mark (
    action uuid PRIMARY KEY REFERENCES idemdesk.action,
    by     text
);

-- Batches in which a connection was lost: from there on rows are tried one by one, until the one is found that did it.
CREATE TABLE idemdesk.action_lost (
    action uuid PRIMARY KEY REFERENCES idemdesk.action,
    batch  integer NOT NULL,
    until  integer NOT NULL  -- the first batch that may take more than one row again
);

-- Scopes that a purge was narrowed to, and what its batches took by scope: for those who may read the table.
CREATE TABLE idemdesk.action_scope (
    action uuid NOT NULL REFERENCES idemdesk.action,
    batch  integer NOT NULL, -- 0: the plan
    scopes jsonb NOT NULL,
    PRIMARY KEY (action, batch)
);

-- The frozen set of an action: what was previewed, and nothing else, is acted on.
CREATE TABLE idemdesk.action_row (
    action      uuid NOT NULL REFERENCES idemdesk.action,
    ordinal     integer NOT NULL,
    identity    text[] NOT NULL,
    guard       text[] NOT NULL,
    rule        integer NOT NULL,
    effect_id   text,       -- what the person chose among those that the rule's own query finds
    winner      jsonb,      -- of an align: the other side's row as it was seen, {"state", "fingerprint", "at", "values"}
    PRIMARY KEY (action, ordinal)
);

CREATE TABLE idemdesk.action_batch (
    action    uuid NOT NULL REFERENCES idemdesk.action,
    batch     integer NOT NULL,
    at        timestamptz NOT NULL,
    columns   text[] NOT NULL,  -- of the images
    result    jsonb NOT NULL,   -- the answer the console got; a repeated batch gets it again
    items_sha bytea,
    audit_seq bigint NOT NULL,
    PRIMARY KEY (action, batch)
);

CREATE TYPE idemdesk.item AS (
    ordinal  integer,
    identity text[],
    before   text[],
    after    text[],
    outcome  text,
    detail   text
);

CREATE TABLE idemdesk.action_item (
    opened_on     date NOT NULL,
    action        uuid NOT NULL,
    batch         integer NOT NULL,
    ordinal       integer NOT NULL,
    identity      text[] NOT NULL,
    identity_hash bigint NOT NULL,
    before        text[],
    after         text[],
    outcome       text NOT NULL,
    detail        text,
    PRIMARY KEY (opened_on, action, batch, ordinal)
) PARTITION BY RANGE (opened_on);
CREATE INDEX action_item_by_identity ON idemdesk.action_item (identity_hash);

-- Purged rows until their undo window ends, many to a row: one row each would cost the purge more than the deletion
-- does. Identities and images are array literals ('{a,b}'), one for each row of the target.
CREATE TABLE idemdesk.quarantine (
    keep_until date NOT NULL,
    action     uuid NOT NULL,
    batch      integer NOT NULL,
    identities text[] NOT NULL,
    hashes     bigint[] NOT NULL, -- of the identities, to find a key without reading the rest
    images     text[] NOT NULL,
    PRIMARY KEY (keep_until, action, batch)
) PARTITION BY RANGE (keep_until);
DO $body$
BEGIN
    -- A fifth of the pages and of the write-ahead log for little time; pglz would take longer than it saves.
    ALTER TABLE idemdesk.quarantine ALTER images SET COMPRESSION lz4, ALTER identities SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
    ALTER TABLE idemdesk.quarantine ALTER images SET STORAGE EXTERNAL, ALTER identities SET STORAGE EXTERNAL;
END
$body$;
ALTER TABLE idemdesk.quarantine ALTER hashes SET STORAGE EXTERNAL;

-- Which items were put back, and by which undo.
-- A run of neighbours, so that the undo of a purge costs little more than its rows.
CREATE TABLE idemdesk.restored (
    action   uuid NOT NULL REFERENCES idemdesk.action,
    batch    integer NOT NULL,
    first    integer NOT NULL,
    last     integer NOT NULL,
    by       uuid NOT NULL,
    by_batch integer NOT NULL,
    by_row   integer,          -- number in that batch of the row at "last"; those before follow. NULL: it has an item
    PRIMARY KEY (action, batch, first)
);
CREATE INDEX restored_by ON idemdesk.restored (by, by_batch);

CREATE TABLE idemdesk.audit (
    seq         bigint PRIMARY KEY,
    at          timestamptz NOT NULL,
    who         text NOT NULL,     -- session_user: the login, whatever SET ROLE or application_name say
    role        text NOT NULL,
    pid         integer NOT NULL,
    address     text,
    application text,              -- a claim of the client
    action      uuid,
    batch       integer,
    what        text NOT NULL,
    target      text,
    facts       jsonb NOT NULL,
    items_sha   bytea,
    prev_hash   bytea NOT NULL,
    hash        bytea NOT NULL
);
CREATE INDEX audit_by_action ON idemdesk.audit (action, seq);
CREATE INDEX audit_by_time ON idemdesk.audit (at);
CREATE INDEX audit_names ON idemdesk.audit (((facts ->> 'relation')::bigint), seq)
    WHERE what IN ('register', 'rebind', 'renamed'); -- upkeep asks for the last of each target

-- One row, locked by each append: the chain cannot fork.
CREATE TABLE idemdesk.audit_head (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    seq      bigint NOT NULL,
    hash     bytea NOT NULL
);
INSERT INTO idemdesk.audit_head (seq, hash) VALUES (0, pg_catalog.sha256('idemdesk'));

CREATE FUNCTION idemdesk._refuse_change() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    RAISE EXCEPTION 'The rows of % are never changed or removed.', TG_TABLE_NAME USING ERRCODE = 'ID012';
END
$fn$;

CREATE TRIGGER keep_rows BEFORE UPDATE OR DELETE ON idemdesk.audit
    FOR EACH ROW EXECUTE FUNCTION idemdesk._refuse_change();
CREATE TRIGGER keep_table BEFORE TRUNCATE ON idemdesk.audit
    FOR EACH STATEMENT EXECUTE FUNCTION idemdesk._refuse_change();
CREATE TRIGGER keep_rows BEFORE UPDATE OR DELETE ON idemdesk.action_batch
    FOR EACH ROW EXECUTE FUNCTION idemdesk._refuse_change();
CREATE TRIGGER keep_table BEFORE TRUNCATE ON idemdesk.action_batch
    FOR EACH STATEMENT EXECUTE FUNCTION idemdesk._refuse_change();
CREATE TRIGGER keep_rows BEFORE UPDATE OR DELETE ON idemdesk.action_item
    FOR EACH ROW EXECUTE FUNCTION idemdesk._refuse_change();
CREATE TRIGGER keep_rows BEFORE UPDATE OR DELETE ON idemdesk.quarantine
    FOR EACH ROW EXECUTE FUNCTION idemdesk._refuse_change();
CREATE TRIGGER keep_table BEFORE TRUNCATE ON idemdesk.action_item
    FOR EACH STATEMENT EXECUTE FUNCTION idemdesk._refuse_change();
CREATE TRIGGER keep_table BEFORE TRUNCATE ON idemdesk.quarantine
    FOR EACH STATEMENT EXECUTE FUNCTION idemdesk._refuse_change();
ALTER TABLE idemdesk.audit ENABLE ALWAYS TRIGGER keep_rows, ENABLE ALWAYS TRIGGER keep_table;
ALTER TABLE idemdesk.action_batch ENABLE ALWAYS TRIGGER keep_rows, ENABLE ALWAYS TRIGGER keep_table;
ALTER TABLE idemdesk.action_item ENABLE ALWAYS TRIGGER keep_rows, ENABLE ALWAYS TRIGGER keep_table;
ALTER TABLE idemdesk.quarantine ENABLE ALWAYS TRIGGER keep_rows, ENABLE ALWAYS TRIGGER keep_table;

-- Identities and images are shown only by idemdesk.items(), which looks at the reader's own rights on the target.
GRANT SELECT ON idemdesk.migration, idemdesk.installation, idemdesk.target, idemdesk.action, idemdesk.action_batch,
    idemdesk.audit, idemdesk.audit_head, idemdesk.shared_login, idemdesk.runner, idemdesk.target_limit
    TO idemdesk_viewer;

RESET ROLE;
