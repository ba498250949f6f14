// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListView>
#include <QStyledItemDelegate>

namespace idemdesk::ui {

/// A story from top to bottom along one line: a mark, the time and age on the left, what happened and where that was
/// read on the right.
class StoryView final : public QListView
{
    Q_OBJECT

public:
    explicit StoryView(QWidget *parent = nullptr);
};

class StoryDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    static void paintLine(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index);
    static void paintTexts(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index);
};

} // namespace idemdesk::ui
