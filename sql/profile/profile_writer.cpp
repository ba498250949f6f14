// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/json_tree.h"
#include "sql/profile/profile_json.h"
#include "sql/types/statement.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

QString formName(const Expression &expression)
{
    switch (expression.form) {
    case TimeForm::Native: return {};
    case TimeForm::EpochMs: return u"epoch_ms"_s;
    case TimeForm::EpochS: return u"epoch_s"_s;
    case TimeForm::Utc: return u"utc"_s;
    case TimeForm::Iso: return u"iso"_s;
    case TimeForm::Zone: return u"zone:"_s + expression.zone;
    }
    return {};
}

void addTimeMembers(JsonNode *node, const Expression &expression)
{
    if (!expression.column.isEmpty() && expression.sql == u"t."_s + quoteIdentifier(expression.column)) {
        node->add(u"column"_s, JsonNode::ofText(expression.column));
    } else {
        node->add(u"sql"_s, JsonNode::ofText(expression.sql));
    }
    if (expression.form != TimeForm::Native) {
        node->add(u"as"_s, JsonNode::ofText(formName(expression)));
    }
    if (!expression.plus.isEmpty()) {
        node->add(u"plus"_s, JsonNode::ofText(expression.plus));
    }
    if (!expression.when.isEmpty()) {
        node->add(u"when"_s, JsonNode::ofText(expression.when));
    }
}

JsonNode expressionNode(const Expression &expression)
{
    if (!expression.present()) {
        return {};
    }
    if (expression.form == TimeForm::Native && expression.plus.isEmpty() && expression.when.isEmpty()) {
        return JsonNode::ofText(expression.sql);
    }
    JsonNode node = JsonNode::ofObject();
    addTimeMembers(&node, expression);
    return node;
}

JsonNode labelledNode(const QList<LabelledExpression> &parts)
{
    JsonNode list = JsonNode::ofList();
    for (const LabelledExpression &part : parts) {
        JsonNode node = JsonNode::ofObject();
        node.add(u"label"_s, JsonNode::ofText(part.label)).add(u"sql"_s, JsonNode::ofText(part.value.sql));
        list.items.append(node);
    }
    return list;
}

JsonNode statesNode(const QList<KeyState> &states)
{
    QStringList names;
    for (const KeyState state : states) {
        names.append(stateName(state));
    }
    return JsonNode::ofTexts(names);
}

JsonNode mapNode(const QMap<QString, QString> &values)
{
    JsonNode node = JsonNode::ofObject();
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        node.add(it.key(), JsonNode::ofText(it.value()));
    }
    return node;
}

void addText(JsonNode *node, const QString &name, const QString &value)
{
    if (!value.isEmpty()) {
        node->add(name, JsonNode::ofText(value));
    }
}

JsonNode timeRulesNode(const QList<TimeRule> &rules)
{
    JsonNode list = JsonNode::ofList();
    for (const TimeRule &rule : rules) {
        JsonNode node = JsonNode::ofObject();
        node.add(u"states"_s, statesNode(rule.states));
        if (!rule.status.isEmpty()) {
            node.add(u"status"_s, JsonNode::ofTexts(rule.status));
        }
        if (rule.by.present()) {
            node.add(u"by"_s, expressionNode(rule.by));
        }
        addText(&node, u"after"_s, rule.after);
        addText(&node, u"when"_s, rule.when);
        list.items.append(node);
    }
    return list;
}

JsonNode actionsNode(const QList<ActionRule> &rules)
{
    JsonNode list = JsonNode::ofList();
    for (const ActionRule &rule : rules) {
        JsonNode node = JsonNode::ofObject();
        node.add(u"from"_s, statesNode(rule.from));
        if (!rule.status.isEmpty()) {
            node.add(u"status"_s, JsonNode::ofTexts(rule.status));
        }
        node.add(u"to"_s, JsonNode::ofText(rule.to ? stateName(*rule.to) : u"absent"_s));
        addText(&node, u"needs_effect"_s, rule.needsEffect);
        addText(&node, u"forbids_effect"_s, rule.forbidsEffect);
        if (rule.live) {
            node.add(u"live"_s, JsonNode::ofBoolean(true));
        }
        if (rule.deletes) {
            node.add(u"delete"_s, JsonNode::ofBoolean(true));
        } else {
            JsonNode set = JsonNode::ofObject();
            for (const auto &[column, expression] : rule.set) {
                set.add(column, JsonNode::ofText(expression));
            }
            node.add(u"set"_s, set);
        }
        list.items.append(node);
    }
    return list;
}

JsonNode ordersNode(const QList<OrderSpec> &orders)
{
    JsonNode list = JsonNode::ofList();
    for (const OrderSpec &order : orders) {
        JsonNode node = JsonNode::ofObject();
        node.add(u"label"_s, JsonNode::ofText(order.label));
        addTimeMembers(&node, order.value);
        if (order.descending) {
            node.add(u"desc"_s, JsonNode::ofBoolean(true));
        }
        if (order.nullsWritten) {
            node.add(u"nulls"_s, JsonNode::ofText(order.nullsLast ? u"last"_s : u"first"_s));
        }
        list.items.append(node);
    }
    return list;
}

JsonNode effectsNode(const QList<EffectSpec> &effects)
{
    JsonNode list = JsonNode::ofList();
    for (const EffectSpec &effect : effects) {
        JsonNode node = JsonNode::ofObject();
        node.add(u"type"_s, JsonNode::ofText(effect.type))
            .add(u"proves"_s, JsonNode::ofBoolean(effect.proves))
            .add(u"sql"_s, JsonNode::ofText(effect.sql));
        if (!effect.optional.isEmpty()) {
            node.add(u"optional"_s, JsonNode::ofTexts(effect.optional));
        }
        list.items.append(node);
    }
    return list;
}

JsonNode policiesNode(const QList<PolicySpec> &policies)
{
    static const QRegularExpression whole(u"^[1-9][0-9]{0,8}$"_s);
    JsonNode list = JsonNode::ofList();
    for (const PolicySpec &policy : policies) {
        JsonNode node = JsonNode::ofObject();
        node.add(u"match"_s, mapNode(policy.match));
        addText(&node, u"effect"_s, policy.effect);
        if (whole.match(policy.maxAttempts).hasMatch()) {
            node.add(u"max_attempts"_s, JsonNode::ofNumber(policy.maxAttempts));
        } else {
            addText(&node, u"max_attempts"_s, policy.maxAttempts);
        }
        addText(&node, u"stale_after"_s, policy.staleAfter);
        addText(&node, u"safe_to_repeat"_s, policy.safeToRepeat);
        if (!policy.windows.isEmpty()) {
            node.add(u"windows"_s, mapNode(policy.windows));
        }
        list.items.append(node);
    }
    return list;
}

JsonNode statusMapNode(const Profile &profile)
{
    JsonNode node = JsonNode::ofObject();
    for (const auto &[raw, state] : profile.states) {
        node.add(raw, JsonNode::ofText(stateName(state)));
    }
    if (profile.nullState) {
        node.add(u"null"_s, JsonNode::ofText(stateName(*profile.nullState)));
    }
    if (profile.otherStates) {
        node.add(u"*"_s, JsonNode::ofText(stateName(*profile.otherStates)));
    }
    return node;
}

/// Puts the x_ keys of nested objects back where they stood.
void restoreExtras(JsonNode *node, const QString &path, const QMap<QString, QByteArray> &extra)
{
    for (auto &[name, value] : node->members) {
        restoreExtras(&value, jsonPath(path, name), extra);
    }
    for (qsizetype i = 0; i < node->items.size(); ++i) {
        restoreExtras(&node->items[i], jsonPath(path, i), extra);
    }
    if (!node->isObject()) {
        return;
    }
    const QString prefix = path == u"$" ? QString() : path + u'\n';
    for (auto it = extra.cbegin(); it != extra.cend(); ++it) {
        const bool here = prefix.isEmpty() ? !it.key().contains(u'\n') : it.key().startsWith(prefix);
        if (here) {
            const auto value = parseJson(it.value(), {});
            node->add(it.key().mid(prefix.size()), value ? *value : JsonNode());
        }
    }
}

} // namespace

QByteArray profileToJson(const Profile &profile)
{
    JsonNode root = JsonNode::ofObject();
    root.add(u"idemdesk_profile"_s, JsonNode::ofNumber(QString::number(profile.version)));
    root.add(u"name"_s, JsonNode::ofText(profile.name)).add(u"title"_s, JsonNode::ofText(profile.title));
    root.add(u"kind"_s, JsonNode::ofText(kindName(profile.kind)));
    root.add(u"relation"_s, JsonNode::ofText(profile.relation));
    root.add(u"identity"_s, JsonNode::ofTexts(profile.identity));
    if (!profile.identityStable.isEmpty()) {
        root.add(u"identity_stable"_s, JsonNode::ofTexts(profile.identityStable));
    }
    root.add(u"scope"_s, labelledNode(profile.scope)).add(u"key"_s, JsonNode::ofText(profile.key.sql));
    JsonNode roles = JsonNode::ofObject();
    for (int i = 0; i < kRoleCount; ++i) {
        const Role role = static_cast<Role>(i);
        roles.add(roleName(role), expressionNode(profile.role(role)));
    }
    root.add(u"roles"_s, roles).add(u"states"_s, statusMapNode(profile));
    root.add(u"stale"_s, profile.stale ? timeRulesNode(*profile.stale) : JsonNode());
    root.add(u"guard"_s, JsonNode::ofTexts(profile.guard));
    JsonNode actions = JsonNode::ofObject();
    actions.add(u"recover"_s, actionsNode(profile.recover)).add(u"requeue"_s, actionsNode(profile.requeue));
    actions.add(u"reclassify"_s, actionsNode(profile.reclassify));
    root.add(u"actions"_s, actions);
    if (profile.purge.isEmpty()) {
        root.add(u"purge"_s, {});
    } else {
        const JsonNode rules = timeRulesNode(profile.purge);
        const bool listed = rules.items.size() > 1 || std::any_of(profile.extra.keyBegin(), profile.extra.keyEnd(),
                [](const QString &place) { return place.startsWith(u"$.purge["); });
        root.add(u"purge"_s, listed ? rules : rules.items.first());
    }
    root.add(u"orders"_s, ordersNode(profile.orders)).add(u"aliases"_s, labelledNode(profile.aliases));
    root.add(u"effects"_s, effectsNode(profile.effects)).add(u"policies"_s, policiesNode(profile.policies));
    if (!profile.advisoryLock.isEmpty()) {
        root.add(u"advisory_lock"_s, JsonNode::ofText(profile.advisoryLock));
    }
    restoreExtras(&root, u"$"_s, profile.extra);
    return writeJson(root, 2) + '\n';
}

} // namespace idemdesk::sql
