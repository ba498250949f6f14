// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/json_out.h"
#include "app/ctl/run_action.h"
#include "models/audit/audit_export.h"
#include "models/keys/private_file.h"
#include "sql/actions/action_gateway.h"
#include "sql/audit/audit_gateway.h"
#include "sql/console/console_schema.h"
#include "sql/types/tr.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

Exit installConsole(const Context &context)
{
    TRY_OR(fail, const auto session, context.connect(sql::LaneKind::Write));
    TRY_OR(fail, const auto version, sql::installConsole(*session));
    if (context.json()) {
        printJson({ { u"installed"_s, version } });
    } else {
        print(Tr::tr("The console schema has version %1.").arg(version) + u'\n');
    }
    return Exit::Done;
}

Exit repairConsole(const Context &context)
{
    TRY_OR(fail, const auto session, context.connect(sql::LaneKind::Write));
    TRY_OR(fail, const auto repaired, sql::repairConsole(*session));
    if (context.json()) {
        printJson({ { u"functions"_s, QJsonArray::fromStringList(repaired) } });
    } else if (repaired.isEmpty()) {
        print(Tr::tr("Every function is the one that was installed; triggers and settings were put back all the same, "
                     "and the audit log says so.")
            + u'\n');
    } else {
        print(Tr::tr("Put back, and recorded in the audit log: %1.").arg(repaired.join(u", "_s)) + u'\n');
    }
    return Exit::Done;
}

/// Asks for it; another person approves. The tables that it is about are named, and those that are gone.
Exit adoptTables(const Context &context)
{
    if (!context.has(u"reason"_s)) {
        return fail(
            usageError(Tr::tr("console adopt needs --reason."), Tr::tr("Say which dump was restored, and why.")));
    }
    TRY_OR(fail, const auto session, context.connect(sql::LaneKind::Write));
    const QString id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    TRY_OR(
        fail, const auto asked, sql::askAdoption(*session, id, context.value(u"reason"_s), context.value(u"ticket"_s)));
    if (context.json()) {
        printJson(app::jsonOf(asked));
        return Exit::Done;
    }
    QList<QStringList> rows;
    const QJsonArray tables = QJsonDocument::fromJson(asked.planJson)[u"relations"_s].toArray();
    for (const QJsonValue &table : tables) {
        const qint64 is = table[u"is"_s].toInteger();
        const QString owner = table[u"owner_now"_s].toString();
        rows += QStringList { table[u"table"_s].toString(Tr::tr("not known")),
            QString::number(table[u"was"_s].toInteger()),
            is > 0                ? QString::number(is)
                : owner.isEmpty() ? Tr::tr("not in this database")
                                  : Tr::tr("not adopted: of %1, was of %2").arg(owner, table[u"owner"_s].toString()) };
    }
    print(table({ Tr::tr("TABLE"), Tr::tr("KNOWN AS"), Tr::tr("IS NOW") }, rows, true));
    print(Tr::tr("Nothing was changed yet. Another person approves it: idemdeskctl approve %1").arg(asked.id) + u'\n');
    return Exit::Done;
}

/// Nothing where the person has named the database whose trail is to go; else why not.
std::optional<sql::Error> notConfirmed(const Context &context, const QString &database)
{
    const QString what = Tr::tr("Nothing was removed.");
    if (context.has(u"database"_s) && context.value(u"database"_s) != database) {
        return sql::makeError(sql::ErrorKind::Refused, what,
            Tr::tr("--database names “%1”, and this connection leads to “%2”.")
                .arg(context.value(u"database"_s), database),
            Tr::tr("Look at --connect, then name the database whose audit log shall go."));
    }
    if (context.has(u"database"_s) && context.has(u"yes"_s)) {
        return std::nullopt;
    }
    const auto typed
        = answerTo(Tr::tr("The audit log of “%1” will be gone for good. Type the name of the database to remove it:")
                       .arg(database));
    if (typed == database) {
        return std::nullopt;
    }
    return sql::makeError(sql::ErrorKind::Refused, what,
        typed ? Tr::tr("That is not the name of the database.") : Tr::tr("There is no terminal on which to ask."),
        Tr::tr("A script says --database %1 --yes.").arg(database));
}

/// The trail as a file that only its owner may read, before it goes.
sql::Result<qint64> exportTrail(sql::Session &session, const QString &path)
{
    if (QFileInfo::exists(path)) {
        return usageError(
            Tr::tr("The file %1 is there already.").arg(path), Tr::tr("Choose another name; nothing is overwritten."));
    }
    sql::AuditFilter all;
    all.limit = 0;
    return models::writePrivateFile(
        path, [&](QIODevice &out) { return models::writeTrail(session, all, out, models::AuditFormat::JsonLines); });
}

Exit uninstallConsole(const Context &context)
{
    const bool trailToo = context.has(u"with-audit"_s);
    if (context.has(u"yes"_s) && !context.has(u"database"_s)) {
        return fail(usageError(Tr::tr("--yes goes with --database: name the database whose audit log shall go.")));
    }
    if (trailToo && !context.has(u"output"_s)) {
        return fail(usageError(Tr::tr("--with-audit needs -o FILE."),
            Tr::tr("Name a new file, to which the audit log is written before it goes.")));
    }
    TRY_OR(fail, const auto session, context.connect(sql::LaneKind::Write));
    if (trailToo) {
        if (const auto why = notConfirmed(context, session->facts().database)) {
            return fail(*why);
        }
        const auto written = exportTrail(*session, context.value(u"output"_s));
        if (!written) {
            const Exit exit = fail(written.error());
            note(Tr::tr("Nothing was removed, because the audit log could not be written first."));
            return exit;
        }
        note(Tr::tr("%Ln row(s) written.", nullptr, int(*written)));
    }
    TRY_OR(fail, sql::uninstallConsole(*session, context.has(u"with-audit"_s)));
    if (context.json()) {
        printJson({ { u"removed"_s, true }, { u"trail_kept"_s, !context.has(u"with-audit"_s) } });
        return Exit::Done;
    }
    print((context.has(u"with-audit"_s) ? Tr::tr("The console schema and its audit log were removed.")
                                        : Tr::tr("The console schema was removed; the audit log stays in a schema "
                                                 "named idemdesk_trail_ and the time."))
        + u'\n' + Tr::tr("The roles stay, because other databases of the cluster may use them.") + u'\n');
    return Exit::Done;
}

/// Nothing installed, another version, or a red finding is no success: scripts ask before they act.
Exit consoleStatus(const Context &context)
{
    TRY_OR(fail, const auto session, context.connect());
    TRY_OR(fail, const auto status, sql::readConsoleStatus(*session));
    const bool fine = status.readable && status.installedVersion == status.knownVersion && !status.red();
    if (context.json()) {
        QJsonArray findings;
        for (const sql::GuardFinding &finding : status.findings) {
            findings.append(QJsonObject { { u"severity"_s, finding.red ? u"red"_s : u"amber"_s },
                { u"code"_s, finding.code }, { u"finding"_s, finding.finding }, { u"remedy"_s, finding.remedy } });
        }
        printJson({ { u"installed"_s, status.installedVersion }, { u"known"_s, status.knownVersion },
            { u"readable"_s, status.readable }, { u"operator"_s, status.isOperator },
            { u"approver"_s, status.isApprover }, { u"admin"_s, status.isAdmin },
            { u"pre_release"_s, status.installedVersion == sql::ConsoleStatus::kPreRelease },
            { u"superuser"_s, status.superuser }, { u"can_act"_s, fine && status.isOperator },
            { u"findings"_s, findings } });
        return fine ? Exit::Done : Exit::Refused;
    }
    if (status.installedVersion == 0) {
        print(Tr::tr("The console schema is not installed.") + u'\n');
    } else if (const auto refusal = sql::consoleRefusal(status)) {
        print(refusal->why + u' ' + refusal->todo + u'\n');
    } else {
        print(Tr::tr("Version %1 is installed; this program knows version %2.")
                  .arg(status.installedVersion)
                  .arg(status.knownVersion)
            + u'\n');
    }
    QList<QStringList> rows;
    for (const sql::GuardFinding &finding : status.findings) {
        rows += QStringList { finding.red ? Tr::tr("red") : Tr::tr("amber"), finding.finding, finding.remedy };
    }
    if (!rows.isEmpty()) {
        print(table({ Tr::tr("SEVERITY"), Tr::tr("FINDING"), Tr::tr("REMEDY") }, rows, true));
    }
    return fine ? Exit::Done : Exit::Refused;
}

Exit runConsole(const Context &context)
{
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
    if (word == u"adopt"_s) {
        return adoptTables(context);
    }
    if (word == u"uninstall"_s) {
        return uninstallConsole(context);
    }
    return consoleStatus(context);
}

} // namespace

Command consoleCommand()
{
    return { .name = u"console"_s,
        .synopsis = u"install|status|sql|repair|adopt|uninstall"_s,
        .summary = Tr::tr("install, watch or remove the console's own schema"),
        .about = Tr::tr("Installs or upgrades the console's own schema, says how the guard is, prints the "
                        "script for an administrator, puts back functions that somebody changed (and writes "
                        "that to the audit log), or removes the schema; the audit log stays unless "
                        "--with-audit is given. Then the audit log is written to -o FILE first, and the name "
                        "of the database must be typed; a script says --database NAME --yes.\n\nA schema that "
                        "a pre-release installed is refused: export its audit log, uninstall it, and install "
                        "again.\n\nWho installs it without being a superuser needs CREATEROLE and CREATE on "
                        "the database, and should not run actions. A login that may create roles is refused "
                        "them, because it could make itself the owner of the audit log. So is one that is a "
                        "superuser, may replicate, passes by row security, or is a member of "
                        "pg_read_all_data, pg_write_all_data or the roles for the server's files and "
                        "programs.\n\nFor each owner of tables a role runs what these tables make the server "
                        "run. Registering a table prints the statement that makes it, SELECT "
                        "idemdesk.make_runner('OWNER'), to be run by a superuser or by who installed the "
                        "console.\n\nAfter a dump was restored the tables have other numbers, so that nobody "
                        "may read what rows were, or act. “adopt” with --reason asks that the restored tables "
                        "be taken for the old ones, and lists them; it needs the role idemdesk_admin. Another "
                        "person approves it with “idemdeskctl approve”. What was done before the dump can be "
                        "undone then."),
        .arguments = { { u"install|status|sql|repair|adopt|uninstall"_s,
            Tr::tr("Install or upgrade, say how the guard is, write the script for an administrator, put back what "
                   "somebody "
                   "changed, take the tables of a restored dump for the old ones, or remove."),
            1, 1, { u"install"_s, u"status"_s, u"sql"_s, u"repair"_s, u"adopt"_s, u"uninstall"_s } } },
        .options = connectOptions()
            + QList { jsonOption().with({ u"install"_s, u"status"_s, u"repair"_s, u"adopt"_s, u"uninstall"_s }),
                Option::flag(u"with-audit"_s,
                    Tr::tr("Remove the audit log as well, after it was written to -o FILE. It cannot be brought back."))
                    .with({ u"uninstall"_s }),
                outputOption(Tr::tr("With --with-audit: a new file for the audit log.")).with({ u"uninstall"_s }),
                Option::text(u"database"_s, Tr::tr("NAME"),
                    Tr::tr("With --with-audit: the name of the database whose audit log shall go."))
                    .with({ u"uninstall"_s }),
                Option::flag(u"yes"_s, Tr::tr("With --database: do not ask for the name once more."))
                    .with({ u"uninstall"_s }),
                Option::text(u"reason"_s, Tr::tr("TEXT"), Tr::tr("Why; recorded in the audit log."))
                    .with({ u"adopt"_s }),
                Option::text(u"ticket"_s, Tr::tr("TICKET"), Tr::tr("The ticket; recorded in the audit log."))
                    .with({ u"adopt"_s }) },
        .examples
        = { { Tr::tr("Install it, or bring it up to date:"), u"console install --connect service=orders-admin"_s },
            { Tr::tr("Hand the script to an administrator:"), u"console sql > console.sql"_s },
            { Tr::tr("Ask for the tables of a restored dump to be adopted:"),
                u"console adopt --reason 'restored last night from the dump'"_s } },
        .run = runConsole,
        .watched = { u"status"_s } };
}

} // namespace idemdesk::app
