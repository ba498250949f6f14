// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/session/server_clock.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

Result<Timestamp> serverNow(Session &session)
{
    TRY(const auto row, session.one({ u"SELECT pg_catalog.now()"_s, {} }));
    return Timestamp::parse(row.first().text).value_or(Timestamp());
}

} // namespace idemdesk::sql
