// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/json/json_tree.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QSet>

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Receives RapidJSON's events and builds the tree. Stops at a repeated key or at too many levels.
class TreeBuilder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, TreeBuilder>
{
public:
    explicit TreeBuilder(int mostLevels)
        : m_mostLevels(mostLevels)
    {
    }

    JsonNode root;
    QString repeatedKey; ///< path of a key that stands twice
    bool tooDeep = false;

    bool Null() { return put({}); }
    bool Bool(bool value) { return put(JsonNode::ofBoolean(value)); }
    bool RawNumber(const char *text, rapidjson::SizeType length, bool)
    {
        return put(JsonNode::ofNumber(QString::fromUtf8(text, length)));
    }
    bool String(const char *text, rapidjson::SizeType length, bool)
    {
        return put(JsonNode::ofText(QString::fromUtf8(text, length)));
    }
    bool Key(const char *text, rapidjson::SizeType length, bool)
    {
        m_key = QString::fromUtf8(text, length);
        if (m_keys.last().contains(m_key)) {
            repeatedKey = jsonPath(m_open.last().path, m_key);
            return false;
        }
        m_keys.last().insert(m_key);
        return true;
    }
    bool StartObject() { return open(JsonNode::ofObject()); }
    bool EndObject(rapidjson::SizeType) { return close(); }
    bool StartArray() { return open(JsonNode::ofList()); }
    bool EndArray(rapidjson::SizeType) { return close(); }

private:
    QString placeOfNext() const
    {
        if (m_open.isEmpty()) {
            return u"$"_s;
        }
        const JsonNode &parent = m_open.last();
        return parent.isObject() ? jsonPath(parent.path, m_key) : jsonPath(parent.path, parent.items.size());
    }
    bool put(JsonNode node)
    {
        if (node.path.isEmpty()) {
            node.path = placeOfNext();
        }
        if (m_open.isEmpty()) {
            root = std::move(node);
        } else if (m_open.last().isObject()) {
            m_open.last().members.append({ m_key, std::move(node) });
        } else {
            m_open.last().items.append(std::move(node));
        }
        return true;
    }
    bool open(JsonNode node)
    {
        if (m_open.size() >= m_mostLevels) {
            tooDeep = true;
            return false;
        }
        node.path = placeOfNext();
        m_open.append(std::move(node));
        m_names.append(m_key);
        m_keys.append(QSet<QString>());
        return true;
    }
    bool close()
    {
        JsonNode done = m_open.takeLast();
        m_key = m_names.takeLast();
        m_keys.removeLast();
        return put(std::move(done));
    }

    const int m_mostLevels;
    QList<JsonNode> m_open;
    QStringList m_names; ///< the key under which each open value goes into its parent
    QList<QSet<QString>> m_keys; ///< keys seen in each open value
    QString m_key;
};

QString placeInText(const QByteArray &json, qsizetype offset)
{
    const QByteArray before = json.left(offset);
    const qsizetype line = before.count('\n') + 1;
    const qsizetype column = QString::fromUtf8(before.mid(before.lastIndexOf('\n') + 1)).size() + 1;
    return QCoreApplication::translate("idemdesk::sql", "line %1, column %2").arg(line).arg(column);
}

template <typename Writer> void writeNode(Writer &writer, const JsonNode &node)
{
    const auto text = [&writer](const QString &value, bool key) {
        const QByteArray bytes = value.toUtf8();
        const auto size = static_cast<rapidjson::SizeType>(bytes.size());
        return key ? writer.Key(bytes.constData(), size) : writer.String(bytes.constData(), size);
    };
    switch (node.kind) {
    case JsonNode::Kind::Null:
        writer.Null();
        break;
    case JsonNode::Kind::Boolean:
        writer.Bool(node.text == u"true");
        break;
    case JsonNode::Kind::Number: {
        const QByteArray digits = node.text.toUtf8();
        writer.RawValue(digits.constData(), static_cast<std::size_t>(digits.size()), rapidjson::kNumberType);
        break;
    }
    case JsonNode::Kind::Text:
        text(node.text, false);
        break;
    case JsonNode::Kind::List:
        writer.StartArray();
        for (const JsonNode &item : node.items) {
            writeNode(writer, item);
        }
        writer.EndArray();
        break;
    case JsonNode::Kind::Object:
        writer.StartObject();
        for (const auto &[name, value] : node.members) {
            text(name, true);
            writeNode(writer, value);
        }
        writer.EndObject();
        break;
    }
}

} // namespace

const JsonNode *JsonNode::member(const QString &name) const
{
    for (const auto &[key, value] : members) {
        if (key == name) {
            return &value;
        }
    }
    return nullptr;
}

JsonNode JsonNode::ofText(const QString &value)
{
    JsonNode node;
    node.kind = Kind::Text;
    node.text = value;
    return node;
}

JsonNode JsonNode::ofNumber(const QString &digits)
{
    JsonNode node;
    node.kind = Kind::Number;
    node.text = digits;
    return node;
}

JsonNode JsonNode::ofBoolean(bool value)
{
    JsonNode node;
    node.kind = Kind::Boolean;
    node.text = value ? u"true"_s : u"false"_s;
    return node;
}

JsonNode JsonNode::ofTexts(const QStringList &values)
{
    JsonNode node = ofList();
    for (const QString &value : values) {
        node.items.append(ofText(value));
    }
    return node;
}

JsonNode JsonNode::ofObject()
{
    JsonNode node;
    node.kind = Kind::Object;
    return node;
}

JsonNode JsonNode::ofList()
{
    JsonNode node;
    node.kind = Kind::List;
    return node;
}

JsonNode &JsonNode::add(const QString &name, JsonNode value)
{
    members.append({ name, std::move(value) });
    return *this;
}

QString jsonPath(const QString &parent, const QString &name)
{
    static const QRegularExpression word(u"^[A-Za-z_][A-Za-z0-9_]*$"_s);
    if (word.match(name).hasMatch()) {
        return parent + u'.' + name;
    }
    return parent + u'[' + QString::fromUtf8(writeJson(JsonNode::ofText(name), 0)) + u']';
}

QString jsonPath(const QString &parent, qsizetype index)
{
    return parent + u'[' + QString::number(index) + u']';
}

Result<JsonNode> parseJson(const QByteArray &json, const QString &fileName, int mostLevels)
{
    QByteArray bytes = json;
    if (bytes.startsWith("\xef\xbb\xbf")) {
        bytes.remove(0, 3);
    }
    using namespace rapidjson;
    constexpr unsigned flags = kParseIterativeFlag | kParseValidateEncodingFlag | kParseNumbersAsStringsFlag;
    MemoryStream stream(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    Reader reader;
    TreeBuilder builder(mostLevels);
    const ParseResult parsed = reader.Parse<flags>(stream, builder);
    if (!parsed.IsError()) {
        return builder.root;
    }
    Error error;
    error.kind = ErrorKind::Usage;
    error.what = QCoreApplication::translate("idemdesk::sql", "The file is not well-formed JSON.");
    error.todo = QCoreApplication::translate("idemdesk::sql", "Correct the file and load it again.");
    const QString place = placeInText(bytes, static_cast<qsizetype>(parsed.Offset()));
    error.where = fileName + u": "_s + place;
    if (!builder.repeatedKey.isEmpty()) {
        error.what = QCoreApplication::translate("idemdesk::sql", "The profile cannot be used.");
        error.where = fileName + u": "_s + builder.repeatedKey;
        error.why = QCoreApplication::translate("idemdesk::sql", "The key stands twice (%1); expected each key once.")
                        .arg(place);
    } else if (builder.tooDeep) {
        error.why = QCoreApplication::translate("idemdesk::sql", "It nests more than %1 levels.").arg(mostLevels);
    } else {
        error.why = QString::fromUtf8(GetParseError_En(parsed.Code()));
    }
    return error;
}

QByteArray writeJson(const JsonNode &node, int indent)
{
    rapidjson::StringBuffer buffer;
    if (indent > 0) {
        rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
        writer.SetIndent(' ', static_cast<unsigned>(indent));
        writeNode(writer, node);
    } else {
        rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
        writeNode(writer, node);
    }
    return QByteArray(buffer.GetString(), static_cast<qsizetype>(buffer.GetSize()));
}

} // namespace idemdesk::sql
