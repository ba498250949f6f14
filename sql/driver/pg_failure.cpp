// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_failure.h"

#include "sql/driver/pg_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <cstring>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

QString shown(const char *bytes)
{
    return bytes == nullptr ? QString() : escapeControls(decodeText(bytes, qsizetype(std::strlen(bytes))).trimmed());
}

} // namespace

PgFailure failureOf(const PGresult *result)
{
    const auto field = [result](int code) { return shown(PQresultErrorField(result, code)); };
    PgFailure failure;
    failure.severity = field(PG_DIAG_SEVERITY_NONLOCALIZED);
    failure.sqlState = field(PG_DIAG_SQLSTATE);
    failure.message = field(PG_DIAG_MESSAGE_PRIMARY);
    failure.detail = field(PG_DIAG_MESSAGE_DETAIL);
    failure.hint = field(PG_DIAG_MESSAGE_HINT);
    failure.context = field(PG_DIAG_CONTEXT);
    failure.schema = field(PG_DIAG_SCHEMA_NAME);
    failure.table = field(PG_DIAG_TABLE_NAME);
    failure.column = field(PG_DIAG_COLUMN_NAME);
    failure.dataType = field(PG_DIAG_DATATYPE_NAME);
    failure.constraint = field(PG_DIAG_CONSTRAINT_NAME);
    failure.routine = field(PG_DIAG_SOURCE_FUNCTION);
    failure.statementPosition = field(PG_DIAG_STATEMENT_POSITION).toInt();
    if (failure.message.isEmpty()) { // made by libpq, which fills no fields
        failure.message = shown(PQresultErrorMessage(result));
    }
    if (failure.message.isEmpty()) {
        failure.message = QCoreApplication::translate("PgDriver", "The server reported an error without a message.");
    }
    return failure;
}

PgFailure failureInStatement(const PGresult *result, const PGconn *connection, const QByteArray &sql)
{
    PgFailure failure = failureOf(result);
    const char *encoding = PQparameterStatus(connection, "client_encoding");
    if (failure.statementPosition > 1 && encoding != nullptr && qstrcmp(encoding, "SQL_ASCII") == 0) {
        const QByteArray before = sql.left(failure.statementPosition - 1);
        const auto continues = [](char byte) { return (uchar(byte) & 0xC0) == 0x80; };
        failure.statementPosition -= int(std::count_if(before.begin(), before.end(), continues));
    }
    return failure;
}

PgFailure failureOf(const PGconn *connection)
{
    PgFailure failure;
    failure.severity = u"FATAL"_s;
    failure.message = shown(PQerrorMessage(connection));
    failure.connectionLost = PQstatus(connection) == CONNECTION_BAD;
    if (failure.message.isEmpty()) {
        failure.message = QCoreApplication::translate("PgDriver", "The connection to the server is lost.");
    }
    return failure;
}

PgFailure connectFailureOf(const PGconn *connection)
{
    const char *raw = connection == nullptr ? nullptr : PQerrorMessage(connection);
    QString text = raw == nullptr ? QString() : decodeText(raw, qsizetype(std::strlen(raw))).trimmed();
    PgFailure failure;
    failure.severity = u"FATAL"_s;
    failure.connectionLost = true;
    // Verbose messages read "FATAL:  28P01: password …", then DETAIL, HINT and LOCATION lines; with several hosts the
    // last one that answered counts.
    static const QRegularExpression state(u":  ([0-9A-Z]{5}): "_s);
    auto matches = state.globalMatch(text);
    while (matches.hasNext()) {
        failure.sqlState = matches.next().captured(1);
    }
    text.replace(state, u":  "_s);
    // The server's source location tells a person nothing; its label is translated, its form is not.
    static const QRegularExpression location(u"\\n[^\\n:]+:  [^\\n]+, [\\w./-]+\\.[ch]:\\d+(?=\\n|$)"_s);
    text.remove(location);
    failure.message = escapeControls(text.simplified());
    if (failure.message.isEmpty()) {
        failure.message = QCoreApplication::translate("PgDriver", "The connection could not be opened.");
    }
    return failure;
}

PgFailure refusal(const QString &message)
{
    PgFailure failure;
    failure.severity = u"ERROR"_s;
    failure.message = message;
    failure.byDriver = true;
    return failure;
}

PgFailure outOfOrder()
{
    return refusal(
        QCoreApplication::translate("PgDriver", "The server gave an answer that this statement cannot have."));
}

PgFailure connectionGone()
{
    PgFailure failure;
    failure.severity = u"FATAL"_s;
    failure.message = QCoreApplication::translate("PgDriver", "The connection to the server is lost.");
    failure.connectionLost = true;
    return failure;
}

QSqlError sqlErrorOf(const PgFailure &failure, QSqlError::ErrorType type)
{
    return QSqlError(
        QString(), failure.message, failure.connectionLost ? QSqlError::ConnectionError : type, failure.sqlState);
}

} // namespace idemdesk::sql
