// SPDX-License-Identifier: GPL-3.0-or-later
// JSON where no tree is wanted: rows that are written one after another, by the million.
#pragma once

#include <QByteArray>

namespace idemdesk::sql {

/// The text as a JSON string, with its quotes.
void appendJsonString(QByteArray &out, const char *utf8, qsizetype size);

/// One JSON value and nothing else, as it may stand in the middle of a line.
bool isJsonValue(const QByteArray &text);

/// JSON's own form of a number: the server's NaN and Infinity are none, nor is anything odd.
bool isJsonNumber(const QByteArray &text);

} // namespace idemdesk::sql
