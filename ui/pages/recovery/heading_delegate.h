// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace idemdesk::ui {

/// The first column of a list with headings: a heading's box, the badge of its class and how many keys it has, over
/// the whole width; of a key its box alone. Reads models::TriageGroups.
class HeadingDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace idemdesk::ui
