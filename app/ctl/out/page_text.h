// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::app {

/// A page of the help as it reads on a terminal: paragraphs and items in lines that fit, examples as they stand, and of
/// a table's row its first cell with the others below it.
QString pageText(const QString &markdown, int width);

} // namespace idemdesk::app
