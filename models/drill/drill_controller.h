// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/drill/drill_runner.h"
#include "sql/types/result.h"

#include <QObject>
#include <QPointer>
#include <optional>
#include <stop_token>

namespace idemdesk::sql {
class Database;
}

namespace idemdesk::models {

struct TargetEntry;

/// The tab of drills without its widgets: runs one on a thread of its own. Lives on the GUI thread.
class DrillController final : public QObject
{
    Q_OBJECT

public:
    explicit DrillController(QObject *parent = nullptr);
    ~DrillController() override;

    void setDatabase(sql::Database *database);
    void setTargets(const QList<TargetEntry> &targets);
    void choose(const QString &target); ///< the profile's name; what was found of another table is dropped
    const QString &target() const { return m_target; }
    /// The statements of the chosen table's drill; nothing where its profile has none.
    const std::optional<sql::DrillSpec> &spec() const { return m_spec; }
    /// Why none may run on this connection; empty where one may, as far as is known here.
    QString whyNot() const;

    void start();
    void stop(); ///< after the test that runs
    bool busy() const { return m_busy; }
    const DrillTest *running() const { return m_running; } ///< null: none
    const std::optional<DrillReport> &report() const { return m_report; }
    const std::optional<sql::Error> &error() const { return m_error; }
    /// Sentences of drills whose table or connection was left while they ran: what they could not take away, or how
    /// they failed. Kept until the next drill begins.
    const QStringList &leftBehind() const { return m_leftBehind; }
    /// Writes the report as HTML, PDF or JSON, by the name's ending, on another thread; written() or writeFailed()
    /// follows.
    void write(const QString &path);

signals:
    void changed();
    void written(const QString &path);
    void writeFailed(const idemdesk::sql::Error &error);

private:
    void forget();
    void onEnded(quint64 ticket, const QString &where, const sql::Result<DrillReport> &report);

    QPointer<sql::Database> m_database;
    QList<sql::Target> m_targets;
    QString m_target;
    std::optional<sql::DrillSpec> m_spec;
    std::stop_source m_stop;
    quint64 m_ticket = 0; ///< what an older run says is not heard
    bool m_busy = false;
    const DrillTest *m_running = nullptr;
    std::optional<DrillReport> m_report;
    std::optional<sql::Error> m_error;
    QStringList m_leftBehind;
};

} // namespace idemdesk::models
