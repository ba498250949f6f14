// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/conflicts/conflict_model.h"

#include "models/conflicts/conflict_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

ConflictModel::ConflictModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void ConflictModel::setPage(const sql::ConflictPage &page)
{
    beginResetModel();
    m_rows = page.rows;
    m_more = page.more;
    m_asked = false;
    endResetModel();
}

void ConflictModel::append(const sql::ConflictPage &page)
{
    m_asked = false;
    m_more = page.more;
    if (page.rows.isEmpty()) {
        return;
    }
    beginInsertRows({}, int(m_rows.size()), int(m_rows.size() + page.rows.size()) - 1);
    m_rows += page.rows;
    endInsertRows();
}

void ConflictModel::setTimeFormat(const TimeFormat &format)
{
    m_format = format;
    if (!m_rows.isEmpty()) {
        emit dataChanged(index(0, At), index(int(m_rows.size()) - 1, At));
    }
}

const sql::ConflictRecord *ConflictModel::record(int row) const { return row >= 0 && row < m_rows.size() ? &m_rows.at(row) : nullptr; }

bool ConflictModel::canFetchMore(const QModelIndex &parent) const { return !parent.isValid() && m_more && !m_asked; }

void ConflictModel::fetchMore(const QModelIndex &parent)
{
    if (canFetchMore(parent)) {
        m_asked = true;
        emit moreWanted();
    }
}

int ConflictModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }

void ConflictModel::setTableLabels(const QHash<QString, QString> &labels)
{
    m_tables = labels;
    if (!m_rows.isEmpty()) {
        emit dataChanged(index(0, Table), index(int(m_rows.size()) - 1, Table));
    }
}

int ConflictModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ConflictModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const sql::ConflictRecord &record = m_rows.at(index.row());
    if (role == Qt::TextAlignmentRole) {
        return index.column() == Times ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole) {
        return {};
    }
    QString full;
    switch (index.column()) {
    case At: full = role == Qt::ToolTipRole ? m_format.exact(record.lastAt) : m_format.text(record.lastAt); break;
    case Kind: full = conflictKindLabel(record.kind); break;
    case Table: full = m_tables.value(record.target, record.target); break;
    case Scope: full = record.scope; break;
    case Key: full = record.key.value_or(record.keyHash.isEmpty() ? tr("(not named)") : tr("hash %1").arg(record.keyHash)); break;
    case Times: full = countText(record.count); break;
    case By: full = record.caller; break;
    default: break;
    }
    return role == Qt::ToolTipRole ? displayText(full, kToolTipChars) : displayText(full);
}

QVariant ConflictModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case At: return tr("Last seen");
    case Kind: return tr("What happened");
    case Table: return tr("Table");
    case Scope: return tr("Scope");
    case Key: return tr("Key");
    case Times: return tr("Times");
    case By: return tr("By");
    default: return {};
    }
}

} // namespace idemdesk::models

#include "moc_conflict_model.cpp"
