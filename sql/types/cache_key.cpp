// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/types/cache_key.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qsizetype kMostRowsOfKey = 64; // that one entry may lead to: a name of nothing but separators has thousands

QString backInBraces(const QStringList &names)
{
    QStringList all;
    for (const QString &name : names) {
        all += u'{' + name + u'}';
    }
    return all.join(u", "_s);
}

/// The part of the scope, -1 for the key; nothing for another name.
std::optional<qsizetype> partNamed(const QString &name, const Profile &profile)
{
    if (name == u"key" || (!profile.key.column.isEmpty() && name == profile.key.column)) {
        return -1;
    }
    for (qsizetype i = 0; i < profile.scope.size(); ++i) {
        const LabelledExpression &part = profile.scope.at(i);
        if (name == part.label || (!part.value.column.isEmpty() && name == part.value.column)) {
            return i;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<CacheKeyForm> CacheKeyForm::read(const QString &text, const Profile &profile, QString *expected)
{
    QStringList names { u"key"_s };
    for (const LabelledExpression &part : profile.scope) {
        names += part.label;
    }
    const auto fault = [expected](const QString &words) -> std::optional<CacheKeyForm> {
        if (expected != nullptr) {
            *expected = words;
        }
        return std::nullopt;
    };
    CacheKeyForm form;
    form.m_parts = profile.scope.size();
    QList<qsizetype> seen;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar now = text.at(at);
        const bool twice = at + 1 < text.size() && text.at(at + 1) == now;
        if ((now == u'{' || now == u'}') && twice) {
            form.m_end += now;
            ++at;
        } else if (now == u'}') {
            return fault(u"“}}” where a brace is meant"_s);
        } else if (now == u'{') {
            const qsizetype end = text.indexOf(u'}', at);
            const auto part = end < 0 ? std::nullopt : partNamed(text.mid(at + 1, end - at - 1), profile);
            if (!part) {
                return fault(u"only "_s + backInBraces(names) + u" in braces, and “{{” where a brace is meant"_s);
            }
            if (seen.contains(*part)) {
                return fault(u"each of "_s + backInBraces(names) + u" once"_s);
            }
            if (!seen.isEmpty() && form.m_end.isEmpty()) {
                return fault(u"a text between two values, which tells where the first one ends"_s);
            }
            seen += *part;
            form.m_pieces += { form.m_end, *part };
            form.m_end.clear();
            at = end;
        } else {
            form.m_end += now;
        }
    }
    if (seen.size() != form.m_parts + 1) {
        return fault(u"each of "_s + backInBraces(names) + u", so that an entry leads back to one row"_s);
    }
    return form;
}

std::optional<QByteArray> CacheKeyForm::entryOf(const Cells &scope, const Cell &key) const
{
    QString entry;
    for (const Piece &piece : m_pieces) {
        const Cell value = piece.part == kKey ? key : scope.value(piece.part);
        if (value.null || value.failed()) {
            return std::nullopt;
        }
        entry += piece.literal + value.text;
    }
    return (entry + m_end).toUtf8();
}

/// Finds every way to read the entry from this piece on; false: there are too many.
bool CacheKeyForm::split(
    const QString &entry, qsizetype piece, qsizetype from, CachedKey *found, QList<CachedKey> *all) const
{
    const bool last = piece + 1 == m_pieces.size();
    const QString &behind = last ? m_end : m_pieces.at(piece + 1).literal;
    const auto take = [this, found, piece](const QString &value) {
        const qsizetype part = m_pieces.at(piece).part;
        (part == kKey ? found->key : found->scope[part]) = value;
    };
    if (last) {
        const qsizetype end = entry.size() - behind.size();
        if (end >= from && QStringView(entry).mid(end) == behind) {
            take(entry.mid(from, end - from));
            all->append(*found);
        }
        return all->size() <= kMostRowsOfKey;
    }
    for (qsizetype end = entry.indexOf(behind, from); end >= 0; end = entry.indexOf(behind, end + 1)) {
        take(entry.mid(from, end - from));
        if (!split(entry, piece + 1, end + behind.size(), found, all)) {
            return false;
        }
    }
    return true;
}

std::optional<QList<CachedKey>> CacheKeyForm::rowsOf(const QByteArray &entry) const
{
    const QString text = QString::fromUtf8(entry);
    if (text.toUtf8() != entry) {
        return std::nullopt;
    }
    QList<CachedKey> all;
    const QString &begin = m_pieces.constFirst().literal;
    CachedKey found;
    found.scope.resize(m_parts);
    if (text.startsWith(begin) && !split(text, 0, begin.size(), &found, &all)) {
        return std::nullopt;
    }
    return all;
}

QByteArray CacheKeyForm::pattern() const
{
    const auto escaped = [](const QString &literal) {
        QByteArray pattern;
        for (const char byte : literal.toUtf8()) {
            if (QByteArrayView("*?[]\\^-").contains(byte)) {
                pattern += '\\';
            }
            pattern += byte;
        }
        return pattern;
    };
    QByteArray pattern;
    for (const Piece &piece : m_pieces) {
        pattern += escaped(piece.literal) + '*';
    }
    return pattern + escaped(m_end);
}

} // namespace idemdesk::sql
