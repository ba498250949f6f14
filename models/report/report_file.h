// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QJsonObject>
#include <QString>

namespace idemdesk::models {

/// Whether the name ends in .html, .pdf or .json, in which a report is written.
bool isReportName(const QString &path);

/// Writes a report as a new file, mode 0600: HTML, PDF or JSON by the name's ending. Gives the path. A PDF needs a
/// QGuiApplication. title: of the PDF.
sql::Result<QString> writeReport(
    const QString &path, const QString &title, const QString &html, const QJsonObject &json);

} // namespace idemdesk::models
