// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/overview/overview_model.h"

#include <QStyledItemDelegate>

namespace idemdesk::ui {

/// A table's title, and beneath it, quieter, its name in the database, or why it could not be read.
class TableTitleDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

/// A table's keys by state as one bar, in the colours of the badges. A small part is wide enough to be seen and hit;
/// the part under the mouse says its number and leads to its keys.
class StateBarDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
        const QModelIndex &index) override;
    bool editorEvent(QEvent *event, QAbstractItemModel *model, const QStyleOptionViewItem &option,
        const QModelIndex &index) override;

signals:
    void shareClicked(const QModelIndex &index, const QString &filter);
};

/// A number that asks for nothing: how large the table is, what a purge would take.
class QuietNumberDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

/// A number that says what would be done. Only where there is nothing, or nothing is known, it is quiet.
class FigureDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

/// The last day as a small line.
class DayDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace idemdesk::ui
