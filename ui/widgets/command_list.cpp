// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/command_list.h"

#include "models/settings.h"

#include <QAction>
#include <QWidget>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

/// Fields, lists and dialogs live on these, whatever stands in them.
bool belongsToFields(const QKeySequence &keys)
{
    static constexpr int kPlain[] = { Qt::Key_Return, Qt::Key_Enter, Qt::Key_Escape, Qt::Key_Tab, Qt::Key_Backtab,
        Qt::Key_Space, Qt::Key_Up, Qt::Key_Down, Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_End, Qt::Key_PageUp,
        Qt::Key_PageDown, Qt::Key_Backspace, Qt::Key_Delete };
    const int one = keys[0].toCombined();
    if (std::find(std::begin(kPlain), std::end(kPlain), one) != std::end(kPlain)) {
        return true;
    }
    const QKeySequence::StandardKey standard[]
        = { QKeySequence::Copy, QKeySequence::Cut, QKeySequence::Paste, QKeySequence::SelectAll };
    return std::any_of(std::begin(standard), std::end(standard),
        [&keys](QKeySequence::StandardKey key) { return QKeySequence::keyBindings(key).contains(keys); });
}

/// Alt with a letter or digit leads to menus and fields by their underlined letters.
bool isMnemonic(const QKeySequence &keys)
{
    const QKeyCombination one = keys[0];
    return one.keyboardModifiers() == Qt::AltModifier
        && ((one.key() >= Qt::Key_A && one.key() <= Qt::Key_Z) || (one.key() >= Qt::Key_0 && one.key() <= Qt::Key_9));
}

bool isTyped(const QKeySequence &keys)
{
    const QKeyCombination one = keys[0];
    const bool plain = (one.keyboardModifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
    return plain && QChar::fromUcs2(char16_t(one.key() & 0xffff)).isLetterOrNumber() && one.key() < Qt::Key_Escape;
}

} // namespace

CommandList::CommandList(models::Settings *settings, QWidget *window)
    : QObject(window)
    , m_settings(settings)
    , m_window(window)
{
    connect(settings, &models::Settings::shortcutsChanged, this, &CommandList::apply);
}

QAction *CommandList::add(const QString &id, const QString &place, QAction *action, const QList<QKeySequence> &usual)
{
    action->setObjectName(u"command_"_s + id);
    m_commands.append({ id, place, action, usual });
    m_window->addAction(action);
    const auto chosen = m_settings->shortcut(id);
    action->setShortcuts(!chosen ? usual
            : chosen->isEmpty()  ? QList<QKeySequence>()
                                 : QKeySequence::listFromString(*chosen));
    return action;
}

const Command *CommandList::find(const QString &id) const
{
    const auto found = std::find_if(
        m_commands.cbegin(), m_commands.cend(), [&id](const Command &command) { return command.id == id; });
    return found == m_commands.cend() ? nullptr : &*found;
}

QString CommandList::nameOf(const QAction *action)
{
    QString name;
    const QString text = action->text();
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (text.at(at) == u'&' && at + 1 < text.size()) {
            ++at; // "&&" is one that is shown
        }
        name += text.at(at);
    }
    return name;
}

QString CommandList::keysText(const Command &command)
{
    return QKeySequence::listToString(command.action->shortcuts(), QKeySequence::NativeText).replace(u"; "_s, u", "_s);
}

bool CommandList::changed(const QString &id) const
{
    return m_settings->shortcut(id).has_value();
}

const Command *CommandList::holderOf(const QKeySequence &keys, const QString &but) const
{
    const auto found = std::find_if(m_commands.cbegin(), m_commands.cend(),
        [&](const Command &command) { return command.id != but && command.action->shortcuts().contains(keys); });
    return found == m_commands.cend() ? nullptr : &*found;
}

QString CommandList::whyNot(const QString &id, const QKeySequence &keys) const
{
    if (keys.isEmpty()) {
        return {};
    }
    const QString text = keys.toString(QKeySequence::NativeText);
    if (const Command *holder = holderOf(keys, id)) {
        return tr("%1 is the key of “%2” already.").arg(text, nameOf(holder->action));
    }
    if (belongsToFields(keys)) {
        return tr("%1 is needed in fields and lists.").arg(text);
    }
    if (isMnemonic(keys)) {
        return tr("Alt with a letter or digit leads to menus and fields.");
    }
    return isTyped(keys) ? tr("%1 alone is for typing. Add Ctrl or Alt.").arg(text) : QString();
}

bool CommandList::setKeys(const QString &id, const QKeySequence &keys)
{
    if (find(id) == nullptr || !whyNot(id, keys).isEmpty()) {
        return false;
    }
    m_settings->setShortcut(id, keys.toString(QKeySequence::PortableText));
    return true;
}

void CommandList::reset(const QString &id)
{
    m_settings->setShortcut(id, std::nullopt);
}

void CommandList::resetAll()
{
    m_settings->resetShortcuts();
}

void CommandList::apply()
{
    // What the person chose comes first: the usual keys of another command give way to it.
    QList<QKeySequence> taken;
    for (const Command &command : std::as_const(m_commands)) {
        if (const auto chosen = m_settings->shortcut(command.id)) {
            const auto keys = chosen->isEmpty() ? QList<QKeySequence>() : QKeySequence::listFromString(*chosen);
            command.action->setShortcuts(keys);
            taken += keys;
        }
    }
    for (const Command &command : std::as_const(m_commands)) {
        if (!changed(command.id)) {
            QList<QKeySequence> keys = command.usual;
            keys.removeIf([&taken](const QKeySequence &each) { return taken.contains(each); });
            command.action->setShortcuts(keys);
        }
    }
    emit keysChanged();
}

} // namespace idemdesk::ui
