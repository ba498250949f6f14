// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "sql/cache/redis_session.h"

namespace idemdesk::app {

/// --cache: where the Redis in front of the table is.
Option cacheOption();
/// --cache, or IDEMDESK_CACHE; empty: neither says.
QString cacheUrl(const Context &context);
/// Opens it, with the password of IDEMDESK_CACHE_PASSWORD.
sql::Result<std::unique_ptr<sql::RedisSession>> openCache(const Context &context, const sql::StopAsked &stop);

} // namespace idemdesk::app
