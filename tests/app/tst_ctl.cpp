// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program_run.h"
#include "tests/support/test_cluster.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

/// The terminal program as a person or a script calls it: its own process, a real database.
class CtlTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<TestCluster> m_cluster;

    static ProgramRun call(const QString &program, const QStringList &arguments)
    {
        ProgramCall how { privateEnvironment() };
        how.environment.insert(u"PGPASSFILE"_s, u"/nonexistent"_s);
        return runProgram(program, arguments, how);
    }
    static ProgramRun ctl(const QStringList &arguments) { return call(QStringLiteral(IDEMDESKCTL), arguments); }
    ProgramRun onDatabase(QStringList arguments)
    {
        arguments += { u"--connect"_s, m_cluster->conninfo(u"demo"_s) };
        return ctl(arguments);
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<TestCluster>();
        m_cluster->createDatabase(u"demo"_s);
        for (const QString &seed : { u"000"_s, u"001"_s, u"002"_s, u"003"_s }) {
            m_cluster->psqlFile(u"demo"_s, u"sql/demo/schema_"_s + seed + u".sql"_s);
        }
        m_cluster->psqlFile(u"demo"_s, u"tests/support/ordinary_tables.sql"_s);
        m_cluster->psql(u"demo"_s,
            u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
            u"attempt_count, "
            "  locked_until, claimed_by, created_at, expires_at, response_body, result_ref_type, result_ref_id) "
            "SELECT CASE i % 3 WHEN 0 THEN 'create_order' ELSE 'payments' END, 'key-' || i, md5(i::text), "
            "  (ARRAY['processing', 'succeeded', 'failed_retryable', 'failed_final'])[1 + i % "
            "4]::app.idempotency_status, "
            "  1 + i % 5, CASE WHEN i % 4 = 0 THEN now() + ((i % 7) - 4) * interval '10 minutes' END, 'worker-' || i % "
            "6, "
            "  now() - interval '30 days' - i * interval '1 minute', now() + (300 - i) * interval '1 hour', "
            "  CASE WHEN i % 4 = 1 THEN '{\"total\": 10.500, \"big\": 12345678901234567890.10}'::jsonb END, NULL, NULL "
            "FROM generate_series(1, 500) AS i; "
            "CREATE ROLE stranger LOGIN;"_s);
    }
    void cleanupTestCase() { m_cluster.reset(); }

    void scopesAndRetriesAreThoseOfASecondSql()
    {
        const ProgramRun run = onDatabase({ u"scopes"_s, u"--target"_s, u"plpgsql-request"_s, u"--json"_s });
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QCOMPARE(QString::number(run.items().size()),
            m_cluster->psql(u"demo"_s, u"SELECT count(DISTINCT idempotency_scope) FROM app.idempotency_request"_s));
        const ProgramRun retries
            = onDatabase({ u"scopes"_s, u"--retries"_s, u"--target"_s, u"plpgsql-request"_s, u"--json"_s });
        QVERIFY2(retries.status == 0, qPrintable(retries.err));
        QStringList mine;
        for (const QJsonValue &value : retries.items()) {
            const QJsonObject one = value.toObject();
            mine += u"%1 %2 %3 %4"_s.arg(one.value(u"scope"_s).toObject().value(u"scope"_s).toString())
                        .arg(one.value(u"first_attempts"_s).toInteger())
                        .arg(one.value(u"retried"_s).toInteger())
                        .arg(one.value(u"most_attempts"_s).toInteger());
        }
        mine.sort();
        QStringList theirs = m_cluster
                                 ->psql(u"demo"_s,
                                     u"SELECT concat_ws(' ', idempotency_scope, count(*) FILTER (WHERE attempt_count = "
                                     u"1), count(*) FILTER (WHERE attempt_count > 1), max(attempt_count)) "
                                     "FROM app.idempotency_request GROUP BY idempotency_scope"_s)
                                 .split(u'\n');
        theirs.sort();
        QCOMPARE(mine, theirs);
        QCOMPARE(onDatabase({ u"scopes"_s, u"--retries"_s, u"--target"_s, u"pending-key"_s }).status, 5); // no attempts
    }

    /// When a message is due and how urgent a job is: columns, filters and orders, as the profile names them.
    void fieldsOfTheProfileAreFiltersAndOrders()
    {
        m_cluster->psql(u"demo"_s,
            u"INSERT INTO seed003.work_item (work_item_id, priority, available_at) SELECT "
            "('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, i % 5, now() + (i - 20) * interval '1 hour' "
            "FROM generate_series(1, 40) i"_s);
        const QStringList rows = m_cluster
                                     ->psql(u"demo"_s,
                                         u"SELECT concat_ws(' ', work_item_id, priority) FROM seed003.work_item WHERE "
                                         "priority >= 3 AND available_at < now() ORDER BY available_at DESC, 1"_s)
                                     .split(u'\n');
        const ProgramRun listed = onDatabase({ u"keys"_s, u"--target"_s, u"work-item"_s, u"--filter"_s,
            u"priority>=3 available<now"_s, u"--order"_s, u"-available"_s, u"--json"_s });
        QVERIFY2(listed.status == 0, qPrintable(listed.err));
        QStringList mine;
        for (const QJsonValue &value : listed.items()) {
            const QJsonObject one = value.toObject();
            const QJsonObject fields = one.value(u"fields"_s).toObject();
            mine += u"%1 %2"_s.arg(one.value(u"key"_s).toString()).arg(fields.value(u"priority"_s).toInteger());
            QVERIFY(QDateTime::fromString(fields.value(u"available"_s).toString(), Qt::ISODateWithMs).isValid());
        }
        QCOMPARE(mine, rows);
        const ProgramRun text = onDatabase(
            { u"keys"_s, u"--target"_s, u"work-item"_s, u"--limit"_s, u"1"_s, u"--order"_s, u"priority"_s });
        QVERIFY2(text.out.contains("PRIORITY") && text.out.contains("AVAILABLE"), text.out.constData());
        const ProgramRun csv
            = onDatabase({ u"export"_s, u"--target"_s, u"work-item"_s, u"--filter"_s, u"priority:4"_s });
        QVERIFY2(csv.out.left(csv.out.indexOf('\r')).endsWith(",priority,available"), csv.out.constData());
        const ProgramRun unknown
            = onDatabase({ u"keys"_s, u"--target"_s, u"plpgsql-request"_s, u"--filter"_s, u"priority>=3"_s });
        QCOMPARE(unknown.status, 2); // a table whose profile has no such field
        m_cluster->psql(u"demo"_s, u"DELETE FROM seed003.work_item"_s);
    }

    void exportWritesAllThatMatches()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(u"stale.jsonl"_s);
        const ProgramRun run = onDatabase({ u"export"_s, u"--target"_s, u"plpgsql-request"_s, u"--filter"_s,
            u"state:stale"_s, u"--format"_s, u"jsonl"_s, u"-o"_s, file });
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(QString::number(written.readAll().count('\n')),
            m_cluster->psql(u"demo"_s,
                u"SELECT count(*) FROM app.idempotency_request WHERE status = 'processing' AND locked_until < now()"_s));
        QCOMPARE(QFile::permissions(file) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
        QCOMPARE(onDatabase({ u"export"_s, u"--target"_s, u"plpgsql-request"_s, u"-o"_s, file }).status,
            2); // nothing is overwritten
        QCOMPARE(onDatabase({ u"export"_s, u"--target"_s, u"plpgsql-request"_s, u"--format"_s, u"xml"_s }).status, 2);
        const ProgramRun out
            = onDatabase({ u"export"_s, u"--target"_s, u"plpgsql-request"_s, u"--filter"_s, u"state:stale"_s });
        QVERIFY(out.status == 0 && out.out.count('\n') > 1);
        QCOMPARE(
            onDatabase({ u"export"_s, u"--target"_s, u"plpgsql-request"_s, u"-o"_s, u"/proc/nowhere/x.csv"_s }).status,
            1);
    }

    void checkNamesWhatIsWrong()
    {
        const ProgramRun run = onDatabase({ u"check"_s, u"--target"_s, u"plpgsql-request"_s, u"--json"_s });
        QVERIFY2(run.status == 0 || run.status == 1, qPrintable(run.err));
        const QJsonArray items = run.items();
        QStringList ids;
        bool problem = false;
        for (const QJsonValue &item : items) {
            const QJsonObject finding = item.toObject();
            ids += finding.value(u"id"_s).toString();
            problem = problem || finding.value(u"level"_s) == u"problem"_s;
            QVERIFY(!finding.value(u"seen"_s).toString().isEmpty());
        }
        QVERIFY(ids.contains(u"unique_key"_s) && ids.contains(u"retention"_s));
        QCOMPARE(run.status, problem ? 1 : 0);
        const ProgramRun text = onDatabase({ u"check"_s, u"--target"_s, u"plpgsql-request"_s, u"--all"_s });
        QVERIFY2(text.out.contains("One winner for each key"), text.out.constData());
        QCOMPARE(onDatabase({ u"check"_s, u"--target"_s, u"no-such-target"_s }).status, 2);
    }

    void trendsCountEveryKeyOnce()
    {
        const ProgramRun run = onDatabase({ u"trends"_s, u"--target"_s, u"plpgsql-request"_s, u"--metric"_s,
            u"retries"_s, u"--bucket"_s, u"1d"_s, u"--since"_s, u"60d"_s, u"--by"_s, u"scope"_s, u"--json"_s });
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QMap<QString, double> sums;
        const QJsonArray items = run.items();
        for (const QJsonValue &item : items) {
            const QJsonArray points = item[u"points"].toArray();
            QCOMPARE(points.size(), 61);
            QVERIFY(points.last()[u"open"].toBool());
            for (const QJsonValue &point : points) {
                sums[item[u"scope"][u"scope"].toString()] += point[u"value"].toDouble();
            }
        }
        const auto retries = [this](const QString &scope) {
            return m_cluster
                ->psql(u"demo"_s,
                    u"SELECT sum(attempt_count - 1) FROM app.idempotency_request WHERE idempotency_scope = '"_s + scope
                        + u'\'')
                .toDouble();
        };
        QCOMPARE(sums.size(), 2);
        QCOMPARE(sums.value(u"create_order"_s), retries(u"create_order"_s));
        QCOMPARE(sums.value(u"payments"_s), retries(u"payments"_s));
        QCOMPARE(
            onDatabase({ u"trends"_s, u"--target"_s, u"plpgsql-request"_s, u"--metric"_s, u"backlog"_s }).status, 5);
        QCOMPARE(
            onDatabase({ u"trends"_s, u"--target"_s, u"plpgsql-request"_s, u"--since"_s, u"yesterday"_s }).status, 2);
    }

    void filteredKeysAreJustThoseOfSql_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("where");
        QTest::newRow("stale with many attempts")
            << u"state:stale attempts>=3"_s
            << u"status = 'processing' AND locked_until < now() AND attempt_count >= 3"_s;
        QTest::newRow("two states") << u"state:failed_final,failed_retryable"_s
                                    << u"status IN ('failed_final', 'failed_retryable')"_s;
        QTest::newRow("negation") << u"-scope:payments"_s << u"idempotency_scope <> 'payments'"_s;
        QTest::newRow("prefix") << u"key:key-4*"_s << u"idempotency_key LIKE 'key-4%'"_s;
        QTest::newRow("owner") << u"owner:worker-2 state:succeeded"_s
                               << u"claimed_by = 'worker-2' AND status = 'succeeded'"_s;
        QTest::newRow("expired") << u"expires<now"_s << u"expires_at < now()"_s;
        QTest::newRow("bare word is a key") << u"key-77"_s << u"idempotency_key = 'key-77'"_s;
        QTest::newRow("none") << u"key:absent"_s << u"false"_s;
        QTest::newRow("all") << QString() << u"true"_s;
    }
    void filteredKeysAreJustThoseOfSql()
    {
        QFETCH(QString, filter);
        QFETCH(QString, where);
        QStringList words { u"keys"_s, u"--target"_s, u"plpgsql-request"_s, u"--limit"_s, u"1000"_s, u"--json"_s };
        if (!filter.isEmpty()) { // an empty one is refused: it may be a variable that was never set
            words += { u"--filter"_s, filter };
        }
        const ProgramRun run = onDatabase(words);
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QStringList keys;
        const QJsonArray items = run.items();
        for (const QJsonValue &item : items) {
            keys += item[u"key"].toString();
            QVERIFY(item[u"scope"].isObject());
        }
        keys.sort();
        const QStringList expected
            = m_cluster
                  ->psql(u"demo"_s,
                      u"SELECT string_agg(idempotency_key, ',' ORDER BY idempotency_key COLLATE \"C\") FROM app.idempotency_request WHERE "_s
                          + where)
                  .split(u',', Qt::SkipEmptyParts);
        QCOMPARE(keys, expected);
    }

    void pagesJoinWithoutLossOrRepeat()
    {
        QStringList keys;
        QString after;
        int pages = 0;
        do {
            QStringList arguments { u"keys"_s, u"--target"_s, u"plpgsql-request"_s, u"--limit"_s, u"137"_s,
                u"--json"_s };
            if (!after.isEmpty()) {
                arguments += { u"--after"_s, after };
            }
            const ProgramRun run = onDatabase(arguments);
            QVERIFY2(run.status == 0, qPrintable(run.err));
            const QJsonArray items = run.items();
            for (const QJsonValue &item : items) {
                keys += item[u"scope"][u"scope"].toString() + u'/' + item[u"key"].toString();
            }
            after = run.json().value(u"next"_s).toString();
            QVERIFY(++pages < 10);
        } while (!after.isEmpty());
        QCOMPARE(pages, 4);
        QCOMPARE(keys.size(), 500);
        keys.removeDuplicates();
        QCOMPARE(keys.size(), 500);
    }

    void showTellsTheStory()
    {
        const ProgramRun run = onDatabase({ u"show"_s, u"key-1"_s, u"--target"_s, u"plpgsql-request"_s, u"--scope"_s,
            u"scope=payments"_s, u"--json"_s });
        QVERIFY2(run.status == 0, qPrintable(run.err));
        const QJsonArray items = run.items();
        QCOMPARE(items.size(), 1);
        QVERIFY(!items[0][u"story"].toArray().isEmpty());
        QCOMPARE(items[0][u"columns"][u"idempotency_key"].toString(), u"key-1"_s);
        QVERIFY(run.out.contains("12345678901234567890.10")); // numbers keep their text
        QVERIFY(run.out.contains("10.500"));
    }

    /// key-1 succeeded; key-2 may retry; key-3 failed for good; key-4 is in progress.
    void showTellsWhatARetryDoes()
    {
        const auto shown = [this](const QString &key, bool json) {
            QStringList arguments { u"show"_s, key, u"--target"_s, u"plpgsql-request"_s };
            return onDatabase(arguments + (json ? QStringList { u"--json"_s } : QStringList()));
        };
        const QJsonValue done = shown(u"key-1"_s, true).items()[0][u"retry"];
        QCOMPARE(done[u"same"][u"outcome"].toString(), u"replay"_s);
        QCOMPARE(done[u"other"][u"outcome"].toString(), u"conflict"_s);
        QCOMPARE(done[u"other"][u"sqlstate"].toString(), u"P4002"_s);
        QVERIFY(shown(u"key-1"_s, false).out.startsWith("A retry now gets the stored answer; nothing runs again."));
        QCOMPARE(shown(u"key-3"_s, true).items()[0][u"retry"][u"same"][u"sqlstate"].toString(), u"P4030"_s);
        QCOMPARE(shown(u"key-2"_s, true).items()[0][u"retry"][u"same"][u"outcome"].toString(), u"takes_over"_s);
        m_cluster->psql(u"demo"_s,
            u"UPDATE app.idempotency_request SET locked_until = '2126-01-01', failure_code = '55P03' WHERE "
            "idempotency_key = 'key-4'"_s);
        const QJsonValue held = shown(u"key-4"_s, true).items()[0];
        QCOMPARE(held[u"retry"][u"same"][u"outcome"].toString(), u"wait"_s);
        QVERIFY(held[u"retry"][u"same"][u"until"].toString().startsWith(u"2126-01-01T"_s));
        QCOMPARE(held[u"error"][u"class"].toString(), u"passing"_s);
    }

    void causesAreThoseOfASecondSql()
    {
        m_cluster->psql(u"demo"_s,
            u"UPDATE app.idempotency_request SET failure_code = (ARRAY['55P03', '40P01', 'card_declined', NULL])[1 + "
            "attempt_count % 4], failure_message = 'Attempt ' || attempt_count || ' of order ' || idempotency_key "
            "WHERE status::text LIKE 'failed%'"_s);
        const QStringList causes { u"causes"_s, u"--target"_s, u"plpgsql-request"_s };
        const ProgramRun run = onDatabase(causes + QStringList { u"--json"_s });
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QStringList mine;
        for (const QJsonValue &one : run.items()) {
            mine += u"%1 %2 %3"_s.arg(one[u"cause"].toString())
                        .arg(one[u"final"].toInteger())
                        .arg(one[u"retryable"].toInteger());
            const bool passing = one[u"cause"].toString() == u"55P03" || one[u"cause"].toString() == u"40P01";
            const bool word = one[u"cause"].toString() == u"card_declined"; // a service's own
            QCOMPARE(one[u"error"][u"class"].toString(), passing ? u"passing"_s : word ? u"final"_s : QString());
            QCOMPARE(one[u"error"][u"by_name"].toBool(), word);
            QCOMPARE(one[u"missing"].isString(), passing); // the table is not registered here
        }
        mine.sort();
        QStringList theirs = m_cluster
                                 ->psql(u"demo"_s,
                                     u"SELECT concat_ws(' ', coalesce(failure_code, 'Attempt # of order key-#'), "
                                     "count(*) FILTER (WHERE status = 'failed_final'), count(*) FILTER (WHERE status = "
                                     "'failed_retryable')) FROM app.idempotency_request WHERE status::text LIKE "
                                     "'failed%' GROUP BY failure_code"_s)
                                 .split(u'\n');
        theirs.sort();
        QCOMPARE(mine, theirs);
        const QJsonObject few = onDatabase(causes + QStringList { u"--rows"_s, u"10"_s, u"--json"_s }).json();
        QCOMPARE(few[u"looked_at"_s].toInt(), 10);
        QVERIFY(few[u"bounded"_s].toBool() && few[u"newest"_s].toBool());
        QVERIFY(onDatabase(causes + QStringList { u"--rows"_s, u"10"_s }).err.contains(u"Of the 10 newest"_s));
        // Its filter finds just the cause's keys.
        const QString filter = run.items()[0][u"filter"].toString();
        const ProgramRun keys = onDatabase({ u"keys"_s, u"--target"_s, u"plpgsql-request"_s, u"--filter"_s, filter,
            u"--limit"_s, u"1000"_s, u"--json"_s });
        QCOMPARE(keys.items().size(), run.items()[0][u"final"].toInteger() + run.items()[0][u"retryable"].toInteger());
        QCOMPARE(onDatabase({ u"causes"_s, u"--target"_s, u"started-key"_s, u"--json"_s }).items().size(), 0);
    }

    void detectNamesJustTheKeyStores()
    {
        const ProgramRun run = onDatabase({ u"detect"_s, u"--json"_s });
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QStringList strong;
        QStringList weak;
        const QJsonArray items = run.items();
        for (const QJsonValue &item : items) {
            (item[u"confidence"].toInt() >= 50 ? strong : weak) += item[u"relation"].toString().remove(u'"');
        }
        strong.sort();
        const QStringList expected { u"app.idempotency_request"_s, u"app.outbox_event"_s, u"app.processed_message"_s,
            u"seed000.idempotency_keys"_s, u"seed000.idempotency_keys_heartbeat"_s, u"seed002.idempotency_keys"_s,
            u"seed002.idempotency_keys_partitioned"_s, u"seed003.case_command"_s, u"seed003.case_transition_command"_s,
            u"seed003.idempotency_request"_s, u"seed003.import_row_result"_s, u"seed003.inbox_message"_s,
            u"seed003.outbox_event"_s, u"seed003.processed_message"_s, u"seed003.work_item"_s };
        QCOMPARE(strong, expected);
        QCOMPARE(weak, QStringList { u"app.idempotency_keys"_s });
    }

    void targetsCheck()
    {
        const ProgramRun good = onDatabase({ u"targets"_s, u"check"_s, u"plpgsql-request"_s, u"--json"_s });
        QVERIFY2(good.status == 0, qPrintable(good.err + QString::fromUtf8(good.out)));
        const ProgramRun elsewhere
            = onDatabase({ u"targets"_s, u"check"_s, u"plpgsql-request"_s, u"--relation"_s, u"app.customer_order"_s });
        QCOMPARE(elsewhere.status, 1);
    }

    void exitStatuses_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        const QString stranger = m_cluster->conninfoAs(u"stranger"_s, u"demo"_s);
        QTest::newRow("no command") << QStringList() << 2 << u"Usage"_s;
        QTest::newRow("unknown command") << QStringList { u"destroy"_s } << 2 << u"not a command"_s;
        QTest::newRow("unknown option") << QStringList { u"keys"_s, u"--frobnicate"_s } << 2 << u"frobnicate"_s;
        QTest::newRow("no target") << QStringList { u"keys"_s, u"--connect"_s, m_cluster->conninfo(u"demo"_s) } << 2
                                   << u"--target"_s;
        QTest::newRow("no such target") << QStringList { u"keys"_s, u"--target"_s, u"nothing"_s } << 2
                                        << u"plpgsql-request"_s;
        QTest::newRow("password in the text") << QStringList { u"keys"_s, u"--target"_s, u"plpgsql-request"_s,
            u"--connect"_s, u"host=x password=canary"_s }
                                              << 2 << u"password"_s;
        QTest::newRow("password in the URI")
            << QStringList { u"detect"_s, u"--connect"_s, u"postgresql://me:canary@127.0.0.1/x"_s } << 2
            << u"password"_s;
        QTest::newRow("no such database")
            << QStringList { u"detect"_s, u"--connect"_s, m_cluster->conninfo(u"absent"_s) } << 1 << u"absent"_s;
        QTest::newRow("no right") << QStringList { u"keys"_s, u"--target"_s, u"plpgsql-request"_s, u"--connect"_s,
            stranger } << 3 << u"SELECT"_s;
        QTest::newRow("filter error") << QStringList { u"keys"_s, u"--target"_s, u"plpgsql-request"_s, u"--connect"_s,
            m_cluster->conninfo(u"demo"_s), u"--filter"_s, u"attempts>=many"_s }
                                      << 2 << u"^"_s;
        QTest::newRow("no such key") << QStringList { u"show"_s, u"absent"_s, u"--target"_s, u"plpgsql-request"_s,
            u"--connect"_s, m_cluster->conninfo(u"demo"_s) }
                                     << 1 << u"absent"_s;
        QTest::newRow("bad cursor") << QStringList { u"keys"_s, u"--target"_s, u"plpgsql-request"_s, u"--connect"_s,
            m_cluster->conninfo(u"demo"_s), u"--after"_s, u"garbage"_s }
                                    << 2 << u"--after"_s;
        QTest::newRow("help") << QStringList { u"keys"_s, u"--help"_s } << 0 << QString();
    }
    void exitStatuses()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QString, says);
        const ProgramRun run = ctl(arguments);
        QVERIFY2(run.status == status, qPrintable(QString::number(run.status) + u": "_s + run.err));
        QVERIFY2(run.err.contains(says), qPrintable(run.err));
        QVERIFY(!run.err.contains(u"canary"_s));
    }

    /// Two days off on this computer: staleness and expiry stay the server's.
    void clockTwoDaysOff()
    {
        const QStringList arguments { u"keys"_s, u"--target"_s, u"plpgsql-request"_s, u"--filter"_s, u"state:stale"_s,
            u"--limit"_s, u"1000"_s, u"--json"_s, u"--connect"_s, m_cluster->conninfo(u"demo"_s) };
        const ProgramRun now = ctl(arguments);
        const ProgramRun ahead
            = call(u"faketime"_s, QStringList { u"-f"_s, u"+2d"_s, QStringLiteral(IDEMDESKCTL) } + arguments);
        const ProgramRun behind
            = call(u"faketime"_s, QStringList { u"-f"_s, u"-2d"_s, QStringLiteral(IDEMDESKCTL) } + arguments);
        QVERIFY2(
            now.status == 0 && ahead.status == 0 && behind.status == 0, qPrintable(now.err + ahead.err + behind.err));
        QVERIFY(!now.items().isEmpty());
        QCOMPARE(ahead.items().size(), now.items().size());
        QCOMPARE(behind.items().size(), now.items().size());
    }

    void activityShowsWhoHoldsALock()
    {
        QProcess holder;
        const auto leave = qScopeGuard([&holder] {
            holder.closeWriteChannel();
            holder.waitForFinished();
        });
        holder.start(idemdesk::app::PrivateCluster::program(u"psql"_s),
            { u"-X"_s, u"-q"_s, u"-d"_s, m_cluster->conninfo(u"demo"_s) });
        holder.write("SET application_name = 'migration';\nBEGIN;\nLOCK TABLE app.idempotency_request IN ACCESS "
                     "EXCLUSIVE MODE;\n");
        QVERIFY(holder.waitForBytesWritten());
        QTRY_COMPARE(m_cluster->psql(u"demo"_s,
                         u"SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted "
                         "AND relation = to_regclass('app.idempotency_request')"_s),
            u"1"_s);
        const ProgramRun run = onDatabase({ u"activity"_s, u"--json"_s });
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QVERIFY2(run.out.contains("migration"), qPrintable(QString::fromUtf8(run.out) + run.err));
        QVERIFY(run.out.contains("AccessExclusiveLock"));
    }

    /// As a DBA installs it, an operator looks, and somebody tampers.
    void consoleFromInstallToRemoval()
    {
        m_cluster->createDatabase(u"governed"_s);
        m_cluster->psql(u"governed"_s, u"CREATE ROLE ctl_viewer LOGIN"_s);
        const QStringList asOwner { u"--connect"_s, m_cluster->conninfo(u"governed"_s), u"--json"_s };
        const QStringList asViewer { u"--connect"_s, m_cluster->conninfoAs(u"ctl_viewer"_s, u"governed"_s),
            u"--json"_s };
        ProgramRun run = ctl(QStringList { u"console"_s, u"status"_s } + asViewer);
        QCOMPARE(run.status, 3);
        QCOMPARE(run.json().value(u"installed"_s).toInt(-1), 0);
        run = ctl(QStringList { u"console"_s, u"install"_s } + asViewer);
        QCOMPARE(run.status, 3);
        run = ctl(QStringList { u"console"_s, u"install"_s } + asOwner);
        QVERIFY2(run.status == 0, qPrintable(run.err));
        m_cluster->psql(u"governed"_s, u"GRANT idemdesk_viewer TO ctl_viewer"_s);
        run = ctl(QStringList { u"console"_s, u"status"_s } + asViewer);
        QVERIFY2(run.status == 0, run.out.constData());
        QCOMPARE(run.json().value(u"installed"_s), run.json().value(u"known"_s));
        QCOMPARE(run.json().value(u"can_act"_s).toBool(), false);
        run = ctl(QStringList { u"audit"_s, u"verify"_s } + asViewer);
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QVERIFY(run.json().value(u"intact"_s).toBool());
        m_cluster->psql(u"governed"_s,
            u"ALTER TABLE idemdesk.audit DISABLE TRIGGER keep_rows; UPDATE idemdesk.audit_head SET seq = 7"_s);
        run = ctl(QStringList { u"console"_s, u"status"_s } + asViewer);
        QCOMPARE(run.status, 3);
        QVERIFY(run.out.contains("keep_rows"));
        run = ctl(QStringList { u"audit"_s, u"verify"_s } + asViewer);
        QCOMPARE(run.status, 1);
        QVERIFY(!run.json().value(u"intact"_s).toBool());
        run = ctl(QStringList { u"console"_s, u"uninstall"_s } + asOwner);
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QVERIFY(run.json().value(u"trail_kept"_s).toBool());
        QVERIFY(ctl({ u"console"_s, u"sql"_s }).out.startsWith("BEGIN;"));
        QCOMPARE(ctl({ u"console"_s, u"nonsense"_s }).status, 2);
    }
};

QTEST_GUILESS_MAIN(CtlTest)
#include "tst_ctl.moc"
