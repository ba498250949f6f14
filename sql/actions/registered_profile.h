// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/action.h"
#include "sql/types/profile.h"

namespace idemdesk::sql {

/// The profile of a registered target, for a session that is about to run its SQL. What the server judged when it was
/// registered is what actions run; the text that is read by was chosen by an admin alone, and functions of the table's
/// owner are fine there. So a superuser runs it only where it is a shipped one, word for word; and nobody where it is
/// about another table than the one that actions change.
Result<Profile> registeredProfile(const Session &session, const RegisteredTarget &registered);

/// A profile that the program brings, word for word, but for what it is called, its table and its links.
bool isShippedProfile(const Profile &profile);

/// Refuses where the SQL that the server keeps for actions is not what the profile compiles to now. To be asked before
/// what an action would do is shown: whoever registers a table chooses both texts. target: bound by that profile.
Result<void> requireAsProfiled(Session &session, const Target &target, const RegisteredTarget &registered);

} // namespace idemdesk::sql
