// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/health.h"
#include "sql/types/target.h"

#include <QStringList>

namespace idemdesk::sql {

/// Answers the review checklists for one target from the live catalogue and from samples of its rows. Reads only, and
/// never more than one scan of the table. A question that cannot be answered (privilege, a timeout) is an Unknown
/// finding; only a lost or cancelled connection is an error.
Result<HealthReport> readHealth(Session &session, const Target &target);

/// The same for some of its questions, by their ids ("unique_key", "indexes"); whether every row can be read is none
/// of them. Findings without one: the question does not apply to this table.
Result<HealthReport> readHealth(Session &session, const Target &target, const QStringList &questions);

} // namespace idemdesk::sql
