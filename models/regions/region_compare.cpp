// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/region_compare.h"

#include "models/actions/action_journal.h"
#include "models/filter/filter_parser.h"
#include "sql/activity/replication.h"
#include "sql/lanes/database.h"
#include "sql/regions/row_hash.h"
#include "sql/types/tr.h"

#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qint64 kMostRowsAtOnce = 2'000'000; // of one side that are read, should they have become more meanwhile
constexpr int kMostCandidates = 20'000; // keys that are looked at whole on both sides: some 40 MB
constexpr int kPollMs = 200;
constexpr int kSides = 2;

using Hashes = RegionCompare::Hashes;

/// Row by row, whatever their order.
Hashes hashesOf(const QList<sql::SideRow> &rows)
{
    Hashes hashes;
    for (const sql::SideRow &row : rows) {
        hashes[intentText(row.record.scope, row.record.key)].append(row.compared);
    }
    for (QByteArrayList &list : hashes) {
        std::sort(list.begin(), list.end());
    }
    return hashes;
}

std::array<Hashes, 2> rowHashes(const std::array<QList<sql::SideRow>, 2> &rows)
{
    return { hashesOf(rows[0]), hashesOf(rows[1]) };
}

/// The names of what two profiles read by different SQL.
QStringList unlike(const sql::Profile &one, const sql::Profile &other)
{
    const QStringList left = sql::comparedSql(one);
    const QStringList right = sql::comparedSql(other);
    QStringList names;
    for (const auto &[these, those] : { std::pair(left, right), std::pair(right, left) }) {
        for (const QString &line : these) {
            names += those.contains(line) ? QStringList() : QStringList { line.section(u": "_s, 0, 0) };
        }
    }
    names.removeDuplicates();
    return names;
}

} // namespace

RegionCompare::RegionCompare(const std::array<CompareSide, 2> &sides, const CompareRequest &request, QObject *parent)
    : QObject(parent)
    , m_sides(sides)
    , m_request(request)
    , m_view(u"compare/"_s + ownerName(this))
{
    m_poll.setInterval(kPollMs);
}

template <typename T, typename Job>
void RegionCompare::askBoth(Job job, std::function<void(const std::array<T, 2> &)> next)
{
    const auto answers = std::make_shared<std::array<std::optional<T>, 2>>();
    for (int side = 0; side < kSides; ++side) {
        auto future = m_sides.at(side).database->run(sql::LaneKind::Background, { m_view, 0 },
            [job, side](sql::Session &session) -> sql::Result<T> { return job(side, session); });
        whenDone(future, this, [this, side, answers, next](const sql::Result<T> &answer) {
            if (m_ended) {
                return;
            }
            if (!answer) {
                fail(answer.error(), side);
                return;
            }
            answers->at(side) = *answer;
            if ((*answers)[0] && (*answers)[1]) {
                next({ *std::move((*answers)[0]), *std::move((*answers)[1]) });
            }
        });
    }
}

void RegionCompare::start()
{
    enter(Phase::Opening);
    askBoth<Opened>(
        [sides = m_sides, text = m_request.filter](int side, sql::Session &session) -> sql::Result<Opened> {
            Opened opened;
            TRY(opened.target, sides.at(side).open(session));
            TRY(opened.filter, parseFilter(text, vocabularyOf(opened.target.profile)));
            TRY(opened.probe, sql::hashProbe(session));
            TRY(opened.identity, sql::databaseIdentity(session));
            TRY(opened.subscriptions, sql::readSubscriptions(session, opened.target.relation.oid));
            TRY(opened.slots_, sql::readLogicalSlots(session));
            opened.standby = sql::standbyNote(session);
            opened.server = ActionJournal::serverOf(session.facts());
            return opened;
        },
        [this](const std::array<Opened, 2> &sides) { this->opened(sides); });
}

void RegionCompare::opened(const std::array<Opened, 2> &sides)
{
    if (sides[0].identity == sides[1].identity) {
        fail(sql::makeError(sql::ErrorKind::Refused, Tr::tr("Both sides are the same database."),
            Tr::tr("%1 and %2 lead to one server and one database.").arg(m_sides[0].label, m_sides[1].label),
            Tr::tr("Look at the group's connections: one of them was probably copied.")));
        return;
    }
    if (sides[0].probe != sides[1].probe) {
        fail(sql::makeError(sql::ErrorKind::Refused, Tr::tr("These two servers cannot be compared."),
            Tr::tr("They compute different checksums of one value: their processors order bytes differently.")));
        return;
    }
    if (sql::comparedSql(sides[0].target.profile) != sql::comparedSql(sides[1].target.profile)) {
        fail(sql::makeError(sql::ErrorKind::Refused, Tr::tr("The two sides do not read the table alike."),
            Tr::tr("They differ in: %1.").arg(unlike(sides[0].target.profile, sides[1].target.profile).join(u", "_s)),
            Tr::tr("Use the same profile, and look whether a column is missing on one side.")));
        return;
    }
    double rows = 0;
    for (std::size_t side = 0; side < kSides; ++side) {
        m_outcome.targets.at(side) = sides.at(side).target;
        m_outcome.servers.at(side) = sides.at(side).server;
        rows = std::max(rows, double(sides.at(side).target.relation.estimatedRows));
        // What it has not replayed yet passes for missing, and nothing here waits for it.
        if (const QString &standby = sides.at(side).standby; !standby.isEmpty()) {
            m_outcome.notes += Tr::tr("%1: %2").arg(m_sides.at(side).label, standby);
        }
    }
    findLinks(sides);
    m_what = { sides[0].filter, sql::bucketsFor(rows), sql::sameTypes(sides[0].target, sides[1].target) };
    m_otherFilter = sides[1].filter;
    enter(Phase::Summing);
    askBoth<sql::SideSums>(
        [targets = m_outcome.targets, what = m_what, other = m_otherFilter](int side, sql::Session &session) {
            return sql::readSums(
                session, targets.at(side), { side == 0 ? what.filter : other, what.buckets, what.byType });
        },
        [this](const std::array<sql::SideSums, 2> &sums) { summed(sums); });
}

void RegionCompare::findLinks(const std::array<Opened, 2> &sides)
{
    for (int to = 0; to < kSides; ++to) {
        const QList<sql::LogicalSlot> &from = sides.at(1 - to).slots_;
        for (const sql::Subscription &subscription : sides.at(to).subscriptions) {
            const auto slot = std::find_if(from.cbegin(), from.cend(),
                [&subscription](const sql::LogicalSlot &known) { return known.name == subscription.slot; });
            CompareLink link { 1 - to, to, subscription, {}, false };
            if (slot != from.cend()) {
                link.slot = *slot;
            }
            m_outcome.links += link;
        }
    }
}

void RegionCompare::summed(const std::array<sql::SideSums, 2> &sums)
{
    for (std::size_t side = 0; side < kSides; ++side) {
        m_outcome.rows.at(side) = sums.at(side).rows;
        for (const QString &text : sums.at(side).notes) {
            m_outcome.notes += Tr::tr("%1: %2").arg(m_sides.at(side).label, text);
        }
    }
    m_search = BucketSearch(sums, m_what.buckets);
    if (m_search.none()) {
        m_ended = true;
        emit finished(m_outcome);
        return;
    }
    enter(Phase::Reading);
    read();
}

void RegionCompare::read()
{
    askBoth<QList<sql::HashedKey>>(
        [targets = m_outcome.targets, what = m_what, other = m_otherFilter, wanted = m_search.wanted()](
            int side, sql::Session &session) {
            return sql::readBuckets(session, targets.at(side),
                { side == 0 ? what.filter : other, what.buckets, what.byType }, wanted, kMostRowsAtOnce);
        },
        [this](const std::array<QList<sql::HashedKey>, 2> &rows) {
            const bool moving = std::any_of(m_outcome.links.cbegin(), m_outcome.links.cend(),
                [](const CompareLink &link) { return link.working(); });
            m_search.take(rows, moving);
            if (m_search.wanted().none()) {
                searched();
            } else {
                read();
            }
        });
}

void RegionCompare::searched()
{
    if (m_search.keyless()) {
        m_outcome.notes += Tr::tr("Rows without a key differ, too. Which of them belong together cannot be told.");
    }
    const QMap<QString, sql::HashedKey> &differ = m_search.differ();
    m_outcome.estimated = m_search.estimated();
    for (auto it = differ.cbegin(); it != differ.cend() && m_candidates.size() < kMostCandidates; ++it) {
        m_candidates += *it;
    }
    m_outcome.all = m_search.all() && m_candidates.size() == differ.size();
    look();
}

void RegionCompare::look()
{
    enter(Phase::Looking);
    askBoth<QList<sql::SideRow>>(
        [targets = m_outcome.targets, wanted = m_candidates](
            int side, sql::Session &session) { return sql::readSameKeys(session, targets.at(side), wanted); },
        [this](const std::array<QList<sql::SideRow>, 2> &rows) {
            const bool first = m_outcome.differences.isEmpty();
            m_outcome.differences = differencesOf(rows, { m_sides[0].label, m_sides[1].label });
            if (first && !m_outcome.differences.isEmpty() && waitForLinks()) {
                m_first = rowHashes(rows);
                return;
            }
            markMoving(rowHashes(rows));
            conclude();
        });
}

bool RegionCompare::waitForLinks()
{
    const bool any = std::any_of(
        m_outcome.links.cbegin(), m_outcome.links.cend(), [](const CompareLink &link) { return link.working(); });
    if (!any || m_request.settleMs <= 0) {
        return false;
    }
    enter(Phase::Waiting);
    askBoth<std::optional<QString>>([](int /*side*/, sql::Session &session) { return sql::logPosition(session); },
        [this](const std::array<std::optional<QString>, 2> &positions) {
            m_waited.start();
            connect(&m_poll, &QTimer::timeout, this, [this, positions] { pollLinks(positions); });
            pollLinks(positions);
        });
    return true;
}

void RegionCompare::pollLinks(const std::array<std::optional<QString>, 2> &positions)
{
    m_poll.stop();
    QList<std::pair<int, QString>> open; // sides that a slot is on, and its name
    for (const CompareLink &link : std::as_const(m_outcome.links)) {
        if (link.working() && !link.passed && positions.at(link.from)) {
            open.append({ link.from, link.subscription.slot });
        }
    }
    if (open.isEmpty() || m_waited.elapsed() >= m_request.settleMs) {
        look();
        return;
    }
    askBoth<QStringList>(
        [open, positions](int side, sql::Session &session) -> sql::Result<QStringList> {
            QStringList passed;
            for (const auto &[from, slot] : open) {
                if (from == side) {
                    TRY(const auto done, sql::hasPassed(session, slot, *positions.at(side)));
                    passed += done ? QStringList { slot } : QStringList();
                }
            }
            return passed;
        },
        [this](const std::array<QStringList, 2> &passed) {
            for (CompareLink &link : m_outcome.links) {
                link.passed = link.passed || passed.at(link.from).contains(link.subscription.slot);
            }
            m_poll.start();
        });
}

/// What still changes, or what replication had not brought by the end of the wait, is no difference yet; nor what was
/// not waited for.
void RegionCompare::markMoving(const std::array<Hashes, 2> &now)
{
    const bool waited = m_waited.isValid();
    const bool behind = std::any_of(m_outcome.links.cbegin(), m_outcome.links.cend(),
        [](const CompareLink &link) { return link.working() && !link.passed; });
    for (RegionDifference &difference : m_outcome.differences) {
        const QString intent = intentText(difference.record().scope, difference.record().key);
        const bool moved = waited
            && (m_first[0].value(intent) != now[0].value(intent) || m_first[1].value(intent) != now[1].value(intent));
        difference.onItsWay = behind || moved;
    }
}

void RegionCompare::conclude()
{
    m_outcome.settled = int(m_candidates.size() - m_outcome.differences.size());
    m_outcome.estimated = m_outcome.all ? m_outcome.differences.size() : m_outcome.estimated;
    m_ended = true;
    emit finished(m_outcome);
}

void RegionCompare::cancel()
{
    if (m_ended) {
        return;
    }
    for (const CompareSide &side : m_sides) {
        side.database->cancel(m_view);
    }
    m_poll.stop();
    fail(sql::makeError(sql::ErrorKind::Cancelled, Tr::tr("The comparison was cancelled.")));
}

void RegionCompare::fail(const sql::Error &error, int side)
{
    m_ended = true;
    for (const CompareSide &other : m_sides) {
        other.database->cancel(m_view);
    }
    sql::Error told = error;
    if (side >= 0 && error.kind != sql::ErrorKind::Usage) { // that is what was asked, on both sides alike
        told.what = Tr::tr("%1: %2").arg(m_sides.at(side).label, error.what);
    }
    emit finished(sql::Result<CompareOutcome>(told));
}

void RegionCompare::enter(Phase phase)
{
    emit phaseChanged(phase);
}

} // namespace idemdesk::models

#include "moc_region_compare.cpp"
