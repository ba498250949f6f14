// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/filter.h"

#include <QString>
#include <QStringList>
#include <QTimeZone>
#include <optional>

namespace idemdesk::models {

/// What the values of a field look like, and so which operators it takes.
enum class FilterValueKind {
    Text, ///< `:` with lists, a star at the end, ~ for contains
    Number, ///< text, and < <= > >=
    Decimal, ///< `:` with lists, < <= > >=; may have a fraction
    Integer, ///< `:` with lists, < <= > >=
    Duration, ///< < <= > >=
    Time, ///< `:`, < <= > >=
    State ///< `:` with lists of known words
};

struct FilterFieldSpec {
    sql::FilterField field;
    QString name; ///< as a person types it
    QString alias; ///< another name for it, or empty
    FilterValueKind kind;
};

/// What the fields of one table are, beyond those that every table has.
struct FilterVocabulary {
    QList<FilterFieldSpec> own; ///< parts of the scope, and the profile's fields
    QTimeZone zone = QTimeZone::utc(); ///< for times without an offset

    const FilterFieldSpec *named(const QString &name) const; ///< in any case; null where there is none
};
FilterVocabulary vocabularyOf(const sql::Profile &profile, const QTimeZone &zone = QTimeZone::utc());

/// Every field with a name, in the order a person meets them.
const QList<FilterFieldSpec> &filterFields();
/// The field of that name, in any case; nothing where there is none.
const FilterFieldSpec *filterFieldNamed(const QString &name);

/// Words that `state:` takes: the canonical states, stale, expired, and conflict (one of the key is recorded).
const QStringList &filterStateWords();

/// The candidate that differs least from a mistyped word, or empty where none is near.
QString nearestWord(const QString &word, const QStringList &candidates);

/// Text with control, bidi and zero-width characters as escapes and cut to 60 characters, to stand in a message.
QString shownInMessage(const QString &text);

} // namespace idemdesk::models
