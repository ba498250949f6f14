// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/audit/trail_check.h"

#include "models/format/quantities.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(idemdesk::models::TrailCheck)
};

} // namespace

sql::Result<TrailCheck> checkTrail(sql::Session &session, AnchorStore *store)
{
    TrailCheck check;
    const auto chain = sql::verifyAudit(session);
    if (!chain) {
        return chain.error();
    }
    check.chain = *chain;
    const auto head = sql::readAnchor(session);
    if (!head) {
        return head.error();
    }
    check.head = *head;
    check.seen = store->anchorOf(head->systemId, head->databaseOid);
    if (!store->readable()) {
        check.anchorState = AnchorState::Unreadable;
    } else if (check.seen) {
        const auto hash = sql::readHashAt(session, check.seen->seq);
        if (!hash) {
            return hash.error();
        }
        check.anchorState = hash->isEmpty() ? AnchorState::CutOff : *hash == check.seen->hash ? AnchorState::Matches : AnchorState::Rewritten;
    }
    // The note of a trail that was tampered with is the evidence; it stays.
    if (check.whole() && check.head.seq > 0 && store->readable()) {
        if (const auto kept = store->keep(check.head); !kept) {
            return kept.error();
        }
    }
    return check;
}

QString TrailCheck::sentence() const
{
    if (!chain.intact) {
        return Tr::tr("The trail was altered at row %1: %2.").arg(countText(chain.firstBad), chain.problem);
    }
    switch (anchorState) {
    case AnchorState::CutOff:
        return Tr::tr("The end of the trail is gone: this computer saw row %1 at %2, and the trail now ends at row %3. Either it was cut off, or an older "
                      "backup of the database was restored.")
            .arg(countText(seen->seq), seen->at.toRfc3339(), countText(head.seq));
    case AnchorState::Rewritten:
        return Tr::tr("The trail was written anew: row %1 is not the one that this computer saw at %2.").arg(countText(seen->seq), seen->at.toRfc3339());
    case AnchorState::Unreadable:
        return Tr::tr("The trail is whole by itself; rows checked: %1. What this computer saw of it before cannot be read.").arg(countText(chain.checked));
    case AnchorState::None:
        return Tr::tr("The trail is whole by itself; rows checked: %1. This computer sees it for the first time, so a cut end would not have shown.")
            .arg(countText(chain.checked));
    case AnchorState::Matches:
        break;
    }
    return Tr::tr("The trail is whole, and is the one that this computer saw before; rows checked: %1.").arg(countText(chain.checked));
}

} // namespace idemdesk::models
