// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <algorithm>

namespace idemdesk::sql {

/// What the members of a group are to each other.
enum class GroupKind {
    Regions, ///< each has its own copy of the keys, and writes them
    Shards, ///< each has a part of the keys
    Replicas ///< one has the keys, the others follow it
};

/// One database of a group.
struct GroupMember {
    QString label; ///< what people call it: "eu", "shard-0"; no two members share one
    QString conninfo; ///< libpq's; never with a password
};

/// Databases that hold the same tables and belong together.
struct ConnectionGroup {
    QString name;
    GroupKind kind = GroupKind::Regions;
    QList<GroupMember> members; ///< at least two

    const GroupMember *member(const QString &label) const
    {
        const auto found = std::find_if(
            members.cbegin(), members.cend(), [&label](const GroupMember &member) { return member.label == label; });
        return found == members.cend() ? nullptr : &*found;
    }
};

} // namespace idemdesk::sql
