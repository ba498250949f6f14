// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/connection_controller.h"
#include "sql/session/session.h"

namespace idemdesk::models {

struct FoundTargets {
    QList<TargetEntry> targets; ///< shipped ones first, then by title
    QList<TargetEntry> archives; ///< where rows of these were moved to, as far as profiles name it
    QList<TargetProblem> problems;
};

/// Runs on a lane's thread: the shipped profiles whose table is here, and the person's own. Where several profiles fit
/// one table, the one that fits it best. Tables that are not here are no problem; tables that cannot be used are.
sql::Result<FoundTargets> findTargets(sql::Session &session, const QString &profileFolder);

/// Why a profile that is not registered is not run as a superuser (DESIGN 3).
sql::Error superuserRefusal(const QString &profileName);

} // namespace idemdesk::models
