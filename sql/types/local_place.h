// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::sql {

/// Where something about one database is kept on this computer.
struct LocalPlace {
    QString file; ///< SQLite; empty: nowhere
    QString server; ///< "database on host:port as user"

    bool kept() const { return !file.isEmpty() && !server.isEmpty(); }
};

} // namespace idemdesk::sql
