// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/logs/application_log.h"
#include "models/logs/log_event.h"
#include "models/logs/server_record.h"

#include <functional>

namespace idemdesk::models {

/// A line or record that could not be read, kept for looking at.
struct UnreadLine {
    qint64 line = 0; ///< from 1
    QString text; ///< its beginning, hostile
};

struct LogCounts {
    qint64 bytes = 0;
    qint64 lines = 0;
    qint64 records = 0; ///< understood, whether they told something or not
    qint64 events = 0;
    qint64 unread = 0; ///< lines or records not understood, of which the first are kept
    qint64 stateless
        = 0; ///< errors of a plain log that carry no SQLSTATE, and whose texts are of no shape that is known
    bool application = false; ///< read as a service's own log
    qint64 otherEncoding = 0; ///< events that were not UTF-8
    QList<UnreadLine> unreadKept;
};

/// Reads a log of any size a piece at a time, in constant memory, and hands on what it tells of keys.
class LogReader
{
public:
    static constexpr qsizetype kMostRecord = 1024 * 1024; ///< a longer record is unread
    static constexpr qsizetype kMostUnread = 200;
    static constexpr qsizetype kMostUnreadChars = 300;

    using Handler = std::function<void(const LogEvent &)>;
    LogReader(LogFormat format, Handler handler, ApplicationLogMapping mapping = {});

    LogReader(const LogReader &) = delete;
    LogReader &operator=(const LogReader &) = delete;

    void feed(QByteArrayView piece);
    /// The end of the log: what is still open is read, or is unread.
    void finish();
    const LogCounts &counts() const { return m_counts; }

    /// The format that the beginning of a log looks like.
    static LogFormat detect(QByteArrayView head);

private:
    void take(const QByteArray &line);
    void takeCsv(const QByteArray &line);
    void takeJson(const QByteArray &line);
    void takeStderr(const QByteArray &line);
    void startReport(const QString &prefix, const QString &text);
    void endRecord();
    void endReport();
    void unread(const QByteArray &line, qint64 number);
    void give(const std::optional<LogEvent> &event);

    LogFormat m_format;
    Handler m_handler;
    ApplicationLogMapping m_mapping;
    LogCounts m_counts;
    QByteArray m_line; ///< the line so far, across pieces
    bool m_lineTooLong = false;
    QByteArray m_record; ///< CSV: the record so far, across lines
    bool m_recordOpen = false; ///< CSV: within quotes
    qint64 m_recordLine = 0;
    std::optional<ServerRecord> m_report; ///< stderr: the report so far
    bool m_stateless = false; ///< it is an error, and its line has no SQLSTATE
    QString *m_field = nullptr; ///< stderr: which of its texts goes on
};

} // namespace idemdesk::models
