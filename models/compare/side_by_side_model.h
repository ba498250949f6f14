// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/compare/comparison.h"
#include "models/table/item_role.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// Two payloads line by line. JSON is written with one member a line; a container that is the same, added or removed
/// stays on one line. A line that only one payload has leaves the other's cells empty. Members and elements stand in
/// the second payload's order, so that what belongs together meets; line numbers count what is shown.
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

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    SideStretch stretch(int row) const;
    QVariant text(const SideStretch &stretch, int column, qsizetype maxChars) const;
    bool hasSpans(const SideRow &row) const;

    std::shared_ptr<const Comparison> m_comparison;
    bool m_only = false;
};

} // namespace idemdesk::models
