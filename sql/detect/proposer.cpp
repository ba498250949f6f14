// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/proposer.h"

#include "sql/detect/profile_maker.h"
#include "sql/detect/words.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kWeakKey = 22; ///< an id or a row's number: it names the row, not an intent
const QStringList kStore { u"idempotency"_s, u"idempotent"_s, u"dedup"_s, u"deduplication"_s, u"inbox"_s, u"outbox"_s,
    u"processed"_s };

/// Adds up what speaks for and against a table, each point with its sentence.
class Scorer
{
public:
    Scorer(const TableEvidence &table, const Guess &guess)
        : m_table(table)
        , m_guess(guess)
    {
    }

    void run()
    {
        scoreKey();
        scoreStatus();
        scoreClaim();
        scoreOutcome();
        scoreMessages();
        scoreAgainst();
    }

    int score() const { return m_score; }
    QStringList reasons() const
    {
        QList<std::pair<int, QString>> ranked = m_reasons;
        std::stable_sort(ranked.begin(), ranked.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
        QStringList sentences;
        for (const auto &[points, sentence] : ranked) {
            sentences.append(sentence);
        }
        return sentences;
    }
    QStringList doubts() const { return m_doubts; }

private:
    bool has(Role role) const { return m_guess.roles.has(role); }
    QString name(Role role) const { return m_guess.roles.columns.value(role); }
    void plus(int points, const QString &sentence)
    {
        m_score += points;
        m_reasons.append({ points, sentence });
    }
    void minus(int points, const QString &sentence)
    {
        m_score -= points;
        m_doubts.append(sentence);
    }

    void scoreKey()
    {
        const int strength = m_guess.key.strength;
        if (strength >= 80) {
            plus(30,
                m_guess.key.proven
                    ? Tr::tr("The column %1 is named as a deduplication key, and a unique index holds it.")
                          .arg(m_guess.key.key)
                    : Tr::tr("The column %1 is named as a deduplication key.").arg(m_guess.key.key));
        } else if (strength >= 60) {
            plus(15, Tr::tr("The column %1 names a message or command.").arg(m_guess.key.key));
        } else if (strength >= 55) {
            plus(10, Tr::tr("The column %1 is named as a key.").arg(m_guess.key.key));
        } else if (strength >= 45) {
            plus(5, Tr::tr("The column %1 could name a request.").arg(m_guess.key.key));
        }
        if (hasAny(m_table.words, kStore)) {
            plus(10, Tr::tr("The table's name speaks of requests or messages handled once."));
        }
        if (has(Role::Fingerprint)) {
            const bool alike
                = std::any_of(m_table.columns.begin(), m_table.columns.end(), [this](const ColumnEvidence &column) {
                      return column.facts.name == name(Role::Fingerprint) && column.hashLike;
                  });
            plus(alike ? 25 : 20,
                alike ? Tr::tr("%1 holds digests, as the hash of a request does.").arg(name(Role::Fingerprint))
                      : Tr::tr("%1 is named as a request's hash.").arg(name(Role::Fingerprint)));
        }
    }

    void scoreStatus()
    {
        const StatusGuess &status = m_guess.status;
        if (!status.column.isEmpty() && status.lifecycle) {
            QStringList words;
            for (const auto &[raw, state] : status.states) {
                words.append(raw);
            }
            plus(status.constrained ? 30 : 25,
                Tr::tr("%1 runs through the life of a request: %2.").arg(status.column, words.join(u", "_s).left(200)));
        } else if (!status.column.isEmpty() && !status.states.isEmpty()) {
            plus(12, Tr::tr("%1 has a word of such a life: %2.").arg(status.column, status.states.first().first));
        } else if (!status.column.isEmpty()) {
            plus(5, Tr::tr("%1 is named as a status.").arg(status.column));
        } else if (status.derived) {
            plus(12, Tr::tr("Whether a row is done shows in a boolean or a time that is set later."));
        }
    }

    void scoreClaim()
    {
        if (has(Role::LeaseUntil)) {
            plus(20, Tr::tr("%1 is the end of a lease.").arg(name(Role::LeaseUntil)));
        }
        if (has(Role::ClaimedAt)) {
            plus(10, Tr::tr("%1 is the time of a claim.").arg(name(Role::ClaimedAt)));
        }
        if (has(Role::HeartbeatAt)) {
            plus(10, Tr::tr("%1 is a heartbeat.").arg(name(Role::HeartbeatAt)));
        }
        if (has(Role::Owner)) {
            plus(5, Tr::tr("%1 names who holds a row.").arg(name(Role::Owner)));
        }
        if (has(Role::Attempts)) {
            plus(10, Tr::tr("%1 counts attempts.").arg(name(Role::Attempts)));
        }
    }

    void scoreOutcome()
    {
        if (has(Role::ResponseBody) || has(Role::ResponseCode)) {
            plus(15,
                Tr::tr("%1 stores an answer to be replayed.")
                    .arg(has(Role::ResponseBody) ? name(Role::ResponseBody) : name(Role::ResponseCode)));
        }
        if (has(Role::ResultType) && has(Role::ResultId)) {
            plus(8, Tr::tr("%1 and %2 point to what was made.").arg(name(Role::ResultType), name(Role::ResultId)));
        }
        if (has(Role::CompletedAt)) {
            plus(10, Tr::tr("%1 is the time a row was finished.").arg(name(Role::CompletedAt)));
        }
        if (has(Role::ErrorCode) || has(Role::ErrorMessage)) {
            plus(5,
                Tr::tr("%1 keeps a failure.")
                    .arg(has(Role::ErrorCode) ? name(Role::ErrorCode) : name(Role::ErrorMessage)));
        }
        if (has(Role::ExpiresAt)) {
            plus(5, Tr::tr("%1 ends a row's retention.").arg(name(Role::ExpiresAt)));
        }
        if (has(Role::RequestPayload)) {
            plus(5, Tr::tr("%1 keeps what was sent.").arg(name(Role::RequestPayload)));
        }
    }

    void scoreMessages()
    {
        QStringList scopeWords;
        for (const QString &column : m_guess.key.scope) {
            scopeWords += wordsOf(column);
        }
        if (hasAny(scopeWords, { u"consumer"_s, u"subscriber"_s, u"handler"_s, u"listener"_s, u"receiver"_s })) {
            plus(15, Tr::tr("Its keys are divided by consumer."));
        } else if (hasAny(scopeWords,
                       { u"source"_s, u"producer"_s, u"topic"_s, u"channel"_s, u"queue"_s, u"operation"_s,
                           u"scope"_s })) {
            plus(10, Tr::tr("Its keys are divided by source or operation."));
        }
        bool aggregate = false;
        bool kind = false;
        for (const ColumnEvidence &column : m_table.columns) {
            aggregate = aggregate
                || (hasAny(column.words, { u"aggregate"_s, u"stream"_s }) && hasAny(column.words, { u"id"_s }));
            kind = kind
                || (column.text() && hasAny(column.words, { u"event"_s, u"message"_s, u"topic"_s })
                    && hasAny(column.words, { u"type"_s, u"name"_s, u"topic"_s }));
        }
        if (has(Role::RequestPayload) && kind && aggregate) {
            plus(25, Tr::tr("It has an outbox's shape: an event's type, its aggregate, its payload."));
        } else if (has(Role::RequestPayload) && kind && has(Role::CompletedAt)) {
            plus(20, Tr::tr("It has an outbox's shape: a message's type, its payload, the time it was sent."));
        }
    }

    void scoreAgainst()
    {
        for (const ColumnEvidence &column : m_table.columns) {
            const bool decimal
                = column.facts.typeName == u"numeric" || column.facts.typeName == u"money" || column.integer();
            if (decimal && hasAny(column.words, { u"amount"_s, u"price"_s, u"total"_s, u"balance"_s, u"cents"_s })) {
                minus(30, Tr::tr("%1 is an amount, as a business table has.").arg(column.facts.name));
                break;
            }
        }
        for (const ColumnEvidence &column : m_table.columns) {
            if (column.text() && hasAny(column.words, { u"email"_s, u"password"_s, u"phone"_s, u"address"_s })) {
                minus(40, Tr::tr("%1 describes a person.").arg(column.facts.name));
                break;
            }
        }
        const bool nothingElse = !has(Role::LeaseUntil) && !has(Role::Fingerprint) && !has(Role::Attempts)
            && !has(Role::ClaimedAt) && !has(Role::HeartbeatAt) && !has(Role::ResponseBody);
        if (m_guess.key.strength <= kWeakKey && nothingElse) {
            minus(20, Tr::tr("Its key looks like a row number, and nothing in it guards against a second attempt."));
        }
        const bool referenced = std::any_of(m_table.relation.foreignKeys.begin(), m_table.relation.foreignKeys.end(),
            [](const ForeignKeyFacts &key) { return key.incoming; });
        if (referenced) {
            minus(10, Tr::tr("Other tables refer to its rows, as they do to business rows."));
        }
    }

    const TableEvidence &m_table;
    const Guess &m_guess;
    int m_score = 0;
    QList<std::pair<int, QString>> m_reasons;
    QStringList m_doubts;
};

TargetKind kindOf(const TableEvidence &table, const Guess &guess)
{
    QStringList words = table.words;
    QStringList columnWords;
    for (const ColumnEvidence &column : table.columns) {
        columnWords += column.words;
    }
    QStringList scopeWords;
    for (const QString &column : guess.key.scope) {
        scopeWords += wordsOf(column);
    }
    const QStringList keyWords = wordsOf(guess.key.key);
    const bool aggregate = hasAny(columnWords, { u"aggregate"_s, u"topic"_s, u"stream"_s });
    const bool payload = guess.roles.has(Role::RequestPayload);
    if (hasAny(scopeWords, { u"consumer"_s, u"subscriber"_s, u"handler"_s, u"receiver"_s })
        || hasAny(words, { u"inbox"_s })
        || (hasAny(keyWords, { u"message"_s, u"webhook"_s, u"delivery"_s })
            && hasAny(columnWords, { u"received"_s }))) {
        return TargetKind::Inbox;
    }
    if (hasAny(words, { u"outbox"_s })
        || (payload && (aggregate || hasAny(columnWords, { u"published"_s, u"dispatched"_s })))) {
        return TargetKind::Outbox;
    }
    if (guess.key.strength >= 60 || guess.roles.has(Role::ResponseBody)) {
        return TargetKind::Request;
    }
    if (guess.roles.has(Role::LeaseUntil) || (guess.roles.has(Role::ClaimedAt) && guess.roles.has(Role::Owner))) {
        return TargetKind::Lease;
    }
    const bool waits = std::any_of(guess.status.states.begin(), guess.status.states.end(),
        [](const auto &entry) { return entry.second == KeyState::Pending; });
    return guess.key.strength <= kWeakKey && (waits || guess.roles.has(Role::Attempts)) ? TargetKind::Job
                                                                                        : TargetKind::Request;
}

/// Only a key, or a key and the time it came: it remembers that an intent was seen, and nothing else.
bool presenceOnly(const TableEvidence &table, const Guess &guess)
{
    const bool bare = std::all_of(table.columns.begin(), table.columns.end(), [&guess](const ColumnEvidence &column) {
        return column.facts.name == guess.key.key || guess.key.scope.contains(column.facts.name)
            || column.time.has_value();
    });
    const ColumnFacts *key = table.relation.column(guess.key.key);
    return bare && key != nullptr
        && (key->typeCategory == u'S' || key->typeName == u"uuid" || key->typeName == u"bytea")
        && (hasAny(table.words, kStore) || guess.key.strength >= 60);
}

void addDoubts(const TableEvidence &table, const Guess &guess, Proposal *proposal)
{
    if (!table.sampleFault.isEmpty()) {
        proposal->doubts.append(table.sampleFault);
    } else if (table.sampled == 0) {
        proposal->doubts.append(Tr::tr("It has no rows to look at: this rests on its definition alone."));
    }
    if (!guess.key.proven) {
        proposal->doubts.append(Tr::tr("No unique index proves the identity."));
    }
    if (!guess.status.unmapped.isEmpty()) {
        proposal->doubts.append(
            Tr::tr("These statuses are not mapped: %1.").arg(guess.status.unmapped.join(u", "_s).left(200)));
    }
    if (guess.status.sql.isEmpty()) {
        proposal->doubts.append(Tr::tr("No column says a row's state: it is its mere presence."));
    } else if (guess.status.states.isEmpty()) {
        proposal->doubts.append(Tr::tr("The values of %1 say nothing yet: map them by hand.").arg(guess.status.column));
    } else if (guess.status.others) {
        proposal->doubts.append(Tr::tr("Every other value of %1 is taken as in progress.").arg(guess.status.column));
    }
    if (!proposal->profile.stale) {
        proposal->doubts.append(Tr::tr("Nothing says when a row is stuck."));
    }
    for (auto it = proposal->profile.roles.cbegin(); it != proposal->profile.roles.cend(); ++it) {
        if (it.value().form == TimeForm::Utc) {
            proposal->doubts.append(Tr::tr("%1 has no time zone; it is read as UTC.").arg(it.value().column));
        }
    }
    if (table.relation.isView()) {
        proposal->doubts.append(Tr::tr("It is a view: it can be read, and no action is offered on it."));
    }
}

Guess guessAll(TableEvidence *table)
{
    Guess guess;
    guess.key = guessKey(*table);
    guess.roles = guessRoles(table, guess.key);
    guess.status = guessStatus(table, guess.key, guess.roles);
    guess.kind = kindOf(*table, guess);
    return guess;
}

} // namespace

bool worthSampling(const TableEvidence &table)
{
    TableEvidence copy = table;
    const Guess guess = guessAll(&copy);
    if (guess.key.key.isEmpty()) {
        return false;
    }
    Scorer scorer(copy, guess);
    scorer.run();
    // A status without listed values can add at most 25 once its rows are seen, a hash's look another 5.
    return scorer.score() + 30 >= 40 || presenceOnly(copy, guess);
}

Proposal proposeFrom(TableEvidence table)
{
    Proposal proposal;
    proposal.relation = table.relation;
    const Guess guess = guessAll(&table);
    Scorer scorer(table, guess);
    scorer.run();
    proposal.profile = makeProfile(table, guess);
    proposal.reasons = scorer.reasons();
    proposal.doubts = scorer.doubts();
    proposal.confidence = scorer.score();
    if (presenceOnly(table, guess)) {
        proposal.confidence = std::clamp(proposal.confidence, 40, 45);
        proposal.reasons.append(Tr::tr("It keeps keys and nothing else, so it can only say that one was seen."));
    }
    if (table.relation.isView()) {
        proposal.confidence = std::min(proposal.confidence, 99) * 6 / 10;
    }
    proposal.confidence = std::clamp(proposal.confidence, 0, 99);
    addDoubts(table, guess, &proposal);
    for (const ColumnEvidence &column : std::as_const(table.columns)) {
        proposal.sample.append(
            { column.facts.name, column.values.isEmpty() ? QString() : column.values.first().left(120) });
    }
    return proposal;
}

} // namespace idemdesk::sql
