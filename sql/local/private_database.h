// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::sql {

/// Makes the file of a database on this computer, where it is not there, and sees to it that only its owner may read
/// it; SQLite gives the files that it makes beside it the same mode. A link is not followed. Empty, or why it failed.
QString makePrivateDatabase(const QString &path);

} // namespace idemdesk::sql
