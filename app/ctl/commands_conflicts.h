// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "sql/types/local_place.h"

namespace idemdesk::app {

/// The options of `conflicts import`.
QList<Option> importOptions();

/// `conflicts import`: files, folders, standard input and the server's own log.
Exit importLogs(const Context &context);

/// Where the conflicts of a database without the console schema are kept.
sql::LocalPlace placeOfConflicts(const sql::Session &session);

} // namespace idemdesk::app
