// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/compare/side_by_side_model.h"

#include "models/compare/compare_text.h"
#include "models/format/display_text.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

SideBySideModel::SideBySideModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void SideBySideModel::setComparison(std::shared_ptr<const Comparison> comparison)
{
    beginResetModel();
    m_comparison = std::move(comparison);
    endResetModel();
}

void SideBySideModel::setOnlyDifferences(bool only)
{
    if (only != m_only) {
        beginResetModel();
        m_only = only;
        endResetModel();
    }
}

int SideBySideModel::rowCount(const QModelIndex &parent) const
{
    if (m_comparison == nullptr || parent.isValid()) {
        return 0;
    }
    return int(m_only ? m_comparison->sideRows.folded.size() : m_comparison->sideRows.rows.size());
}

int SideBySideModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

SideStretch SideBySideModel::stretch(int row) const
{
    return m_only ? m_comparison->sideRows.folded[std::size_t(row)] : SideStretch { row, 1 };
}

QVariant SideBySideModel::text(const SideStretch &stretch, int column, qsizetype maxChars) const
{
    const SideRow &row = m_comparison->sideRows.rows[std::size_t(stretch.first)];
    const bool folds = stretch.count > 1;
    switch (column) {
    case LineA:
        return folds || row.lineA == 0 ? QVariant() : QVariant(row.lineA);
    case LineB:
        return folds || row.lineB == 0 ? QVariant() : QVariant(row.lineB);
    case First:
        return folds ? unchangedInWords(stretch.count) : shownLines(*m_comparison, row, maxChars).first;
    default:
        return folds ? unchangedInWords(stretch.count) : shownLines(*m_comparison, row, maxChars).second;
    }
}

bool SideBySideModel::hasSpans(const SideRow &row) const
{
    return row.kind == SideRow::Kind::Text ? row.status == DiffStatus::Changed
                                           : row.kind == SideRow::Kind::Value && differsInside(*m_comparison, row.node);
}

QVariant SideBySideModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const SideStretch shown = stretch(index.row());
    const SideRow &row = m_comparison->sideRows.rows[std::size_t(shown.first)];
    const bool ofTree = row.kind != SideRow::Kind::Text;
    switch (role) {
    case Qt::DisplayRole:
        return text(shown, index.column(), kCellChars);
    case Qt::ToolTipRole:
        return index.column() == First || index.column() == Second ? text(shown, index.column(), kToolTipChars)
                                                                   : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == LineA || index.column() == LineB
            ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter)
            : QVariant();
    case StatusRole:
        return int(row.status);
    case FormOnlyRole:
        return ofTree && m_comparison->diff.nodes[std::size_t(row.node)].formOnly();
    case IgnoredRole:
        return ofTree && m_comparison->diff.nodes[std::size_t(row.node)].ignored;
    case SpansRole:
        return hasSpans(row) ? shownLines(*m_comparison, row, kCellChars).spans() : QVariant();
    default:
        return {};
    }
}

QVariant SideBySideModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case LineA:
    case LineB:
        return tr("Line");
    case First:
        return m_comparison == nullptr || m_comparison->nameA.isEmpty() ? tr("First")
                                                                        : displayText(m_comparison->nameA);
    case Second:
        return m_comparison == nullptr || m_comparison->nameB.isEmpty() ? tr("Second")
                                                                        : displayText(m_comparison->nameB);
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_side_by_side_model.cpp"
