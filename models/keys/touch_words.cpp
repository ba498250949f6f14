// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/touch_words.h"

#include "models/actions/action_words.h"
#include "sql/actions/action_gateway.h"
#include "sql/types/cache.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

QString touchName(const sql::KeyTouch &touch)
{
    return touch.release ? u"release"_s : sql::verbName(touch.verb);
}

QString touchLabel(const sql::KeyTouch &touch)
{
    return touch.release ? Tr::tr("Release in the cache") : verbLabel(touch.verb);
}

QString touchOutcome(const sql::KeyTouch &touch)
{
    if (!touch.release) {
        return outcomeLabel(touch.outcome);
    }
    const auto is = [&touch](sql::ReleaseOutcome outcome) { return touch.outcome == sql::releaseOutcomeName(outcome); };
    return is(sql::ReleaseOutcome::Deleted) ? Tr::tr("deleted", "a claim in the cache")
        : is(sql::ReleaseOutcome::Changed)  ? Tr::tr("left alone: it had changed", "a claim in the cache")
        : is(sql::ReleaseOutcome::Gone)     ? Tr::tr("gone already", "a claim in the cache")
        : is(sql::ReleaseOutcome::Refused)  ? Tr::tr("refused by the cache", "a claim in the cache")
                                            : Tr::tr("not known whether it was deleted", "a claim in the cache");
}

} // namespace idemdesk::models
