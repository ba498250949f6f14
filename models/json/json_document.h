// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <memory>

namespace idemdesk::models {

/// A JSON text as it stands: numbers as their text, duplicate names kept, any depth. Flat and read-only; copies share.
class JsonDocument
{
public:
    enum class Type : quint8 { Null, False, True, Number, String, Array, Object };
    static constexpr int kRoot = 0;

    JsonDocument() = default;
    /// An Error's `position` is the character in the text, its `why` names line and column.
    static sql::Result<JsonDocument> parse(const QString &text);

    bool isNull() const { return m_data == nullptr; }
    int nodeCount() const;
    Type type(int node) const;
    int parent(int node) const; ///< -1 for the root
    int row(int node) const; ///< among its parent's children
    int childCount(int node) const;
    int child(int node, int row) const;
    bool hasName(int node) const; ///< a member of an object
    QString name(int node) const; ///< decoded, hostile
    bool duplicateName(int node) const; ///< an earlier or later member of the same object has this name too
    /// Of a number its exact text, of a string its decoded value (hostile), at most maxChars characters of it.
    QString value(int node, qsizetype maxChars = -1) const;
    qsizetype valueBytes(int node) const; ///< size of a string's or number's text in UTF-8
    /// RFC 6901 pointer, for copying: "/items/0/price".
    QString pointer(int node) const;

private:
    struct Data;
    std::shared_ptr<const Data> m_data;
    friend struct JsonBuilder;
};

/// Line breaks and indent added between the tokens of a valid JSON text; each token stays byte for byte as it is.
QString prettyJson(const QString &text);

} // namespace idemdesk::models
