// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/relation_facts.h"

namespace idemdesk::sql {

/// `WITH held AS (…)`: relations that another session has locked, or waits to lock, so that nothing may open them.
/// PostgreSQL opens a relation to print an expression of it (pg_get_expr, pg_get_indexdef, pg_get_constraintdef); one
/// table under ALTER would otherwise stop the reading of all. Their expressions are left out instead.
extern const QString kHeldSql;

/// Adds columns, indexes, foreign keys and checks to relations whose oid is known: one round trip for each kind.
Result<void> fillRelations(Session &session, QList<RelationFacts> *relations);

} // namespace idemdesk::sql
