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

/// What an export of references came to.
struct WrittenReferences {
    QString path;
    qint64 written = 0; ///< lines, without the heading
    qint64 without = 0; ///< keys that have no reference yet, or one that cannot be read: they are left out
    bool complete = true; ///< all rows could be looked at
};

/// Writes the references of all requests in these states, the oldest first, with time, amount and currency: what one
/// asks a provider about. CSV, for its owner alone. Errors: those of readPage(), and of the disk.
sql::Result<WrittenReferences> writeReferences(sql::Session &session, const sql::ProviderTarget &provider,
    sql::PageRequest request, const QList<sql::ProviderState> &states, const QString &path);

} // namespace idemdesk::models
