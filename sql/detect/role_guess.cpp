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
const QStringList kTakes { u"processing"_s, u"picked"_s, u"attempted"_s, u"acquired"_s, u"started"_s, u"taken"_s };
const QStringList kEnds { u"until"_s, u"expires"_s, u"expiry"_s, u"expire"_s, u"expiration"_s, u"timeout"_s, u"end"_s,
    u"till"_s, u"deadline"_s };
const QStringList kLater { u"next"_s, u"available"_s, u"scheduled"_s, u"due"_s, u"visible"_s, u"retry"_s };
const QStringList kDone { u"completed"_s, u"complete"_s, u"finished"_s, u"processed"_s, u"published"_s, u"dispatched"_s,
    u"delivered"_s, u"succeeded"_s, u"done"_s, u"sent"_s, u"handled"_s, u"consumed"_s, u"finalized"_s, u"acked"_s,
    u"acknowledged"_s, u"completion"_s };
const QStringList kOutcome { u"response"_s, u"result"_s, u"outcome"_s };
const QStringList kMade { u"result"_s, u"resource"_s, u"aggregate"_s, u"target"_s, u"entity"_s };
const QStringList kTrouble { u"error"_s, u"failure"_s, u"fail"_s, u"exception"_s };

int leaseUntil(const ColumnEvidence &c)
{
    const bool held = hasAny(c.words, kHolds) || hasAny(c.words, { u"progress"_s, u"inprogress"_s });
    return timed(c) && held && hasAny(c.words, kEnds) ? 10 : 0;
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
    return hasAny(c.words, kHolds) ? 10 : hasAny(c.words, kTakes) ? 6 : 0;
}
int expiresAt(const ColumnEvidence &c)
{
    return timed(c)
            && hasAny(c.words,
                { u"expires"_s, u"expiry"_s, u"expire"_s, u"expired"_s, u"expiration"_s, u"ttl"_s, u"purge"_s,
                    u"retain"_s, u"keep"_s })
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
    const bool arrival = hasAny(c.words,
        { u"received"_s, u"inserted"_s, u"enqueued"_s, u"occurred"_s, u"recorded"_s, u"arrived"_s, u"added"_s,
            u"requested"_s, u"publication"_s });
    const bool first = c.facts.notNull && hasAny(c.words, { u"begun"_s, u"seen"_s, u"first"_s, u"timestamp"_s });
    return arrival ? 15 : first || c.words == QStringList { u"timestamp"_s } ? 8 : 0;
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
        || (hasAny(
                c.words, { u"retry"_s, u"errors"_s, u"error"_s, u"delivery"_s, u"failure"_s, u"receive"_s, u"read"_s })
            && hasAny(c.words, { u"count"_s, u"ct"_s, u"cnt"_s }));
    return named && c.integer() && !hasAny(c.words, { u"max"_s, u"limit"_s }) ? 10 : 0;
}
int owner(const ColumnEvidence &c)
{
    const bool by = hasAny(c.words, { u"by"_s }) && hasAny(c.words, kHolds + kTakes + QStringList { u"processed"_s });
    return c.identifier() && (by || hasAny(c.words, { u"owner"_s, u"worker"_s, u"holder"_s })) ? 10 : 0;
}
int resultType(const ColumnEvidence &c)
{
    return c.text() && hasAny(c.words, kMade) && hasAny(c.words, { u"type"_s, u"kind"_s }) ? 10 : 0;
}
int resultId(const ColumnEvidence &c)
{
    if (!c.identifier() || !hasAny(c.words, { u"id"_s }) || hasAny(c.words, kHolds)) { // a lock's id is no result
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
    static const QStringList others { u"hash"_s, u"type"_s, u"id"_s, u"key"_s, u"method"_s, u"path"_s, u"fingerprint"_s,
        u"name"_s, u"version"_s, u"no"_s, u"number"_s, u"headers"_s };
    if (!body(c) || hasAny(c.words, kOutcome + kTrouble + others)) {
        return 0;
    }
    if (hasAny(c.words,
            { u"payload"_s, u"body"_s, u"params"_s, u"parameters"_s, u"request"_s, u"data"_s, u"content"_s, u"args"_s,
                u"arguments"_s })) {
        return c.document() ? 12 : 8;
    }
    const bool message = hasAny(c.words, { u"message"_s, u"event"_s, u"operations"_s, u"envelope"_s, u"inputs"_s });
    return message && (c.document() || hasAny(c.words, { u"serialized"_s, u"inputs"_s })) ? 6 : 0;
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

bool saysDone(const QStringList &words)
{
    return hasAny(words, kDone);
}

} // namespace idemdesk::sql
