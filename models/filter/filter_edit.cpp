// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/filter_edit.h"

#include "models/filter/filter_lexer.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// Two terms mean the same if they agree in characters, and in which special ones are literal.
QString canonical(const LexedTerm &term)
{
    static const QString special = u":=<>,*~"_s;
    QString out = term.negated ? u"-"_s : u"+"_s;
    for (const LexedChar &c : term.chars) {
        if (c.literal && special.contains(c.c)) {
            out += u'\\';
        }
        out += c.c;
    }
    static const QRegularExpression stuck(u"(?<=[:=,])stuck(?=,|$)"_s); // one state by two names
    const LexedOperator op = findOperator(term);
    const bool state = op.index > 0 && term.text(0, op.index).compare(u"state"_s, Qt::CaseInsensitive) == 0;
    return state ? out.replace(stuck, u"stale"_s) : out;
}

QStringList canonicalTerms(const QString &text)
{
    QStringList out;
    for (const LexedTerm &term : lexFilter(text)) {
        out += canonical(term);
    }
    return out;
}

} // namespace

bool filterHasTerm(const QString &text, const QString &term)
{
    const QStringList have = canonicalTerms(text);
    const QStringList wanted = canonicalTerms(term);
    return !wanted.isEmpty()
        && std::all_of(wanted.cbegin(), wanted.cend(), [&have](const QString &one) { return have.contains(one); });
}

QString filterWithTerm(const QString &text, const QString &term)
{
    if (filterHasTerm(text, term)) {
        return text;
    }
    const QString trimmed = text.trimmed();
    return trimmed.isEmpty() ? term : trimmed + u' ' + term;
}

QString filterWithoutTerm(const QString &text, const QString &term)
{
    const QStringList unwanted = canonicalTerms(term);
    QStringList kept;
    for (const LexedTerm &one : lexFilter(text)) {
        if (!unwanted.contains(canonical(one))) {
            kept += text.mid(one.position, one.length());
        }
    }
    return kept.join(u' ');
}

QString filterWithoutField(const QString &text, const QString &field)
{
    QStringList kept;
    for (const LexedTerm &term : lexFilter(text)) {
        const LexedOperator found = findOperator(term);
        if (found.index < 0 || term.text(0, found.index).compare(field, Qt::CaseInsensitive) != 0) {
            kept += text.mid(term.position, term.length());
        }
    }
    return kept.join(u' ');
}

QString filterToggled(const QString &text, const QString &term)
{
    return filterHasTerm(text, term) ? filterWithoutTerm(text, term) : filterWithTerm(text, term);
}

QString quoteFilterValue(const QString &value)
{
    static const QRegularExpression plain(u"^[\\p{L}\\p{N}_./@#+%][\\p{L}\\p{N}_./@#+%-]*$"_s);
    if (plain.match(value).hasMatch() && value.compare(u"null"_s, Qt::CaseInsensitive) != 0) {
        return value;
    }
    QString inner = value;
    inner.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
    return u'"' + inner + u'"';
}

} // namespace idemdesk::models
