// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/types/key_page.h"

#include "sql/json/json_tree.h"

namespace idemdesk::sql {

QString Cursor::toText() const
{
    JsonNode list = JsonNode::ofList();
    for (const Cell &cell : Cells { orderValue } + identity) {
        list.items.append(cell.null ? JsonNode() : JsonNode::ofText(cell.text));
    }
    return QString::fromLatin1(
        writeJson(list, 0).toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals));
}

std::optional<Cursor> Cursor::fromText(const QString &text)
{
    const auto decoded = QByteArray::fromBase64Encoding(
        text.toLatin1(), QByteArray::Base64UrlEncoding | QByteArray::AbortOnBase64DecodingErrors);
    const auto list = decoded ? parseJson(*decoded, {}) : Result<JsonNode>(Error());
    if (!list || list->items.isEmpty()) {
        return std::nullopt;
    }
    Cells cells;
    for (const JsonNode &item : list->items) {
        if (!item.isNull() && !item.isText()) {
            return std::nullopt;
        }
        cells.append(item.isNull() ? Cell() : Cell::of(item.text));
    }
    Cursor cursor;
    cursor.orderValue = cells.takeFirst();
    cursor.identity = cells;
    return cursor;
}

} // namespace idemdesk::sql
