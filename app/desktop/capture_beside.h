// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/capture_script.h"

namespace idemdesk::ui {
class MainWindow;
}

namespace idemdesk::app {

/// The stops of what stands beside the database: the cache in front of it, and the provider behind it. `suffix` ends
/// the pictures' names.
void addCacheStops(CaptureScript &script, ui::MainWindow &window, const QString &suffix);
void addProviderStops(CaptureScript &script, ui::MainWindow &window, const QString &suffix);

} // namespace idemdesk::app
