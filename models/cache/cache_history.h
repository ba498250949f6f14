// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/request/request.h"
#include "sql/types/target.h"
#include "sql/types/trend.h"

#include <QObject>
#include <optional>

namespace idemdesk::models {

/// Which part of the look-ups the cache in front of a table answered, over the last day, from its samples. Lives on the
/// GUI thread.
class CacheHistory final : public QObject
{
    Q_OBJECT

public:
    explicit CacheHistory(QObject *parent = nullptr);

    void setDatabase(sql::Database *database);
    /// registeredName: empty where it is not registered, so that nothing is kept of it.
    void setTarget(const sql::Target &target, const QString &registeredName);
    void read(); ///< changed() follows
    /// The ratio by the quarter of an hour; a quarter without look-ups, or without a sample, is a gap. Nothing: not
    /// read yet, or no sample was taken.
    const std::optional<sql::TrendAnswer> &answer() const { return m_answer; }
    std::optional<sql::Error> error() const { return m_reading.error(); }

signals:
    void changed();

private:
    Request m_reading { QStringLiteral("cache/history") };
    sql::Target m_target;
    QString m_registeredName;
    std::optional<sql::TrendAnswer> m_answer;
};

/// misses over look-ups of the same buckets, as the ratio of what was found.
sql::TrendAnswer hitRatio(const sql::TrendAnswer &lookups, const sql::TrendAnswer &misses);

} // namespace idemdesk::models
