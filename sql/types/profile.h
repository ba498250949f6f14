// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/enum_table.h"

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>
#include <optional>
#include <utility>

namespace idemdesk::sql {

enum class TargetKind { Request, Inbox, Outbox, Lease, Job };

/// Canonical class of a row (DESIGN 1). Never guessed: an unmapped value is Unknown.
enum class KeyState { Pending, InProgress, Succeeded, FailedRetryable, FailedFinal, Unknown };
inline constexpr auto kAllStates = kAllOf<KeyState>;

enum class Role {
    Fingerprint,
    Status,
    Attempts,
    Owner,
    ClaimedAt,
    LeaseUntil,
    HeartbeatAt,
    CreatedAt,
    UpdatedAt,
    CompletedAt,
    ExpiresAt,
    ResultType,
    ResultId,
    ResponseCode,
    ResponseBody,
    RequestPayload,
    ErrorCode,
    ErrorMessage
};
inline constexpr int kRoleCount = static_cast<int>(kEnumCount<Role>);

/// How a time role's column stores its time (DESIGN 3).
enum class TimeForm { Native, EpochMs, EpochS, Utc, Zone, Iso };

/// Names as profiles and --json write them: "request", "in_progress", "lease_until", "epoch_ms". The from… functions
/// give nothing for another text. All of them stand in vocabulary.cpp.
QString kindName(TargetKind kind);
std::optional<TargetKind> kindFromName(const QString &name);
QString stateName(KeyState state);
std::optional<KeyState> stateFromName(const QString &name);
QString roleName(Role role);
std::optional<Role> roleFromName(const QString &name);
QString timeFormName(TimeForm form); ///< a zone's name follows "zone" after a colon
std::optional<TimeForm> timeFormFromName(const QString &name);
bool isTimeRole(Role role);
bool isLargeRole(Role role); ///< a body or payload: not in lists, and cut where it is shown

/// An SQL expression over the row alias t, or a column with the form its time is kept in.
struct Expression {
    QString sql; ///< over t; for {"column": "x"} it is t."x"; empty means absent
    TimeForm form = TimeForm::Native;
    QString zone; ///< for TimeForm::Zone
    QString plus; ///< a duration added (may be negative: "-5m"), or empty
    QString when; ///< a condition beside the value, or empty (exact reading 1)
    QString column; ///< the name where the profile wrote {"column": …}, or where sql is plainly t.name; else empty

    bool present() const { return !sql.isEmpty(); }
    friend bool operator==(const Expression &, const Expression &) = default;
};

/// True for ^\d+[smhdwy]$ (exact reading 2).
bool isDuration(const QString &text);
/// "90m" -> 5400 (d = 24 h, w = 7 d, y = 365 d); a leading minus is allowed. Nothing where it is no duration.
std::optional<qint64> durationSeconds(const QString &text);

struct LabelledExpression {
    QString label;
    Expression value;
};

/// One rule of "stale" or "purge".
struct TimeRule {
    QList<KeyState> states;
    QStringList status; ///< narrows to these raw values; empty means any
    Expression by; ///< absent where only `when` is given
    QString after; ///< duration, or an interval expression over t; empty means 0s
    QString when; ///< free condition over t and $now, or empty
};

/// The one row of a second table that holds a row's lock as well, and is changed with it.
struct SecondRow {
    QString relation; ///< SQL text with its quoting
    QString match; ///< over t, as it was before the change, and s, the second table's row
    QList<std::pair<QString, QString>> set; ///< column of s, expression over t and s; in the order written
};

struct ActionRule {
    QList<KeyState> from;
    QStringList status;
    std::optional<KeyState> to; ///< nothing means "absent": the row is deleted
    bool deletes = false;
    QList<std::pair<QString, QString>> set; ///< column, expression; in the order written
    QString needsEffect;
    QString forbidsEffect;
    bool live = false; ///< takes rows whose lease still runs as well (exact reading 4)
    std::optional<SecondRow> second; ///< nothing: the rule changes the target's table alone
    QStringList copy; ///< of an align: columns that take the value of the other region's row
};

struct OrderSpec {
    QString label;
    Expression value;
    bool descending = false;
    bool nullsLast = true; ///< as PostgreSQL's default for the direction unless "nulls" is written
    bool nullsWritten = false; ///< "nulls" stood in the profile
};

enum class FieldType { Text, Number, Time };
QString fieldTypeName(FieldType type); ///< as profiles write it

/// A further value of each row that the list shows, and that filters and orders take by its label.
struct FieldSpec {
    QString label; ///< a word that no field of the filter language has as its name
    Expression value; ///< of a timestamptz where it is a time
    FieldType type = FieldType::Text;
};

struct EffectSpec {
    QString type;
    bool proves = false;
    QString sql;
    QStringList optional {}; ///< columns of t that the query reads and that may be NULL all the same
};

/// For how long a key must be known again (seed 003 §19).
enum class DedupWindow { Permanent, Long, Short };

struct PolicySpec {
    QMap<QString, QString> match; ///< scope label -> value; empty matches all
    QString effect; ///< "local" or "external"
    QString maxAttempts; ///< number or expression over t
    QString staleAfter;
    QString safeToRepeat; ///< why work of this scope may be done again without evidence; empty: not said
    std::optional<DedupWindow> dedup; ///< nothing: not said
    QMap<QString, QString> windows; ///< client_retry, redelivery, reconciliation, audit -> duration
};

/// Where a recipe's part of the request comes from: the same text for every row, or an SQL expression over t.
struct RecipePart {
    bool isSql = false;
    QString text;
    friend bool operator==(const RecipePart &, const RecipePart &) = default;
};

/// How the service makes its fingerprints, as a person saved it.
struct StoredRecipe {
    QString recipe; ///< what models::recipeFromId() reads
    QMap<QString, RecipePart> parts; ///< by recipePartNames()
};
/// method, path, url, query, key, operation, version, client, authorization, kind: in the order requests are written.
const QStringList &recipePartNames();
/// "$.fingerprint_recipe.parts.key.sql"
QString recipePartPath(const QString &part);

/// What a claim by the table's own service does with a row that is there.
enum class RetryOutcome {
    Replay, ///< the stored result is given, or a message is skipped; nothing runs
    Wait, ///< refused for now
    TakesOver, ///< the claim gets the row and runs the work
    Conflict, ///< the payload differs from what is stored
    Refused, ///< for good
    RunsAgain ///< the work runs as if the key were new
};

/// What a rule of "retry" may ask of a row beside its state; all by the server's clock.
enum class RetryFact {
    Stale,
    LeaseRunning, ///< lease_until is after $now
    Expired,
    AttemptsSpent ///< attempts are at max_attempts of the row's policy, or above
};

enum class RetryPayload { Same, Other };

QString retryOutcomeName(RetryOutcome outcome);
QString retryFactName(RetryFact fact);

/// One rule of "retry"; the first that fits a row says what a claim does with it.
struct RetryRule {
    QList<KeyState> states; ///< empty: any
    QStringList status; ///< narrows to these raw values; empty: any
    QList<RetryFact> facts; ///< each must hold
    QString when; ///< free condition over t and $now, or empty
    std::optional<RetryPayload> payload; ///< nothing: both
    RetryOutcome outcome = RetryOutcome::Replay;
    QString until; ///< of a wait: kUntilLease, or an SQL expression of a timestamptz; empty: not known
    QString sqlState; ///< raised by the claim
    QString http; ///< a number, or an SQL expression of one
    QString reason; ///< one sentence

    static constexpr const char16_t *kUntilLease = u"lease";
    bool untilLease() const { return until == QStringView(kUntilLease); }
    /// Whether its HTTP status is the same for every row.
    bool httpIsNumber() const;
};

enum class AlertForm; // sql/types/alert.h

/// What a profile says of one alert rule; what it leaves out stays as the rule has it. An id that the console does not
/// know makes a rule of its own.
struct AlertSpec {
    QString id;
    bool off = false;
    QString title;
    QString metric;
    QString over;
    std::optional<AlertForm> form;
    QString limit; ///< the number beside the form
    QString least; ///< a number
    QString span; ///< "for": a duration
};

/// A page of another program about a row.
struct LinkSpec {
    QString label;
    QString url; ///< with {key}, {role}, {a part of the scope}, {a field}, or an attribute of a log in it
};

/// How far a request to a provider got, as the row says it; Unknown: a status that the profile does not map.
enum class ProviderState { Requested, Sent, Confirmed, Failed, Unknown };
QString providerStateName(ProviderState state); ///< as profiles and --json write it
std::optional<ProviderState> providerStateFromName(const QString &name);

/// What a row says of its effect at a provider, outside of this database.
struct ProviderSpec {
    QString name; ///< of the provider, or empty
    QString reference; ///< SQL over t: what the provider's statement calls the request; NULL: nothing yet
    QString amount; ///< SQL of a number, in whole units of the currency; empty: the row does not say
    QString currency; ///< SQL; empty: the row does not say
    QString status; ///< SQL: how far the request got
    QList<std::pair<QString, ProviderState>> states; ///< raw -> state in the order written, without "*" and "null"
    std::optional<ProviderState> otherStates; ///< "*"
    std::optional<ProviderState> nullState; ///< "null"
    Expression at; ///< when it was asked for; absent: created_at
    QString link; ///< the provider's page of it, with {reference} or another name in it; or empty

    ProviderState stateOf(const std::optional<QString> &raw) const;
};

/// The archive that purged rows move to.
struct HistorySpec {
    QString relation; ///< SQL text with its quoting
    QStringList columns;
};

/// How a drill runs the service's own statements on a database for development. In each, $key is a key that nothing
/// else has, $fact the text of a UUID that stands for the fact of the business, $payload a JSON text, and $hash its
/// SHA-256 in hex; all are texts.
struct DrillSpec {
    QString claim; ///< asks for the key; the first value of its row is its answer; empty: `perform` does it all
    QStringList claimed; ///< answers of the claim after which the work is run
    QStringList perform; ///< the work, in one transaction with the claim; the last row is what the client gets
    QString effects; ///< a number: how often the effect of $key and $fact is there
    QString expire; ///< makes the key expire; empty: keys do not
    bool runsAgain = false; ///< a key that expired may be worked on again
    QStringList cleanup; ///< takes away all that was made for $key and $fact
};

/// How the service keeps its keys in a Redis in front of the table.
struct CacheSpec {
    QString key; ///< the name of a row's entry: literal text, {key} and {label of a part of the scope} (CacheKeyForm)
    QString ttl; ///< a duration: how long an entry lives from when it is written; empty: not said
    QString jitter; ///< a number: by how many percent the service makes it longer at random; empty: it does not
    QList<std::pair<QString, KeyState>> values; ///< what an entry holds -> state, in the order written
    std::optional<KeyState> otherValues; ///< "*"

    /// Nothing for a value that is not mapped.
    std::optional<KeyState> stateOf(const QString &value) const;
};

/// One profile (DESIGN 3, contract): how a table's columns play the console's roles.
struct Profile {
    int version = 1;
    QString name;
    QString title; ///< may be empty
    TargetKind kind = TargetKind::Request;
    QString relation; ///< SQL text with its quoting
    QStringList identity;
    QStringList identityStable;
    QList<LabelledExpression> scope;
    Expression key;
    QMap<Role, Expression> roles; ///< only those present
    QList<std::pair<QString, KeyState>> states; ///< raw -> state in the order written; "*" and "null" are not in here
    std::optional<KeyState> otherStates; ///< "*"
    std::optional<KeyState> nullState; ///< "null"
    std::optional<QList<TimeRule>> stale; ///< nothing means "cannot say"
    QStringList guard;
    QList<ActionRule> recover;
    QList<ActionRule> requeue;
    QList<ActionRule> reclassify;
    QList<ActionRule> align; ///< what takes over another region's row
    QList<TimeRule> purge;
    std::optional<QList<RetryRule>> retry; ///< nothing means "cannot be known"
    QList<OrderSpec> orders;
    QList<LabelledExpression> aliases;
    QList<FieldSpec> fields;
    QList<EffectSpec> effects;
    QList<PolicySpec> policies;
    QString advisoryLock;
    QList<AlertSpec> alerts;
    QStringList businessReferences; ///< SQL expressions over t, each a reference by itself
    bool businessReferencesListed = false; ///< they stood in a list, which a single one need not
    QStringList diffIgnore; ///< JSON pointers of fields that may differ between payloads of one intent
    std::optional<StoredRecipe> fingerprintRecipe;
    QList<LinkSpec> links;
    std::optional<HistorySpec> history;
    std::optional<DrillSpec> drill;
    std::optional<CacheSpec> cache; ///< nothing: no cache stands in front of the table
    std::optional<ProviderSpec> provider; ///< nothing: no effect at a provider is told of
    QStringList masking; ///< columns, roles and parts of the scope whose values are left out of case files
    QMap<QString, QByteArray> extra; ///< x_ keys, as JSON text

    /// As people know the table: its title, or the profile's name where it has none. Hostile where the profile is.
    const QString &shownTitle() const { return title.isEmpty() ? name : title; }
    Expression role(Role wanted) const { return roles.value(wanted); }
    const FieldSpec *field(const QString &label) const; ///< null where there is none
    bool has(Role wanted) const { return roles.contains(wanted); }
    /// Rows in the order of their identity are in the order of their keys.
    bool keyIsIdentity() const { return identity.size() == 1 && identity.constFirst() == key.column; }

    /// The canonical state of a raw status; SQL NULL is passed as nothing. A profile without a status role
    /// maps its single entry "*" to every row.
    KeyState stateOf(const std::optional<QString> &rawStatus) const;

    /// "$.business_reference" or "$.business_reference[1]".
    QString businessReferencePath(qsizetype index) const;
    /// SQL of the business references, of the recipe's parts and of what is told of a provider, each with its place.
    /// Binding keeps it where it does not plan: what uses it looks for the finding.
    QList<std::pair<QString, QString>> sideExpressions() const;
    /// SQL of the rules for retries, each with its place: "$.retry[1].when".
    QList<std::pair<QString, QString>> retryExpressions() const;
};

} // namespace idemdesk::sql
