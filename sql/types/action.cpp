// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/types/action.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

QString verbName(ActionVerb verb)
{
    switch (verb) {
    case ActionVerb::Recover:
        return u"recover"_s;
    case ActionVerb::Requeue:
        return u"requeue"_s;
    case ActionVerb::Reclassify:
        return u"reclassify"_s;
    case ActionVerb::Purge:
        return u"purge"_s;
    case ActionVerb::Undo:
        return u"undo"_s;
    case ActionVerb::Detach:
        return u"detach"_s;
    case ActionVerb::Attach:
        return u"attach"_s;
    case ActionVerb::Drop:
        return u"drop"_s;
    case ActionVerb::Limit:
        return u"limit"_s;
    case ActionVerb::Adopt:
        return u"adopt"_s;
    }
    return {};
}

std::optional<ActionVerb> verbFromName(const QString &name)
{
    for (const ActionVerb verb : kAllVerbs) {
        if (verbName(verb) == name) {
            return verb;
        }
    }
    return std::nullopt;
}

QString actionStateName(ActionState state)
{
    switch (state) {
    case ActionState::Requested:
        return u"requested"_s;
    case ActionState::Running:
        return u"running"_s;
    case ActionState::Paused:
        return u"paused"_s;
    case ActionState::Finished:
        return u"finished"_s;
    case ActionState::Cancelled:
        return u"cancelled"_s;
    case ActionState::Declined:
        return u"declined"_s;
    case ActionState::Finding:
        return u"finding"_s;
    }
    return {};
}

std::optional<ActionState> actionStateFromName(const QString &name)
{
    static constexpr std::array kStates { ActionState::Requested, ActionState::Running, ActionState::Paused, ActionState::Finished,
        ActionState::Cancelled, ActionState::Declined };
    for (const ActionState state : kStates) {
        if (actionStateName(state) == name) {
            return state;
        }
    }
    return std::nullopt;
}

} // namespace idemdesk::sql
