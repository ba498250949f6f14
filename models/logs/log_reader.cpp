// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/logs/log_reader.h"

#include "models/logs/stderr_words.h"

#include <QRegularExpression>
#include <cstring>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kMostField = 64 * 1024; ///< kept of one text of a report

bool digitAt(const QByteArray &line, qsizetype at)
{
    return at < line.size() && line[at] >= '0' && line[at] <= '9';
}

/// "2026-11-20 12:34:56.789 UTC," as every record of a csvlog begins.
bool beginsCsv(const QByteArray &line)
{
    constexpr qsizetype zoneStart = 24;
    constexpr qsizetype longestZone = 12;
    if (line.size() <= zoneStart || line[4] != '-' || line[7] != '-' || line[10] != ' ' || line[13] != ':'
        || line[16] != ':' || line[19] != '.') {
        return false;
    }
    for (const qsizetype at : { 0, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18, 20, 22 }) {
        if (!digitAt(line, at)) {
            return false;
        }
    }
    const qsizetype comma = line.indexOf(',', zoneStart);
    return comma > 0 && comma <= zoneStart + longestZone;
}

/// SQLSTATE in a plain log's prefix (%e). A number is taken for one only where the process id stands in brackets, as a
/// pid may be 23505, too.
QString stateInPrefix(const QString &prefix)
{
    static const QRegularExpression letters(u"(?<![A-Z0-9])(P40[0-9]{2}|40P01)(?![A-Z0-9])"_s);
    static const QRegularExpression pid(u"\\[[0-9]+(-[0-9]+)?\\]"_s);
    static const QRegularExpression numbers(u"(?<![A-Z0-9\\[.:-])(23505|40001)(?![A-Z0-9\\].:-])"_s);
    if (const auto match = letters.match(prefix); match.hasMatch()) {
        return match.captured(1);
    }
    return pid.match(prefix).hasMatch() ? numbers.match(prefix).captured(1) : QString();
}

/// May the prefix carry a SQLSTATE, whichever? Five digits in brackets are a process id.
bool mayNameState(const QString &prefix)
{
    static const QRegularExpression five(u"(?<![A-Za-z0-9\\[.:-])[0-9A-Z]{5}(?![A-Za-z0-9\\].:-])"_s);
    return five.match(prefix).hasMatch();
}

} // namespace

LogReader::LogReader(LogFormat format, Handler handler, ApplicationLogMapping mapping)
    : m_format(format)
    , m_handler(std::move(handler))
    , m_mapping(std::move(mapping))
{
}

LogFormat LogReader::detect(QByteArrayView head)
{
    for (qsizetype at = 0; at < head.size();) {
        const qsizetype end = head.indexOf('\n', at);
        const QByteArray line = head.sliced(at, (end < 0 ? head.size() : end) - at).toByteArray().trimmed();
        if (line.startsWith('{')) {
            return line.contains("\"error_severity\"") && line.contains("\"timestamp\"") ? LogFormat::Json
                                                                                         : LogFormat::Application;
        }
        if (beginsCsv(line)) {
            return LogFormat::Csv;
        }
        if (!line.isEmpty() && line.contains(":  ")) {
            return LogFormat::Stderr;
        }
        if (end < 0) {
            break;
        }
        at = end + 1;
    }
    return LogFormat::Stderr;
}

void LogReader::feed(QByteArrayView piece)
{
    m_counts.bytes += piece.size();
    while (!piece.isEmpty()) {
        const qsizetype end = piece.indexOf('\n');
        const QByteArrayView part = end < 0 ? piece : piece.first(end);
        if (m_line.size() + part.size() > kMostRecord) {
            m_line.append(part.first(std::min(part.size(), std::max<qsizetype>(0, kMostUnreadChars - m_line.size()))));
            m_lineTooLong = true;
        } else if (!m_lineTooLong) {
            m_line.append(part);
        }
        if (end < 0) {
            return;
        }
        piece = piece.sliced(end + 1);
        take(m_line);
        m_line.truncate(0);
        m_lineTooLong = false;
    }
}

void LogReader::take(const QByteArray &whole)
{
    ++m_counts.lines;
    const QByteArray line = whole.endsWith('\r') ? whole.chopped(1) : whole;
    if (m_lineTooLong) {
        unread(line, m_counts.lines);
        if (m_format == LogFormat::Csv) {
            m_record.clear();
            m_recordOpen = false;
        }
        return;
    }
    switch (m_format) {
    case LogFormat::Csv:
        takeCsv(line);
        break;
    case LogFormat::Stderr:
        takeStderr(line);
        break;
    case LogFormat::Json:
    case LogFormat::Application:
        takeJson(line);
        break;
    }
}

void LogReader::takeCsv(const QByteArray &line)
{
    // A record that was cut within quotes would swallow all that follows: the beginning of another ends it. A quote is
    // even in a whole record, so that only one that spans lines comes here with quotes open.
    if (m_recordOpen && beginsCsv(line) && line.count(',') >= 20) {
        unread(m_record, m_recordLine);
        m_recordOpen = false;
    }
    if (!m_recordOpen) {
        if (line.isEmpty()) {
            return;
        }
        m_record.clear();
        m_recordLine = m_counts.lines;
    } else {
        m_record += '\n';
    }
    m_record += line;
    m_recordOpen = m_recordOpen != (line.count('"') % 2 == 1);
    if (m_recordOpen && m_record.size() > kMostRecord) {
        unread(m_record, m_recordLine);
        m_recordOpen = false;
    } else if (!m_recordOpen) {
        endRecord();
    }
}

void LogReader::endRecord()
{
    const auto record = beginsCsv(m_record) ? recordFromCsv(m_record) : std::nullopt;
    if (!record) {
        unread(m_record, m_recordLine);
        return;
    }
    ++m_counts.records;
    give(eventOf(*record));
}

void LogReader::takeJson(const QByteArray &line)
{
    if (line.trimmed().isEmpty()) {
        return;
    }
    if (m_format == LogFormat::Application) {
        const ApplicationLine read = applicationLine(line, m_mapping);
        if (!read.understood) {
            unread(line, m_counts.lines);
            return;
        }
        m_counts.application = true;
        ++m_counts.records;
        give(read.event);
        return;
    }
    const bool whole = line.startsWith("{\"timestamp\":") && line.endsWith('}') && line.contains("\"error_severity\":");
    if (whole && !maybeInteresting(line)) {
        ++m_counts.records;
        return;
    }
    const auto record = recordFromJson(line);
    if (!record) {
        unread(line, m_counts.lines);
        return;
    }
    ++m_counts.records;
    give(eventOf(*record));
}

void LogReader::takeStderr(const QByteArray &line)
{
    if (line.startsWith('\t')) { // a text's further line
        if (m_field != nullptr && m_field->size() < kMostField) {
            *m_field += u'\n' + decodedText(line.sliced(1), &m_report->otherEncoding);
        } else if (m_field == nullptr && !m_report) {
            unread(line, m_counts.lines);
        }
        return;
    }
    bool otherEncoding = false;
    const QString text = decodedText(line, &otherEncoding);
    const qsizetype colon = text.indexOf(u":  ");
    const qsizetype space = colon > 0 ? text.lastIndexOf(u' ', colon - 1) : -1;
    const StderrPart part
        = colon > 0 ? stderrPart(QStringView(text).sliced(space + 1, colon - space - 1)) : StderrPart::None;
    const QString rest = colon > 0 ? text.mid(colon + 3, kMostField) : QString();
    const auto goOn = [&](QString ServerRecord::*field) {
        if (m_report) {
            (*m_report).*field = rest;
            m_field = &((*m_report).*field);
            m_report->otherEncoding = m_report->otherEncoding || otherEncoding;
        }
    };
    switch (part) {
    case StderrPart::None:
        if (!line.trimmed().isEmpty()) {
            unread(line, m_counts.lines);
        }
        return;
    case StderrPart::Error:
    case StderrPart::Other:
        endReport();
        startReport(text.left(std::max<qsizetype>(space, 0)), rest);
        m_stateless = part == StderrPart::Error && !mayNameState(text.left(std::max<qsizetype>(space, 0)));
        m_report->otherEncoding = otherEncoding;
        return;
    case StderrPart::Detail:
        goOn(&ServerRecord::detail);
        return;
    case StderrPart::Context:
        goOn(&ServerRecord::context);
        return;
    case StderrPart::Statement:
        goOn(&ServerRecord::statement);
        return;
    case StderrPart::Aside:
        m_field = nullptr;
        return;
    }
}

void LogReader::startReport(const QString &prefix, const QString &text)
{
    static const QRegularExpression time(
        u"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?(?: [A-Za-z0-9+:-]{1,12})?"_s);
    static const QRegularExpression pid(u"\\[([0-9]+)"_s);
    ServerRecord record;
    record.time = time.match(prefix).captured();
    record.session = pid.match(prefix).captured(1);
    record.sqlState = stateInPrefix(prefix);
    record.message = text;
    m_report = record;
    m_field = &m_report->message;
}

void LogReader::endReport()
{
    if (!m_report) {
        return;
    }
    ++m_counts.records;
    const auto event = eventOf(*m_report);
    m_counts.stateless += m_stateless && !event ? 1 : 0;
    give(event);
    m_report.reset();
    m_field = nullptr;
}

void LogReader::finish()
{
    if (!m_line.isEmpty() || m_lineTooLong) {
        take(m_line);
        m_line.clear();
        m_lineTooLong = false;
    }
    if (m_recordOpen) {
        unread(m_record, m_recordLine);
        m_recordOpen = false;
    }
    endReport();
}

void LogReader::unread(const QByteArray &line, qint64 number)
{
    ++m_counts.unread;
    if (m_counts.unreadKept.size() < kMostUnread) {
        bool other = false;
        m_counts.unreadKept.append({ number, decodedText(line.left(kMostUnreadChars), &other) });
    }
}

void LogReader::give(const std::optional<LogEvent> &event)
{
    if (!event) {
        return;
    }
    ++m_counts.events;
    m_counts.otherEncoding += event->otherEncoding ? 1 : 0;
    if (m_handler) {
        m_handler(*event);
    }
}

} // namespace idemdesk::models
