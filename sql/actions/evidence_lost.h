// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/target.h"

#include <optional>

namespace idemdesk::sql {

/// Effects are looked for through a table that does not keep its rows.
struct LostEvidence {
    Timestamp before; ///< of keys that were made before, nothing can be said
    QString why; ///< a sentence
};

/// Where one of these tables (by oid) is a registered target whose rows go: by its profile after so long, or by a purge
/// or a partition taken off that the trail has. Nothing where none is known.
Result<std::optional<LostEvidence>> evidenceLost(Session &session, const QStringList &tables, const Timestamp &now);

/// The other registered targets whose proving effects are read from this one's table, by name.
Result<QStringList> provedThrough(Session &session, const Target &target);

} // namespace idemdesk::sql
