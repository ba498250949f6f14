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
#include "ui/widgets/command_list.h"
#include "ui/widgets/questions.h"
#include "ui/window/main_window.h"
#include "ui/window/navigator.h"
#include "ui/window/palette_source.h"
#include "ui/window/rail.h"
#include "ui/window/tour.h"

#include <QActionGroup>
#include <QApplication>
#include <QMenuBar>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kZoomStep = 10; // percent

/// A menu of the window, whose commands are known by id.
class MenuOf
{
public:
    MenuOf(MainWindow *window, const QString &title)
        : m_window(window)
        , m_menu(window->menuBar()->addMenu(title))
        , m_place(CommandList::nameOf(m_menu->menuAction()))
    {
    }

    QMenu *menu() const { return m_menu; }

    template <typename Slot>
    QAction *add(const QString &id, const QString &text, const QList<QKeySequence> &keys, Slot slot)
    {
        QAction *action = m_menu->addAction(text);
        m_window->commands()->add(id, m_place, action, keys);
        QObject::connect(action, &QAction::triggered, m_window, slot);
        return action;
    }

    /// One of several values, of which the settings hold one.
    template <typename Choose>
    void addChoice(QMenu *menu, QActionGroup *group, const QString &id, const QString &text, bool chosen, Choose choose)
    {
        QAction *action = group->addAction(menu->addAction(text));
        action->setCheckable(true);
        action->setChecked(chosen);
        const QString place = m_place + u" · "_s + CommandList::nameOf(menu->menuAction());
        m_window->commands()->add(id, place, action);
        QObject::connect(action, &QAction::triggered, group, choose);
    }

private:
    MainWindow *m_window;
    QMenu *m_menu;
    QString m_place;
};

/// Enabled as things are, not only while its menu is open: the palette offers it, too.
void offerLeaving(MainWindow *window, models::ConnectionController *connection, QAction *leave)
{
    const auto offer = [window, connection, leave] {
        // What an action has begun is paused or cancelled first, in its strip.
        leave->setEnabled(connection->database() != nullptr && !window->actions()->busy());
    };
    using Center = models::ActionCenter;
    for (const auto signal : { &Center::changed, &Center::runnerChanged }) {
        QObject::connect(window->actions(), signal, leave, offer);
    }
    QObject::connect(connection, &models::ConnectionController::databaseChanged, leave, offer);
    offer();
}

void addConnectionMenu(MainWindow *window, models::ConnectionController *connection)
{
    MenuOf menu(window, MainWindow::tr("&Connection"));
    menu.add(u"connection.open"_s, MainWindow::tr("&Connect…"), { Qt::CTRL | Qt::Key_O },
        [window] { window->openConnect(); });
    menu.add(u"connection.window"_s, MainWindow::tr("Connect in a new &window…"), { Qt::CTRL | Qt::SHIFT | Qt::Key_O },
        [window] { emit window->windowWanted(); });
    QAction *groups = menu.add(u"connection.groups"_s, MainWindow::tr("&Groups…"), { Qt::CTRL | Qt::Key_G },
        [window] { window->openGroups(); });
    groups->setEnabled(window->hasGroups());
    QAction *leave = menu.add(u"connection.leave"_s, MainWindow::tr("&Disconnect"), {}, [window, connection] {
        if (!window->staysForGroup()) {
            connection->disconnectNow();
        }
    });
    offerLeaving(window, connection, leave);
    menu.add(u"connection.table"_s, MainWindow::tr("&Add table…"), { Qt::CTRL | Qt::Key_N },
        [window] { window->openAddTable(); });
    menu.add(
        u"connection.profile"_s, MainWindow::tr("Open a &profile file…"), {}, [window] { window->openProfileFile(); });
    menu.add(u"connection.look"_s, MainWindow::tr("&Look for tables again"), {},
        [connection] { connection->refreshTargets(); });
    menu.menu()->addSeparator();
    menu.add(u"actions.allow"_s, MainWindow::tr("Allow actions for 1&5 minutes"), {},
        [window] { window->actions()->allow(); });
    menu.add(u"actions.forbid"_s, MainWindow::tr("&Forbid actions"), {}, [window] { window->actions()->disallow(); });
    menu.add(u"actions.roles"_s, MainWindow::tr("&Roles…"), {}, [window] { window->openRoles(); });
    menu.add(u"actions.sampling"_s, MainWindow::tr("&Sampling…"), {}, [window] { window->openSampling(); });
    menu.menu()->addSeparator();
    menu.add(
        u"window.close"_s, MainWindow::tr("Close win&dow"), { Qt::CTRL | Qt::Key_W }, [window] { window->close(); });
    menu.add(
        u"window.quit"_s, MainWindow::tr("&Quit"), { Qt::CTRL | Qt::Key_Q }, [] { QApplication::closeAllWindows(); });
}

/// Pages have Ctrl+1 to 9; further ones take Shift with it and begin anew.
QKeySequence keysOfPage(int number)
{
    const int digit = Qt::Key_1 + (number - 1) % 9;
    return number <= 9 ? QKeySequence(Qt::CTRL | Qt::Key(digit)) : QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key(digit));
}

void addGoMenu(MainWindow *window)
{
    MenuOf menu(window, MainWindow::tr("&Go"));
    menu.add(u"palette"_s, MainWindow::tr("&Command palette…"), { Qt::CTRL | Qt::Key_K },
        [window] { window->palette()->open(); });
    Navigator *navigator = window->navigator();
    QAction *back = menu.add(u"back"_s, MainWindow::tr("&Back"), { Qt::ALT | Qt::Key_Left, Qt::Key_Back },
        [navigator] { navigator->back(); });
    QAction *forward = menu.add(u"forward"_s, MainWindow::tr("&Forward"), { Qt::ALT | Qt::Key_Right, Qt::Key_Forward },
        [navigator] { navigator->forward(); });
    const auto offer = [navigator, back, forward] {
        back->setEnabled(navigator->canBack());
        forward->setEnabled(navigator->canForward());
    };
    QObject::connect(navigator, &Navigator::changed, back, offer);
    offer();
    menu.menu()->addSeparator();
    auto *rail = window->findChild<Rail *>();
    int number = 0;
    for (const Page::Face &face : window->faces()) {
        const QString id = face.id;
        QAction *go
            = menu.add(u"go."_s + id, face.title, { keysOfPage(++number) }, [window, id] { window->showPage(id); });
        const auto offerPage = [window, face, go] {
            go->setText(window->titleOf(face));
            go->setVisible(window->offers(face.id));
            go->setEnabled(window->offers(face.id));
        };
        QObject::connect(window, &MainWindow::offersChanged, go, offerPage);
        offerPage();
    }
    const auto tell = [window, rail] {
        for (const Page::Face &face : window->faces()) {
            rail->setKeys(face.id, CommandList::keysText(*window->commands()->find(u"go."_s + face.id)));
        }
    };
    QObject::connect(window->commands(), &CommandList::keysChanged, rail, tell);
    tell();
}

void addFilterCommands(MainWindow *window, MenuOf *menu)
{
    Navigator *navigator = window->navigator();
    QAction *undo = menu->add(u"filter.undo"_s, MainWindow::tr("&Undo the filter"), { Qt::CTRL | Qt::Key_Z },
        [navigator] { navigator->undoFilter(); });
    QAction *redo = menu->add(u"filter.redo"_s, MainWindow::tr("&Redo the filter"),
        { Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_Y }, [navigator] { navigator->redoFilter(); });
    const auto offer = [navigator, undo, redo] {
        undo->setEnabled(navigator->canUndoFilter());
        redo->setEnabled(navigator->canRedoFilter());
    };
    QObject::connect(navigator, &Navigator::changed, undo, offer);
    offer();
}

void addKeysMenu(MainWindow *window)
{
    KeysPage *page = window->keysPage();
    const auto show = [window, page] { window->showPage(page->face().id); };
    MenuOf menu(window, MainWindow::tr("&Keys"));
    menu.add(u"keys.filter"_s, MainWindow::tr("&Filter"), { Qt::CTRL | Qt::Key_L, Qt::Key_Slash }, [page, show] {
        show();
        page->focusFilter();
    });
    addFilterCommands(window, &menu);
    menu.add(u"keys.jump"_s, MainWindow::tr("&Jump…"), { Qt::CTRL | Qt::Key_J }, [page, show] {
        show();
        page->openJump();
    });
    menu.add(u"keys.export"_s, MainWindow::tr("&Export…"), { Qt::CTRL | Qt::Key_E }, [page, show] {
        show();
        page->openExport();
    });
    menu.add(u"keys.detail"_s, MainWindow::tr("Show or hide the &detail"), { Qt::CTRL | Qt::Key_D },
        [page] { page->toggleDetail(); });
    menu.add(u"keys.stop"_s, MainWindow::tr("&Stop what is running"), { Qt::CTRL | Qt::Key_Period },
        [window] { window->browser()->cancel(); });
}

void addThemes(MenuOf *menu, QMenu *themes, models::Settings *settings)
{
    auto *group = new QActionGroup(themes);
    const std::tuple<QString, QString, models::Theme> entries[] = {
        { u"theme.system"_s, MainWindow::tr("As the &system"), models::Theme::System },
        { u"theme.light"_s, MainWindow::tr("&Light"), models::Theme::Light },
        { u"theme.dark"_s, MainWindow::tr("&Dark"), models::Theme::Dark },
        { u"theme.contrast_light"_s, MainWindow::tr("Light, high &contrast"), models::Theme::ContrastLight },
        { u"theme.contrast_dark"_s, MainWindow::tr("Dark, &high contrast"), models::Theme::ContrastDark },
    };
    for (const auto &[id, text, value] : entries) {
        menu->addChoice(themes, group, id, text, settings->theme() == value,
            [settings, chosen = value] { settings->setTheme(chosen); });
    }
}

void addTimes(MenuOf *menu, QMenu *times, models::Settings *settings)
{
    auto *group = new QActionGroup(times);
    const std::tuple<QString, QString, models::TimeDisplay> entries[] = {
        { u"times.server"_s, MainWindow::tr("In the &server's zone"), models::TimeDisplay::Server },
        { u"times.local"_s, MainWindow::tr("In this &computer's zone"), models::TimeDisplay::Local },
        { u"times.utc"_s, MainWindow::tr("In &UTC"), models::TimeDisplay::Utc },
    };
    for (const auto &[id, text, value] : entries) {
        menu->addChoice(times, group, id, text, settings->timeDisplay() == value,
            [settings, chosen = value] { settings->setTimeDisplay(chosen); });
    }
}

void addViewMenu(MainWindow *window, models::Settings *settings)
{
    MenuOf view(window, MainWindow::tr("&View"));
    view.add(u"view.refresh"_s, MainWindow::tr("&Refresh"), { Qt::Key_F5 }, [window] { window->refreshPage(); });
    addThemes(&view, view.menu()->addMenu(MainWindow::tr("&Theme")), settings);
    addTimes(&view, view.menu()->addMenu(MainWindow::tr("T&imes")), settings);
    QAction *compact = view.add(u"view.compact"_s, MainWindow::tr("&Compact rows"), {}, [] {});
    compact->setCheckable(true);
    compact->setChecked(settings->compactRows());
    QObject::connect(compact, &QAction::toggled, settings, &models::Settings::setCompactRows);
    view.menu()->addSeparator();
    // A plus needs Shift on most keyboards; the key itself is the equals sign.
    view.add(u"view.larger"_s, MainWindow::tr("&Larger text"), { Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal },
        [settings] { settings->setTextZoom(settings->textZoom() + kZoomStep); });
    view.add(u"view.smaller"_s, MainWindow::tr("&Smaller text"), { Qt::CTRL | Qt::Key_Minus },
        [settings] { settings->setTextZoom(settings->textZoom() - kZoomStep); });
    view.add(u"view.usual"_s, MainWindow::tr("&Usual text size"), { Qt::CTRL | Qt::Key_0 },
        [settings] { settings->setTextZoom(100); });
    view.menu()->addSeparator();
    view.add(u"view.wall"_s, MainWindow::tr("&Wall display"), { Qt::Key_F11 }, [window] {
        window->setKiosk(!window->kiosk());
        window->kiosk() ? window->showFullScreen() : window->showNormal();
    });
}

void addHelpMenu(MainWindow *window, models::Settings *settings, const QString &libpqVersion)
{
    FieldHelp::install();
    MenuOf menu(window, MainWindow::tr("&Help"));
    menu.add(u"help.page"_s, MainWindow::tr("&Help for this page"), { Qt::Key_F1 },
        [window] { HelpDialog::showTopic(window, window->currentPage()); });
    menu.add(u"help.field"_s, MainWindow::tr("What is this &field?"), { Qt::SHIFT | Qt::Key_F1 }, [window] {
        QWidget *focus = QApplication::focusWidget();
        FieldHelp::explain(focus != nullptr ? focus : window);
    });
    menu.add(
        u"help.tour"_s, MainWindow::tr("&Take the tour"), {}, [window, settings] { Tour::begin(window, settings); });
    menu.add(u"help.shortcuts"_s, MainWindow::tr("&Shortcuts…"), { Qt::Key_Question, Qt::SHIFT | Qt::Key_Question },
        [window] { openDialog(new ShortcutsDialog(window->commands(), window)); });
    menu.add(u"help.safety"_s, MainWindow::tr("&What holds, and what does not"), {},
        [window] { HelpDialog::showTopic(window, u"safety"_s); });
    menu.add(u"help.about"_s, MainWindow::tr("&About Idemdesk"), {},
        [window, libpqVersion] { openDialog(new AboutDialog(libpqVersion, window)); });
}

} // namespace

void buildMenus(MainWindow *window, const WindowServices &services)
{
    addConnectionMenu(window, services.connection);
    addGoMenu(window);
    addKeysMenu(window);
    addViewMenu(window, services.settings);
    addHelpMenu(window, services.settings, services.libpqVersion);
}

} // namespace idemdesk::ui
