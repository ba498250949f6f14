// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/cache/cache_address.h"
#include "sql/cache/cache_judge.h"
#include "sql/types/cache_key.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;

Q_DECLARE_METATYPE(idemdesk::sql::CachedPair)

namespace {

Profile tenantProfile()
{
    Profile profile;
    profile.scope = { { u"tenant"_s, {} } };
    profile.scope[0].value.column = u"tenant_id"_s;
    profile.key.column = u"idempotency_key"_s;
    return profile;
}

QStringList texts(const std::optional<QList<CachedKey>> &keys)
{
    QStringList all;
    for (const CachedKey &key : keys.value_or(QList<CachedKey>())) {
        all += key.scope.join(u'|') + u'|' + key.key;
    }
    return all;
}

KeyRecord row(KeyState state, qint64 createdSeconds)
{
    KeyRecord record;
    record.state = state;
    record.scope = { Cell::of(u"acme"_s) };
    record.key = Cell::of(u"k"_s);
    Timestamp at;
    at.micros = createdSeconds * kMicros;
    record.roles.insert(Role::CreatedAt, Cell::of(at.toRfc3339().replace(u'T', u' ').replace(u'Z', u"+00"_s)));
    return record;
}

CacheEntry text(const QString &value, std::optional<qint64> ttlMs)
{
    CacheEntry entry;
    entry.name = "idempotency:acme:k";
    entry.kind = CacheEntry::Kind::Text;
    entry.value = value;
    entry.read = true;
    entry.bytes = value.size();
    entry.ttlMs = ttlMs;
    return entry;
}

} // namespace

/// The names of entries both ways, addresses, and what is amiss with one entry: without any server.
class CacheKeyTest final : public QObject
{
    Q_OBJECT

private slots:
    void aNameLeadsBackToItsRow_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QByteArray>("entry");
        QTest::addColumn<QStringList>("rows");
        const QString seed = u"idempotency:{tenant}:{key}"_s;
        QTest::newRow("plain") << seed << QByteArray("idempotency:acme:k1") << QStringList { u"acme|k1"_s };
        QTest::newRow("the separator in a value")
            << seed << QByteArray("idempotency:a:b:c") << QStringList { u"a|b:c"_s, u"a:b|c"_s };
        QTest::newRow("empty values") << seed << QByteArray("idempotency::") << QStringList { u"|"_s };
        QTest::newRow("another name") << seed << QByteArray("session:acme:k1") << QStringList {};
        QTest::newRow("a name that ends too soon") << seed << QByteArray("idempotency:acme") << QStringList {};
        QTest::newRow("by columns") << u"{tenant_id}/{idempotency_key}"_s << QByteArray("t/k")
                                    << QStringList { u"t|k"_s };
        QTest::newRow("braces") << u"{{{tenant}}}:{key}:v1"_s << QByteArray("{t}:k:v1") << QStringList { u"t|k"_s };
        QTest::newRow("the end is missing") << u"{tenant}:{key}:v1"_s << QByteArray("t:k:v2") << QStringList {};
        QTest::newRow("not latin") << seed << QByteArray("idempotency:ä:ключ") << QStringList { u"ä|ключ"_s };
    }
    void aNameLeadsBackToItsRow()
    {
        QFETCH(QString, form);
        QFETCH(QByteArray, entry);
        QFETCH(QStringList, rows);
        const auto read = CacheKeyForm::read(form, tenantProfile());
        QVERIFY(read);
        QCOMPARE(texts(read->rowsOf(entry)), rows);
        for (const CachedKey &key : read->rowsOf(entry).value_or(QList<CachedKey>())) {
            QCOMPARE(read->entryOf({ Cell::of(key.scope.constFirst()) }, Cell::of(key.key)), std::optional(entry));
        }
    }

    void whatCannotBeReadIsNoAnswer()
    {
        const auto form = CacheKeyForm::read(u"{tenant}:{key}"_s, tenantProfile());
        QVERIFY(!form->rowsOf("t:\xff\xfe"));
        QVERIFY(!form->rowsOf(QByteArray(4'000, ':'))); // thousands of ways
        QVERIFY(!form->entryOf({ Cell() }, Cell::of(u"k"_s)));
        QVERIFY(!form->entryOf({ Cell::of(u"t"_s) }, Cell()));
    }

    void aPatternEscapesWhatRedisReads()
    {
        const auto form = CacheKeyForm::read(u"a*[b]?\\{tenant}:{key}"_s, tenantProfile());
        QCOMPARE(form->pattern(), QByteArray("a\\*\\[b\\]\\?\\\\*:*"));
    }

    void aFormThatLeadsNowhereIsRefused_data()
    {
        QTest::addColumn<QString>("form");
        for (const char *form : { "idempotency:{key}", "idempotency:{tenant}", "{tenant}{key}", "{tenant}:{key}:{key}",
                 "{tenant}:{ky}", "{tenant}:{key", "{tenant}:key}", "plain", "" }) {
            QTest::newRow(form) << QString::fromLatin1(form);
        }
    }
    void aFormThatLeadsNowhereIsRefused()
    {
        QFETCH(QString, form);
        QString expected;
        QVERIFY(!CacheKeyForm::read(form, tenantProfile(), &expected));
        QVERIFY(!expected.isEmpty());
    }

    void addressesAreRead_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("text");
        QTest::newRow("plain") << u"redis://cache.example"_s << u"redis://cache.example:6379/0"_s;
        QTest::newRow("all of it") << u"rediss://me@cache.example:6380/2?sslrootcert=/a/ca.crt"_s
                                   << u"rediss://me@cache.example:6380/2"_s;
        QTest::newRow("IPv6") << u"redis://[::1]:7/1"_s << u"redis://[::1]:7/1"_s;
        QTest::newRow("socket") << u"unix:///run/redis/redis.sock?db=3&user=me"_s
                                << u"unix://me@/run/redis/redis.sock?db=3"_s;
        QTest::newRow("another program's") << u"postgresql://a/b"_s << QString();
        QTest::newRow("password") << u"redis://me:topsecret@h"_s << QString();
        QTest::newRow("password behind") << u"redis://h?password=topsecret"_s << QString();
        QTest::newRow("a database that is none") << u"redis://h/x"_s << QString();
        QTest::newRow("no host") << u"redis:///0"_s << QString();
        QTest::newRow("half a certificate") << u"rediss://h?sslcert=topsecret"_s << QString();
        QTest::newRow("certificates without TLS") << u"redis://h?sslrootcert=/topsecret"_s << QString();
        QTest::newRow("a socket elsewhere") << u"unix://h/run/redis.sock"_s << QString();
        QTest::newRow("nothing") << QString() << QString();
    }
    void addressesAreRead()
    {
        QFETCH(QString, url);
        QFETCH(QString, text);
        const auto address = cacheAddress(url);
        QCOMPARE(address.ok(), !text.isEmpty());
        if (address) {
            QCOMPARE(address->text(), text);
        } else {
            QCOMPARE(address.error().kind, ErrorKind::Usage);
            QVERIFY(!address.error().line().contains(u"topsecret"));
        }
    }

    void whatIsAmissIsToldAndNothingElse_data()
    {
        using Kind = CacheFindingKind;
        QTest::addColumn<CachedPair>("pair");
        QTest::addColumn<QList<Kind>>("kinds");
        const auto add
            = [](const char *name, const CacheEntry &entry, const QList<KeyRecord> &rows, const QList<Kind> &kinds) {
                  QTest::newRow(name) << CachedPair { entry, rows } << kinds;
              };
        const KeyRecord now = row(KeyState::InProgress, 1'000); // the judge's clock says 1,000 s
        const KeyRecord old = row(KeyState::InProgress, 900);
        add("fresh", text(u"processing"_s, 300'000), { now }, {});
        add("half its life", text(u"processing"_s, 200'000), { old }, {});
        add("with jitter", text(u"processing"_s, 360'000), { now }, {});
        add("written again", text(u"processing"_s, 300'000), { row(KeyState::InProgress, 10) }, {});
        add("pending and under way are alike", text(u"processing"_s, 300'000), { row(KeyState::Pending, 1'000) }, {});
        add("finished", text(u"done"_s, 300'000), { row(KeyState::Succeeded, 1'000) }, {});
        add("of an unknown row", text(u"done"_s, 300'000), { row(KeyState::Unknown, 1'000) }, {});
        add("finished, not cached", {}, { row(KeyState::Succeeded, 1'000) }, {});
        add("in progress, not cached", {}, { now }, { Kind::NotCached });
        add("no row", text(u"processing"_s, 300'000), {}, { Kind::WithoutRow });
        add("behind", text(u"processing"_s, 300'000), { row(KeyState::Succeeded, 1'000) }, { Kind::Behind });
        add("behind a failure", text(u"processing"_s, 300'000), { row(KeyState::FailedRetryable, 1'000) },
            { Kind::Behind });
        add("ahead", text(u"done"_s, 300'000), { now }, { Kind::Ahead });
        add("another end", text(u"done"_s, 300'000), { row(KeyState::FailedFinal, 1'000) }, { Kind::Ahead });
        add("unknown value", text(u"eh"_s, 300'000), { now }, { Kind::UnknownValue });
        add("for ever", text(u"processing"_s, {}), { now }, { Kind::NeverExpires });
        add("too long", text(u"processing"_s, 416'000), { now }, { Kind::TtlLong });
        add("too short", text(u"processing"_s, 100'000), { old }, { Kind::TtlShort });
        add("just long enough", text(u"processing"_s, 155'000), { old }, {});
        add("an endless time", text(u"processing"_s, std::numeric_limits<qint64>::max()), { now }, { Kind::TtlLong });
        CacheEntry list = text({}, 300'000);
        list.kind = CacheEntry::Kind::Other;
        add("a list", list, { now }, { Kind::WrongType });
        KeyRecord other = now;
        other.key = Cell::of(u"other"_s);
        add("two keys", text(u"processing"_s, 300'000), { now, other }, { Kind::SeveralRows });
        add("one key in two rows, one of them so", text(u"done"_s, 300'000),
            { row(KeyState::Succeeded, 1'000), row(KeyState::FailedFinal, 1'000) }, {});
    }
    void whatIsAmissIsToldAndNothingElse()
    {
        QFETCH(CachedPair, pair);
        QFETCH(QList<CacheFindingKind>, kinds);
        CacheSpec spec;
        spec.ttl = u"300s"_s;
        spec.jitter = u"20"_s;
        spec.values = { { u"processing"_s, KeyState::InProgress }, { u"done"_s, KeyState::Succeeded } };
        Timestamp now;
        now.micros = 1'000 * kMicros;
        QCOMPARE(CacheJudge(spec, now, 0, false).judge(pair), kinds);
        QCOMPARE(CacheJudge(spec, now, 0, false).shortLived(pair), kinds.contains(CacheFindingKind::TtlShort));
        QList<CacheFindingKind> seen = kinds; // where rows are hidden, "no row" is not known
        seen.removeAll(CacheFindingKind::WithoutRow);
        QCOMPARE(CacheJudge(spec, now, 0, true).judge(pair), seen);
    }

    /// A recovery changes the row long after its claim was written.
    void aChangeOfTheRowTellsNoShortLife()
    {
        KeyRecord changed = row(KeyState::FailedRetryable, 900);
        changed.roles.insert(Role::UpdatedAt, changed.roles.take(Role::CreatedAt));
        CacheSpec spec;
        spec.ttl = u"300s"_s;
        Timestamp now;
        now.micros = 1'000 * kMicros;
        QVERIFY(!CacheJudge(spec, now, 0, false).shortLived({ text(u"processing"_s, 100'000), { changed } }));
    }

    void aCrowdedMinuteIsMarked()
    {
        CacheSpec spec;
        spec.ttl = u"600s"_s;
        const CacheJudge judge(spec, {}, 0, false);
        QList<CacheEntry> even;
        QList<CacheEntry> crowd;
        for (int i = 0; i < 2'000; ++i) {
            even += text(u"x"_s, i * 300);
            crowd += text(u"x"_s, i < 1'200 ? 130'000 : i * 300);
        }
        const auto isCrowded = [](const CacheMinute &minute) { return minute.crowded; };
        const QList<CacheMinute> spread = judge.minutesOf(even);
        QCOMPARE(spread.size(), 10);
        QVERIFY(std::none_of(spread.cbegin(), spread.cend(), isCrowded));
        const QList<CacheMinute> minutes = judge.minutesOf(crowd);
        QCOMPARE(std::count_if(minutes.cbegin(), minutes.cend(), isCrowded), 1);
        const auto full = std::find_if(minutes.cbegin(), minutes.cend(), isCrowded);
        QCOMPARE(full->from.micros, 120 * kMicros);
        QVERIFY(full->entries >= 1'200);
        QVERIFY(judge.minutesOf({ text(u"x"_s, {}) }).isEmpty());
    }
};

QTEST_GUILESS_MAIN(CacheKeyTest)
#include "tst_cache_key.moc"
