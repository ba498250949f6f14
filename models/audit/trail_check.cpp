// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/audit/trail_check.h"

#include "models/format/quantities.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

sql::Result<TrailCheck> compared(sql::Session &session, AnchorStore *store, TrailCheck check)
{
    TRY(const auto head, sql::readAnchor(session));
    check.head = head;
    check.seen = store->anchorOf(head.systemId, head.databaseOid);
    if (!store->readable()) {
        check.anchorState = AnchorState::Unreadable;
    } else if (check.seen) {
        TRY(const auto hash, sql::readHashAt(session, check.seen->seq));
        check.anchorState = hash.isEmpty() ? AnchorState::CutOff
            : hash == check.seen->hash     ? AnchorState::Matches
                                           : AnchorState::Rewritten;
        if (check.anchorState == AnchorState::Matches && check.head.seq < check.seen->seq) {
            check.anchorState = AnchorState::CutOff; // the row is there, but the chain no longer counts it
        }
        if (check.anchorState == AnchorState::CutOff) {
            TRY(check.lastRow, sql::readLastSeq(session));
        }
    }
    // The note of a trail that was tampered with is the evidence; it stays.
    const bool news = !check.seen || check.seen->seq != check.head.seq || check.seen->hash != check.head.hash;
    if (check.whole() && check.head.seq > 0 && store->readable() && news) {
        TRY(store->keep(check.head));
    }
    return check;
}

} // namespace

sql::Result<TrailCheck> checkTrail(sql::Session &session, AnchorStore *store)
{
    TRY(const auto chain, sql::verifyAudit(session));
    TrailCheck check;
    check.walked = true;
    check.chain = chain;
    return compared(session, store, check);
}

sql::Result<TrailCheck> glanceAtTrail(sql::Session &session, AnchorStore *store)
{
    return compared(session, store, {});
}

QStringList TrailCheck::findings() const
{
    QStringList found;
    // What this computer saw cannot have been tampered with from over there, so it weighs most.
    if (anchorState == AnchorState::CutOff) {
        // A head that was left as it was does not bring its row back.
        const QString end = lastRow >= head.seq
            ? Tr::tr("and the audit log now ends at row %1.").arg(countText(head.seq))
            : Tr::tr("and the audit log now ends at row %1, while its head still says row %2.")
                  .arg(countText(lastRow), countText(head.seq));
        found += Tr::tr("The end of the audit log is gone: this computer saw row %1 at %2, %3")
                     .arg(countText(seen->seq), seen->at.toRfc3339(), end);
    } else if (anchorState == AnchorState::Rewritten) {
        found += Tr::tr("The audit log was rewritten: row %1 is not the one that this computer saw at %2.")
                     .arg(countText(seen->seq), seen->at.toRfc3339());
    }
    for (const sql::AuditProblem &problem : chain.problems) {
        found += problem.inChain
            ? Tr::tr("The audit log was tampered with at row %1: %2.").arg(countText(problem.seq), problem.text)
            : problem.seq > 0 ? Tr::tr("A table does not agree with row %1 of the audit log: %2.")
                                    .arg(countText(problem.seq), problem.text)
                              : Tr::tr("A table holds what no row of the audit log says: %1.").arg(problem.text);
    }
    return found;
}

QString TrailCheck::sentence() const
{
    if (const QStringList found = findings(); !found.isEmpty()) {
        return found.join(u'\n');
    }
    if (!walked) {
        return anchorState == AnchorState::Matches
            ? Tr::tr("The audit log continues the one that this computer saw before. Its rows were not checked now.")
            : anchorState == AnchorState::None
            ? Tr::tr("This computer sees the audit log for the first time. Its rows were not checked now.")
            : Tr::tr("What this computer saw of the audit log before cannot be read.");
    }
    if (anchorState == AnchorState::Unreadable) {
        return Tr::tr("Audit log verified: %1. What this computer saw of it before cannot be read.")
            .arg(rowsText(chain.checked));
    }
    if (anchorState == AnchorState::None) {
        return Tr::tr("Audit log verified: %1. This computer sees it for the first time, so a cut end would not show.")
            .arg(rowsText(chain.checked));
    }
    return Tr::tr("Audit log verified: %1.").arg(rowsText(chain.checked));
}

QString TrailCheck::meaning() const
{
    if (whole()) {
        return {};
    }
    QStringList said;
    const bool chainBroken = walked && !chain.chainIntact();
    if (chainBroken) {
        const qint64 bad = chain.problems.constFirst().seq;
        said += bad > 1 ? Tr::tr("Rows 1 to %1 fit together; later ones prove nothing until this is explained.")
                              .arg(countText(bad - 1))
                        : Tr::tr("No row is proven.");
    } else if (walked && continues()) {
        said += Tr::tr("The audit log itself is intact: believe its rows, not the tables.");
    }
    if (!continues()) {
        said += Tr::tr(
            "A superuser tampered with it, or an older backup was restored, or the console was installed again.");
        said += Tr::tr("Tell whoever is responsible for the database; this computer keeps its note as evidence.");
    } else {
        said += Tr::tr("Only a superuser, or a member of idemdesk_owner, could do that.");
        said += Tr::tr("Tell whoever is responsible for the database, and compare with a backup.");
    }
    return said.join(u' ');
}

QList<sql::GuardFinding> TrailCheck::guardFindings() const
{
    QList<sql::GuardFinding> found;
    const QStringList texts = findings();
    for (const QString &text : texts) {
        found.append({ true, continues() ? u"chain"_s : u"anchor"_s, text, meaning() });
    }
    if (anchorState == AnchorState::Unreadable) {
        found.append({ false, u"anchor"_s, Tr::tr("What this computer saw of the audit log before cannot be read."),
            Tr::tr("Fix or move away the file in which this computer notes the heads of audit logs.") });
    }
    return found;
}

} // namespace idemdesk::models
