// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cell.h"
#include "sql/types/profile.h"
#include "sql/types/timestamp.h"

#include <QList>
#include <QStringList>
#include <optional>

namespace idemdesk::sql {

enum class TrendUnit { Count, Ratio, Seconds, Bytes };
QString trendUnitName(TrendUnit unit); ///< "seconds"

/// From the rows that are in the table now, or from samples of how things were.
enum class TrendSource { Rows, Samples };
QString trendSourceName(TrendSource source); ///< "samples"
std::optional<TrendSource> trendSourceFromName(const QString &name);

/// One metric as it stands for one target: what it means, and whether the target's rows can say it.
struct TrendMetric {
    QString id; ///< "claims", "retry_ratio": as --metric names it
    QString title;
    QString help;
    TrendUnit unit = TrendUnit::Count;
    bool gauge = false; ///< how things are at a moment, not what happened in a span: rows know only its present value
    // Which keys it counts, for whoever wants to see them.
    std::optional<Role> time; ///< by which role they fall into a bucket; nothing for a gauge
    QList<KeyState> states; ///< empty: any
    bool staleOnly = false;
    bool retriedOnly = false; ///< more than one attempt
    QString missing; ///< what would provide it, where the rows cannot; empty where they can
    QString unsampled; ///< why samples cannot tell it; empty where they can

    bool available(TrendSource source = TrendSource::Rows) const
    {
        return source == TrendSource::Rows ? missing.isEmpty() : unsampled.isEmpty();
    }
};

struct TrendRequest {
    QString metric;
    TrendSource source = TrendSource::Rows;
    QString registeredName; ///< of the target, whose samples are wanted
    QString bucket = QStringLiteral("1h"); ///< a duration that divides a day, or 1d, or 1w
    std::optional<Timestamp> since; ///< else `span` before the end
    qint64 spanSeconds = 86'400;
    std::optional<Timestamp> until; ///< else the server's now
    QString zone = QStringLiteral("UTC"); ///< whose days and weeks
    bool byScope = false;
    int top = 8; ///< scopes with a series of their own; the rest is "other"
};

struct TrendSeries {
    Cells scope; ///< by the profile's scope; empty where all rows are one series
    bool other = false; ///< all scopes beyond the top
    QList<std::optional<double>> values; ///< by TrendAnswer::buckets; nothing is a gap, never a zero
};

struct TrendAnswer {
    TrendMetric metric;
    TrendSource source = TrendSource::Rows;
    QList<Timestamp> buckets; ///< where each begins
    Timestamp end; ///< where the range ends
    Timestamp now; ///< by the server's clock
    bool lastOpen = false; ///< the last bucket is still filling
    QList<TrendSeries> series;
    QStringList notes; ///< sentences: what these numbers cannot say
    bool partly = false; ///< not every row could be looked at, so that the values may be too small
};

/// Whether pg_cron takes samples.
struct SampleSchedule {
    enum class State { NoConsole, NoExtension, Elsewhere, NotAllowed, Off, On };
    State state = State::NoExtension;
    QString why; ///< a sentence
    QString script; ///< what an administrator would run, where that is what is missing
};
QString sampleScheduleName(SampleSchedule::State state); ///< "not_allowed"

} // namespace idemdesk::sql
