// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/filter.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// The column whose own order is the order of this value; empty where it is no plain column, or stored otherwise.
QString sortedColumn(const Target &target, const Expression &value);

/// The column that a term of the filter bounds and an index walks from that bound on, so that a page in its order reads
/// hardly a row that does not match: `state:stale`, `state:expired`, `age>2h`, `created:…`. Empty where there is none.
QString boundedColumn(const Target &target, const Filter &filter);

/// True where the filter compares this column, so that no row with NULL in it matches. Asking for IS NOT NULL on top
/// makes the planner expect far fewer rows than there are, and sort them all instead of walking an index.
bool excludesNulls(const Target &target, const Filter &filter, const QString &column);

} // namespace idemdesk::sql
