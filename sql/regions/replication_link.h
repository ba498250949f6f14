// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"

#include <QStringList>
#include <optional>

namespace idemdesk::sql {

// Logical replication as its two ends tell it (PostgreSQL's manual, chapters "Logical Replication" and "The Cumulative
// Statistics System"). Both ends are known by the name of the slot: where a server's subscription reads is part of its
// conninfo, which superusers alone may see. Reads only.

/// A subscription of this database.
struct Subscription {
    struct Conflict {
        QString kind; ///< as the server names it: "insert_exists"
        qint64 count = 0;
    };

    QString name;
    QString slot; ///< on the publisher
    bool enabled = false;
    bool running = false; ///< its worker is there
    bool copying = false; ///< a table's first copy is not done
    std::optional<qint64> applyErrors; ///< since the statistics began; nothing before PostgreSQL 15
    QStringList publications; ///< on the publisher
    int tables = 0; ///< that it brings
    std::optional<qint64> silentSeconds; ///< since its worker heard from the publisher; nothing without a worker
    std::optional<QList<Conflict>> conflicts; ///< since the statistics began; nothing before PostgreSQL 18
};

/// Those that bring rows of this table, or of one of its partitions.
Result<QList<Subscription>> readSubscriptions(Session &session, quint32 relation);

/// A logical slot of this database.
struct LogicalSlot {
    QString name;
    bool active = false; ///< somebody reads from it
    qint64 lagBytes = 0; ///< written here, and not yet confirmed by who reads
    qint64 keptBytes = 0; ///< of log that is kept for it
    bool lost = false; ///< its log is gone: who reads must begin anew
    std::optional<double> lagSeconds; ///< how late the reader was; nothing while idle, or where not seen
    bool readerSeen = false; ///< false: nobody reads, or this login may not see who does
};
Result<QList<LogicalSlot>> readLogicalSlots(Session &session);

/// What this database offers to others.
struct Publication {
    QString name;
    bool allTables = false;
    int tables = 0;
    QStringList operations; ///< "insert", "update", "delete", "truncate"
    bool someRows = false; ///< of a table at least rows are left out; before PostgreSQL 15 there is no such thing
};

/// Logical replication as one database sees it.
struct ReplicationSide {
    int version = 0; ///< of the server: 150004
    bool standby = false; ///< it neither publishes nor subscribes; the lists are empty
    QList<Publication> publications;
    QList<Subscription> subscriptions; ///< all of this database
    QList<LogicalSlot> slots_; ///< "slots" is a word of Qt's

    bool tellsErrors() const { return version >= 150000; }
    bool tellsConflicts() const { return version >= 180000; }
};
Result<ReplicationSide> readReplication(Session &session);

/// Where this server's log ends by now; nothing on a standby.
Result<std::optional<QString>> logPosition(Session &session);
/// Whether who reads the slot has confirmed everything before the position. False where the slot is gone.
Result<bool> hasPassed(Session &session, const QString &slot, const QString &position);

// What a person may run where replication stands still; never run from here.

QString enableSubscriptionSql(const QString &subscription);
QString dropSlotSql(const QString &slot);

/// A slot, of whatever kind, that this server keeps its log for; logical ones of this database only.
struct HeldSlot {
    QString name;
    bool logical = false;
    bool active = false; ///< somebody reads from it
    bool lost = false; ///< the log that it needs is gone: who read from it must begin anew
    qint64 keptBytes = 0; ///< of the log, because of it
};
Result<QList<HeldSlot>> readHeldSlots(Session &session);

} // namespace idemdesk::sql
