// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"

#include <QString>
#include <QStringList>

namespace idemdesk::models {

/// Every piece of SQL in a profile that reading its table runs, without repetitions.
QStringList expressionsOf(const sql::Profile &profile);

/// The same as a person must see it before it runs: one piece a line, with its place in the profile, safe to show.
QString confirmationText(const sql::Profile &profile);

} // namespace idemdesk::models
