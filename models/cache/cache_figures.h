// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cache.h"
#include "sql/types/health.h"

namespace idemdesk::models {

/// One number of a comparison: "Entries", "4,104", "all of this table". Plain and safe to show.
struct CacheFigure {
    QString name;
    QString value;
    QString note; ///< what it means; may be empty
    sql::HealthLevel level = sql::HealthLevel::Nothing; ///< Advice: somebody should look at it
    bool quiet = false; ///< it tells little by itself
};

/// How much of both sides was looked at, and what the server says of itself; the same ones in the same order each time.
QList<CacheFigure> cacheFigures(const sql::CacheReport &report);

} // namespace idemdesk::models
