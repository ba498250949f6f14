// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ProfileReader for single values: texts, lists, expressions, durations; and its faults.
#include "sql/profile/expression_sql.h"
#include "sql/profile/profile_reader.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

QString quoted(const QString &text)
{
    return u"“"_s + (text.size() > 80 ? text.left(79) + u'…' : text) + u"”"_s;
}

} // namespace

QString ProfileReader::shown(const JsonNode &node)
{
    switch (node.kind) {
    case JsonNode::Kind::Null: return u"null"_s;
    case JsonNode::Kind::Boolean: return node.text;
    case JsonNode::Kind::Number: return u"the number "_s + node.text.left(40);
    case JsonNode::Kind::Text: return u"the text "_s + quoted(node.text);
    case JsonNode::Kind::List: return node.items.isEmpty() ? u"an empty list"_s : u"a list"_s;
    case JsonNode::Kind::Object: return u"an object"_s;
    }
    return {};
}

QString ProfileReader::names(const QList<KeyState> &states)
{
    QStringList words;
    for (const KeyState state : states) {
        words.append(stateName(state));
    }
    return words.join(u", "_s);
}

void ProfileReader::failAt(const QString &path, const QString &found, const QString &expected)
{
    if (!m_fault) {
        m_fault = Fault { path, found, expected };
    }
}

void ProfileReader::fail(const JsonNode &node, const QString &expected) { failAt(node.path, shown(node), expected); }

void ProfileReader::keepExtra(const JsonNode &parent, const QString &name, const JsonNode &value)
{
    // Keys of nested objects are kept under their parent's path, so that writing puts them back.
    const QString place = parent.path == u"$" ? name : parent.path + u'\n' + name;
    m_profile.extra.insert(place, writeJson(value, 0));
}

bool ProfileReader::object(const JsonNode &node, const QStringList &keys)
{
    if (!node.isObject()) {
        fail(node, u"an object with the keys "_s + keys.join(u", "_s));
        return false;
    }
    for (const auto &[name, value] : node.members) {
        if (name.startsWith(u"x_")) {
            keepExtra(node, name, value);
        } else if (!keys.contains(name)) {
            failAt(value.path, u"the unknown key "_s + quoted(name),
                u"one of the keys "_s + keys.join(u", "_s) + u", or a key that begins with x_"_s);
        }
    }
    return true;
}

const JsonNode *ProfileReader::list(const JsonNode &parent, const QString &name, bool required)
{
    const JsonNode *node = parent.member(name);
    if (node == nullptr || (node->isNull() && !required)) {
        if (required) {
            failAt(jsonPath(parent.path, name), u"nothing"_s, u"a list"_s);
        }
        return nullptr;
    }
    if (!node->isList() || (required && node->items.isEmpty())) {
        fail(*node, required ? u"a list with at least one entry"_s : u"a list"_s);
        return nullptr;
    }
    return node;
}

QString ProfileReader::textOf(const JsonNode &node)
{
    if (!node.isText() || node.text.trimmed().isEmpty() || node.text.contains(QChar(0))) {
        fail(node, u"a text that is not empty"_s);
        return {};
    }
    return node.text;
}

QString ProfileReader::text(const JsonNode &parent, const QString &name, bool required)
{
    const JsonNode *node = parent.member(name);
    if (node == nullptr || (node->isNull() && !required)) {
        if (required) {
            failAt(jsonPath(parent.path, name), u"nothing"_s, u"a text that is not empty"_s);
        }
        return {};
    }
    return textOf(*node);
}

QString ProfileReader::sqlOf(const JsonNode &node, const QStringList &variables)
{
    const QString value = textOf(node);
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

QString ProfileReader::sql(const JsonNode &parent, const QString &name, const QStringList &variables, bool required)
{
    const JsonNode *node = parent.member(name);
    if (node == nullptr || (node->isNull() && !required)) {
        if (required) {
            failAt(jsonPath(parent.path, name), u"nothing"_s, u"an SQL expression over t"_s);
        }
        return {};
    }
    return sqlOf(*node, variables);
}

bool ProfileReader::flag(const JsonNode &parent, const QString &name)
{
    const JsonNode *node = parent.member(name);
    if (node == nullptr) {
        return false;
    }
    if (node->kind != JsonNode::Kind::Boolean) {
        fail(*node, u"true or false"_s);
        return false;
    }
    return node->text == u"true";
}

QStringList ProfileReader::texts(const JsonNode &parent, const QString &name, bool required)
{
    QStringList values;
    if (const JsonNode *node = list(parent, name, required)) {
        for (const JsonNode &item : node->items) {
            const QString value = textOf(item);
            if (values.contains(value)) {
                fail(item, u"each entry once"_s);
            }
            values.append(value);
        }
    }
    return values;
}

QList<KeyState> ProfileReader::states(const JsonNode &parent, const QString &name, const QList<KeyState> &allowed)
{
    QList<KeyState> found;
    if (const JsonNode *node = list(parent, name, true)) {
        for (const JsonNode &item : node->items) {
            const auto state = item.isText() ? stateFromName(item.text) : std::nullopt;
            if (!state || !allowed.contains(*state)) {
                fail(item, u"one of "_s + names(allowed));
            } else if (found.contains(*state)) {
                fail(item, u"each state once"_s);
            } else {
                found.append(*state);
            }
        }
    }
    return found;
}

QString ProfileReader::duration(const JsonNode &parent, const QString &name, bool signedOne)
{
    const JsonNode *node = parent.member(name);
    if (node == nullptr || node->isNull()) {
        return {};
    }
    const bool fits = node->isText() && durationSeconds(node->text).has_value()
        && (signedOne || !node->text.startsWith(u'-'));
    if (!fits) {
        fail(*node, u"a duration such as 90s, 5m, 24h, 7d, 2w or 1y"_s + (signedOne ? u", with a minus if it shall be taken off"_s : u""_s));
        return {};
    }
    return node->text;
}

QString ProfileReader::durationOrSql(const JsonNode &parent, const QString &name)
{
    const JsonNode *node = parent.member(name);
    if (node == nullptr || node->isNull()) {
        return {};
    }
    if (node->isText() && isDuration(node->text)) {
        return duration(parent, name, false);
    }
    return sqlOf(*node, kNowOnly);
}

} // namespace idemdesk::sql
