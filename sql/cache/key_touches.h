// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/actions/action_gateway.h"
#include "sql/session/session.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// What people did to a key through the console, newest first.
struct KeyTouches {
    QList<KeyTouch> all;
    /// Whether releases of its claim in the cache are among them. They are told to those who may read the whole table,
    /// and where the name of its entry is known.
    bool releasesTold = true;
};

/// Actions on the row, and releases of its entry in the cache where the profile has one. name: under which the trail
/// has the table. Runs on the calling thread and reads only.
Result<KeyTouches> readKeyTouches(Session &session, const QString &name, const Target &target, const KeyRecord &record);

} // namespace idemdesk::sql
