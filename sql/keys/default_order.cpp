// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/default_order.h"

#include "sql/keys/predicate_time.h"
#include "sql/keys/resolve.h"
#include "sql/profile/expression_sql.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// The only raw status a rule speaks of; empty where it speaks of several, or of what the profile does not list.
QString onlyStatus(const Profile &profile, const TimeRule &rule)
{
    QStringList labels;
    for (const auto &[raw, state] : profile.states) {
        if (rule.states.contains(state) && (rule.status.isEmpty() || rule.status.contains(raw))) {
            labels += raw;
        }
    }
    const bool open = rule.states.contains(profile.otherStates.value_or(KeyState::Unknown))
        || rule.states.contains(profile.nullState.value_or(KeyState::Unknown));
    return labels.size() == 1 && !open ? labels.first() : QString();
}

/// Is this the predicate `column = 'label'`, as the server prints it for an enum, a text or a varchar?
bool saysJust(const QString &predicate, const QString &column, const QString &label)
{
    QString quoted = label;
    const QString literal = u" = '"_s + quoted.replace(u'\'', u"''"_s) + u"'::"_s;
    const QString name = quoteIdentifier(column);
    for (const QString &begin : { u'(' + column + literal, u'(' + name + literal,
             u"(("_s + column + u")::text"_s + literal, u"(("_s + name + u")::text"_s + literal }) {
        const QString type = predicate.mid(begin.size()).chopped(predicate.size() > begin.size() ? 1 : 0);
        if (predicate.startsWith(begin) && predicate.endsWith(u')') && !type.contains(u'(') && !type.contains(u' ')) {
            return true;
        }
    }
    return false;
}

/// An index that holds the rows of the rule's status, and these in the order of the column.
bool walksRule(const Target &target, const TimeRule &rule, const QString &column)
{
    const ColumnFacts *status = plainColumnFacts(target, target.profile.role(Role::Status));
    const QString label = onlyStatus(target.profile, rule);
    if (status == nullptr || label.isEmpty()) {
        return false;
    }
    const auto &indexes = target.relation.indexes;
    return std::any_of(indexes.cbegin(), indexes.cend(), [&](const IndexFacts &index) {
        if (!index.valid || index.method != u"btree") {
            return false;
        }
        const auto holds = [&index](qsizetype at, const QString &name) {
            return at < index.keyColumns && index.columns.value(at) == name && index.columnNumbers.value(at) != 0;
        };
        return index.predicate.isEmpty() ? holds(0, status->name) && holds(1, column)
                                         : holds(0, column) && saysJust(index.predicate, status->name, label);
    });
}

/// The value a term bounds; absent where it bounds none.
Expression boundedValue(const Target &target, const FilterTerm &term)
{
    const Profile &profile = target.profile;
    if (term.negated || term.isNull || term.values.size() != 1) {
        return {};
    }
    switch (filterFieldFacts(term.field).compares) {
    case FilterCompares::State:
        return term.values.first() == u"expired" ? profile.role(Role::ExpiresAt) : Expression();
    case FilterCompares::Age:
    case FilterCompares::Time:
        return profile.role(*servingRole(profile, term.field));
    case FilterCompares::Own: {
        const FieldSpec *field = profile.field(term.label);
        return field != nullptr && field->type == FieldType::Time ? field->value : Expression();
    }
    case FilterCompares::BareWord:
    case FilterCompares::Key:
    case FilterCompares::Scope:
    case FilterCompares::Text:
    case FilterCompares::Integer:
    case FilterCompares::Number:
    case FilterCompares::Result:
    case FilterCompares::Payload:
    case FilterCompares::Amount:
        break;
    }
    return {};
}

/// The only rule of staleness, where the term asks for stale rows alone and the rule goes by a time.
const TimeRule *staleRuleFor(const Target &target, const FilterTerm &term)
{
    const auto &stale = target.profile.stale;
    const bool asked = term.field == FilterField::State && !term.negated && term.values == QStringList { u"stale"_s };
    return asked && stale && stale->size() == 1 && stale->first().by.present() ? &stale->first() : nullptr;
}

} // namespace

QString sortedColumn(const Target &target, const Expression &value)
{
    const ColumnFacts *facts = plainColumnFacts(target, value);
    return facts != nullptr && value.when.isEmpty() && value.form != TimeForm::Iso ? facts->name : QString();
}

QString boundedColumn(const Target &target, const Filter &filter)
{
    // Stale rows are the fewest, so that index comes first.
    for (const FilterTerm &term : filter.terms) {
        if (const TimeRule *rule = staleRuleFor(target, term)) {
            const QString column = sortedColumn(target, rule->by);
            if (!column.isEmpty() && walksRule(target, *rule, column)) {
                return column;
            }
        }
    }
    for (const FilterTerm &term : filter.terms) {
        const QString column = sortedColumn(target, boundedValue(target, term));
        if (!column.isEmpty() && indexLeads(target.relation, column, false)) {
            return column;
        }
    }
    return {};
}

bool excludesNulls(const Target &target, const Filter &filter, const QString &column)
{
    return std::any_of(filter.terms.cbegin(), filter.terms.cend(), [&](const FilterTerm &term) {
        const TimeRule *rule = staleRuleFor(target, term);
        return !column.isEmpty()
            && sortedColumn(target, rule != nullptr ? rule->by : boundedValue(target, term)) == column;
    });
}

} // namespace idemdesk::sql
