// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of which the grammar of profiles is made (profile_codec.cpp). Reading and writing follow from them, and so
// does what profile.schema.json has to say.
#pragma once

#include "sql/profile/profile_reading.h"

#include <QSet>
#include <algorithm>
#include <functional>

namespace idemdesk::sql::codec {

/// What may stand for one value: how it is read, how it is written, and what JSON Schema says of it.
template <typename V> struct Codec {
    std::function<void(ProfileReading &, const JsonNode &, V *)> read;
    std::function<JsonNode(const V &)> write;
    QByteArray schema {};
    QString expected {}; ///< what is told where it is missing and must not be
    bool nullable = true; ///< null says the same as leaving it out
};

/// A value inside a T, as a part of that T.
template <typename T, typename V> Codec<T> within(V T::*member, const Codec<V> &codec)
{
    return { [=](ProfileReading &reading, const JsonNode &node, T *to) { codec.read(reading, node, &(to->*member)); },
        [=](const T &from) { return codec.write(from.*member); }, codec.schema, codec.expected, codec.nullable };
}

/// How a key stands in its object; these may be joined. An optional one that holds nothing is left out.
enum How : unsigned {
    Optional = 0,
    Required = 1,
    Always = 2, ///< written even where it holds nothing
    Last = 4 ///< written after the others, by name
};

/// One key of an object.
template <typename T> struct Field {
    QString name;
    Codec<T> codec;
    unsigned how = Optional;

    bool required() const { return (how & Required) != 0; }
};

template <typename T, typename V>
Field<T> field(const QString &name, V T::*member, const Codec<V> &codec, unsigned how = Optional)
{
    return { name, within(member, codec), how };
}

/// The fields of a U as such of an object that holds it.
template <typename T, typename U> QList<Field<T>> fieldsWithin(U T::*member, const QList<Field<U>> &fields)
{
    QList<Field<T>> all;
    for (const Field<U> &field : fields) {
        all.append({ field.name, within(member, field.codec), field.how });
    }
    return all;
}

/// True of what is as good as left out.
inline bool holdsNothing(const JsonNode &node)
{
    const bool off = node.kind == JsonNode::Kind::Boolean && node.text == QLatin1String("false");
    return off || (node.text.isEmpty() && node.items.isEmpty() && node.members.isEmpty());
}

template <typename T> void readField(ProfileReading &reading, const JsonNode &object, const Field<T> &field, T *to)
{
    const JsonNode *node = object.member(field.name);
    if (node == nullptr && field.required()) {
        reading.failMember(object, field.name, field.codec.expected);
    } else if (node != nullptr && (field.required() || !field.codec.nullable || !node->isNull())) {
        field.codec.read(reading, *node, to);
    }
}

template <typename T> QByteArray schemaOf(const QList<Field<T>> &fields, const QByteArray &beside)
{
    QByteArrayList properties;
    QByteArrayList required;
    for (const Field<T> &field : fields) {
        const bool nullable = !field.required() && field.codec.nullable;
        const QByteArray name = '"' + field.name.toUtf8() + '"';
        properties += name + ':'
            + (nullable ? R"({"anyOf":[{"type":"null"},)" + field.codec.schema + "]}" : field.codec.schema);
        if (field.required()) {
            required += name;
        }
    }
    return R"({"type":"object","properties":{)" + properties.join(',') + R"(},"required":[)" + required.join(',')
        + R"(],"patternProperties":{"^x_":{}},"additionalProperties":false)" + beside + '}';
}

/// An object with these keys, and those that begin with x_. `check` looks at what holds between them; `beside` is what
/// the schema says of that.
template <typename T>
Codec<T> objectOf(const QList<Field<T>> &fields,
    const std::function<void(ProfileReading &, const JsonNode &, T *)> &check = {}, const QByteArray &beside = {})
{
    QStringList names;
    for (const Field<T> &field : fields) {
        names += field.name;
    }
    QList<Field<T>> written = fields;
    std::stable_sort(written.begin(), written.end(), [](const Field<T> &a, const Field<T> &b) {
        const bool last = (b.how & Last) != 0;
        return (a.how & Last) == 0 ? last : last && a.name < b.name;
    });
    return { [=](ProfileReading &reading, const JsonNode &node, T *to) {
                if (!reading.object(node, names)) {
                    return;
                }
                for (const Field<T> &field : fields) {
                    readField(reading, node, field, to);
                }
                if (check) {
                    check(reading, node, to);
                }
            },
        [=](const T &from) {
            JsonNode node = JsonNode::ofObject();
            for (const Field<T> &field : written) {
                const JsonNode value = field.codec.write(from);
                if ((field.how & (Required | Always)) != 0 || !holdsNothing(value)) {
                    node.add(field.name, value);
                }
            }
            return node;
        },
        schemaOf(fields, beside) };
}

/// `filled`: it holds at least one. `expected` are words for what may stand there in place of those for every list.
template <typename V> Codec<QList<V>> listOf(const Codec<V> &item, bool filled = false, const QString &expected = {})
{
    const QString plain = QStringLiteral("a list");
    const QString words = !expected.isEmpty() ? expected
        : filled                              ? plain + QStringLiteral(" with at least one entry")
                                              : plain;
    return { [=](ProfileReading &reading, const JsonNode &node, QList<V> *to) {
                if (!node.isList() || (filled && node.items.isEmpty())) {
                    reading.fail(node, words);
                    return;
                }
                for (const JsonNode &entry : node.items) {
                    to->append(V {});
                    item.read(reading, entry, &to->last());
                }
            },
        [=](const QList<V> &from) {
            JsonNode node = JsonNode::ofList();
            for (const V &value : from) {
                node.items.append(item.write(value));
            }
            return node;
        },
        R"({"type":"array","items":)" + item.schema + (filled ? R"(,"minItems":1})" : "}"), plain };
}

/// Each entry of the list, or each entry's text under `member`, may stand in it only once.
template <typename V> Codec<QList<V>> distinct(Codec<QList<V>> list, const QString &words, const QString &member = {})
{
    list.read = [=, read = list.read](ProfileReading &reading, const JsonNode &node, QList<V> *to) {
        read(reading, node, to);
        QSet<QString> seen;
        for (const JsonNode &entry : node.items) {
            const JsonNode *text = member.isEmpty() ? &entry : entry.member(member);
            if (text != nullptr && text->isText() && seen.contains(text->text)) {
                reading.fail(*text, words);
            } else if (text != nullptr) {
                seen.insert(text->text);
            }
        }
    };
    if (member.isEmpty()) {
        list.schema = list.schema.chopped(1) + R"(,"uniqueItems":true})";
    }
    return list;
}

/// Null, or left out, is nothing.
template <typename V> Codec<std::optional<V>> optionalOf(const Codec<V> &codec)
{
    return { [=](ProfileReading &reading, const JsonNode &node, std::optional<V> *to) {
                codec.read(reading, node, &to->emplace());
            },
        [=](const std::optional<V> &from) { return from ? codec.write(*from) : JsonNode(); }, codec.schema,
        codec.expected };
}

/// One of these texts, each for its value.
template <typename V> Codec<V> choice(const QList<std::pair<QString, V>> &values, const QString &words)
{
    QByteArrayList names;
    for (const auto &[name, value] : values) {
        names += '"' + name.toUtf8() + '"';
    }
    return { [=](ProfileReading &reading, const JsonNode &node, V *to) {
                for (const auto &[name, value] : values) {
                    if (node.isText() && node.text == name) {
                        *to = value;
                        return;
                    }
                }
                reading.fail(node, words);
            },
        [=](const V &from) {
            for (const auto &[name, value] : values) {
                if (value == from) {
                    return JsonNode::ofText(name);
                }
            }
            return JsonNode();
        },
        R"({"enum":[)" + names.join(',') + "]}", words, false };
}

/// The same, where what is no text at all is told so.
template <typename V> Codec<V> fromText(Codec<V> codec)
{
    codec.read = [read = codec.read](ProfileReading &reading, const JsonNode &node, V *to) {
        if (!reading.text(node).isEmpty()) {
            read(reading, node, to);
        }
    };
    codec.expected = QStringLiteral("a text that is not empty");
    codec.nullable = true;
    return codec;
}

} // namespace idemdesk::sql::codec
