// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_exchange.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qint64 maximumCopyBytes = qint64(16) * 1024 * 1024; // read and thrown away before the connection is given up

PgFailure copyRefused()
{
    return refusal(
        QCoreApplication::translate("PgDriver", "COPY is not supported on this connection and was refused."));
}

/// The statement's first word in upper case, behind white space and comments.
QByteArray firstWord(const QByteArray &sql)
{
    qsizetype at = 0;
    for (;;) {
        while (at < sql.size() && QByteArrayView(" \t\r\n\f\v;").contains(sql.at(at))) {
            ++at;
        }
        if (sql.mid(at, 2) == "--") {
            const qsizetype end = sql.indexOf('\n', at);
            at = end < 0 ? sql.size() : end + 1;
        } else if (sql.mid(at, 2) == "/*") {
            int depth = 0; // comments nest in PostgreSQL
            do {
                const QByteArray pair = sql.mid(at, 2);
                const int step = pair == "/*" ? 1 : pair == "*/" ? -1 : 0;
                depth += step;
                at += step == 0 ? 1 : 2;
            } while (depth > 0 && at < sql.size());
        } else {
            break;
        }
    }
    qsizetype end = at;
    while (end < sql.size() && ((sql.at(end) | 0x20) >= 'a' && (sql.at(end) | 0x20) <= 'z')) {
        ++end;
    }
    return sql.mid(at, end - at).toUpper();
}

/// Whether the tag says that a transaction was rolled back though the statement asked for something else.
bool rolledBackInstead(const QByteArray &sql, const QByteArray &tag)
{
    if (tag != "ROLLBACK") {
        return false;
    }
    const QByteArray word = firstWord(sql);
    return word != "ROLLBACK" && word != "ABORT";
}

PgFailure notCommitted()
{
    return refusal(QCoreApplication::translate(
        "PgDriver", "The transaction was not committed: it had failed before, and the server rolled it back."));
}

} // namespace

PgExchange::PgExchange(std::shared_ptr<PgLink> link)
    : m_link(std::move(link))
{
}

PgExchange::~PgExchange()
{
    drain();
}

bool PgExchange::send(const QByteArray &sql, const PgParameters &parameters, bool rowByRow, const PgEnvelope &envelope)
{
    m_link->abandonStream();
    if (!m_link->alive()) {
        fail(connectionGone());
        m_link->failure = m_failure;
        return false;
    }
    m_sql = sql;
    m_running = true;
    m_link->stream = this;
    m_link->statusBefore = m_link->transactionStatus();
    m_pipelined = envelope.active();
    m_commits = m_pipelined && !envelope.after.isEmpty();
    if (!queue(sql, parameters, envelope) || !m_link->flush()) {
        // libpq keeps the reason of a failed write for the read that follows; anything else leaves half a queue behind.
        if (m_link->alive()) {
            fail(failureOf(m_link->connection()));
            m_link->drop();
        }
        finish();
        return false;
    }
    if (m_pipelined && !readPrologue(envelope.before.size())) {
        finish();
        return false;
    }
    if (rowByRow) {
        PQsetSingleRowMode(m_link->connection());
    }
    return true;
}

bool PgExchange::queue(const QByteArray &sql, const PgParameters &parameters, const PgEnvelope &envelope)
{
    PGconn *connection = m_link->connection();
    const auto bare = [connection](const QString &statement) {
        return PQsendQueryParams(connection, statement.toUtf8().constData(), 0, nullptr, nullptr, nullptr, nullptr, 0)
            == 1;
    };
    if (m_pipelined) {
        if (PQenterPipelineMode(connection) != 1) {
            return false;
        }
        for (const QString &statement : envelope.before) {
            if (!bare(statement)) {
                return false;
            }
        }
    }
    if (PQsendQueryParams(
            connection, sql.constData(), parameters.count(), nullptr, parameters.data(), nullptr, nullptr, 0)
        != 1) {
        return false;
    }
    return !m_pipelined || ((!m_commits || bare(envelope.after)) && PQpipelineSync(connection) == 1);
}

bool PgExchange::readPrologue(qsizetype statements)
{
    for (qsizetype i = 0; i < statements; ++i) {
        while (const PgResultPtr result = m_link->next()) {
            switch (PQresultStatus(result.get())) {
            case PGRES_COMMAND_OK:
            case PGRES_TUPLES_OK:
            case PGRES_PIPELINE_ABORTED:
                break;
            case PGRES_FATAL_ERROR:
                fail(failureOf(result.get()));
                m_failure.statementPosition = 0; // in a text that the caller did not write
                break;
            default:
                fail(outOfOrder());
                m_link->drop();
                break;
            }
        }
        if (failed() && !m_link->alive()) {
            return false;
        }
    }
    return !failed();
}

PgResultPtr PgExchange::next()
{
    while (m_running) {
        PgResultPtr result = m_link->next();
        if (!result) {
            finish();
        } else if (take(result.get())) {
            return result;
        }
    }
    return {};
}

/// Whether the result is one to hand on.
bool PgExchange::take(PGresult *result)
{
    const ExecStatusType status = PQresultStatus(result);
    switch (status) {
    case PGRES_SINGLE_TUPLE:
        return !failed();
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
        if (m_answered) {
            fail(outOfOrder());
            m_link->drop();
            return false;
        }
        m_answered = true;
        m_tag = QByteArray(PQcmdStatus(result));
        if (rolledBackInstead(m_sql, m_tag)) {
            fail(notCommitted());
        }
        return !failed();
    case PGRES_EMPTY_QUERY:
        fail(refusal(QCoreApplication::translate("PgDriver", "The statement is empty.")));
        return false;
    case PGRES_FATAL_ERROR:
        fail(failureInStatement(result, m_link->connection(), m_sql));
        return false;
    case PGRES_PIPELINE_ABORTED:
        fail(outOfOrder());
        return false;
    case PGRES_COPY_IN:
    case PGRES_COPY_OUT:
    case PGRES_COPY_BOTH:
        refuseCopy(status);
        return false;
    default:
        fail(outOfOrder());
        m_link->drop();
        return false;
    }
}

/// A COPY answer cannot be skipped like a result: reading on would give the same status for ever.
void PgExchange::refuseCopy(ExecStatusType status)
{
    fail(copyRefused());
    // In a pipeline libpq cannot end a COPY cleanly; a second COPY in one answer is no PostgreSQL.
    if (m_pipelined || status == PGRES_COPY_BOTH || ++m_refusedCopies > 1) {
        m_link->drop();
        return;
    }
    if (status == PGRES_COPY_OUT) {
        drainCopyOut();
        return;
    }
    for (;;) {
        const int sent = PQputCopyEnd(m_link->connection(), "COPY is not supported on this connection");
        if (sent == 1 && m_link->flush()) {
            return;
        }
        if (sent != 0 || !m_link->flush()) {
            m_link->drop();
            return;
        }
    }
}

void PgExchange::drainCopyOut()
{
    qint64 thrownAway = 0;
    for (;;) {
        char *buffer = nullptr;
        const int size = PQgetCopyData(m_link->connection(), &buffer, 1);
        PQfreemem(buffer);
        if (size < 0) {
            return; // the end, or an error that comes as a result
        }
        thrownAway += size;
        if (thrownAway > maximumCopyBytes || (size == 0 && !m_link->readMore())) {
            m_link->drop();
            return;
        }
    }
}

void PgExchange::drain()
{
    while (next()) { }
}

void PgExchange::abandon()
{
    drain();
    if (!failed()) {
        fail(refusal(QCoreApplication::translate(
            "PgDriver", "Another statement ran on this connection before all rows of this one were read.")));
    }
}

void PgExchange::fail(const PgFailure &failure)
{
    if (!m_failure.present()) {
        m_failure = failure;
    }
}

void PgExchange::finish()
{
    m_running = false;
    if (m_pipelined && m_link->connection() != nullptr) {
        bool confirmed = false;
        const bool had = failed();
        m_link->readPipeline(
            0,
            [&](int, PGresult *result) {
                const QByteArray tag(PQcmdStatus(result));
                confirmed = tag != "ROLLBACK";
            },
            &m_failure);
        if (!had) {
            m_failure.statementPosition = 0;
            if (m_commits && !confirmed) {
                fail(m_link->alive() ? notCommitted() : connectionGone());
            }
        }
    }
    if (m_link->stream == this) {
        m_link->stream = nullptr;
    }
    if (!m_link->alive()) {
        if (!failed()) {
            fail(m_link->connection() != nullptr ? failureOf(m_link->connection()) : connectionGone());
        }
        m_failure.connectionLost = true;
    } else if (m_pipelined && failed()) {
        rollBack();
    }
    if (failed()) {
        m_link->failure = m_failure;
    }
    m_link->settled();
}

/// After an error the envelope's own transaction is still open.
void PgExchange::rollBack()
{
    const PGTransactionStatusType status = m_link->transactionStatus();
    if (status != PQTRANS_INTRANS && status != PQTRANS_INERROR) {
        return;
    }
    PgExchange exchange(m_link);
    if (exchange.send("ROLLBACK", {}, false)) {
        exchange.drain();
    }
    m_failure.connectionLost = !m_link->alive();
}

} // namespace idemdesk::sql
