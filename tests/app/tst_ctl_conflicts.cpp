// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program_run.h"
#include "tests/support/registered_table.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// Conflicts: logs that a real server wrote while one key came with two payloads, imported into the console's schema
/// and, where there is none, onto this computer; and what services record.
class CtlConflictsTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    QTemporaryDir m_logs; ///< copies
    std::unique_ptr<QTemporaryDir> m_home;
    QMap<QString, QString> m_files;

    ProgramRun ctl(const QStringList &arguments, const QString &login = u"op"_s, const QString &database = {},
        const QByteArray &input = {}) const
    {
        return runProgram(QStringLiteral(IDEMDESKCTL),
            arguments
                + QStringList { u"--connect"_s,
                    m_fixture->cluster().conninfoAs(login, database.isEmpty() ? m_fixture->database() : database) },
            { privateEnvironment(m_home->path()), input });
    }

    /// A copy of the server's log under another name, taken when it tells of this: the collector writes a moment later.
    QString copyOfLog(const QString &kind, const QString &name, const QByteArray &mark) const
    {
        const QString copy = m_logs.filePath(name + u'.' + kind);
        const auto told = [&] {
            QFile log(m_fixture->cluster().cluster().dataFolder() + u"/log/server."_s + kind);
            QFile::remove(copy);
            return log.open(QIODevice::ReadOnly) && log.readAll().contains(mark) && log.copy(copy);
        };
        return QTest::qWaitFor(told, 20'000) ? copy : QString();
    }

    /// A table is registered, and this login may read it.
    void readBy(const QString &login)
    {
        m_fixture->cluster().psql(m_fixture->database(),
            u"GRANT USAGE ON SCHEMA app TO adm, %1; GRANT SELECT ON app.k, app.eff TO adm, %1"_s.arg(login));
        registerTable(*m_fixture);
    }

    static bool write(const QString &path, const QByteArray &text)
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text + '\n') > 0;
    }

    /// The file of conflicts on this computer as it was before it had a place for attributes.
    void dropAttributes() const
    {
        QDirIterator files(
            m_home->path(), { u"conflicts.sqlite"_s }, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        QVERIFY(files.hasNext());
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"old"_s);
            database.setDatabaseName(files.next());
            QVERIFY(database.open());
            QSqlQuery query(database);
            QVERIFY2(
                query.exec(u"ALTER TABLE conflict DROP COLUMN attributes"_s), qPrintable(query.lastError().text()));
        }
        QSqlDatabase::removeDatabase(u"old"_s);
    }

    static QString textOf(const QJsonArray &items)
    {
        QStringList lines;
        for (const QJsonValue &value : items) {
            const QJsonObject one = value.toObject();
            lines += QStringList { one.value(u"kind"_s).toString(), one.value(u"target"_s).toString(),
                one.value(u"scope"_s).toString(), one.value(u"key"_s).toString(),
                one.value(u"existing_hash"_s).toString(), one.value(u"incoming_hash"_s).toString() }
                         .join(u'|');
        }
        lines.sort();
        return lines.join(u'\n');
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<ConsoleFixture>(TestCluster::logSettings());
        m_fixture->cluster().createDatabase(u"shop"_s);
        m_fixture->cluster().psqlFile(u"shop"_s, u"sql/demo/schema_001.sql"_s);
        m_fixture->cluster().psql(u"shop"_s,
            u"\\set ON_ERROR_STOP off\n"
            "SELECT 1 FROM app.claim_idempotency_key('create_order', 'ord-7', 'hash-a', 'w-1');\n"
            "SELECT 1 FROM app.claim_idempotency_key('create_order', 'ord-7', 'hash-b', 'w-2');\n"
            "INSERT INTO app.processed_message (consumer_name, message_id, message_hash) VALUES ('mail', 'm-1', 'x');\n"
            "INSERT INTO app.processed_message (consumer_name, message_id, message_hash) VALUES ('mail', 'm-1', 'y');\n"
            "CREATE TABLE other (id int PRIMARY KEY); INSERT INTO other VALUES (1); INSERT INTO other VALUES (1);\n"
            "GRANT USAGE ON SCHEMA app TO op; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op"_s);
        for (const QString &kind : TestCluster::logKinds()) {
            m_files.insert(kind, copyOfLog(kind, u"first"_s, "other_pkey"));
            QVERIFY(!m_files.value(kind).isEmpty());
        }
    }
    void cleanupTestCase() { m_fixture.reset(); }
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        m_fixture->fresh();
        m_fixture->forgetBare();
    }

    void logsAreImportedOnce_data()
    {
        QTest::addColumn<QString>("kind");
        for (const QString &kind : TestCluster::logKinds()) {
            QTest::newRow(qPrintable(kind)) << kind;
        }
    }
    /// Without the console schema: on this computer.
    void logsAreImportedOnce()
    {
        QFETCH(QString, kind);
        const ProgramRun first
            = ctl({ u"conflicts"_s, u"import"_s, m_files.value(kind), u"--json"_s }, u"op"_s, u"shop"_s);
        QVERIFY2(first.status == 0, qPrintable(first.err));
        QCOMPARE(first.json().value(u"kept"_s).toString(), u"this computer"_s);
        const QJsonObject counts = first.items().first().toObject();
        QCOMPARE(counts.value(u"unread"_s).toInt(), 0);
        QCOMPARE(counts.value(u"new"_s).toInt(), 2); // and not the violation of a table that is no target
        const ProgramRun again
            = ctl({ u"conflicts"_s, u"import"_s, m_files.value(kind), u"--json"_s }, u"op"_s, u"shop"_s);
        QCOMPARE(again.items().first().toObject().value(u"new"_s).toInt(), 0);
        QCOMPARE(again.items().first().toObject().value(u"conflicts"_s).toInt(), 2);
        const ProgramRun listed = ctl({ u"conflicts"_s, u"--json"_s }, u"op"_s, u"shop"_s);
        QCOMPARE(textOf(listed.items()),
            u"key_conflict|plpgsql-request|create_order|ord-7|hash-a|hash-b\nunique_violation|plpgsql-message|mail|m-1||"_s);
        QCOMPARE(ctl({ u"conflicts"_s, u"--json"_s, u"--key"_s, u"ord-7"_s }, u"op"_s, u"shop"_s).items().size(), 1);
        QCOMPARE(
            ctl({ u"conflicts"_s, u"--json"_s, u"--kind"_s, u"deadlock"_s }, u"op"_s, u"shop"_s).items().size(), 0);
        QCOMPARE(ctl({ u"conflicts"_s, u"--json"_s, u"--since"_s, u"1h"_s }, u"op"_s, u"shop"_s).items().size(), 2);
        QCOMPARE(ctl({ u"conflicts"_s, u"--json"_s }, u"op"_s, u"postgres"_s).items().size(),
            0); // another database's are others
    }

    void whatALineSaysBesideIsKept_data()
    {
        QTest::addColumn<QString>("database");
        QTest::newRow("in the database") << QString();
        QTest::newRow("on this computer") << u"shop"_s;
    }
    /// Trace, region, latency and what else ties a line to a request are kept, shown and searched; a file of before,
    /// which has no place for them, gets one.
    void whatALineSaysBesideIsKept()
    {
        QFETCH(QString, database);
        if (!database.isEmpty()) {
            const QString old = m_home->filePath(u"old.jsonl"_s);
            QVERIFY(write(old, R"({"idempotency_key":"k-0","outcome":"conflict","time":"2026-11-20T10:00:00Z"})"));
            QCOMPARE(ctl({ u"conflicts"_s, u"import"_s, old }, u"op"_s, database).status, 0);
            dropAttributes();
        }
        const QString log = m_home->filePath(u"service.jsonl"_s);
        const QByteArrayList lines {
            R"({"idempotency_key":"k-1","transaction_id":"tx_9f8e","constraint_status":"conflict","retry_count":2,"region":"us-east-1","latency_ms":3.2,"time":"2026-11-20T12:00:00Z"})",
            R"({"idempotency_key":"k-2","outcome":"conflict","trace":{"id":"4bf92f"},"ctx":{"who":"acme"},"time":"2026-11-20T12:00:01Z"})",
            "{\"idempotency_key\":\"k-3\",\"outcome\":\"conflict\",\"trace_id\":\"\\u0000\\u001b[31mred\","
            "\"time\":\"2026-11-20T12:00:02Z\"}"
        };
        QVERIFY(write(log, lines.join('\n')));
        const ProgramRun first = ctl(
            { u"conflicts"_s, u"import"_s, log, u"--map"_s, u"tenant=/ctx/who"_s, u"--json"_s }, u"op"_s, database);
        QVERIFY2(first.status == 0, qPrintable(first.err));
        QCOMPARE(first.items().first().toObject().value(u"new"_s).toInt(), 3);
        const auto with = [&](const QString &value) {
            const QJsonArray items
                = ctl({ u"conflicts"_s, u"--with"_s, value, u"--json"_s }, u"op"_s, database).items();
            return items.size() == 1 ? items.first().toObject() : QJsonObject();
        };
        QCOMPARE(with(u"tx_9f8e"_s).value(u"attributes"_s).toObject(),
            (QJsonObject { { u"transaction"_s, u"tx_9f8e"_s }, { u"retries"_s, u"2"_s },
                { u"region"_s, u"us-east-1"_s }, { u"latency_ms"_s, u"3.2"_s } }));
        QCOMPARE(with(u"4bf92f"_s).value(u"key"_s).toString(), u"k-2"_s);
        QCOMPARE(with(u"acme"_s).value(u"attributes"_s).toObject().value(u"trace"_s).toString(), u"4bf92f"_s);
        QVERIFY(with(u"us-east"_s).isEmpty()); // a part is no match
        const ProgramRun shown = ctl({ u"conflicts"_s }, u"op"_s, database);
        QVERIFY2(shown.out.contains("us-east-1") && !shown.out.contains('\x1b'), shown.out.constData());
        const ProgramRun none = ctl({ u"conflicts"_s, u"--with"_s, u"nobody"_s }, u"op"_s, database);
        QVERIFY2((none.err + QString::fromUtf8(none.out)).contains(u"--with nobody"), qPrintable(none.err));
    }

    /// With it: in the database, with a row in the trail, for every operator to see.
    void importsIntoTheDatabaseAreInTheTrail()
    {
        // What another database of the server logged is none of this one's.
        const ProgramRun others = ctl({ u"conflicts"_s, u"import"_s, m_files.value(u"csv"_s), u"--json"_s });
        QVERIFY2(others.status == 0, qPrintable(others.err));
        QCOMPARE(others.items().first().toObject().value(u"new"_s).toInt(), 0);
        QVERIFY(others.items().first().toObject().value(u"other_databases"_s).toInt() >= 2);
        QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM idemdesk.audit WHERE what = 'import'"_s), u"0"_s);
        Connection service(m_fixture->cluster().conninfo(m_fixture->database()));
        QCOMPARE(service.state(
                     u"DO $$ BEGIN RAISE EXCEPTION 'this idempotency key already belongs to another request' "
                     "USING ERRCODE = 'P4002', DETAIL = 'existing_hash=hash-own incoming_hash=hash-new'; END $$"_s),
            u"P4002"_s);
        const QString log = copyOfLog(u"csv"_s, u"own"_s, "hash-own");
        QVERIFY(!log.isEmpty());
        const ProgramRun run = ctl({ u"conflicts"_s, u"import"_s, log, u"--json"_s });
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QCOMPARE(run.json().value(u"kept"_s).toString(), u"database"_s);
        QCOMPARE(run.items().first().toObject().value(u"new"_s).toInt(), 1);
        QCOMPARE(m_fixture->root().value(
                     u"SELECT who || ' ' || (facts ->> 'rows') FROM idemdesk.audit WHERE what = 'import'"_s),
            u"op 1"_s);
        QCOMPARE(ctl({ u"conflicts"_s, u"import"_s, log, u"--json"_s }, u"op2"_s)
                     .items()
                     .first()
                     .toObject()
                     .value(u"new"_s)
                     .toInt(),
            0);
        // Who imported it sees it, and who may read every table; a value of a table's row is for nobody else.
        QCOMPARE(ctl({ u"conflicts"_s, u"--json"_s }).items().size(), 1);
        QCOMPARE(ctl({ u"conflicts"_s, u"--json"_s }, u"viewer"_s).items().size(), 0);
        readBy(u"viewer"_s);
        QCOMPARE(ctl({ u"conflicts"_s, u"--json"_s }, u"viewer"_s).items().size(), 1);
        QCOMPARE(ctl({ u"conflicts"_s, u"import"_s, m_files.value(u"log"_s) }, u"viewer"_s).status, 3);
        const auto op = m_fixture->as(u"op"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    void whatServicesRecord()
    {
        m_fixture->root().run(u"GRANT idemdesk_reporter TO service"_s);
        const auto service = m_fixture->as(u"service"_s);
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(
                service->state(
                    u"SELECT idemdesk.record_conflict('create_order', 'ord-9', 'hash-a', 'hash-b', '{\"amount\":99}', 'checkout-3')"_s),
                QString());
        }
        // Never an error to the caller, whatever it says.
        for (const QString &call : { u"NULL, NULL, NULL, NULL"_s, u"'s', '', 'a', 'b'"_s,
                 u"repeat('s', 5000), repeat('k', 50000), 'a', 'b', repeat('p', 200000)"_s }) {
            QCOMPARE(service->state(u"SELECT idemdesk.record_conflict("_s + call + u')'), QString());
        }
        QCOMPARE(service->state(u"SELECT * FROM idemdesk.conflict"_s), u"42501"_s);
        QCOMPARE(ctl({ u"conflicts"_s, u"--json"_s, u"--key"_s, u"ord-9"_s }, u"viewer"_s).items().size(), 0);
        readBy(u"viewer"_s);
        const ProgramRun listed = ctl({ u"conflicts"_s, u"--json"_s, u"--key"_s, u"ord-9"_s }, u"viewer"_s);
        QCOMPARE(listed.items().size(), 1);
        const QJsonObject one = listed.items().first().toObject();
        QCOMPARE(one.value(u"count"_s).toInt(), 3);
        QCOMPARE(one.value(u"incoming_payload"_s).toString(), u"{\"amount\":99}"_s);
        QCOMPARE(one.value(u"caller"_s).toString(), u"checkout-3"_s);
        QCOMPARE(m_fixture->root().value(u"SELECT sum(n) FROM idemdesk.event_seen WHERE kind = 'conflict'"_s), u"4"_s);
        QCOMPARE(m_fixture->root().value(u"SELECT max(length(incoming_payload)) FROM idemdesk.conflict"_s), u"65536"_s);
    }

    /// What PL/pgSQL reports carries fingerprints and no key, where the statement's values were bound.
    void keysThatTheLogDoesNotNameAreLookedUp()
    {
        m_fixture->cluster().createDatabase(u"hashes"_s);
        m_fixture->cluster().psqlFile(u"hashes"_s, u"sql/demo/schema_001.sql"_s);
        m_fixture->cluster().psql(
            u"hashes"_s, u"GRANT USAGE ON SCHEMA app TO op; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op"_s);
        Connection service(m_fixture->cluster().conninfo(u"hashes"_s));
        const auto claim = [&service](const QString &key, const QString &hash) {
            return service.state(
                u"SELECT 1 FROM app.claim_idempotency_key('create_order', $1, $2, 'w')"_s, { key, hash });
        };
        for (const QString &key : { u"bound"_s, u"twin-a"_s, u"twin-b"_s, u"late"_s }) {
            QCOMPARE(claim(key, key.startsWith(u"twin") ? u"stored-twins"_s : u"stored-"_s + key), QString());
        }
        for (const QString &key : { u"bound"_s, u"twin-a"_s, u"late"_s }) {
            QCOMPARE(claim(key, u"came-"_s + key), u"P4002"_s);
        }
        const QString away
            = u"UPDATE app.idempotency_request SET request_hash = $2 WHERE idempotency_key = 'late' AND request_hash = $1"_s;
        QCOMPARE(service.state(away, { u"stored-late"_s, u"gone"_s }), QString());
        const QString log = copyOfLog(u"csv"_s, u"hashes"_s, "came-late");
        QVERIFY(!log.isEmpty());
        const auto import = [this](const QString &file) {
            return ctl({ u"conflicts"_s, u"import"_s, file, u"--json"_s }, u"op"_s, u"hashes"_s);
        };
        const auto listed = [this](const QString &incoming) {
            const QJsonArray all = ctl({ u"conflicts"_s, u"--json"_s }, u"op"_s, u"hashes"_s).items();
            const auto one = std::find_if(all.begin(), all.end(), [&incoming](const QJsonValue &value) {
                return value.toObject().value(u"incoming_hash"_s).toString() == incoming;
            });
            return one == all.end() ? QJsonObject() : one->toObject();
        };
        const ProgramRun run = import(log);
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QCOMPARE(run.items().first().toObject().value(u"keys_found"_s).toInt(), 1);
        QCOMPARE(run.items().first().toObject().value(u"notes"_s).toArray().size(), 0);
        QCOMPARE(textOf({ listed(u"came-bound"_s) }),
            u"key_conflict|plpgsql-request|create_order|bound|stored-bound|came-bound"_s);
        QVERIFY(listed(u"came-twin-a"_s).value(u"key"_s).isNull()); // never guessed
        QVERIFY(listed(u"came-twin-a"_s)
                    .value(u"detail"_s)
                    .toString()
                    .contains(u"Several keys have the stored fingerprint"));
        QVERIFY(listed(u"came-late"_s).value(u"key"_s).isNull());
        // What is found only the second time is no second conflict.
        QCOMPARE(service.state(away, { u"gone"_s, u"stored-late"_s }), QString());
        const QJsonObject again = import(log).items().first().toObject();
        QCOMPARE(again.value(u"keys_found"_s).toInt(), 2);
        QCOMPARE(again.value(u"new"_s).toInt(), 0);
        // A service that hashes its keys before it logs them.
        const QString lines = m_logs.filePath(u"service.json"_s);
        QFile file(lines);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"time\": \"2026-11-20T10:00:00Z\", \"idempotency_key_hash\": \""
            + QCryptographicHash::hash("bound", QCryptographicHash::Sha256).toHex()
            + "\", \"outcome\": \"conflict\", \"incoming_hash\": \"came-logged\"}\n");
        file.close();
        const ProgramRun words = ctl({ u"conflicts"_s, u"import"_s, lines }, u"op"_s, u"hashes"_s);
        QVERIFY2(
            words.out.contains("1 key that the log does not name was found in the tables."), words.out.constData());
        QCOMPARE(
            textOf({ listed(u"came-logged"_s) }), u"application|plpgsql-request|create_order|bound||came-logged"_s);
    }

    /// Read through the connection; what it tells of other databases is theirs.
    void theServersOwnLog()
    {
        const ProgramRun refused = ctl({ u"conflicts"_s, u"import"_s, u"--server"_s }, u"op"_s, u"shop"_s);
        QCOMPARE(refused.status, 3);
        QVERIFY2(refused.err.contains(u"GRANT pg_monitor TO \"op\""), qPrintable(refused.err));
        const QString root = m_fixture->superuser();
        const ProgramRun now = ctl({ u"conflicts"_s, u"import"_s, u"--server"_s, u"--json"_s }, root, u"shop"_s);
        QVERIFY2(now.status == 0, qPrintable(now.err));
        QCOMPARE(now.items().size(), 1);
        QCOMPARE(now.items().first().toObject().value(u"file"_s).toString(), u"server.csv"_s);
        QCOMPARE(now.items().first().toObject().value(u"new"_s).toInt(), 2);
        QCOMPARE(ctl({ u"conflicts"_s, u"import"_s, u"--server-log"_s, u"server.csv"_s, u"--json"_s }, root, u"shop"_s)
                     .items()
                     .first()
                     .toObject()
                     .value(u"new"_s)
                     .toInt(),
            0);
        const ProgramRun elsewhere
            = ctl({ u"conflicts"_s, u"import"_s, u"--server"_s, u"--json"_s }, root, u"postgres"_s);
        QCOMPARE(elsewhere.items().first().toObject().value(u"conflicts"_s).toInt(), 0);
        QVERIFY(elsewhere.items().first().toObject().value(u"other_databases"_s).toInt() >= 2);
    }

    void foldersAndStandardInput()
    {
        const auto names = [](const ProgramRun &run) {
            QStringList all;
            for (const QJsonValue &value : run.items()) {
                const QJsonObject one = value.toObject();
                all += QFileInfo(one.value(u"file"_s).toString()).fileName() + u' '
                    + QString::number(one.value(u"conflicts"_s).toInt()) + u' '
                    + QString::number(one.value(u"new"_s).toInt());
            }
            return all;
        };
        const QDir folder(m_logs.path());
        QVERIFY(folder.mkpath(u"folder/deeper"_s));
        const auto copy = [&](const QString &kind, const QString &name) {
            return QFile::copy(m_files.value(kind), folder.filePath(u"folder/"_s + name));
        };
        QVERIFY(copy(u"csv"_s, u"a.csv"_s) && copy(u"csv"_s, u"notes.txt"_s) && copy(u"log"_s, u"deeper/c.log"_s));
        QStringList expected { u"a.csv 2 2"_s };
        if (m_files.contains(u"json"_s)) {
            QVERIFY(copy(u"json"_s, u"b.json"_s));
            expected += u"b.json 2 0"_s; // the same records in another of the server's formats are the same records
        }
        const ProgramRun all
            = ctl({ u"conflicts"_s, u"import"_s, folder.filePath(u"folder"_s), u"--json"_s }, u"op"_s, u"shop"_s);
        QVERIFY2(all.status == 0, qPrintable(all.err));
        QCOMPARE(names(all), expected);
        QVERIFY(folder.mkpath(u"empty"_s));
        const ProgramRun none = ctl({ u"conflicts"_s, u"import"_s, folder.filePath(u"empty"_s) }, u"op"_s, u"shop"_s);
        QCOMPARE(none.status, 1);
        QVERIFY2(none.err.contains(u"holds no log"), qPrintable(none.err));

        m_home = std::make_unique<QTemporaryDir>();
        QFile log(m_files.value(u"csv"_s));
        QVERIFY(log.open(QIODevice::ReadOnly));
        const ProgramRun piped
            = ctl({ u"conflicts"_s, u"import"_s, u"-"_s, u"--json"_s }, u"op"_s, u"shop"_s, log.readAll());
        QVERIFY2(piped.status == 0, qPrintable(piped.err));
        QCOMPARE(names(piped), QStringList { u"- 2 2"_s });
        QCOMPARE(ctl({ u"conflicts"_s, u"--json"_s }, u"op"_s, u"shop"_s)
                     .items()
                     .first()
                     .toObject()
                     .value(u"file"_s)
                     .toString(),
            u"standard input"_s);
        QCOMPARE(names(ctl({ u"conflicts"_s, u"import"_s, u"-"_s, u"--json"_s }, u"op"_s, u"shop"_s)),
            QStringList { u"- 0 0"_s }); // nothing in it
    }

    void fieldsOfServicesLogsAreMapped()
    {
        const QString lines = m_logs.filePath(u"mapped.json"_s);
        QFile file(lines);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"when\": \"2026-11-20T10:00:00Z\", \"idempotency_key\": \"not this\", \"request\": {\"id\": "
                   "\"ord-7\", \"op/name\": \"create_order\"}, \"was\": [\"h-1\", \"h-2\"]}\n");
        file.close();
        const QStringList maps { u"--map"_s, u"key=/absent"_s, u"--map"_s, u"key=/request/id"_s, u"--map"_s,
            u"scope=/request/op~1name"_s, u"--map"_s, u"existing_hash=/was/0"_s, u"--map"_s, u"incoming_hash=/was/1"_s,
            u"--map"_s, u"time=/when"_s };
        const ProgramRun run
            = ctl(QStringList { u"conflicts"_s, u"import"_s, lines, u"--json"_s } + maps, u"op"_s, u"shop"_s);
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QCOMPARE(run.items().first().toObject().value(u"new"_s).toInt(), 1);
        const QJsonArray listed = ctl({ u"conflicts"_s, u"--json"_s }, u"op"_s, u"shop"_s).items();
        QCOMPARE(textOf(listed), u"application|plpgsql-request|create_order|ord-7|h-1|h-2"_s);
        QCOMPARE(listed.first().toObject().value(u"last_at"_s).toString(), u"2026-11-20T10:00:00.000000Z"_s);
    }

    void whatNoLineTellsIsSaid_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("said");
        QTest::newRow("no key where it is looked for")
            << QByteArray("{\"request\": {\"id\": \"ord-7\"}, \"outcome\": \"replayed\"}") << 5 << u"names a key"_s;
        QTest::newRow("keys, but not how they ended")
            << QByteArray("{\"idempotency_key\": \"ord-7\"}") << 5 << u"how an attempt ended"_s;
        QTest::newRow("an outcome that is neither a conflict nor a replay")
            << QByteArray("{\"idempotency_key\": \"ord-7\", \"outcome\": \"created\"}") << 0 << QString();
        QTest::newRow("a line that is not understood")
            << QByteArray("{\"idempotency_key\": \"ord-7\", \"outcome\": \"created\"}\n{\"cut") << 4 << QString();
    }
    /// Not seen is not the same as not there.
    void whatNoLineTellsIsSaid()
    {
        QFETCH(QByteArray, line);
        QFETCH(int, status);
        QFETCH(QString, said);
        const QString lines = m_logs.filePath(u"untold.json"_s);
        QFile file(lines);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(line + '\n');
        file.close();
        const ProgramRun run
            = ctl({ u"conflicts"_s, u"import"_s, lines, u"--format"_s, u"application"_s }, u"op"_s, u"shop"_s);
        QVERIFY2(run.status == status, run.said().constData());
        QVERIFY2(
            said.isEmpty() ? !run.err.contains(u"--map"_s) : run.err.contains(said) && run.err.contains(u"--map"_s),
            run.said().constData());
    }

    void replaysArePartOfTheStoryAndNoConflicts_data()
    {
        QTest::addColumn<QString>("database");
        QTest::newRow("on this computer") << u"shop"_s;
        QTest::newRow("in the database") << QString();
    }
    void replaysArePartOfTheStoryAndNoConflicts()
    {
        QFETCH(QString, database);
        if (database.isEmpty()) {
            QVERIFY(
                m_fixture->root()
                    .run(u"GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm;"
                         "UPDATE app.k SET status = 'succeeded' WHERE key = 'k001'"_s)
                    .ok());
            registerTable(*m_fixture);
        }
        const QString key = database.isEmpty() ? u"k001"_s : u"ord-7"_s;
        const QString target = database.isEmpty() ? u"k2"_s : u"plpgsql-request"_s;
        const QString lines = m_logs.filePath(u"replays.json"_s);
        QFile file(lines);
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (const QByteArray &line : { QByteArray("10:00:01Z\",\"constraint_status\":\"conflict_resolved"),
                 QByteArray("10:00:02Z\",\"outcome\":\"replayed"), QByteArray("10:00:03Z\",\"outcome\":\"created") }) {
            file.write("{\"idempotency_key\":\"" + key.toUtf8() + "\",\"timestamp\":\"2026-11-20T" + line + "\"}\n");
        }
        file.close();
        const ProgramRun run = ctl({ u"conflicts"_s, u"import"_s, lines, u"--json"_s }, u"op"_s, database);
        QVERIFY2(run.status == 0, qPrintable(run.err));
        const QJsonObject counts = run.items().first().toObject();
        QCOMPARE(counts.value(u"replays"_s).toInt(), 2);
        QCOMPARE(counts.value(u"conflicts"_s).toInt(), 0);
        QCOMPARE(counts.value(u"new"_s).toInt(), 2);
        QCOMPARE(ctl({ u"conflicts"_s, u"--json"_s, u"--key"_s, key }, u"op"_s, database).items().size(), 0);
        QCOMPARE(ctl({ u"conflicts"_s, u"--json"_s, u"--key"_s, key, u"--kind"_s, u"replay"_s }, u"op"_s, database)
                     .items()
                     .size(),
            2);
        const QString saved = m_home->filePath(u"case.json"_s);
        const ProgramRun judged = ctl({ u"case"_s, key, u"--target"_s, target, u"-o"_s, saved }, u"op"_s, database);
        QVERIFY2(judged.status == 0, qPrintable(judged.err));
        QFile read(saved);
        QVERIFY(read.open(QIODevice::ReadOnly));
        const QByteArray story = read.readAll();
        QCOMPARE(story.count("Retry met the key"), 2);
        QVERIFY2(!story.contains("conflict_refused"), story.constData());
        const QJsonObject judgedCase = QJsonDocument::fromJson(story).object();
        QCOMPARE(judgedCase.value(u"replays"_s).toArray().size(), 2);
        QVERIFY(judgedCase.value(u"conflicts"_s).toArray().isEmpty());
        // In words, of a log that is known already: both are told of, none is new.
        const ProgramRun again = ctl({ u"conflicts"_s, u"import"_s, lines }, u"op"_s, database);
        QVERIFY2((again.err + QString::fromUtf8(again.out))
                     .contains(u"2 told of a key, 0 of them new. 2 of them were retries"_s),
            qPrintable(again.err));
    }

    /// Also while the server searches a table for keys, and nothing goes on there afterwards.
    void interruptedWhileKeysAreLookedUp()
    {
        m_fixture->cluster().createDatabase(u"slow"_s);
        m_fixture->cluster().psqlFile(u"slow"_s, u"sql/demo/schema_001.sql"_s);
        m_fixture->cluster().psql(u"slow"_s,
            u"SELECT 1 FROM app.claim_idempotency_key('s', 'k', 'h', 'w');"
            "ALTER TABLE app.idempotency_request ENABLE ROW LEVEL SECURITY; CREATE POLICY slow ON "
            "app.idempotency_request USING (pg_sleep(300) IS NOT NULL);"
            "GRANT USAGE ON SCHEMA app TO op; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op"_s);
        const QString lines = m_logs.filePath(u"slow.json"_s);
        QFile file(lines);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"time\": \"2026-11-20T10:00:00Z\", \"key_hash\": \"" + QByteArray(64, 'a')
            + "\", \"outcome\": \"conflict\"}\n");
        file.close();
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"XDG_DATA_HOME"_s, m_home->path());
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(IDEMDESKCTL),
            { u"conflicts"_s, u"import"_s, lines, u"--connect"_s,
                m_fixture->cluster().conninfoAs(u"op"_s, u"slow"_s) });
        const QString sleeping
            = u"SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = 'slow'"_s;
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->root().value(sleeping), u"1"_s, 20'000);
        QCOMPARE(::kill(pid_t(process.processId()), SIGINT), 0);
        QVERIFY(process.waitForFinished(20'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("was cancelled"));
        QCOMPARE(m_fixture->root().value(sleeping), u"0"_s);
        QCOMPARE(ctl({ u"conflicts"_s, u"--json"_s }, u"op"_s, u"slow"_s).items().size(),
            0); // it would stay without its key
    }

    void oldOnesGoWithMaintenance()
    {
        m_fixture->root().run(
            u"INSERT INTO idemdesk.conflict (id, kind, source, key, first_at, last_at, n) SELECT "
            u"sha256(g::text::bytea), 'key_conflict', 'log', 'k', at, at, 1 "
            "FROM generate_series(1, 4) g, LATERAL (SELECT now() - g * interval '180 days') x (at)"_s);
        const auto op = m_fixture->as(u"op"_s);
        QVERIFY(op->run(u"SELECT idemdesk.maintain()"_s).ok());
        QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM idemdesk.conflict"_s), u"2"_s);
    }

    void wrongCallsSaySo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::newRow("no file") << QStringList { u"import"_s } << 2;
        QTest::newRow("a file that is not there") << QStringList { u"import"_s, u"/nowhere/server.log"_s } << 1;
        QTest::newRow("no such format") << QStringList { u"import"_s, u"/dev/null"_s, u"--format"_s, u"xml"_s } << 2;
        QTest::newRow("nothing to map") << QStringList { u"import"_s, u"/dev/null"_s, u"--map"_s, u"color=/color"_s }
                                        << 2;
        QTest::newRow("no pointer to map to")
            << QStringList { u"import"_s, u"/dev/null"_s, u"--map"_s, u"key=id"_s } << 2;
        QTest::newRow("a server's log outside its folder")
            << QStringList { u"import"_s, u"--server-log"_s, u"../postgresql.conf"_s } << 3;
        QTest::newRow("the server's log without importing it") << QStringList { u"--server"_s } << 2;
        QTest::newRow("no such kind") << QStringList { u"--kind"_s, u"quarrel"_s } << 2;
        QTest::newRow("no such word") << QStringList { u"export"_s } << 2;
        QTest::newRow("no time") << QStringList { u"--since"_s, u"yesterday"_s } << 2;
        QTest::newRow("too many") << QStringList { u"--limit"_s, u"0"_s } << 2;
    }
    void wrongCallsSaySo()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        const ProgramRun run = ctl(QStringList { u"conflicts"_s } + arguments);
        QCOMPARE(run.status, status);
        QVERIFY(!run.err.isEmpty());
    }
};

QTEST_GUILESS_MAIN(CtlConflictsTest)
#include "tst_ctl_conflicts.moc"
