// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/page_reader.h"
#include "sql/provider/provider_target.h"

namespace idemdesk::models {

/// How far a request got that is not settled: asked for, sent, or in a state that the profile does not map.
QList<sql::ProviderState> notSettled();

/// One page of keys with what their rows tell of the provider.
struct OpenRequests {
    QList<sql::ProviderRow> rows;
    sql::Timestamp now; ///< the server's
    std::optional<sql::Cursor> next; ///< nothing: these were the last
    QStringList notes; ///< whole sentences: what could not be looked at, what it costs
    bool complete = true; ///< all rows could be looked at
};

/// Reads the page of `request`, of these states alone. Errors: those of readPage().
sql::Result<OpenRequests> readOpenRequests(sql::Session &session, const sql::ProviderTarget &provider,
    sql::PageRequest request, const QList<sql::ProviderState> &states);

} // namespace idemdesk::models
