// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/latency_sketch.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr double kLeastBound = 0.001; // milliseconds: all that is shorter
constexpr double kRounding = 1e-9; ///< relative; bounds are decimals, which doubles only come near

} // namespace

void LatencySketch::add(double bound, double count)
{
    if (std::isfinite(bound) && std::isfinite(count) && bound > 0 && count > 0) {
        m_bins[bound] += count;
    }
}

void LatencySketch::add(const LatencySketch &other)
{
    for (auto bin = other.m_bins.cbegin(); bin != other.m_bins.cend(); ++bin) {
        add(bin.key(), *bin);
    }
}

void LatencySketch::addJson(const QString &json)
{
    const QJsonObject bins = QJsonDocument::fromJson(json.toUtf8()).object();
    for (auto bin = bins.constBegin(); bin != bins.constEnd(); ++bin) {
        bool number = false;
        const double bound = bin.key().toDouble(&number);
        add(number ? bound : 0, bin.value().toDouble());
    }
}

double LatencySketch::count() const
{
    double sum = 0;
    for (const double count : m_bins) {
        sum += count;
    }
    return sum;
}

std::optional<double> LatencySketch::percentile(double fraction) const
{
    const double wanted = fraction * count() * (1 - kRounding);
    double sum = 0;
    for (auto bin = m_bins.cbegin(); bin != m_bins.cend(); ++bin) {
        sum += *bin;
        if (sum >= wanted) {
            return middle(bin.key());
        }
    }
    return std::nullopt;
}

double LatencySketch::upTo(double milliseconds) const
{
    double sum = 0;
    for (auto bin = m_bins.cbegin(); bin != m_bins.cend() && bin.key() <= milliseconds * (1 + kRounding); ++bin) {
        sum += *bin;
    }
    return sum;
}

double LatencySketch::middle(double bound)
{
    if (bound <= kLeastBound * (1 + kRounding)) {
        return bound;
    }
    const double decade = std::pow(10, std::floor(std::log10(bound) + kRounding));
    // Below 10, 100, … the steps are those of the decade before.
    const bool first = bound <= decade * (1 + kRounding);
    return bound - decade / (first ? 200 : 20);
}

} // namespace idemdesk::sql
