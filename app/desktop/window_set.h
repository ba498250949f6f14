// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/window_services.h"

#include <memory>
#include <vector>

namespace idemdesk::ui {
class MainWindow;
}

namespace idemdesk::app {

class Notifier;

/// Windows beside the first one, each with a connection of its own. They share what is saved and set.
class WindowSet final
{
public:
    /// shared: its connection is not used. profiles: the person's folder of them.
    WindowSet(ui::WindowServices shared, QString profiles, Notifier *notifier);
    ~WindowSet();

    /// A window that asks what to connect to, a little below `beside`. It goes when it is closed.
    ui::MainWindow *open(const ui::MainWindow *beside);
    void follow(ui::MainWindow *window); ///< opens another one where it wants one; its alerts become notifications

private:
    struct Member;

    void forgetClosed();

    ui::WindowServices m_shared;
    QString m_profiles;
    Notifier *m_notifier;
    std::vector<std::unique_ptr<Member>> m_members;
};

} // namespace idemdesk::app
