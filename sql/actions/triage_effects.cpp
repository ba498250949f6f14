// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/triage_effects.h"

#include "sql/actions/action_json.h"
#include "sql/keys/key_lookup.h"
#include "sql/keys/render.h"
#include "sql/keys/unreadable.h"
#include "sql/profile/effect_links.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Rows a statement is asked for: few enough that the planner still sees one index condition each.
constexpr qsizetype kEffectsAtOnce = 200;
/// Effects of one key that are read; a key has one, or the profile's query is wrong.
constexpr int kMostEffectsJudged = 20;
/// Columns of an answer before the row's identity.
constexpr int kFirstIdentity = 5;

bool endsTheReading(const Error &error)
{
    return error.kind == ErrorKind::ConnectionLost || error.kind == ErrorKind::Cancelled || error.kind == ErrorKind::Superseded
        || error.kind == ErrorKind::Timeout;
}

class EffectsReader
{
public:
    EffectsReader(Session &session, const Target &target, const Timestamp &now, QList<TriageFacts> &rows)
        : m_session(session)
        , m_target(target)
        , m_now(now)
        , m_rows(rows)
    {
        for (qsizetype i = 0; i < rows.size(); ++i) {
            m_places.insert(cellsToJson(rows.at(i).record.identity), i);
        }
    }

    Result<void> read()
    {
        for (qsizetype i = 0; i < m_target.profile.effects.size(); ++i) {
            const EffectSpec &effect = m_target.profile.effects.at(i);
            const QString fault = effectFault(m_target, i);
            for (TriageFacts &row : m_rows) {
                row.effects.append({ effect.type, effect.proves, {}, fault });
            }
            if (!fault.isEmpty()) {
                continue;
            }
            for (qsizetype from = 0; from < m_rows.size(); from += kEffectsAtOnce) {
                if (const auto done = readChunk(effect, from, qMin(kEffectsAtOnce, m_rows.size() - from)); !done) {
                    return done;
                }
            }
        }
        return {};
    }

private:
    Result<void> readChunk(const EffectSpec &effect, qsizetype from, qsizetype count)
    {
        const auto done = readSome(effect, from, count);
        if (done || endsTheReading(done.error())) {
            return done;
        }
        if (count > 1 && isRowsFault(done.error())) {
            // Some row's own value defeated the query; the others still have their evidence.
            const auto first = readChunk(effect, from, count / 2);
            return first ? readChunk(effect, from + count / 2, count - count / 2) : first;
        }
        for (qsizetype i = from; i < from + count; ++i) {
            m_rows[i].effects.last().rows.clear();
            m_rows[i].effects.last().error = done.error().line();
        }
        return {};
    }

    Result<void> readSome(const EffectSpec &effect, qsizetype from, qsizetype count)
    {
        QList<Cells> identities;
        for (qsizetype i = from; i < from + count; ++i) {
            identities.append(m_rows.at(i).record.identity);
            m_rows[i].effects.last() = { effect.type, effect.proves, {}, {} };
        }
        QString columns;
        for (const QString &name : m_target.profile.identity) {
            columns += u", t."_s + quoteIdentifier(name);
        }
        QSet<qsizetype> seen;
        Render render(m_target);
        const QString sql
            = u"SELECT e.idemdesk_e->>'id', e.idemdesk_e->>'at', e.idemdesk_e->>'state', e.idemdesk_e IS NULL, "_s
            + missingLinksSql(effectLinks(effect, m_target.relation)) + columns + render.from()
            + u" LEFT JOIN LATERAL (SELECT pg_catalog.to_jsonb(x) AS idemdesk_e FROM ("_s + effect.sql
            + u") x LIMIT "_s + QString::number(kMostEffectsJudged) + u") e ON true WHERE "_s
            + identitiesCondition(render, identities);
        const auto read = m_session.each(render.finish(sql, m_now), [&](const Row &row) {
            Cells identity;
            for (int i = kFirstIdentity; i < row.columns(); ++i) {
                identity.append(row.cell(i));
            }
            if (const auto place = m_places.constFind(cellsToJson(identity)); place != m_places.constEnd()) {
                seen.insert(*place);
                EffectResult &result = m_rows[*place].effects.last();
                if (row.text(3) == u"f") {
                    result.rows.append({ effect.type, effect.proves, row.cell(0), row.cell(1), row.cell(2) });
                } else if (const QString missing = row.text(4); !missing.isEmpty()) {
                    result.unlinked = true;
                    result.error = cannotBeKnown(missing);
                }
            }
            return true;
        });
        if (!read) {
            return read.error();
        }
        for (qsizetype i = from; i < from + count; ++i) {
            if (!seen.contains(i)) { // not looked at is not the same as not there
                m_rows[i].effects.last().error = Tr::tr("The row is not there any more.");
            }
        }
        return {};
    }

    Session &m_session;
    const Target &m_target;
    const Timestamp m_now;
    QList<TriageFacts> &m_rows;
    QHash<QString, qsizetype> m_places; ///< identity -> row
};

} // namespace

Result<void> readEffects(Session &session, const Target &target, const Timestamp &now, QList<TriageFacts> *rows)
{
    const WholeRows whole(session);
    return EffectsReader(session, target, now, *rows).read();
}

QString identitiesCondition(Render &render, const QList<Cells> &identities)
{
    QStringList parts;
    for (const Cells &identity : identities) {
        parts += u"("_s + identityCondition(render, identity) + u")"_s;
    }
    return parts.isEmpty() ? u"false"_s : u"("_s + parts.join(u" OR "_s) + u")"_s;
}

} // namespace idemdesk::sql
