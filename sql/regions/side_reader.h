// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/regions/bucket_sums.h"
#include "sql/session/session.h"
#include "sql/types/filter.h"
#include "sql/types/key_record.h"
#include "sql/types/target.h"

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
    bool byType = false; ///< hashes as they are cheapest; see sameTypes
};

/// Rows that are asked for by buckets.
struct BucketRows {
    QList<int> whole; ///< buckets of which all rows are
    QList<qint64> keys; ///< numbers of keys that are beside them (loneKeys)

    bool none() const { return whole.isEmpty() && keys.isEmpty(); }
};

/// What this server makes of a known value. Sides that differ in it cannot be compared: their hashes do.
Result<QString> hashProbe(Session &session);
/// Differs between any two databases: the server by the microsecond of its start, the database by its number.
Result<QString> databaseIdentity(Session &session);

/// A row of a bucket: enough to tell whether the other side has the same.
struct HashedKey {
    Cells scope;
    Cell key;
    qint64 number = 0; ///< of the key; see BucketSum
    qint64 hash = 0; ///< of the row; not comparable with SideRow::compared
};

/// A row as a comparison shows it.
struct SideRow {
    KeyRecord record;
    QByteArray compared; ///< a hash of everything that must be the same on both sides, whatever their types
    QByteArray result; ///< a hash of what it gave back
    Cells columns; ///< those of the table that were asked for beside it, as PostgreSQL printed them
    friend bool operator==(const SideRow &a, const SideRow &b) { return a.compared == b.compared; }
};

/// So many buckets that their sums stay in a processor's cache; one that differs costs some thousand rows at most, up
/// to a hundred million of them. rows: of the larger side, about.
int bucketsFor(double rows);

/// One reading of all rows that the filter picks.
Result<SideSums> readSums(Session &session, const Target &target, const SideRequest &request);

/// The rows that are asked for and that the filter picks, at most `most` of them.
Result<QList<HashedKey>> readBuckets(
    Session &session, const Target &target, const SideRequest &request, const BucketRows &asked, qint64 most);

/// The rows that have scope and key of one of these, whatever a filter says, each once; found by index where there is
/// one. Those without a key are left out: nothing tells which of them belong together. columns: names of columns of the
/// table that are read with them.
Result<QList<SideRow>> readSameKeys(
    Session &session, const Target &target, const QList<HashedKey> &wanted, const QStringList &columns = {});

} // namespace idemdesk::sql
