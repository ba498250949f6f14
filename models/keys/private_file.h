// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QIODevice>
#include <functional>
#include <optional>

namespace idemdesk::models {

enum class FileThere { Replace, Refuse }; ///< what to do where a file of that name is there already

/// Writes a file that only its owner may read, from its first byte on, and that appears under its name only when it is
/// complete and on the disk. An error of the writer, or of the disk, leaves what stood there before. No link is
/// followed. Every file that the programs write goes through here (or sql/local/private_database.h).
sql::Result<qint64> writePrivateFile(const QString &path, const std::function<sql::Result<qint64>(QIODevice &)> &write,
    FileThere there = FileThere::Replace);
/// The same for bytes that are at hand; gives how many.
sql::Result<qint64> writePrivateFile(
    const QString &path, const QByteArray &bytes, FileThere there = FileThere::Replace);

/// What such a file holds; nothing where there is none. A link, what is no file, and another person's file are errors.
sql::Result<std::optional<QByteArray>> readPrivateFile(const QString &path);

/// Makes sure that a file which a library will write by its name is this user's own, a file and no link, and that only
/// its owner may read it. Where there is none an empty one is made.
sql::Result<void> claimPrivateFile(const QString &path);

/// A file could not be written: disk full, permission, missing folder.
sql::Error fileError(const QString &path, const QString &reason, bool diskFull);

} // namespace idemdesk::models
