// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/role_guess.h"

#include "sql/detect/words.h"

#include <functional>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

using Fits = std::function<int(const ColumnEvidence &)>; ///< 0: not at all; the largest wins

bool timed(const ColumnEvidence &column)
{
    return column.time.has_value();
}
bool body(const ColumnEvidence &column)
{
    return column.document() || column.text() || column.bytes();
}

const QStringList kHolds { u"lock"_s, u"locked"_s, u"lease"_s, u"leased"_s, u"claim"_s, u"claimed"_s, u"visibility"_s,
    u"reserved"_s };
const QStringList kLater { u"next"_s, u"available"_s, u"scheduled"_s, u"due"_s, u"visible"_s, u"retry"_s };
const QStringList kDone { u"completed"_s, u"complete"_s, u"finished"_s, u"processed"_s, u"published"_s, u"dispatched"_s,
    u"delivered"_s, u"succeeded"_s, u"done"_s, u"sent"_s, u"handled"_s, u"consumed"_s, u"finalized"_s, u"acked"_s,
    u"acknowledged"_s };
const QStringList kOutcome { u"response"_s, u"result"_s, u"outcome"_s };
const QStringList kMade { u"result"_s, u"resource"_s, u"aggregate"_s, u"target"_s, u"entity"_s };
const QStringList kTrouble { u"error"_s, u"failure"_s, u"fail"_s, u"exception"_s };

int leaseUntil(const ColumnEvidence &c)
{
    return timed(c) && hasAny(c.words, kHolds)
            && hasAny(c.words, { u"until"_s, u"expires"_s, u"expiry"_s, u"expire"_s, u"timeout"_s, u"end"_s })
        ? 10
        : 0;
}
int heartbeat(const ColumnEvidence &c)
{
    return timed(c) && hasAny(c.words, { u"heartbeat"_s, u"beat"_s, u"alive"_s, u"ping"_s, u"keepalive"_s }) ? 10 : 0;
}
int claimedAt(const ColumnEvidence &c)
{
    if (!timed(c) || hasAny(c.words, kLater) || leaseUntil(c) > 0) {
        return 0;
    }
    return hasAny(c.words, kHolds)                                                                       ? 10
        : hasAny(c.words, { u"processing"_s, u"picked"_s, u"attempted"_s, u"acquired"_s, u"started"_s }) ? 6
                                                                                                         : 0;
}
int expiresAt(const ColumnEvidence &c)
{
    return timed(c)
            && hasAny(
                c.words, { u"expires"_s, u"expiry"_s, u"expire"_s, u"expiration"_s, u"ttl"_s, u"purge"_s, u"retain"_s })
            && leaseUntil(c) == 0
        ? 10
        : 0;
}
int completedAt(const ColumnEvidence &c)
{
    return timed(c) && hasAny(c.words, kDone) ? 10 : 0;
}
int updatedAt(const ColumnEvidence &c)
{
    return timed(c) && hasAny(c.words, { u"updated"_s, u"modified"_s, u"changed"_s, u"update"_s }) ? 10 : 0;
}
int createdAt(const ColumnEvidence &c)
{
    if (!timed(c) || hasAny(c.words, kLater)) {
        return 0;
    }
    if (hasAny(c.words, { u"created"_s, u"create"_s })) {
        return 20;
    }
    const bool arrival
        = hasAny(c.words, { u"received"_s, u"inserted"_s, u"enqueued"_s, u"occurred"_s, u"recorded"_s, u"arrived"_s });
    return arrival ? 15 : c.words == QStringList { u"timestamp"_s } ? 8 : 0;
}
int fingerprint(const ColumnEvidence &c)
{
    const bool named
        = hasAny(c.words, { u"hash"_s, u"fingerprint"_s, u"digest"_s, u"checksum"_s, u"sha256"_s, u"md5"_s });
    return named && (c.text() || c.bytes() || c.uuid()) ? (hasAny(c.words, { u"checksum"_s }) ? 6 : 10) : 0;
}
int attempts(const ColumnEvidence &c)
{
    const bool named = hasAny(c.words, { u"attempt"_s, u"attempts"_s, u"retries"_s, u"tries"_s, u"deliveries"_s })
        || (hasAny(c.words, { u"retry"_s, u"errors"_s, u"error"_s, u"delivery"_s, u"failure"_s })
            && hasAny(c.words, { u"count"_s }));
    return named && c.integer() && !hasAny(c.words, { u"max"_s, u"limit"_s }) ? 10 : 0;
}
int owner(const ColumnEvidence &c)
{
    const bool by = hasAny(c.words, { u"by"_s })
        && hasAny(c.words, kHolds + QStringList { u"picked"_s, u"processed"_s, u"attempted"_s });
    return c.identifier() && (by || hasAny(c.words, { u"owner"_s, u"worker"_s, u"holder"_s })) ? 10 : 0;
}
int resultType(const ColumnEvidence &c)
{
    return c.text() && hasAny(c.words, kMade) && hasAny(c.words, { u"type"_s, u"kind"_s }) ? 10 : 0;
}
int resultId(const ColumnEvidence &c)
{
    if (!c.identifier() || !hasAny(c.words, { u"id"_s })) {
        return 0;
    }
    return hasAny(c.words, kMade) ? 10 : c.uuid() && !c.facts.notNull ? 5 : 0;
}
int responseCode(const ColumnEvidence &c)
{
    return c.integer() && hasAny(c.words, { u"response"_s, u"http"_s, u"status"_s })
            && hasAny(c.words, { u"code"_s, u"status"_s }) && c.words.size() > 1
        ? 10
        : 0;
}
int responseBody(const ColumnEvidence &c)
{
    return body(c) && hasAny(c.words, kOutcome)
            && !hasAny(c.words, { u"type"_s, u"status"_s, u"code"_s, u"state"_s, u"id"_s, u"headers"_s })
        ? (c.document() ? 12 : 8)
        : 0;
}
int requestPayload(const ColumnEvidence &c)
{
    const bool named = hasAny(
        c.words, { u"payload"_s, u"body"_s, u"params"_s, u"parameters"_s, u"request"_s, u"data"_s, u"content"_s });
    return body(c) && named
            && !hasAny(c.words,
                kOutcome
                    + QStringList { u"hash"_s, u"type"_s, u"id"_s, u"key"_s, u"method"_s, u"path"_s, u"fingerprint"_s })
        ? (c.document() ? 12 : 8)
        : 0;
}
int errorCode(const ColumnEvidence &c)
{
    return (c.text() || c.integer()) && hasAny(c.words, kTrouble)
            && hasAny(c.words, { u"code"_s, u"class"_s, u"sqlstate"_s })
        ? 10
        : 0;
}
int errorMessage(const ColumnEvidence &c)
{
    return (c.text() || c.document()) && hasAny(c.words, kTrouble)
            && !hasAny(c.words, { u"code"_s, u"class"_s, u"count"_s })
        ? 10
        : 0;
}

/// In this order: a column that fits several roles plays the first.
const QList<std::pair<Role, Fits>> kRules { { Role::LeaseUntil, leaseUntil }, { Role::HeartbeatAt, heartbeat },
    { Role::ExpiresAt, expiresAt }, { Role::ClaimedAt, claimedAt }, { Role::CompletedAt, completedAt },
    { Role::UpdatedAt, updatedAt }, { Role::CreatedAt, createdAt }, { Role::Fingerprint, fingerprint },
    { Role::Attempts, attempts }, { Role::Owner, owner }, { Role::ResponseCode, responseCode },
    { Role::ErrorCode, errorCode }, { Role::ErrorMessage, errorMessage }, { Role::ResultType, resultType },
    { Role::ResultId, resultId }, { Role::ResponseBody, responseBody }, { Role::RequestPayload, requestPayload } };

int statusNameScore(const ColumnEvidence &column)
{
    int score = hasAny(column.words, { u"status"_s, u"state"_s }) ? 10 : 0;
    if (hasAny(column.words, { u"from"_s, u"to"_s, u"old"_s, u"new"_s, u"previous"_s, u"expected"_s })) {
        score -= 8;
    }
    return score;
}

/// Maps a column's known values; gives how well they read as a life cycle, 0 to 20.
int mapWords(const ColumnEvidence &column, StatusGuess *guess)
{
    guess->column = column.facts.name;
    guess->sql = column.expression().sql;
    guess->constrained = !column.allowed.isEmpty();
    QStringList values = column.allowed;
    for (const QString &value : column.values + QStringList { column.defaultConstant }) {
        if (!value.isEmpty() && !values.contains(value)) {
            values.append(value);
        }
    }
    if (values.size() > 20) {
        return 0; // free text
    }
    bool open = false;
    bool ended = false;
    bool failed = false;
    for (const QString &value : std::as_const(values)) {
        const auto state = stateOfWord(value);
        if (!state) {
            guess->unmapped.append(value);
            continue;
        }
        guess->states.append({ value, *state });
        open = open || *state == KeyState::Pending || *state == KeyState::InProgress;
        ended = ended || *state == KeyState::Succeeded;
        failed = failed || *state == KeyState::FailedFinal || *state == KeyState::FailedRetryable;
    }
    const qsizetype known = guess->states.size();
    if (known == 0 || known * 10 < values.size() * 6) {
        return 0;
    }
    guess->lifecycle = (ended && (open || failed)) || (open && failed);
    return guess->lifecycle ? 20 : 8;
}

/// Rows of a table whose status is the phase a request reached: only the last word is known (recovery_point).
bool openVocabulary(const ColumnEvidence &column, StatusGuess *guess)
{
    if (!column.text() || !hasAny(column.words, { u"recovery"_s, u"phase"_s, u"step"_s }) || guess->lifecycle) {
        return false;
    }
    QStringList ends;
    for (const QString &value : column.values) {
        if (stateOfWord(value) == KeyState::Succeeded) {
            ends.append(value);
        }
    }
    guess->column = column.facts.name;
    guess->sql = column.expression().sql;
    guess->states.clear();
    guess->unmapped.clear();
    for (const QString &end : ends.isEmpty() ? QStringList { u"finished"_s } : ends) {
        guess->states.append({ end, KeyState::Succeeded });
    }
    guess->others = KeyState::InProgress;
    guess->lifecycle = true;
    return true;
}

/// From a boolean (processed) or a nullable time (dispatched): two or three states.
StatusGuess derivedStatus(const TableEvidence &table, const RoleGuess &roles)
{
    StatusGuess guess;
    QString done;
    QString failed;
    for (const ColumnEvidence &column : table.columns) {
        if (column.boolean() && hasAny(column.words, kDone + QStringList { u"success"_s })) {
            done = column.expression().sql;
        } else if (column.boolean() && hasAny(column.words, { u"failed"_s, u"error"_s, u"dead"_s })) {
            failed = column.expression().sql;
        }
    }
    const auto nullable = [&table, &roles](Role role) {
        const ColumnFacts *facts = table.relation.column(roles.columns.value(role));
        return facts != nullptr && !facts->notNull ? u"t."_s + quoteIdentifier(facts->name) + u" IS NOT NULL"_s
                                                   : QString();
    };
    if (done.isEmpty()) {
        done = nullable(Role::CompletedAt);
    }
    if (done.isEmpty()) {
        return guess;
    }
    const QString claimed = nullable(Role::ClaimedAt);
    guess.derived = true;
    guess.lifecycle = true;
    guess.sql = u"CASE WHEN "_s + done + u" THEN 'done'"_s;
    guess.states.append({ u"done"_s, KeyState::Succeeded });
    if (!failed.isEmpty()) {
        guess.sql += u" WHEN "_s + failed + u" THEN 'failed'"_s;
        guess.states.append({ u"failed"_s, KeyState::FailedRetryable });
    }
    if (!claimed.isEmpty()) {
        guess.sql += u" WHEN "_s + claimed + u" THEN 'claimed'"_s;
        guess.states.append({ u"claimed"_s, KeyState::InProgress });
    }
    guess.sql += u" ELSE 'open' END"_s;
    guess.states.append({ u"open"_s, KeyState::Pending });
    return guess;
}

} // namespace

RoleGuess guessRoles(TableEvidence *table, const KeyGuess &key)
{
    RoleGuess guess;
    for (const auto &[role, fits] : kRules) {
        ColumnEvidence *best = nullptr;
        int most = 0;
        for (ColumnEvidence &column : table->columns) {
            const bool taken = column.used || column.facts.name == key.key || key.scope.contains(column.facts.name)
                || (key.identity.contains(column.facts.name) && !column.time);
            const int score = taken ? 0 : fits(column);
            if (score > most) {
                most = score;
                best = &column;
            }
        }
        if (best != nullptr) {
            best->used = true;
            guess.columns.insert(role, best->facts.name);
        }
    }
    // A row that is written when the work is done was made then too.
    const ColumnFacts *completed = table->relation.column(guess.columns.value(Role::CompletedAt));
    if (!guess.has(Role::CreatedAt) && completed != nullptr && completed->notNull) {
        guess.columns.insert(Role::CreatedAt, completed->name);
    }
    return guess;
}

StatusGuess guessStatus(TableEvidence *table, const KeyGuess &key, const RoleGuess &roles)
{
    StatusGuess best;
    int most = 0;
    for (ColumnEvidence &column : table->columns) {
        const bool kind = column.text() || column.facts.typeCategory == u'E';
        if (!kind || column.used || column.facts.name == key.key || key.scope.contains(column.facts.name)) {
            continue;
        }
        StatusGuess guess;
        int score = mapWords(column, &guess);
        if (score == 0 && openVocabulary(column, &guess)) {
            score = 9;
        }
        score = score > 0 ? score + statusNameScore(column) : 0;
        if (score > most) {
            most = score;
            best = guess;
        }
    }
    if (most > 0) {
        return best;
    }
    for (ColumnEvidence &column : table->columns) {
        // A status whose values say nothing yet: an empty text column, or bare numbers.
        if ((column.text() || column.integer()) && !column.used && statusNameScore(column) > 0
            && column.words.size() <= 2) {
            best.column = column.facts.name;
            best.sql = column.expression().sql;
            best.unmapped = column.values;
            return best;
        }
    }
    return derivedStatus(*table, roles);
}

} // namespace idemdesk::sql
