// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/triage_effects.h"

#include "sql/actions/action_json.h"
#include "sql/actions/evidence_lost.h"
#include "sql/actions/evidence_writers.h"
#include "sql/keys/detail_reader.h"
#include "sql/keys/render.h"
#include "sql/keys/unreadable.h"
#include "sql/profile/effect_links.h"
#include "sql/profile/evidence_trial.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>

#include <algorithm>

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
    return error.kind == ErrorKind::ConnectionLost || error.kind == ErrorKind::Cancelled
        || error.kind == ErrorKind::Superseded || error.kind == ErrorKind::Timeout;
}

class EffectsReader
{
public:
    EffectsReader(Session &session, const Target &target, const Timestamp &now, QList<TriageFacts> &rows)
        : m_session(session)
        , m_target(target)
        , m_now(now)
        , m_rows(rows)
        , m_writers(session, target)
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
            TRY(m_writers.watch(effect.sql));
            TRY(const auto lost, evidenceLost(m_session, m_writers.tables(), m_now));
            for (qsizetype from = 0; from < m_rows.size(); from += kEffectsAtOnce) {
                const qsizetype count = qMin(kEffectsAtOnce, m_rows.size() - from);
                // Who writes is asked first: what he commits from here on, the query sees.
                TRY(const auto writer, m_writers.stillWriting());
                if (const auto done = readChunk(effect, from, count); !done) {
                    return done;
                }
                doubt(from, count, writer, true);
                doubt(from, count, m_writers.unsteady(), false);
                doubtOld(from, count, lost);
                doubtAll(from, count, m_writers.rereads());
            }
            if (const auto done = askWhetherItEverFinds(i); !done) {
                return done;
            }
        }
        return {};
    }

private:
    /// A transaction under way may hold the very effect that was not found. blocks: the server will say so, too.
    void doubt(qsizetype from, qsizetype count, const QString &writer, bool blocks)
    {
        for (qsizetype i = from; i < from + count && !writer.isEmpty(); ++i) {
            EffectResult &result = m_rows[i].effects.last();
            result.noLink = false; // what is written may be the link as well
            if (result.rows.isEmpty() && result.error.isEmpty()) {
                result.unlinked = true;
                result.blocks = blocks;
                result.error = writer;
            }
        }
    }

    /// Neither finding something nor finding nothing settles it.
    void doubtAll(qsizetype from, qsizetype count, const QString &why)
    {
        for (qsizetype i = from; i < from + count && !why.isEmpty(); ++i) {
            EffectResult &result = m_rows[i].effects.last();
            result.noLink = false;
            if (result.error.isEmpty()) {
                result.unlinked = result.rows.isEmpty();
                result.error = why;
            }
        }
    }

    /// What the query looks through may have been purged since the key was made.
    void doubtOld(qsizetype from, qsizetype count, const std::optional<LostEvidence> &lost)
    {
        for (qsizetype i = from; i < from + count && lost; ++i) {
            EffectResult &result = m_rows[i].effects.last();
            const KeyRecord &record = m_rows.at(i).record;
            // Not when it was claimed or changed last: an earlier attempt may have done the work.
            const auto made = record.time(Role::CreatedAt);
            const bool old = result.rows.isEmpty() && !(made && lost->before < *made);
            result.noLink = result.noLink && !old;
            if (old && result.error.isEmpty()) {
                result.unlinked = true;
                result.error = lost->why;
            }
        }
    }

    /// Finding nothing says something only of a query that finds what is there.
    Result<void> askWhetherItEverFinds(qsizetype effect)
    {
        const auto found = [](const TriageFacts &row) { return !row.effects.constLast().rows.isEmpty(); };
        const auto missed = [](const TriageFacts &row) {
            return row.effects.constLast().rows.isEmpty() && row.effects.constLast().error.isEmpty();
        };
        if (!m_target.profile.effects.at(effect).proves || std::any_of(m_rows.cbegin(), m_rows.cend(), found)
            || std::none_of(m_rows.cbegin(), m_rows.cend(), missed)) {
            return {};
        }
        const auto ever = everFinds(m_session, m_target, effect);
        if (!ever && endsTheReading(ever.error())) {
            return ever.error();
        }
        for (TriageFacts &row : m_rows) {
            row.effects.last().unproven = missed(row) && !(ever && *ever);
        }
        return {};
    }

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
        const QString sql = u"SELECT e.idemdesk_e->>'id', e.idemdesk_e->>'at', e.idemdesk_e->>'state', "_s
            + kEffectFound + u", "_s + missingLinksSql(effect, m_target.relation) + columns + render.from()
            + u" LEFT JOIN LATERAL ("_s + effectRowsSql(effect) + u" LIMIT "_s + QString::number(kMostEffectsJudged)
            + u") e ON true WHERE "_s + identitiesCondition(render, identities);
        TRY(m_session.each(render.finish(sql, m_now), [&](const Row &row) {
            Cells identity;
            for (int i = kFirstIdentity; i < row.columns(); ++i) {
                identity.append(row.cell(i));
            }
            if (const auto place = m_places.constFind(cellsToJson(identity)); place != m_places.constEnd()) {
                seen.insert(*place);
                EffectResult &result = m_rows[*place].effects.last();
                if (row.text(3) == kEffectThere) {
                    result.rows.append({ effect.type, effect.proves, row.cell(0), row.cell(1), row.cell(2) });
                    result.noLink = false;
                    result.error.clear();
                } else if (row.text(3) == kEffectVoid && result.rows.isEmpty()) {
                    result.unlinked = true;
                    result.blocks = true;
                    result.error = voidEffect();
                } else if (const QString missing = row.text(4); !missing.isEmpty()) {
                    result.unlinked = true;
                    result.blocks = true;
                    result.noLink = true;
                    result.error = cannotBeKnown(missing);
                }
            }
            return true;
        }));
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
    EvidenceWriters m_writers;
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
