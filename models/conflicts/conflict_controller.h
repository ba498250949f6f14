// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/conflicts/conflict_import.h"
#include "models/conflicts/conflict_model.h"
#include "models/connection/connection_controller.h"
#include "models/request/request.h"
#include "sql/types/local_place.h"

#include <QObject>
#include <atomic>
#include <memory>

namespace idemdesk::models {

/// The conflicts page without its widgets: reads them from the console's schema, or from this computer where there is
/// none, and imports logs. Lives on the GUI thread.
class ConflictController final : public QObject
{
    Q_OBJECT

public:
    explicit ConflictController(QObject *parent = nullptr);
    ~ConflictController() override;

    ConflictModel *model() const { return m_model; }
    void setDatabase(sql::Database *database);
    /// problems: tables that could not be read, so that no key is looked up in them.
    void setTargets(const QList<TargetEntry> &targets, const QList<TargetProblem> &problems = {});
    void setLocalPlace(const sql::LocalPlace &place) { m_place = place; } ///< of conflicts.sqlite
    void setMapping(const ApplicationLogMapping &mapping)
    {
        m_mapping = mapping;
    } ///< of services' logs, for imports that follow
    /// attribute: what a service's log says beside, such as a trace's id; empty: any.
    void setFilter(const QString &kind, const QString &key, const QString &attribute = {});
    void refresh();
    bool busy() const { return m_reading.busy(); }
    bool loaded() const { return m_loaded; }
    bool keptHere() const { return m_keptHere; } ///< on this computer
    const std::optional<sql::Error> &error() const { return m_reading.error(); }

    /// Imports one log after the other; imported() or importFailed() follows for each. What is asked for during an
    /// import waits its turn.
    void import(const QStringList &paths); ///< files, and folders of logs
    void importServerLog(const QString &name = {}); ///< a file of the server's log folder; empty: the one it writes now
    void importText(const QString &text); ///< pasted
    void cancelImport();
    bool importing() const { return m_underWay; }
    qint64 importedBytes() const { return m_done->load(); }
    qint64 importSize() const { return m_size->load(); } ///< 0: not known yet

signals:
    void changed();
    void imported(const QString &log, const idemdesk::models::ImportCounts &counts);
    void importFailed(const QString &log, const idemdesk::sql::Error &error);

private:
    struct Source {
        QString name; ///< empty: the log's own
        std::function<sql::Result<LogInput>(sql::Session &)> open; ///< on the lane's thread
    };
    void read(bool more);
    void enqueue(const Source &source);
    void importNext();
    void tell(const QString &log, const sql::Result<ImportCounts> &counts);

    ConflictModel *m_model;
    Request m_reading { QStringLiteral("conflicts") };
    Request m_importing { QStringLiteral("import") };
    QList<sql::Target> m_targets;
    QList<TargetProblem> m_problems;
    sql::LocalPlace m_place;
    ApplicationLogMapping m_mapping;
    QString m_kind;
    QString m_key;
    QString m_attribute;
    bool m_loaded = false;
    bool m_keptHere = false;
    QList<Source> m_sources; ///< that wait
    bool m_underWay = false; ///< from the first log to the last
    std::shared_ptr<std::atomic<qint64>> m_done;
    std::shared_ptr<std::atomic<qint64>> m_size;
    std::shared_ptr<std::atomic_bool> m_stop;
};

} // namespace idemdesk::models
