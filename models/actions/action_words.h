// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/triage/triage_rules.h"
#include "sql/types/action.h"

namespace idemdesk::models {

class ActionRunner;

// What people read about actions.

QString verbLabel(sql::ActionVerb verb); ///< "Recover"
/// Detach, attach or drop: over in one step, once approved.
bool isAboutPartition(sql::ActionVerb verb);
/// What the button says that carries out an approved action on a partition: "Detach p_2020".
QString carryOutLabel(const sql::ActionRecord &action);
/// The partition that a detach, attach or drop was about, quoted; empty for another action.
QString partitionOf(const sql::ActionRecord &action);
/// What the button says that ends an action of this verb before its end: "Stop purge".
QString stopLabel(sql::ActionVerb verb);
QString verbPhrase(sql::ActionVerb verb, qint64 rows); ///< "Recover 12 keys", for a button
/// keys: different ones among the rows, where several rows may be of one key: "Recover 12 keys (24 rows)".
QString verbPhrase(sql::ActionVerb verb, qint64 rows, std::optional<qint64> keys);
QString keysText(qint64 keys, qint64 rows); ///< "12 keys (24 rows)"; "12 keys" where each row is a key of its own
/// The same of a whole action: an undo says what it undoes, where that is known, and what it restored.
QString actionTitle(const sql::ActionRecord &action, const sql::ActionRecord *undone);
/// "undone 2026-11-29 02:07:23", by what those among the others did that undo this one; empty where none did.
QString undoneText(const sql::ActionRecord &action, const QList<sql::ActionRecord> &others, const TimeFormat &format);
bool keepsRows(const sql::ActionRecord &action); ///< what it deletes; else nothing brings that back
/// Whether it can be undone once it is done, and how long: "Can be undone for 7 days, until 2026-12-06".
QString undoUntilText(const sql::ActionRecord &action);
QString actionStateLabel(sql::ActionState state); ///< "Awaiting approval"
/// The same of an action: one that was approved, and of which nothing was done yet, is not running.
QString actionStateLabel(const sql::ActionRecord &action);
QStringList actionStateLabels(); ///< all that the two can say
QString outcomeLabel(const QString &outcome); ///< "Changed meanwhile"
/// The same, in the words that the server's own sentence about this row allows.
QString outcomeLabel(const QString &outcome, const QString &detail);
/// The same of an action of this verb: what an undo did is "restored".
QString outcomeLabel(const QString &outcome, sql::ActionVerb verb);
QString outcomeHelp(const QString &outcome); ///< one sentence: what it means
QString triageClassLabel(TriageClass cls); ///< "Safe to retry"
/// Of a run whose answer was lost: how long it is looked up, and why there is no answer yet.
QString lookUpText(const ActionRunner &runner);
/// "412 done, 3 changed meanwhile, 1 locked"; the greatest first after what was done.
QString countsText(const QMap<QString, qint64> &counts, sql::ActionVerb verb = sql::ActionVerb::Recover);
/// The same of an action: one that is over and changed nothing did "nothing", where an open one did "nothing yet".
QString outcomeText(const sql::ActionRecord &action);
/// Rows of the counts that were changed: done, purged, or whole partitions.
qint64 rowsDone(const QMap<QString, qint64> &counts);
/// Rows that were left as they are.
qint64 rowsSkipped(const QMap<QString, qint64> &counts);

} // namespace idemdesk::models
