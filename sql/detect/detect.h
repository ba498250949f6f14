// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/proposal.h"

namespace idemdesk::sql {

/// Tables that look like targets, best first: recognised by constraints, types and sampled values (never a full scan),
/// not by names alone. Of the profiles that come with the console only those of job libraries are consulted. An empty
/// schema means all.
Result<Detected> detectTargets(Session &session, const QString &schema = {});

/// The best proposal for one table the person picked, however weak; the mapping form starts from it.
Result<Proposal> proposeFor(Session &session, const RelationFacts &relation);

/// Values of expressions over the alias t on a few sampled rows, column by column: for the live sample in the mapping
/// form. An expression that fails has its server message in every cell's `error`; the others are still read.
Result<QList<Cells>> previewExpressions(
    Session &session, const RelationFacts &relation, const QStringList &expressions, int rows);

/// Raw status values that occur in a bounded sample, with how many rows of it each has; NULL as a null cell.
struct StatusCount {
    Cell status;
    qint64 rows = 0;
};
Result<QList<StatusCount>> sampleStatuses(Session &session, const RelationFacts &relation, const QString &statusSql);

} // namespace idemdesk::sql
