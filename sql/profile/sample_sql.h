// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/relation_facts.h"

#include <QString>

namespace idemdesk::sql {

/// SQL that gives selectList over about `rows` rows of the relation, never a full scan: the first rows of the table,
/// and as many from pages all over it. A row may come twice. selectList speaks of the alias t.
QString sampleSql(const RelationFacts &relation, const QString &selectList, int rows);

} // namespace idemdesk::sql
