// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/compare/comparison.h"
#include "models/table/item_role.h"

#include <QAbstractItemModel>

namespace idemdesk::models {

/// Two JSON payloads as one tree: the pair of root values is the only top-level row. No rows where they were
/// compared as text.
class JsonDiffModel final : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { Name, First, Second, Difference, ColumnCount };
    using enum ItemRole;

    explicit JsonDiffModel(QObject *parent = nullptr);
    void setComparison(std::shared_ptr<const Comparison> comparison); ///< null for none
    const std::shared_ptr<const Comparison> &comparison() const { return m_comparison; }
    void setOnlyDifferences(bool only); ///< at first true: what is the same has no row, but for the root
    bool onlyDifferences() const { return m_only; }

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const DiffNode &node(int node) const { return m_comparison->diff.nodes[std::size_t(node)]; }
    int rowOf(int node) const;
    QString nameText(int node, qsizetype maxChars) const;
    QString cellText(int node, int column, qsizetype maxChars) const;

    std::shared_ptr<const Comparison> m_comparison;
    bool m_only = true;
};

} // namespace idemdesk::models
