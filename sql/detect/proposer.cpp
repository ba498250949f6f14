// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/proposer.h"

#include "sql/detect/known_library.h"
#include "sql/detect/profile_maker.h"
#include "sql/detect/words.h"
#include "sql/profile/reader_rights.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kWeakKey = 30; ///< an id or a row's number: it names the row, not an intent
constexpr int kDoubted = 95; ///< the most where something is assumed, or not proven
constexpr int kUnseen = 90; ///< the most where no row was looked at

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
    /// A hash of what was asked for, not of a file, a token or a script.
    static bool ofRequest(const QString &column)
    {
        static const QStringList others { u"content"_s, u"file"_s, u"token"_s, u"password"_s, u"secret"_s,
            u"checksum"_s, u"code"_s, u"image"_s, u"blob"_s, u"commit"_s };
        const QStringList words = wordsOf(column);
        return words.size() > 1 ? !hasAny(words, others) : hasAny(words, { u"hash"_s, u"fingerprint"_s, u"digest"_s });
    }
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
        if (namesAStore(m_table.words)) {
            plus(10, Tr::tr("The table's name suggests requests or messages handled once."));
        }
        if (has(Role::Fingerprint) && !ofRequest(name(Role::Fingerprint))) {
            plus(8, Tr::tr("%1 holds a digest of something.").arg(name(Role::Fingerprint)));
        } else if (has(Role::Fingerprint)) {
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
        } else if (!status.document.isEmpty()) {
            plus(25, Tr::tr("The JSON in %1 holds a state: %2.").arg(status.document, status.states.first().first));
        } else if (status.byClock) {
            plus(20, Tr::tr("Whether a message is held shows by the clock: it is seen again later."));
        } else if (status.derived) {
            plus(12, Tr::tr("Whether a row is done shows in a boolean or a time that is set later."));
        }
    }

    void scoreClaim()
    {
        if (has(Role::LeaseUntil)) {
            plus(20, Tr::tr("%1 is the end of a lease.").arg(name(Role::LeaseUntil)));
        } else if (m_guess.expiryIsLease) {
            plus(10, Tr::tr("While work runs, %1 ends soon: it is the lease, too.").arg(name(Role::ExpiresAt)));
        }
        if (has(Role::LeaseUntil) && has(Role::Owner)) {
            plus(5, Tr::tr("It says until when a row is held, and by whom."));
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
        for (const ColumnEvidence &column : m_table.columns) {
            static const QStringList written { u"title"_s, u"subject"_s, u"slug"_s, u"author"_s, u"headline"_s,
                u"assignee"_s, u"guest"_s };
            if (column.text() && hasAny(column.words, written)) {
                minus(20, Tr::tr("%1 is written for people to read.").arg(column.facts.name));
                break;
            }
        }
        const bool reserved = hasAny(wordsOf(name(Role::LeaseUntil)), { u"reserved"_s });
        const bool request = has(Role::Fingerprint) && ofRequest(name(Role::Fingerprint));
        const bool held = has(Role::ClaimedAt) && (m_guess.status.lifecycle && has(Role::RequestPayload));
        const bool nothingElse = (!has(Role::LeaseUntil) || reserved) && !request && !has(Role::Attempts) && !held
            && !has(Role::HeartbeatAt) && !has(Role::ResponseBody);
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
        || hasAny(words, { u"inbox"_s, u"received"_s, u"incoming"_s })
        || (hasAny(keyWords, { u"message"_s, u"webhook"_s, u"delivery"_s })
            && hasAny(columnWords, { u"received"_s }))) {
        return TargetKind::Inbox;
    }
    if (hasAny(words, { u"outbox"_s, u"published"_s, u"publication"_s, u"publications"_s, u"outgoing"_s })
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
        && (namesAStore(table.words) || guess.key.strength >= 60);
}

/// Nothing is said of rows that this login may not see.
void addRowDoubts(const TableEvidence &table, Proposal *proposal)
{
    if (!table.sampleFault.isEmpty()) {
        proposal->doubts.append(table.sampleFault);
    } else if (table.relation.rowSecurity) {
        const QString policy = readersPolicy(table.relation, table.reader);
        proposal->doubts.append(policy.isEmpty()
                ? Tr::tr("Row security hides rows below this view: what is said rests on those that this login sees.")
                : Tr::tr("Row security hides rows from this login. To show all to it, the owner runs: %1").arg(policy));
    } else if (table.sampled == 0) {
        proposal->doubts.append(Tr::tr("It has no rows to look at: this rests on its definition alone."));
    }
}

void addStatusDoubts(const Guess &guess, Proposal *proposal)
{
    const StatusGuess &status = guess.status;
    QStringList *doubts = &proposal->doubts;
    if (!status.unmapped.isEmpty()) {
        doubts->append(status.constrained
                ? Tr::tr("What these statuses mean is not known: %1.").arg(status.unmapped.join(u", "_s).left(200))
                : Tr::tr("These statuses are not mapped: %1.").arg(status.unmapped.join(u", "_s).left(200)));
    }
    const std::optional<KeyState> presence = proposal->profile.otherStates;
    if (status.sql.isEmpty() && presence == KeyState::Pending) {
        doubts->append(Tr::tr("No column says a row's state. It is taken as waiting, and as gone once it was sent."));
    } else if (status.sql.isEmpty()) {
        doubts->append(Tr::tr("No state column: a row means done."));
    } else if (status.states.isEmpty()) {
        doubts->append(Tr::tr("The values of %1 say nothing yet: map them by hand.").arg(status.column));
    } else if (status.others) {
        doubts->append(Tr::tr("Every other value of %1 is taken as in progress.").arg(status.column));
    } else if (status.shown) {
        doubts->append(Tr::tr("What numbers of %1 mean is taken from times set with them.").arg(status.column));
    } else if (!status.document.isEmpty()) {
        doubts->append(Tr::tr("The state stands in the JSON of %1, which no action changes.").arg(status.document));
    } else if (!status.column.isEmpty() && !status.constrained) {
        doubts->append(Tr::tr("Nothing limits %1: only the words that were seen are mapped.").arg(status.column));
    }
    if (status.nulls && status.ofNull) {
        doubts->append(Tr::tr("Rows without a status are taken as not finished."));
    } else if (status.nulls) {
        doubts->append(Tr::tr("Some rows have no status; what that means is not known."));
    }
    const bool failed = std::any_of(status.states.begin(), status.states.end(),
        [](const auto &entry) { return entry.second == KeyState::FailedRetryable && !saysRetry(entry.first); });
    if (failed) {
        doubts->append(Tr::tr("That failed work may be tried again is an assumption."));
    }
}

void addRuleDoubts(const TableEvidence &table, const Guess &guess, Proposal *proposal)
{
    const Profile &profile = proposal->profile;
    if (!profile.stale) {
        proposal->doubts.append(Tr::tr("Nothing says when a row is stuck."));
    } else if (guess.staleAssumed) {
        proposal->doubts.append(Tr::tr("How long work may take is an assumption: look at the rule for stuck rows."));
    }
    if (!guess.cascades.isEmpty()) {
        proposal->doubts.append(Tr::tr("Deleting its rows would delete or change rows of %1, so no purge is proposed.")
                                    .arg(guess.cascades));
    }
    for (auto it = profile.roles.cbegin(); it != profile.roles.cend(); ++it) {
        const auto column = std::find_if(table.columns.begin(), table.columns.end(),
            [&it](const ColumnEvidence &each) { return each.facts.name == it.value().column; });
        if (column != table.columns.end() && column->facts.typeName == u"timestamp" && !column->zoneProven) {
            proposal->doubts.append(it.value().form == TimeForm::Zone
                    ? Tr::tr("%1 has no time zone; it is read as %2, as others beside it.")
                          .arg(it.value().column, it.value().zone)
                    : Tr::tr("%1 has no time zone; it is read as UTC.").arg(it.value().column));
        }
    }
}

void addDoubts(const TableEvidence &table, const Guess &guess, Proposal *proposal)
{
    addRowDoubts(table, proposal);
    if (!guess.key.proven) {
        proposal->doubts.append(Tr::tr("No unique index proves the identity."));
    }
    addStatusDoubts(guess, proposal);
    addRuleDoubts(table, guess, proposal);
    if (table.relation.isView()) {
        proposal->doubts.append(Tr::tr("It is a view: it can be read, and no action is offered on it."));
    }
}

Guess guessAll(TableEvidence *table)
{
    Guess guess;
    guess.key = guessKey(*table);
    guess.status = statusByWords(table, guess.key);
    guess.roles = guessRoles(table, guess.key);
    if (guess.status.sql.isEmpty()) {
        guess.status = statusOtherwise(table, guess.key, guess.roles);
    }
    guess.kind = kindOf(*table, guess);
    weigh(*table, &guess);
    return guess;
}

void addSample(const TableEvidence &table, Proposal *proposal)
{
    for (const ColumnEvidence &column : table.columns) {
        proposal->sample.append(
            { column.facts.name, column.values.isEmpty() ? QString() : column.values.first().left(120) });
    }
}

/// All but certain is only what was proven: the key by an index, the words by the type, the rest without a doubt.
int mostFor(const TableEvidence &table, const Proposal &proposal)
{
    constexpr int all = 99;
    return table.sampled == 0 || table.relation.rowSecurity ? kUnseen : proposal.doubts.isEmpty() ? all : kDoubted;
}

} // namespace

bool worthSampling(const TableEvidence &table)
{
    if (knownLibrary(table.relation)) {
        return true;
    }
    TableEvidence copy = table;
    const Guess guess = guessAll(&copy);
    if (guess.key.key.isEmpty()) {
        return false;
    }
    Scorer scorer(copy, guess);
    scorer.run();
    // A status without listed values can add at most 25 once its rows are seen, a hash's look another 5; numbers and
    // texts that turn out to be times add a lease, and take back what speaks against a bare id.
    constexpr int threshold = 40;
    const bool times = std::any_of(copy.columns.begin(), copy.columns.end(), [](const ColumnEvidence &column) {
        return !column.time && (column.integer() || column.text())
            && hasAny(column.words,
                { u"at"_s, u"until"_s, u"expires"_s, u"expiry"_s, u"expiration"_s, u"epoch"_s, u"deadline"_s });
    });
    return scorer.score() + (times ? 70 : 30) >= threshold || presenceOnly(copy, guess);
}

Proposal proposeFrom(TableEvidence table)
{
    Proposal proposal;
    proposal.relation = table.relation;
    if (const auto library = knownLibrary(table.relation)) {
        constexpr int named = 95; // by its columns; what a row means was read in the library, not here
        proposal.profile = *library;
        proposal.confidence = named;
        proposal.reasons.append(Tr::tr("Its name and its columns are those of %1.").arg(library->title));
        addRowDoubts(table, &proposal);
        addSample(table, &proposal);
        return proposal;
    }
    const Guess guess = guessAll(&table);
    Scorer scorer(table, guess);
    scorer.run();
    proposal.profile = makeProfile(table, guess);
    proposal.reasons = scorer.reasons();
    proposal.doubts = scorer.doubts();
    proposal.confidence = scorer.score();
    if (presenceOnly(table, guess)) {
        proposal.confidence = std::clamp(proposal.confidence, 40, 45);
        proposal.doubts.append(Tr::tr("It stores only keys: it tells that one was seen, not what came of it."));
    }
    if (table.relation.isView()) {
        proposal.confidence = std::min(proposal.confidence, 99) * 6 / 10;
    }
    addDoubts(table, guess, &proposal);
    proposal.confidence = std::clamp(proposal.confidence, 0, mostFor(table, proposal));
    addSample(table, &proposal);
    return proposal;
}

} // namespace idemdesk::sql
