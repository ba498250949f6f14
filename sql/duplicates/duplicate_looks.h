// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/duplicate.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// One way to look for duplicates, as the profile offers it.
struct DuplicateLook {
    DuplicateReason reason = DuplicateReason::SameFingerprint;
    QString words; ///< for sentences: "the same fingerprint"
    QString shared; ///< SQL of a text over t (and e): what the keys of a group have in common
    QString where; ///< condition over t (and e)
    QString effect; ///< a query joined to each row as e.idemdesk_e, or empty
    QString effectType;
    QStringList ignored; ///< JSON pointers left out of the payloads
};

/// What can be looked for. A sentence for each reason the profile does not provide for is added to `notes`; where the
/// profile does and it cannot be read, `complete` becomes false.
QList<DuplicateLook> duplicateLooks(const Target &target, QStringList *notes, bool *complete);

} // namespace idemdesk::sql
