// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/diff/diff_words.h"

#include "models/format/display_text.h"
#include "sql/types/tr.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

QString statusWord(DiffStatus status)
{
    switch (status) {
    case DiffStatus::Same:
        return u"same"_s;
    case DiffStatus::Within:
        return u"within"_s;
    case DiffStatus::Changed:
        return u"changed"_s;
    case DiffStatus::Added:
        return u"added"_s;
    case DiffStatus::Removed:
        return u"removed"_s;
    case DiffStatus::Moved:
        return u"moved"_s;
    }
    return {};
}

QStringList formWords(DiffForms forms)
{
    QStringList words;
    const auto say = [&](DiffForm form, const QString &word) {
        if (forms.testFlag(form)) {
            words.append(word);
        }
    };
    say(DiffForm::NumberForm, u"number_form"_s);
    say(DiffForm::UnicodeForm, u"unicode_form"_s);
    say(DiffForm::Escapes, u"escapes"_s);
    say(DiffForm::KeyOrder, u"key_order"_s);
    say(DiffForm::Duplicates, u"duplicates"_s);
    say(DiffForm::Whitespace, u"whitespace"_s);
    return words;
}

QString formsInWords(DiffForms forms)
{
    QStringList words;
    const auto say = [&](DiffForm form, const QString &word) {
        if (forms.testFlag(form)) {
            words.append(word);
        }
    };
    say(DiffForm::KeyOrder, Tr::tr("the order of keys"));
    say(DiffForm::NumberForm, Tr::tr("how numbers are written"));
    say(DiffForm::UnicodeForm, Tr::tr("how letters are composed (Unicode forms)"));
    say(DiffForm::Escapes, Tr::tr("how characters are escaped"));
    say(DiffForm::Duplicates, Tr::tr("repeated keys that a later one overrides"));
    say(DiffForm::Whitespace, Tr::tr("blanks between values"));
    return words.join(u", "_s);
}

QString summaryOf(const JsonDiff &diff)
{
    if (diff.sameBytes) {
        return Tr::tr("Both payloads are the same, byte for byte.");
    }
    QStringList parts;
    const DiffCounts &counts = diff.counts;
    if (counts.changed > 0) {
        parts += Tr::tr("%n values changed", nullptr, counts.changed);
    }
    if (counts.added > 0) {
        parts += Tr::tr("%n added", nullptr, counts.added);
    }
    if (counts.removed > 0) {
        parts += Tr::tr("%n removed", nullptr, counts.removed);
    }
    if (counts.moved > 0) {
        parts += Tr::tr("%n moved", nullptr, counts.moved);
    }
    QString text = parts.isEmpty() ? Tr::tr("Both payloads hold the same data.") : parts.join(u", "_s) + u'.';
    if (diff.forms.toInt() != 0) {
        text += u' '
            + (parts.isEmpty() ? Tr::tr("Formatting only: %1.") : Tr::tr("Also, formatting: %1."))
                  .arg(formsInWords(diff.forms));
    }
    if (counts.ignored > 0) {
        text += u' ' + Tr::tr("%n differences are ignored by rule.", nullptr, counts.ignored);
    }
    return text;
}

QString changeInWords(const JsonChange &change)
{
    constexpr qsizetype mostChars = 60;
    const QString where
        = change.pointer.isEmpty() ? Tr::tr("the whole payload") : displayText(change.pointer, mostChars);
    const QString from = displayText(change.from, mostChars);
    const QString to = displayText(change.to, mostChars);
    switch (change.status) {
    case DiffStatus::Added:
        return Tr::tr("%1 was added (%2)").arg(where, to);
    case DiffStatus::Removed:
        return Tr::tr("%1 was removed (%2)").arg(where, from);
    case DiffStatus::Moved:
        return Tr::tr("an item moved to %1").arg(where); // the pointer is in the second payload
    case DiffStatus::Within:
        return Tr::tr("%1 differs in %2").arg(where, formsInWords(change.forms));
    case DiffStatus::Changed:
    case DiffStatus::Same:
        break;
    }
    return Tr::tr("%1 changed from %2 to %3").arg(where, from, to);
}

QJsonObject changeJson(const JsonChange &change)
{
    QJsonObject object {
        { u"status"_s, statusWord(change.status) },
        { u"pointer"_s, change.pointer },
        { u"forms"_s, QJsonArray::fromStringList(formWords(change.forms)) },
        { u"form_only"_s, change.formOnly },
        { u"ignored"_s, change.ignored },
    };
    if (change.status != DiffStatus::Added && change.status != DiffStatus::Within) {
        object.insert(u"from"_s, change.from);
    }
    if (change.status != DiffStatus::Removed && change.status != DiffStatus::Within) {
        object.insert(u"to"_s, change.to);
    }
    return object;
}

} // namespace idemdesk::models
