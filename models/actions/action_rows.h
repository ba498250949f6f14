// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/request/request.h"
#include "models/table/row_model.h"
#include "sql/types/action.h"

namespace idemdesk::models {

/// The rows of one action with what became of each, read in pages as they are scrolled to. Values that this login may
/// not read are hidden by the server. Lives on the GUI thread.
class ActionRows final : public RowModel<ActionRows, sql::ActionItem>
{
    Q_OBJECT

public:
    enum Column { Identity, Outcome, Change, PutBack, ColumnCount };

    ActionRows(sql::Database *database, QString action, QObject *parent = nullptr);

    const std::optional<sql::Error> &error() const { return m_reading.error(); }
    bool busy() const { return m_reading.busy(); }

    static std::span<const ColumnSpec> columns();

signals:
    void changed();

private:
    void readMore();

    Request m_reading { QStringLiteral("action-rows") };
    QString m_action;
};

/// "status: processing → failed_retryable; locked_until: … → –"; the server's words where nothing was changed.
QString changeText(const sql::ActionItem &item);

} // namespace idemdesk::models
