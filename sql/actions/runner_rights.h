// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/actions/registration.h"
#include "sql/session/session.h"
#include "sql/types/action.h"

namespace idemdesk::sql {

/// Rights that the runner of actions lacks on what the effects and rules of a target reach beside its own table:
/// schemas, columns of other tables, functions, types. The server's own parser says what they reach, in a transaction
/// that is taken back. Each is a statement that its owner can run as it stands. Empty too where this login may not have
/// the statements parsed.
Result<QList<Registration::Item>> missingRunnerRights(
    Session &session, const Target &target, const CompiledTarget &compiled);

/// Rights that this login lacks on what a profile names beside its own table: schemas, tables and functions by their
/// qualified names, each as a statement that its owner can run. For a profile in which something could not be planned:
/// what could be needs none.
Result<QList<Registration::Item>> missingReaderRights(Session &session, const Profile &profile);

} // namespace idemdesk::sql
