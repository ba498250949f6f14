// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/relation_facts.h"

#include <QString>

namespace idemdesk::sql {

/// SQL that gives selectList over about `rows` rows of the relation, never a full scan: the first rows of the table,
/// and as many from pages all over it. A row may come twice. selectList speaks of the alias t.
QString sampleSql(const RelationFacts &relation, const QString &selectList, int rows);

/// The same for a table of so many blocks, whatever was analysed when: the first rows, and as many at random from a few
/// dozen pages all over it. The seed makes a second look see the same. A view has its first rows only.
QString spreadSampleSql(const RelationFacts &relation, const QString &selectList, int rows, qint64 blocks);

} // namespace idemdesk::sql
