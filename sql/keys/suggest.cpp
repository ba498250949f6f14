// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/suggest.h"

#include "sql/keys/page_reader.h"
#include "sql/keys/resolve.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/value_fit.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Rows looked at where no index gives distinct values.
constexpr int kSuggestionRows = 10'000;

struct SuggestionSource {
    Expression expression;
    ExpressionType type;
};

std::optional<SuggestionSource> sourceOf(const Target &target, FilterField field, const QString &label)
{
    const Profile &profile = target.profile;
    const auto role = [&](Role wanted) -> std::optional<SuggestionSource> {
        return profile.has(wanted)
            ? std::optional<SuggestionSource>({ profile.role(wanted), target.roleTypes.value(wanted) })
            : std::nullopt;
    };
    const FilterFieldFacts &facts = filterFieldFacts(field);
    switch (facts.compares) {
    case FilterCompares::Scope:
        for (qsizetype i = 0; i < profile.scope.size(); ++i) {
            if (label.isEmpty() || profile.scope.at(i).label == label) {
                return SuggestionSource { profile.scope.at(i).value, target.scopeTypes.value(i) };
            }
        }
        return std::nullopt;
    case FilterCompares::Own:
        if (const FieldSpec *own = profile.field(label); own != nullptr && own->type == FieldType::Text) {
            return SuggestionSource { own->value, target.fieldTypes.value(own - profile.fields.constData()) };
        }
        return std::nullopt;
    case FilterCompares::BareWord:
    case FilterCompares::Key:
        return SuggestionSource { profile.key, target.keyType };
    case FilterCompares::Text:
    case FilterCompares::Number:
        return role(*facts.roles.front());
    case FilterCompares::Result:
        return profile.has(Role::ResultType) ? role(Role::ResultType) : role(Role::ResultId);
    case FilterCompares::State:
    case FilterCompares::Integer:
    case FilterCompares::Age:
    case FilterCompares::Time:
    case FilterCompares::Payload:
    case FilterCompares::Amount:
        break;
    }
    return std::nullopt;
}

QStringList texts(const QList<Cells> &rows)
{
    QStringList out;
    for (const Cells &row : rows) {
        if (!row.first().null) {
            out += row.first().text;
        }
    }
    return out;
}

/// Distinct values by jumping through an index that has the column first.
QString jumping(Render &render, const SuggestionSource &source, const QString &column, const QString &prefix, int limit)
{
    const Target &target = render.target();
    QString first;
    if (!prefix.isEmpty() && isPlainText(source.type) && source.type.codePointOrder) {
        first = u"t."_s + quoteIdentifier(column) + u" >= "_s + render.bind(prefix, source.type.castType);
    }
    // A NULL at the end of the index ends the jumps: nothing compares with it.
    return u"SELECT l.k1::pg_catalog.text FROM (SELECT * FROM ("_s + looseScan(target, { column }, first)
        + u") j LIMIT "_s + QString::number(prefix.isEmpty() || !first.isEmpty() ? limit : 1'000)
        + u") l WHERE l.k1 IS NOT NULL"_s;
}

QString sampling(const Render &render, const QString &expression, int limit)
{
    return u"SELECT v FROM (SELECT "_s + expression + u"::pg_catalog.text AS v"_s + render.from() + u" LIMIT "_s
        + QString::number(kSuggestionRows)
        + u") x WHERE v IS NOT NULL GROUP BY v ORDER BY pg_catalog.count(*) DESC, v LIMIT "_s + QString::number(limit);
}

} // namespace

static Result<QStringList> suggestValuesOnce(
    Session &session, const Target &target, FilterField field, const QString &label, const QString &prefix, int limit)
{
    const auto source = sourceOf(target, field, label);
    if (!source || limit < 1) {
        return QStringList {};
    }
    if (!source->type.enumLabels.isEmpty()) {
        QStringList out;
        for (const QString &one : source->type.enumLabels) {
            if (one.startsWith(prefix, Qt::CaseInsensitive) && out.size() < limit) {
                out += one;
            }
        }
        return out;
    }
    const ColumnFacts *facts = plainColumnFacts(target, source->expression);
    const bool key = field == FilterField::Key || field == FilterField::BareWord;
    Render render(target);
    QString sql;
    if (facts != nullptr && indexLeads(target.relation, facts->name, false)) {
        sql = jumping(render, *source, facts->name, prefix, limit);
    } else if (key) {
        // Keys are distinct by nature: a page of those with the prefix, where an index finds them.
        if (prefix.isEmpty()) {
            return QStringList {};
        }
        FilterTerm term;
        term.field = FilterField::Key;
        term.op = FilterOperator::Prefix;
        term.values = { prefix };
        TRY(const auto resolved, resolveFilter(session, target, { {}, { term } }));
        if (resolved.spreadColumns.isEmpty() && !isSmall(target.relation)) {
            return QStringList {};
        }
        TRY(const auto condition, filterCondition(render, resolved));
        sql = u"SELECT ("_s + source->expression.sql + u")::pg_catalog.text"_s + render.from() + u" WHERE "_s
            + condition + u" LIMIT "_s + QString::number(limit);
    } else {
        // Common values come first in any sample, so completion needs no complete list.
        sql = sampling(render, u"("_s + source->expression.sql + u")"_s, 1'000);
    }
    TRY(const auto rows, session.all(render.finish(sql, {})));
    QStringList out;
    for (const QString &one : texts(rows)) {
        if (one.startsWith(prefix, Qt::CaseInsensitive) && out.size() < limit && !out.contains(one)) {
            out += one;
        }
    }
    return out;
}

Result<QStringList> suggestValues(
    Session &session, const Target &target, FilterField field, const QString &label, const QString &prefix, int limit)
{
    return readAround(session, target, false, nullptr,
        [&](const Target &readable) { return suggestValuesOnce(session, readable, field, label, prefix, limit); });
}

} // namespace idemdesk::sql
