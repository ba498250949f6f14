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
    enum Column { Identity, State, Change, ColumnCount };

    ActionRows(sql::Database *database, QString action, QObject *parent = nullptr);

    const std::optional<sql::Error> &error() const { return m_reading.error(); }
    bool busy() const { return m_reading.busy(); }
    /// The action itself, read with the first of its rows.
    const std::optional<sql::ActionRecord> &action() const { return m_record; }

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const sql::ActionItem &item, int column, int role) const;
    bool oneState() const; ///< the same became of all rows, so that the action's counts say it

signals:
    void changed();

private:
    /// A page of its rows; the first one brings the action itself.
    struct Page {
        std::optional<sql::ActionRecord> action;
        QList<sql::ActionItem> items;
    };

    void readMore();
    QString stateText(const sql::ActionItem &item) const;

    Request m_reading { QStringLiteral("action-rows") };
    QString m_action;
    std::optional<sql::ActionRecord> m_record;
};

/// "status: processing → failed_retryable; locked_until: … → –"; the server's words where nothing was changed.
QString changeText(const sql::ActionItem &item);
/// The same; of a row that went or came back as a whole what is in it, "status completed · attempts 2".
QString valuesText(const sql::ActionItem &item);

} // namespace idemdesk::models
