// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cell.h"

#include <QString>

namespace idemdesk::models {

/// How many characters of a value a table cell, a tooltip and a text pane show before it is cut.
inline constexpr qsizetype kCellChars = 200;
inline constexpr qsizetype kToolTipChars = 1'000;

/// A hostile text made safe to show on one line: control, format, bidi, zero-width, private and unassigned characters,
/// lone surrogates and unusual spaces become visible escapes (\n, \t, \u202E, \U000E0041). A text longer than maxChars
/// is cut and ends in "…". The result never holds a line break.
QString displayText(const QString &text, qsizetype maxChars = kCellChars);

/// The same without a limit of length, keeping line feeds and tabs as they are: for panes that show a whole value.
QString displayBlock(const QString &text);

/// True if displayText() would change the text in another way than cutting it.
bool hasHiddenCharacters(const QString &text);

/// The beginning and the end with "…" between, for keys and hashes: both ends tell such values apart. At most maxChars
/// characters; never splits a surrogate pair.
QString middleElided(const QString &text, qsizetype maxChars);

/// One value as a table cell shows it: "" for NULL, the server's message for a failed expression.
QString cellText(const sql::Cell &cell, qsizetype maxChars = kCellChars);
/// One value as a tooltip says it: NULL, the empty text, the whole size of a value shown in part, and the server's
/// message are spelled out.
QString cellToolTip(const sql::Cell &cell);

} // namespace idemdesk::models
