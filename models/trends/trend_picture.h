// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/trend.h"

#include <QPointF>
#include <optional>
#include <utility>

namespace idemdesk::models {

/// How far a line's values went within its buckets, between two gaps: from the lowest to the highest hour of each.
struct TrendBand {
    QList<QPointF> lowest;
    QList<QPointF> highest; ///< as many, at the same times
};

/// One line of a chart. x is milliseconds since 1970 (UTC), y the value in its metric's unit.
struct TrendLine {
    QString name;
    bool other = false; ///< all scopes beyond the largest
    int color = 0; ///< number of the series' colour; by its place until bound to its scope
    bool previous = false; ///< the period before, laid over this one
    Qt::PenStyle pattern = Qt::SolidLine; ///< tells lines apart that lie on one another
    bool wide = false; ///< seen beneath another line
    QList<QList<QPointF>> runs; ///< between gaps; a gap is never drawn
    std::optional<QPointF> open; ///< what the bucket that is still filling holds so far; no line leads there
    std::optional<double> last; ///< of the last full bucket, by itself; of a period before: of what lies beneath that
    std::optional<double> highest; ///< of the full buckets, or of their hours where there are bands
    std::optional<double> soFar; ///< of the bucket that is still filling, by itself; of a level: how it is now
    std::optional<double> before; ///< what the period before had where this one has `last`
    QList<QList<QPointF>> floors; ///< of each run, where lines are stacked: what it stands on
    QList<TrendBand> bands; ///< of the full buckets that hold several hours of samples
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

/// Something that was done or began to fire, at its time.
struct TrendEvent {
    sql::Timestamp at;
    QString target; ///< its profile's name; empty: the whole database
    QString text;
    bool alert = false; ///< else an action
};

struct TrendMarker {
    double x = 0;
    QString text;
    bool alert = false;
};

/// What a chart draws, without any widget.
struct TrendPicture {
    double from = 0;
    double to = 0;
    double top = 1; ///< of the vertical axis; a bucket that is still filling may hold more
    QList<double> levels { 0, 1 }; ///< its ticks, round in the metric's unit
    sql::TrendUnit unit = sql::TrendUnit::Count;
    std::optional<double> openFrom; ///< from there on a bucket is still filling
    QList<TrendTick> ticks; ///< at even times of the zone, by its clock: a day of 23 hours is drawn so
    QList<TrendLine> lines;
    QList<TrendMarker> markers;
    QList<TrendLimit> limits; ///< those that fit in; one far above the values would flatten them
    bool stacked = false;
    bool level = false; ///< how things are, not what happened: the open bucket tells how it is now
    sql::TrendSource source = sql::TrendSource::Rows; ///< samples tell how it was at the last one of them
    QString sampledAt; ///< its time of day, where it is known
    /// All lines together, by its numbers alone; nothing where they are not stacked.
    std::optional<TrendLine> stackedTotal() const;
    bool empty() const; ///< no value in any line
    bool banded() const; ///< a line has a band behind it
};

/// previous: the same length just before, or null. Lines are stacked only where values may be added (counts).
TrendPicture trendPicture(
    const sql::TrendAnswer &answer, const sql::TrendAnswer *previous, bool stacked, const TimeFormat &format);

/// Gives each line of a scope its own colour. colors: by the answer's series, as ScopeColors tells them.
void bindColors(TrendPicture *picture, const QList<int> &colors);

/// Puts bands behind the lines of the same scopes, from the same range by the hour; the axis is made to hold them. A
/// stack has none: the highest hours of two scopes need not be the same one.
void addBands(TrendPicture *picture, const sql::TrendAnswer &answer, const sql::TrendAnswer &hours);

/// The lowest and the highest hour of the bucket that begins there; nothing where the line has no band there.
std::optional<std::pair<double, double>> bandAt(const TrendLine &line, double x);

/// A picture of one of the lines by itself, with an axis that fits it.
TrendPicture onlyLine(const TrendPicture &picture, qsizetype line);

/// Puts limits into a picture: the axis is made higher for one that is at most three times the highest value.
void addLimits(TrendPicture *picture, const QList<TrendLimit> &limits);

/// Puts what happened in its range into a picture.
void addMarkers(TrendPicture *picture, const QList<TrendEvent> &events, const QString &target);

/// Ticks from 0 to above the highest value, at most six: 1, 2 or 5 times a power of ten, whole numbers of a count, and
/// seconds, minutes, hours or days of a time.
QList<double> valueLevels(double highest, sql::TrendUnit unit);

/// Marks of a time axis between two times (milliseconds since 1970), at most `most`; a mark at midnight names the day.
QList<TrendTick> timeTicks(qint64 from, qint64 to, const QTimeZone &zone, int most);

} // namespace idemdesk::models
