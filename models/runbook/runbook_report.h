// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runbook/runbook_reader.h"
#include "sql/types/result.h"

#include <QJsonObject>

namespace idemdesk::models {

/// One runbook with its answers for a person who has no access to the database: a page without anything to load.
QString runbookHtml(const RunbookReport &report);
/// The same for programs, without the tables that could not be read.
QJsonObject runbookJson(const RunbookReport &report);

/// Writes it as a new file, mode 0600: HTML, PDF or JSON by the name's ending. Gives the path.
sql::Result<QString> writeRunbook(const RunbookReport &report, const QString &path);

} // namespace idemdesk::models
