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
    void setFindings(const QList<sql::CacheFinding> &findings) { setRows(findings); }

    static std::span<const ColumnSpec> columns();
    /// Beneath what is amiss, what that means.
    QVariant itemData(const sql::CacheFinding &finding, int column, int role) const;
};

} // namespace idemdesk::models
