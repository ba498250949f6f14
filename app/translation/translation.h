// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace idemdesk::app {

/// Installs the English plural forms ("1 row", "2 rows") on the running application; call it once, early, on the main
/// thread. Texts without a number stand in the source as they are shown.
void installTranslations();

} // namespace idemdesk::app
