// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/session/watched_counters.h"

#include <QHash>
#include <mutex>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

struct Watch {
    DatabaseCounters first;
    DatabaseCounters last;
    Timestamp since;
    qint64 own = 0; ///< rolled back by this program since then
};

/// Sessions live on several threads; what they count is the program's.
std::mutex watchMutex;
QHash<QString, Watch> watches; ///< by database

QString watchedName(const ServerFacts &facts)
{
    return facts.host + u'\n' + facts.port + u'\n' + facts.database;
}

bool setBack(const DatabaseCounters &before, const DatabaseCounters &now)
{
    return now.setBackAt != before.setBackAt || now.rollbacks < before.rollbacks || now.deadlocks < before.deadlocks
        || now.standbyConflicts < before.standbyConflicts;
}

} // namespace

bool countersWatched(const ServerFacts &facts)
{
    const std::scoped_lock lock(watchMutex);
    return watches.contains(watchedName(facts));
}

void watchCounters(const ServerFacts &facts, const DatabaseCounters &counters)
{
    const std::scoped_lock lock(watchMutex);
    const QString name = watchedName(facts);
    if (!watches.contains(name)) {
        watches.insert(name, { counters, counters, facts.serverNow });
    }
}

void noteOwnRollback(const ServerFacts &facts)
{
    const std::scoped_lock lock(watchMutex);
    ++watches[watchedName(facts)].own;
}

WatchedCounters watchedCounters(const ServerFacts &facts, const DatabaseCounters &counters, const Timestamp &now)
{
    const std::scoped_lock lock(watchMutex);
    Watch &watch = watches[watchedName(facts)];
    if (setBack(watch.last, counters)) {
        watch = { counters, counters, now };
    }
    watch.last = counters;
    // The server learns of the newest of our own a moment later: until then the difference may be less than nothing.
    return { counters.deadlocks - watch.first.deadlocks,
        qMax(qint64(0), counters.rollbacks - watch.first.rollbacks - watch.own),
        counters.standbyConflicts - watch.first.standbyConflicts, watch.since };
}

} // namespace idemdesk::sql
