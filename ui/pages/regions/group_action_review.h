// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/action_dialog.h"

namespace idemdesk::models {
class GroupAction;
class GroupSession;
} // namespace idemdesk::models

namespace idemdesk::ui {

/// In a group of regions: how far a change and its undo reach.
QString replicationNote();
/// What the review of an action over a group asks: all members' plans in one, and who stays as it is.
ActionQuestion groupQuestion(const models::GroupAction &action, const models::GroupSession &group);

} // namespace idemdesk::ui
