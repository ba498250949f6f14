// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/key_columns.h"
#include "sql/types/key_record.h"

#include <QTimeZone>

namespace idemdesk::models {

/// The rows that show what this cell shows, in the filter's language.
struct CellFilter {
    QString field; ///< whose terms it takes the place of: "owner"
    QString term; ///< "owner:worker-7"; of a time its day: "created:2026-11-20"

    bool operator==(const CellFilter &) const = default;
};

/// Nothing where no filter can say it: a value that was read in part or not at all, a NULL that no field knows.
/// zone: in which the filter reads its times.
std::optional<CellFilter> cellFilter(
    const sql::KeyRecord &record, const KeyColumnSpec &spec, const sql::Profile &profile, const QTimeZone &zone);

} // namespace idemdesk::models
