// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/render.h"
#include "sql/types/trend.h"

namespace idemdesk::sql {

/// How one metric is computed from a target's rows. A value is sum(numerator), over sum(denominator) where there is
/// one, or a percentile of `sample`, over the rows that meet `condition`; a gauge of ages is the greatest `sample`.
struct TrendFormula {
    TrendMetric metric;
    std::optional<Role> time; ///< when it happened; nothing for a gauge
    QString condition; ///< over t; empty: every row
    QString numerator = QStringLiteral("1");
    QString denominator;
    QString sample; ///< an interval over t
    double fraction = 0; ///< of the percentile; 0: the greatest
    QStringList notes;
};

/// All formulas in the order shown. Conditions bind through render: the one wanted must be made with its statement's
/// own.
QStringList trendMetricIds();
TrendFormula trendFormula(Render &render, const QString &id);

/// Told neither by rows nor by samples of them, but by what services report (idemdesk.event) or by the trail.
bool isRecordedMetric(const QString &id);

/// What services report of it: kinds of events, and which percentile of their durations (0: none).
struct ReportedMetric {
    QStringList kinds; ///< empty: services do not report it
    double fraction = 0;
    /// A minute in which nobody reported a duration tells nothing of it; elsewhere silence is a zero.
    bool timed = false;
};
ReportedMetric reportedMetric(const QString &id);

/// Counted from the table's rows, which may be hidden or unreadable; not from the catalogue, the server's own counters
/// or reports.
bool isToldByRows(const QString &id);

/// Told by samples of the cache in front of the table (idemdesk.take_cache_sample), which not every minute has: one
/// without it does not say 0.
bool isSampledFromCache(const QString &id);

/// The aggregate over t that a sample takes of a metric: how it is, or what happened in the last whole minute. Nothing
/// where a sample cannot tell it.
std::optional<QString> sampleAggregate(Render &render, const QString &id);

} // namespace idemdesk::sql
