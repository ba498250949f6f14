// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/sql/attacks/machine/wire.h"

#include <libpq-fe.h>
#include <poll.h>

using namespace Qt::StringLiterals;

namespace idemdesk::tests::machine {

namespace {

void readWire(pg_conn *connection, pg_result *result, Connection::Answer *out)
{
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK) {
        out->rows.clear();
        for (int row = 0; row < PQntuples(result); ++row) {
            QStringList cells;
            for (int column = 0; column < PQnfields(result); ++column) {
                cells.append(QString::fromUtf8(PQgetvalue(result, row, column)));
            }
            out->rows.append(cells);
        }
    } else if (status == PGRES_COPY_IN) {
        PQputCopyEnd(connection, "no data");
    } else if (status == PGRES_COPY_OUT) {
        char *line = nullptr;
        while (PQgetCopyData(connection, &line, 0) > 0) {
            out->rows.append({ QString::fromUtf8(line).trimmed() });
            PQfreemem(line);
        }
    } else if (status != PGRES_COMMAND_OK && status != PGRES_EMPTY_QUERY && out->ok()) {
        const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
        out->state = state ? QString::fromLatin1(state) : u"lost"_s;
        out->message = QString::fromUtf8(PQresultErrorMessage(result)).trimmed();
    }
    PQclear(result);
}

} // namespace

Wire::Wire(const QString &conninfo)
    : m_connection(PQconnectdb(conninfo.toUtf8().constData()))
{
    if (PQstatus(m_connection) != CONNECTION_OK) {
        qFatal("%s", PQerrorMessage(m_connection));
    }
    PQsetNoticeProcessor(
        m_connection, [](void *, const char *) {}, nullptr);
}

Wire::~Wire()
{
    PQfinish(m_connection);
}

void Wire::send(const QString &sql, const Arguments &arguments)
{
    QList<QByteArray> texts;
    for (const auto &argument : arguments) {
        texts.append(argument.value_or(QString()).toUtf8());
    }
    QList<const char *> values;
    for (qsizetype i = 0; i < texts.size(); ++i) {
        values.append(arguments.at(i) ? texts.at(i).constData() : nullptr);
    }
    m_waiting = arguments.isEmpty()
        ? PQsendQuery(m_connection, sql.toUtf8().constData()) == 1
        : PQsendQueryParams(m_connection, sql.toUtf8().constData(), static_cast<int>(values.size()), nullptr,
              values.constData(), nullptr, nullptr, 0)
            == 1;
}

bool Wire::ready(int milliseconds)
{
    if (!m_waiting || PQisBusy(m_connection) == 0) {
        return true;
    }
    pollfd place { PQsocket(m_connection), POLLIN, 0 };
    if (::poll(&place, 1, milliseconds) <= 0) {
        return false;
    }
    return PQconsumeInput(m_connection) != 1 || PQisBusy(m_connection) == 0;
}

Connection::Answer Wire::take()
{
    Connection::Answer answer;
    if (!m_waiting) {
        answer.state = u"lost"_s;
        return answer;
    }
    while (pg_result *result = PQgetResult(m_connection)) {
        readWire(m_connection, result, &answer);
        if (PQstatus(m_connection) == CONNECTION_BAD) {
            answer.state = u"lost"_s;
            break;
        }
    }
    m_waiting = false;
    return answer;
}

Connection::Answer Wire::run(const QString &sql, const Arguments &arguments)
{
    send(sql, arguments);
    return take();
}

bool Wire::inTransaction() const
{
    const PGTransactionStatusType status = PQtransactionStatus(m_connection);
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
}

bool Wire::failedTransaction() const
{
    return PQtransactionStatus(m_connection) == PQTRANS_INERROR;
}

bool Wire::lost() const
{
    return PQstatus(m_connection) != CONNECTION_OK;
}

int Wire::pid() const
{
    return PQbackendPID(m_connection);
}

} // namespace idemdesk::tests::machine
