// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/side_titles.h"

#include "models/format/display_text.h"

namespace idemdesk::models {

SideTitles::SideTitles(QAbstractItemModel *rows, int firstColumn, QObject *parent)
    : QIdentityProxyModel(parent)
    , m_firstColumn(firstColumn)
{
    setSourceModel(rows);
}

void SideTitles::setLabels(const std::array<QString, 2> &labels)
{
    m_labels = labels;
    emit headerDataChanged(Qt::Horizontal, m_firstColumn, m_firstColumn + 1);
}

QVariant SideTitles::headerData(int section, Qt::Orientation orientation, int role) const
{
    const int side = section - m_firstColumn;
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole && (side == 0 || side == 1)
        && !m_labels.at(std::size_t(side)).isEmpty()) {
        return displayText(m_labels.at(std::size_t(side)));
    }
    return QIdentityProxyModel::headerData(section, orientation, role);
}

} // namespace idemdesk::models

#include "moc_side_titles.cpp"
