// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/sample_sql.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Are its pages there to be sampled?
bool hasPages(const RelationFacts &relation)
{
    return relation.kind == u'r' || relation.kind == u'p' || relation.kind == u'm';
}

/// The rows of its first pages. Without a word on the place the planner may take the first ones of an index: of one
/// over the status, thousands of one value.
QString firstSql(const RelationFacts &relation, const QString &selectList, const QString &limit)
{
    return u"(SELECT "_s + selectList + u" FROM "_s + relation.sql + u" AS t"_s
        + (hasPages(relation) ? u" WHERE t.ctid >= '(0,0)'::pg_catalog.tid"_s : QString()) + u" LIMIT "_s + limit
        + u")"_s;
}

} // namespace

QString sampleSql(const RelationFacts &relation, const QString &selectList, int rows)
{
    const QString limit = QString::number(rows);
    const QString first = firstSql(relation, selectList, limit);
    if (!hasPages(relation) || relation.estimatedRows < 2.0 * rows) {
        return first;
    }
    // Whole pages are read, so a small share of them holds enough rows; the seed makes a second look see the same.
    const double share = std::clamp(200.0 * rows / relation.estimatedRows, 0.0001, 100.0);
    return first + u" UNION ALL (SELECT "_s + selectList + u" FROM "_s + relation.sql + u" AS t TABLESAMPLE SYSTEM ("_s
        + QString::number(share, 'f', 6) + u") REPEATABLE (7) LIMIT "_s + limit + u")"_s;
}

QString spreadSampleSql(const RelationFacts &relation, const QString &selectList, int rows, qint64 blocks)
{
    constexpr double kPages = 60; // each holds some 300 rows at most
    const QString limit = QString::number(rows);
    const QString first = firstSql(relation, selectList, limit);
    if (!hasPages(relation)) {
        return first;
    }
    const double share = std::clamp(100.0 * kPages / double(std::max<qint64>(1, blocks)), 0.0001, 100.0);
    return first + u" UNION ALL (SELECT "_s + selectList + u" FROM "_s + relation.sql + u" AS t TABLESAMPLE SYSTEM ("_s
        + QString::number(share, 'f', 6) + u") REPEATABLE (7) ORDER BY pg_catalog.hashtid(t.ctid) LIMIT "_s + limit
        + u")"_s;
}

} // namespace idemdesk::sql
