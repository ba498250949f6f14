// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/state_predicate.h"

#include "sql/keys/value_fit.h"
#include "sql/profile/expression_sql.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

const QString kTrue = QStringLiteral("true");
const QString kFalse = QStringLiteral("false");

struct StatusColumn {
    QString sql; ///< in parentheses
    ExpressionType type;
};

StatusColumn statusOf(const Render &render, const QStringList &labels)
{
    const Target &target = render.target();
    StatusColumn status { u"("_s + target.profile.role(Role::Status).sql + u")"_s,
        target.roleTypes.value(Role::Status) };
    // Labels that the type could refuse at run time are compared as texts; an enum simply lacks some.
    const bool known = !status.type.castType.isEmpty()
        && (status.type.category == u'S' || !status.type.enumLabels.isEmpty() || isNumberType(status.type)
            || status.type.typeName == u"bool" || status.type.typeName == u"uuid");
    bool fits = known;
    for (const QString &label : labels) {
        fits = fits && (!status.type.enumLabels.isEmpty() || !misfit(status.type, label));
    }
    if (!fits) {
        status.sql += u"::pg_catalog.text"_s;
        status.type = {};
        status.type.castType = u"pg_catalog.text"_s;
        status.type.typeName = u"text"_s;
    }
    return status;
}

QStringList existing(const ExpressionType &type, const QStringList &labels)
{
    QStringList out;
    for (const QString &label : labels) {
        if (type.enumLabels.isEmpty() || type.enumLabels.contains(label)) {
            out += label;
        }
    }
    return out;
}

QString equalsAny(Render &render, const StatusColumn &status, const QStringList &labels)
{
    if (labels.isEmpty()) {
        return kFalse;
    }
    const QString equals = operatorSql(status.type.operatorSchema, u"="_s);
    if (labels.size() == 1) {
        return status.sql + equals + render.bind(labels.first(), status.type.castType);
    }
    return status.sql + equals + u"ANY ("_s + render.bindArray(labels, status.type.castType) + u")"_s;
}

/// The condition that a policy's labels have the row's values; nothing where it names a label that is not there.
std::optional<QString> policyMatches(Render &render, const PolicySpec &policy)
{
    QStringList parts;
    for (const LabelledExpression &part : render.target().profile.scope) {
        if (const auto wanted = policy.match.constFind(part.label); wanted != policy.match.constEnd()) {
            parts += u"("_s + part.value.sql + u")::pg_catalog.text = "_s + render.bindText(*wanted);
        }
    }
    if (parts.size() != policy.match.size()) {
        return std::nullopt;
    }
    return parts.isEmpty() ? kTrue : parts.join(u" AND "_s);
}

/// `after` of a rule, or of the first policy that matches the row and has its own.
QString afterSql(Render &render, const TimeRule &rule)
{
    const Profile &profile = render.target().profile;
    const bool special = std::any_of(profile.policies.cbegin(), profile.policies.cend(),
        [](const PolicySpec &policy) { return !policy.staleAfter.isEmpty(); });
    if (!special) {
        return intervalSql(rule.after);
    }
    QString cases = u"CASE"_s;
    for (const PolicySpec &policy : profile.policies) {
        if (const auto matches = policyMatches(render, policy)) {
            cases += u" WHEN "_s + *matches + u" THEN "_s
                + intervalSql(policy.staleAfter.isEmpty() ? rule.after : policy.staleAfter);
        }
    }
    return cases == u"CASE" ? intervalSql(rule.after) : cases + u" ELSE "_s + intervalSql(rule.after) + u" END"_s;
}

/// Rows whose status is mapped to one of these states.
QString mappedIn(Render &render, const QList<KeyState> &states)
{
    const Profile &profile = render.target().profile;
    if (!profile.has(Role::Status)) {
        return states.contains(profile.otherStates.value_or(KeyState::Unknown)) ? kTrue : kFalse;
    }
    QStringList wanted;
    QStringList mapped;
    for (const auto &[raw, state] : profile.states) {
        mapped += raw;
        if (states.contains(state)) {
            wanted += raw;
        }
    }
    const StatusColumn status = statusOf(render, mapped);
    wanted = existing(status.type, wanted);
    mapped = existing(status.type, mapped);
    QStringList parts;
    if (!wanted.isEmpty()) {
        parts += equalsAny(render, status, wanted);
    }
    // What the catalogue rules out is not asked: every label mapped, no NULL possible.
    const bool allMapped = !status.type.enumLabels.isEmpty() && mapped.size() >= status.type.enumLabels.size();
    const ColumnFacts *column = plainColumnFacts(render.target(), profile.role(Role::Status));
    const bool neverNull = column != nullptr && column->notNull;
    if (!allMapped && states.contains(profile.otherStates.value_or(KeyState::Unknown))) {
        parts += mapped.isEmpty() ? status.sql + u" IS NOT NULL"_s
                                  : status.sql + operatorSql(status.type.operatorSchema, u"<>"_s) + u"ALL ("_s
                + render.bindArray(mapped, status.type.castType) + u")"_s;
    }
    if (!neverNull && states.contains(profile.nullState.value_or(KeyState::Unknown))) {
        parts += status.sql + u" IS NULL"_s;
    }
    return parts.isEmpty() ? kFalse : parts.size() == 1 ? parts.first() : u"("_s + parts.join(u" OR "_s) + u")"_s;
}

/// The condition, for rows on which every expression works. That is asked last: it costs the most, and few rows get
/// there.
QString ofWholeRows(const Render &render, const QString &condition)
{
    QStringList parts { u"("_s + condition + u")"_s };
    for (const QString &asked : { render.target().readable, render.target().trial }) {
        if (!asked.isEmpty()) {
            parts += asked;
        }
    }
    return condition == kFalse || parts.size() == 1 ? condition : u"("_s + parts.join(u" AND "_s) + u")"_s;
}

QString ruleBody(Render &render, const TimeRule &rule)
{
    QStringList parts;
    if (!rule.states.isEmpty()) {
        parts += mappedIn(render, rule.states);
    }
    if (!rule.status.isEmpty() && render.target().profile.has(Role::Status)) {
        parts += rawStatusIn(render, rule.status);
    }
    if (rule.by.present()) {
        const QString after = afterSql(render, rule);
        const bool none = after == intervalSql({}) || after == intervalSql(u"0s"_s);
        parts += compareTime(rule.by, u"<"_s, none ? u"$now"_s : u"$now - "_s + after);
    }
    if (!rule.when.isEmpty()) {
        parts += u"("_s + rule.when + u")"_s;
    }
    return parts.isEmpty() ? kFalse : u"("_s + parts.join(u" AND "_s) + u")"_s;
}

QString retryFactSql(Render &render, RetryFact fact)
{
    const Profile &profile = render.target().profile;
    switch (fact) {
    case RetryFact::Stale: {
        QStringList rules;
        for (const TimeRule &rule : profile.stale.value_or(QList<TimeRule>())) {
            rules += ruleBody(render, rule);
        }
        return rules.isEmpty() ? kFalse : u"("_s + rules.join(u" OR "_s) + u")"_s;
    }
    case RetryFact::LeaseRunning:
        return profile.has(Role::LeaseUntil) ? compareTime(profile.role(Role::LeaseUntil), u">"_s, u"$now"_s) : kFalse;
    case RetryFact::Expired:
        return profile.has(Role::ExpiresAt) ? compareTime(profile.role(Role::ExpiresAt), u"<"_s, u"$now"_s) : kFalse;
    case RetryFact::AttemptsSpent:
        return profile.has(Role::Attempts)
            ? u"(("_s + profile.role(Role::Attempts).sql + u") >= "_s + attemptsLimit(render) + u")"_s
            : kFalse;
    }
    return kFalse;
}

} // namespace

QString attemptsLimit(Render &render)
{
    QString cases;
    for (const PolicySpec &policy : render.target().profile.policies) {
        if (const auto matches = policyMatches(render, policy)) {
            cases += u" WHEN "_s + *matches + u" THEN "_s
                + (policy.maxAttempts.isEmpty() ? u"NULL::pg_catalog.int8"_s
                                                : u"("_s + policy.maxAttempts + u")::pg_catalog.int8"_s);
        }
    }
    return cases.isEmpty() ? u"NULL::pg_catalog.int8"_s : u"(CASE"_s + cases + u" END)"_s;
}

QString retryCondition(Render &render, const RetryRule &rule)
{
    QStringList parts;
    if (!rule.states.isEmpty()) {
        parts += mappedIn(render, rule.states);
    }
    if (!rule.status.isEmpty()) {
        parts += render.target().profile.has(Role::Status) ? rawStatusIn(render, rule.status) : kFalse;
    }
    for (const RetryFact fact : rule.facts) {
        parts += retryFactSql(render, fact);
    }
    if (!rule.when.isEmpty()) {
        parts += u"("_s + rule.when + u")"_s;
    }
    return parts.isEmpty() ? kTrue : parts.join(u" AND "_s);
}

QString holds(const QString &condition)
{
    return u"("_s + condition + u") IS TRUE"_s;
}

QString fails(const QString &condition)
{
    return u"("_s + condition + u") IS NOT TRUE"_s;
}

QString stateIn(Render &render, const QList<KeyState> &states)
{
    const QString condition = ofWholeRows(render, mappedIn(render, states));
    const QString &readable = render.target().readable;
    return readable.isEmpty() || !states.contains(KeyState::Unknown)
        ? condition
        : u"(("_s + condition + u") IS TRUE OR NOT "_s + readable + u")"_s;
}

QString rawStatusIn(Render &render, const QStringList &raw)
{
    const StatusColumn status = statusOf(render, raw);
    return equalsAny(render, status, existing(status.type, raw));
}

QString ruleCondition(Render &render, const TimeRule &rule)
{
    return ofWholeRows(render, ruleBody(render, rule));
}

std::optional<QString> staleCondition(Render &render)
{
    const auto &rules = render.target().profile.stale;
    if (!rules) {
        return std::nullopt;
    }
    QStringList parts;
    for (const TimeRule &rule : *rules) {
        parts += ruleBody(render, rule);
    }
    return ofWholeRows(render,
        parts.isEmpty()         ? kFalse
            : parts.size() == 1 ? parts.first()
                                : u"("_s + parts.join(u" OR "_s) + u")"_s);
}

QString staleSince(Render &render)
{
    const auto &rules = render.target().profile.stale;
    QStringList times;
    for (const TimeRule &rule : rules.value_or(QList<TimeRule>())) {
        if (rule.by.present()) {
            const QString time = timestamptzSql(rule.by);
            times += rules->size() == 1 ? time
                                        : u"CASE WHEN "_s + ruleBody(render, rule) + u" THEN "_s + time + u" END"_s;
        }
    }
    return times.isEmpty() ? u"NULL::pg_catalog.timestamptz"_s : u"LEAST("_s + times.join(u", "_s) + u")"_s;
}

std::optional<QString> expiredCondition(Render &render)
{
    const Profile &profile = render.target().profile;
    if (!profile.has(Role::ExpiresAt)) {
        return std::nullopt;
    }
    return ofWholeRows(render, compareTime(profile.role(Role::ExpiresAt), u"<"_s, u"$now"_s));
}

KeyState stateOf(const Target &target, const Cell &status)
{
    if (status.failed()) {
        return KeyState::Unknown;
    }
    if (status.null) {
        return target.profile.stateOf(std::nullopt);
    }
    const QStringList alternatives = rawAlternatives(target.roleTypes.value(Role::Status), status.text);
    for (const auto &[raw, state] : target.profile.states) {
        if (alternatives.contains(raw)) {
            return state;
        }
    }
    return target.profile.stateOf(status.text);
}

} // namespace idemdesk::sql
