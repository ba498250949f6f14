// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_page.h"

#include <QString>

namespace idemdesk::models {

/// "45 s", "12 min", "3 h 20 min", "3 d 4 h", "2 y 30 d"; at most two units. A negative one has a leading minus sign.
QString durationText(qint64 seconds);
/// "0.4 ms", "12 ms", "1.2 s", "3 min 5 s": how long something took.
QString tookText(qint64 micros);

/// Grouped by the locale: "10,000".
QString countText(qint64 rows);
/// "1 row", "10,000 rows".
QString rowsText(qint64 rows);
/// "10,000+" where at least, "about 9.8 M" where estimated, "" where nothing is known.
QString countText(const sql::RowCount &count);
/// Three significant digits at most: "9.8 M", "12 k", "640".
QString shortCountText(double rows);
/// "1.4 GiB", "12 KiB", "640 B"; "" for a negative number.
QString bytesText(qint64 bytes);
/// "12,400 rows/s".
QString rateText(double rowsPerSecond);

} // namespace idemdesk::models
