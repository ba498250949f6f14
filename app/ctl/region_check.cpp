// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/region_check.h"

#include "app/ctl/group_option.h"
#include "models/groups/held_elsewhere.h"
#include "sql/session/session.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kRegionReadMs = 60'000; // one statement, of some hundred keys

/// What one other region says against changing these keys here.
sql::Result<QHash<QString, QString>> askRegion(
    const Context &there, const sql::Profile &here, const QList<models::FrozenKey> &keys)
{
    TRY(const auto where, there.primarySettings()); // a standby may not have what matters yet
    sql::Session::Options options;
    options.applicationName = u"idemdesk ctl"_s;
    options.statementTimeoutMs = kRegionReadMs;
    TRY(const auto session, sql::Session::open(where, options));
    if (session->facts().standby) {
        return sql::makeError(sql::ErrorKind::Refused, Tr::tr("It is a standby, which may be behind."));
    }
    TRY(const auto found, targetIn(there, *session));
    return models::againstChanging(*session, here, found.target, keys, there.member());
}

} // namespace

RegionCheck::RegionCheck(const Context &context)
    : m_context(context)
{
    // What is wrong with the group is told by who runs the command in it.
    if (const auto group = groupOf(context); context.has(u"group"_s) && group) {
        if (group->kind == sql::GroupKind::Regions) {
            m_regions = *group;
        }
    }
}

void RegionCheck::leaveOut(const Context &member, const OpenedTarget &opened, models::FrozenSet *set) const
{
    if (!m_regions || set->rows.isEmpty()) {
        return;
    }
    QList<models::RegionWord> words;
    for (const sql::GroupMember &other : m_regions->members) {
        if (other.label == member.member()) {
            continue;
        }
        models::RegionWord word { other.label, {}, {} };
        const auto against
            = askRegion(m_context.at(memberSettings(m_context, other)), opened.target.profile, set->keys);
        if (against) {
            word.against = *against;
        } else {
            word.notAsked = against.error();
        }
        words += word;
    }
    models::leaveToRegions(set, opened.compiled, words);
}

} // namespace idemdesk::app
