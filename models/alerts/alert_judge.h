// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/alert.h"

namespace idemdesk::models {

/// What a rule says of these minutes. Without a sample in the last ten minutes, without anybody who reports its metric,
/// and where this login is not shown it, a rule is Unknown, never quiet.
sql::AlertStatus alertStatus(const sql::AlertRule &rule, const sql::MinuteSet &minutes);

} // namespace idemdesk::models
