// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/logs/log_reader.h"
#include "sql/types/result.h"

namespace idemdesk::models {

struct LogFileOptions {
    std::optional<LogFormat> format; ///< nothing: by its beginning
    ApplicationLogMapping mapping;
    std::function<void(qint64 done, qint64 size)> progress = {}; ///< after each piece
    std::function<bool()> cancelled = {};
};

/// Reads a log file from end to end. Errors: File; Cancelled, after which what was handed on stands.
sql::Result<LogCounts> readLogFile(const QString &path, const LogReader::Handler &handler, const LogFileOptions &options = {});

} // namespace idemdesk::models
