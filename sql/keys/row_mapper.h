// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/order.h"
#include "sql/keys/render.h"
#include "sql/session/session.h"

namespace idemdesk::sql {

/// The columns of a statement that reads key records, and where each lands in the record. Expressions that occur twice
/// are read once.
class RowMapper
{
public:
    static constexpr qint64 kWhole = -1;
    /// bodyBytes: the large roles and the error message are cut to so many characters; kWhole: not cut; 0: no large
    /// roles. order may be null.
    RowMapper(Render &render, const ResolvedOrder *order, qint64 bodyBytes);

    /// The select list. `t` is the row's alias.
    QString selectList() const { return m_columns.join(u", "); }
    const QStringList &columns() const { return m_columns; }
    int nowColumn() const { return m_now; }
    /// Appends a column of the caller's own and gives its index.
    int add(const QString &sql);

    KeyRecord record(const Row &row) const;
    KeyRecord record(const Cells &cells) const;

private:
    struct ValueColumn {
        int index = -1;
        int bytes = -1; ///< column with the full size of a text that is cut, or -1
    };
    ValueColumn addCut(const Expression &expression, qint64 characters);
    template <typename Source> KeyRecord map(const Source &cellAt, bool mayFail) const;

    const Target &m_target;
    QStringList m_columns;
    QList<int> m_identity;
    QList<int> m_scope;
    int m_key = -1;
    int m_order = -1;
    int m_stale = -1;
    int m_expired = -1;
    int m_readable = -1;
    int m_trial = -1;
    int m_now = -1;
    QList<std::pair<Role, ValueColumn>> m_roles;
    QList<ValueColumn> m_fields;
};

/// Longest part of an error message that a list carries.
inline constexpr int kMessageCharacters = 300;

/// A time role as a timestamptz column for a select list; a timestamptz column stays as it is.
QString timeColumn(const Target &target, const Expression &expression);

} // namespace idemdesk::sql
