// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/history.h"
#include "sql/types/target.h"
#include "sql/types/trend.h"

namespace idemdesk::sql {

/// A registered table whose samples are wanted.
struct HistorySource {
    QString registeredName;
    Target target;
};

/// The metrics that a history holds by the hour, and those that it compares with the days before.
QStringList dayMetrics();
QStringList comparedMetrics();

/// What the samples tell of the last day of these tables, by registered name: five statements, however many tables
/// there are. A table of which no sample was taken has none of it, and says so in `missing`. Reads only.
Result<QMap<QString, TableHistory>> readRecentHistory(Session &session, const QList<HistorySource> &sources);

/// Where the hour begins that a history compares: twelve slots before the last one that is over.
Timestamp comparedHour(const Timestamp &now);
/// One metric's last hour by scope, each beside its own hours of the days before. `then`: by the hour, from seven days
/// before the hour on that `hourBegan` lies in.
QList<ScopeHistory> comparedScopes(
    const QString &metric, const QList<TrendSeries> &now, const QList<TrendSeries> &then, const Timestamp &hourBegan);
/// The same hour of each day, of values by the hour from seven days before the hour on that `began` lies in.
HistoryValues hourOfEachDay(const HistoryValues &hours, const Timestamp &began);

} // namespace idemdesk::sql
