// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace idemdesk::models {

/// One cell of a CSV file in UTF-8 by the one rule for spreadsheets (sql/types/spreadsheet.h); nothing for the empty
/// text.
QByteArray csvCell(const QString &text);

} // namespace idemdesk::models
