// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/regions/region_compare.h"
#include "sql/types/result.h"

#include <QDateTime>
#include <QJsonObject>

namespace idemdesk::models {

/// What a person undoes one side of in the business: keys that succeeded in both databases, with different results.
struct CompensationList {
    std::array<sql::Target, 2> targets;
    std::array<QString, 2> labels; ///< hostile
    std::array<QString, 2> servers; ///< "database on host:port as user"
    std::array<qint64, 2> rows {}; ///< that were compared
    QList<RegionDifference> keys; ///< without the values that "masking" in a side's profile names
    QStringList masked; ///< names of those
    bool all = true; ///< every key that differs was looked at
    QStringList notes; ///< what could not be looked at
    QDateTime madeAt; ///< UTC, by this computer's clock
};

/// The list of a comparison. labels: of its sides.
CompensationList compensationOf(
    const CompareOutcome &outcome, const std::array<QString, 2> &labels, const QDateTime &at);

/// As a case file: one HTML page without anything to load, every text escaped, with room to write down who undid what.
/// The SHA-256 of the JSON stands in it.
QString compensationHtml(const CompensationList &list);
/// For programs; its schema is compensation.json.
QJsonObject compensationJson(const CompensationList &list);

/// Whether the name ends in one of the forms that are written: .html, .pdf, .json or .csv.
bool isCompensationName(const QString &path);
/// Writes it, mode 0600, in the form that the name's ending says. A PDF needs a QGuiApplication.
sql::Result<qint64> writeCompensation(const CompensationList &list, const QString &path);

} // namespace idemdesk::models
