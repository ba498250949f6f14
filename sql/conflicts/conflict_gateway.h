// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/conflict.h"

namespace idemdesk::sql {

/// Does this database keep conflicts? Else they are kept on this computer.
Result<bool> keepsConflicts(Session &session);

/// Does it keep them, and may this login look?
Result<bool> mayReadConflicts(Session &session);

/// How much of what is kept this login may see: conflicts are shown to who may read their tables.
enum class ConflictSight { Nothing, Part, Everything };
Result<ConflictSight> conflictSight(Session &session);

/// A page of conflicts from the console's schema, newest first. Reads only.
Result<ConflictPage> readConflicts(Session &session, const ConflictFilter &filter);

/// Stores what a log told, with a row in the trail; what is there already stays. Gives how many were new. The session
/// must not be read-only, and its login an operator.
Result<qint64> storeConflicts(Session &session, const QString &file, const QList<ConflictRecord> &records);

} // namespace idemdesk::sql
