// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace idemdesk::ui {

/// Cells of the Add-table form: tooltips as plain text only, and lines that need a person on a tinted ground. One line
/// each, whatever the view does.
class FormDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    /// attentionRole: the item role that is true where a line needs a person; -1 for none.
    explicit FormDelegate(int attentionRole, QObject *parent = nullptr);
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
        const QModelIndex &index) override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    int m_attentionRole;
};

/// Sentences, which wrap where the view lets them.
class SentenceDelegate : public FormDelegate
{
    Q_OBJECT

public:
    using FormDelegate::FormDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

/// What a line is called: strong where it is mapped, else muted, so that the two are told apart at a glance.
class RoleDelegate final : public FormDelegate
{
    Q_OBJECT

public:
    using FormDelegate::FormDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

/// An SQL expression in one line, completed from the table's columns.
class SqlDelegate final : public FormDelegate
{
    Q_OBJECT

public:
    using FormDelegate::FormDelegate;
    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

/// The state a raw status stands for, chosen from a list; "Not mapped" takes it back.
class StateChoiceDelegate final : public FormDelegate
{
    Q_OBJECT

public:
    using FormDelegate::FormDelegate;
    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void setEditorData(QWidget *editor, const QModelIndex &index) const override;
    void setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const override;
};

} // namespace idemdesk::ui
