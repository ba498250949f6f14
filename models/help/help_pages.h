// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::models {

/// The page about what the console can hold and what it cannot, as Markdown.
QString safetyPage();

} // namespace idemdesk::models
