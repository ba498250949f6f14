// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIODevice>
#include <QString>
#include <QStringList>

namespace idemdesk::models {

// What every report that leaves the console is made of: one HTML page without anything to load, every text escaped,
// and the same page as a PDF.

/// A text of the database, or any other, as it may stand in the page.
QString reportText(const QString &text, int most = 2'000);
/// A row of a table, whose cells are HTML.
QString reportRow(const QStringList &cells, const char16_t *tag = u"td");
QString reportTable(const QStringList &header, const QStringList &rows);
QString reportHeading(const QString &text);
QString reportParagraph(const QString &text);
/// The whole page: title for the window of a browser, body is HTML.
QString reportPage(const QString &title, const QString &body);

/// A page as a PDF (A4, page numbers). Needs a QGuiApplication, for its fonts. False where the device could not be
/// written.
bool writeReportPdf(const QString &title, const QString &html, QIODevice *device);

} // namespace idemdesk::models
