// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/key_record.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// The rows with these identities that are still there, in no order, with their large roles cut to so many characters.
Result<QList<KeyRecord>> readBodies(
    Session &session, const Target &target, const QList<Cells> &identities, qint64 characters);

} // namespace idemdesk::sql
