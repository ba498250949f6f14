// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/overview/overview_controller.h"
#include "models/table/row_model_base.h"

#include <memory>
#include <vector>

namespace idemdesk::models {

class GroupSession;

/// The members of a group beside each other: a row for each table, and for each member a group of columns with what it
/// holds there. What a member does not tell is said, and never shown as nothing. Lives on the GUI thread.
class GroupOverviewModel final : public RowModelBase
{
    Q_OBJECT

public:
    /// The columns of one member, behind the first column of all, which has the table.
    enum Part { States, Stuck, Keys, PartCount };

    /// session: outlives the model.
    explicit GroupOverviewModel(GroupSession *session, QObject *parent = nullptr);

    void refresh(); ///< counts anew in all members that answer
    bool busy() const;

    static int columnOf(int member, Part part) { return 1 + member * PartCount + part; }
    static int memberOf(int column) { return (column - 1) / PartCount; } ///< of any column but the first
    static Part partOf(int column) { return Part((column - 1) % PartCount); }
    QString target(int row) const { return m_names.value(row); } ///< profile's name

    /// Over all members that answered: "12 stuck in all" and "2 of 3 answered", for shards alone: the members of other
    /// groups hold the same keys.
    QString total() const;
    /// Every state that occurs in any member, once, for a legend.
    QList<StateShare> shares() const;
    /// A member counted stuck keys in this table. Not so where nobody could, or did yet.
    bool seesStuck(const QString &target) const;

    bool showsTime(int) const override { return false; }
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void changed(); ///< numbers, tables or members

private:
    void takeMember(int member);
    void takeNames();
    void sayMember(int member);
    const OverviewEntry *entry(int row, int member) const; ///< null where the member has, or tells, no such table
    const sql::TargetSummary *summary(int row, int member) const; ///< null where the newest count failed
    QString whyNone(int row, int member) const;
    QString partText(int row, int member, Part part) const;

    GroupSession *m_session;
    QStringList m_names;
    std::vector<std::unique_ptr<OverviewController>> m_members;
    std::vector<bool> m_answered; ///< as it was heard last
};

} // namespace idemdesk::models
