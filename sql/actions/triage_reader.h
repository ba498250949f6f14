// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/key_page.h"
#include "sql/types/triage.h"

namespace idemdesk::sql {

/// The facts about the rows that match the filter and are stale (or, with staleOnly false, all that match), oldest
/// first, in one read-only transaction: record, guard values and signs of life come from one statement, so from one
/// snapshot. `more` says that further rows match.
Result<TriagePage> readTriage(Session &session, const Target &target, const Filter &filter, bool staleOnly, int limit);

/// The same for rows named by identity, in the order given; rows that are gone are left out.
Result<TriagePage> readTriageOf(Session &session, const Target &target, const QList<Cells> &identities);

/// Adds to a record's effects what triage says against them: nothing found is doubted where somebody writes, where rows
/// were purged, where the query never finds anything. Asked only where an effect was not found.
Result<void> addDoubts(Session &session, const Target &target, KeyDetail *detail);

/// Counts what a purge would delete now: exact, by scope and state, in one read-only transaction.
Result<PurgePlan> planPurge(Session &session, const Target &target, const QList<KeyState> &states,
    const std::optional<QList<Cells>> &scopes, std::optional<Timestamp> cutoff);

/// The name of a partition as the console's functions know it, quoted and qualified, from one written as psql takes it.
Result<QString> partitionName(Session &session, const QString &written);

/// What the owner of the table runs to detach a partition (its quoted, qualified name).
QString detachScript(const Target &target, const QString &partition);

/// The partitions of a partitioned target with what could go; empty for a plain table.
Result<QList<PartitionFacts>> readPartitions(Session &session, const Target &target, const Timestamp &cutoff);

} // namespace idemdesk::sql
