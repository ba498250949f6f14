// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace idemdesk::ui {

/// Tells assistive technology what the widgets are that the console paints itself, and names what Qt leaves without a
/// name there: choosers, which it names by their value alone, and the buttons that empty a field. Installs itself once.
void installAccessibleFaces();

} // namespace idemdesk::ui
