// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/purge_stay.h"
#include "sql/types/triage.h"

#include <QDateTime>
#include <QTimeZone>

namespace idemdesk::models {

/// What becomes of one scope's rows.
struct PurgeScopeBar {
    QString name; ///< safe to show
    double goes = 0; ///< and is still there
    double gone = 0;
    double kept = 0; ///< within their retention
    double unfinished = 0;
    double others = 0; ///< in a state that is not purged

    double rows() const { return gone + goes + kept + unfinished + others; }
};

/// The scopes with most rows first, the rest as one. Without `stay` nothing is known of what stays. purged: what is
/// gone already, by scope; done: and in all, as batches note their largest scopes only.
QList<PurgeScopeBar> purgeBars(const sql::PurgePlan &plan, const std::optional<sql::PurgeStay> &stay, int most,
    const QList<sql::PurgedScope> &purged = {}, qint64 done = 0);

/// The plan's own warning of the keys that it leaves because nobody finished them; empty where there are none.
QString unfinishedWarning(const sql::PurgePlan &plan);

/// How many scopes the plan leaves empty.
int emptiedScopes(const sql::PurgePlan &plan);

/// One partition by the time that it holds.
struct PartitionPeriod {
    enum class Verdict { Empty, Whole, Partly, Needed };
    int row = 0; ///< of the partitions
    QDateTime from; ///< in the zone that was asked for
    QDateTime to; ///< excluded
    Verdict verdict = Verdict::Needed;
};

/// By time; partitions that hold no range of time are left out. A bound that is a date has no zone, and stays that day.
QList<PartitionPeriod> partitionPeriods(
    const QList<sql::PartitionFacts> &partitions, const QTimeZone &zone = QTimeZone::utc());
/// Each holds a day or two, as days of UTC do in any zone, and no two begin on the same: they can stand on a calendar.
bool standForDays(const QList<PartitionPeriod> &periods);
PartitionPeriod::Verdict partitionVerdict(const sql::PartitionFacts &facts);
QString verdictText(PartitionPeriod::Verdict verdict);

} // namespace idemdesk::models
