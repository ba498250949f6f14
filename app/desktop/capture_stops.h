// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/capture_script.h"

namespace idemdesk::models {
class ConnectionController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {
class MainWindow;
}

namespace idemdesk::app {

/// Fills the script with every page and dialog of the window on the demo's tables, in light and then in dark.
void addDemoStops(CaptureScript &script, ui::MainWindow &window, models::ConnectionController &connection,
    models::Settings &settings);

} // namespace idemdesk::app
