// SPDX-License-Identifier: GPL-3.0-or-later
// A password goes to the right server only: what somebody gets who took the server's place.
#include "sql/session/session.h"
#include "tests/support/password_thief.h"
#include "tests/support/test_certificates.h"
#include "tests/support/test_cluster.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <libpq-fe.h>

using namespace idemdesk::sql;
using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

namespace {

const QByteArray kSecret("canary-of-the-attacks");

Result<std::unique_ptr<Session>> tryOpen(
    const QString &conninfo, const QString &password, bool unverifiedPassword = false)
{
    ConnectionSettings settings;
    settings.conninfo = conninfo;
    settings.password = password;
    settings.unverifiedPassword = unverifiedPassword;
    Session::Options options;
    options.connectTimeoutMs = 10'000;
    return Session::open(settings, options);
}

bool libpqKnowsRequireAuth()
{
    return PQlibVersion() >= 160'000;
}

} // namespace

class AttacksPasswordsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void thiefGetsNothing_data();
    void thiefGetsNothing();
    void storedElsewhereIsNotSentEither_data();
    void storedElsewhereIsNotSentEither();
    void allowedForOneConnection_data();
    void allowedForOneConnection();
    void aServerNeedsNoPasswordStillOpens();
    void realServer_data();
    void realServer();
    void aSocketIsNoNetwork();

private:
    QString tcp(const QString &more) const
    {
        return u"host=localhost port=%1 dbname=postgres user=asked %2"_s.arg(m_port).arg(more);
    }
    QTemporaryDir m_folder;
    std::unique_ptr<TestCertificates> m_certificates;
    int m_port = 0;
    std::unique_ptr<TestCluster> m_cluster;
};

void AttacksPasswordsTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_certificates = std::make_unique<TestCertificates>(m_folder.path());
    const auto pair = m_certificates->serverFor(u"localhost"_s, 30);
    m_port = freePort();
    m_cluster = std::make_unique<TestCluster>(TestCluster::Tls { m_port, pair.certificate, pair.key }, QStringList());
    m_cluster->psql(u"postgres"_s,
        u"CREATE ROLE asked LOGIN PASSWORD '%1'; CREATE ROLE trusted LOGIN"_s.arg(QString::fromUtf8(kSecret)));
    QFile hba(m_cluster->cluster().dataFolder() + u"/pg_hba.conf"_s);
    QVERIFY(hba.open(QIODevice::ReadWrite));
    const QByteArray rest = hba.readAll();
    hba.seek(0);
    hba.write("local all asked scram-sha-256\nhost all asked 127.0.0.1/32 scram-sha-256\nhost all trusted 127.0.0.1/32 "
              "trust\n"
        + rest);
    hba.close();
    m_cluster->psql(u"postgres"_s, u"SELECT pg_reload_conf()"_s);
    // The reload reaches the postmaster a moment after: from then on none gets in without a password.
    QTRY_VERIFY(!tryOpen(m_cluster->conninfoAs(u"asked"_s), {}).ok());
}

void AttacksPasswordsTest::init()
{
    qputenv("PGPASSFILE", "/nonexistent/pgpass");
    for (const char *name : { "PGPASSWORD", "PGSSLMODE", "PGSERVICEFILE", "PGCHANNELBINDING", "PGREQUIREAUTH" }) {
        qunsetenv(name);
    }
}

void AttacksPasswordsTest::thiefGetsNothing_data()
{
    QTest::addColumn<int>("asks");
    QTest::addColumn<QString>("settings");
    const QList<std::pair<QString, PasswordThief::Asks>> questions { { u"clear text"_s,
                                                                         PasswordThief::Asks::ClearText },
        { u"md5"_s, PasswordThief::Asks::Md5 }, { u"scram"_s, PasswordThief::Asks::Scram } };
    const QString root = m_certificates->authorityFile();
    for (const auto &[name, asks] : questions) {
        for (const QString &settings : { u""_s, u"sslmode=disable"_s, u"sslmode=prefer"_s, u"sslmode=require"_s,
                 u"sslmode=verify-ca sslrootcert=%1"_s.arg(root), u"sslmode=verify-full sslrootcert=%1"_s.arg(root),
                 u"channel_binding=require"_s, u"channel_binding=prefer"_s }) {
            QTest::addRow("%s, %s", qPrintable(name), qPrintable(settings.section(u' ', 0, 0)))
                << int(asks) << settings;
        }
    }
}

void AttacksPasswordsTest::thiefGetsNothing()
{
    QFETCH(int, asks);
    QFETCH(QString, settings);
    const PasswordThief thief { static_cast<PasswordThief::Asks>(asks) };
    const auto opened = tryOpen(
        u"host=127.0.0.1 port=%1 dbname=x user=me %2"_s.arg(thief.port()).arg(settings), QString::fromUtf8(kSecret));
    QVERIFY(!opened.ok());
    QCOMPARE(thief.loot(), QByteArray()); // neither the word nor anything made from it
    QVERIFY(!opened.error().what.isEmpty() && !opened.error().why.isEmpty() && !opened.error().todo.isEmpty());
}

void AttacksPasswordsTest::storedElsewhereIsNotSentEither_data()
{
    QTest::addColumn<QString>("where");
    for (const char *where : { "pgpass", "environment", "service", "service with a password file" }) {
        QTest::newRow(where) << QString::fromUtf8(where);
    }
}

void AttacksPasswordsTest::storedElsewhereIsNotSentEither()
{
    QFETCH(QString, where);
    const PasswordThief thief(PasswordThief::Asks::ClearText);
    QString conninfo = u"host=127.0.0.1 port=%1 dbname=x user=me"_s.arg(thief.port());
    const QString file = m_folder.filePath(u"stored"_s);
    const auto store = [&file](const QByteArray &content) {
        QFile stored(file);
        QVERIFY(stored.open(QIODevice::WriteOnly) && stored.setPermissions(QFile::ReadOwner | QFile::WriteOwner)
            && stored.write(content) > 0);
    };
    if (where == u"environment") {
        qputenv("PGPASSWORD", kSecret);
    } else if (where == u"pgpass") {
        store("*:*:*:*:" + kSecret + '\n');
        qputenv("PGPASSFILE", file.toUtf8());
    } else {
        const QString services = m_folder.filePath(u"services"_s);
        QFile written(services);
        QVERIFY(written.open(QIODevice::WriteOnly));
        QByteArray section
            = "[thief]\nhost=127.0.0.1\ndbname=x\nuser=me\nport=" + QByteArray::number(thief.port()) + '\n';
        if (where == u"service") {
            section += "password=" + kSecret + '\n';
        } else {
            store("*:*:*:*:" + kSecret + '\n');
            section += "passfile=" + file.toUtf8() + '\n';
        }
        QVERIFY(written.write(section) == section.size());
        written.close();
        qputenv("PGSERVICEFILE", services.toUtf8());
        conninfo = u"service=thief"_s;
    }
    const auto opened = tryOpen(conninfo, {});
    QVERIFY(!opened.ok());
    QCOMPARE(thief.asked(), 1); // it was there, and it asked
    QCOMPARE(thief.loot(), QByteArray());
    QVERIFY2(opened.error().todo.contains(u"verify-full"_s), qPrintable(opened.error().line()));
    QVERIFY(!(opened.error().line() + opened.error().detail).contains(QString::fromUtf8(kSecret)));
}

void AttacksPasswordsTest::allowedForOneConnection_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<bool>("clear"); // may go as it is where libpq can refuse that
    QTest::newRow("as it comes") << QString() << false;
    if (libpqKnowsRequireAuth()) {
        QTest::newRow("clear text named") << u"require_auth=password"_s << true;
    }
}

/// What the person allowed holds; a newer libpq keeps even then from sending it in clear, unless that is asked for by
/// name.
void AttacksPasswordsTest::allowedForOneConnection()
{
    QFETCH(QString, settings);
    QFETCH(bool, clear);
    const PasswordThief thief(PasswordThief::Asks::ClearText);
    const auto opened = tryOpen(u"host=127.0.0.1 port=%1 dbname=x user=me %2"_s.arg(thief.port()).arg(settings),
        QString::fromUtf8(kSecret), true);
    QVERIFY(!opened.ok()); // the thief hangs up, or is left
    if (clear || !libpqKnowsRequireAuth()) {
        QVERIFY2(thief.loot().contains(kSecret), thief.loot().toHex().constData());
    } else {
        QCOMPARE(thief.loot(), QByteArray());
        QVERIFY2(opened.error().todo.contains(u"require_auth"_s), qPrintable(opened.error().line()));
    }
}

/// A password that lies about hinders nobody who needs none.
void AttacksPasswordsTest::aServerNeedsNoPasswordStillOpens()
{
    qputenv("PGPASSWORD", kSecret);
    const auto opened = tryOpen(u"host=localhost port=%1 dbname=postgres user=trusted"_s.arg(m_port), {});
    QVERIFY2(opened.ok(), qPrintable(opened.ok() ? QString() : opened.error().line()));
    QVERIFY(!(*opened)->facts().serverVerified);
}

void AttacksPasswordsTest::realServer_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<bool>("allowed");
    QTest::addColumn<bool>("opens");
    QTest::addColumn<bool>("verified");
    const QString right = u" sslrootcert="_s + m_certificates->authorityFile();
    const QString wrong = u" sslrootcert="_s + m_certificates->otherAuthorityFile();
    QTest::newRow("verified") << u"sslmode=verify-full"_s + right << false << true << true;
    QTest::newRow("verified, and allowed besides") << u"sslmode=verify-full"_s + right << true << true << true;
    QTest::newRow("another authority") << u"sslmode=verify-full"_s + wrong << false << false << false;
    QTest::newRow("another authority, allowed") << u"sslmode=verify-full"_s + wrong << true << false << false;
    QTest::newRow("bound to its channel") << u"sslmode=require channel_binding=require"_s << false << true << true;
    QTest::newRow("nothing to bind to") << u"sslmode=disable channel_binding=require"_s << false << false << false;
    QTest::newRow("encrypted, any server") << u"sslmode=require"_s << false << false << false;
    QTest::newRow("known authority, any name") << u"sslmode=verify-ca"_s + right << false << false << false;
    QTest::newRow("libpq's default") << QString() << false << false << false;
    QTest::newRow("libpq's default, allowed") << QString() << true << true << false;
    QTest::newRow("not encrypted, allowed") << u"sslmode=disable"_s << true << true << false;
}

void AttacksPasswordsTest::realServer()
{
    QFETCH(QString, settings);
    QFETCH(bool, allowed);
    QFETCH(bool, opens);
    QFETCH(bool, verified);
    const auto opened = tryOpen(tcp(settings), QString::fromUtf8(kSecret), allowed);
    QVERIFY2(
        opened.ok() == opens, qPrintable(opened.ok() ? u"it opened"_s : opened.error().line() + opened.error().detail));
    if (opens) {
        QCOMPARE((*opened)->facts().serverVerified, verified);
    }
    // The environment decides no less than the text: what it weakens is weak.
    if (settings.isEmpty() && !allowed) {
        qputenv("PGSSLMODE", "verify-full");
        qputenv("PGSSLROOTCERT", m_certificates->authorityFile().toUtf8());
        const auto byEnvironment = tryOpen(tcp({}), QString::fromUtf8(kSecret));
        qunsetenv("PGSSLROOTCERT");
        QVERIFY2(byEnvironment.ok(), qPrintable(byEnvironment.ok() ? QString() : byEnvironment.error().line()));
        QVERIFY((*byEnvironment)->facts().serverVerified);
    }
}

void AttacksPasswordsTest::aSocketIsNoNetwork()
{
    const auto opened
        = tryOpen(m_cluster->conninfoAs(u"asked"_s) + u" port=%1"_s.arg(m_port), QString::fromUtf8(kSecret));
    QVERIFY2(opened.ok(), qPrintable(opened.ok() ? QString() : opened.error().line()));
    QVERIFY((*opened)->facts().serverVerified);
    // An address beside the folder leads to the network.
    const PasswordThief thief(PasswordThief::Asks::ClearText);
    QVERIFY(!tryOpen(
        u"host=%1 hostaddr=127.0.0.1 port=%2 dbname=x user=me"_s.arg(m_cluster->cluster().folder()).arg(thief.port()),
        QString::fromUtf8(kSecret))
                 .ok());
    // So does a second host that is no folder.
    QVERIFY(
        !tryOpen(u"host=/nowhere,127.0.0.1 port=1,%1 dbname=x user=me"_s.arg(thief.port()), QString::fromUtf8(kSecret))
             .ok());
    QCOMPARE(thief.asked(), 2);
    QCOMPARE(thief.loot(), QByteArray());
}

QTEST_GUILESS_MAIN(AttacksPasswordsTest)
#include "tst_attacks_passwords.moc"
