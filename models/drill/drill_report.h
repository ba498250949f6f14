// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/drill/drill_runner.h"
#include "sql/types/result.h"

#include <QJsonObject>

namespace idemdesk::models {

/// "6 passed, 1 failed, 1 does not apply."
QString drillSummary(const DrillReport &report);
/// A drill for a person who has no access to the database: a page without anything to load.
QString drillHtml(const DrillReport &report);
/// The same for programs.
QJsonObject drillJson(const DrillReport &report);
/// The statements that a drill would run, each with what it is for.
QList<std::pair<QString, QString>> drillStatements(const sql::DrillSpec &spec);

/// Writes it as a new file, mode 0600: HTML, PDF or JSON by the name's ending. Gives the path.
sql::Result<QString> writeDrill(const DrillReport &report, const QString &path);

} // namespace idemdesk::models
