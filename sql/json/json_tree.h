// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <utility>

namespace idemdesk::sql {

/// A JSON value as it was written: members in their order, numbers as their own text, each with its place.
struct JsonNode {
    enum class Kind { Null, Boolean, Number, Text, List, Object };
    Kind kind = Kind::Null;
    QString text; ///< of a Number or Text; "true" or "false" of a Boolean
    QList<JsonNode> items;
    QList<std::pair<QString, JsonNode>> members;
    QString path; ///< "$.stale[0].by"

    bool isNull() const { return kind == Kind::Null; }
    bool isText() const { return kind == Kind::Text; }
    bool isList() const { return kind == Kind::List; }
    bool isObject() const { return kind == Kind::Object; }
    const JsonNode *member(const QString &name) const;

    static JsonNode ofText(const QString &value);
    static JsonNode ofNumber(const QString &digits);
    static JsonNode ofBoolean(bool value);
    static JsonNode ofTexts(const QStringList &values);
    static JsonNode ofObject();
    static JsonNode ofList();
    JsonNode &add(const QString &name, JsonNode value); ///< returns *this
};

/// "$.a" + "b" -> "$.a.b"; names that are not words are quoted: $.a["b c"].
QString jsonPath(const QString &parent, const QString &name);
QString jsonPath(const QString &parent, qsizetype index);

/// Parses one document. The Error names line and column, or the path of a repeated key. One with more levels is
/// refused before it exhausts the stack: a profile nests eight.
Result<JsonNode> parseJson(const QByteArray &json, const QString &fileName, int mostLevels = 64);

/// Writes a tree; indent 0 is compact, without a line feed at the end.
QByteArray writeJson(const JsonNode &node, int indent);

} // namespace idemdesk::sql
