// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"

namespace idemdesk::models {

/// Why a login may not act on this server, as a sentence; empty where it may. status: of that login. readOnly: the
/// person marked the connection as such.
QString whyNotAct(const sql::ConsoleStatus &status, bool readOnly, const QString &login);

} // namespace idemdesk::models
