// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/duplicates/duplicate_gateway.h"

#include "sql/duplicates/duplicate_looks.h"
#include "sql/health/health_checks.h"
#include "sql/keys/explain.h"
#include "sql/keys/predicate.h"
#include "sql/keys/resolve.h"
#include "sql/keys/scope_parts.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/unseen.h"
#include "sql/profile/expression_sql.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QMap>
#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Effects of one key that are read; a key has one, or something is wrong already.
constexpr int kMostEffectsCompared = 20;

/// Keys of a group that are named.
constexpr int kMostSample = 10;

/// When a row began, as far as the profile says.
std::optional<Expression> beganOf(const Profile &profile)
{
    for (const Role role : { Role::CreatedAt, Role::ClaimedAt, Role::UpdatedAt }) {
        if (profile.has(role)) {
            return profile.role(role);
        }
    }
    return std::nullopt;
}

bool endsTheSearch(const Error &error)
{
    return error.kind == ErrorKind::ConnectionLost || error.kind == ErrorKind::Cancelled
        || error.kind == ErrorKind::Superseded || error.kind == ErrorKind::Timeout;
}

Cells cellsOf(const QJsonArray &values)
{
    Cells cells;
    for (const QJsonValue &value : values) {
        cells += value.isNull() ? Cell() : Cell::of(value.toString());
    }
    return cells;
}

class DuplicateSearch
{
public:
    /// tolerant: a look that fails on some row is left out and said, not an error.
    DuplicateSearch(Session &session, const Target &target, const DuplicateRequest &request, bool tolerant = false)
        : m_session(session)
        , m_target(target)
        , m_request(request)
        , m_tolerant(tolerant)
    {
    }

    Result<DuplicateAnswer> find()
    {
        TRY(const auto filter, resolveFilter(m_session, m_target, m_request.filter));
        const QList<DuplicateLook> looks = duplicateLooks(m_target, &m_answer.notes, &m_answer.complete);
        std::optional<Error> failed;
        qsizetype failures = 0;
        for (const DuplicateLook &look : looks) {
            const auto done = search(look, filter);
            // What a row's own value defeats is asked once more, around that row.
            const bool again = !done && !m_tolerant && isRowsFault(done.error());
            if (!done && (again || endsTheSearch(done.error()) || done.error().position >= 0)) {
                return done.error();
            }
            if (!done) {
                failed = done.error();
                ++failures;
                m_answer.complete = false;
                m_answer.notes += Tr::tr("Looking for %1 did not work: %2").arg(look.words, failed->line());
            }
        }
        if (failed && failures == looks.size()) {
            return *failed;
        }
        noteCost();
        if (!beganOf(m_target.profile)) {
            m_answer.notes
                += Tr::tr("The profile names no time at which a key began, so keys of any age were searched.");
        }
        rank();
        cut();
        m_answer.notes
            += Tr::tr("One key that was tried several times is not a duplicate: its attempts share one row.");
        return m_answer;
    }

private:
    Result<void> search(const DuplicateLook &look, const ResolvedFilter &filter)
    {
        Render render(m_target);
        TRY_OR(render.located, const auto rows, rowsOf(render, look, filter));
        const Statement statement
            = render.finish(look.reason == DuplicateReason::SeveralEffects ? byKey(rows) : byShared(look, rows), {});
        if (!isSmall(m_target.relation)) {
            TRY_OR(render.located, const auto plan, explain(m_session, statement));
            if (plan.sequential) {
                m_sequential += look.words;
            }
        }
        const auto read = m_session.each(statement, [&](const Row &row) {
            add(look, row);
            return true;
        });
        m_more = m_more || (read && *read > m_request.limit);
        return read ? Result<void>() : Result<void>(render.located(read.error()));
    }

    /// s: what groups are kept apart by; v: what they share; p: the key in its scope; h: its fingerprint, where that is
    /// to differ.
    Result<QString> rowsOf(Render &render, const DuplicateLook &look, const ResolvedFilter &filter)
    {
        const Profile &profile = m_target.profile;
        QStringList conditions { look.where };
        if (!m_request.filter.terms.isEmpty()) {
            TRY(const auto condition, filterCondition(render, filter));
            conditions += u"("_s + condition + u')';
        }
        QString at = u"NULL::pg_catalog.timestamptz"_s;
        if (const auto began = beganOf(profile)) {
            at = timestamptzSql(*began);
            conditions += compareTime(*began, u">="_s,
                u"$now - pg_catalog.make_interval(secs => "_s + QString::number(m_request.spanSeconds) + u')');
        }
        QStringList parts;
        for (const ScopePart &part : partsOf(m_target)) {
            parts += part.sql + u"::pg_catalog.text"_s;
        }
        const QString apart = m_request.acrossScopes ? QString() : parts.join(u", "_s);
        // The same key in another scope is another intent, so a key counts once for each scope it has.
        parts.prepend(u"("_s + profile.key.sql + u")::pg_catalog.text"_s);
        const bool near = look.reason == DuplicateReason::NearPayload && profile.has(Role::Fingerprint);
        const QString fingerprint = near ? u"("_s + profile.role(Role::Fingerprint).sql + u")::pg_catalog.text"_s
                                         : u"NULL::pg_catalog.text"_s;
        const QString effect = look.effect.isEmpty()
            ? QString()
            : u" CROSS JOIN LATERAL (SELECT pg_catalog.to_jsonb(x) AS idemdesk_e FROM ("_s + look.effect
                + u") x WHERE x.id IS NOT NULL LIMIT "_s + QString::number(kMostEffectsCompared) + u") e"_s;
        return u"SELECT pg_catalog.json_build_array("_s + apart + u")::pg_catalog.text AS s, "_s + look.shared
            + u" AS v, pg_catalog.json_build_array("_s + parts.join(u", "_s) + u")::pg_catalog.text AS p, "_s + at
            + u" AS at, "_s + fingerprint + u" AS h, "_s + stateIn(render, { KeyState::Succeeded }) + u" AS done"_s
            + render.from() + effect + u" WHERE "_s + conditions.join(u" AND "_s);
    }

    QString byShared(const DuplicateLook &look, const QString &rows) const
    {
        QString from = u"("_s + rows + u") x"_s;
        QString groups = u"x.s, x.v"_s;
        QString having = u"pg_catalog.count(DISTINCT x.p) > 1"_s;
        if (look.reason == DuplicateReason::NearPayload) {
            // The same order again next month is another intent: each key must have begun soon after the one before it.
            const QString before = u"pg_catalog.lag(r.at) OVER (PARTITION BY r.s, r.v ORDER BY r.at)"_s;
            from = u"(SELECT y.*, pg_catalog.sum(y.gap) OVER (PARTITION BY y.s, y.v ORDER BY y.at) AS run FROM (SELECT "
                   "r.*, CASE WHEN r.at > "_s
                + before + u" + pg_catalog.make_interval(secs => "_s + QString::number(m_request.windowSeconds)
                + u") THEN 1 ELSE 0 END AS gap FROM ("_s + rows + u") r) y) x"_s;
            groups += u", x.run"_s;
            // Else the fingerprint tells.
            having += u" AND (pg_catalog.count(x.h) < pg_catalog.count(*) OR pg_catalog.count(DISTINCT x.h) > 1)"_s;
        }
        // Only the first few are gathered: a hash that millions of rows share, such as that of an empty body, would
        // fill the server's memory.
        from = u"(SELECT x.*, pg_catalog.row_number() OVER (PARTITION BY "_s + groups
            + u" ORDER BY x.at) AS place FROM "_s + from + u") x"_s;
        return u"SELECT x.s, x.v, pg_catalog.count(DISTINCT x.p), pg_catalog.to_json(pg_catalog.array_agg(DISTINCT "
               "x.p) FILTER (WHERE x.place <= "_s
            + QString::number(kMostSample)
            + u"))::pg_catalog.text, "
              "pg_catalog.count(DISTINCT x.p) FILTER (WHERE x.done), pg_catalog.min(x.at), pg_catalog.max(x.at), 0 "
              "FROM "_s
            + from + u" GROUP BY "_s + groups + u" HAVING "_s + having + u" ORDER BY 5 DESC, 3 DESC LIMIT "_s
            + QString::number(m_request.limit + 1);
    }

    QString byKey(const QString &rows) const
    {
        return u"SELECT pg_catalog.min(x.s), x.p, 1, pg_catalog.json_build_array(x.p)::pg_catalog.text, "
               u"pg_catalog.max(CASE WHEN x.done THEN 1 ELSE 0 END), "
               "pg_catalog.min(x.at), pg_catalog.max(x.at), pg_catalog.count(DISTINCT x.v) FROM ("_s
            + rows + u") x GROUP BY x.p HAVING pg_catalog.count(DISTINCT x.v) > 1 ORDER BY 8 DESC LIMIT "_s
            + QString::number(m_request.limit + 1);
    }

    void add(const DuplicateLook &look, const Row &row)
    {
        DuplicateGroup group;
        group.reason = look.reason;
        group.scope = cellsOf(QJsonDocument::fromJson(row.text(0).toUtf8()).array());
        for (const QJsonValue &one : QJsonDocument::fromJson(row.text(3).toUtf8()).array()) {
            QJsonArray parts = QJsonDocument::fromJson(one.toString().toUtf8()).array();
            group.sample += parts.takeAt(0).toString();
            group.sampleScopes += cellsOf(parts);
        }
        group.shared = look.reason == DuplicateReason::SeveralEffects ? group.sample.value(0) : row.text(1);
        group.keys = row.integer(2);
        group.succeeded = row.integer(4);
        group.first = row.isNull(5) ? std::nullopt : Timestamp::parse(row.text(5));
        group.last = row.isNull(6) ? std::nullopt : Timestamp::parse(row.text(6));
        group.effects = row.integer(7);
        group.effectType = look.effectType;
        group.ignored = look.ignored;
        m_answer.groups += group;
    }

    /// What made the search slow on a large table, and the index that would help.
    void noteCost()
    {
        if (m_sequential.isEmpty()) {
            return;
        }
        const double rows = m_target.relation.estimatedRows;
        QString text = rows > 0
            ? Tr::tr("The table was read from end to end, about %1 rows, when looking for: %2.")
                  .arg(health::grouped(qint64(rows)), m_sequential.join(u", "_s))
            : Tr::tr("The table was read from end to end when looking for: %1.").arg(m_sequential.join(u", "_s));
        const auto began = beganOf(m_target.profile);
        const QString column = began ? health::columnForIndex(*began) : QString();
        if (!column.isEmpty() && !m_target.relation.isView()) {
            text += u' '
                + (indexLeads(m_target.relation, column, false)
                        ? Tr::tr(
                            "The index that begins with %1 helps only where few of the table's keys are in the span.")
                              .arg(column)
                        : Tr::tr("No index begins with %1; this one makes a short span fast: %2")
                              .arg(column, health::createIndex(m_target, { column })));
        }
        m_answer.notes += text;
    }

    bool close(const DuplicateGroup &group) const
    {
        return group.first && group.last && group.first->finite() && group.last->finite()
            && group.last->micros - group.first->micros <= m_request.windowSeconds * kMicros;
    }

    void rank()
    {
        std::stable_sort(
            m_answer.groups.begin(), m_answer.groups.end(), [this](const DuplicateGroup &a, const DuplicateGroup &b) {
                const auto rankOf = [this](const DuplicateGroup &group) {
                    return std::tuple(int(group.reason), group.succeeded > 1 ? 0 : 1, close(group) ? 0 : 1,
                        -std::max(group.keys, group.effects));
                };
                return rankOf(a) < rankOf(b);
            });
    }

    /// Keeps the first of each reason, in turn, so that many groups of one reason leave room for the others.
    void cut()
    {
        QMap<DuplicateReason, qsizetype> found;
        for (const DuplicateGroup &group : std::as_const(m_answer.groups)) {
            ++found[group.reason];
        }
        QMap<DuplicateReason, qsizetype> places;
        qsizetype left = m_request.limit;
        for (bool given = true; given && left > 0;) {
            given = false;
            for (auto reason = found.cbegin(); reason != found.cend() && left > 0; ++reason) {
                if (places.value(reason.key()) < reason.value()) {
                    ++places[reason.key()];
                    --left;
                    given = true;
                }
            }
        }
        m_answer.groups.removeIf([&places](const DuplicateGroup &group) { return places[group.reason]-- <= 0; });
        if (m_more || std::accumulate(found.cbegin(), found.cend(), qsizetype(0)) > m_answer.groups.size()) {
            m_answer.notes += Tr::tr(
                "There are more groups than the %1 given here; a shorter span of time or a filter leaves fewer.")
                                  .arg(m_answer.groups.size());
        }
    }

    Session &m_session;
    const Target &m_target;
    const DuplicateRequest &m_request;
    const bool m_tolerant;
    QStringList m_sequential; ///< what was looked for without an index
    bool m_more = false; ///< one reason alone has more groups than wanted
    DuplicateAnswer m_answer;
};

Result<DuplicateAnswer> searchAround(Session &session, const Target &target, const DuplicateRequest &request)
{
    QString note;
    auto answer = readAround(session, target, true, &note,
        [&](const Target &readable) { return DuplicateSearch(session, readable, request).find(); });
    if (!answer && isRowsFault(answer.error())) {
        answer = DuplicateSearch(session, target, request, true).find();
    }
    if (answer && !note.isEmpty()) {
        answer->notes += note;
        answer->complete = false;
    }
    if (const QStringList unseen = unseenNotes(target); answer && !unseen.isEmpty()) {
        answer->notes += unseen;
        answer->complete = false;
    }
    return answer;
}

} // namespace

Result<DuplicateAnswer> findDuplicates(Session &session, const Target &target, const DuplicateRequest &request)
{
    auto whole = [&] {
        const WholeRows asked(session);
        return searchAround(session, target, request);
    }();
    if (whole || !whole.error().rowsHidden) {
        return whole;
    }
    // What he may see can still show a duplicate; it cannot show that there is none.
    auto seen = searchAround(session, target, request);
    if (seen) {
        seen->complete = false;
        seen->notes += Tr::tr("Row security hides rows from this login, so there may be more than was found.");
    }
    return seen;
}

} // namespace idemdesk::sql
