// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/touches_model.h"

#include "models/actions/action_words.h"
#include "models/format/display_text.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

TouchesModel::TouchesModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void TouchesModel::setTouches(const QList<sql::KeyTouch> &touches)
{
    if (touches.isEmpty() && m_touches.isEmpty()) {
        return;
    }
    beginResetModel();
    m_touches = touches;
    endResetModel();
}

void TouchesModel::setTimeFormat(const TimeFormat &format)
{
    m_format = format;
    if (!m_touches.isEmpty()) {
        emit dataChanged(index(0, When), index(int(m_touches.size()) - 1, When));
    }
}

int TouchesModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_touches.size()); }

int TouchesModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString TouchesModel::text(const sql::KeyTouch &touch, int column) const
{
    switch (column) {
    case When:
        return m_format.text(touch.at);
    case Who:
        return touch.approvedBy.isEmpty() ? touch.who : tr("%1, approved by %2").arg(touch.who, touch.approvedBy);
    case What: {
        const QString what = tr("%1: %2", "action, outcome").arg(verbLabel(touch.verb), outcomeLabel(touch.outcome));
        return touch.undoneBy.isEmpty() ? what : tr("%1, undone since").arg(what);
    }
    case Why:
        return touch.ticket.isEmpty() ? touch.reason : tr("%1 (%2)", "reason, ticket").arg(touch.reason, touch.ticket);
    default:
        return {};
    }
}

QVariant TouchesModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const sql::KeyTouch &touch = m_touches.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayText(text(touch, index.column()));
    case Qt::ToolTipRole:
        return index.column() == When ? m_format.exact(touch.at)
            : index.column() == What && !touch.detail.isEmpty() ? displayText(touch.detail, kToolTipChars)
                                                                : displayText(text(touch, index.column()), kToolTipChars);
    default:
        return {};
    }
}

QVariant TouchesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case When:
        return tr("When");
    case Who:
        return tr("Who");
    case What:
        return tr("What");
    case Why:
        return tr("Why");
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_touches_model.cpp"
