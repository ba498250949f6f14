// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/target.h"

#include <QList>
#include <QString>
#include <optional>

namespace idemdesk::sql {

/// Where a session leads.
struct DrillPlace {
    /// What the database is for, as its owner says in its comment: one line "idemdesk: development", or test, or
    /// staging. Nothing where the comment does not say so: then no drill runs there, whatever the client believes.
    std::optional<Environment> environment;
    QString server; ///< the same for each session of one run of one server, and of one database
    bool counts = false; ///< the server counts the rows that a transaction takes (track_counts)
};
Result<DrillPlace> drillPlace(Session &session);

/// Whether a session that went with an open transaction is rolled back: its locks are free then. Waits at most 5 s.
Result<bool> drillRolledBack(Session &session, int backendPid);

/// Rows that may be taken for one call; no test makes as many.
inline constexpr qint64 kMostDrillRows = 50;

/// What a drill sends for one command of one client.
struct DrillCall {
    QString key;
    QString fact; ///< the text of a UUID
    QString payload; ///< JSON
};

/// How the service's statements answered.
struct DrillAnswer {
    bool refused = false; ///< by an error of the server: sqlState and text say which
    bool worked = true; ///< false: the claim's answer was none after which the work is run
    QString text; ///< the last row, its values parted by " | "; of a refusal the server's message
    QString sqlState;

    friend bool operator==(const DrillAnswer &, const DrillAnswer &) = default;
};

/// Runs the statements in one transaction. An error of the server is an answer; only what ends the session is an error.
/// commit: else the transaction stays open, for a client that is gone before it commits.
Result<DrillAnswer> drillPerform(Session &session, const DrillSpec &spec, const DrillCall &call, bool commit = true);
/// How often the effect is there, by the profile's query.
Result<qint64> drillEffects(Session &session, const DrillSpec &spec, const DrillCall &call);
/// With what every key begins that a drill makes.
inline constexpr QStringView kDrillKeys = u"idemdesk-drill-";
/// Rows of the target that drills left, for one was killed; at most 1,000 are counted.
Result<qint64> drillsLeft(Session &session, const Target &target);
/// Rows of the target with this key.
Result<qint64> drillMarks(Session &session, const Target &target, const QString &key);
/// Gives how many rows it changed or removed; more than `most`: none, and an error.
Result<qint64> drillExpire(
    Session &session, const DrillSpec &spec, const DrillCall &call, qint64 most = kMostDrillRows);
/// Takes away what the calls made, in one transaction: each statement for all of them before the next one, so that rows
/// which others refer to can go last. Statements that would take more than `most` rows for one call take none, and are
/// an error.
Result<void> drillCleanup(
    Session &session, const DrillSpec &spec, const QList<DrillCall> &calls, qint64 most = kMostDrillRows);

} // namespace idemdesk::sql
