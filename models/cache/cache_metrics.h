// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cache.h"

#include <QByteArray>
#include <utility>

namespace idemdesk::models {

/// The caches of these targets, by their names, in Prometheus' text format. What a Redis does not say is
/// absent.
QByteArray cacheMetricsText(const QList<std::pair<QString, sql::CacheReport>> &caches);

} // namespace idemdesk::models
