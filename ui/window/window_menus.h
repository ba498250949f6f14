// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace idemdesk::ui {

class MainWindow;
struct WindowServices;

/// Fills the window's menu bar: every command of the window, with its keys.
void buildMenus(MainWindow *window, const WindowServices &services);

} // namespace idemdesk::ui
