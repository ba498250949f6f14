// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace idemdesk::sql {

/// Whether a spreadsheet could take this text (UTF-8) for a formula: behind blanks, control characters, characters
/// without width and quotes it begins with = + - @ | or %, or with one of their wide or small forms. One rule for all
/// that leaves the console as a table.
bool isFormula(const char *text, qsizetype size);

/// A text as a cell of a file or of the clipboard: what could be a formula gets an apostrophe in front.
QString neutralCell(const QString &text);

/// Appends one cell of a CSV file (RFC 4180): quoted where needed, the empty text as a pair of quotes. `number`: it
/// comes from a column of numbers or times and keeps its minus; all else that could be a formula is neutralised.
void appendCsvCell(QByteArray &out, const char *text, qsizetype size, bool number);

} // namespace idemdesk::sql
