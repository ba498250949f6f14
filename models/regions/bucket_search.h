// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/regions/side_reader.h"

#include <QMap>
#include <QSet>
#include <array>

namespace idemdesk::models {

/// From the sums of two sides to the keys that differ: which rows to ask both for, and what the answers say. Where one
/// key of a bucket differs, the sums name it, and its rows alone are asked for; else all rows of the bucket are.
/// Bounded in memory whatever the tables hold.
class BucketSearch
{
public:
    using Rows = std::array<QList<sql::HashedKey>, 2>;

    BucketSearch() = default;
    BucketSearch(const std::array<sql::SideSums, 2> &sums, int buckets);

    bool none() const { return m_none; } ///< no bucket differs
    const sql::BucketRows &wanted() const { return m_wanted; } ///< asked for by next and not yet taken

    /// Takes what both sides answered to wanted(), which is then what is to be asked for next; nothing in it: all is
    /// known. moving: rows may have come to be alike since they were summed up, as replication brings them.
    void take(const Rows &rows, bool moving);

    const QMap<QString, sql::HashedKey> &differ() const { return m_differ; } ///< by intent: an order of its own
    bool keyless() const { return m_keyless; } ///< rows without a key differ, too
    bool all() const { return m_all; } ///< everything that differs was asked for
    qint64 estimated() const; ///< how many keys differ; about so many unless all()

private:
    struct Lone {
        quint64 sum = 0; ///< what the first side has more
        qint64 rows = 0;
        bool seen = false;
    };

    void pick(const QList<int> &whole);
    QList<int> unexplained(const Rows &rows, bool moving);

    int m_buckets = 1;
    std::array<QHash<int, qint64>, 2> m_rows; ///< of the buckets that differ
    QHash<int, Lone> m_lone; ///< of which one key is asked for
    sql::BucketRows m_wanted;
    QMap<QString, sql::HashedKey> m_differ;
    QSet<int> m_readWhole; ///< buckets
    double m_share = 1; ///< buckets of which all rows were wanted, over those of which they were asked for
    qint64 m_passedOver = 0; ///< buckets of one key that were not asked for
    bool m_none = true;
    bool m_all = true;
    bool m_keyless = false;
};

/// One text for scope and key, unlike that of any other.
QString intentText(const sql::Cells &scope, const sql::Cell &key);

} // namespace idemdesk::models
