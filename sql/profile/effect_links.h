// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/target.h"

namespace idemdesk::sql {

/// The columns of t that an effect's query looks by and that can be NULL or blank: all that it reads, but for its
/// "optional" ones. A query that speaks of the row as a whole (t, t.*) reads every column.
QStringList effectLinks(const EffectSpec &effect, const RelationFacts &relation);

/// Why binding refused an effect's query (no SQL, no right, a volatile function), so that it is not run; empty where it
/// may be.
QString effectFault(const Target &target, qsizetype effect);

/// SQL of a text over t: what the effect's query looks by and the row has not, empty where it has all. That are the
/// columns of effectLinks() that are NULL or blank, and each expression over t that is (a member of a JSON value, a
/// part of a key): '', blanks, an empty list and a JSON null name nothing. Where the query makes rows of a value, it is
/// never known. What uses only "optional" columns is left out. It may hold `$now`.
QString missingLinksSql(const EffectSpec &effect, const RelationFacts &relation);

/// Why an effect that was not found cannot be called absent; `missing` is what missingLinksSql() gave.
QString cannotBeKnown(const QString &missing);

/// The rows of an effect's query over t, for a LEFT JOIN LATERAL (…) e; kEffectFound says of each what it is. It may
/// hold `$now`.
QString effectRowsSql(const EffectSpec &effect);
/// Whether the query gives a row even of a key that is made up, as max() and a function's result do: then nothing and
/// an effect without a value look alike. It may hold `$now`.
QString madeUpRowSql(const EffectSpec &effect, const RelationFacts &relation);
inline const QString kEffectFound
    = QStringLiteral("CASE WHEN e.idemdesk_e IS NULL THEN 'none' WHEN e.idemdesk_void THEN 'void' ELSE 'there' END");
inline const QString kEffectThere = QStringLiteral("there");
inline const QString kEffectVoid = QStringLiteral("void"); ///< a row without any value: it may be an effect, or none
QString voidEffect(); ///< that such a row leaves it open

} // namespace idemdesk::sql
