// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/trends/trend_snapshot.h"

#include <QByteArray>
#include <optional>

namespace idemdesk::models {

/// How one target is now, as a scrape wants it.
struct ScrapedTarget {
    QString name;
    QStringList scopeLabels; ///< of its profile
    QList<sql::SnapshotValue> values;
    QString notRead = {}; ///< why there are no values
};

/// Prometheus' text format, version 0.0.4. The names that the seeds use keep them (idempotency_retry_count,
/// pg_lock_wait_seconds, idempotency_db_violations_total, idempotency_cache_hit_ratio). Counters only grow, for they
/// are kept in the console's schema; what only the rows that are there can tell is a gauge. A metric without a source
/// is absent and a comment says what would provide it, never 0. cacheHitRatio: of a Redis, for where no service
/// reports.
QByteArray prometheusText(const QList<ScrapedTarget> &targets, const QList<sql::EventTotal> &events,
    const sql::CounterTotals &totals = {}, std::optional<double> cacheHitRatio = {});

} // namespace idemdesk::models
