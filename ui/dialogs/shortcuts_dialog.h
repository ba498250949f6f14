// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QKeySequence;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace idemdesk::ui {

class CommandList;

/// Every command of the window with its keys, by the menu it stands in, made from the actions themselves, and below
/// them the keys of lists and fields. The keys of a command can be changed; what stands against it is said.
class ShortcutsDialog final : public QDialog
{
    Q_OBJECT

public:
    /// commands: outlives the dialog.
    explicit ShortcutsDialog(CommandList *commands, QWidget *parent = nullptr);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void layOut();
    void wire();
    void fill();
    void addGroup(const QString &place);
    void addRow(const QStringList &texts, const QString &id);
    bool isGroup(int row) const;
    void narrow(const QString &text);
    void showCommand();
    void say(const QString &why); ///< below the table; empty takes no room
    void take(const QKeySequence &keys);
    void clearKeys();
    QString current() const; ///< id of the command in the current row; empty: its keys are fixed

    CommandList *m_commands;
    QLineEdit *m_search;
    QTableWidget *m_table;
    QLabel *m_label;
    QLineEdit *m_keys;
    QPushButton *m_none;
    QPushButton *m_reset;
    QPushButton *m_resetAll;
    QLabel *m_why;
};

} // namespace idemdesk::ui
