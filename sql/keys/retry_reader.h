// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/key_record.h"
#include "sql/types/retry.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// What the table's own claim does at `now` with this row, by the profile's rules. A rule that fails on the row is told
/// in the answer; an error is one of the connection.
Result<RetryAnswers> readRetry(Session &session, const Target &target, const KeyRecord &record, const Timestamp &now);

} // namespace idemdesk::sql
