// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/key_guess.h"

#include "sql/detect/status_guess.h"
#include "sql/detect/words.h"

#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

const QStringList kParty { u"tenant"_s, u"user"_s, u"account"_s, u"customer"_s, u"client"_s, u"merchant"_s,
    u"organization"_s, u"organisation"_s, u"org"_s, u"workspace"_s, u"environment"_s, u"project"_s };
const QStringList kDomain { u"scope"_s, u"operation"_s, u"consumer"_s, u"subscriber"_s, u"handler"_s, u"source"_s,
    u"endpoint"_s, u"queue"_s, u"topic"_s, u"kind"_s, u"type"_s };

/// A key that is simply called so: how much it says is a matter of what makes it, and of what the table is called.
int plainIdRank(const TableEvidence &table, const ColumnEvidence &column)
{
    const bool counted = column.facts.identity || column.facts.defaultSql.startsWith(u"nextval(");
    const bool numbered = column.integer();
    if (namesAStore(table.words) && !counted) {
        return numbered ? 45 : 65;
    }
    return counted ? 20 : numbered ? 24 : 30;
}

/// How likely this column alone names an intent.
int keyRank(const TableEvidence &table, const ColumnEvidence &column)
{
    const QStringList &words = column.words;
    if (!column.identifier()) {
        return 0;
    }
    if (namedAsStatus(column)) {
        return 3; // it is in a unique key for partitioning
    }
    const bool named = hasAny(words, { u"id"_s, u"key"_s, u"uuid"_s, u"token"_s, u"hash"_s });
    if (hasAny(words,
            { u"idempotency"_s, u"idempotence"_s, u"idempotent"_s, u"dedup"_s, u"dedupe"_s, u"deduplication"_s })) {
        return hasAny(words, { u"scope"_s, u"status"_s, u"state"_s }) ? 5 : named ? 100 : 90;
    }
    for (const ForeignKeyFacts &key : table.relation.foreignKeys) {
        if (!key.incoming && key.columns.contains(column.facts.name)) {
            return 5; // it names a row of another table
        }
    }
    if (hasAny(words, kParty) || (!named && hasAny(words, kDomain))) {
        return 5;
    }
    if (named && hasAny(words, { u"unique"_s })) {
        return 80;
    }
    if (named && hasAny(words, { u"message"_s, u"msg"_s })) {
        return 70;
    }
    if (hasAny(words, { u"message"_s, u"command"_s, u"request"_s })
        && hasAny(words, { u"no"_s, u"number"_s, u"ref"_s, u"reference"_s })) {
        return 60;
    }
    if (words == QStringList { u"id"_s }) {
        return plainIdRank(table, column);
    }
    if (named
        && hasAny(words,
            { u"command"_s, u"request"_s, u"event"_s, u"operation"_s, u"correlation"_s, u"intent"_s, u"webhook"_s,
                u"delivery"_s, u"publication"_s })) {
        return 60;
    }
    if (!words.isEmpty() && words.last() == u"key") {
        return 55;
    }
    if (hasAny(words, { u"nonce"_s, u"uuid"_s })) {
        return 45;
    }
    // Beside another id a row's number is what differs within it.
    const bool numbered
        = column.integer() && hasAny(words, { u"row"_s, u"line"_s, u"number"_s, u"seq"_s, u"sequence"_s, u"index"_s });
    return numbered ? 22 : named ? 20 : 10;
}

/// The key columns of each valid unique index that covers every row.
QList<QStringList> uniqueSets(const TableEvidence &table)
{
    QList<QStringList> sets;
    for (const IndexFacts &index : table.relation.indexes) {
        const QStringList keys = index.columns.mid(0, index.keyColumns);
        if (index.unique && index.valid && index.predicate.isEmpty()
            && !index.columnNumbers.mid(0, index.keyColumns).contains(0)) {
            if (index.primary) {
                sets.prepend(keys);
            } else {
                sets.append(keys);
            }
        }
    }
    return sets;
}

bool allNotNull(const TableEvidence &table, const QStringList &names)
{
    for (const QString &name : names) {
        const ColumnFacts *column = table.relation.column(name);
        if (column == nullptr || !column->notNull) {
            return false;
        }
    }
    return true;
}

const ColumnEvidence *columnNamed(const TableEvidence &table, const QString &name)
{
    for (const ColumnEvidence &column : table.columns) {
        if (column.facts.name == name) {
            return &column;
        }
    }
    return nullptr;
}

/// A view has no index: the best named column is the key, the columns that usually divide keys are its scope.
KeyGuess guessWithoutIndex(const TableEvidence &table)
{
    KeyGuess guess;
    for (const ColumnEvidence &column : table.columns) {
        const int rank = keyRank(table, column);
        if (rank > guess.strength) {
            guess.strength = rank;
            guess.key = column.facts.name;
        }
    }
    for (const ColumnEvidence &column : table.columns) {
        const bool divides = hasAny(column.words, kParty)
            || (column.text() && hasAny(column.words, { u"scope"_s, u"operation"_s, u"consumer"_s, u"source"_s }));
        if (column.identifier() && divides && column.facts.name != guess.key) {
            guess.scope.append(column.facts.name);
        }
    }
    guess.identity = guess.scope + QStringList { guess.key };
    return guess;
}

/// Columns that are unique only in some rows, or beside others, and are named as keys all the same: they can be
/// searched by.
QStringList furtherKeys(const TableEvidence &table, const KeyGuess &guess)
{
    constexpr int clear = 80;
    QStringList keys;
    for (const IndexFacts &index : table.relation.indexes) {
        for (const QString &name :
            index.unique &&index.valid ? index.columns.mid(0, index.keyColumns) : QStringList()) {
            const ColumnEvidence *column = columnNamed(table, name);
            if (column != nullptr && name != guess.key && !guess.scope.contains(name) && !keys.contains(name)
                && keyRank(table, *column) >= clear) {
                keys.append(name);
            }
        }
    }
    return keys;
}

} // namespace

bool namesAStore(const QStringList &words)
{
    static const QStringList store { u"idempotency"_s, u"idempotence"_s, u"idempotent"_s, u"dedup"_s, u"dedupe"_s,
        u"deduplication"_s, u"inbox"_s, u"outbox"_s, u"processed"_s, u"consumed"_s, u"publication"_s, u"publications"_s,
        u"published"_s, u"received"_s, u"envelopes"_s, u"incoming"_s, u"outgoing"_s };
    return hasAny(words, store);
}

KeyGuess guessKey(const TableEvidence &table)
{
    const QList<QStringList> sets = uniqueSets(table);
    if (sets.isEmpty()) {
        return guessWithoutIndex(table);
    }
    KeyGuess guess;
    guess.proven = true;
    QStringList best;
    for (const QStringList &set : sets) {
        int strength = 0;
        QString key;
        for (const QString &name : set) {
            const ColumnEvidence *column = columnNamed(table, name);
            const int rank = column != nullptr ? keyRank(table, *column) : 0;
            if (rank > 0 && rank >= strength) { // of equals the last: what divides keys stands in front
                strength = rank;
                key = name;
            }
        }
        if (strength > guess.strength) {
            guess.strength = strength;
            guess.key = key;
            best = set;
        }
        if (guess.identity.isEmpty() && allNotNull(table, set)) {
            guess.identity = set;
        }
    }
    if (guess.identity.isEmpty()) {
        guess.identity = best;
        guess.proven = false;
    }
    for (const QString &name : std::as_const(best)) {
        const ColumnEvidence *column = columnNamed(table, name);
        if (name != guess.key && column != nullptr && !column->time && !namedAsStatus(*column)) {
            guess.scope.append(name); // a time or a state in a unique key is there for partitioning
        }
    }
    guess.aliases = furtherKeys(table, guess);
    if (guess.scope.isEmpty()) {
        for (const ColumnEvidence &column : table.columns) {
            if (column.facts.notNull && column.identifier() && hasAny(column.words, kParty)
                && column.facts.name != guess.key) {
                guess.scope.append(column.facts.name);
                break;
            }
        }
    }
    return guess;
}

QString scopeLabel(const QString &column)
{
    static const QStringList noise { u"id"_s, u"name"_s, u"system"_s, u"idempotency"_s, u"message"_s };
    static const QRegularExpression form(u"^[\\p{L}_][\\p{L}\\p{N}_.-]*$"_s);
    QStringList kept;
    const QStringList words = wordsOf(column);
    for (const QString &word : words) {
        if (!noise.contains(word)) {
            kept.append(word);
        }
    }
    const QString label = (kept.isEmpty() ? words : kept).join(u'_');
    return form.match(label).hasMatch() ? label : u"scope_"_s + QString::number(qHash(column) % 1000);
}

} // namespace idemdesk::sql
