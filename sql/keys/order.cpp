// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/order.h"

#include "sql/keys/default_order.h"
#include "sql/keys/render.h"
#include "sql/keys/resolve.h"
#include "sql/profile/expression_sql.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

const QString kIdentity = QStringLiteral("identity");

struct Candidate {
    QString label;
    Expression value;
    bool descending = false;
    bool nullsLast = true;
    bool isTime = false;
};

bool isTimeType(const ExpressionType &type)
{
    return type.typeName == u"timestamptz" || type.typeName == u"timestamp" || type.typeName == u"date";
}

/// The profile's own orders, then one for each listed role and each field that they do not cover.
QList<Candidate> candidates(const Target &target)
{
    QList<Candidate> out;
    const auto known = [&out](const QString &label, const Expression &value) {
        return std::any_of(
            out.cbegin(), out.cend(), [&](const Candidate &one) { return one.label == label || one.value == value; });
    };
    for (const OrderSpec &spec : target.profile.orders) {
        const ColumnFacts *facts = plainColumnFacts(target, spec.value);
        const bool time = spec.value.form != TimeForm::Native
            || (facts != nullptr && isTimeType(columnType(target.relation, facts->name)));
        out.append({ spec.label, spec.value, spec.descending, spec.nullsLast, time });
    }
    for (const Role role : { Role::CreatedAt, Role::UpdatedAt, Role::ClaimedAt, Role::LeaseUntil, Role::HeartbeatAt,
             Role::CompletedAt, Role::ExpiresAt, Role::Attempts, Role::Owner, Role::Status, Role::ResponseCode }) {
        const Expression value = target.profile.role(role);
        if (target.profile.has(role) && !known(roleName(role), value)) {
            out.append({ roleName(role), value, false, true, isTimeRole(role) });
        }
    }
    for (const FieldSpec &field : target.profile.fields) {
        if (!known(field.label, field.value)) {
            out.append({ field.label, field.value, false, true, field.type == FieldType::Time });
        }
    }
    return out;
}

/// Sorting by the stored form is sorting by time, except for texts and where a condition makes some rows NULL.
QString sortSql(const Expression &value)
{
    if (value.form == TimeForm::Iso || !value.when.isEmpty()) {
        return timestamptzSql(value);
    }
    return u"("_s + value.sql + u")"_s;
}

QList<IdentityColumn> identityColumns(const Target &target)
{
    QStringList names = target.profile.identity;
    for (const IndexFacts &index : target.relation.indexes) {
        QStringList sorted = index.columns.mid(0, index.keyColumns);
        QStringList wanted = names;
        const QStringList inIndexOrder = sorted;
        sorted.sort();
        wanted.sort();
        if (index.unique && index.valid && index.predicate.isEmpty() && sorted == wanted) {
            names = inIndexOrder;
            break;
        }
    }
    QList<IdentityColumn> out;
    for (const QString &name : std::as_const(names)) {
        IdentityColumn column;
        column.sql = u"t."_s + quoteIdentifier(name);
        column.type = columnType(target.relation, name);
        const ColumnFacts *facts = target.relation.column(name);
        column.nullable = facts == nullptr || !facts->notNull;
        column.index = target.profile.identity.indexOf(name);
        out.append(column);
    }
    return out;
}

bool serves(const Target &target, const Expression &value)
{
    const QString column = sortedColumn(target, value);
    return !column.isEmpty() && indexLeads(target.relation, column, false);
}

bool identityServed(const Target &target)
{
    const QList<IdentityColumn> columns = identityColumns(target);
    return !columns.isEmpty()
        && indexLeads(target.relation, target.profile.identity.value(columns.first().index), false);
}

} // namespace

QList<OrderChoice> orderChoices(const Target &target)
{
    QList<OrderChoice> out;
    for (const Candidate &one : candidates(target)) {
        out.append({ one.label, serves(target, one.value), one.isTime, one.descending });
    }
    out.append({ kIdentity, identityServed(target), false, false });
    // The default: the profile's first order that an index serves, else the identity.
    const qsizetype own = target.profile.orders.size();
    qsizetype first = out.size() - 1;
    for (qsizetype i = 0; i < own; ++i) {
        if (out.at(i).indexServes) {
            first = i;
            break;
        }
    }
    out.move(first, 0);
    return out;
}

OrderLabel defaultOrder(const Target &target, const Filter &filter)
{
    if (const QString column = boundedColumn(target, filter); !column.isEmpty()) {
        for (const Candidate &one : candidates(target)) {
            if (sortedColumn(target, one.value) == column) {
                return one.label;
            }
        }
    }
    return orderChoices(target).constFirst().label;
}

Result<ResolvedOrder> resolveOrder(const Target &target, const OrderLabel &label, const Filter &filter)
{
    QString name = label;
    bool turned = false;
    const QList<Candidate> known = candidates(target);
    const auto named = [&known](const QString &wanted) {
        return std::find_if(known.cbegin(), known.cend(), [&](const Candidate &one) { return one.label == wanted; });
    };
    if (name.startsWith(u'-') && named(name) == known.cend()) {
        turned = true;
        name.remove(0, 1);
    }
    if (name.isEmpty()) {
        name = defaultOrder(target, filter);
    }
    ResolvedOrder order;
    order.label = name;
    order.identity = identityColumns(target);
    const auto found = named(name);
    if (found == known.cend()) {
        if (name != kIdentity) {
            Error error = makeError(
                ErrorKind::Usage, QCoreApplication::translate("KeyPage", "There is no order “%1”.").arg(name));
            QStringList labels;
            for (const OrderChoice &choice : orderChoices(target)) {
                labels += choice.label;
            }
            error.todo = QCoreApplication::translate("KeyPage", "This table has: %1.").arg(labels.join(u", "_s));
            return error;
        }
        order.descending = turned;
        return order;
    }
    order.value = found->value;
    order.sql = sortSql(found->value);
    order.descending = found->descending != turned;
    order.nullsLast = found->nullsLast != turned;
    const ColumnFacts *facts = plainColumnFacts(target, found->value);
    const bool stored = found->value.when.isEmpty() && found->value.form != TimeForm::Iso;
    if (!stored) {
        order.type.castType = u"pg_catalog.timestamptz"_s;
        order.type.typeName = u"timestamptz"_s;
        order.type.operatorSchema = u"pg_catalog"_s;
    } else if (facts != nullptr) {
        order.type = columnType(target.relation, facts->name);
    }
    order.nullable = (!stored || facts == nullptr || !facts->notNull)
        && !excludesNulls(target, filter, sortedColumn(target, found->value));
    return order;
}

} // namespace idemdesk::sql
