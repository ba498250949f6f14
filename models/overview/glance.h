// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/connection_controller.h"
#include "models/request/request.h"
#include "sql/types/local_place.h"
#include "sql/types/trend.h"

#include <QObject>

namespace idemdesk::models {

/// The last day of one target for the overview's small charts: stale keys and retries, by the hour. Never a long read:
/// from samples, and from rows only where the table is small. Lives on the GUI thread.
class Glance final : public QObject
{
    Q_OBJECT

public:
    /// One small chart: its series, or why there is none.
    struct Line {
        sql::TrendMetric metric;
        std::optional<sql::TrendAnswer> answer;
        QString why;
    };

    explicit Glance(QObject *parent = nullptr);
    ~Glance() override;

    void setDatabase(sql::Database *database);
    void setLocalPlace(const sql::LocalPlace &place) { m_place = place; }
    void setTarget(const TargetEntry &entry); ///< an unbound target: none
    void refresh();

    const QString &target() const { return m_name; }
    const QList<Line> &lines() const { return m_lines; } ///< stale, then retries; empty where nothing was read yet

signals:
    void changed();

private:
    Request m_reading { QStringLiteral("glance") };
    TargetEntry m_target;
    QString m_name;
    sql::LocalPlace m_place;
    QList<Line> m_lines;
};

} // namespace idemdesk::models
