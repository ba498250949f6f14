// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/triage/triage_model.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// The rows of a TriageModel under a heading for each class, those to act on first; classes may be left out. A heading
/// says how many keys it has and ticks all of them; its other columns are empty. What is left out stays selected.
class TriageGroups final : public QAbstractTableModel
{
    Q_OBJECT

public:
    static constexpr int HeadingRole = Qt::UserRole + 1'000; ///< int of TriageClass; invalid of a key's row

    explicit TriageGroups(TriageModel *model, QObject *parent = nullptr);

    /// Of these classes alone, with headings or without.
    void setShown(const QList<TriageClass> &classes, bool headings);
    int sourceRow(int row) const; ///< of the model; -1 of a heading
    int rowOf(int sourceRow) const; ///< -1 where it is left out
    bool isHeading(int row) const { return m_rows.value(row, 0) < 0; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void arrange();
    void rebuild();
    const TriageTally &tallyOf(int row) const;
    QVariant headingData(int row, int column, int role) const;
    void onData(const QModelIndex &from, const QModelIndex &to, const QList<int> &roles);

    TriageModel *m_model;
    QList<TriageTally> m_tallies; ///< thousands of rows are counted once, not with each painting
    QList<TriageClass> m_classes;
    bool m_headings = true;
    QList<int> m_rows; ///< of the model; below zero: the heading of the class -1 - it
};

} // namespace idemdesk::models
