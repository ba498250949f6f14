// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/activity.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// Sessions that hold or await locks on these targets, and whom they wait for; this console's own are left out.
/// What the server hides from this user stays empty and marks the report incomplete (traps 9).
Result<ActivityReport> readActivity(Session &session, const QList<Target> &targets);

/// The oid of a relation named as SQL text, 0 where there is none. Takes no lock, so it answers while others hold one.
Result<quint32> relationOid(Session &session, const QString &relation);

} // namespace idemdesk::sql
