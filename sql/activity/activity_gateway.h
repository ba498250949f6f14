// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/activity.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// Sessions that hold or await locks on these targets, and whom they wait for; this console's own are left out.
/// What the server hides from this user stays empty and marks the report incomplete (traps 9).
Result<ActivityReport> readActivity(Session &session, const QList<Target> &targets);

/// Asks the server to end another session's statement, or the session. First the request is written to the trail
/// (idemdesk.open_signal), then the signal is sent with this login's own right to the session that was seen, if it is
/// still the same, then what came of it is written (idemdesk.close_signal). Needs a session that may write, whose login
/// is an operator. An error means that nothing was sent, except ConnectionLost, after which the trail says what is
/// known.
Result<SignalOutcome> signalBackend(Session &session, const SignalRequest &request);

/// The oid of a relation named as SQL text, 0 where there is none. Takes no lock, so it answers while others hold one.
Result<quint32> relationOid(Session &session, const QString &relation);

} // namespace idemdesk::sql
