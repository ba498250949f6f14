// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/actions/action_gateway.h"
#include "sql/session/session.h"
#include "sql/types/purge_stay.h"
#include "sql/types/target.h"
#include "sql/types/triage.h"

#include <QMap>

namespace idemdesk::sql {

/// What this plan leaves, and why. Counted where the table is small, else reckoned from a sample of its blocks: a plan
/// over ten million rows must not read all of them for what it does not touch. Rows that cannot be read are left out.
Result<PurgeStay> readPurgeStay(Session &session, const Target &target, const PurgePlan &plan);

/// What the batches of a purge took so far, by scope: as its server noted it, not counted anew. Nothing is said to a
/// login that may not read the whole table.
Result<QList<PurgedScope>> readPurgedScopes(Session &session, const QString &action);
/// The scopes that any of these purges took rows of, `limit` at most.
Result<QList<Cells>> readScopesOfPurges(Session &session, const QStringList &actions, int limit);

/// What was done to each of these rows, the newest first, by their place in the list. Of rows that nobody touched there
/// is nothing.
Result<QMap<qsizetype, QList<KeyTouch>>> readTouchesOfRows(
    Session &session, const QString &target, const QList<Cells> &identities);

} // namespace idemdesk::sql
