-- SPDX-License-Identifier: GPL-3.0-or-later
-- Reading what was done to which row, as far as the reader may read that row's table. A transaction that reads it keeps
-- it from being dropped until it ends, so it cannot be prepared.
SET LOCAL ROLE idemdesk_owner;

-- An image with NULL for each column that the login may not read (also where the column or the table is gone). Where row
-- security may hide rows from the login there are no images at all: which rows it would see cannot be told from an image. The row
-- of a second table is shown, as one, to those who may read all of that.
CREATE FUNCTION idemdesk._visible(p_relation oid, p_columns text[], p_image text[], p_second oid) RETURNS text[]
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT CASE WHEN p_image IS NOT NULL AND idemdesk._sees_every_row(p_relation, session_user) THEN ARRAY(
        SELECT CASE WHEN EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = p_relation AND a.attname = c.name
                                    AND NOT a.attisdropped
                                    AND has_column_privilege(session_user, p_relation, a.attnum, 'SELECT'))
                    THEN p_image[c.n] END
          FROM unnest(p_columns) WITH ORDINALITY AS c (name, n) ORDER BY c.n)
        || CASE WHEN p_second IS NOT NULL
                THEN ARRAY[CASE WHEN idemdesk._may_read_all(p_second) THEN p_image[cardinality(p_columns) + 1] END] END END
$fn$;

-- May the login read this column in every row? No, where the column or the table is gone.
CREATE FUNCTION idemdesk._may_read(p_relation oid, p_column text) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = p_relation AND a.attname = p_column AND NOT a.attisdropped
                      AND has_column_privilege(session_user, p_relation, a.attnum, 'SELECT'))
       AND idemdesk._sees_every_row(p_relation, session_user) AND idemdesk._at_home()
$fn$;

-- May the login read the columns that identified this batch's rows, whatever they are called today?
CREATE FUNCTION idemdesk._may_identify(p_relation oid, p_compiled jsonb, p_attnums jsonb) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT coalesce(bool_and(c.name IS NOT NULL AND idemdesk._may_read(p_relation, c.name)), false)
      -- The columns of then, as many as they were; a later profile may name fewer.
      FROM unnest(idemdesk._columns_now(p_relation,
               CASE WHEN jsonb_typeof(p_attnums -> 'identity') = 'array' AND (p_attnums ->> 'relation')::bigint = p_relation::bigint
                    THEN array_fill(NULL::text, ARRAY[jsonb_array_length(p_attnums -> 'identity')])
                    ELSE ARRAY(SELECT i ->> 'name' FROM jsonb_array_elements(p_compiled -> 'identity') i) END,
               jsonb_build_object('relation', p_attnums -> 'relation', 'columns', p_attnums -> 'identity', 'names', p_attnums -> 'names'))) AS c (name)
$fn$;

-- The items of an action with their images, masked where the reader may not read that column of the target.
CREATE FUNCTION idemdesk.items(p_action uuid, p_after_batch integer DEFAULT 0, p_after integer DEFAULT 0, p_limit integer DEFAULT 500)
    RETURNS TABLE (batch integer, ordinal integer, identity text[], outcome text, detail text, columns text[], before text[],
        after text[], restored_by uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
AS $fn$
    SELECT idemdesk._never_prepare();
    WITH wanted AS (
        SELECT c.*, t.compiled FROM idemdesk.action c
          LEFT JOIN idemdesk.target t ON t.name = c.target AND t.relation = c.relation WHERE c.id = p_action
    ), found AS (
        (SELECT m.batch, m.ordinal, m.identity, m.outcome, m.detail, m.before, m.after
           FROM wanted w JOIN idemdesk.action_item m ON m.opened_on = w.opened_on AND m.action = w.id
          WHERE (m.batch, m.ordinal) > (p_after_batch, p_after)
          ORDER BY m.batch, m.ordinal LIMIT p_limit)
        UNION ALL
        (SELECT q.batch, x.n::integer, x.identity::text[], 'purged', NULL, x.image::text[], NULL
           FROM wanted w JOIN idemdesk.quarantine q ON q.keep_until = w.keep_until AND q.action = w.id
          CROSS JOIN LATERAL unnest(q.identities, q.images) WITH ORDINALITY AS x (identity, image, n)
          WHERE q.batch >= p_after_batch AND (q.batch, x.n) > (p_after_batch, p_after)
          ORDER BY q.batch, x.n LIMIT p_limit)
        UNION ALL
        -- What an undo put back as a whole has no items: the purge has the images.
        (SELECT r.by_batch, x.number, x.identity::text[], 'done', NULL, NULL, x.image::text[]
           FROM wanted w
           JOIN idemdesk.restored r ON r.by = w.id AND r.by_row IS NOT NULL AND r.by_batch >= p_after_batch
           JOIN idemdesk.action o ON o.id = r.action
           JOIN idemdesk.quarantine q ON q.keep_until = o.keep_until AND q.action = r.action AND q.batch = r.batch
          CROSS JOIN LATERAL (SELECT r.by_row + r.last - r.first + 1 - u.n::integer, u.identity, u.image
                                FROM unnest(q.identities[r.first:r.last], q.images[r.first:r.last])
                                     WITH ORDINALITY AS u (identity, image, n)) AS x (number, identity, image)
          WHERE (r.by_batch, x.number) > (p_after_batch, p_after)
          ORDER BY r.by_batch, x.number LIMIT p_limit)
    ), batches AS MATERIALIZED (
        SELECT b.batch, b.columns, idemdesk._second_then(b.result -> 'attnums', b.audit_seq) AS second,
               idemdesk._columns_now(w.relation,
                   b.columns[:cardinality(b.columns) - (b.result -> 'attnums' ? 'second')::integer], idemdesk._attnums_now(b.result -> 'attnums', b.audit_seq)) AS now,
               idemdesk._may_identify(w.relation, w.compiled, idemdesk._attnums_now(b.result -> 'attnums', b.audit_seq)) AS may
          FROM wanted w JOIN idemdesk.action_batch b ON b.action = w.id AND b.batch IN (SELECT f.batch FROM found f)
    )
    SELECT f.batch, f.ordinal, CASE WHEN b.may THEN f.identity END, f.outcome, CASE WHEN m.whole THEN f.detail WHEN b.may THEN idemdesk._failure_masked(f.outcome, f.detail) END,
           b.columns, CASE WHEN m.home THEN idemdesk._visible(w.relation, b.now, f.before, b.second) END,
           CASE WHEN m.home THEN idemdesk._visible(w.relation, b.now, f.after, b.second) END, r.by
      FROM found f CROSS JOIN wanted w
     CROSS JOIN (SELECT idemdesk._at_home() AS home, idemdesk._may_read_all(o.relation) AS whole FROM wanted o) m
      JOIN batches b ON b.batch = f.batch
      LEFT JOIN idemdesk.restored r ON r.action = w.id AND r.batch = f.batch AND f.ordinal BETWEEN r.first AND r.last
     ORDER BY f.batch, f.ordinal LIMIT p_limit
$fn$;

-- Who touched a key: what was done to the row with this identity, newest first.
CREATE FUNCTION idemdesk.actions_on(p_target text, p_identity text[])
    RETURNS TABLE (action uuid, verb text, who text, approved_by text, at timestamptz, reason text, ticket text, outcome text,
        detail text, undone_by uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
AS $fn$
    SELECT idemdesk._never_prepare();
    SELECT c.id, c.verb, c.requested_by, c.approved_by, b.at, c.reason, c.ticket, f.outcome,
           CASE WHEN idemdesk._may_read_all(c.relation) THEN f.detail ELSE idemdesk._failure_masked(f.outcome, f.detail) END, r.by
      FROM (SELECT m.action, m.batch, m.ordinal, m.outcome, m.detail FROM idemdesk.action_item m
             WHERE m.identity_hash = hashtextextended(p_identity::text, 0) AND m.identity = p_identity
            UNION ALL
            SELECT q.action, q.batch, array_position(q.identities, p_identity::text), 'purged', NULL FROM idemdesk.quarantine q
             WHERE hashtextextended(p_identity::text, 0) = ANY (q.hashes) AND p_identity::text = ANY (q.identities)
            UNION ALL
            SELECT r.by, r.by_batch, NULL, 'done', NULL FROM idemdesk.quarantine q
              JOIN idemdesk.restored r ON r.action = q.action AND r.batch = q.batch AND r.by_row IS NOT NULL
               AND array_position(q.identities, p_identity::text) BETWEEN r.first AND r.last
             WHERE hashtextextended(p_identity::text, 0) = ANY (q.hashes) AND p_identity::text = ANY (q.identities)) f
      LEFT JOIN idemdesk.restored r ON r.action = f.action AND r.batch = f.batch
       AND f.ordinal BETWEEN r.first AND r.last
      JOIN idemdesk.action c ON c.id = f.action
       AND c.relation = (SELECT t.relation FROM idemdesk.target t WHERE t.name = p_target)
      JOIN idemdesk.action_batch b ON b.action = f.action AND b.batch = f.batch
     WHERE EXISTS (SELECT FROM idemdesk.target t WHERE t.name = p_target
                      AND idemdesk._may_identify(t.relation, t.compiled, idemdesk._attnums_now(b.result -> 'attnums', b.audit_seq)))
     ORDER BY b.at DESC
$fn$;

-- The rows that an action was asked for, and by which of the profile's rules, so that whoever approves it knows. Without identity and effect where the
-- reader may not read the columns that identify the rows, or the target is no longer what the action was asked on.
CREATE FUNCTION idemdesk.rows_asked(p_action uuid, p_limit integer DEFAULT 500)
    RETURNS TABLE (ordinal integer, identity text[], rule integer, effect_id text, winner jsonb)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
AS $fn$
    SELECT idemdesk._never_prepare();
    WITH wanted AS (
        SELECT a.id, CASE WHEN t.name IS NULL OR idemdesk._covers(t) IS DISTINCT FROM a.covers_sha THEN false
                   -- By names alone another column may pass for one that was meant.
                   WHEN idemdesk._changed_parts(t.fingerprint, idemdesk._fingerprint(t)) IS NOT NULL THEN false
                   ELSE idemdesk._may_identify(t.relation, t.compiled, '{}') END AS may,
               -- What evidence says is no column of the table: for who may read all that the action may write.
               idemdesk._may_read_all(a.relation) AS whole, a.undo_of, a.verb
          FROM idemdesk.action a LEFT JOIN idemdesk.target t ON t.name = a.target AND t.relation = a.relation
         WHERE a.id = p_action
    )
    (SELECT r.ordinal, CASE WHEN w.may THEN r.identity END, r.rule, CASE WHEN w.may AND w.whole THEN r.effect_id END,
           CASE WHEN w.may AND w.whole THEN r.winner END
       FROM wanted w JOIN idemdesk.action_row r ON r.action = w.id
      ORDER BY r.ordinal LIMIT p_limit)
    UNION ALL
    -- An undo is about the rows that the action changed and that did not go back since.
    (SELECT row_number() OVER (ORDER BY i.batch, i.ordinal)::integer, CASE WHEN w.may THEN i.identity END, NULL, NULL, NULL
       FROM wanted w CROSS JOIN LATERAL idemdesk.items(w.undo_of, 0, 0, p_limit) i
      WHERE w.verb = 'undo' AND i.outcome IN ('done', 'purged') AND i.restored_by IS NULL
      ORDER BY 1 LIMIT p_limit)
$fn$;

-- The scopes that a purge was narrowed to (batch 0), and what each batch took by scope and state, for those who may read
-- every column of the table.
CREATE FUNCTION idemdesk.action_scopes(p_action uuid) RETURNS TABLE (batch integer, scopes jsonb)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT idemdesk._never_prepare();
    SELECT s.batch, s.scopes FROM idemdesk.action a JOIN idemdesk.action_scope s ON s.action = a.id
     WHERE a.id = p_action AND idemdesk._may_read_all(a.relation)
     ORDER BY s.batch
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.action_scopes(uuid), idemdesk.items(uuid, integer, integer, integer), idemdesk.actions_on(text, text[]),
    idemdesk.rows_asked(uuid, integer) TO idemdesk_viewer;
RESET ROLE;
