// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace idemdesk::sql {

/// One live column, from pg_attribute and pg_type.
struct ColumnFacts {
    QString name;
    int number = 0; ///< attnum
    QString type; ///< format_type with its schema unless pg_catalog, such as "app.idempotency_status" or "character
                  ///< varying(255)"
    QString castType; ///< quoted and without length, to cast a bound text: `pg_catalog.uuid`, `app."Status"`
    quint32 typeOid = 0;
    QString typeSchema;
    QString typeName; ///< pg_type.typname: "uuid", "int4", "timestamptz", "citext"
    QChar typeCategory; ///< pg_type.typcategory: 'S' text, 'N' number, 'D' time, 'E' enum, 'B' bool, 'U' other
    bool notNull = false;
    bool generated = false;
    bool identity = false;
    bool selectable = true; ///< has_column_privilege(…, 'SELECT')
    QString defaultSql;
    QStringList enumLabels; ///< in the enum's order; empty for other types
    QString collation; ///< name, empty where the type has none
    bool codePointOrder = false; ///< the collation orders by code point (C, POSIX, C.UTF-8, ucs_basic): range search on
                                 ///< prefixes is right
    QString operatorSchema; ///< schema of the default btree operators of the type: pg_catalog, or public for citext
};

struct IndexFacts {
    QString name;
    QString method; ///< btree, gin, …
    bool unique = false;
    bool primary = false;
    bool valid = true;
    bool immediate = true; ///< false: of a deferrable constraint, so that COMMIT may be the first to refuse
    bool nullsDistinct = true; ///< rows with a NULL in a key column are never alike
    QString predicate; ///< of a partial index, as pg_get_expr prints it, else empty
    QStringList columns; ///< plain column name, or the expression's SQL where columnNumbers has 0
    QList<int> columnNumbers; ///< attnum or 0
    QList<bool> descending;
    QList<bool> nullsFirst;
    int keyColumns = 0; ///< how many of columns are key columns; the rest are INCLUDE
    QString definition; ///< pg_get_indexdef
};

struct ForeignKeyFacts {
    QString name;
    QString table; ///< the other table, schema-qualified
    QStringList columns;
    QStringList otherColumns;
    QChar onDelete; ///< pg_constraint.confdeltype: a, r, c, n, d
    bool incoming = false; ///< another table points here
};

struct CheckFacts {
    QString name;
    QString definition; ///< pg_get_constraintdef
};

/// A table or view as the catalogue describes it now to this user.
struct RelationFacts {
    quint32 oid = 0;
    QString schema;
    QString name;
    QString sql; ///< quoted and qualified, to stand in FROM
    QChar kind; ///< relkind: r table, p partitioned, v view, m materialised view, f foreign
    double estimatedRows = -1; ///< reltuples, summed over partitions; -1 unknown
    qint64 bytes = -1; ///< pg_total_relation_size, summed over partitions; -1 unknown or a view
    bool selectable = true; ///< SELECT on the table or on at least one column
    bool rowSecurity = false; ///< row security applies to this user, or to a view's reader below it: rows may be hidden
    bool unlogged = false;
    QString comment;
    QString partitionKey; ///< pg_get_partkeydef, empty unless partitioned
    QString parent; ///< the partitioned table this is a part of, else empty
    QList<ColumnFacts> columns;
    QList<IndexFacts> indexes;
    QList<ForeignKeyFacts> foreignKeys;
    QList<CheckFacts> checks;

    bool isView() const { return kind == u'v' || kind == u'm'; }

    const ColumnFacts *column(const QString &columnName) const
    {
        for (const ColumnFacts &facts : columns) {
            if (facts.name == columnName) {
                return &facts;
            }
        }
        return nullptr;
    }
};

} // namespace idemdesk::sql
