// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/unreadable.h"

#include <functional>

namespace idemdesk::sql {

/// A share of a table's blocks: the same ones each time, so that what is reckoned from them stands still where the
/// table does. What the catalog says of the number of rows may be of a time when the table was empty: the size in
/// bytes is asked, too, and a sample that turns out too large is made smaller.
class TableSample
{
public:
    /// Reads the sample; `sampled` stands behind the relation. Gives how many rows it met, up to mostRows() + 1.
    using Read = std::function<Result<qint64>(const QString &sampled)>;

    /// rows: about how many the sample is to hold.
    TableSample(const RelationFacts &relation, qint64 rows);

    double share() const { return m_share; } ///< of the table; below 1
    qint64 mostRows() const { return 3 * m_rows; } ///< of one reading
    /// " TABLESAMPLE SYSTEM (…) REPEATABLE (1)".
    QString sql() const;

    /// Reads around the rows of the sample that cannot be read, which are looked for among these alone. Refused for a
    /// view, which has no blocks, and where the sample cannot be made small enough. now: for the profile's rules.
    Result<void> read(Session &session, AroundReader &around, const std::optional<Timestamp> &now, const Read &read);

private:
    bool shrink();
    Result<void> learn(Session &session, AroundReader &around, const std::optional<Timestamp> &now) const;

    const RelationFacts m_relation;
    const qint64 m_rows;
    double m_share = 1;
};

} // namespace idemdesk::sql
