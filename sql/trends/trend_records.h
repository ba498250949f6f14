// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/trends/trend_buckets.h"
#include "sql/types/trend.h"

namespace idemdesk::sql {

/// Fills a series from what services reported with idemdesk.record_event() (of the whole database, whatever the
/// target), or from the trail's batches (of the target). Where nothing was ever reported everything is a gap, and a
/// note says what would report it.
Result<void> readRecorded(
    Session &session, const TrendRequest &request, const TrendBuckets &buckets, TrendAnswer *answer);

} // namespace idemdesk::sql
