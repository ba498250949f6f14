// SPDX-License-Identifier: GPL-3.0-or-later
// The words of the project's enums, each in one table that does not compile with a hole.
#include "sql/types/action.h"
#include "sql/types/activity.h"
#include "sql/types/alert.h"
#include "sql/types/cache.h"
#include "sql/types/conflict.h"
#include "sql/types/connection.h"
#include "sql/types/duplicate.h"
#include "sql/types/filter.h"
#include "sql/types/health.h"
#include "sql/types/provider.h"
#include "sql/types/review.h"
#include "sql/types/trend.h"

#include <algorithm>

namespace idemdesk::sql {

namespace {

template <typename Enum> using Names = EnumNames<EnumName<Enum>>;

constexpr Names<TargetKind> kKinds { {
    { TargetKind::Request, u"request" },
    { TargetKind::Inbox, u"inbox" },
    { TargetKind::Outbox, u"outbox" },
    { TargetKind::Lease, u"lease" },
    { TargetKind::Job, u"job" },
} };

constexpr Names<KeyState> kStates { {
    { KeyState::Pending, u"pending" },
    { KeyState::InProgress, u"in_progress" },
    { KeyState::Succeeded, u"succeeded" },
    { KeyState::FailedRetryable, u"failed_retryable" },
    { KeyState::FailedFinal, u"failed_final" },
    { KeyState::Unknown, u"unknown" },
} };

constexpr Names<CacheFindingKind> kCacheFindings { {
    { CacheFindingKind::Ahead, u"ahead" },
    { CacheFindingKind::SeveralRows, u"several_rows" },
    { CacheFindingKind::Behind, u"behind" },
    { CacheFindingKind::WithoutRow, u"without_row" },
    { CacheFindingKind::WrongType, u"wrong_type" },
    { CacheFindingKind::UnknownValue, u"unknown_value" },
    { CacheFindingKind::NotCached, u"not_cached" },
    { CacheFindingKind::NeverExpires, u"never_expires" },
    { CacheFindingKind::TtlLong, u"ttl_long" },
    { CacheFindingKind::TtlShort, u"ttl_short" },
} };

constexpr Names<ReleaseOutcome> kReleaseOutcomes { {
    { ReleaseOutcome::Deleted, u"deleted" },
    { ReleaseOutcome::Changed, u"changed" },
    { ReleaseOutcome::Gone, u"gone" },
    { ReleaseOutcome::Refused, u"refused" },
    { ReleaseOutcome::Unknown, u"unknown" },
} };

enum class RoleForm { Value, Time, Large };

struct RoleFacts {
    Role value {};
    const char16_t *name = nullptr;
    RoleForm form = RoleForm::Value;
};

constexpr EnumNames<RoleFacts> kRoles { {
    { Role::Fingerprint, u"fingerprint" },
    { Role::Status, u"status" },
    { Role::Attempts, u"attempts" },
    { Role::Owner, u"owner" },
    { Role::ClaimedAt, u"claimed_at", RoleForm::Time },
    { Role::LeaseUntil, u"lease_until", RoleForm::Time },
    { Role::HeartbeatAt, u"heartbeat_at", RoleForm::Time },
    { Role::CreatedAt, u"created_at", RoleForm::Time },
    { Role::UpdatedAt, u"updated_at", RoleForm::Time },
    { Role::CompletedAt, u"completed_at", RoleForm::Time },
    { Role::ExpiresAt, u"expires_at", RoleForm::Time },
    { Role::ResultType, u"result_type" },
    { Role::ResultId, u"result_id" },
    { Role::ResponseCode, u"response_code" },
    { Role::ResponseBody, u"response_body", RoleForm::Large },
    { Role::RequestPayload, u"request_payload", RoleForm::Large },
    { Role::ErrorCode, u"error_code" },
    { Role::ErrorMessage, u"error_message" },
} };

constexpr Names<TimeForm> kTimeForms { {
    { TimeForm::Native, u"native" },
    { TimeForm::EpochMs, u"epoch_ms" },
    { TimeForm::EpochS, u"epoch_s" },
    { TimeForm::Utc, u"utc" },
    { TimeForm::Zone, u"zone" },
    { TimeForm::Iso, u"iso" },
} };

constexpr Names<FieldType> kFieldTypes { {
    { FieldType::Text, u"text" },
    { FieldType::Number, u"number" },
    { FieldType::Time, u"time" },
} };

constexpr Names<ProviderState> kProviderStates { {
    { ProviderState::Requested, u"requested" },
    { ProviderState::Sent, u"sent" },
    { ProviderState::Confirmed, u"confirmed" },
    { ProviderState::Failed, u"failed" },
    { ProviderState::Unknown, u"unknown" },
} };

constexpr Names<ProviderWord> kProviderWords { {
    { ProviderWord::Happened, u"happened" },
    { ProviderWord::DidNotHappen, u"did_not_happen" },
    { ProviderWord::Twice, u"twice" },
    { ProviderWord::AmountDiffers, u"amount_differs" },
    { ProviderWord::CurrencyDiffers, u"currency_differs" },
    { ProviderWord::OnlyProvider, u"only_provider" },
    { ProviderWord::NotInStatement, u"not_in_statement" },
    { ProviderWord::Contradictory, u"contradictory" },
} };

constexpr Names<RetryOutcome> kRetryOutcomes { {
    { RetryOutcome::Replay, u"replay" },
    { RetryOutcome::Wait, u"wait" },
    { RetryOutcome::TakesOver, u"takes_over" },
    { RetryOutcome::Conflict, u"conflict" },
    { RetryOutcome::Refused, u"refused" },
    { RetryOutcome::RunsAgain, u"runs_again" },
} };

constexpr Names<RetryFact> kRetryFacts { {
    { RetryFact::Stale, u"stale" },
    { RetryFact::LeaseRunning, u"lease_running" },
    { RetryFact::Expired, u"expired" },
    { RetryFact::AttemptsSpent, u"attempts_spent" },
} };

constexpr EnumTable<FilterFieldFacts> kFields { {
    { FilterField::BareWord, u"", FilterCompares::BareWord },
    { FilterField::State, u"state", FilterCompares::State },
    { FilterField::Status, u"status", FilterCompares::Text, { Role::Status } },
    { FilterField::Scope, u"scope", FilterCompares::Scope },
    { FilterField::Key, u"key", FilterCompares::Key },
    { FilterField::Attempts, u"attempts", FilterCompares::Integer, { Role::Attempts } },
    { FilterField::Age, u"age", FilterCompares::Age, { Role::CreatedAt, Role::ClaimedAt } },
    { FilterField::Created, u"created", FilterCompares::Time, { Role::CreatedAt } },
    { FilterField::Updated, u"updated", FilterCompares::Time, { Role::UpdatedAt } },
    { FilterField::Claimed, u"claimed", FilterCompares::Time, { Role::ClaimedAt } },
    { FilterField::Completed, u"completed", FilterCompares::Time, { Role::CompletedAt } },
    { FilterField::Expires, u"expires", FilterCompares::Time, { Role::ExpiresAt } },
    { FilterField::Lease, u"lease", FilterCompares::Time, { Role::LeaseUntil } },
    { FilterField::Heartbeat, u"heartbeat", FilterCompares::Time, { Role::HeartbeatAt } },
    { FilterField::Owner, u"owner", FilterCompares::Text, { Role::Owner } },
    { FilterField::Hash, u"hash", FilterCompares::Text, { Role::Fingerprint }, u"fingerprint" },
    { FilterField::Result, u"result", FilterCompares::Result, { Role::ResultId, Role::ResultType } },
    { FilterField::Code, u"code", FilterCompares::Number, { Role::ResponseCode } },
    { FilterField::Error, u"error", FilterCompares::Text, { Role::ErrorCode, Role::ErrorMessage } },
    { FilterField::Payload, u"payload", FilterCompares::Payload, { Role::RequestPayload, Role::ResponseBody } },
    { FilterField::Amount, u"amount", FilterCompares::Amount, { Role::RequestPayload, Role::ResponseBody } },
    { FilterField::Own, u"", FilterCompares::Own },
} };

/// Whether a field that compares so is served by roles.
constexpr bool wantsRole(FilterCompares compares)
{
    switch (compares) {
    case FilterCompares::BareWord:
    case FilterCompares::Key:
    case FilterCompares::State:
    case FilterCompares::Scope:
    case FilterCompares::Own:
        return false;
    case FilterCompares::Text:
    case FilterCompares::Integer:
    case FilterCompares::Number:
    case FilterCompares::Age:
    case FilterCompares::Time:
    case FilterCompares::Result:
    case FilterCompares::Payload:
    case FilterCompares::Amount:
        break;
    }
    return true;
}

static_assert(std::all_of(kFields.begin(), kFields.end(),
                  [](const FilterFieldFacts &field) {
                      const bool named = field.name != nullptr && field.name[0] != u'\0';
                      return named != (field.value == FilterField::BareWord || field.value == FilterField::Own)
                          && field.roles.front().has_value() == wantsRole(field.compares);
                  }),
    "each field has a name, and a role where it compares one");

constexpr Names<ActionVerb> kVerbs { {
    { ActionVerb::Recover, u"recover" },
    { ActionVerb::Requeue, u"requeue" },
    { ActionVerb::Reclassify, u"reclassify" },
    { ActionVerb::Align, u"align" },
    { ActionVerb::Purge, u"purge" },
    { ActionVerb::Undo, u"undo" },
    { ActionVerb::Detach, u"detach" },
    { ActionVerb::Attach, u"attach" },
    { ActionVerb::Drop, u"drop" },
    { ActionVerb::Limit, u"limit" },
    { ActionVerb::Adopt, u"adopt" },
} };

constexpr Names<ActionState> kActionStates { {
    { ActionState::Requested, u"requested" },
    { ActionState::Running, u"running" },
    { ActionState::Paused, u"paused" },
    { ActionState::Finished, u"finished" },
    { ActionState::Cancelled, u"cancelled" },
    { ActionState::Declined, u"declined" },
    { ActionState::Finding, u"finding" },
} };

constexpr Names<RowEnd> kRowEnds { {
    { RowEnd::Done, u"done" },
    { RowEnd::Purged, u"purged" },
    { RowEnd::Detached, u"detach" },
    { RowEnd::Attached, u"attach" },
    { RowEnd::Dropped, u"drop" },
    { RowEnd::Changed, u"changed" },
    { RowEnd::Locked, u"locked" },
    { RowEnd::Gone, u"gone" },
    { RowEnd::UniqueConflict, u"unique_conflict" },
    { RowEnd::Check, u"check" },
    { RowEnd::Privilege, u"privilege" },
    { RowEnd::Refused, u"refused" },
    { RowEnd::Evidence, u"evidence" },
    { RowEnd::WrongState, u"wrong_state" },
    { RowEnd::EmptyReplay, u"empty_replay" },
    { RowEnd::SchemaChanged, u"schema_changed" },
    { RowEnd::Error, u"error" },
    { RowEnd::Broke, u"broke" },
} };

constexpr Names<TrendUnit> kUnits { {
    { TrendUnit::Count, u"count" },
    { TrendUnit::Ratio, u"ratio" },
    { TrendUnit::Seconds, u"seconds" },
    { TrendUnit::Bytes, u"bytes" },
} };

constexpr Names<TrendSource> kSources { {
    { TrendSource::Rows, u"rows" },
    { TrendSource::Samples, u"samples" },
} };

constexpr Names<SampleSchedule::State> kSchedules { {
    { SampleSchedule::State::NoConsole, u"no_console" },
    { SampleSchedule::State::NoExtension, u"no_extension" },
    { SampleSchedule::State::Elsewhere, u"elsewhere" },
    { SampleSchedule::State::NotAllowed, u"not_allowed" },
    { SampleSchedule::State::Off, u"off" },
    { SampleSchedule::State::On, u"on" },
} };

constexpr Names<HealthLevel> kLevels { {
    { HealthLevel::Problem, u"problem" },
    { HealthLevel::Advice, u"advice" },
    { HealthLevel::Unknown, u"unknown" },
    { HealthLevel::Nothing, u"nothing" },
    { HealthLevel::Good, u"good" },
} };

constexpr Names<ReviewVerdict> kVerdicts { {
    { ReviewVerdict::Settled, u"settled" },
    { ReviewVerdict::Gap, u"gap" },
    { ReviewVerdict::NotApplicable, u"not_applicable" },
} };

constexpr Names<AlertState> kAlertStates { {
    { AlertState::Firing, u"firing" },
    { AlertState::Pending, u"pending" },
    { AlertState::Unknown, u"unknown" },
    { AlertState::Quiet, u"quiet" },
} };

constexpr Names<AlertForm> kAlertForms { {
    { AlertForm::Above, u"above" },
    { AlertForm::Rising, u"rising" },
    { AlertForm::Sum, u"sum" },
    { AlertForm::Share, u"share" },
} };

constexpr Names<DuplicateReason> kReasons { {
    { DuplicateReason::SeveralEffects, u"several_effects" },
    { DuplicateReason::SameResult, u"same_result" },
    { DuplicateReason::SameBusinessReference, u"same_business_reference" },
    { DuplicateReason::SameFingerprint, u"same_fingerprint" },
    { DuplicateReason::TwoCharges, u"two_charges" },
    { DuplicateReason::NearPayload, u"near_payload" },
} };

constexpr Names<SignalVerb> kSignals { {
    { SignalVerb::Cancel, u"cancel" },
    { SignalVerb::Terminate, u"terminate" },
} };

constexpr Names<SignalOutcome::Kind> kSignalOutcomes { {
    { SignalOutcome::Kind::Sent, u"sent" },
    { SignalOutcome::Kind::Gone, u"gone" },
    { SignalOutcome::Kind::Refused, u"refused" },
} };

constexpr Names<Environment> kEnvironments { {
    { Environment::Unmarked, u"unmarked" },
    { Environment::Development, u"development" },
    { Environment::Test, u"test" },
    { Environment::Staging, u"staging" },
    { Environment::Production, u"production" },
} };

} // namespace

QString kindName(TargetKind kind)
{
    return kKinds.nameOf(kind);
}

std::optional<TargetKind> kindFromName(const QString &name)
{
    return kKinds.find(name);
}

QString cacheFindingName(CacheFindingKind kind)
{
    return kCacheFindings.nameOf(kind);
}

std::optional<CacheFindingKind> cacheFindingFromName(const QString &name)
{
    return kCacheFindings.find(name);
}

QString releaseOutcomeName(ReleaseOutcome outcome)
{
    return kReleaseOutcomes.nameOf(outcome);
}

QString stateName(KeyState state)
{
    return kStates.nameOf(state);
}

std::optional<KeyState> stateFromName(const QString &name)
{
    return kStates.find(name);
}

QString roleName(Role role)
{
    return kRoles.nameOf(role);
}

std::optional<Role> roleFromName(const QString &name)
{
    return kRoles.find(name);
}

bool isTimeRole(Role role)
{
    return kRoles[role].form == RoleForm::Time;
}

bool isLargeRole(Role role)
{
    return kRoles[role].form == RoleForm::Large;
}

QString timeFormName(TimeForm form)
{
    return kTimeForms.nameOf(form);
}

std::optional<TimeForm> timeFormFromName(const QString &name)
{
    return kTimeForms.find(name);
}

const QStringList &logAttributeNames()
{
    static const QStringList names { QStringLiteral("region"), QStringLiteral("transaction"), QStringLiteral("trace"),
        QStringLiteral("span"), QStringLiteral("correlation"), QStringLiteral("tenant"), QStringLiteral("resource"),
        QStringLiteral("latency_ms"), QStringLiteral("retries") };
    return names;
}

QString fieldTypeName(FieldType type)
{
    return kFieldTypes.nameOf(type);
}

QString providerStateName(ProviderState state)
{
    return kProviderStates.nameOf(state);
}

std::optional<ProviderState> providerStateFromName(const QString &name)
{
    return kProviderStates.find(name);
}

QString providerWordName(ProviderWord word)
{
    return kProviderWords.nameOf(word);
}

std::optional<ProviderWord> providerWordFromName(const QString &name)
{
    return kProviderWords.find(name);
}

QString retryOutcomeName(RetryOutcome outcome)
{
    return kRetryOutcomes.nameOf(outcome);
}

QString retryFactName(RetryFact fact)
{
    return kRetryFacts.nameOf(fact);
}

const FilterFieldFacts &filterFieldFacts(FilterField field)
{
    return kFields[field];
}

std::optional<Role> servingRole(const Profile &profile, FilterField field)
{
    const auto &roles = kFields[field].roles;
    const auto found = std::find_if(
        roles.begin(), roles.end(), [&profile](const std::optional<Role> &role) { return role && profile.has(*role); });
    return found == roles.end() ? roles.front() : *found;
}

QString verbName(ActionVerb verb)
{
    return kVerbs.nameOf(verb);
}

std::optional<ActionVerb> verbFromName(const QString &name)
{
    return kVerbs.find(name);
}

QString actionStateName(ActionState state)
{
    return kActionStates.nameOf(state);
}

std::optional<ActionState> actionStateFromName(const QString &name)
{
    const auto state = kActionStates.find(name);
    return state == ActionState::Finding ? std::nullopt : state;
}

std::optional<RowEnd> rowEndFromName(const QString &name)
{
    return kRowEnds.find(name);
}

QString trendUnitName(TrendUnit unit)
{
    return kUnits.nameOf(unit);
}

QString trendSourceName(TrendSource source)
{
    return kSources.nameOf(source);
}

std::optional<TrendSource> trendSourceFromName(const QString &name)
{
    return kSources.find(name);
}

QString sampleScheduleName(SampleSchedule::State state)
{
    return kSchedules.nameOf(state);
}

QString healthLevelName(HealthLevel level)
{
    return kLevels.nameOf(level);
}

QString reviewVerdictName(ReviewVerdict verdict)
{
    return kVerdicts.nameOf(verdict);
}

std::optional<ReviewVerdict> reviewVerdict(const QString &name)
{
    return kVerdicts.find(name);
}

QString alertStateName(AlertState state)
{
    return kAlertStates.nameOf(state);
}

std::optional<AlertForm> alertFormFromName(const QString &name)
{
    return kAlertForms.find(name);
}

QString duplicateReasonName(DuplicateReason reason)
{
    return kReasons.nameOf(reason);
}

QString signalVerbName(SignalVerb verb)
{
    return kSignals.nameOf(verb);
}

QString signalOutcomeName(SignalOutcome::Kind kind)
{
    return kSignalOutcomes.nameOf(kind);
}

QString environmentName(Environment environment)
{
    return kEnvironments.nameOf(environment);
}

std::optional<Environment> environmentFromName(const QString &name)
{
    return kEnvironments.find(name);
}

} // namespace idemdesk::sql
