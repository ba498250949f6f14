// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/bucket_search.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qint64 kMostRows = 500'000; // of one side that are read whole-keyed at once: some 100 MB at worst
constexpr qsizetype kMostBuckets = 20'000; // that differ and are looked at

/// Buckets whose sums differ, in their order.
QList<int> differing(const std::array<sql::SideSums, 2> &sums)
{
    QList<int> numbers;
    for (auto it = sums[0].buckets.cbegin(); it != sums[0].buckets.cend(); ++it) {
        if (!(sums[1].buckets.value(it.key()) == *it)) {
            numbers += it.key();
        }
    }
    for (auto it = sums[1].buckets.cbegin(); it != sums[1].buckets.cend(); ++it) {
        if (!sums[0].buckets.contains(it.key())) {
            numbers += it.key();
        }
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

/// The rows of either side that the other one has no like of.
QList<sql::HashedKey> unmatched(const BucketSearch::Rows &rows)
{
    QHash<qint64, int> others;
    for (const sql::HashedKey &row : rows[1]) {
        ++others[row.hash];
    }
    QList<sql::HashedKey> alone;
    for (const sql::HashedKey &row : rows[0]) {
        const auto other = others.find(row.hash);
        if (other == others.end() || *other == 0) {
            alone += row;
        } else {
            --*other;
        }
    }
    for (const sql::HashedKey &row : rows[1]) {
        if (int &left = others[row.hash]; left > 0) {
            --left;
            alone += row;
        }
    }
    return alone;
}

} // namespace

QString intentText(const sql::Cells &scope, const sql::Cell &key)
{
    QString text;
    for (const sql::Cell &part : scope + sql::Cells { key }) {
        text += part.null ? u"-"_s : QString::number(part.text.size()) + u':' + part.text;
    }
    return text;
}

BucketSearch::BucketSearch(const std::array<sql::SideSums, 2> &sums, int buckets)
    : m_buckets(buckets)
{
    QList<int> whole;
    for (const int number : differing(sums)) {
        m_none = false;
        const sql::BucketSum one = sums[0].buckets.value(number);
        const sql::BucketSum other = sums[1].buckets.value(number);
        m_rows[0].insert(number, one.rows);
        m_rows[1].insert(number, other.rows);
        const QList<qint64> keys = sql::loneKeys(one, other, number, buckets);
        if (keys.isEmpty()) {
            whole += number;
        } else if (m_lone.size() < kMostBuckets) {
            m_lone.insert(number, { sql::sumDifference(one, other), one.rows - other.rows, false });
            m_wanted.keys += keys;
        } else {
            m_all = false;
            ++m_passedOver;
        }
    }
    pick(whole);
}

/// As many of them as are read at once; the first one always.
void BucketSearch::pick(const QList<int> &whole)
{
    m_wanted.whole.clear();
    std::array<qint64, 2> rows {};
    for (const int number : whole) {
        for (std::size_t side = 0; side < rows.size(); ++side) {
            rows.at(side) += m_rows.at(side).value(number);
        }
        if (!m_wanted.whole.isEmpty()
            && (m_wanted.whole.size() >= kMostBuckets || std::max(rows[0], rows[1]) > kMostRows)) {
            m_all = false;
            m_share = double(whole.size()) / double(m_wanted.whole.size());
            return;
        }
        m_wanted.whole += number;
    }
}

void BucketSearch::take(const Rows &rows, bool moving)
{
    for (const sql::HashedKey &row : unmatched(rows)) {
        if (row.key.null) {
            m_keyless = true;
        } else {
            m_differ.insert(intentText(row.scope, row.key), row);
        }
    }
    m_readWhole.unite({ m_wanted.whole.cbegin(), m_wanted.whole.cend() });
    const QList<int> again = unexplained(rows, moving);
    m_lone.clear();
    m_wanted.keys.clear();
    pick(again);
}

/// Buckets in which more differs than the key that was asked for. What arrived meanwhile explains nothing any more,
/// but that the key is there at all says that its number was right: one that came out by chance is no key's 999 of
/// 1,000 times.
QList<int> BucketSearch::unexplained(const Rows &rows, bool moving)
{
    for (std::size_t side = 0; side < rows.size(); ++side) {
        for (const sql::HashedKey &row : rows.at(side)) {
            const auto lone = m_lone.find(sql::bucketOfKey(row.number, m_buckets));
            if (lone == m_lone.end()) {
                continue;
            }
            lone->seen = true;
            lone->sum -= side == 0 ? quint64(row.hash) : 0 - quint64(row.hash);
            lone->rows -= side == 0 ? 1 : -1;
        }
    }
    QList<int> numbers;
    for (auto it = m_lone.cbegin(); it != m_lone.cend(); ++it) {
        const bool whole = it->sum == 0 && it->rows == 0;
        if (!it->seen || (!whole && !moving)) {
            numbers += it.key();
        }
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

qint64 BucketSearch::estimated() const
{
    const auto ofWhole = std::count_if(m_differ.cbegin(), m_differ.cend(),
        [this](const sql::HashedKey &row) { return m_readWhole.contains(sql::bucketOfKey(row.number, m_buckets)); });
    return m_differ.size() + m_passedOver + qint64((m_share - 1) * double(ofWhole));
}

} // namespace idemdesk::models
