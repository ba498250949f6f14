// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"
#include "sql/types/filter.h"
#include "sql/types/key_page.h"
#include "sql/types/statement.h"
#include "sql/types/target.h"

#include <optional>

namespace idemdesk::sql {

/// Where the console's schema keeps conflicts; a filter for them reads it beside the table.
inline constexpr const char *kConflictTable = "idemdesk.conflict_seen";

/// Collects the binds of one statement over a target and remembers which filter term each came from. SQL put together
/// with it may contain `$now`; finish() puts the frozen time, or the server's, in its place.
class Render
{
public:
    explicit Render(const Target &target)
        : m_target(target)
    {
    }

    const Target &target() const { return m_target; }

    /// A placeholder cast to the type (no cast where castType is empty: the server infers it).
    QString bind(const Cell &value, const QString &castType);
    QString bind(const QString &value, const QString &castType) { return bind(Cell::of(value), castType); }
    QString bindNumber(qint64 value);
    QString bindText(const QString &value);
    /// An array of the values, as `$n::type[]`.
    QString bindArray(const QStringList &values, const QString &castType);

    /// Binds made until the scope ends belong to this term.
    void setTerm(const FilterTerm *term) { m_term = term; }

    /// " FROM relation t".
    QString from() const;

    /// Columns that mention each bind the SQL does not, to be added to its select list: the server must know the type
    /// of every parameter sent. Begins with a comma unless empty.
    QString unusedBinds(const QString &sql) const;

    /// The whole statement, `$now` replaced: by `now` bound, else by the server's clock.
    Statement finish(const QString &sql, const std::optional<Timestamp> &now);

    /// Gives an error of the server that names a bound parameter the position of its filter term.
    Error located(Error error) const;

private:
    struct Source {
        int position = -1;
        int length = 0;
    };
    const Target &m_target;
    const FilterTerm *m_term = nullptr;
    Statement m_statement;
    QList<Source> m_sources;
};

/// An operator by its plain name, or through the schema that has the type's own: OPERATOR("public".=) (traps 3).
QString operatorSql(const QString &schema, const QString &name);

/// A PostgreSQL array literal of texts: {"a","b\"c"}.
QString arrayLiteral(const QStringList &values);

/// The text with LIKE's special characters escaped.
QString likeEscaped(const QString &text);

/// The type of a plain column of the target, for casts; empty castType where the column is not known.
ExpressionType columnType(const RelationFacts &relation, const QString &column);

/// The column that an expression plainly is, or nothing.
const ColumnFacts *plainColumnFacts(const Target &target, const Expression &expression);

} // namespace idemdesk::sql
