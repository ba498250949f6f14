// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/logs/log_file.h"
#include "sql/session/session.h"

namespace idemdesk::models {

/// The server's own log by its name in the server's log folder; empty: the one it writes now. The session must outlive
/// the input.
sql::Result<LogInput> serverLog(sql::Session &session, const QString &name);

/// A log that somebody pasted.
LogInput textLog(const QString &name, const QByteArray &text);

/// The logs in a folder (*.csv, *.json, *.jsonl, *.log) in the order of their names; any other path as it is. Error:
/// File, where a folder holds none.
sql::Result<QStringList> logFilesOf(const QString &path);

} // namespace idemdesk::models
