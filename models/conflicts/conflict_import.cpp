// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/conflicts/conflict_import.h"

#include "models/fingerprint/fingerprint_text.h"
#include "sql/conflicts/conflict_gateway.h"
#include "sql/local/local_conflicts.h"
#include "sql/types/tr.h"

#include <QRegularExpression>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kBatch = 500; ///< stored at once
constexpr qsizetype kUnknown = 5'000; ///< looked up at once: each time may be a pass over whole tables

/// A name without its quotes, or folded where it has none.
QString plainPart(const QString &name)
{
    return name.startsWith(u'"') ? name.mid(1, name.size() - 2).replace(u"\"\""_s, u"\""_s) : name.toLower();
}

/// The table that an INSERT or UPDATE names, as schema and name; the schema is empty where it is not written.
std::optional<std::pair<QString, QString>> tableOf(const QString &statement)
{
    static const QRegularExpression form(u"\\b(?:insert\\s+into|update(?:\\s+only)?)\\s+(\"(?:[^\"]|\"\")+\"|[\\w$]+)"
                                         "(?:\\s*\\.\\s*(\"(?:[^\"]|\"\")+\"|[\\w$]+))?"_s,
        QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(statement);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    const bool qualified = match.capturedLength(2) > 0;
    return std::pair { qualified ? plainPart(match.captured(1)) : QString(),
        plainPart(match.captured(qualified ? 2 : 1)) };
}

/// Whether the violation can be of this table: by its statement, the constraint and the columns of its key,
/// as far as the log has them.
bool canBeOf(const LogEvent &event, const sql::Target &target)
{
    if (const auto table = tableOf(event.statement); table
        && (table->second != target.relation.name
            || (!table->first.isEmpty() && table->first != target.relation.schema))) {
        return false;
    }
    QStringList columns;
    for (auto column = event.columns.keyBegin(); column != event.columns.keyEnd(); ++column) {
        columns += plainPart(*column);
    }
    columns.sort();
    return std::any_of(
        target.relation.indexes.cbegin(), target.relation.indexes.cend(), [&](const sql::IndexFacts &index) {
            QStringList keys = index.columns.mid(0, index.keyColumns);
            keys.sort();
            // An index over an expression prints it in its own way; there the name alone has to do.
            return index.name == event.constraint
                && (columns.isEmpty() || keys == columns || index.columnNumbers.contains(0));
        });
}

/// The one target whose unique index this is. Tables in different schemas share names of constraints: where
/// several may be meant, or where nothing but that name speaks for a table, the target is not known (null)
/// though the violation is of one of them.
struct Attribution {
    bool ours = false; ///< of one of the targets
    const sql::Target *target = nullptr;
};

Attribution targetOf(const LogEvent &event, const QList<sql::Target> &targets)
{
    Attribution found;
    int several = 0;
    for (const sql::Target &target : targets) {
        if (canBeOf(event, target)) {
            found = { true, &target };
            ++several;
        }
    }
    if (several > 1 || (event.columns.isEmpty() && !tableOf(event.statement))) {
        found.target = nullptr;
    }
    return found;
}

QString plainName(const sql::Expression &expression)
{
    return !expression.column.isEmpty() ? expression.column : QString(expression.sql).remove(u"t."_s).remove(u'"');
}

std::optional<sql::HashText> hashOf(const QString &text)
{
    const auto reading = readFingerprint(text);
    return reading ? std::optional(sql::HashText { reading->bytes, reading->named }) : std::nullopt;
}

/// What a service's log leaves open for all of its lines: not seen, which is not the same as not there.
QStringList untold(const LogCounts &log, qint64 outcomes)
{
    if (!log.application || log.records == 0 || outcomes > 0) {
        return {};
    }
    return { log.events == 0 ? Tr::tr("None of its lines names a key where the console looks for one.")
                             : Tr::tr("None of its lines says how an attempt ended where the console looks for it."),
        Tr::tr("Say where with a mapping; in the terminal: --map %1.")
            .arg(log.events == 0 ? u"key=/request/id"_s : u"outcome=/result/state"_s) };
}

/// An outcome that is neither a conflict nor a replay here: to a service it may be either.
void noteOutcome(const LogEvent &event, QMap<QString, qint64> *words)
{
    constexpr qsizetype kWords = 20;
    if (event.kind != LogEventKind::Application || event.conflict || event.replay || event.outcome.isEmpty()) {
        return;
    }
    if (words->contains(event.outcome) || words->size() < kWords) {
        ++(*words)[event.outcome];
    }
}

/// Conflicts on their way from the log to where they are kept. Those whose key may be found wait until many do; what
/// still waits when the import is cancelled is left for the next one, as it would be kept without its key for good.
class Batches
{
public:
    /// tables: there are some whose key a line may name without saying which.
    Batches(const ImportSteps &steps, ImportCounts &counts, bool tables)
        : m_steps(steps)
        , m_counts(counts)
        , m_tables(tables)
    {
    }

    void add(const sql::ConflictRecord &record, const std::function<bool()> &cancelled)
    {
        const bool hashed = !record.key && !(record.keyHash.isEmpty() && record.existingHash.isEmpty());
        const bool findable = m_steps.find && (hashed || (m_tables && record.key && record.target.isEmpty()));
        (findable ? m_unknown : m_ready) += record;
        if (m_unknown.size() >= kUnknown) {
            look(cancelled);
        }
        store(kBatch);
    }
    void finish(const std::function<bool()> &cancelled)
    {
        look(cancelled);
        store(1);
    }
    const std::optional<sql::Error> &failed() const { return m_failed; }

private:
    void look(const std::function<bool()> &cancelled)
    {
        if (m_unknown.isEmpty() || cancelled()) {
            return;
        }
        if (m_counts.notSearched.isEmpty()) { // a table that failed once would fail, or take long, each time
            const sql::KeysFound keys = m_steps.find(m_unknown);
            m_counts.found += keys.found;
            m_counts.notSearched = keys.notSearched;
        }
        if (!cancelled()) {
            m_ready += std::exchange(m_unknown, {});
        }
    }
    void store(qsizetype least)
    {
        while (m_ready.size() >= least && !m_failed) {
            const auto stored = m_steps.store(m_ready.mid(0, kBatch));
            m_ready.remove(0, std::min(kBatch, m_ready.size()));
            if (stored) {
                m_counts.stored += *stored;
            } else {
                m_failed = stored.error();
            }
        }
    }

    const ImportSteps &m_steps;
    ImportCounts &m_counts;
    const bool m_tables;
    QList<sql::ConflictRecord> m_unknown;
    QList<sql::ConflictRecord> m_ready;
    std::optional<sql::Error> m_failed;
};

} // namespace

QString conflictKind(LogEventKind kind)
{
    switch (kind) {
    case LogEventKind::KeyConflict:
        return u"key_conflict"_s;
    case LogEventKind::MessageConflict:
        return u"message_conflict"_s;
    case LogEventKind::UniqueViolation:
        return u"unique_violation"_s;
    case LogEventKind::Deadlock:
        return u"deadlock"_s;
    case LogEventKind::SerializationFailure:
        return u"serialization_failure"_s;
    case LogEventKind::Refused:
        return sql::kRefusedKind;
    case LogEventKind::Application:
        break;
    }
    return u"application"_s;
}

std::optional<sql::ConflictRecord> conflictOf(const LogEvent &event, const QList<sql::Target> &targets)
{
    if (event.kind == LogEventKind::Application && !event.conflict && !event.replay) {
        return std::nullopt;
    }
    sql::ConflictRecord record;
    record.id = event.id;
    record.kind = event.replay ? QString(sql::kReplayKind) : conflictKind(event.kind);
    record.fromLog = true;
    record.scope = event.scope;
    record.key = event.keySource == KeySource::Unknown ? std::nullopt : std::optional(event.key);
    record.keyHash = event.keyHash;
    record.existingHash = event.existingHash;
    record.incomingHash = event.incomingHash;
    record.caller = event.application.isEmpty() ? event.user : event.application;
    record.lastAt = event.time.value_or(sql::Timestamp());
    record.firstAt = record.lastAt;
    record.message = event.message;
    record.detail = event.detail;
    record.attributes = event.attributes;
    if (event.kind == LogEventKind::UniqueViolation) {
        const auto [ours, target] = targetOf(event, targets);
        if (!ours) {
            return std::nullopt; // of some other table
        }
        if (target == nullptr) {
            return record;
        }
        record.target = target->profile.name;
        const QString column = plainName(target->profile.key);
        if (event.columns.contains(column)) {
            record.key = event.columns.value(column);
            QStringList scope;
            for (const sql::LabelledExpression &part : target->profile.scope) {
                if (event.columns.contains(plainName(part.value))) {
                    scope += event.columns.value(plainName(part.value));
                }
            }
            record.scope = scope.isEmpty() ? record.scope : scope.join(u" / "_s);
        } else { // of another unique constraint: its values are no key
            record.key.reset();
            record.scope.clear();
        }
    }
    return record;
}

sql::Result<ImportCounts> importConflicts(
    const LogInput &input, const QList<sql::Target> &targets, const ImportSteps &steps, const LogFileOptions &options)
{
    ImportCounts counts;
    counts.name = input.name;
    Batches batches(steps, counts, !targets.isEmpty());
    qint64 outcomes = 0; // of a service's own log
    LogFileOptions watched = options;
    watched.cancelled = [&batches, asked = options.cancelled] { return batches.failed() || (asked && asked()); };
    const auto read = readLog(
        input,
        [&](const LogEvent &event) {
            outcomes += event.conflict || !event.outcome.isEmpty() ? 1 : 0;
            noteOutcome(event, &counts.otherOutcomes);
            if (!input.database.isEmpty() && !event.database.isEmpty() && event.database != input.database) {
                ++counts.elsewhere;
            } else if (const auto record = conflictOf(event, targets)) {
                // A service's own log is about its tables; a server's is about every database that it has.
                counts.unplaced += event.database.isEmpty() && event.kind != LogEventKind::Application ? 1 : 0;
                ++(record->kind == sql::kReplayKind ? counts.replays : counts.conflicts);
                counts.timeless += event.time ? 0 : 1;
                batches.add(*record, watched.cancelled);
            }
        },
        watched);
    if (read) {
        batches.finish(watched.cancelled);
    }
    if (batches.failed()) {
        return *batches.failed();
    }
    if (!read) {
        return read.error();
    }
    if (watched.cancelled()) { // while the last keys were looked up
        return readingCancelled(input.name);
    }
    counts.log = *read;
    counts.notSearched += untold(counts.log, outcomes);
    return counts;
}

sql::Result<ImportCounts> importConflicts(sql::Session &session, const sql::LocalPlace &place, const LogInput &input,
    const QList<sql::Target> &targets, const LogFileOptions &options, bool allTables)
{
    TRY(const auto there, sql::keepsConflicts(session));
    std::unique_ptr<sql::LocalConflicts> local;
    if (!there) {
        TRY(local, sql::LocalConflicts::open(place));
    }
    ImportSteps steps;
    steps.find = [&](QList<sql::ConflictRecord> &records) {
        return sql::findKeys(session, targets, records, hashOf, allTables);
    };
    steps.store = [&](const QList<sql::ConflictRecord> &records) {
        return local != nullptr ? local->store(input.name, records) : sql::storeConflicts(session, input.name, records);
    };
    LogInput here = input;
    if (here.database.isEmpty()) { // also a file may tell of several
        here.database = session.facts().database;
    }
    auto counts = importConflicts(here, targets, steps, options);
    if (counts) {
        counts->keptHere = local != nullptr;
    }
    return counts;
}

} // namespace idemdesk::models
