// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/install_rights.h"

namespace idemdesk::sql {

/// What the session's login may do of what installing or upgrading the console needs. Writes nothing.
Result<InstallRights> readInstallRights(Session &session);

} // namespace idemdesk::sql
