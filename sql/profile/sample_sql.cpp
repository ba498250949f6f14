// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/sample_sql.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

QString sampleSql(const RelationFacts &relation, const QString &selectList, int rows)
{
    const QString limit = QString::number(rows);
    const QString first = u"(SELECT "_s + selectList + u" FROM "_s + relation.sql + u" AS t LIMIT "_s + limit + u")"_s;
    const bool sampled = relation.kind == u'r' || relation.kind == u'p' || relation.kind == u'm';
    if (!sampled || relation.estimatedRows < 2.0 * rows) {
        return first;
    }
    // Whole pages are read, so a small share of them holds enough rows; the seed makes a second look see the same.
    const double share = std::clamp(200.0 * rows / relation.estimatedRows, 0.0001, 100.0);
    return first + u" UNION ALL (SELECT "_s + selectList + u" FROM "_s + relation.sql + u" AS t TABLESAMPLE SYSTEM ("_s
        + QString::number(share, 'f', 6) + u") REPEATABLE (7) LIMIT "_s + limit + u")"_s;
}

} // namespace idemdesk::sql
