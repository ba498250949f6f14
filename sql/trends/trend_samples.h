// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/trend.h"

namespace idemdesk::sql {

/// A series from the samples of the console's schema (sql/console/schema/12_samples.sql). A gauge is the mean of its
/// samples, an age the highest of them; what happened in a bucket is reckoned from the minutes that were sampled, and
/// the notes say how many those are. A bucket of which no sample was taken is a gap. Reads only.
Result<TrendAnswer> readSampledTrend(Session &session, const TrendMetric &metric, const TrendRequest &request);

/// Takes one sample of a registered target now; gives how many numbers were stored, 0 where this minute was sampled
/// already. The session must not be read-only, and its login a member of idemdesk_operator.
Result<qint64> takeSample(Session &session, const QString &registeredName);

} // namespace idemdesk::sql
