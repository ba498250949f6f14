// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/activity/activity_model.h"
#include "models/request/request.h"
#include "sql/types/result.h"
#include "sql/types/target.h"

#include <QObject>
#include <QTimer>
#include <optional>

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
    int tables() const { return int(m_targets.size()); } ///< whose sessions are looked at
    void refresh();
    void setAutoRefresh(int seconds); ///< 0: off
    bool busy() const { return m_reading.busy(); }
    bool complete() const { return m_model->report().complete; } ///< false: the server hides part from this user
    std::optional<sql::Error> error() const { return m_reading.error(); }

    /// Ends a session's statement, or the session; signalled() follows. The id is made here.
    void signalBackend(
        const sql::BackendActivity &backend, sql::SignalVerb verb, const QString &reason, const QString &ticket);
    bool signalling() const { return m_signalling.busy(); }

signals:
    void changed(); ///< busy, error or rows
    /// What came of signalBackend(): a sentence, or why it did not work.
    void signalled(const QString &text, const std::optional<idemdesk::sql::Error> &error);

private:
    ActivityModel *m_model;
    Request m_reading { QStringLiteral("activity") };
    Request m_signalling { QStringLiteral("signal") };
    QList<sql::Target> m_targets;
    QTimer m_timer;
};

} // namespace idemdesk::models
