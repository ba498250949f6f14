// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/sampled_fold.h"

#include "sql/trends/series_set.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

SampledFold::SampledFold(qsizetype buckets, bool byScope, int top)
    : m_byScope(byScope)
    , m_top(std::max(1, top))
    , m_taken(buckets, 0.0)
{
}

void SampledFold::taken(qsizetype bucket, double samples)
{
    if (bucket >= 0 && bucket < m_taken.size()) {
        m_taken[bucket] += samples;
        m_samples += samples;
    }
}

void SampledFold::add(qsizetype bucket, const QString &scope, double amount, double highest)
{
    if (bucket >= 0 && bucket < m_taken.size()) {
        Sum &sum = m_scopes[m_byScope ? scope : QString()][bucket];
        sum.amount += amount;
        sum.highest = std::max(sum.highest, highest);
    }
}

QList<TrendSeries> SampledFold::series(const TrendMetric &metric, qint64 bucketSeconds) const
{
    QList<std::pair<double, QString>> order;
    for (auto scope = m_scopes.cbegin(); scope != m_scopes.cend(); ++scope) {
        double total = 0;
        for (const Sum &sum : *scope) {
            total += sum.amount;
        }
        if (scope.key() != u"-") {
            order.append({ -total, scope.key() });
        }
    }
    std::sort(order.begin(), order.end());
    const bool age = metric.unit == TrendUnit::Seconds;
    SeriesSet set(m_taken.size());
    const auto put = [&](const Cell &scope, qsizetype bucket, const Sum &sum) {
        const double mean = sum.amount / std::max(1.0, m_taken.at(bucket));
        set.put(bucket, scope, age ? sum.highest : metric.gauge ? mean : mean * double(bucketSeconds) / 60);
    };
    QStringList apart;
    for (const auto &[total, scope] : order.mid(0, m_top)) {
        apart += scope;
    }
    QHash<qsizetype, Sum> others;
    for (auto scope = m_scopes.cbegin(); scope != m_scopes.cend(); ++scope) {
        const bool alone = apart.contains(scope.key());
        for (auto at = scope->cbegin(); at != scope->cend(); ++at) {
            if (alone) {
                put(Cell::of(scope.key()), at.key(), *at);
            } else {
                Sum &other = others[at.key()];
                other.amount += at->amount;
                other.highest = std::max(other.highest, at->highest);
            }
        }
    }
    for (auto at = others.cbegin(); at != others.cend(); ++at) {
        put(Cell(), at.key(), *at);
    }
    QList<bool> known;
    for (const double count : m_taken) {
        known += count > 0;
    }
    return set.take(known);
}

QString hiddenMinutesNote(double minutes)
{
    return Tr::tr("In %n sampled minute(s) row security hid rows from the role that counts them; they count as gaps.",
        nullptr, int(minutes));
}

} // namespace idemdesk::sql
