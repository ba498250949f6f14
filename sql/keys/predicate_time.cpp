// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/predicate_time.h"

#include "sql/profile/expression_sql.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

QString moment(Render &render, const QString &value)
{
    if (value == u"now") {
        return u"$now"_s;
    }
    if (value.startsWith(u"now")) {
        return u"($now + "_s + render.bind(value.mid(3) + u" seconds"_s, u"pg_catalog.interval"_s) + u")"_s;
    }
    return render.bind(value, u"pg_catalog.timestamptz"_s);
}

} // namespace

QString operatorText(FilterOperator op)
{
    switch (op) {
    case FilterOperator::Less:
        return u"<"_s;
    case FilterOperator::LessOrEqual:
        return u"<="_s;
    case FilterOperator::Greater:
        return u">"_s;
    case FilterOperator::GreaterOrEqual:
        return u">="_s;
    case FilterOperator::Equal:
    case FilterOperator::Contains:
    case FilterOperator::Prefix:
        break;
    }
    return u"="_s;
}

bool ordered(FilterOperator op)
{
    return operatorText(op) != u"=";
}

QString either(const QStringList &parts)
{
    return parts.size() == 1 ? parts.first() : u"("_s + parts.join(u" OR "_s) + u")"_s;
}

QString timeCondition(Render &render, const Expression &expression, const FilterTerm &term)
{
    if (term.isNull) {
        return u"("_s + (expression.when.isEmpty() ? expression.sql : timestamptzSql(expression)) + u") IS NULL"_s;
    }
    QStringList parts;
    for (const QString &value : term.values) {
        if (term.op != FilterOperator::Equal) {
            parts += compareTime(expression, operatorText(term.op), moment(render, value));
            continue;
        }
        const QStringList ends = value.split(u'/');
        const QString from = moment(render, ends.first());
        const QString to = ends.size() > 1 ? moment(render, ends.last()) : from;
        parts += u"("_s + compareTime(expression, u">="_s, from) + u" AND "_s
            + compareTime(expression, ends.size() > 1 ? u"<"_s : u"<="_s, to) + u")"_s;
    }
    return either(parts);
}

} // namespace idemdesk::sql
