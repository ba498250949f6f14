// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/conflict.h"
#include "sql/types/target.h"

#include <functional>

namespace idemdesk::sql {

/// A hash as a log or a table writes it, read.
struct HashText {
    QByteArray bytes; ///< whole or cut; at least 8
    QString algorithm; ///< "sha256" where a prefix names it, else empty
};

/// Reads a hash in hex, base64, as a bytea or a uuid; nothing where the text is none.
using HashReader = std::function<std::optional<HashText>(const QString &)>;

struct KeysFound {
    qint64 found = 0; ///< records that have their key now
    QStringList notSearched; ///< whole sentences: the tables that could not be searched, and why
};

/// Gives records that do not name their key the key, scope and target of the one row they can mean: the row whose key,
/// alone or with its scope, makes `keyHash`; else the row whose stored fingerprint is `existingHash`. Says in `detail`
/// how it was found, or that several fit. Then, where the record's scope is another one, or where a table could not be
/// searched, the key stays unknown. One statement a target for each of the two, whatever the number of records: through
/// an index of the fingerprint where the planner finds that cheaper, else one pass. Constant memory besides the
/// records. Reads only; a failure loses nothing. A service's record with a key and without a table gets the table and
/// scope where one row alone has that key. allTables: `targets` are all that may be meant; else nothing is certain.
KeysFound findKeys(Session &session, const QList<Target> &targets, QList<ConflictRecord> &records,
    const HashReader &readHash, bool allTables = true);

} // namespace idemdesk::sql
