// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/copy_format.h"

#include "models/keys/key_cells.h"
#include "models/keys/key_columns.h"
#include "sql/keys/key_json.h"
#include "sql/keys/rows_sql.h"
#include "sql/types/spreadsheet.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QString asText(const QList<sql::KeyRecord> &records)
{
    QStringList lines;
    for (const sql::KeyRecord &record : records) {
        QStringList parts;
        for (const sql::Cell &part : record.scope) {
            parts.append(part.null ? QString() : part.text);
        }
        parts.append(record.key.text);
        lines.append(parts.join(u' '));
    }
    return lines.join(u'\n');
}

/// One cell: a line break or a tab inside would begin another one.
QString tsvCell(const QVariant &raw, bool numbers = false)
{
    QString text = raw.toString();
    bool number = false;
    text.toDouble(&number);
    if (numbers && number) {
        return text;
    }
    text.replace(u'\t', u' ').replace("\r\n"_L1, " "_L1).replace(u'\n', u' ').replace(u'\r', u' ');
    text.remove(QChar(0));
    return sql::neutralCell(text);
}

QString asTsv(const QList<sql::KeyRecord> &records, const sql::Target &target, const TimeFormat &times)
{
    QList<KeyColumnSpec> columns = keyColumns(target);
    columns.removeIf(
        [](const KeyColumnSpec &spec) { return spec.column == KeyColumn::Age; }); // Created says it exactly
    QStringList heading;
    for (const KeyColumnSpec &spec : columns) {
        heading.append(tsvCell(spec.title));
    }
    QStringList lines { heading.join(u'\t') };
    for (const sql::KeyRecord &record : records) {
        QStringList cells;
        for (const KeyColumnSpec &spec : columns) {
            if (spec.column == KeyColumn::State) {
                cells.append(tsvCell(recordStateText(record)));
                continue;
            }
            const QVariant raw = keyCellRaw(record, spec);
            const auto time = spec.number && raw.isValid() ? sql::Timestamp::parse(raw.toString()) : std::nullopt;
            cells.append(tsvCell(time ? QVariant(times.exact(*time)) : raw, spec.number));
        }
        lines.append(cells.join(u'\t'));
    }
    return lines.join(u'\n') + u'\n';
}

QString asJson(const QList<sql::KeyRecord> &records, const sql::Target &target)
{
    QStringList items;
    for (const sql::KeyRecord &record : records) {
        items.append(QString::fromUtf8(sql::keyToJson(target, record)));
    }
    return u"[\n"_s + items.join(u",\n") + u"\n]\n"_s;
}

} // namespace

QString copyRecords(
    CopyFormat format, const QList<sql::KeyRecord> &records, const sql::Target &target, const TimeFormat &times)
{
    switch (format) {
    case CopyFormat::Text:
        return asText(records);
    case CopyFormat::Tsv:
        return asTsv(records, target, times);
    case CopyFormat::Json:
        return asJson(records, target);
    case CopyFormat::Sql:
        return sql::rowsSql(records, target);
    }
    return {};
}

} // namespace idemdesk::models
