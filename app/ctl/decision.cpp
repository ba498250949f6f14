// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/decision.h"

#include "app/ctl/json_out.h"
#include "app/ctl/run_action.h"
#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kRowsNamedInShort = 5; // --verbose names more

} // namespace

QJsonObject decisionJson(const models::Decision &decision)
{
    QJsonObject object = app::jsonOf(decision.action);
    const std::optional<sql::RegisteredTarget> &target = decision.target;
    object.insert(u"relation"_s, target ? QJsonValue(target->relation) : QJsonValue());
    object.insert(
        u"approval_above"_s, target && target->approvalAbove ? QJsonValue(*target->approvalAbove) : QJsonValue());
    object.insert(u"plan"_s, decision.plan());
    QJsonArray named;
    for (const sql::AskedRow &row : decision.rows) {
        named.append(
            QJsonObject { { u"identity"_s, row.identity.isEmpty() ? QJsonValue() : QJsonValue(jsonOf(row.identity)) },
                { u"effect_id"_s, textOrNull(row.effectId) },
                { u"other"_s,
                    row.otherJson.isEmpty() ? QJsonValue()
                                            : QJsonValue(QJsonDocument::fromJson(row.otherJson).object()) } });
    }
    object.insert(u"rows_asked"_s, named);
    if (outputStyle().verbose) {
        object.insert(u"compiled"_s, decision.compiled().isUndefined() ? QJsonValue() : decision.compiled());
    }
    return object;
}

void printDecision(const models::Decision &decision)
{
    const sql::ActionRecord &action = decision.action;
    const auto shown = [](const QString &text) { return models::displayText(text, 10'000); };
    QList<QStringList> rows { { Tr::tr("action"), action.id }, { Tr::tr("what"), models::verbLabel(action.verb) },
        { Tr::tr("target"),
            decision.target ? action.target + u" ("_s + decision.target->relation + u')' : action.target },
        { Tr::tr("rows"), models::countText(action.plannedRows) } };
    const QStringList named = decision.rowFacts(outputStyle().verbose ? models::kMostRowsNamed : kRowsNamedInShort);
    // A line each, with its number beside it: a key's own text must not pass for further rows, wherever it wraps.
    for (qsizetype i = 0; i < named.size(); ++i) {
        rows += QStringList { named.size() == 1 ? Tr::tr("which") : Tr::tr("which, %1").arg(i + 1), named.at(i) };
    }
    if (!action.undoOf.isEmpty()) {
        rows += QStringList { Tr::tr("undoes"), action.undoOf };
    }
    if (const QString plan = decision.planFacts().join(u"; "_s); !plan.isEmpty()) {
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
    if (const QString compiled = decision.compiledText(); outputStyle().verbose && !compiled.isEmpty()) {
        print(Tr::tr("What the server runs:") + u'\n');
        const QStringList lines = compiled.split(u'\n', Qt::SkipEmptyParts);
        for (const QString &line : lines) {
            print(u"  "_s + shown(line) + u'\n');
        }
    }
    print(u"\n"_s);
}

} // namespace idemdesk::app
