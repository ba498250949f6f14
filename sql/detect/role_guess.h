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

/// A column's name says that a row's work is done then, or says so by itself: "processed_at", "dispatched".
bool saysDone(const QStringList &words);

} // namespace idemdesk::sql
