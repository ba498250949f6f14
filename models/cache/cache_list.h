// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/cache.h"

namespace idemdesk::models {

/// What disagrees between a table and its cache, one a row; the gravest first.
class CacheList final : public RowModel<CacheList, sql::CacheFinding>
{
    Q_OBJECT

public:
    enum Column { Finding, Key, Scope, Row, Cached, TimeToLive, ColumnCount };

    explicit CacheList(QObject *parent = nullptr);
    /// What was chosen by showOnly() stays so.
    void setFindings(const QList<sql::CacheFinding> &findings);
    /// Of these kinds; of all where that is empty.
    void showOnly(const QList<sql::CacheFindingKind> &kinds);

    static std::span<const ColumnSpec> columns();
    /// The level of what is amiss, and the states of row and entry where each has one.
    QVariant itemData(const sql::CacheFinding &finding, int column, int role) const;

private:
    void sift();

    QList<sql::CacheFinding> m_all;
    QList<sql::CacheFindingKind> m_kinds;
};

} // namespace idemdesk::models
