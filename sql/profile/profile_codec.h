// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/profile/codec.h"
#include "sql/types/profile.h"

namespace idemdesk::sql {

/// The grammar of profiles (DESIGN 3): a descriptor for each key. From it follow what is read, what is written, and in
/// what order; `schema` is what profile.schema.json must say, and a test compares them.
const codec::Codec<Profile> &profileCodec();

/// Names in one part of the profile that must exist in another.
void checkReferences(ProfileReading &reading, const JsonNode &root, const Profile &profile);

/// Words that no field of this profile can be called by: those of the filter language, of roles, and of its scope.
QStringList takenFieldLabels(const Profile &profile);

} // namespace idemdesk::sql
