// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/format/labels.h"

#include "sql/types/tr.h"

#include <array>

namespace idemdesk::models {

namespace {

struct RoleText {
    const char *title;
    const char *help;
};

constexpr std::array<RoleText, sql::kRoleCount> kRoles { {
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Fingerprint"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "The stored hash of the request; another hash under the same key is a conflict.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Status"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "The raw status that the states are mapped from.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Attempts"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "How often execution was tried.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Owner"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "The worker that holds or held the key.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Claimed"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "When the newest attempt began.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Lease until"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "When the claim runs out unless its owner renews it.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Heartbeat"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "When the owner last said that it is alive.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Created"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "When the key was first seen; ages are counted from it.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Updated"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "When the row was last changed.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Completed"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "When execution ended.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Expires"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "When the row may be removed; a retry after that executes again.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Result type"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "What kind of thing the request made.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Result id"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Which thing the request made.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Response code"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "The status code that a replay returns.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Response body"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "The stored answer that a replay returns.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Request payload"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "The stored request, as it came or in part.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Error code"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Why the newest attempt failed, as a code.") },
    { QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Error message"),
        QT_TRANSLATE_NOOP("idemdesk::models::Labels", "Why the newest attempt failed, in words.") },
} };

} // namespace

QString stateLabel(sql::KeyState state)
{
    switch (state) {
    case sql::KeyState::Pending:
        return Tr::tr("Pending");
    case sql::KeyState::InProgress:
        return Tr::tr("In progress");
    case sql::KeyState::Succeeded:
        return Tr::tr("Succeeded");
    case sql::KeyState::FailedRetryable:
        return Tr::tr("Failed, retryable");
    case sql::KeyState::FailedFinal:
        return Tr::tr("Failed finally");
    case sql::KeyState::Unknown:
        return Tr::tr("Unknown");
    }
    return {};
}

QString roleTitle(sql::Role role) { return Tr::tr(kRoles[static_cast<std::size_t>(role)].title); }

QString roleHelp(sql::Role role) { return Tr::tr(kRoles[static_cast<std::size_t>(role)].help); }

QString kindLabel(sql::TargetKind kind)
{
    switch (kind) {
    case sql::TargetKind::Request:
        return Tr::tr("Requests");
    case sql::TargetKind::Inbox:
        return Tr::tr("Inbox");
    case sql::TargetKind::Outbox:
        return Tr::tr("Outbox");
    case sql::TargetKind::Lease:
        return Tr::tr("Leases");
    case sql::TargetKind::Job:
        return Tr::tr("Jobs");
    }
    return {};
}

QString targetLabel(const sql::Profile &profile)
{
    const QString &title = profile.title;
    const bool says = !title.isEmpty() && title != profile.relation && !profile.relation.endsWith(u'.' + title);
    return says ? Tr::tr("%1 – %2", "table, title").arg(profile.relation, title) : profile.relation;
}

QString environmentLabel(sql::Environment environment)
{
    switch (environment) {
    case sql::Environment::Unmarked:
        return {};
    case sql::Environment::Development:
        return Tr::tr("Development");
    case sql::Environment::Test:
        return Tr::tr("Test");
    case sql::Environment::Staging:
        return Tr::tr("Staging");
    case sql::Environment::Production:
        return Tr::tr("Production");
    }
    return {};
}

QString linkStateLabel(sql::LinkState state)
{
    switch (state) {
    case sql::LinkState::Disconnected:
        return Tr::tr("Not connected");
    case sql::LinkState::Connecting:
        return Tr::tr("Connecting");
    case sql::LinkState::Connected:
        return Tr::tr("Connected");
    case sql::LinkState::Reconnecting:
        return Tr::tr("Reconnecting");
    case sql::LinkState::Failed:
        return Tr::tr("Connection failed");
    }
    return {};
}

QString severityLabel(sql::Finding::Severity severity)
{
    switch (severity) {
    case sql::Finding::Severity::Note:
        return Tr::tr("Note");
    case sql::Finding::Severity::Warning:
        return Tr::tr("Warning");
    case sql::Finding::Severity::Problem:
        return Tr::tr("Problem");
    }
    return {};
}

} // namespace idemdesk::models
