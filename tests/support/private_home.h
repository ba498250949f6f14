// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::tests {

/// From now on what this program and those it starts keep of a person (XDG_DATA_HOME, XDG_CONFIG_HOME) goes into a
/// folder that ends with it. Clusters are copies of one: what another run noted of its cluster would be said of this
/// one's. And what a developer keeps is not the tests'. Gives the folder; to be called before anything is kept.
QString privateHome();

} // namespace idemdesk::tests
