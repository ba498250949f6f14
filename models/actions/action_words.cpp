// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_words.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

bool isDone(const QString &outcome)
{
    return outcome == u"done" || outcome == u"purged" || outcome == u"detach" || outcome == u"attach" || outcome == u"drop";
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

QString partitionOf(const sql::ActionRecord &action) { return QJsonDocument::fromJson(action.planJson)[u"partition"_s].toString(); }

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
    case sql::ActionVerb::Purge:
        return Tr::tr("Purge %1 row(s)", nullptr, n).arg(countText(rows));
    case sql::ActionVerb::Undo:
        return Tr::tr("Put back %1 row(s)", nullptr, n).arg(countText(rows));
    default:
        return verbLabel(verb);
    }
}

QString actionStateLabel(sql::ActionState state)
{
    switch (state) {
    case sql::ActionState::Requested:
        return Tr::tr("Waits for approval");
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

QString outcomeLabel(const QString &outcome)
{
    static const QHash<QString, const char *> labels {
        { u"done"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "done") },
        { u"purged"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "purged") },
        { u"detach"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "detached") },
        { u"attach"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "attached") },
        { u"drop"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "dropped") },
        { u"changed"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "changed meanwhile") },
        { u"locked"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "locked") },
        { u"gone"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "gone") },
        { u"unique_conflict"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "unique conflict") },
        { u"check"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "refused by a check") },
        { u"privilege"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "privilege missing") },
        { u"refused"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "refused by a trigger") },
        { u"evidence"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "evidence speaks against it") },
        { u"wrong_state"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "would get another state") },
        { u"empty_replay"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "nothing to replay") },
        { u"schema_changed"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "table changed") },
        { u"error"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "failed") },
    };
    const char *label = labels.value(outcome);
    return label != nullptr ? QCoreApplication::translate("idemdesk::models::ActionWords", label) : outcome;
}

QString outcomeHelp(const QString &outcome)
{
    static const QHash<QString, const char *> helps {
        { u"done"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "The key was changed, and the trail has its images.") },
        { u"changed"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "The key is not as it was at the preview; it was left alone.") },
        { u"locked"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "A session holds the row; it was left alone.") },
        { u"gone"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "The row is not in the table any more.") },
        { u"unique_conflict"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "Another row has these unique values already.") },
        { u"check"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "A constraint of the table does not allow the change.") },
        { u"privilege"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "The role that acts lacks a right on the table.") },
        { u"refused"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "A trigger or row security kept the change away.") },
        { u"evidence"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "The effect is not as the rule demands, or could not be read.") },
        { u"wrong_state"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "The row would not have got the promised state; it was put back.") },
        { u"empty_replay"_s, QT_TRANSLATE_NOOP("idemdesk::models::ActionWords", "A retry would have been answered with nothing; it was put back.") },
    };
    const char *help = helps.value(outcome);
    return help != nullptr ? QCoreApplication::translate("idemdesk::models::ActionWords", help) : QString();
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

QString countsText(const QMap<QString, qint64> &counts)
{
    QStringList outcomes = counts.keys();
    std::stable_sort(outcomes.begin(), outcomes.end(), [&counts](const QString &a, const QString &b) {
        return isDone(a) != isDone(b) ? isDone(a) : counts.value(a) > counts.value(b);
    });
    QStringList parts;
    for (const QString &outcome : std::as_const(outcomes)) {
        if (counts.value(outcome) > 0) {
            parts += Tr::tr("%1 %2", "number, outcome").arg(countText(counts.value(outcome)), outcomeLabel(outcome));
        }
    }
    return parts.isEmpty() ? Tr::tr("nothing yet") : parts.join(u", "_s);
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
