// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/async.h"
#include "models/regions/bucket_search.h"
#include "models/regions/region_difference.h"
#include "sql/regions/replication_link.h"
#include "sql/regions/side_reader.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <array>
#include <functional>

namespace idemdesk::sql {
class Database;
}

namespace idemdesk::models {

/// One of the two databases of a comparison.
struct CompareSide {
    QString label;
    sql::Database *database = nullptr; ///< outlives the comparison
    /// Binds the table there; called on a thread of the database's, for both sides at once.
    std::function<sql::Result<sql::Target>(sql::Session &)> open;
};

struct CompareRequest {
    QString filter; ///< as people write it; empty: all keys
    int settleMs = 10'000; ///< how long replication may take to bring what is on its way; 0: not waited for
};

/// Replication from one side to the other, for the table.
struct CompareLink {
    int from = 0;
    int to = 1;
    sql::Subscription subscription; ///< on the side it leads to
    std::optional<sql::LogicalSlot> slot; ///< on the side it comes from; nothing: it is not there any more
    bool passed = false; ///< it had brought everything by the time of the second look

    bool working() const { return subscription.enabled && subscription.running && slot && slot->active; }
};

/// What a comparison found.
struct CompareOutcome {
    std::array<sql::Target, 2> targets;
    std::array<QString, 2> servers; ///< "database on host:port as user"
    std::array<qint64, 2> rows {}; ///< that were compared
    QList<RegionDifference> differences; ///< as many as are held at once
    int settled = 0; ///< keys that differed at the first look, and no longer at the second
    qint64 estimated = 0; ///< how many differ in all; about so many where not all were looked at
    bool all = true; ///< every key that differs was looked at
    QList<CompareLink> links;
    QStringList notes; ///< what could not be looked at; "no difference" is not said of it
};

/// Compares one table in two databases: sums over buckets of keys on both sides at once, the keys that these name or
/// that are in buckets which differ, and a second look at those that differ once replication has come as far as it was
/// at the first. Bounded in memory whatever the tables hold. Reads only. Lives on the GUI thread; runs once.
class RegionCompare final : public QObject
{
    Q_OBJECT

public:
    using Hashes = QHash<QString, QByteArrayList>; ///< of the rows with one scope and key, sorted
    enum class Phase { Opening, Summing, Reading, Waiting, Looking };

    RegionCompare(const std::array<CompareSide, 2> &sides, const CompareRequest &request, QObject *parent = nullptr);

    void start();
    void cancel(); ///< it ends with an error of the kind Cancelled

signals:
    void phaseChanged(idemdesk::models::RegionCompare::Phase phase);
    /// The last signal.
    void finished(const idemdesk::sql::Result<idemdesk::models::CompareOutcome> &outcome);

private:
    struct Opened {
        sql::Target target;
        QString probe;
        QString identity; ///< of the database
        QString server;
        QList<sql::Subscription> subscriptions;
        QList<sql::LogicalSlot> slots_; ///< "slots" is a word of Qt's
        QString standby; ///< how far it is behind, where it is one
        sql::Filter filter;
    };

    void opened(const std::array<Opened, 2> &sides);
    void summed(const std::array<sql::SideSums, 2> &sums);
    void read();
    void searched();
    void look();
    bool waitForLinks(); ///< false: there is nothing to wait for
    void pollLinks(const std::array<std::optional<QString>, 2> &positions);
    void markMoving(const std::array<Hashes, 2> &now);
    void conclude();
    void findLinks(const std::array<Opened, 2> &sides);
    void fail(const sql::Error &error, int side = -1);
    void enter(Phase phase);

    /// Runs job(side, session) on both sides at once; `next` gets both answers, unless one failed.
    template <typename T, typename Job> void askBoth(Job job, std::function<void(const std::array<T, 2> &)> next);

    const std::array<CompareSide, 2> m_sides;
    const CompareRequest m_request;
    const QString m_view;
    sql::SideRequest m_what; ///< of the first side; the second one's filter is m_otherFilter
    sql::Filter m_otherFilter;
    CompareOutcome m_outcome;
    QList<sql::HashedKey> m_candidates; ///< one of each key that differed
    BucketSearch m_search;
    std::array<Hashes, 2> m_first; ///< what each side had for them before the wait
    QTimer m_poll;
    QElapsedTimer m_waited;
    bool m_ended = false;
};

} // namespace idemdesk::models
