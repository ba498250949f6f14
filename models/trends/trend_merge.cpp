// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/trend_merge.h"

#include <algorithm>

namespace idemdesk::models {

namespace {

bool folds(const sql::TrendAnswer &answer)
{
    return std::any_of(
        answer.series.cbegin(), answer.series.cend(), [](const sql::TrendSeries &series) { return series.other; });
}

/// The newest minute that was sampled at all.
qsizetype newestKnown(const sql::TrendAnswer &minutes)
{
    for (qsizetype bucket = minutes.buckets.size() - 1; bucket >= 0; --bucket) {
        if (std::any_of(minutes.series.cbegin(), minutes.series.cend(),
                [bucket](const sql::TrendSeries &series) { return series.values.value(bucket).has_value(); })) {
            return bucket;
        }
    }
    return -1;
}

} // namespace

bool sameScope(const sql::TrendSeries &a, const sql::TrendSeries &b)
{
    return a.other == b.other
        && std::equal(a.scope.cbegin(), a.scope.cend(), b.scope.cbegin(), b.scope.cend(),
            [](const sql::Cell &x, const sql::Cell &y) { return x.null == y.null && x.text == y.text; });
}

sql::TrendAnswer withNewestSample(const sql::TrendAnswer &answer, const sql::TrendAnswer &minutes)
{
    sql::TrendAnswer now = answer;
    if (!now.lastOpen || now.buckets.isEmpty()) {
        return now;
    }
    const qsizetype newest = newestKnown(minutes);
    const bool age = now.metric.unit == sql::TrendUnit::Seconds; // of several scopes the oldest one counts
    for (sql::TrendSeries &series : now.series) {
        std::optional<double> value;
        for (const sql::TrendSeries &one : minutes.series) {
            const bool apart = std::any_of(answer.series.cbegin(), answer.series.cend(),
                [&one](const sql::TrendSeries &known) { return !known.other && sameScope(known, one); });
            const auto sampled = one.values.value(newest);
            if (sampled && (series.other ? !apart : sameScope(series, one))) {
                value = !value ? *sampled : age ? std::max(*value, *sampled) : *value + *sampled;
            }
        }
        if (!value && newest >= 0 && now.metric.unit == sql::TrendUnit::Count) {
            value = 0; // others have a number at that minute, and this scope has none
        }
        if (series.values.size() == now.buckets.size()) {
            series.values.last() = value;
        }
    }
    return now;
}

std::optional<sql::Timestamp> newestSample(const sql::TrendAnswer &minutes)
{
    const qsizetype newest = newestKnown(minutes);
    return newest < 0 ? std::nullopt : std::optional(minutes.buckets.at(newest));
}

std::optional<sql::Timestamp> mergeFrom(const sql::TrendAnswer &older)
{
    constexpr int kFewest = 4; // below, reading all is as good
    // How a gauge was is not in the rows, and samples are read in milliseconds.
    if (older.source != sql::TrendSource::Rows || older.metric.gauge || !older.lastOpen
        || older.buckets.size() < kFewest || folds(older)) {
        return std::nullopt;
    }
    return older.buckets.at(older.buckets.size() - 2);
}

std::optional<sql::TrendAnswer> mergedTrend(
    const sql::TrendAnswer &older, const sql::TrendAnswer &fresh, qint64 seconds)
{
    if (older.metric.id != fresh.metric.id || older.source != fresh.source || fresh.buckets.isEmpty() || folds(older)
        || folds(fresh)) {
        return std::nullopt;
    }
    const qsizetype joint = older.buckets.indexOf(fresh.buckets.constFirst());
    if (joint < 0) {
        return std::nullopt;
    }
    for (const sql::TrendSeries &series : fresh.series) {
        const bool some = std::any_of(
            series.values.cbegin(), series.values.cend(), [](const auto &value) { return value && *value != 0; });
        if (some && std::none_of(older.series.cbegin(), older.series.cend(), [&series](const sql::TrendSeries &known) {
                return sameScope(known, series);
            })) {
            return std::nullopt; // what it was before is not known
        }
    }
    sql::TrendAnswer answer = fresh;
    answer.notes = older.notes;
    answer.buckets = older.buckets.mid(0, joint) + fresh.buckets;
    answer.series = older.series;
    for (sql::TrendSeries &series : answer.series) {
        series.values = series.values.mid(0, joint);
        const auto found = std::find_if(fresh.series.cbegin(), fresh.series.cend(),
            [&series](const sql::TrendSeries &one) { return sameScope(one, series); });
        for (qsizetype i = 0; i < fresh.buckets.size(); ++i) {
            // Where others have a count and this scope none, it had no row.
            const bool known = fresh.metric.unit == sql::TrendUnit::Count
                && std::any_of(fresh.series.cbegin(), fresh.series.cend(),
                    [i](const sql::TrendSeries &one) { return one.values.value(i).has_value(); });
            series.values += found != fresh.series.cend() ? found->values.at(i)
                : known                                   ? std::optional<double>(0)
                                                          : std::nullopt;
        }
    }
    const qint64 first = fresh.end.micros - seconds * sql::kMicros;
    qsizetype gone = 0;
    while (gone + 1 < answer.buckets.size() && answer.buckets.at(gone + 1).micros <= first) {
        ++gone;
    }
    answer.buckets = answer.buckets.mid(gone);
    for (sql::TrendSeries &series : answer.series) {
        series.values = series.values.mid(gone);
    }
    return answer;
}

} // namespace idemdesk::models
