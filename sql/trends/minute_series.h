// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/alert.h"

namespace idemdesk::sql {

/// The last `seconds` of these metrics by the minute, from the samples of a registered target and from what services
/// report; beside them the hours that were put together of the samples. "rows" is the number of rows in every state.
/// Reads only.
Result<MinuteSet> readMinutes(
    Session &session, const QString &registeredName, const QStringList &metrics, qint64 seconds);

/// A sample that has none of this metric did not see it, which is not 0.
bool isSeenOrNot(const QString &metric);

/// Puts one sampled value of a minute where the metrics asked for want it; "rows" is the sum over all states.
void addMinute(const QStringList &metrics, qint64 minute, const QString &metric, double value, MinuteSet *set);

} // namespace idemdesk::sql
