// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/timestamp.h"

namespace idemdesk::sql {

/// The server's clock; within a transaction the moment at which that began.
Result<Timestamp> serverNow(Session &session);

} // namespace idemdesk::sql
