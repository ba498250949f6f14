// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/role_members.h"

#include "sql/session/session.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kMostLogins = 2'000;

QStringList consoleRoleNames()
{
    QStringList names;
    for (const ConsoleRole role : kConsoleRoles) {
        names += consoleRoleName(role);
    }
    return names;
}

QList<ConsoleRole> consoleRolesIn(const QString &words)
{
    const QStringList names = words.split(u' ', Qt::SkipEmptyParts);
    QList<ConsoleRole> roles;
    for (const ConsoleRole role : kConsoleRoles) {
        if (names.contains(consoleRoleName(role))) {
            roles += role;
        }
    }
    return roles;
}

} // namespace

Result<ConsoleMembers> readConsoleMembers(Session &session)
{
    ConsoleMembers members;
    // Before version 16 CREATEROLE may give every role that is no superuser; since then it takes ADMIN OPTION.
    Statement may;
    const QString names = may.bind(u'{' + consoleRoleNames().join(u',') + u'}');
    may.sql
        = u"SELECT r.rolname, pg_catalog.pg_has_role(r.oid, 'MEMBER WITH ADMIN OPTION') OR (SELECT u.rolsuper OR "
          "(u.rolcreaterole AND pg_catalog.current_setting('server_version_num')::integer < 160000) FROM "
          "pg_catalog.pg_roles u WHERE u.rolname = current_user) FROM pg_catalog.pg_roles r WHERE r.rolname = ANY ("_s
        + names + u"::text[])"_s;
    QString granted;
    TRY(session.each(may, [&](const Row &row) {
        members.rolesThere = true;
        granted += row.truth(1) ? row.text(0) + u' ' : QString();
        return true;
    }));
    members.mayGrant = consoleRolesIn(granted);
    Statement all;
    const QString roles = all.bind(u'{' + consoleRoleNames().join(u',') + u'}');
    all.sql = u"SELECT l.rolname, l.rolsuper, coalesce((SELECT string_agg(c.rolname, ' ') FROM pg_catalog.pg_roles c "
              "WHERE c.rolname = ANY ("_s
        + roles
        + u"::text[]) AND pg_catalog.pg_has_role(l.oid, c.oid, 'MEMBER')), '') FROM pg_catalog.pg_roles l "
          "WHERE l.rolcanlogin ORDER BY l.rolname LIMIT "_s
        + QString::number(kMostLogins);
    TRY(session.each(all, [&](const Row &row) {
        const bool superuser = row.truth(1);
        members.logins.append(
            { row.text(0), superuser ? QList<ConsoleRole>() : consoleRolesIn(row.text(2)), superuser });
        return true;
    }));
    return members;
}

Result<void> changeMembership(Session &session, bool grant, ConsoleRole role, const QString &login)
{
    TRY(session.run({ membershipSql(grant, role, login), {} }));
    return {};
}

} // namespace idemdesk::sql
