// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QString>
#include <optional>

namespace idemdesk::sql {

/// How many durations fell into which bin, as idemdesk._latency_bin() makes them: a bin is named by its upper bound in
/// milliseconds, a number of two decimal digits. Its middle is within 5 % of each duration in it. Sketches of minutes,
/// scopes or services are put together exactly, by adding.
class LatencySketch
{
public:
    void add(double bound, double count);
    void add(const LatencySketch &other);
    /// What the database keeps: {"12": 3, "150": 1}. Anything else in it is passed over.
    void addJson(const QString &json);

    bool empty() const { return m_bins.isEmpty(); }
    double count() const;
    /// The middle of the bin in which so many of them end, in milliseconds; nothing where there are none.
    std::optional<double> percentile(double fraction) const;
    /// How many took at most so long; exact for a limit of two digits, as 50 and 150.
    double upTo(double milliseconds) const;

    /// The middle of the bin with this upper bound.
    static double middle(double bound);

private:
    QMap<double, double> m_bins;
};

} // namespace idemdesk::sql
