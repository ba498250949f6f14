// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_rights.h"

#include "sql/types/statement.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// A statement that runs as it stands.
QString grantSentence(const sql::ConsoleStatus &status, const QString &login)
{
    if (!status.tooMuch.isEmpty()) { // a grant would be refused at the first action
        return status.tooMuch + u' '
            + Tr::tr("Connect with another login that is a member of idemdesk_operator and has no such power.");
    }
    return Tr::tr("An administrator runs: %1")
        .arg(u"GRANT idemdesk_operator TO "_s + sql::quoteIdentifier(login) + u';');
}

} // namespace

QString whyNotAct(const sql::ConsoleStatus &status, bool readOnly, const QString &login)
{
    if (status.installedVersion == 0) {
        return Tr::tr("The console schema is not installed in this database, so the console only reads.");
    }
    if (!status.readable) {
        return Tr::tr("This login is not a member of idemdesk_viewer, so the console only reads the tables.") + u' '
            + grantSentence(status, login);
    }
    if (status.installedVersion == sql::ConsoleStatus::kPreRelease) {
        return Tr::tr(
            "A pre-release installed the console schema. Export its audit log, uninstall it, and install again.");
    }
    if (status.newerThanKnown()) {
        return Tr::tr("The console schema is newer than this program. Update the program.");
    }
    if (status.installedVersion < status.knownVersion) {
        return Tr::tr("The console schema is older than this program. An administrator must upgrade it.");
    }
    if (readOnly) {
        return Tr::tr("This connection is marked as read-only.");
    }
    if (!status.tooMuch.isEmpty()) {
        return grantSentence(status, login);
    }
    if (!status.isOperator) {
        return Tr::tr("This login is not a member of idemdesk_operator.") + u' ' + grantSentence(status, login);
    }
    if (status.superuser) {
        return Tr::tr("A superuser runs no actions: nothing would hold it back. Connect with a login of your own.");
    }
    if (status.red()) {
        return Tr::tr("The audit log is not protected, so no action can start. The Audit page says why.");
    }
    return {};
}

} // namespace idemdesk::models
