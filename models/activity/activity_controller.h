// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/activity/activity_model.h"
#include "sql/types/result.h"
#include "sql/types/target.h"

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <optional>

namespace idemdesk::sql {
class Database;
}

namespace idemdesk::models {

/// The activity page without its widgets. Lives on the GUI thread.
class ActivityController final : public QObject
{
    Q_OBJECT

public:
    explicit ActivityController(QObject *parent = nullptr);
    ~ActivityController() override;

    ActivityModel *model() const { return m_model; }
    void setDatabase(sql::Database *database);
    void setTargets(const QList<sql::Target> &targets);
    void refresh();
    void setAutoRefresh(int seconds); ///< 0: off
    bool busy() const { return m_running; }
    bool complete() const { return m_model->report().complete; } ///< false: the server hides part from this user
    std::optional<sql::Error> error() const { return m_error; }

    /// Ends a session's statement, or the session; signalled() follows. The id is made here.
    void signalBackend(const sql::BackendActivity &backend, sql::SignalVerb verb, const QString &reason, const QString &ticket);
    bool signalling() const { return m_signalling; }

signals:
    void changed(); ///< busy, error or rows
    /// What came of signalBackend(): a sentence, or why it did not work.
    void signalled(const QString &text, const std::optional<idemdesk::sql::Error> &error);

private:
    ActivityModel *m_model;
    QPointer<sql::Database> m_database;
    QList<sql::Target> m_targets;
    std::optional<sql::Error> m_error;
    bool m_running = false;
    bool m_signalling = false;
    quint64 m_ticket = 0;
    QTimer m_timer;
};

} // namespace idemdesk::models
