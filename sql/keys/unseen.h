// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/target.h"

namespace idemdesk::sql {

/// Row security keeps rows of the table from this login.
QString rowsHiddenNote();
/// The finding for which the status was left out of the profile, so that every row counts as unknown; else empty.
QString statusLeftOut(const Target &target);
/// Why no answer about the target's rows is about all of them, or about their state; empty where nothing stands in the
/// way. What single rows hide is told by who reads them (AroundReader).
QStringList unseenNotes(const Target &target);

} // namespace idemdesk::sql
