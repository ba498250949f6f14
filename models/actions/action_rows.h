// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"
#include "sql/types/error.h"

#include <QAbstractTableModel>
#include <QPointer>
#include <optional>

namespace idemdesk::sql {
class Database;
}

namespace idemdesk::models {

/// The rows of one action with what became of each, read in pages as they are scrolled to. Values that this login may not read are
/// hidden by the server. Lives on the GUI thread.
class ActionRows final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Identity, Outcome, Change, PutBack, ColumnCount };

    ActionRows(sql::Database *database, QString action, QObject *parent = nullptr);

    const std::optional<sql::Error> &error() const { return m_error; }
    bool busy() const { return m_busy; }

    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void changed();

private:
    QString text(const sql::ActionItem &item, int column) const;

    QPointer<sql::Database> m_database;
    QString m_action;
    QList<sql::ActionItem> m_items;
    std::optional<sql::Error> m_error;
    bool m_busy = false;
    bool m_more = true;
};

/// "status: processing → failed_retryable; locked_until: … → –"; the server's words where nothing was changed.
QString changeText(const sql::ActionItem &item);

} // namespace idemdesk::models
