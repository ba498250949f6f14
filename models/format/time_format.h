// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/timestamp.h"

#include <QString>
#include <QTimeZone>

namespace idemdesk::models {

/// In which zone times are shown.
enum class TimeDisplay { Server, Local, Utc };

/// How times are shown in one window. A plain value; copy it.
class TimeFormat
{
public:
    TimeFormat() = default;
    /// serverZone: ServerFacts::timeZone; a name this system does not know falls back to UTC.
    TimeFormat(TimeDisplay display, const QString &serverZone);

    /// UTC, with "UTC" behind each time: for sentences that stand where nothing else says the zone.
    static TimeFormat named();

    TimeDisplay display() const { return m_display; }
    const QTimeZone &zone() const { return m_zone; }
    /// "UTC", "Europe/Berlin (server)", "Europe/Berlin (local)".
    QString zoneText() const;

    /// "2026-11-20 12:34:56", with its zone where the format is named(); "never" and "since ever" stand for the
    /// infinities.
    QString text(const sql::Timestamp &time) const;
    /// To the microsecond with its offset: "2026-11-20 12:34:56.123456+01:00".
    QString exact(const sql::Timestamp &time) const;
    /// How long before `now`: "12 min"; for a time to come "in 3 h".
    static QString age(const sql::Timestamp &time, const sql::Timestamp &now);
    /// exact() and age() in one plain text, for tooltips.
    QString toolTip(const sql::Timestamp &time, const sql::Timestamp &now) const;

    friend bool operator==(const TimeFormat &, const TimeFormat &) = default;

private:
    TimeDisplay m_display = TimeDisplay::Utc;
    bool m_named = false;
    QTimeZone m_zone = QTimeZone::utc();
};

} // namespace idemdesk::models
