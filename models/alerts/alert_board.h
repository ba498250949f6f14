// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/alert.h"

namespace idemdesk::models {

/// The rules of one table, and the minutes that they look at.
struct AlertSource {
    QList<sql::AlertRule> rules;
    sql::MinuteSet minutes;
};

struct JudgedAlert {
    qsizetype source = 0; ///< the table's place among the sources
    bool everyTable = false; ///< of the whole database: reports of services do not say which table they are about
    sql::AlertStatus status;
};

/// Each rule of each table; a rule over what services report of the whole database is judged once for all tables that
/// have it, so that one cause is one alert.
QList<JudgedAlert> judgedTogether(const QList<AlertSource> &sources);

} // namespace idemdesk::models
