// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/filter_lexer.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

QString LexedTerm::text(qsizetype from, qsizetype to) const
{
    QString out;
    out.reserve(to - from);
    for (qsizetype i = from; i < to; ++i) {
        out += chars.at(i).c;
    }
    return out;
}

QList<LexedTerm> lexFilter(const QString &text)
{
    QList<LexedTerm> terms;
    const int size = static_cast<int>(text.size());
    int at = 0;
    while (at < size) {
        if (text.at(at).isSpace()) {
            ++at;
            continue;
        }
        LexedTerm term;
        term.position = at;
        if (text.at(at) == u'-') {
            term.negated = true;
            ++at;
        }
        int quote = -1;
        for (; at < size; ++at) {
            const QChar c = text.at(at);
            if (c == u'\\') {
                if (at + 1 >= size) {
                    term.danglingEscape = at;
                    continue;
                }
                ++at;
                term.chars.append({ text.at(at), at, true });
            } else if (c == u'"') {
                quote = quote < 0 ? at : -1;
            } else if (quote < 0 && c.isSpace()) {
                break;
            } else {
                term.chars.append({ c, at, quote >= 0 });
            }
        }
        term.openQuote = quote;
        term.end = at;
        terms.append(std::move(term));
    }
    return terms;
}

LexedOperator findOperator(const LexedTerm &term)
{
    const auto equalsFollows = [&term](qsizetype index) {
        // The two characters must touch: in `key:"<"=` they do not.
        return index + 1 < term.chars.size() && term.chars.at(index + 1).is(u'=')
            && term.chars.at(index + 1).at == term.chars.at(index).at + 1;
    };
    for (qsizetype i = 0; i < term.chars.size(); ++i) {
        const LexedChar &c = term.chars.at(i);
        if (c.is(u':') || c.is(u'=')) {
            return { i, 1, QString(c.c) };
        }
        if (c.is(u'<') || c.is(u'>')) {
            const qsizetype length = equalsFollows(i) ? 2 : 1;
            return { i, length, length == 2 ? QString(c.c) + u'=' : QString(c.c) };
        }
    }
    return {};
}

QList<LexedValue> splitValues(const LexedTerm &term, qsizetype from)
{
    QList<LexedValue> values;
    LexedValue value;
    value.from = from;
    value.position = from > 0 ? term.chars.at(from - 1).at + 1 : term.bodyPosition();
    for (qsizetype i = from; i <= term.chars.size(); ++i) {
        const bool last = i == term.chars.size();
        if (!last && !term.chars.at(i).is(u',')) {
            continue;
        }
        value.to = i;
        value.length = (last ? term.end : term.chars.at(i).at) - value.position;
        values.append(value);
        if (!last) {
            value = {};
            value.from = i + 1;
            value.position = term.chars.at(i).at + 1;
        }
    }
    return values;
}

} // namespace idemdesk::models
