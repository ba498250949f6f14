// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/key_json.h"

#include "sql/json/json_text.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

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
    if ((form == JsonForm::Number && isJsonNumber(text))
        || (form == JsonForm::Json && !cell.partial() && isJsonValue(text))) {
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

JsonForm jsonFormOf(const FieldSpec &field)
{
    return field.type == FieldType::Time  ? JsonForm::Time
        : field.type == FieldType::Number ? JsonForm::Number
                                          : JsonForm::Text;
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
    appendName(out, u"identity"_s);
    out += '{';
    for (qsizetype i = 0; i < target.profile.identity.size(); ++i) {
        appendName(out, target.profile.identity.at(i));
        appendJson(out, record.identity.value(i), JsonForm::Text);
    }
    out += '}';
    appendName(out, u"state"_s);
    appendJson(out, Cell::of(stateName(record.state)), JsonForm::Text);
    appendName(out, u"status"_s);
    appendJson(out, record.role(Role::Status), jsonFormOf(target, Role::Status));
    appendName(out, u"stale"_s);
    appendFlag(out, record.stale);
    appendName(out, u"expired"_s);
    appendFlag(out, record.expired);
    if (!record.fault.isEmpty()) {
        appendName(out, u"fault"_s);
        appendJson(out, Cell::of(record.fault), JsonForm::Text);
    }
    for (auto it = record.roles.cbegin(); it != record.roles.cend(); ++it) {
        if (it.key() != Role::Status) {
            appendName(out, roleName(it.key()));
            appendJson(out, it.value(), jsonFormOf(target, it.key()));
        }
    }
    if (const QList<FieldSpec> &fields = target.profile.fields; !fields.isEmpty()) {
        appendName(out, u"fields"_s);
        out += '{';
        for (qsizetype i = 0; i < fields.size(); ++i) {
            appendName(out, fields.at(i).label);
            appendJson(out, record.fields.value(i), jsonFormOf(fields.at(i)));
        }
        out += '}';
    }
    out += '}';
    return out;
}

} // namespace idemdesk::sql
