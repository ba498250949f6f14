// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/window_set.h"

#include "app/desktop/notifier.h"
#include "models/connection/connection_controller.h"
#include "ui/window/main_window.h"

#include <QPointer>
#include <QTimer>

namespace idemdesk::app {

namespace {

constexpr QPoint kBeside { 32, 32 }; // pixels

} // namespace

/// The connection outlives its window, which works with it to its end.
struct WindowSet::Member {
    explicit Member(const QString &profiles)
        : connection(profiles)
    {
    }
    ~Member() { delete window; }

    models::ConnectionController connection;
    QPointer<ui::MainWindow> window;
};

WindowSet::WindowSet(ui::WindowServices shared, QString profiles, Notifier *notifier)
    : m_shared(std::move(shared))
    , m_profiles(std::move(profiles))
    , m_notifier(notifier)
{
}

WindowSet::~WindowSet() = default;

ui::MainWindow *WindowSet::open(const ui::MainWindow *beside)
{
    forgetClosed();
    m_members.push_back(std::make_unique<Member>(m_profiles));
    Member &member = *m_members.back();
    ui::WindowServices services = m_shared;
    services.connection = &member.connection;
    member.window = new ui::MainWindow(services);
    member.window->setAttribute(Qt::WA_DeleteOnClose);
    member.window->move(beside->pos() + kBeside);
    follow(member.window);
    member.window->show();
    QTimer::singleShot(0, member.window, &ui::MainWindow::openConnect);
    return member.window;
}

void WindowSet::follow(ui::MainWindow *window)
{
    QObject::connect(window, &ui::MainWindow::windowWanted, window, [this, window] { open(window); });
    QObject::connect(window, &ui::MainWindow::alertRaised, window,
        [this](const QString &title, const QString &text) { m_notifier->show(title, text); });
}

void WindowSet::forgetClosed()
{
    std::erase_if(m_members, [](const std::unique_ptr<Member> &member) { return member->window == nullptr; });
}

} // namespace idemdesk::app
