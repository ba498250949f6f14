// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_plan.h"

#include "sql/actions/triage_reader.h"
#include "sql/types/tr.h"

#include <QUuid>
#include <algorithm>

namespace idemdesk::models {

sql::Result<ChangePlan> planChange(
    sql::Session &session, const sql::Target &target, const sql::CompiledTarget &compiled, const ChangeChoice &choice)
{
    TRY(auto page,
        sql::readTriage(session, target, choice.filter, choice.verb == sql::ActionVerb::Recover, kMostActionKeys));
    ChangePlan plan;
    plan.more = page.more;
    plan.partly = page.partly;
    plan.notes = page.notes;
    QList<SkippedKey> fresh;
    if (choice.verb == sql::ActionVerb::Recover && choice.graceMicros > 0) {
        page.rows.removeIf([&](const sql::TriageFacts &facts) {
            const bool leaves = stuckForAMoment(facts, page.now, choice.graceMicros);
            if (leaves) {
                fresh.append({ facts.record, judgeTriage(target, facts, compiled).cls,
                    Tr::tr("It is stuck for under a minute; its worker may be finishing.") });
            }
            return leaves;
        });
    }
    plan.set = freeze(target, compiled, page, choice.verb, choice.to);
    plan.set.skipped += fresh;
    return plan;
}

bool stuckForAMoment(const sql::TriageFacts &facts, const sql::Timestamp &now, qint64 graceMicros)
{
    return facts.staleSince && facts.staleSince->finite() && now.micros - facts.staleSince->micros < graceMicros;
}

bool hasRuleFor(const sql::CompiledTarget &compiled, sql::ActionVerb verb)
{
    return verb == sql::ActionVerb::Recover
        || std::any_of(compiled.rules.cbegin(), compiled.rules.cend(),
            [verb](const sql::CompiledRule &rule) { return rule.verb == verb; });
}

QList<sql::KeyState> purgeableStates(const sql::Profile &profile)
{
    QList<sql::KeyState> states;
    for (const sql::TimeRule &rule : profile.purge) {
        for (const sql::KeyState state : rule.states) {
            if (!states.contains(state)) {
                states.append(state);
            }
        }
    }
    return states;
}

sql::ActionRequest newAction(
    const sql::RegisteredTarget &registered, sql::ActionVerb verb, const QString &reason, const QString &ticket)
{
    sql::ActionRequest request;
    request.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    request.target = registered.name;
    request.verb = verb;
    request.reason = reason;
    request.ticket = ticket;
    request.profileSha = registered.profileSha;
    return request;
}

} // namespace idemdesk::models
