// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping/states_model.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

StatesModel::StatesModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void StatesModel::setProfile(const sql::Profile &profile)
{
    beginResetModel();
    m_lines.clear();
    for (const auto &[raw, state] : profile.states) {
        m_lines.append({ sql::Cell::of(raw), -1, state, false });
    }
    if (profile.nullState) {
        m_lines.append({ sql::Cell(), -1, profile.nullState, false });
    }
    if (profile.otherStates) {
        m_lines.append({ sql::Cell(), -1, profile.otherStates, true });
    }
    endResetModel();
}

void StatesModel::setOccurring(const QList<std::pair<sql::Cell, qint64>> &counts)
{
    beginResetModel();
    for (Line &line : m_lines) {
        line.rows = line.anyOther ? -1 : 0;
    }
    for (const auto &[status, rows] : counts) {
        const auto known = std::find_if(m_lines.begin(), m_lines.end(),
            [&status = status](const Line &line) { return !line.anyOther && line.status == status; });
        if (known != m_lines.end()) {
            known->rows = rows;
        } else {
            m_lines.append({ status, rows, std::nullopt, false });
        }
    }
    endResetModel();
}

sql::Profile StatesModel::applied(const sql::Profile &base) const
{
    sql::Profile profile = base;
    profile.states.clear();
    profile.nullState.reset();
    profile.otherStates.reset();
    for (const Line &line : m_lines) {
        if (!line.state) {
            continue;
        }
        if (line.anyOther) {
            profile.otherStates = line.state;
        } else if (line.status.null) {
            profile.nullState = line.state;
        } else {
            profile.states.append({ line.status.text, *line.state });
        }
    }
    return profile;
}

int StatesModel::unmappedCount() const
{
    int count = 0;
    for (const Line &line : m_lines) {
        count += unmapped(line) ? 1 : 0;
    }
    return count;
}

bool StatesModel::unmapped(const Line &line) const
{
    if (line.state || line.rows <= 0) {
        return false;
    }
    return std::none_of(m_lines.cbegin(), m_lines.cend(), [](const Line &other) { return other.anyOther && other.state; });
}

int StatesModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_lines.size()); }

int StatesModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant StatesModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const Line &line = m_lines.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        switch (index.column()) {
        case Status:
            return line.anyOther ? tr("any other value") : line.status.null ? u"NULL"_s : cellText(line.status);
        case Rows:
            return line.rows < 0 ? QString() : countText(line.rows);
        case State:
            return line.state ? stateLabel(*line.state) : unmapped(line) ? tr("not mapped: shown as unknown") : tr("not mapped");
        default:
            return {};
        }
    case Qt::ToolTipRole:
        return index.column() == Status && !line.anyOther ? cellToolTip(line.status) : QVariant();
    case StateRole:
        return line.state ? QVariant(int(*line.state)) : QVariant();
    case UnmappedRole:
        return unmapped(line);
    default:
        return {};
    }
}

bool StatesModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() != State || (role != StateRole && role != Qt::EditRole)) {
        return false;
    }
    std::optional<sql::KeyState> state;
    if (value.isValid()) {
        const int number = value.toInt();
        if (number < 0 || number > int(sql::KeyState::Unknown)) {
            return false;
        }
        state = static_cast<sql::KeyState>(number);
    }
    m_lines[index.row()].state = state;
    emit dataChanged(this->index(0, 0), this->index(int(m_lines.size()) - 1, ColumnCount - 1)); // "any other" marks its siblings
    emit edited();
    return true;
}

Qt::ItemFlags StatesModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == State ? flags | Qt::ItemIsEditable : flags;
}

QVariant StatesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Status:
        return tr("Raw status");
    case Rows:
        return tr("In the sample");
    case State:
        return tr("Stands for");
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_states_model.cpp"
