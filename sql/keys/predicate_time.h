// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/render.h"

namespace idemdesk::sql {

/// A time role compared with the term's moments, on the column as it is stored.
QString timeCondition(Render &render, const Expression &expression, const FilterTerm &term);

/// "<", "<=", …; "=" for the operators that are none of order.
QString operatorText(FilterOperator op);

bool ordered(FilterOperator op); ///< one of these four

/// Conditions joined by OR.
QString either(const QStringList &parts);

} // namespace idemdesk::sql
