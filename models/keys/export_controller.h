// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/request/request.h"
#include "sql/types/filter.h"
#include "sql/types/key_page.h"
#include "sql/types/result.h"
#include "sql/types/target.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <memory>

namespace idemdesk::models {

enum class ExportFileFormat { Csv, JsonLines };

/// Writes all that matches to a file, streamed on the background lane. The file appears under its name only when it is
/// complete, readable by its owner alone. Lives on the GUI thread; one export at a time.
class ExportController final : public QObject
{
    Q_OBJECT

public:
    explicit ExportController(QObject *parent = nullptr);
    ~ExportController() override;

    void setDatabase(sql::Database *database);
    /// False if one is running already or there is no connection.
    bool start(const sql::Target &target, const sql::Filter &filter, const sql::OrderLabel &order,
        ExportFileFormat format, const QString &path);
    void cancel();
    bool running() const { return m_exporting.busy(); }
    QString path() const { return m_path; }
    qint64 rows() const; ///< written so far
    qint64 bytes() const;
    double rowsPerSecond() const;
    QString progressText() const; ///< "120,000 rows, 14 MiB, 85,000 rows/s"

signals:
    void started();
    void progress();
    void finished(const QString &path, qint64 rows, qint64 bytes);
    void cancelled();
    void failed(const idemdesk::sql::Error &error);

private:
    struct Shared;

    Request m_exporting { QStringLiteral("export") };
    std::shared_ptr<Shared> m_shared;
    QString m_path;
    QElapsedTimer m_clock;
    QTimer m_poll;
};

} // namespace idemdesk::models
