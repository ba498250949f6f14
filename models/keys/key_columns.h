// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/target.h"

#include <QList>
#include <QString>
#include <Qt>
#include <optional>

namespace idemdesk::models {

/// What a column of the key table shows. ScopePart stands for one column per part of the profile's scope, Own for one
/// per field of its own.
enum class KeyColumn {
    ScopePart,
    Key,
    State,
    Attempts,
    Age,
    Lease,
    Owner,
    Expires,
    Result,
    Error,
    Status,
    Created,
    Updated,
    Claimed,
    Completed,
    Heartbeat,
    Fingerprint,
    Code,
    Own
};

/// One column: what it shows, how it is named, and how a view starts with it.
struct KeyColumnSpec {
    KeyColumn column = KeyColumn::Key;
    int part = -1; ///< of the scope, for ScopePart; in the profile's fields, for Own
    bool time = false; ///< shows a time
    QString id; ///< stable name for remembered layouts: "key", "scope:tenant"
    QString title;
    QString help; ///< one sentence for the header's tooltip
    int width = 120; ///< in pixels at the default font
    bool visible = true; ///< shown unless the person hid it
    bool number = false; ///< right-aligned, tabular figures
    bool monospace = false; ///< keys and hashes, elided in the middle
    int rank = 0; ///< where there is little room the highest goes first; 0 stays
};

/// The role that a column shows as it is; nothing for the scope, the key, the state, and what is made of two roles.
std::optional<sql::Role> shownRole(KeyColumn column);

/// The label of the order that goes by what the column shows; empty where none can.
QString orderOf(const KeyColumnSpec &column, const sql::Profile &profile);

/// The columns this target can fill, in their first order. A role the profile lacks has no column.
QList<KeyColumnSpec> keyColumns(const sql::Target &target);

} // namespace idemdesk::models
