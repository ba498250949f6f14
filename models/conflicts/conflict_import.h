// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/logs/log_file.h"
#include "sql/types/conflict.h"
#include "sql/types/target.h"

#include <functional>

namespace idemdesk::models {

/// "key_conflict", "unique_violation", …
QString conflictKind(LogEventKind kind);

/// What one event of a log is among the conflicts, or nothing where it is none: an ordinary line of a service's log, or a violation of
/// a constraint that is none of these targets'.
std::optional<sql::ConflictRecord> conflictOf(const LogEvent &event, const QList<sql::Target> &targets);

struct ImportCounts {
    LogCounts log;
    qint64 conflicts = 0; ///< told by the log
    qint64 stored = 0; ///< new among them
};

/// Reads a log from end to end and hands its conflicts on in batches, in constant memory. `store` gives how many of a batch were new.
/// An error of it ends the import; what was stored stands, and the next import of the same log adds only the rest.
sql::Result<ImportCounts> importConflicts(const QString &path, const QList<sql::Target> &targets,
    const std::function<sql::Result<qint64>(const QList<sql::ConflictRecord> &)> &store, const LogFileOptions &options = {});

} // namespace idemdesk::models
