// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/conflicts/conflict_controller.h"
#include "models/conflicts/log_sources.h"
#include "models/connection/target_finder.h"
#include "sql/lanes/database.h"
#include "tests/support/registered_table.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using namespace idemdesk::tests;

/// Imports as the window asks for them: pasted text, folders and the server's own log, one after the other.
class ConflictImportTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<sql::Database> m_database;
    std::unique_ptr<ConflictController> m_conflicts;
    QStringList m_told; ///< "name|conflicts|found|new" or "name: why it failed"

    static QString line(const QString &member, const QString &value, const QString &incoming)
    {
        return u"{\"time\": \"2026-11-20T10:00:00Z\", \"%1\": \"%2\", \"outcome\": \"conflict\", \"request_hash\": \"%3\"}\n"_s
            .arg(member, value, incoming);
    }

    void open(const QString &login)
    {
        sql::ConnectionSettings settings;
        settings.conninfo = m_fixture->cluster().conninfoAs(login, u"shop"_s);
        auto session = sql::Session::open(settings, {});
        QVERIFY(session.ok());
        const auto found = findTargets(**session, {});
        QVERIFY(found.ok());
        m_database = std::make_unique<sql::Database>(settings);
        m_database->open();
        m_conflicts = std::make_unique<ConflictController>();
        m_conflicts->setDatabase(m_database.get());
        m_conflicts->setTargets(found->targets);
        m_conflicts->setLocalPlace({ m_folder->filePath(u"data/conflicts.sqlite"_s), u"shop"_s });
        connect(m_conflicts.get(), &ConflictController::imported, this,
            [this](const QString &log, const ImportCounts &counts) {
                m_told += u"%1|%2|%3|%4"_s.arg(QDir(m_folder->path()).relativeFilePath(log))
                              .arg(counts.conflicts)
                              .arg(counts.found)
                              .arg(counts.stored);
            });
        connect(m_conflicts.get(), &ConflictController::importFailed, this,
            [this](const QString &log, const sql::Error &error) { m_told += log + u": "_s + error.line(); });
    }

    void write(const QString &name, const QString &text) const
    {
        QFile file(m_folder->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8());
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<ConsoleFixture>(
            QStringList { u"logging_collector = on"_s, u"log_destination = 'csvlog'"_s, u"log_directory = 'log'"_s,
                u"log_filename = 'server.log'"_s, u"log_file_mode = 0644"_s });
        m_fixture->cluster().createDatabase(u"shop"_s);
        m_fixture->cluster().psqlFile(u"shop"_s, u"sql/demo/schema_001.sql"_s);
        m_fixture->cluster().psql(
            u"shop"_s, u"GRANT USAGE ON SCHEMA app TO op; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op"_s);
        Connection service(m_fixture->cluster().conninfo(u"shop"_s));
        for (const QString &hash : { u"stored"_s, u"came"_s }) {
            service.run(
                u"SELECT 1 FROM app.claim_idempotency_key('create_order', $1, $2, 'w')"_s, { u"bound"_s, hash });
        }
        QTRY_VERIFY_WITH_TIMEOUT(
            [this] {
                QFile log(m_fixture->cluster().cluster().dataFolder() + u"/log/server.csv"_s);
                return log.open(QIODevice::ReadOnly) && log.readAll().contains("incoming_hash=came");
            }(),
            20'000);
    }
    void cleanupTestCase() { m_fixture.reset(); }
    void init()
    {
        m_told.clear();
        m_folder = std::make_unique<QTemporaryDir>();
    }
    void cleanup()
    {
        m_conflicts.reset();
        m_database.reset();
    }

    void everySourceInItsTurn()
    {
        open(m_fixture->superuser());
        QVERIFY(QDir(m_folder->path()).mkdir(u"logs"_s));
        write(u"logs/b.log"_s, line(u"idempotency_key"_s, u"in b"_s, u"1"_s));
        write(u"logs/a.json"_s, line(u"idempotency_key"_s, u"in a"_s, u"2"_s));
        write(u"logs/notes.txt"_s, line(u"idempotency_key"_s, u"no log"_s, u"3"_s));
        const QString hash = QString::fromLatin1(QCryptographicHash::hash("bound", QCryptographicHash::Sha256).toHex());
        m_conflicts->importText(line(u"key_hash"_s, hash, u"4"_s));
        QVERIFY(m_conflicts->importing());
        m_conflicts->import({ m_folder->filePath(u"logs"_s), m_folder->filePath(u"absent"_s) });
        m_conflicts->importServerLog();
        m_conflicts->importServerLog(u"absent.csv"_s);
        m_conflicts->importText(line(u"key_hash"_s, hash, u"4"_s)); // the same again
        QTRY_VERIFY_WITH_TIMEOUT(!m_conflicts->importing(), 60'000);
        QCOMPARE(m_told.size(), 7);
        QCOMPARE(
            m_told.mid(0, 3), (QStringList { u"pasted text|1|1|1"_s, u"logs/a.json|1|0|1"_s, u"logs/b.log|1|0|1"_s }));
        QVERIFY2(m_told.at(3).contains(u"/absent: "), qPrintable(m_told.at(3)));
        QCOMPARE(m_told.at(4), u"server.csv|1|1|1"_s);
        QVERIFY2(m_told.at(5).startsWith(u"absent.csv: The server's log cannot be read."), qPrintable(m_told.at(5)));
        QCOMPARE(m_told.at(6), u"pasted text|1|1|0"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_conflicts->model()->rowCount(), 4, 20'000);
        QVERIFY(m_conflicts->keptHere());
    }

    /// A pass over a large table for each few records would take hours.
    void manyAreLookedUpAtOnce()
    {
        QString text;
        for (int i = 0; i < 12'000; ++i) {
            text += line(i % 2 == 0 ? u"key_hash"_s : u"idempotency_key"_s, u"key %1"_s.arg(i), QString::number(i));
        }
        int searches = 0;
        qint64 stored = 0;
        qsizetype largest = 0;
        bool cancelled = false;
        int cancelAt = 0;
        ImportSteps steps;
        steps.find = [&](QList<sql::ConflictRecord> &records) {
            cancelled = ++searches == cancelAt;
            for (sql::ConflictRecord &record : records) {
                record.key = record.keyHash + u" found"_s;
            }
            return sql::KeysFound { records.size(), {} };
        };
        steps.store = [&](const QList<sql::ConflictRecord> &records) {
            largest = std::max(largest, records.size());
            stored += std::count_if(records.cbegin(), records.cend(),
                [](const sql::ConflictRecord &record) { return record.key.has_value(); });
            return sql::Result<qint64>(records.size());
        };
        LogFileOptions options;
        options.cancelled = [&cancelled] { return cancelled; };
        const auto counts = importConflicts(textLog(u"text"_s, text.toUtf8()), {}, steps, options);
        QVERIFY(counts.ok());
        QCOMPARE(searches, 2);
        QCOMPARE(largest, 500);
        QCOMPARE(stored, 12'000);
        QCOMPARE(counts->found, 6'000);
        QCOMPARE(counts->stored, 12'000);
        // What waits for its key when the import is cancelled is not kept without it.
        stored = searches = 0;
        cancelAt = 2;
        const auto ended = importConflicts(textLog(u"text"_s, text.toUtf8()), {}, steps, options);
        QVERIFY(!ended.ok());
        QCOMPARE(ended.error().kind, sql::ErrorKind::Cancelled);
        QVERIFY(stored >= 10'000 && stored <= 11'000); // not those of the second search
    }

    void whatMayNotBeReadSaysHowToAllowIt()
    {
        open(u"op"_s);
        m_conflicts->importServerLog();
        QTRY_COMPARE_WITH_TIMEOUT(m_told.size(), 1, 20'000);
        QVERIFY2(m_told.first().contains(u"GRANT pg_monitor TO \"op\""), qPrintable(m_told.first()));
        QTRY_VERIFY_WITH_TIMEOUT(!m_conflicts->importing(), 20'000);
    }

    void aCancelledImportDropsWhatWaits()
    {
        open(m_fixture->superuser());
        write(u"large.log"_s, line(u"idempotency_key"_s, u"k"_s, u"x"_s).repeated(200'000));
        m_conflicts->import({ m_folder->filePath(u"large.log"_s) });
        m_conflicts->importServerLog();
        m_conflicts->cancelImport();
        QTRY_VERIFY_WITH_TIMEOUT(!m_conflicts->importing(), 60'000);
        QCOMPARE(m_told, QStringList());
    }

    void cancellingEndsTheSearchForKeys()
    {
        m_fixture->cluster().psql(u"shop"_s,
            u"ALTER TABLE app.idempotency_request ENABLE ROW LEVEL SECURITY; CREATE POLICY slow ON app.idempotency_request USING (pg_sleep(300) IS NOT NULL)"_s);
        open(u"op"_s);
        m_conflicts->importText(line(u"key_hash"_s, QString(64, u'a'), u"5"_s));
        const QString sleeping
            = u"SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = 'shop'"_s;
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->root().value(sleeping), u"1"_s, 20'000);
        m_conflicts->cancelImport();
        QTRY_VERIFY_WITH_TIMEOUT(!m_conflicts->importing(), 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->root().value(sleeping), u"0"_s, 20'000);
        QCOMPARE(m_told, QStringList());
    }
};

QTEST_GUILESS_MAIN(ConflictImportTest)
#include "tst_conflict_import.moc"
