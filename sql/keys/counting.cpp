// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/counting.h"

#include "sql/keys/explain.h"
#include "sql/keys/state_predicate.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

QString filtered(const QString &condition)
{
    return u"pg_catalog.count(*) FILTER (WHERE "_s + condition + u")"_s;
}

QString keyOf(const Cells &scope)
{
    QString key;
    for (const Cell &cell : scope) {
        key += cell.null ? u"-"_s : u"+"_s + QString::number(cell.text.size()) + u':' + cell.text;
    }
    return key;
}

} // namespace

CountColumns::CountColumns(Render &render)
{
    for (const KeyState state : kAllStates) {
        const QString condition = stateIn(render, { state });
        if (condition != u"false") {
            m_states.append(state);
            m_conditions.append(condition);
        }
    }
    if (const auto stale = staleCondition(render)) {
        m_stale = true;
        m_conditions.append(*stale);
        m_since = staleSince(render);
    }
    if (const auto expired = expiredCondition(render)) {
        m_expired = true;
        m_conditions.append(*expired);
    }
}

QString CountColumns::aggregates() const
{
    QStringList out { u"pg_catalog.count(*)"_s };
    for (const QString &condition : m_conditions) {
        out += filtered(condition);
    }
    if (m_stale) {
        out += u"pg_catalog.min("_s + m_since + u") FILTER (WHERE "_s + m_conditions.at(m_states.size()) + u")"_s;
    }
    return out.join(u", "_s);
}

QString CountColumns::flags() const
{
    QStringList out { u"1 AS one"_s };
    for (qsizetype i = 0; i < m_conditions.size(); ++i) {
        out += u"("_s + m_conditions.at(i) + u") AS f"_s + QString::number(i);
    }
    if (m_stale) {
        out += u"("_s + m_since + u") AS since"_s;
    }
    return out.join(u", "_s);
}

QString CountColumns::aggregatesOf(const QString &alias) const
{
    QStringList out { u"pg_catalog.count(*)"_s };
    const QString flag = alias + u".f"_s;
    for (qsizetype i = 0; i < m_conditions.size(); ++i) {
        out += filtered(flag + QString::number(i));
    }
    if (m_stale) {
        out += u"pg_catalog.min("_s + alias + u".since) FILTER (WHERE "_s + flag + QString::number(m_states.size())
            + u")"_s;
    }
    return out.join(u", "_s);
}

void CountColumns::fillZero(ScopeCounts *counts, RowCount::Kind kind) const
{
    for (const KeyState state : m_states) {
        counts->states[state] = { kind, 0 };
    }
    if (m_stale) {
        counts->stale = { kind, 0 };
    }
    if (m_expired) {
        counts->expired = { kind, 0 };
    }
}

void CountColumns::fill(ScopeCounts *counts, const Cells &cells, qint64 bound) const
{
    const bool whole = bound <= 0 || total(cells) <= bound;
    qsizetype at = 1;
    const auto next = [&] {
        return RowCount { whole ? RowCount::Kind::Exact : RowCount::Kind::AtLeast, cells.at(at++).text.toLongLong() };
    };
    for (const KeyState state : m_states) {
        counts->states[state] = next();
    }
    if (m_stale) {
        counts->stale = next();
    }
    if (m_expired) {
        counts->expired = next();
    }
    if (m_stale && !cells.at(at).null) {
        counts->oldestStale = Timestamp::parse(cells.at(at).text);
    }
}

ScopeLookup::ScopeLookup(const QList<ScopeCounts> &scopes)
{
    for (qsizetype i = 0; i < scopes.size(); ++i) {
        m_index.insert(keyOf(scopes.at(i).scope), i);
    }
}

ScopeCounts *ScopeLookup::find(QList<ScopeCounts> &scopes, const Cells &scope) const
{
    const auto found = m_index.constFind(keyOf(scope));
    return found == m_index.constEnd() ? nullptr : &scopes[*found];
}

Result<bool> cheaperThan(Session &session, const Statement &statement, double cost)
{
    const auto explained = explain(session, statement);
    return explained ? Result<bool>(explained->totalCost < cost) : Result<bool>(explained.error());
}

} // namespace idemdesk::sql
