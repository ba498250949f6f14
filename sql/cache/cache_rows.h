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

/// The rows that have the key of one of these, and NULL in a part of the scope where they do not have the text that
/// stands there. How a service writes NULL in an entry's name is its own affair: such a row may be meant.
Result<QList<FoundRow>> rowsWithoutScope(Session &session, const Target &target, const QList<CachedKey> &wanted);

/// Whether this name leaves no doubt that such a row is meant: what stands where the row has NULL is nothing, or a word
/// for it ("null", "None").
bool writesNull(const CachedKey &wanted, const KeyRecord &record);

} // namespace idemdesk::sql
