// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/logs/log_file.h"
#include "sql/conflicts/key_finder.h"
#include "sql/types/local_place.h"

#include <QMap>
#include <functional>

namespace idemdesk::models {

/// "key_conflict", "unique_violation", …
QString conflictKind(LogEventKind kind);

/// What one event of a log is among the conflicts, or nothing where it is none: an ordinary line of a service's log, or
/// a violation of a constraint that is none of these targets'.
std::optional<sql::ConflictRecord> conflictOf(const LogEvent &event, const QList<sql::Target> &targets);

struct ImportCounts {
    QString name; ///< of the log
    LogCounts log;
    qint64 conflicts = 0; ///< told by the log
    qint64 replays = 0; ///< retries that met a stored key, as a service's log tells
    qint64 elsewhere = 0; ///< events left out, as the log says that they were of other databases
    qint64 unplaced = 0; ///< conflicts of a server's log that does not say of which database they are
    qint64 timeless = 0; ///< conflicts and replays whose line does not say when; they stand at the time of the import
    QMap<QString, qint64> otherOutcomes; ///< words of a service's log that are neither, at most 20, with their lines
    qint64 found = 0; ///< among both those whose key the log does not name and the tables do
    qint64 stored = 0; ///< new among both
    QStringList
        notSearched; ///< whole sentences: tables that could not be searched for keys, and why; what lines left open
    bool keptHere = false; ///< on this computer
};

/// What is done with each batch of conflicts.
struct ImportSteps {
    std::function<sql::KeysFound(QList<sql::ConflictRecord> &)> find
        = {}; ///< gives keys to thousands without; may be absent
    std::function<sql::Result<qint64>(const QList<sql::ConflictRecord> &)>
        store; ///< gives how many of some hundreds were new
};

/// Reads a log from end to end and hands its conflicts on in batches, in constant memory. An error of `store` ends the
/// import; what was stored stands, and the next import of the same log adds only the rest.
sql::Result<ImportCounts> importConflicts(const LogInput &input, const QList<sql::Target> &targets,
    const ImportSteps &steps, const LogFileOptions &options = {});

/// The same with all that a session gives: keys that the log does not name are looked up in the tables, and conflicts
/// are kept in the console's schema, or at `place` where the database has none. The session must not be read-only.
/// allTables: `targets` are all that there are; where some could not be read, a key may be theirs, and is given to
/// none.
sql::Result<ImportCounts> importConflicts(sql::Session &session, const sql::LocalPlace &place, const LogInput &input,
    const QList<sql::Target> &targets, const LogFileOptions &options = {}, bool allTables = true);

} // namespace idemdesk::models
