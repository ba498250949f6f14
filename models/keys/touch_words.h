// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::sql {
struct KeyTouch;
}

namespace idemdesk::models {

/// What a person did to a key, as --json names it: "recover", "release".
QString touchName(const sql::KeyTouch &touch);
/// The same for people: "Recover", "Release in the cache".
QString touchLabel(const sql::KeyTouch &touch);
/// What came of it, for people.
QString touchOutcome(const sql::KeyTouch &touch);

} // namespace idemdesk::models
