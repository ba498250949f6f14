// SPDX-License-Identifier: GPL-3.0-or-later
// The window's menus: every command of it, with its keys.
#include "models/actions/action_center.h"
#include "models/connection/connection_controller.h"
#include "models/help/help_pages.h"
#include "models/keys/key_browser.h"
#include "models/settings.h"
#include "ui/dialogs/about_dialog.h"
#include "ui/dialogs/help_dialog.h"
#include "ui/dialogs/shortcuts_dialog.h"
#include "ui/pages/keys_page.h"
#include "ui/window/main_window.h"

#include <QActionGroup>
#include <QMenuBar>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

void MainWindow::buildMenus()
{
    const auto add = [this](QMenu *menu, const QString &text, const QKeySequence &keys, auto slot) {
        QAction *action = menu->addAction(text);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, slot);
        return action;
    };
    QMenu *file = menuBar()->addMenu(tr("&Connection"));
    add(file, tr("&Connect…"), QKeySequence(Qt::CTRL | Qt::Key_O), [this] { openConnect(); });
    add(file, tr("&Add table…"), QKeySequence(Qt::CTRL | Qt::Key_N), [this] { openAddTable(); });
    add(file, tr("&Look for tables again"), {}, [this] { m_services.connection->refreshTargets(); });
    file->addSeparator();
    add(file, tr("Allow actions for 1&5 minutes"), {}, [this] { m_actions->allow(); });
    add(file, tr("&Forbid actions"), {}, [this] { m_actions->disallow(); });
    add(file, tr("&Sampling…"), {}, [this] { openSampling(); });
    file->addSeparator();
    add(file, tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); });

    QMenu *keys = menuBar()->addMenu(tr("&Keys"));
    QAction *filter = add(keys, tr("&Filter"), {}, [this] {
        showPage(u"keys"_s);
        m_keys->focusFilter();
    });
    filter->setShortcuts({ QKeySequence(Qt::CTRL | Qt::Key_L), QKeySequence(Qt::Key_Slash) });
    add(keys, tr("&Jump…"), QKeySequence(Qt::CTRL | Qt::Key_J), [this] {
        showPage(u"keys"_s);
        m_keys->openJump();
    });
    add(keys, tr("&Export…"), QKeySequence(Qt::CTRL | Qt::Key_E), [this] {
        showPage(u"keys"_s);
        m_keys->openExport();
    });
    add(keys, tr("Show or hide the &detail"), QKeySequence(Qt::CTRL | Qt::Key_D), [this] { m_keys->toggleDetail(); });
    add(keys, tr("&Stop what is running"), QKeySequence(Qt::CTRL | Qt::Key_Period), [this] { m_browser->cancel(); });

    QMenu *view = menuBar()->addMenu(tr("&View"));
    add(view, tr("&Refresh"), QKeySequence(Qt::Key_F5), [this] { refreshPage(); });
    QMenu *theme = view->addMenu(tr("&Theme"));
    auto *themes = new QActionGroup(this);
    const std::pair<QString, models::Theme> themeEntries[] = { { tr("As the &system"), models::Theme::System },
        { tr("&Light"), models::Theme::Light }, { tr("&Dark"), models::Theme::Dark } };
    for (const auto &[text, value] : themeEntries) {
        QAction *action = themes->addAction(theme->addAction(text));
        action->setCheckable(true);
        action->setChecked(m_services.settings->theme() == value);
        connect(action, &QAction::triggered, this, [this, value = value] { m_services.settings->setTheme(value); });
    }
    QMenu *times = view->addMenu(tr("T&imes"));
    auto *displays = new QActionGroup(this);
    const std::pair<QString, models::TimeDisplay> timeEntries[] = { { tr("In the &server's zone"), models::TimeDisplay::Server },
        { tr("In this &computer's zone"), models::TimeDisplay::Local }, { tr("In &UTC"), models::TimeDisplay::Utc } };
    for (const auto &[text, value] : timeEntries) {
        QAction *action = displays->addAction(times->addAction(text));
        action->setCheckable(true);
        action->setChecked(m_services.settings->timeDisplay() == value);
        connect(action, &QAction::triggered, this, [this, value = value] { m_services.settings->setTimeDisplay(value); });
    }
    QAction *compact = view->addAction(tr("&Compact rows"));
    compact->setCheckable(true);
    compact->setChecked(m_services.settings->compactRows());
    connect(compact, &QAction::toggled, m_services.settings, &models::Settings::setCompactRows);

    QMenu *help = menuBar()->addMenu(tr("&Help"));
    QAction *shortcuts = add(help, tr("&Shortcuts"), {}, [this] {
        auto *dialog = new ShortcutsDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    shortcuts->setShortcuts({ QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question), QKeySequence(Qt::SHIFT | Qt::Key_Question) });
    add(help, tr("&What holds, and what does not"), {}, [this] {
        auto *dialog = new HelpDialog(tr("What holds, and what does not"), models::safetyPage(), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    add(help, tr("&About Idemdesk"), {}, [this] {
        auto *dialog = new AboutDialog(m_services.libpqVersion, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
}

} // namespace idemdesk::ui
