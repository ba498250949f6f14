// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/target_problem.h"
#include "sql/session/session.h"
#include "sql/types/target.h"

#include <QJsonArray>

namespace idemdesk::app {

/// Names each table that could not be read on stderr, with its error.
void noteNotRead(const QList<models::TargetProblem> &problems);
/// The same for --json: [{"target": NAME|null, "error": {"what", "why", "todo", "sqlstate"}}], under "not_read".
QJsonArray jsonOf(const QList<models::TargetProblem> &problems);
/// True where row security hides rows of the table from this login; then that is said on stderr.
bool noteHidden(const sql::Target &target);
/// No target is registered, so that nothing was looked at: said on stderr.
void noteNoneRegistered();
/// A dump was restored, and its tables were not adopted yet: said on stderr, with what to do.
void noteIfRestored(sql::Session &session);

} // namespace idemdesk::app
