// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/triage/triage_rules.h"
#include "sql/types/action.h"

namespace idemdesk::models {

// What people read about actions.

QString verbLabel(sql::ActionVerb verb); ///< "Recover"
/// The partition that a detach, attach or drop was about, quoted; empty for another action.
/// Detach, attach or drop: over in one step, once approved.
bool isAboutPartition(sql::ActionVerb verb);
/// What the button says that carries out an approved action on a partition: "Detach p_2020".
QString carryOutLabel(const sql::ActionRecord &action);
QString partitionOf(const sql::ActionRecord &action);
QString verbPhrase(sql::ActionVerb verb, qint64 rows); ///< "Recover 12 keys", for a button
QString actionStateLabel(sql::ActionState state); ///< "Waits for approval"
/// The same of an action: one that was approved, and of which nothing was done yet, is not running.
QString actionStateLabel(const sql::ActionRecord &action);
QStringList actionStateLabels(); ///< all that the two can say
QString outcomeLabel(const QString &outcome); ///< "Changed meanwhile"
/// The same, in the words that the server's own sentence about this row allows.
QString outcomeLabel(const QString &outcome, const QString &detail);
QString outcomeHelp(const QString &outcome); ///< one sentence: what it means
QString triageClassLabel(TriageClass cls); ///< "Safe to retry"
/// "412 done, 3 changed meanwhile, 1 locked"; the greatest first after what was done.
QString countsText(const QMap<QString, qint64> &counts);
/// The same of an action: one that is over and changed nothing did "nothing", where an open one did "nothing yet".
QString outcomeText(const sql::ActionRecord &action);
/// Rows of the counts that were changed: done, purged, or whole partitions.
qint64 rowsDone(const QMap<QString, qint64> &counts);
/// Rows that were left as they are.
qint64 rowsSkipped(const QMap<QString, qint64> &counts);

} // namespace idemdesk::models
