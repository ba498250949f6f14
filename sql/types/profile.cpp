// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/types/profile.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

template <typename Enum, std::size_t N>
std::optional<Enum> find(const std::array<std::pair<Enum, const char16_t *>, N> &names, const QString &name)
{
    for (const auto &[value, text] : names) {
        if (name == QStringView(text)) {
            return value;
        }
    }
    return std::nullopt;
}

template <typename Enum, std::size_t N>
QString nameOf(const std::array<std::pair<Enum, const char16_t *>, N> &names, Enum wanted)
{
    for (const auto &[value, text] : names) {
        if (value == wanted) {
            return QString::fromUtf16(text);
        }
    }
    return {};
}

constexpr std::array<std::pair<TargetKind, const char16_t *>, 5> kKinds { { { TargetKind::Request, u"request" },
    { TargetKind::Inbox, u"inbox" }, { TargetKind::Outbox, u"outbox" }, { TargetKind::Lease, u"lease" },
    { TargetKind::Job, u"job" } } };

constexpr std::array<std::pair<KeyState, const char16_t *>, 6> kStates { { { KeyState::Pending, u"pending" },
    { KeyState::InProgress, u"in_progress" }, { KeyState::Succeeded, u"succeeded" },
    { KeyState::FailedRetryable, u"failed_retryable" }, { KeyState::FailedFinal, u"failed_final" },
    { KeyState::Unknown, u"unknown" } } };

constexpr std::array<std::pair<Role, const char16_t *>, kRoleCount> kRoles { {
    { Role::Fingerprint, u"fingerprint" },
    { Role::Status, u"status" },
    { Role::Attempts, u"attempts" },
    { Role::Owner, u"owner" },
    { Role::ClaimedAt, u"claimed_at" },
    { Role::LeaseUntil, u"lease_until" },
    { Role::HeartbeatAt, u"heartbeat_at" },
    { Role::CreatedAt, u"created_at" },
    { Role::UpdatedAt, u"updated_at" },
    { Role::CompletedAt, u"completed_at" },
    { Role::ExpiresAt, u"expires_at" },
    { Role::ResultType, u"result_type" },
    { Role::ResultId, u"result_id" },
    { Role::ResponseCode, u"response_code" },
    { Role::ResponseBody, u"response_body" },
    { Role::RequestPayload, u"request_payload" },
    { Role::ErrorCode, u"error_code" },
    { Role::ErrorMessage, u"error_message" },
} };

} // namespace

QString kindName(TargetKind kind) { return nameOf(kKinds, kind); }
std::optional<TargetKind> kindFromName(const QString &name) { return find(kKinds, name); }
QString stateName(KeyState state) { return nameOf(kStates, state); }
std::optional<KeyState> stateFromName(const QString &name) { return find(kStates, name); }
QString roleName(Role role) { return nameOf(kRoles, role); }
std::optional<Role> roleFromName(const QString &name) { return find(kRoles, name); }

bool isTimeRole(Role role)
{
    switch (role) {
    case Role::ClaimedAt:
    case Role::LeaseUntil:
    case Role::HeartbeatAt:
    case Role::CreatedAt:
    case Role::UpdatedAt:
    case Role::CompletedAt:
    case Role::ExpiresAt:
        return true;
    default:
        return false;
    }
}

bool isDuration(const QString &text)
{
    static const QRegularExpression form(u"^\\d+[smhdwy]$"_s);
    return form.match(text).hasMatch();
}

std::optional<qint64> durationSeconds(const QString &text)
{
    const bool negative = text.startsWith(u'-');
    const QString bare = negative ? text.mid(1) : text;
    if (!isDuration(bare)) {
        return std::nullopt;
    }
    bool ok = false;
    const qint64 amount = bare.chopped(1).toLongLong(&ok);
    qint64 unit = 1;
    switch (bare.back().unicode()) {
    case u'm': unit = 60; break;
    case u'h': unit = 3600; break;
    case u'd': unit = 86'400; break;
    case u'w': unit = qint64(7) * 86'400; break;
    case u'y': unit = qint64(365) * 86'400; break;
    default: break;
    }
    // PostgreSQL's interval ends near 178,000,000 years; beyond 10,000 years the profile is a slip of the pen.
    constexpr qint64 kMost = 10'000LL * 365 * 86'400;
    if (!ok || amount > kMost / unit) {
        return std::nullopt;
    }
    return negative ? -amount * unit : amount * unit;
}

KeyState Profile::stateOf(const std::optional<QString> &rawStatus) const
{
    if (!has(Role::Status)) {
        return otherStates.value_or(KeyState::Unknown);
    }
    if (!rawStatus) {
        return nullState.value_or(KeyState::Unknown);
    }
    for (const auto &[raw, state] : states) {
        if (raw == *rawStatus) {
            return state;
        }
    }
    return otherStates.value_or(KeyState::Unknown);
}

} // namespace idemdesk::sql
