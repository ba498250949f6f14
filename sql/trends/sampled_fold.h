// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/trend.h"

#include <QHash>

namespace idemdesk::sql {

/// Puts sampled values of buckets and scopes together to series: the mean over the samples of a bucket (a scope that
/// had no row at one counted 0 then), the highest of ages, what happened reckoned from the minutes sampled; scopes
/// beyond the largest as one.
class SampledFold
{
public:
    SampledFold(qsizetype buckets, bool byScope, int top);

    /// So many samples were taken in this bucket, whatever they hold.
    void taken(qsizetype bucket, double samples);
    /// scope: its parts as a JSON list; "-": those beyond the largest that a sample keeps apart. amount: value times
    /// samples, summed.
    void add(qsizetype bucket, const QString &scope, double amount, double highest);

    double samples() const { return m_samples; }
    QList<TrendSeries> series(const TrendMetric &metric, qint64 bucketSeconds) const;

private:
    struct Sum {
        double amount = 0;
        double highest = 0;
    };
    bool m_byScope;
    int m_top;
    double m_samples = 0;
    QList<double> m_taken;
    QHash<QString, QHash<qsizetype, Sum>> m_scopes;
};

/// So many samples told nothing of the table's rows.
QString hiddenMinutesNote(double minutes);

} // namespace idemdesk::sql
