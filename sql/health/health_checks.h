// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/health.h"
#include "sql/types/target.h"
#include "sql/types/tr.h"

#include <QLocale>

namespace idemdesk::sql::health {

using Findings = QList<HealthFinding>;
using Check = Result<Findings> (*)(Session &, const Target &);

// Each answers some questions of the checklists; an error is of its own question alone.
Result<Findings> uniqueKey(Session &session, const Target &target); ///< health_design.cpp
Result<Findings> fingerprintStored(Session &session, const Target &target);
Result<Findings> staleRule(Session &session, const Target &target);
Result<Findings> purgeRule(Session &session, const Target &target);
Result<Findings> dedupWindows(Session &session, const Target &target);
Result<Findings> effectsProved(Session &session, const Target &target);
Result<Findings> businessUnique(Session &session, const Target &target);
Result<Findings> metricsAvailable(Session &session, const Target &target);

Result<Findings> indexesServe(Session &session, const Target &target); ///< health_indexes.cpp
Result<Findings> indexesWork(Session &session, const Target &target);

/// A regular expression, regardless of case, for the codes and condition names after which the same work, tried again,
/// may well succeed: those that models::errorCodes() calls passing.
QString passingCodesPattern();
Result<Findings> retryableFinals(Session &session, const Target &target); ///< health_rows.cpp
Result<Findings> statesMapped(Session &session, const Target &target);
Result<Findings> retentionHolds(Session &session, const Target &target);
Result<Findings> markersMatchEffects(Session &session, const Target &target);

Result<Findings> vacuumKeepsUp(Session &session, const Target &target); ///< health_storage.cpp
Result<Findings> survivesCrash(Session &session, const Target &target);
Result<Findings> partitionsAhead(Session &session, const Target &target);

Result<Findings> replicationRuns(Session &session, const Target &target); ///< health_replication.cpp

/// There was no row by which the question could be answered; that is neither good nor bad.
inline HealthFinding nothingToLookAt(HealthFinding finding)
{
    finding.level = HealthLevel::Nothing;
    finding.seen = Tr::tr("No row was there to look at.");
    return finding;
}

/// 1,234,567
inline QString grouped(qint64 number)
{
    return QLocale(QLocale::English).toString(number);
}

/// The alias t and its dot taken off a plain column; else the expression in parentheses, where it has no other meaning
/// of t.
QString columnForIndex(const Expression &expression);
/// "CREATE [UNIQUE] INDEX … ON relation (columns) WHERE …" as this kind of table takes it.
QString createIndex(const Target &target, const QStringList &columns, bool unique = false, const QString &where = {});

} // namespace idemdesk::sql::health
