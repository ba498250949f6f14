// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/diff/json_source.h"

#include "sql/types/tr.h"

#include <QRandomGenerator>
#include <QStringDecoder>
#include <cstring>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using Type = JsonDocument::Type;

sql::Error refused(const QString &why)
{
    return sql::makeError(sql::ErrorKind::Usage, Tr::tr("This payload cannot be compared as JSON."), why,
        Tr::tr("Compare it as text instead."));
}

/// The first line (from 1) whose bytes are no UTF-8, or 0. A line feed is never part of a longer sequence.
qsizetype badLine(const QByteArray &utf8)
{
    if (utf8.isValidUtf8()) {
        return 0;
    }
    qsizetype line = 1;
    for (qsizetype at = 0; at <= utf8.size(); ++line) {
        const qsizetype end = utf8.indexOf('\n', at);
        const QByteArrayView bytes = QByteArrayView(utf8).sliced(at, (end < 0 ? utf8.size() : end) - at);
        QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
        static_cast<void>(QString(decoder(bytes))); // only then does it decode
        if (decoder.hasError() || end < 0) {
            return line;
        }
        at = end + 1;
    }
    return line;
}

/// Per run, so that nobody can prepare payloads whose hashes collide.
quint64 hashSeed()
{
    static const quint64 seed = QRandomGenerator::global()->generate64();
    return seed;
}

quint64 mix(quint64 a, quint64 b)
{
    quint64 x = a ^ (b + 0x9E3779B97F4A7C15ULL + (a << 12) + (a >> 4));
    x ^= x >> 31;
    x *= 0xD6E8FEB86659FD93ULL;
    return x ^ (x >> 32);
}

/// Eight bytes at a step: tokens are short, and qHashBits() costs more than all the rest of reading them.
quint64 hashOf(QByteArrayView bytes, quint64 seed)
{
    quint64 hash = seed ^ quint64(bytes.size());
    qsizetype at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        quint64 word = 0;
        std::memcpy(&word, bytes.data() + at, 8);
        hash = mix(hash, word);
    }
    quint64 rest = 0;
    for (int shift = 0; at < bytes.size(); ++at, shift += 8) {
        rest |= quint64(uchar(bytes[at])) << shift;
    }
    return mix(hash, rest);
}

bool endsScalar(char c)
{
    return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

qsizetype stringEnd(const QByteArray &text, qsizetype at)
{
    for (++at; text[at] != '"'; ++at) {
        at += text[at] == '\\' ? 1 : 0;
    }
    return at + 1;
}

} // namespace

sql::Result<JsonSource> JsonSource::read(const QByteArray &utf8)
{
    JsonSource source;
    if (utf8.size() > kMostBytes) {
        return refused(Tr::tr("It is larger than %1 MiB.").arg(kMostBytes / 1024 / 1024));
    }
    if (const qsizetype line = badLine(utf8); line > 0) {
        return refused(Tr::tr("Line %1 holds bytes that are not UTF-8.").arg(line));
    }
    const bool marked = utf8.startsWith("\xEF\xBB\xBF");
    source.m_text = marked ? utf8.sliced(3) : utf8;
    source.m_blanks = marked ? 1 : 0;
    if (source.m_text.startsWith(
            "\xEF\xBB\xBF")) { // QString::fromUtf8() would drop it, and the places of all nodes with it
        return refused(Tr::tr("It begins with two byte order marks."));
    }
    TRY(auto document, JsonDocument::parse(QString::fromUtf8(source.m_text)));
    source.m_document = document;
    const int count = source.m_document.nodeCount();
    std::vector<int> depth(std::size_t(count), 0);
    for (int node = 1; node < count; ++node) {
        depth[std::size_t(node)] = depth[std::size_t(source.m_document.parent(node))] + 1;
        if (depth[std::size_t(node)] > kMostDepth) {
            return refused(Tr::tr("It is nested more than %1 deep.").arg(kMostDepth));
        }
    }
    source.slice();
    source.digest();
    return source;
}

/// Finds each node's bytes. The text is valid already, so that one walk over its tokens, in the order of nodes, will
/// do.
void JsonSource::slice()
{
    m_nodes.resize(std::size_t(m_document.nodeCount()));
    std::vector<std::size_t> open;
    std::size_t node = 0;
    bool named = false;
    const QByteArray &text = m_text;
    for (qsizetype at = 0; at < text.size();) {
        const char c = text[at];
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            ++m_blanks;
            ++at;
        } else if (c == '{' || c == '[') {
            m_nodes[node].text.begin = quint32(at++);
            open.push_back(node++);
            named = false;
        } else if (c == '}' || c == ']') {
            m_nodes[open.back()].text.end = quint32(++at);
            open.pop_back();
        } else if (c == ',' || c == ':') {
            ++at;
        } else {
            qsizetype end = at;
            if (c == '"') {
                end = stringEnd(text, at);
            } else {
                while (end < text.size() && !endsScalar(text[end])) {
                    ++end;
                }
            }
            const Span span { quint32(at), quint32(end) };
            if (!named && m_document.hasName(int(node))) {
                m_nodes[node].name = span;
                named = true;
            } else {
                m_nodes[node++].text = span;
                named = false;
            }
            at = end;
        }
    }
}

void JsonSource::digest()
{
    const quint64 seed = hashSeed();
    for (int node = nodeCount() - 1; node >= 0; --node) {
        Slice &slice = m_nodes[std::size_t(node)];
        if (isContainer(node)) {
            slice.hash = mix(slice.hash, quint64(type(node)) + 1);
        } else {
            const QByteArrayView token = view(slice.text);
            slice.hash = mix(hashOf(token, seed), 7);
        }
        if (const int parent = m_document.parent(node); parent >= 0) {
            Slice &above = m_nodes[std::size_t(parent)];
            const QByteArrayView name = view(slice.name);
            above.size += slice.size;
            above.hash = mix(mix(above.hash, name.isEmpty() ? seed : hashOf(name, seed)), slice.hash);
        }
    }
}

QByteArrayView JsonSource::rawName(int node) const
{
    return view(m_nodes[std::size_t(node)].name);
}

QByteArrayView JsonSource::rawText(int node) const
{
    return view(m_nodes[std::size_t(node)].text);
}

QByteArray JsonSource::decodedName(int node) const
{
    const QByteArrayView raw = rawName(node);
    if (raw.size() < 2) {
        return {};
    }
    return raw.contains('\\') ? m_document.name(node).toUtf8() : raw.sliced(1, raw.size() - 2).toByteArray();
}

QByteArray JsonSource::compact(int node) const
{
    const QByteArrayView raw = rawText(node);
    if (!isContainer(node)) {
        return raw.toByteArray();
    }
    QByteArray out;
    out.reserve(raw.size());
    bool inString = false;
    for (qsizetype i = 0; i < raw.size(); ++i) {
        const char c = raw[i];
        if (inString) {
            out += c;
            if (c == '\\') {
                out += raw[++i];
            }
            inString = c != '"';
        } else if (c != ' ' && c != '\n' && c != '\t' && c != '\r') {
            out += c;
            inString = c == '"';
        }
    }
    return out;
}

bool JsonSource::same(const JsonSource &a, int nodeA, const JsonSource &b, int nodeB)
{
    if (a.hash(nodeA) != b.hash(nodeB) || a.subtreeSize(nodeA) != b.subtreeSize(nodeB)) {
        return false;
    }
    for (int i = 0; i < a.subtreeSize(nodeA); ++i) {
        const int left = nodeA + i;
        const int right = nodeB + i;
        if (a.type(left) != b.type(right) || (i > 0 && a.rawName(left) != b.rawName(right))) {
            return false;
        }
        if (a.isContainer(left) ? a.m_document.childCount(left) != b.m_document.childCount(right)
                                : a.rawText(left) != b.rawText(right)) {
            return false;
        }
    }
    return true;
}

} // namespace idemdesk::models
