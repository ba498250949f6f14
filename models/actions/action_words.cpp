// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_words.h"

#include "models/actions/action_runner.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "sql/types/tr.h"

#include <QJsonDocument>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using sql::RowEnd;

/// Whether the row was changed; a word of a newer server says nothing of that.
bool isDone(const QString &outcome)
{
    const auto end = sql::rowEndFromName(outcome);
    switch (end.value_or(RowEnd::Error)) {
    case RowEnd::Done:
    case RowEnd::Purged:
    case RowEnd::Detached:
    case RowEnd::Attached:
    case RowEnd::Dropped:
        return true;
    case RowEnd::Changed:
    case RowEnd::Locked:
    case RowEnd::Gone:
    case RowEnd::UniqueConflict:
    case RowEnd::Check:
    case RowEnd::Privilege:
    case RowEnd::Refused:
    case RowEnd::Evidence:
    case RowEnd::WrongState:
    case RowEnd::EmptyReplay:
    case RowEnd::SchemaChanged:
    case RowEnd::Error:
    case RowEnd::Broke:
        break;
    }
    return false;
}

QString labelOf(RowEnd end)
{
    switch (end) {
    case RowEnd::Done:
        return Tr::tr("done");
    case RowEnd::Purged:
        return Tr::tr("purged");
    case RowEnd::Detached:
        return Tr::tr("detached");
    case RowEnd::Attached:
        return Tr::tr("attached");
    case RowEnd::Dropped:
        return Tr::tr("dropped");
    case RowEnd::Changed:
        return Tr::tr("changed meanwhile");
    case RowEnd::Locked:
        return Tr::tr("locked");
    case RowEnd::Gone:
        return Tr::tr("gone");
    case RowEnd::UniqueConflict:
        return Tr::tr("unique conflict");
    case RowEnd::Check:
        return Tr::tr("refused by a check");
    case RowEnd::Privilege:
        return Tr::tr("privilege missing");
    case RowEnd::Refused:
        return Tr::tr("refused by a trigger");
    case RowEnd::Evidence:
        return Tr::tr("not proven");
    case RowEnd::WrongState:
        return Tr::tr("would get another state");
    case RowEnd::EmptyReplay:
        return Tr::tr("nothing to replay");
    case RowEnd::SchemaChanged:
        return Tr::tr("table changed");
    case RowEnd::Error:
        return Tr::tr("failed");
    case RowEnd::Broke:
        return Tr::tr("ended the connection");
    }
    return {};
}

QString helpOf(RowEnd end)
{
    switch (end) {
    case RowEnd::Done:
        return Tr::tr("The key was changed; the audit log keeps it before and after.");
    case RowEnd::Changed:
        return Tr::tr("The key changed since the preview; it was skipped.");
    case RowEnd::Locked:
        return Tr::tr("A session holds the row; it was skipped.");
    case RowEnd::Gone:
        return Tr::tr("The row is not in the table any more.");
    case RowEnd::UniqueConflict:
        return Tr::tr("Another row has these unique values already.");
    case RowEnd::Check:
        return Tr::tr("A constraint of the table does not allow the change.");
    case RowEnd::Privilege:
        return Tr::tr("The role that acts lacks a right on the table.");
    case RowEnd::Refused:
        return Tr::tr("A trigger or row security kept the change away.");
    case RowEnd::Evidence:
        return Tr::tr("The effect is not as the rule demands, or could not be read.");
    case RowEnd::WrongState:
        return Tr::tr("The row would not have got the promised state; it was restored.");
    case RowEnd::EmptyReplay:
        return Tr::tr("A retry would have been answered with nothing; it was restored.");
    case RowEnd::Broke:
        return Tr::tr("No answer came each time this row was tried; it was skipped.");
    case RowEnd::Purged:
    case RowEnd::Detached:
    case RowEnd::Attached:
    case RowEnd::Dropped:
    case RowEnd::SchemaChanged:
    case RowEnd::Error:
        break; // the word says it all
    }
    return {};
}

} // namespace

QString verbLabel(sql::ActionVerb verb)
{
    switch (verb) {
    case sql::ActionVerb::Recover:
        return Tr::tr("Recover");
    case sql::ActionVerb::Requeue:
        return Tr::tr("Requeue");
    case sql::ActionVerb::Reclassify:
        return Tr::tr("Reclassify");
    case sql::ActionVerb::Align:
        return Tr::tr("Align");
    case sql::ActionVerb::Purge:
        return Tr::tr("Purge");
    case sql::ActionVerb::Undo:
        return Tr::tr("Undo");
    case sql::ActionVerb::Detach:
        return Tr::tr("Detach partition");
    case sql::ActionVerb::Attach:
        return Tr::tr("Attach partition");
    case sql::ActionVerb::Drop:
        return Tr::tr("Drop partition");
    case sql::ActionVerb::Limit:
        return Tr::tr("Loosen the limit");
    case sql::ActionVerb::Adopt:
        return Tr::tr("Adopt restored tables");
    }
    return {};
}

QString stopLabel(sql::ActionVerb verb)
{
    switch (verb) {
    case sql::ActionVerb::Recover:
        return Tr::tr("Stop recovery");
    case sql::ActionVerb::Requeue:
        return Tr::tr("Stop requeue");
    case sql::ActionVerb::Reclassify:
        return Tr::tr("Stop reclassifying");
    case sql::ActionVerb::Align:
        return Tr::tr("Stop aligning");
    case sql::ActionVerb::Purge:
        return Tr::tr("Stop purge");
    case sql::ActionVerb::Undo:
        return Tr::tr("Stop undo");
    case sql::ActionVerb::Detach:
    case sql::ActionVerb::Attach:
    case sql::ActionVerb::Drop:
    case sql::ActionVerb::Limit:
    case sql::ActionVerb::Adopt:
        break; // done in one step: only what was not begun can be given up
    }
    return Tr::tr("Give it up");
}

QString partitionOf(const sql::ActionRecord &action)
{
    return QJsonDocument::fromJson(action.planJson)[u"partition"_s].toString();
}

bool isAboutPartition(sql::ActionVerb verb)
{
    return verb == sql::ActionVerb::Detach || verb == sql::ActionVerb::Attach || verb == sql::ActionVerb::Drop;
}

QString carryOutLabel(const sql::ActionRecord &action)
{
    // "app"."p_2020" is told from its neighbours by its last part.
    const QString name = displayText(partitionOf(action).section(u"\".\""_s, -1).remove(u'"'), 40);
    return action.verb == sql::ActionVerb::Detach ? Tr::tr("Detach %1").arg(name)
        : action.verb == sql::ActionVerb::Attach  ? Tr::tr("Attach %1").arg(name)
                                                  : Tr::tr("Drop %1").arg(name);
}

QString verbPhrase(sql::ActionVerb verb, qint64 rows)
{
    // The number is written with its groups, so it goes in by place; n only chooses the plural.
    const int n = int(std::min<qint64>(rows, 1'000'000));
    switch (verb) {
    case sql::ActionVerb::Recover:
        return Tr::tr("Recover %1 key(s)", nullptr, n).arg(countText(rows));
    case sql::ActionVerb::Requeue:
        return Tr::tr("Requeue %1 key(s)", nullptr, n).arg(countText(rows));
    case sql::ActionVerb::Reclassify:
        return Tr::tr("Reclassify %1 key(s)", nullptr, n).arg(countText(rows));
    case sql::ActionVerb::Align:
        return Tr::tr("Align %1 key(s)", nullptr, n).arg(countText(rows));
    case sql::ActionVerb::Purge:
        return Tr::tr("Purge %1 row(s)", nullptr, n).arg(countText(rows));
    case sql::ActionVerb::Undo:
        return Tr::tr("Undo %1 row(s)", nullptr, n).arg(countText(rows));
    case sql::ActionVerb::Detach:
    case sql::ActionVerb::Attach:
    case sql::ActionVerb::Drop:
    case sql::ActionVerb::Limit:
    case sql::ActionVerb::Adopt:
        break; // of no number of rows
    }
    return verbLabel(verb);
}

QString verbPhrase(sql::ActionVerb verb, qint64 rows, std::optional<qint64> keys)
{
    return keys && *keys < rows ? Tr::tr("%1 (%2)", "what is done with how many keys, how many rows")
                                      .arg(verbPhrase(verb, *keys), rowsText(rows))
                                : verbPhrase(verb, rows);
}

QString keysText(qint64 keys, qint64 rows)
{
    const QString text = Tr::tr("%Ln key(s)", nullptr, int(keys));
    return keys < rows ? Tr::tr("%1 (%2)", "keys, how many rows they are").arg(text, rowsText(rows)) : text;
}

QString actionTitle(const sql::ActionRecord &action, const sql::ActionRecord *undone)
{
    if (action.verb != sql::ActionVerb::Undo) {
        return verbPhrase(action.verb, action.plannedRows);
    }
    const qint64 rows = action.finishedAt ? rowsDone(action.counts) : 0;
    const QString what = undone != nullptr ? Tr::tr("Undo of “%1”").arg(verbPhrase(undone->verb, undone->plannedRows))
                                           : verbPhrase(action.verb, action.plannedRows);
    const int n = int(std::min<qint64>(rows, 1'000'000));
    return rows > 0 ? Tr::tr("%1: %2 row(s) restored", "what, number", n).arg(what, countText(rows)) : what;
}

QString undoneText(const sql::ActionRecord &action, const QList<sql::ActionRecord> &others, const TimeFormat &format)
{
    qint64 restored = 0;
    std::optional<sql::Timestamp> at;
    for (const sql::ActionRecord &other : others) {
        const qint64 rows = other.undoOf == action.id ? rowsDone(other.counts) : 0;
        if (rows > 0 && other.finishedAt) {
            restored += rows;
            at = at ? std::max(*at, *other.finishedAt) : *other.finishedAt;
        }
    }
    return !at                                ? QString()
        : restored >= rowsDone(action.counts) ? Tr::tr("undone %1", "when").arg(format.text(*at))
                                              : Tr::tr("partly undone %1", "when").arg(format.text(*at));
}

bool keepsRows(const sql::ActionRecord &action)
{
    return QJsonDocument::fromJson(action.planJson)[u"images"_s].toBool(true);
}

QString undoUntilText(const sql::ActionRecord &action)
{
    switch (action.verb) {
    case sql::ActionVerb::Undo:
    case sql::ActionVerb::Attach:
    case sql::ActionVerb::Drop:
    case sql::ActionVerb::Limit:
    case sql::ActionVerb::Adopt:
        return Tr::tr("Cannot be undone");
    case sql::ActionVerb::Recover:
    case sql::ActionVerb::Requeue:
    case sql::ActionVerb::Reclassify:
    case sql::ActionVerb::Align:
    case sql::ActionVerb::Purge:
    case sql::ActionVerb::Detach:
        break;
    }
    if (!keepsRows(action)) {
        return Tr::tr("Cannot be undone: the rows are not kept");
    }
    const QDate until = QDate::fromString(action.keepUntil, Qt::ISODate);
    const QDateTime asked = action.requestedAt.toDateTime();
    const qint64 days = until.isValid() && asked.isValid() ? asked.date().daysTo(until) : 0;
    return action.keepUntil.isEmpty() ? QString()
        : days > 0 ? Tr::tr("Can be undone for %n day(s), until %1", nullptr, int(days)).arg(action.keepUntil)
                   : Tr::tr("Can be undone until %1").arg(action.keepUntil);
}

QString actionStateLabel(sql::ActionState state)
{
    switch (state) {
    case sql::ActionState::Requested:
        return Tr::tr("Awaiting approval");
    case sql::ActionState::Running:
        return Tr::tr("Running");
    case sql::ActionState::Paused:
        return Tr::tr("Paused");
    case sql::ActionState::Finished:
        return Tr::tr("Finished");
    case sql::ActionState::Cancelled:
        return Tr::tr("Cancelled");
    case sql::ActionState::Declined:
        return Tr::tr("Declined");
    case sql::ActionState::Finding:
        return Tr::tr("Finding out");
    }
    return {};
}

namespace {

QString approvedLabel()
{
    return Tr::tr("Approved, not begun");
}

} // namespace

QString actionStateLabel(const sql::ActionRecord &action)
{
    const bool begun = action.lastBatch > 0 || !action.counts.isEmpty();
    return action.state == sql::ActionState::Running && !action.approvedBy.isEmpty() && !begun
        ? approvedLabel()
        : actionStateLabel(action.state);
}

QStringList actionStateLabels()
{
    QStringList labels { approvedLabel() };
    for (const sql::ActionState state :
        { sql::ActionState::Requested, sql::ActionState::Running, sql::ActionState::Paused, sql::ActionState::Finished,
            sql::ActionState::Cancelled, sql::ActionState::Declined, sql::ActionState::Finding }) {
        labels += actionStateLabel(state);
    }
    return labels;
}

QString outcomeLabel(const QString &outcome)
{
    const auto end = sql::rowEndFromName(outcome);
    return end ? labelOf(*end) : outcome;
}

QString outcomeLabel(const QString &outcome, const QString &detail)
{
    // The server's own words, which are English everywhere.
    const bool evidence = sql::rowEndFromName(outcome) == RowEnd::Evidence;
    return evidence && detail.contains(u" cannot be known"_s) ? Tr::tr("cannot be known")
        : evidence && (detail.endsWith(u" exists."_s) || detail.endsWith(u" does not exist."_s))
        ? Tr::tr("evidence speaks against it")
        : outcomeLabel(outcome);
}

QString outcomeLabel(const QString &outcome, sql::ActionVerb verb)
{
    return verb == sql::ActionVerb::Undo && sql::rowEndFromName(outcome) == RowEnd::Done ? Tr::tr("restored")
                                                                                         : outcomeLabel(outcome);
}

QString outcomeHelp(const QString &outcome)
{
    const auto end = sql::rowEndFromName(outcome);
    return end ? helpOf(*end) : QString();
}

QString triageClassLabel(TriageClass cls)
{
    switch (cls) {
    case TriageClass::Running:
        return Tr::tr("Running");
    case TriageClass::EffectHappened:
        return Tr::tr("Effect happened");
    case TriageClass::SafeToRetry:
        return Tr::tr("Safe to retry");
    case TriageClass::Abandoned:
        return Tr::tr("Abandoned");
    case TriageClass::NeedsReview:
        break;
    }
    return Tr::tr("Needs review");
}

QString lookUpText(const ActionRunner &runner)
{
    const auto &error = runner.lookUpError();
    const QString why = error ? u' ' + displayText(error->line(), kToolTipChars) : QString();
    if (runner.givingUp()) {
        return Tr::tr("Stopping: it is looked up once more.") + why;
    }
    return error
        ? Tr::tr("An answer was lost; it has been looked up for %1.").arg(durationText(runner.lookingSeconds())) + why
        : Tr::tr("An answer was lost; it is looked up.");
}

QString countsText(const QMap<QString, qint64> &counts, sql::ActionVerb verb)
{
    QStringList outcomes = counts.keys();
    std::stable_sort(outcomes.begin(), outcomes.end(), [&counts](const QString &a, const QString &b) {
        return isDone(a) != isDone(b) ? isDone(a) : counts.value(a) > counts.value(b);
    });
    QStringList parts;
    for (const QString &outcome : std::as_const(outcomes)) {
        if (counts.value(outcome) > 0) {
            parts += Tr::tr("%1 %2", "number, outcome")
                         .arg(countText(counts.value(outcome)), outcomeLabel(outcome, verb));
        }
    }
    return parts.isEmpty() ? Tr::tr("nothing yet") : parts.join(u", "_s);
}

QString outcomeText(const sql::ActionRecord &action)
{
    const bool counted
        = std::any_of(action.counts.cbegin(), action.counts.cend(), [](qint64 rows) { return rows > 0; });
    return counted || action.open() ? countsText(action.counts, action.verb) : Tr::tr("nothing done");
}

qint64 rowsDone(const QMap<QString, qint64> &counts)
{
    qint64 rows = 0;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
        rows += isDone(it.key()) ? it.value() : 0;
    }
    return rows;
}

qint64 rowsSkipped(const QMap<QString, qint64> &counts)
{
    qint64 rows = 0;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
        rows += isDone(it.key()) ? 0 : it.value();
    }
    return rows;
}

} // namespace idemdesk::models
