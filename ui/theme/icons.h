// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/tokens.h"

#include <QIcon>
#include <QString>

namespace idemdesk::ui {

/// One of the console's monochrome SVG icons ("keys", "refresh"), tinted at paint time: in the text colour of the theme
/// in force, or in a token's. An unknown name is an empty icon.
QIcon themedIcon(const QString &name, std::optional<Token> token = std::nullopt);

/// The program's own icon, in colour.
QIcon applicationIcon();

} // namespace idemdesk::ui
