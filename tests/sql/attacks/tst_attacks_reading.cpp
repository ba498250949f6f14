// SPDX-License-Identifier: GPL-3.0-or-later
// Attacks of those who look: what the console keeps of a table's values is read by whoever may read them there.
#include "tests/support/console_fixture.h"

#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

#include <libpq-fe.h>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

const QString kSecret = u"4111-1111-SECRET"_s;

class AttacksReadingTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;

    Connection &root() { return m_console->root(); }
    /// Everything that a login can read through relations of the console.
    QString allOf(const QString &login)
    {
        const auto reader = m_console->as(login);
        QString all;
        const auto relations = root().run(
            u"SELECT c.oid::regclass FROM pg_class c WHERE c.relnamespace = 'idemdesk'::regnamespace AND c.relkind IN ('r', 'p', 'v')"_s);
        for (const QStringList &relation : relations.rows) {
            all += reader->value(u"SELECT coalesce(string_agg(t::text, ' '), '') FROM %1 t"_s.arg(relation.first()));
        }
        return all;
    }
    /// A rule that reads a column, so that what fails tells its value.
    static QString telling()
    {
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"[\"status\",\"'failed'\"],[\"locked_until\",\"NULL\"]"_s,
            u"[\"status\",\"'failed'\"],[\"attempts\",\"(t.attempts + CASE WHEN t.key = 'k001' THEN (t.result)::pg_catalog.int4 ELSE 1 END)\"]"_s);
        return compiled;
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_console = std::make_unique<ConsoleFixture>();
        root().run(u"CREATE ROLE rep LOGIN; GRANT idemdesk_reporter TO rep"_s);
    }
    void init() { m_console->fresh(); }

    /// 13, 14: scopes, keys and payloads, by a viewer without a right and by one whom row security shows a part.
    void samplesAndConflicts_data()
    {
        QTest::addColumn<QString>("given");
        QTest::newRow("without SELECT") << u"SELECT 1"_s;
        QTest::newRow("some columns") << u"GRANT SELECT (tenant, key) ON app.k TO viewer"_s;
        QTest::newRow("some rows")
            << u"GRANT SELECT ON app.k TO viewer; ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; CREATE POLICY part ON "
               u"app.k TO viewer USING (tenant = 't0'); "
               "CREATE POLICY run ON app.k TO idemdesk_runner_app_owner, op USING (true) WITH CHECK (true)"_s;
    }
    void samplesAndConflicts()
    {
        QFETCH(QString, given);
        QVERIFY(
            root()
                .run(
                    u"UPDATE app.k SET tenant = 'secret tenant' WHERE key = 'k001'; GRANT USAGE ON SCHEMA app TO viewer"_s)
                .ok());
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->value(u"SELECT idemdesk.take_sample('k')"_s).toInt() > 0);
        const auto service = m_console->as(u"rep"_s);
        for (const QString &target : { u"NULL"_s, u"'k'"_s, u"'no such target'"_s }) {
            QVERIFY(
                service
                    ->run(
                        u"SELECT idemdesk.record_conflict('secret tenant', 'secret key', 'a', 'b', '{\"card\": \"secret payload\"}', NULL, %1)"_s
                            .arg(target))
                    .ok());
        }
        const QString before = allOf(u"op"_s);
        QVERIFY(before.contains(u"secret tenant"_s) && before.contains(u"secret key"_s)
            && before.contains(u"secret payload"_s));
        QCOMPARE(op->value(u"SELECT count(*) FROM idemdesk.conflict_seen"_s), u"3"_s);
        QVERIFY(root().run(given).ok());
        const QString seen = allOf(u"viewer"_s);
        QVERIFY2(!seen.contains(u"secret"_s),
            qPrintable(seen.mid(qMax<qsizetype>(0, seen.indexOf(u"secret"_s) - 200), 400)));
        QVERIFY2(!seen.contains(u"[\\\"\"t1"_s) && !seen.contains(u"[\"\"t1"_s), "another tenant's scope");
        // The numbers of all scopes together are no value of any column, and none is missing.
        const auto viewer = m_console->as(u"viewer"_s);
        QCOMPARE(
            viewer->value(
                u"SELECT sum(value) || ' ' || min(scope) || ' ' || count(*) FROM idemdesk.sample_seen WHERE metric = 'succeeded'"_s),
            u"600 - 1"_s);
        QCOMPARE(viewer->value(u"SELECT sum(n) FROM idemdesk.event_seen WHERE kind = 'conflict'"_s), u"3"_s);
    }

    /// What a profile counts never stands under the name of what the console itself counts.
    void samplesKeepTheirNames()
    {
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"{\"version\":1,"_s,
            u"{\"version\":1,\"samples\":[[\"failed_final\",\"pg_catalog.max(pg_catalog.ascii(t.key))\"]],"_s);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(u"\"registered\": true"_s), qPrintable(answer));
        QVERIFY(m_console->as(u"op"_s)->value(u"SELECT idemdesk.take_sample('k')"_s).toInt() > 0);
        QCOMPARE(m_console->as(u"viewer"_s)
                     ->value(u"SELECT count(*) FROM idemdesk.sample_seen WHERE value = 107"_s), // the code of "k"
            u"0"_s);
        QCOMPARE(m_console->as(u"viewer"_s)
                     ->value(u"SELECT sum(value) FROM idemdesk.sample_seen WHERE metric = 'succeeded'"_s),
            u"600"_s);
    }

    /// What a profile counts can be a value of a row, by whatever name: it is for whoever may read the whole table.
    void whatAProfileCounts_data()
    {
        QTest::addColumn<QString>("metric");
        for (const char *metric :
            { "oldest_stale", "oldest_backlog", "backlog", "dead", "expired", "claims", "mine" }) {
            QTest::newRow(metric) << QString::fromLatin1(metric);
        }
    }
    void whatAProfileCounts()
    {
        QFETCH(QString, metric);
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"{\"version\":1,"_s,
            u"{\"version\":1,\"samples\":[[\"%1\",\"pg_catalog.max(pg_catalog.ascii(t.key))\"]],"_s.arg(metric));
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(u"\"registered\": true"_s), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->value(u"SELECT idemdesk.take_sample('k')"_s).toInt() > 0);
        QVERIFY(
            root()
                .run(u"SET ROLE idemdesk_owner; SELECT idemdesk._ensure_span('sample_hour', 'month', s.bucket_start) "
                     "FROM (SELECT DISTINCT bucket_start FROM idemdesk.sample) s; "
                     "INSERT INTO idemdesk.sample SELECT 'hour', bucket_start, target, metric, scope, value, lowest, "
                     "highest, samples, relation FROM idemdesk.sample; RESET ROLE"_s)
                .ok());
        const QString told = u"SELECT count(*) > 0 FROM idemdesk.sample_seen WHERE metric = '%1'"_s.arg(metric);
        QCOMPARE(op->value(told), u"t"_s);
        QCOMPARE(m_console->as(u"viewer"_s)->value(told), u"f"_s);
        QVERIFY(root()
                    .run(u"GRANT USAGE ON SCHEMA app TO viewer; GRANT SELECT (tenant, status) ON app.k TO viewer"_s)
                    .ok());
        QCOMPARE(m_console->as(u"viewer"_s)->value(told), u"f"_s);
        QVERIFY(root().run(u"GRANT SELECT ON app.k TO viewer"_s).ok());
        QCOMPARE(m_console->as(u"viewer"_s)->value(told), u"t"_s);
    }

    /// What was counted and reported of a table is not that of another one that took its name.
    void tableExchanged()
    {
        QVERIFY(root().run(u"UPDATE app.k SET tenant = 'secret tenant' WHERE key = 'k001'"_s).ok());
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->value(u"SELECT idemdesk.take_sample('k')"_s).toInt() > 0);
        QVERIFY(m_console->as(u"rep"_s)
                    ->run(u"SELECT idemdesk.record_conflict('secret tenant', 'secret key', 'a', "
                          "'b', "
                          "'{\"card\": \"secret payload\"}', NULL, 'k')"_s)
                    .ok());
        m_console->forgetBare();
        QVERIFY(root()
                    .run(u"ALTER TABLE app.k RENAME TO was; CREATE TABLE app.k (LIKE app.was INCLUDING ALL); ALTER "
                         "TABLE app.k "
                         "OWNER TO app_owner; GRANT ALL ON app.k TO idemdesk_runner_app_owner; GRANT USAGE ON "
                         "SCHEMA app TO "
                         "viewer; GRANT SELECT ON app.k TO viewer, op"_s)
                    .ok());
        const QString answer = m_console->registerTarget(ConsoleFixture::compiled());
        QVERIFY2(answer.contains(u"\"registered\": true"_s), qPrintable(answer));
        const QString seen = allOf(u"viewer"_s);
        QVERIFY2(!seen.contains(u"secret"_s),
            qPrintable(seen.mid(qMax<qsizetype>(0, seen.indexOf(u"secret"_s) - 200), 400)));
        QCOMPARE(op->value(u"SELECT count(*) FROM idemdesk.sample_seen WHERE target = 'k'"_s), u"0"_s);
        // Who may read that table still reads what was reported of it.
        QCOMPARE(op->value(u"SELECT key FROM idemdesk.conflict_seen"_s), u"secret key"_s);
        // In the same minute the new one is counted for itself.
        QVERIFY(op->value(u"SELECT idemdesk.take_sample('k')"_s).toInt() > 0);
        QCOMPARE(op->value(u"SELECT coalesce(sum(value), 0) FROM idemdesk.sample_seen WHERE metric = 'succeeded'"_s),
            u"0"_s);
    }

    /// A statement that somebody stopped, what a trial failed with, how far a purge went: values of tables, too.
    void trailTellsNoValues()
    {
        QVERIFY(root()
                    .run(u"UPDATE app.k SET result = CASE WHEN right(key, 1) < '5' THEN '%1' END WHERE status = "
                         "'processing'; "
                         "UPDATE app.k SET expires_at = timestamptz '1999-12-31 11:22:33' WHERE status = "
                         "'succeeded'; "
                         "GRANT SELECT ON app.k TO adm; GRANT USAGE ON SCHEMA app TO adm"_s.arg(kSecret))
                    .ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"[\"status\",\"'failed'\"],[\"locked_until\",\"NULL\"]"_s,
            u"[\"status\",\"'failed'\"],[\"attempts\",\"(coalesce(t.result, '1'))::pg_catalog.int4\"]"_s);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(u"\"registered\": true"_s) && answer.contains(kSecret), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString signal = ConsoleFixture::newId();
        QVERIFY(op->run(u"SELECT idemdesk.open_signal($1, 1, NULL, 'cancel', 'stuck', NULL, $2::jsonb)"_s,
                      { signal, u"{\"query\": \"SELECT '%1'\", \"user\": \"service\"}"_s.arg(kSecret) })
                    .ok());
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, id, 1, 10), u"{\"purged\": 10}"_s);
        QCOMPARE(m_console
                     ->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k002'"_s),
                         u"{\"sample\": \"%1\"}"_s.arg(kSecret))
                     .value(),
            u"running"_s);
        const QString all = allOf(u"viewer"_s);
        QVERIFY2(!all.contains(kSecret), qPrintable(all.mid(qMax<qsizetype>(0, all.indexOf(kSecret) - 200), 400)));
        QVERIFY2(!all.contains(u"1999-12-31"_s),
            qPrintable(all.mid(qMax<qsizetype>(0, all.indexOf(u"1999-12-31"_s) - 200), 400)));
        const QString seen = u"SELECT idemdesk.signal_seen($1)"_s;
        QVERIFY(op->value(seen, { signal }).contains(kSecret));
        const QString told = m_console->as(u"viewer"_s)->value(seen, { signal });
        QVERIFY2(told.contains(u"service"_s) && !told.contains(kSecret), qPrintable(told));
        QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, id, 2, 1000), u"{\"purged\": 590}"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// What stays for good of a session that a signal went to is what a person looks at; what came of the signal is
    /// its sender's word, and the server's own look stands beside it.
    void aSignalsWordsAreBounded()
    {
        const auto op = m_console->as(u"op"_s);
        const auto worker = m_console->as(u"service"_s);
        const QString signal = ConsoleFixture::newId();
        const QString seen
            = u"{\"query\": \"%1\", \"user\": \"service\", \"more\": \"x\"}"_s.arg(QString(1'000'000, u'q'));
        const QString open = u"SELECT idemdesk.open_signal($1, $2, NULL, 'terminate', 'stuck', NULL, $3::jsonb)"_s;
        const QString pid = QString::number(worker->pid());
        QVERIFY(op->run(open, { signal, pid, seen }).ok());
        QCOMPARE(root().value(u"SELECT length(seen ->> 'query') || ' ' || (seen ? 'more') FROM idemdesk.signal_note"_s),
            u"1000 false"_s);
        QVERIFY(op->run(u"SELECT idemdesk.close_signal($1, 'gone', NULL)"_s, { signal }).ok());
        const QString nobody = ConsoleFixture::newId();
        QVERIFY(op->run(open, { nobody, u"2147483647"_s, u"{}"_s }).ok());
        const QString there
            = u"SELECT string_agg(facts ->> 'there', ' ' ORDER BY seq) FROM idemdesk.audit WHERE action = $1"_s;
        QCOMPARE(root().value(there, { signal }), u"true true"_s);
        QCOMPARE(root().value(there, { nobody }), u"false"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// Who imported a log had read it; the others had not.
    void importedConflictsAreTheImporters()
    {
        root().run(u"REVOKE SELECT ON app.k FROM op"_s);
        const auto op = m_console->as(u"op"_s);
        QVERIFY(
            op->run(
                  u"SELECT idemdesk.import_conflicts('server.log', '[{\"id\": \"aa\", \"kind\": \"deadlock\", \"key\": \"secret key\"}]')"_s)
                .ok());
        QCOMPARE(op->value(u"SELECT key FROM idemdesk.conflict_seen"_s), u"secret key"_s);
        QCOMPARE(m_console->as(u"viewer"_s)->value(u"SELECT count(*) FROM idemdesk.conflict_seen"_s), u"0"_s);
    }

    /// 11, 14: an admin without SELECT hears no value by a trial that fails.
    void trialsTellNoValues_data()
    {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("heard"); // by who may read the table
        QTest::newRow("a number") << u"(t.result)::pg_catalog.int4"_s << u"4111"_s;
        QTest::newRow("a name, which is not even looked at")
            << u"((t.result)::pg_catalog.regclass)::pg_catalog.oid::pg_catalog.int8::pg_catalog.int4"_s
            << u"through which a value can name code or a table"_s;
    }
    void trialsTellNoValues()
    {
        QFETCH(QString, expression);
        QFETCH(QString, heard);
        QVERIFY(
            root()
                .run(u"REVOKE SELECT ON app.k FROM adm; UPDATE app.k SET result = '%1' WHERE status = 'processing'"_s
                         .arg(kSecret))
                .ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"[\"status\",\"'failed'\"],[\"locked_until\",\"NULL\"]"_s,
            u"[\"status\",\"'failed'\"],[\"attempts\",\"%1\"]"_s.arg(expression));
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(
            answer.contains(u"\"registered\": false"_s) && !answer.contains(u"SECRET"_s) && !answer.contains(u"4111"_s),
            qPrintable(answer));
        // Who may read the table is told.
        QVERIFY(root().run(u"GRANT USAGE ON SCHEMA app TO adm; GRANT SELECT ON app.k TO adm"_s).ok());
        const QString told = m_console->registerTarget(compiled);
        QVERIFY2(told.contains(heard), qPrintable(told));
    }
    /// An effect's query is tried on a key that does not exist, but may read all rows of any table that the runner
    /// reads.
    void effectsTellNoValues()
    {
        QVERIFY(root().run(u"REVOKE SELECT ON app.k FROM adm; UPDATE app.k SET result = '%1'"_s.arg(kSecret)).ok());
        const QString answer = m_console->registerTarget(
            ConsoleFixture::compiled().replace(u"SELECT f.id FROM app.eff f WHERE f.tenant=t.tenant AND f.key=t.key"_s,
                u"SELECT 'x' AS id FROM app.k o WHERE (o.result)::pg_catalog.int4 > 0"_s));
        QVERIFY2(answer.contains(u"\"registered\": false"_s) && answer.contains(u"fails on a key that does not exist"_s)
                && !answer.contains(u"SECRET"_s) && !answer.contains(u"4111"_s),
            qPrintable(answer));
    }
    /// Who may read all keys need not be one who may read what shows their effects.
    void evidenceTellsNoValues()
    {
        QVERIFY(root()
                    .run(u"CREATE TABLE app.paid (key text PRIMARY KEY, amount text); INSERT INTO app.paid SELECT key, "
                         u"'%1' FROM app.k WHERE key = 'k001'; ALTER TABLE app.paid OWNER TO app_owner; "
                         "GRANT SELECT ON app.paid TO idemdesk_runner_app_owner"_s.arg(kSecret))
                    .ok());
        const QString registered = m_console->registerTarget(
            ConsoleFixture::compiled().replace(u"SELECT f.id FROM app.eff f WHERE f.tenant=t.tenant AND f.key=t.key"_s,
                u"SELECT f.key AS id FROM app.paid f WHERE f.key=t.key AND (f.amount)::pg_catalog.int4 > 0"_s));
        QVERIFY2(registered.contains(u"\"registered\": true"_s), qPrintable(registered));
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->run(u"SELECT count(*) FROM app.k"_s).ok());
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        const QString said = op->value(u"SELECT idemdesk.change_batch($1, 1, 10)"_s, { id });
        const QString items = op->value(u"SELECT string_agg(i::text, ' ') FROM idemdesk.items('%1') i"_s.arg(id));
        for (const QString &text : { said, items }) {
            QVERIFY2(text.contains(u"could not be read"_s) && text.contains(u"22P02"_s) && !text.contains(u"SECRET"_s)
                    && !text.contains(u"4111"_s),
                qPrintable(text));
        }
    }
    void scopesTellNoValues()
    {
        QVERIFY(
            root()
                .run(u"REVOKE SELECT ON app.k FROM adm; UPDATE app.k SET result = '%1' WHERE status = 'processing'"_s
                         .arg(kSecret))
                .ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"pg_catalog.jsonb_build_array((t.tenant)::pg_catalog.text)::pg_catalog.text"_s,
            u"(t.result)::pg_catalog.text"_s);
        m_console->registerTarget(compiled);
        m_console->as(u"adm"_s)->run(u"SELECT idemdesk.take_sample('k')"_s);
        for (const QString &login : { u"adm"_s, u"viewer"_s }) {
            QVERIFY(!allOf(login).contains(u"SECRET"_s));
        }
    }

    /// 14: what the server said of a row is for those who may read the whole table.
    void detailsTellNoValues()
    {
        QVERIFY(root()
                    .run(u"GRANT USAGE ON SCHEMA app TO viewer; GRANT SELECT (tenant, key) ON app.k TO viewer; UPDATE "
                         u"app.k SET result = '%1' WHERE key = 'k001'; "
                         "REVOKE SELECT ON app.k FROM op"_s.arg(kSecret))
                    .ok());
        const QString answer = m_console->registerTarget(telling());
        QVERIFY2(answer.contains(u"\"registered\": true"_s), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key IN ('k001', 'k002')"_s)).value(),
            u"running"_s);
        for (int again = 0; again < 2; ++again) {
            const QString said = op->value(u"SELECT idemdesk.change_batch($1, 1, 10)"_s, { id });
            QVERIFY2(said.contains(u"wrong_state"_s) && !said.contains(u"SECRET"_s), qPrintable(said));
        }
        for (const QString &login : { u"op"_s, u"viewer"_s }) {
            const auto reader = m_console->as(login);
            const QString items
                = reader->value(u"SELECT string_agg(i::text, ' ') FROM idemdesk.items('%1') i"_s.arg(id));
            QVERIFY2(!items.contains(u"SECRET"_s), qPrintable(items));
            QVERIFY(!reader->value(u"SELECT string_agg(detail, ' ') FROM idemdesk.actions_on('k', '{t1,k001}')"_s)
                         .contains(u"SECRET"_s));
        }
        QVERIFY(m_console->as(u"viewer"_s)
                    ->value(u"SELECT detail FROM idemdesk.items('%1') WHERE detail IS NOT NULL"_s.arg(id))
                    .endsWith(u"(22P02)"_s));
        QVERIFY(m_console->as(u"op2"_s)
                    ->value(u"SELECT detail FROM idemdesk.items('%1') WHERE detail IS NOT NULL"_s.arg(id))
                    .contains(u"SECRET"_s));
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// Nor does the server's word on what ended a whole batch, whoever had it say so.
    void whyABatchEndedTellsNoValues()
    {
        QVERIFY(root()
                    .run(uR"(REVOKE SELECT ON app.k FROM op;
                        CREATE FUNCTION app.ends() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                            RAISE EXCEPTION 'canceling statement due to %', OLD.key USING ERRCODE = '57014'; END $$;
                        ALTER FUNCTION app.ends() OWNER TO app_owner)"_s)
                    .ok());
        QVERIFY(root()
                    .run(u"CREATE TRIGGER ends BEFORE UPDATE ON app.k FOR EACH ROW WHEN (session_user = "
                         "'op' AND OLD.key = 'k001') EXECUTE FUNCTION app.ends()"_s)
                    .ok());
        const QString answer = m_console->registerTarget(telling());
        QVERIFY2(answer.contains(u"\"registered\": true"_s), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key IN ('k001', 'k002')"_s)).value(),
            u"running"_s);
        const auto ended = op->run(u"SELECT idemdesk.change_batch($1, 1, 10)"_s, { id });
        QVERIFY2(!ended.value().contains(u"k001"_s), qPrintable(ended.value()));
    }

    /// A state that is none may be any value of the row: nobody is told it who may not read that.
    void statesTellNoValues()
    {
        QVERIFY(root().run(u"UPDATE app.k SET result = '%1'; REVOKE SELECT ON app.k FROM op, adm"_s.arg(kSecret)).ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"WHEN 'failed' THEN 'failed_retryable'"_s, u"WHEN 'failed' THEN t.result"_s);
        const QString trial = m_console->registerTarget(compiled);
        QVERIFY2(trial.contains(u"would have become unknown"_s) && !trial.contains(kSecret), qPrintable(trial));
        compiled = ConsoleFixture::compiled();
        compiled.replace(u"WHEN 'processing' THEN 'in_progress'"_s, u"WHEN 'processing' THEN t.result"_s);
        QVERIFY(m_console->registerTarget(compiled).contains(u"\"registered\": true"_s));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        const QString said = op->value(u"SELECT idemdesk.change_batch($1, 1, 10)"_s, { id });
        QVERIFY2(said.contains(u"It is unknown now."_s) && !said.contains(kSecret), qPrintable(said));
        QVERIFY(!allOf(u"viewer"_s).contains(kSecret));
    }

    /// What fails while the next rows of a purge are looked for, or a part is counted, names values, too.
    void searchesTellNoValues_data()
    {
        QTest::addColumn<QString>("where"); // of the purge
        QTest::addColumn<QString>("call");
        QTest::newRow("the next rows")
            << u"CASE WHEN ($3) IS NOT NULL AND t.key = 'd0002' THEN (t.result)::pg_catalog.int4 > 0 ELSE true END"_s
            << u"SELECT idemdesk.purge_batch('%1', 1, 700)"_s;
        QTest::newRow("a part")
            << u"CASE WHEN t.tableoid <> 'app.p'::pg_catalog.regclass AND t.key = 'd0002' THEN "
               "(t.result)::pg_catalog.int4 > 0 ELSE true END"_s
            << u"SELECT idemdesk.detach_partition('%1', 'p', '\"app\".\"p1\"', (now())::text, 'why', '')"_s;
    }
    void searchesTellNoValues()
    {
        QFETCH(QString, where);
        QFETCH(QString, call);
        const auto made = root().run(
            u"UPDATE app.k SET result = '%1'; REVOKE SELECT ON app.k FROM op, adm; SET ROLE app_owner; "
            "CREATE TABLE app.p (LIKE app.k INCLUDING ALL) PARTITION BY LIST (tenant); "
            "CREATE TABLE app.p1 PARTITION OF app.p FOR VALUES IN ('t1', 't2', 't0'); "
            "INSERT INTO app.p SELECT * FROM app.k WHERE status = 'succeeded'; "
            "GRANT SELECT, UPDATE (status, locked_until, updated_at, result, attempts), DELETE, INSERT ON app.p, "
            "app.p1 TO idemdesk_runner_app_owner; RESET ROLE; "
            "GRANT app_owner TO idemdesk_runner_app_owner"_s.arg(kSecret));
        QVERIFY2(made.ok(), qPrintable(made.value()));
        const auto back = qScopeGuard([this] { root().run(u"REVOKE app_owner FROM idemdesk_runner_app_owner"_s); });
        const bool part = call.contains(u"detach"_s);
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"(t.expires_at < ($1))"_s,
            u"(t.expires_at < ($1)) AND "_s
                + QString(where).replace(u"'app.p'::pg_catalog.regclass"_s,
                    root().value(u"SELECT 'app.p'::regclass::oid || '::pg_catalog.oid'"_s)));
        if (part) {
            compiled.replace(u"\\\"k\\\""_s, u"\\\"p\\\""_s);
        }
        const QString answer
            = m_console->registerTarget(compiled, u"{}"_s, ConsoleFixture::profile(), part ? u"p"_s : u"k"_s);
        QVERIFY2(answer.contains(u"\"registered\": true"_s) && !answer.contains(kSecret), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        if (!part) {
            QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
        }
        const auto failed = op->run(
            call.replace(u"%1"_s, id)
                .replace(u"(now())::text"_s, u"'%1'"_s.arg(root().value(u"SELECT now() - interval '1 s'"_s))));
        QVERIFY2(failed.state == u"22P02"_s && !failed.message.contains(kSecret), qPrintable(failed.message));
        // Who may read it all is told why.
        QVERIFY(root().run(u"GRANT SELECT ON app.k, app.p TO op"_s).ok());
        const auto told = op->run(call);
        QVERIFY2(told.state == u"22P02"_s && told.message.contains(kSecret), qPrintable(told.message));
    }

    /// A session may have each plan printed, with the values in it: not what the console's functions plan.
    void plansTellNoValues()
    {
        QVERIFY(root().run(u"UPDATE app.k SET result = '%1'; REVOKE SELECT ON app.k FROM op"_s.arg(kSecret)).ok());
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
        QByteArray told;
        PGconn *link = PQconnectdb(qPrintable(m_console->cluster().conninfoAs(u"op"_s, m_console->database())));
        const auto closed = qScopeGuard([link] { PQfinish(link); });
        PQsetNoticeProcessor(
            link, [](void *kept, const char *text) { static_cast<QByteArray *>(kept)->append(text); }, &told);
        PQclear(PQexec(link,
            "SET debug_print_parse = on; SET debug_print_rewritten = on; SET debug_print_plan = on; "
            "SET debug_pretty_print = off; SET client_min_messages = log"));
        const QByteArray call = "SELECT idemdesk.purge_batch('" + id.toLatin1() + "', 1, 5)";
        PGresult *answer = PQexec(link, call.constData());
        QCOMPARE(PQresultStatus(answer), PGRES_TUPLES_OK);
        PQclear(answer);
        QVERIFY(told.contains("constvalue")); // of the person's own statement
        QByteArray bytes;
        for (const char byte : kSecret.toLatin1()) {
            bytes += QByteArray::number(int(byte)) + ' ';
        }
        QVERIFY(!told.contains(bytes));
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// 11, 14: a column takes another one's name; rights and undo follow the column.
    void namesExchanged_data()
    {
        QTest::addColumn<bool>("purge");
        QTest::newRow("a recovery") << false;
        QTest::newRow("a purge") << true;
    }
    void namesExchanged()
    {
        QFETCH(bool, purge);
        QVERIFY(
            root()
                .run(
                    u"UPDATE app.k SET result = 'SECRET ' || key; GRANT USAGE ON SCHEMA app TO viewer; GRANT SELECT (tenant, key, status) ON app.k TO viewer"_s)
                .ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"[\"status\",\"'failed'\"],[\"locked_until\",\"NULL\"]"_s,
            u"[\"status\",\"'failed'\"],[\"result\",\"NULL\"]"_s);
        QVERIFY(m_console->registerTarget(compiled).contains(u"\"registered\": true"_s));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        if (purge) {
            QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
            QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, id, 1, 10), u"{\"purged\": 10}"_s);
            QVERIFY(op->run(u"SELECT idemdesk.set_action($1, 'cancelled')"_s, { id }).ok());
        } else {
            QCOMPARE(
                m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
            QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 1}"_s);
        }
        QVERIFY(root()
                    .run(u"ALTER TABLE app.k RENAME result TO kept; ALTER TABLE app.k ADD result text; GRANT SELECT "
                         u"(result) ON app.k TO viewer; "
                         "GRANT UPDATE (result) ON app.k TO idemdesk_runner_app_owner"_s)
                    .ok());
        QVERIFY(m_console->registerTarget(compiled).contains(u"\"registered\": true"_s));
        const auto viewer = m_console->as(u"viewer"_s);
        const QString items = viewer->value(u"SELECT string_agg(i::text, ' ') FROM idemdesk.items('%1') i"_s.arg(id));
        QVERIFY2(items.contains(u"{t"_s) && !items.contains(u"SECRET"_s), qPrintable(items));
        const QString undo = ConsoleFixture::newId();
        QVERIFY(op->run(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { undo, id }).ok());
        QCOMPARE(
            ConsoleFixture::counts(*op, u"undo_batch"_s, undo, 1), purge ? u"{\"done\": 10}"_s : u"{\"done\": 1}"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k WHERE result IS NOT NULL"_s), u"0"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k WHERE kept IS DISTINCT FROM 'SECRET ' || key"_s), u"0"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }
    /// The same of a column of the identity.
    void identityExchanged()
    {
        QVERIFY(root().run(u"GRANT USAGE ON SCHEMA app TO viewer"_s).ok());
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 1}"_s);
        QVERIFY(
            root()
                .run(u"ALTER TABLE app.k DROP CONSTRAINT k_pkey; ALTER TABLE app.k RENAME key TO secret; ALTER TABLE "
                     u"app.k ADD key text NOT NULL DEFAULT gen_random_uuid(); "
                     "ALTER TABLE app.k ADD PRIMARY KEY (tenant, key); GRANT SELECT (tenant, key) ON app.k TO viewer"_s)
                .ok());
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(u"\"registered\": true"_s));
        const auto viewer = m_console->as(u"viewer"_s);
        const QString items = viewer->value(u"SELECT string_agg(i::text, ' ') FROM idemdesk.items('%1') i"_s.arg(id));
        QVERIFY2(!items.contains(u"k001"_s), qPrintable(items));
        QCOMPARE(viewer->value(u"SELECT count(*) FROM idemdesk.actions_on('k', '{t1,k001}')"_s), u"0"_s);
    }
};

} // namespace

QTEST_GUILESS_MAIN(AttacksReadingTest)
#include "tst_attacks_reading.moc"
