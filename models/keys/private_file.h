// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QIODevice>
#include <functional>

namespace idemdesk::models {

/// Writes a file that only its owner may read and that appears under its name only when it is complete. An error of the
/// writer, or of the disk, leaves what stood there before.
sql::Result<qint64> writePrivateFile(const QString &path, const std::function<sql::Result<qint64>(QIODevice &)> &write);

/// A file could not be written: disk full, permission, missing folder.
sql::Error fileError(const QString &path, const QString &reason, bool diskFull);

} // namespace idemdesk::models
