// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/regions/region_difference.h"
#include "sql/types/target.h"

#include <QByteArray>
#include <QJsonObject>

namespace idemdesk::models {

/// One difference as programs read it. targets: of the sides, in their order.
QJsonObject differenceJson(const RegionDifference &difference, const std::array<sql::Target, 2> &targets,
    const std::array<QString, 2> &labels);

/// One of these objects a line.
QByteArray differencesJsonLines(const QList<RegionDifference> &differences, const std::array<sql::Target, 2> &targets,
    const std::array<QString, 2> &labels);

/// One difference a line, below a header; formulas are neutralised. Of a side with several rows the states alone.
QByteArray differencesCsv(const QList<RegionDifference> &differences, const std::array<sql::Target, 2> &targets,
    const std::array<QString, 2> &labels);

} // namespace idemdesk::models
