// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/connection_controller.h"
#include "sql/activity/replication.h"
#include "sql/session/session.h"
#include "sql/types/history.h"
#include "sql/types/local_place.h"

namespace idemdesk::models {

/// What the incident page reads beside the tables' summaries.
struct IncidentReading {
    QMap<QString, sql::TableHistory> histories; ///< by profile name
    sql::HistoryValues conflicts; ///< 25 hours of the whole database, the last one still filling
    std::optional<double> conflictsLastHour;
    QString noConflicts; ///< why there are none of the two
    std::optional<sql::ReplicationLag> replication;
    QString noReplication; ///< why there is none
};

/// Reads the last day of all tables: from samples in the database or on this computer, and from rows only where a table
/// is small. What cannot be read of one table says so there; only a lost connection is an error.
sql::Result<IncidentReading> readIncident(
    sql::Session &session, const QList<TargetEntry> &targets, const sql::LocalPlace &place);

} // namespace idemdesk::models
