// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/duplicates/duplicate_gateway.h"

#include "sql/keys/scope_parts.h"
#include "sql/keys/state_predicate.h"
#include "sql/profile/expression_sql.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(Duplicates)
};

constexpr qint64 kMicros = 1'000'000;

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

class Finder
{
public:
    Finder(Session &session, const Target &target, const DuplicateRequest &request)
        : m_session(session)
        , m_target(target)
        , m_request(request)
        , m_parts(request.acrossScopes ? QList<ScopePart>() : partsOf(target))
    {
    }

    Result<DuplicateAnswer> find()
    {
        const Profile &profile = m_target.profile;
        const auto none = [&](const QString &role, const QString &what) { m_answer.notes += Tr::tr("The profile names no %1, so %2 was not looked for.").arg(role, what); };
        if (profile.has(Role::ResultId)) {
            QString shared = u"("_s + profile.role(Role::ResultId).sql + u")::pg_catalog.text"_s;
            if (profile.has(Role::ResultType)) {
                shared = u"pg_catalog.concat_ws('/', ("_s + profile.role(Role::ResultType).sql + u")::pg_catalog.text, "_s + shared + u')';
            }
            if (const auto done = add(DuplicateReason::SameResult, shared, u"("_s + profile.role(Role::ResultId).sql + u") IS NOT NULL"_s); !done) {
                return done.error();
            }
        } else {
            none(roleName(Role::ResultId), Tr::tr("one result under several keys"));
        }
        if (profile.has(Role::Fingerprint)) {
            const QString fingerprint = u"("_s + profile.role(Role::Fingerprint).sql + u")::pg_catalog.text"_s;
            if (const auto done = add(DuplicateReason::SameFingerprint, fingerprint, fingerprint + u" IS NOT NULL"_s); !done) {
                return done.error();
            }
        } else {
            none(roleName(Role::Fingerprint), Tr::tr("one request under several keys"));
        }
        if (!beganOf(profile)) {
            m_answer.notes += Tr::tr("The profile names no time at which a key began, so keys of any age were searched.");
        }
        rank();
        m_answer.notes += Tr::tr("One key that was tried several times is no duplicate: its attempts share one row.");
        return m_answer;
    }

private:
    Result<void> add(DuplicateReason reason, const QString &shared, const QString &where)
    {
        Render render(m_target);
        const auto began = beganOf(m_target.profile);
        QStringList conditions { where };
        QString at = u"NULL::pg_catalog.timestamptz"_s;
        if (began) {
            at = timestamptzSql(*began);
            conditions += compareTime(*began, u">="_s, u"$now - pg_catalog.make_interval(secs => "_s + QString::number(m_request.spanSeconds) + u')');
        }
        QStringList parts;
        for (const ScopePart &part : m_parts) {
            parts += u"("_s + part.sql + u")::pg_catalog.text"_s;
        }
        const QString key = u"("_s + m_target.profile.key.sql + u")::pg_catalog.text"_s;
        const QString rows = u"SELECT pg_catalog.json_build_array("_s + parts.join(u", "_s) + u")::pg_catalog.text AS s, "_s + shared + u" AS v, "_s + key + u" AS k, "_s + at + u" AS at, "_s
            + stateIn(render, { KeyState::Succeeded }) + u" AS done"_s + render.from() + u" WHERE "_s + conditions.join(u" AND "_s);
        // The same key in another scope is another intent, so a key counts once for each scope it has.
        const QString sql = u"SELECT x.s, x.v, pg_catalog.count(DISTINCT x.k), pg_catalog.to_json((pg_catalog.array_agg(DISTINCT x.k))[1:10])::pg_catalog.text, "
                            "pg_catalog.count(DISTINCT x.k) FILTER (WHERE x.done), pg_catalog.min(x.at), pg_catalog.max(x.at) FROM ("_s
            + rows + u") x GROUP BY 1, 2 HAVING pg_catalog.count(DISTINCT x.k) > 1 ORDER BY 5 DESC, 3 DESC LIMIT "_s + QString::number(m_request.limit);
        const auto read = m_session.each(render.finish(sql, {}), [&](const Row &row) {
            DuplicateGroup group;
            group.reason = reason;
            for (const QJsonValue &part : QJsonDocument::fromJson(row.text(0).toUtf8()).array()) {
                group.scope += part.isNull() ? Cell() : Cell::of(part.toString());
            }
            group.shared = row.text(1);
            group.keys = row.integer(2);
            for (const QJsonValue &one : QJsonDocument::fromJson(row.text(3).toUtf8()).array()) {
                group.sample += one.toString();
            }
            group.succeeded = row.integer(4);
            group.first = row.isNull(5) ? std::nullopt : Timestamp::parse(row.text(5));
            group.last = row.isNull(6) ? std::nullopt : Timestamp::parse(row.text(6));
            m_answer.groups += group;
            return true;
        });
        return read ? Result<void>() : Result<void>(render.located(read.error()));
    }

    bool close(const DuplicateGroup &group) const { return group.first && group.last && group.last->micros - group.first->micros <= m_request.windowSeconds * kMicros; }

    void rank()
    {
        std::stable_sort(m_answer.groups.begin(), m_answer.groups.end(), [this](const DuplicateGroup &a, const DuplicateGroup &b) {
            const auto rankOf = [this](const DuplicateGroup &group) { return std::tuple(group.succeeded > 1 ? 0 : 1, close(group) ? 0 : 1, -group.keys); };
            return rankOf(a) < rankOf(b);
        });
        m_answer.groups = m_answer.groups.mid(0, m_request.limit);
    }

    Session &m_session;
    const Target &m_target;
    const DuplicateRequest &m_request;
    const QList<ScopePart> m_parts;
    DuplicateAnswer m_answer;
};

} // namespace

Result<DuplicateAnswer> findDuplicates(Session &session, const Target &target, const DuplicateRequest &request) { return Finder(session, target, request).find(); }

} // namespace idemdesk::sql
