// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/page_reading.h"

namespace idemdesk::models {

bool readsLead(const PagePlan &plan)
{
    return plan.backward || plan.skip > 0;
}

sql::PageRequest requestOf(const PagePlan &plan)
{
    const bool lead = readsLead(plan);
    sql::PageRequest request;
    request.from = plan.from;
    request.backward = plan.backward;
    request.skip = lead && !plan.backward ? plan.skip - 1 : plan.skip;
    request.limit = (plan.tail > 0 ? plan.tail : PageCache::kSize) + (lead ? 1 : 0);
    return request;
}

PageAnswer answerOf(qint64 number, const PagePlan &plan, const sql::KeyPage &result)
{
    PageAnswer answer;
    answer.page.number = number;
    answer.page.approximate = plan.approximate;
    QList<sql::KeyRecord> rows = result.rows;
    const qsizetype wanted = plan.tail > 0 ? plan.tail : PageCache::kSize;
    if (plan.backward) {
        if (rows.size() > wanted) {
            answer.before = cursorAfter(rows.at(rows.size() - wanted - 1));
            rows = rows.mid(rows.size() - wanted);
        }
        answer.more = answer.before.has_value();
        answer.page.moreAfter = plan.tail == 0;
        answer.page.offset = plan.tail > 0 ? 0 : int(PageCache::kSize - rows.size());
    } else {
        if (readsLead(plan) && !rows.isEmpty()) {
            answer.before = cursorAfter(rows.takeFirst());
        }
        rows = rows.mid(0, PageCache::kSize);
        answer.more = result.more && rows.size() == PageCache::kSize;
        answer.page.moreAfter = answer.more;
    }
    answer.page.rows = std::move(rows);
    return answer;
}

} // namespace idemdesk::models
