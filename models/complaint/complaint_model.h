// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/complaint/complaint.h"
#include "models/format/time_format.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// Candidates of a complaint, one a row, each with a box to pick it.
class ComplaintModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Began, Table, Scope, Key, State, Attempts, Result, ColumnCount };

    explicit ComplaintModel(QObject *parent = nullptr);
    void setAnswer(const ComplaintAnswer &answer, const QList<sql::Target> &targets);
    void setTimeFormat(const TimeFormat &format);
    const Candidate *candidate(int row) const; ///< null where there is no such row
    QList<int> picked() const; ///< rows, from the top
    void pick(int row, bool on);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void pickedChanged();

private:
    QString text(const Candidate &candidate, int column, bool exact) const;

    ComplaintAnswer m_answer;
    QList<sql::Target> m_targets;
    QList<bool> m_picked;
    TimeFormat m_format;
};

} // namespace idemdesk::models
