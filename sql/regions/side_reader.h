// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/filter.h"
#include "sql/types/key_record.h"
#include "sql/types/target.h"

#include <QHash>
#include <QStringList>

namespace idemdesk::sql {

// What one side answers while two databases with the same table are compared. Keys are put into buckets by a hash of
// scope and key; each server sums up its own buckets, and rows are read only of those whose sums differ. A hash needs
// no index and no common order of texts, which differs from one version of a C library to the next. All of it runs
// on the calling thread through one Session, reads only, and fails where row security hides rows (Error::rowsHidden):
// a hidden row would pass for a missing one.

/// What is compared, the same for both sides.
struct SideRequest {
    Filter filter;
    int buckets = 0; ///< a power of two
};

/// The rows of one bucket in two numbers.
struct BucketSum {
    qint64 rows = 0;
    QByteArray sum; ///< of the hashes of its rows
    friend bool operator==(const BucketSum &, const BucketSum &) = default;
};

/// One side, summed up.
struct SideSums {
    QHash<int, BucketSum> buckets; ///< by number; those without rows are left out
    qint64 rows = 0;
    QStringList notes; ///< what could not be looked at; empty: all was
};

/// What this server makes of a known value. Sides that differ in it cannot be compared: their hashes do.
Result<QString> hashProbe(Session &session);
/// Differs between any two databases: the server by the microsecond of its start, the database by its number.
Result<QString> databaseIdentity(Session &session);

/// A row of a bucket: enough to tell whether the other side has the same.
struct HashedKey {
    Cells scope;
    Cell key;
    QByteArray compared; ///< as SideRow::compared
};

/// A row as a comparison shows it.
struct SideRow {
    KeyRecord record;
    QByteArray compared; ///< a hash of everything that must be the same on both sides
    QByteArray result; ///< a hash of what it gave back
    Cells columns; ///< those of the table that were asked for beside it, as PostgreSQL printed them
    friend bool operator==(const SideRow &a, const SideRow &b) { return a.compared == b.compared; }
};

/// So many buckets that one that differs costs the reading of some hundred rows. rows: of the larger side, about.
int bucketsFor(double rows);

/// One reading of all rows that the filter picks.
Result<SideSums> readSums(Session &session, const Target &target, const SideRequest &request);

/// The rows of these buckets that the filter picks, at most `most` of them.
Result<QList<HashedKey>> readBuckets(
    Session &session, const Target &target, const SideRequest &request, const QList<int> &buckets, qint64 most);

/// The rows that have scope and key of one of these, whatever a filter says, each once; found by index where there is
/// one. Those without a key are left out: nothing tells which of them belong together. columns: names of columns of the
/// table that are read with them.
Result<QList<SideRow>> readSameKeys(
    Session &session, const Target &target, const QList<HashedKey> &wanted, const QStringList &columns = {});

/// What is compared, as "role: SQL": two sides whose profiles differ in it cannot be.
QStringList comparedSql(const Profile &profile);

} // namespace idemdesk::sql
