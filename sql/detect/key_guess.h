// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/detect/column_evidence.h"

namespace idemdesk::sql {

/// Which columns name an intent, by the table's unique keys.
struct KeyGuess {
    QStringList identity;
    QString key; ///< column; empty: none found
    QStringList scope; ///< columns
    QStringList aliases; ///< columns that some rows can be searched by as well
    bool proven = false; ///< a unique index says so
    int strength = 0; ///< how much the key's name and place speak for a deduplication key, 0 to 100
};

KeyGuess guessKey(const TableEvidence &table);

/// Do the words of a table's name speak of requests or messages handled once?
bool namesAStore(const QStringList &words);

/// A person's word for a scope column: tenant_id is "tenant", idempotency_scope is "scope".
QString scopeLabel(const QString &column);

} // namespace idemdesk::sql
