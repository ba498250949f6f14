// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/json/json_document.h"

#include "sql/types/tr.h"

#include <QHash>
#include <QRegularExpression>
#include <cstring>
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>
#include <vector>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using Type = JsonDocument::Type;

} // namespace

/// Flat, so that a text nested 100,000 deep is neither built nor destroyed by recursion.
struct JsonDocument::Data {
    struct Node {
        Type type = Type::Null;
        bool named = false;
        bool duplicate = false;
        int parent = -1;
        int row = 0;
        int children = 0;
        int firstChild = 0; ///< into Data::order
        quint32 name = 0; ///< offsets and sizes into Data::pool
        quint32 nameSize = 0;
        quint32 text = 0;
        quint32 textSize = 0;
    };

    std::vector<Node> nodes;
    std::vector<int> order; ///< nodes by parent, then by row
    QByteArray pool; ///< names, strings and numbers in UTF-8
};

/// RapidJSON's events into the flat arrays.
struct JsonBuilder {
    using Node = JsonDocument::Data::Node;

    JsonDocument::Data &data;
    std::vector<int> open; ///< containers around the next value
    quint32 name = 0;
    quint32 nameSize = 0;
    bool named = false;
    QHash<int, QByteArray> longNumbers = {}; ///< by the number's place in the text, first is 0
    int numbers = 0;

    quint32 keep(const char *text, rapidjson::SizeType size)
    {
        const auto offset = quint32(data.pool.size());
        data.pool.append(text, qsizetype(size));
        return offset;
    }

    bool add(Type type)
    {
        Node node;
        node.type = type;
        node.parent = open.empty() ? -1 : open.back();
        node.named = named;
        node.name = name;
        node.nameSize = nameSize;
        if (node.parent >= 0) {
            node.row = data.nodes[std::size_t(node.parent)].children++;
        }
        data.nodes.push_back(node);
        named = false;
        return true;
    }

    bool addText(Type type, const char *text, rapidjson::SizeType size)
    {
        const quint32 offset = keep(text, size);
        add(type);
        data.nodes.back().text = offset;
        data.nodes.back().textSize = size;
        return true;
    }

    bool Null() { return add(Type::Null); }
    bool Bool(bool value) { return add(value ? Type::True : Type::False); }
    bool RawNumber(const char *text, rapidjson::SizeType size, bool)
    {
        const auto original = longNumbers.constFind(numbers++);
        return original == longNumbers.cend()
            ? addText(Type::Number, text, size)
            : addText(Type::Number, original->constData(), rapidjson::SizeType(original->size()));
    }
    bool String(const char *text, rapidjson::SizeType size, bool) { return addText(Type::String, text, size); }
    bool Key(const char *text, rapidjson::SizeType size, bool)
    {
        name = keep(text, size);
        nameSize = size;
        named = true;
        return true;
    }
    bool StartObject() { return start(Type::Object); }
    bool StartArray() { return start(Type::Array); }
    bool EndObject(rapidjson::SizeType) { return end(); }
    bool EndArray(rapidjson::SizeType) { return end(); }
    // Numbers come as their text (kParseNumbersAsStringsFlag); these complete the interface.
    bool Int(int) { return false; }
    bool Uint(unsigned) { return false; }
    bool Int64(int64_t) { return false; }
    bool Uint64(uint64_t) { return false; }
    bool Double(double) { return false; }

    bool start(Type type)
    {
        add(type);
        open.push_back(int(data.nodes.size()) - 1);
        return true;
    }
    bool end()
    {
        open.pop_back();
        return true;
    }

    void finish()
    {
        int next = 0;
        for (Node &node : data.nodes) {
            node.firstChild = next;
            next += node.children;
        }
        data.order.resize(std::size_t(next));
        for (std::size_t i = 0; i < data.nodes.size(); ++i) {
            const Node &node = data.nodes[i];
            if (node.parent >= 0) {
                data.order[std::size_t(data.nodes[std::size_t(node.parent)].firstChild) + std::size_t(node.row)]
                    = int(i);
            }
        }
        for (const Node &object : data.nodes) {
            if (object.type == Type::Object && object.children > 1) {
                markDuplicates(object);
            }
        }
    }

    /// Of the few members that most objects have, comparing each with each is quicker than a hash table.
    void markDuplicatesOfFew(const Node &object)
    {
        const int *members = data.order.data() + object.firstChild;
        for (int i = 1; i < object.children; ++i) {
            Node &member = data.nodes[std::size_t(members[i])];
            for (int j = 0; j < i; ++j) {
                Node &other = data.nodes[std::size_t(members[j])];
                if (member.nameSize == other.nameSize
                    && std::memcmp(
                           data.pool.constData() + member.name, data.pool.constData() + other.name, member.nameSize)
                        == 0) {
                    member.duplicate = true;
                    other.duplicate = true;
                }
            }
        }
    }

    void markDuplicates(const Node &object)
    {
        if (object.children <= 12) {
            markDuplicatesOfFew(object);
            return;
        }
        QHash<QByteArrayView, int> seen;
        seen.reserve(object.children);
        for (int row = 0; row < object.children; ++row) {
            const int index = data.order[std::size_t(object.firstChild) + std::size_t(row)];
            Node &member = data.nodes[std::size_t(index)];
            const QByteArrayView text(data.pool.constData() + member.name, qsizetype(member.nameSize));
            if (const auto other = seen.constFind(text); other != seen.cend()) {
                member.duplicate = true;
                data.nodes[std::size_t(*other)].duplicate = true;
            } else {
                seen.insert(text, index);
            }
        }
    }
};

namespace {

sql::Error invalid(const QByteArray &utf8, std::size_t offset, const QString &reason)
{
    const QByteArrayView before = QByteArrayView(utf8).first(qsizetype(std::min(offset, std::size_t(utf8.size()))));
    const qsizetype line = before.count('\n') + 1;
    const qsizetype lineStart = before.lastIndexOf('\n') + 1;
    sql::Error error;
    error.kind = sql::ErrorKind::Usage;
    error.what = Tr::tr("This is not valid JSON.");
    error.why = Tr::tr("Line %1, character %2: %3")
                    .arg(QString::number(line), QString::number(QString::fromUtf8(before.sliced(lineStart)).size() + 1),
                        reason);
    error.todo = Tr::tr("It is shown as the text it is.");
    error.position = int(QString::fromUtf8(before).size());
    error.length = 1;
    return error;
}

/// RapidJSON refuses numbers beyond double's range even where it hands out their text, and numeric goes far beyond.
/// Each such number is replaced by as many characters of a small one, so that offsets stay; gives the originals by
/// their place.
QHash<int, QByteArray> shrinkLongNumbers(QByteArray *utf8)
{
    // A run of characters of numbers is one token or invalid: replacing a part of "9-141" would make a number of it.
    // Only a run that is a number as a whole is captured.
    static const QRegularExpression token(u"\"(?:[^\"\\\\]|\\\\.)*+\""
                                          "|(-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)(?![-+0-9.eE])"
                                          "|[-0-9][-+0-9.eE]*+"_s,
        QRegularExpression::DotMatchesEverythingOption);
    QHash<int, QByteArray> originals;
    int number = 0;
    const QString latin = QString::fromLatin1(*utf8); // one character a byte
    auto matches = token.globalMatch(latin);
    while (matches.hasNext()) {
        const auto match = matches.next();
        const qsizetype size = match.capturedLength(1);
        if (size <= 0) {
            continue;
        }
        if (size > 3) {
            const qsizetype at = match.capturedStart(1);
            originals.insert(number, utf8->mid(at, size));
            utf8->replace(at, size, "0." + QByteArray(size - 2, '0'));
        }
        ++number;
    }
    return originals;
}

} // namespace

sql::Result<JsonDocument> JsonDocument::parse(const QString &text)
{
    constexpr unsigned flags = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag
        | rapidjson::kParseValidateEncodingFlag;
    QByteArray utf8 = text.toUtf8();
    if (const qsizetype nul = utf8.indexOf('\0'); nul >= 0) {
        return invalid(utf8, std::size_t(nul), Tr::tr("A NUL character stands there."));
    }
    auto data = std::make_shared<Data>();
    const auto run = [&data, &utf8](const QHash<int, QByteArray> &longNumbers) {
        *data = {};
        data->pool.reserve(utf8.size());
        JsonBuilder builder { *data, {}, 0, 0, false, longNumbers, 0 };
        rapidjson::StringStream stream(utf8.constData());
        rapidjson::Reader reader;
        const rapidjson::ParseResult result = reader.Parse<flags>(stream, builder);
        if (!result.IsError()) {
            builder.finish();
        }
        return result;
    };
    rapidjson::ParseResult parsed = run({});
    if (parsed.Code() == rapidjson::kParseErrorNumberTooBig) {
        const QHash<int, QByteArray> longNumbers = shrinkLongNumbers(&utf8);
        parsed = run(longNumbers);
    }
    if (parsed.IsError()) {
        return invalid(utf8, parsed.Offset(), QString::fromLatin1(rapidjson::GetParseError_En(parsed.Code())));
    }
    JsonDocument document;
    document.m_data = std::move(data);
    return document;
}

int JsonDocument::nodeCount() const
{
    return m_data == nullptr ? 0 : int(m_data->nodes.size());
}

JsonDocument::Type JsonDocument::type(int node) const
{
    return m_data->nodes[std::size_t(node)].type;
}

int JsonDocument::parent(int node) const
{
    return m_data->nodes[std::size_t(node)].parent;
}

int JsonDocument::row(int node) const
{
    return m_data->nodes[std::size_t(node)].row;
}

int JsonDocument::childCount(int node) const
{
    return m_data->nodes[std::size_t(node)].children;
}

int JsonDocument::child(int node, int row) const
{
    return m_data->order[std::size_t(m_data->nodes[std::size_t(node)].firstChild) + std::size_t(row)];
}

bool JsonDocument::hasName(int node) const
{
    return m_data->nodes[std::size_t(node)].named;
}

QString JsonDocument::name(int node) const
{
    const auto &wanted = m_data->nodes[std::size_t(node)];
    return QString::fromUtf8(m_data->pool.constData() + wanted.name, wanted.named ? qsizetype(wanted.nameSize) : 0);
}

bool JsonDocument::duplicateName(int node) const
{
    return m_data->nodes[std::size_t(node)].duplicate;
}

QString JsonDocument::value(int node, qsizetype maxChars) const
{
    const auto &wanted = m_data->nodes[std::size_t(node)];
    switch (wanted.type) {
    case Type::Null:
        return u"null"_s;
    case Type::False:
        return u"false"_s;
    case Type::True:
        return u"true"_s;
    case Type::Number:
    case Type::String: {
        auto size = qsizetype(wanted.textSize);
        const char *begin = m_data->pool.constData() + wanted.text;
        if (maxChars >= 0 && size > maxChars * 4) {
            size = maxChars * 4; // enough bytes for so many characters; the cut is tidied below
            while (size > 0 && (uchar(begin[size]) & 0xC0) == 0x80) {
                --size;
            }
        }
        const QString text = QString::fromUtf8(begin, size);
        return maxChars >= 0 ? text.left(maxChars) : text;
    }
    case Type::Array:
    case Type::Object:
        break;
    }
    return {};
}

qsizetype JsonDocument::valueBytes(int node) const
{
    return qsizetype(m_data->nodes[std::size_t(node)].textSize);
}

QString JsonDocument::pointer(int node) const
{
    QStringList parts;
    for (int at = node; at > 0; at = parent(at)) {
        QString part = hasName(at) ? name(at) : QString::number(row(at));
        parts.prepend(part.replace(u'~', "~0"_L1).replace(u'/', "~1"_L1));
    }
    return parts.isEmpty() ? QString() : u'/' + parts.join(u'/');
}

QString prettyJson(const QString &text)
{
    const int maxIndent = 64; // a deeper line stays where it is: 100,000 levels would need gigabytes of blanks
    QString out;
    out.reserve(text.size() + text.size() / 4);
    int depth = 0;
    bool inString = false;
    const auto breakLine = [&] {
        out += u'\n';
        out += QString(2 * std::min(depth, maxIndent), u' ');
    };
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (inString) {
            out += c;
            if (c == u'\\' && i + 1 < text.size()) {
                out += text.at(++i);
            } else if (c == u'"') {
                inString = false;
            }
            continue;
        }
        if (c == u' ' || c == u'\t' || c == u'\n' || c == u'\r') {
            continue;
        }
        if (c == u'}' || c == u']') {
            depth = std::max(0, depth - 1);
            const QChar last = out.isEmpty() ? QChar() : out.back();
            if (last != u'{' && last != u'[') {
                breakLine();
            }
            out += c;
        } else if (c == u'{' || c == u'[') {
            out += c;
            ++depth;
            qsizetype next = i + 1;
            while (next < text.size() && text.at(next).isSpace()) {
                ++next;
            }
            if (next < text.size() && text.at(next) != u'}' && text.at(next) != u']') {
                breakLine();
            }
        } else if (c == u',') {
            out += c;
            breakLine();
        } else if (c == u':') {
            out += u": "_s;
        } else {
            out += c;
            inString = c == u'"';
        }
    }
    return out;
}

} // namespace idemdesk::models
