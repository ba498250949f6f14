// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTimeZone>

class QLabel;

namespace idemdesk::models {
class GroupSession;
}

namespace idemdesk::ui {

/// What is wrong with a filter over a group, with its place: a sentence to stand under the field. Empty where any
/// member's profile can read it, or no member that answered has the table.
QString filterFault(
    const models::GroupSession &group, const QString &target, const QString &filter, const QTimeZone &zone);

/// The line for it; hidden while it is empty.
void showFault(QLabel *line, const QString &fault);

} // namespace idemdesk::ui
