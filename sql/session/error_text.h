// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/driver/pg_driver.h"
#include "sql/types/error.h"

namespace idemdesk::sql {

/// Turns a driver failure into an Error in plain words: kind from the SQLSTATE (manual, appendix A) or from libpq's
/// message where there is none; `what` is the caller's sentence.
Error errorFrom(const PgFailure &failure, const QString &what);

/// The same for a failed connect: says whether host, TLS, password, database or rights were the trouble.
/// passwordWithheld: there was one, and it was not to go to a server that is not verified.
Error connectErrorFrom(const PgFailure &failure, bool passwordWithheld = false);

} // namespace idemdesk::sql
