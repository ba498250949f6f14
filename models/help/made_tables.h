// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::models {

/// Tables of Markdown that pages of the help ask for, made from what the program itself goes by.
QString alertTable(); ///< the alert rules that every table has unless its profile says otherwise
QString metricTable(); ///< what charts, samples and alert rules can show
QString errorCodeTable(); ///< the error codes that are explained
QString runbookTable(); ///< the runbooks, when to open each, and which document it realises

/// A row of a table of Markdown; a bar in a cell is escaped.
QString markdownRow(const QStringList &cells);

} // namespace idemdesk::models
