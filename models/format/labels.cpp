// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/format/labels.h"

#include "models/format/display_text.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kLabelChars = 60;

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
        return Tr::tr("Failed, final");
    case sql::KeyState::Unknown:
        return Tr::tr("Unknown");
    }
    return {};
}

QString roleTitle(sql::Role role)
{
    switch (role) {
    case sql::Role::Fingerprint:
        return Tr::tr("Fingerprint");
    case sql::Role::Status:
        return Tr::tr("Status");
    case sql::Role::Attempts:
        return Tr::tr("Attempts");
    case sql::Role::Owner:
        return Tr::tr("Owner");
    case sql::Role::ClaimedAt:
        return Tr::tr("Claimed");
    case sql::Role::LeaseUntil:
        return Tr::tr("Lease until");
    case sql::Role::HeartbeatAt:
        return Tr::tr("Heartbeat");
    case sql::Role::CreatedAt:
        return Tr::tr("Created");
    case sql::Role::UpdatedAt:
        return Tr::tr("Updated");
    case sql::Role::CompletedAt:
        return Tr::tr("Completed");
    case sql::Role::ExpiresAt:
        return Tr::tr("Expires");
    case sql::Role::ResultType:
        return Tr::tr("Result type");
    case sql::Role::ResultId:
        return Tr::tr("Result id");
    case sql::Role::ResponseCode:
        return Tr::tr("Response code");
    case sql::Role::ResponseBody:
        return Tr::tr("Response body");
    case sql::Role::RequestPayload:
        return Tr::tr("Request payload");
    case sql::Role::ErrorCode:
        return Tr::tr("Error code");
    case sql::Role::ErrorMessage:
        return Tr::tr("Error message");
    }
    return {};
}

QString labelTitle(const QString &label)
{
    const QString words = displayText(label, kLabelChars).replace(u'_', u' ').trimmed();
    return words.left(1).toUpper() + words.mid(1);
}

QString scopeTitle(const sql::Profile &profile)
{
    QStringList titles;
    for (const sql::LabelledExpression &part : profile.scope) {
        titles += labelTitle(part.label);
    }
    return titles.join(u" / "_s);
}

QString namedScope(const QString &title, const QString &scope)
{
    const QString shown = displayText(scope);
    return title.isEmpty() || shown.isEmpty() ? shown
                                              : Tr::tr("%1: %2", "part of a scope, its value").arg(title, shown);
}

QString roleHelp(sql::Role role)
{
    switch (role) {
    case sql::Role::Fingerprint:
        return Tr::tr("The stored hash of the request; another hash under the same key is a conflict.");
    case sql::Role::Status:
        return Tr::tr("The raw status that the states are mapped from.");
    case sql::Role::Attempts:
        return Tr::tr("How often execution was tried.");
    case sql::Role::Owner:
        return Tr::tr("The worker that holds or held the key.");
    case sql::Role::ClaimedAt:
        return Tr::tr("When the newest attempt began.");
    case sql::Role::LeaseUntil:
        return Tr::tr("When the claim runs out unless its owner renews it.");
    case sql::Role::HeartbeatAt:
        return Tr::tr("When the owner last said that it is alive.");
    case sql::Role::CreatedAt:
        return Tr::tr("When the key was first seen; ages are counted from it.");
    case sql::Role::UpdatedAt:
        return Tr::tr("When the row was last changed.");
    case sql::Role::CompletedAt:
        return Tr::tr("When execution ended.");
    case sql::Role::ExpiresAt:
        return Tr::tr("When the row may be removed; a retry after that executes again.");
    case sql::Role::ResultType:
        return Tr::tr("What kind of thing the request made.");
    case sql::Role::ResultId:
        return Tr::tr("Which thing the request made.");
    case sql::Role::ResponseCode:
        return Tr::tr("The status code that a replay returns.");
    case sql::Role::ResponseBody:
        return Tr::tr("The stored answer that a replay returns.");
    case sql::Role::RequestPayload:
        return Tr::tr("The stored request, as it came or in part.");
    case sql::Role::ErrorCode:
        return Tr::tr("Why the newest attempt failed, as a code.");
    case sql::Role::ErrorMessage:
        return Tr::tr("Why the newest attempt failed, in words.");
    }
    return {};
}

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

QString targetTitle(const sql::Profile &profile)
{
    const QString &title = profile.title;
    const bool says = !title.isEmpty() && title != profile.relation && !profile.relation.endsWith(u'.' + title);
    return says ? title : profile.relation;
}

QString targetPlace(const sql::Profile &profile)
{
    return targetTitle(profile) == profile.relation ? QString() : profile.relation;
}

QString targetLabel(const sql::Profile &profile)
{
    const QString place = targetPlace(profile);
    return place.isEmpty() ? targetTitle(profile) : Tr::tr("%1 – %2", "title, table").arg(targetTitle(profile), place);
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

QStringList serverWords(const sql::ServerFacts &facts)
{
    return { Tr::tr("PostgreSQL %1").arg(facts.versionText.section(u' ', 0, 0)),
        facts.standby ? Tr::tr("standby") : Tr::tr("primary"),
        !facts.tls.isEmpty()   ? facts.tls.section(u',', 0, 0)
            : facts.unixSocket ? Tr::tr("local socket")
                               : Tr::tr("not encrypted") };
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
