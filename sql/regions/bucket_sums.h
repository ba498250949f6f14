// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QStringList>

namespace idemdesk::sql {

/// The rows of one bucket in three numbers. The upper half of a key's hash is its number here; its lower bits are the
/// bucket. Whole numbers of any size, as the server wrote them.
struct BucketSum {
    qint64 rows = 0;
    QByteArray sum; ///< of the hashes of its rows
    QByteArray weighted; ///< of the upper half of each row's hash times its key's number
    friend bool operator==(const BucketSum &, const BucketSum &) = default;
};

/// One side, summed up.
struct SideSums {
    QHash<int, BucketSum> buckets; ///< by number; those without rows are left out
    qint64 rows = 0;
    QStringList notes; ///< what could not be looked at; empty: all was
};

/// The bucket that a key with this number is in; buckets: a power of two.
int bucketOfKey(qint64 number, int buckets);

/// What `one` has more than `other`, its lower 64 bits.
quint64 sumDifference(const BucketSum &one, const BucketSum &other);

/// The numbers of the keys of which one alone can make the sums of a bucket differ as they do. None: more than one
/// key differs there. Where several do, by chance a wrong number comes out, once in some ten million times: whoever
/// reads by it looks whether what was found explains the difference.
QList<qint64> loneKeys(const BucketSum &one, const BucketSum &other, int bucket, int buckets);

} // namespace idemdesk::sql
