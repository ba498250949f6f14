// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace idemdesk::models {

/// One character of a term after quotes and backslashes were taken away. A literal one stood in quotes or after a
/// backslash and has no special meaning.
struct LexedChar {
    QChar c;
    int at = 0; ///< offset in the filter text
    bool literal = false;
    bool is(char16_t wanted) const { return !literal && c == wanted; }
};

/// One term of a filter text, cut at unquoted white space.
struct LexedTerm {
    int position = 0; ///< of its first character, the minus included
    int end = 0; ///< offset just after its last character
    bool negated = false;
    QList<LexedChar> chars; ///< without the minus
    int openQuote = -1; ///< offset of a quote that is never closed, or -1
    int danglingEscape = -1; ///< offset of a backslash with nothing after it, or -1

    int length() const { return end - position; }
    int bodyPosition() const { return position + (negated ? 1 : 0); }
    QString text(qsizetype from, qsizetype to) const;
};

/// Cuts a filter text into terms. Never fails: what is not closed is noted in the last term.
QList<LexedTerm> lexFilter(const QString &text);

/// The operator of a term such as `attempts>=5`.
struct LexedOperator {
    qsizetype index = -1; ///< in chars; -1: the term is a bare word
    qsizetype length = 0;
    QString text; ///< ":", "=", "<", "<=", ">", ">="
};
LexedOperator findOperator(const LexedTerm &term);

/// One value of a comma-separated list.
struct LexedValue {
    qsizetype from = 0; ///< in chars
    qsizetype to = 0;
    int position = 0; ///< in the text, its quotes included
    int length = 0; ///< 0: there is nothing at all, not even an empty pair of quotes
};
QList<LexedValue> splitValues(const LexedTerm &term, qsizetype from);

} // namespace idemdesk::models
