// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/triage_reader.h"

#include "sql/actions/action_json.h"
#include "sql/actions/triage_effects.h"
#include "sql/activity/key_locks.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/resolve.h"
#include "sql/keys/row_mapper.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/unseen.h"
#include "sql/profile/expression_sql.h"
#include "sql/provider/provider_evidence.h"
#include "sql/provider/provider_target.h"
#include "sql/session/server_clock.h"
#include "sql/types/tr.h"

#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// A heartbeat this recent is a sign of life whatever made the row stale, in seconds.
constexpr qint64 kFreshHeartbeat = 60;
/// Rows that one statement is asked for by identity.
constexpr qsizetype kKeysAtOnce = 200;

// Who holds what, read once. A row that is locked by one transaction has that transaction's number in xmax; one locked
// by several has the number of a group (multixact), whose members are looked up (traps 11). Only where somebody else
// holds a row-level lock on the table at all can any row be locked.
QString lockTables(const Target &target)
{
    return u"WITH RECURSIVE idemdesk_parts AS (SELECT "_s + QString::number(target.relation.oid)
        + u"::pg_catalog.oid AS oid UNION SELECT i.inhrelid FROM pg_catalog.pg_inherits AS i JOIN idemdesk_parts AS p "
          u"ON p.oid = i.inhparent), "
          "idemdesk_locks AS MATERIALIZED (SELECT l.locktype, l.database, l.relation, l.transactionid, l.classid, "
          "l.objid, l.objsubid, l.pid, l.mode "
          "FROM pg_catalog.pg_locks AS l WHERE l.granted AND l.pid IS DISTINCT FROM pg_catalog.pg_backend_pid() "
          "AND l.locktype IN ('transactionid', 'advisory', 'relation')), "
          "idemdesk_sessions AS MATERIALIZED (SELECT s.pid, s.application_name, s.backend_start FROM "
          "pg_catalog.pg_stat_activity AS s "
          "WHERE s.pid <> pg_catalog.pg_backend_pid()), "
          "idemdesk_busy AS MATERIALIZED (SELECT EXISTS (SELECT FROM idemdesk_locks AS l WHERE l.locktype = 'relation' "
          "AND l.mode <> 'AccessShareLock' "
          "AND l.relation IN (SELECT p.oid FROM idemdesk_parts AS p)) AS busy, "
          "c.oldest_multi_xid::pg_catalog.text::pg_catalog.int8 AS oldest "
          "FROM pg_catalog.pg_control_checkpoint() AS c) "_s;
}

const QString kHolder
    = u"'y' || COALESCE(l.pid::pg_catalog.text, '?') || COALESCE((SELECT ' (' || NULLIF(s.application_name, '') || ')' "
      "FROM idemdesk_sessions AS s WHERE s.pid = l.pid), '')"_s;

/// 'n', 'u' (cannot be read), or 'y' with who holds it.
QString rowLockedSql(const Target &target)
{
    if (target.relation.isView() || target.relation.kind == u'f') {
        return u"'u'"_s;
    }
    return u"CASE WHEN t.xmax::pg_catalog.text = '0' OR NOT (SELECT b.busy FROM idemdesk_busy AS b) THEN 'n' "
           "ELSE COALESCE((SELECT "_s
        + kHolder
        + u" FROM idemdesk_locks AS l WHERE l.locktype = 'transactionid' AND l.transactionid = t.xmax LIMIT 1), "
          "CASE WHEN pg_catalog.mxid_age(t.xmax) > 0 AND t.xmax::pg_catalog.text::pg_catalog.int8 >= (SELECT b.oldest "
          "FROM idemdesk_busy AS b) "
          "THEN (SELECT "_s
        + kHolder
        + u" FROM pg_catalog.pg_get_multixact_members(t.xmax) AS m JOIN idemdesk_locks AS l "
          "ON l.locktype = 'transactionid' AND l.transactionid = m.xid LIMIT 1) END, 'n') END"_s;
}

/// A session that began after the claim did not make it: workers keep their names when they are restarted. Where the
/// beginning of the session may not be read, or the time of the claim is not kept, the name alone counts.
QString ownerAliveSql(const Target &target)
{
    if (!target.profile.has(Role::Owner)) {
        return u"'n'"_s;
    }
    const QString owner = u"(("_s + target.profile.role(Role::Owner).sql + u")::pg_catalog.text)"_s;
    const QString since = target.profile.has(Role::ClaimedAt)
        ? u" AND (l.backend_start > "_s + timestamptzSql(target.profile.role(Role::ClaimedAt)) + u") IS NOT TRUE"_s
        : QString();
    return u"CASE WHEN COALESCE("_s + owner
        + u", '') = '' THEN 'n' ELSE COALESCE((SELECT 'y' || l.pid::pg_catalog.text "
          "|| COALESCE(' (' || NULLIF(l.application_name, '') || ')', '') FROM idemdesk_sessions AS l WHERE "
          "(l.application_name = "_s
        + owner + u" OR l.pid::pg_catalog.text = "_s + owner + u")"_s + since
        + u" LIMIT 1), CASE WHEN EXISTS (SELECT FROM idemdesk_sessions AS l WHERE l.application_name IS NULL) THEN "
          "'u' ELSE 'n' END) END"_s;
}

/// The lock that a service takes for the key; not known where the profile gives neither a number nor two.
QString advisoryHeldSql(const Target &target)
{
    if (target.profile.advisoryLock.isEmpty()) {
        return u"'u'"_s;
    }
    return u"CASE WHEN pg_catalog.jsonb_array_length(CASE WHEN pg_catalog.jsonb_typeof(pg_catalog.to_jsonb("_s
        + target.profile.advisoryLock + u")) = 'array' THEN pg_catalog.to_jsonb("_s + target.profile.advisoryLock
        + u") END) <> 2 THEN 'u' WHEN EXISTS (SELECT FROM idemdesk_locks AS l WHERE "_s
        + isAdvisoryLock(target.profile.advisoryLock) + u") THEN 'y' ELSE 'n' END"_s;
}

Known knownOf(const QString &answer)
{
    return answer.startsWith(u'y') ? Known::Yes : answer == u"n" ? Known::No : Known::Unreadable;
}

class TriageReader
{
public:
    /// target tries each row (tryingEach): one on which anything fails is left out, and costs only itself.
    /// filtered: the target that finds the rows, where it is not the one that reads their facts.
    TriageReader(Session &session, const Target &target, const Target *filtered = nullptr)
        : m_session(session)
        , m_target(target)
        , m_filtered(filtered != nullptr ? *filtered : target)
    {
    }

    Result<TriagePage> readMatching(const Filter &filter, bool staleOnly, int limit)
    {
        Filter wanted = filter;
        if (staleOnly && !m_target.profile.stale) {
            Error error;
            for (const Finding &finding : m_target.findings) {
                if (finding.severity == Finding::Severity::Problem && finding.jsonPath.startsWith(u"$.stale")) {
                    error.kind = ErrorKind::MissingObject;
                    error.what = Tr::tr("Which keys of “%1” are stuck cannot be known.").arg(m_target.profile.name);
                    error.why = finding.text;
                    error.todo = Tr::tr("Have the right granted, or fix “stale” in the profile and register it again.");
                    return error;
                }
            }
            error.kind = ErrorKind::NotSaid;
            error.what = Tr::tr("The profile “%1” does not say when a key is stuck.").arg(m_target.profile.name);
            for (const Finding &finding : m_target.findings) {
                if (finding.severity == Finding::Severity::Problem && finding.jsonPath.startsWith(u"$.stale")) {
                    error.why = finding.text;
                }
            }
            error.todo = Tr::tr("Add “stale” to the profile, or requeue keys by a filter.");
            return error;
        }
        if (staleOnly) {
            FilterTerm stale;
            stale.field = FilterField::State;
            stale.values = { u"stale"_s };
            wanted.terms.append(stale);
        }
        TRY(const auto resolved, resolveFilter(m_session, m_filtered, wanted));
        m_page.notes = resolved.notes;
        TRY(const auto identities, identitiesMatching(resolved, limit));
        return read(identities);
    }

    Result<TriagePage> read(const QList<Cells> &identities)
    {
        m_page.rows.reserve(identities.size());
        for (qsizetype from = 0; from < identities.size(); from += kKeysAtOnce) {
            TRY(readChunk(identities.mid(from, kKeysAtOnce)));
        }
        if (m_page.rows.isEmpty()) {
            TRY(m_page.now, serverNow(m_session));
        }
        TRY(readEffects(m_session, m_target, m_page.now, &m_page.rows));
        TRY(readProvider());
        addNotes();
        return m_page;
    }

private:
    /// Which rows, oldest first. Their facts are read by identity: what defeats an expression of one row then costs one
    /// row.
    Result<QList<Cells>> identitiesMatching(const ResolvedFilter &filter, int limit)
    {
        Render render(m_filtered);
        TRY(const auto condition, filterCondition(render, filter));
        QStringList columns;
        for (const QString &name : m_target.profile.identity) {
            columns += u"t."_s + quoteIdentifier(name);
        }
        const QString order = QStringList(columns).join(u", "_s);
        columns += m_target.profile.stale ? staleSince(render) : u"NULL::pg_catalog.timestamptz"_s;
        const QString sql = u"SELECT "_s + columns.join(u", "_s) + render.from() + u" WHERE "_s + condition
            + u" ORDER BY "_s + QString::number(columns.size()) + u", "_s + order + u" LIMIT "_s
            + QString::number(limit + 1);
        TRY_OR(render.located, const auto rows, m_session.all(render.finish(sql, {})));
        QList<Cells> identities;
        for (const Cells &row : rows) {
            identities.append(row.mid(0, m_target.profile.identity.size()));
        }
        m_page.more = identities.size() > limit;
        return m_page.more ? identities.mid(0, limit) : identities;
    }

    /// What was recorded of the provider's statements, and what those rows are now. What may not be read is said: it
    /// could be the very word that a row needs.
    Result<void> readProvider()
    {
        if (!m_target.profile.provider) {
            return {};
        }
        QList<qsizetype> spokenOf;
        for (qsizetype from = 0; from < m_page.rows.size(); from += kKeysAtOnce) {
            const qsizetype to = std::min(from + kKeysAtOnce, m_page.rows.size());
            QList<Cells> identities;
            for (qsizetype i = from; i < to; ++i) {
                identities.append(m_page.rows.at(i).record.identity);
            }
            bool readable = false;
            TRY(const auto words, readProviderWords(m_session, m_target.relation.oid, identities, &readable));
            for (qsizetype i = from; i < to; ++i) {
                m_page.rows[i].provider = words.at(i - from);
                m_page.rows[i].providerUnread = !readable;
                m_wordsUnread = m_wordsUnread || !readable;
                if (!words.at(i - from).words.isEmpty()) {
                    spokenOf += i;
                }
            }
        }
        return spokenOf.isEmpty() ? Result<void>() : readProviderNow(spokenOf);
    }

    /// Where it cannot be read the rows stay without, which the rules take for a doubt.
    Result<void> readProviderNow(const QList<qsizetype> &rows)
    {
        const auto provider = ProviderTarget::bind(m_session, m_target, true);
        if (!provider) {
            return endsReading(provider.error()) ? Result<void>(provider.error()) : Result<void>();
        }
        QHash<QString, ProviderRow> found;
        for (qsizetype from = 0; from < rows.size(); from += kKeysAtOnce) {
            QList<Cells> identities;
            for (const qsizetype row : rows.mid(from, kKeysAtOnce)) {
                identities.append(m_page.rows.at(row).record.identity);
            }
            TRY(readProviderRows(*provider, identities, &found));
        }
        for (const qsizetype row : rows) {
            const auto now = found.constFind(cellsToJson(m_page.rows.at(row).record.identity));
            m_page.rows[row].providerNow = now == found.cend() ? std::nullopt : std::optional(*now);
        }
        return {};
    }

    Result<void> readProviderRows(
        const ProviderTarget &provider, const QList<Cells> &identities, QHash<QString, ProviderRow> *found)
    {
        Render render(provider.target());
        const RowMapper mapper(render, nullptr, RowMapper::kWhole);
        const QString sql = u"SELECT "_s + mapper.selectList() + render.from() + u" WHERE "_s
            + identitiesCondition(render, identities);
        const auto done = m_session.each(render.finish(sql, m_page.now), [&](const Row &row) {
            const ProviderRow now = provider.row(mapper.record(row));
            found->insert(cellsToJson(now.record.identity), now);
            return true;
        });
        if (done) {
            return {};
        }
        if (endsReading(done.error())) {
            return done.error();
        }
        if (identities.size() > 1 && isRowsFault(done.error())) {
            const qsizetype half = identities.size() / 2;
            const auto first = readProviderRows(provider, identities.mid(0, half), found);
            return first ? readProviderRows(provider, identities.mid(half), found) : first;
        }
        return {};
    }

    static bool endsReading(const Error &error)
    {
        return error.kind == ErrorKind::ConnectionLost || error.kind == ErrorKind::Cancelled
            || error.kind == ErrorKind::Superseded || error.kind == ErrorKind::Timeout;
    }

    Result<void> readChunk(const QList<Cells> &identities)
    {
        QHash<QString, TriageFacts> found;
        const auto done = readFacts(identities, &found);
        if (!done && isRowsFault(done.error())) {
            if (identities.size() > 1) {
                const qsizetype half = identities.size() / 2;
                const auto first = readChunk(identities.mid(0, half));
                return first ? readChunk(identities.mid(half)) : first;
            }
            ++m_page.unreadable;
            return {};
        }
        if (!done) {
            return done;
        }
        for (const Cells &identity : identities) {
            // A row that is gone since, or that a filter's own snapshot saw in another state, is simply not part of the
            // answer.
            const auto it = found.constFind(cellsToJson(identity));
            if (it != found.constEnd()) {
                m_page.rows.append(*it);
            }
        }
        return {};
    }

    Result<void> readFacts(const QList<Cells> &identities, QHash<QString, TriageFacts> *found)
    {
        Render render(m_target);
        RowMapper mapper(render, nullptr, 0);
        QList<int> guards;
        for (const QString &name : m_target.profile.guard) {
            guards.append(mapper.add(u"t."_s + quoteIdentifier(name)));
        }
        const int locked = mapper.add(rowLockedSql(m_target));
        const int owner = mapper.add(ownerAliveSql(m_target));
        const int advisory = mapper.add(advisoryHeldSql(m_target));
        const int since = mapper.add(m_target.profile.stale ? staleSince(render) : u"NULL::pg_catalog.timestamptz"_s);
        QList<int> limits;
        for (const PolicySpec &policy : m_target.profile.policies) {
            limits.append(
                mapper.add(policy.maxAttempts.isEmpty() ? u"NULL::pg_catalog.int8"_s
                                                        : u"("_s + policy.maxAttempts + u")::pg_catalog.int8"_s));
        }
        const QString sql = lockTables(m_target) + u"SELECT "_s + mapper.selectList() + render.from() + u" WHERE "_s
            + identitiesCondition(render, identities);
        TRY(m_session.each(render.finish(sql, {}), [&](const Row &row) {
            TriageFacts facts;
            facts.record = mapper.record(row);
            for (const int column : guards) {
                facts.guard.append(row.cell(column));
            }
            facts.rowLocked = knownOf(row.text(locked));
            facts.lockedBy = facts.rowLocked == Known::Yes ? row.text(locked).mid(1) : QString();
            facts.ownerAlive = knownOf(row.text(owner));
            facts.ownerSession = facts.ownerAlive == Known::Yes ? row.text(owner).mid(1) : QString();
            facts.advisoryHeld = knownOf(row.text(advisory));
            facts.staleSince = Timestamp::parse(row.text(since));
            facts.expired = facts.record.expired.value_or(false);
            m_page.now = Timestamp::parse(row.text(mapper.nowColumn())).value_or(Timestamp());
            facts.heartbeatFresh = heartbeat(facts.record);
            facts.leaseRuns = lease(facts.record);
            facts.policy = policyOf(facts.record);
            if (facts.policy >= 0 && !row.isNull(limits.at(facts.policy))) {
                facts.maxAttempts = row.integer(limits.at(facts.policy));
            }
            if (const Cell attempts = facts.record.role(Role::Attempts); !attempts.null) {
                bool number = false;
                const qint64 made = attempts.text.toLongLong(&number);
                facts.attempts = number ? std::optional(made) : std::nullopt;
            }
            found->insert(cellsToJson(facts.record.identity), facts);
            return true;
        }));
        return {};
    }

    Known heartbeat(const KeyRecord &record) const
    {
        if (!m_target.profile.has(Role::HeartbeatAt) || record.role(Role::HeartbeatAt).failed()) {
            return Known::Unreadable;
        }
        const auto beat = record.time(Role::HeartbeatAt);
        if (!beat) {
            return Known::No;
        }
        // Where staleness itself goes by the heartbeat, a beat that is too old for the rule is not fresh.
        qint64 fresh = kFreshHeartbeat;
        for (const TimeRule &rule : m_target.profile.stale.value_or(QList<TimeRule>())) {
            const auto after = durationSeconds(rule.after);
            if (rule.by.sql == m_target.profile.role(Role::HeartbeatAt).sql && after) {
                fresh = qMin(fresh, *after);
            }
        }
        Timestamp limit = m_page.now;
        limit.micros -= fresh * 1'000'000;
        return *beat > limit ? Known::Yes : Known::No;
    }

    /// Whether somebody may still be at the row (exact reading 4).
    Known lease(const KeyRecord &record) const
    {
        if (m_target.profile.has(Role::LeaseUntil)) {
            if (record.role(Role::LeaseUntil).failed()) {
                return Known::Unreadable;
            }
            const auto until = record.time(Role::LeaseUntil);
            if (until && *until > m_page.now) {
                return Known::Yes;
            }
        }
        return record.state == KeyState::InProgress && record.stale == false ? Known::Yes : Known::No;
    }

    /// The first policy whose labels all have the row's values (DESIGN 3).
    int policyOf(const KeyRecord &record) const
    {
        const QList<LabelledExpression> &scope = m_target.profile.scope;
        const auto value = [&](const QString &label) -> std::optional<QString> {
            for (qsizetype i = 0; i < scope.size(); ++i) {
                if (scope.at(i).label == label && !record.scope.value(i).null) {
                    return record.scope.at(i).text;
                }
            }
            return std::nullopt;
        };
        const QList<PolicySpec> &policies = m_target.profile.policies;
        for (qsizetype i = 0; i < policies.size(); ++i) {
            bool all = true;
            for (auto it = policies.at(i).match.cbegin(); it != policies.at(i).match.cend(); ++it) {
                all = all && value(it.key()) == it.value();
            }
            if (all) {
                return static_cast<int>(i);
            }
        }
        return -1;
    }

    void addNotes()
    {
        if (m_page.unreadable > 0) {
            m_page.notes += Tr::tr("%n row(s) could not be read, because an expression of the profile fails on them. "
                                   "No action touches them.",
                nullptr, m_page.unreadable);
        }
        m_page.notes += unseenNotes(m_target);
        m_page.partly = m_page.unreadable > 0 || !unseenNotes(m_target).isEmpty();
        if (m_wordsUnread) {
            m_page.notes
                += Tr::tr("This login may not read what was recorded of the provider's statements, so each key "
                          "needs review. An administrator can grant it idemdesk_viewer and the whole table.");
            m_page.partly = true;
        }
        if (m_target.relation.isView()) {
            m_page.notes += Tr::tr("This is a view, so nothing shows whether a session holds a lock on a row.");
        }
    }

    Session &m_session;
    const Target &m_target;
    const Target &m_filtered;
    TriagePage m_page;
    bool m_wordsUnread = false; ///< words that may be there may not be read
};

} // namespace

Result<TriagePage> readTriage(Session &session, const Target &target, const Filter &filter, bool staleOnly, int limit)
{
    AroundReader around(session, target, false);
    around.prepare(filter);
    // Which rows: as cheaply as it can be asked. Reading their facts tries each of these, and a bad one costs only
    // itself.
    const auto read = [&] {
        Target filtered = around.target();
        filtered.trial.clear();
        return TriageReader(session, around.whole(), &filtered).readMatching(filter, staleOnly, limit);
    };
    auto page = read();
    while (!page && around.learned(page.error())) {
        page = read();
    }
    if (page && !around.note().isEmpty()) {
        page->notes += around.note();
        page->partly = true;
    }
    return page;
}

Result<TriagePage> readTriageOf(Session &session, const Target &target, const QList<Cells> &identities)
{
    const Target trying = tryingEach(target);
    return TriageReader(session, trying).read(identities);
}

Result<void> addDoubts(Session &session, const Target &target, KeyDetail *detail)
{
    const auto settled = [](const EffectResult &effect) { return !effect.error.isEmpty(); };
    if (std::all_of(detail->effects.cbegin(), detail->effects.cend(), settled)) {
        return {};
    }
    QList<TriageFacts> rows(1);
    rows[0].record = detail->record;
    if (const auto read = readEffects(session, target, detail->now, &rows); !read) {
        const ErrorKind kind = read.error().kind;
        if (kind == ErrorKind::ConnectionLost || kind == ErrorKind::Cancelled || kind == ErrorKind::Superseded) {
            return read;
        }
        for (EffectResult &effect : detail->effects) {
            effect.unlinked = effect.unlinked || (effect.rows.isEmpty() && effect.error.isEmpty());
            effect.error = effect.error.isEmpty() ? read.error().line() : effect.error;
        }
        return {};
    }
    const QList<EffectResult> &judged = rows.constFirst().effects;
    for (qsizetype i = 0; i < detail->effects.size() && i < judged.size(); ++i) {
        EffectResult &effect = detail->effects[i];
        const EffectResult &said = judged.at(i);
        // What was found between the two readings is not shown here, and so is a doubt as well.
        const bool foundSince = effect.rows.isEmpty() && !said.rows.isEmpty();
        if (effect.error.isEmpty() && (!said.error.isEmpty() || foundSince)) {
            effect.error = foundSince ? Tr::tr("It changed while it was read.") : said.error;
            effect.unlinked = effect.rows.isEmpty();
        }
        effect.unproven = effect.rows.isEmpty() && said.unproven;
    }
    return {};
}

} // namespace idemdesk::sql
