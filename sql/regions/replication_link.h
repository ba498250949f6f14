// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"

#include <QStringList>
#include <optional>

namespace idemdesk::sql {

// Logical replication as its two ends tell it (PostgreSQL's manual, chapters "Logical Replication" and "The Cumulative
// Statistics System"). Both ends are known by the name of the slot: where a server's subscription reads is part of its
// conninfo, which superusers alone may see. Reads only.

/// A subscription of this database that brings rows of one table.
struct Subscription {
    QString name;
    QString slot; ///< on the publisher
    bool enabled = false;
    bool running = false; ///< its worker is there
    bool copying = false; ///< the table's first copy is not done
    std::optional<qint64> applyErrors; ///< since the statistics began; nothing before PostgreSQL 15
};

/// Those that bring rows of this table, or of one of its partitions.
Result<QList<Subscription>> readSubscriptions(Session &session, quint32 relation);

/// A logical slot of this database.
struct LogicalSlot {
    QString name;
    bool active = false; ///< somebody reads from it
    qint64 lagBytes = 0; ///< written here, and not yet confirmed by who reads
};
Result<QList<LogicalSlot>> readLogicalSlots(Session &session);

/// Where this server's log ends by now; nothing on a standby.
Result<std::optional<QString>> logPosition(Session &session);
/// Whether who reads the slot has confirmed everything before the position. False where the slot is gone.
Result<bool> hasPassed(Session &session, const QString &slot, const QString &position);

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
