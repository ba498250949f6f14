// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/settings.h"
#include "sql/types/target.h"

namespace idemdesk::models {

/// Views that every table of its kind comes with: the operational queries of the seeds (001 §19) that its columns can
/// answer.
QList<SavedView> readyViews(const sql::Target &target);

} // namespace idemdesk::models
