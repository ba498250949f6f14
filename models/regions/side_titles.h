// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIdentityProxyModel>
#include <array>

namespace idemdesk::models {

/// The same rows with the labels of two sides, which are known only later, as the titles of two columns.
class SideTitles final : public QIdentityProxyModel
{
    Q_OBJECT

public:
    /// rows: outlives this object. firstColumn: of the first side; the second one's is the next.
    SideTitles(QAbstractItemModel *rows, int firstColumn, QObject *parent = nullptr);

    void setLabels(const std::array<QString, 2> &labels); ///< hostile texts
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const int m_firstColumn;
    std::array<QString, 2> m_labels;
};

} // namespace idemdesk::models
