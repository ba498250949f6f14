// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/duplicates/duplicate_looks.h"
#include "sql/keys/predicate.h"
#include "sql/keys/render.h"
#include "sql/session/session.h"

#include <optional>

namespace idemdesk::sql {

/// A part of the span that is looked at before the rest, so that the first groups are there at once.
struct DuplicateSlice {
    qint64 seconds = 0; ///< keys that began within so long; 0: it is told by place
    qint64 fromBlock = 0; ///< rows from this block of the table on
};

/// One look over the rows of a target, in two statements: an aggregate finds the groups, with no more to keep of each
/// than counts and times; a second one reads the members of the few that are listed.
class LookSearch
{
public:
    LookSearch(Session &session, const Target &target, const DuplicateRequest &request, const DuplicateLook &look,
        const ResolvedFilter &filter, const std::optional<DuplicateSlice> &slice = {})
        : m_session(session)
        , m_target(target)
        , m_request(request)
        , m_look(look)
        , m_filter(filter)
        , m_slice(slice)
    {
    }

    Result<QList<DuplicateGroup>> run();
    /// There are more groups than were asked for.
    bool more() const { return m_more; }
    /// The aggregate read some table from end to end. Only known where that was asked for, before run().
    bool sequential() const { return m_sequential; }
    void setExplaining(bool explaining) { m_explaining = explaining; }
    /// Is there a row with what the look compares?
    Result<bool> served();

private:
    /// What the aggregate told of a group.
    struct Candidate {
        Cells scope; ///< the parts that keys are kept apart by
        Cells shared;
        qint64 keys = 0;
        qint64 succeeded = 0;
        std::optional<Timestamp> first;
        std::optional<Timestamp> last;
        std::optional<Timestamp> upto = {}; ///< members that began later are not read: enough are known
        bool limited = false;
    };

    /// "FROM … WHERE …" of the rows looked at; `join` stands before WHERE.
    Result<QString> rowsOf(Render &render, const QString &join) const;
    Result<Statement> aggregate(Render &render) const;
    Result<Statement> members(Render &render, const QList<qsizetype> &of) const;
    QString candidatesOf(Render &render, const QList<qsizetype> &of) const;
    QString matched(Render &render, const QString &rows) const;
    Result<void> chooseJoin();
    Result<void> readCandidates();
    Result<void> readMembers(const QList<qsizetype> &of, QList<qsizetype> *again);
    void add(const Row &row, QList<qsizetype> *again);
    DuplicateGroup groupOf(const Candidate &candidate) const;
    QString shownValue(const Cells &shared) const;

    QString atSql() const;
    QString keySql() const;
    QStringList scopeSql() const; ///< texts, of every part
    QStringList apartSql() const; ///< of the parts that groups are kept apart by
    bool oneRowAKey() const;
    /// What the aggregate told is final; only the members' names are missing.
    bool counted() const;
    bool perKey() const { return m_look.reason == DuplicateReason::SeveralEffects; }
    qint64 apartSeconds() const
    {
        return m_look.reason == DuplicateReason::NearPayload ? m_request.windowSeconds : m_look.apartSeconds;
    }
    bool inRuns() const { return apartSeconds() > 0; }
    QString apart() const; ///< the same as an interval
    QStringList havingSql() const; ///< of the aggregate
    int most() const;

    Session &m_session;
    const Target &m_target;
    const DuplicateRequest &m_request;
    const DuplicateLook &m_look;
    const ResolvedFilter &m_filter;
    const std::optional<DuplicateSlice> m_slice;
    QList<Candidate> m_candidates;
    QList<DuplicateGroup> m_groups;
    bool m_more = false;
    bool m_explaining = false;
    bool m_sequential = false;
    bool m_joinChosen = false;
    bool m_rowByRow = false; ///< effects are looked up for each row, not joined at once
};

} // namespace idemdesk::sql
