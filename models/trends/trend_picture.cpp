// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/trend_picture.h"

#include "models/trends/trend_merge.h"
#include "models/trends/trend_words.h"
#include "sql/types/tr.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kMostTicks = 9;

double millis(const sql::Timestamp &time)
{
    return double(time.toDateTime().toMSecsSinceEpoch());
}

/// Splits values into runs between gaps; the bucket that is still filling stands by itself.
TrendLine lineOf(
    const QList<double> &times, const QList<std::optional<double>> &values, const QList<double> &floor, bool lastOpen)
{
    TrendLine line;
    line.last = values.value(values.size() - (lastOpen ? 2 : 1)); // a gap is not told by what was before it
    QList<QPointF> run;
    QList<QPointF> under;
    const auto close = [&] {
        if (!run.isEmpty()) {
            line.runs.append(run);
            line.floors.append(under);
        }
        run.clear();
        under.clear();
    };
    for (qsizetype i = 0; i < values.size(); ++i) {
        if (!values.at(i)) {
            close();
            continue;
        }
        const QPointF point(times.at(i), *values.at(i) + floor.at(i));
        if (lastOpen && i + 1 == values.size()) {
            line.open = point;
            line.soFar = values.at(i);
            continue;
        }
        run.append(point);
        under.append(QPointF(times.at(i), floor.at(i)));
        line.highest = std::max(line.highest.value_or(0), *values.at(i));
    }
    close();
    return line;
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below.
double roundStep(double least)
{
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double step : { 1.0, 2.0, 5.0 }) {
        if (least <= step * power * (1 + 1e-9)) {
            return step * power;
        }
    }
    return 10 * power;
}

double timeStep(double least)
{
    constexpr double kSteps[] = { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1'800, 3'600, 7'200, 10'800, 21'600,
        43'200, 86'400, 172'800, 604'800 };
    if (least < 1) {
        return roundStep(least);
    }
    const auto *step = std::find_if(std::begin(kSteps), std::end(kSteps), [least](double one) { return one >= least; });
    return step != std::end(kSteps) ? *step : roundStep(least / 86'400) * 86'400;
}

double stepOf(double least, sql::TrendUnit unit)
{
    switch (unit) {
    case sql::TrendUnit::Count:
        return std::max(1.0, roundStep(least));
    case sql::TrendUnit::Ratio:
        return roundStep(least);
    case sql::TrendUnit::Seconds:
        return timeStep(least);
    case sql::TrendUnit::Bytes:
        return std::max(1.0, std::exp2(std::ceil(std::log2(least))));
    }
    return roundStep(least);
}

/// Of the full buckets: a backlog that is worked off in one hour would flatten all hours before. Where they hold
/// nothing, of the one that is still filling.
double highestOf(const QList<TrendLine> &lines)
{
    double highest = 0;
    double open = 0;
    for (const TrendLine &line : lines) {
        for (const QList<QPointF> &run : line.runs) {
            for (const QPointF &point : run) {
                highest = std::max(highest, point.y());
            }
        }
        for (const TrendBand &band : line.bands) {
            for (const QPointF &point : band.highest) {
                highest = std::max(highest, point.y());
            }
        }
        open = std::max(open, line.open ? line.open->y() : 0);
    }
    return highest > 0 ? highest : open;
}

void setTop(TrendPicture *picture, double highest)
{
    picture->levels = valueLevels(highest, picture->unit);
    picture->top = picture->levels.constLast();
}

void fitTop(TrendPicture *picture)
{
    constexpr double kHeadroom = 1.05;
    const double highest = highestOf(picture->lines);
    const bool share = picture->unit == sql::TrendUnit::Ratio && highest <= 1; // there is nothing above 100 %
    setTop(picture, share ? std::min(1.0, highest * kHeadroom) : highest * kHeadroom);
}

/// Splits what the hours say of each bucket into bands between gaps. full: so many buckets are over.
QList<TrendBand> bandsOf(const sql::TrendAnswer &answer, const sql::TrendSeries &series, qsizetype full,
    const sql::TrendAnswer &hours, const sql::TrendSeries &hourly)
{
    QList<TrendBand> bands;
    bool joined = false;
    qsizetype hour = 0;
    for (qsizetype bucket = 0; bucket < full; ++bucket) {
        const sql::Timestamp &end = bucket + 1 < answer.buckets.size() ? answer.buckets.at(bucket + 1) : answer.end;
        std::optional<std::pair<double, double>> range;
        for (; hour < hours.buckets.size() && hours.buckets.at(hour).micros < end.micros; ++hour) {
            const auto value = hourly.values.value(hour);
            if (value && hours.buckets.at(hour).micros >= answer.buckets.at(bucket).micros) {
                range = range ? std::pair(std::min(range->first, *value), std::max(range->second, *value))
                              : std::pair(*value, *value);
            }
        }
        if (!range || !series.values.value(bucket)) {
            joined = false;
            continue;
        }
        if (!joined) {
            bands.append(TrendBand());
        }
        joined = true;
        const double x = millis(answer.buckets.at(bucket));
        bands.last().lowest.append({ x, range->first });
        bands.last().highest.append({ x, range->second });
    }
    return bands;
}

} // namespace

bool TrendPicture::banded() const
{
    return std::any_of(lines.begin(), lines.end(), [](const TrendLine &line) { return !line.bands.isEmpty(); });
}

std::optional<TrendLine> TrendPicture::stackedTotal() const
{
    if (!stacked || lines.isEmpty()) {
        return std::nullopt;
    }
    TrendLine total;
    const auto add = [](std::optional<double> *sum, const std::optional<double> &part, bool first) {
        *sum = part && (first || *sum) ? std::optional(sum->value_or(0) + *part) : std::nullopt; // one unknown: all are
    };
    bool first = true;
    for (const TrendLine &line : lines) {
        for (const QList<QPointF> &run : line.runs) {
            for (const QPointF &point : run) {
                total.highest = std::max(total.highest.value_or(0), point.y());
            }
        }
        if (!line.previous) {
            add(&total.last, line.last, first);
            add(&total.soFar, line.soFar, first);
            first = false;
        }
    }
    return total.highest ? std::optional(total) : std::nullopt;
}

bool TrendPicture::empty() const
{
    return std::all_of(
        lines.begin(), lines.end(), [](const TrendLine &line) { return line.runs.isEmpty() && !line.open; });
}

TrendPicture trendPicture(
    const sql::TrendAnswer &answer, const sql::TrendAnswer *previous, bool stacked, const TimeFormat &format)
{
    TrendPicture picture;
    if (answer.buckets.isEmpty()) {
        return picture;
    }
    QList<double> times;
    for (const sql::Timestamp &bucket : answer.buckets) {
        times.append(millis(bucket));
    }
    picture.from = times.constFirst();
    picture.to = std::max(millis(answer.end), picture.from + 1);
    picture.unit = answer.metric.unit;
    picture.level = answer.metric.gauge;
    picture.source = answer.source;
    if (answer.lastOpen) {
        picture.openFrom = times.constLast();
    }
    picture.stacked = stacked && answer.metric.unit == sql::TrendUnit::Count && answer.series.size() > 1;
    QList<double> floor(times.size(), 0.0);
    for (const sql::TrendSeries &series : answer.series) {
        TrendLine line = lineOf(times, series.values, floor, answer.lastOpen);
        if (line.open && picture.level) {
            line.open->setX(picture.to); // it is how it is now, not how it was when the bucket began
        }
        line.name = seriesName(series);
        line.other = series.other;
        line.color = int(picture.lines.size());
        picture.lines.append(line);
        for (qsizetype i = 0; picture.stacked && i < floor.size(); ++i) {
            floor[i] += series.values.at(i).value_or(0);
        }
    }
    if (previous != nullptr && !previous->buckets.isEmpty()) {
        // A part of a bucket is not compared with the whole of one.
        const qsizetype full = times.size() - (answer.lastOpen ? 1 : 0);
        const double shift = times.constFirst() - millis(previous->buckets.constFirst());
        QList<double> shifted;
        for (const sql::Timestamp &bucket : previous->buckets.mid(0, full)) {
            shifted.append(millis(bucket) + shift);
        }
        for (const sql::TrendSeries &series : previous->series) {
            TrendLine line = lineOf(shifted, series.values.mid(0, full), QList<double>(shifted.size(), 0.0), false);
            line.name = Tr::tr("Previous period");
            line.previous = true;
            line.last = series.values.value(full - 1);
            if (!picture.lines.isEmpty() && !picture.lines.constFirst().previous) {
                picture.lines.first().before = line.last;
            }
            picture.lines.append(line);
        }
    }
    fitTop(&picture);
    picture.ticks = timeTicks(qint64(picture.from), qint64(picture.to), format.zone(), kMostTicks);
    return picture;
}

void bindColors(TrendPicture *picture, const QList<int> &colors)
{
    for (qsizetype i = 0; i < colors.size() && i < picture->lines.size(); ++i) {
        picture->lines[i].color = colors.at(i);
    }
}

void addBands(TrendPicture *picture, const sql::TrendAnswer &answer, const sql::TrendAnswer &hours)
{
    if (picture->stacked) {
        return;
    }
    const qsizetype full = answer.buckets.size() - (answer.lastOpen ? 1 : 0);
    for (qsizetype i = 0; i < answer.series.size() && i < picture->lines.size(); ++i) {
        const sql::TrendSeries &series = answer.series.at(i);
        const auto hourly = std::find_if(hours.series.cbegin(), hours.series.cend(),
            [&series](const sql::TrendSeries &one) { return sameScope(one, series); });
        if (hourly == hours.series.cend()) {
            continue;
        }
        TrendLine &line = picture->lines[i];
        line.bands = bandsOf(answer, series, full, hours, *hourly);
        for (const TrendBand &band : std::as_const(line.bands)) {
            for (const QPointF &point : band.highest) {
                line.highest = std::max(line.highest.value_or(0), point.y());
            }
        }
    }
    fitTop(picture);
}

std::optional<std::pair<double, double>> bandAt(const TrendLine &line, double x)
{
    for (const TrendBand &band : line.bands) {
        for (qsizetype i = 0; i < band.lowest.size(); ++i) {
            if (band.lowest.at(i).x() == x) {
                return std::pair(band.lowest.at(i).y(), band.highest.at(i).y());
            }
        }
    }
    return std::nullopt;
}

TrendPicture onlyLine(const TrendPicture &picture, qsizetype line)
{
    TrendPicture one = picture;
    one.lines = { picture.lines.at(line) };
    fitTop(&one);
    return one;
}

void addLimits(TrendPicture *picture, const QList<TrendLimit> &limits)
{
    constexpr double kRoom = 3;
    const double highest = highestOf(picture->lines);
    for (const TrendLimit &limit : limits) {
        if (highest > 0 && limit.y <= kRoom * highest) {
            picture->limits.append(limit);
            setTop(picture, std::max(picture->top, limit.y * 1.02));
        }
    }
}

void addMarkers(TrendPicture *picture, const QList<TrendEvent> &events, const QString &target)
{
    for (const TrendEvent &event : events) {
        const double x = millis(event.at);
        if (x >= picture->from && x <= picture->to && (event.target.isEmpty() || event.target == target)) {
            picture->markers.append({ x, event.text, event.alert });
        }
    }
    std::sort(picture->markers.begin(), picture->markers.end(),
        [](const TrendMarker &a, const TrendMarker &b) { return a.x < b.x; });
}

QList<double> valueLevels(double highest, sql::TrendUnit unit)
{
    constexpr int kMostSteps = 5;
    if (highest <= 0) {
        return { 0, 1 };
    }
    const double step = stepOf(highest / kMostSteps, unit);
    QList<double> levels { 0 };
    while (levels.constLast() < highest * (1 - 1e-9)) {
        levels += double(levels.size()) * step;
    }
    return levels;
}

QList<TrendTick> timeTicks(qint64 from, qint64 to, const QTimeZone &zone, int most)
{
    constexpr int kMinutesOfDay = 1'440;
    constexpr int kMinutes[] = { 1, 5, 10, 15, 30, 60, 120, 180, 360, 720 };
    constexpr int kDays[] = { 1, 2, 7, 14, 28, 91, 182, 364 };
    const qint64 minutes = std::max<qint64>(1, (to - from) / 60'000);
    const auto *step
        = std::find_if(std::begin(kMinutes), std::end(kMinutes), [&](int length) { return minutes / length < most; });
    const QDateTime first = QDateTime::fromMSecsSinceEpoch(from, zone);
    QList<TrendTick> ticks;
    // By the clock of the zone: 06:00 is a mark also on a day that lost an hour. A time that a clock skips is left out.
    const auto add = [&](QDate day, int minute, bool dayNamed) {
        const QDateTime at(day, QTime(minute / 60, minute % 60), zone);
        const qint64 x = at.toMSecsSinceEpoch();
        if (at.isValid() && at.time() == QTime(minute / 60, minute % 60) && x >= from && x <= to) {
            ticks.append({ double(x),
                dayNamed || minute == 0 ? QLocale::c().toString(day, u"d MMM"_s) : at.toString(u"HH:mm"_s) });
        }
    };
    const QDate last = QDateTime::fromMSecsSinceEpoch(to, zone).date();
    if (step != std::end(kMinutes)) {
        for (QDate day = first.date(); day <= last; day = day.addDays(1)) {
            for (int minute = 0; minute < kMinutesOfDay; minute += *step) {
                add(day, minute, false);
            }
        }
        return ticks;
    }
    const qint64 days = minutes / kMinutesOfDay;
    const auto *every
        = std::find_if(std::begin(kDays), std::end(kDays), [&](int length) { return days / length < most; });
    const int length = every != std::end(kDays) ? *every : int(days / most + 1);
    for (QDate day = first.date(); day <= last; day = day.addDays(length)) {
        add(day, 0, true);
    }
    return ticks;
}

} // namespace idemdesk::models
