// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/profile_reading.h"

#include "sql/profile/expression_sql.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

QString inQuotes(const QString &text)
{
    return u"“"_s + (text.size() > 80 ? text.left(79) + u'…' : text) + u"”"_s;
}

/// What stands there, for a message.
QString shownNode(const JsonNode &node)
{
    switch (node.kind) {
    case JsonNode::Kind::Null:
        return u"null"_s;
    case JsonNode::Kind::Boolean:
        return node.text;
    case JsonNode::Kind::Number:
        return u"the number "_s + node.text.left(40);
    case JsonNode::Kind::Text:
        return u"the text "_s + inQuotes(node.text);
    case JsonNode::Kind::List:
        return node.items.isEmpty() ? u"an empty list"_s : u"a list"_s;
    case JsonNode::Kind::Object:
        return u"an object"_s;
    }
    return {};
}

} // namespace

void ProfileReading::failAt(const QString &path, const QString &found, const QString &expected)
{
    if (!m_fault) {
        m_fault = Fault { path, found, expected };
    }
}

void ProfileReading::fail(const JsonNode &node, const QString &expected)
{
    failAt(node.path, shownNode(node), expected);
}

void ProfileReading::failMember(const JsonNode &object, const QString &name, const QString &expected)
{
    const JsonNode *node = object.member(name);
    failAt(jsonPath(object.path, name), node == nullptr ? u"nothing"_s : shownNode(*node), expected);
}

void ProfileReading::keep(const JsonNode &parent, const QString &name, const JsonNode &value)
{
    // Keys of nested objects are kept under their parent's path, so that writing puts them back.
    const QString place = parent.path == u"$" ? name : parent.path + u'\n' + name;
    m_kept.insert(place, writeJson(value, 0));
}

bool ProfileReading::object(const JsonNode &node, const QStringList &keys)
{
    if (!node.isObject()) {
        fail(node, u"an object with the keys "_s + keys.join(u", "_s));
        return false;
    }
    for (const auto &[name, value] : node.members) {
        if (name.startsWith(u"x_")) {
            keep(node, name, value);
        } else if (!keys.contains(name)) {
            failAt(value.path, u"the unknown key "_s + inQuotes(name),
                u"one of the keys "_s + keys.join(u", "_s) + u", or a key that begins with x_"_s);
        }
    }
    return true;
}

QString ProfileReading::text(const JsonNode &node)
{
    if (!node.isText() || node.text.trimmed().isEmpty() || node.text.contains(QChar(0))) {
        fail(node, u"a text that is not empty"_s);
        return {};
    }
    return node.text;
}

QString ProfileReading::sql(const JsonNode &node, const QStringList &variables)
{
    const QString value = text(node);
    if (value.isEmpty()) {
        return {};
    }
    const QString wrong = expressionFault(value);
    if (!wrong.isEmpty()) {
        fail(node, u"one SQL expression over t that stands for itself ("_s + wrong + u")"_s);
        return {};
    }
    for (const QString &variable : variablesIn(value)) {
        if (!variables.contains(variable)) {
            fail(node, u"only the variables $"_s + variables.join(u", $"_s) + u" (not $"_s + variable + u")"_s);
            return {};
        }
    }
    return value;
}

} // namespace idemdesk::sql
