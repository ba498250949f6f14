// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/profile/expression_plan.h"
#include "sql/types/profile.h"
#include "sql/types/relation_facts.h"

namespace idemdesk::sql {

/// What a time column of this form must be.
Wanted wantedOf(TimeForm form);

/// An expression over t that is plannable exactly when the effect's query gives id, at (a time) and state.
QString effectProbe(const EffectSpec &effect);

/// A valid unique index without a condition covers just these columns, and none of them can be NULL.
bool identityIsUnique(const RelationFacts &relation, const QStringList &identity);

} // namespace idemdesk::sql
