// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QStringList>

namespace idemdesk::tests {

inline constexpr qsizetype kMostWords = 20; ///< of a sentence: CONTRIBUTING, rules of the house

/// The sentences of a paragraph that have more words than people read with ease, each with how many they are. A colon
/// or a semicolon ends one, too.
inline QStringList longSentences(const QString &paragraph)
{
    static const QRegularExpression end(QStringLiteral("(?<=[.!?:;])\\s+|\\n"));
    static const QRegularExpression word(QStringLiteral("[\\p{L}\\p{N}]"));
    QStringList found;
    const QStringList sentences = paragraph.split(end);
    for (const QString &sentence : sentences) {
        const QStringList words = sentence.split(u' ', Qt::SkipEmptyParts).filter(word);
        if (words.size() > kMostWords) {
            found += QStringLiteral("%1 words: %2").arg(words.size()).arg(sentence.trimmed());
        }
    }
    return found;
}

} // namespace idemdesk::tests
