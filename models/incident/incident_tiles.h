// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/incident/history_reader.h"
#include "models/incident/incident_types.h"
#include "models/overview/overview_model.h"
#include "sql/types/alert.h"

namespace idemdesk::models {

/// What the alert rules say together.
struct AlertFacts {
    bool judged = false;
    qsizetype firing = 0;
    qsizetype unknown = 0; ///< rules that cannot be judged
    QString why; ///< why they were not judged
    /// Whether messages stay, by the rules over the oldest of them; the worst of them.
    sql::AlertState backlog = sql::AlertState::Unknown;
    qsizetype rules = 0; ///< all of them
    qsizetype pending = 0; ///< over their limit, and not yet for long enough
    qsizetype acknowledged = 0; ///< of those that fire
    qsizetype tablesNotJudged = 0; ///< that are there and could not be read
};

/// What the figures are made of.
struct IncidentFacts {
    const QList<OverviewEntry> &tables;
    qsizetype notRead = 0; ///< tables that are there and could not be looked at
    const std::optional<IncidentReading> &reading; ///< nothing: not read yet
    QString notReadBecause; ///< why it was not read
    AlertFacts alerts;
};

/// Do messages wait in such a table until somebody works them off?
bool hasBacklog(const OverviewEntry &entry);

/// The figures in their order. What was not looked at is no zero: its tile says why, and one that leaves tables out
/// says how many.
QList<IncidentTile> incidentTiles(const IncidentFacts &facts);

QString levelWord(IncidentLevel level); ///< "Act now", "Look", "Quiet", "Not known"; empty of Nothing

/// Failures of a table in its last hour, of both kinds; nothing where it cannot be told.
std::optional<double> failuresLastHour(const sql::TableHistory &history);

} // namespace idemdesk::models
