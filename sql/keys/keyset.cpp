// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/keyset.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

struct SortKey {
    QString sql;
    ExpressionType type;
    bool nullable = false;
    Cell value;
};

bool catalogOperators(const ExpressionType &type)
{
    return type.operatorSchema.isEmpty() || type.operatorSchema == u"pg_catalog";
}

/// `key` strictly after its value, where NULL sorts after everything upwards and so before everything downwards, as
/// ORDER BY has it.
QString strictlyAfter(const SortKey &key, bool descending, const QString &bound)
{
    if (key.value.null) {
        return descending ? key.sql + u" IS NOT NULL"_s : u"false"_s;
    }
    const QString compared = key.sql + operatorSql(key.type.operatorSchema, descending ? u"<"_s : u">"_s) + bound;
    return key.nullable && !descending ? u"("_s + compared + u" OR "_s + key.sql + u" IS NULL)"_s : compared;
}

QString same(const SortKey &key, const QString &bound)
{
    return key.value.null ? key.sql + u" IS NULL"_s : key.sql + operatorSql(key.type.operatorSchema, u"="_s) + bound;
}

/// (a, b) after (x, y), as one row comparison where that is exact, else spelled out.
QString tupleAfter(Render &render, const QList<SortKey> &keys, bool descending)
{
    QStringList bounds;
    bool exact = true;
    for (const SortKey &key : keys) {
        bounds += key.value.null ? QString() : render.bind(key.value, key.type.castType);
        exact = exact && catalogOperators(key.type) && !key.nullable && !key.value.null;
    }
    if (keys.size() == 1) {
        return strictlyAfter(keys.first(), descending, bounds.first());
    }
    if (exact) {
        QStringList left;
        for (const SortKey &key : keys) {
            left += key.sql;
        }
        return u"("_s + left.join(u", "_s) + (descending ? u") < ("_s : u") > ("_s) + bounds.join(u", "_s) + u")"_s;
    }
    QString condition;
    for (qsizetype i = keys.size() - 1; i >= 0; --i) {
        const QString after = strictlyAfter(keys.at(i), descending, bounds.at(i));
        condition = condition.isEmpty()
            ? after
            : u"("_s + after + u" OR ("_s + same(keys.at(i), bounds.at(i)) + u" AND "_s + condition + u"))"_s;
    }
    // Implied by the rest; it is what an index can use.
    const SortKey &first = keys.first();
    if (!first.value.null && !(first.nullable && !descending)) {
        condition = first.sql + operatorSql(first.type.operatorSchema, descending ? u"<="_s : u">="_s) + bounds.first()
            + u" AND "_s + condition;
    }
    return u"("_s + condition + u")"_s;
}

} // namespace

QList<Segment> segmentsOf(const ResolvedOrder &order, bool backward)
{
    if (order.byIdentity() || !order.nullable) {
        return { Segment::All };
    }
    return order.nullsLast != backward ? QList<Segment> { Segment::Values, Segment::Nulls }
                                       : QList<Segment> { Segment::Nulls, Segment::Values };
}

qsizetype firstSegment(const QList<Segment> &segments, const Cursor &cursor)
{
    if (segments.size() == 1 || cursor.atEdge()) {
        return 0;
    }
    return segments.indexOf(cursor.orderValue.null ? Segment::Nulls : Segment::Values);
}

QString afterCursor(Render &render, const ResolvedOrder &order, Segment segment, const Cursor &cursor, bool backward)
{
    QStringList parts;
    if (segment != Segment::All) {
        parts += order.sql + (segment == Segment::Nulls ? u" IS NULL"_s : u" IS NOT NULL"_s);
    }
    const bool descending = order.descending != backward;
    const bool here
        = !cursor.atEdge() && (segment == Segment::All || (segment == Segment::Nulls) == cursor.orderValue.null);
    if (here && cursor.identity.isEmpty()) { // before every row with this value, in the order's own direction
        const QString op = order.descending ? (backward ? u">"_s : u"<="_s) : (backward ? u"<"_s : u">="_s);
        parts += order.sql + operatorSql(order.type.operatorSchema, op)
            + render.bind(cursor.orderValue, order.type.castType);
    } else if (here) {
        QList<SortKey> keys;
        if (!order.byIdentity() && segment != Segment::Nulls) {
            keys.append({ order.sql, order.type, false, cursor.orderValue });
        }
        for (const IdentityColumn &column : order.identity) {
            keys.append({ column.sql, column.type, column.nullable, cursor.identity.value(column.index) });
        }
        parts += tupleAfter(render, keys, descending);
    }
    return parts.isEmpty() ? u"true"_s : parts.join(u" AND "_s);
}

QString sortList(const ResolvedOrder &order, Segment segment, bool backward)
{
    const QString direction = order.descending != backward ? u" DESC"_s : u" ASC"_s;
    QStringList parts;
    if (!order.byIdentity() && segment != Segment::Nulls) {
        parts += order.sql + direction;
    }
    for (const IdentityColumn &column : order.identity) {
        parts += column.sql + direction;
    }
    return parts.join(u", "_s);
}

} // namespace idemdesk::sql
