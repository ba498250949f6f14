// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/json_out.h"
#include "sql/audit/audit_gateway.h"
#include "sql/console/console_schema.h"
#include "sql/types/tr.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

Exit installConsole(const Context &context)
{
    const auto session = context.connect(sql::LaneKind::Write);
    if (!session) {
        return fail(session.error());
    }
    const auto version = sql::installConsole(**session);
    if (!version) {
        return fail(version.error());
    }
    if (context.json()) {
        printJson({ { u"version"_s, *version } });
    } else {
        print(Tr::tr("The console schema has version %1.").arg(*version) + u'\n');
    }
    return Exit::Done;
}

Exit repairConsole(const Context &context)
{
    const auto session = context.connect(sql::LaneKind::Write);
    if (!session) {
        return fail(session.error());
    }
    const auto repaired = sql::repairConsole(**session);
    if (!repaired) {
        return fail(repaired.error());
    }
    if (context.json()) {
        printJson({ { u"functions"_s, QJsonArray::fromStringList(*repaired) } });
    } else if (repaired->isEmpty()) {
        print(Tr::tr("Every function is the one that was installed; triggers and settings were put back all the same, and the trail says so.") + u'\n');
    } else {
        print(Tr::tr("Put back, and written to the trail: %1.").arg(repaired->join(u", "_s)) + u'\n');
    }
    return Exit::Done;
}

Exit uninstallConsole(const Context &context)
{
    const auto session = context.connect(sql::LaneKind::Write);
    if (!session) {
        return fail(session.error());
    }
    if (const auto done = sql::uninstallConsole(**session, context.has(u"with-audit"_s)); !done) {
        return fail(done.error());
    }
    if (context.json()) {
        printJson({ { u"removed"_s, true }, { u"trail_kept"_s, !context.has(u"with-audit"_s) } });
        return Exit::Done;
    }
    print((context.has(u"with-audit"_s) ? Tr::tr("The console schema and its trail were removed.")
                                        : Tr::tr("The console schema was removed; the trail stays in a schema named idemdesk_trail_ and the time."))
        + u'\n' + Tr::tr("The roles stay, because other databases of the cluster may use them.") + u'\n');
    return Exit::Done;
}

/// Nothing installed, another version, or a red finding is no success: scripts ask before they act.
Exit consoleStatus(const Context &context)
{
    const auto session = context.connect();
    if (!session) {
        return fail(session.error());
    }
    const auto status = sql::readConsoleStatus(**session);
    if (!status) {
        return fail(status.error());
    }
    const bool fine = status->readable && status->installedVersion == status->knownVersion && !status->red();
    if (context.json()) {
        QJsonArray findings;
        for (const sql::GuardFinding &finding : status->findings) {
            findings.append(QJsonObject { { u"severity"_s, finding.red ? u"red"_s : u"amber"_s }, { u"code"_s, finding.code },
                { u"finding"_s, finding.finding }, { u"remedy"_s, finding.remedy } });
        }
        printJson({ { u"installed"_s, status->installedVersion }, { u"known"_s, status->knownVersion }, { u"readable"_s, status->readable },
            { u"operator"_s, status->isOperator }, { u"approver"_s, status->isApprover }, { u"admin"_s, status->isAdmin },
            { u"pre_release"_s, status->installedVersion == sql::ConsoleStatus::kPreRelease }, { u"superuser"_s, status->superuser }, { u"can_act"_s, fine && status->isOperator }, { u"findings"_s, findings } });
        return fine ? Exit::Done : Exit::Refused;
    }
    if (status->installedVersion == 0) {
        print(Tr::tr("The console schema is not installed.") + u'\n');
    } else if (const auto refusal = sql::consoleRefusal(*status)) {
        print(refusal->why + u' ' + refusal->todo + u'\n');
    } else {
        print(Tr::tr("Version %1 is installed; this program knows version %2.").arg(status->installedVersion).arg(status->knownVersion) + u'\n');
    }
    QList<QStringList> rows;
    for (const sql::GuardFinding &finding : status->findings) {
        rows += QStringList { finding.red ? Tr::tr("red") : Tr::tr("amber"), finding.finding, finding.remedy };
    }
    if (!rows.isEmpty()) {
        print(table({ Tr::tr("SEVERITY"), Tr::tr("FINDING"), Tr::tr("REMEDY") }, rows, true));
    }
    return fine ? Exit::Done : Exit::Refused;
}

} // namespace

Exit runConsole(const QStringList &arguments)
{
    Context context(u"console install|status|sql|repair|uninstall"_s);
    context.addConnectOption();
    context.addJsonOption();
    context.parser().addOption({ u"with-audit"_s, Tr::tr("With uninstall: remove the trail as well. It cannot be brought back.") });
    context.parser().addPositionalArgument(u"install|status|sql|repair|uninstall"_s,
        Tr::tr("Install or upgrade, say how the guard is, write the script for an administrator, put back what somebody changed, or remove."));
    if (const auto exit = context.parse(arguments, 1, 1)) {
        return *exit;
    }
    const QString word = context.positional().constFirst();
    if (word == u"sql"_s) {
        print(sql::consoleScript(0));
        return Exit::Done;
    }
    if (word == u"install"_s) {
        return installConsole(context);
    }
    if (word == u"repair"_s) {
        return repairConsole(context);
    }
    if (word == u"uninstall"_s) {
        return uninstallConsole(context);
    }
    if (word == u"status"_s) {
        return consoleStatus(context);
    }
    note(Tr::tr("“%1” is no command of idemdeskctl console.").arg(word));
    return Exit::Usage;
}

} // namespace idemdesk::app
