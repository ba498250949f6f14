// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/conflicts/server_log.h"
#include "tests/support/test_cluster.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <optional>

using namespace idemdesk;
using namespace Qt::StringLiterals;
using tests::TestCluster;

/// The log of a real server, read through SQL.
class ServerLogTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<TestCluster> m_cluster;

    static std::unique_ptr<sql::Session> open(const QString &conninfo)
    {
        sql::ConnectionSettings settings;
        settings.conninfo = conninfo;
        auto session = sql::Session::open(settings, {});
        if (!session) {
            qFatal("%s", qPrintable(session.error().line()));
        }
        return std::move(*session);
    }

    QByteArray onDisk(const QString &name) const
    {
        QFile file(m_cluster->cluster().dataFolder() + u"/log/"_s + name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    struct Whole {
        QByteArray text;
        qsizetype largest = 0;
        std::optional<sql::Error> error;
    };
    static Whole read(sql::ServerLog &log)
    {
        Whole whole;
        for (;;) {
            const auto piece = log.next();
            if (!piece) {
                whole.error = piece.error();
            }
            if (!piece || piece->isEmpty()) {
                return whole;
            }
            whole.largest = std::max(whole.largest, piece->size());
            whole.text += *piece;
        }
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<TestCluster>(QStringList { u"logging_collector = on"_s,
            u"log_destination = 'csvlog,stderr'"_s, u"log_directory = 'log'"_s, u"log_filename = 'server.log'"_s,
            u"log_statement = 'all'"_s, u"log_file_mode = 0644"_s });
        m_cluster->psql(u"postgres"_s,
            u"DO $$ BEGIN FOR i IN 1..5000 LOOP RAISE LOG '% %', i, repeat('x', 1000); END LOOP; RAISE LOG 'the last one'; END $$"_s);
        QTRY_VERIFY_WITH_TIMEOUT(onDisk(u"server.csv"_s).contains("LOG,00000,\"the last one\""), 20'000);
    }
    void cleanupTestCase() { m_cluster.reset(); }

    /// In pieces, to the size it had at first although reading is itself logged here.
    void theLogIsReadInPieces_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("file");
        QTest::newRow("the one it writes now") << QString() << u"server.csv"_s;
        QTest::newRow("one by its name") << u"server.log"_s << u"server.log"_s;
    }
    void theLogIsReadInPieces()
    {
        QFETCH(QString, name);
        QFETCH(QString, file);
        const auto session = open(m_cluster->conninfo());
        auto log = sql::ServerLog::open(*session, name);
        QVERIFY2(log.ok(), log.ok() ? "" : qPrintable(log.error().line()));
        QCOMPARE(log->name(), file);
        const Whole whole = read(*log);
        QVERIFY(!whole.error);
        QCOMPARE(whole.text.size(), log->size());
        QVERIFY(whole.text.size() > 5'000'000);
        QVERIFY(whole.largest <= 2 * 1024 * 1024);
        QVERIFY(onDisk(file).startsWith(whole.text));
    }

    void onlyTheLogFolderIsRead_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name :
            { "absent.log", "../postgresql.conf", "/etc/passwd", "log/server.csv", "' OR true --" }) {
            QTest::newRow(name) << QString::fromLatin1(name);
        }
    }
    void onlyTheLogFolderIsRead()
    {
        QFETCH(QString, name);
        const auto session = open(m_cluster->conninfo());
        const auto log = sql::ServerLog::open(*session, name);
        QVERIFY(!log.ok());
        QCOMPARE(log.error().kind, sql::ErrorKind::Usage);
        QVERIFY(log.error().why.contains(name));
    }

    /// Each refusal names the statement that mends it, and that one does.
    void missingRightsAreNamed()
    {
        m_cluster->psql(u"postgres"_s, u"CREATE ROLE \"On-Call\" LOGIN"_s);
        QStringList grants;
        for (int i = 0; i < 5; ++i) {
            const auto session = open(m_cluster->conninfoAs(u"On-Call"_s));
            auto log = sql::ServerLog::open(*session, {});
            const Whole whole = log ? read(*log) : Whole { {}, 0, log.error() };
            if (!whole.error) {
                QVERIFY(!whole.text.isEmpty());
                break;
            }
            QCOMPARE(whole.error->kind, sql::ErrorKind::Privilege);
            QVERIFY(whole.error->why.contains(u"On-Call"));
            grants += whole.error->todo.mid(whole.error->todo.indexOf(u"GRANT "));
            m_cluster->psql(u"postgres"_s, grants.last());
        }
        QCOMPARE(grants,
            (QStringList { u"GRANT pg_monitor TO \"On-Call\""_s,
                u"GRANT EXECUTE ON FUNCTION pg_catalog.pg_read_binary_file(text, bigint, bigint, boolean) TO \"On-Call\""_s }));
    }

    void aServerThatKeepsNoLogSaysSo()
    {
        TestCluster other;
        const auto session = open(other.conninfo());
        const auto log = sql::ServerLog::open(*session, {});
        QVERIFY(!log.ok());
        QCOMPARE(log.error().kind, sql::ErrorKind::Refused);
        QVERIFY(log.error().why.contains(u"logging_collector"));
        QVERIFY(!log.error().todo.isEmpty());
    }
};

QTEST_GUILESS_MAIN(ServerLogTest)
#include "tst_server_log.moc"
