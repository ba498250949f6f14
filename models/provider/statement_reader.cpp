// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/statement_reader.h"

#include "models/json/json_document.h"
#include "models/logs/csv_fields.h"
#include "sql/types/tr.h"

#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kKeptOfLong = 300; // bytes of a line that is not read

sql::Error unreadable(qint64 line, const QString &why, const QString &todo)
{
    return sql::makeError(
        sql::ErrorKind::File, Tr::tr("The statement cannot be read from line %1 on.").arg(line), why, todo);
}

sql::Error openQuote(qint64 line)
{
    return unreadable(line, Tr::tr("A quote begins in that record and is never closed."),
        Tr::tr("Look at that line; a quote within quotes is written twice."));
}

/// The sign that parts the names of columns: the one that makes most of them.
char separatorOf(const QByteArray &header)
{
    char best = ',';
    qsizetype most = 0;
    for (const char sign : { ',', ';', '\t', '|' }) {
        const auto fields = csvFields(header, sign);
        if (fields && fields->size() > most) {
            most = fields->size();
            best = sign;
        }
    }
    return best;
}

/// Scalars of an object by name and by JSON pointer; *twice is a name of the top that stands there more than once.
QMap<QString, QString> scalarsIn(const JsonDocument &document, QString *twice)
{
    constexpr int mostNodes = 2'000;
    QMap<QString, QString> values;
    for (int node = 1; node < std::min(document.nodeCount(), mostNodes); ++node) {
        const bool top = document.parent(node) == JsonDocument::kRoot;
        if (document.hasName(node) && document.duplicateName(node)) {
            *twice = document.name(node);
        }
        if (document.type(node) >= JsonDocument::Type::Array || document.type(node) == JsonDocument::Type::Null) {
            continue;
        }
        values.insert(document.pointer(node), document.value(node));
        if (top) {
            values.insert(document.name(node), document.value(node));
        }
    }
    return values;
}

} // namespace

StatementReader::StatementReader(Handler handler)
    : m_handler(std::move(handler))
{
}

sql::Result<bool> StatementReader::feed(QByteArrayView piece)
{
    while (!piece.isEmpty()) {
        const qsizetype end = piece.indexOf('\n');
        const QByteArrayView part = end < 0 ? piece : piece.first(end);
        if (m_line.size() + part.size() > kMostRecord) {
            m_line.append(part.first(std::min(part.size(), std::max<qsizetype>(0, kKeptOfLong - m_line.size()))));
            m_lineTooLong = true;
        } else if (!m_lineTooLong) {
            m_line.append(part);
        }
        if (end < 0) {
            return true;
        }
        piece = piece.sliced(end + 1);
        TRY(const bool more, take(m_line));
        m_line.truncate(0);
        m_lineTooLong = false;
        if (!more) {
            return false;
        }
    }
    return true;
}

sql::Result<bool> StatementReader::finish()
{
    if (!m_line.isEmpty() || m_lineTooLong) {
        TRY(const bool more, take(m_line));
        m_line.clear();
        m_lineTooLong = false;
        if (!more) {
            return false;
        }
    }
    if (m_recordOpen) {
        return openQuote(m_recordLine);
    }
    return true;
}

sql::Result<bool> StatementReader::take(QByteArray line)
{
    ++m_lines;
    if (m_lines == 1) {
        if (line.startsWith("\xEF\xBB\xBF")) {
            line.remove(0, 3);
        } else if (line.startsWith("\xFF\xFE") || line.startsWith("\xFE\xFF")) {
            return unreadable(1, Tr::tr("It is written in UTF-16."), Tr::tr("Save it as UTF-8 and try again."));
        }
    }
    if (line.endsWith('\r')) {
        line.chop(1);
    }
    if (!m_format && !line.trimmed().isEmpty()) {
        if (line.trimmed().startsWith('[')) {
            return unreadable(m_lines, Tr::tr("It begins with a JSON list."),
                Tr::tr("JSON Lines has one object a line, without a list around them."));
        }
        m_format = line.trimmed().startsWith('{') ? StatementFormat::JsonLines : StatementFormat::Csv;
    }
    if (m_format == StatementFormat::Csv || m_recordOpen) {
        return takeCsv(line);
    }
    return line.trimmed().isEmpty() && !m_lineTooLong ? sql::Result<bool>(true) : takeRecord(line, m_lines);
}

sql::Result<bool> StatementReader::takeCsv(const QByteArray &line)
{
    if (!m_recordOpen) {
        if (line.isEmpty() && !m_lineTooLong) {
            return true;
        }
        m_record.clear();
        m_recordLine = m_lines;
    } else {
        m_record += '\n';
    }
    m_record += line;
    if (m_lineTooLong) {
        // Whether its quotes were closed is not known, so that what follows could be read as anything.
        const bool within = m_recordOpen || m_record.contains('"');
        m_recordOpen = false;
        return within ? sql::Result<bool>(openQuote(m_recordLine)) : takeRecord(m_record, m_recordLine);
    }
    m_recordOpen = m_recordOpen != (line.count('"') % 2 == 1);
    if (m_recordOpen && m_record.size() > kMostRecord) {
        return openQuote(m_recordLine);
    }
    return m_recordOpen ? sql::Result<bool>(true) : takeRecord(m_record, m_recordLine);
}

sql::Result<bool> StatementReader::takeRecord(const QByteArray &bytes, qint64 number)
{
    QString fault;
    if (m_lineTooLong) {
        fault = Tr::tr("it is longer than 1 MiB");
    } else if (bytes.contains('\0')) {
        fault = Tr::tr("it holds a NUL");
    } else if (!bytes.isValidUtf8()) {
        fault = Tr::tr("it is no UTF-8");
    }
    if (m_format == StatementFormat::Csv && m_columns.isEmpty()) {
        return fault.isEmpty()
            ? takeHeader(bytes, number)
            : sql::Result<bool>(unreadable(number, Tr::tr("The line with the names of columns: %1.").arg(fault),
                Tr::tr("Save the file as UTF-8 text with the names of columns in its first line.")));
    }
    if (!fault.isEmpty()) {
        return refuse(bytes, number, fault);
    }
    return m_format == StatementFormat::Csv ? giveCsv(bytes, number) : giveJson(bytes, number);
}

sql::Result<bool> StatementReader::takeHeader(const QByteArray &bytes, qint64 number)
{
    m_separator = separatorOf(bytes);
    const auto fields = csvFields(bytes, m_separator);
    QStringList names;
    for (const QByteArray &field : fields.value_or(QByteArrayList())) {
        names += QString::fromUtf8(field).trimmed();
    }
    QSet<QString> once(names.cbegin(), names.cend());
    if (names.size() > kMostColumns || names.contains(QString()) || once.size() != names.size()) {
        return unreadable(number,
            names.size() > kMostColumns     ? Tr::tr("It has more than 1,000 columns.")
                : names.contains(QString()) ? Tr::tr("A column has no name.")
                                            : Tr::tr("Two columns have the same name."),
            Tr::tr("The first line of a statement names its columns, each once."));
    }
    m_columns = names;
    return true;
}

sql::Result<bool> StatementReader::giveCsv(const QByteArray &bytes, qint64 number)
{
    const auto fields = csvFields(bytes, m_separator);
    if (!fields || fields->size() != m_columns.size()) {
        return refuse(bytes, number,
            Tr::tr("it has %1 fields, and the first line names %2")
                .arg(fields ? fields->size() : 0)
                .arg(m_columns.size()));
    }
    QMap<QString, QString> values;
    for (qsizetype i = 0; i < fields->size(); ++i) {
        values.insert(m_columns.at(i), QString::fromUtf8(fields->at(i)));
    }
    return m_handler({ number, bytes, {} }, values);
}

sql::Result<bool> StatementReader::giveJson(const QByteArray &bytes, qint64 number)
{
    const auto document = JsonDocument::parse(QString::fromUtf8(bytes));
    if (!document || document->type(JsonDocument::kRoot) != JsonDocument::Type::Object) {
        return refuse(bytes, number, Tr::tr("it is no JSON object"));
    }
    QString twice;
    QMap<QString, QString> values = scalarsIn(*document, &twice);
    if (!twice.isEmpty()) {
        return refuse(bytes, number, Tr::tr("the name “%1” stands in it twice").arg(twice.left(100)));
    }
    for (QString &value : values) {
        value.replace(QChar(0), QChar(QChar::ReplacementCharacter)); // by an escape
    }
    if (m_columns.isEmpty()) {
        for (int row = 0; row < document->childCount(JsonDocument::kRoot); ++row) {
            m_columns += document->name(document->child(JsonDocument::kRoot, row));
        }
    }
    return m_handler({ number, bytes, {} }, values);
}

sql::Result<bool> StatementReader::refuse(const QByteArray &bytes, qint64 number, const QString &fault)
{
    return m_handler({ number, bytes.left(kKeptOfLong), fault }, {});
}

} // namespace idemdesk::models
