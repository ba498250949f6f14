// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/key_json.h"

#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// One JSON value and nothing else, as it may stand in the middle of a line.
bool isJsonValue(const QByteArray &text)
{
    rapidjson::Reader reader;
    rapidjson::BaseReaderHandler<> ignore;
    rapidjson::MemoryStream stream(text.constData(), static_cast<std::size_t>(text.size()));
    return !reader
                .Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseValidateEncodingFlag>(
                    stream, ignore)
                .IsError();
}

/// JSON's own form of a number: the server's NaN and Infinity are none, nor is anything odd.
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

void appendName(QByteArray &out, const QString &name)
{
    if (!out.endsWith('{')) {
        out += ',';
    }
    const QByteArray utf8 = name.toUtf8();
    appendJsonString(out, utf8.constData(), utf8.size());
    out += ':';
}

void appendFlag(QByteArray &out, const std::optional<bool> &flag)
{
    out += !flag ? "null" : *flag ? "true" : "false";
}

} // namespace

void appendJsonString(QByteArray &out, const char *utf8, qsizetype size)
{
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    writer.String(utf8, static_cast<rapidjson::SizeType>(size));
    out.append(buffer.GetString(), static_cast<qsizetype>(buffer.GetSize()));
}

JsonForm jsonFormOf(const Target &target, Role role)
{
    if (isTimeRole(role)) {
        return JsonForm::Time;
    }
    const ExpressionType type = target.roleTypes.value(role);
    if (type.typeName == u"json" || type.typeName == u"jsonb") {
        return JsonForm::Json;
    }
    if (type.category == u'N') {
        return JsonForm::Number;
    }
    return type.typeName == u"bool" ? JsonForm::Boolean : JsonForm::Text;
}

void appendJson(QByteArray &out, const Cell &cell, JsonForm form)
{
    if (cell.failed()) {
        const QByteArray error = cell.error.toUtf8();
        out += "{\"error\":";
        appendJsonString(out, error.constData(), error.size());
        out += '}';
        return;
    }
    if (cell.null) {
        out += "null";
        return;
    }
    QByteArray text = cell.text.toUtf8();
    if (form == JsonForm::Boolean && (text == "t" || text == "f")) {
        out += text == "t" ? "true" : "false";
        return;
    }
    if ((form == JsonForm::Number && isJsonNumber(text)) || (form == JsonForm::Json && !cell.partial() && isJsonValue(text))) {
        if (form == JsonForm::Json) {
            text.replace('\n', ' ').replace('\r', ' '); // between tokens only: inside strings they are escaped
        }
        out += text;
        return;
    }
    if (form == JsonForm::Time) {
        if (const auto time = Timestamp::parse(cell.text)) {
            text = time->toRfc3339().toUtf8();
        }
    }
    appendJsonString(out, text.constData(), text.size());
}

QByteArray keyToJson(const Target &target, const KeyRecord &record)
{
    QByteArray out("{");
    appendName(out, u"scope"_s);
    out += '{';
    for (qsizetype i = 0; i < target.profile.scope.size(); ++i) {
        appendName(out, target.profile.scope.at(i).label);
        appendJson(out, record.scope.value(i), JsonForm::Text);
    }
    out += '}';
    appendName(out, u"key"_s);
    appendJson(out, record.key, JsonForm::Text);
    appendName(out, u"state"_s);
    appendJson(out, Cell::of(stateName(record.state)), JsonForm::Text);
    appendName(out, u"status"_s);
    appendJson(out, record.role(Role::Status), jsonFormOf(target, Role::Status));
    appendName(out, u"stale"_s);
    appendFlag(out, record.stale);
    appendName(out, u"expired"_s);
    appendFlag(out, record.expired);
    for (auto it = record.roles.cbegin(); it != record.roles.cend(); ++it) {
        if (it.key() != Role::Status) {
            appendName(out, roleName(it.key()));
            appendJson(out, it.value(), jsonFormOf(target, it.key()));
        }
    }
    out += '}';
    return out;
}

} // namespace idemdesk::sql
