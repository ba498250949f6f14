// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/regions/bucket_sums.h"

#include <limits>

namespace idemdesk::sql {

namespace {

constexpr int kHalfBits = 32;

/// The lower 64 bits of a decimal number.
quint64 lowerBits(const QByteArray &text)
{
    quint64 value = 0;
    for (const char c : text) {
        if (c >= '0' && c <= '9') {
            value = value * 10 + quint64(c - '0');
        }
    }
    return text.startsWith('-') ? 0 - value : value;
}

} // namespace

int bucketOfKey(qint64 number, int buckets)
{
    return int(number & (buckets - 1));
}

quint64 sumDifference(const BucketSum &one, const BucketSum &other)
{
    return lowerBits(one.sum) - lowerBits(other.sum);
}

QList<qint64> loneKeys(const BucketSum &one, const BucketSum &other, int bucket, int buckets)
{
    if (qAbs(one.rows - other.rows) > 1) {
        return {};
    }
    // Rows that are alike on both sides leave nothing in the differences. Of one that is not remain a - b in the first
    // and (a' - b') * key in the second, where a' and b' are the upper halves of a and b, or 0 where a side has none.
    const auto weighted = qint64(lowerBits(one.weighted) - lowerBits(other.weighted));
    const auto upper = qint64(sumDifference(one, other) >> kHalfBits);
    QList<qint64> numbers;
    // The lower halves may have borrowed one, and the sign is beyond the 64 bits.
    for (const qint64 halves :
        { upper, upper + 1, upper - (qint64(1) << kHalfBits), upper + 1 - (qint64(1) << kHalfBits) }) {
        const bool overflows = halves == -1 && weighted == std::numeric_limits<qint64>::min();
        if (halves == 0 || overflows || weighted % halves != 0) {
            continue;
        }
        const qint64 number = weighted / halves;
        const bool half = number >= std::numeric_limits<qint32>::min() && number <= std::numeric_limits<qint32>::max();
        if (half && bucketOfKey(number, buckets) == bucket && !numbers.contains(number)) {
            numbers.append(number);
        }
    }
    return numbers;
}

} // namespace idemdesk::sql
