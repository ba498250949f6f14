// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"
#include "sql/types/relation_facts.h"

#include <optional>

namespace idemdesk::sql {

/// The preset of a job library whose table this is, in whatever schema the library was set up: it has the preset's name
/// and every column that the preset speaks of. What such tables mean is the library's to say, and is not guessed.
std::optional<Profile> knownLibrary(const RelationFacts &relation);

} // namespace idemdesk::sql
