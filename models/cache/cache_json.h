// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cache.h"
#include "sql/types/target.h"

#include <QJsonArray>
#include <QJsonObject>

namespace idemdesk::models {

/// What the cache has under one name.
QJsonObject cacheEntryJson(const sql::CacheEntry &entry, const std::optional<sql::KeyState> &cached);
/// One disagreement, with the rows.
QJsonObject cacheFindingJson(const sql::CacheFinding &finding, const sql::Target &target);
/// All but the disagreements themselves, as programs read it.
QJsonObject cacheReportJson(const sql::CacheReport &report);

} // namespace idemdesk::models
