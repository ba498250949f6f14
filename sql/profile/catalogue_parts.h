// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/relation_facts.h"

namespace idemdesk::sql {

/// Adds columns, indexes, foreign keys and checks to relations whose oid is known: one round trip for each kind.
Result<void> fillRelations(Session &session, QList<RelationFacts> *relations);

} // namespace idemdesk::sql
