// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/trend.h"

namespace idemdesk::models {

struct TrendLine;

/// "create_order", "acme / eu", "Other scopes"; "All keys" where there is one series.
QString seriesName(const sql::TrendSeries &series);

/// A value with its unit: "1,204", "3.5 %", "12 min"; a dash for a gap.
QString trendValueText(const sql::TrendMetric &metric, const std::optional<double> &value);

/// One unit for a column of a metric's values, so that they compare digit by digit.
struct TrendScale {
    double factor = 1;
    int decimals = 0;
    QString unit; ///< for the heading
};
TrendScale trendScale(const sql::TrendMetric &metric, double highest);

/// A round value on the axis: "5 %", "2 h", "1,000".
QString trendTickText(const sql::TrendMetric &metric, double value);

/// What the vertical axis counts: "Keys per 1 h", "Seconds", "Share".
QString trendAxisText(const sql::TrendMetric &metric, const QString &bucket);

/// By how much a value differs from one before: "-6.7 points" of a share, "+12 %" of what is counted; empty where it
/// cannot be said.
QString trendChangeText(
    const sql::TrendMetric &metric, const std::optional<double> &now, const std::optional<double> &before);

/// A line in numbers: "111 last full hour · 905 so far · max 365", of a level "81 now · 57 mean yesterday", where
/// samples tell it "81 last sample · …"; empty where it has no value.
QString trendLineText(const TrendLine &line, const sql::TrendAnswer &answer, const QString &bucket);

/// A level's newest number: "81 now" of rows, "81 last sample" of samples, which are up to a minute old.
QString trendNowText(sql::TrendSource source, const QString &value);
QString trendAsOfText(sql::TrendSource source, const QString &time); ///< "2026-11-20 02:00:00, last sample"

/// What line and band stand for where buckets are so long: "The line is the mean of each day; …".
QString trendBandText(const sql::TrendMetric &metric, const QString &bucket);

/// The filter that shows the keys behind a point: those of the metric, in the bucket, of the scope (nothing: any).
/// labels: of the profile's scope.
QString trendFilter(const sql::TrendMetric &metric, const sql::Timestamp &from, const sql::Timestamp &to,
    const QStringList &labels, const sql::Cells &scope);

} // namespace idemdesk::models
