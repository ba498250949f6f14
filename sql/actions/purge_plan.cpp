// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/action_json.h"
#include "sql/actions/evidence_lost.h"
#include "sql/actions/triage_reader.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/row_mapper.h"
#include "sql/keys/scope_parts.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"
#include "sql/profile/expression_sql.h"
#include "sql/session/server_clock.h"
#include "sql/types/tr.h"

#include <QMap>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kSampledKeys = 20;
/// Scopes that are asked whether anything would be left of them.
constexpr qsizetype kMostScopesAsked = 100;
/// In-progress rows that are counted for the warning.
constexpr int kMostOpen = 10'000;
/// Rows a second at the default pace: batches of about 100 ms with as long a pause and 50 to 250 ms more
/// (reliability 2.3). Of 60,000 rows with their images 1,600 a second were measured on two cores with other work.
constexpr qint64 kRowsPerSecond = 2'000;
/// Write-ahead log for one deleted row with its index entries, in bytes (reliability 2.2: 410 to 450).
constexpr qint64 kWalPerRow = 450;

class PurgePlanner
{
public:
    PurgePlanner(Session &session, const Target &target)
        : m_session(session)
        , m_target(bare(target))
        , m_trial(target.trial)
        , m_parts(partsOf(target))
    {
    }

    Result<PurgePlan> plan(const QList<KeyState> &states, const std::optional<QList<Cells>> &scopes,
        const std::optional<Timestamp> &cutoff)
    {
        m_plan.states = states;
        m_plan.scopes = scopes;
        TRY(const auto now, serverNow(m_session));
        if (cutoff && now < *cutoff) { // as the server refuses it when it is to be done
            return makeError(ErrorKind::Refused, Tr::tr("The cutoff lies in the future."),
                Tr::tr("By the server's clock it is %1.").arg(now.toRfc3339()),
                Tr::tr("Give a time that has passed, or none."));
        }
        m_plan.cutoff = cutoff.value_or(now);
        for (const auto &step : { &PurgePlanner::count, &PurgePlanner::askScopes, &PurgePlanner::takeSample,
                 &PurgePlanner::countOpen, &PurgePlanner::readTriggers }) {
            TRY((this->*step)());
        }
        estimate();
        compareWindows();
        return m_plan;
    }

private:
    static Target bare(Target target)
    {
        target.trial.clear();
        return target;
    }

    /// The condition for rows on which every expression works: that is asked once, and last.
    QString ofWholeRows(const QString &condition) const
    {
        return m_trial.isEmpty() ? condition : u"("_s + condition + u") AND "_s + m_trial;
    }

    /// The rows a purge takes: any purge rule, a chosen state, a chosen scope. The cutoff stands for $now, as in the
    /// batches.
    QString condition(Render &render) const
    {
        QStringList rules;
        for (const TimeRule &rule : m_target.profile.purge) {
            rules += holds(ruleCondition(render, rule));
        }
        QString sql = u"("_s + (rules.isEmpty() ? u"false"_s : rules.join(u" OR "_s)) + u") AND "_s
            + holds(stateIn(render, m_plan.states));
        if (m_plan.scopes) {
            QStringList alternatives;
            for (const Cells &scope : *m_plan.scopes) {
                alternatives += scopeCondition(render, scope);
            }
            sql += u" AND ("_s + (alternatives.isEmpty() ? u"false"_s : alternatives.join(u" OR "_s)) + u")"_s;
        }
        // A batch takes no row on which any expression fails: the plan meets such rows, too, and leaves them out.
        return ofWholeRows(sql);
    }

    QString scopeCondition(Render &render, const Cells &scope) const
    {
        QStringList parts;
        for (qsizetype i = 0; i < m_parts.size(); ++i) {
            const Cell value = scope.value(i);
            parts += value.null ? m_parts.at(i).sql + u" IS NULL"_s
                                : m_parts.at(i).sql + operatorSql(m_parts.at(i).type.operatorSchema, u"="_s)
                    + render.bind(value, m_parts.at(i).type.castType);
        }
        return parts.isEmpty() ? u"true"_s : u"("_s + parts.join(u" AND "_s) + u")"_s;
    }

    QString timeOf(const QList<Role> &roles) const
    {
        QStringList times;
        for (const Role role : roles) {
            if (m_target.profile.has(role)) {
                times += timestamptzSql(m_target.profile.role(role));
            }
        }
        return times.isEmpty() ? u"NULL::pg_catalog.timestamptz"_s : u"COALESCE("_s + times.join(u", "_s) + u")"_s;
    }

    /// When a row became due, by the rule that was the first to want it gone. A rule that does not want it has no say,
    /// as its time may lie where no interval can be added.
    QString dueSince(Render &render) const
    {
        const auto &rules = m_target.profile.purge;
        QStringList times;
        for (const TimeRule &rule : rules) {
            if (rule.by.present()) {
                const QString due = timestamptzSql(rule.by) + u" + "_s + intervalSql(rule.after);
                times += rules.size() == 1
                    ? due
                    : u"CASE WHEN "_s + ruleCondition(render, rule) + u" THEN "_s + due + u" END"_s;
            }
        }
        return times.isEmpty() ? u"NULL::pg_catalog.timestamptz"_s : u"LEAST("_s + times.join(u", "_s) + u")"_s;
    }

    Result<void> count()
    {
        Render render(m_target);
        QStringList columns;
        for (const ScopePart &part : m_parts) {
            columns += part.sql;
        }
        columns += m_target.profile.has(Role::Status)
            ? u"("_s + m_target.profile.role(Role::Status).sql + u")::pg_catalog.text"_s
            : u"NULL::pg_catalog.text"_s;
        QStringList numbers;
        for (qsizetype i = 1; i <= columns.size(); ++i) {
            numbers += QString::number(i);
        }
        const QString by = dueSince(render);
        const QString sql = u"SELECT "_s + columns.join(u", "_s) + u", pg_catalog.count(*), pg_catalog.min("_s + by
            + u"), pg_catalog.max("_s + by + u"), pg_catalog.max("_s
            + timeOf({ Role::CompletedAt, Role::UpdatedAt, Role::CreatedAt }) + u")"_s + render.from() + u" WHERE "_s
            + condition(render) + u" GROUP BY "_s + numbers.join(u", "_s);
        QMap<QString, PurgeGroup> groups; // raw statuses that mean the same state are one group
        const auto scopeSize = static_cast<int>(m_parts.size());
        TRY(m_session.each(render.finish(sql, m_plan.cutoff), [&](const Row &row) {
            PurgeGroup group;
            for (int i = 0; i < scopeSize; ++i) {
                group.scope.append(row.cell(i));
            }
            group.state = stateOf(m_target, row.cell(scopeSize));
            PurgeGroup &sum = groups[cellsToJson(group.scope) + stateName(group.state)];
            sum.scope = group.scope;
            sum.state = group.state;
            sum.rows += row.integer(scopeSize + 1);
            const auto take = [&row](std::optional<Timestamp> *kept, int column, bool newest) {
                const auto time = Timestamp::parse(row.text(column));
                if (time && (!*kept || (newest ? **kept < *time : *time < **kept))) {
                    *kept = time;
                }
            };
            take(&sum.oldest, scopeSize + 2, false);
            take(&sum.newest, scopeSize + 3, true);
            take(&sum.youngest, scopeSize + 4, true);
            return true;
        }));
        m_plan.groups = groups.values();
        std::stable_sort(m_plan.groups.begin(), m_plan.groups.end(),
            [](const PurgeGroup &a, const PurgeGroup &b) { return a.rows > b.rows; });
        for (const PurgeGroup &group : std::as_const(m_plan.groups)) {
            m_plan.rows += group.rows;
        }
        return {};
    }

    /// Would anything be left of the scopes that lose rows?
    Result<void> askScopes()
    {
        QMap<QString, bool> asked;
        int whole = 0;
        for (PurgeGroup &group : m_plan.groups) {
            const QString name = cellsToJson(group.scope);
            if (!asked.contains(name)) {
                if (asked.size() >= kMostScopesAsked || m_parts.isEmpty()) {
                    continue;
                }
                Render render(m_target);
                const QString sql = u"SELECT NOT EXISTS (SELECT 1"_s + render.from() + u" WHERE "_s
                    + scopeCondition(render, group.scope) + u" AND NOT ("_s + condition(render) + u"))"_s;
                TRY(const auto row, m_session.one(render.finish(sql, m_plan.cutoff)));
                asked.insert(name, row.constFirst().text == u"t");
                whole += asked.value(name) ? 1 : 0;
            }
            group.wholeScope = asked.value(name);
        }
        if (whole > 0) { // the groups say which
            m_plan.warnings += Tr::tr("%n scope(s) will be emptied.", nullptr, whole);
        }
        return {};
    }

    QString scopeText(const Cells &scope) const
    {
        QStringList parts;
        for (const Cell &cell : scope) {
            parts += cell.null ? Tr::tr("(none)") : cell.text;
        }
        return parts.join(u" / "_s);
    }

    Result<void> takeSample()
    {
        Render render(m_target);
        const RowMapper mapper(render, nullptr, 0);
        const QString sql = u"SELECT "_s + mapper.selectList() + u", pg_catalog.pg_column_size(t.*)"_s + render.from()
            + u" WHERE "_s + condition(render) + u" LIMIT "_s + QString::number(kSampledKeys);
        TRY(m_session.each(render.finish(sql, m_plan.cutoff), [&](const Row &row) {
            m_plan.sample.append(mapper.record(row));
            m_sampledBytes += row.integer(row.columns() - 1);
            return true;
        }));
        return {};
    }

    /// A purge leaves what is in progress, however old; somebody should look at it first.
    Result<void> countOpen()
    {
        Render render(m_target);
        const auto expired = expiredCondition(render);
        if (!expired) {
            return {};
        }
        const QString unfinished
            = holds(*expired) + u" AND "_s + holds(stateIn(render, { KeyState::InProgress, KeyState::Pending }));
        const QString sql = u"SELECT pg_catalog.count(*) FROM (SELECT 1"_s + render.from() + u" WHERE "_s
            + ofWholeRows(unfinished) + u" LIMIT "_s + QString::number(kMostOpen) + u") x"_s;
        TRY(const auto row, m_session.one(render.finish(sql, m_plan.cutoff)));
        if (const int open = row.constFirst().text.toInt(); open > 0) {
            m_plan.unfinished = open;
            m_plan.warnings
                += Tr::tr("%n key(s) are past their expiry but not finished. A purge leaves them; recover them first.",
                    nullptr, open);
        }
        return {};
    }

    Result<void> readTriggers()
    {
        Statement statement {
            u"SELECT pg_catalog.pg_get_triggerdef(g.oid) FROM pg_catalog.pg_trigger AS g WHERE g.tgrelid = "
            u"$1::pg_catalog.oid "
            "AND NOT g.tgisinternal AND g.tgenabled <> 'D' AND (g.tgtype & 8) <> 0 ORDER BY g.tgname"_s,
            {}
        };
        statement.bind(QString::number(m_target.relation.oid));
        TRY(const auto rows, m_session.all(statement));
        for (const Cells &row : rows) {
            m_plan.triggers += row.constFirst().text;
        }
        for (const ForeignKeyFacts &key : m_target.relation.foreignKeys) {
            if (key.incoming) {
                m_plan.triggers += Tr::tr("Foreign key %1 of %2 points here.").arg(key.name, key.table);
            }
        }
        return {};
    }

    void estimate()
    {
        const qint64 sampled = m_plan.sample.isEmpty() ? 0 : m_sampledBytes / m_plan.sample.size();
        m_plan.bytes = m_plan.rows * sampled;
        m_plan.walBytes = m_plan.rows * kWalPerRow + (m_plan.images ? m_plan.bytes * 2 : 0);
        m_plan.seconds = (m_plan.rows + kRowsPerSecond - 1) / kRowsPerSecond;
    }

    const PolicySpec *policyOf(const Cells &scope) const
    {
        for (const PolicySpec &policy : m_target.profile.policies) {
            bool all = true;
            for (auto it = policy.match.cbegin(); it != policy.match.cend(); ++it) {
                bool same = false;
                for (qsizetype i = 0; i < m_target.profile.scope.size(); ++i) {
                    same = same
                        || (m_target.profile.scope.at(i).label == it.key() && !scope.value(i).null
                            && scope.at(i).text == it.value());
                }
                all = all && same;
            }
            if (all) {
                return &policy;
            }
        }
        return nullptr;
    }

    /// A key that goes before its scope's longest window is over lets a late retry run a second time. Deliberately from
    /// the rows themselves: what an expiry column promises and what a row's age is are two things.
    void compareWindows()
    {
        QStringList warned;
        for (const PurgeGroup &group : std::as_const(m_plan.groups)) {
            const PolicySpec *policy = policyOf(group.scope);
            if (policy == nullptr || !group.youngest || !group.youngest->finite()) {
                continue;
            }
            QString longest;
            qint64 seconds = 0;
            for (auto it = policy->windows.cbegin(); it != policy->windows.cend(); ++it) {
                if (const auto length = durationSeconds(it.value()); length && *length > seconds) {
                    seconds = *length;
                    longest = it.key();
                }
            }
            const qint64 age = (m_plan.cutoff.micros - group.youngest->micros) / 1'000'000;
            const QString scope = scopeText(group.scope);
            if (seconds > age && !warned.contains(scope) && warned.size() < 20) {
                warned += scope;
                const QString after
                    = longest == u"audit" ? QString() : u' ' + Tr::tr("A later retry runs as a new request.");
                // Before all else: what is lost comes before what stays.
                const QString needs = spanText(seconds);
                const QString kept = spanText(age);
                m_plan.warnings.insert(warned.size() - 1,
                    Tr::tr("%1: %2 needs %3, this purge removes rows after %4.")
                            .arg(m_parts.isEmpty() ? Tr::tr("All keys") : scope, windowText(longest), needs,
                                kept == needs ? Tr::tr("just under %1").arg(needs) : kept)
                        + after);
            }
        }
    }

    static QString windowText(const QString &name)
    {
        if (name == u"client_retry") {
            return Tr::tr("client retry");
        }
        if (name == u"redelivery") {
            return Tr::tr("redelivery");
        }
        return name == u"reconciliation" ? Tr::tr("reconciliation") : Tr::tr("audit");
    }

    /// To the nearest unit: a row kept for seven days less a second was kept for seven days.
    static QString spanText(qint64 seconds)
    {
        if (seconds < 120) {
            return Tr::tr("less than two minutes");
        }
        const auto nearest = [seconds](qint64 unit) { return static_cast<int>((seconds + unit / 2) / unit); };
        if (seconds < 7200) {
            return Tr::tr("%n minute(s)", nullptr, nearest(60));
        }
        return seconds < 172'800 ? Tr::tr("%n hour(s)", nullptr, nearest(3600))
                                 : Tr::tr("%n day(s)", nullptr, nearest(86'400));
    }

    Session &m_session;
    const Target m_target;
    const QString m_trial;
    const QList<ScopePart> m_parts;
    PurgePlan m_plan;
    qint64 m_sampledBytes = 0;
};

} // namespace

Result<PurgePlan> planPurge(Session &session, const Target &target, const QList<KeyState> &states,
    const std::optional<QList<Cells>> &scopes, std::optional<Timestamp> cutoff)
{
    if (target.profile.purge.isEmpty()) {
        return makeError(ErrorKind::NotSaid, Tr::tr("The profile “%1” has no purge rule.").arg(target.profile.name), {},
            Tr::tr("Add “purge” to the profile: by which time rows end, and in which states."));
    }
    QString note;
    auto plan = readAround(session, target, false, &note,
        [&](const Target &readable) { return PurgePlanner(session, readable).plan(states, scopes, cutoff); });
    if (plan && !note.isEmpty()) {
        plan->warnings += note;
    }
    TRY(const auto others, plan ? provedThrough(session, target) : Result<QStringList>(QStringList()));
    for (const QString &name : others) {
        plan->warnings
            += Tr::tr("Keys of “%1” are proved through this table. Of what is purged here, nothing can prove there any "
                      "more that the work was done.")
                   .arg(name);
    }
    return plan;
}

} // namespace idemdesk::sql
