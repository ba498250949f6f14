// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping/states_model.h"

#include "models/format/labels.h"
#include "models/format/quantities.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

StatesModel::StatesModel(QObject *parent)
    : RowModel(parent)
{
}

void StatesModel::setProfile(const sql::Profile &profile)
{
    beginResetModel();
    m_counted = false;
    m_mapped = profile.role(sql::Role::Status).present();
    m_rows.clear();
    for (const auto &[raw, state] : profile.states) {
        m_rows.append({ sql::Cell::of(raw), -1, state, false });
    }
    if (profile.nullState) {
        m_rows.append({ sql::Cell(), -1, profile.nullState, false });
    }
    if (profile.otherStates) {
        m_rows.append({ sql::Cell(), -1, profile.otherStates, true });
    }
    endResetModel();
}

void StatesModel::setOccurring(const QList<std::pair<sql::Cell, qint64>> &counts)
{
    beginResetModel();
    m_counted = true;
    for (Line &line : m_rows) {
        line.rows = line.anyOther ? -1 : 0;
    }
    for (const auto &[status, rows] : counts) {
        const auto known = std::find_if(m_rows.begin(), m_rows.end(),
            [&wanted = status](const Line &line) { return !line.anyOther && line.status == wanted; });
        if (known != m_rows.end()) {
            known->rows = rows;
        } else {
            m_rows.append({ status, rows, std::nullopt, false });
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
    for (const Line &line : m_rows) {
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
    for (const Line &line : m_rows) {
        count += unmapped(line) ? 1 : 0;
    }
    return count;
}

bool StatesModel::unmapped(const Line &line) const
{
    if (line.state || line.rows <= 0) {
        return false;
    }
    return std::none_of(
        m_rows.cbegin(), m_rows.cend(), [](const Line &other) { return other.anyOther && other.state; });
}

QString StatesModel::stateText(const Line &line) const
{
    const auto other
        = std::find_if(m_rows.cbegin(), m_rows.cend(), [](const Line &each) { return each.anyOther && each.state; });
    return line.state                             ? stateLabel(*line.state)
        : unmapped(line)                          ? tr("not mapped: shown as unknown")
        : line.rows > 0 && other != m_rows.cend() ? tr("%1, as any other value").arg(stateLabel(*other->state))
                                                  : tr("not mapped");
}

std::span<const StatesModel::ColumnSpec> StatesModel::columns()
{
    using Model = StatesModel;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Raw status"); },
            .text =
                [](const Model &model, const Line &line) {
                    return line.anyOther   ? (model.m_mapped ? tr("any other value") : tr("every row"))
                        : line.status.null ? u"NULL"_s
                                           : line.status.text;
                } },
        { .title = [] { return tr("In the sample"); },
            .text = [](const Model &, const Line &line) { return line.rows < 0 ? QString() : countText(line.rows); } },
        { .title = [] { return tr("Stands for"); },
            .text = [](const Model &model, const Line &line) { return model.stateText(line); } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant StatesModel::itemData(const Line &line, int column, int role) const
{
    const bool ofStatus = column == Status && !line.anyOther;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: // where an expression failed, its message
        return ofStatus && !line.status.null ? QVariant(cellText(line.status)) : QVariant();
    case Qt::ToolTipRole:
        return ofStatus ? cellToolTip(line.status) : QString(); // the others say all in their cell
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
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() != State
        || (role != StateRole && role != Qt::EditRole)) {
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
    m_rows[index.row()].state = state;
    sayAllAnew(); // "any other" marks its siblings
    emit edited();
    return true;
}

Qt::ItemFlags StatesModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = RowModel::flags(index);
    return index.isValid() && index.column() == State ? flags | Qt::ItemIsEditable : flags;
}

} // namespace idemdesk::models

#include "moc_states_model.cpp"
