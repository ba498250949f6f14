// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/activity/replication.h"
#include "sql/health/health_checks.h"
#include "sql/keys/render.h"
#include "sql/regions/replication_link.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql::health {

namespace {

constexpr double kMostLagSeconds = 60; // older answers mislead whoever looks a key up on a standby
constexpr qint64 kMostKeptBytes = qint64(1) << 30; // of the log, for nobody: a disk fills up by such slots

HealthFinding replicationFinding(HealthLevel level, const QString &defect, const QString &seen, const QString &why)
{
    HealthFinding finding { u"replication"_s, level, Tr::tr("Replication keeps up"), seen, why, {} };
    finding.defect = defect;
    return finding;
}

Findings ofSubscriptions(const QList<Subscription> &subscriptions)
{
    Findings findings;
    const QString late = Tr::tr("Rows of the other side do not arrive, so that a retry here may run again.");
    for (const Subscription &subscription : subscriptions) {
        const QString name = quoteIdentifier(subscription.name);
        const qint64 errors = subscription.applyErrors.value_or(0);
        if (!subscription.enabled) {
            findings += replicationFinding(HealthLevel::Problem, Tr::tr("A subscription is switched off"),
                Tr::tr("The subscription %1 is disabled.").arg(name), late);
            findings.last().sql = enableSubscriptionSql(subscription.name);
        } else if (!subscription.running) {
            findings += replicationFinding(HealthLevel::Problem, Tr::tr("A subscription does not run"),
                Tr::tr("The subscription %1 has no worker.").arg(name),
                late + u' ' + Tr::tr("The server's log says what stopped it."));
        } else if (errors > 0) {
            findings += replicationFinding(HealthLevel::Advice, Tr::tr("A subscription had errors"),
                Tr::tr("The subscription %1 failed %2 times since the server counts.").arg(name, grouped(errors)),
                Tr::tr("Each failure stops it for a while. The server's log has the rows."));
        }
    }
    return findings;
}

Findings ofSlots(const QList<HeldSlot> &held)
{
    Findings findings;
    for (const HeldSlot &slot : held) {
        if (slot.lost) {
            findings += replicationFinding(HealthLevel::Problem, Tr::tr("A replication slot is lost"),
                Tr::tr("The log that the slot %1 needs is gone.").arg(slot.name),
                Tr::tr("Who read from it cannot go on, and must be copied anew."));
            findings.last().sql = dropSlotSql(slot.name);
        } else if (!slot.active) {
            const bool much = slot.keptBytes > kMostKeptBytes;
            findings += replicationFinding(much ? HealthLevel::Problem : HealthLevel::Advice,
                Tr::tr("Nobody reads from a replication slot"),
                Tr::tr("The slot %1 keeps %2 bytes of the log, and nobody reads them.")
                    .arg(slot.name, grouped(slot.keptBytes)),
                Tr::tr("The log grows until the disk is full. Bring the reader back. Drop the slot only where the "
                       "reader is gone for good."));
        }
    }
    return findings;
}

Findings ofStandbys(const ReplicationLag &lag, const QString &login)
{
    if (lag.hidden && !lag.standby) {
        HealthFinding finding = replicationFinding(HealthLevel::Unknown, {},
            Tr::tr("Standbys follow this server; this login may not see how far they are behind."),
            Tr::tr("Members of pg_monitor see it."));
        finding.sql = u"GRANT pg_monitor TO %1;"_s.arg(quoteIdentifier(login));
        finding.notRead = true;
        return { finding };
    }
    if (lag.paused) {
        return { replicationFinding(HealthLevel::Problem, Tr::tr("The standby does not replay"),
            Tr::tr("The replay of this standby is paused."), Tr::tr("What is read here grows older and older.")) };
    }
    if (lag.seconds.value_or(0) > kMostLagSeconds) {
        return { replicationFinding(HealthLevel::Problem, Tr::tr("A standby is far behind"),
            lag.standby ? Tr::tr("This standby is %1 s behind.").arg(*lag.seconds, 0, 'f', 0)
                        : Tr::tr("The slowest standby is %1 s behind.").arg(*lag.seconds, 0, 'f', 0),
            Tr::tr("What is read on a standby may be as old as that.")) };
    }
    return {};
}

} // namespace

/// Nothing where nothing is replicated.
Result<Findings> replicationRuns(Session &session, const Target &target)
{
    TRY(const auto subscriptions, readSubscriptions(session, target.relation.oid));
    TRY(const auto held, readHeldSlots(session));
    TRY(const auto lag, readReplicationLag(session));
    if (subscriptions.isEmpty() && held.isEmpty() && !lag.standby && lag.standbys == 0) {
        return Findings();
    }
    Findings findings = ofSubscriptions(subscriptions) + ofSlots(held) + ofStandbys(lag, session.facts().user);
    if (findings.isEmpty()) {
        findings
            += replicationFinding(HealthLevel::Good, {}, Tr::tr("Subscriptions, slots and standbys are at work."), {});
    }
    return findings;
}

} // namespace idemdesk::sql::health
