// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/filter_completion.h"

#include "models/filter/filter_fields.h"
#include "models/filter/filter_lexer.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QStringList startingWith(const QStringList &words, const QString &typed)
{
    QStringList out;
    for (const QString &word : words) {
        const bool quoted = word.startsWith(u'"'); // a label with a blank: typed without its quote
        if (QStringView(word).mid(quoted ? 1 : 0).startsWith(typed, Qt::CaseInsensitive)
            && word.compare(typed, Qt::CaseInsensitive) != 0) {
            out += word;
        }
    }
    return out;
}

QString suffixOf(FilterValueKind kind)
{
    switch (kind) {
    case FilterValueKind::Integer:
    case FilterValueKind::Decimal:
        return u">="_s;
    case FilterValueKind::Duration:
        return u">"_s;
    case FilterValueKind::Time:
        return u">="_s;
    case FilterValueKind::Text:
    case FilterValueKind::Number:
    case FilterValueKind::State:
        break;
    }
    return u":"_s;
}

QStringList nameCandidates(const FilterVocabulary &vocabulary)
{
    QStringList names;
    for (const FilterFieldSpec &spec : filterFields()) {
        names += spec.name + suffixOf(spec.kind);
    }
    for (const FilterFieldSpec &spec : vocabulary.own) {
        if (filterFieldNamed(spec.name) == nullptr) {
            names.append(quoteFilterValue(spec.name) + suffixOf(spec.kind));
        }
    }
    return names;
}

QStringList valueCandidates(const FilterFieldSpec &spec, bool equal)
{
    switch (spec.kind) {
    case FilterValueKind::State:
        return QStringList { u"stuck"_s } + filterStateWords(); // as every page calls what is stale
    case FilterValueKind::Integer:
        return { u"3"_s, u"5"_s, u"10"_s };
    case FilterValueKind::Duration:
        return { u"5m"_s, u"1h"_s, u"1d"_s, u"7d"_s };
    case FilterValueKind::Time:
        return equal ? QStringList { u"null"_s, u"infinity"_s }
                     : QStringList { u"now"_s, u"-1h"_s, u"-1d"_s, u"-7d"_s };
    case FilterValueKind::Text:
    case FilterValueKind::Number:
    case FilterValueKind::Decimal:
        break;
    }
    return equal ? QStringList { u"null"_s } : QStringList {};
}

/// Fills in the part for a value; op is known to be there and before the cursor.
void completeValue(
    FilterCompletion *out, const LexedTerm &term, const LexedOperator &op, const FilterFieldSpec &spec, int cursor)
{
    qsizetype from = op.index + op.length;
    while (from < term.chars.size()
        && (term.chars.at(from).is(u'~') || term.chars.at(from).is(u'<') || term.chars.at(from).is(u'>')
            || term.chars.at(from).is(u'='))) {
        ++from;
    }
    out->kind = FilterCompletion::Kind::Value;
    out->field = spec.field;
    for (const LexedValue &value : splitValues(term, from)) {
        if (cursor < value.position || cursor > value.position + value.length) {
            continue;
        }
        out->replaceFrom = value.position;
        out->replaceLength = value.length;
        for (qsizetype i = value.from; i < value.to && term.chars.at(i).at < cursor; ++i) {
            out->typed += term.chars.at(i).c;
        }
        break;
    }
    if (out->replaceFrom == 0) { // the cursor stands within the operator
        out->replaceFrom = cursor;
    }
    const bool equal = op.text == u":" || op.text == u"=";
    out->candidates = startingWith(valueCandidates(spec, equal), out->typed);
    out->wantsValues = spec.kind == FilterValueKind::Text || spec.kind == FilterValueKind::Number;
}

} // namespace

FilterCompletion completeFilter(const QString &text, int cursor, const FilterVocabulary &vocabulary)
{
    FilterCompletion out;
    cursor = std::clamp(cursor, 0, static_cast<int>(text.size()));
    out.replaceFrom = cursor;
    const QList<LexedTerm> terms = lexFilter(text);
    const auto at = std::find_if(terms.cbegin(), terms.cend(),
        [cursor](const LexedTerm &term) { return term.position <= cursor && cursor <= term.end; });
    if (at == terms.cend()) {
        out.kind = FilterCompletion::Kind::Name;
        out.candidates = nameCandidates(vocabulary);
        return out;
    }
    const LexedTerm &term = *at;
    const LexedOperator op = findOperator(term);
    if (op.index > 0 && cursor > term.chars.at(op.index).at) {
        const QString name = term.text(0, op.index);
        if (const FilterFieldSpec *spec = filterFieldNamed(name)) {
            completeValue(&out, term, op, *spec, cursor);
            return out;
        }
        if (const FilterFieldSpec *spec = vocabulary.named(name)) {
            completeValue(&out, term, op, *spec, cursor);
            out.label = spec->name;
        }
        return out;
    }
    // A name is replaced together with the operator that follows it: candidates bring their own.
    out.kind = FilterCompletion::Kind::Name;
    out.replaceFrom = term.bodyPosition();
    const int end = op.index > 0 ? term.chars.at(op.index + op.length - 1).at + 1 : term.end;
    out.replaceLength = std::max(0, end - out.replaceFrom);
    for (const LexedChar &c : term.chars) {
        if (c.at >= cursor) {
            break;
        }
        out.typed += c.c;
    }
    out.candidates = startingWith(nameCandidates(vocabulary), out.typed);
    out.wantsValues = op.index < 0 && out.typed.size() >= 3; // it may become a bare key
    return out;
}

} // namespace idemdesk::models
