// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/relation_facts.h"

namespace idemdesk::sql {

/// Facts of one relation named as SQL text ("sales.\"InboxState\"", or unqualified: then looked up in every schema the
/// user sees; two of that name are an error that lists them).
Result<RelationFacts> readRelation(Session &session, const QString &relation);

/// Those of these names that the database has a table or view of, readable or not; in one round trip.
Result<QStringList> namesOfRelations(Session &session, const QStringList &relations);

/// Whether the database has a schema of this name, as it is written in the catalogue.
Result<bool> hasSchema(Session &session, const QString &name);

/// Bytes that a table and all its partitions take now, with indexes and large values; nothing for a view.
Result<std::optional<qint64>> readRelationBytes(Session &session, quint32 oid);

/// Those of these tables, by schema and name as the catalogue has them, of which row security may hide rows from this
/// login; quoted.
Result<QStringList> relationsHidingRows(Session &session, const QStringList &schemas, const QStringList &names);

/// Names, quoted, of the tables and views that this login may not read; of all schemas, or of one.
Result<QStringList> readClosedRelations(Session &session, const QString &schema = {});

/// Every table, partitioned table, view and materialised view outside the system schemas that this user may read;
/// partitions are left out (their parent stands for them). One round trip per kind of fact, whatever the number.
Result<QList<RelationFacts>> readRelations(Session &session, const QString &schema = {});

} // namespace idemdesk::sql
