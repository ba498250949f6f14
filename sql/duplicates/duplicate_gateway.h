// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/duplicate.h"
#include "sql/types/target.h"

#include <functional>

namespace idemdesk::sql {

/// Hears, on the thread that searches, of all groups that were found so far, ranked as in the answer. What stands
/// there may grow: the newest part of a large table is looked at first.
using DuplicatesFound = std::function<void(const QList<DuplicateGroup> &groups)>;

/// Intents that look as if they had been carried out more than once, for each reason the profile provides for. One
/// aggregate over the keys that began in the span for each of them, and one more statement for the groups that are
/// listed; cancellable. What fails for one reason only is a note. Reads only.
Result<DuplicateAnswer> findDuplicates(
    Session &session, const Target &target, const DuplicateRequest &request, const DuplicatesFound &found = {});

} // namespace idemdesk::sql
