// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/target_problem.h"
#include "models/health/health_model.h"
#include "models/request/request.h"
#include "sql/types/result.h"
#include "sql/types/target.h"

#include <QObject>
#include <optional>

namespace idemdesk::models {

/// The health page without its widgets: asks one table after the other on the background lane, so that counts and
/// charts get their turn in between. Lives on the GUI thread.
class HealthController final : public QObject
{
    Q_OBJECT

public:
    explicit HealthController(QObject *parent = nullptr);
    ~HealthController() override;

    HealthModel *model() const { return m_model; }
    void setDatabase(sql::Database *database);
    /// problems: tables that could not be read; each is a finding of its own.
    void setTargets(const QList<sql::Target> &targets, const QList<TargetProblem> &problems = {});
    void refresh();
    void cancel();
    bool busy() const { return m_next >= 0; }
    bool read() const { return m_read; } ///< all tables were asked at least once
    qsizetype done() const { return m_next < 0 ? m_targets.size() : m_next; } ///< of these tables
    qsizetype total() const { return m_targets.size(); }
    const std::optional<sql::Error> &error() const { return m_asking.error(); }

signals:
    void changed();

private:
    void askNext();
    void accept(const sql::Target &target, const sql::HealthReport &report);
    void addProblems();

    HealthModel *m_model;
    Request m_asking { QStringLiteral("health") };
    QList<sql::Target> m_targets;
    QList<TargetProblem> m_problems;
    QList<HealthModel::Entry> m_entries;
    QList<HealthModel::Entry> m_found; ///< of the last whole look
    QList<sql::Target> m_looked; ///< the tables it was about, as they were
    qsizetype m_next = -1;
    bool m_read = false;
};

} // namespace idemdesk::models
