// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/cell_delegate.h"

namespace idemdesk::ui {

/// A match of a search: its text with the part that was searched for marked, and muted beneath where it stands. Reads
/// ComplaintModel's HitRole, and DetailRole.
class HitDelegate final : public CellDelegate
{
    Q_OBJECT

public:
    using CellDelegate::CellDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace idemdesk::ui
