// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/console/install_words.h"

#include "models/format/display_text.h"
#include "sql/types/statement.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kNameChars = 80;

} // namespace

InstallContents installContents(int installedVersion, int newestVersion)
{
    InstallContents contents;
    const bool there = installedVersion >= newestVersion; // nothing is left to do
    if (installedVersion > 0 && !there) {
        contents.madeTitle = Tr::tr("Changes");
        contents.made = {
            Tr::tr("The schema idemdesk goes from version %1 to version %2.").arg(installedVersion).arg(newestVersion),
            Tr::tr("Only the steps after version %1 run. The next page shows all of them.").arg(installedVersion),
            Tr::tr("What is made belongs to idemdesk_owner, as before."),
        };
        contents.kept = {
            Tr::tr("Audit log, actions, undo copies, samples and registered tables keep their rows."),
            Tr::tr("Your own tables are not touched, and people keep their roles."),
        };
        contents.run
            = Tr::tr("One transaction: all of it, or nothing. It does not begin where the guard found a change.");
        return contents;
    }
    contents.madeTitle = there ? Tr::tr("Is there") : Tr::tr("Creates");
    contents.made = {
        Tr::tr("The schema idemdesk: registered tables, actions, undo copies, samples, conflicts and the audit log."),
        Tr::tr("Its functions. Keys are changed only through them, each time with an audit row."),
        Tr::tr("The role idemdesk_owner, which owns the schema. Nobody can log in as it."),
        Tr::tr("Five roles for people and services: %1.")
            .arg(u"idemdesk_viewer, idemdesk_operator, idemdesk_approver, idemdesk_admin, idemdesk_reporter"_s),
    };
    contents.kept = {
        Tr::tr("Your own tables: no right on them is given. Their owners grant these when a table is registered."),
    };
    contents.run = there
        ? Tr::tr("Version %1 is the newest that this program knows: nothing runs.").arg(installedVersion)
        : Tr::tr("One transaction: all of it is made, or nothing. It can be removed again; the audit log then stays, "
                 "under another name.");
    return contents;
}

QList<InstallCheck> installChecks(const sql::InstallRights &rights, int installedVersion)
{
    const QString login = sql::quoteIdentifier(rights.login);
    QList<InstallCheck> checks;
    if (rights.standby) {
        checks.append({ false, Tr::tr("This server is a standby: connect to its primary."), {} });
    }
    if (rights.rolesMissing > 0) {
        checks.append({ rights.createsRoles,
            rights.createsRoles ? Tr::tr("It may create roles (CREATEROLE).")
                                : Tr::tr("It may not create roles: CREATEROLE is missing."),
            u"ALTER ROLE %1 CREATEROLE;"_s.arg(login) });
    }
    if (rights.rolesMissing < sql::InstallRights::kRoles) {
        checks.append({ rights.givesRoles,
            rights.givesRoles ? Tr::tr("It may grant the console's roles (ADMIN OPTION).")
                              : Tr::tr("It may not grant the console's roles: ADMIN OPTION is missing."),
            u"GRANT idemdesk_owner, idemdesk_viewer TO %1 WITH ADMIN OPTION;"_s.arg(login) });
    }
    if (installedVersion <= 0) {
        const QString database = displayText(rights.database, kNameChars);
        checks.append({ rights.createsSchema,
            rights.createsSchema
                ? Tr::tr("It may create a schema in the database %1 (CREATE).").arg(database)
                : Tr::tr("It may not create a schema in the database %1: CREATE is missing.").arg(database),
            u"GRANT CREATE ON DATABASE %1 TO %2;"_s.arg(sql::quoteIdentifier(rights.database), login) });
    }
    return checks;
}

QString missingStatements(const QList<InstallCheck> &checks)
{
    QStringList statements;
    for (const InstallCheck &check : checks) {
        if (!check.there && !check.statement.isEmpty()) {
            statements += check.statement;
        }
    }
    return statements.join(u'\n');
}

} // namespace idemdesk::models
