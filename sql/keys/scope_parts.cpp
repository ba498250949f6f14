// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/scope_parts.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

QList<ScopePart> partsOf(const Target &target)
{
    QList<ScopePart> parts;
    for (qsizetype i = 0; i < target.profile.scope.size(); ++i) {
        const Expression &expression = target.profile.scope.at(i).value;
        parts.append({ u"("_s + expression.sql + u")"_s, target.scopeTypes.value(i), plainColumnFacts(target, expression) });
    }
    return parts;
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
