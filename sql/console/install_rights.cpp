// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/console/install_rights.h"

#include "sql/types/tr.h"

namespace idemdesk::sql {

namespace {

// As prepare.sql goes on: the roles that lack are made, and those that are there are granted, which since version 16
// takes ADMIN OPTION.
const QString kInstallRights = QStringLiteral(
    "SELECT CURRENT_USER, pg_catalog.current_database(), pg_catalog.pg_is_in_recovery(),"
    " (SELECT pg_catalog.count(*) FROM pg_catalog.unnest(ARRAY['idemdesk_owner', 'idemdesk_viewer', "
    "'idemdesk_operator', 'idemdesk_approver', 'idemdesk_admin', 'idemdesk_reporter']) AS n (name)"
    "   WHERE pg_catalog.to_regrole(n.name) IS NULL),"
    " u.rolsuper OR u.rolcreaterole,"
    " u.rolsuper OR NOT EXISTS (SELECT FROM pg_catalog.pg_roles AS r"
    "   WHERE r.rolname IN ('idemdesk_owner', 'idemdesk_viewer')"
    "   AND NOT (pg_catalog.pg_has_role(r.oid, 'MEMBER WITH ADMIN OPTION')"
    "     OR (u.rolcreaterole AND pg_catalog.current_setting('server_version_num')::pg_catalog.int4 < 160000))),"
    " pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')"
    " FROM pg_catalog.pg_roles AS u WHERE u.rolname = CURRENT_USER");

} // namespace

Result<InstallRights> readInstallRights(Session &session)
{
    TRY(const auto row,
        failed(Tr::tr("The rights of this login could not be read."), session.one({ kInstallRights, {} })));
    const auto truth = [&row](int column) { return row.at(column).text == QLatin1StringView("t"); };
    InstallRights rights;
    rights.login = row.at(0).text;
    rights.database = row.at(1).text;
    rights.standby = truth(2);
    rights.rolesMissing = row.at(3).text.toInt();
    rights.createsRoles = truth(4);
    rights.givesRoles = truth(5);
    rights.createsSchema = truth(6);
    return rights;
}

} // namespace idemdesk::sql
