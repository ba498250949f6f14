// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::sql {

/// What a login may do of what installing or upgrading the console needs.
struct InstallRights {
    static constexpr int kRoles = 6; ///< idemdesk_owner and the five that people and services get

    QString login;
    QString database;
    bool standby = false; ///< nothing can be written on this server
    int rolesMissing = 0; ///< of the console's six, which belong to the server
    bool createsRoles = false;
    bool givesRoles = false; ///< those that are there already: it grants one to itself while it installs
    bool createsSchema = false;
};

} // namespace idemdesk::sql
