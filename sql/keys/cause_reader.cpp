// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/cause_reader.h"

#include "sql/keys/counting.h"
#include "sql/keys/retry_rules.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/unseen.h"
#include "sql/profile/expression_sql.h"
#include "sql/session/server_clock.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qsizetype kMostGroups = 200;
constexpr int kCauseChars = 120;
constexpr qsizetype kFixedColumns = 8; ///< before those of the outcomes
/// In the planner's units: about two seconds of a table in memory.
constexpr double kMostSortCost = 500'000;

QString roleText(const Profile &profile, Role role)
{
    return profile.has(role) ? u"NULLIF(("_s + profile.role(role).sql + u")::pg_catalog.text, '')"_s
                             : u"NULL::pg_catalog.text"_s;
}

/// When a row failed, as nearly as it says.
QString failedAt(const Profile &profile)
{
    QStringList times;
    for (const Role role : { Role::CompletedAt, Role::UpdatedAt, Role::ClaimedAt, Role::CreatedAt }) {
        if (profile.has(role)) {
            times += timestamptzSql(profile.role(role));
        }
    }
    return times.isEmpty()  ? u"NULL::pg_catalog.timestamptz"_s
        : times.size() == 1 ? times.first()
                            : u"COALESCE("_s + times.join(u", "_s) + u")"_s;
}

class CauseReader
{
public:
    CauseReader(Session &session, const Target &target, qint64 most)
        : m_session(session)
        , m_target(target)
        , m_most(qMax<qint64>(1, most))
    {
    }

    Result<CausePage> read()
    {
        TRY(m_page.now, serverNow(m_session));
        TRY(const bool sorted, cheaperThan(m_session, statement(true, false), kMostSortCost));
        m_page.newest = sorted;
        const bool rules = m_target.profile.retry.has_value();
        auto rows = m_session.all(statement(sorted, rules));
        if (!rows && rules && isRowsFault(rows.error())) {
            // Perhaps a rule's alone: the causes can be told without. Where it is not, this fails as well.
            TRY(rows, m_session.all(statement(sorted, false)));
            m_page.retryNote = Tr::tr("What a retry gets is not known here: a rule for retries fails on a row.");
        }
        if (!rows) {
            return rows.error();
        }
        for (const Cells &row : *rows) {
            add(row);
        }
        // One row more than is looked at was read, to know whether there are more.
        m_page.bounded = m_page.lookedAt > m_most;
        m_page.lookedAt = qMin(m_page.lookedAt, m_most);
        return m_page;
    }

private:
    /// `rules`: with what a claim does now with the rows.
    Statement statement(bool sorted, bool rules) const
    {
        const Profile &profile = m_target.profile;
        Render render(m_target);
        const QString code = roleText(profile, Role::ErrorCode);
        const QString message = roleText(profile, Role::ErrorMessage);
        const QString shape = u"pg_catalog.left(pg_catalog.regexp_replace(pg_catalog.left("_s + message
            + u", 400), '[0-9]+', '#', 'g'), "_s + QString::number(kCauseChars) + u")"_s;
        const QString inner = u"SELECT COALESCE("_s + code + u", "_s + shape + u") AS cause, "_s + code
            + u" IS NOT NULL AS coded, ("_s + stateIn(render, { KeyState::FailedFinal }) + u") IS TRUE AS final, "_s
            + failedAt(profile) + u" AS at, pg_catalog.left("_s + message + u", 300) AS message"_s
            + (rules ? u", "_s + outcomeSql(render) + u" AS outcome"_s : QString()) + render.from() + u" WHERE "_s
            + stateIn(render, { KeyState::FailedRetryable, KeyState::FailedFinal })
            + (sorted ? u" ORDER BY 4 DESC NULLS LAST"_s : QString()) + u" LIMIT "_s + QString::number(m_most + 1);
        return render.finish(
            u"SELECT x.cause, x.coded, pg_catalog.count(*) FILTER (WHERE NOT x.final AND NOT x.beyond), "
            "pg_catalog.count(*) FILTER (WHERE x.final AND NOT x.beyond), pg_catalog.min(x.at), pg_catalog.max(x.at), "
            "(pg_catalog.array_agg(x.message ORDER BY x.at DESC NULLS LAST))[1], "
            "pg_catalog.sum(pg_catalog.count(*)) OVER ()"_s
                + (rules ? outcomeCounts() : QString()) + u" FROM (SELECT y.*, pg_catalog.row_number() OVER () > "_s
                + QString::number(m_most) + u" AS beyond FROM ("_s + inner
                + u") y) x GROUP BY 1, 2 ORDER BY pg_catalog.count(*) DESC, 1 LIMIT "_s
                + QString::number(kMostGroups + 1),
            m_page.now);
    }

    /// The number of the outcome of a retry with the same request; NULL where no rule fits.
    static QString outcomeSql(Render &render)
    {
        const RetryRules rules(render);
        return u"("_s + rules.firstOf(RetryPayload::Same, [&rules](qsizetype index) {
            return QString::number(int(rules.rules().at(index).outcome));
        }) + u")::pg_catalog.int4"_s;
    }

    static QString outcomeCounts()
    {
        QString columns;
        for (const RetryOutcome outcome : kAllOf<RetryOutcome>) {
            columns += u", pg_catalog.count(*) FILTER (WHERE NOT x.beyond AND x.outcome = %1)"_s.arg(int(outcome));
        }
        return columns;
    }

    void add(const Cells &row)
    {
        m_page.lookedAt = row.at(7).text.toLongLong();
        if (m_page.groups.size() == kMostGroups) {
            m_page.moreGroups = true;
            return;
        }
        CauseGroup group;
        group.cause = row.at(0).text;
        group.coded = row.at(1).text == u"t";
        group.retryable = row.at(2).text.toLongLong();
        group.final = row.at(3).text.toLongLong();
        group.first = row.at(4).null ? std::nullopt : Timestamp::parse(row.at(4).text);
        group.last = row.at(5).null ? std::nullopt : Timestamp::parse(row.at(5).text);
        group.message = row.at(6).text;
        qsizetype column = kFixedColumns;
        for (const RetryOutcome outcome : kAllOf<RetryOutcome>) {
            if (const qint64 retries = column < row.size() ? row.at(column++).text.toLongLong() : 0; retries > 0) {
                group.retries.insert(outcome, retries);
            }
        }
        if (group.rows() > 0) { // else it is just the row beyond the last one
            m_page.groups.append(group);
        }
    }

    Session &m_session;
    const Target &m_target;
    const qint64 m_most;
    CausePage m_page;
};

} // namespace

Result<CausePage> readCauses(Session &session, const Target &target, qint64 most)
{
    QString note;
    auto page = readAround(session, target, false, &note,
        [&](const Target &readable) { return CauseReader(session, readable, most).read(); });
    if (page) {
        page->notes += unseenNotes(target);
        if (!note.isEmpty()) {
            page->notes += note;
        }
        page->partly = !page->notes.isEmpty();
    }
    return page;
}

} // namespace idemdesk::sql
