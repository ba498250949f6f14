// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/filter_fields.h"

#include "sql/types/profile.h"

#include <algorithm>
#include <numeric>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

FilterValueKind kindOf(sql::FilterCompares compares)
{
    using sql::FilterCompares;
    switch (compares) {
    case FilterCompares::State:
        return FilterValueKind::State;
    case FilterCompares::Integer:
        return FilterValueKind::Integer;
    case FilterCompares::Number:
        return FilterValueKind::Number;
    case FilterCompares::Age:
        return FilterValueKind::Duration;
    case FilterCompares::Time:
        return FilterValueKind::Time;
    case FilterCompares::BareWord:
    case FilterCompares::Key:
    case FilterCompares::Scope:
    case FilterCompares::Text:
    case FilterCompares::Result:
    case FilterCompares::Payload:
    case FilterCompares::Amount:
    case FilterCompares::Own:
        break;
    }
    return FilterValueKind::Text;
}

} // namespace

const QList<FilterFieldSpec> &filterFields()
{
    static const QList<FilterFieldSpec> fields = [] {
        QList<FilterFieldSpec> list;
        for (const sql::FilterField field : sql::kAllOf<sql::FilterField>) {
            const sql::FilterFieldFacts &facts = sql::filterFieldFacts(field);
            if (facts.name[0] != u'\0') {
                list.append(
                    { field, QString::fromUtf16(facts.name), QString::fromUtf16(facts.alias), kindOf(facts.compares) });
            }
        }
        return list;
    }();
    return fields;
}

namespace {

FilterValueKind kindOf(sql::FieldType type)
{
    return type == sql::FieldType::Time  ? FilterValueKind::Time
        : type == sql::FieldType::Number ? FilterValueKind::Decimal
                                         : FilterValueKind::Text;
}

} // namespace

const FilterFieldSpec *FilterVocabulary::named(const QString &name) const
{
    const auto found = std::find_if(own.cbegin(), own.cend(),
        [&name](const FilterFieldSpec &spec) { return name.compare(spec.name, Qt::CaseInsensitive) == 0; });
    return found == own.cend() ? nullptr : &*found;
}

FilterVocabulary vocabularyOf(const sql::Profile &profile, const QTimeZone &zone)
{
    FilterVocabulary words;
    words.zone = zone;
    for (const sql::LabelledExpression &part : profile.scope) {
        words.own.append({ sql::FilterField::Scope, part.label, {}, FilterValueKind::Text });
    }
    for (const sql::FieldSpec &field : profile.fields) {
        words.own.append({ sql::FilterField::Own, field.label, {}, kindOf(field.type) });
    }
    return words;
}

const FilterFieldSpec *filterFieldNamed(const QString &name)
{
    for (const FilterFieldSpec &spec : filterFields()) {
        if (name.compare(spec.name, Qt::CaseInsensitive) == 0
            || (!spec.alias.isEmpty() && name.compare(spec.alias, Qt::CaseInsensitive) == 0)) {
            return &spec;
        }
    }
    return nullptr;
}

const QStringList &filterStateWords()
{
    static const QStringList words = [] {
        QStringList list;
        for (const sql::KeyState state : sql::kAllStates) {
            list += sql::stateName(state);
        }
        return list << u"stale"_s << u"expired"_s << u"conflict"_s;
    }();
    return words;
}

namespace {

/// Levenshtein's distance, in which two letters that changed places are one mistake; both words are short.
int distance(const QString &a, const QString &b)
{
    QList<int> twoAbove;
    QList<int> above;
    QList<int> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (int i = 1; i <= a.size(); ++i) {
        twoAbove = std::exchange(above, row);
        row[0] = i;
        for (int j = 1; j <= b.size(); ++j) {
            const int replaced = above[j - 1] + (a.at(i - 1) == b.at(j - 1) ? 0 : 1);
            row[j] = qMin(replaced, qMin(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a.at(i - 1) == b.at(j - 2) && a.at(i - 2) == b.at(j - 1)) {
                row[j] = qMin(row[j], twoAbove[j - 2] + 1);
            }
        }
    }
    return row.last();
}

} // namespace

QString nearestWord(const QString &word, const QStringList &candidates)
{
    constexpr int kLongestWord = 40;
    if (word.isEmpty() || word.size() > kLongestWord) {
        return {};
    }
    const QString lower = word.toLower();
    QString best;
    int bestDistance = qMax(1, static_cast<int>(lower.size()) / 3) + 1;
    for (const QString &candidate : candidates) {
        const QString other = candidate.toLower();
        if (other.size() > kLongestWord) {
            continue;
        }
        // A beginning of at least three characters counts as near, whatever is missing.
        const int far = lower.size() >= 3 && other.startsWith(lower) ? 1 : distance(lower, other);
        if (far < bestDistance) {
            bestDistance = far;
            best = candidate;
        }
    }
    return best;
}

QString shownInMessage(const QString &text)
{
    constexpr qsizetype kMost = 60;
    QString out;
    const QString begin = text.left(kMost);
    for (const QChar c : begin) {
        const auto category = c.category();
        if (category == QChar::Other_Control || category == QChar::Other_Format || category == QChar::Other_Surrogate
            || category == QChar::Separator_Line || category == QChar::Separator_Paragraph) {
            out += u"\\u"_s + QString::number(c.unicode(), 16).rightJustified(4, u'0');
        } else {
            out += c;
        }
    }
    return text.size() > kMost ? out + u'…' : out;
}

} // namespace idemdesk::models
