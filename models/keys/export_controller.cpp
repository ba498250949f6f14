// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/export_controller.h"

#include "models/async.h"
#include "models/format/quantities.h"
#include "models/keys/private_file.h"
#include "sql/keys/export_writer.h"
#include "sql/lanes/database.h"

#include <atomic>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

/// Written by the lane's thread, read by the GUI thread.
struct ExportController::Shared {
    std::atomic<qint64> rows = 0;
    std::atomic<qint64> bytes = 0;
    std::atomic_bool cancelled = false;
};

ExportController::ExportController(QObject *parent)
    : QObject(parent)
    , m_shared(std::make_shared<Shared>())
{
    m_poll.setInterval(200);
    connect(&m_poll, &QTimer::timeout, this, &ExportController::progress);
}

ExportController::~ExportController()
{
    m_shared->cancelled = true;
}

void ExportController::setDatabase(sql::Database *database)
{
    const bool wasRunning = running();
    if (!m_exporting.setDatabase(database) || !wasRunning) {
        return;
    }
    m_shared->cancelled = true; // also where the server does not hear of it any more
    m_poll.stop();
    emit cancelled();
}

bool ExportController::start(const sql::Target &target, const sql::Filter &filter, const sql::OrderLabel &order,
    ExportFileFormat format, const QString &path)
{
    if (running() || m_exporting.database() == nullptr) {
        return false;
    }
    m_shared = std::make_shared<Shared>();
    m_path = path;
    m_clock.start();
    m_poll.start();
    const sql::ExportFormat kind
        = format == ExportFileFormat::Csv ? sql::ExportFormat::Csv : sql::ExportFormat::JsonLines;
    const auto job = [shared = m_shared, target, filter, order, kind, path](sql::Session &session) {
        return writePrivateFile(path, [&](QIODevice &out) -> sql::Result<qint64> {
            const auto exported
                = sql::exportRows(session, target, filter, order, kind, out, [&shared](const sql::ExportProgress &now) {
                      shared->rows = now.rows;
                      shared->bytes = now.bytes;
                      return !shared->cancelled;
                  });
            if (!exported.ok()) {
                return exported.error();
            }
            if (shared->cancelled) {
                return abandonedError(); // told after the last row: the person does not want the file all the same
            }
            shared->rows = exported->rows;
            shared->bytes = exported->bytes;
            return exported->rows;
        });
    };
    emit started(); // first: a file that cannot be made may fail before ask() returns
    // Never run twice: a second try would begin a file anew under a progress that goes on.
    m_exporting.ask({ sql::LaneKind::Background, 0, false }, job, [this](const sql::Result<qint64> &result) {
        m_poll.stop();
        if (result.ok()) {
            emit finished(m_path, rows(), bytes());
        } else if (m_shared->cancelled) {
            emit cancelled();
        } else {
            emit failed(result.error());
        }
    });
    return true;
}

void ExportController::cancel()
{
    if (running()) {
        m_shared->cancelled = true;
        m_exporting.cancel();
    }
}

qint64 ExportController::rows() const
{
    return m_shared->rows;
}

qint64 ExportController::bytes() const
{
    return m_shared->bytes;
}

double ExportController::rowsPerSecond() const
{
    const qint64 elapsed = m_clock.isValid() ? m_clock.elapsed() : 0;
    return elapsed > 0 ? double(rows()) * 1'000.0 / double(elapsed) : 0;
}

QString ExportController::progressText() const
{
    return tr("%Ln rows, %1, %2", nullptr, int(rows())).arg(bytesText(bytes()), rateText(rowsPerSecond()));
}

} // namespace idemdesk::models

#include "moc_export_controller.cpp"
