// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/duplicate.h"
#include "sql/types/target.h"

#include <optional>

namespace idemdesk::sql {

/// One value that the keys of a group have in common.
struct SharedPart {
    QString sql; ///< over t (and e); of a type that rows can be grouped by
    QString type; ///< to bind its values by: "pg_catalog.uuid"
    bool maybeNull = false; ///< NULL is a value like others
    bool shown = true;
};

/// One way to look for duplicates, as the profile offers it.
struct DuplicateLook {
    DuplicateReason reason = DuplicateReason::SameFingerprint;
    QString words = {}; ///< for sentences: "the same fingerprint"
    QList<SharedPart> shared = {}; ///< shown in this order
    QString where = {}; ///< condition over t (and e): no part that is not maybeNull is NULL
    QString effect = {}; ///< a query joined to each row as e, or empty
    QString effectType = {};
    QStringList ignored = {}; ///< JSON pointers left out of the payloads
    QString unlike = {}; ///< SQL of a text: the rows of a group must have several; empty: they need not
    bool unlikeOrNone = false; ///< a group in which a row has none counts, too
    bool unlikeLater = false; ///< is asked of the listed groups only: to remember a text of each group costs too much
    QString having = {}; ///< condition over the shared values of a group
    qint64 apartSeconds = 0; ///< a key must have begun within so long of the one before it; 0: whenever
    bool succeededOnly = false;
    QString needs = {}; ///< a condition that some row must fulfil, else nothing was looked at
    QString without = {}; ///< the sentence that says so
    QString bound = {}; ///< the sentence on what it cannot find; empty: nothing
};

/// When a row began, as far as the profile says.
std::optional<Expression> duplicateTime(const Profile &profile);

/// What can be looked for. A sentence for each reason the profile does not provide for is added to `notes`; where the
/// profile does and it cannot be read, `complete` becomes false.
QList<DuplicateLook> duplicateLooks(const Target &target, QStringList *notes, bool *complete);

} // namespace idemdesk::sql
