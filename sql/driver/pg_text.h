// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::sql {

/// Text as the server sent it. Bytes that are no UTF-8 (a database in SQL_ASCII sends what it stored) show as \xNN
/// instead of being lost.
QString decodeText(const char *bytes, qsizetype size);

/// The text with every control, format, bidi and separator character (Cc, Cf, Zl, Zp, lone surrogates) as a visible
/// escape such as \n or \u202E, so that a message can neither hide nor forge anything where it is shown or logged.
QString escapeControls(const QString &text);

} // namespace idemdesk::sql
