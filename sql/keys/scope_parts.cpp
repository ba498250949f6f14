// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/scope_parts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Between the parts of a scope that is written as one text.
const QStringList kJoints { u" / "_s, u"/"_s, u":"_s, u"|"_s };

} // namespace

QList<ScopePart> partsOf(const Target &target)
{
    QList<ScopePart> parts;
    for (qsizetype i = 0; i < target.profile.scope.size(); ++i) {
        const Expression &expression = target.profile.scope.at(i).value;
        const ColumnFacts *column = plainColumnFacts(target, expression);
        const ExpressionType type = target.scopeTypes.value(i);
        // A bare constant in ORDER BY or GROUP BY is a syntax error, or the number of a column; with its own
        // type it is a value.
        const QString cast = column != nullptr || type.castType.isEmpty() ? QString() : u"::"_s + type.castType;
        parts.append({ u"("_s + expression.sql + u")"_s + cast, type, column });
    }
    return parts;
}

bool namesScope(const QString &text, const Cells &scope)
{
    QStringList parts;
    for (const Cell &part : scope) {
        if (!part.null) {
            parts += part.text;
        }
    }
    return text.isEmpty() || scope.isEmpty() || parts.contains(text)
        || std::any_of(kJoints.begin(), kJoints.end(), [&](const QString &joint) { return parts.join(joint) == text; });
}

QString namesScopeSql(const QString &text, const Target &target)
{
    QStringList parts;
    for (const ScopePart &part : partsOf(target)) {
        parts += part.sql + u"::pg_catalog.text"_s;
    }
    if (parts.isEmpty()) {
        return u"true"_s;
    }
    QStringList either = parts;
    for (const QString &joint : kJoints) {
        either += u"pg_catalog.concat_ws("_s + quoteLiteral(joint) + u", "_s + parts.join(u", "_s) + u')';
    }
    return u"(COALESCE("_s + text + u", '') IN ('', "_s + either.join(u", "_s) + u"))"_s;
}

QList<qsizetype> indexOrder(const Target &target, const QList<ScopePart> &parts)
{
    QStringList names;
    for (const ScopePart &part : parts) {
        if (part.facts == nullptr || !part.facts->notNull) {
            return {};
        }
        names += part.facts->name;
    }
    for (const IndexFacts &index : target.relation.indexes) {
        if (!index.valid || index.method != u"btree" || !index.predicate.isEmpty() || index.keyColumns < names.size()) {
            continue;
        }
        QList<qsizetype> order;
        for (const QString &name : index.columns.mid(0, names.size())) {
            order += names.indexOf(name);
        }
        if (!order.contains(-1)) {
            return order;
        }
    }
    return {};
}

} // namespace idemdesk::sql
