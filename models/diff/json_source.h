// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/json/json_document.h"
#include "sql/types/result.h"

#include <QByteArray>
#include <vector>

namespace idemdesk::models {

/// A JSON payload with its tree and, for each node, the bytes that wrote it: what a comparison needs to tell a
/// difference of data from one of form. Read-only.
class JsonSource
{
public:
    static constexpr int kMostDepth = 10'000; ///< deeper payloads are refused with a message
    static constexpr qsizetype kMostBytes = 512 * 1024 * 1024;

    /// A byte order mark at the start is taken as blank. Bytes that are no UTF-8, a NUL, a text that is no JSON and one
    /// that is too deep or too large end in an Error.
    static sql::Result<JsonSource> read(const QByteArray &utf8);

    const JsonDocument &document() const { return m_document; }
    const QByteArray &text() const { return m_text; }
    int nodeCount() const { return int(m_nodes.size()); }
    JsonDocument::Type type(int node) const { return m_document.type(node); }
    bool isContainer(int node) const { return type(node) >= JsonDocument::Type::Array; }
    QByteArrayView rawName(int node) const; ///< with its quotes, as written; empty for elements of arrays
    QByteArrayView rawText(int node) const; ///< a scalar's token or a container's text, blanks and all
    QByteArray decodedName(int node) const; ///< UTF-8
    int subtreeSize(int node) const
    {
        return m_nodes[std::size_t(node)].size;
    } ///< nodes, itself included; they follow one another
    quint64 hash(int node) const
    {
        return m_nodes[std::size_t(node)].hash;
    } ///< of the value as written, without blanks
    bool hasBlanks() const { return m_blanks > 0; } ///< outside of tokens
    /// The node's text without blanks between tokens, each token as it was written.
    QByteArray compact(int node) const;

    /// True if the values are written alike, blanks aside. A hash collision cannot deceive it.
    static bool same(const JsonSource &a, int nodeA, const JsonSource &b, int nodeB);

private:
    struct Span {
        quint32 begin = 0;
        quint32 end = 0;
    };
    struct Slice {
        Span name;
        Span text;
        int size = 1;
        quint64 hash = 0;
    };
    void slice();
    void digest();
    QByteArrayView view(Span span) const { return QByteArrayView(m_text).sliced(span.begin, span.end - span.begin); }

    JsonDocument m_document;
    QByteArray m_text;
    std::vector<Slice> m_nodes;
    qsizetype m_blanks = 0;
};

} // namespace idemdesk::models
