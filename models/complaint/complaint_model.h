// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/complaint/complaint.h"
#include "models/table/row_model.h"

namespace idemdesk::models {

/// One candidate, and whether it is picked.
struct ComplaintRow {
    Candidate candidate;
    bool picked = false;
};

/// Candidates of a complaint, one a row, each with a box to pick it.
class ComplaintModel final : public RowModel<ComplaintModel, ComplaintRow>
{
    Q_OBJECT

public:
    enum Role { HitRole = Qt::UserRole + 1'000 }; ///< QString: the part of the match that was asked for
    enum Column { Began, Member, Table, Scope, Customer, Amount, Match, State, Key, Result, ColumnCount };

    explicit ComplaintModel(QObject *parent = nullptr);
    void setAnswer(const ComplaintAnswer &answer, const QList<sql::Target> &targets);
    /// The members of the window's group by their labels, and the one whose rows can be picked; before setAnswer().
    void setMembers(const QStringList &labels, int own);
    /// A row of another member cannot be picked: it is judged there.
    bool elsewhere(int number) const;
    const sql::Target &target(const Candidate &candidate) const { return m_targets.at(candidate.target); }
    const Candidate *candidate(int number) const; ///< null where there is no such row
    QList<int> picked() const; ///< rows, from the top
    void pick(int number, bool on);

    /// A match tells its customer otherwise than as a part of its scope, which stands in a column of its own.
    bool namesCustomers() const;

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const ComplaintRow &row, int column, int role) const;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

signals:
    void pickedChanged();

private:
    static QString customerText(const Candidate &candidate);
    QString beganText(const sql::KeyRecord &record, bool exact) const;
    QString beganTip(const Candidate &candidate) const;

    QList<sql::Target> m_targets;
    QStringList m_members;
    int m_own = -1;
};

} // namespace idemdesk::models
