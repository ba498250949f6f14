// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/target.h"

namespace idemdesk::sql {

/// The columns of t that an effect's query looks by and that can be NULL: all that it reads, but for its "optional" ones. A query that
/// speaks of the row as a whole (t, t.*) reads every column.
QStringList effectLinks(const EffectSpec &effect, const RelationFacts &relation);

/// Why binding refused an effect's query (no SQL, no right, a volatile function), so that it is not run; empty where it may be.
QString effectFault(const Target &target, qsizetype effect);

/// SQL of a text over t: the names of the links that are NULL in the row, empty where none is.
QString missingLinksSql(const QStringList &links);

/// Why an effect that was not found cannot be called absent; `missing` is what missingLinksSql() gave.
QString cannotBeKnown(const QString &missing);

} // namespace idemdesk::sql
