// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cell.h"
#include "sql/types/profile.h"
#include "sql/types/timestamp.h"

#include <QMap>
#include <optional>

namespace idemdesk::sql {

/// One row of a target as a list shows it. Large roles (response body, request payload) are not in here.
struct KeyRecord {
    Cells identity; ///< by profile.identity
    Cells scope; ///< by profile.scope
    Cell key;
    Cell orderValue; ///< of the page's order, for the cursor; null where the order is the identity
    KeyState state = KeyState::Unknown;
    std::optional<bool> stale; ///< nothing: cannot say
    std::optional<bool> expired; ///< nothing: no expires_at
    QString fault; ///< an expression of the profile fails on the row: what the server says; such a row is unknown
    QMap<Role, Cell> roles; ///< only the roles the profile has and a list shows; time roles as timestamptz texts in UTC

    Cells fields; ///< by profile.fields; times as timestamptz texts in UTC

    Cell role(Role wanted) const { return roles.value(wanted); }
    std::optional<Timestamp> time(Role wanted) const
    {
        const Cell cell = role(wanted);
        return cell.null ? std::nullopt : Timestamp::parse(cell.text);
    }
    /// Same row, by identity.
    bool sameRow(const KeyRecord &other) const { return identity == other.identity; }
};

} // namespace idemdesk::sql
