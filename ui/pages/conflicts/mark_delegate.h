// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/state_delegate.h"

namespace idemdesk::ui {

/// A cell of two lines: a badge with what it is (TitleRole), and muted beneath what that goes by (DetailRole).
class MarkDelegate final : public CellDelegate
{
    Q_OBJECT

public:
    /// The badge of a cell, but for its text.
    using BadgeOf = Badge (*)(const QModelIndex &index);

    MarkDelegate(BadgeOf badgeOf, QObject *parent);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    BadgeOf m_badgeOf;
};

/// Of a conflict by its kind (KindRole): what is wrong is marked so, and what only has to be tried again is not.
Badge conflictBadge(const QString &kind);

} // namespace idemdesk::ui
