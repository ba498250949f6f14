// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/compare/comparison.h"
#include "models/table/item_role.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// Two payloads line by line. JSON is written with one member a line; a container that is the same, added or removed
/// stays on one line. A line that only one payload has leaves the other's cells empty. Members and elements stand in
/// the second payload's order, so that what belongs together meets; each line has the number that it has in its own
/// payload's order, and an element that moved says from where to where (DetailRole).
class SideBySideModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { LineA, First, LineB, Second, ColumnCount };
    using enum ItemRole;

    explicit SideBySideModel(QObject *parent = nullptr);
    void setComparison(std::shared_ptr<const Comparison> comparison); ///< null for none
    const std::shared_ptr<const Comparison> &comparison() const { return m_comparison; }
    void setOnlyDifferences(bool only); ///< at first false; true folds long unchanged stretches into one row each
    bool onlyDifferences() const { return m_only; }
    bool folds(int row) const; ///< several unchanged lines in one row (FoldedRole)
    bool canFold() const; ///< something is folded where only differences are shown
    void unfold(int row); ///< shows the lines of such a row, until another comparison comes

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const std::vector<SideStretch> &stretches() const;
    SideStretch stretch(int row) const;
    QString movedText(const SideRow &row) const;
    QVariant text(const SideStretch &stretch, int column, qsizetype maxChars) const;
    bool hasSpans(const SideRow &row) const;

    std::shared_ptr<const Comparison> m_comparison;
    std::vector<SideStretch> m_unfolded; ///< once a row was unfolded: the list with its lines
    bool m_only = false;
};

} // namespace idemdesk::models
