// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/json/json_text.h"

#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace idemdesk::sql {

void appendJsonString(QByteArray &out, const char *utf8, qsizetype size)
{
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    writer.String(utf8, static_cast<rapidjson::SizeType>(size));
    out.append(buffer.GetString(), static_cast<qsizetype>(buffer.GetSize()));
}

bool isJsonValue(const QByteArray &text)
{
    rapidjson::Reader reader;
    rapidjson::BaseReaderHandler<> ignore;
    rapidjson::MemoryStream stream(text.constData(), static_cast<std::size_t>(text.size()));
    return !reader
                .Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag
                    | rapidjson::kParseValidateEncodingFlag>(stream, ignore)
                .IsError();
}

bool isJsonNumber(const QByteArray &text)
{
    qsizetype at = text.startsWith('-') ? 1 : 0;
    const auto digits = [&] {
        const qsizetype from = at;
        while (at < text.size() && text.at(at) >= '0' && text.at(at) <= '9') {
            ++at;
        }
        return at - from;
    };
    const bool zero = at < text.size() && text.at(at) == '0';
    const qsizetype whole = digits();
    if (whole == 0 || (zero && whole > 1)) {
        return false;
    }
    if (at < text.size() && text.at(at) == '.') {
        ++at;
        if (digits() == 0) {
            return false;
        }
    }
    if (at < text.size() && (text.at(at) == 'e' || text.at(at) == 'E')) {
        ++at;
        if (at < text.size() && (text.at(at) == '+' || text.at(at) == '-')) {
            ++at;
        }
        if (digits() == 0) {
            return false;
        }
    }
    return at == text.size();
}

} // namespace idemdesk::sql
