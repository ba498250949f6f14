// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/resolve.h"

#include "sql/keys/state_predicate.h"
#include "sql/keys/value_fit.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr double kSmallRows = 50'000;
constexpr qint64 kSmallBytes = 16 * 1024 * 1024;
/// Jumping through more scopes than this costs more than reading the index through.
constexpr qint64 kMostScopesProbed = 1'000;
constexpr qint64 kMostProbes = 5'000;

bool usable(const IndexFacts &index)
{
    return index.valid && index.method == u"btree" && index.predicate.isEmpty();
}

QString keyColumn(const Target &target)
{
    const ColumnFacts *facts = plainColumnFacts(target, target.profile.key);
    return facts != nullptr ? facts->name : QString();
}

/// The scope columns that stand before the key in an index, none of them nullable; empty where there is no such index.
QStringList columnsBeforeKey(const Target &target)
{
    const QString key = keyColumn(target);
    QStringList scopeColumns;
    for (const LabelledExpression &part : target.profile.scope) {
        if (const ColumnFacts *facts = plainColumnFacts(target, part.value); facts != nullptr && facts->notNull) {
            scopeColumns += facts->name;
        }
    }
    for (const IndexFacts &index : target.relation.indexes) {
        const qsizetype at = index.columns.mid(0, index.keyColumns).indexOf(key);
        if (!usable(index) || key.isEmpty() || at < 1) {
            continue;
        }
        const QStringList before = index.columns.mid(0, at);
        if (std::all_of(
                before.cbegin(), before.cend(), [&](const QString &name) { return scopeColumns.contains(name); })) {
            return before;
        }
    }
    return {};
}

bool findsKeys(const FilterTerm &term, const Profile &profile)
{
    const bool aboutKey
        = term.field == FilterField::Key || (term.field == FilterField::BareWord && profile.aliases.isEmpty());
    const bool anchored
        = term.op == FilterOperator::Equal || (term.op == FilterOperator::Prefix && !term.values.contains(QString()));
    return aboutKey && anchored && !term.negated && !term.isNull;
}

bool scopeGiven(const Filter &filter, const Profile &profile, const Target &target, const QString &leading)
{
    for (const FilterTerm &term : filter.terms) {
        if (term.field != FilterField::Scope || term.negated || term.op != FilterOperator::Equal || term.isNull) {
            continue;
        }
        for (const LabelledExpression &part : profile.scope) {
            const ColumnFacts *facts = plainColumnFacts(target, part.value);
            const bool meant = term.label == part.label || (term.label.isEmpty() && profile.scope.size() == 1);
            if (meant && facts != nullptr && facts->name == leading) {
                return true;
            }
        }
    }
    return false;
}

/// Fills in spreadColumns where that pays.
Result<void> decideSpread(Session &session, const Target &target, ResolvedFilter *resolved)
{
    const auto &terms = resolved->filter.terms;
    const bool wanted = std::any_of(
        terms.cbegin(), terms.cend(), [&](const FilterTerm &term) { return findsKeys(term, target.profile); });
    if (!wanted || isSmall(target.relation) || indexLeads(target.relation, keyColumn(target), false)) {
        return {};
    }
    const QStringList columns = columnsBeforeKey(target);
    if (columns.isEmpty() || scopeGiven(resolved->filter, target.profile, target, columns.first())) {
        return {};
    }
    QString sql = u"SELECT pg_catalog.count(*)"_s;
    for (qsizetype i = 0; i < columns.size(); ++i) {
        sql += u", pg_catalog.count(DISTINCT s.k"_s + QString::number(i + 1) + u')';
    }
    sql += u" FROM (SELECT * FROM ("_s + looseScan(target, columns, {}) + u") l LIMIT "_s
        + QString::number(kMostScopesProbed + 1) + u") s"_s;
    TRY(const auto counts, session.one({ sql, {} }));
    qint64 probes = 1;
    for (qsizetype i = 1; i < counts.size(); ++i) {
        probes *= qMax<qint64>(1, counts.at(i).text.toLongLong());
    }
    if (counts.first().text.toLongLong() <= kMostScopesProbed && probes <= kMostProbes) {
        resolved->spreadColumns = columns;
    }
    return {};
}

bool prefixServed(const Target &target)
{
    if (isSmall(target.relation)) {
        return true;
    }
    const bool ranges
        = (isPlainText(target.keyType) && target.keyType.codePointOrder) || target.keyType.typeName == u"uuid";
    return ranges && (indexLeads(target.relation, keyColumn(target), false) || !columnsBeforeKey(target).isEmpty());
}

/// True if some row has exactly this key (or alias), whatever else the filter asks.
Result<bool> exactExists(Session &session, const Target &target, const FilterTerm &term)
{
    ResolvedFilter word;
    word.filter.terms = { term };
    TRY(decideSpread(session, target, &word));
    Render render(target);
    const auto condition = filterCondition(render, word);
    if (!condition) {
        return condition.error().kind == ErrorKind::InvalidValue ? Result<bool>(false)
                                                                 : Result<bool>(condition.error());
    }
    const auto found = session.one(
        render.finish(u"SELECT EXISTS (SELECT 1"_s + render.from() + u" WHERE "_s + *condition + u")"_s, {}));
    return found ? Result<bool>(found->first().text == u"t") : Result<bool>(render.located(found.error()));
}

} // namespace

bool isSmall(const RelationFacts &relation)
{
    if (relation.estimatedRows >= 0) {
        return relation.estimatedRows < kSmallRows && relation.bytes < kSmallBytes * 8;
    }
    return relation.bytes >= 0 && relation.bytes < kSmallBytes;
}

bool indexLeads(const RelationFacts &relation, const QString &column, bool partialToo)
{
    return !column.isEmpty()
        && std::any_of(relation.indexes.cbegin(), relation.indexes.cend(), [&](const IndexFacts &index) {
               return index.valid && index.method == u"btree" && (partialToo || index.predicate.isEmpty())
                   && index.columns.value(0) == column && index.columnNumbers.value(0) != 0;
           });
}

Result<ResolvedFilter> resolveFilter(Session &session, const Target &target, const Filter &filter)
{
    ResolvedFilter resolved;
    resolved.filter = filter;
    for (FilterTerm &term : resolved.filter.terms) {
        if (term.field != FilterField::BareWord || term.op != FilterOperator::Equal || term.negated
            || term.values.size() != 1 || term.values.first().isEmpty()) {
            continue;
        }
        TRY(const auto exact, exactExists(session, target, term));
        if (exact) {
            continue;
        }
        if (prefixServed(target)) {
            term.op = FilterOperator::Prefix;
            resolved.notes
                += QCoreApplication::translate("KeyPage", "No key is exactly “%1”: showing keys that begin with it.")
                       .arg(term.values.first());
        } else {
            resolved.notes += QCoreApplication::translate("KeyPage",
                "No key is exactly “%1”. No index serves a search for keys that begin with it: add a star to search "
                "all the same.")
                                  .arg(term.values.first());
        }
    }
    TRY(decideSpread(session, target, &resolved));
    return resolved;
}

QString looseScan(const Target &target, const QStringList &columns, const QString &firstCondition)
{
    QStringList selected;
    QStringList next;
    QStringList order;
    QStringList left;
    QStringList right;
    bool plain = true;
    for (qsizetype i = 0; i < columns.size(); ++i) {
        const QString name = u"k"_s + QString::number(i + 1);
        const QString column = u"t."_s + quoteIdentifier(columns.at(i));
        selected += column + u" AS "_s + name;
        next += u"n."_s + name;
        order += column;
        left += column;
        right += u"s."_s + name;
        const QString schema = columnType(target.relation, columns.at(i)).operatorSchema;
        plain = plain && (schema.isEmpty() || schema == u"pg_catalog");
    }
    QString after;
    if (plain) {
        after = u"("_s + left.join(u", "_s) + u") > ("_s + right.join(u", "_s) + u")"_s;
    } else { // row comparison finds its operators by name; these must come from the type's own schema
        QString equal;
        for (qsizetype i = 0; i < columns.size(); ++i) {
            const QString schema = columnType(target.relation, columns.at(i)).operatorSchema;
            after += (i > 0 ? u" OR "_s : QString()) + u"("_s + equal + left.at(i) + operatorSql(schema, u">"_s)
                + right.at(i) + u")"_s;
            equal += left.at(i) + operatorSql(schema, u"="_s) + right.at(i) + u" AND "_s;
        }
        const QString schema = columnType(target.relation, columns.first()).operatorSchema;
        after = left.first() + operatorSql(schema, u">="_s) + right.first() + u" AND ("_s + after + u")"_s;
    }
    const QString first = u"SELECT "_s + selected.join(u", "_s) + u" FROM "_s + target.relation.sql + u" t"_s;
    const QString sorted = u" ORDER BY "_s + order.join(u", "_s) + u" LIMIT 1"_s;
    return u"WITH RECURSIVE s AS (("_s + first + (firstCondition.isEmpty() ? QString() : u" WHERE "_s + firstCondition)
        + sorted + u") UNION ALL SELECT "_s + next.join(u", "_s) + u" FROM s CROSS JOIN LATERAL ("_s + first
        + u" WHERE "_s + after + sorted + u") n) SELECT * FROM s"_s;
}

QString spreadCondition(const Target &target, const QStringList &columns)
{
    QStringList parts;
    for (qsizetype i = 0; i < columns.size(); ++i) {
        parts += u"t."_s + quoteIdentifier(columns.at(i))
            + operatorSql(columnType(target.relation, columns.at(i)).operatorSchema, u"="_s)
            + u"ANY (ARRAY(SELECT l.k"_s + QString::number(i + 1) + u" FROM ("_s + looseScan(target, columns, {})
            + u") l))"_s;
    }
    return parts.join(u" AND "_s);
}

} // namespace idemdesk::sql
