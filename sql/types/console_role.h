// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/statement.h"

#include <QStringList>
#include <array>

namespace idemdesk::sql {

/// What the console's own schema lets people and services do.
enum class ConsoleRole { Viewer, Operator, Approver, Admin, Reporter };
inline constexpr std::array kConsoleRoles { ConsoleRole::Viewer, ConsoleRole::Operator, ConsoleRole::Approver,
    ConsoleRole::Admin, ConsoleRole::Reporter };
/// The role's name in the database.
inline QString consoleRoleName(ConsoleRole role)
{
    static constexpr std::array<QStringView, kConsoleRoles.size()> kNames { u"idemdesk_viewer", u"idemdesk_operator",
        u"idemdesk_approver", u"idemdesk_admin", u"idemdesk_reporter" };
    return kNames[static_cast<std::size_t>(role)].toString();
}

/// A login of the server and the console's roles that it has, itself or by another role.
struct RoleMember {
    QString login;
    QList<ConsoleRole> roles;
    bool superuser = false; ///< has every right, whatever it is a member of
};

/// Who has which of the console's roles, and which of them the own login may give.
struct ConsoleMembers {
    QList<RoleMember> logins; ///< all of the server, by name
    QList<ConsoleRole> mayGrant;
    bool rolesThere = false; ///< the console's schema made them
};

/// GRANT or REVOKE, as it is shown and run.
inline QString membershipSql(bool grant, ConsoleRole role, const QString &login)
{
    return (grant ? QStringLiteral("GRANT %1 TO %2;") : QStringLiteral("REVOKE %1 FROM %2;"))
        .arg(quoteIdentifier(consoleRoleName(role)), quoteIdentifier(login));
}

} // namespace idemdesk::sql
