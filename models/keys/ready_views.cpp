// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/ready_views.h"

#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

bool maps(const sql::Profile &profile, sql::KeyState state)
{
    return std::any_of(
        profile.states.cbegin(), profile.states.cend(), [state](const auto &entry) { return entry.second == state; });
}

} // namespace

QList<SavedView> readyViews(const sql::Target &target)
{
    const sql::Profile &profile = target.profile;
    const bool queue = profile.kind == sql::TargetKind::Inbox || profile.kind == sql::TargetKind::Outbox;
    QList<SavedView> views;
    const auto add = [&](const QString &name, const QString &filter) {
        views.append({ name, profile.name, filter, {} });
    };
    if (profile.stale && maps(profile, sql::KeyState::InProgress)) {
        add(profile.has(sql::Role::LeaseUntil) ? Tr::tr("Active past their lock horizon")
                                               : Tr::tr("Active for too long"),
            u"state:in_progress state:stuck"_s);
    }
    if (profile.has(sql::Role::Attempts)) {
        add(Tr::tr("Tried five times or more"), u"attempts>=5"_s);
    }
    if (queue && maps(profile, sql::KeyState::Pending)) {
        add(profile.kind == sql::TargetKind::Outbox ? Tr::tr("Waiting to be published")
                                                    : Tr::tr("Waiting to be handled"),
            u"state:pending"_s);
    }
    if (queue && maps(profile, sql::KeyState::FailedFinal)) {
        add(Tr::tr("Poison messages"), u"state:failed_final"_s);
    }
    if (!queue && maps(profile, sql::KeyState::FailedRetryable)) {
        add(Tr::tr("Failed, waiting for a retry"), u"state:failed_retryable"_s);
    }
    return views;
}

} // namespace idemdesk::models
