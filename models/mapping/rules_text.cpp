// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping/rules_text.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "sql/json/json_tree.h"
#include "sql/profile/profile_json.h"
#include "sql/types/tr.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr std::array<QLatin1StringView, 4> kRuleParts { "stale"_L1, "purge"_L1, "actions"_L1, "guard"_L1 };
constexpr qsizetype kRuleChars = 120;

bool isRulePart(const QString &name)
{
    return std::find(kRuleParts.cbegin(), kRuleParts.cend(), name) != kRuleParts.cend();
}

QString statesText(const QList<sql::KeyState> &states)
{
    QStringList labels;
    for (const sql::KeyState state : states) {
        labels += stateLabel(state);
    }
    return labels.isEmpty() ? Tr::tr("Any state") : labels.join(u", "_s);
}

/// "t.updated_at + 15m", or the free condition.
QString boundText(const sql::TimeRule &rule)
{
    QString text = rule.by.sql;
    if (!text.isEmpty() && !rule.after.isEmpty() && rule.after != "0s"_L1) {
        text += u" + "_s + rule.after;
    }
    if (!rule.when.isEmpty()) {
        text += text.isEmpty() ? rule.when : Tr::tr(" and %1").arg(rule.when);
    }
    return displayText(text, kRuleChars);
}

QString actionSentence(const QString &verb, const sql::ActionRule &rule)
{
    if (rule.deletes) {
        return Tr::tr("%1: from %2, the row is deleted.").arg(verb, statesText(rule.from));
    }
    QStringList columns;
    for (const auto &[column, value] : rule.set) {
        columns += displayText(column, 40);
    }
    const QString to = rule.to ? stateLabel(*rule.to) : QString();
    if (!rule.second) {
        return Tr::tr("%1: from %2 to %3, sets %4.").arg(verb, statesText(rule.from), to, columns.join(u", "_s));
    }
    QStringList beside;
    for (const auto &[column, value] : rule.second->set) {
        beside += displayText(column, 40);
    }
    return Tr::tr("%1: from %2 to %3, sets %4; in its row of %5, %6.")
        .arg(verb, statesText(rule.from), to, columns.join(u", "_s), displayText(rule.second->relation, 120),
            beside.join(u", "_s));
}

} // namespace

QString rulesText(const sql::Profile &profile)
{
    const auto whole = sql::parseJson(sql::profileToJson(profile), profile.name);
    sql::JsonNode rules = sql::JsonNode::ofObject();
    for (const QLatin1StringView name : kRuleParts) {
        if (const sql::JsonNode *part = whole ? whole->member(name) : nullptr) {
            rules.add(name, *part);
        }
    }
    return QString::fromUtf8(sql::writeJson(rules, 2));
}

sql::Result<sql::Profile> withRules(const sql::Profile &profile, const QString &text)
{
    TRY(const auto rules, sql::parseJson(text.toUtf8(), Tr::tr("Rules")));
    if (!rules.isObject()) {
        return sql::makeError(sql::ErrorKind::Usage, Tr::tr("The rules are no JSON object."),
            Tr::tr("They begin with “{” and end with “}”."), Tr::tr("Put them in braces."));
    }
    sql::Profile named = profile;
    named.name = u"rules"_s; // what the form says of names is said where the name stands
    TRY(const auto base, sql::parseJson(sql::profileToJson(named), Tr::tr("Rules")));
    sql::JsonNode merged = sql::JsonNode::ofObject();
    for (const auto &[name, value] : base.members) {
        if (!isRulePart(name)) {
            merged.add(name, value);
        }
    }
    for (const auto &[name, value] : rules.members) {
        if (!isRulePart(name)) {
            return sql::makeError(sql::ErrorKind::Usage, Tr::tr("“%1” is no rule.").arg(displayText(name, 60)),
                Tr::tr("Here stand “stale”, “purge”, “actions” and “guard” alone."), Tr::tr("Take it out."));
        }
        merged.add(name, value);
    }
    TRY(auto read, sql::profileFromJson(sql::writeJson(merged, 2), Tr::tr("Rules")));
    read.name = profile.name;
    return read;
}

QStringList ruleSentences(const sql::Profile &profile)
{
    QStringList sentences;
    for (const sql::TimeRule &rule : profile.stale.value_or(QList<sql::TimeRule>())) {
        sentences += Tr::tr("Stuck: %1, once past %2.").arg(statesText(rule.states), boundText(rule));
    }
    if (!profile.stale) {
        sentences += Tr::tr("Stuck: no rule, so no key is called stuck.");
    }
    for (const sql::TimeRule &rule : profile.purge) {
        sentences += Tr::tr("Purge: %1, once past %2.").arg(statesText(rule.states), boundText(rule));
    }
    if (profile.purge.isEmpty()) {
        sentences += Tr::tr("Purge: no rule, so nothing can be purged.");
    }
    const std::pair<QString, const QList<sql::ActionRule> *> verbs[]
        = { { Tr::tr("Recover"), &profile.recover }, { Tr::tr("Requeue"), &profile.requeue },
              { Tr::tr("Reclassify"), &profile.reclassify }, { Tr::tr("Align"), &profile.align } };
    for (const auto &[verb, rules] : verbs) {
        for (const sql::ActionRule &rule : *rules) {
            sentences += actionSentence(verb, rule);
        }
    }
    if (profile.recover.isEmpty() && profile.requeue.isEmpty() && profile.reclassify.isEmpty()
        && profile.align.isEmpty()) {
        sentences += Tr::tr("Actions: none, so keys can only be looked at.");
    }
    return sentences;
}

} // namespace idemdesk::models
