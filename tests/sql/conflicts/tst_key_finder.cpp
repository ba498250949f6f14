// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fingerprint/fingerprint_text.h"
#include "sql/conflicts/key_finder.h"
#include "tests/sql/keys/keys_fixture.h"

#include <QCryptographicHash>
#include <QRegularExpression>

using namespace idemdesk;
using namespace Qt::StringLiterals;

namespace {

std::optional<sql::HashText> hashOf(const QString &text)
{
    const auto reading = models::readFingerprint(text);
    return reading ? std::optional(sql::HashText { reading->bytes, reading->named }) : std::nullopt;
}

QByteArray sha256(const QByteArray &text)
{
    return QCryptographicHash::hash(text, QCryptographicHash::Sha256);
}

sql::ConflictRecord withHash(const QString &keyHash, const QString &scope = {})
{
    sql::ConflictRecord record;
    record.keyHash = keyHash;
    record.scope = scope;
    return record;
}

sql::ConflictRecord withFingerprint(const QString &existing, const QString &scope = {})
{
    sql::ConflictRecord record;
    record.existingHash = existing;
    record.scope = scope;
    record.detail = u"existing_hash="_s + existing;
    return record;
}

} // namespace

/// Keys of imported conflicts that name none, looked up in tables of a real server.
class KeyFinderTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<tests::KeysFixture> m_fixture;
    sql::Target m_requests;
    sql::Target m_others;

    static QByteArray profile(
        const QString &name, const QString &table, const QString &roles = u"\"fingerprint\": \"t.hash\""_s)
    {
        return u"{\"idemdesk_profile\": 1, \"name\": \"%1\", \"title\": \"Keys\", \"kind\": \"request\", \"relation\": "
               u"\"%2\", \"identity\": [\"tenant\", \"key\"], "
               "\"scope\": [{\"label\": \"tenant\", \"sql\": \"t.tenant\"}], \"key\": \"t.key\", \"guard\": [], \"roles\": {%3}, \"states\": {\"*\": \"succeeded\"}}"_s
                   .arg(name, table, roles)
                   .toUtf8();
    }

    sql::KeysFound find(QList<sql::ConflictRecord> &records, const QList<sql::Target> &targets)
    {
        return sql::findKeys(m_fixture->session(), targets, records, hashOf);
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<tests::KeysFixture>();
        m_fixture->psql(
            u"CREATE SCHEMA finder;"
            "CREATE TABLE finder.request (tenant text NOT NULL, key text NOT NULL, hash text, PRIMARY KEY (tenant, "
            "key));"
            "CREATE TABLE finder.other (tenant text NOT NULL, key text NOT NULL, hash text, PRIMARY KEY (tenant, key));"
            "INSERT INTO finder.request SELECT 't' || g % 3, 'key-' || g, encode(sha256(('body ' || g)::bytea), 'hex') "
            "FROM generate_series(1, 2000) g;"
            "INSERT INTO finder.request VALUES ('t1', 'twin-a', 'twins'), ('t2', 'twin-b', 'twins'), ('t1', 'both', "
            "'both'), ('t9', 'Größe''s', 'odd'), ('t9', 'no hash', NULL);"
            "INSERT INTO finder.other VALUES ('t1', 'elsewhere', 'both'), ('t1', 'only there', 'other')"_s);
        m_requests = m_fixture->bind(profile(u"requests"_s, u"finder.request"_s));
        m_others = m_fixture->bind(profile(u"others"_s, u"finder.other"_s));
    }
    void cleanupTestCase() { m_fixture.reset(); }

    void keysByTheirHashes_data()
    {
        QTest::addColumn<QString>("hash");
        QTest::addColumn<QString>("key");
        QTest::newRow("sha256 in hex") << QString::fromLatin1(sha256("key-17").toHex()) << u"key-17"_s;
        QTest::newRow("with a prefix") << u"sha256:"_s + QString::fromLatin1(sha256("key-17").toHex()) << u"key-17"_s;
        QTest::newRow("in base64") << QString::fromLatin1(sha256("key-18").toBase64()) << u"key-18"_s;
        QTest::newRow("cut to 16 digits") << QString::fromLatin1(sha256("key-19").toHex().first(16)) << u"key-19"_s;
        QTest::newRow("with the scope") << QString::fromLatin1(sha256("t2:key-20").toHex()) << u"key-20"_s;
        QTest::newRow("not ASCII") << QString::fromLatin1(sha256("Größe's").toHex()) << u"Größe's"_s;
        QTest::newRow("md5") << QString::fromLatin1(QCryptographicHash::hash("key-21", QCryptographicHash::Md5).toHex())
                             << u"key-21"_s;
        QTest::newRow("sha512") << QString::fromLatin1(
            QCryptographicHash::hash("key-22", QCryptographicHash::Sha512).toHex())
                                << u"key-22"_s;
        QTest::newRow("of no key here") << QString::fromLatin1(sha256("key-2001").toHex()) << QString();
        QTest::newRow("no hash") << u"'; DROP TABLE finder.request; --"_s << QString();
        QTest::newRow("named as another algorithm")
            << u"md5:"_s + QString::fromLatin1(sha256("key-17").toHex().first(32)) << QString();
    }
    void keysByTheirHashes()
    {
        QFETCH(QString, hash);
        QFETCH(QString, key);
        QList<sql::ConflictRecord> records { withHash(hash) };
        const auto found = find(records, { m_requests, m_others });
        QCOMPARE(found.notSearched, QStringList());
        QCOMPARE(found.found, key.isEmpty() ? 0 : 1);
        QCOMPARE(records.first().key.value_or(QString()), key);
        QCOMPARE(records.first().target, key.isEmpty() ? QString() : u"requests"_s);
    }

    /// The server itself makes no SHA-1.
    void sha1NeedsPgcrypto()
    {
        const QString hash = QString::fromLatin1(QCryptographicHash::hash("key-23", QCryptographicHash::Sha1).toHex());
        QList<sql::ConflictRecord> records { withHash(hash) };
        QCOMPARE(find(records, { m_requests }).found, 0);
        m_fixture->psql(u"CREATE SCHEMA \"odd %1\"; CREATE EXTENSION pgcrypto SCHEMA \"odd %1\""_s);
        const auto found = find(records, { m_requests });
        QCOMPARE(found.notSearched, QStringList());
        QCOMPARE(records.first().key.value_or(QString()), u"key-23"_s);
    }

    void keysByTheirFingerprints()
    {
        const QString fingerprint = QString::fromLatin1(sha256("body 40").toHex());
        QList<sql::ConflictRecord> records { withFingerprint(fingerprint), withFingerprint(fingerprint.toUpper()),
            withFingerprint(u"\\x"_s + fingerprint), withFingerprint(u"odd"_s), withFingerprint(u"other"_s),
            withFingerprint(u"nobody's"_s), withFingerprint(fingerprint, u"t2"_s), withFingerprint({}) };
        records[3].key = u"named"_s; // what the log names stays
        const auto found = find(records, { m_requests, m_others });
        QCOMPARE(found.notSearched, QStringList());
        QStringList keys;
        for (const sql::ConflictRecord &record : records) {
            keys += QStringList { record.target, record.scope, record.key.value_or(u"?"_s) }.join(u'|');
        }
        QCOMPARE(keys,
            (QStringList { u"requests|t1|key-40"_s, u"requests|t1|key-40"_s, u"requests|t1|key-40"_s, u"||named"_s,
                u"others|t1|only there"_s, u"||?"_s, u"|t2|?"_s, u"||?"_s }));
        QCOMPARE(found.found, 4);
        QVERIFY(records.first().detail.startsWith(u"existing_hash="_s + fingerprint + u'\n'));
    }

    /// A column of another type has the fingerprint in another form than the log.
    void fingerprintsOfOtherTypes()
    {
        m_fixture->psql(
            u"CREATE TABLE finder.raw (tenant text NOT NULL, key text NOT NULL, hash bytea, PRIMARY KEY (tenant, key));"
            "CREATE TABLE finder.short (tenant text NOT NULL, key text NOT NULL, hash uuid, PRIMARY KEY (tenant, key));"
            "INSERT INTO finder.raw VALUES ('t', 'raw', sha256('x')); INSERT INTO finder.short VALUES ('t', 'short', md5('x')::uuid)"_s);
        const QList<sql::Target> targets { m_fixture->bind(profile(u"raw"_s, u"finder.raw"_s)),
            m_fixture->bind(profile(u"short"_s, u"finder.short"_s)) };
        const QByteArray md5 = QCryptographicHash::hash("x", QCryptographicHash::Md5);
        QList<sql::ConflictRecord> records { withFingerprint(QString::fromLatin1(sha256("x").toHex())),
            withFingerprint(QString::fromLatin1(sha256("x").toBase64())),
            withFingerprint(QString::fromLatin1(md5.toHex())), withFingerprint(u"neither"_s) };
        const auto found = find(records, targets);
        QCOMPARE(found.notSearched, QStringList());
        QCOMPARE(records.at(0).key.value_or(QString()), u"raw"_s);
        QCOMPARE(records.at(1).key.value_or(QString()), u"raw"_s);
        QCOMPARE(records.at(2).key.value_or(QString()), u"short"_s);
        QVERIFY(!records.at(3).key);
    }

    void whatIsNotCertainStaysUnknown()
    {
        QList<sql::ConflictRecord> records { withFingerprint(u"twins"_s), withFingerprint(u"both"_s),
            withFingerprint(u"twins"_s, u"t2"_s) };
        const auto found = find(records, { m_requests, m_others });
        QVERIFY(!records.at(0).key); // two keys of one table
        QVERIFY2(records.at(0).detail.contains(u"Several keys have the stored fingerprint"),
            qPrintable(records.at(0).detail));
        QVERIFY(!records.at(1).key); // one key each of two tables
        QVERIFY(records.at(1).detail.contains(u"Several keys have the stored fingerprint"));
        QCOMPARE(records.at(2).key.value_or(QString()), u"twin-b"_s); // the log's scope decides
        QCOMPARE(found.found, 1);
        // The same table under two profiles is one place.
        QList<sql::ConflictRecord> again { withFingerprint(u"odd"_s) };
        QCOMPARE(find(again, { m_requests, m_fixture->bind(profile(u"more"_s, u"finder.request"_s)) }).found, 1);
    }

    /// A service's line names a key, and neither its table nor, maybe, its scope.
    void aKeyIsPlacedWhereItCanBeOfOneRowAlone()
    {
        m_fixture->psql(u"INSERT INTO finder.request VALUES ('t1', 'shared', 'a'), ('t1', 'two scopes', 'b'), ('t2', "
                        u"'two scopes', 'c'); "
                        "INSERT INTO finder.other VALUES ('t1', 'shared', 'd')"_s);
        const auto named = [](const QString &key, const QString &scope = {}, const QString &kind = u"application"_s) {
            sql::ConflictRecord record;
            record.kind = kind;
            record.key = key;
            record.scope = scope;
            return record;
        };
        QList<sql::ConflictRecord> records { named(u"key-17"_s), named(u"shared"_s), named(u"two scopes"_s),
            named(u"two scopes"_s, u"t2"_s), named(u"nowhere"_s), named(u"key-18"_s, {}, u"unique_violation"_s),
            named(u"key-18"_s, {}, u"replay"_s), named(u"two scopes"_s, u"t2"_s, u"refused"_s) };
        const auto found = find(records, { m_requests, m_others });
        QCOMPARE(found.notSearched, QStringList());
        QCOMPARE(found.found, 0); // each was named
        QStringList places;
        for (const sql::ConflictRecord &record : std::as_const(records)) {
            places += record.target + u'|' + record.scope;
        }
        QCOMPARE(places,
            (QStringList { u"requests|t2"_s, u"|"_s, u"|"_s, u"requests|t2"_s, u"|"_s, u"|"_s, u"requests|t0"_s,
                u"requests|t2"_s }));
        for (const int several : { 1, 2 }) {
            QVERIFY2(records.at(several).detail.contains(u"which of them was meant cannot be told"),
                qPrintable(records.at(several).detail));
        }
    }

    void whatWasNotSearchedMayHaveItAsWell()
    {
        sql::Target hidden = m_others;
        hidden.relation.rowSecurity = true;
        sql::ConflictRecord placeless;
        placeless.kind = u"application"_s;
        placeless.key = u"key-17"_s;
        const QList<sql::ConflictRecord> asked { withHash(QString::fromLatin1(sha256("key-17").toHex())),
            withFingerprint(u"odd"_s), placeless };
        for (const bool all : { true, false }) {
            QList<sql::ConflictRecord> records = asked;
            const auto found
                = sql::findKeys(m_fixture->session(), { m_requests, all ? hidden : m_others }, records, hashOf, all);
            QCOMPARE(found.notSearched.size(), all ? 1 : 0);
            for (const sql::ConflictRecord &record : std::as_const(records)) {
                QVERIFY2(
                    record.target.isEmpty() && record.detail.contains(u"cannot be told"), qPrintable(record.detail));
            }
            QVERIFY(!records.at(0).key && !records.at(1).key);
        }
    }

    void aTableThatCannotBeReadIsSaid()
    {
        m_fixture->psql(
            u"CREATE ROLE looker LOGIN; GRANT USAGE ON SCHEMA finder TO looker; GRANT SELECT ON finder.request TO looker"_s);
        const auto looker = m_fixture->open(m_fixture->cluster().conninfoAs(u"looker"_s));
        QList<sql::ConflictRecord> records { withFingerprint(u"odd"_s), withFingerprint(u"odd"_s) };
        records[1].target = u"requests"_s;
        const auto found = sql::findKeys(*looker, { m_requests, m_others }, records, hashOf);
        QCOMPARE(found.notSearched.size(), 1);
        QVERIFY2(found.notSearched.first().contains(u"“others”"), qPrintable(found.notSearched.first()));
        QVERIFY(!records.at(0).key); // it might be in there
        QCOMPARE(records.at(1).key.value_or(QString()), u"Größe's"_s);
        QCOMPARE(looker->all({ u"SELECT 1"_s, {} }).ok(), true); // the session goes on
    }

    void withoutAFingerprintNothingIsAsked()
    {
        const auto bare = m_fixture->bind(profile(u"bare"_s, u"finder.request"_s, {}));
        const QString last = u"SELECT query, query_start FROM pg_stat_activity WHERE pid = %1"_s.arg(
            m_fixture->session().facts().backendPid);
        const QString before = m_fixture->psql(last);
        QList<sql::ConflictRecord> records { withFingerprint(u"odd"_s) };
        const auto found = find(records, { bare });
        QCOMPARE(found.found, 0);
        QCOMPARE(found.notSearched, QStringList());
        QVERIFY(!records.first().key);
        QCOMPARE(m_fixture->psql(last), before);
    }
};

QTEST_GUILESS_MAIN(KeyFinderTest)
#include "tst_key_finder.moc"
