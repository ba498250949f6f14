// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/group_page.h"

#include <algorithm>

namespace idemdesk::models {

MergedPage mergePages(const QList<QList<qint64>> &ranks, const QList<bool> &mores, qsizetype limit)
{
    MergedPage page;
    QList<qsizetype> next(ranks.size(), 0);
    while (page.rows.size() < limit) {
        qsizetype first = -1;
        for (qsizetype member = 0; member < ranks.size(); ++member) {
            const QList<qint64> &rows = ranks.at(member);
            if (next.at(member) >= rows.size()) {
                if (mores.at(member)) {
                    page.more = true;
                    return page;
                }
                continue;
            }
            if (first < 0 || rows.at(next.at(member)) < ranks.at(first).at(next.at(first))) {
                first = member;
            }
        }
        if (first < 0) {
            return page;
        }
        page.rows.append({ first, next[first]++ });
    }
    for (qsizetype member = 0; member < ranks.size(); ++member) {
        page.more = page.more || mores.at(member) || next.at(member) < ranks.at(member).size();
    }
    return page;
}

} // namespace idemdesk::models
