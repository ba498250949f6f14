// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/catalogue_parts.h"

#include "sql/profile/type_facts.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

const QString kHeldSql = uR"(
WITH held AS MATERIALIZED (
    SELECT l.relation FROM pg_catalog.pg_locks l
     WHERE l.locktype = 'relation' AND l.mode = 'AccessExclusiveLock' AND l.pid <> pg_catalog.pg_backend_pid()
       AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d
           WHERE d.datname = pg_catalog.current_database())))"_s;

namespace {

using Places = QHash<quint32, RelationFacts *>; // by oid

/// These order by code point. Of glibc's and PostgreSQL's names for them, not of every locale that happens to.
const QString kCodePointNames = u"('C', 'POSIX', 'C.UTF-8', 'C.utf8', 'C.UTF8')"_s;
/// Locales of PostgreSQL's own provider, which came with 17; its PG_UNICODE_FAST with 18.
const QString kBuiltinNames = u"('C', 'C.UTF-8', 'PG_UNICODE_FAST')"_s;

/// The database as one JSON object: its columns differ from version to version. 14 knows no datlocprovider (libc then),
/// 17 renamed daticulocale to datlocale.
const QString kHereSql = uR"(,
here AS MATERIALIZED (
    SELECT d.datcollate, coalesce(f.facts ->> 'datlocprovider', 'c') AS provider, f.facts ->> 'datlocale' AS locale
      FROM pg_catalog.pg_database d CROSS JOIN LATERAL (SELECT pg_catalog.to_jsonb(d) AS facts) AS f
     WHERE d.datname = pg_catalog.current_database()))"_s;

Result<void> readColumns(Session &session, const Places &places, const QString &oids)
{
    Statement statement;
    const QString array = statement.bind(oids);
    statement.sql = kHeldSql + kHereSql + uR"(
SELECT a.attrelid, a.attname, a.attnum, pg_catalog.format_type(a.atttypid, a.atttypmod), a.atttypid,
       a.attnotnull, a.attgenerated <> '', a.attidentity <> '',
       pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT'),
       CASE WHEN a.attrelid NOT IN (SELECT relation FROM held) THEN pg_catalog.pg_get_expr(d.adbin, d.adrelid) END,
       co.collname,
       CASE WHEN co.oid IS NULL THEN false
            WHEN co.collprovider = 'd' THEN CASE here.provider WHEN 'c' THEN here.datcollate IN %1
                WHEN 'b' THEN here.locale IN %2 ELSE false END
            WHEN co.collprovider = 'c' THEN co.collcollate IN %1
            WHEN co.collprovider = 'b' THEN pg_catalog.to_jsonb(co) ->> 'colllocale' IN %2
            ELSE false END
  FROM pg_catalog.pg_attribute a
  LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  LEFT JOIN pg_catalog.pg_collation co ON co.oid = a.attcollation
 CROSS JOIN here
 WHERE a.attrelid = ANY (%3::pg_catalog.oid[]) AND a.attnum > 0 AND NOT a.attisdropped
 ORDER BY a.attrelid, a.attnum)"_s.arg(kCodePointNames, kBuiltinNames, array);
    const auto read = session.each(statement, [&places](const Row &row) {
        if (RelationFacts *relation = places.value(row.text(0).toUInt())) {
            ColumnFacts facts;
            facts.name = row.text(1);
            facts.number = static_cast<int>(row.integer(2));
            facts.type = row.text(3);
            facts.typeOid = row.text(4).toUInt();
            facts.notNull = row.truth(5);
            facts.generated = row.truth(6);
            facts.identity = row.truth(7);
            facts.selectable = row.truth(8);
            facts.defaultSql = row.text(9);
            facts.collation = row.text(10);
            facts.codePointOrder = row.truth(11);
            relation->columns.append(facts);
        }
        return true;
    });
    return read.ok() ? Result<void>() : Result<void>(read.error());
}

Result<void> readColumnTypes(Session &session, const Places &places)
{
    QSet<quint32> oids;
    for (const RelationFacts *relation : places) {
        for (const ColumnFacts &column : relation->columns) {
            oids.insert(column.typeOid);
        }
    }
    TRY(const auto types, readTypes(session, oids.values()));
    for (RelationFacts *relation : places) {
        for (ColumnFacts &column : relation->columns) {
            const TypeFacts facts = types.value(column.typeOid);
            column.castType = facts.castType;
            column.typeSchema = facts.schema;
            column.typeName = facts.name;
            column.typeCategory = facts.category;
            column.operatorSchema = facts.operatorSchema;
            column.enumLabels = facts.enumLabels;
        }
    }
    return {};
}

Result<void> readIndexes(Session &session, const Places &places, const QString &oids)
{
    Statement statement;
    const QString array = statement.bind(oids);
    statement.sql = kHeldSql + uR"(
SELECT x.indrelid, i.relname, m.amname, x.indisunique, x.indisprimary, x.indisvalid AND x.indisready AND x.indislive,
       CASE WHEN x.indpred IS NULL THEN NULL
            WHEN x.indrelid IN (SELECT relation FROM held) THEN '(unknown)'
            ELSE pg_catalog.pg_get_expr(x.indpred, x.indrelid) END,
       x.indnkeyatts,
       CASE WHEN x.indrelid NOT IN (SELECT relation FROM held) THEN pg_catalog.pg_get_indexdef(x.indexrelid) END,
       (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(
                 CASE WHEN a.attname IS NOT NULL THEN a.attname::pg_catalog.text
                      WHEN x.indrelid IN (SELECT relation FROM held) THEN '(unknown)'
                      ELSE pg_catalog.pg_get_indexdef(x.indexrelid, k.n, false) END,
                 x.indkey[k.n - 1], coalesce(x.indoption[k.n - 1] & 1, 0), coalesce(x.indoption[k.n - 1] & 2, 0))
               ORDER BY k.n)::pg_catalog.text
          FROM pg_catalog.generate_series(1, x.indnatts) AS k(n)
          LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[k.n - 1]
              AND a.attnum > 0),
       x.indimmediate, COALESCE(pg_catalog.to_jsonb(x) ->> 'indnullsnotdistinct', 'false') -- 15 and later
  FROM pg_catalog.pg_index x
  JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
  JOIN pg_catalog.pg_am m ON m.oid = i.relam
 WHERE x.indrelid = ANY (%1::pg_catalog.oid[])
 ORDER BY x.indrelid, x.indisprimary DESC, i.relname)"_s.arg(array);
    const auto read = session.each(statement, [&places](const Row &row) {
        if (RelationFacts *relation = places.value(row.text(0).toUInt())) {
            IndexFacts facts;
            facts.name = row.text(1);
            facts.method = row.text(2);
            facts.unique = row.truth(3);
            facts.primary = row.truth(4);
            facts.valid = row.truth(5);
            facts.predicate = row.text(6);
            facts.keyColumns = static_cast<int>(row.integer(7));
            facts.definition = row.text(8);
            facts.immediate = row.truth(10);
            facts.nullsDistinct = row.text(11) != u"true";
            const QJsonArray columns = QJsonDocument::fromJson(row.text(9).toUtf8()).array();
            for (const QJsonValue &value : columns) {
                const QJsonArray column = value.toArray();
                facts.columns.append(column.at(0).toString());
                facts.columnNumbers.append(column.at(1).toInt());
                facts.descending.append(column.at(2).toInt() != 0);
                facts.nullsFirst.append(column.at(3).toInt() != 0);
            }
            relation->indexes.append(facts);
        }
        return true;
    });
    return read.ok() ? Result<void>() : Result<void>(read.error());
}

Result<void> readConstraints(Session &session, const Places &places, const QString &oids)
{
    Statement statement;
    const QString array = statement.bind(oids);
    // The copies PostgreSQL keeps for each partition (conparentid) would repeat a foreign key many times.
    statement.sql = kHeldSql + uR"(
SELECT side.relation, c.contype, c.conname, side.incoming,
       CASE WHEN c.contype = 'c' AND side.relation NOT IN (SELECT relation FROM held)
           THEN pg_catalog.pg_get_constraintdef(c.oid) END, c.confdeltype,
       pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(o.relname),
       (SELECT pg_catalog.json_agg(a.attname ORDER BY k.n)::pg_catalog.text
          FROM pg_catalog.unnest(c.conkey) WITH ORDINALITY AS k(num, n)
          JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.num),
       (SELECT pg_catalog.json_agg(a.attname ORDER BY k.n)::pg_catalog.text
          FROM pg_catalog.unnest(c.confkey) WITH ORDINALITY AS k(num, n)
          JOIN pg_catalog.pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.num)
  FROM pg_catalog.pg_constraint c
 CROSS JOIN LATERAL (VALUES (c.conrelid, c.confrelid, false), (c.confrelid, c.conrelid, true))
    AS side(relation, other, incoming)
  LEFT JOIN pg_catalog.pg_class o ON o.oid = side.other
  LEFT JOIN pg_catalog.pg_namespace n ON n.oid = o.relnamespace
 WHERE side.relation = ANY (%1::pg_catalog.oid[]) AND c.contype IN ('c', 'f') AND c.conparentid = 0
   AND (c.contype = 'f' OR NOT side.incoming)
 ORDER BY side.relation, c.contype, c.conname, side.incoming)"_s.arg(array);
    const auto read = session.each(statement, [&places](const Row &row) {
        RelationFacts *relation = places.value(row.text(0).toUInt());
        if (relation == nullptr) {
            return true;
        }
        if (row.text(1) == u"c") {
            relation->checks.append({ row.text(2), row.text(4) });
            return true;
        }
        ForeignKeyFacts facts;
        facts.name = row.text(2);
        facts.incoming = row.truth(3);
        facts.onDelete = row.text(5).isEmpty() ? QChar(u'a') : row.text(5).front();
        facts.table = row.text(6);
        facts.columns = jsonTexts(row.text(facts.incoming ? 8 : 7));
        facts.otherColumns = jsonTexts(row.text(facts.incoming ? 7 : 8));
        relation->foreignKeys.append(facts);
        return true;
    });
    return read.ok() ? Result<void>() : Result<void>(read.error());
}

} // namespace

Result<void> fillRelations(Session &session, QList<RelationFacts> *relations)
{
    if (relations->isEmpty()) {
        return {};
    }
    Places places;
    QList<quint32> oids;
    for (RelationFacts &relation : *relations) {
        places.insert(relation.oid, &relation);
        oids.append(relation.oid);
    }
    const QString array = oidArray(oids);
    for (const auto &step : { readColumns, readIndexes, readConstraints }) {
        const auto done = step(session, places, array);
        if (!done) {
            return done;
        }
    }
    return readColumnTypes(session, places);
}

} // namespace idemdesk::sql
