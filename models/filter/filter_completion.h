// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/filter/filter_parser.h"

namespace idemdesk::models {

/// What is being typed at the cursor of a filter text, and what could stand there.
struct FilterCompletion {
    enum class Kind {
        Nothing, ///< nothing sensible to offer
        Name, ///< a field's name, or a bare key
        Value ///< a value of `field`
    };
    Kind kind = Kind::Nothing;
    sql::FilterField field = sql::FilterField::BareWord; ///< for Value
    QString label; ///< of a part of the scope or of the profile's own field
    QString typed; ///< what stands there up to the cursor, unescaped
    int replaceFrom = 0; ///< the range a chosen candidate replaces
    int replaceLength = 0;
    QStringList candidates; ///< texts ready to insert: "state:", "in_progress", "now"
    /// True where real values from the table would help: ask suggestValues(field, label, typed) and put
    /// quoteFilterValue() of each into the range.
    bool wantsValues = false;
};

FilterCompletion completeFilter(const QString &text, int cursor, const FilterVocabulary &vocabulary);

} // namespace idemdesk::models
