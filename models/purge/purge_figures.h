// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"

#include <QDate>
#include <QList>
#include <QString>

namespace idemdesk::models {

class ActionRunner;

/// One number of a purge that runs, or ran.
struct PurgeFigure {
    QString title;
    QString figure;
    QString note; ///< beneath it; may be empty
    bool holdsOff = false; ///< the purge waits because of it
};

/// How fast it goes, how long it takes yet, and what it looks out for: standbys and waiting sessions. Once it is over:
/// what happened.
QList<PurgeFigure> purgeFigures(const ActionRunner &runner);

/// What became of the others, and for how long it can be undone.
QString purgeEndDetail(const sql::ActionRecord &action, const QDate &today = QDate::currentDate());

} // namespace idemdesk::models
