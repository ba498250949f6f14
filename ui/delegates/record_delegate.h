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

/// A record's lines: names quiet, values plain, keys and hashes in figures of one width. A long value takes some lines,
/// and more is cut; the first line of a group has the group's name above it. NULL is faint and slanted, so that it
/// differs from a text that says so; a failed expression is in the danger colour. The line that is looked at or pointed
/// at has a sign that copies its value.
class RecordDelegate final : public CompactDelegate
{
    Q_OBJECT

public:
    using CompactDelegate::CompactDelegate;

    /// Pixels that the line of this value needs in a column so wide.
    static int heightOf(const QModelIndex &value, int width, const QFont &font);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

signals:
    void copyClicked(const QModelIndex &index);

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
    bool editorEvent(QEvent *event, QAbstractItemModel *model, const QStyleOptionViewItem &option,
        const QModelIndex &index) override;
};

} // namespace idemdesk::ui
