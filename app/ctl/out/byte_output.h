// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <functional>

class QIODevice;

namespace idemdesk::app {

/// Writes a file's content on standard output: its bytes as they are; but on a terminal line by line, with control
/// characters escaped, because what a table holds must not steer it. `write` gives the number of rows.
sql::Result<qint64> writeToStandardOutput(const std::function<sql::Result<qint64>(QIODevice &)> &write);

} // namespace idemdesk::app
