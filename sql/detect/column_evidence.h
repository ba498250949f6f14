// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/cell.h"
#include "sql/types/profile.h"
#include "sql/types/relation_facts.h"

#include <optional>

namespace idemdesk::sql {

/// What is known of a column from the catalogue and from a few sampled rows.
struct ColumnEvidence {
    ColumnFacts facts;
    QStringList words; ///< of its name
    QStringList allowed; ///< values its type or a CHECK allows; empty: any
    QString defaultConstant; ///< a constant its default writes
    QStringList values; ///< distinct sampled values, most frequent first, at most 40
    int sampled = 0; ///< rows sampled
    int nulls = 0;
    bool hashLike = false; ///< its values look like digests
    std::optional<TimeForm> time; ///< how it keeps a time, where it can
    QString zone; ///< for TimeForm::Zone
    bool zoneProven = false; ///< a default says in which zone its times without one are written
    QString comment; ///< of a column that may hold a state as a number
    bool used = false; ///< already plays a role

    bool hasRows() const { return sampled > nulls; }
    bool text() const { return facts.typeCategory == u'S'; }
    bool integer() const { return facts.typeName == u"int2" || facts.typeName == u"int4" || facts.typeName == u"int8"; }
    bool boolean() const { return facts.typeName == u"bool"; }
    bool document() const { return facts.typeName == u"json" || facts.typeName == u"jsonb"; }
    bool bytes() const { return facts.typeName == u"bytea"; }
    bool uuid() const { return facts.typeName == u"uuid"; }
    /// A type one would keep a key or an identifier in.
    bool identifier() const { return (text() || uuid() || bytes() || integer()) && !time; }
    Expression expression() const; ///< t.name, with its time form
};

/// A table with the evidence of its columns.
struct TableEvidence {
    RelationFacts relation;
    QStringList words; ///< of its name
    QList<ColumnEvidence> columns;
    int sampled = 0;
    QList<Cells> rows; ///< those sampled, column by column as in `columns`; long values are cut
    QString sampleFault; ///< a sentence where no rows could be sampled
    QString reader; ///< this login

    ColumnEvidence *column(const QString &name);
};

/// What the catalogue alone says.
TableEvidence evidenceOf(const RelationFacts &relation);

/// What a sampled value says in milliseconds since 1970, by the form its column keeps times in; nothing where it is no
/// time. A time without a zone is taken as UTC: only spans within one table are made of it.
std::optional<qint64> sampledTime(const ColumnEvidence &column, const Cell &value);

/// Adds what about 200 rows say: never a full scan, at most two seconds, large values are not read. A table that cannot
/// be sampled keeps its catalogue evidence and says why. The Error is about the connection only.
Result<void> sampleInto(Session &session, TableEvidence *table);

} // namespace idemdesk::sql
