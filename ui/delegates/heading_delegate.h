// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/state_delegate.h"

namespace idemdesk::ui {

/// The column of a list in which its headings stand: a heading's box or its arrow, the badge of its group and what it
/// says, over the whole width, on a ground of its own; muted behind it its DetailRole. One without a badge stands
/// beneath the one that has it. Rows are painted by another delegate. Reads models::HeadedRows.
class HeadingDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using BadgeOf = Badge (*)(int group);
    /// ofRows: null for the usual one.
    HeadingDelegate(BadgeOf badgeOf, QAbstractItemDelegate *ofRows, QObject *parent);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    BadgeOf m_badgeOf;
    QAbstractItemDelegate *m_ofRows;
};

} // namespace idemdesk::ui
