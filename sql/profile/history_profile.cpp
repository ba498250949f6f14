// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/history_profile.h"

#include "sql/profile/binder.h"
#include "sql/types/alert.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

const QString kSuffix = QStringLiteral(".history");

} // namespace

QString historyName(const QString &profileName)
{
    return profileName + kSuffix;
}

QString nameBeforeHistory(const QString &name)
{
    return name.endsWith(kSuffix) ? name.chopped(kSuffix.size()) : QString();
}

std::optional<Profile> historyProfile(const Profile &profile)
{
    if (!profile.history) {
        return std::nullopt;
    }
    Profile archive = profile;
    archive.name = historyName(profile.name);
    archive.title = Tr::tr("%1 (history)").arg(profile.shownTitle());
    archive.relation = profile.history->relation;
    // What the profile itself says was not moved is no fault of the archive.
    const auto left = [&profile](const Expression &value) {
        return !value.column.isEmpty() && !profile.history->columns.contains(value.column);
    };
    archive.roles.removeIf([&left](const auto &role) { return left(role.value()); });
    if (profile.has(Role::Status) && !archive.has(Role::Status)) { // else "*" says it of every row
        archive.states.clear();
        archive.nullState.reset();
        archive.otherStates = KeyState::Unknown;
    }
    archive.fields.removeIf([&left](const FieldSpec &field) { return left(field.value); });
    archive.aliases.removeIf([&left](const LabelledExpression &alias) { return left(alias.value); });
    archive.orders.removeIf([&left](const OrderSpec &order) { return left(order.value); });
    archive.history.reset();
    archive.stale = QList<TimeRule>();
    archive.recover.clear();
    archive.requeue.clear();
    archive.reclassify.clear();
    archive.align.clear();
    archive.purge.clear();
    archive.guard.clear();
    archive.alerts.clear();
    archive.advisoryLock.clear();
    archive.cache.reset(); // no retry of an archived key is answered from it
    for (PolicySpec &policy : archive.policies) {
        policy.staleAfter.clear();
        policy.maxAttempts.clear();
    }
    RetryRule again;
    again.outcome = RetryOutcome::RunsAgain;
    again.reason = Tr::tr("A claim looks at the live table only, where this row no longer is.");
    archive.retry = QList<RetryRule> { again };
    return archive;
}

Result<Target> bindArchive(Session &session, const Profile &archive)
{
    TRY(auto bound, bindTarget(session, archive));
    if (bound.relation.isView()) {
        return makeError(ErrorKind::Refused, Tr::tr("The archive %1 is not read.").arg(archive.relation),
            Tr::tr("It is a view, whose functions would run in your name."),
            Tr::tr("Let its owner put the table back, or take “history” out of the profile."));
    }
    return bound;
}

} // namespace idemdesk::sql
