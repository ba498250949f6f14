// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/complaint/complaint_model.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/keys/key_cells.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

ComplaintModel::ComplaintModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void ComplaintModel::setAnswer(const ComplaintAnswer &answer, const QList<sql::Target> &targets)
{
    beginResetModel();
    m_answer = answer;
    m_targets = targets;
    m_picked = QList<bool>(answer.candidates.size(), false);
    endResetModel();
    emit pickedChanged();
}

void ComplaintModel::setTimeFormat(const TimeFormat &format)
{
    m_format = format;
    if (rowCount() > 0) {
        emit dataChanged(index(0, Began), index(rowCount() - 1, Began));
    }
}

const Candidate *ComplaintModel::candidate(int row) const { return row >= 0 && row < m_answer.candidates.size() ? &m_answer.candidates.at(row) : nullptr; }

QList<int> ComplaintModel::picked() const
{
    QList<int> rows;
    for (int row = 0; row < m_picked.size(); ++row) {
        if (m_picked.at(row)) {
            rows += row;
        }
    }
    return rows;
}

void ComplaintModel::pick(int row, bool on)
{
    if (row >= 0 && row < m_picked.size() && m_picked.at(row) != on) {
        m_picked[row] = on;
        emit dataChanged(index(row, Began), index(row, Began), { Qt::CheckStateRole });
        emit pickedChanged();
    }
}

int ComplaintModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_answer.candidates.size()); }

int ComplaintModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString ComplaintModel::text(const Candidate &candidate, int column, bool exact) const
{
    const sql::KeyRecord &record = candidate.record;
    const sql::Target target = m_targets.value(candidate.target);
    switch (column) {
    case Began:
        for (const sql::Role role : { sql::Role::CreatedAt, sql::Role::ClaimedAt, sql::Role::UpdatedAt }) {
            if (const auto at = record.time(role)) {
                return exact ? m_format.exact(*at) : m_format.text(*at);
            }
        }
        return tr("not known");
    case Table:
        return targetLabel(target.profile);
    case Scope: {
        QStringList parts;
        for (const sql::Cell &part : record.scope) {
            parts += part.null ? u"–"_s : part.text;
        }
        return parts.join(u" / "_s);
    }
    case Key:
        return record.key.text;
    case State:
        return recordStateText(record);
    case Attempts:
        return record.role(sql::Role::Attempts).text;
    default:
        return recordResultText(record);
    }
}

QVariant ComplaintModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    if (role == Qt::CheckStateRole && index.column() == Began) {
        return m_picked.at(index.row()) ? Qt::Checked : Qt::Unchecked;
    }
    if (role == Qt::TextAlignmentRole) {
        return index.column() == Attempts ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole) {
        return {};
    }
    const bool toolTip = role == Qt::ToolTipRole;
    return displayText(text(m_answer.candidates.at(index.row()), index.column(), toolTip), toolTip ? kToolTipChars : kCellChars);
}

bool ComplaintModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || index.column() != Began || candidate(index.row()) == nullptr) {
        return false;
    }
    pick(index.row(), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags ComplaintModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == Began ? flags | Qt::ItemIsUserCheckable : flags;
}

QVariant ComplaintModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Began: return tr("Began");
    case Table: return tr("Table");
    case Scope: return tr("Scope");
    case Key: return tr("Key");
    case State: return tr("State");
    case Attempts: return tr("Attempts");
    case Result: return tr("Result");
    default: return {};
    }
}

} // namespace idemdesk::models

#include "moc_complaint_model.cpp"
