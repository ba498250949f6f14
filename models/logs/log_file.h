// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/logs/log_reader.h"
#include "sql/types/result.h"

namespace idemdesk::models {

/// A log, wherever its bytes come from.
struct LogInput {
    QString name; ///< as people call it: the file's name without its folder
    qint64 size = 0; ///< 0: not known
    std::function<sql::Result<QByteArray>()> next; ///< the next piece, never a large one; empty at the end
    QString database = {}; ///< where the log tells of several, only what it tells of this one counts
};

struct LogFileOptions {
    std::optional<LogFormat> format; ///< nothing: by its beginning
    ApplicationLogMapping mapping;
    std::function<void(qint64 done, qint64 size)> progress = {}; ///< after each piece
    std::function<bool()> cancelled = {};
};

/// What reading says when it was cancelled.
sql::Error readingCancelled(const QString &name);

/// Opens a file. Error: File.
sql::Result<LogInput> logFile(const QString &path);

/// Reads a log from end to end. Errors: those of the input; Cancelled, after which what was handed on stands.
sql::Result<LogCounts> readLog(
    const LogInput &input, const LogReader::Handler &handler, const LogFileOptions &options = {});

/// Reads a log file from end to end, as readLog() does.
sql::Result<LogCounts> readLogFile(
    const QString &path, const LogReader::Handler &handler, const LogFileOptions &options = {});

} // namespace idemdesk::models
