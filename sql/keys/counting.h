// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/render.h"
#include "sql/session/session.h"
#include "sql/types/overview.h"

namespace idemdesk::sql {

/// The counts of one group of rows, all taken in one pass: rows, rows by state, stale, expired, oldest stale.
class CountColumns
{
public:
    explicit CountColumns(Render &render);

    /// Aggregates over rows of the target itself.
    QString aggregates() const;
    /// The same in two steps, for a subquery that is cut at a limit: its select list, and the aggregates over it.
    QString flags() const;
    QString aggregatesOf(const QString &alias) const;

    void fillZero(ScopeCounts *counts, RowCount::Kind kind) const;
    /// cells: one row of aggregates. bound > 0: no more than bound + 1 rows were looked at, so what was not seen all is
    /// a lower bound.
    void fill(ScopeCounts *counts, const Cells &cells, qint64 bound) const;

    /// What fill() found as the number of all rows looked at.
    static qint64 total(const Cells &cells) { return cells.first().text.toLongLong(); }

private:
    QList<KeyState> m_states;
    QStringList m_conditions; ///< by m_states, then stale, then expired where there are such
    bool m_stale = false;
    bool m_expired = false;
    QString m_since;
};

/// Finds a scope among those of a page by its texts.
class ScopeLookup
{
public:
    explicit ScopeLookup(const QList<ScopeCounts> &scopes);
    ScopeCounts *find(QList<ScopeCounts> &scopes, const Cells &scope) const;

private:
    QHash<QString, qsizetype> m_index;
};

/// True where the planner expects a statement to cost less than this.
Result<bool> cheaperThan(Session &session, const Statement &statement, double cost);

} // namespace idemdesk::sql
