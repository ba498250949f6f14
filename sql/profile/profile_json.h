// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"
#include "sql/types/result.h"

#include <QByteArray>

namespace idemdesk::sql {

/// Reads one profile (DESIGN 3). An Error's `where` is "file.json: $.roles.expires_at", its `why` says what stood there
/// and what was expected. Unknown keys are errors unless they begin with x_.
Result<Profile> profileFromJson(const QByteArray &json, const QString &fileName);
Result<Profile> profileFromFile(const QString &path);

/// The same format, two-space indent, keys in the order of DESIGN 3; reading it back gives an equal profile.
QByteArray profileToJson(const Profile &profile);

/// The profiles shipped with the console, by name; they are compiled in.
const QList<Profile> &shippedProfiles();
/// Profiles of tables around those: of the business, and of libraries that keep jobs. They are looked for as the
/// shipped ones are, and take part in nothing where their table is not there.
const QList<Profile> &presetProfiles();
/// Both of them.
const QList<Profile> &offeredProfiles();
/// An offered one by Profile::name; nothing where there is none of that name.
std::optional<Profile> shippedProfile(const QString &name);

} // namespace idemdesk::sql
