-- SPDX-License-Identifier: GPL-3.0-or-later
-- What is past its time goes: partitions, which are dropped whole, and rows of the tables that have none.
SET LOCAL ROLE idemdesk_owner;

-- Drops one partition whole; false where that cannot be had soon, because somebody uses it or its neighbours. Who that is
-- goes to the server's log, and the guard tells it.
CREATE FUNCTION idemdesk._drop_part(p_parent text, p_part text) RETURNS boolean
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
BEGIN
    EXECUTE format('ALTER TABLE idemdesk.%I DETACH PARTITION idemdesk.%I', p_parent, p_part);
    EXECUTE format('DROP TABLE idemdesk.%I', p_part);
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    RAISE WARNING 'idemdesk.% is past its time and cannot be dropped, for its table is held by %.', p_part,
        coalesce(idemdesk._users_of(ARRAY[to_regclass(format('idemdesk.%I', p_parent))::oid,
            to_regclass(format('idemdesk.%I', p_part))::oid]), 'somebody who has just let go')
        USING HINT = 'It is tried again. If it stays so, end that session, or ask its owner to.';
    RETURN false;
WHEN dependent_objects_still_exist THEN
    RAISE WARNING 'idemdesk.% is past its time and cannot be dropped: %', p_part, SQLERRM
        USING HINT = 'The guard names what depends on it.';
    RETURN false;
END
$fn$;

-- Partitions of items and of purged rows; gives the names of those it dropped. Items stay as long as one of their actions
-- may be undone, however short a time somebody set for them since. Where one is held its neighbours are left
-- for the next call, too: each would have to be waited for.
CREATE FUNCTION idemdesk._maintain_actions() RETURNS text[]
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_part    record;
    v_dropped text[] := '{}';
    v_held    text[] := '{}';
    v_kept    interval := (SELECT i.items_kept FROM idemdesk.installation i);
    v_seq     bigint;
BEGIN
    FOR v_part IN
        SELECT c.relname, p.relname AS parent, idemdesk._partition_start(c.oid) AS starts
          FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
         WHERE p.relnamespace = 'idemdesk'::regnamespace AND p.relname IN ('action_item', 'quarantine')
         ORDER BY 2 DESC, 3 -- as a purge writes them
    LOOP
        CONTINUE WHEN v_part.parent = ANY (v_held) OR coalesce(CASE v_part.parent WHEN 'quarantine' THEN v_part.starts >= current_date
                                    ELSE v_part.starts + interval '1 month' + v_kept >= current_date
                                      OR EXISTS (SELECT FROM idemdesk.action a
                                                  WHERE a.opened_on >= v_part.starts
                                                    AND a.opened_on < v_part.starts + interval '1 month'
                                                    AND a.keep_until >= current_date) END, true);
        IF idemdesk._drop_part(v_part.parent, v_part.relname) THEN
            v_dropped := v_dropped || v_part.relname::text;
        ELSE
            v_held := v_held || v_part.parent::text;
        END IF;
    END LOOP;
    IF v_dropped <> '{}' THEN
        v_seq := idemdesk._chain('maintain', NULL, NULL, NULL, jsonb_build_object('dropped', v_dropped), NULL);
    END IF;
    RETURN v_dropped;
END
$fn$;

-- Minutes become hours and days before they go; gives the names of the partitions it dropped.
CREATE FUNCTION idemdesk._maintain_samples() RETURNS text[]
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_kept    idemdesk.installation := (SELECT i FROM idemdesk.installation i);
    v_dropped text[] := '{}';
    v_held    text[] := '{}';
    v_part    record;
BEGIN
    PERFORM FROM idemdesk.installation FOR UPDATE; -- one at a time, by a lock that only the console reaches
    PERFORM idemdesk._fold_events();
    PERFORM idemdesk._roll_up('minute', 'hour');
    PERFORM idemdesk._roll_up('hour', 'day');
    DELETE FROM idemdesk.sample_day d WHERE d.bucket_start < now() - v_kept.days_kept;
    DELETE FROM idemdesk.sample_run r WHERE r.bucket_start < now() - v_kept.minutes_kept;
    DELETE FROM idemdesk.cache_sample_run r WHERE r.bucket_start < now() - v_kept.minutes_kept;
    FOR v_part IN
        SELECT c.relname, p.relname AS parent, idemdesk._partition_start(c.oid) AS starts
          FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
         WHERE p.relnamespace = 'idemdesk'::regnamespace AND p.relname IN ('sample_minute', 'sample_hour', 'event')
         ORDER BY 2, 3
    LOOP
        -- A day more than asked: partitions end in UTC, and what is dropped has been rolled up for long.
        CONTINUE WHEN v_part.parent = ANY (v_held) OR CASE v_part.parent WHEN 'sample_minute' THEN v_part.starts + interval '2 days' + v_kept.minutes_kept
                                         WHEN 'sample_hour' THEN v_part.starts + interval '1 month 1 day' + v_kept.hours_kept
                                         ELSE v_part.starts + interval '2 days' + v_kept.hours_kept END >= now();
        IF idemdesk._drop_part(v_part.parent, v_part.relname) THEN
            v_dropped := v_dropped || v_part.relname::text;
        ELSE
            v_held := v_held || v_part.parent::text;
        END IF;
    END LOOP;
    RETURN v_dropped;
END
$fn$;

-- A report of a conflict goes when nobody reported it for so long: as many as are gone in a moment, the next call takes
-- the rest.
CREATE FUNCTION idemdesk._maintain_conflicts() RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, pg_temp
AS $fn$
    DELETE FROM idemdesk.conflict c WHERE c.id IN (SELECT o.id FROM idemdesk.conflict o
        WHERE o.last_at < now() - (SELECT i.conflicts_kept FROM idemdesk.installation i) ORDER BY o.last_at LIMIT 10000)
$fn$;

-- What was released names entries and values of rows, so it goes with the items of actions. The trail keeps that it was
-- done, by whom and why. As many as are gone in a moment, the next call takes the rest.
CREATE FUNCTION idemdesk._maintain_releases() RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_gone bigint;
    v_seq  bigint;
BEGIN
    DELETE FROM idemdesk.cache_release r WHERE r.id = ANY (ARRAY(SELECT o.id FROM idemdesk.cache_release o
        WHERE o.requested_at < now() - (SELECT i.items_kept FROM idemdesk.installation i)
        ORDER BY o.requested_at LIMIT 10000 FOR UPDATE SKIP LOCKED));
    GET DIAGNOSTICS v_gone = ROW_COUNT;
    IF v_gone > 0 THEN
        v_seq := idemdesk._chain('maintain', NULL, NULL, NULL, jsonb_build_object('releases', v_gone), NULL);
    END IF;
END
$fn$;

-- Registered tables that were renamed are told to the trail under their new names: where a dump made later is adopted,
-- they are these, not what took the old names.
CREATE FUNCTION idemdesk._maintain_names() RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $fn$
DECLARE
    v_known record;
    v_seq   bigint;
BEGIN
    IF NOT idemdesk._at_home() THEN
        RETURN;
    END IF;
    FOR v_known IN
        SELECT t.name AS target, t.relation, format('"%s"."%s"', replace(n.nspname, '"', '""'), replace(c.relname, '"', '""')) AS now
          FROM idemdesk.target t JOIN pg_class c ON c.oid = t.relation JOIN pg_namespace n ON n.oid = c.relnamespace
    LOOP
        -- Once for each name, and once more where the old one comes back.
        CONTINUE WHEN v_known.now = (SELECT a.facts ->> 'table' FROM ONLY idemdesk.audit a
            WHERE a.what IN ('register', 'rebind', 'renamed')
              AND (a.facts ->> 'relation')::bigint = v_known.relation::bigint ORDER BY a.seq DESC LIMIT 1);
        v_seq := idemdesk._chain('renamed', v_known.target, NULL, NULL, jsonb_build_object('relation', v_known.relation::bigint,
            'table', v_known.now, 'owner', idemdesk._owner_name(v_known.relation)), NULL);
    END LOOP;
END
$fn$;

-- Ends undo windows and empties what is past its time. Safe to call at any moment, by the console, by a sampler, or by
-- cron. Gives the names of the partitions it dropped.
CREATE FUNCTION idemdesk.maintain() RETURNS text[]
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '500ms'
AS $fn$
DECLARE
    v_dropped text[] := '{}';
BEGIN
    PERFORM idemdesk._hold_briefly();
    PERFORM idemdesk._require_quiet();
    -- One of them that fails keeps no other from its work.
    FOR v_part IN 1 .. 5 LOOP
        BEGIN
            CASE v_part
                WHEN 1 THEN PERFORM idemdesk._maintain_conflicts();
                WHEN 2 THEN v_dropped := v_dropped || idemdesk._maintain_samples();
                WHEN 3 THEN PERFORM idemdesk._maintain_names();
                WHEN 4 THEN v_dropped := v_dropped || idemdesk._maintain_actions(); -- late: each batch waits for its locks
                ELSE PERFORM idemdesk._maintain_releases(); -- last: it holds the trail until the end
            END CASE;
        EXCEPTION WHEN OTHERS THEN
            RAISE WARNING 'What is past its time was not all removed: %', SQLERRM
                USING HINT = 'It is tried again. If it stays so, look at what the guard says.';
        END;
    END LOOP;
    RETURN v_dropped;
END
$fn$;

GRANT EXECUTE ON FUNCTION idemdesk.maintain() TO idemdesk_operator, idemdesk_admin;
RESET ROLE;
