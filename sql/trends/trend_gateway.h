// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/target.h"
#include "sql/types/trend.h"

namespace idemdesk::sql {

/// Every metric the console knows, in its order, as this target can or cannot give it.
QList<TrendMetric> trendMetrics(const Target &target);

/// A series from the rows that are in the table now: purged and overwritten rows are gone, which the notes say. At most
/// one pass over the range, and one look for an older row. Runs on the calling thread and reads only.
Result<TrendAnswer> readTrend(Session &session, const Target &target, const TrendRequest &request);

} // namespace idemdesk::sql
