// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/cache_key.h"
#include "sql/types/key_record.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// A row, and which of the keys asked for found it.
struct FoundRow {
    qsizetype wanted = 0;
    KeyRecord record;
};

/// The rows that have scope and key of one of these, by index where there is one. A text that its column's type cannot
/// hold finds nothing. Runs on the calling thread and reads only.
Result<QList<FoundRow>> rowsOfKeys(Session &session, const Target &target, const QList<CachedKey> &wanted);

} // namespace idemdesk::sql
