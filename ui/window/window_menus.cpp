// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_menus.h"

#include "models/actions/action_center.h"
#include "models/connection/connection_controller.h"
#include "models/keys/key_browser.h"
#include "models/settings.h"
#include "ui/dialogs/about_dialog.h"
#include "ui/dialogs/field_help.h"
#include "ui/dialogs/help_dialog.h"
#include "ui/dialogs/shortcuts_dialog.h"
#include "ui/pages/keys/keys_page.h"
#include "ui/widgets/questions.h"
#include "ui/window/main_window.h"
#include "ui/window/tour.h"

#include <QActionGroup>
#include <QApplication>
#include <QMenuBar>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

template <typename Slot>
QAction *addCommand(MainWindow *window, QMenu *menu, const QString &text, const QKeySequence &keys, Slot slot)
{
    QAction *action = menu->addAction(text);
    action->setShortcut(keys);
    QObject::connect(action, &QAction::triggered, window, slot);
    return action;
}

/// One of several values, of which the settings hold one.
template <typename Choose>
void addChoice(QMenu *menu, QActionGroup *group, const QString &text, bool chosen, Choose choose)
{
    QAction *action = group->addAction(menu->addAction(text));
    action->setCheckable(true);
    action->setChecked(chosen);
    QObject::connect(action, &QAction::triggered, group, choose);
}

void addConnectionMenu(MainWindow *window, models::ConnectionController *connection)
{
    QMenu *menu = window->menuBar()->addMenu(MainWindow::tr("&Connection"));
    addCommand(window, menu, MainWindow::tr("&Connect…"), QKeySequence(Qt::CTRL | Qt::Key_O),
        [window] { window->openConnect(); });
    QAction *leave
        = addCommand(window, menu, MainWindow::tr("&Disconnect"), {}, [connection] { connection->disconnectNow(); });
    leave->setObjectName(u"menuDisconnect"_s);
    // What an action has begun is paused or cancelled first, in its strip.
    const auto offer = [window, connection, leave] {
        leave->setEnabled(connection->database() != nullptr && !window->actions()->running());
    };
    QObject::connect(menu, &QMenu::aboutToShow, leave, offer);
    addCommand(window, menu, MainWindow::tr("&Add table…"), QKeySequence(Qt::CTRL | Qt::Key_N),
        [window] { window->openAddTable(); });
    addCommand(
        window, menu, MainWindow::tr("&Look for tables again"), {}, [connection] { connection->refreshTargets(); });
    menu->addSeparator();
    addCommand(
        window, menu, MainWindow::tr("Allow actions for 1&5 minutes"), {}, [window] { window->actions()->allow(); });
    addCommand(window, menu, MainWindow::tr("&Forbid actions"), {}, [window] { window->actions()->disallow(); });
    addCommand(window, menu, MainWindow::tr("&Sampling…"), {}, [window] { window->openSampling(); });
    menu->addSeparator();
    addCommand(
        window, menu, MainWindow::tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), [window] { window->close(); });
}

void addKeysMenu(MainWindow *window)
{
    KeysPage *page = window->keysPage();
    const auto show = [window, page] { window->showPage(page->face().id); };
    QMenu *menu = window->menuBar()->addMenu(MainWindow::tr("&Keys"));
    QAction *filter = addCommand(window, menu, MainWindow::tr("&Filter"), {}, [page, show] {
        show();
        page->focusFilter();
    });
    filter->setShortcuts({ QKeySequence(Qt::CTRL | Qt::Key_L), QKeySequence(Qt::Key_Slash) });
    addCommand(window, menu, MainWindow::tr("&Jump…"), QKeySequence(Qt::CTRL | Qt::Key_J), [page, show] {
        show();
        page->openJump();
    });
    addCommand(window, menu, MainWindow::tr("&Export…"), QKeySequence(Qt::CTRL | Qt::Key_E), [page, show] {
        show();
        page->openExport();
    });
    addCommand(window, menu, MainWindow::tr("Show or hide the &detail"), QKeySequence(Qt::CTRL | Qt::Key_D),
        [page] { page->toggleDetail(); });
    addCommand(window, menu, MainWindow::tr("&Stop what is running"), QKeySequence(Qt::CTRL | Qt::Key_Period),
        [window] { window->browser()->cancel(); });
}

void addViewMenu(MainWindow *window, models::Settings *settings)
{
    QMenu *view = window->menuBar()->addMenu(MainWindow::tr("&View"));
    addCommand(window, view, MainWindow::tr("&Refresh"), QKeySequence(Qt::Key_F5), [window] { window->refreshPage(); });
    QMenu *theme = view->addMenu(MainWindow::tr("&Theme"));
    auto *themes = new QActionGroup(window);
    const std::pair<QString, models::Theme> themeEntries[] = {
        { MainWindow::tr("As the &system"), models::Theme::System },
        { MainWindow::tr("&Light"), models::Theme::Light },
        { MainWindow::tr("&Dark"), models::Theme::Dark },
        { MainWindow::tr("Light, high &contrast"), models::Theme::ContrastLight },
        { MainWindow::tr("Dark, &high contrast"), models::Theme::ContrastDark },
    };
    for (const auto &[text, value] : themeEntries) {
        addChoice(
            theme, themes, text, settings->theme() == value, [settings, value = value] { settings->setTheme(value); });
    }
    QMenu *times = view->addMenu(MainWindow::tr("T&imes"));
    auto *displays = new QActionGroup(window);
    const std::pair<QString, models::TimeDisplay> timeEntries[] = {
        { MainWindow::tr("In the &server's zone"), models::TimeDisplay::Server },
        { MainWindow::tr("In this &computer's zone"), models::TimeDisplay::Local },
        { MainWindow::tr("In &UTC"), models::TimeDisplay::Utc },
    };
    for (const auto &[text, value] : timeEntries) {
        addChoice(times, displays, text, settings->timeDisplay() == value,
            [settings, value = value] { settings->setTimeDisplay(value); });
    }
    QAction *compact = view->addAction(MainWindow::tr("&Compact rows"));
    compact->setCheckable(true);
    compact->setChecked(settings->compactRows());
    QObject::connect(compact, &QAction::toggled, settings, &models::Settings::setCompactRows);
}

void addHelpMenu(MainWindow *window, models::Settings *settings, const QString &libpqVersion)
{
    FieldHelp::install();
    QMenu *menu = window->menuBar()->addMenu(MainWindow::tr("&Help"));
    addCommand(window, menu, MainWindow::tr("&Help for this page"), QKeySequence(Qt::Key_F1),
        [window] { HelpDialog::showTopic(window, window->currentPage()); });
    addCommand(window, menu, MainWindow::tr("What is this &field?"), QKeySequence(Qt::SHIFT | Qt::Key_F1), [window] {
        QWidget *focus = QApplication::focusWidget();
        FieldHelp::explain(focus != nullptr ? focus : window);
    });
    addCommand(
        window, menu, MainWindow::tr("&Take the tour"), {}, [window, settings] { Tour::begin(window, settings); });
    menu->addSeparator();
    QAction *shortcuts = addCommand(
        window, menu, MainWindow::tr("&Shortcuts"), {}, [window] { openDialog(new ShortcutsDialog(window)); });
    shortcuts->setShortcuts({ QKeySequence(Qt::Key_Question), QKeySequence(Qt::SHIFT | Qt::Key_Question) });
    addCommand(window, menu, MainWindow::tr("&What holds, and what does not"), {},
        [window] { HelpDialog::showTopic(window, u"safety"_s); });
    addCommand(window, menu, MainWindow::tr("&About Idemdesk"), {},
        [window, libpqVersion] { openDialog(new AboutDialog(libpqVersion, window)); });
}

} // namespace

void buildMenus(MainWindow *window, const WindowServices &services)
{
    addConnectionMenu(window, services.connection);
    addKeysMenu(window);
    addViewMenu(window, services.settings);
    addHelpMenu(window, services.settings, services.libpqVersion);
}

} // namespace idemdesk::ui
