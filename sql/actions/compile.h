// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/action.h"

namespace idemdesk::sql {

/// Turns a bound profile into the SQL that the server's functions run (sql/console/schema/07_statements.sql names the
/// parameters: $1 now, $2 reason, $3 action, $4 effect id, $5 effect type). Values of the profile are quoted as
/// constants.
Result<CompiledTarget> compileTarget(Session &session, const Target &target);

/// Reads back what a registered target stored.
Result<CompiledTarget> compiledFromJson(const QByteArray &json);

} // namespace idemdesk::sql
