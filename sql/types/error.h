// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>
#include <QString>

namespace idemdesk::sql {

/// What kind of failure it was, for code that must branch; people read Error::what, why and todo.
enum class ErrorKind {
    None,
    Unreachable, ///< host, port or socket does not answer
    Authentication, ///< password, certificate or pg_hba refused
    Tls, ///< encryption could not be set up or verified
    NoDatabase, ///< 3D000
    ServerStarting, ///< 57P03
    TooManyConnections, ///< 53300
    ConnectionLost, ///< class 08, 57P01, or the socket died
    Privilege, ///< 42501, or hidden by row security
    Cancelled, ///< by the person (57014 after our cancel)
    Superseded, ///< a newer request of the same view replaced this one
    Timeout, ///< statement_timeout or our own deadline
    LockTimeout, ///< 55P03
    StandbyConflict, ///< 40001 with "conflict with recovery"
    InvalidValue, ///< a value that its column's type refuses (class 22)
    Syntax, ///< 42601 and the like: an expression is not SQL
    MissingObject, ///< 42P01, 42703, 42883: table, column or function gone
    ReadOnly, ///< 25006
    DiskFull, ///< 53100, ENOSPC
    Refused, ///< by a rule of this console
    NotSaid, ///< the profile lacks what the question needs, so that nothing is looked at
    Usage, ///< the caller's request is not well formed (filter, profile, command line)
    Protocol, ///< the server answered what a statement may not answer (COPY, two results)
    File, ///< a local file could not be read or written
    Other
};

/// A failure in three parts, ready to show: what happened, why, what to do. All texts may hold hostile
/// characters from the server: show them as plain text only.
struct Error {
    ErrorKind kind = ErrorKind::None;
    QString what; ///< one sentence: what did not work
    QString why; ///< the reason, in plain words; may be empty
    QString todo; ///< the next step; may be empty
    QString sqlState; ///< five characters, or empty
    QString detail; ///< the server's own message, detail, hint and context, untranslated
    QString where; ///< file and JSON path of a profile error, or empty
    int position = -1; ///< 0-based offset in the filter text the person typed, or -1
    int length = 0; ///< how many characters from position are meant
    bool rowsHidden = false; ///< row security keeps rows from this login, and WholeRows asked for all
    int parameter = 0; ///< 1-based number of the bound parameter the server refused, or 0

    /// One line for logs and the terminal: what, why and todo that are not empty, joined by spaces.
    QString line() const
    {
        QString text = what;
        for (const QString &part : { why, todo }) {
            if (!part.isEmpty()) {
                text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + part;
            }
        }
        return text;
    }
};

/// The answer is lost, not what was asked for: whether it was done is for the server to say.
inline bool answerLost(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::ConnectionLost:
    case ErrorKind::Timeout:
    case ErrorKind::Cancelled:
    case ErrorKind::Superseded:
    case ErrorKind::Unreachable:
    case ErrorKind::ServerStarting:
    case ErrorKind::TooManyConnections:
        return true;
    default:
        return false;
    }
}

/// An error of this kind that no server reported.
inline Error makeError(ErrorKind kind, const QString &what, const QString &why = {}, const QString &todo = {})
{
    Error error;
    error.kind = kind;
    error.what = what;
    error.why = why;
    error.todo = todo;
    return error;
}

/// The same failure, told as what the caller had set out to do.
inline Error failed(const QString &what, Error error)
{
    error.what = what;
    return error;
}

} // namespace idemdesk::sql

Q_DECLARE_METATYPE(idemdesk::sql::Error)
