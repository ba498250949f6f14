// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/session/error_text.h"

#include "sql/types/tr.h"

#include <QRegularExpression>

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

ErrorKind kindOf(const PgFailure &failure)
{
    const QString &code = failure.sqlState;
    if (code == u"57014"_s) {
        return failure.message.contains(u"statement timeout"_s) ? ErrorKind::Timeout : ErrorKind::Cancelled;
    }
    if (code == u"40001"_s && failure.message.contains(u"recovery"_s)) {
        return ErrorKind::StandbyConflict;
    }
    struct Entry {
        const char16_t *prefix;
        ErrorKind kind;
    };
    // Longest prefixes first: a whole SQLSTATE before its class (manual, appendix A).
    static constexpr Entry kEntries[] = {
        { u"28P01", ErrorKind::Authentication },
        { u"28000", ErrorKind::Authentication },
        { u"3D000", ErrorKind::NoDatabase },
        { u"57P03", ErrorKind::ServerStarting },
        { u"ID001", ErrorKind::Privilege }, // the console's own rules, see sql/console
        { u"ID003", ErrorKind::Privilege },
        { u"ID", ErrorKind::Refused },
        { u"53300", ErrorKind::TooManyConnections },
        { u"53100", ErrorKind::DiskFull },
        { u"42501", ErrorKind::Privilege },
        { u"55P03", ErrorKind::LockTimeout },
        { u"25006", ErrorKind::ReadOnly },
        { u"42P01", ErrorKind::MissingObject },
        { u"42703", ErrorKind::MissingObject },
        { u"42883", ErrorKind::MissingObject },
        { u"42704", ErrorKind::MissingObject },
        { u"3F000", ErrorKind::MissingObject },
        { u"42601", ErrorKind::Syntax },
        { u"57P", ErrorKind::ConnectionLost },
        { u"25P03", ErrorKind::ConnectionLost },
        { u"08", ErrorKind::ConnectionLost },
        { u"22", ErrorKind::InvalidValue },
        { u"42", ErrorKind::Syntax },
    };
    for (const Entry &entry : kEntries) {
        if (code.startsWith(QStringView(entry.prefix))) {
            return entry.kind;
        }
    }
    return failure.connectionLost ? ErrorKind::ConnectionLost : ErrorKind::Other;
}

struct Advice {
    QString why;
    QString todo;
};

/// With row_security off the server refuses what it would else answer from a part of the rows.
bool hidesRows(const PgFailure &failure)
{
    return failure.sqlState == u"42501" && failure.routine == u"check_enable_rls";
}

/// Who can give the right that is missing. PostgreSQL's words are told apart in English; in another language, and for
/// what is not known here, the advice is for any right.
QString privilegeTodo(const QString &message)
{
    const auto says = [&message](const char16_t *words) { return message.contains(QStringView(words)); };
    if (says(u"permission denied for schema idemdesk")) {
        return Tr::tr("Have an administrator run: GRANT idemdesk_viewer TO this login.");
    }
    if (says(u"permission denied for schema")) {
        return Tr::tr("Ask the owner of the schema for USAGE, or connect as another user.");
    }
    if (says(u"permission denied for table") || says(u"permission denied for view")
        || says(u"permission denied for materialized view") || says(u"permission denied for relation")) {
        return Tr::tr("Ask the owner of the table for SELECT, or connect as another user.");
    }
    if (says(u"permission denied for database")) {
        return Tr::tr("Ask the owner of the database for that right on it, or connect as another user.");
    }
    if (says(u"permission denied for function")) {
        return Tr::tr("Ask the owner of the function for EXECUTE, or connect as another user.");
    }
    if (says(u"create role") || says(u"CREATEROLE") || says(u"alter role") || says(u"grant role")
        || says(u"ADMIN option")) {
        return Tr::tr("Ask an administrator for CREATEROLE, or have one do this.");
    }
    if (says(u"must be owner of")) {
        return Tr::tr("Have its owner do this, or connect as the owner.");
    }
    return Tr::tr("Ask an administrator of the database for that right, or connect as another user.");
}

Advice adviceFor(ErrorKind kind, const PgFailure &failure)
{
    switch (kind) {
    case ErrorKind::Authentication:
        return { Tr::tr("The server refused the login: %1.").arg(failure.message),
            Tr::tr("Check the user name and the password, and whether the server's pg_hba.conf admits this user from "
                   "here.") };
    case ErrorKind::NoDatabase:
        return { Tr::tr("The server answers, but it has no database of that name: %1.").arg(failure.message),
            Tr::tr("Check the database name.") };
    case ErrorKind::ServerStarting:
        return { Tr::tr("The server is starting up or shutting down: %1.").arg(failure.message),
            Tr::tr("Wait a moment; the console tries again by itself.") };
    case ErrorKind::TooManyConnections:
        return { Tr::tr("The server has no free connection slot: %1.").arg(failure.message),
            Tr::tr("Close other sessions, or wait; the console can work with a single connection.") };
    case ErrorKind::ConnectionLost:
        return { failure.message.isEmpty() ? Tr::tr("The connection to the server broke.")
                                           : Tr::tr("The connection to the server broke: %1.").arg(failure.message),
            Tr::tr("The console reconnects by itself. If it does not, check the server and the network.") };
    case ErrorKind::Privilege:
        if (hidesRows(failure)) {
            return { Tr::tr("Row security hides rows from this login: %1.").arg(failure.message),
                Tr::tr("Connect with a login that sees every row of that table.") };
        }
        return { Tr::tr("This user lacks a right: %1.").arg(failure.message), privilegeTodo(failure.message) };
    case ErrorKind::Cancelled:
        return { Tr::tr("The request was cancelled."), {} };
    case ErrorKind::Timeout:
        return { Tr::tr("The server did not finish within the time limit."),
            Tr::tr("Narrow the filter, or choose an order that an index serves.") };
    case ErrorKind::LockTimeout:
        return { Tr::tr("Another session holds a lock on the table."),
            Tr::tr("Try again in a moment; “Activity” shows who holds it.") };
    case ErrorKind::StandbyConflict:
        return { Tr::tr("The standby had to replay changes that this read stood in the way of."),
            Tr::tr("Try again, or connect to the primary for long reads.") };
    case ErrorKind::InvalidValue:
        return { Tr::tr("A value does not fit its type: %1.").arg(failure.message), {} };
    case ErrorKind::MissingObject:
        return { Tr::tr("The table, column or function is not there: %1.").arg(failure.message),
            Tr::tr("It may have been changed or dropped since the console looked. Refresh the table list, and check "
                   "the profile.") };
    case ErrorKind::Syntax:
        return { Tr::tr("The server could not read an expression: %1.").arg(failure.message),
            Tr::tr("Check the expressions of the profile.") };
    case ErrorKind::ReadOnly:
        return { Tr::tr("The server allows no changes here: %1.").arg(failure.message),
            Tr::tr("Connect to the primary to make changes.") };
    case ErrorKind::DiskFull:
        return { Tr::tr("The server's disk is full: %1.").arg(failure.message),
            Tr::tr("Free space on the server first.") };
    default:
        return { failure.message, failure.hint };
    }
}

QString detailOf(const PgFailure &failure)
{
    QStringList lines;
    const auto add = [&lines](const QString &label, const QString &text) {
        if (!text.isEmpty()) {
            lines += label + u": "_s + text;
        }
    };
    add(failure.severity.isEmpty() ? u"ERROR"_s : failure.severity, failure.message);
    add(u"SQLSTATE"_s, failure.sqlState);
    add(u"DETAIL"_s, failure.detail);
    add(u"HINT"_s, failure.hint);
    add(u"CONTEXT"_s, failure.context);
    add(u"CONSTRAINT"_s, failure.constraint);
    return lines.join(u'\n');
}

bool mentions(const QString &message, std::initializer_list<const char16_t *> words)
{
    return std::any_of(words.begin(), words.end(),
        [&message](const char16_t *word) { return message.contains(QStringView(word), Qt::CaseInsensitive); });
}

/// libpq's own connect failures carry no SQLSTATE: they are told apart by their English text (libpq is kept from
/// translating by the programs, which leave LC_MESSAGES at C).
ErrorKind connectKindOf(const PgFailure &failure)
{
    const QString &message = failure.message;
    if (!failure.sqlState.isEmpty()) {
        return kindOf(failure);
    }
    if (mentions(message,
            { u"invalid connection option", u"definition of service", u"service file", u"missing \"=\"",
                u"invalid port", u"invalid URI", u"invalid integer value", u"invalid sslmode" })) {
        return ErrorKind::Usage;
    }
    if (mentions(message,
            { u"no password supplied", u"password authentication failed", u"authentication failed",
                u"no pg_hba.conf entry", u"peer authentication", u"SCRAM", u"channel binding",
                u"authentication method requirement" })) {
        return ErrorKind::Authentication;
    }
    if (mentions(message,
            { u"does not support SSL", u"certificate", u"SSL error", u"SSL SYSCALL", u"sslmode", u"server certificate",
                u"TLS" })) {
        return ErrorKind::Tls;
    }
    if (mentions(message,
            { u"too many clients", u"too many connections", u"remaining connection slots",
                u"no more connections allowed" })) {
        return ErrorKind::TooManyConnections;
    }
    if (mentions(message, { u"the database system is" })) {
        return ErrorKind::ServerStarting;
    }
    if (message.contains(u"database"_s) && message.contains(u"does not exist"_s)) {
        return ErrorKind::NoDatabase;
    }
    return ErrorKind::Unreachable;
}

Advice unreachableAdvice(const QString &message)
{
    if (mentions(message, { u"could not translate host name", u"Name or service not known" })) {
        return { Tr::tr("The host name is not known: %1").arg(message),
            Tr::tr("Check the spelling of the host, and the network or VPN.") };
    }
    if (mentions(message, { u"Connection refused", u"No such file or directory" })) {
        return { Tr::tr("Nothing listens there: %1").arg(message),
            Tr::tr("Check host and port, and whether the server runs.") };
    }
    if (mentions(message, { u"timeout", u"timed out" })) {
        return { Tr::tr("The server did not answer in time: %1").arg(message),
            Tr::tr("Check host and port, the firewall, and the network or VPN.") };
    }
    return { message, Tr::tr("Check host and port, and whether the server runs.") };
}

/// Nothing where the server said more than that it wants a password.
std::optional<Advice> passwordAdvice(const QString &message, bool withheld)
{
    if (withheld && mentions(message, { u"no password supplied" })) {
        return Advice { Tr::tr("The server asks for a password. It was not sent, because nothing shows that this is "
                               "the right server."),
            Tr::tr("Set the encryption to verify-full (sslmode), with the authority's certificate as sslrootcert. Or "
                   "allow this "
                   "connection to send its password all the same.") };
    }
    if (mentions(message, { u"server requested a cleartext password" })) {
        return Advice { Tr::tr("The server asks for the password in clear text, and nothing shows that it is the right "
                               "server."),
            Tr::tr("Set the encryption to verify-full (sslmode), or have the server ask with SCRAM. Where it must be "
                   "so, add "
                   "require_auth=password to the settings.") };
    }
    if (mentions(message, { u"no password supplied" })) {
        return Advice { Tr::tr("The server asks for a password, and none was given."),
            Tr::tr("Enter the password, or put it into ~/.pgpass (readable by you alone, mode 0600).") };
    }
    return std::nullopt;
}

Advice connectAdvice(ErrorKind kind, const PgFailure &failure, bool passwordWithheld)
{
    PgFailure shortened = failure;
    shortened.message = failure.message.trimmed();
    const QString &message = shortened.message;
    switch (kind) {
    case ErrorKind::Unreachable:
        return unreachableAdvice(message);
    case ErrorKind::Tls:
        return { Tr::tr("Encryption could not be set up: %1").arg(message),
            Tr::tr("Check the encryption (sslmode), the root certificate (sslrootcert) and that the host is named as "
                   "in the server's "
                   "certificate.") };
    case ErrorKind::Authentication:
        return passwordAdvice(message, passwordWithheld).value_or(adviceFor(kind, shortened));
    case ErrorKind::Usage:
        return { message, Tr::tr("Correct the connection settings.") };
    default:
        return adviceFor(kind, shortened);
    }
}

} // namespace

Error errorFrom(const PgFailure &failure, const QString &what)
{
    Error error;
    error.kind = kindOf(failure);
    const Advice advice = failure.sqlState.startsWith(u"ID"_s) ? Advice { failure.message, failure.hint }
                                                               : adviceFor(error.kind, failure);
    error.what = what;
    error.why = advice.why;
    error.todo = advice.todo;
    error.sqlState = failure.sqlState;
    error.rowsHidden = hidesRows(failure);
    error.detail = detailOf(failure);
    // "unnamed portal parameter $3" in the context of a refused value (postgres.c, bind_param_error_callback).
    static const QRegularExpression parameter(u"parameter \\$(\\d+)"_s);
    if (const auto match = parameter.match(failure.context); match.hasMatch()) {
        error.parameter = match.captured(1).toInt();
    }
    return error;
}

Error connectErrorFrom(const PgFailure &failure, bool passwordWithheld)
{
    const ErrorKind kind = connectKindOf(failure);
    const Advice advice = connectAdvice(kind, failure, passwordWithheld);
    Error error = makeError(kind, Tr::tr("The connection could not be made."), advice.why, advice.todo);
    error.sqlState = failure.sqlState;
    error.detail = detailOf(failure);
    return error;
}

} // namespace idemdesk::sql
