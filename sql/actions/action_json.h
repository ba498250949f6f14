// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"

namespace idemdesk::sql {

// What the console's functions in the database take and give as JSON (sql/console/schema/04_actions.sql), as plain
// values.

/// Of idemdesk._action_json(); a text that is no such object gives a record without an id.
ActionRecord actionFromJson(const QString &json);
/// Of change_batch(), undo_batch() and purge_batch().
BatchResult batchFromJson(const QString &json);
/// An array of texts and nulls.
Cells cellsFromJson(const QString &json);
/// The frozen set as open_action() takes it: [{"i": identity, "g": guard, "r": rule, "e": effect id, "t": effect
/// type}].
QString rowsToJson(const QList<FrozenRow> &rows);
/// An array of texts and nulls.
QString cellsToJson(const Cells &cells);

} // namespace idemdesk::sql
