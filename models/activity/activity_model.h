// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/table/item_role.h"
#include "sql/types/activity.h"

#include <QAbstractItemModel>
#include <optional>
#include <vector>

namespace idemdesk::models {

/// Sessions at work on the targets as a tree: below each one, those that wait for it. Who waits for several stands
/// below the first of them that is shown; who is nobody's to wait for, at the top. Of those beside each other the one
/// that holds up most stands first, then long transactions.
class ActivityModel final : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column {
        Pid,
        User,
        Application,
        Client,
        State,
        Wait,
        Transaction,
        Statement,
        Locks,
        BlockedBy,
        Blocks,
        Standing, ///< whom it holds up, and who holds it up, in words
        ColumnCount
    };
    using enum ItemRole;

    explicit ActivityModel(QObject *parent = nullptr);
    /// Where the same sessions wait for the same ones, rows keep their place; else the model is reset.
    void setReport(const sql::ActivityReport &report);
    const sql::ActivityReport &report() const { return m_report; }

    const sql::BackendActivity *backend(const QModelIndex &index) const; ///< null for an invalid one
    QModelIndex indexOfPid(int pid) const;
    int waitersFor(int pid) const; ///< of the report's sessions those that wait for this one
    int waiting() const; ///< sessions that wait for another one
    /// When the oldest statement of those that wait began: nobody waits for longer. Nothing where nobody waits.
    std::optional<sql::Timestamp> oldestWait() const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const sql::BackendActivity &backend, int column) const;
    /// One session's place: its waiters, and where it stands itself. The internal id of an index is the session's
    /// number.
    struct Node {
        int parent = -1; ///< number of a session, -1: top
        int row = 0;
        QList<int> children;
    };
    QString standing(const sql::BackendActivity &backend) const;
    static QList<int> worstFirst(const sql::ActivityReport &report, const std::vector<Node> &nodes);
    static std::vector<Node> treeOf(const sql::ActivityReport &report, QList<int> *top);

    sql::ActivityReport m_report; ///< sessions in order of pid
    std::vector<Node> m_nodes;
    QList<int> m_top;
};

} // namespace idemdesk::models
