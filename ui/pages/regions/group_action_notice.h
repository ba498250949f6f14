// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace idemdesk::models {
class GroupAction;
class GroupSession;
} // namespace idemdesk::models

namespace idemdesk::ui {

class NoticeBar;

/// How an action over a group stands: who did not answer, what did not go as planned, what was done. Its first button
/// plans again, where that can help. Hidden where there is nothing to say.
void showActionNotice(NoticeBar *notice, const models::GroupAction &action, const models::GroupSession &group);
/// What the plans warn of, each with the members it is of.
void showPlanWarnings(NoticeBar *notice, const models::GroupAction &action, const models::GroupSession &group);
/// What is to be said of one member at length; each line is safe to show.
QStringList toldOfMember(const models::GroupAction &action, int member);

} // namespace idemdesk::ui
