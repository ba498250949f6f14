// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/logs/key_hashes.h"
#include "models/logs/log_file.h"
#include "models/logs/log_reader.h"
#include "models/logs/statement_literals.h"
#include "sql/types/conflict.h"
#include "tests/support/test_cluster.h"

#include <QCryptographicHash>
#include <QDir>
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using idemdesk::tests::TestCluster;

namespace {

struct Read {
    QList<LogEvent> events;
    LogCounts counts;

    QList<LogEvent> of(LogEventKind kind) const
    {
        QList<LogEvent> some;
        std::copy_if(events.begin(), events.end(), std::back_inserter(some),
            [kind](const LogEvent &event) { return event.kind == kind; });
        return some;
    }
};

Read readText(LogFormat format, const QByteArray &log, qsizetype piece = 1 << 20)
{
    Read read;
    LogReader reader(format, [&read](const LogEvent &event) { read.events.append(event); });
    for (qsizetype at = 0; at < log.size(); at += piece) {
        reader.feed(QByteArrayView(log).sliced(at, std::min(piece, log.size() - at)));
    }
    reader.finish();
    read.counts = reader.counts();
    return read;
}

const QByteArray kCsvHead = "2026-11-20 12:00:00.123 UTC,\"app\",\"shop\",77,\"[local]\",65f0.4d,";

QByteArray csv(const QByteArray &line, const QByteArray &state, const QByteArray &message, const QByteArray &detail,
    const QByteArray &query)
{
    return kCsvHead + line + ",\"SELECT\",2026-11-20 11:59:59 UTC,3/4,0,ERROR," + state + ",\"" + message + "\",\""
        + detail + "\",,,,,\"" + query + "\",8,,\"psql\",\"client backend\",,0\n";
}

} // namespace

class LogsTest final : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QMap<QString, QString> m_files; ///< csv, json, log

    static constexpr const char *kWork = R"(\set ON_ERROR_STOP off
SELECT 1 FROM app.claim_idempotency_key('create_order', 'ord-''7', 'hash-a', 'w-1');
SELECT 1 FROM app.claim_idempotency_key('create_order', 'ord-''7', 'hash-b', 'w-2');
SELECT *
FROM app.claim_idempotency_key(p_request_hash => 'hash-c',
	p_key => 'ord-''7', p_scope => 'create_order', p_claimed_by => 'w "3",
2026-11-20 12:00:00.000 UTC,x');
INSERT INTO app.processed_message (consumer_name, message_id, message_hash) VALUES ('mail', 'm-1', 'x');
INSERT INTO app.processed_message (consumer_name, message_id, message_hash) VALUES ('mail', 'm-1', 'y');
DO $$ BEGIN RAISE EXCEPTION 'message id reused' USING ERRCODE = 'P4050', DETAIL = 'consumer=mail message_id=m 1'; END $$;
DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$;
DO $$ BEGIN RAISE EXCEPTION 'could not serialize access due to concurrent update' USING ERRCODE = '40001'; END $$;
SELECT app.mark_idempotency_succeeded('create_order', 'gone', 'order', NULL, NULL);
SELECT app.mark_idempotency_failed('create_order', 'gone 2', true, 'x', 'y');
SELECT 1 FROM app.claim_idempotency_key('create_order', 'busy', 'hash-a', 'w-1');
SELECT app.create_order_once(p_key => 'busy', p_request_hash => 'hash-a', p_customer => NULL, p_cart => 'c',
    p_total => 1);
SELECT no_such_column;
SELECT '23505 and P4002 in a text' / 0;
)";

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        TestCluster cluster(TestCluster::logSettings());
        cluster.createDatabase(u"shop"_s);
        cluster.psqlFile(u"shop"_s, u"sql/demo/schema_001.sql"_s);
        cluster.psql(u"shop"_s, QString::fromLatin1(kWork));
        QVERIFY(cluster.cluster().stop().ok()); // the collector has written all
        const QDir logs(cluster.cluster().dataFolder() + u"/log"_s);
        for (const QString &kind : TestCluster::logKinds()) {
            m_files.insert(kind, m_folder.filePath(u"server."_s + kind));
            QVERIFY(QFile::copy(logs.filePath(u"server."_s + kind), m_files.value(kind)));
        }
    }

    void realLogsTellOfConflicts_data()
    {
        QTest::addColumn<QString>("file");
        for (const QString &kind : TestCluster::logKinds()) {
            QTest::newRow(qPrintable(kind)) << kind;
        }
    }
    void realLogsTellOfConflicts()
    {
        QFETCH(QString, file);
        Read read;
        const auto counts
            = readLogFile(m_files.value(file), [&read](const LogEvent &event) { read.events.append(event); });
        QVERIFY(counts.ok());
        QStringList unread;
        for (const UnreadLine &line : counts->unreadKept) {
            unread += line.text;
        }
        QVERIFY2(counts->unread == 0, qPrintable(unread.join(u'\n')));
        QCOMPARE(counts->events, read.events.size());
        QVERIFY(counts->records > counts->events);
        const auto conflicts = read.of(LogEventKind::KeyConflict);
        QCOMPARE(conflicts.size(), 2);
        for (const LogEvent &conflict : conflicts) {
            QCOMPARE(conflict.existingHash, u"hash-a"_s);
            QCOMPARE(conflict.key, u"ord-'7"_s);
            QCOMPARE(conflict.scope, u"create_order"_s);
            QVERIFY(conflict.keySource == KeySource::Statement && conflict.conflict);
            QVERIFY(conflict.time.has_value());
        }
        QCOMPARE(conflicts[0].incomingHash, u"hash-b"_s);
        QCOMPARE(conflicts[1].incomingHash, u"hash-c"_s);
        const auto violations = read.of(LogEventKind::UniqueViolation);
        QCOMPARE(violations.size(), 1);
        QCOMPARE(violations[0].constraint, u"processed_message_pkey"_s);
        QCOMPARE(violations[0].scope, u"mail"_s);
        QCOMPARE(violations[0].key, u"m-1"_s);
        const auto messages = read.of(LogEventKind::MessageConflict);
        QCOMPARE(messages.size(), 1);
        QCOMPARE(messages[0].scope, u"mail"_s);
        QCOMPARE(messages[0].key, u"m 1"_s);
        QCOMPARE(read.of(LogEventKind::Deadlock).size(), 1);
        QCOMPARE(read.of(LogEventKind::SerializationFailure).size(), 1);
        const auto refused = read.of(LogEventKind::Refused);
        QStringList told;
        for (const LogEvent &event : refused) {
            told += event.sqlState + u' ' + event.scope + u' ' + event.key + u' '
                + event.attributes.value(u"sqlstate"_s);
            QVERIFY(event.keySource != KeySource::Unknown && !event.conflict);
        }
        // A plain log without %e shows only by its shape that a claim was refused, and not of each.
        const bool states = file != u"log";
        QCOMPARE(told,
            states ? QStringList(
                { u"P4010 create_order gone P4010"_s, u"P4011 create_order gone 2 P4011"_s, u"P4029  busy P4029"_s })
                   : QStringList({ u" create_order gone "_s, u" create_order gone 2 "_s }));
        QCOMPARE(read.events.size(), states ? 9 : 8);
        QSet<QByteArray> ids;
        for (const LogEvent &event : read.events) {
            ids.insert(event.id);
        }
        QCOMPARE(ids.size(), read.events.size());
        QSet<QByteArray> again;
        QVERIFY(readLogFile(m_files.value(file), [&again](const LogEvent &event) { again.insert(event.id); }).ok());
        QCOMPARE(again, ids);
    }

    void piecesOfAnySizeGiveTheSame()
    {
        const QMap<QString, LogFormat> formats { { u"csv"_s, LogFormat::Csv }, { u"json"_s, LogFormat::Json },
            { u"log"_s, LogFormat::Stderr } };
        for (const auto &[kind, file] : m_files.asKeyValueRange()) {
            const LogFormat format = formats.value(kind);
            QFile log(file);
            QVERIFY(log.open(QIODevice::ReadOnly));
            const QByteArray bytes = log.readAll();
            QVERIFY(LogReader::detect(bytes) == format);
            const Read whole = readText(format, bytes);
            for (const qsizetype piece : { 1, 7, 4096 }) {
                const Read pieces = readText(format, bytes, piece);
                QCOMPARE(pieces.events.size(), whole.events.size());
                QCOMPARE(pieces.events.last().id, whole.events.last().id);
                QCOMPARE(pieces.counts.records, whole.counts.records);
                QCOMPARE(pieces.counts.lines, whole.counts.lines);
            }
        }
    }

    void plainLogsOfOtherSettings_data()
    {
        QTest::addColumn<QByteArray>("log");
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("key");
        QTest::newRow("SQLSTATE in the prefix")
            << QByteArray("2026-11-20 12:00:00.000 UTC [7] P4002 ERROR:  key reused\n") << u"P4002"_s << QString();
        QTest::newRow("a pid that looks like a state")
            << QByteArray("2026-11-20 12:00:00.000 UTC [23505] ERROR:  other\n") << QString() << QString();
        QTest::newRow("a number without pid in brackets")
            << QByteArray("40001 ERROR:  other\n") << QString() << QString();
        QTest::newRow("number state beside a pid")
            << QByteArray("2026-11-20 12:00:00 UTC [7] 40001 FEHLER:  nicht serialisierbar\n") << u"40001"_s
            << QString();
        QTest::newRow("German") << QByteArray("2026-11-20 12:00:00.000 CET [7] FEHLER:  doppelter Schl\xC3\xBCsselwert "
                                              "verletzt Unique-Constraint \xC2\xBBpk\xC2\xAB\n"
                                              "2026-11-20 12:00:00.000 CET [7] DETAIL:  Schl\xC3\xBCssel "
                                              "\xC2\xBB(scope, key)=(s, k-9)\xC2\xAB existiert bereits.\n")
                                << u"23505"_s << u"k-9"_s;
        QTest::newRow("Spanish") << QByteArray(
            "2026-11-20 12:00:00.000 UTC [7] ERROR:  llave duplicada viola restricci\xC3\xB3n de unicidad \"pk\"\n"
            "2026-11-20 12:00:00.000 UTC [7] DETALLE:  Ya existe la llave (scope, key)=(s, k-9).\n")
                                 << u"23505"_s << u"k-9"_s;
        QTest::newRow("detail of several lines")
            << QByteArray("x [7] ERROR:  reused\nx [7] DETAIL:  existing_hash=a incoming_hash=b\nx [7] STATEMENT:  "
                          "SELECT f('s',\n\t'k-9',\n\t'b')\n")
            << u"P4002"_s << u"k-9"_s;
        QTest::newRow("foreign key") << QByteArray(
            "x [7] ERROR:  insert or update on table \"t\" violates foreign key constraint \"fk\"\n"
            "x [7] DETAIL:  Key (a)=(1) is not present in table \"p\".\n")
                                     << QString() << QString();
        QTest::newRow("bound parameters")
            << QByteArray("x [7] ERROR:  reused\nx [7] DETAIL:  existing_hash=a incoming_hash=b\n"
                          "x [7] CONTEXT:  unnamed portal with parameters: $1 = 's', $2 = 'k-9', $3 = 'b'\n"
                          "x [7] STATEMENT:  SELECT f($1, $2, $3)\n")
            << u"P4002"_s << u"k-9"_s;
        QTest::newRow("bound parameters not logged")
            << QByteArray("x [7] ERROR:  reused\nx [7] DETAIL:  existing_hash=a incoming_hash=b\n"
                          "x [7] STATEMENT:  SELECT f($1, $2, $3)\n")
            << u"P4002"_s << QString();
    }
    void plainLogsOfOtherSettings()
    {
        QFETCH(QByteArray, log);
        QFETCH(QString, state);
        QFETCH(QString, key);
        const Read read = readText(LogFormat::Stderr, log);
        QCOMPARE(read.counts.unread, 0);
        QCOMPARE(read.counts.records, 1);
        QCOMPARE(read.events.size(), state.isEmpty() ? 0 : 1);
        if (!state.isEmpty()) {
            QCOMPARE(read.events[0].sqlState, state);
            QCOMPARE(read.events[0].key, key);
            QVERIFY((read.events[0].keySource == KeySource::Unknown) == key.isEmpty());
        }
    }

    /// An error that says neither its SQLSTATE nor anything known may be any, also a refusal.
    void errorsWithoutAStateAreCounted_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("stateless");
        QTest::newRow("no state") << QByteArray("2026-11-20 12:00:00.000 UTC [12345] shop ERROR:  busy\n") << 1;
        QTest::newRow("no error") << QByteArray("2026-11-20 12:00:00.000 UTC [12345] shop LOG:  busy\n") << 0;
        QTest::newRow("known by its shape") << QByteArray("x [7] ERROR:  no\nx [7] DETAIL:  scope=s key=k\n") << 0;
        QTest::newRow("another state") << QByteArray("2026-11-20 12:00:00 UTC [12345] 22P02 ERROR:  busy\n") << 0;
        QTest::newRow("state of a refusal") << QByteArray("2026-11-20 12:00:00 UTC [12345] P4029 ERROR:  busy\n") << 0;
    }
    void errorsWithoutAStateAreCounted()
    {
        QFETCH(QByteArray, line);
        QFETCH(int, stateless);
        const Read read = readText(LogFormat::Stderr, line + line);
        QCOMPARE(read.counts.records, 2);
        QCOMPARE(read.counts.stateless, 2 * stateless);
    }

    void brokenLogsAreCountedAndGoneOnWith_data()
    {
        QTest::addColumn<LogFormat>("format");
        QTest::addColumn<QByteArray>("log");
        QTest::addColumn<int>("events");
        QTest::addColumn<int>("unread");
        const QByteArray good
            = csv("3", "P4002", "reused", "existing_hash=a incoming_hash=b", "SELECT f('s', 'k', 'b')");
        QTest::newRow("csv cut within quotes") << LogFormat::Csv << good.left(150) + '\n' + good + good << 2 << 1;
        QTest::newRow("csv cut at the end") << LogFormat::Csv << good + good.left(170) << 1 << 1;
        QTest::newRow("csv of another program") << LogFormat::Csv << QByteArray("a,b,c\n1,2,3\n") + good << 1 << 2;
        QTest::newRow("csv with Windows line ends")
            << LogFormat::Csv << QByteArray(good).replace("\n", "\r\n") << 1 << 0;
        QTest::newRow("json cut") << LogFormat::Json
                                  << QByteArray(
                                         "{\"timestamp\":\"x\",\"error_severity\":\"ERROR\",\"state_code\":\"P4002\"\n")
                                  << 0 << 1;
        QTest::newRow("json of another server")
            << LogFormat::Json << QByteArray("{\"prio\":3,\"err_code\":23505}\n[1]\n7\n") << 0 << 3;
        QTest::newRow("json nested 100,000 deep")
            << LogFormat::Application << QByteArray(100'000, '[') + "\n{\"idempotency_key\":\"k\"}\n"
            << 1 << 1;
        QTest::newRow("a line without end") << LogFormat::Json << QByteArray(3 << 20, 'x') << 0 << 1;
        QTest::newRow("a quote without end")
            << LogFormat::Csv << kCsvHead + "\"" + QByteArray(100'000, '\n') + QByteArray(2 << 20, 'x') << 0 << 1;
        QTest::newRow("NUL and control characters") << LogFormat::Stderr << QByteArray("\0\x1B[31m\n", 7) << 0 << 1;
        QTest::newRow("plain lines of another program")
            << LogFormat::Stderr << QByteArray("hello\nworld: no\n") << 0 << 2;
        QTest::newRow("empty") << LogFormat::Csv << QByteArray() << 0 << 0;
    }
    void brokenLogsAreCountedAndGoneOnWith()
    {
        QFETCH(LogFormat, format);
        QFETCH(QByteArray, log);
        QFETCH(int, events);
        QFETCH(int, unread);
        const Read read = readText(format, log, 4096);
        QCOMPARE(read.events.size(), events);
        QCOMPARE(read.counts.unread, unread);
        for (const UnreadLine &line : read.counts.unreadKept) {
            QVERIFY(
                line.text.size() <= LogReader::kMostUnreadChars && line.line > 0 && !line.text.contains(QChar(u'\0')));
        }
    }

    void otherEncodingsAreFlagged()
    {
        const Read read = readText(
            LogFormat::Csv, csv("1", "23505", "duplicate key \"\"pk\"\"", "Key (key)=(caf\xE9) already exists.", "x"));
        QCOMPARE(read.events.size(), 1);
        QVERIFY(read.events[0].otherEncoding);
        QCOMPARE(read.events[0].key, u"café"_s);
        QCOMPARE(read.counts.otherEncoding, 1);
    }

    void unreadLinesAreBounded()
    {
        const Read read = readText(LogFormat::Json, QByteArray("x\n").repeated(10'000));
        QCOMPARE(read.counts.unread, 10'000);
        QCOMPARE(read.counts.unreadKept.size(), LogReader::kMostUnread);
    }

    void applicationLinesAreMapped_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("outcome");
        QTest::addColumn<bool>("conflict");
        QTest::addColumn<bool>("replay");
        QTest::newRow("resolved") << QByteArray(
            R"({"level":"info","idempotency_key":"k-1","constraint_status":"conflict_resolved","retry_count":2})")
                                  << u"k-1"_s << u"conflict_resolved"_s << false << true;
        QTest::newRow("mismatch") << QByteArray(R"({"idempotency_key":"k-1","outcome":"hash_mismatch"})") << u"k-1"_s
                                  << u"hash_mismatch"_s << true << false;
        QTest::newRow("two hashes") << QByteArray(R"({"idempotency_key":"k-1","request_hash":"b","existing_hash":"a"})")
                                    << u"k-1"_s << QString() << true << false;
        QTest::newRow("a replay with two hashes is none")
            << QByteArray(R"({"idempotency_key":"k-1","outcome":"replayed","request_hash":"b","existing_hash":"a"})")
            << u"k-1"_s << u"replayed"_s << true << false;
        QTest::newRow("first time") << QByteArray(R"({"idempotency_key":"k-1","outcome":"created"})") << u"k-1"_s
                                    << u"created"_s << false << false;
        QTest::newRow("a number keeps its text") << QByteArray(R"({"idempotency_key":12345678901234567890.10})")
                                                 << u"12345678901234567890.10"_s << QString() << false << false;
    }
    void applicationLinesAreMapped()
    {
        QFETCH(QByteArray, line);
        QFETCH(QString, key);
        QFETCH(QString, outcome);
        QFETCH(bool, conflict);
        QFETCH(bool, replay);
        const Read read = readText(LogFormat::Application, line + '\n');
        QCOMPARE(read.events.size(), 1);
        QCOMPARE(read.events[0].key, key);
        QCOMPARE(read.events[0].outcome, outcome);
        QCOMPARE(read.events[0].conflict, conflict);
        QCOMPARE(read.events[0].replay, replay);
        QVERIFY(LogReader::detect(line) == LogFormat::Application);
    }

    void outcomesHaveTheirOwnWords()
    {
        const auto mapping = mappingFrom(
            { u"outcome=/result"_s, u"conflict=REJECTED"_s, u"conflict=MISMATCH"_s, u"replay=DUPLICATE"_s });
        QVERIFY(mapping.ok());
        const auto eventOf = [&mapping](const QByteArray &word) {
            return *applicationLine(R"({"idempotency_key":"k-1","result":")" + word + R"("})", *mapping).event;
        };
        QVERIFY(eventOf("rejected").conflict && eventOf("MISMATCH").conflict && !eventOf("hash_mismatch").conflict);
        QVERIFY(eventOf("DUPLICATE").replay && !eventOf("replayed").replay && !eventOf("CREATED").conflict);
        QVERIFY(!mappingFrom({ u"conflict="_s }).ok());
    }

    void whatTiesALineToATraceIsRead()
    {
        QStringList names = sql::logAttributeNames(); // which links of profiles may name
        names.sort();
        QCOMPARE(QStringList(usualAttributes().keys()), names);
        const auto line = applicationLine(R"({"idempotency_key":"k","trace_id":"4bf","spanId":"00f","account":"a-1",
            "retry_count":2,"latency_ms":3.20,"correlation_id":null,"resource_id":""})");
        QVERIFY(line.event);
        QCOMPARE(line.event->attributes,
            (QMap<QString, QString> { { u"trace"_s, u"4bf"_s }, { u"span"_s, u"00f"_s }, { u"tenant"_s, u"a-1"_s },
                { u"retries"_s, u"2"_s }, { u"latency_ms"_s, u"3.20"_s } }));
        const auto mapping = mappingFrom({ u"trace=/ctx/t"_s, u"trace=/t"_s });
        QVERIFY(mapping.ok());
        QCOMPARE(applicationLine(R"({"idempotency_key":"k","trace_id":"4bf","t":"late"})", *mapping)
                     .event->attributes.value(u"trace"_s),
            u"late"_s);
        const QByteArray longest = "{\"idempotency_key\":\"k\",\"trace_id\":\"" + QByteArray(10'000, 'x') + "\"}";
        QCOMPARE(applicationLine(longest).event->attributes.value(u"trace"_s).size(), 300);
        QVERIFY(!mappingFrom({ u"trace=t"_s }).ok());
        QVERIFY(mappingFrom({ u"nope=/t"_s }).error().todo.contains(u"trace"));
    }

    void anotherShapeNeedsOnlyAMapping()
    {
        ApplicationLogMapping mapping;
        mapping.key = { u"/http/headers/Idempotency-Key"_s };
        mapping.time = { u"/at"_s };
        const ApplicationLine line = applicationLine(
            R"({"at":"2026-11-20T12:00:00.5Z","http":{"headers":{"Idempotency-Key":"k/1"}}})", mapping);
        QVERIFY(line.understood && line.event);
        QCOMPARE(line.event->key, u"k/1"_s);
        QCOMPARE(line.event->time->toRfc3339(), u"2026-11-20T12:00:00.500000Z"_s);
        QVERIFY(!applicationLine(R"({"at":"x"})", mapping).event);
    }

    void hashedKeysAreFoundAmongKnownOnes()
    {
        KeyHashes hashes;
        for (int i = 0; i < 1'000; ++i) {
            hashes.add(u"orders"_s, u"k-%1"_s.arg(i));
        }
        const auto hex = [](const QByteArray &text, QCryptographicHash::Algorithm algorithm) {
            return QString::fromLatin1(QCryptographicHash::hash(text, algorithm).toHex());
        };
        QCOMPARE(hashes.keyOf(hex("k-77", QCryptographicHash::Sha256))->key, u"k-77"_s);
        QCOMPARE(hashes.keyOf(hex("k-77", QCryptographicHash::Sha256).left(16))->key, u"k-77"_s);
        QCOMPARE(hashes.keyOf(hex("orders:k-5", QCryptographicHash::Md5))->key, u"k-5"_s);
        QVERIFY(!hashes.keyOf(hex("k-1001", QCryptographicHash::Sha256)));
        QVERIFY(!hashes.keyOf(u"nonsense"_s));
        hashes.add(u"other"_s, u"k-77"_s);
        QVERIFY(!hashes.keyOf(hex("k-77", QCryptographicHash::Sha256))); // two scopes: which is not known
    }

    void literalsAreFound_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QStringList>("literals");
        QTest::newRow("quoted") << u"SELECT f('a', 'it''s', '')"_s << QStringList { u"a"_s, u"it's"_s, u""_s };
        QTest::newRow("escapes") << u"SELECT E'a\\'b', 'a\\'"_s << QStringList { u"a'b"_s, u"a\\"_s };
        QTest::newRow("dollars") << u"SELECT $$it's$$, $x$a$$b$x$, $1"_s << QStringList { u"it's"_s, u"a$$b"_s };
        QTest::newRow("comments and identifiers")
            << u"SELECT \"it's\" /* 'no' */, 'yes' -- 'no'\n, 'also'"_s << QStringList { u"yes"_s, u"also"_s };
        QTest::newRow("cut") << u"SELECT 'a', 'b"_s << QStringList { u"a"_s };
        QTest::newRow("cut dollars") << u"SELECT 'a', $$b"_s << QStringList { u"a"_s };
    }
    void literalsAreFound()
    {
        QFETCH(QString, sql);
        QFETCH(QStringList, literals);
        QStringList found;
        for (const Literal &literal : literalsOf(sql)) {
            found += literal.value;
        }
        QCOMPARE(found, literals);
        QCOMPARE(literalsOf(u"f(p_key => 'k')"_s).first().name, u"p_key"_s);
    }

    void randomBytesNeverHarm()
    {
        for (quint32 seed = 0; seed < 200; ++seed) {
            QRandomGenerator random(seed);
            QByteArray log
                = csv("1", "P4002", "reused", "existing_hash=a incoming_hash=b", "SELECT f('s', 'k', 'b')").repeated(3)
                + "{\"idempotency_key\":\"k\"}\n2026-11-20 [1] ERROR:  x\n\tmore\n";
            for (int i = 0; i < 40; ++i) {
                log[random.bounded(int(log.size()))] = char(random.bounded(256));
            }
            for (const LogFormat format :
                { LogFormat::Csv, LogFormat::Json, LogFormat::Stderr, LogFormat::Application }) {
                const Read read = readText(format, log, qsizetype(1 + random.bounded(64)));
                QVERIFY(read.counts.lines >= read.counts.records);
                QCOMPARE(read.counts.events, read.events.size());
            }
        }
    }

    void filesAreReadWithProgressAndCancelled()
    {
        const QString path = m_folder.filePath(u"big.csv"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray chunk = csv("1", "00000", "connection received", "", "x").repeated(999)
            + csv("1", "P4002", "reused", "existing_hash=a incoming_hash=b", "SELECT f('s', 'k', 'b')");
        for (int i = 0; i < 100; ++i) {
            file.write(chunk);
        }
        file.close();
        qint64 last = 0;
        LogFileOptions options;
        options.progress = [&last](qint64 done, qint64) {
            QVERIFY(done > last);
            last = done;
        };
        QElapsedTimer timer;
        timer.start();
        const auto counts = readLogFile(path, {}, options);
        QVERIFY(counts.ok());
        QCOMPARE(counts->events, 100);
        QCOMPARE(counts->records, 100'000);
        QCOMPARE(last, file.size());
        qInfo("%lld MB of csvlog in %lld ms", file.size() / 1'000'000, timer.elapsed());
        options.progress = {};
        options.cancelled = [] { return true; };
        QVERIFY(readLogFile(path, {}, options).error().kind == sql::ErrorKind::Cancelled);
        QVERIFY(readLogFile(m_folder.filePath(u"absent"_s), {}).error().kind == sql::ErrorKind::File);
        QVERIFY(readLogFile(m_folder.path(), {}).error().kind == sql::ErrorKind::File);
    }
};

QTEST_GUILESS_MAIN(LogsTest)
#include "tst_logs.moc"
