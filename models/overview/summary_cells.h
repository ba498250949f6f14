// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/overview.h"

#include <QVariant>

namespace idemdesk::models {

/// The counted things that the overview's two tables have in common.
enum class SummaryColumn {
    Pending,
    InProgress,
    Stale,
    OldestStale,
    Succeeded,
    FailedRetryable,
    FailedFinal,
    Unknown,
    Expired
};

QString summaryTitle(SummaryColumn column);
QString summaryHelp(SummaryColumn column);
/// The term that finds these rows: "state:stuck".
QString summaryFilter(SummaryColumn column);
std::optional<sql::KeyState> summaryState(SummaryColumn column);

/// The numbers of one line, wherever they come from.
struct SummaryNumbers {
    const QMap<sql::KeyState, sql::RowCount> &states;
    const sql::RowCount &stale;
    const sql::RowCount &expired;
    const std::optional<sql::Timestamp> &oldestStale;
    const sql::Timestamp &now;
};
sql::RowCount summaryCount(const SummaryNumbers &numbers, SummaryColumn column); ///< Unknown for OldestStale
QString summaryText(const SummaryNumbers &numbers, SummaryColumn column);
QString summaryToolTip(const SummaryNumbers &numbers, SummaryColumn column, const TimeFormat &times);

} // namespace idemdesk::models
