// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/statement_map.h"

class QSettings;

namespace idemdesk::models {

/// The map that a provider's statements were last read by, as it was said; empty where none is remembered, or it is
/// none any more.
StatementMap rememberedMap(const QSettings &settings, const QString &provider);
/// Remembers it; gives false where the settings could not be written.
bool rememberMap(QSettings *settings, const QString &provider, const StatementMap &map);

} // namespace idemdesk::models
