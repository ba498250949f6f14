// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/bucket_search.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;

/// From the sums of two sides to the keys that differ: what the sums name is asked for alone, and believed only where
/// it explains them.
class BucketSearchTest final : public QObject
{
    Q_OBJECT

    static constexpr int kBuckets = 4;
    static constexpr qint64 kHash = (qint64(77) << 32) + 5;

    static sql::HashedKey row(const QString &key, qint64 number, qint64 hash)
    {
        return { {}, sql::Cell::of(key), number, hash };
    }
    static sql::BucketSum summed(const QList<sql::HashedKey> &rows)
    {
        qint64 sum = 0;
        qint64 weighted = 0;
        for (const sql::HashedKey &one : rows) {
            sum += one.hash;
            weighted += one.number * (one.hash >> 32);
        }
        return { rows.size(), QByteArray::number(sum), QByteArray::number(weighted) };
    }
    static sql::SideSums side(const QList<sql::HashedKey> &rows)
    {
        sql::SideSums sums;
        QHash<int, QList<sql::HashedKey>> byBucket;
        for (const sql::HashedKey &one : rows) {
            byBucket[sql::bucketOfKey(one.number, kBuckets)] += one;
        }
        for (auto it = byBucket.cbegin(); it != byBucket.cend(); ++it) {
            sums.buckets.insert(it.key(), summed(*it));
        }
        sums.rows = rows.size();
        return sums;
    }

    const QList<sql::HashedKey> m_rows { row(u"a"_s, 4, 9 * kHash), row(u"b"_s, 8, 7 * kHash),
        row(u"c"_s, 5, 3 * kHash) };

private slots:
    void nothingDiffers() { QVERIFY(models::BucketSearch({ side(m_rows), side(m_rows) }, kBuckets).none()); }

    void oneKeyIsAskedForAlone()
    {
        QList<sql::HashedKey> other = m_rows;
        other[1].hash = 2 * kHash;
        models::BucketSearch search({ side(m_rows), side(other) }, kBuckets);
        QCOMPARE(search.wanted().keys, QList<qint64> { 8 });
        QVERIFY(search.wanted().whole.isEmpty());
        search.take({ QList { m_rows.at(1) }, QList { other.at(1) } }, false);
        QVERIFY(search.wanted().none());
        QCOMPARE(search.differ().size(), 1);
        QCOMPARE(search.differ().first().key.text, u"b"_s);
        QVERIFY(search.all());
    }

    void whatDoesNotExplainTheSumsIsReadWhole()
    {
        QList<sql::HashedKey> other = m_rows;
        other[1].hash = 2 * kHash;
        for (const bool moving : { false, true }) {
            // Nobody has that key: its number came out by chance.
            models::BucketSearch search({ side(m_rows), side(other) }, kBuckets);
            search.take({}, moving);
            QCOMPARE(search.wanted().whole, QList<int> { 0 });
            search.take({ m_rows.mid(0, 2), other.mid(0, 2) }, moving);
            QVERIFY(search.wanted().none());
            QCOMPARE(search.differ().size(), 1);
        }
        // It is there and alike: replication may have brought it, else something else differs.
        models::BucketSearch still({ side(m_rows), side(other) }, kBuckets);
        still.take({ QList { m_rows.at(1) }, QList { m_rows.at(1) } }, false);
        QCOMPARE(still.wanted().whole, QList<int> { 0 });
        models::BucketSearch moved({ side(m_rows), side(other) }, kBuckets);
        moved.take({ QList { m_rows.at(1) }, QList { m_rows.at(1) } }, true);
        QVERIFY(moved.wanted().none());
        QVERIFY(moved.differ().isEmpty());
    }

    void severalKeysOfABucketAreReadWhole()
    {
        QList<sql::HashedKey> other = m_rows;
        other[0].hash = 4 * kHash + 1;
        other[1].hash = 6 * kHash;
        models::BucketSearch search({ side(m_rows), side(other) }, kBuckets);
        QCOMPARE(search.wanted().whole, QList<int> { 0 });
        search.take({ m_rows.mid(0, 2), other.mid(0, 2) }, false);
        QCOMPARE(search.differ().size(), 2);
        QVERIFY(search.all() && search.estimated() == 2);
    }

    void aRowThatStandsTwiceDiffers()
    {
        const QList<sql::HashedKey> other = m_rows + QList { m_rows.at(2) };
        models::BucketSearch search({ side(m_rows), side(other) }, kBuckets);
        QVERIFY(!search.none());
        search.take({ m_rows.mid(2, 1), other.mid(2, 2) }, false);
        QCOMPARE(search.differ().size(), 1);
        QVERIFY(search.wanted().none());
    }

    void rowsWithoutAKeyAreSaid()
    {
        const sql::HashedKey keyless { {}, {}, 0, kHash };
        models::BucketSearch search({ side(m_rows), side(m_rows + QList { keyless }) }, kBuckets);
        search.take({ m_rows.mid(0, 2), m_rows.mid(0, 2) + QList { keyless } }, false);
        QVERIFY(search.keyless() && search.differ().isEmpty());
    }

    void itIsBoundedAndSaysSo()
    {
        sql::SideSums one;
        sql::SideSums other;
        for (int bucket = 0; bucket < kBuckets; ++bucket) {
            one.buckets.insert(bucket, { 400'000, QByteArray::number(bucket), "1" });
            other.buckets.insert(bucket, { 400'002, QByteArray::number(bucket + 9), "2" });
        }
        const models::BucketSearch search({ one, other }, kBuckets);
        QCOMPARE(search.wanted().whole.size(), 1);
        QVERIFY(!search.all());
    }
};

QTEST_GUILESS_MAIN(BucketSearchTest)

#include "tst_bucket_search.moc"
