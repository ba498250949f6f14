// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/capture_script.h"

#include <QStringList>

namespace idemdesk::models {
class ConnectionController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {
class MainWindow;
}

namespace idemdesk::app {

/// What a walk can be narrowed to: the parts of the window, "light" and "dark".
QStringList captureParts();

/// Fills the script with every page and dialog of the window on the demo's tables, in light and then in dark; `parts`
/// are some of captureParts(), or none for all of them.
void addDemoStops(CaptureScript &script, ui::MainWindow &window, models::ConnectionController &connection,
    models::Settings &settings, const QStringList &parts);

} // namespace idemdesk::app
