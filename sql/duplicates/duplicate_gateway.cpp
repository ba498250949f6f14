// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/duplicates/duplicate_gateway.h"

#include "sql/duplicates/duplicate_search.h"
#include "sql/health/health_checks.h"
#include "sql/keys/resolve.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/unseen.h"
#include "sql/types/tr.h"

#include <QMap>
#include <algorithm>
#include <numeric>
#include <tuple>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Rows that are looked at before all others, for each reason.
constexpr double kSliceRows = 100'000;

bool endsTheSearch(const Error &error)
{
    return error.kind == ErrorKind::ConnectionLost || error.kind == ErrorKind::Cancelled
        || error.kind == ErrorKind::Superseded || error.kind == ErrorKind::Timeout;
}

class DuplicateSearch
{
public:
    /// tolerant: a look that fails on some row is left out and said, not an error.
    DuplicateSearch(Session &session, const Target &target, const DuplicateRequest &request,
        const DuplicatesFound &heard, bool tolerant = false)
        : m_session(session)
        , m_target(target)
        , m_request(request)
        , m_heard(heard)
        , m_tolerant(tolerant)
    {
    }

    Result<DuplicateAnswer> find()
    {
        TRY(const auto filter, resolveFilter(m_session, m_target, m_request.filter));
        m_looks = duplicateLooks(m_target, &m_answer.notes, &m_answer.complete);
        m_looks.removeIf([this](const DuplicateLook &look) {
            return !m_request.reasons.isEmpty() && !m_request.reasons.contains(look.reason);
        });
        TRY(searchNewest(filter));
        TRY(searchAll(filter));
        noteCost();
        if (!duplicateTime(m_target.profile)) {
            m_answer.notes
                += Tr::tr("The profile names no time at which a key began, so keys of any age were searched.");
        }
        m_answer.groups = cut(ranked());
        if (m_more || ranked().size() > m_answer.groups.size()) {
            m_answer.notes += Tr::tr(
                "There are more groups than the %1 given here; a shorter span of time or a filter leaves fewer.")
                                  .arg(m_answer.groups.size());
        }
        m_answer.notes
            += Tr::tr("One key that was tried several times is not a duplicate: its attempts share one row.");
        return m_answer;
    }

private:
    /// The newest part of a large table, so that somebody who waits sees the first groups soon. What fails here is told
    /// by the search of the whole.
    Result<void> searchNewest(const ResolvedFilter &filter)
    {
        if (!m_heard) {
            return {};
        }
        TRY(const auto slice, sliceOf());
        for (qsizetype i = 0; slice && i < m_looks.size(); ++i) {
            LookSearch search(m_session, m_target, m_request, m_looks.at(i), filter, slice);
            const auto groups = search.run();
            if (!groups && endsTheSearch(groups.error())) {
                return groups.error();
            }
            if (groups && !groups->isEmpty()) {
                m_found[i] = *groups;
                m_heard(cut(ranked()));
            }
        }
        return {};
    }

    Result<void> searchAll(const ResolvedFilter &filter)
    {
        std::optional<Error> failed;
        qsizetype failures = 0;
        QStringList unserved;
        for (qsizetype i = 0; i < m_looks.size(); ++i) {
            const DuplicateLook &look = m_looks.at(i);
            const auto done = search(i, filter, &unserved);
            // What a row's own value defeats is asked once more, around that row.
            const bool again = !done && !m_tolerant && isRowsFault(done.error());
            if (!done && (again || endsTheSearch(done.error()) || done.error().position >= 0)) {
                return done.error();
            }
            if (!done) {
                failed = done.error();
                ++failures;
                m_answer.complete = false;
                const QString text = Tr::tr("Looking for %1 did not work: %2").arg(look.words, failed->line());
                m_answer.notes += m_answer.notes.contains(text) ? QStringList() : QStringList { text };
            }
        }
        if (failed && failures == m_looks.size()) {
            return *failed;
        }
        m_answer.notes += unserved;
        // Where no look could be taken, nothing was looked at.
        m_answer.complete = m_answer.complete
            && !std::all_of(m_looks.cbegin(), m_looks.cend(),
                [&unserved](const DuplicateLook &look) { return unserved.contains(look.without); });
        return {};
    }

    Result<void> search(qsizetype place, const ResolvedFilter &filter, QStringList *unserved)
    {
        if (m_session.cancelled()) {
            return makeError(ErrorKind::Cancelled, Tr::tr("The search was stopped."));
        }
        const DuplicateLook &look = m_looks.at(place);
        if (unserved->contains(look.without)) {
            return {};
        }
        LookSearch search(m_session, m_target, m_request, look, filter);
        search.setExplaining(!isSmall(m_target.relation));
        TRY(const auto groups, search.run());
        m_found[place] = groups;
        m_more = m_more || search.more();
        if (search.sequential() && !m_sequential.contains(look.words)) {
            m_sequential += look.words;
        }
        if (groups.isEmpty() && !look.needs.isEmpty()) {
            TRY(const auto served, search.served());
            *unserved += served ? QStringList() : QStringList { look.without };
        }
        if (!look.bound.isEmpty() && !unserved->contains(look.without)) {
            m_answer.notes += look.bound;
        }
        if (m_heard) {
            m_heard(cut(ranked()));
        }
        return {};
    }

    /// By time where an index serves that, else by place: rows are mostly added at the end of a table.
    Result<std::optional<DuplicateSlice>> sliceOf()
    {
        const RelationFacts &relation = m_target.relation;
        if (relation.estimatedRows < 4 * kSliceRows || relation.isView()) {
            return std::optional<DuplicateSlice>();
        }
        DuplicateSlice slice;
        const double share = kSliceRows / relation.estimatedRows;
        const auto began = duplicateTime(m_target.profile);
        const QString column = began ? health::columnForIndex(*began) : QString();
        if (!column.isEmpty() && indexLeads(relation, column, false)) {
            slice.seconds = std::max<qint64>(60, qint64(double(m_request.spanSeconds) * share));
            return std::optional(slice);
        }
        TRY(const auto blocks, blocksOf(m_session, m_target));
        slice.fromBlock = qint64(double(blocks) * (1 - share));
        return slice.fromBlock > 0 ? std::optional(slice) : std::nullopt;
    }

    /// What made the search slow on a large table, and the index that would help.
    void noteCost()
    {
        if (m_sequential.isEmpty()) {
            return;
        }
        const double rows = m_target.relation.estimatedRows;
        QString text = rows > 0
            ? Tr::tr("The table was read from end to end, about %1 rows, when looking for: %2.")
                  .arg(health::grouped(qint64(rows)), m_sequential.join(u", "_s))
            : Tr::tr("The table was read from end to end when looking for: %1.").arg(m_sequential.join(u", "_s));
        const auto began = duplicateTime(m_target.profile);
        const QString column = began ? health::columnForIndex(*began) : QString();
        if (!column.isEmpty() && !m_target.relation.isView()) {
            text += u' '
                + (indexLeads(m_target.relation, column, false)
                        ? Tr::tr(
                            "The index that begins with %1 helps only where few of the table's keys are in the span.")
                              .arg(column)
                        : Tr::tr("No index begins with %1; this one makes a short span fast: %2")
                              .arg(column, health::createIndex(m_target, { column })));
        }
        m_answer.notes += text;
    }

    bool close(const DuplicateGroup &group) const
    {
        return group.first && group.last && group.first->finite() && group.last->finite()
            && group.last->micros - group.first->micros <= m_request.windowSeconds * kMicros;
    }

    /// What was found so far.
    QList<DuplicateGroup> ranked() const
    {
        QList<DuplicateGroup> groups;
        for (const QList<DuplicateGroup> &found : m_found) {
            groups += found;
        }
        std::stable_sort(groups.begin(), groups.end(), [this](const DuplicateGroup &a, const DuplicateGroup &b) {
            const auto rankOf = [this](const DuplicateGroup &group) {
                return std::tuple(int(group.reason), group.succeeded > 1 ? 0 : 1, close(group) ? 0 : 1,
                    -std::max(group.keys, group.effects));
            };
            return rankOf(a) < rankOf(b);
        });
        return groups;
    }

    /// Keeps the first of each reason, in turn, so that many groups of one reason leave room for the others.
    QList<DuplicateGroup> cut(QList<DuplicateGroup> groups) const
    {
        QMap<DuplicateReason, qsizetype> found;
        for (const DuplicateGroup &group : std::as_const(groups)) {
            ++found[group.reason];
        }
        QMap<DuplicateReason, qsizetype> places;
        qsizetype left = m_request.limit;
        for (bool given = true; given && left > 0;) {
            given = false;
            for (auto reason = found.cbegin(); reason != found.cend() && left > 0; ++reason) {
                if (places.value(reason.key()) < reason.value()) {
                    ++places[reason.key()];
                    --left;
                    given = true;
                }
            }
        }
        groups.removeIf([&places](const DuplicateGroup &group) { return places[group.reason]-- <= 0; });
        return groups;
    }

    Session &m_session;
    const Target &m_target;
    const DuplicateRequest &m_request;
    const DuplicatesFound &m_heard;
    const bool m_tolerant;
    QList<DuplicateLook> m_looks;
    QMap<qsizetype, QList<DuplicateGroup>> m_found; ///< by the place of the look
    QStringList m_sequential; ///< what was looked for without an index
    bool m_more = false; ///< one reason alone has more groups than wanted
    DuplicateAnswer m_answer;
};

Result<DuplicateAnswer> searchAround(
    Session &session, const Target &target, const DuplicateRequest &request, const DuplicatesFound &found)
{
    QString note;
    auto answer = readAround(session, target, true, &note,
        [&](const Target &readable) { return DuplicateSearch(session, readable, request, found).find(); });
    if (!answer && isRowsFault(answer.error())) {
        answer = DuplicateSearch(session, target, request, found, true).find();
    }
    if (answer && !note.isEmpty()) {
        answer->notes += note;
        answer->complete = false;
    }
    if (const QStringList unseen = unseenNotes(target); answer && !unseen.isEmpty()) {
        answer->notes += unseen;
        answer->complete = false;
    }
    return answer;
}

} // namespace

Result<DuplicateAnswer> findDuplicates(
    Session &session, const Target &target, const DuplicateRequest &request, const DuplicatesFound &found)
{
    auto whole = [&] {
        const WholeRows asked(session);
        return searchAround(session, target, request, found);
    }();
    if (whole || !whole.error().rowsHidden) {
        return whole;
    }
    // What he may see can still show a duplicate; it cannot show that there is none.
    auto seen = searchAround(session, target, request, found);
    if (seen) {
        seen->complete = false;
        seen->notes += Tr::tr("Row security hides rows from this login, so there may be more than was found.");
    }
    return seen;
}

} // namespace idemdesk::sql
