// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/render.h"
#include "sql/keys/unreadable.h"
#include "sql/session/session.h"
#include "sql/types/key_page.h"

#include <functional>

namespace idemdesk::sql {

/// Rows to be counted up to a cap.
struct CountedRows {
    std::function<Result<QString>(Render &)> condition; ///< over t
    std::function<QString(Render &)> since; ///< a time of each row, of which the least is wanted; none: not wanted
    std::function<Result<QString>(Render &)>
        narrow; ///< the part of the condition that no row can defeat; none: nothing
    bool unknown = false; ///< rows that cannot be read are among them
};

/// What was counted.
struct BoundedCount {
    RowCount count; ///< Exact; or AtLeast: the cap, or what was seen where not every row could be looked at
    std::optional<Timestamp> since;
};

/// Counts up to a cap. Where a row cannot be read, the rows that it lies among are looked at instead of the whole
/// table: those that `narrow` lets through, where these are few, else the first ones of the table. About twice as many
/// rows as the cap are looked at so, each at most three times, and passed over as often to find where they end; what
/// lies behind them makes the answer "at least".
class BoundedCounter
{
public:
    BoundedCounter(Session &session, AroundReader &around, qint64 cap, const std::optional<Timestamp> &now)
        : m_session(session)
        , m_around(around)
        , m_cap(qMax<qint64>(1, cap))
        , m_now(now)
    {
    }

    /// Fails with the row's own fault only where rows have no places (a view).
    Result<BoundedCount> count(const CountedRows &rows);

private:
    struct FirstBlocks {
        qint64 end = 0; ///< the block behind them
        bool all = false; ///< there are no others
        QString where() const;
    };
    qint64 looked() const { return 2 * (m_cap + 1); }
    Result<BoundedCount> once(const CountedRows &rows, const QString &from, const QString &where);
    Result<std::optional<BoundedCount>> amongFew(const CountedRows &rows);
    Result<BoundedCount> amongFirst(const CountedRows &rows, const FirstBlocks &first);
    Result<FirstBlocks> firstBlocks(qint64 size);
    Result<qint64> rowsBefore(qint64 block);
    Result<qint64> cheapUnknown(const CountedRows &rows);

    Session &m_session;
    AroundReader &m_around;
    const qint64 m_cap;
    const std::optional<Timestamp> m_now;
    std::optional<FirstBlocks> m_first;
    bool m_searched = false; ///< the first blocks were searched once for rows that cannot be read
};

} // namespace idemdesk::sql
