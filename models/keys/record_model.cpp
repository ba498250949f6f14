// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/record_model.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/keys/key_cells.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

RecordModel::RecordModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void RecordModel::setDetail(const sql::Target &target, const sql::KeyDetail &detail)
{
    const sql::KeyRecord &record = detail.record;
    QList<Line> lines;
    for (int part = 0; part < target.profile.scope.size(); ++part) {
        const sql::LabelledExpression &scope = target.profile.scope.at(part);
        lines.append({ tr("Scope: %1").arg(displayText(scope.label, 60)), record.scope.value(part), displayText(scope.value.sql), false, false });
    }
    lines.append({ tr("Key"), record.key, displayText(target.profile.key.sql), false, false });
    lines.append({ tr("State"), sql::Cell::of(recordStateText(record)), tr("from the profile"), false, false });
    for (int i = 0; i < sql::kRoleCount; ++i) {
        const auto role = static_cast<sql::Role>(i);
        if (target.profile.has(role)) {
            lines.append({ roleTitle(role), record.role(role), displayText(target.profile.role(role).sql), false, sql::isTimeRole(role) });
        }
    }
    for (const sql::ColumnValue &column : detail.columns) {
        lines.append({ column.name, column.value, displayText(column.type), true, false });
    }
    beginResetModel();
    m_lines = lines;
    m_now = detail.now;
    endResetModel();
}

void RecordModel::setTimeFormat(const TimeFormat &format)
{
    m_timeFormat = format;
    if (!m_lines.isEmpty()) {
        emit dataChanged(index(0, Value), index(int(m_lines.size()) - 1, Value));
    }
}

void RecordModel::clear()
{
    beginResetModel();
    m_lines.clear();
    endResetModel();
}

int RecordModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_lines.size()); }

int RecordModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant RecordModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const Line &line = m_lines.at(index.row());
    const auto time = line.time && !line.value.null ? sql::Timestamp::parse(line.value.text) : std::nullopt;
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Name) {
            return displayText(line.name);
        }
        if (index.column() == Source) {
            return line.source;
        }
        return time ? m_timeFormat.exact(*time) : line.value.null && !line.value.failed() ? u"NULL"_s : cellText(line.value, kToolTipChars);
    case Qt::ToolTipRole:
        if (index.column() == Value) {
            return time ? m_timeFormat.toolTip(*time, m_now) : cellToolTip(line.value);
        }
        return index.column() == Name ? displayText(line.name) : line.source;
    case Qt::AccessibleTextRole:
        return QString(displayText(line.name) + u": "_s + (time ? m_timeFormat.exact(*time) : cellToolTip(line.value)));
    case RawRole:
        return line.value.null ? QVariant() : QVariant(line.value.text);
    case SectionRole:
        return line.raw ? 1 : 0;
    case NullRole:
        return line.value.null && !line.value.failed();
    case PartialRole:
        return line.value.partial();
    case ColumnNameRole:
        return line.raw ? QVariant(line.name) : QVariant();
    case FailedRole:
        return line.value.failed();
    default:
        return {};
    }
}

QVariant RecordModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Name:
        return tr("Name");
    case Value:
        return tr("Value");
    case Source:
        return tr("Source");
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_record_model.cpp"
