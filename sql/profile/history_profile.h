// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/profile.h"
#include "sql/types/target.h"

#include <optional>

namespace idemdesk::sql {

/// "payments" -> "payments.history": how the archive of a profile's table is named.
QString historyName(const QString &profileName);
/// The other way round; empty where the name is none of an archive.
QString nameBeforeHistory(const QString &name);

/// How the archive that purged rows move to is read (a profile's "history"): as the table is, by whatever of its
/// columns the archive has. Nothing is stuck there, nothing acts on it, and no claim sees it. Nothing where there is no
/// archive.
std::optional<Profile> historyProfile(const Profile &profile);

/// Binds it. A view in the archive's place is refused: its functions would run in the name of whoever looks for a key.
Result<Target> bindArchive(Session &session, const Profile &archive);

} // namespace idemdesk::sql
