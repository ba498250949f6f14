// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/regions/side_reader.h"

#include "sql/keys/predicate.h"
#include "sql/keys/resolve.h"
#include "sql/keys/row_mapper.h"
#include "sql/keys/scope_parts.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/unseen.h"
#include "sql/regions/row_hash.h"

#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr double kRowsOfBucket = 2'048;
constexpr int kFewestBuckets = 1 << 13; // two megabytes in the server: as quick as fewer would be
constexpr int kMostBuckets = 1 << 16; // some 15 MB; more of them leave its caches
constexpr qsizetype kKeysOfSide = 500;

/// The number of a key; see BucketSum.
QString keyNumber(const QString &keyHash)
{
    return u"("_s + keyHash + u" >> 32)"_s;
}

QString bucketOf(const QString &number, int buckets)
{
    return u"("_s + number + u" & "_s + QString::number(buckets - 1) + u')';
}

QString anyOf(Render &render, const auto &numbers)
{
    QStringList texts;
    for (const auto number : numbers) {
        texts += QString::number(number);
    }
    return u" = ANY ("_s + render.bindArray(texts, u"pg_catalog.int8"_s) + u')';
}

/// Behind the cheap condition, which most rows fail, the other one costs nothing.
QString askedFor(Render &render, const SideRequest &request, const BucketRows &asked)
{
    QSet<int> touched(asked.whole.cbegin(), asked.whole.cend());
    for (const qint64 number : asked.keys) {
        touched += bucketOfKey(number, request.buckets);
    }
    const QString number = keyNumber(keyHash(render));
    const QString bucket = bucketOf(number, request.buckets);
    return bucket + anyOf(render, touched) + u" AND ("_s + bucket + anyOf(render, asked.whole) + u" OR "_s + number
        + anyOf(render, asked.keys) + u')';
}

/// Memory for the sums of all buckets, for this transaction: with less the server writes them to disk and reads them
/// again, which costs as much as the table itself.
Result<void> giveMemory(Session &session)
{
    TRY(session.run({ u"SELECT pg_catalog.set_config('work_mem', '64MB', true) WHERE "
                      "pg_catalog.pg_size_bytes(pg_catalog.current_setting('work_mem')) < 64 * 1024 * 1024"_s,
        {} }));
    return {};
}

Result<SideSums> sumsOf(Session &session, const Target &target, const SideRequest &request)
{
    TRY(const auto filter, resolveFilter(session, target, request.filter));
    Render render(target);
    TRY(const auto where, filterCondition(render, filter));
    SideSums sums;
    // The two hashes are computed once each, in a query that is not folded into the other one: so the planner, too,
    // does not take every key for a bucket of its own and sort the table on disk.
    const QString hash = rowHash(u"s.k"_s, u"s.r"_s);
    const QString sql = u"SELECT "_s + bucketOf(keyNumber(u"s.k"_s), request.buckets)
        + u", pg_catalog.count(*), pg_catalog.sum("_s + hash + u"), pg_catalog.sum("_s + keyNumber(u"s.k"_s) + u" * ("_s
        + hash + u" >> 32)) FROM (SELECT "_s + keyHash(render) + u" AS k, "_s + restHash(render, request.byType)
        + u" AS r"_s + render.from() + u" WHERE "_s + where + u" OFFSET 0) s GROUP BY 1"_s;
    TRY_OR(render.located, session.each(render.finish(sql, {}), [&sums](const Row &row) {
        const BucketSum sum { row.integer(1), row.text(2).toLatin1(), row.text(3).toLatin1() };
        sums.buckets.insert(int(row.integer(0)), sum);
        sums.rows += sum.rows;
        return true;
    }));
    return sums;
}

Result<QList<SideRow>> rowsWhere(
    Session &session, Render &render, const QString &from, const QString &where, const QStringList &columns)
{
    RowMapper mapper(render, nullptr, 0);
    const int compared = mapper.add(rowHash(keyHash(render), restHash(render, false)));
    const int result = mapper.add(resultHash(render));
    QList<int> places;
    for (const QString &name : columns) {
        places.append(mapper.add(u"t."_s + quoteIdentifier(name)));
    }
    const QString sql = u"SELECT "_s + mapper.selectList() + from + u" WHERE "_s + where;
    QList<SideRow> rows;
    TRY_OR(render.located, session.each(render.finish(sql, {}), [&](const Row &row) {
        SideRow found { mapper.record(row), row.text(compared).toLatin1(), row.text(result).toLatin1(), {} };
        for (const int place : places) {
            found.columns.append(row.cell(place));
        }
        rows.append(found);
        return true;
    }));
    return rows;
}

bool hasNullScope(const HashedKey &record)
{
    return std::any_of(record.scope.cbegin(), record.scope.cend(), [](const Cell &part) { return part.null; });
}

/// `column = value` by the type's own operators where the type is known, so that an index serves.
QString sameAs(const QString &sql, const ExpressionType &type, const QString &value)
{
    return type.castType.isEmpty() ? u"("_s + sql + u")::pg_catalog.text = "_s + value
                                   : u"("_s + sql + u')' + operatorSql(type.operatorSchema, u"="_s) + value;
}

QString arrayType(const ExpressionType &type)
{
    return type.castType.isEmpty() ? u"pg_catalog.text"_s : type.castType;
}

/// Keys that are alike to the table, though spelt differently, find the same row more than once.
QList<SideRow> onceEach(const QList<SideRow> &rows)
{
    QSet<QStringList> seen;
    QList<SideRow> once;
    for (const SideRow &row : rows) {
        QStringList identity;
        for (const Cell &cell : row.record.identity) {
            identity += cell.null ? QString() : u'=' + cell.text;
        }
        if (!seen.contains(identity)) {
            seen.insert(identity);
            once += row;
        }
    }
    return once;
}

/// Those without NULL in their scopes, joined with the table by index.
Result<QList<SideRow>> joined(
    Session &session, const Target &target, const QList<HashedKey> &wanted, const QStringList &columns)
{
    Render render(target);
    const QList<ScopePart> parts = partsOf(target);
    QStringList arrays;
    QStringList names;
    QStringList same;
    const auto add = [&](const QString &sql, const ExpressionType &type, const auto &valueOf) {
        QStringList values;
        for (const HashedKey &record : wanted) {
            values += valueOf(record);
        }
        const QString name = u"idemdesk_"_s + QString::number(names.size());
        names += name;
        arrays += u"pg_catalog.unnest("_s + render.bindArray(values, arrayType(type)) + u')';
        same += sameAs(sql, type, u"w."_s + name);
    };
    add(target.profile.key.sql, target.keyType, [](const HashedKey &record) { return record.key.text; });
    for (qsizetype i = 0; i < parts.size(); ++i) {
        add(parts.at(i).sql, parts.at(i).type, [i](const HashedKey &record) { return record.scope.at(i).text; });
    }
    const QString from = u" FROM ROWS FROM ("_s + arrays.join(u", "_s) + u") AS w ("_s + names.join(u", "_s)
        + u") JOIN "_s + target.relation.sql + u" t ON "_s + same.join(u" AND "_s);
    return rowsWhere(session, render, from, u"true"_s, columns);
}

/// One whose scope has a NULL, which no join by equality finds.
Result<QList<SideRow>> single(
    Session &session, const Target &target, const HashedKey &wanted, const QStringList &columns)
{
    Render render(target);
    const QList<ScopePart> parts = partsOf(target);
    QStringList same { sameAs(
        target.profile.key.sql, target.keyType, render.bind(wanted.key, arrayType(target.keyType))) };
    for (qsizetype i = 0; i < parts.size(); ++i) {
        same += wanted.scope.at(i).null
            ? parts.at(i).sql + u" IS NULL"_s
            : sameAs(parts.at(i).sql, parts.at(i).type, render.bind(wanted.scope.at(i), arrayType(parts.at(i).type)));
    }
    return rowsWhere(session, render, render.from(), same.join(u" AND "_s), columns);
}

} // namespace

Result<QString> hashProbe(Session &session)
{
    TRY(const auto row, session.one({ u"SELECT "_s + probeHash(), {} }));
    return row.constFirst().text;
}

Result<QString> databaseIdentity(Session &session)
{
    TRY(const auto row,
        session.one({ u"SELECT EXTRACT(epoch FROM pg_catalog.pg_postmaster_start_time())::text || ' ' "
                      "|| oid FROM pg_catalog.pg_database WHERE datname = "
                      "pg_catalog.current_database()"_s,
            {} }));
    return row.constFirst().text;
}

int bucketsFor(double rows)
{
    int buckets = kFewestBuckets;
    while (buckets < kMostBuckets && buckets * kRowsOfBucket < rows) {
        buckets *= 2;
    }
    return buckets;
}

Result<SideSums> readSums(Session &session, const Target &target, const SideRequest &request)
{
    const WholeRows asked(session);
    QString note;
    auto sums = readAround(session, target, false, &note, [&](const Target &readable) -> Result<SideSums> {
        TRY(session.begin());
        TRY(giveMemory(session));
        auto read = sumsOf(session, readable, request);
        if (!read) {
            session.rollback();
            return read;
        }
        TRY(session.commit());
        return read;
    });
    if (sums) {
        sums->notes = unseenNotes(target) + (note.isEmpty() ? QStringList() : QStringList { note });
    }
    return sums;
}

Result<QList<HashedKey>> readBuckets(
    Session &session, const Target &target, const SideRequest &request, const BucketRows &asked, qint64 most)
{
    const WholeRows whole(session);
    return readAround(session, target, false, nullptr, [&](const Target &readable) -> Result<QList<HashedKey>> {
        TRY(const auto filter, resolveFilter(session, readable, request.filter));
        Render render(readable);
        TRY(const auto where, filterCondition(render, filter));
        const QString key = keyHash(render);
        const QStringList columns
            = keyTexts(readable) + QStringList { keyNumber(key), rowHash(key, restHash(render, request.byType)) };
        const QString sql = u"SELECT "_s + columns.join(u", "_s) + render.from() + u" WHERE "_s + where + u" AND "_s
            + askedFor(render, request, asked) + u" LIMIT "_s + QString::number(most);
        const int keyAt = int(columns.size()) - 3;
        QList<HashedKey> rows;
        TRY_OR(render.located, session.each(render.finish(sql, {}), [&rows, keyAt](const Row &row) {
            HashedKey found { {}, row.cell(keyAt), row.integer(keyAt + 1), row.integer(keyAt + 2) };
            for (int i = 0; i < keyAt; ++i) {
                found.scope += row.cell(i);
            }
            rows.append(found);
            return true;
        }));
        return rows;
    });
}

Result<QList<SideRow>> readSameKeys(
    Session &session, const Target &target, const QList<HashedKey> &wanted, const QStringList &columns)
{
    const WholeRows asked(session);
    QList<HashedKey> plain;
    QList<SideRow> found;
    for (const HashedKey &record : wanted) {
        if (record.key.null) {
            continue; // no key finds it
        }
        if (!hasNullScope(record)) {
            plain += record;
            continue;
        }
        TRY(const auto rows, readAround(session, target, false, nullptr, [&](const Target &readable) {
            return single(session, readable, record, columns);
        }));
        found += rows;
    }
    for (qsizetype from = 0; from < plain.size(); from += kKeysOfSide) {
        TRY(const auto rows, readAround(session, target, false, nullptr, [&](const Target &readable) {
            return joined(session, readable, plain.mid(from, kKeysOfSide), columns);
        }));
        found += rows;
    }
    return onceEach(found);
}

} // namespace idemdesk::sql
