// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/regions/value_ranks.h"

#include "sql/keys/render.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// An array literal in which NULL stands for itself.
QString nullableArray(const QStringList &values, const QList<bool> &nulls)
{
    QStringList parts;
    for (qsizetype i = 0; i < values.size(); ++i) {
        parts += nulls.at(i) ? u"NULL"_s : arrayLiteral({ values.at(i) }).mid(1).chopped(1);
    }
    return u"{"_s + parts.join(u',') + u'}';
}

QStringList sortTypes(const ResolvedOrder &order)
{
    if (!order.byIdentity()) {
        return { order.type.castType };
    }
    QStringList types;
    for (const IdentityColumn &column : order.identity) {
        types += column.type.castType;
    }
    return types;
}

} // namespace

SortValues sortValues(const ResolvedOrder &order, const KeyRecord &record)
{
    if (!order.byIdentity()) {
        return { record.orderValue };
    }
    SortValues values;
    for (const IdentityColumn &column : order.identity) {
        values += record.identity.value(column.index);
    }
    return values;
}

Result<QList<qint64>> rankValues(Session &session, const ResolvedOrder &order, const QList<SortValues> &values)
{
    QList<qint64> ranks(values.size(), 0);
    if (values.isEmpty()) {
        return ranks;
    }
    Statement statement;
    QStringList arrays;
    QStringList names;
    QStringList sorted;
    const QStringList types = sortTypes(order);
    const QString nulls = order.byIdentity() ? QString() : order.nullsLast ? u" NULLS LAST"_s : u" NULLS FIRST"_s;
    for (qsizetype column = 0; column < types.size(); ++column) {
        QStringList texts;
        QList<bool> missing;
        for (const SortValues &row : values) {
            texts += row.value(column).text;
            missing += row.value(column).null;
        }
        const QString type = types.at(column).isEmpty() ? u"pg_catalog.text"_s : types.at(column);
        arrays += u"pg_catalog.unnest("_s + statement.bind(nullableArray(texts, missing)) + u"::"_s + type + u"[])"_s;
        names += u"v"_s + QString::number(column);
        sorted += names.constLast() + (order.descending ? u" DESC"_s : u" ASC"_s) + nulls;
    }
    statement.sql = u"SELECT w.n - 1, pg_catalog.dense_rank() OVER (ORDER BY "_s + sorted.join(u", "_s)
        + u") FROM ROWS FROM ("_s + arrays.join(u", "_s) + u") WITH ORDINALITY AS w ("_s + names.join(u", "_s)
        + u", n)"_s;
    bool sound = true;
    TRY(session.each(statement, [&ranks, &sound](const Row &row) {
        const qint64 place = row.integer(0);
        sound = place >= 0 && place < ranks.size(); // a server's word is no index
        if (sound) {
            ranks[place] = row.integer(1);
        }
        return sound;
    }));
    if (!sound) {
        return makeError(ErrorKind::Other, Tr::tr("The server put the keys into no order."));
    }
    return ranks;
}

} // namespace idemdesk::sql
