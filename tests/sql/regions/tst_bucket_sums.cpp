// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/regions/bucket_sums.h"

#include <QRandomGenerator>
#include <QTest>
#include <limits>
#include <utility>

using namespace idemdesk::sql;

namespace {

struct HashedRow {
    qint32 number = 0; ///< of its key
    qint64 hash = 0;
};

/// As a server makes it of few rows: whole numbers, which here stay below 128 bits.
BucketSum summed(const QList<HashedRow> &rows)
{
    __extension__ typedef __int128 Wide;
    Wide sum = 0;
    Wide weighted = 0;
    for (const HashedRow &row : rows) {
        sum += row.hash;
        weighted += Wide(row.number) * Wide(row.hash >> 32);
    }
    const auto text = [](Wide value) {
        QByteArray digits;
        for (Wide rest = value < 0 ? -value : value; rest > 0 || digits.isEmpty(); rest /= 10) {
            digits.prepend(char('0' + int(rest % 10)));
        }
        return value < 0 ? '-' + digits : digits;
    };
    return { rows.size(), text(sum), text(weighted) };
}

} // namespace

/// Sums over buckets, as two servers make them: the key that differs is named, and more than one is not taken for one.
class BucketSumsTest final : public QObject
{
    Q_OBJECT

    static constexpr int kBuckets = 4096;
    static constexpr int kTries = 20'000;

    QRandomGenerator m_random { 7 };

    qint64 hash() { return qint64(m_random.generate64()); }
    /// A key of this bucket.
    qint32 number(int bucket) { return qint32((m_random.generate() & ~quint32(kBuckets - 1)) | quint32(bucket)); }
    QList<HashedRow> others(int bucket)
    {
        QList<HashedRow> rows;
        for (int i = 0; i < 20; ++i) {
            rows.append({ number(bucket), hash() });
        }
        return rows;
    }

private slots:
    void theKeyThatChangedIsNamed()
    {
        for (int i = 0; i < kTries; ++i) {
            const int bucket = i % kBuckets;
            QList<HashedRow> one = others(bucket);
            QList<HashedRow> other = one;
            other[3].hash = hash();
            const QList<qint64> keys = loneKeys(summed(one), summed(other), bucket, kBuckets);
            QVERIFY2(keys.contains(one.at(3).number), qPrintable(QString::number(i)));
            QCOMPARE(keys.size(), 1);
        }
    }

    void theKeyThatIsMissingIsNamed()
    {
        for (int i = 0; i < kTries; ++i) {
            const int bucket = i % kBuckets;
            const QList<HashedRow> one = others(bucket);
            QList<HashedRow> other = one;
            const HashedRow gone = other.takeAt(5);
            QVERIFY(loneKeys(summed(one), summed(other), bucket, kBuckets).contains(gone.number));
            QVERIFY(loneKeys(summed(other), summed(one), bucket, kBuckets).contains(gone.number));
        }
    }

    void theEndsOfTheNumbersAreNamed()
    {
        constexpr qint64 kLeast = std::numeric_limits<qint64>::min();
        constexpr qint64 kMost = std::numeric_limits<qint64>::max();
        for (const qint32 key : { std::numeric_limits<qint32>::min(), std::numeric_limits<qint32>::max(), 0, -1, 1 }) {
            for (const auto &[before, after] :
                { std::pair(kLeast, kMost), std::pair(kMost, kLeast + 1), std::pair(qint64(0), qint64(-1)),
                    std::pair(qint64(-1), kMost), std::pair(qint64(1) << 32, qint64(0)) }) {
                const int bucket = bucketOfKey(key, kBuckets);
                const QList<qint64> keys = loneKeys(
                    summed({ { key, before }, { 8, 9 } }), summed({ { key, after }, { 8, 9 } }), bucket, kBuckets);
                // The least number times the widest difference is the one product that has no sign: the bucket is read.
                QVERIFY2(
                    keys.contains(key) || key == std::numeric_limits<qint32>::min(), qPrintable(QString::number(key)));
            }
        }
    }

    void severalAreNotTakenForOne()
    {
        int taken = 0;
        for (int i = 0; i < kTries; ++i) {
            const int bucket = i % kBuckets;
            QList<HashedRow> one = others(bucket);
            one[2].number = one.at(1).number ^ kBuckets; // surely two keys
            QList<HashedRow> other = one;
            other[1].hash = hash();
            other[2].hash = hash();
            taken += loneKeys(summed(one), summed(other), bucket, kBuckets).isEmpty() ? 0 : 1;
            other.removeAt(7);
            other.removeAt(8);
            taken += loneKeys(summed(one), summed(other), bucket, kBuckets).isEmpty() ? 0 : 1;
        }
        QCOMPARE(taken, 0);
    }

    /// What changes places between two rows, and a row that stands twice, differ.
    void nothingCancelsOut()
    {
        const QList<HashedRow> one { { 4, 11 }, { 8, 12 } };
        QVERIFY(!(summed(one) == summed({ { 4, 11 }, { 8, 12 }, { 8, 12 }, { 8, 12 } })));
        const qint64 high = qint64(5) << 32;
        QVERIFY(!(summed({ { 4, high }, { 8, 2 * high } }) == summed({ { 4, 2 * high }, { 8, high } })));
        QVERIFY(summed(one) == summed({ { 8, 12 }, { 4, 11 } }));
    }
};

QTEST_GUILESS_MAIN(BucketSumsTest)

#include "tst_bucket_sums.moc"
