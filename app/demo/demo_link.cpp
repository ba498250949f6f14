// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo_link.h"

#include <QCoreApplication>
#include <QFile>
#include <array>
#include <libpq-fe.h>
#include <vector>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

using sql::Error;
using sql::ErrorKind;
using sql::Result;

namespace {

void ignoreNotice(void *, const char *)
{
}

void finish(pg_conn *connection)
{
    PQfinish(connection);
}

void freeCancel(pg_cancel *cancel)
{
    PQfreeCancel(cancel);
}

using Answer = std::unique_ptr<PGresult, decltype(&PQclear)>;

Error failure(const PGconn *connection, const PGresult *answer)
{
    Error error = makeError(PQstatus(connection) == CONNECTION_BAD ? ErrorKind::ConnectionLost : ErrorKind::Other,
        QCoreApplication::translate("Demo", "The demo database refused a statement."),
        QString::fromUtf8(answer != nullptr ? PQresultErrorField(answer, PG_DIAG_MESSAGE_PRIMARY) : nullptr));
    error.detail = QString::fromUtf8(PQerrorMessage(connection)).trimmed();
    if (error.why.isEmpty()) {
        error.why = error.detail;
    }
    error.sqlState = QString::fromUtf8(answer != nullptr ? PQresultErrorField(answer, PG_DIAG_SQLSTATE) : nullptr);
    return error;
}

bool succeeded(const PGresult *answer)
{
    const ExecStatusType status = PQresultStatus(answer);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY;
}

} // namespace

QByteArray demoScript(const QString &name)
{
    QFile file(u":/idemdesk/demo/"_s + name + u".sql"_s);
    const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT(opened);
    return opened ? file.readAll() : QByteArray();
}

DemoLink::DemoLink()
    : m_connection(nullptr, finish)
    , m_cancel(nullptr, freeCancel)
{
}

DemoLink::~DemoLink() = default;

Result<void> DemoLink::open(const QString &conninfo, const QByteArray &applicationName)
{
    close();
    // Empty values written into the text keep libpq from taking PGHOSTADDR and PGOPTIONS, which are meant for other
    // servers.
    const QByteArray info
        = conninfo.toUtf8() + " hostaddr='' options='' channel_binding=disable target_session_attrs=any";
    const std::array<const char *, 5> keywords { "dbname", "application_name", "connect_timeout", "client_encoding",
        nullptr };
    const std::array<const char *, 5> values { info.constData(), applicationName.constData(), "10", "UTF8", nullptr };
    m_connection.reset(PQconnectdbParams(keywords.data(), values.data(), 1));
    if (!alive()) {
        Error error = makeError(ErrorKind::Unreachable,
            QCoreApplication::translate("Demo", "The demo database cannot be reached."),
            QString::fromUtf8(PQerrorMessage(m_connection.get())).trimmed());
        close();
        return error;
    }
    PQsetNoticeProcessor(m_connection.get(), ignoreNotice, nullptr);
    const std::lock_guard lock(m_guard);
    m_cancel.reset(PQgetCancel(m_connection.get()));
    return {};
}

void DemoLink::close()
{
    const std::lock_guard lock(m_guard);
    m_cancel.reset();
    m_connection.reset();
}

bool DemoLink::alive() const
{
    return m_connection != nullptr && PQstatus(m_connection.get()) == CONNECTION_OK;
}

bool DemoLink::inTransaction() const
{
    return alive() && PQtransactionStatus(m_connection.get()) != PQTRANS_IDLE;
}

Result<DemoLink::Rows> DemoLink::run(const QByteArray &sql, const QList<QByteArray> &values)
{
    std::vector<const char *> texts;
    texts.reserve(static_cast<size_t>(values.size()));
    for (const QByteArray &value : values) {
        texts.push_back(value.isNull() ? nullptr : value.constData());
    }
    const Answer answer(PQexecParams(m_connection.get(), sql.constData(), static_cast<int>(texts.size()), nullptr,
                            texts.data(), nullptr, nullptr, 0),
        PQclear);
    if (!succeeded(answer.get())) {
        return failure(m_connection.get(), answer.get());
    }
    Rows rows;
    const int columns = PQnfields(answer.get());
    for (int row = 0; row < PQntuples(answer.get()); ++row) {
        QList<QByteArray> cells;
        for (int column = 0; column < columns; ++column) {
            const bool null = PQgetisnull(answer.get(), row, column) != 0;
            cells += null ? QByteArray()
                          : QByteArray(PQgetvalue(answer.get(), row, column), PQgetlength(answer.get(), row, column));
        }
        rows += cells;
    }
    return rows;
}

Result<void> DemoLink::script(const QByteArray &sql)
{
    const Answer answer(PQexec(m_connection.get(), sql.constData()), PQclear);
    if (!succeeded(answer.get())) {
        return failure(m_connection.get(), answer.get());
    }
    return {};
}

void DemoLink::cancel()
{
    const std::lock_guard lock(m_guard);
    if (m_cancel != nullptr) {
        std::array<char, 256> reason {};
        PQcancel(m_cancel.get(), reason.data(), static_cast<int>(reason.size()));
    }
}

} // namespace idemdesk::app
