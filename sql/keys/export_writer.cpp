// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/export_writer.h"

#include "sql/keys/export_rows.h"
#include "sql/keys/resolve.h"
#include "sql/keys/unreadable.h"
#include "sql/session/error_text.h"
#include "sql/session/server_clock.h"
#include "sql/types/tr.h"

#include <QBuffer>
#include <QDeadlineTimer>
#include <QFileDevice>

#include <algorithm>
#include <poll.h>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kTellEveryMs = 200;
/// Weight of a batch: large enough to keep the round trips out of the way, small enough for constant memory.
constexpr qint64 kBatchBytes = 512 * 1024;
constexpr int kMostRows = 2'000;

/// Reads until the server's last message is there or the connection is known to be gone; not for long.
PgResultPtr lastWordOf(PGconn *connection)
{
    const QDeadlineTimer limit(1'000);
    for (;;) {
        if (PgResultPtr said { PQgetResult(connection) }) {
            return said;
        }
        if (PQstatus(connection) != CONNECTION_OK || limit.hasExpired()) {
            return {};
        }
        pollfd entry { PQsocket(connection), POLLIN, 0 };
        ::poll(&entry, 1, 100);
        PQconsumeInput(connection);
    }
}

} // namespace

ExportSink::ExportSink(Session &session, QIODevice &out, const std::function<bool(const ExportProgress &)> &onProgress)
    : m_session(session)
    , m_out(out)
    , m_onProgress(onProgress)
{
    m_sinceTold.start();
}

Error ExportSink::cancelled()
{
    return makeError(
        ErrorKind::Cancelled, Tr::tr("The export was cancelled."), Tr::tr("What was written so far is not complete."));
}

bool ExportSink::write(const QByteArray &bytes, qint64 rows)
{
    if (!m_out.isWritable() || m_out.write(bytes) != bytes.size()) {
        m_error.kind = ErrorKind::File;
        m_error.what = Tr::tr("The export could not be written.");
        m_error.why = m_out.errorString();
        m_error.todo = Tr::tr("Check the free space and the rights of the folder, then export again.");
        return false;
    }
    m_progress.rows += rows;
    m_progress.bytes += bytes.size();
    if (m_session.cancelled()) {
        m_error = cancelled();
        return false;
    }
    if (m_onProgress && m_sinceTold.elapsed() >= kTellEveryMs) {
        m_sinceTold.restart();
        if (!m_onProgress(m_progress)) {
            m_error = cancelled();
            return false;
        }
    }
    return true;
}

CursorBatches::CursorBatches(Session &session, const Statement &statement)
    : m_session(session)
    , m_statement(statement)
{
}

CursorBatches::~CursorBatches()
{
    if (m_sent) { // the batch under way is read to its end, so that the connection can be used again
        while (const PgResultPtr rest { PQgetResult(m_session.driver().connection()) }) { }
    }
    if (m_open && m_session.alive() && m_session.driver().inTransaction()) {
        // In a failed transaction the cursor is gone already, and the answer does not matter.
        (void)m_session.run({ u"CLOSE idemdesk_export"_s, {} });
    }
}

Result<void> CursorBatches::open()
{
    Statement declare = m_statement;
    declare.sql = u"DECLARE idemdesk_export NO SCROLL CURSOR FOR "_s + m_statement.sql;
    TRY(m_session.run(declare));
    m_open = true;
    if (!send()) {
        return failure(nullptr);
    }
    return {};
}

bool CursorBatches::send()
{
    const QByteArray sql = "FETCH FORWARD " + QByteArray::number(m_batch) + " FROM idemdesk_export";
    PGconn *connection = m_session.driver().connection();
    m_sent = PQsendQueryParams(connection, sql.constData(), 0, nullptr, nullptr, nullptr, nullptr, 0) == 1
        && PQflush(connection) >= 0;
    return m_sent;
}

Result<PgResultPtr> CursorBatches::next()
{
    if (!m_sent) {
        return failure(nullptr);
    }
    PGconn *connection = m_session.driver().connection();
    PgResultPtr rows(PQgetResult(connection));
    PgResultPtr failed;
    while (PgResultPtr rest { PQgetResult(connection) }) {
        failed = std::move(rest);
    }
    m_sent = false;
    // The first bad answer is the server's own word; what libpq says of a connection that broke after it comes second.
    if (!rows || PQresultStatus(rows.get()) != PGRES_TUPLES_OK) {
        return failure(rows.get());
    }
    if (failed) {
        return failure(failed.get());
    }
    if (PQntuples(rows.get()) > 0 && !send()) {
        return failure(nullptr);
    }
    return rows;
}

void CursorBatches::setBytes(qint64 rows, qint64 bytes)
{
    const qint64 perRow = qMax<qint64>(1, bytes / qMax<qint64>(1, rows));
    m_batch = static_cast<int>(std::clamp<qint64>(kBatchBytes / perRow, 1, kMostRows));
}

Error CursorBatches::failure(const PGresult *result) const
{
    const QString what = Tr::tr("The export broke off.");
    PGconn *connection = m_session.driver().connection();
    PgResultPtr lastWord;
    if (result == nullptr) {
        // Nothing could be sent, or no answer came. What the server says before it closes is on its way, or has been
        // received and not looked at: libpq takes it as an answer or as a notice.
        lastWord = lastWordOf(connection);
        result = PQresultStatus(lastWord.get()) == PGRES_FATAL_ERROR ? lastWord.get() : nullptr;
    }
    Error error = errorFrom(m_session.serversWord(result != nullptr ? failureOf(result) : failureOf(connection)), what);
    if (!m_session.alive() && error.kind != ErrorKind::StandbyConflict) {
        error.kind = ErrorKind::ConnectionLost;
    }
    return error;
}

/// Empties the device from here on, so that it can be written anew.
static bool takenBack(QIODevice &out, qint64 begin)
{
    if (!out.seek(begin)) {
        return false;
    }
    if (auto *file = qobject_cast<QFileDevice *>(&out)) {
        return file->resize(begin);
    }
    auto *buffer = qobject_cast<QBuffer *>(&out);
    if (buffer != nullptr) {
        buffer->buffer().truncate(begin);
    }
    return buffer != nullptr;
}

static Result<ExportProgress> exportRowsOnce(Session &session, const AroundReader &around, const Filter &filter,
    const OrderLabel &order, ExportFormat format, QIODevice &out,
    const std::function<bool(const ExportProgress &)> &onProgress)
{
    const Target &target = around.target();
    TRY(const auto resolvedOrder, resolveOrder(target, order, filter));
    TRY(const auto resolved, resolveFilter(session, target, filter));
    TRY(const auto now, serverNow(session));
    const ExportPlan plan { target, resolved, resolvedOrder, now, around.found() };
    ExportSink sink(session, out, onProgress);
    const auto done
        = format == ExportFormat::Csv ? exportCsv(session, plan, sink) : exportJsonLines(session, plan, sink);
    if (!done) {
        Error error = done.error();
        if (error.kind == ErrorKind::StandbyConflict) {
            error.what = Tr::tr("The standby ended the export after %1 rows.").arg(sink.progress().rows);
            error.todo
                = Tr::tr("Export from the primary, or ask for a larger max_standby_streaming_delay on the standby.");
        }
        return error;
    }
    if (onProgress) {
        onProgress(sink.progress());
    }
    return sink.progress();
}

Result<ExportProgress> exportRows(Session &session, const Target &target, const Filter &filter, const OrderLabel &order,
    ExportFormat format, QIODevice &out, const std::function<bool(const ExportProgress &)> &onProgress)
{
    AroundReader around(session, target, false);
    // What went out to a pipe cannot be taken back: bad rows are found before the first one is written.
    const bool onePass = out.isSequential();
    if (onePass) {
        (void)around.learnAll();
    } else {
        around.prepare(filter);
    }
    const qint64 begin = onePass ? 0 : out.pos();
    auto done = exportRowsOnce(session, around, filter, order, format, out, onProgress);
    while (!done && !onePass && around.learned(done.error())) {
        if (!takenBack(out, begin)) {
            return makeError(ErrorKind::File, Tr::tr("The export could not be written."), out.errorString());
        }
        done = exportRowsOnce(session, around, filter, order, format, out, onProgress);
    }
    if (done) {
        done->note = around.note();
    }
    return done;
}

} // namespace idemdesk::sql
