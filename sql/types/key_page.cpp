// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/types/key_page.h"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace idemdesk::sql {

namespace {

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void write(Writer &writer, const Cell &cell)
{
    if (cell.null) {
        writer.Null();
        return;
    }
    const QByteArray text = cell.text.toUtf8();
    writer.String(text.constData(), static_cast<rapidjson::SizeType>(text.size()));
}

Cell read(const rapidjson::Value &value)
{
    return value.IsString() ? Cell::of(QString::fromUtf8(value.GetString(), value.GetStringLength())) : Cell();
}

} // namespace

QString Cursor::toText() const
{
    rapidjson::StringBuffer buffer;
    Writer writer(buffer);
    writer.StartArray();
    write(writer, orderValue);
    for (const Cell &cell : identity) {
        write(writer, cell);
    }
    writer.EndArray();
    const QByteArray json(buffer.GetString(), static_cast<qsizetype>(buffer.GetSize()));
    return QString::fromLatin1(json.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals));
}

std::optional<Cursor> Cursor::fromText(const QString &text)
{
    const auto decoded = QByteArray::fromBase64Encoding(
        text.toLatin1(), QByteArray::Base64UrlEncoding | QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded) {
        return std::nullopt;
    }
    const QByteArray &json = *decoded;
    rapidjson::Document document;
    document.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(
        json.constData(), static_cast<std::size_t>(json.size()));
    if (document.HasParseError() || !document.IsArray() || document.Empty()) {
        return std::nullopt;
    }
    for (const auto &value : document.GetArray()) {
        if (!value.IsNull() && !value.IsString()) {
            return std::nullopt;
        }
    }
    Cursor cursor;
    cursor.orderValue = read(document[0]);
    for (rapidjson::SizeType i = 1; i < document.Size(); ++i) {
        cursor.identity.append(read(document[i]));
    }
    return cursor;
}

} // namespace idemdesk::sql
