// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"

#include <QList>
#include <QString>
#include <QStringList>
#include <array>
#include <optional>
#include <utility>

namespace idemdesk::sql {

/// What a term of the filter text speaks of (DESIGN 5), in the order a person meets them.
enum class FilterField {
    BareWord, ///< an exact key first; a prefix search where an index serves or when asked for
    State, ///< canonical states, and stale, expired
    Status, ///< raw
    Scope, ///< any part of the scope, or the part whose label is FilterTerm::label
    Key,
    Attempts,
    Age, ///< now minus created_at (claimed_at where there is none)
    Created,
    Updated,
    Claimed,
    Completed,
    Expires,
    Lease,
    Heartbeat,
    Owner,
    Hash,
    Result, ///< "type/id", "type/" or an id
    Code, ///< response code
    Error, ///< error code or message
    Payload, ///< part of the request or response as stored
    Amount, ///< a number in them, however it is written: 10.5, 10.50 and 1050 (minor units) are one
    Own ///< the field of the profile whose label is FilterTerm::label
};

/// What a field's values are compared with: it says how they are written, and which condition they become.
enum class FilterCompares {
    BareWord, ///< the key or an alias, as a text
    Key,
    State,
    Scope,
    Text, ///< any of the roles, as a text
    Integer,
    Number, ///< a text with : and a number with < and >: a code may be either
    Age, ///< now minus the first role that the profile has
    Time,
    Result, ///< the roles of an id and its type
    Payload, ///< part of a body
    Amount, ///< a number in a body
    Own ///< by the type that the profile says
};

/// All that is to be known of a field; its entry in vocabulary.cpp makes the parser, the completion and the condition.
struct FilterFieldFacts {
    FilterField value {};
    const char16_t *name = nullptr; ///< as a person types it; empty for BareWord and Own, which have none
    FilterCompares compares {};
    std::array<std::optional<Role>, 2> roles {}; ///< what serves it; the first is there wherever it compares a role
    const char16_t *alias = u""; ///< another name for it, or empty
};
const FilterFieldFacts &filterFieldFacts(FilterField field);
/// The first of its roles that the profile has, else the first; nothing where it compares no role.
std::optional<Role> servingRole(const Profile &profile, FilterField field);

enum class FilterOperator { Equal, Less, LessOrEqual, Greater, GreaterOrEqual, Contains, Prefix };

/// One term. Values in one term are joined by OR, terms by AND.
struct FilterTerm {
    FilterField field = FilterField::BareWord;
    QString label; ///< of a part of the scope (empty: any part), or of the profile's own field
    FilterOperator op = FilterOperator::Equal;
    /// Unescaped texts. For Prefix the part before the star. For Age: seconds as a decimal number. For times: RFC 3339
    /// in UTC, "infinity", "-infinity", "now", or "now" with whole seconds added ("now-7200", "now+60"), reckoned by
    /// the server's clock; with Equal also "from/to" of two RFC 3339 times, to excluded (a day, a minute).
    QStringList values;
    bool isNull = false; ///< `owner:null`; values is then empty
    bool negated = false;
    int position = 0; ///< of the term in the text, 0-based
    int length = 0;
    int valuePosition = 0; ///< of its value
    QList<std::pair<int, int>> valueSpans; ///< position and length of each of values in the text; may be empty

    friend bool operator==(const FilterTerm &, const FilterTerm &) = default;
};

/// A parsed filter. Empty matches all rows.
struct Filter {
    QString text; ///< as typed
    QList<FilterTerm> terms;
    bool empty() const { return terms.isEmpty(); }
    friend bool operator==(const Filter &a, const Filter &b) { return a.terms == b.terms; }
};

} // namespace idemdesk::sql
