// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ProfileReader for actions, orders, effects and policies, and what they refer to.
#include "sql/profile/expression_sql.h"
#include "sql/profile/profile_reader.h"

#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

const QStringList kActionVariables { u"now"_s, u"reason"_s, u"action"_s, u"effect_id"_s, u"effect_type"_s };
const QStringList kWindows { u"client_retry"_s, u"redelivery"_s, u"reconciliation"_s, u"audit"_s };

} // namespace

void ProfileReader::readSet(const JsonNode &node, ActionRule *rule)
{
    const JsonNode *set = node.member(u"set"_s);
    if (set == nullptr) {
        return;
    }
    if (!set->isObject() || set->members.isEmpty()) {
        fail(*set, u"an object that gives columns their new values"_s);
        return;
    }
    for (const auto &[column, value] : set->members) {
        if (column.trimmed().isEmpty()) {
            fail(value, u"a column's name before it"_s);
            continue;
        }
        const QString expression = sqlOf(value, kActionVariables);
        for (const QString &variable : variablesIn(expression)) {
            if (variable.startsWith(u"effect_") && node.member(u"needs_effect"_s) == nullptr) {
                fail(value, u"“needs_effect” in the rule, which gives $"_s + variable + u" its value"_s);
            }
        }
        rule->set.append({ column, expression });
    }
}

ActionRule ProfileReader::actionRule(const JsonNode &node)
{
    ActionRule rule;
    if (!object(node,
            { u"from"_s, u"status"_s, u"to"_s, u"set"_s, u"delete"_s, u"needs_effect"_s, u"forbids_effect"_s,
                u"live"_s })) {
        return rule;
    }
    rule.from = states(node, u"from"_s, kKnown);
    rule.status = texts(node, u"status"_s, false);
    rule.deletes = flag(node, u"delete"_s);
    rule.live = flag(node, u"live"_s);
    rule.needsEffect = text(node, u"needs_effect"_s, false);
    rule.forbidsEffect = text(node, u"forbids_effect"_s, false);
    readSet(node, &rule);
    const QString to = text(node, u"to"_s, true);
    if (to != u"absent") {
        rule.to = stateFromName(to);
        if (!to.isEmpty() && (!rule.to || !kKnown.contains(*rule.to))) {
            fail(*node.member(u"to"_s), u"a state other than unknown, or absent"_s);
        }
    }
    if (rule.deletes && (to != u"absent" || !rule.set.isEmpty())) {
        fail(node, u"“to”: “absent” and no “set” beside “delete”"_s);
    } else if (!rule.deletes && to == u"absent") {
        fail(*node.member(u"to"_s), u"“delete”: true beside “absent”"_s);
    } else if (!rule.deletes && rule.set.isEmpty()) {
        fail(node, u"“set” with at least one column, or “delete”: true"_s);
    }
    return rule;
}

void ProfileReader::readActions(const JsonNode &root)
{
    const JsonNode *node = root.member(u"actions"_s);
    if (node == nullptr || node->isNull() || !object(*node, { u"recover"_s, u"requeue"_s, u"reclassify"_s })) {
        return;
    }
    const std::pair<QString, QList<ActionRule> *> kinds[] { { u"recover"_s, &m_profile.recover },
        { u"requeue"_s, &m_profile.requeue }, { u"reclassify"_s, &m_profile.reclassify } };
    for (const auto &[name, rules] : kinds) {
        if (const JsonNode *items = list(*node, name, false)) {
            for (const JsonNode &item : items->items) {
                rules->append(actionRule(item));
                // A recovery asks for staleness, which no row under a running lease has.
                if (rules->last().live && rules == &m_profile.recover) {
                    fail(*item.member(u"live"_s), u"“live” in a rule of “requeue” or “reclassify” only"_s);
                }
            }
        }
    }
}

void ProfileReader::readOrders(const JsonNode &root)
{
    const JsonNode *node = list(root, u"orders"_s, false);
    QSet<QString> labels;
    for (const JsonNode &item : node != nullptr ? node->items : QList<JsonNode>()) {
        if (!object(item, { u"label"_s, u"column"_s, u"sql"_s, u"as"_s, u"plus"_s, u"desc"_s, u"nulls"_s })) {
            continue;
        }
        OrderSpec order;
        order.label = text(item, u"label"_s, true);
        if (labels.contains(order.label) || order.label.startsWith(u'-') || order.label == u"identity") {
            fail(*item.member(u"label"_s), u"a label of its own, without a leading minus, other than identity"_s);
        }
        labels.insert(order.label);
        order.value = timeMembers(item);
        order.descending = flag(item, u"desc"_s);
        order.nullsLast = !order.descending;
        if (const JsonNode *nulls = item.member(u"nulls"_s)) {
            if (!nulls->isText() || (nulls->text != u"first" && nulls->text != u"last")) {
                fail(*nulls, u"first or last"_s);
            }
            order.nullsWritten = true;
            order.nullsLast = nulls->text == u"last";
        }
        m_profile.orders.append(order);
    }
}

void ProfileReader::readEffects(const JsonNode &root)
{
    const JsonNode *node = list(root, u"effects"_s, false);
    QSet<QString> types;
    for (const JsonNode &item : node != nullptr ? node->items : QList<JsonNode>()) {
        if (!object(item, { u"type"_s, u"proves"_s, u"sql"_s, u"optional"_s })) {
            continue;
        }
        EffectSpec effect;
        effect.type = text(item, u"type"_s, true);
        if (types.contains(effect.type)) {
            fail(*item.member(u"type"_s), u"each effect type once"_s);
        }
        types.insert(effect.type);
        effect.proves = flag(item, u"proves"_s);
        effect.sql = sql(item, u"sql"_s, kNowOnly, true);
        effect.optional = texts(item, u"optional"_s, false);
        m_profile.effects.append(effect);
    }
}

PolicySpec ProfileReader::policy(const JsonNode &node)
{
    PolicySpec policy;
    if (!object(node,
            { u"match"_s, u"effect"_s, u"max_attempts"_s, u"stale_after"_s, u"safe_to_repeat"_s,
                u"windows"_s })) {
        return policy;
    }
    const JsonNode *match = node.member(u"match"_s);
    if (match == nullptr) {
        failAt(jsonPath(node.path, u"match"_s), u"nothing"_s, u"an object of scope labels and values; empty matches all"_s);
    } else if (!match->isObject()) {
        fail(*match, u"an object of scope labels and values; empty matches all"_s);
    } else {
        for (const auto &[label, value] : match->members) {
            if (!value.isText()) {
                fail(value, u"a text"_s);
            }
            policy.match.insert(label, value.text);
        }
    }
    policy.effect = text(node, u"effect"_s, false);
    if (!policy.effect.isEmpty() && policy.effect != u"local" && policy.effect != u"external") {
        fail(*node.member(u"effect"_s), u"local or external"_s);
    }
    if (const JsonNode *most = node.member(u"max_attempts"_s)) {
        static const QRegularExpression whole(u"^[1-9][0-9]{0,8}$"_s);
        if (most->kind == JsonNode::Kind::Number && whole.match(most->text).hasMatch()) {
            policy.maxAttempts = most->text;
        } else if (most->isText()) {
            policy.maxAttempts = sqlOf(*most, kNowOnly);
        } else if (!most->isNull()) {
            fail(*most, u"a whole number from 1, or an SQL expression over t"_s);
        }
    }
    policy.staleAfter = durationOrSql(node, u"stale_after"_s);
    policy.safeToRepeat = text(node, u"safe_to_repeat"_s, false);
    const JsonNode *windows = node.member(u"windows"_s);
    if (windows != nullptr && !windows->isNull() && object(*windows, kWindows)) {
        for (const QString &name : kWindows) {
            const QString length = duration(*windows, name, false);
            if (!length.isEmpty()) {
                policy.windows.insert(name, length);
            }
        }
    }
    return policy;
}

void ProfileReader::readPolicies(const JsonNode &root)
{
    if (const JsonNode *node = list(root, u"policies"_s, false)) {
        for (const JsonNode &item : node->items) {
            m_profile.policies.append(policy(item));
        }
    }
}

/// Names in one part of the profile that must exist in another.
void ProfileReader::checkReferences(const JsonNode &root)
{
    QStringList labels;
    for (const LabelledExpression &part : m_profile.scope) {
        labels.append(part.label);
    }
    for (qsizetype i = 0; i < m_profile.policies.size(); ++i) {
        for (auto it = m_profile.policies.at(i).match.keyBegin(); it != m_profile.policies.at(i).match.keyEnd(); ++it) {
            if (!labels.contains(*it)) {
                failAt(jsonPath(jsonPath(jsonPath(u"$.policies"_s, i), u"match"_s), *it), u"the label “"_s + *it + u"”"_s,
                    labels.isEmpty() ? u"no label, as the scope is empty"_s : u"a label of the scope: "_s + labels.join(u", "_s));
            }
        }
    }
    for (const QString &column : m_profile.identityStable) {
        if (!m_profile.identity.contains(column)) {
            fail(*root.member(u"identity_stable"_s), u"only columns of “identity” (not "_s + column + u")"_s);
        }
    }
    QStringList types;
    for (const EffectSpec &effect : m_profile.effects) {
        types.append(effect.type);
    }
    const std::pair<QString, const QList<ActionRule> *> kinds[] { { u"recover"_s, &m_profile.recover },
        { u"requeue"_s, &m_profile.requeue }, { u"reclassify"_s, &m_profile.reclassify } };
    for (const auto &[name, rules] : kinds) {
        for (qsizetype i = 0; i < rules->size(); ++i) {
            const QString place = jsonPath(jsonPath(u"$.actions"_s, name), i);
            const std::pair<QString, QString> used[] { { u"needs_effect"_s, rules->at(i).needsEffect },
                { u"forbids_effect"_s, rules->at(i).forbidsEffect } };
            for (const auto &[key, type] : used) {
                if (!type.isEmpty() && !types.contains(type)) {
                    failAt(jsonPath(place, key), u"the text “"_s + type + u"”"_s, u"the type of an entry of “effects”"_s);
                }
            }
        }
    }
}

} // namespace idemdesk::sql
