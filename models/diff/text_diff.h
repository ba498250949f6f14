// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace idemdesk::models {

/// A stretch of one text and what stands in its place in another; equal where `same`.
struct TextSpan {
    bool same = false;
    qsizetype a = 0;
    qsizetype aLength = 0;
    qsizetype b = 0;
    qsizetype bLength = 0;

    friend bool operator==(const TextSpan &left, const TextSpan &right) = default;
};

/// Line by line: spans count lines, each text cut after its line feeds. A text without a last line feed ends in a line
/// without one.
QList<TextSpan> diffLines(const QString &a, const QString &b);

/// Inside a value: spans count characters (UTF-16), and never split a surrogate pair. Bounded: very unlike values are
/// one span.
QList<TextSpan> diffCharacters(const QString &a, const QString &b);

/// The lines that diffLines() counts.
QList<QStringView> linesOf(const QString &text);

/// b, out of a and what the line spans put in place of its lines.
QString applyLineSpans(const QString &a, const QString &b, const QList<TextSpan> &spans);

} // namespace idemdesk::models
