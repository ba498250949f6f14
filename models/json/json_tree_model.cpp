// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/json/json_tree_model.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

JsonTreeModel::JsonTreeModel(QObject *parent)
    : QAbstractItemModel(parent)
{
}

void JsonTreeModel::setDocument(const JsonDocument &document)
{
    beginResetModel();
    m_document = document;
    endResetModel();
}

QModelIndex JsonTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    const int node = parent.isValid() ? m_document.child(int(parent.internalId()), row) : JsonDocument::kRoot;
    return createIndex(row, column, quintptr(node));
}

QModelIndex JsonTreeModel::parent(const QModelIndex &index) const
{
    if (!index.isValid() || m_document.isNull()) {
        return {};
    }
    const int node = m_document.parent(int(index.internalId()));
    return node < 0 ? QModelIndex() : createIndex(m_document.row(node), 0, quintptr(node));
}

int JsonTreeModel::rowCount(const QModelIndex &parent) const
{
    if (m_document.isNull() || parent.column() > 0) {
        return 0;
    }
    return parent.isValid() ? m_document.childCount(int(parent.internalId())) : 1;
}

int JsonTreeModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

QVariant JsonTreeModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const int node = int(index.internalId());
    const JsonDocument::Type type = m_document.type(node);
    const bool container = type == JsonDocument::Type::Object || type == JsonDocument::Type::Array;
    const auto valueText = [&](qsizetype limit) {
        switch (type) {
        case JsonDocument::Type::Object:
            return tr("%n member(s)", nullptr, m_document.childCount(node));
        case JsonDocument::Type::Array:
            return tr("%n item(s)", nullptr, m_document.childCount(node));
        case JsonDocument::Type::String: {
            QString text = u'"' + displayText(m_document.value(node, limit + 1), limit) + u'"';
            if (m_document.valueBytes(node) > limit * 4) {
                text += u' ' + tr("(the beginning of %1)").arg(bytesText(m_document.valueBytes(node)));
            }
            return text;
        }
        default:
            return displayText(m_document.value(node, limit + 1), limit);
        }
    };
    const auto nameText = [&] {
        return m_document.hasName(node)   ? displayText(m_document.name(node))
            : m_document.parent(node) < 0 ? tr("root")
                                          : u'[' + QString::number(m_document.row(node)) + u']';
    };
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Name ? nameText() : valueText(kCellChars);
    case Qt::AccessibleTextRole:
        return QString(nameText() + u": "_s + valueText(kCellChars));
    case Qt::ToolTipRole:
        if (index.column() == Name) {
            return m_document.duplicateName(node)
                ? tr("This name stands several times in the same object; readers differ in which one counts.")
                : nameText();
        }
        return valueText(kToolTipChars);
    case RawRole:
        return container ? QVariant() : QVariant(m_document.value(node));
    case TypeRole:
        return int(type);
    case DuplicateRole:
        return m_document.duplicateName(node);
    case PointerRole:
        return m_document.pointer(node);
    default:
        return {};
    }
}

QVariant JsonTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    return section == Name ? tr("Name") : section == Value ? tr("Value") : QVariant();
}

} // namespace idemdesk::models

#include "moc_json_tree_model.cpp"
