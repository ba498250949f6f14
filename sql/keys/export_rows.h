// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/driver/pg_failure.h"
#include "sql/keys/export_writer.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/unreadable.h"

#include <QElapsedTimer>

namespace idemdesk::sql {

/// What is exported, decided once for all segments of the order.
struct ExportPlan {
    const Target &target;
    ResolvedFilter filter;
    ResolvedOrder order;
    Timestamp now;
    const Unreadable &unreadable; ///< rows that are read around: written with what can be read, and with their fault

    /// Whether rows carry their place, by which the unreadable ones are told.
    bool placed() const { return unreadable.count > 0 && !unreadable.many; }
    /// What the place is read by: two columns.
    static QStringList placeColumns() { return { QStringLiteral("t.tableoid"), QStringLiteral("t.ctid") }; }
};

/// Where rows go: counts, tells the caller a few times a second, and notices when it shall stop.
class ExportSink
{
public:
    ExportSink(Session &session, QIODevice &out, const std::function<bool(const ExportProgress &)> &onProgress);

    /// Writes a piece that holds so many rows. False: see error().
    bool write(const QByteArray &bytes, qint64 rows);
    const ExportProgress &progress() const { return m_progress; }
    const Error &error() const { return m_error; }
    static Error cancelled();

private:
    Session &m_session;
    QIODevice &m_out;
    const std::function<bool(const ExportProgress &)> &m_onProgress;
    ExportProgress m_progress;
    QElapsedTimer m_sinceTold;
    Error m_error;
};

/// Reads a statement through a cursor in batches, the next batch on its way while one is worked on. Results are handed
/// over as libpq made them. Runs inside a transaction of the session.
class CursorBatches
{
public:
    CursorBatches(Session &session, const Statement &statement);
    ~CursorBatches();
    CursorBatches(const CursorBatches &) = delete;
    CursorBatches &operator=(const CursorBatches &) = delete;

    Result<void> open();
    /// The next batch; one without rows is the end.
    Result<PgResultPtr> next();
    /// How large a batch is to become, from what the last one weighed.
    void setBytes(qint64 rows, qint64 bytes);

private:
    bool send();
    Error failure(const PGresult *result) const;

    Session &m_session;
    const Statement m_statement;
    int m_batch = 200;
    bool m_open = false;
    bool m_sent = false;
};

Result<void> exportCsv(Session &session, const ExportPlan &plan, ExportSink &sink);
Result<void> exportJsonLines(Session &session, const ExportPlan &plan, ExportSink &sink);

} // namespace idemdesk::sql
