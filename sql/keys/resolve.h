// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/predicate.h"
#include "sql/session/session.h"

namespace idemdesk::sql {

/// Decides what needs a look at the table: whether a bare word is a key or the beginning of keys, and whether key terms
/// are looked up scope by scope. Costs nothing for filters without such terms.
Result<ResolvedFilter> resolveFilter(Session &session, const Target &target, const Filter &filter);

/// True where the catalogue says the table is small enough to read whole without a second thought.
bool isSmall(const RelationFacts &relation);

/// True if a usable btree index, whole or partial as asked, has this column first.
bool indexLeads(const RelationFacts &relation, const QString &column, bool partialToo);

} // namespace idemdesk::sql
