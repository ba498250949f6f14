// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/request/request.h"
#include "sql/types/action.h"
#include "sql/types/target.h"
#include "sql/types/triage.h"

#include <QObject>

namespace idemdesk::models {

/// What a purge that waits for approval would take, counted anew by whoever decides: what its request says is not taken
/// on trust. One at a time; lives on the GUI thread.
class ApprovalPreview final : public QObject
{
    Q_OBJECT

public:
    explicit ApprovalPreview(QObject *parent = nullptr);
    ~ApprovalPreview() override;

    void setDatabase(sql::Database *database);
    /// Counts for this action, unless that is done or under way; for any other than a purge that waits, nothing.
    /// target: as this login reads it; nothing where it cannot.
    void look(const sql::ActionRecord &action, const std::optional<sql::Target> &target);
    /// Lines of a name and a value, safe to show: by state, by scope, from when to when, and how many where that is not
    /// what the request says. Empty where there is nothing to count.
    QList<QStringList> lines(const TimeFormat &format) const;
    /// What whoever asked for this action was warned of, and whoever approves has to know; safe to show, the gravest
    /// first. Empty for any other than the one that was looked at last.
    QStringList warnings(const QString &action) const;
    bool counting() const { return m_counting.busy(); }

signals:
    void changed();

private:
    Request m_counting { QStringLiteral("approval-preview") };
    QString m_action; ///< id
    bool m_readable = false; ///< this login reads the table
    qint64 m_planned = 0; ///< rows, as the request says
    std::optional<sql::PurgePlan> m_plan;
};

} // namespace idemdesk::models
