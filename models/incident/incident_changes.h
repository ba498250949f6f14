// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/incident/incident_types.h"
#include "sql/types/target.h"

namespace idemdesk::models {

/// One table with what is known of its last day.
struct IncidentTable {
    sql::Target target;
    sql::TableHistory history;
};

/// Below so many days nothing is compared.
inline constexpr int kLeastDays = 3;

/// What happened otherwise in the last hour than in the same hour of the days before, as sentences: the most times its
/// usual first, and what is final counts twice.
/// Differences within what chance explains are left out.
QList<IncidentNote> incidentChanges(const QList<IncidentTable> &tables, const TimeFormat &format);

/// The reused keys of the last hour beside the other hours of the last day, the newest of which may still be filling:
/// no longer past is kept of them as one series. Nothing where they do not stand out, or where neither is known.
std::optional<IncidentNote> reusedKeysChange(const sql::HistoryValues &hours, std::optional<double> lastHour);

/// A scope that does more than it usually does.
struct UnusualScope {
    QString words; ///< "create_order ×18"
    double more = 0; ///< than usual
    IncidentLevel level = IncidentLevel::Watch;
    IncidentLink link;
};

/// Of the scopes of a table that are compared one by one, the one with the most beyond its usual in these metrics.
/// Nothing: none stands out.
std::optional<UnusualScope> worstScope(const IncidentTable &table, const QStringList &metrics);

/// What one scope's last hour held: together, or on average where the metric is a number of what is there. Reckoned
/// from the slots that are known; nothing where those are too few.
std::optional<double> heldInHour(const sql::ScopeHistory &series);

/// Of how many days the hour is known.
int comparedDays(const IncidentTable &table);

/// How many of these tables were compared, as one sentence: "15 tables beside the same hour of 7 days.", "Samples of
/// one day only …".
QString comparedSentence(const QList<IncidentTable> &tables);

} // namespace idemdesk::models
