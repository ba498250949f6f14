// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/capture_script.h"

namespace idemdesk::ui {
class MainWindow;
}

namespace idemdesk::app {

/// The stops from a conflict or a complaint to a verdict, on the demo's tables; `suffix` ends the pictures' names.
void addConflictStops(CaptureScript &script, ui::MainWindow &window, const QString &suffix);
void addComplaintStops(CaptureScript &script, ui::MainWindow &window, const QString &suffix);

} // namespace idemdesk::app
