// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/filter.h"
#include "sql/types/key_spread.h"
#include "sql/types/target.h"

#include <optional>

namespace idemdesk::sql {

/// The time that a spread of this target goes by: when a key was made, else claimed. Nothing where it has neither.
std::optional<Role> spreadTime(const Profile &profile);

/// How the rows that match lie over time and by age. Counts them where they are few enough to be read; else reckons
/// from a sample of the table's blocks. The newest are seldom met in one: those of the last hour are counted beside it
/// where they are found cheaply. Either way about forty thousand rows are looked at, and up to twenty thousand
/// of the last hour, whatever the table's size, and a row that cannot be read is looked for among these alone. Fails
/// with ErrorKind::Refused and the reason where a sample could not tell.
Result<KeySpread> readSpread(Session &session, const Target &target, const Filter &filter);

} // namespace idemdesk::sql
