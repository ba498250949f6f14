// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

namespace idemdesk::sql {

/// A relation's name taken apart: `sales."InboxState"` is schema sales and name InboxState.
struct RelationName {
    QString schema; ///< empty where only the name was written
    QString name;
};

/// Reads a name as PostgreSQL does (unquoted parts fold to lower case); nothing where it is not one or two parts.
std::optional<RelationName> parseRelationName(const QString &text);

} // namespace idemdesk::sql
