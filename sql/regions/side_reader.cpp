// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/regions/side_reader.h"

#include "sql/keys/predicate.h"
#include "sql/keys/resolve.h"
#include "sql/keys/row_mapper.h"
#include "sql/keys/scope_parts.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/unseen.h"

#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr double kRowsOfBucket = 128;
constexpr int kFewestBuckets = 64;
constexpr int kMostBuckets = 1 << 16; // some 15 MB in the server; more of them leave its caches
constexpr qsizetype kKeysAtOnce = 500;

/// As text, by code points: the same on every server.
QString asText(const QString &sql)
{
    return u"("_s + sql + u")::pg_catalog.text COLLATE pg_catalog.\"C\""_s;
}

/// Unlike texts that are joined, no two rows of different parts look alike, and NULL is none of the texts.
QString hashOf(const QStringList &parts)
{
    return u"pg_catalog.hash_record_extended(ROW("_s + parts.join(u", "_s) + u"), 0)"_s;
}

QStringList keyTexts(const Target &target)
{
    QStringList parts;
    for (const ScopePart &part : partsOf(target)) {
        parts += asText(part.sql);
    }
    parts += asText(target.profile.key.sql);
    return parts;
}

QStringList roleTexts(const Target &target, const QList<Role> &roles)
{
    QStringList parts;
    for (const Role role : roles) {
        if (target.profile.has(role)) {
            parts += asText(target.profile.roles.value(role).sql);
        }
    }
    return parts;
}

/// The result's type, id and code; where a row names neither type nor id, its stored answer.
QStringList resultTexts(const Target &target)
{
    QStringList parts = roleTexts(target, { Role::ResultType, Role::ResultId, Role::ResponseCode });
    const QStringList named = roleTexts(target, { Role::ResultType, Role::ResultId });
    if (target.profile.has(Role::ResponseBody)) {
        const QString body = asText(target.profile.roles.value(Role::ResponseBody).sql);
        parts += named.isEmpty()
            ? body
            : u"CASE WHEN COALESCE("_s + named.join(u", "_s) + u") IS NULL THEN "_s + body + u" END"_s;
    }
    return parts;
}

/// What must be the same on both sides: the key, the status as it is stored, the fingerprint, the error's code and the
/// result.
QStringList comparedTexts(const Target &target)
{
    return keyTexts(target) + roleTexts(target, { Role::Status, Role::Fingerprint, Role::ErrorCode })
        + resultTexts(target);
}

/// By the key alone: a hash of one text costs a third of that of a record, and keys of different scopes are alike
/// seldom.
QString bucketOf(const Target &target, int buckets)
{
    return u"(pg_catalog.hashtextextended(COALESCE("_s + asText(target.profile.key.sql) + u", ''), 0) & "_s
        + QString::number(buckets - 1) + u")"_s;
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
    // Each hash is computed once, in a query that is not folded into the other one. States of fixed size keep all
    // buckets in memory, where a sum of large numbers takes a kilobyte for each; and the planner, who takes every key
    // for a bucket of its own, would sort the table on disk.
    const QString sql = u"SELECT s.b, pg_catalog.count(*), pg_catalog.bit_xor(s.h), pg_catalog.sum((s.h >> "
                        u"32)::pg_catalog.int4) FROM "
                        "(SELECT "_s
        + bucketOf(target, request.buckets) + u" AS b, "_s + hashOf(comparedTexts(target)) + u" AS h"_s + render.from()
        + u" WHERE "_s + where + u" OFFSET 0) s GROUP BY s.b"_s;
    TRY_OR(render.located, session.each(render.finish(sql, {}), [&sums](const Row &row) {
        // Two like rows leave nothing in the first number, but do in the second.
        const BucketSum sum { row.integer(1), row.text(2).toLatin1() + '/' + row.text(3).toLatin1() };
        sums.buckets.insert(int(row.integer(0)), sum);
        sums.rows += sum.rows;
        return true;
    }));
    return sums;
}

Result<QList<SideRow>> rowsWhere(
    Session &session, Render &render, const QString &from, const QString &where, const QStringList &columns)
{
    const Target &target = render.target();
    RowMapper mapper(render, nullptr, 0);
    const int compared = mapper.add(hashOf(comparedTexts(target)));
    const int result = mapper.add(hashOf(resultTexts(target) + QStringList { u"0"_s }));
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
    TRY(const auto row, session.one({ u"SELECT "_s + hashOf({ asText(u"'idemdesk'"_s), asText(u"NULL"_s) }), {} }));
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
    Session &session, const Target &target, const SideRequest &request, const QList<int> &buckets, qint64 most)
{
    const WholeRows asked(session);
    return readAround(session, target, false, nullptr, [&](const Target &readable) -> Result<QList<HashedKey>> {
        TRY(const auto filter, resolveFilter(session, readable, request.filter));
        Render render(readable);
        TRY(const auto where, filterCondition(render, filter));
        QStringList numbers;
        for (const int bucket : buckets) {
            numbers += QString::number(bucket);
        }
        const QStringList columns = keyTexts(readable) + QStringList { hashOf(comparedTexts(readable)) };
        const QString sql = u"SELECT "_s + columns.join(u", "_s) + render.from() + u" WHERE "_s + where + u" AND "_s
            + bucketOf(readable, request.buckets) + u" = ANY ("_s + render.bindArray(numbers, u"pg_catalog.int8"_s)
            + u") LIMIT "_s + QString::number(most);
        QList<HashedKey> rows;
        TRY_OR(render.located, session.each(render.finish(sql, {}), [&rows](const Row &row) {
            HashedKey found;
            for (int i = 0; i + 2 < row.columns(); ++i) {
                found.scope += row.cell(i);
            }
            found.key = row.cell(row.columns() - 2);
            found.compared = row.text(row.columns() - 1).toLatin1();
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
    for (qsizetype from = 0; from < plain.size(); from += kKeysAtOnce) {
        TRY(const auto rows, readAround(session, target, false, nullptr, [&](const Target &readable) {
            return joined(session, readable, plain.mid(from, kKeysAtOnce), columns);
        }));
        found += rows;
    }
    return onceEach(found);
}

QStringList comparedSql(const Profile &profile)
{
    QStringList sql;
    for (const LabelledExpression &part : profile.scope) {
        sql += part.label + u": "_s + part.value.sql;
    }
    sql += u"key: "_s + profile.key.sql;
    for (const Role role :
        { Role::Status, Role::Fingerprint, Role::ResultType, Role::ResultId, Role::ResponseCode, Role::ResponseBody }) {
        sql += roleName(role) + u": "_s + profile.roles.value(role).sql;
    }
    return sql;
}

} // namespace idemdesk::sql
