// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/table/row_model_base.h"

namespace idemdesk::models {

void RowModelBase::setTimeFormat(const TimeFormat &format)
{
    if (m_timeFormat == format) {
        return;
    }
    m_timeFormat = format;
    for (int column = 0; column < columnCount(); ++column) {
        if (showsTime(column)) {
            sayAnew(column, column);
        }
    }
}

bool RowModelBase::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && m_more && !m_asked;
}

void RowModelBase::fetchMore(const QModelIndex &parent)
{
    if (canFetchMore(parent)) {
        m_asked = true;
        emit moreWanted();
    }
}

void RowModelBase::setMore(bool more)
{
    m_more = more;
    m_asked = false;
}

void RowModelBase::sayAnew(int firstColumn, int lastColumn)
{
    if (rowCount() > 0) {
        emit dataChanged(index(0, firstColumn), index(rowCount() - 1, lastColumn));
    }
}

} // namespace idemdesk::models

#include "moc_row_model_base.cpp"
