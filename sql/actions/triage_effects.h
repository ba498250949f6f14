// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/triage.h"

namespace idemdesk::sql {

/// Fills the effects of each row by the profile's queries. A query that fails makes that evidence unreadable for the
/// rows it failed on, never absent; a lost connection or a cancel is an error.
Result<void> readEffects(Session &session, const Target &target, const Timestamp &now, QList<TriageFacts> *rows);

/// "(identity = …) OR (identity = …)" for these rows.
QString identitiesCondition(class Render &render, const QList<Cells> &identities);

} // namespace idemdesk::sql
