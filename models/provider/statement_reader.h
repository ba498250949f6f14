// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/statement_map.h"
#include "sql/types/result.h"

#include <QByteArray>
#include <functional>
#include <optional>

namespace idemdesk::models {

enum class StatementFormat { Csv, JsonLines };

/// One record of a statement, before anything is made of it.
struct StatementRecord {
    qint64 number = 0; ///< of its first line, from 1
    QByteArray bytes; ///< without the line's end; the beginning of one that is too long
    QString fault; ///< why it cannot be read, in a sentence's words; empty: it can
};

/// Reads a statement of any size a piece at a time, in constant memory: CSV whose first record names the columns, with
/// commas, semicolons, tabs or bars between them, or JSON Lines. What it is is told by its first line.
class StatementReader
{
public:
    static constexpr qsizetype kMostRecord = 1024 * 1024; ///< bytes
    static constexpr qsizetype kMostColumns = 1'000;

    /// Values by the names of columns. A record with a fault has none. False ends the reading.
    using Handler = std::function<sql::Result<bool>(const StatementRecord &, const QMap<QString, QString> &)>;
    explicit StatementReader(Handler handler);

    /// Errors name the line: UTF-16, a quote that is never closed, a first line that names no columns; or what the
    /// handler gave. Gives false where the handler has enough.
    sql::Result<bool> feed(QByteArrayView piece);
    sql::Result<bool> finish();

    std::optional<StatementFormat> format() const { return m_format; }
    /// Names of the columns of CSV; of JSON Lines those of the first record.
    const QStringList &columns() const { return m_columns; }
    qint64 lines() const { return m_lines; }

private:
    sql::Result<bool> take(QByteArray line);
    sql::Result<bool> takeCsv(const QByteArray &line);
    sql::Result<bool> takeRecord(const QByteArray &bytes, qint64 number);
    sql::Result<bool> takeHeader(const QByteArray &bytes, qint64 number);
    sql::Result<bool> giveCsv(const QByteArray &bytes, qint64 number);
    sql::Result<bool> giveJson(const QByteArray &bytes, qint64 number);
    sql::Result<bool> refuse(const QByteArray &bytes, qint64 number, const QString &fault);

    Handler m_handler;
    std::optional<StatementFormat> m_format;
    char m_separator = ',';
    QStringList m_columns;
    qint64 m_lines = 0;
    QByteArray m_line; ///< so far, across pieces
    bool m_lineTooLong = false;
    QByteArray m_record; ///< of CSV, across lines
    qint64 m_recordLine = 0;
    bool m_recordOpen = false; ///< within quotes
};

} // namespace idemdesk::models
