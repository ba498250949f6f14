// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/cell_delegate.h"

namespace idemdesk::ui {

/// A number beside a bar as long as its share (ShareRole), so that the largest are seen before they are read.
class BarDelegate final : public CellDelegate
{
    Q_OBJECT

public:
    using CellDelegate::CellDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace idemdesk::ui
