// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/duplicate.h"

namespace idemdesk::models {

/// "Same result", "Several effects", …
QString duplicateReasonLabel(sql::DuplicateReason reason);

/// What to make of a group, the strongest first.
enum class DuplicateVerdict { Twice, Suspected, Once, NotDone };
DuplicateVerdict duplicateVerdict(const sql::DuplicateGroup &group);

/// "Probably done twice", "Done once", …
QString duplicateVerdictText(const sql::DuplicateGroup &group);

/// How long after the first key the last one began; empty of one key alone, and where a time is not known.
QString duplicateApart(const sql::DuplicateGroup &group);

/// Why these keys look like one intent, and what their states make of it, in whole sentences. Safe to show on one line.
QString duplicateWhy(const sql::DuplicateGroup &group);

/// The group's scope as one text, "–" for NULL; "all" where scopes were searched together and the table has some.
QString duplicateScope(const sql::DuplicateGroup &group);

/// What the keys share: twelve digits of a fingerprint tell it from others, a reference stays whole. Hostile.
QString duplicateShared(const sql::DuplicateGroup &group);

/// "Same result, 2 succeeded": by what, and how many of them had their effect.
QString duplicateReasonText(const sql::DuplicateGroup &group);

} // namespace idemdesk::models
