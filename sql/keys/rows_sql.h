// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_record.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// A statement that reads just these rows, by their identity, for a person to paste into another program. Empty without
/// rows.
QString rowsSql(const QList<KeyRecord> &records, const Target &target);

} // namespace idemdesk::sql
