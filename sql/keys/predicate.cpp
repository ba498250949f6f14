// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/predicate.h"

#include "sql/keys/predicate_payload.h"
#include "sql/keys/predicate_time.h"
#include "sql/keys/scope_parts.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/value_fit.h"
#include "sql/profile/expression_sql.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// One thing a text term can be compared with.
struct Subject {
    QString sql; ///< in parentheses
    ExpressionType type;
    QString name; ///< for messages
};

class Terms
{
public:
    explicit Terms(Render &render)
        : m_render(render)
        , m_target(render.target())
        , m_profile(render.target().profile)
    {
    }

    Result<QString> condition(const FilterTerm &term)
    {
        const FilterFieldFacts &field = filterFieldFacts(term.field); // has a role where it compares one
        switch (field.compares) {
        case FilterCompares::BareWord:
            return text(term, keySubjects(true), false);
        case FilterCompares::Key:
            return text(term, keySubjects(false), false);
        case FilterCompares::State:
            return state(term);
        case FilterCompares::Scope:
            return scope(term);
        case FilterCompares::Text:
            return ofRoles(term, field);
        case FilterCompares::Integer:
            return ofNumber(term, *field.roles.front());
        case FilterCompares::Number:
            return ordered(term.op) ? ofNumber(term, *field.roles.front()) : ofRoles(term, field);
        case FilterCompares::Age:
            return age(term);
        case FilterCompares::Time:
            return time(term);
        case FilterCompares::Result:
            return result(term, field);
        case FilterCompares::Payload:
        case FilterCompares::Amount:
            return payloadCondition(m_render, term);
        case FilterCompares::Own:
            return own(term);
        }
        return missing(term, QString::fromUtf16(field.name));
    }

private:
    Error missing(const FilterTerm &term, const QString &what) const
    {
        Error error = makeError(ErrorKind::NotSaid, Tr::tr("“%1” is not mapped.").arg(what), {},
            Tr::tr("Remove the term, or map a column to that role in the profile."));
        error.position = term.position;
        error.length = term.length;
        return error;
    }

    Error refused(const FilterTerm &term, qsizetype index, const QString &name, const QString &wanted) const
    {
        Error error = makeError(ErrorKind::InvalidValue, Tr::tr("“%1” cannot have this value.").arg(name),
            Tr::tr("It wants %1.").arg(wanted));
        error.position = term.valuePosition;
        error.length = term.position + term.length - term.valuePosition;
        if (index < term.valueSpans.size()) {
            error.position = term.valueSpans.at(index).first;
            error.length = term.valueSpans.at(index).second;
        }
        return error;
    }

    Subject subject(const Expression &expression, const ExpressionType &type, const QString &name) const
    {
        return { u"("_s + expression.sql + u")"_s, type, name };
    }

    QList<Subject> keySubjects(bool aliases) const
    {
        QList<Subject> subjects { subject(m_profile.key, m_target.keyType, u"key"_s) };
        for (qsizetype i = 0; aliases && i < m_profile.aliases.size(); ++i) {
            subjects
                += subject(m_profile.aliases.at(i).value, m_target.aliasTypes.value(i), m_profile.aliases.at(i).label);
        }
        return subjects;
    }

    /// The term against each subject, joined by OR (NULL: by AND). Subjects whose type takes none of the values are
    /// passed over as long as one remains; with a single subject, or strictly, a misfit is an error.
    Result<QString> text(const FilterTerm &term, const QList<Subject> &subjects, bool strict)
    {
        QStringList parts;
        std::optional<Error> firstRefusal;
        for (const Subject &one : subjects) {
            if (term.isNull) {
                parts += one.sql + u" IS NULL"_s;
                continue;
            }
            const auto condition = textAgainst(term, one, !strict && subjects.size() > 1);
            if (condition) {
                parts += *condition;
            } else if (strict) {
                return condition.error();
            } else if (!firstRefusal) {
                firstRefusal = condition.error();
            }
        }
        if (parts.isEmpty()) {
            return *firstRefusal;
        }
        return term.isNull && parts.size() > 1 ? u"("_s + parts.join(u" AND "_s) + u")"_s : either(parts);
    }

    /// lenient: values that the type refuses cannot match and are left out, as long as one remains.
    Result<QString> textAgainst(const FilterTerm &term, const Subject &one, bool lenient = false)
    {
        QStringList parts;
        QStringList equal;
        std::optional<Error> refusal;
        for (qsizetype i = 0; i < term.values.size(); ++i) {
            const QString &value = term.values.at(i);
            switch (term.op) {
            case FilterOperator::Prefix:
                parts += prefixCondition(m_render, one.sql, one.type, value);
                break;
            case FilterOperator::Contains:
                parts += one.sql + u"::pg_catalog.text ILIKE "_s + m_render.bindText(u'%' + likeEscaped(value) + u'%');
                break;
            case FilterOperator::Equal:
            case FilterOperator::Less:
            case FilterOperator::LessOrEqual:
            case FilterOperator::Greater:
            case FilterOperator::GreaterOrEqual:
                if (const auto wanted = misfit(one.type, value)) {
                    refusal = refused(term, i, one.name, *wanted);
                } else {
                    equal += value;
                }
            }
        }
        if (refusal && (!lenient || equal.isEmpty())) {
            return *refusal;
        }
        if (!equal.isEmpty()) {
            const QString equals = one.sql + operatorSql(one.type.operatorSchema, u"="_s);
            if (equal.size() == 1 || one.type.castType.isEmpty()) {
                for (const QString &value : std::as_const(equal)) {
                    parts += equals + m_render.bind(value, one.type.castType);
                }
            } else {
                parts += equals + u"ANY ("_s + m_render.bindArray(equal, one.type.castType) + u")"_s;
            }
        }
        return either(parts);
    }

    Subject ofRole(Role role) const
    {
        return subject(m_profile.role(role), m_target.roleTypes.value(role), roleName(role));
    }

    Result<QString> ofRoles(const FilterTerm &term, const FilterFieldFacts &field)
    {
        QList<Subject> subjects;
        for (const std::optional<Role> &role : field.roles) {
            if (role && m_profile.has(*role)) {
                subjects += ofRole(*role);
            }
        }
        return subjects.isEmpty() ? Result<QString>(missing(term, roleName(*field.roles.front())))
                                  : text(term, subjects, false);
    }

    Result<QString> scope(const FilterTerm &term)
    {
        QList<Subject> subjects;
        for (qsizetype i = 0; i < m_profile.scope.size(); ++i) {
            const LabelledExpression &part = m_profile.scope.at(i);
            if (term.label.isEmpty() || term.label == part.label) {
                subjects += subject(part.value, m_target.scopeTypes.value(i), part.label);
            }
        }
        if (subjects.isEmpty()) {
            return missing(term, term.label.isEmpty() ? u"scope"_s : term.label);
        }
        if (term.isNull && subjects.size() > 1) { // a scope with any part unknown
            QStringList parts;
            for (const Subject &one : subjects) {
                parts += one.sql + u" IS NULL"_s;
            }
            return either(parts);
        }
        return text(term, subjects, !term.label.isEmpty());
    }

    /// A key that came again with another request, in this table and scope as far as the record names them. The keys
    /// alone come first: an index serves them in both directions. The columns have names that no expression of the
    /// profile means.
    QString conflicted()
    {
        const QString key = u"("_s + m_profile.key.sql + u")::pg_catalog.text"_s;
        const QString names = m_render.bindText(m_profile.name) + u"::pg_catalog.text, "_s
            + m_render.bindText(m_profile.relation) + u"::pg_catalog.text"_s;
        const QString from = u" FROM "_s + QLatin1String(kConflictTable)
            + u" c WHERE c.kind IN ('key_conflict', 'message_conflict', 'application') AND COALESCE(c.target, '') IN "
              "('', "_s
            + names + u')';
        return u'(' + key + u" IN (SELECT c.key"_s + from
            + u") AND EXISTS (SELECT FROM (SELECT c.key AS idemdesk_key, c.scope AS idemdesk_scope"_s + from
            + u") w WHERE w.idemdesk_key = "_s + key + u" AND "_s + namesScopeSql(u"w.idemdesk_scope"_s, m_target)
            + u"))"_s;
    }

    Result<QString> state(const FilterTerm &term)
    {
        QList<KeyState> states;
        QStringList parts;
        for (qsizetype i = 0; i < term.values.size(); ++i) {
            const QString &word = term.values.at(i);
            if (const auto named = stateFromName(word)) {
                states += *named;
            } else if (word == u"stale") {
                const auto stale = staleCondition(m_render);
                if (!stale) {
                    return missing(term, u"stuck"_s);
                }
                parts += *stale;
            } else if (word == u"expired") {
                const auto expired = expiredCondition(m_render);
                if (!expired) {
                    return missing(term, roleName(Role::ExpiresAt));
                }
                parts += *expired;
            } else if (word == u"conflict") {
                parts += conflicted();
            } else {
                return refused(term, i, u"state"_s, Tr::tr("a state such as in_progress"));
            }
        }
        if (!states.isEmpty()) {
            parts.prepend(stateIn(m_render, states));
        }
        return either(parts);
    }

    Result<QString> ofNumber(const FilterTerm &term, Role role)
    {
        return m_profile.has(role) ? number(term, ofRole(role)) : Result<QString>(missing(term, roleName(role)));
    }

    Result<QString> number(const FilterTerm &term, const Subject &one)
    {
        const ExpressionType &type = one.type;
        QString expression = one.sql;
        const bool whole = std::none_of(
            term.values.cbegin(), term.values.cend(), [](const QString &value) { return value.contains(u'.'); });
        if (term.isNull) {
            return expression + u" IS NULL"_s;
        }
        QString cast = u"pg_catalog.numeric"_s;
        if (isIntegerType(type) && whole) {
            cast = u"pg_catalog.int8"_s; // indexes on int2 and int4 serve comparisons with int8
        } else if (type.typeName == u"float4" || type.typeName == u"float8") {
            cast = u"pg_catalog.float8"_s;
        } else if (!isNumberType(type)) { // a text that may hold a number
            const QString asText = expression + u"::pg_catalog.text"_s;
            expression
                = u"(CASE WHEN "_s + asText + u" ~ '^[0-9]{1,18}$' THEN "_s + asText + u"::pg_catalog.numeric END)"_s;
        }
        QStringList parts;
        for (qsizetype i = 0; i < term.values.size(); ++i) {
            ExpressionType wantedType;
            wantedType.typeName = isIntegerType(type) && whole ? u"int8"_s : u"numeric"_s;
            if (const auto wanted = misfit(wantedType, term.values.at(i))) {
                return refused(term, i, one.name, *wanted);
            }
            parts += expression + u' ' + operatorText(term.op) + u' ' + m_render.bind(term.values.at(i), cast);
        }
        return either(parts);
    }

    /// The profile's own field.
    Result<QString> own(const FilterTerm &term)
    {
        const FieldSpec *field = m_profile.field(term.label);
        if (field == nullptr) {
            return missing(term, term.label);
        }
        const Subject one
            = subject(field->value, m_target.fieldTypes.value(field - m_profile.fields.constData()), field->label);
        switch (field->type) {
        case FieldType::Time:
            return timeCondition(m_render, field->value, term);
        case FieldType::Number:
            return number(term, one);
        case FieldType::Text:
            break;
        }
        return text(term, { one }, true);
    }

    Result<QString> time(const FilterTerm &term)
    {
        const Role role = *servingRole(m_profile, term.field);
        if (!m_profile.has(role)) {
            return missing(term, roleName(role));
        }
        const Expression expression = m_profile.role(role);
        return timeCondition(m_render, expression, term);
    }

    /// Older than: created before now minus that much, so the comparison turns round.
    Result<QString> age(const FilterTerm &term)
    {
        const Role role = *servingRole(m_profile, term.field);
        if (!m_profile.has(role)) {
            return missing(term, roleName(role));
        }
        const Expression expression = m_profile.role(role);
        if (term.isNull) {
            return u"("_s + timestamptzSql(expression) + u") IS NULL"_s;
        }
        static const QMap<FilterOperator, QString> turned { { FilterOperator::Less, u">"_s },
            { FilterOperator::LessOrEqual, u">="_s }, { FilterOperator::Greater, u"<"_s },
            { FilterOperator::GreaterOrEqual, u"<="_s } };
        const QString op = turned.value(term.op);
        if (op.isEmpty() || term.values.size() != 1) {
            return refused(term, 0, u"age"_s, Tr::tr("< or > and a duration"));
        }
        return compareTime(expression, op,
            u"($now - "_s + m_render.bind(term.values.first() + u" seconds"_s, u"pg_catalog.interval"_s) + u")"_s);
    }

    /// "order/123": type and id; "order/": the type; "123": the id. An id may itself hold a slash.
    Result<QString> result(const FilterTerm &term, const FilterFieldFacts &field)
    {
        const bool typed = m_profile.has(Role::ResultType);
        if (!typed || !m_profile.has(Role::ResultId) || term.isNull || term.op == FilterOperator::Contains) {
            return ofRoles(term, field);
        }
        const Subject type = ofRole(Role::ResultType);
        const Subject id = ofRole(Role::ResultId);
        QStringList parts;
        for (qsizetype i = 0; i < term.values.size(); ++i) {
            FilterTerm one = term;
            one.values = { term.values.at(i) };
            one.valueSpans = term.valueSpans.mid(i, 1);
            const qsizetype slash = one.values.first().indexOf(u'/');
            const auto whole = textAgainst(one, id);
            if (whole) {
                parts += *whole;
            } else if (slash < 0) {
                return whole.error();
            }
            if (slash < 0) {
                continue;
            }
            FilterTerm typeTerm = one;
            typeTerm.op = FilterOperator::Equal;
            typeTerm.values = { one.values.first().left(slash) };
            TRY(auto typePart, textAgainst(typeTerm, type));
            one.values = { one.values.first().mid(slash + 1) };
            if (one.values.first().isEmpty()) {
                parts += typePart;
                continue;
            }
            TRY(const auto idPart, textAgainst(one, id));
            parts += u"("_s + typePart + u" AND "_s + idPart + u")"_s;
        }
        return either(parts);
    }

    Render &m_render;
    const Target &m_target;
    const Profile &m_profile;
};

} // namespace

Result<QString> filterCondition(Render &render, const ResolvedFilter &filter)
{
    QStringList parts;
    Terms terms(render);
    for (const FilterTerm &term : filter.filter.terms) {
        render.setTerm(&term);
        auto condition = terms.condition(term);
        render.setTerm(nullptr);
        if (!condition) {
            return condition.error();
        }
        parts += term.negated ? fails(*condition) : *condition;
    }
    if (!filter.spreadColumns.isEmpty()) {
        parts += spreadCondition(render.target(), filter.spreadColumns);
    }
    return parts.isEmpty() ? u"true"_s : parts.join(u" AND "_s);
}

} // namespace idemdesk::sql
