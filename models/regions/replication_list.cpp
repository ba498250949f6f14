// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/replication_list.h"

#include "models/format/quantities.h"
#include "sql/types/tr.h"

#include <QMap>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using sql::HealthLevel;

/// What each member sends and gets is seen. Of one that is read on a standby it is not: its primary does both, and that
/// nobody reads a slot must not be said because of it.
bool allSeen(const QList<MemberReplication> &members)
{
    return std::all_of(members.cbegin(), members.cend(),
        [](const MemberReplication &member) { return member.side && !member.side->standby; });
}

/// The one member that has the slot; -1 where none has, or several do and not one of them alone is read.
int publisherOf(const QList<MemberReplication> &members, int subscriber, const QString &slot)
{
    QList<int> having;
    QList<int> active;
    for (int member = 0; member < members.size(); ++member) {
        const auto &side = members.at(member).side;
        if (member == subscriber || !side) {
            continue;
        }
        for (const sql::LogicalSlot &known : side->slots_) {
            if (known.name == slot) {
                having += member;
                active += known.active ? QList<int> { member } : QList<int>();
            }
        }
    }
    if (having.size() == 1) {
        return having.constFirst();
    }
    return active.size() == 1 ? active.constFirst() : -1;
}

bool isLate(const sql::LogicalSlot &slot)
{
    return slot.lagBytes > kLateBytes || slot.lagSeconds.value_or(0) > kLateSeconds;
}

qint64 conflictCount(const sql::Subscription &subscription)
{
    qint64 count = 0;
    for (const auto &conflict : subscription.conflicts.value_or(QList<sql::Subscription::Conflict>())) {
        count += conflict.count;
    }
    return count;
}

void setJudgement(
    ReplicationWay *way, HealthLevel level, const QString &state, const QString &todo = {}, const QString &fix = {})
{
    way->level = level;
    way->state = state;
    way->todo = todo;
    way->fix = fix;
}

/// Of a subscription whose slot a member has.
void judgeRunning(ReplicationWay *way, const QString &to)
{
    const sql::Subscription &subscription = *way->subscription;
    if (way->slot->lost) {
        setJudgement(way, HealthLevel::Problem, Tr::tr("Log is gone"),
            Tr::tr("The server dropped the log that was still to be sent. Make the subscription anew, then compare."));
    } else if (!subscription.running || !way->slot->active) {
        setJudgement(way, HealthLevel::Problem, Tr::tr("Stands still"),
            Tr::tr("Nothing reads the slot. The server log in %1 says why.").arg(to));
    } else if (subscription.copying) {
        setJudgement(way, HealthLevel::Advice, Tr::tr("First copy"),
            Tr::tr("A table is still copied for the first time. Rows may be missing until that is done."));
    } else if (isLate(*way->slot)) {
        setJudgement(way, HealthLevel::Problem, Tr::tr("Late"),
            Tr::tr("Look for long transactions and locks in %1, and at the network between the two.").arg(to));
    } else if (subscription.applyErrors.value_or(0) > 0) {
        setJudgement(way, HealthLevel::Advice, Tr::tr("Had errors"),
            Tr::tr("It works again. The server log in %1 has the errors.").arg(to));
    } else if (conflictCount(subscription) > 0) {
        setJudgement(way, HealthLevel::Advice, Tr::tr("Had conflicts"),
            Tr::tr("Both sides wrote the same rows. Compare the table to see what differs."));
    } else {
        setJudgement(way, HealthLevel::Good, Tr::tr("Runs"));
    }
}

void judgeSubscription(ReplicationWay *way, const QList<MemberReplication> &members)
{
    const QString &to = members.at(way->to).label;
    if (!way->subscription->enabled) {
        setJudgement(way, HealthLevel::Problem, Tr::tr("Off"),
            Tr::tr("An error may have turned it off: see the server log in %1. Then run there:").arg(to),
            sql::enableSubscriptionSql(way->subscription->name));
    } else if (way->slot) {
        judgeRunning(way, to);
    } else if (!allSeen(members)) {
        setJudgement(way, HealthLevel::Unknown, Tr::tr("Not known"),
            Tr::tr("The member that it reads from may be one that did not answer, or is read on a standby."));
    } else if (way->subscription->running) {
        setJudgement(way, HealthLevel::Unknown, Tr::tr("Reads elsewhere"),
            Tr::tr("It reads from a database that is not in this group, or several members have its slot."));
    } else {
        setJudgement(way, HealthLevel::Problem, Tr::tr("No slot"),
            Tr::tr("No member has its slot, and nothing runs. It was dropped, or it is in another database."));
    }
}

/// A subscription of this group reads a slot of that name, here or at another member.
bool isNamed(const QString &slot, const QList<MemberReplication> &members)
{
    return std::any_of(members.cbegin(), members.cend(), [&slot](const MemberReplication &member) {
        const auto &side = member.side;
        return side
            && std::any_of(side->subscriptions.cbegin(), side->subscriptions.cend(),
                [&slot](const sql::Subscription &subscription) { return subscription.slot == slot; });
    });
}

void judgeSlot(ReplicationWay *way, const QList<MemberReplication> &members)
{
    if (isNamed(way->slot->name, members)) {
        setJudgement(way, HealthLevel::Unknown, Tr::tr("Not known"),
            Tr::tr("Several members have a slot of this name: which one is read cannot be told."));
        return;
    }
    if (way->slot->active || !allSeen(members)) {
        setJudgement(way, HealthLevel::Unknown, way->slot->active ? Tr::tr("Read elsewhere") : Tr::tr("Not known"),
            way->slot->active ? Tr::tr("Another program or a database outside this group reads it.")
                              : Tr::tr("Who reads it may be a member that did not answer, or is read on a standby."));
        return;
    }
    setJudgement(way, HealthLevel::Problem, Tr::tr("Nobody reads"),
        Tr::tr("%1 keeps its log for it until the disk is full. If nobody needs it, run there:")
            .arg(members.at(way->from).label),
        sql::dropSlotSql(way->slot->name));
}

QString wayText(const ReplicationWay &way, const QList<MemberReplication> &members)
{
    const auto label = [&members](int member) {
        return member < 0 ? Tr::tr("elsewhere", "a database outside the group") : members.at(member).label;
    };
    return Tr::tr("%1 to %2", "where replication comes from and goes to").arg(label(way.from), label(way.to));
}

QString secondsText(const sql::LogicalSlot &slot)
{
    if (slot.lagSeconds) {
        return *slot.lagSeconds < 1 ? Tr::tr("under 1 s") : durationText(qint64(std::ceil(*slot.lagSeconds)));
    }
    if (!slot.readerSeen) {
        return Tr::tr("not seen");
    }
    return slot.lagBytes == 0 ? Tr::tr("none", "lag") : Tr::tr("not known");
}

/// Where nothing is sent there is no lag, however far behind it is.
QString lagText(const ReplicationWay &way)
{
    const bool off = way.subscription && (!way.subscription->enabled || !way.subscription->running);
    return off     ? Tr::tr("stopped", "lag of a way of replication")
        : way.slot ? secondsText(*way.slot)
                   : Tr::tr("not seen");
}

/// A server of an older version counts none; of what was not read nobody knows.
QString countedText(const ReplicationWay &way, const std::optional<qint64> &count)
{
    return count           ? countText(*count)
        : way.subscription ? Tr::tr("not counted", "errors, conflicts")
                           : Tr::tr("not seen");
}

QString conflictsText(const sql::Subscription &subscription)
{
    QStringList parts;
    for (const auto &conflict : subscription.conflicts.value_or(QList<sql::Subscription::Conflict>())) {
        parts += Tr::tr("%1: %2", "kind of conflict, number").arg(conflict.kind, countText(conflict.count));
    }
    return parts.join(u", "_s);
}

QString publicationText(const sql::Publication &publication)
{
    QStringList parts { publication.allTables ? Tr::tr("all tables")
                                              : Tr::tr("%n table(s)", nullptr, publication.tables),
        publication.operations.join(u", "_s) };
    parts += publication.someRows ? QStringList { Tr::tr("not all rows") } : QStringList();
    return publication.name + u" ("_s + parts.join(u"; "_s) + u')';
}

/// What neither a version nor a login tells. Members of one version in one sentence.
QStringList notSeen(const QList<MemberReplication> &members)
{
    QStringList notes;
    QMap<int, QStringList> noErrors;
    QMap<int, QStringList> noConflicts;
    for (const MemberReplication &member : members) {
        const int version = member.side ? member.side->version / 10'000 : 0;
        if (!member.side) {
            notes += Tr::tr("%1 did not answer: what it sends and gets is not known.").arg(member.label);
        } else if (member.side->standby) {
            notes += Tr::tr("%1 was read on a standby: what its primary sends and gets was not looked at.")
                         .arg(member.label);
        } else if (!member.side->tellsErrors()) {
            noErrors[version] += member.label;
        } else if (!member.side->tellsConflicts()) {
            noConflicts[version] += member.label;
        }
    }
    for (auto each = noErrors.cbegin(); each != noErrors.cend(); ++each) {
        notes += Tr::tr(
            "PostgreSQL counts errors from version 15; %1 run(s) %2.", "members, their version", int(each->size()))
                     .arg(each->join(u", "_s), QString::number(each.key()));
    }
    for (auto each = noConflicts.cbegin(); each != noConflicts.cend(); ++each) {
        notes += Tr::tr(
            "PostgreSQL counts conflicts from version 18; %1 run(s) %2.", "members, their version", int(each->size()))
                     .arg(each->join(u", "_s), QString::number(each.key()));
    }
    return notes;
}

/// Of the worst way, or of all where all is well.
QString waysText(const QList<ReplicationWay> &ways, const QList<MemberReplication> &members, HealthLevel level)
{
    if (ways.isEmpty()) {
        return allSeen(members) ? Tr::tr("No logical replication was seen between these members.")
                                : Tr::tr("No logical replication was seen in those that answered.");
    }
    const auto bad = std::count_if(
        ways.cbegin(), ways.cend(), [](const ReplicationWay &way) { return way.level == HealthLevel::Problem; });
    if (bad > 0) {
        QString worst = Tr::tr("Replication %1: %2.", "where from and to, state")
                            .arg(wayText(ways.constFirst(), members), ways.constFirst().state);
        const qint64 bytes = ways.constFirst().slot ? ways.constFirst().slot->lagBytes : 0;
        if (bytes > 0) {
            worst += u' ' + Tr::tr("It is %1 behind.", "log that was not sent yet").arg(bytesText(bytes));
        }
        return bad == 1 ? worst : worst + u' ' + Tr::tr("%n of %1 ways need you.", nullptr, int(bad)).arg(ways.size());
    }
    qint64 most = 0;
    for (const ReplicationWay &way : ways) {
        most = std::max(most, way.slot ? way.slot->lagBytes : 0);
    }
    const QString behind
        = most == 0 ? Tr::tr("nothing is on its way") : Tr::tr("at most %1 behind").arg(bytesText(most));
    return level == HealthLevel::Unknown
        ? Tr::tr("Not every way could be seen from both ends.")
        : Tr::tr("Replication runs on %n way(s), %1.", nullptr, int(ways.size())).arg(behind);
}

} // namespace

QList<ReplicationWay> replicationWays(const QList<MemberReplication> &members)
{
    QList<ReplicationWay> ways;
    QList<std::pair<int, QString>> read; // slots that a subscription reads
    for (int to = 0; to < members.size(); ++to) {
        const auto &side = members.at(to).side;
        for (const sql::Subscription &subscription : side ? side->subscriptions : QList<sql::Subscription>()) {
            ReplicationWay way;
            way.to = to;
            way.subscription = subscription;
            way.from = publisherOf(members, to, subscription.slot);
            if (way.from >= 0) {
                const QList<sql::LogicalSlot> &known = members.at(way.from).side->slots_;
                way.slot = *std::find_if(known.cbegin(), known.cend(),
                    [&subscription](const sql::LogicalSlot &slot) { return slot.name == subscription.slot; });
                read.append({ way.from, subscription.slot });
            }
            judgeSubscription(&way, members);
            ways += way;
        }
    }
    for (int from = 0; from < members.size(); ++from) {
        const auto &side = members.at(from).side;
        for (const sql::LogicalSlot &slot : side ? side->slots_ : QList<sql::LogicalSlot>()) {
            if (!read.contains(std::pair(from, slot.name))) {
                ReplicationWay way;
                way.from = from;
                way.slot = slot;
                judgeSlot(&way, members);
                ways += way;
            }
        }
    }
    std::stable_sort(
        ways.begin(), ways.end(), [](const ReplicationWay &a, const ReplicationWay &b) { return a.level < b.level; });
    return ways;
}

ReplicationVerdict replicationVerdict(const QList<ReplicationWay> &ways, const QList<MemberReplication> &members)
{
    ReplicationVerdict verdict;
    verdict.level = ways.isEmpty() ? HealthLevel::Nothing : ways.constFirst().level;
    if (verdict.level != HealthLevel::Problem && !allSeen(members)) {
        verdict.level = HealthLevel::Unknown;
    }
    verdict.text = waysText(ways, members, verdict.level);
    if (verdict.level == HealthLevel::Problem) {
        verdict.advice = Tr::tr("Until it works again, send the retries of a key to the region where it began.");
    }
    verdict.notes = notSeen(members);
    return verdict;
}

QList<std::pair<QString, QString>> replicationFacts(const ReplicationWay &way, const QList<MemberReplication> &members)
{
    QList<std::pair<QString, QString>> facts;
    if (way.subscription) {
        const sql::Subscription &subscription = *way.subscription;
        facts += { Tr::tr("Tables"), countText(subscription.tables) };
        facts += { Tr::tr("Worker"), subscription.running ? Tr::tr("runs") : Tr::tr("does not run") };
        facts += { Tr::tr("Heard from"),
            subscription.silentSeconds ? Tr::tr("%1 ago").arg(durationText(*subscription.silentSeconds)) : QString() };
        if (subscription.conflicts && !subscription.conflicts->isEmpty()) {
            facts += { Tr::tr("Conflicts"), conflictsText(subscription) };
        }
    }
    facts += { Tr::tr("Slot"), way.slot ? way.slot->name : way.subscription ? way.subscription->slot : QString() };
    if (way.slot) {
        facts += { Tr::tr("Log kept for it"), bytesText(way.slot->keptBytes) };
    }
    const auto side = way.from >= 0 ? members.at(way.from).side : std::nullopt;
    for (const sql::Publication &publication : side ? side->publications : QList<sql::Publication>()) {
        if (way.subscription && way.subscription->publications.contains(publication.name)) {
            facts += { Tr::tr("Publication"), publicationText(publication) };
        }
    }
    return facts;
}

ReplicationList::ReplicationList(QObject *parent)
    : RowModel(parent)
{
}

void ReplicationList::setWays(const QList<ReplicationWay> &ways, const QList<MemberReplication> &members)
{
    m_labels.clear();
    for (const MemberReplication &member : members) {
        m_labels += member.label;
    }
    updateRows(ways, [](const ReplicationWay &a, const ReplicationWay &b) {
        const auto name
            = [](const ReplicationWay &way) { return way.subscription ? way.subscription->name : way.slot->name; };
        return a.from == b.from && a.to == b.to && name(a) == name(b);
    });
}

QString ReplicationList::labelOf(int member) const
{
    return member < 0 ? tr("elsewhere", "a database outside the group") : m_labels.value(member);
}

std::span<const ReplicationList::ColumnSpec> ReplicationList::columns()
{
    using Model = ReplicationList;
    using Row = ReplicationWay;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("State"); },
            .text = [](const Model &, const Row &way) { return way.state; },
            .toolTip =
                [](const Model &, const Row &way) {
                    return way.todo.isEmpty() ? way.state : QString(way.todo + u' ' + way.fix).trimmed();
                } },
        { .title = [] { return tr("From and to"); },
            .text = [](const Model &model,
                        const Row &way) { return model.labelOf(way.from) + u" → "_s + model.labelOf(way.to); } },
        { .title = [] { return tr("Subscription"); },
            .text = [](const Model &, const Row &way) { return way.subscription ? way.subscription->name : QString(); },
            .toolTip
            = [](const Model &, const Row &way) { return way.slot ? tr("Slot %1").arg(way.slot->name) : QString(); } },
        { .title = [] { return tr("Behind"); },
            .text
            = [](const Model &, const Row &way) { return way.slot ? bytesText(way.slot->lagBytes) : tr("not seen"); },
            .alignment = kNumber,
            .help = [] { return tr("Log that was written and not yet confirmed by the other side."); } },
        { .title = [] { return tr("Lag"); },
            .text = [](const Model &, const Row &way) { return lagText(way); },
            .alignment = kNumber,
            .help = [] { return tr("How long the newest change took. It needs the rights of pg_monitor."); } },
        { .title = [] { return tr("Errors"); },
            .text =
                [](const Model &, const Row &way) {
                    return countedText(way, way.subscription ? way.subscription->applyErrors : std::nullopt);
                },
            .alignment = kNumber },
        { .title = [] { return tr("Conflicts"); },
            .text =
                [](const Model &, const Row &way) {
                    const bool counted = way.subscription && way.subscription->conflicts;
                    return countedText(way, counted ? std::optional(conflictCount(*way.subscription)) : std::nullopt);
                },
            .toolTip = [](const Model &,
                           const Row &way) { return way.subscription ? conflictsText(*way.subscription) : QString(); },
            .alignment = kNumber },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant ReplicationList::itemData(const ReplicationWay &way, int column, int role) const
{
    return column == State && role == LevelRole ? QVariant(int(way.level)) : QVariant();
}

} // namespace idemdesk::models

#include "moc_replication_list.cpp"
