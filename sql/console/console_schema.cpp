// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/console/console_schema.h"

#include "sql/console/console_script.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

const QString kConsoleFacts = QStringLiteral(
    "SELECT pg_catalog.to_regnamespace('idemdesk') IS NOT NULL,"
    " COALESCE(pg_catalog.has_schema_privilege(pg_catalog.to_regnamespace('idemdesk'), 'USAGE'), false),"
    " (SELECT pg_catalog.count(*) FROM pg_catalog.pg_class AS c WHERE c.relname = 'migration'"
    "   AND c.relnamespace = pg_catalog.to_regnamespace('idemdesk')"
    "   AND pg_catalog.has_table_privilege(c.oid, 'SELECT')),"
    " COALESCE((SELECT pg_catalog.bool_or(r.rolname = 'idemdesk_operator' AND pg_catalog.pg_has_role(session_user, "
    "r.oid, 'MEMBER'))"
    "   FROM pg_catalog.pg_roles AS r), false),"
    " COALESCE((SELECT pg_catalog.bool_or(r.rolname = 'idemdesk_approver' AND pg_catalog.pg_has_role(session_user, "
    "r.oid, 'MEMBER'))"
    "   FROM pg_catalog.pg_roles AS r), false),"
    " COALESCE((SELECT pg_catalog.bool_or(r.rolname = 'idemdesk_admin' AND pg_catalog.pg_has_role(session_user, r.oid, "
    "'MEMBER'))"
    "   FROM pg_catalog.pg_roles AS r), false),"
    " (SELECT r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.rolname = session_user),"
    // The powers of idemdesk._excess_power() that a login has before anything is granted to it.
    " (SELECT CASE WHEN r.rolcreaterole THEN 'roles' WHEN r.rolreplication THEN 'replication' WHEN r.rolbypassrls THEN "
    "'rls' ELSE r.rolname::pg_catalog.text END"
    "   FROM pg_catalog.pg_roles AS r WHERE pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER') AND (r.rolcreaterole "
    "OR r.rolreplication OR r.rolbypassrls"
    "     OR r.rolname IN ('idemdesk_owner', 'pg_write_all_data', 'pg_read_all_data', 'pg_read_server_files', "
    "'pg_write_server_files',"
    "       'pg_execute_server_program', 'pg_maintain')) ORDER BY r.rolname = session_user DESC, r.rolname LIMIT 1)");

QString tooMuchText(const QString &power)
{
    return power.isEmpty() ? QString()
        : power == u"roles"
        ? Tr::tr("This login may create roles, so it may look, but not act: no rule of the console could hold it.")
        : power == u"replication"
        ? Tr::tr("This login may replicate, so it may look, but not act: no rule of the console could hold it.")
        : power == u"rls"
        ? Tr::tr("This login passes by row security, so it may look but not act. No rule of the console could hold it.")
        : Tr::tr("This login is a member of %1, so it may look, but not act. No rule of the console could hold it.")
              .arg(power);
}

// Whoever installed without being a superuser removes it in the same way: a member of the owner while it lasts.
const QString kTakeOwner
    = QStringLiteral("DO $body$ BEGIN"
                     " IF NOT (SELECT r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.rolname = CURRENT_USER) THEN"
                     " EXECUTE pg_catalog.format('GRANT idemdesk_owner TO %I', CURRENT_USER); END IF; END $body$;");
const QString kGiveOwnerBack
    = QStringLiteral("DO $body$ BEGIN"
                     " IF NOT (SELECT r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.rolname = CURRENT_USER) THEN"
                     " EXECUTE pg_catalog.format('REVOKE idemdesk_owner FROM %I', CURRENT_USER); END IF; END $body$;");

/// Bodies in the catalogue that are not the ones this program installs: the server's own digests could have been
/// replaced too.
Result<QList<GuardFinding>> changedBodies(Session &session, const ConsoleSchema &schema)
{
    const QMap<QString, QString> expected = consoleFunctionBodies(schema);
    QStringList seen;
    QList<GuardFinding> findings;
    TRY(session.each({ u"SELECT p.proname, p.prosrc FROM pg_catalog.pg_proc AS p WHERE p.pronamespace = "
                       "pg_catalog.to_regnamespace('idemdesk')"_s,
                         {} },
        [&](const Row &row) {
            seen += row.text(0);
            const bool trampoline = row.text(0).startsWith(u"_run_"_s);
            if ((trampoline ? trampolineBody(schema) : expected.value(row.text(0))) != row.text(1)) {
                findings.append({ true, u"function"_s,
                    Tr::tr("The function idemdesk.%1 is not the one this program installs.").arg(row.text(0)),
                    Tr::tr("Find out who changed it, then run “idemdeskctl console repair”.") });
            }
            return true;
        }));
    for (auto body = expected.keyBegin(); body != expected.keyEnd(); ++body) {
        if (!seen.contains(*body)) {
            findings.append({ true, u"function"_s, Tr::tr("The function idemdesk.%1 is missing.").arg(*body),
                Tr::tr("Find out who dropped it, then run “idemdeskctl console repair”.") });
        }
    }
    return findings;
}

/// Runs inside the caller's transaction.
Result<void> runScript(Session &session, const QString &script)
{
    const QStringList statements = scriptStatements(script);
    for (const QString &statement : statements) {
        TRY(session.run({ statement, {} }));
    }
    return {};
}

/// What leads a database from a version (0: nothing) to the schema's own. To be run in one transaction.
QString consoleSteps(const ConsoleSchema &schema, int installed)
{
    QString script = u"SET LOCAL search_path = pg_catalog, pg_temp;\n"_s + consoleText(u"prepare.sql"_s);
    const auto add = [&script](const QString &sql, int version, const QString &name) {
        script += u'\n' + sql
            + u"SET LOCAL ROLE idemdesk_owner;\nINSERT INTO idemdesk.migration (version, name) VALUES (%1, "
              "'%2');\nRESET ROLE;\n"_s.arg(version)
                  .arg(name);
    };
    if (installed == 0) {
        add(schema.whole, schema.version(), u"install"_s);
    } else {
        for (const ConsoleUpgrade &upgrade : schema.upgrades) {
            if (upgrade.version > installed) {
                add(upgrade.sql, upgrade.version, upgrade.name);
            }
        }
    }
    return script + u'\n' + consoleText(u"finish.sql"_s);
}

/// An upgrade ends by remembering what is there as right, so it must not begin on something that was tampered with.
Result<void> requireWholeGuard(Session &session)
{
    TRY(const auto red,
        session.all(
            { u"SELECT g.finding FROM idemdesk.guard_findings() AS g WHERE g.severity = 'red' AND g.code NOT IN "
              "('superuser', 'login')"_s,
                {} }));
    if (red.isEmpty()) {
        return {};
    }
    return makeError(ErrorKind::Refused, Tr::tr("The console schema was not touched."),
        red.constFirst().constFirst().text,
        Tr::tr("Find out who changed it and fix it, then install again: an upgrade would take it for right."));
}

/// The whole of `work` in one transaction.
template <typename Work> Result<void> inTransaction(Session &session, Work work)
{
    if (auto begun = session.begin(); !begun) {
        return begun;
    }
    // Creating a whole schema takes longer than a page of keys may.
    auto done = session.run({ u"SELECT pg_catalog.set_config('statement_timeout', '60s', true), "
                              "pg_catalog.set_config('lock_timeout', '5s', true)"_s,
        {} });
    Result<void> result = done ? work() : Result<void>(done.error());
    if (!result) {
        session.rollback();
        return result;
    }
    return session.commit();
}

} // namespace

int newestConsoleVersion()
{
    return consoleSchema().version();
}

Result<ConsoleStatus> readConsoleStatus(Session &session, const ConsoleSchema &schema)
{
    const QString what = Tr::tr("The state of the console schema could not be read.");
    TRY(const auto facts, failed(what, session.one({ kConsoleFacts, {} })));
    const auto truth = [&](int column) { return facts.at(column).text == u"t"; };
    ConsoleStatus status;
    status.knownVersion = schema.version();
    status.isOperator = truth(3);
    status.isApprover = truth(4);
    status.isAdmin = truth(5);
    status.superuser = truth(6);
    status.tooMuch = status.superuser ? QString() : tooMuchText(facts.at(7).text);
    if (!truth(0)) {
        return status;
    }
    status.readable = truth(1) && facts.at(2).text == u"1";
    if (!status.readable) {
        status.installedVersion = ConsoleStatus::kUnreadable;
        return status;
    }
    // A pre-release counted its files as versions; the first of them is told by its name.
    TRY(const auto version,
        failed(what,
            session.one({ u"SELECT COALESCE(pg_catalog.max(m.version), 0), "
                          "COALESCE(pg_catalog.bool_or(m.version = 1 AND m.name = 'tables'), false) "
                          "FROM idemdesk.migration AS m"_s,
                {} })));
    status.installedVersion = version.at(1).text == u"t" ? ConsoleStatus::kPreRelease : version.at(0).text.toInt();
    if (status.installedVersion != status.knownVersion) {
        return status; // another version has other functions
    }
    TRY(failed(what,
        session.each({ u"SELECT g.severity, g.code, g.finding, g.remedy FROM idemdesk.guard_findings() AS g"_s, {} },
            [&](const Row &row) {
                status.findings.append({ row.text(0) == u"red", row.text(1), row.text(2), row.text(3) });
                return true;
            })));
    TRY(const auto bodies, failed(what, changedBodies(session, schema)));
    for (const GuardFinding &finding : bodies) {
        const bool known = std::any_of(
            status.findings.cbegin(), status.findings.cend(), [&](const GuardFinding &other) {
                return other.code == finding.code && other.finding.contains(finding.finding.section(u' ', 2, 2) + u'(');
            });
        if (!known) {
            status.findings.append(finding);
        }
    }
    return status;
}

Result<bool> consoleIsRestored(Session &session)
{
    const QString what = Tr::tr("The state of the console schema could not be read.");
    TRY(const auto readable,
        failed(what,
            session.one({ u"SELECT COALESCE((SELECT pg_catalog.has_schema_privilege(c.relnamespace, 'USAGE')"
                          " AND pg_catalog.has_table_privilege(c.oid, 'SELECT') FROM pg_catalog.pg_class AS c"
                          " WHERE c.relnamespace = pg_catalog.to_regnamespace('idemdesk')"
                          " AND c.relname = 'installation'), false)"_s,
                {} })));
    if (readable.constFirst().text != u"t"_s) {
        return false;
    }
    const auto known
        = session.one({ u"SELECT i.audit_oid = COALESCE(pg_catalog.to_regclass('idemdesk.audit')::pg_catalog.oid, 0)"
                        " AND i.written_by = (SELECT m.xmin FROM idemdesk.migration AS m ORDER BY m.version LIMIT 1)"
                        " FROM idemdesk.installation AS i"_s,
            {} });
    return known ? Result<bool>(known->constFirst().text != u"t"_s) : Result<bool>(failed(what, known.error()));
}

QString consoleScript(int installed)
{
    return u"BEGIN;\n"_s + consoleSteps(consoleSchema(), installed) + u"COMMIT;\n"_s;
}

std::optional<Error> consoleRefusal(const ConsoleStatus &status)
{
    Error error = makeError(ErrorKind::Refused, Tr::tr("The console schema was not touched."));
    if (status.installedVersion == ConsoleStatus::kUnreadable) {
        error.kind = ErrorKind::Privilege;
        error.why = Tr::tr("A schema idemdesk is there, and this login may not read it.");
        error.todo = Tr::tr("Have idemdesk_viewer granted to this login, or connect as a superuser.");
    } else if (status.installedVersion == ConsoleStatus::kPreRelease) {
        error.why = Tr::tr("A pre-release of Idemdesk installed it, and no upgrade leads from there.");
        error.todo = Tr::tr("Export the audit log with “idemdeskctl audit export”, run “idemdeskctl console "
                            "uninstall”, then install again.");
    } else if (status.newerThanKnown()) {
        error.why = Tr::tr("Version %1 is installed; this program knows version %2.")
                        .arg(status.installedVersion)
                        .arg(status.knownVersion);
        error.todo = Tr::tr("Use a newer Idemdesk.");
    } else {
        return {};
    }
    return error;
}

Result<int> installConsole(Session &session, const ConsoleSchema &schema)
{
    TRY(const auto status, readConsoleStatus(session, schema));
    if (const auto refusal = consoleRefusal(status)) {
        return *refusal;
    }
    const int installed = status.installedVersion;
    if (installed == schema.version()) {
        return installed; // finish.sql would take whatever is there now for what was installed
    }
    if (installed > 0) {
        TRY(requireWholeGuard(session));
    }
    TRY(failed(Tr::tr("The console schema could not be installed; nothing was changed."),
        inTransaction(session, [&] { return runScript(session, consoleSteps(schema, installed)); })));
    return schema.version();
}

Result<void> uninstallConsole(Session &session, bool auditToo)
{
    const QString drop = auditToo ? u"DROP SCHEMA idemdesk CASCADE"_s : consoleText(u"uninstall.sql"_s);
    const auto done
        = inTransaction(session, [&] { return runScript(session, kTakeOwner + drop + u';' + kGiveOwnerBack); });
    return done ? done : failed(Tr::tr("The console schema could not be removed; nothing was changed."), done.error());
}

} // namespace idemdesk::sql
