// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/trend.h"

namespace idemdesk::sql {

/// Whether pg_cron takes samples of the registered targets each minute, or what is in the way. Reads only.
Result<SampleSchedule> readSampleSchedule(Session &session);

/// Sets sampling by pg_cron up, or ends it, as jobs of this login, with a row in the trail, in one transaction. The
/// session must not be read-only, and its login an operator that may use the schema cron.
Result<void> setSampleSchedule(Session &session, bool on);

} // namespace idemdesk::sql
