// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cache.h"

#include <QByteArray>
#include <utility>

namespace idemdesk::models {

/// The caches of these targets, by their names, in Prometheus' text format. What a Redis does not say is
/// absent.
QByteArray cacheMetricsText(const QList<std::pair<QString, sql::CacheReport>> &caches);

/// The share of entries off their baseline, by target, from samples; empty where there is none.
QByteArray cacheDriftText(const QMap<QString, double> &drift);

} // namespace idemdesk::models
