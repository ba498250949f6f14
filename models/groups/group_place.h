// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection.h"
#include "sql/types/connection_group.h"
#include "sql/types/error.h"

#include <QList>
#include <QString>
#include <optional>

namespace idemdesk::models {

/// Where a member of a group leads, and with what rights.
struct GroupPlace {
    QString label;
    sql::ConnectionSettings settings; ///< without a password
    QString secretId; ///< under which the keychain has its password; empty: libpq's own ways apply
    std::optional<sql::Error> missing; ///< it leads nowhere: its saved connection is gone
};

/// A group whose members were looked up, ready to be opened.
struct GroupPlaces {
    QString name;
    sql::GroupKind kind = sql::GroupKind::Regions;
    QList<GroupPlace> members;

    /// The same as the terminal program takes it.
    sql::ConnectionGroup group() const
    {
        sql::ConnectionGroup group { name, kind, {} };
        for (const GroupPlace &place : members) {
            group.members += sql::GroupMember { place.label, place.settings.conninfo };
        }
        return group;
    }
};

} // namespace idemdesk::models
