// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/triage/triage_groups.h"

#include "models/actions/action_words.h"
#include "models/format/quantities.h"

#include <algorithm>

namespace idemdesk::models {

TriageGroups::TriageGroups(TriageModel *model, QObject *parent)
    : QAbstractTableModel(parent)
    , m_model(model)
{
    for (const TriageTally &tally : m_model->tallies()) {
        m_classes += tally.cls;
    }
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, &TriageGroups::beginResetModel);
    connect(model, &QAbstractItemModel::modelReset, this, [this] {
        arrange();
        endResetModel();
    });
    connect(model, &QAbstractItemModel::dataChanged, this, &TriageGroups::onData);
    arrange();
}

void TriageGroups::setShown(const QList<TriageClass> &classes, bool headings)
{
    if (classes == m_classes && headings == m_headings) {
        return;
    }
    m_classes = classes;
    m_headings = headings;
    rebuild();
}

void TriageGroups::rebuild()
{
    beginResetModel();
    arrange();
    endResetModel();
}

void TriageGroups::arrange()
{
    m_rows.clear();
    m_tallies = m_model->tallies();
    const QList<TriageModel::Row> &rows = m_model->rows();
    std::optional<TriageClass> last;
    for (int row = 0; row < rows.size(); ++row) {
        const TriageClass cls = rows.at(row).judgement.cls;
        if (m_headings && !m_classes.contains(cls)) {
            continue;
        }
        if (m_headings && last != cls) {
            m_rows += -1 - int(cls);
            last = cls;
        }
        m_rows += row;
    }
}

int TriageGroups::sourceRow(int row) const
{
    return m_rows.value(row, -1) >= 0 ? m_rows.at(row) : -1;
}

int TriageGroups::rowOf(int sourceRow) const
{
    return sourceRow < 0 ? -1 : int(m_rows.indexOf(sourceRow));
}

int TriageGroups::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int TriageGroups::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_model->columnCount();
}

const TriageTally &TriageGroups::tallyOf(int row) const
{
    const auto cls = static_cast<TriageClass>(-1 - m_rows.at(row));
    return *std::find_if(
        m_tallies.cbegin(), m_tallies.cend(), [cls](const TriageTally &tally) { return tally.cls == cls; });
}

QVariant TriageGroups::headingData(int row, int column, int role) const
{
    if (role == HeadingRole) {
        return -1 - m_rows.at(row);
    }
    if (column != TriageModel::Pick) {
        return {};
    }
    const TriageTally &tally = tallyOf(row);
    switch (role) {
    case Qt::DisplayRole:
        return tally.may == 0 ? tr("%n key(s), each decided by itself", nullptr, tally.keys)
                              : tr("%n key(s), %1 of %2 selected", nullptr, tally.keys)
                                    .arg(countText(tally.checked), countText(tally.may));
    case Qt::AccessibleTextRole:
        return tr("%1: %2", "class, its keys")
            .arg(triageClassLabel(tally.cls), headingData(row, column, Qt::DisplayRole).toString());
    case Qt::CheckStateRole:
        return tally.may == 0    ? QVariant()
            : tally.checked == 0 ? QVariant(Qt::Unchecked)
                                 : QVariant(tally.checked < tally.may ? Qt::PartiallyChecked : Qt::Checked);
    case Qt::ToolTipRole:
        return tally.whyNot;
    default:
        return {};
    }
}

QVariant TriageGroups::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    if (isHeading(index.row())) {
        return headingData(index.row(), index.column(), role);
    }
    return role == HeadingRole ? QVariant() : m_model->index(m_rows.at(index.row()), index.column()).data(role);
}

bool TriageGroups::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid()) {
        return false;
    }
    if (!isHeading(index.row())) {
        return m_model->setData(m_model->index(m_rows.at(index.row()), index.column()), value, role);
    }
    if (role != Qt::CheckStateRole || index.column() != TriageModel::Pick || tallyOf(index.row()).may == 0) {
        return false;
    }
    m_model->checkClass(tallyOf(index.row()).cls, value.toInt() != Qt::Unchecked);
    return true;
}

Qt::ItemFlags TriageGroups::flags(const QModelIndex &index) const
{
    if (!index.isValid()) {
        return {};
    }
    if (!isHeading(index.row())) {
        return m_model->flags(m_model->index(m_rows.at(index.row()), index.column()));
    }
    const bool box = index.column() == TriageModel::Pick && tallyOf(index.row()).may > 0;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
        | (box ? Qt::ItemIsUserCheckable : Qt::NoItemFlags);
}

QVariant TriageGroups::headerData(int section, Qt::Orientation orientation, int role) const
{
    return m_model->headerData(section, orientation, role);
}

/// Ticks change what the headings say, too.
void TriageGroups::onData(const QModelIndex &from, const QModelIndex &to, const QList<int> &roles)
{
    m_tallies = m_model->tallies();
    const int first = rowOf(from.row());
    if (from.row() == to.row() && first >= 0) {
        emit dataChanged(index(first, from.column()), index(first, to.column()), roles);
    } else if (from.row() != to.row() && !m_rows.isEmpty()) {
        emit dataChanged(index(0, from.column()), index(rowCount() - 1, to.column()), roles);
        return;
    }
    for (int row = 0; row < m_rows.size(); ++row) {
        if (isHeading(row)) {
            emit dataChanged(index(row, 0), index(row, 0));
        }
    }
}

} // namespace idemdesk::models

#include "moc_triage_groups.cpp"
