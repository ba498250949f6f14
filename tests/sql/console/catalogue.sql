-- SPDX-License-Identifier: GPL-3.0-or-later
-- Everything of the console's schema that an upgrade and a fresh install must have in common, a JSON string for each
-- object. The order of columns is left out: an upgrade can only add at the end.
WITH relations AS (
    SELECT c.* FROM pg_class c
     WHERE c.relnamespace = 'idemdesk'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f', 'c')
), lines (line) AS (
    SELECT format('schema: owner %s, rights %s', n.nspowner::regrole,
               ARRAY(SELECT a::text FROM unnest(n.nspacl) a ORDER BY 1))
      FROM pg_namespace n WHERE n.nspname = 'idemdesk'
    UNION ALL
    SELECT format('defaults: of %s for %s: %s', d.defaclrole::regrole, d.defaclobjtype,
               ARRAY(SELECT a::text FROM unnest(d.defaclacl) a ORDER BY 1))
      FROM pg_default_acl d
    UNION ALL
    SELECT format('relation %s: kind %s, owner %s, rights %s, persistence %s, row security %s %s, options %s, '
                  'part of %s, by %s %s',
               c.relname, c.relkind, c.relowner::regrole, ARRAY(SELECT a::text FROM unnest(c.relacl) a ORDER BY 1),
               c.relpersistence, c.relrowsecurity, c.relforcerowsecurity, c.reloptions,
               (SELECT i.inhparent::regclass FROM pg_inherits i WHERE i.inhrelid = c.oid),
               pg_get_partkeydef(c.oid), pg_get_expr(c.relpartbound, c.oid))
      FROM relations c
    UNION ALL
    SELECT format('column %s.%s: %s, not null %s, default %s, generated "%s", identity "%s", storage %s, '
                  'compression "%s", rights %s',
               c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
               pg_get_expr(d.adbin, d.adrelid), a.attgenerated, a.attidentity, a.attstorage, a.attcompression, a.attacl)
      FROM relations c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    UNION ALL
    SELECT format('constraint %s.%s: %s', n.conrelid::regclass, n.conname, pg_get_constraintdef(n.oid))
      FROM pg_constraint n WHERE n.connamespace = 'idemdesk'::regnamespace
    UNION ALL
    SELECT format('index: %s', pg_get_indexdef(i.indexrelid)) FROM pg_index i JOIN relations c ON c.oid = i.indrelid
    UNION ALL
    SELECT format('trigger: %s, enabled %s', pg_get_triggerdef(t.oid), t.tgenabled)
      FROM pg_trigger t JOIN relations c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal
    UNION ALL
    SELECT format('rule: %s', pg_get_ruledef(r.oid)) FROM pg_rewrite r JOIN relations c ON c.oid = r.ev_class
    UNION ALL
    SELECT format('policy %s on %s', p.polname, c.relname) FROM pg_policy p JOIN relations c ON c.oid = p.polrelid
    UNION ALL
    SELECT format('function %s: owner %s, rights %s: %s', p.oid::regprocedure, p.proowner::regrole,
               ARRAY(SELECT a::text FROM unnest(p.proacl) a ORDER BY 1), pg_get_functiondef(p.oid))
      FROM pg_proc p WHERE p.pronamespace = 'idemdesk'::regnamespace
    UNION ALL
    -- An upgraded database has another history than a new one, which says when each version came.
    SELECT format('remembered %s: %s', d.name, CASE WHEN d.name <> 'list of versions that were installed'
               THEN encode(d.digest, 'hex') END) FROM idemdesk.definition d
)
SELECT to_json(line) FROM lines ORDER BY line COLLATE "C";
