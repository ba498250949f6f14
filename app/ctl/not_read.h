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
/// What of the table "none" says nothing of: rows that row security hides, a status that cannot be read, rows on which
/// an expression fails (usedIn: of these expressions alone). Empty where all was looked at.
QStringList notLookedAt(sql::Session &session, const sql::Target &target, const QString &usedIn = {});
/// Whether the console's schema is missing here. Then that is said on stderr, with what it is needed for: "so there is
/// no trail to verify".
bool noteNotInstalled(sql::Session &session, const QString &so);
/// No target is registered, or none can be, so that nothing was looked at: said on stderr.
void noteNoneRegistered(sql::Session &session);
/// A dump was restored, and its tables were not adopted yet: said on stderr, with what to do.
void noteIfRestored(sql::Session &session);

} // namespace idemdesk::app
