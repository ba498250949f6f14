// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace idemdesk::ui {

/// Rows of the compact height, for trees: they ask the delegate for it.
class CompactDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

/// A record's lines: NULL is faint and slanted, so that it differs from a text that says so; a failed expression is in
/// the danger colour; names of raw columns are monospace.
class RecordDelegate final : public CompactDelegate
{
    Q_OBJECT

public:
    using CompactDelegate::CompactDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

} // namespace idemdesk::ui
