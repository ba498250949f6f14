// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/overview/overview_model.h"
#include "models/overview/scopes_model.h"
#include "models/request/request.h"

#include <QObject>

namespace idemdesk::models {

/// What the Incident page's tables hold: summaries one after the other on the background lane, and the scopes of the
/// chosen target. Lives on the GUI thread.
class OverviewController final : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 kCountCap = 10'000;
    static constexpr int kScopePage = 200;

    explicit OverviewController(QObject *parent = nullptr);
    ~OverviewController() override;

    OverviewModel *model() const { return m_model; }
    ScopesModel *scopes() const { return m_scopes; }
    void setDatabase(sql::Database *database);
    void setTargets(const QList<sql::Target> &targets); ///< reads their summaries
    /// Shows the scopes of this target (by profile name; "" for none).
    void selectTarget(const QString &targetName);
    QString selectedTarget() const { return m_selected; }
    void refresh();
    void setTimeFormat(const TimeFormat &format);

    bool busy() const { return m_running || m_readingScopes.busy(); }
    std::optional<sql::Error> scopesError() const { return m_readingScopes.error(); }
    /// Stale keys over all targets, for the rail; at least so many while a summary is not known.
    sql::RowCount staleCount() const;

signals:
    void busyChanged();
    void summariesChanged();
    void scopesErrorChanged();

private:
    void next();
    void follow(const sql::Target &chosen);
    void readScopes(bool fromBeginning);

    OverviewModel *m_model;
    ScopesModel *m_scopes;
    Request m_counting { QStringLiteral("overview/summary") };
    Request m_readingScopes { QStringLiteral("overview/scopes") };
    QString m_selected;
    QStringList m_queue;
    bool m_running = false; ///< from the first summary to the last
};

} // namespace idemdesk::models
