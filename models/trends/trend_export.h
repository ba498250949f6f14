// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/trend.h"

#include <QByteArray>

namespace idemdesk::models {

/// The numbers as CSV: from and to in UTC, whether the bucket is still filling, one column a series. A gap is an empty
/// cell, and names that a spreadsheet would run as formulas are neutralised.
QByteArray trendCsv(const sql::TrendAnswer &answer, const std::optional<sql::TrendAnswer> &previous);

} // namespace idemdesk::models
