// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/decision.h"

#include "app/ctl/run_action.h"
#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

/// The scopes of a plan: how many the server says, or all.
QString scopesText(const QJsonValue &scopes)
{
    return scopes.isArray() ? Tr::tr("scopes: %1").arg(scopes.toArray().size())
        : scopes.isDouble() ? Tr::tr("scopes: %1").arg(scopes.toInteger())
                            : Tr::tr("every scope");
}

/// "rows whose retention ended before …, succeeded, failed_final; every scope; kept for undo"
QString planText(const Decision &decision)
{
    const QJsonObject plan = decision.plan();
    QStringList parts;
    if (plan.contains(u"cutoff"_s)) {
        parts += Tr::tr("rows whose retention ended before %1").arg(plan.value(u"cutoff"_s).toString());
    }
    QStringList states;
    const QJsonArray stateNames = plan.value(u"states"_s).toArray();
    for (const QJsonValue &state : stateNames) {
        states += state.toString();
    }
    if (!states.isEmpty()) {
        parts += Tr::tr("states: %1").arg(states.join(u", "_s));
    }
    if (plan.contains(u"scopes"_s)) {
        parts += scopesText(plan.value(u"scopes"_s));
    }
    if (plan.contains(u"images"_s)) {
        parts += plan.value(u"images"_s).toBool(true) ? Tr::tr("the rows are kept for undo")
                                                      : Tr::tr("the rows are NOT kept: it cannot be undone");
    }
    if (plan.contains(u"approval_above"_s)) {
        parts += plan.value(u"approval_above"_s).isNull()
            ? Tr::tr("no action would wait for another person any more")
            : Tr::tr("actions on more than %1 rows would wait for another person")
                  .arg(plan.value(u"approval_above"_s).toInteger());
    }
    if (plan.contains(u"undo_window"_s)) {
        parts += Tr::tr("undo for %1").arg(plan.value(u"undo_window"_s).toString());
    }
    if (plan.contains(u"partition"_s)) {
        parts += Tr::tr("partition %1").arg(plan.value(u"partition"_s).toString());
    }
    QStringList tables;
    const QJsonArray relations = plan.value(u"relations"_s).toArray();
    for (const QJsonValue &relation : relations) {
        tables += relation.toObject().value(u"table"_s).toString();
    }
    if (!tables.isEmpty()) {
        parts += Tr::tr("tables: %1").arg(tables.join(u", "_s));
    }
    return parts.join(u"; "_s);
}

} // namespace

QJsonObject Decision::plan() const
{
    return QJsonDocument::fromJson(action.planJson).object();
}

QJsonValue Decision::compiled() const
{
    const QJsonObject all = target ? QJsonDocument::fromJson(target->compiledJson).object() : QJsonObject();
    const QString verb = sql::verbName(action.verb);
    if (all.contains(verb)) {
        return all.value(verb);
    }
    QJsonArray ofVerb;
    const QJsonArray rules = all.value(u"rules"_s).toArray();
    for (const QJsonValue &rule : rules) {
        if (rule[u"verb"_s].toString() == verb) {
            ofVerb.append(rule);
        }
    }
    return ofVerb.isEmpty() ? QJsonValue() : QJsonValue(ofVerb);
}

Decision decisionOn(const sql::ActionRecord &action, const QList<sql::RegisteredTarget> &targets)
{
    const auto found = std::find_if(targets.cbegin(), targets.cend(),
        [&action](const sql::RegisteredTarget &target) { return target.name == action.target; });
    return { action, found == targets.cend() ? std::nullopt : std::optional(*found) };
}

QJsonObject decisionJson(const Decision &decision)
{
    QJsonObject object = app::jsonOf(decision.action);
    const std::optional<sql::RegisteredTarget> &target = decision.target;
    object.insert(u"relation"_s, target ? QJsonValue(target->relation) : QJsonValue());
    object.insert(
        u"approval_above"_s, target && target->approvalAbove ? QJsonValue(*target->approvalAbove) : QJsonValue());
    object.insert(u"plan"_s, decision.plan());
    if (outputStyle().verbose) {
        object.insert(u"compiled"_s, decision.compiled().isUndefined() ? QJsonValue() : decision.compiled());
    }
    return object;
}

void printDecision(const Decision &decision)
{
    const sql::ActionRecord &action = decision.action;
    const auto shown = [](const QString &text) { return models::displayText(text, 10'000); };
    QList<QStringList> rows { { Tr::tr("action"), action.id }, { Tr::tr("what"), models::verbLabel(action.verb) },
        { Tr::tr("target"),
            decision.target ? action.target + u" ("_s + decision.target->relation + u')' : action.target },
        { Tr::tr("rows"), models::countText(action.plannedRows) } };
    if (const QString plan = planText(decision); !plan.isEmpty()) {
        rows += QStringList { Tr::tr("plan"), plan };
    }
    if (decision.target && decision.target->approvalAbove) {
        rows += QStringList { Tr::tr("limit"),
            Tr::tr("above %1 rows another person decides").arg(models::countText(*decision.target->approvalAbove)) };
    }
    rows += QStringList { Tr::tr("asked for by"), action.requestedBy + u", "_s + timeCell(action.requestedAt) };
    rows += QStringList { Tr::tr("reason"), action.reason };
    if (!action.ticket.isEmpty()) {
        rows += QStringList { Tr::tr("ticket"), action.ticket };
    }
    print(table({ Tr::tr("REQUEST"), QString() }, rows, true));
    const QJsonValue compiled = decision.compiled();
    if (outputStyle().verbose && !compiled.isUndefined() && !compiled.isNull()) {
        const QJsonDocument document
            = compiled.isArray() ? QJsonDocument(compiled.toArray()) : QJsonDocument(compiled.toObject());
        const QStringList lines = QString::fromUtf8(document.toJson()).split(u'\n', Qt::SkipEmptyParts);
        print(Tr::tr("What the server runs:") + u'\n');
        for (const QString &line : lines) {
            print(u"  "_s + shown(line) + u'\n');
        }
    }
    print(u"\n"_s);
}

} // namespace idemdesk::app
