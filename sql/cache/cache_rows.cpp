// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/cache/cache_rows.h"

#include "sql/keys/row_mapper.h"
#include "sql/keys/scope_parts.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/value_fit.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qsizetype kWantedAtOnce = 500;
constexpr qsizetype kMostRowsAtOnce = 20'000; // of them: a key has one row, or one for each part of its table

/// What a key or a part of the scope is compared by.
struct ComparedPart {
    QString sql;
    ExpressionType type;
    bool mayBeNull = false; ///< and is looked for as such
};

/// withoutScope: parts of the scope that can be NULL are meant as such, too.
QList<ComparedPart> comparedParts(const Target &target, bool withoutScope)
{
    QList<ComparedPart> parts;
    for (const ScopePart &part : partsOf(target)) {
        const bool mayBeNull = withoutScope && (part.facts == nullptr || !part.facts->notNull);
        parts.append({ part.sql, part.type, mayBeNull });
    }
    parts.append({ target.profile.key.sql, target.keyType });
    return parts;
}

QString wantedValue(const CachedKey &key, qsizetype part)
{
    return part < key.scope.size() ? key.scope.at(part) : key.key;
}

/// Whether the types take these texts, as far as can be told here.
bool mayExist(const QList<ComparedPart> &parts, const CachedKey &key)
{
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const QString value = wantedValue(key, i);
        if (value.contains(QChar(0)) || (!parts.at(i).mayBeNull && misfit(parts.at(i).type, value))) {
            return false;
        }
    }
    return true;
}

/// Where one part alone can be NULL it is, so that an index serves.
QString nullSql(const QList<ComparedPart> &parts)
{
    QStringList either;
    for (const ComparedPart &part : parts) {
        either += part.mayBeNull ? QStringList { u'(' + part.sql + u") IS NULL"_s } : QStringList();
    }
    return either.isEmpty() ? QString() : u" AND ("_s + either.join(u" OR "_s) + u')';
}

Result<QList<FoundRow>> joinedRows(Session &session, const Target &target, const QList<ComparedPart> &parts,
    const QList<CachedKey> &wanted, const QList<qsizetype> &which)
{
    Render render(target);
    QStringList arrays;
    QStringList names;
    QStringList same;
    const auto nullable = std::count_if(parts.cbegin(), parts.cend(), [](const auto &part) { return part.mayBeNull; });
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const auto &[sql, type, mayBeNull] = parts.at(i);
        QStringList values;
        for (const qsizetype one : which) {
            values += wantedValue(wanted.at(one), i);
        }
        const QString name = u"idemdesk_"_s + QString::number(i);
        const bool known = !type.castType.isEmpty() && !mayBeNull;
        arrays
            += u"pg_catalog.unnest("_s + render.bindArray(values, known ? type.castType : u"pg_catalog.text"_s) + u')';
        names += name;
        if (mayBeNull) {
            same += u"(("_s + sql + u") IS NULL"_s
                + (nullable > 1 ? u" OR ("_s + sql + u")::pg_catalog.text = w."_s + name : QString()) + u')';
            continue;
        }
        // By the type's own operator, so that an index serves.
        same += known ? u'(' + sql + u')' + operatorSql(type.operatorSchema, u"="_s) + u"w."_s + name
                      : u'(' + sql + u")::pg_catalog.text = w."_s + name;
    }
    RowMapper mapper(render, nullptr, 0);
    const int place = mapper.add(u"w.idemdesk_n"_s);
    const QString sql = u"SELECT "_s + mapper.selectList() + u" FROM ROWS FROM ("_s + arrays.join(u", "_s)
        + u") WITH ORDINALITY AS w ("_s + names.join(u", "_s) + u", idemdesk_n) JOIN "_s + target.relation.sql
        + u" t ON "_s + same.join(u" AND "_s) + nullSql(parts) + u" LIMIT "_s + QString::number(kMostRowsAtOnce + 1);
    QList<FoundRow> rows;
    TRY_OR(render.located, session.each(render.finish(sql, {}), [&](const Row &row) {
        const qint64 number = row.integer(place) - 1;
        if (number >= 0 && number < which.size()) { // a server's word is no index
            rows.append({ which.at(number), mapper.record(row) });
        }
        return true;
    }));
    if (rows.size() > kMostRowsAtOnce) {
        return makeError(ErrorKind::Refused, Tr::tr("Too many rows of %1 have one key.").arg(target.profile.relation),
            Tr::tr("An entry of the cache cannot stand for all of them."),
            Tr::tr("Look at “key” and “scope” in the profile: together they name one row."));
    }
    return rows;
}

/// The same; where a text turns out not to fit its type, without it.
Result<QList<FoundRow>> fittingRows(Session &session, const Target &target, bool withoutScope,
    const QList<CachedKey> &wanted, const QList<qsizetype> &which)
{
    auto rows = readAround(session, target, false, nullptr, [&](const Target &readable) {
        return joinedRows(session, readable, comparedParts(readable, withoutScope), wanted, which);
    });
    if (rows || rows.error().kind != ErrorKind::InvalidValue) {
        return rows;
    }
    if (which.size() == 1) {
        return QList<FoundRow>();
    }
    const qsizetype half = which.size() / 2;
    TRY(auto some, fittingRows(session, target, withoutScope, wanted, which.mid(0, half)));
    TRY(const auto others, fittingRows(session, target, withoutScope, wanted, which.mid(half)));
    return some + others;
}

Result<QList<FoundRow>> rowsOf(
    Session &session, const Target &target, bool withoutScope, const QList<CachedKey> &wanted)
{
    const QList<ComparedPart> parts = comparedParts(target, withoutScope);
    QList<qsizetype> which;
    for (qsizetype i = 0; i < wanted.size(); ++i) {
        if (mayExist(parts, wanted.at(i))) {
            which += i;
        }
    }
    QList<FoundRow> found;
    for (qsizetype from = 0; from < which.size(); from += kWantedAtOnce) {
        TRY(const auto rows, fittingRows(session, target, withoutScope, wanted, which.mid(from, kWantedAtOnce)));
        found += rows;
    }
    return found;
}

} // namespace

Result<QList<FoundRow>> rowsOfKeys(Session &session, const Target &target, const QList<CachedKey> &wanted)
{
    return rowsOf(session, target, false, wanted);
}

Result<QList<FoundRow>> rowsWithoutScope(Session &session, const Target &target, const QList<CachedKey> &wanted)
{
    const QList<ComparedPart> parts = comparedParts(target, true);
    const bool any = std::any_of(parts.cbegin(), parts.cend(), [](const auto &part) { return part.mayBeNull; });
    return any ? rowsOf(session, target, true, wanted) : Result<QList<FoundRow>>(QList<FoundRow>());
}

bool writesNull(const CachedKey &wanted, const KeyRecord &record)
{
    static const QStringList words { QString(), u"null"_s, u"none"_s, u"nil"_s, u"undefined"_s };
    for (qsizetype i = 0; i < record.scope.size(); ++i) {
        const QString text = wanted.scope.value(i);
        if (record.scope.at(i).null ? !words.contains(text.toLower()) : record.scope.at(i).text != text) {
            return false;
        }
    }
    return true;
}

} // namespace idemdesk::sql
