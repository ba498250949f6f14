// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/trend_words.h"

#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/trends/trend_picture.h"
#include "sql/types/tr.h"

#include <QLocale>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kSeriesNameChars = 60;

/// The field of the filter that compares this role's time; empty where there is none.
QString fieldOf(const std::optional<sql::Role> &time)
{
    for (const sql::FilterField field : sql::kAllOf<sql::FilterField>) {
        const sql::FilterFieldFacts &facts = sql::filterFieldFacts(field);
        if (time && facts.compares == sql::FilterCompares::Time && facts.roles.front() == time) {
            return QString::fromUtf16(facts.name);
        }
    }
    return {};
}

/// What a metric counts.
QString countedThings(const sql::TrendMetric &metric)
{
    const bool messages = metric.id == u"backlog" || metric.id == u"dead";
    return metric.id == u"lock_waits" ? Tr::tr("sessions") : messages ? Tr::tr("messages") : Tr::tr("keys");
}

QString lastFullText(const QString &value, const QString &bucket)
{
    const std::pair<const char16_t *, QString> lengths[]
        = { { u"1m", Tr::tr("%1 last full minute") }, { u"1h", Tr::tr("%1 last full hour") },
              { u"1d", Tr::tr("%1 last full day") }, { u"1w", Tr::tr("%1 last full week") } };
    for (const auto &[length, text] : lengths) {
        if (bucket == QStringView(length)) {
            return text.arg(value);
        }
    }
    const auto seconds = sql::durationSeconds(bucket);
    return Tr::tr("%1 last full %2", "value, length of time").arg(value, seconds ? durationText(*seconds) : bucket);
}

/// A level's last full bucket: its mean, of an age its highest.
QString lastLevelText(const sql::TrendMetric &metric, const QString &value, const QString &bucket)
{
    const bool highest = metric.unit == sql::TrendUnit::Seconds;
    const QString said = highest ? Tr::tr("%1 highest").arg(value) : Tr::tr("%1 mean").arg(value);
    const std::pair<const char16_t *, QString> lengths[]
        = { { u"1h", Tr::tr("%1 last hour") }, { u"1d", Tr::tr("%1 yesterday") }, { u"1w", Tr::tr("%1 last week") } };
    for (const auto &[length, text] : lengths) {
        if (bucket == QStringView(length)) {
            return text.arg(said);
        }
    }
    return lastFullText(said, bucket);
}

} // namespace

QString seriesName(const sql::TrendSeries &series)
{
    if (series.other) {
        return Tr::tr("Other scopes");
    }
    QStringList parts;
    for (const sql::Cell &part : series.scope) {
        parts += part.null ? u"–"_s : displayText(part.text, kSeriesNameChars);
    }
    return parts.isEmpty() ? Tr::tr("All keys") : parts.join(u" / "_s);
}

QString trendValueText(const sql::TrendMetric &metric, const std::optional<double> &value)
{
    if (!value) {
        return u"–"_s;
    }
    switch (metric.unit) {
    case sql::TrendUnit::Ratio:
        return Tr::tr("%1 %").arg(QLocale().toString(*value * 100, 'f',
            *value == 0                  ? 0
                : std::abs(*value) < 0.1 ? 2
                                         : 1));
    case sql::TrendUnit::Seconds:
        return *value < 60 ? tookText(std::llround(*value * 1e6)) : durationText(std::llround(*value));
    case sql::TrendUnit::Bytes:
        return bytesText(qint64(std::llround(*value)));
    case sql::TrendUnit::Count:
        break;
    }
    return countText(qint64(std::llround(*value)));
}

TrendScale trendScale(const sql::TrendMetric &metric, double highest)
{
    constexpr double kStep = 1024;
    switch (metric.unit) {
    case sql::TrendUnit::Ratio:
        return { 100, 2, u"%"_s };
    case sql::TrendUnit::Seconds:
        return highest < 1             ? TrendScale { 1'000, 0, Tr::tr("ms") }
            : highest < 2 * 60         ? TrendScale { 1, 1, Tr::tr("s") }
            : highest < 2 * sql::kHour ? TrendScale { 1.0 / 60, 1, Tr::tr("min") }
                                       : TrendScale { 1.0 / double(sql::kHour), 1, Tr::tr("h") };
    case sql::TrendUnit::Bytes:
        return highest < kStep * kStep             ? TrendScale { 1 / kStep, 1, Tr::tr("KiB") }
            : highest < 10 * kStep * kStep * kStep ? TrendScale { 1 / kStep / kStep, 1, Tr::tr("MiB") }
                                                   : TrendScale { 1 / kStep / kStep / kStep, 1, Tr::tr("GiB") };
    case sql::TrendUnit::Count:
        break;
    }
    return { 1, 0, countedThings(metric) };
}

QString trendTickText(const sql::TrendMetric &metric, double value)
{
    switch (metric.unit) {
    case sql::TrendUnit::Ratio:
        return Tr::tr("%1 %").arg(QLocale().toString(value * 100, 'g', 4));
    case sql::TrendUnit::Seconds:
        if (value <= 0) {
            return u"0"_s;
        }
        return value < sql::kHour && std::fmod(value, 60) != 0 ? tookText(std::llround(value * 1e6))
                                                               : durationText(std::llround(value));
    case sql::TrendUnit::Bytes:
        return value <= 0 ? u"0"_s : QLocale().formattedDataSize(qint64(value), value < 1024 ? 0 : 1);
    case sql::TrendUnit::Count:
        break;
    }
    return countText(std::llround(value));
}

QString trendAxisText(const sql::TrendMetric &metric, const QString &bucket)
{
    switch (metric.unit) {
    case sql::TrendUnit::Ratio:
        return Tr::tr("%1, %").arg(metric.title);
    case sql::TrendUnit::Seconds:
        return Tr::tr("%1, time").arg(metric.title);
    case sql::TrendUnit::Bytes:
        return Tr::tr("%1, bytes").arg(metric.title);
    case sql::TrendUnit::Count:
        break;
    }
    if (metric.gauge) {
        const bool messages = metric.id == u"backlog" || metric.id == u"dead";
        return metric.id == u"lock_waits" ? Tr::tr("%1, sessions").arg(metric.title)
            : messages                    ? Tr::tr("%1, messages").arg(metric.title)
                                          : Tr::tr("%1, keys").arg(metric.title);
    }
    const std::pair<const char16_t *, QString> lengths[] = { { u"1m", Tr::tr("%1 per minute") },
        { u"1h", Tr::tr("%1 per hour") }, { u"1d", Tr::tr("%1 per day") }, { u"1w", Tr::tr("%1 per week") } };
    for (const auto &[length, text] : lengths) {
        if (bucket == QStringView(length)) {
            return text.arg(metric.title);
        }
    }
    const auto seconds = sql::durationSeconds(bucket);
    return Tr::tr("%1 per %2").arg(metric.title, seconds ? durationText(*seconds) : bucket);
}

QString trendChangeText(
    const sql::TrendMetric &metric, const std::optional<double> &now, const std::optional<double> &before)
{
    if (!now || !before) {
        return {};
    }
    const double change = *now - *before;
    const auto number = [change](double size, int digits) {
        const QString sign = change > 0 ? u"+"_s : change < 0 ? u"\u2212"_s : QString();
        return sign + QLocale().toString(std::abs(size), 'f', digits);
    };
    if (metric.unit == sql::TrendUnit::Ratio) {
        return Tr::tr("%1 points", "percentage points").arg(number(change * 100, 1));
    }
    return *before == 0 ? QString() : Tr::tr("%1 %").arg(number(change / *before * 100, 0));
}

QString trendNowText(sql::TrendSource source, const QString &value)
{
    return source == sql::TrendSource::Samples ? Tr::tr("%1 last sample").arg(value) : Tr::tr("%1 now").arg(value);
}

QString trendAsOfText(sql::TrendSource source, const QString &time)
{
    return source == sql::TrendSource::Samples ? Tr::tr("%1, last sample").arg(time) : Tr::tr("%1, now").arg(time);
}

QString trendLineText(const TrendLine &line, const sql::TrendAnswer &answer, const QString &bucket)
{
    QStringList parts;
    const bool level = answer.metric.gauge && answer.lastOpen && !line.previous;
    if (level && line.soFar) {
        parts += trendNowText(answer.source, trendValueText(answer.metric, line.soFar));
    }
    if (line.highest) {
        const QString last = trendValueText(answer.metric, line.last);
        // A range that ends in the past may cut its last bucket.
        parts += line.previous ? Tr::tr("%1 in the same time before").arg(last)
            : level            ? lastLevelText(answer.metric, last, bucket)
            : answer.lastOpen  ? lastFullText(last, bucket)
                               : Tr::tr("%1 at the end").arg(last);
    }
    if (const QString change = trendChangeText(answer.metric, line.last, line.before); !change.isEmpty()) {
        parts += change;
    }
    if (line.soFar && !level) {
        parts += Tr::tr("%1 so far").arg(trendValueText(answer.metric, line.soFar));
    }
    if (line.highest) {
        parts += Tr::tr("max %1").arg(trendValueText(answer.metric, line.highest));
    }
    return parts.join(u" · "_s);
}

QString trendBandText(const sql::TrendMetric &metric, const QString &bucket)
{
    // Of an age the highest counts: a mean would hide how long the oldest one waited.
    const bool highest = metric.unit == sql::TrendUnit::Seconds;
    if (bucket == u"1d") {
        return highest ? Tr::tr("The line is the highest of each day; the band begins at its lowest hour.")
                       : Tr::tr("The line is the mean of each day; the band runs from its lowest to its highest hour.");
    }
    if (bucket == u"1w") {
        return highest
            ? Tr::tr("The line is the highest of each week; the band begins at its lowest hour.")
            : Tr::tr("The line is the mean of each week; the band runs from its lowest to its highest hour.");
    }
    const auto seconds = sql::durationSeconds(bucket);
    const QString length = seconds ? durationText(*seconds) : bucket;
    return (highest ? Tr::tr("The line is the highest of every %1; the band begins at its lowest hour.")
                    : Tr::tr("The line is the mean of every %1; the band runs from its lowest to its highest hour."))
        .arg(length);
}

QString trendFilter(const sql::TrendMetric &metric, const sql::Timestamp &from, const sql::Timestamp &to,
    const QStringList &labels, const sql::Cells &scope)
{
    QStringList terms;
    for (qsizetype i = 0; i < scope.size() && i < labels.size(); ++i) {
        terms
            += scope.at(i).null ? labels.at(i) + u":null"_s : labels.at(i) + u':' + quoteFilterValue(scope.at(i).text);
    }
    if (metric.staleOnly) {
        terms += u"state:stuck"_s;
    } else if (!metric.states.isEmpty()) {
        QStringList names;
        for (const sql::KeyState state : metric.states) {
            names += sql::stateName(state);
        }
        terms += u"state:"_s + names.join(u',');
    }
    if (metric.retriedOnly) {
        terms += u"attempts>1"_s;
    }
    if (const QString field = fieldOf(metric.time); !field.isEmpty()) {
        terms += u"%1>=%2"_s.arg(field, from.toRfc3339());
        terms += u"%1<%2"_s.arg(field, to.toRfc3339());
    }
    return terms.join(u' ');
}

} // namespace idemdesk::models
