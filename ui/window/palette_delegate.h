// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace idemdesk::ui {

/// A row of the command palette: icon, title with the letters that were typed, which one and what kind it is, and its
/// keys at the right edge. Above the first row of a group stands the group's name.
class PaletteDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    /// Pixels above a row that belong to its group's name; 0: none stands there.
    static int headHeight(const QModelIndex &index, const QFontMetrics &metrics);
};

} // namespace idemdesk::ui
