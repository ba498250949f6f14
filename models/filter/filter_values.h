// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/filter.h"

#include <QString>
#include <QTimeZone>
#include <optional>

namespace idemdesk::models {

/// "10m", "1h30m", "1.5h" as seconds in decimal ("600", "5400"); d = 24 h, w = 7 d, y = 365 d. Nothing where it is no
/// duration or one beyond 10,000 years.
std::optional<QString> durationValue(const QString &text);

/// A time as a person types it, and the operator it then needs: a date alone names the whole day, so
/// `created<=2026-11-01` is before the day after, and a time with Equal names its whole minute or second.
struct TimeValue {
    QString value; ///< as FilterTerm::values holds times
    sql::FilterOperator op;
};

/// "today" and "yesterday", alone or before a time of day, as the date they are in the zone; any other text as it is.
QString withDate(const QString &text, const QTimeZone &zone);

/// Reads "2026-11-01", "2026-11-01T12:30[:15[.123456]]" with an optional offset ("Z", "+02", "+02:00"; else `zone`; a
/// blank may stand for the T), "now", "now-2h", "-2h", "+1d", "today", "yesterday 14:30",
/// "infinity", "-infinity".
std::optional<TimeValue> timeValue(const QString &text, sql::FilterOperator op, const QTimeZone &zone);

} // namespace idemdesk::models
