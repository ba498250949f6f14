// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/timestamp.h"
#include "sql/types/trend.h"

#include <QList>
#include <QMap>
#include <QSet>
#include <QString>
#include <optional>

namespace idemdesk::sql {

/// How a rule looks at its metric.
enum class AlertForm {
    Above, ///< over the limit in every sample of the span
    Rising, ///< its mean in the span over `limit` times that of the day before, and at least `least`
    Sum, ///< what happened in the span, together, over the limit
    Share ///< what happened (or was there) in the span over that of `over`
};
std::optional<AlertForm> alertFormFromName(const QString &name); ///< as profiles write it: "rising"

struct AlertRule {
    QString id; ///< "stale_rising", "lock_wait", …
    QString title; ///< what is wrong when it fires
    QString metric; ///< as --metric names it, or "rows"
    AlertForm form = AlertForm::Above;
    double limit = 0; ///< in the metric's unit, or a factor, or a share
    qint64 seconds = 300; ///< the span
    double least = 0; ///< below it a rise or a share is noise: of the span together, or of the mean of what is there
    QString over; ///< the metric that Share divides by
    TrendUnit unit = TrendUnit::Count; ///< of the metric
    bool custom = false; ///< from the profile
};

enum class AlertState { Firing, Pending, Unknown, Quiet };
QString alertStateName(AlertState state); ///< "firing"

struct AlertStatus {
    AlertRule rule;
    AlertState state = AlertState::Unknown;
    std::optional<double> value; ///< what the limit is compared with
    std::optional<Timestamp> since; ///< over the limit without a break since then
    QString why; ///< of Unknown: what would be needed; of the others what the value alone does not tell
};

/// Values of some metrics by the minute, all scopes together. A minute that was sampled and has no value counts 0.
struct MinuteSet {
    QMap<QString, QMap<qint64, double>> values; ///< by metric, then by seconds since 1970
    QList<qint64> sampled; ///< minutes of which a sample was taken, ascending
    QSet<qint64> hidden; ///< of these, minutes in which row security hid rows from who counts: no row was counted
    QMap<qint64, double> unreadable; ///< of these, how many rows could not be read, where there were any
    /// By metric, then by the hour's begin: what samples put together by the hour say, of an age the highest, else the
    /// mean. Minutes of such an hour may be gone. An hour that was sampled and had nothing of the metric says 0.
    QMap<QString, QMap<qint64, double>> hours;
    QSet<QString> withheld; ///< metrics that this login is not shown
    QMap<QString, qint64> reportedSince; ///< recorded metrics: the first minute anybody reported, where anybody did
    Timestamp now; ///< by the server's clock
};

} // namespace idemdesk::sql
