// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/provider/stale_reader.h"

#include "sql/actions/action_json.h"
#include "sql/actions/triage_effects.h"
#include "sql/keys/resolve.h"
#include "sql/keys/row_mapper.h"
#include "sql/keys/unreadable.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qsizetype kStaleAtOnce = 200;

/// The whole target, of whose rows nothing is read but identity, state and staleness.
Target staleTarget(const Target &whole)
{
    Target target = whole;
    target.profile.roles.removeIf(
        [](const std::pair<const Role &, Expression &> &role) { return role.first != Role::Status; });
    target.profile.fields.clear();
    return target;
}

bool identityServed(const Target &target)
{
    return isSmall(target.relation) || indexLeads(target.relation, target.profile.identity.value(0), false);
}

bool endsComparison(const Error &error)
{
    return error.kind == ErrorKind::ConnectionLost || error.kind == ErrorKind::Cancelled
        || error.kind == ErrorKind::Superseded || error.kind == ErrorKind::Timeout;
}

Result<void> readStaleRows(Session &session, const Target &target, const QList<Cells> &identities, const Timestamp &now,
    QHash<QString, bool> *found)
{
    Render render(target);
    const RowMapper mapper(render, nullptr, 0);
    const QString sql
        = u"SELECT "_s + mapper.selectList() + render.from() + u" WHERE "_s + identitiesCondition(render, identities);
    QHash<QString, bool> read;
    const auto done = session.each(render.finish(sql, now), [&](const Row &row) {
        const KeyRecord record = mapper.record(row);
        if (record.stale) {
            read.insert(cellsToJson(record.identity), *record.stale);
        }
        return true;
    });
    if (done) {
        found->insert(read);
        return {};
    }
    if (endsComparison(done.error())) {
        return done.error();
    }
    if (identities.size() > 1 && isRowsFault(done.error())) {
        const qsizetype half = identities.size() / 2;
        TRY(readStaleRows(session, target, identities.mid(0, half), now, found));
        return readStaleRows(session, target, identities.mid(half), now, found);
    }
    return {};
}

} // namespace

bool mayBeStale(const Profile &profile, KeyState state)
{
    if (!profile.stale || state == KeyState::Succeeded || state == KeyState::FailedFinal) {
        return false;
    }
    return std::any_of(profile.stale->cbegin(), profile.stale->cend(),
        [state](const TimeRule &rule) { return rule.states.isEmpty() || rule.states.contains(state); });
}

Result<QHash<QString, bool>> readStale(
    Session &session, const ProviderTarget &target, const QList<Cells> &identities, const Timestamp &now)
{
    QHash<QString, bool> found;
    const Target whole = staleTarget(target.whole());
    if (!whole.profile.stale || !identityServed(whole)) {
        return found;
    }
    for (qsizetype from = 0; from < identities.size(); from += kStaleAtOnce) {
        TRY(readStaleRows(session, whole, identities.mid(from, kStaleAtOnce), now, &found));
    }
    return found;
}

} // namespace idemdesk::sql
