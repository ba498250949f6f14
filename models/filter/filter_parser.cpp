// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/filter_parser.h"

#include "models/filter/filter_fields.h"
#include "models/filter/filter_lexer.h"
#include "models/filter/filter_values.h"
#include "sql/types/tr.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using sql::Error;
using sql::FilterField;
using sql::FilterOperator;
using sql::FilterTerm;
using sql::Result;

constexpr int kLongestText = 100'000;

Error fault(int position, int length, const QString &what, const QString &todo)
{
    Error error;
    error.kind = sql::ErrorKind::Usage;
    error.what = what;
    error.todo = todo;
    error.position = position;
    error.length = length;
    return error;
}

/// Reads one term after another; each reader gives the term or the first thing wrong with it.
class Parser
{
public:
    explicit Parser(const FilterVocabulary &vocabulary)
        : m_vocabulary(vocabulary)
    {
    }

    Result<FilterTerm> term(const LexedTerm &lexed) const
    {
        if (lexed.openQuote >= 0) {
            return fault(lexed.openQuote, lexed.end - lexed.openQuote, Tr::tr("This quote is never closed."),
                Tr::tr("Add a closing \", or write \\\" for the quote itself."));
        }
        if (lexed.danglingEscape >= 0) {
            return fault(lexed.danglingEscape, 1, Tr::tr("Nothing follows this backslash."),
                Tr::tr("Write \\\\ for the backslash itself."));
        }
        if (lexed.negated && lexed.length() == 1) {
            return fault(lexed.position, 1, Tr::tr("A term is expected after the minus."),
                Tr::tr("Write for example -state:succeeded, or \"-\" in quotes for a key that is a minus."));
        }
        FilterTerm out;
        out.position = lexed.position;
        out.length = lexed.length();
        out.negated = lexed.negated;
        const LexedOperator op = findOperator(lexed);
        if (op.index > 0) {
            const QString name = lexed.text(0, op.index);
            if (const auto *spec = filterFieldNamed(name); spec != nullptr && plain(lexed, op.index)) {
                out.field = spec->field;
                return fieldTerm(lexed, op, *spec, std::move(out));
            }
            if (const auto *spec = m_vocabulary.named(name)) {
                out.field = spec->field;
                out.label = spec->name;
                return fieldTerm(lexed, op, *spec, std::move(out));
            }
            if (looksLikeField(lexed, op)) {
                return unknownField(lexed, op, name);
            }
        }
        return bareWord(lexed, std::move(out));
    }

private:
    static bool plain(const LexedTerm &lexed, qsizetype to)
    {
        return std::none_of(
            lexed.chars.cbegin(), lexed.chars.cbegin() + to, [](const LexedChar &c) { return c.literal; });
    }

    /// `abc==` is a key in base64; `ownr:x`, `a<b` and `ownr=x` look like fields.
    static bool looksLikeField(const LexedTerm &lexed, const LexedOperator &op)
    {
        static const QRegularExpression word(u"^[\\p{L}_][\\p{L}\\p{N}_.!-]*$"_s);
        if (!plain(lexed, op.index) || !word.match(lexed.text(0, op.index)).hasMatch()) {
            return false;
        }
        const QString rest = lexed.text(op.index, lexed.chars.size());
        return !(rest == u"=" || rest == u"==");
    }

    Error unknownField(const LexedTerm &lexed, const LexedOperator &op, const QString &name) const
    {
        QStringList known;
        for (const FilterFieldSpec &spec : m_vocabulary.own) {
            known += spec.name;
        }
        for (const FilterFieldSpec &spec : filterFields()) {
            known += spec.name;
        }
        known.removeDuplicates(); // a profile's own field may have the name of one that every table has
        const QString near = nearestWord(name, known);
        const QString todo = near.isEmpty()
            ? Tr::tr("For a key with these characters put it in quotes. Fields are: %1.").arg(known.join(u", "_s))
            : Tr::tr("Did you mean “%1”? For a key with these characters put it in quotes.").arg(near);
        return fault(lexed.bodyPosition(), static_cast<int>(lexed.chars.at(op.index).at - lexed.bodyPosition()),
            Tr::tr("There is no field “%1”.").arg(shownInMessage(name)), todo);
    }

    Result<FilterTerm> bareWord(const LexedTerm &lexed, FilterTerm out) const
    {
        out.field = FilterField::BareWord;
        out.valuePosition = lexed.bodyPosition();
        LexedValue value { 0, lexed.chars.size(), out.valuePosition, lexed.end - out.valuePosition };
        return addText(lexed, value, std::move(out));
    }

    static FilterOperator operatorOf(const QString &text)
    {
        if (text == u"<") {
            return FilterOperator::Less;
        }
        if (text == u"<=") {
            return FilterOperator::LessOrEqual;
        }
        if (text == u">") {
            return FilterOperator::Greater;
        }
        return text == u">=" ? FilterOperator::GreaterOrEqual : FilterOperator::Equal;
    }

    Result<FilterTerm> fieldTerm(
        const LexedTerm &lexed, LexedOperator op, const FilterFieldSpec &spec, FilterTerm out) const
    {
        const bool compares = spec.kind != FilterValueKind::Text && spec.kind != FilterValueKind::State;
        qsizetype from = op.index + op.length;
        const int opPosition = lexed.chars.at(op.index).at;
        // `attempts:>=5`, as other search languages write it
        if (compares && op.text == u":" && from < lexed.chars.size()
            && (lexed.chars.at(from).is(u'<') || lexed.chars.at(from).is(u'>'))) {
            const bool equals = from + 1 < lexed.chars.size() && lexed.chars.at(from + 1).is(u'=');
            op.text = QString(lexed.chars.at(from).c) + (equals ? u"="_s : QString());
            from += equals ? 2 : 1;
        }
        out.op = operatorOf(op.text);
        if (!compares && out.op != FilterOperator::Equal) {
            return fault(opPosition, static_cast<int>(op.length),
                Tr::tr("“%1” cannot be compared with %2.").arg(spec.name, op.text),
                Tr::tr("Write %1:value.").arg(spec.name));
        }
        if (spec.kind != FilterValueKind::State && from < lexed.chars.size() && lexed.chars.at(from).is(u'~')) {
            if (spec.kind != FilterValueKind::Text && spec.kind != FilterValueKind::Number) {
                return fault(lexed.chars.at(from).at, 1, Tr::tr("“%1” holds no text to search in.").arg(spec.name),
                    expected(spec));
            }
            out.op = FilterOperator::Contains;
            ++from;
        }
        const QList<LexedValue> values = splitValues(lexed, from);
        out.valuePosition = values.first().position;
        for (const LexedValue &value : values) {
            TRY(auto added, addValue(lexed, value, spec, std::move(out)));
            out = std::move(added);
        }
        if (out.isNull && values.size() > 1) {
            return fault(out.valuePosition, lexed.end - out.valuePosition, Tr::tr("“null” must stand alone in a term."),
                Tr::tr("For the text null write \"null\" in quotes."));
        }
        const bool ordered
            = out.op != FilterOperator::Equal && out.op != FilterOperator::Contains && out.op != FilterOperator::Prefix;
        if (ordered && values.size() > 1) {
            return fault(values.at(1).position, values.at(1).length, Tr::tr("%1 takes one value.").arg(op.text),
                Tr::tr("Use one term for each comparison."));
        }
        return out;
    }

    static QString expected(const FilterFieldSpec &spec)
    {
        switch (spec.kind) {
        case FilterValueKind::Integer:
        case FilterValueKind::Number:
            return Tr::tr("A whole number is expected, such as %1>=5.").arg(spec.name);
        case FilterValueKind::Decimal:
            return Tr::tr("A number is expected, such as %1>=2.5.").arg(spec.name);
        case FilterValueKind::Duration:
            return Tr::tr("A duration with its unit is expected, such as %1>10m; units are s, m, h, d, w, y.")
                .arg(spec.name);
        case FilterValueKind::Time:
            return Tr::tr("A time is expected: 2026-11-01, 2026-11-01T12:30, 2026-11-01T12:30:15.5+01:00, now, or -2h "
                          "for two hours ago.");
        case FilterValueKind::State:
            return Tr::tr("One of these is expected: %1.").arg(filterStateWords().join(u", "_s));
        case FilterValueKind::Text:
            break;
        }
        return Tr::tr("A value is expected, such as %1:abc, %1:ab*, %1:~part, %1:null, or %1:\"\" for the empty text.")
            .arg(spec.name);
    }

    Result<FilterTerm> addValue(
        const LexedTerm &lexed, const LexedValue &value, const FilterFieldSpec &spec, FilterTerm out) const
    {
        const QString text = lexed.text(value.from, value.to);
        if (value.length == 0) {
            return fault(value.position, 0, Tr::tr("A value is missing here."), expected(spec));
        }
        if (text.compare(u"null"_s, Qt::CaseInsensitive) == 0 && out.op == FilterOperator::Equal
            && spec.kind != FilterValueKind::State && !lexed.chars.at(value.from).literal) {
            out.isNull = true;
            return out;
        }
        const bool written
            = out.op == FilterOperator::Equal || out.op == FilterOperator::Prefix || out.op == FilterOperator::Contains;
        if (spec.kind == FilterValueKind::Text || (spec.kind == FilterValueKind::Number && written)) {
            return addText(lexed, value, std::move(out)); // response codes may be texts
        }
        TRY(const auto stored, storedValue(value, text, spec, &out.op));
        out.values.append(stored);
        out.valueSpans.append({ value.position, value.length });
        return out;
    }

    /// A value of any kind but text, as the filter keeps it; a time may turn the operator into another one.
    Result<QString> storedValue(
        const LexedValue &value, const QString &text, const FilterFieldSpec &spec, FilterOperator *op) const
    {
        Error wrong = fault(value.position, value.length,
            Tr::tr("“%1” does not fit “%2”.").arg(shownInMessage(text), spec.name), expected(spec));
        if (spec.kind == FilterValueKind::Integer || spec.kind == FilterValueKind::Number) {
            wrong = fault(value.position, value.length, Tr::tr("%1 needs a whole number.").arg(spec.name),
                Tr::tr("Write it as %1>=5.").arg(spec.name));
        }
        if (spec.kind == FilterValueKind::Duration) {
            const auto seconds = durationValue(text);
            if (!seconds) {
                return wrong;
            }
            return *op == FilterOperator::Equal ? Result<QString>(
                       fault(value.position, value.length, Tr::tr("“%1” needs < or >.").arg(spec.name), expected(spec)))
                                                : Result<QString>(*seconds);
        }
        if (spec.kind == FilterValueKind::Time) {
            const auto time = timeValue(text, *op, m_vocabulary.zone);
            if (!time) {
                return wrong;
            }
            *op = time->op;
            return time->value;
        }
        if (spec.kind == FilterValueKind::State) {
            const QString word = text.toLower();
            if (filterStateWords().contains(word)) {
                return word;
            }
            if (word == u"stuck") {
                return u"stale"_s; // what every page calls it
            }
            if (const QString near = nearestWord(word, filterStateWords()); !near.isEmpty()) {
                wrong.todo = Tr::tr("Did you mean “%1”?").arg(near) + u' ' + wrong.todo;
            }
            return wrong;
        }
        static const QRegularExpression number(u"^[+-]?\\d{1,18}$"_s);
        static const QRegularExpression decimal(u"^[+-]?\\d{1,18}(\\.\\d{1,18})?$"_s);
        if (spec.kind == FilterValueKind::Decimal) {
            return decimal.match(text).hasMatch() ? Result<QString>(text) : Result<QString>(wrong);
        }
        return number.match(text).hasMatch() ? Result<QString>(QString::number(text.toLongLong()))
                                             : Result<QString>(wrong);
    }

    /// A text, exact or with a star at its end. Within one term all values are of one form.
    Result<FilterTerm> addText(const LexedTerm &lexed, const LexedValue &value, FilterTerm out) const
    {
        qsizetype to = value.to;
        const bool star = out.op != FilterOperator::Contains && to > value.from && lexed.chars.at(to - 1).is(u'*');
        to -= star ? 1 : 0;
        for (qsizetype i = value.from; i < to && out.op != FilterOperator::Contains; ++i) {
            if (lexed.chars.at(i).is(u'*')) {
                return fault(lexed.chars.at(i).at, 1, Tr::tr("A star can stand only at the end of a value."),
                    Tr::tr("Write \\* for the star itself, or field:~part to search for a part."));
            }
        }
        const bool contains = out.op == FilterOperator::Contains;
        const FilterOperator op = star ? FilterOperator::Prefix : contains ? out.op : FilterOperator::Equal;
        if (!out.values.isEmpty() && op != out.op) {
            return fault(value.position, value.length,
                Tr::tr("In one term either all values end in a star or none does."),
                Tr::tr("Give each value the star, or search in two steps."));
        }
        out.op = op;
        out.values.append(lexed.text(value.from, to));
        out.valueSpans.append({ value.position, value.length });
        return out;
    }

    const FilterVocabulary &m_vocabulary;
};

/// Characters that PostgreSQL's text cannot hold.
std::optional<Error> badCharacter(const QString &text)
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        const int at = static_cast<int>(i);
        if (c.isNull()) {
            return fault(
                at, 1, Tr::tr("This is a NUL character, which no text in PostgreSQL can hold."), Tr::tr("Remove it."));
        }
        if (c.isHighSurrogate() && i + 1 < text.size() && text.at(i + 1).isLowSurrogate()) {
            ++i;
        } else if (c.isSurrogate()) {
            return fault(at, 1, Tr::tr("This is half of a character."), Tr::tr("Remove it, or paste the text again."));
        }
    }
    return std::nullopt;
}

} // namespace

sql::Result<sql::Filter> parseFilter(const QString &text, const FilterVocabulary &vocabulary)
{
    if (text.size() > kLongestText) {
        return fault(kLongestText, static_cast<int>(text.size()) - kLongestText, Tr::tr("The filter is too long."),
            Tr::tr("It may have up to 100,000 characters."));
    }
    if (auto bad = badCharacter(text)) {
        return *bad;
    }
    sql::Filter filter;
    filter.text = text;
    const Parser parser(vocabulary);
    const QList<LexedTerm> terms = lexFilter(text);
    for (const LexedTerm &lexed : terms) {
        TRY(auto term, parser.term(lexed));
        filter.terms.append(std::move(term));
    }
    return filter;
}

} // namespace idemdesk::models
