// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/json/json_document.h"
#include "models/logs/server_record.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

std::optional<ServerRecord> recordFromJson(const QByteArray &line)
{
    ServerRecord record;
    const auto parsed = JsonDocument::parse(decodedText(line, &record.otherEncoding));
    if (!parsed || parsed->type(JsonDocument::kRoot) != JsonDocument::Type::Object) {
        return std::nullopt;
    }
    QMap<QString, QString> fields;
    for (int row = 0; row < parsed->childCount(JsonDocument::kRoot); ++row) {
        const int node = parsed->child(JsonDocument::kRoot, row);
        if (parsed->type(node) < JsonDocument::Type::Array) {
            fields.insert(parsed->name(node), parsed->value(node));
        }
    }
    if (!fields.contains(u"timestamp"_s) || !fields.contains(u"error_severity"_s)) {
        return std::nullopt;
    }
    record.time = fields.value(u"timestamp"_s);
    record.user = fields.value(u"user"_s);
    record.database = fields.value(u"dbname"_s);
    record.session = fields.value(u"session_id"_s, fields.value(u"pid"_s));
    record.sessionLine = fields.value(u"line_num"_s);
    record.application = fields.value(u"application_name"_s);
    record.sqlState = fields.value(u"state_code"_s);
    record.message = fields.value(u"message"_s);
    record.detail = fields.value(u"detail"_s);
    record.context = fields.value(u"context"_s);
    record.statement = fields.value(u"statement"_s);
    return record;
}

} // namespace idemdesk::models
