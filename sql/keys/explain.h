// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"

namespace idemdesk::sql {

/// What a plan says, without running it.
struct Explained {
    double totalCost = 0;
    double rows = 0; ///< rows the statement gives
    double rowsRead = 0; ///< largest number of rows a scan gives or a sequential scan passes
    bool sequential = false; ///< some table is read from end to end
    bool indexConditions = false; ///< some index is entered at a condition
    QStringList relations; ///< quoted and qualified, of every table that is scanned; only with PlanDetail::Relations
    QString text; ///< the plan, one node a line
};

enum class PlanDetail { Costs, Relations };

Result<Explained> explain(Session &session, const Statement &statement, PlanDetail detail = PlanDetail::Costs);

} // namespace idemdesk::sql
