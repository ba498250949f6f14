// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/table/headed_rows.h"

#include <QHash>

namespace idemdesk::models {

HeadedRows::HeadedRows(QAbstractItemModel *source, int headingColumn, QObject *parent)
    : QAbstractTableModel(parent)
    , m_source(source)
    , m_column(headingColumn)
    , m_usualColumn(headingColumn)
{
    connect(source, &QAbstractItemModel::modelAboutToBeReset, this, &HeadedRows::beginResetModel);
    connect(source, &QAbstractItemModel::modelReset, this, [this] {
        arrange();
        endResetModel();
    });
    connect(source, &QAbstractItemModel::dataChanged, this, &HeadedRows::onData);
}

void HeadedRows::rebuild()
{
    beginResetModel();
    arrange();
    endResetModel();
}

void HeadedRows::arrange()
{
    prepare();
    m_rows.clear();
    if (!headed()) {
        for (int row = 0; row < m_source->rowCount(); ++row) {
            m_rows += row;
        }
        return;
    }
    QHash<int, QList<int>> ofGroup;
    for (int row = 0; row < m_source->rowCount(); ++row) {
        ofGroup[groupOf(row)] += row;
    }
    for (const int group : groups()) {
        m_rows += -1 - group;
        m_rows += folded(group) ? QList<int>() : ofGroup.value(group);
    }
}

QVariant HeadedRows::foldingData(int group, int role, const QString &text, const QString &spoken) const
{
    switch (role) {
    case Qt::DisplayRole:
        return text;
    case Qt::AccessibleTextRole:
        return folded(group) ? tr("%1, hidden", "heading of a group").arg(spoken) : spoken;
    case Qt::ToolTipRole:
        return folded(group) ? tr("Show them") : tr("Hide them");
    case FoldedRole:
        return folded(group);
    default:
        return {};
    }
}

int HeadedRows::sourceRow(int row) const
{
    return m_rows.value(row, -1) >= 0 ? m_rows.at(row) : -1;
}

int HeadedRows::rowOf(int sourceRow) const
{
    return sourceRow < 0 ? -1 : int(m_rows.indexOf(sourceRow));
}

int HeadedRows::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int HeadedRows::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_source->columnCount();
}

QVariant HeadedRows::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    if (!isHeading(index.row())) {
        return role == HeadingRole || role == FoldedRole
            ? QVariant()
            : m_source->index(m_rows.at(index.row()), index.column()).data(role);
    }
    const int group = groupAt(index.row());
    const bool tells = index.column() == m_column || index.column() == m_usualColumn;
    return role == HeadingRole ? QVariant(group) : tells ? headingData(group, role) : QVariant();
}

bool HeadedRows::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid()) {
        return false;
    }
    if (!isHeading(index.row())) {
        return m_source->setData(m_source->index(m_rows.at(index.row()), index.column()), value, role);
    }
    return index.column() == m_column && setHeadingData(groupAt(index.row()), value, role);
}

Qt::ItemFlags HeadedRows::flags(const QModelIndex &index) const
{
    if (!index.isValid()) {
        return {};
    }
    if (!isHeading(index.row())) {
        return m_source->flags(m_source->index(m_rows.at(index.row()), index.column()));
    }
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
        | (index.column() == m_column ? headingFlags(groupAt(index.row())) : Qt::ItemFlags());
}

QVariant HeadedRows::headerData(int section, Qt::Orientation orientation, int role) const
{
    return m_source->headerData(section, orientation, role);
}

void HeadedRows::sayHeadingsAnew()
{
    for (int row = 0; row < m_rows.size(); ++row) {
        if (isHeading(row)) {
            emit dataChanged(index(row, m_column), index(row, m_column));
        }
    }
}

/// What changes in a row changes what the headings say, too.
void HeadedRows::onData(const QModelIndex &from, const QModelIndex &to, const QList<int> &roles)
{
    prepare();
    const int first = rowOf(from.row());
    if (from.row() == to.row() && first >= 0) {
        emit dataChanged(index(first, from.column()), index(first, to.column()), roles);
    } else if (from.row() != to.row() && !m_rows.isEmpty()) {
        emit dataChanged(index(0, from.column()), index(rowCount() - 1, to.column()), roles);
    }
    sayHeadingsAnew();
}

} // namespace idemdesk::models

#include "moc_headed_rows.cpp"
