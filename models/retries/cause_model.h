// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/cause.h"

namespace idemdesk::models {

/// Causes of failures, the most frequent first.
class CauseModel final : public RowModel<CauseModel, sql::CauseGroup>
{
    Q_OBJECT

public:
    enum Column { Cause, Class, Final, Retryable, RetryNow, First, Last, ColumnCount };

    explicit CauseModel(QObject *parent = nullptr);
    void setPage(const sql::CausePage &page);
    const sql::Timestamp &now() const { return m_now; }

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const sql::CauseGroup &group, int column, int role) const;

private:
    QString timeText(const std::optional<sql::Timestamp> &time) const;

    sql::Timestamp m_now;
};

} // namespace idemdesk::models
