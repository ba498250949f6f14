// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>

class QAction;
class QWidget;

namespace idemdesk::models {
class Settings;
}

namespace idemdesk::ui {

/// One thing the window does, by its action.
struct Command {
    QString id; ///< as the settings keep its keys; no word of the user's language
    QString place; ///< where it belongs, as a person reads it: the menu's name
    QAction *action = nullptr;
    QList<QKeySequence> usual; ///< keys that it has unless the person gave it others
};

/// Every command of a window, with its keys: those that the person chose, else the usual ones. What lists commands or
/// runs them by name works on it, so that nothing is forgotten.
class CommandList final : public QObject
{
    Q_OBJECT

public:
    /// Each action works in the window, whichever menu is hidden.
    CommandList(models::Settings *settings, QWidget *window);

    QAction *add(const QString &id, const QString &place, QAction *action, const QList<QKeySequence> &usual = {});
    const QList<Command> &all() const { return m_commands; }
    const Command *find(const QString &id) const; ///< null: there is none
    static QString nameOf(const QAction *action); ///< its text without mnemonics
    static QString keysText(const Command &command); ///< as this desktop writes them
    bool changed(const QString &id) const; ///< the person chose its keys

    /// Why a command cannot have these keys, as a sentence; empty where it can.
    QString whyNot(const QString &id, const QKeySequence &keys) const;
    /// Gives it these keys alone, from now on in every window; empty takes them away. False where whyNot() says so.
    bool setKeys(const QString &id, const QKeySequence &keys);
    void reset(const QString &id); ///< the usual keys, as far as no other command has them now
    void resetAll();

signals:
    void keysChanged();

private:
    void apply();
    const Command *holderOf(const QKeySequence &keys, const QString &but) const;

    models::Settings *m_settings;
    QWidget *m_window;
    QList<Command> m_commands;
};

} // namespace idemdesk::ui
