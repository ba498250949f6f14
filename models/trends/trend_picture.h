// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/trend.h"

#include <QPointF>

namespace idemdesk::models {

/// One line of a chart. x is milliseconds since 1970 (UTC), y the value in its metric's unit.
struct TrendLine {
    QString name;
    bool other = false; ///< all scopes beyond the largest
    bool previous = false; ///< the period before, laid over this one
    QList<QList<QPointF>> runs; ///< between gaps; a gap is never drawn
    QList<QPointF> tail; ///< the bucket that is still filling, from the last full one on
    QList<QList<QPointF>> floors; ///< of each run, where lines are stacked: what it stands on
};

struct TrendTick {
    double x = 0;
    QString label;
};

/// A value that should not be passed, drawn across the chart.
struct TrendLimit {
    double y = 0;
    QString label;
};

/// What a chart draws, without any widget.
struct TrendPicture {
    double from = 0;
    double to = 0;
    double top = 1; ///< of the vertical axis
    QList<TrendTick> ticks; ///< at even times of the zone, by its clock: a day of 23 hours is drawn so
    QList<TrendLine> lines;
    QList<TrendLimit> limits; ///< those that fit in; one far above the values would flatten them
    bool stacked = false;
    bool empty() const; ///< no value in any line
};

/// previous: the same length just before, or null. Lines are stacked only where values may be added (counts).
TrendPicture trendPicture(
    const sql::TrendAnswer &answer, const sql::TrendAnswer *previous, bool stacked, const TimeFormat &format);

/// Puts limits into a picture: the axis is made higher for one that is at most three times the highest value.
void addLimits(TrendPicture *picture, const QList<TrendLimit> &limits);

/// Marks of a time axis between two times (milliseconds since 1970), at most `most`; a mark at midnight names the day.
QList<TrendTick> timeTicks(qint64 from, qint64 to, const QTimeZone &zone, int most);

} // namespace idemdesk::models
