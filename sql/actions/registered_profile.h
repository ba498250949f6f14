// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/action.h"
#include "sql/types/profile.h"

namespace idemdesk::sql {

/// The profile of a registered target, for a session that is about to run its SQL. What the server judged when it was
/// registered is what actions run; the text that is read by was chosen by an admin alone, and functions of the table's
/// owner are fine there. So a superuser runs it only where it is a shipped one, word for word.
Result<Profile> registeredProfile(const Session &session, const RegisteredTarget &registered);

} // namespace idemdesk::sql
