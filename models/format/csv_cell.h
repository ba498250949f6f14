// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace idemdesk::models {

/// One cell of a CSV file in UTF-8, quoted where needed. What a spreadsheet would run as a formula, also behind blanks, is neutralised
/// with an apostrophe.
QByteArray csvCell(const QString &text);

} // namespace idemdesk::models
