// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"

#include <QString>

namespace idemdesk::app {

/// The whole id of an action, from it or from a beginning of at least four letters that no other action has. Else an
/// error of usage that names what fits.
sql::Result<QString> wholeActionId(sql::Session &session, const QString &written);

} // namespace idemdesk::app
