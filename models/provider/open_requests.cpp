// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/open_requests.h"

#include "sql/keys/unseen.h"

namespace idemdesk::models {

QList<sql::ProviderState> notSettled()
{
    return { sql::ProviderState::Requested, sql::ProviderState::Sent, sql::ProviderState::Unknown };
}

sql::Result<OpenRequests> readOpenRequests(sql::Session &session, const sql::ProviderTarget &provider,
    sql::PageRequest request, const QList<sql::ProviderState> &states)
{
    request.filter.terms += provider.ofStates(states);
    TRY(const auto page, sql::readPage(session, provider.target(), request));
    OpenRequests open;
    open.now = page.now;
    open.notes = page.notes + provider.notRead();
    const QStringList unseen = sql::unseenNotes(provider.target());
    for (const QString &text : unseen) {
        open.notes += open.notes.contains(text) ? QStringList() : QStringList { text };
    }
    open.complete = unseen.isEmpty();
    for (const sql::KeyRecord &record : page.rows) {
        open.rows += provider.row(record);
    }
    if (page.more && !page.rows.isEmpty()) {
        const sql::KeyRecord &last = page.rows.constLast();
        open.next = sql::Cursor { last.orderValue, last.identity };
    }
    return open;
}

} // namespace idemdesk::models
