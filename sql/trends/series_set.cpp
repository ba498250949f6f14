// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/series_set.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

Cells scopeOf(const QString &json)
{
    Cells cells;
    const QJsonArray parts = QJsonDocument::fromJson(json.toUtf8()).array();
    for (const QJsonValue &part : parts) {
        cells += part.isNull() ? Cell() : Cell::of(part.toString());
    }
    return cells;
}

QString nameOf(const Cell &scope)
{
    return scope.null ? u"-"_s : u'+' + scope.text;
}

double sum(const TrendSeries &series)
{
    double total = 0;
    for (const auto &value : series.values) {
        total += value.value_or(0);
    }
    return total;
}

} // namespace

SeriesSet::SeriesSet(qsizetype buckets)
    : m_buckets(buckets)
{
}

void SeriesSet::put(qsizetype bucket, const Cell &scope, std::optional<double> value)
{
    if (bucket >= 0 && bucket < m_buckets) {
        seriesOf(scope).values[bucket] = value;
    }
}

bool SeriesSet::beginLate(qsizetype first, const QHash<QString, qsizetype> &found)
{
    bool late = false;
    for (auto scope = m_index.cbegin(); scope != m_index.cend(); ++scope) {
        const auto &values = m_series.at(*scope).values;
        if (m_series.at(*scope).other || (first < m_buckets && values.at(first))) {
            continue;
        }
        const auto own = std::find_if(values.cbegin(), values.cend(), [](const auto &value) { return value; });
        const qsizetype begin = std::min(own - values.cbegin(), found.value(scope.key().mid(1), m_buckets));
        m_begins[*scope] = std::max<qsizetype>(begin, 0);
        late = late || begin > first;
    }
    return late;
}

bool SeriesSet::someBeginLate(qsizetype first) const
{
    return first < m_buckets && std::any_of(m_series.cbegin(), m_series.cend(), [first](const TrendSeries &series) {
        return !series.other && !series.values.at(first);
    });
}

QList<TrendSeries> SeriesSet::take(bool zeros, qsizetype first)
{
    QList<bool> known(m_buckets, false);
    for (qsizetype i = first; zeros && i < m_buckets; ++i) {
        known[i] = true;
    }
    return take(known);
}

QList<TrendSeries> SeriesSet::take(const QList<bool> &known)
{
    if (m_series.isEmpty()) {
        seriesOf(Cell::of(QString()));
    }
    for (qsizetype place = 0; place < m_series.size(); ++place) {
        TrendSeries &series = m_series[place];
        for (qsizetype i = m_begins.at(place); i < m_buckets; ++i) {
            if (known.at(i)) {
                series.values[i] = series.values.at(i).value_or(0);
            }
        }
    }
    return sorted();
}

QList<TrendSeries> SeriesSet::sorted()
{
    std::stable_sort(m_series.begin(), m_series.end(), [](const TrendSeries &a, const TrendSeries &b) {
        if (a.other != b.other) {
            return b.other;
        }
        const double left = sum(a);
        const double right = sum(b);
        return left != right ? left > right
                             : std::lexicographical_compare(a.scope.begin(), a.scope.end(), b.scope.begin(),
                                 b.scope.end(), [](const Cell &x, const Cell &y) { return x.text < y.text; });
    });
    return m_series;
}

qsizetype SeriesSet::firstSeen() const
{
    qsizetype first = m_buckets;
    for (const TrendSeries &series : m_series) {
        for (qsizetype i = 0; i < first; ++i) {
            if (series.values.at(i)) {
                first = i;
            }
        }
    }
    return first;
}

TrendSeries &SeriesSet::seriesOf(const Cell &scope)
{
    const QString name = nameOf(scope);
    const auto known = m_index.constFind(name);
    if (known != m_index.constEnd()) {
        return m_series[*known];
    }
    TrendSeries series;
    series.other = scope.null;
    series.scope = scope.null || scope.text.isEmpty() ? Cells() : scopeOf(scope.text);
    series.values.resize(m_buckets);
    m_index.insert(name, m_series.size());
    m_series.append(series);
    m_begins.append(0);
    return m_series.last();
}

} // namespace idemdesk::sql
