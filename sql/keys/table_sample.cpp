// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/table_sample.h"

#include "sql/keys/render.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr double kSampledRowBytes = 200; ///< with its index entries, where nobody analysed the table yet
/// A table of wider rows than this keeps most of them aside: there are no fewer rows than by this width.
constexpr double kWidestSampledRow = 2'000;
constexpr int kTimesSampled = 4; ///< rows of the sample may break meanwhile, and it may be made smaller

double sampleShare(qint64 rows, double all)
{
    return std::clamp(double(rows) / std::max(all, 1.0), 1e-7, 0.999);
}

} // namespace

TableSample::TableSample(const RelationFacts &relation, qint64 rows)
    : m_relation(relation)
    , m_rows(rows)
    , m_share(sampleShare(rows,
          relation.estimatedRows > 0 ? std::max(relation.estimatedRows, double(relation.bytes) / kWidestSampledRow)
                                     : double(relation.bytes) / kSampledRowBytes))
{
}

QString TableSample::sql() const
{
    return u" TABLESAMPLE SYSTEM ("_s + QString::number(m_share * 100, 'g', 8) + u") REPEATABLE (1)"_s;
}

/// There are more rows than was thought; false where the size tells nothing new.
bool TableSample::shrink()
{
    const double before = m_share;
    m_share = std::min(m_share, sampleShare(m_rows, double(m_relation.bytes) / kSampledRowBytes));
    return m_share < before;
}

Result<void> TableSample::read(
    Session &session, AroundReader &around, const std::optional<Timestamp> &now, const Read &read)
{
    TRY(const auto blocks, blocksOf(session, around.whole()));
    if (blocks < 0) {
        return makeError(ErrorKind::Refused, Tr::tr("There are more rows than are counted here."),
            Tr::tr("A view has no sample to estimate from."));
    }
    for (int times = 0; times < kTimesSampled; ++times) {
        const auto met = read(sql());
        if (met && *met <= mostRows()) {
            return {};
        }
        if (met && !shrink()) {
            return makeError(ErrorKind::Refused, Tr::tr("The table is larger than the server's statistics say."),
                Tr::tr("A sample by them would read too much of it."), Tr::tr("ANALYZE the table."));
        }
        if (!met && !isRowsFault(met.error())) {
            return met.error();
        }
        if (!met) {
            TRY(learn(session, around, now));
        }
    }
    return makeError(ErrorKind::Refused, Tr::tr("Rows of the table could not be read."));
}

/// Which rows of the sample cannot be read; no expression is asked to find the sample.
Result<void> TableSample::learn(Session &session, AroundReader &around, const std::optional<Timestamp> &now) const
{
    Render render(around.whole());
    const Statement statement = render.finish(
        u"SELECT t.tableoid, t.ctid"_s + render.from() + sql() + u" LIMIT "_s + QString::number(mostRows()), now);
    RowPlaces places;
    TRY(session.each(statement, [&places](const Row &row) {
        places[row.text(0).toUInt()] += row.text(1);
        return true;
    }));
    return around.learnAmong(places);
}

} // namespace idemdesk::sql
