// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/runbook/runbook_table.h"

#include <QCoreApplication>
#include <QHash>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using F = RunbookFact;

constexpr RunbookLink kActivityLink { "activity" };
constexpr RunbookLink kStuckLink { "recovery", "state:stuck" };

constexpr const char *kManyAttempts = "state:pending,in_progress,failed_retryable attempts>=5";
constexpr const char *kTriageCommand = "idemdeskctl triage --target {target} --filter state:stale";
constexpr const char *kRecoverCommand = "idemdeskctl recover --target {target} --filter state:stale --dry-run";

// Steps that several runbooks ask in the same words.
constexpr RunbookStep kWaits { "waits",
    QT_TRANSLATE_NOOP("Runbook", "Do sessions wait for each other on these tables now?"), F::SessionsWait, "",
    QT_TRANSLATE_NOOP("Runbook", "Yes, sessions wait."), QT_TRANSLATE_NOOP("Runbook", "No, nobody waits."),
    kActivityLink,
    QT_TRANSLATE_NOOP("Runbook", "Look at who holds the lock. Stop that session only where it does no work."),
    "idemdeskctl activity" };
constexpr RunbookStep kLongTransaction { "long_transaction",
    QT_TRANSLATE_NOOP("Runbook", "Has a transaction been open for over a minute?"), F::LongTransactions, "",
    QT_TRANSLATE_NOOP("Runbook", "Yes, and it may hold up others."), QT_TRANSLATE_NOOP("Runbook", "No, all are short."),
    kActivityLink, QT_TRANSLATE_NOOP("Runbook", "Ask its service. Where nobody works in it any more, end the session."),
    "idemdeskctl activity" };
constexpr RunbookStep kStuck { "stuck", QT_TRANSLATE_NOOP("Runbook", "Are keys stuck?"), F::Rows, "state:stale",
    QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No key is stuck."), kStuckLink,
    QT_TRANSLATE_NOOP("Runbook", "Open them in Recovery: it shows the evidence for each."), kTriageCommand };
constexpr RunbookStep kEffectHappened { "effect_happened",
    QT_TRANSLATE_NOOP("Runbook", "Was the work of some done, and only the mark is missing?"), F::StuckOfClass,
    "effect_happened", QT_TRANSLATE_NOOP("Runbook", "Yes: their effect is there."),
    QT_TRANSLATE_NOOP("Runbook", "No stuck key has its effect."), kStuckLink,
    QT_TRANSLATE_NOOP("Runbook", "Where the effect is there: mark as succeeded, so that a retry gets its answer."),
    kRecoverCommand };
constexpr RunbookStep kSafeToRetry { "safe_to_retry", QT_TRANSLATE_NOOP("Runbook", "Can some be tried again safely?"),
    F::StuckOfClass, "safe_to_retry", QT_TRANSLATE_NOOP("Runbook", "Yes: nobody is at them, and nothing was done."),
    QT_TRANSLATE_NOOP("Runbook", "None of them."), kStuckLink,
    QT_TRANSLATE_NOOP("Runbook", "Where nothing was done: free the key, so that the next retry runs."),
    kRecoverCommand };
constexpr RunbookStep kNeedsReview { "needs_review",
    QT_TRANSLATE_NOOP("Runbook", "Does somebody have to look at some of them?"), F::StuckOfClass, "needs_review",
    QT_TRANSLATE_NOOP("Runbook", "Yes: what is known does not decide."), QT_TRANSLATE_NOOP("Runbook", "No."),
    kStuckLink,
    QT_TRANSLATE_NOOP("Runbook", "Where facts do not decide: ask the other system, then decide each key by hand."),
    kTriageCommand };
constexpr RunbookStep kVacuum { "vacuum", QT_TRANSLATE_NOOP("Runbook", "Does autovacuum fall behind on the table?"),
    F::Health, "vacuum", QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No, it keeps up."),
    { "health" }, QT_TRANSLATE_NOOP("Runbook", "Give autovacuum more room on this table."),
    "idemdeskctl check --target {target}" };
constexpr RunbookStep kPurgePaused { "purge_paused", QT_TRANSLATE_NOOP("Runbook", "Is a purge paused?"), F::PurgesOpen,
    "", QT_TRANSLATE_NOOP("Runbook", "Yes, and it waits for a person."), QT_TRANSLATE_NOOP("Runbook", "No."),
    { "audit" }, QT_TRANSLATE_NOOP("Runbook", "Read why it was paused. Resume it, or cancel it."), "" };

constexpr RunbookStep kDeadlock[] = {
    kWaits,
    { "counted", QT_TRANSLATE_NOOP("Runbook", "Did deadlocks happen?"), F::Deadlocks, "",
        QT_TRANSLATE_NOOP("Runbook", "Yes, the server counts some."),
        QT_TRANSLATE_NOOP("Runbook", "No, the server counts none."), { "trends", "deadlocks" },
        QT_TRANSLATE_NOOP("Runbook", "Let callers try again after 40P01. Let each request take its keys in one order."),
        "" },
    { "logged", QT_TRANSLATE_NOOP("Runbook", "Does a log say which keys met in a deadlock today?"), F::LoggedConflicts,
        "deadlock", QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "conflicts" },
        QT_TRANSLATE_NOOP("Runbook", "Look for what these keys have in common."), "" },
    kLongTransaction,
    { "advisory", QT_TRANSLATE_NOOP("Runbook", "Do sessions queue at an advisory lock?"), F::AdvisoryWaits, "",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), kActivityLink,
        QT_TRANSLATE_NOOP("Runbook", "Look at who holds it. One lock for each key keeps others from waiting."),
        "idemdeskctl activity" },
    { "stored", QT_TRANSLATE_NOOP("Runbook", "Are temporary failures stored as final?"), F::Health, "retryable_final",
        QT_TRANSLATE_NOOP("Runbook", "Yes: each retry gets the failure again."), QT_TRANSLATE_NOOP("Runbook", "No."),
        { "recovery" }, QT_TRANSLATE_NOOP("Runbook", "Make them retryable, so that the next retry runs."), "" },
};

constexpr RunbookStep kStampede[] = {
    { "spike", QT_TRANSLATE_NOOP("Runbook", "Do far more retries come than usual?"), F::Alert, "duplicates",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "trends", "retries" },
        QT_TRANSLATE_NOOP("Runbook", "Let cached keys end at different times, and renew those in use before."), "" },
    { "violations", QT_TRANSLATE_NOOP("Runbook", "Do claims run into the unique constraint?"), F::Alert, "violations",
        QT_TRANSLATE_NOOP("Runbook", "Yes, more than usual."), QT_TRANSLATE_NOOP("Runbook", "No more than usual."),
        { "trends", "violations" },
        QT_TRANSLATE_NOOP("Runbook", "Let callers wait for the first answer, instead of claiming again."), "" },
    kWaits,
    { "slow", QT_TRANSLATE_NOOP("Runbook", "Does looking a key up take long?"), F::Alert, "check_time",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "trends", "check_time" },
        QT_TRANSLATE_NOOP("Runbook", "Hold back duplicate requests in front of the database until it calms down."),
        "" },
    { "one_winner", QT_TRANSLATE_NOOP("Runbook", "Can two requests win one key?"), F::Health, "unique_key",
        QT_TRANSLATE_NOOP("Runbook", "Yes, nothing prevents it."), QT_TRANSLATE_NOOP("Runbook", "No, one wins."),
        { "health" }, QT_TRANSLATE_NOOP("Runbook", "Make the unique index that the report names."),
        "idemdeskctl check --target {target}" },
    { "second_effect", QT_TRANSLATE_NOOP("Runbook", "Would the database take a second effect?"), F::Health,
        "business_unique", QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No, it is refused."),
        { "health" }, QT_TRANSLATE_NOOP("Runbook", "Make what is one of a kind unique in the table of effects."),
        "idemdeskctl check --target {target}" },
    { "doubles", QT_TRANSLATE_NOOP("Runbook", "Was something of the last hour carried out twice?"), F::Doubles, "",
        QT_TRANSLATE_NOOP("Runbook", "It looks so."), QT_TRANSLATE_NOOP("Runbook", "Nothing looks so."),
        { "duplicates" }, QT_TRANSLATE_NOOP("Runbook", "Judge each group, and make good what was done twice."),
        "idemdeskctl duplicates --target {target} --since 1h" },
};

constexpr RunbookStep kOrphaned[] = {
    kStuck,
    { "crashes", QT_TRANSLATE_NOOP("Runbook", "Did sessions drop?"), F::Crashes, "",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No session was lost."), kActivityLink,
        QT_TRANSLATE_NOOP("Runbook", "Find out which service died: its keys are stuck until somebody frees them."),
        "" },
    { "worker_gone", QT_TRANSLATE_NOOP("Runbook", "Are the workers of stuck keys gone?"), F::StuckOfClass,
        "effect_happened,safe_to_retry,abandoned,needs_review",
        QT_TRANSLATE_NOOP("Runbook", "Yes, no live worker found."),
        QT_TRANSLATE_NOOP("Runbook", "No key is left by its worker."), kStuckLink,
        QT_TRANSLATE_NOOP("Runbook", "Start with the keys that have no live worker."), kTriageCommand, false, true },
    kEffectHappened,
    kSafeToRetry,
    kNeedsReview,
    { "heartbeat", QT_TRANSLATE_NOOP("Runbook", "Does only a key's age tell that its worker died?"), F::Health,
        "stale_rule", QT_TRANSLATE_NOOP("Runbook", "Yes: a slow worker and a dead one look alike."),
        QT_TRANSLATE_NOOP("Runbook", "No, a lease or a heartbeat tells."), { "health" },
        QT_TRANSLATE_NOOP("Runbook", "Later: let workers extend a lease while they work."),
        "idemdeskctl check --target {target}" },
};

constexpr RunbookStep kStuckKeys[] = {
    kStuck,
    { "running", QT_TRANSLATE_NOOP("Runbook", "Is somebody still at one of them?"), F::StuckOfClass, "running",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), kStuckLink,
        QT_TRANSLATE_NOOP("Runbook", "Leave these alone. Wait for the worker, or ask its service."), kTriageCommand },
    kLongTransaction,
    kEffectHappened,
    kSafeToRetry,
    { "abandoned", QT_TRANSLATE_NOOP("Runbook", "Are some past their retention?"), F::StuckOfClass, "abandoned",
        QT_TRANSLATE_NOOP("Runbook", "Yes, a retry would start anew."), QT_TRANSLATE_NOOP("Runbook", "No."), kStuckLink,
        QT_TRANSLATE_NOOP("Runbook", "Close them as failed, with the reason."), kRecoverCommand },
    kNeedsReview,
    { "attempts", QT_TRANSLATE_NOOP("Runbook", "Were unfinished keys tried five times or more?"), F::Rows,
        kManyAttempts, QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."),
        { "keys", kManyAttempts }, QT_TRANSLATE_NOOP("Runbook", "Read their errors: a retry may never succeed."),
        "idemdeskctl keys --target {target} --filter {filter}" },
    { "atomic", QT_TRANSLATE_NOOP("Runbook", "Do keys and effects disagree?"), F::Health, "atomic",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "health" },
        QT_TRANSLATE_NOOP("Runbook", "Let the service write key and effect in one transaction."),
        "idemdeskctl check --target {target}" },
};

constexpr RunbookStep kRetryStorm[] = {
    { "spike", QT_TRANSLATE_NOOP("Runbook", "Do far more retries come than usual?"), F::Alert, "duplicates",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "trends", "retries" },
        QT_TRANSLATE_NOOP("Runbook", "Ask the callers to wait longer after each failure."), "" },
    { "one_scope", QT_TRANSLATE_NOOP("Runbook", "Does one scope have most of them?"), F::ScopeRetries, "",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No, they are spread."),
        { "keys", "attempts>1" }, QT_TRANSLATE_NOOP("Runbook", "Talk to the service of that scope first."),
        "idemdeskctl scopes --target {target} --retries" },
    { "attempts", QT_TRANSLATE_NOOP("Runbook", "Were unfinished keys tried five times or more?"), F::Rows,
        kManyAttempts, QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."),
        { "keys", kManyAttempts },
        QT_TRANSLATE_NOOP("Runbook", "Read their errors: what cannot succeed should end as a final failure."),
        "idemdeskctl keys --target {target} --filter {filter}" },
    { "stored", QT_TRANSLATE_NOOP("Runbook", "Are temporary failures stored as final?"), F::Health, "retryable_final",
        QT_TRANSLATE_NOOP("Runbook", "Yes: each retry gets the failure again."), QT_TRANSLATE_NOOP("Runbook", "No."),
        { "recovery" }, QT_TRANSLATE_NOOP("Runbook", "Make them retryable, so that the next retry runs."), "" },
    kStuck,
    { "violations", QT_TRANSLATE_NOOP("Runbook", "Do claims run into the unique constraint?"), F::Alert, "violations",
        QT_TRANSLATE_NOOP("Runbook", "Yes, more than usual."), QT_TRANSLATE_NOOP("Runbook", "No more than usual."),
        { "trends", "violations" },
        QT_TRANSLATE_NOOP("Runbook", "Let callers wait for the first answer, instead of claiming again."), "" },
};

constexpr RunbookStep kExternalEffect[] = {
    { "external", QT_TRANSLATE_NOOP("Runbook", "Are keys stuck whose effect happens outside?"), F::StuckExternal, "",
        QT_TRANSLATE_NOOP("Runbook", "Yes: only the other system knows whether it happened."),
        QT_TRANSLATE_NOOP("Runbook", "No."), kStuckLink,
        QT_TRANSLATE_NOOP("Runbook", "Ask the provider by the key or its reference. Guess nothing."), kTriageCommand },
    kEffectHappened,
    kNeedsReview,
    { "evidence", QT_TRANSLATE_NOOP("Runbook", "Is there no proof of an effect in this database?"), F::Health,
        "effects", QT_TRANSLATE_NOOP("Runbook", "There is none, or it cannot be relied on."),
        QT_TRANSLATE_NOOP("Runbook", "There is one."), { "health" },
        QT_TRANSLATE_NOOP(
            "Runbook", "Store the provider's reference before the call, so that its answer can be found."),
        "idemdeskctl check --target {target}" },
    { "atomic", QT_TRANSLATE_NOOP("Runbook", "Do keys and effects disagree?"), F::Health, "atomic",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "health" },
        QT_TRANSLATE_NOOP("Runbook", "Compare them with the provider's list, then recover each key."),
        "idemdeskctl check --target {target}" },
};

constexpr RunbookStep kBacklog { "backlog",
    QT_TRANSLATE_NOOP("Runbook", "Has a message been waiting for over five minutes?"), F::QueueOld, "",
    QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."),
    { "keys", "state:pending,failed_retryable" }, QT_TRANSLATE_NOOP("Runbook", "Read questions 2 to 5: they say why."),
    "idemdeskctl keys --target {target} --filter state:pending,failed_retryable" };
constexpr RunbookStep kSilent { "silent", QT_TRANSLATE_NOOP("Runbook", "Do messages wait while none is finished?"),
    F::QueueSilent, "", QT_TRANSLATE_NOOP("Runbook", "Yes: none was finished for five minutes."),
    QT_TRANSLATE_NOOP("Runbook", "No, messages are being finished."), { "trends", "completions" },
    QT_TRANSLATE_NOOP("Runbook", "Start the service that takes messages, or see what it waits for."),
    "idemdeskctl activity" };
constexpr RunbookStep kDead { "dead", QT_TRANSLATE_NOOP("Runbook", "Did messages fail for good?"), F::Rows,
    "state:failed_final", QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."),
    { "recovery", "state:failed_final", sql::ActionVerb::Requeue },
    QT_TRANSLATE_NOOP("Runbook", "Mend the cause, then put the failed messages back into the queue."),
    "idemdeskctl requeue --target {target} --filter state:failed_final --dry-run" };
constexpr RunbookStep kPoison { "poison", QT_TRANSLATE_NOOP("Runbook", "Is a message tried again and again?"), F::Rows,
    kManyAttempts, QT_TRANSLATE_NOOP("Runbook", "Yes: it may hold up those behind it."),
    QT_TRANSLATE_NOOP("Runbook", "No."), { "keys", kManyAttempts },
    QT_TRANSLATE_NOOP("Runbook", "Read the message's error. Take it out of the queue where no retry can help."),
    "idemdeskctl keys --target {target} --filter {filter}" };
constexpr RunbookStep kClaimed { "claimed",
    QT_TRANSLATE_NOOP("Runbook", "Are messages stuck with a worker that is gone?"), F::Rows, "state:stale",
    QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), kStuckLink,
    QT_TRANSLATE_NOOP("Runbook", "Free the stuck messages, so that another worker takes them."), kTriageCommand };

constexpr RunbookStep kInboxStuck[] = { kBacklog, kSilent, kDead, kPoison, kClaimed, kWaits, kLongTransaction,
    { "fingerprint", QT_TRANSLATE_NOOP("Runbook", "Could a message come again with other contents unseen?"), F::Health,
        "fingerprint", QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "health" },
        QT_TRANSLATE_NOOP("Runbook", "Store a hash of each message, and compare it."),
        "idemdeskctl check --target {target}" } };

constexpr RunbookStep kOutboxStuck[] = { kBacklog, kSilent, kDead, kPoison, kClaimed, kWaits, kLongTransaction };

constexpr RunbookStep kPurgeWrong[] = {
    kPurgePaused,
    { "incomplete", QT_TRANSLATE_NOOP("Runbook", "Did a purge of the last week stop before its end?"),
        F::PurgesIncomplete, "", QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "audit" },
        QT_TRANSLATE_NOOP("Runbook", "Look at what became of them, row by row."), "" },
    { "undo", QT_TRANSLATE_NOOP("Runbook", "Can the newest purge still be undone?"), F::PurgeUndoable, "",
        QT_TRANSLATE_NOOP("Runbook", "No, its rows are gone for good."), QT_TRANSLATE_NOOP("Runbook", "Yes."),
        { "audit" }, QT_TRANSLATE_NOOP("Runbook", "If it took what it should not, undo it now."), "", true },
    { "retention", QT_TRANSLATE_NOOP("Runbook", "Are keys purged while a late retry may still come?"), F::Health,
        "retention", QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "health" },
        QT_TRANSLATE_NOOP("Runbook", "Purge with an earlier cutoff, or let keys expire later."),
        "idemdeskctl check --target {target}" },
    { "rule", QT_TRANSLATE_NOOP("Runbook", "Can the purge rule take unfinished keys, or is there no rule?"), F::Health,
        "purge_rule", QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "health" },
        QT_TRANSLATE_NOOP("Runbook", "Give the profile a purge rule that names final states alone."),
        "idemdeskctl check --target {target}" },
    { "doubles", QT_TRANSLATE_NOOP("Runbook", "Was something of the last hour carried out twice?"), F::Doubles, "",
        QT_TRANSLATE_NOOP("Runbook", "It looks so."), QT_TRANSLATE_NOOP("Runbook", "Nothing looks so."),
        { "duplicates" }, QT_TRANSLATE_NOOP("Runbook", "Judge each group: its first key may have been purged."),
        "idemdeskctl duplicates --target {target} --since 1h" },
    kWaits,
    kVacuum,
};

constexpr RunbookStep kKeyReuse[] = {
    { "reuse", QT_TRANSLATE_NOOP("Runbook", "Did keys come again with another request in the last hour?"), F::KeyReuse,
        "", QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "conflicts" },
        QT_TRANSLATE_NOOP("Runbook", "Compare what was stored with what came."), "idemdeskctl conflicts --since 1h" },
    { "one_caller", QT_TRANSLATE_NOOP("Runbook", "Does one caller cause most of it?"), F::OneCaller, "",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "conflicts" },
        QT_TRANSLATE_NOOP("Runbook", "Ask that caller to make a new key for each request."),
        "idemdeskctl conflicts --since 1h" },
    { "more", QT_TRANSLATE_NOOP("Runbook", "Is it more than the alert allows?"), F::Alert, "conflicts",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "trends", "conflicts" },
        QT_TRANSLATE_NOOP("Runbook", "Tell the service's team: its clients make keys wrongly."), "" },
    { "fingerprint", QT_TRANSLATE_NOOP("Runbook", "Could a reused key pass as a retry?"), F::Health, "fingerprint",
        QT_TRANSLATE_NOOP("Runbook", "Yes: there is nothing to compare it by."),
        QT_TRANSLATE_NOOP("Runbook", "No, its fingerprint is compared."), { "health" },
        QT_TRANSLATE_NOOP("Runbook", "Store the request's fingerprint, and refuse another one."),
        "idemdeskctl check --target {target}" },
    { "scope", QT_TRANSLATE_NOOP("Runbook", "Can callers of two scopes meet in one key?"), F::Health, "unique_key",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "health" },
        QT_TRANSLATE_NOOP("Runbook", "Make key and scope unique together."), "idemdeskctl check --target {target}" },
    { "doubles", QT_TRANSLATE_NOOP("Runbook", "Was something of the last hour carried out twice?"), F::Doubles, "",
        QT_TRANSLATE_NOOP("Runbook", "It looks so."), QT_TRANSLATE_NOOP("Runbook", "Nothing looks so."),
        { "duplicates" }, QT_TRANSLATE_NOOP("Runbook", "Judge each group, and make good what was done twice."),
        "idemdeskctl duplicates --target {target} --since 1h" },
};

constexpr RunbookStep kStandbyBehind[] = {
    { "lag", QT_TRANSLATE_NOOP("Runbook", "Is a standby behind?"), F::StandbyLag, "",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "activity" },
        QT_TRANSLATE_NOOP("Runbook", "Do not answer retries from it: it may not know their keys yet."), "" },
    { "paused", QT_TRANSLATE_NOOP("Runbook", "Is replay paused on this standby?"), F::ReplayPaused, "",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "activity" },
        QT_TRANSLATE_NOOP("Runbook", "Ask who paused it. An administrator resumes it with pg_wal_replay_resume()."),
        "" },
    { "slots", QT_TRANSLATE_NOOP("Runbook", "Does a replication slot wait for a standby that is gone?"), F::IdleSlots,
        "", QT_TRANSLATE_NOOP("Runbook", "Yes, and the server keeps its log for it."),
        QT_TRANSLATE_NOOP("Runbook", "No."), { "activity" },
        QT_TRANSLATE_NOOP(
            "Runbook", "Bring that standby back, or let an administrator drop the slot before the disk is full."),
        "" },
    { "sync", QT_TRANSLATE_NOOP("Runbook", "Do commits wait for a standby that is not there?"), F::SyncStandby, "",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "activity" },
        QT_TRANSLATE_NOOP("Runbook", "Bring it back, or take it out of synchronous_standby_names."), "" },
    { "cancelled", QT_TRANSLATE_NOOP("Runbook", "Did this standby cancel statements?"), F::StandbyConflicts, "",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "activity" },
        QT_TRANSLATE_NOOP("Runbook", "Read from the primary while it lasts."), "" },
    kPurgePaused,
    kLongTransaction,
};

constexpr RunbookStep kGrowth[] = {
    { "growth", QT_TRANSLATE_NOOP("Runbook", "Is too much of the table past its retention?"), F::Alert, "growth",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "trends", "expired" },
        QT_TRANSLATE_NOOP("Runbook", "Purge more often, in small steps."), "" },
    { "expired", QT_TRANSLATE_NOOP("Runbook", "Are finished keys past their retention?"), F::Rows,
        "state:succeeded,failed_final expires<now", QT_TRANSLATE_NOOP("Runbook", "Yes."),
        QT_TRANSLATE_NOOP("Runbook", "No."), { "purge" },
        QT_TRANSLATE_NOOP("Runbook", "Plan a purge, and look at what it would take."),
        "idemdeskctl purge --target {target} --dry-run" },
    { "rule", QT_TRANSLATE_NOOP("Runbook", "Can the purge rule take unfinished keys, or is there no rule?"), F::Health,
        "purge_rule", QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "health" },
        QT_TRANSLATE_NOOP("Runbook", "Give the profile a purge rule that names final states alone."),
        "idemdeskctl check --target {target}" },
    kPurgePaused,
    kVacuum,
    { "indexes", QT_TRANSLATE_NOOP("Runbook", "Is an index missing that a purge or a list needs?"), F::Health,
        "indexes", QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "health" },
        QT_TRANSLATE_NOOP("Runbook", "Make the index that the report names."), "idemdeskctl check --target {target}" },
    { "partitions", QT_TRANSLATE_NOOP("Runbook", "Is tomorrow's partition missing?"), F::Health, "partitions",
        QT_TRANSLATE_NOOP("Runbook", "Yes."), QT_TRANSLATE_NOOP("Runbook", "No."), { "health" },
        QT_TRANSLATE_NOOP("Runbook", "Make the partitions of the next days."), "idemdeskctl check --target {target}" },
};

constexpr Runbook kRunbooks[] = {
    { "deadlock", QT_TRANSLATE_NOOP("Runbook", "Deadlocks among concurrent claims"),
        QT_TRANSLATE_NOOP("Runbook", "Callers get “deadlock detected” (40P01) while many retries hit the same keys."),
        "000 §4.1", RunbookTables::Any, kDeadlock,
        QT_TRANSLATE_NOOP(
            "Runbook", "Nothing points to a deadlock now. Import the server's log to see those that passed.") },
    { "stampede", QT_TRANSLATE_NOOP("Runbook", "Cache stampede and double writes"),
        QT_TRANSLATE_NOOP("Runbook", "A cache lost many keys at once, and their retries all reach the database."),
        "000 §4.2", RunbookTables::Any, kStampede,
        QT_TRANSLATE_NOOP(
            "Runbook", "The database sees no stampede. Whether the cache does is shown by its own figures.") },
    { "orphaned-keys", QT_TRANSLATE_NOOP("Runbook", "Orphaned keys after a crash"),
        QT_TRANSLATE_NOOP("Runbook", "A service died in the middle, and its keys keep their retries waiting."),
        "000 §4.3", RunbookTables::Any, kOrphaned,
        QT_TRANSLATE_NOOP(
            "Runbook", "No key was left behind. Look again once the leases of the last claims have ended.") },
    { "stuck-keys", QT_TRANSLATE_NOOP("Runbook", "Keys in progress for too long"),
        QT_TRANSLATE_NOOP("Runbook", "A request is not answered because its key is said to be in progress."),
        "001 §18, §19; 003 §21", RunbookTables::Any, kStuckKeys,
        QT_TRANSLATE_NOOP("Runbook", "No key is stuck. The caller should wait and try again.") },
    { "retry-storm", QT_TRANSLATE_NOOP("Runbook", "Retries that never end"),
        QT_TRANSLATE_NOOP("Runbook", "The same requests come again and again, and fail each time."),
        "001 §14, §17.6, §19; 003 §23, §29", RunbookTables::Any, kRetryStorm,
        QT_TRANSLATE_NOOP("Runbook", "Retries are as usual. Look at the chart of retries over a longer time.") },
    { "external-effect", QT_TRANSLATE_NOOP("Runbook", "External outcome unknown"),
        QT_TRANSLATE_NOOP("Runbook", "A call to a provider timed out, and the key is not finished."), "003 §24",
        RunbookTables::Any, kExternalEffect, QT_TRANSLATE_NOOP("Runbook", "No key waits for an answer from outside.") },
    { "inbox-stuck", QT_TRANSLATE_NOOP("Runbook", "Backlog or poison message"),
        QT_TRANSLATE_NOOP("Runbook", "A consumer falls behind, or fails at one message all the time."),
        "001 §10; 003 §13, §18, §29", RunbookTables::Queues, kInboxStuck,
        QT_TRANSLATE_NOOP("Runbook", "The queue is worked off. Compare its backlog over the last day.") },
    { "outbox-stuck", QT_TRANSLATE_NOOP("Runbook", "Outbox stuck"),
        QT_TRANSLATE_NOOP("Runbook", "Other systems do not hear of what was done here."), "001 §9, §19; 003 §14, §29",
        RunbookTables::Outboxes, kOutboxStuck,
        QT_TRANSLATE_NOOP("Runbook", "The outbox is worked off. Look on the side of the broker, or of the receiver.") },
    { "purge-wrong", QT_TRANSLATE_NOOP("Runbook", "A purge went wrong"),
        QT_TRANSLATE_NOOP("Runbook", "A purge stands still, left rows, or took keys that are still asked for."),
        "001 §15; 003 §19", RunbookTables::Any, kPurgeWrong,
        QT_TRANSLATE_NOOP("Runbook", "No purge of the last week needs a person.") },
    { "key-reuse", QT_TRANSLATE_NOOP("Runbook", "Key reuse storm"),
        QT_TRANSLATE_NOOP("Runbook", "Many requests are refused because their key was used for another one."),
        "001 §4; 003 §20", RunbookTables::Any, kKeyReuse,
        QT_TRANSLATE_NOOP(
            "Runbook", "No reuse is known of. It is known only where services report it, or logs are imported.") },
    { "standby-behind", QT_TRANSLATE_NOOP("Runbook", "A standby is behind"),
        QT_TRANSLATE_NOOP("Runbook", "Reads from a standby do not know the newest keys, or purges hold off."), "000 §3",
        RunbookTables::Any, kStandbyBehind, QT_TRANSLATE_NOOP("Runbook", "No standby is seen to be behind.") },
    { "growth", QT_TRANSLATE_NOOP("Runbook", "The table outgrows its retention"),
        QT_TRANSLATE_NOOP("Runbook", "The table and its indexes grow, and claims become slow."),
        "001 §15, §16; 003 §29", RunbookTables::Any, kGrowth,
        QT_TRANSLATE_NOOP("Runbook", "The table keeps to its retention.") },
};

struct RunbookHeadline {
    const char *step;
    const char *holds;
};

/// By the step's id, which means the same in each runbook.
constexpr RunbookHeadline kHolds[] = {
    { "stuck", QT_TRANSLATE_NOOP("Runbook", "Keys are stuck") },
    { "effect_happened", QT_TRANSLATE_NOOP("Runbook", "The work of stuck keys was done") },
    { "safe_to_retry", QT_TRANSLATE_NOOP("Runbook", "Stuck keys can be tried again") },
    { "needs_review", QT_TRANSLATE_NOOP("Runbook", "Stuck keys need a person to look") },
    { "vacuum", QT_TRANSLATE_NOOP("Runbook", "Autovacuum falls behind") },
    { "stored", QT_TRANSLATE_NOOP("Runbook", "Temporary failures are stored as final") },
    { "spike", QT_TRANSLATE_NOOP("Runbook", "Far more retries come than usual") },
    { "violations", QT_TRANSLATE_NOOP("Runbook", "Claims run into the unique constraint") },
    { "slow", QT_TRANSLATE_NOOP("Runbook", "Looking a key up takes long") },
    { "one_winner", QT_TRANSLATE_NOOP("Runbook", "Two requests can win one key") },
    { "second_effect", QT_TRANSLATE_NOOP("Runbook", "A second effect would be taken") },
    { "doubles", QT_TRANSLATE_NOOP("Runbook", "Something may have been done twice") },
    { "worker_gone", QT_TRANSLATE_NOOP("Runbook", "Stuck keys have no live worker") },
    { "heartbeat", QT_TRANSLATE_NOOP("Runbook", "Only a key's age tells of a dead worker") },
    { "running", QT_TRANSLATE_NOOP("Runbook", "Somebody is still at stuck keys") },
    { "abandoned", QT_TRANSLATE_NOOP("Runbook", "Stuck keys are past their retention") },
    { "attempts", QT_TRANSLATE_NOOP("Runbook", "Unfinished keys were tried 5 times or more") },
    { "atomic", QT_TRANSLATE_NOOP("Runbook", "Keys and effects disagree") },
    { "one_scope", QT_TRANSLATE_NOOP("Runbook", "One scope has most retries") },
    { "external", QT_TRANSLATE_NOOP("Runbook", "Stuck keys wait for an outside effect") },
    { "evidence", QT_TRANSLATE_NOOP("Runbook", "Effects cannot be proved") },
    { "backlog", QT_TRANSLATE_NOOP("Runbook", "Messages wait for over 5 minutes") },
    { "silent", QT_TRANSLATE_NOOP("Runbook", "Nothing was finished for 5 minutes") },
    { "dead", QT_TRANSLATE_NOOP("Runbook", "Messages failed for good") },
    { "poison", QT_TRANSLATE_NOOP("Runbook", "A message is tried again and again") },
    { "claimed", QT_TRANSLATE_NOOP("Runbook", "Messages are stuck") },
    { "fingerprint", QT_TRANSLATE_NOOP("Runbook", "A repeat with other contents passes unseen") },
    { "retention", QT_TRANSLATE_NOOP("Runbook", "Keys are purged too early") },
    { "rule", QT_TRANSLATE_NOOP("Runbook", "The purge rule takes unfinished keys, or is missing") },
    { "more", QT_TRANSLATE_NOOP("Runbook", "More keys are reused than allowed") },
    { "scope", QT_TRANSLATE_NOOP("Runbook", "Callers of two scopes can meet in one key") },
    { "growth", QT_TRANSLATE_NOOP("Runbook", "Too much is past its retention") },
    { "expired", QT_TRANSLATE_NOOP("Runbook", "Finished keys are past their retention") },
    { "indexes", QT_TRANSLATE_NOOP("Runbook", "An index is missing") },
    { "partitions", QT_TRANSLATE_NOOP("Runbook", "Tomorrow's partition is missing") },
};

} // namespace

bool isOfDatabase(RunbookFact fact)
{
    switch (fact) {
    case F::SessionsWait:
    case F::LongTransactions:
    case F::Deadlocks:
    case F::AdvisoryWaits:
    case F::LoggedConflicts:
    case F::Crashes:
    case F::KeyReuse:
    case F::OneCaller:
    case F::PurgesOpen:
    case F::PurgesIncomplete:
    case F::PurgeUndoable:
    case F::StandbyLag:
    case F::ReplayPaused:
    case F::IdleSlots:
    case F::SyncStandby:
    case F::StandbyConflicts:
        return true;
    case F::Rows:
    case F::Health:
    case F::Alert:
    case F::StuckOfClass:
    case F::StuckExternal:
    case F::ScopeRetries:
    case F::Doubles:
    case F::QueueOld:
    case F::QueueSilent:
        break;
    }
    return false;
}

bool isAbout(RunbookTables tables, sql::TargetKind kind)
{
    switch (tables) {
    case RunbookTables::Queues:
        return kind == sql::TargetKind::Inbox || kind == sql::TargetKind::Job || kind == sql::TargetKind::Lease;
    case RunbookTables::Outboxes:
        return kind == sql::TargetKind::Outbox;
    case RunbookTables::Any:
        break;
    }
    return true;
}

std::span<const Runbook> runbooks()
{
    return kRunbooks;
}

const Runbook *runbook(const QString &name)
{
    const auto found = std::find_if(std::begin(kRunbooks), std::end(kRunbooks),
        [&name](const Runbook &one) { return name == QLatin1StringView(one.name); });
    return found == std::end(kRunbooks) ? nullptr : found;
}

QString runbookText(const char *text)
{
    return QCoreApplication::translate("Runbook", text);
}

QString runbookHolds(const RunbookStep &step)
{
    const auto found = std::find_if(std::begin(kHolds), std::end(kHolds),
        [&step](const RunbookHeadline &one) { return QByteArrayView(one.step) == step.id; });
    return found == std::end(kHolds) ? QString() : runbookText(found->holds);
}

QString runbookForMetric(const QString &metric, std::optional<sql::TargetKind> kind)
{
    static const QHash<QString, QString> names { { u"lock_wait"_s, u"deadlock"_s }, { u"lock_waits"_s, u"deadlock"_s },
        { u"deadlocks"_s, u"deadlock"_s }, { u"rollbacks"_s, u"deadlock"_s }, { u"stale"_s, u"orphaned-keys"_s },
        { u"oldest_stale"_s, u"stuck-keys"_s }, { u"in_progress"_s, u"stuck-keys"_s },
        { u"retries"_s, u"retry-storm"_s }, { u"retried_keys"_s, u"retry-storm"_s },
        { u"retry_ratio"_s, u"retry-storm"_s }, { u"replays"_s, u"retry-storm"_s },
        { u"failures_retryable"_s, u"retry-storm"_s }, { u"failures_final"_s, u"retry-storm"_s },
        { u"conflicts"_s, u"key-reuse"_s }, { u"violations"_s, u"stampede"_s }, { u"check_time_p99"_s, u"stampede"_s },
        { u"cache_time_p99"_s, u"stampede"_s }, { u"check_time"_s, u"stampede"_s },
        { u"cache_hit_ratio"_s, u"stampede"_s }, { u"cache_misses"_s, u"stampede"_s },
        { u"cache_ttl_off"_s, u"stampede"_s }, { u"cache_crowded"_s, u"stampede"_s },
        { u"backlog"_s, u"inbox-stuck"_s }, { u"oldest_backlog"_s, u"inbox-stuck"_s }, { u"dead"_s, u"inbox-stuck"_s },
        { u"expired"_s, u"growth"_s }, { u"rows"_s, u"growth"_s }, { u"size"_s, u"growth"_s },
        { u"purged"_s, u"purge-wrong"_s }, { u"standby_lag"_s, u"standby-behind"_s },
        { u"slot_log"_s, u"standby-behind"_s } };
    const QString name = names.value(metric);
    return name == u"inbox-stuck" && kind == sql::TargetKind::Outbox ? u"outbox-stuck"_s : name;
}

QString runbookForFinding(const sql::HealthFinding &finding)
{
    static const QHash<QString, QString> names { { u"unique_key"_s, u"stampede"_s },
        { u"fingerprint"_s, u"key-reuse"_s }, { u"business_unique"_s, u"stampede"_s },
        { u"effects"_s, u"external-effect"_s }, { u"atomic"_s, u"stuck-keys"_s },
        { u"retryable_final"_s, u"deadlock"_s }, { u"stale_rule"_s, u"orphaned-keys"_s },
        { u"states"_s, u"stuck-keys"_s }, { u"purge_rule"_s, u"growth"_s }, { u"retention"_s, u"purge-wrong"_s },
        { u"vacuum"_s, u"growth"_s }, { u"crash"_s, u"orphaned-keys"_s }, { u"partitions"_s, u"growth"_s },
        { u"replication"_s, u"standby-behind"_s }, { u"index_stale"_s, u"growth"_s }, { u"index_key"_s, u"growth"_s },
        { u"index_order"_s, u"growth"_s }, { u"index_expiry"_s, u"growth"_s }, { u"index_use"_s, u"growth"_s } };
    if (finding.level != sql::HealthLevel::Problem && finding.level != sql::HealthLevel::Advice) {
        return {};
    }
    return names.value(finding.id);
}

} // namespace idemdesk::models
