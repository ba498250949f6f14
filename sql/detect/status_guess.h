// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/detect/role_guess.h"

namespace idemdesk::sql {

/// How a row's state shows.
struct StatusGuess {
    QString column; ///< where one column says it, else empty
    QString sql; ///< the status expression; empty: the mere presence of the row
    QList<std::pair<QString, KeyState>> states; ///< raw -> state
    QStringList unmapped; ///< values that occur or are allowed but are no known word
    bool constrained = false; ///< the type or a CHECK lists the values
    bool lifecycle = false; ///< the words are those of a request that begins and ends
    bool derived = false; ///< from booleans or nullable times
    bool byClock = false; ///< a claim ends by itself when its time is past
    QString document; ///< the column of JSON that the state stands in
    bool told = false; ///< a comment says what its numbers mean
    bool shown = false; ///< what its numbers mean shows in times that are set with them
    std::optional<KeyState> others; ///< for "*"
    std::optional<KeyState> ofNull; ///< for rows without a value
    bool nulls = false; ///< rows without a value were seen

    /// One part of a state that is made of several columns, in the order they are asked.
    struct Part {
        QString label;
        KeyState state = KeyState::Unknown;
        QString column;
        bool boolean = false;
        bool notNull = false;
    };
    QList<Part> parts;
};

/// A text or enum that one would keep a state in, by its name: no part of a scope.
bool namedAsStatus(const ColumnEvidence &column);

/// The column whose words are those of a life cycle, if there is one; marks it as used. Asked before the roles: an
/// "outcome" that says "running" is no answer to be replayed.
StatusGuess statusByWords(TableEvidence *table, const KeyGuess &key);

/// Where no column's words said it: numbers, a document, one word of a life cycle, booleans and times.
StatusGuess statusOtherwise(TableEvidence *table, const KeyGuess &key, const RoleGuess &roles);

} // namespace idemdesk::sql
