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
    m_unfolded.clear();
    endResetModel();
}

void SideBySideModel::setOnlyDifferences(bool only)
{
    if (only != m_only) {
        beginResetModel();
        m_only = only;
        m_unfolded.clear();
        endResetModel();
    }
}

const std::vector<SideStretch> &SideBySideModel::stretches() const
{
    return m_unfolded.empty() ? m_comparison->sideRows.folded : m_unfolded;
}

bool SideBySideModel::folds(int row) const
{
    return row >= 0 && row < rowCount() && stretch(row).count > 1;
}

bool SideBySideModel::canFold() const
{
    return m_comparison != nullptr && m_comparison->sideRows.folded.size() < m_comparison->sideRows.rows.size();
}

void SideBySideModel::unfold(int row)
{
    if (!folds(row)) {
        return;
    }
    const SideStretch folded = stretch(row);
    if (m_unfolded.empty()) {
        m_unfolded = m_comparison->sideRows.folded; // the comparison is shared, and stays as it is
    }
    // The row becomes the first of its lines, and then the others come after it.
    m_unfolded[std::size_t(row)].count = 1;
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
    beginInsertRows({}, row + 1, row + folded.count - 1);
    std::vector<SideStretch> lines;
    for (int line = 1; line < folded.count; ++line) {
        lines.push_back({ folded.first + line, 1 });
    }
    m_unfolded.insert(m_unfolded.begin() + row + 1, lines.cbegin(), lines.cend());
    endInsertRows();
}

int SideBySideModel::rowCount(const QModelIndex &parent) const
{
    if (m_comparison == nullptr || parent.isValid()) {
        return 0;
    }
    return int(m_only ? stretches().size() : m_comparison->sideRows.rows.size());
}

int SideBySideModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

SideStretch SideBySideModel::stretch(int row) const
{
    return m_only ? stretches()[std::size_t(row)] : SideStretch { row, 1 };
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

/// Said once, where the element begins.
QString SideBySideModel::movedText(const SideRow &row) const
{
    const bool begins = row.kind == SideRow::Kind::Value || row.kind == SideRow::Kind::Open;
    return begins && row.status == DiffStatus::Moved ? differenceInWords(*m_comparison, row.node) : QString();
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
    case DetailRole:
        return index.column() == Second && shown.count == 1 ? movedText(row) : QVariant();
    case Qt::AccessibleTextRole: {
        const QString moved = index.column() == Second && shown.count == 1 ? movedText(row) : QString();
        const QString cell = text(shown, index.column(), kCellChars).toString();
        return moved.isEmpty() ? cell : QString(cell + u", "_s + moved);
    }
    case FoldedRole:
        return shown.count > 1;
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
    if (orientation == Qt::Horizontal && role == Qt::ToolTipRole && (section == LineA || section == LineB)) {
        return m_comparison != nullptr && m_comparison->json()
            ? tr("The line in this payload's own order, with one member a line.")
            : tr("The line in this payload.");
    }
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
