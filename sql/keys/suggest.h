// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/filter.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// Real values to complete a filter with: scope parts, statuses, owners, …; bounded, index-friendly, at most `limit`.
Result<QStringList> suggestValues(
    Session &session, const Target &target, FilterField field, const QString &label, const QString &prefix, int limit);

} // namespace idemdesk::sql
