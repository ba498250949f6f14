// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/compare/json_diff_model.h"

#include "models/compare/compare_text.h"
#include "models/format/display_text.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

JsonDiffModel::JsonDiffModel(QObject *parent)
    : QAbstractItemModel(parent)
{
}

void JsonDiffModel::setComparison(std::shared_ptr<const Comparison> comparison)
{
    beginResetModel();
    m_comparison = std::move(comparison);
    endResetModel();
}

void JsonDiffModel::setOnlyDifferences(bool only)
{
    if (only != m_only) {
        beginResetModel();
        m_only = only;
        endResetModel();
    }
}

int JsonDiffModel::rowOf(int index) const
{
    const int parent = node(index).parent;
    return m_only || parent < 0 ? m_comparison->treeRows.row[std::size_t(index)] : index - node(parent).firstChild;
}

QModelIndex JsonDiffModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    if (!parent.isValid()) {
        return createIndex(row, column, quintptr(0));
    }
    const int above = int(parent.internalId());
    const DifferingRows &rows = m_comparison->treeRows;
    const int child
        = m_only ? rows.shown[std::size_t(rows.first[std::size_t(above)] + row)] : node(above).firstChild + row;
    return createIndex(row, column, quintptr(child));
}

QModelIndex JsonDiffModel::parent(const QModelIndex &index) const
{
    if (!index.isValid() || m_comparison == nullptr) {
        return {};
    }
    const int above = node(int(index.internalId())).parent;
    return above < 0 ? QModelIndex() : createIndex(rowOf(above), 0, quintptr(above));
}

int JsonDiffModel::rowCount(const QModelIndex &parent) const
{
    if (m_comparison == nullptr || !m_comparison->json() || parent.column() > 0) {
        return 0;
    }
    if (!parent.isValid()) {
        return 1;
    }
    const int above = int(parent.internalId());
    return m_only ? m_comparison->treeRows.count[std::size_t(above)] : node(above).childCount;
}

int JsonDiffModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

QString JsonDiffModel::nameText(int index, qsizetype maxChars) const
{
    const DiffNode &pair = node(index);
    if (pair.parent < 0) {
        return tr("root");
    }
    const JsonDocument &document = pair.b >= 0 ? m_comparison->b->document() : m_comparison->a->document();
    const int own = pair.b >= 0 ? pair.b : pair.a;
    return document.hasName(own) ? displayText(document.name(own), maxChars)
                                 : u'[' + QString::number(document.row(own)) + u']';
}

QString JsonDiffModel::cellText(int index, int column, qsizetype maxChars) const
{
    switch (column) {
    case Name:
        return nameText(index, maxChars);
    case First:
        return shownValues(*m_comparison, index, maxChars).first;
    case Second:
        return shownValues(*m_comparison, index, maxChars).second;
    default:
        return differenceInWords(*m_comparison, index);
    }
}

QVariant JsonDiffModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const int shown = int(index.internalId());
    const DiffNode &pair = node(shown);
    switch (role) {
    case Qt::DisplayRole:
        return cellText(shown, index.column(), kCellChars);
    case Qt::ToolTipRole:
        return cellText(shown, index.column(), kToolTipChars);
    case Qt::AccessibleTextRole: {
        const QString text = cellText(shown, index.column(), kCellChars);
        return index.column() == Name ? QString(text + u": "_s + differenceInWords(*m_comparison, shown)) : text;
    }
    case StatusRole:
        return int(pair.status);
    case FormOnlyRole:
        return pair.formOnly();
    case IgnoredRole:
        return pair.ignored;
    case SpansRole:
        return differsInside(*m_comparison, shown) ? shownValues(*m_comparison, shown, kCellChars).spans() : QVariant();
    case PointerRole:
        return pair.b >= 0 ? m_comparison->b->document().pointer(pair.b) : m_comparison->a->document().pointer(pair.a);
    default:
        return {};
    }
}

QVariant JsonDiffModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Name:
        return tr("Name");
    case First:
        return m_comparison == nullptr || m_comparison->nameA.isEmpty() ? tr("First")
                                                                        : displayText(m_comparison->nameA);
    case Second:
        return m_comparison == nullptr || m_comparison->nameB.isEmpty() ? tr("Second")
                                                                        : displayText(m_comparison->nameB);
    case Difference:
        return tr("Difference");
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_json_diff_model.cpp"
