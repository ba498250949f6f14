// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/catalogue.h"

#include "sql/keys/render.h"
#include "sql/profile/catalogue_parts.h"
#include "sql/profile/relation_name.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// One row per relation; %1 is the size, %2 the condition, %3 whether rows are hidden. pg_total_relation_size waits for
/// a table that is locked exclusively, so a list of many tables estimates from pg_class instead and one locked table
/// does not stop it.
const QString kRelationsSql = uR"(
SELECT c.oid, n.nspname, c.relname, c.relkind, tree.rows, %1,
       pg_catalog.has_schema_privilege(n.oid, 'USAGE')
         AND (pg_catalog.has_table_privilege(c.oid, 'SELECT') OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT')),
       %3, c.relpersistence = 'u', pg_catalog.obj_description(c.oid, 'pg_class'),
       CASE WHEN c.relkind = 'p' AND c.oid NOT IN (SELECT relation FROM held)
            THEN pg_catalog.pg_get_partkeydef(c.oid) END,
       CASE WHEN c.relispartition THEN
         (SELECT pg_catalog.quote_ident(pn.nspname) || '.' || pg_catalog.quote_ident(pc.relname)
            FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class pc ON pc.oid = i.inhparent
            JOIN pg_catalog.pg_namespace pn ON pn.oid = pc.relnamespace WHERE i.inhrelid = c.oid LIMIT 1) END
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 CROSS JOIN LATERAL (
    WITH RECURSIVE part(oid) AS (
        SELECT c.oid UNION ALL SELECT i.inhrelid FROM pg_catalog.pg_inherits i JOIN part ON i.inhparent = part.oid)
    SELECT CASE WHEN pg_catalog.bool_and(p.reltuples < 0) THEN -1
                ELSE pg_catalog.sum(GREATEST(p.reltuples, 0)) END AS rows,
           pg_catalog.sum(p.relpages::pg_catalog.int8) * pg_catalog.current_setting('block_size')::pg_catalog.int8
               AS pages,
           pg_catalog.array_agg(p.oid) AS members
      FROM part JOIN pg_catalog.pg_class p ON p.oid = part.oid WHERE p.relkind <> 'p') AS tree
 WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp_)'
   AND %2
 ORDER BY n.nspname, c.relname)"_s;

/// Row security applies to this login, and no policy that is simply "true" shows it every row all the same. A view's
/// tables are read with its owner's rights, or the reader's own where it says so.
const QString kRowsHidden = uR"((pg_catalog.row_security_active(c.oid) AND NOT COALESCE((
          SELECT pg_catalog.bool_or(y.polpermissive AND x.every) AND pg_catalog.bool_and(y.polpermissive OR x.every)
            FROM pg_catalog.pg_policy y
           CROSS JOIN LATERAL (SELECT COALESCE(pg_catalog.pg_get_expr(y.polqual, y.polrelid) = 'true', false)
               AS every) x
           WHERE y.polrelid = c.oid AND y.polcmd IN ('*', 'r') AND (y.polroles = '{0}' OR EXISTS (
                 SELECT FROM pg_catalog.unnest(y.polroles) o WHERE pg_catalog.pg_has_role(o, 'USAGE')))), false)
       OR c.relkind = 'v' AND COALESCE((
          WITH RECURSIVE below (oid, reader) AS (
              SELECT c.oid, r.oid FROM pg_catalog.pg_roles r WHERE r.rolname = CURRENT_USER
              UNION
              SELECT d.refobjid, CASE WHEN v.reloptions::pg_catalog.text ~* 'security_invoker=(true|on|yes|1)'
                  THEN b.reader
                                      ELSE v.relowner END
                FROM below b JOIN pg_catalog.pg_class v ON v.oid = b.oid AND v.relkind = 'v'
                JOIN pg_catalog.pg_rewrite w ON w.ev_class = v.oid
                JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
                    AND d.objid = w.oid
                     AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid <> v.oid)
          SELECT pg_catalog.bool_or(k.relrowsecurity AND NOT r.rolsuper AND NOT r.rolbypassrls
                     AND (k.relforcerowsecurity OR NOT pg_catalog.pg_has_role(r.oid, k.relowner, 'USAGE')))
            FROM below b JOIN pg_catalog.pg_class k ON k.oid = b.oid
                JOIN pg_catalog.pg_roles r ON r.oid = b.reader), false)))"_s;

const QString kRelationKinds = u"('r', 'p', 'v', 'm', 'f')"_s;
const QString kEstimatedSize = u"CASE WHEN c.relkind IN ('r', 'p', 'm') THEN tree.pages ELSE -1 END"_s;
const QString kTrueSize = uR"(CASE WHEN c.relkind IN ('r', 'p', 'm') THEN
         (SELECT pg_catalog.sum(pg_catalog.pg_total_relation_size(m.oid))
             FROM pg_catalog.unnest(tree.members) AS m(oid))
         ELSE -1 END)"_s;

Result<QList<RelationFacts>> readHeads(Session &session, const Statement &statement)
{
    QList<RelationFacts> relations;
    const auto read = session.each(statement, [&relations](const Row &row) {
        RelationFacts facts;
        facts.oid = row.text(0).toUInt();
        facts.schema = row.text(1);
        facts.name = row.text(2);
        facts.sql = quoteIdentifier(facts.schema) + u'.' + quoteIdentifier(facts.name);
        facts.kind = row.text(3).isEmpty() ? QChar(u'r') : row.text(3).front();
        facts.estimatedRows = row.isNull(4) ? -1 : row.text(4).toDouble();
        facts.bytes = row.isNull(5) ? -1 : row.integer(5);
        facts.selectable = row.truth(6);
        facts.rowSecurity = row.truth(7);
        facts.unlogged = row.truth(8);
        facts.comment = row.text(9);
        facts.partitionKey = row.text(10);
        facts.parent = row.text(11);
        if (facts.isView() && facts.kind == u'v') {
            facts.estimatedRows = -1;
        }
        relations.append(facts);
        return true;
    });
    if (!read) {
        return read.error();
    }
    return relations;
}

Error noSuchRelation(const QString &relation)
{
    Error error;
    error.kind = ErrorKind::MissingObject;
    error.what = Tr::tr("There is no table or view %1.").arg(relation);
    error.why = Tr::tr("This database has none of that name, or it was dropped or renamed.");
    error.todo = Tr::tr("Check the name and the database, or bind the profile to another table.");
    return error;
}

} // namespace

Result<RelationFacts> readRelation(Session &session, const QString &relation)
{
    const auto name = parseRelationName(relation);
    if (!name) {
        Error error;
        error.kind = ErrorKind::Usage;
        error.what = Tr::tr("“%1” is not a table's name.").arg(relation.left(200));
        error.why = Tr::tr("Expected a name with its schema and its quoting, such as sales.\"InboxState\".");
        error.todo = Tr::tr("Correct the name.");
        return error;
    }
    Statement statement;
    const QString byName = statement.bind(name->name);
    const QString bySchema = statement.bind(name->schema.isEmpty() ? Cell() : Cell::of(name->schema));
    statement.sql = kHeldSql
        + kRelationsSql.arg(kTrueSize,
            u"c.relname = "_s + byName + u"::pg_catalog.name AND ("_s + bySchema
                + u"::pg_catalog.name IS NULL OR n.nspname = "_s + bySchema + u"::pg_catalog.name) AND c.relkind IN "_s
                + kRelationKinds,
            kRowsHidden);
    TRY(auto heads, readHeads(session, statement));
    if (heads.isEmpty()) {
        return noSuchRelation(relation);
    }
    if (heads.size() > 1) {
        QStringList names;
        for (const RelationFacts &facts : heads) {
            names.append(facts.sql);
        }
        Error error;
        error.kind = ErrorKind::Usage;
        error.what = Tr::tr("“%1” names several tables.").arg(relation);
        error.why = Tr::tr("They are %1.").arg(names.join(u", "_s));
        error.todo = Tr::tr("Name the schema too.");
        return error;
    }
    TRY(fillRelations(session, &heads));
    return heads.first();
}

Result<QStringList> namesOfRelations(Session &session, const QStringList &relations)
{
    QStringList asked;
    QStringList schemas; // "" where the name has none
    QStringList names;
    for (const QString &relation : relations) {
        if (const auto name = parseRelationName(relation)) {
            asked += relation;
            schemas += name->schema;
            names += name->name;
        }
    }
    Statement statement {
        u"SELECT x.n FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), "
        u"pg_catalog.unnest($2::pg_catalog.text[]))"
        " WITH ORDINALITY AS x (schema, name, n)"
        " WHERE EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
        " WHERE c.relname = x.name::pg_catalog.name AND (x.schema = '' OR n.nspname = x.schema::pg_catalog.name)"
        " AND c.relkind IN "_s
            + kRelationKinds + u") ORDER BY x.n"_s,
        {}
    };
    statement.bind(arrayLiteral(schemas));
    statement.bind(arrayLiteral(names));
    QStringList found;
    const auto read = session.each(statement, [&asked, &found](const Row &row) {
        found += asked.at(row.integer(0) - 1);
        return true;
    });
    return read ? Result<QStringList>(found) : Result<QStringList>(read.error());
}

Result<std::optional<qint64>> readRelationBytes(Session &session, quint32 oid)
{
    Statement statement;
    const QString relation = statement.bind(QString::number(oid));
    statement.sql = u"WITH RECURSIVE part (oid) AS (SELECT "_s + relation
        + u"::pg_catalog.oid UNION ALL SELECT i.inhrelid FROM pg_catalog.pg_inherits i JOIN part ON i.inhparent = "
          u"part.oid) "
          "SELECT pg_catalog.sum(pg_catalog.pg_total_relation_size(p.oid)) FROM part JOIN pg_catalog.pg_class p ON "
          "p.oid = part.oid "
          "WHERE p.relkind IN ('r', 'm')"_s;
    TRY(const auto row, session.one(statement));
    return row.constFirst().null ? std::nullopt : std::optional(row.constFirst().text.toLongLong());
}

Result<bool> hasSchema(Session &session, const QString &name)
{
    Statement statement;
    const QString bound = statement.bind(name);
    statement.sql
        = u"SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace n WHERE n.nspname = %1::pg_catalog.text)"_s.arg(bound);
    const auto row = session.one(statement);
    return row ? Result<bool>(row->constFirst().text == u"t") : Result<bool>(row.error());
}

Result<QStringList> readClosedRelations(Session &session, const QString &schema)
{
    Statement statement;
    const QString bySchema = statement.bind(schema.isEmpty() ? Cell() : Cell::of(schema));
    statement.sql = uR"(
SELECT pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname)
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'idemdesk') AND n.nspname !~ '^pg_(toast|temp_)'
   AND c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition
   AND (%1::pg_catalog.name IS NULL OR n.nspname = %1::pg_catalog.name)
   AND NOT (pg_catalog.has_schema_privilege(n.oid, 'USAGE')
            AND (pg_catalog.has_table_privilege(c.oid, 'SELECT')
                OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT')))
 ORDER BY n.nspname, c.relname)"_s.arg(bySchema);
    QStringList names;
    const auto read = session.each(statement, [&names](const Row &row) {
        names += row.text(0);
        return true;
    });
    return read ? Result<QStringList>(names) : Result<QStringList>(read.error());
}

Result<QStringList> relationsHidingRows(Session &session, const QStringList &schemas, const QStringList &names)
{
    Statement statement {
        u"SELECT DISTINCT pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname)"
        " FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), "
        "pg_catalog.unnest($2::pg_catalog.text[])) AS x (schema, name)"
        " JOIN pg_catalog.pg_namespace n ON n.nspname = x.schema"
        " JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = x.name"
        " WHERE c.relkind IN ('r', 'p', 'v') AND "_s
            + kRowsHidden + u" ORDER BY 1"_s,
        {}
    };
    statement.bind(arrayLiteral(schemas));
    statement.bind(arrayLiteral(names));
    QStringList hidden;
    const auto read = session.each(statement, [&hidden](const Row &row) {
        hidden += row.text(0);
        return true;
    });
    return read ? Result<QStringList>(hidden) : Result<QStringList>(read.error());
}

Result<QList<RelationFacts>> readRelations(Session &session, const QString &schema)
{
    Statement statement;
    const QString bySchema = statement.bind(schema.isEmpty() ? Cell() : Cell::of(schema));
    statement.sql = kHeldSql
        + kRelationsSql.arg(kEstimatedSize,
            u"("_s + bySchema + u"::pg_catalog.name IS NULL OR n.nspname = "_s + bySchema
                + u"::pg_catalog.name) AND c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition AND n.nspname <> "
                  u"'idemdesk'"
                  u" AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')"
                  u" AND (pg_catalog.has_table_privilege(c.oid, 'SELECT') OR "
                  "pg_catalog.has_any_column_privilege(c.oid, 'SELECT'))"_s,
            kRowsHidden);
    auto heads = readHeads(session, statement);
    if (!heads) {
        return heads;
    }
    TRY(fillRelations(session, &*heads));
    return heads;
}

} // namespace idemdesk::sql
