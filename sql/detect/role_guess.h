// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/detect/column_evidence.h"
#include "sql/detect/key_guess.h"

#include <QMap>

namespace idemdesk::sql {

/// Which column plays which role.
struct RoleGuess {
    QMap<Role, QString> columns;
    bool has(Role role) const { return columns.contains(role); }
};

/// Recognises roles by type first, then by name; a column of the wrong type never plays one, whatever its name. Marks
/// the columns it uses.
RoleGuess guessRoles(TableEvidence *table, const KeyGuess &key);

/// How a row's state shows.
struct StatusGuess {
    QString column; ///< where one column says it, else empty
    QString sql; ///< the status expression; empty: the mere presence of the row
    QList<std::pair<QString, KeyState>> states; ///< raw -> state
    QStringList unmapped; ///< values that occur or are allowed but are no known word
    bool constrained = false; ///< the type or a CHECK lists the values
    bool lifecycle = false; ///< the words are those of a request that begins and ends
    bool derived = false; ///< from a boolean or a nullable time
    std::optional<KeyState> others; ///< for "*"
};

StatusGuess guessStatus(TableEvidence *table, const KeyGuess &key, const RoleGuess &roles);

} // namespace idemdesk::sql
