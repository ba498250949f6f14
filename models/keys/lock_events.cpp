// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/lock_events.h"

#include "models/format/display_text.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kWaitersNamed = 5;

QString lockParty(const sql::KeyLock &lock)
{
    if (lock.pid == 0) {
        return Tr::tr("A prepared transaction");
    }
    return lock.application.isEmpty()
        ? Tr::tr("Session %1").arg(lock.pid)
        : Tr::tr("Session %1 (%2)").arg(QString::number(lock.pid), displayText(lock.application, 80));
}

QString lockedThing(const sql::KeyLock &lock)
{
    return lock.what == sql::KeyLock::What::Row ? Tr::tr("the row") : Tr::tr("the advisory lock %1").arg(lock.advisory);
}

StoryEvent holderEvent(const sql::KeyLock &lock)
{
    StoryEvent event;
    event.kind = StoryEvent::Kind::Lock;
    event.title = Tr::tr("%1 holds %2").arg(lockParty(lock), lockedThing(lock));
    QStringList parts;
    if (!lock.user.isEmpty()) {
        parts.append(Tr::tr("user %1").arg(displayText(lock.user, 80)));
    }
    if (lock.since) {
        parts.append(Tr::tr("its transaction began then"));
    }
    event.detail = parts.join(u", ");
    event.source = u"pg_locks"_s;
    event.at = lock.since;
    return event;
}

/// Of those who wait for the same.
StoryEvent waitersEvent(const QList<sql::KeyLock> &waiters)
{
    StoryEvent event;
    event.kind = StoryEvent::Kind::Lock;
    event.title = waiters.size() == 1
        ? Tr::tr("%1 waits for %2").arg(lockParty(waiters.constFirst()), lockedThing(waiters.constFirst()))
        : Tr::tr("%1 sessions wait for %2").arg(QString::number(waiters.size()), lockedThing(waiters.constFirst()));
    QStringList named;
    for (const sql::KeyLock &waiter : waiters) {
        event.at = waiter.since && (!event.at || *waiter.since < *event.at) ? waiter.since : event.at;
        if (waiters.size() > 1 && named.size() < kWaitersNamed) {
            named.append(lockParty(waiter));
        }
    }
    if (waiters.size() > kWaitersNamed) {
        named.append(Tr::tr("and more"));
    }
    event.detail = named.join(u", ");
    event.source = u"pg_locks"_s;
    return event;
}

} // namespace

QList<StoryEvent> lockEvents(const sql::KeyLocks &locks)
{
    QList<StoryEvent> events;
    for (const auto what : { sql::KeyLock::What::Row, sql::KeyLock::What::Advisory }) {
        QList<sql::KeyLock> waiters;
        for (const sql::KeyLock &lock : locks.locks) {
            if (lock.what == what && lock.granted) {
                events.append(holderEvent(lock));
            } else if (lock.what == what) {
                waiters.append(lock);
            }
        }
        if (!waiters.isEmpty()) {
            events.append(waitersEvent(waiters));
        }
    }
    for (const QString &sentence : locks.notRead) {
        StoryEvent event;
        event.kind = StoryEvent::Kind::Lock;
        event.title = Tr::tr("Locks are not known");
        event.detail = displayText(sentence, 400);
        event.source = u"pg_locks"_s;
        events.append(event);
    }
    return events;
}

} // namespace idemdesk::models
