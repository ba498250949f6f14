// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/health/health_checks.h"

#include "sql/keys/explain.h"
#include "sql/keys/render.h"
#include "sql/profile/catalogue.h"
#include "sql/profile/evidence_trial.h"
#include "sql/profile/expression_sql.h"
#include "sql/trends/trend_gateway.h"
#include "sql/trends/trend_metrics.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql::health {

namespace {

/// A unique index that covers just some columns, or fewer of them.
struct UniqueCover {
    QStringList key; ///< empty where there is none
    QStringList nullable; ///< of key: a NULL in one of these is like no other, so that such rows are not refused
    bool immediate = true;

    int holes() const { return (nullable.isEmpty() ? 0 : 2) + (immediate ? 0 : 1); }
};

/// The index that lets no two rows have all of `columns` alike, the one with the fewest holes; else one over fewer
/// columns.
UniqueCover uniqueOver(const RelationFacts &relation, const QStringList &columns)
{
    UniqueCover best;
    for (const IndexFacts &index : relation.indexes) {
        const QStringList key = index.columns.mid(0, index.keyColumns);
        const bool within = std::all_of(
            key.cbegin(), key.cend(), [&columns](const QString &column) { return columns.contains(column); });
        if (index.unique && index.valid && index.predicate.isEmpty() && within && !key.isEmpty()) {
            UniqueCover cover { key, {}, index.immediate };
            for (const QString &name : key) {
                const ColumnFacts *column = relation.column(name);
                if (index.nullsDistinct && (column == nullptr || !column->notNull)) {
                    cover.nullable += name;
                }
            }
            const bool more = key.size() == columns.size() && best.key.size() != columns.size();
            const bool tighter
                = (key.size() == columns.size()) == (best.key.size() == columns.size()) && cover.holes() < best.holes();
            if (best.key.isEmpty() || more || tighter) {
                best = cover;
            }
        }
    }
    return best;
}

/// The index covers the whole key, but lets two rows with one key in all the same, or refuses the second one late.
void weighHoles(const Target &target, const UniqueCover &cover, HealthFinding *finding)
{
    const QString columns = cover.key.join(u", "_s);
    if (!cover.nullable.isEmpty()) {
        finding->level = HealthLevel::Problem;
        finding->seen
            = Tr::tr("A unique index covers %1, but %2 may be NULL, and rows with NULL there are never alike.")
                  .arg(columns, cover.nullable.join(u", "_s));
        finding->why = Tr::tr("Two requests with the same key and NULL there both win. Forbid NULL, or make the index "
                              "NULLS NOT DISTINCT (PostgreSQL 15 and later).");
        QStringList lines;
        for (const QString &column : cover.nullable) {
            lines
                += u"ALTER TABLE %1 ALTER COLUMN %2 SET NOT NULL;"_s.arg(target.relation.sql, quoteIdentifier(column));
        }
        finding->sql = lines.join(u'\n');
    } else if (!cover.immediate) {
        finding->level = HealthLevel::Problem;
        finding->seen
            = Tr::tr("The unique constraint over %1 is deferrable, so the second row may be refused only at COMMIT.")
                  .arg(columns);
        finding->why = Tr::tr(
            "Until then both requests believe that they have won, and both do the work. ON CONFLICT cannot use it.");
        finding->sql = createIndex(target, cover.key, true);
    }
}

QString kindWord(TargetKind kind)
{
    switch (kind) {
    case TargetKind::Inbox:
        return Tr::tr("message");
    case TargetKind::Outbox:
        return Tr::tr("event");
    case TargetKind::Lease:
        return Tr::tr("item");
    case TargetKind::Job:
        return Tr::tr("row");
    case TargetKind::Request:
        break;
    }
    return Tr::tr("key");
}

} // namespace

Result<Findings> uniqueKey(Session &, const Target &target)
{
    HealthFinding finding { u"unique_key"_s, HealthLevel::Good,
        target.profile.kind == TargetKind::Outbox ? Tr::tr("One row for each event")
                                                  : Tr::tr("One winner for each key"),
        {}, {}, {} };
    if (target.profile.kind == TargetKind::Outbox) {
        finding.defect = Tr::tr("An event can be stored twice");
    }
    QStringList columns;
    bool plain = true;
    for (const LabelledExpression &part : target.profile.scope) {
        plain = plain && !plainColumn(part.value.sql).isEmpty();
        columns += plainColumn(part.value.sql);
    }
    plain = plain && !plainColumn(target.profile.key.sql).isEmpty();
    columns += plainColumn(target.profile.key.sql);
    columns.removeDuplicates();
    if (target.relation.isView()) {
        finding.level = HealthLevel::Unknown;
        finding.notRead = true;
        finding.seen = Tr::tr("This is a view; the table below it may or may not have a unique index.");
        finding.why = Tr::tr("Only a unique index in the database lets just one of two simultaneous requests win.");
    } else if (const UniqueCover cover = plain ? uniqueOver(target.relation, columns) : UniqueCover();
               cover.key.size() == columns.size() && plain) {
        finding.seen = Tr::tr("A unique index covers %1.").arg(columns.join(u", "_s));
        weighHoles(target, cover, &finding);
    } else if (const QStringList &key = cover.key; !key.isEmpty()) {
        finding.level = HealthLevel::Advice;
        finding.defect = Tr::tr("Two scopes cannot have the same key");
        finding.seen = Tr::tr("A unique index covers %1 alone, without the rest of the scope.").arg(key.join(u", "_s));
        finding.why = Tr::tr("Two callers in different scopes may choose the same key. Then one is refused, or "
                             "answered with the other's result.");
    } else if (target.identityUnique) {
        finding.level = HealthLevel::Advice;
        finding.defect = Tr::tr("One key can stand in several rows");
        finding.seen = Tr::tr("The unique index covers %1, which is more than scope and %2.")
                           .arg(target.profile.identity.join(u", "_s), kindWord(target.profile.kind));
        finding.why = Tr::tr("The same key may stand in several rows, such as one a day. Then a retry on the next day "
                             "is a new request to the database.");
    } else {
        finding.level = HealthLevel::Problem;
        finding.seen = Tr::tr("No valid unique index covers just scope and %1.").arg(kindWord(target.profile.kind));
        finding.why = Tr::tr(
            "Two simultaneous requests with one key may both win. A check in the service cannot prevent that.");
        finding.sql = plain ? createIndex(target, columns, true) : QString();
    }
    return Findings { finding };
}

Result<Findings> fingerprintStored(Session &session, const Target &target)
{
    if (target.profile.kind != TargetKind::Request && target.profile.kind != TargetKind::Inbox) {
        return Findings(); // an event or an item is not asked for twice with other contents
    }
    HealthFinding finding { u"fingerprint"_s, HealthLevel::Good, Tr::tr("The request's fingerprint is stored"), {}, {},
        {} };
    if (!target.profile.has(Role::Fingerprint)) {
        finding.level = target.profile.kind == TargetKind::Request ? HealthLevel::Problem : HealthLevel::Advice;
        finding.seen = Tr::tr("No column with a hash of the request is mapped.");
        finding.why = Tr::tr(
            "A key reused with other data looks like a retry: the caller gets an answer to a question it did not ask.");
        finding.sql = target.relation.isView()
            ? QString()
            : u"ALTER TABLE %1 ADD COLUMN request_hash text;"_s.arg(target.relation.sql);
        return Findings { finding };
    }
    const ColumnFacts *column = plainColumnFacts(target, target.profile.role(Role::Fingerprint));
    if (column != nullptr && column->notNull) {
        finding.seen = Tr::tr("%1 is never empty.").arg(column->name);
        return Findings { finding };
    }
    Render render(target);
    const QString sql = u"SELECT pg_catalog.count(*), pg_catalog.count(x.f) FROM (SELECT ("_s
        + target.profile.role(Role::Fingerprint).sql + u") AS f"_s + render.from() + u" LIMIT 10000) x"_s;
    TRY(const auto row, session.one(render.finish(sql, {})));
    const qint64 all = row.at(0).text.toLongLong();
    const qint64 empty = all - row.at(1).text.toLongLong();
    finding.ofRows = true;
    if (all == 0) {
        return Findings { nothingToLookAt(finding) };
    }
    finding.seen = empty == 0 ? Tr::tr("Of %n row(s) looked at, all have one.", nullptr, int(all))
                              : Tr::tr("Of %n row(s) looked at, %1 have none.", nullptr, int(all)).arg(empty);
    if (empty > 0) {
        finding.level = HealthLevel::Advice;
        finding.why = Tr::tr("For those keys, a retry with other data cannot be told from a true retry.");
    }
    return Findings { finding };
}

Result<Findings> staleRule(Session &, const Target &target)
{
    HealthFinding finding { u"stale_rule"_s, HealthLevel::Good, Tr::tr("Stuck keys can be told"), {}, {}, {} };
    bool open = false;
    for (const auto &entry : target.profile.states) {
        open = open || entry.second == KeyState::InProgress || entry.second == KeyState::Pending;
    }
    if (!open) {
        return Findings(); // nothing here is ever under way
    }
    if (!target.profile.stale) {
        finding.level = HealthLevel::Problem;
        finding.seen = Tr::tr("The profile has no rule by which a key is stuck.");
        finding.why = Tr::tr("A worker that died leaves its key in progress for good, and nobody sees it.");
    } else if (target.profile.has(Role::LeaseUntil) || target.profile.has(Role::HeartbeatAt)) {
        finding.seen = Tr::tr("A lease or a heartbeat says when a worker is overdue.");
    } else {
        finding.level = HealthLevel::Advice;
        finding.seen = Tr::tr("Only a key's age hints at a dead worker.");
        finding.why = Tr::tr("A slow worker and a dead one look alike. A column in which the worker extends its lease "
                             "tells them apart.");
        finding.sql = target.relation.isView()
            ? QString()
            : u"ALTER TABLE %1 ADD COLUMN locked_until timestamptz;"_s.arg(target.relation.sql);
    }
    return Findings { finding };
}

namespace {

constexpr qint64 kLongDays = 30; ///< a webhook, an import's row or a note may come again so late
constexpr qint64 kShortDays = 7;

/// The shortest time after which a purge takes a key for good; nothing where none does, or no plain length says it.
std::optional<qint64> shortestPurge(const Profile &profile)
{
    std::optional<qint64> shortest;
    for (const TimeRule &rule : profile.purge) {
        const auto after = durationSeconds(rule.after);
        if (after && *after > 0 && !profile.history) {
            shortest = std::min(shortest.value_or(*after), *after);
        }
    }
    return shortest;
}

/// What is wrong with one policy's kind of deduplication (seed 003 §19); empty: nothing.
QString dedupFault(const Profile &profile, const PolicySpec &policy)
{
    if (policy.dedup == DedupWindow::Permanent && !profile.purge.isEmpty() && !profile.history) {
        return Tr::tr("They are to be known for good, and the purge rule deletes them.");
    }
    const auto purged = shortestPurge(profile);
    if (policy.dedup == DedupWindow::Long && purged && *purged < kLongDays * kDay) {
        return Tr::tr("They are to be known for %n day(s) at least, and the purge rule takes them earlier.", nullptr,
            int(kLongDays));
    }
    if (policy.dedup == DedupWindow::Short) {
        for (const QString &window : policy.windows) {
            if (durationSeconds(window).value_or(0) > kShortDays * kDay) {
                return Tr::tr("They are known for %n day(s) at most, and one window of the policy is longer.", nullptr,
                    int(kShortDays));
            }
        }
    }
    return {};
}

} // namespace

Result<Findings> dedupWindows(Session &, const Target &target)
{
    Findings findings;
    for (const PolicySpec &policy : target.profile.policies) {
        if (!policy.dedup) {
            continue; // "retention" looks at its windows
        }
        QStringList match;
        for (auto part = policy.match.cbegin(); part != policy.match.cend(); ++part) {
            match += part.key() + u": "_s + *part;
        }
        const QString who = match.isEmpty() ? Tr::tr("All keys.") : Tr::tr("Keys of %1.").arg(match.join(u", "_s));
        const QString fault = dedupFault(target.profile, policy);
        HealthFinding finding { u"dedup"_s, HealthLevel::Good,
            Tr::tr("Keys are known again for as long as they must be"),
            who + u' ' + (fault.isEmpty() ? Tr::tr("Nothing takes them earlier.") : fault), {}, {} };
        if (!fault.isEmpty()) {
            finding.level = HealthLevel::Problem;
            finding.why
                = Tr::tr("A request that comes again later finds no key, and its effect happens a second time.");
        }
        findings += finding;
    }
    return findings;
}

namespace {

/// As the window and the terminal call a state that a purge should leave alone.
QString openStateWord(KeyState state)
{
    switch (state) {
    case KeyState::Pending:
        return Tr::tr("Pending");
    case KeyState::InProgress:
        return Tr::tr("In progress");
    case KeyState::FailedRetryable:
        return Tr::tr("Failed, retryable");
    case KeyState::Succeeded:
    case KeyState::FailedFinal:
    case KeyState::Unknown:
        break;
    }
    return Tr::tr("Unknown");
}

} // namespace

Result<Findings> purgeRule(Session &, const Target &target)
{
    HealthFinding finding { u"purge_rule"_s, HealthLevel::Good, Tr::tr("A purge takes finished keys only"), {}, {},
        {} };
    const QList<PolicySpec> &policies = target.profile.policies;
    const bool forGood = !policies.isEmpty()
        && std::all_of(policies.cbegin(), policies.cend(),
            [](const PolicySpec &one) { return one.dedup == DedupWindow::Permanent; });
    if (target.profile.purge.isEmpty() && forGood) {
        finding.seen = Tr::tr("No rule removes keys, which the profile says are to be known for good.");
        return Findings { finding };
    }
    if (target.profile.purge.isEmpty()) {
        finding.level = HealthLevel::Advice;
        finding.defect = Tr::tr("No purge rule");
        finding.seen = Tr::tr("The profile has no rule by which keys are removed.");
        finding.why = Tr::tr("The table grows without end, and its indexes with it.");
        return Findings { finding };
    }
    QStringList open;
    bool worse = false; // than a failure that might have been tried again
    for (const TimeRule &rule : target.profile.purge) {
        for (const KeyState state : rule.states) {
            worse = worse || state == KeyState::Pending || state == KeyState::InProgress || state == KeyState::Unknown;
            if (state != KeyState::Succeeded && state != KeyState::FailedFinal
                && !open.contains(openStateWord(state))) {
                open += openStateWord(state);
            }
        }
        if (rule.states.isEmpty()) {
            open += Tr::tr("any state");
            worse = true;
        }
    }
    if (open.isEmpty()) {
        finding.seen = Tr::tr("Its rules name final states alone.");
    } else {
        finding.level = worse ? HealthLevel::Problem : HealthLevel::Advice;
        finding.defect = worse ? QString() : Tr::tr("A purge would take keys that may be retried");
        finding.seen = Tr::tr("Its rules also take: %1.").arg(open.join(u"; "_s));
        finding.why = Tr::tr("Work that is not over would lose its marker. Tried again, it would run as if it were "
                             "new. The console's purge leaves keys "
                             "that wait or are in progress alone, whatever the rule says.");
    }
    return Findings { finding };
}

namespace {

/// Says of a proving query that it cannot find anything in time, or was not seen to.
void weighTrials(const Target &target, const QList<EvidenceTrial> &trials, HealthFinding *finding)
{
    QStringList seen;
    for (const EvidenceTrial &trial : trials) {
        // Where no unfinished row has what the query looks by, a crash after the effect shows nowhere.
        const bool blind = trial.unfinished > 0 && trial.unlinked == trial.unfinished && trial.found == 0;
        const bool shown = trial.proved() && trial.error.isEmpty() && trial.unlinked == 0;
        if (blind || !shown) {
            const HealthLevel level = blind ? HealthLevel::Problem : HealthLevel::Advice;
            finding->level = finding->level == HealthLevel::Problem ? finding->level : level;
            const QList<Finding> notes = evidenceFindings(target, trial);
            // Where no unfinished row has what the query looks by, the rest follows from that.
            const bool none = trial.unlinked > 0 && trial.unlinked == trial.unfinished;
            for (const Finding &note : none ? notes.first(1) : notes) {
                seen += note.text;
            }
        }
    }
    if (!seen.isEmpty()) {
        finding->seen = seen.join(u' ');
        finding->why = Tr::tr("Until its effect is found, a key whose work was done needs a person to look. "
                              "Let the query look by what the row has "
                              "from its start: the key itself, or the reference of the business.");
    }
}

} // namespace

Result<Findings> effectsProved(Session &session, const Target &target)
{
    if (target.profile.kind == TargetKind::Outbox) {
        return Findings(); // an event is the effect
    }
    HealthFinding finding { u"effects"_s, HealthLevel::Good, Tr::tr("Effects can be verified"), {}, {}, {} };
    QStringList proving;
    for (const EffectSpec &effect : target.profile.effects) {
        if (effect.proves) {
            proving += effect.type;
        }
    }
    if (!proving.isEmpty()) {
        finding.seen = Tr::tr("A query of the profile proves: %1.").arg(proving.join(u", "_s));
        TRY(const auto trials, tryEvidence(session, target));
        weighTrials(target, trials, &finding);
    } else {
        finding.level = HealthLevel::Advice;
        finding.seen = target.profile.effects.isEmpty()
            ? Tr::tr("The profile names no effect.")
            : Tr::tr("The profile names effects, but none that proves a key's work.");
        finding.why = Tr::tr("A stuck key can then not be marked as succeeded: each one needs a person who looks "
                             "elsewhere what happened.");
    }
    return Findings { finding };
}

namespace {

/// The partitioned table that this one is a part of, as a plan prints names; else itself.
Result<QString> rootOf(Session &session, const QString &relation)
{
    Statement statement { u"SELECT pg_catalog.format('\"%s\".\"%s\"', pg_catalog.replace(n.nspname, '\"', '\"\"'), "
                          "pg_catalog.replace(c.relname, '\"', '\"\"')) FROM pg_catalog.pg_class c JOIN "
                          "pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                          "WHERE c.oid = pg_catalog.pg_partition_root(pg_catalog.to_regclass($1::pg_catalog.text))"_s,
        {} };
    statement.bind(relation);
    TRY(const auto rows, session.all(statement));
    return rows.isEmpty() ? relation : rows.constFirst().constFirst().text;
}

/// Beside the primary key, over the whole table, and a NULL in it does not let the same row in twice.
bool refusesTwice(const RelationFacts &relation, const IndexFacts &index)
{
    if (!index.unique || !index.valid || index.primary || !index.predicate.isEmpty()) {
        return false;
    }
    return !index.nullsDistinct
        || std::all_of(index.columnNumbers.cbegin(), index.columnNumbers.cbegin() + index.keyColumns, [&](int number) {
               return std::any_of(relation.columns.cbegin(), relation.columns.cend(),
                   [number](const ColumnFacts &column) { return column.number == number && column.notNull; });
           });
}

} // namespace

Result<Findings> businessUnique(Session &session, const Target &target)
{
    Findings findings;
    QStringList looked;
    for (const EffectSpec &effect : target.profile.effects) {
        Render render(target);
        const auto plan = explain(session,
            render.finish(u"SELECT 1"_s + render.from() + u" CROSS JOIN LATERAL ("_s + effect.sql + u") AS e"_s, {}),
            PlanDetail::Relations);
        if (!plan) {
            if (plan.error().kind != ErrorKind::Privilege) {
                return plan.error();
            }
            findings.append(
                { u"business_unique"_s, HealthLevel::Unknown, Tr::tr("A second effect is refused by the database"),
                    Tr::tr("The query of the effect “%1” may not be run: %2").arg(effect.type, plan.error().why),
                    Tr::tr("Without the right to read the effect it proves nothing either."), {}, true });
            continue;
        }
        for (const QString &read : plan->relations) {
            // Partitions are one table: a plan names each of them.
            TRY(const auto root, rootOf(session, read));
            const QString &name = root;
            if (name == target.relation.sql || looked.contains(name)) {
                continue;
            }
            looked += name;
            TRY(const auto relation, readRelation(session, name));
            QStringList unique;
            for (const IndexFacts &index : relation.indexes) {
                if (refusesTwice(relation, index)) {
                    unique += u"%1 (%2)"_s.arg(index.name, index.columns.first(index.keyColumns).join(u", "_s));
                }
            }
            HealthFinding finding { u"business_unique"_s, HealthLevel::Good,
                Tr::tr("A second effect is refused by the database"), {}, {}, {} };
            if (!unique.isEmpty()) {
                finding.seen = Tr::tr("%1, which the effect “%2” reads, has the unique index %3.")
                                   .arg(name, effect.type, unique.join(u", "_s));
            } else {
                finding.level = HealthLevel::Advice;
                finding.seen = Tr::tr("%1 lacks a NOT NULL unique index on the effect “%2”.").arg(name, effect.type);
                finding.why = Tr::tr("A client that sends a new key for the same request gets a second effect. A "
                                     "unique index over what makes the business event one of a kind refuses it.");
                finding.sql
                    = u"CREATE UNIQUE INDEX CONCURRENTLY ON %1 (/* the columns that make it one of a kind */);"_s.arg(
                        name);
            }
            findings += finding;
        }
    }
    return findings;
}

Result<Findings> metricsAvailable(Session &, const Target &target)
{
    HealthFinding finding { u"metrics"_s, HealthLevel::Good,
        Tr::tr("Retries, conflicts, failures and stuck keys can be counted"), {}, {}, {} };
    // What the question is about; the others are told beside.
    static const QStringList asked { u"retries"_s, u"replays"_s, u"conflicts"_s, u"stale"_s, u"failures_retryable"_s,
        u"failures_final"_s };
    QStringList missing;
    bool gap = false;
    const TargetKind kind = target.profile.kind;
    const bool queue = kind == TargetKind::Inbox || kind == TargetKind::Outbox || kind == TargetKind::Job;
    const auto metrics = trendMetrics(target);
    for (const TrendMetric &metric : metrics) {
        if (!queue && (metric.id.endsWith(u"backlog") || metric.id == u"dead")) {
            continue; // nothing queues in such a table
        }
        if (isSampledFromCache(metric.id) && !target.profile.cache) {
            continue; // nothing stands in front of it
        }
        if (!metric.available(TrendSource::Rows) && !metric.available(TrendSource::Samples)) {
            missing += metric.title;
            gap = gap || asked.contains(metric.id);
        }
    }
    finding.seen = missing.isEmpty() ? Tr::tr("Every metric has a source.")
        : !gap                       ? Tr::tr("They have a source. None for: %1.").arg(missing.join(u"; "_s))
                                     : Tr::tr("No source for: %1.").arg(missing.join(u"; "_s));
    if (!missing.isEmpty()) {
        finding.level = gap ? HealthLevel::Advice : HealthLevel::Good;
        finding.why = Tr::tr("The trends page says for each of them what would provide it.");
    }
    return Findings { finding };
}

} // namespace idemdesk::sql::health
