// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_result.h"

#include "sql/driver/pg_driver.h"
#include "sql/driver/pg_text.h"

#include <QCoreApplication>
#include <QSqlField>
#include <cstring>

namespace idemdesk::sql {

namespace {

int affectedRows(PGresult *result)
{
    bool ok = false;
    const int rows = QByteArray(PQcmdTuples(result)).toInt(&ok);
    return ok ? rows : -1;
}

} // namespace

PgResult::PgResult(const PgDriver *driver, std::shared_ptr<PgLink> link)
    : QSqlResult(driver)
    , m_link(std::move(link))
{
}

PgResult::~PgResult()
{
    release();
}

/// The base class would rewrite ?, :x and casts; here the statement stays as it is.
bool PgResult::savePrepare(const QString &sql)
{
    return prepare(sql);
}

/// Sends nothing: exec() does all in one round trip.
bool PgResult::prepare(const QString &sql)
{
    release();
    clear();
    m_named = false;
    setActive(false);
    setAt(QSql::BeforeFirstRow);
    setQuery(sql);
    QByteArray bytes;
    QString reason;
    return encodeStatement(sql, &bytes, &reason) || refuse(reason);
}

bool PgResult::reset(const QString &sql)
{
    return prepare(sql) && exec();
}

void PgResult::bindValue(int position, const QVariant &value, QSql::ParamType type)
{
    QSqlResult::bindValue(position, value, type);
}

void PgResult::bindValue(const QString & /*placeholder*/, const QVariant & /*value*/, QSql::ParamType /*type*/)
{
    m_named = true; // reported by exec(): this call cannot fail
}

bool PgResult::exec()
{
    release();
    setActive(false);
    setSelect(false);
    setAt(QSql::BeforeFirstRow);
    setLastError(QSqlError());
    QByteArray sql;
    QString reason;
    PgParameters parameters;
    if (m_named) {
        return refuse(QCoreApplication::translate(
            "PgDriver", "Values are bound by position ($1, $2, …), not by name. Nothing was sent."));
    }
    if (!encodeStatement(lastQuery(), &sql, &reason) || !parameters.read(boundValues(), &reason)) {
        return refuse(reason);
    }
    return run(sql, parameters);
}

bool PgResult::run(const QByteArray &sql, const PgParameters &parameters)
{
    m_streamed = isForwardOnly();
    m_exchange = std::make_unique<PgExchange>(m_link);
    // Inside an explicit transaction the envelope has been sent already, with BEGIN.
    m_link->abandonStream();
    const bool alone = m_link->transactionStatus() == PQTRANS_IDLE;
    if (!m_exchange->send(sql, parameters, m_streamed, alone ? m_link->envelope : PgEnvelope())) {
        return reportFailure();
    }
    while (PgResultPtr result = m_exchange->next()) {
        hold(std::move(result));
        if (PQresultStatus(m_rows.get()) == PGRES_SINGLE_TUPLE) {
            m_firstWaits = true;
            break;
        }
    }
    if (m_exchange->failed() || !m_rows) {
        return reportFailure();
    }
    if (!m_firstWaits) {
        m_streamed = m_streamed && m_count == 0; // all rows at once are read as such
        m_affected = affectedRows(m_rows.get());
        m_exchange.reset();
    }
    setSelect(PQresultStatus(m_rows.get()) != PGRES_COMMAND_OK);
    setActive(true);
    return true;
}

bool PgResult::refuse(const QString &reason)
{
    m_link->failure = refusal(reason);
    setLastError(sqlErrorOf(m_link->failure, QSqlError::StatementError));
    return false;
}

/// Keeps what the exchange says and ends it; always false.
bool PgResult::reportFailure()
{
    const PgFailure failure = m_exchange->failed() ? m_exchange->failure() : outOfOrder(); // not even an error came
    m_exchange.reset();
    m_link->failure = failure;
    setLastError(sqlErrorOf(failure, QSqlError::StatementError));
    return false;
}

QVariant PgResult::data(int index)
{
    if (!has(index)) {
        return {};
    }
    const int size = PQgetlength(m_rows.get(), m_row, index);
    if (size == 0 && PQgetisnull(m_rows.get(), m_row, index) == 1) {
        return QVariant(QMetaType::fromType<QString>());
    }
    return decodeText(PQgetvalue(m_rows.get(), m_row, index), size);
}

bool PgResult::isNull(int index)
{
    return !has(index) || PQgetisnull(m_rows.get(), m_row, index) == 1;
}

bool PgResult::fetchStreamed()
{
    if (m_firstWaits) {
        m_firstWaits = false;
        setAt(0);
        return true;
    }
    if (!m_exchange) {
        setAt(QSql::AfterLastRow);
        return false;
    }
    hold({}); // first, so that the next row gets the same memory
    while (PgResultPtr result = m_exchange->next()) {
        hold(std::move(result)); // after the last row: no row, but the columns
        if (PQresultStatus(m_rows.get()) == PGRES_SINGLE_TUPLE) {
            setAt(at() + 1);
            return true;
        }
        m_affected = affectedRows(m_rows.get()); // an error may still follow
    }
    if (m_exchange->failed()) {
        reportFailure();
    }
    m_exchange.reset();
    setAt(QSql::AfterLastRow);
    return false;
}

/// Keeps the counts beside the rows: asking libpq for them again at each value would show in a page's time.
void PgResult::hold(PgResultPtr rows)
{
    m_rows = std::move(rows);
    m_row = 0;
    m_count = PQntuples(m_rows.get());
    m_columns = PQnfields(m_rows.get());
}

bool PgResult::bufferedAt(int index)
{
    if (index < 0 || index >= m_count) {
        setAt(index < 0 ? QSql::BeforeFirstRow : QSql::AfterLastRow);
        return false;
    }
    m_row = index;
    setAt(index);
    return true;
}

bool PgResult::fetch(int index)
{
    if (!isActive() || !isSelect()) {
        return false;
    }
    if (!m_streamed) {
        return bufferedAt(index);
    }
    if (index < at()) {
        return false;
    }
    while (at() < index || at() == QSql::BeforeFirstRow) {
        if (!fetchStreamed()) {
            return false;
        }
    }
    return true;
}

bool PgResult::fetchNext()
{
    if (!isActive() || !isSelect()) {
        return false;
    }
    return m_streamed ? fetchStreamed() : bufferedAt(at() == QSql::BeforeFirstRow ? 0 : at() + 1);
}

bool PgResult::fetchPrevious()
{
    return isActive() && isSelect() && !m_streamed && bufferedAt(at() - 1);
}

bool PgResult::fetchFirst()
{
    if (!isActive() || !isSelect()) {
        return false;
    }
    if (m_streamed) {
        return at() == 0 || (at() == QSql::BeforeFirstRow && fetchStreamed());
    }
    return bufferedAt(0);
}

bool PgResult::fetchLast()
{
    return isActive() && isSelect() && !m_streamed && m_count > 0 && bufferedAt(m_count - 1);
}

int PgResult::size()
{
    return isActive() && isSelect() && !m_streamed ? m_count : -1;
}

int PgResult::numRowsAffected()
{
    return m_affected;
}

QSqlRecord PgResult::record() const
{
    QSqlRecord record;
    if (!isActive() || !isSelect() || !m_rows) {
        return record;
    }
    for (int i = 0; i < m_columns; ++i) {
        const char *name = PQfname(m_rows.get(), i);
        record.append(QSqlField(decodeText(name, qsizetype(std::strlen(name))), QMetaType::fromType<QString>()));
    }
    return record;
}

void PgResult::detachFromResultSet()
{
    if (m_exchange) {
        m_exchange->drain();
        if (m_exchange->failed()) {
            reportFailure(); // such as a COMMIT that failed behind rows nobody wanted
        }
    }
    release();
}

void PgResult::release()
{
    m_exchange.reset();
    hold({});
    m_affected = -1;
    m_firstWaits = false;
}

} // namespace idemdesk::sql
