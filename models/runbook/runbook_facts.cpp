// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/runbook/runbook_facts.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/format/time_format.h"
#include "sql/actions/action_gateway.h"
#include "sql/activity/activity_gateway.h"
#include "sql/activity/replication.h"
#include "sql/conflicts/conflict_gateway.h"
#include "sql/runbook/situation.h"
#include "sql/types/tr.h"
#include "sql/types/utc.h"

#include <QDate>
#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using F = RunbookFact;
using A = RunbookAnswer;

constexpr qint64 kLongSeconds = 60; ///< that a transaction may last
constexpr double kLagSeconds = 1.5; ///< from here on a purge of the console holds off
constexpr qint64 kLagBytes = 16'777'216; ///< a segment of the log
constexpr int kMostReuses = 1'000;
constexpr int kMostPurges = 50;
constexpr qsizetype kMostNamed = 3;
constexpr double kMostOfIt = 0.5;

/// "4711 (payments)"
QString sessionName(const sql::BackendActivity &backend)
{
    return backend.application.isEmpty() ? QString::number(backend.pid)
                                         : u"%1 (%2)"_s.arg(backend.pid).arg(backend.application);
}

/// The first few of them, and how many more there are.
QString named(QStringList names)
{
    names.removeDuplicates();
    const qsizetype more = names.size() - kMostNamed;
    names = names.mid(0, kMostNamed);
    return more > 0 ? Tr::tr("%1 and %n more", nullptr, int(more)).arg(names.join(u", "_s)) : names.join(u", "_s);
}

RunbookSighting hiddenSessions(const QString &otherwise)
{
    return sighted(A::Unknown,
        otherwise + u' '
            + Tr::tr("But the server hides what sessions of other users do. A member of pg_read_all_stats sees it."));
}

/// A session that runs nothing has no statement to cancel.
QString stopCommand(const sql::BackendActivity &backend)
{
    return u"idemdeskctl activity %1 %2 --reason REASON"_s
        .arg(backend.state.startsWith(u"idle"_s) ? u"terminate"_s : u"cancel"_s)
        .arg(backend.pid);
}

/// How far the undo of a purge is, and since when. back: rows that this and earlier undos put back.
QString undoText(const sql::ActionRecord &undo, qint64 back, qint64 purged)
{
    if (undo.state == sql::ActionState::Requested) {
        return Tr::tr("Its undo was asked for at %1 and waits for approval.").arg(TimeFormat().text(undo.requestedAt));
    }
    const QString rows = Tr::tr("%1 of %2 rows are back.", "after an undo").arg(countText(back), countText(purged));
    return (undo.open() || !undo.finishedAt
                   ? Tr::tr("It is being undone by %1, since %2.")
                         .arg(undo.requestedBy, TimeFormat().text(undo.requestedAt))
                   : Tr::tr("It was undone by %1 at %2.").arg(undo.requestedBy, TimeFormat().text(*undo.finishedAt)))
        + u' ' + rows;
}

/// Sessions with nothing but an advisory lock are seen, too: of a migration, or of whatever takes one.
bool holdsTables(const sql::BackendActivity &backend)
{
    return std::any_of(backend.locks.cbegin(), backend.locks.cend(),
        [](const sql::SessionLock &lock) { return lock.type != u"advisory"; });
}

} // namespace

RunbookSighting sighted(RunbookAnswer answer, const QString &seen)
{
    RunbookSighting sighting;
    sighting.answer = answer;
    sighting.seen = seen;
    return sighting;
}

sql::Timestamp RunbookFacts::before(qint64 seconds) const
{
    return { sql::Timestamp::Kind::Finite, m_now.micros - seconds * sql::kMicros };
}

sql::Result<RunbookSighting> RunbookFacts::ofDatabase(const RunbookStep &step)
{
    switch (step.fact) {
    case F::SessionsWait:
        return sessionsWait();
    case F::LongTransactions:
        return longTransactions();
    case F::Deadlocks:
        return deadlocks();
    case F::AdvisoryWaits:
        return advisoryWaits();
    case F::LoggedConflicts:
        return loggedConflicts(QString::fromLatin1(step.argument));
    case F::Crashes:
        return crashes();
    case F::KeyReuse:
        return keyReuse();
    case F::OneCaller:
        return oneCaller();
    case F::PurgesOpen:
        return purgesOpen();
    case F::PurgesIncomplete:
        return purgesIncomplete();
    case F::PurgeUndoable:
        return purgeUndoable();
    case F::StandbyLag:
        return standbyLag();
    case F::ReplayPaused:
        return replayPaused();
    case F::IdleSlots:
        return idleSlots();
    case F::SyncStandby:
        return syncStandby();
    case F::StandbyConflicts:
        return standbyConflicts();
    case F::Rows:
    case F::Health:
    case F::Alert:
    case F::StuckOfClass:
    case F::StuckExternal:
    case F::ScopeRetries:
    case F::Doubles:
    case F::QueueOld:
    case F::QueueSilent:
        break;
    }
    return sighted(A::Nothing, {});
}

const sql::Result<sql::ActivityReport> &RunbookFacts::activity()
{
    if (!m_activity) {
        QList<sql::Target> targets;
        for (const RunbookSubject &subject : m_subjects) {
            targets += subject.target;
        }
        m_activity = sql::readActivity(m_session, targets);
    }
    return *m_activity;
}

/// Nobody was seen on the tables that were looked at; that says nothing of others.
sql::Result<RunbookSighting> RunbookFacts::nobody(const QString &seen) const
{
    if (m_someNotRead) {
        return sighted(A::Unknown, seen + u' ' + Tr::tr("But not every table could be looked at."));
    }
    return m_subjects.isEmpty() ? sighted(A::Nothing, Tr::tr("No table is known here, so no session was looked at."))
                                : sighted(A::Fine, seen);
}

sql::Result<RunbookSighting> RunbookFacts::sessionsWait()
{
    const auto &report = activity();
    if (!report) {
        return report.error();
    }
    int waiting = 0;
    QStringList holders;
    QString command;
    const auto onTables = std::count_if(report->backends.cbegin(), report->backends.cend(), holdsTables);
    for (const sql::BackendActivity &backend : report->backends) {
        waiting += backend.blockedBy.isEmpty() ? 0 : 1;
        for (const int pid : backend.blockedBy) {
            const auto holder = std::find_if(report->backends.cbegin(), report->backends.cend(),
                [pid](const sql::BackendActivity &other) { return other.pid == pid; });
            const bool waitsItself = holder != report->backends.cend() && !holder->blockedBy.isEmpty();
            if (!waitsItself) {
                holders += holder != report->backends.cend() ? sessionName(*holder) : QString::number(pid);
                command = command.isEmpty() && holder != report->backends.cend() ? stopCommand(*holder) : command;
            }
        }
    }
    if (waiting == 0) {
        return nobody(Tr::tr("%n session(s) hold locks on the tables.", nullptr, int(onTables)));
    }
    auto sighting = sighted(A::Trouble,
        Tr::tr("%n session(s) wait.", nullptr, waiting) + u' ' + Tr::tr("Held up by: %1.").arg(named(holders)));
    sighting.command = command;
    return sighting;
}

sql::Result<RunbookSighting> RunbookFacts::longTransactions()
{
    const auto &report = activity();
    if (!report) {
        return report.error();
    }
    QStringList long_;
    QString command;
    for (const sql::BackendActivity &backend : report->backends) {
        if (!holdsTables(backend)) {
            continue;
        }
        const qint64 age
            = backend.transactionStart ? (report->now.micros - backend.transactionStart->micros) / sql::kMicros : 0;
        if (age > kLongSeconds) {
            command = command.isEmpty() ? stopCommand(backend) : command;
            long_ += Tr::tr("%1 for %2, %3", "session, how long, its state")
                         .arg(sessionName(backend), durationText(age), backend.state);
        }
    }
    if (!long_.isEmpty()) {
        auto sighting = sighted(A::Trouble, Tr::tr("Open: %1.").arg(named(long_)));
        sighting.command = command;
        return sighting;
    }
    const QString none = Tr::tr("No transaction on the tables is older than a minute.");
    return report->complete ? nobody(none) : hiddenSessions(none);
}

sql::Result<RunbookSighting> RunbookFacts::deadlocks()
{
    const auto &report = activity();
    if (!report) {
        return report.error();
    }
    const QString since = report->countedSince ? Tr::tr("since %1").arg(TimeFormat().text(*report->countedSince))
                                               : Tr::tr("since its counters began");
    return sighted(report->deadlocks > 0 ? A::Trouble : A::Fine,
        Tr::tr("The server counts %n deadlock(s) in this database %1.", nullptr, int(report->deadlocks)).arg(since)
            + u' ' + Tr::tr("%n of them since this program began to look.", nullptr, int(report->watched.deadlocks)));
}

sql::Result<RunbookSighting> RunbookFacts::standbyConflicts()
{
    TRY(const auto setup, sql::readStandbySetup(m_session));
    if (!setup.standby) {
        return sighted(A::Nothing, Tr::tr("This server is no standby."));
    }
    const auto &report = activity();
    if (!report) {
        return report.error();
    }
    return sighted(report->standbyConflicts > 0 ? A::Trouble : A::Fine,
        Tr::tr("%n statement(s) were cancelled for replay.", nullptr, int(report->standbyConflicts)));
}

sql::Result<RunbookSighting> RunbookFacts::advisoryWaits()
{
    TRY(const auto locks, sql::readAdvisoryLocks(m_session));
    const QString held = Tr::tr("%n advisory lock(s) are held.", nullptr, locks.held);
    return locks.waiting > 0 ? sighted(A::Trouble, Tr::tr("%n session(s) wait.", nullptr, locks.waiting) + u' ' + held)
                             : sighted(A::Fine, held);
}

sql::Result<RunbookSighting> RunbookFacts::crashes()
{
    TRY(const auto signs, sql::readCrashSigns(m_session));
    const qint64 up = (m_now.micros - signs.serverStarted.micros) / sql::kMicros;
    const QString seen = Tr::tr("Sessions lost: %1 by their client, %2 by an error, %3 stopped by a person.")
                             .arg(countText(signs.abandoned), countText(signs.fatal), countText(signs.killed))
        + u' '
        + (signs.countedSince ? Tr::tr("Counted since %1.").arg(TimeFormat().text(*signs.countedSince)) + u' '
                              : QString())
        + Tr::tr("The server has been up for %1.").arg(durationText(up));
    // Keys are stuck for longer than that: none in a few minutes says nothing of them. A crash resets the counters.
    constexpr qint64 kLeastCounted = 3'600; // seconds
    const qint64 counted = signs.countedSince ? (m_now.micros - signs.countedSince->micros) / sql::kMicros : up;
    return signs.lost() > 0       ? sighted(A::Trouble, seen)
        : counted < kLeastCounted ? sighted(A::Unknown, seen + u' ' + Tr::tr("That is too short to tell."))
                                  : sighted(A::Fine, seen);
}

sql::Result<RunbookSighting> RunbookFacts::loggedConflicts(const QString &kind)
{
    TRY(const auto sight, sql::conflictSight(m_session));
    sql::ConflictFilter filter;
    filter.since = before(sql::kDay);
    filter.kind = kind;
    TRY(const auto page, sql::readConflicts(m_session, filter));
    if (page.rows.isEmpty()) {
        const QString nothing = Tr::tr("No log that was imported tells of one. What was not imported is not known.");
        auto sighting = sighted(A::Unknown,
            sight == sql::ConflictSight::Everything
                ? nothing
                : Tr::tr("This login may not read every table, so it is not shown all of them."));
        sighting.command = u"idemdeskctl conflicts import --server"_s;
        return sighting;
    }
    QStringList keys;
    for (const sql::ConflictRecord &record : page.rows) {
        keys += record.key.value_or(Tr::tr("a key that the log does not name"));
    }
    auto sighting = sighted(A::Trouble,
        Tr::tr("%n record(s) of the last day.", nullptr, int(page.rows.size())) + u' '
            + (page.more ? Tr::tr("There are more.") + u' ' : QString()) + Tr::tr("Keys: %1.").arg(named(keys)));
    sighting.command = u"idemdeskctl conflicts --since 1d --kind "_s + kind;
    return sighting;
}

sql::Result<RunbookFacts::Reuse> RunbookFacts::readReuse()
{
    TRY(const auto sight, sql::conflictSight(m_session));
    Reuse reuse;
    reuse.whole = sight == sql::ConflictSight::Everything;
    // Each kind by itself: failures of other kinds would fill the page.
    for (const char16_t *kind : { u"key_conflict", u"message_conflict", u"application" }) {
        sql::ConflictFilter filter;
        filter.since = before(sql::kHour);
        filter.limit = kMostReuses;
        filter.kind = QString::fromUtf16(kind);
        TRY(const auto page, sql::readConflicts(m_session, filter));
        reuse.more = reuse.more || page.more;
        std::copy_if(page.rows.cbegin(), page.rows.cend(), std::back_inserter(reuse.records),
            [](const sql::ConflictRecord &record) { return record.isReuse(); });
    }
    return reuse;
}

const sql::Result<RunbookFacts::Reuse> &RunbookFacts::reuse()
{
    if (!m_reuse) {
        m_reuse = readReuse();
    }
    return *m_reuse;
}

sql::Result<RunbookSighting> RunbookFacts::keyReuse()
{
    const auto &found = reuse();
    if (!found) {
        return found.error();
    }
    if (found->records.isEmpty()) {
        return !found->whole || found->more
            ? sighted(A::Unknown, Tr::tr("This login may not read every table, so it is not shown all of them."))
            : sighted(A::Unknown,
                Tr::tr("None is known. That says little: services report them only where they are made to."));
    }
    QStringList keys;
    for (const sql::ConflictRecord &record : found->records) {
        keys += record.key.value_or(Tr::tr("a key that the log does not name"));
    }
    return sighted(A::Trouble,
        Tr::tr("%n reused key(s) in the last hour.", nullptr, int(found->records.size())) + u' '
            + (found->more ? Tr::tr("There are more.") + u' ' : QString()) + Tr::tr("Keys: %1.").arg(named(keys)));
}

sql::Result<RunbookSighting> RunbookFacts::oneCaller()
{
    const auto &found = reuse();
    if (!found) {
        return found.error();
    }
    QHash<QString, int> callers;
    for (const sql::ConflictRecord &record : found->records) {
        ++callers[record.caller];
    }
    if (callers.isEmpty()) {
        return found->whole && !found->more
            ? sighted(A::Nothing, Tr::tr("No reuse of the last hour is known."))
            : sighted(A::Unknown, Tr::tr("This login may not read every table, so it is not shown all of them."));
    }
    const auto most = std::max_element(callers.cbegin(), callers.cend());
    if (most.key().isEmpty()) {
        return sighted(A::Unknown, Tr::tr("Most records do not name the caller."));
    }
    const bool one = double(*most) > kMostOfIt * double(found->records.size()) && found->records.size() > 1;
    return sighted(one ? A::Trouble : A::Fine,
        Tr::tr("%1 of %2 are of “%3”.").arg(countText(*most), countText(found->records.size()), most.key()));
}

QString RunbookFacts::titleOf(const QString &registered) const
{
    const auto subject = std::find_if(m_subjects.cbegin(), m_subjects.cend(),
        [&registered](const RunbookSubject &one) { return one.name() == registered; });
    return displayText(subject != m_subjects.cend() ? subject->target.profile.shownTitle() : registered, 120);
}

sql::Result<RunbookSighting> RunbookFacts::purgesOpen()
{
    sql::ActionFilter filter;
    filter.verb = sql::ActionVerb::Purge;
    filter.openOnly = true;
    TRY(const auto open, sql::readActions(m_session, filter));
    for (const sql::ActionRecord &action : open) {
        if (action.state == sql::ActionState::Paused) {
            auto sighting = sighted(A::Trouble,
                Tr::tr("The purge of “%1” by %2 is paused.").arg(titleOf(action.target), action.requestedBy) + u' '
                    + action.note);
            sighting.action = action.id;
            sighting.command = u"idemdeskctl actions show "_s + action.id;
            return sighting;
        }
    }
    return sighted(A::Fine,
        open.isEmpty() ? Tr::tr("No purge is open.")
                       : Tr::tr("%n purge(s) run, or wait for approval.", nullptr, int(open.size())));
}

sql::Result<QList<sql::ActionRecord>> RunbookFacts::purgesOfTheWeek()
{
    sql::ActionFilter filter;
    filter.verb = sql::ActionVerb::Purge;
    filter.since = before(7 * sql::kDay);
    filter.limit = kMostPurges;
    return sql::readActions(m_session, filter);
}

sql::Result<std::optional<sql::ActionRecord>> RunbookFacts::undoOf(const sql::ActionRecord &purge)
{
    sql::ActionFilter filter;
    filter.verb = sql::ActionVerb::Undo;
    filter.since = purge.requestedAt;
    TRY(const auto undos, sql::readActions(m_session, filter));
    const auto undo = std::find_if(undos.cbegin(), undos.cend(), [&purge](const sql::ActionRecord &one) {
        return one.undoOf == purge.id && one.state != sql::ActionState::Declined
            && one.state != sql::ActionState::Cancelled;
    });
    return undo == undos.cend() ? std::optional<sql::ActionRecord>() : std::optional(*undo);
}

/// What a purge took where it left rows that it meant to take; empty where it left none, or is not over.
QString RunbookFacts::leftText(const sql::ActionRecord &purge) const
{
    const qint64 purged = purge.counts.value(u"purged"_s);
    QStringList others;
    for (auto it = purge.counts.cbegin(); it != purge.counts.cend(); ++it) {
        if (it.key() != u"purged" && *it > 0) {
            others += u"%1 %2"_s.arg(it.key(), countText(*it));
        }
    }
    const bool over = !purge.open() && purge.state != sql::ActionState::Declined;
    if (others.isEmpty() && (!over || purged >= purge.plannedRows)) {
        return {};
    }
    return Tr::tr("The purge of “%1” by %2 took %3 of %4 rows.")
               .arg(titleOf(purge.target), purge.requestedBy, countText(purged), countText(purge.plannedRows))
        + (others.isEmpty() ? QString() : u' ' + Tr::tr("Others: %1.").arg(others.join(u", "_s)));
}

sql::Result<RunbookSighting> RunbookFacts::purgesIncomplete()
{
    TRY(const auto purges, purgesOfTheWeek());
    std::optional<RunbookSighting> undone; // the newest that is
    for (const sql::ActionRecord &action : purges) {
        const QString seen = leftText(action);
        if (seen.isEmpty()) {
            continue;
        }
        const qint64 purged = action.counts.value(u"purged"_s);
        TRY(const auto undo, undoOf(action));
        const qint64 noneBack = 0;
        TRY(const auto back, undo ? sql::readPutBack(m_session, action.id) : sql::Result<qint64>(noneBack));
        if (undo && undo->finishedAt && back >= purged) { // nothing is missing any more
            if (!undone) {
                undone = sighted(A::Fine, seen);
                undone->said = Tr::tr("It did, and was undone at %1: nothing is missing.")
                                   .arg(TimeFormat().text(*undo->finishedAt));
            }
            continue;
        }
        auto sighting = sighted(A::Trouble, undo ? seen + u' ' + undoText(*undo, back, purged) : seen);
        sighting.action = action.id;
        sighting.command = u"idemdeskctl actions show "_s + action.id;
        return sighting;
    }
    if (undone) {
        return *undone;
    }
    return purges.isEmpty()
        ? sighted(A::Nothing, Tr::tr("No purge was begun in the last week."))
        : sighted(A::Fine, Tr::tr("%n purge(s) of the last week took what was planned.", nullptr, int(purges.size())));
}

sql::Result<RunbookSighting> RunbookFacts::purgeUndoable()
{
    TRY(const auto purges, purgesOfTheWeek());
    const auto newest = std::find_if(purges.cbegin(), purges.cend(),
        [](const sql::ActionRecord &action) { return action.counts.value(u"purged"_s) > 0; });
    if (newest == purges.cend()) {
        return sighted(A::Nothing, Tr::tr("No purge of the last week took a row."));
    }
    TRY(const auto undo, undoOf(*newest));
    if (undo) {
        TRY(const auto back, sql::readPutBack(m_session, newest->id));
        auto sighting = sighted(A::Nothing, undoText(*undo, back, newest->counts.value(u"purged"_s)));
        sighting.action = undo->id;
        return sighting;
    }
    const bool images = QJsonDocument::fromJson(newest->planJson).object().value(u"images"_s).toBool(true);
    const QDate until = QDate::fromString(newest->keepUntil.left(10), Qt::ISODate);
    const QDate today = QDateTime::fromMSecsSinceEpoch(m_now.micros / 1'000, sql::kUtc).date();
    const bool undoable = images && until.isValid() && until >= today;
    const QString which
        = Tr::tr("The purge of “%1” by %2 took %n row(s).", nullptr, int(newest->counts.value(u"purged"_s)))
              .arg(titleOf(newest->target), newest->requestedBy);
    auto sighting = sighted(undoable ? A::Fine : A::Trouble,
        which + u' '
            + (undoable ? Tr::tr("It can be undone until %1.").arg(newest->keepUntil)
                        : Tr::tr("Its rows are not kept any more.")));
    sighting.action = newest->id;
    sighting.command = undoable ? u"idemdeskctl actions undo %1 --reason REASON"_s.arg(newest->id) : QString();
    return sighting;
}

sql::Result<RunbookSighting> RunbookFacts::standbyLag()
{
    TRY(const auto lag, sql::readReplicationLag(m_session));
    if (!lag.standby && lag.standbys == 0) {
        return sighted(A::Nothing, Tr::tr("No standby streams from this server."));
    }
    if (lag.hidden) {
        return sighted(
            A::Unknown, Tr::tr("This login may not see how far the standbys are. A member of pg_monitor sees it."));
    }
    if (!lag.seconds) {
        return lag.standby ? sighted(A::Unknown, Tr::tr("This standby has not replayed a transaction yet."))
                           : sighted(A::Trouble, Tr::tr("A standby still catches up; by how much is not told."));
    }
    // A standby whose replay stands still reports no lag; what it has not replayed tells.
    TRY(const auto setup, sql::readStandbySetup(m_session));
    if (!lag.standby && setup.behindBytes > kLagBytes) {
        return sighted(
            A::Trouble, Tr::tr("A standby has %1 of the log yet to replay.").arg(bytesText(setup.behindBytes)));
    }
    const bool behind = *lag.seconds > kLagSeconds;
    const QString time = durationText(qint64(*lag.seconds));
    return sighted(behind ? A::Trouble : A::Fine,
        lag.standby ? Tr::tr("This standby is %1 behind.").arg(time)
                    : Tr::tr("Of %n standby(s), the slowest is %1 behind.", nullptr, lag.standbys).arg(time));
}

sql::Result<RunbookSighting> RunbookFacts::replayPaused()
{
    TRY(const auto setup, sql::readStandbySetup(m_session));
    return !setup.standby ? sighted(A::Nothing, Tr::tr("This server is no standby."))
                          : sighted(setup.replayPaused ? A::Trouble : A::Fine,
                              setup.replayPaused ? Tr::tr("The server says that replay is paused.")
                                                 : Tr::tr("The server says that replay goes on."));
}

sql::Result<RunbookSighting> RunbookFacts::idleSlots()
{
    TRY(const auto setup, sql::readStandbySetup(m_session));
    if (setup.slotCount == 0) {
        return sighted(A::Nothing, Tr::tr("This server has no replication slot."));
    }
    return setup.idleSlots.isEmpty() ? sighted(A::Fine, Tr::tr("No slot that nobody reads from keeps the log back."))
                                     : sighted(A::Trouble,
                                         Tr::tr("Nobody reads from: %1. The server keeps %2 for it.")
                                             .arg(named(setup.idleSlots), bytesText(setup.keptBytes)));
}

sql::Result<RunbookSighting> RunbookFacts::syncStandby()
{
    TRY(const auto setup, sql::readStandbySetup(m_session));
    if (!setup.waitsForSync) {
        return sighted(A::Nothing, Tr::tr("Commits of this server wait for no standby."));
    }
    if (setup.syncThere > 0) {
        return sighted(A::Fine, Tr::tr("%n such standby(s) stream.", nullptr, setup.syncThere));
    }
    return setup.hidden ? sighted(
               A::Unknown, Tr::tr("This login may not see how far the standbys are. A member of pg_monitor sees it."))
                        : sighted(A::Trouble, Tr::tr("No such standby streams, so commits wait."));
}

} // namespace idemdesk::models
