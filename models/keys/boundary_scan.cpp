// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/boundary_scan.h"

#include "models/async.h"
#include "models/keys/page_cache.h"

#include <algorithm>
#include <utility>

namespace idemdesk::models {

namespace {

/// Lists shorter than this are reached by skipping well enough.
constexpr qint64 kBoundariesFrom = 50'000;
constexpr qint64 kMaxBoundaries = 5'000;

} // namespace

BoundaryScan::BoundaryScan(QObject *parent)
    : QObject(parent)
{
}

void BoundaryScan::setAsk(Ask ask)
{
    m_ask = std::move(ask);
}

void BoundaryScan::start(
    const sql::Filter &filter, const sql::OrderLabel &order, qint64 rows, const std::optional<sql::Timestamp> &now)
{
    if (!m_ask || m_tried || rows < kBoundariesFrom) {
        return;
    }
    m_tried = m_running = true;
    const qint64 pages = std::max<qint64>(10, rows / kMaxBoundaries / PageCache::kSize + 1);
    whenDone(m_ask(filter, order, pages * PageCache::kSize, now), this,
        [this, generation = m_generation](const sql::Result<sql::Boundaries> &result) {
            if (generation == m_generation) {
                m_running = false;
                emit ended(result.ok() ? *result : sql::Boundaries());
            }
        });
}

void BoundaryScan::stopWaiting()
{
    m_running = false;
}

void BoundaryScan::reset()
{
    ++m_generation;
    m_running = m_tried = false;
}

qint64 rowAtTime(const sql::Boundaries &known, const sql::Timestamp &time, qint64 rows)
{
    QList<std::pair<qint64, sql::Timestamp>> places;
    for (qint64 i = 0; i < known.cursors.size(); ++i) {
        const sql::Cell &value = known.cursors.at(i).orderValue;
        if (const auto at = value.null ? std::nullopt : sql::Timestamp::parse(value.text)) {
            places.append({ (i + 1) * known.step, *at });
        }
    }
    qint64 row = rows / 2;
    if (!places.isEmpty()) {
        const bool descending = places.constLast().second < places.constFirst().second;
        row = 0;
        for (const auto &[place, at] : places) {
            if (descending ? at >= time : at <= time) {
                row = place;
            }
        }
    }
    return row - row % PageCache::kSize;
}

} // namespace idemdesk::models

#include "moc_boundary_scan.cpp"
