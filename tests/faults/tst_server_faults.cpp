// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_driver.h"
#include "sql/keys/export_writer.h"
#include "sql/keys/page_reader.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "sql/session/session.h"
#include "tests/support/test_certificates.h"
#include "tests/support/test_cluster.h"

#include <QIODevice>
#include <QTemporaryDir>
#include <QTest>
#include <functional>

using namespace idemdesk::sql;
using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

namespace {

/// Takes what is written and forgets it; calls back once, at the second write: the header's was the first.
class InterruptedDevice final : public QIODevice
{
public:
    explicit InterruptedDevice(std::function<void()> onSecondWrite)
        : m_onSecondWrite(std::move(onSecondWrite))
    {
    }

protected:
    qint64 readData(char *, qint64) override { return -1; }
    qint64 writeData(const char *, qint64 size) override
    {
        if (++m_writes == 2) {
            m_onSecondWrite();
        }
        return size;
    }

private:
    std::function<void()> m_onSecondWrite;
    int m_writes = 0;
};

Result<std::unique_ptr<Session>> open(const QString &conninfo, const QString &password = {})
{
    ConnectionSettings settings;
    settings.conninfo = conninfo;
    settings.password = password;
    Session::Options options;
    options.connectTimeoutMs = 5'000;
    return Session::open(settings, options);
}

} // namespace

/// What a server can do to a person who only wants to look: each case ends in a plain message and leaves the rest
/// usable.
class ServerFaultsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void passwords_data()
    {
        QTest::addColumn<QString>("password");
        QTest::addColumn<bool>("admitted");
        QTest::newRow("right") << u"s3cret 'quoted\\ "_s << true;
        QTest::newRow("wrong") << u"guess"_s << false;
        QTest::newRow("none") << QString() << false;
    }
    void passwords()
    {
        QFETCH(QString, password);
        QFETCH(bool, admitted);
        TestCluster cluster;
        cluster.psql(u"postgres"_s, u"CREATE ROLE asked LOGIN PASSWORD 's3cret ''quoted\\ '"_s);
        QFile hba(cluster.cluster().dataFolder() + u"/pg_hba.conf"_s);
        QVERIFY(hba.open(QIODevice::ReadWrite));
        const QByteArray rest = hba.readAll();
        hba.seek(0);
        hba.write("local all asked scram-sha-256\n" + rest);
        hba.close();
        cluster.psql(u"postgres"_s, u"SELECT pg_reload_conf()"_s);
        QTRY_COMPARE(cluster.psql(u"postgres"_s,
                         u"SELECT count(*) FROM pg_hba_file_rules WHERE auth_method = 'scram-sha-256'"_s),
            u"1"_s);
        qputenv("PGPASSFILE", "/nonexistent");
        // The reload reaches the postmaster a moment after the view shows the new file.
        std::optional<Result<std::unique_ptr<Session>>> opened;
        QTRY_VERIFY((opened = open(cluster.conninfoAs(u"asked"_s), password))->ok() == admitted);
        if (!admitted) {
            QCOMPARE(opened->error().kind, ErrorKind::Authentication);
            QVERIFY(opened->error().todo.contains(u"password"_s));
            QVERIFY(!(opened->error().line() + opened->error().detail).contains(u"guess"_s));
        }
    }

    void passwordFileThatOthersReadIsNamed()
    {
        TestCluster cluster;
        cluster.psql(u"postgres"_s, u"CREATE ROLE asked LOGIN PASSWORD 'x'"_s);
        QFile hba(cluster.cluster().dataFolder() + u"/pg_hba.conf"_s);
        QVERIFY(hba.open(QIODevice::WriteOnly));
        hba.write("local all asked scram-sha-256\nlocal all all trust\n");
        hba.close();
        cluster.psql(u"postgres"_s, u"SELECT pg_reload_conf()"_s);
        QTemporaryDir folder;
        const QString path = folder.filePath(u"pgpass"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("*:*:*:*:x\n");
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther);
        qputenv("PGPASSFILE", path.toUtf8());
        std::optional<Result<std::unique_ptr<Session>>> opened;
        QTRY_VERIFY(!(opened = open(cluster.conninfoAs(u"asked"_s)))->ok());
        QVERIFY2(opened->error().why.contains(path) && opened->error().why.contains(u"0600"_s),
            qPrintable(opened->error().why));
        qputenv("PGPASSFILE", "/nonexistent");
    }

    void certificates_data()
    {
        QTest::addColumn<QString>("hostName");
        QTest::addColumn<int>("days");
        QTest::addColumn<QString>("authority"); // ca, other
        QTest::addColumn<bool>("trusted");
        QTest::newRow("right name and authority") << u"localhost"_s << 30 << u"ca"_s << true;
        QTest::newRow("another host's name") << u"db.example"_s << 30 << u"ca"_s << false;
        QTest::newRow("unknown authority") << u"localhost"_s << 30 << u"other"_s << false;
        QTest::newRow("expired") << u"localhost"_s << -1 << u"ca"_s << false;
    }
    void certificates()
    {
        QFETCH(QString, hostName);
        QFETCH(int, days);
        QFETCH(QString, authority);
        QFETCH(bool, trusted);
        QTemporaryDir folder;
        TestCertificates certificates(folder.path());
        const auto pair = certificates.serverFor(hostName, days);
        const int port = freePort();
        TestCluster cluster({ port, pair.certificate, pair.key }, {});
        const QString root = authority == u"ca"_s ? certificates.authorityFile() : certificates.otherAuthorityFile();
        const auto opened
            = open(u"host=localhost port=%1 dbname=postgres user=%2 sslmode=verify-full sslrootcert=%3"_s.arg(
                QString::number(port), cluster.cluster().superuser(), root));
        QVERIFY2(opened.ok() == trusted, qPrintable(opened.ok() ? QString() : opened.error().line()));
        if (trusted) {
            QVERIFY((*opened)->facts().tls.startsWith(u"TLSv1."_s));
        } else {
            QVERIFY2(opened.error().kind == ErrorKind::Tls, qPrintable(opened.error().detail));
            QVERIFY(opened.error().todo.contains(u"sslrootcert"_s));
        }
    }

    void noEncryptionOnOffer()
    {
        TestCluster cluster;
        const auto opened = open(cluster.conninfo() + u" sslmode=require"_s);
        // Over a Unix socket libpq needs no TLS and says nothing; the facts do.
        QVERIFY(opened.ok());
        QVERIFY((*opened)->facts().tls.isEmpty());
        QVERIFY((*opened)->facts().unixSocket);
    }

    void serverStartingUp()
    {
        TestCluster primary;
        TestCluster standby(primary, true, {});
        const auto opened = open(standby.conninfo());
        QVERIFY(!opened.ok());
        QVERIFY2(opened.error().kind == ErrorKind::ServerStarting, qPrintable(opened.error().detail));
        QVERIFY(opened.error().todo.contains(u"again"_s));
    }

    void hotStandbyIsReadAndConflictIsSaid()
    {
        TestCluster primary({ u"hot_standby_feedback = off"_s });
        for (const QString &file : { u"sql/demo/schema_001.sql"_s }) {
            primary.psqlFile(u"postgres"_s, file);
        }
        primary.psql(u"postgres"_s,
            u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
            u"expires_at) "
            "SELECT 'payments', 'key-' || i, md5(i::text), 'succeeded', now() + interval '1 day' FROM generate_series(1, 60000) AS i"_s);
        TestCluster standby(primary, false, { u"max_standby_streaming_delay = 0"_s });
        auto opened = open(standby.conninfo());
        QVERIFY(opened.ok());
        Session &session = **opened;
        QVERIFY(session.facts().standby);
        const auto target = bindTarget(session, *shippedProfile(u"plpgsql-request"_s));
        QVERIFY2(target.ok(), qPrintable(target.ok() ? QString() : target.error().line()));
        const auto page = readPage(session, *target, {});
        QVERIFY(page.ok());
        QCOMPARE(page->rows.size(), 200);
        // While an export reads, the primary removes the very rows and its standby must replay that.
        bool removed = false;
        InterruptedDevice out([&] {
            removed = true;
            primary.psql(u"postgres"_s, u"DELETE FROM app.idempotency_request"_s);
            primary.psql(u"postgres"_s, u"VACUUM app.idempotency_request"_s);
            const QString position = primary.psql(u"postgres"_s, u"SELECT pg_current_wal_lsn()"_s);
            [&] {
                QTRY_COMPARE_WITH_TIMEOUT(
                    standby.psql(u"postgres"_s, u"SELECT pg_last_wal_replay_lsn() >= '%1'"_s.arg(position)), u"t"_s,
                    20'000);
            }();
        });
        QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        const auto exported = exportRows(session, *target, {}, {}, ExportFormat::Csv, out, {});
        QVERIFY(removed);
        QVERIFY2(!exported.ok(), "the export went on although its rows were gone");
        QVERIFY2(exported.error().kind == ErrorKind::StandbyConflict,
            qPrintable(exported.error().line() + exported.error().detail));
        QVERIFY(exported.error().todo.contains(u"primary"_s));
    }

    void sqlAsciiBytesAreShownNotLost()
    {
        TestCluster cluster;
        const QString conninfo
            = cluster.createDatabase(u"old"_s, u"ENCODING 'SQL_ASCII' TEMPLATE template0 LOCALE 'C'"_s);
        auto opened = open(conninfo);
        QVERIFY(opened.ok());
        QCOMPARE((*opened)->facts().encoding, u"SQL_ASCII"_s);
        QVERIFY(!(*opened)->facts().warnings.isEmpty());
        const auto row = (*opened)->one(
            { u"SELECT pg_catalog.convert_from('\\x6b6579ff'::pg_catalog.bytea, 'SQL_ASCII'), 'ok'"_s, {} });
        QVERIFY2(row.ok(), qPrintable(row.ok() ? QString() : row.error().detail));
        QVERIFY(row->at(0).text.startsWith(u"key"_s));
        QVERIFY(row->at(0).text.contains(u"xff"_s, Qt::CaseInsensitive));
        QCOMPARE(row->at(1).text, u"ok"_s);
    }
};

QTEST_GUILESS_MAIN(ServerFaultsTest)
#include "tst_server_faults.moc"
