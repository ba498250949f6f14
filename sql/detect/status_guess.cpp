// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/status_guess.h"

#include "sql/detect/words.h"
#include "sql/json/json_tree.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qsizetype kMostStatuses = 30; ///< more are free text
const QStringList kPhases { u"recovery"_s, u"phase"_s, u"step"_s, u"stage"_s };
const QStringList kStampsOfEnd { u"abandoned"_s, u"discarded"_s, u"dead"_s, u"deadlettered"_s, u"cancelled"_s,
    u"canceled"_s, u"rejected"_s, u"aborted"_s };
const QStringList kStampsOfFailure { u"failed"_s, u"failure"_s, u"errored"_s, u"error"_s };

int statusNameScore(const ColumnEvidence &column)
{
    int score = hasAny(column.words, { u"status"_s, u"state"_s }) ? 10 : 0;
    if (hasAny(column.words, { u"from"_s, u"to"_s, u"old"_s, u"new"_s, u"previous"_s, u"expected"_s })) {
        score -= 8;
    }
    return score;
}

bool isState(const StatusGuess &guess, KeyState state)
{
    return std::any_of(
        guess.states.begin(), guess.states.end(), [state](const auto &entry) { return entry.second == state; });
}

/// What a word means beside the others of its column.
void settleWords(const ColumnEvidence &column, StatusGuess *guess)
{
    const QStringList rest = std::exchange(guess->unmapped, {});
    const bool phases = hasAny(column.words, kPhases);
    for (const QString &raw : rest) {
        const bool accepted = wordsOf(raw) == QStringList { u"accepted"_s };
        const auto common = accepted
            ? std::optional(isState(*guess, KeyState::Succeeded) ? KeyState::Pending : KeyState::Succeeded)
            : stateOfCommonWord(raw);
        if (common || phases) {
            guess->states.append({ raw, common.value_or(KeyState::InProgress) });
        } else {
            guess->unmapped.append(raw);
        }
    }
    // Where a word says that work is done again, what is said to have failed is not.
    const bool again = std::any_of(
        guess->states.begin(), guess->states.end(), [](const auto &entry) { return saysRetry(entry.first); });
    for (auto &[raw, state] : guess->states) {
        state = again && state == KeyState::FailedRetryable && !saysRetry(raw) ? KeyState::FailedFinal : state;
    }
    // Rows without a value have not begun, where no word says so of others.
    guess->nulls = column.nulls > 0;
    if (guess->nulls && guess->lifecycle && !isState(*guess, KeyState::Pending)
        && !isState(*guess, KeyState::InProgress)) {
        guess->ofNull = KeyState::Pending;
    }
}

bool readsAsLifecycle(const StatusGuess &guess)
{
    const bool open = isState(guess, KeyState::Pending) || isState(guess, KeyState::InProgress);
    const bool ended = isState(guess, KeyState::Succeeded);
    const bool failed = isState(guess, KeyState::FailedFinal) || isState(guess, KeyState::FailedRetryable);
    return (ended && (open || failed)) || (open && failed);
}

/// Maps values by the words that services use; gives how well they read as a life cycle, 0 to 20.
int mapWords(const ColumnEvidence &column, const QStringList &values, StatusGuess *guess)
{
    if (values.size() > kMostStatuses) {
        return 0; // free text
    }
    for (const QString &value : values) {
        if (const auto state = stateOfWord(value)) {
            guess->states.append({ value, *state });
        } else {
            guess->unmapped.append(value);
        }
    }
    const qsizetype known = guess->states.size();
    if (known == 0 || known * 10 < values.size() * 6) {
        return 0;
    }
    guess->lifecycle = readsAsLifecycle(*guess);
    if (guess->lifecycle) {
        settleWords(column, guess);
    }
    return guess->lifecycle ? 20 : 8;
}

QStringList valuesOf(const ColumnEvidence &column)
{
    QStringList values = column.allowed;
    for (const QString &value : column.values + QStringList { column.defaultConstant }) {
        if (!value.isEmpty() && !values.contains(value)) {
            values.append(value);
        }
    }
    return values;
}

int mapColumn(const ColumnEvidence &column, StatusGuess *guess)
{
    guess->column = column.facts.name;
    guess->sql = column.expression().sql;
    guess->constrained = !column.allowed.isEmpty();
    return mapWords(column, valuesOf(column), guess);
}

/// Rows of a table whose status is the phase a request reached: only the last word is known (recovery_point).
bool openVocabulary(const ColumnEvidence &column, StatusGuess *guess)
{
    if (!column.text() || !hasAny(column.words, kPhases) || !column.allowed.isEmpty()) {
        return false;
    }
    QStringList ends;
    for (const QString &value : column.values) {
        if (stateOfWord(value) == KeyState::Succeeded) {
            ends.append(value);
        }
    }
    *guess = {};
    guess->column = column.facts.name;
    guess->sql = column.expression().sql;
    for (const QString &end : ends.isEmpty() ? QStringList { u"finished"_s } : ends) {
        guess->states.append({ end, KeyState::Succeeded });
    }
    guess->others = KeyState::InProgress;
    guess->lifecycle = true;
    return true;
}

bool mayHoldWords(const ColumnEvidence &column, const KeyGuess &key)
{
    const bool kind = column.text() || column.facts.typeCategory == u'E';
    return kind && !column.used && column.facts.name != key.key && !key.scope.contains(column.facts.name);
}

StatusGuess bestByWords(TableEvidence *table, const KeyGuess &key, bool lifecycleOnly)
{
    StatusGuess best;
    int most = 0;
    for (ColumnEvidence &column : table->columns) {
        if (!mayHoldWords(column, key)) {
            continue;
        }
        StatusGuess guess;
        int score = mapColumn(column, &guess);
        if (openVocabulary(column, &guess)) {
            score = 9;
        }
        score = score > 0 ? score + statusNameScore(column) : 0;
        if (score > most && (guess.lifecycle || !lifecycleOnly)) {
            most = score;
            best = guess;
        }
    }
    if (ColumnEvidence *column = table->column(best.column)) {
        column->used = true;
    }
    return best;
}

qsizetype placeOf(const TableEvidence &table, const QString &name)
{
    for (qsizetype i = 0; i < table.columns.size(); ++i) {
        if (table.columns.at(i).facts.name == name) {
            return i;
        }
    }
    return -1;
}

/// Is the column set in every row with this number, and in no other? That is what the number says then.
bool setJustWith(const TableEvidence &table, qsizetype status, const QString &code, const QString &column)
{
    const qsizetype place = placeOf(table, column);
    if (place < 0) {
        return false;
    }
    constexpr int least = 5;
    int with = 0;
    int without = 0;
    for (const Cells &row : table.rows) {
        const bool is = !row.at(status).null && row.at(status).text == code;
        if (row.at(status).null || is == row.at(place).null) {
            return false;
        }
        ++(is ? with : without);
    }
    return with >= least && without >= least;
}

/// Numbers for states: what a comment says of them, else what shows in the rows. Nothing is guessed of the others.
StatusGuess mapNumbers(const TableEvidence &table, const ColumnEvidence &column, const RoleGuess &roles)
{
    StatusGuess guess;
    guess.column = column.facts.name;
    guess.sql = column.expression().sql;
    for (const auto &[code, word] : codesOfComment(column.comment)) {
        if (const auto state = stateOfWord(word)) {
            guess.states.append({ code, *state });
        }
    }
    guess.told = guess.states.size() > 1;
    guess.lifecycle = guess.told && readsAsLifecycle(guess);
    const qsizetype status = placeOf(table, column.facts.name);
    if (!guess.lifecycle) {
        guess.states.clear();
        guess.told = false;
        const QString begins = column.facts.defaultSql;
        for (const QString &code : column.values) {
            if (setJustWith(table, status, code, roles.columns.value(Role::CompletedAt))) {
                guess.states.append({ code, KeyState::Succeeded });
            } else if (code == begins) {
                guess.states.append({ code, KeyState::Pending });
            }
        }
        guess.shown = isState(guess, KeyState::Succeeded);
        guess.lifecycle = guess.shown && readsAsLifecycle(guess);
        if (!guess.shown) {
            guess.states.clear();
        }
    }
    for (const QString &code : column.values) {
        const bool known = std::any_of(
            guess.states.begin(), guess.states.end(), [&code](const auto &entry) { return entry.first == code; });
        if (!known) {
            guess.unmapped.append(code);
        }
    }
    return guess;
}

/// A state that stands in JSON, kept as such or as text: the member whose words are those of a life cycle.
StatusGuess statusInDocument(const TableEvidence &table, qsizetype place)
{
    const ColumnEvidence &column = table.columns.at(place);
    QMap<QString, QStringList> values;
    int documents = 0;
    int others = 0;
    for (const Cells &row : table.rows) {
        if (row.at(place).null) {
            continue;
        }
        const auto node = parseJson(row.at(place).text.toUtf8(), column.facts.name);
        if (!node || !node->isObject()) {
            ++others;
            continue;
        }
        ++documents;
        for (const auto &[name, value] : node->members) {
            const QStringList words = wordsOf(name);
            if (value.isText() && words.size() <= 2 && hasAny(words, { u"status"_s, u"state"_s })
                && !values[name].contains(value.text)) {
                values[name].append(value.text);
            }
        }
    }
    StatusGuess best;
    if (documents == 0 || others * 4 > documents) {
        return best;
    }
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        StatusGuess guess;
        ColumnEvidence member;
        if (mapWords(member, it.value(), &guess) == 20 && guess.states.size() > best.states.size()) {
            const QString sql = column.facts.typeName.startsWith(u"json")
                ? column.expression().sql
                : u'(' + column.expression().sql + u")::pg_catalog.jsonb"_s;
            guess.document = column.facts.name;
            guess.sql = u'(' + sql + u"->>"_s + quoteLiteral(it.key()).trimmed() + u')';
            best = guess;
        }
    }
    return best;
}

/// Booleans and nullable times, each of which says one state; the first that holds counts.
QList<StatusGuess::Part> partsOf(const TableEvidence &table, const RoleGuess &roles)
{
    using Part = StatusGuess::Part;
    QList<Part> done;
    QList<Part> ended;
    QList<Part> failed;
    QList<Part> claimed;
    const auto stamp = [&table, &roles](Role role, const QString &label, KeyState state, QList<Part> *parts) {
        const ColumnFacts *facts = table.relation.column(roles.columns.value(role));
        if (facts != nullptr && !facts->notNull && parts->isEmpty()) {
            parts->append({ label, state, facts->name, false, false });
        }
    };
    for (const ColumnEvidence &column : table.columns) {
        const QString name = column.facts.name;
        const bool flag = column.boolean();
        const bool time = column.time && !column.facts.notNull && !column.used;
        if (flag && (saysDone(column.words) || hasAny(column.words, { u"success"_s }))) {
            done = { { u"done"_s, KeyState::Succeeded, name, true, column.facts.notNull } };
        } else if ((flag || time) && hasAny(column.words, kStampsOfEnd)) {
            const auto [set, word] = std::pair(flag, column.words.first());
            ended.append({ word, KeyState::FailedFinal, name, set, column.facts.notNull });
        } else if ((flag || time) && hasAny(column.words, kStampsOfFailure)) {
            failed = { { u"failed"_s, KeyState::FailedRetryable, name, flag, column.facts.notNull } };
        } else if (flag && hasAny(column.words, { u"processing"_s, u"locked"_s, u"claimed"_s, u"progress"_s })) {
            claimed = { { u"claimed"_s, KeyState::InProgress, name, true, column.facts.notNull } };
        }
    }
    stamp(Role::CompletedAt, u"done"_s, KeyState::Succeeded, &done);
    stamp(Role::LeaseUntil, u"claimed"_s, KeyState::InProgress, &claimed);
    stamp(Role::ClaimedAt, u"claimed"_s, KeyState::InProgress, &claimed);
    return done.isEmpty() ? QList<Part>() : done + ended + failed + claimed;
}

StatusGuess derivedStatus(const TableEvidence &table, const RoleGuess &roles)
{
    StatusGuess guess;
    guess.parts = partsOf(table, roles);
    if (guess.parts.isEmpty()) {
        return guess;
    }
    guess.derived = true;
    guess.lifecycle = true;
    guess.sql = u"CASE"_s;
    for (const StatusGuess::Part &part : std::as_const(guess.parts)) {
        const auto column = std::find_if(table.columns.begin(), table.columns.end(),
            [&part](const ColumnEvidence &each) { return each.facts.name == part.column; });
        const QString name
            = part.boolean ? column->expression().sql : u"t."_s + quoteIdentifier(part.column) + u" IS NOT NULL"_s;
        guess.sql += u" WHEN "_s + name + u" THEN '"_s + part.label + u'\'';
        guess.states.append({ part.label, part.state });
    }
    guess.sql += u" ELSE 'open' END"_s;
    guess.states.append({ u"open"_s, KeyState::Pending });
    return guess;
}

/// A queue whose messages are hidden until a time once they were read: what is held shows by the clock alone.
StatusGuess statusByClock(const TableEvidence &table, const RoleGuess &roles)
{
    StatusGuess guess;
    const ColumnFacts *attempts = table.relation.column(roles.columns.value(Role::Attempts));
    for (const ColumnEvidence &column : table.columns) {
        const bool visible = column.time == TimeForm::Native && column.facts.notNull && !column.used
            && (hasAny(column.words, { u"vt"_s, u"visible"_s, u"visibility"_s, u"invisible"_s }));
        if (visible && attempts != nullptr) {
            guess.sql = u"CASE WHEN t."_s + quoteIdentifier(attempts->name) + u" > 0 AND "_s + column.expression().sql
                + u" > $now THEN 'held' ELSE 'waiting' END"_s;
            guess.states = { { u"held"_s, KeyState::InProgress }, { u"waiting"_s, KeyState::Pending } };
            guess.derived = true;
            guess.lifecycle = true;
            guess.byClock = true;
            guess.parts = { { u"held"_s, KeyState::InProgress, column.facts.name, false, true } };
        }
    }
    return guess;
}

} // namespace

bool namedAsStatus(const ColumnEvidence &column)
{
    const bool kind = column.text() || column.facts.typeCategory == u'E';
    return kind && statusNameScore(column) > 0 && column.words.size() <= 2;
}

StatusGuess statusByWords(TableEvidence *table, const KeyGuess &key)
{
    return bestByWords(table, key, true);
}

StatusGuess statusOtherwise(TableEvidence *table, const KeyGuess &key, const RoleGuess &roles)
{
    for (const ColumnEvidence &column : table->columns) {
        if (column.integer() && !column.used && statusNameScore(column) > 0 && column.words.size() <= 2) {
            const StatusGuess guess = mapNumbers(*table, column, roles);
            if (guess.lifecycle) {
                return guess;
            }
        }
    }
    for (qsizetype i = 0; i < table->columns.size(); ++i) {
        const ColumnEvidence &column = table->columns.at(i);
        const bool other = roles.columns.value(Role::ResponseBody) == column.facts.name;
        if ((column.text() || column.document()) && !other && column.facts.name != key.key) {
            const StatusGuess guess = statusInDocument(*table, i);
            if (guess.lifecycle) {
                return guess;
            }
        }
    }
    const StatusGuess best = bestByWords(table, key, false);
    if (!best.column.isEmpty()) {
        return best;
    }
    for (const ColumnEvidence &column : std::as_const(table->columns)) {
        // A status whose values say nothing yet: an empty text column, or bare numbers.
        if ((column.text() || column.integer()) && !column.used && statusNameScore(column) > 0
            && column.words.size() <= 2) {
            StatusGuess unread;
            unread.column = column.facts.name;
            unread.sql = column.expression().sql;
            unread.unmapped = column.values;
            return unread;
        }
    }
    const StatusGuess derived = derivedStatus(*table, roles);
    return derived.sql.isEmpty() ? statusByClock(*table, roles) : derived;
}

} // namespace idemdesk::sql
