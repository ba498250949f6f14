// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/logs/log_event.h"

namespace idemdesk::models {

/// One report of a PostgreSQL server, whatever the format it was logged in.
struct ServerRecord {
    QString time;
    QString user;
    QString database;
    QString session; ///< session id, or pid
    QString sessionLine;
    QString application;
    QString sqlState; ///< empty where the format does not carry it
    QString message;
    QString detail;
    QString context;
    QString statement;
    bool otherEncoding = false;
};

/// Nothing where it is no record of that format. `line` has no line feed at its end.
std::optional<ServerRecord> recordFromCsv(const QByteArray &line);
std::optional<ServerRecord> recordFromJson(const QByteArray &line);

/// True if the bytes may be one of those the console looks for; a quick look that saves reading the rest of a large
/// log.
bool maybeInteresting(const QByteArray &record);

/// What the record tells of keys; nothing where it tells nothing. Where the SQLSTATE is missing, the shape of message
/// and detail stands in for it.
std::optional<LogEvent> eventOf(const ServerRecord &record);

/// UTF-8, else byte by byte (Latin 1) with the flag set. A NUL is kept as U+FFFD.
QString decodedText(const QByteArray &bytes, bool *otherEncoding);

} // namespace idemdesk::models
