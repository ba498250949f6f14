// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// The place of the finding that tells which rights lack, as statements that their owners can run.
inline const QString kRightsPath = QStringLiteral("$");

/// Binds a profile to the live table: reads the catalogue, plans every expression once and learns its type. Problems
/// that leave the target readable are findings; what makes it unreadable (no such table, key expression broken) is the
/// Error. A role whose expression cannot be planned is dropped from the bound profile, with a finding.
Result<Target> bindTarget(Session &session, const Profile &profile);

/// The full check behind `targets check` and the mapping form: bindTarget's findings and more: identity really unique,
/// types fit their roles, states that occur but are not mapped (sampled, bounded), effects and rules plan, volatile
/// functions, orders without an index, row security, privileges. Reads only.
Result<QList<Finding>> validateTarget(Session &session, const Profile &profile);

} // namespace idemdesk::sql
