// SPDX-License-Identifier: GPL-3.0-or-later
// Attacks on what goes when its time is past, and on what stops everybody for one thing of somebody's.
#include "tests/support/console_fixture.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

const QString kRegistered = u"\"registered\": true"_s;

class AttacksUpkeepTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;

    Connection &root() { return m_console->root(); }
    void demand(const QString &sql)
    {
        const auto answer = root().run(sql);
        QVERIFY2(answer.ok(), qPrintable(answer.value()));
    }
    /// A purge whose images are past their time since long.
    void purgeOfLongAgo()
    {
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QVERIFY(m_console->openPurge(*op, id, 5).ok());
        demand(u"SET ROLE idemdesk_owner; SELECT idemdesk._ensure_partition('quarantine', DATE '2020-01-01'); "
               "UPDATE idemdesk.action SET keep_until = '2020-01-01' WHERE id = '%1'; RESET ROLE"_s.arg(id));
        QVERIFY(op->run(u"SELECT idemdesk.purge_batch($1, 1, 5)"_s, { id }).ok());
        QVERIFY(images() > 0);
    }
    int images()
    {
        return root().value(u"SELECT count(*) FROM idemdesk.quarantine WHERE keep_until < '2021-01-01'"_s).toInt();
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_console = std::make_unique<ConsoleFixture>();
    }
    void init() { m_console->fresh(); }

    /// PostgreSQL compares a month as thirty days, and adds it by the calendar.
    void aTimeBelowNothingIsRefused_data()
    {
        QTest::addColumn<QString>("span");
        QTest::addColumn<QString>("stored"); // empty: refused
        QTest::newRow("as long as agreed, and in the past") << u"-1200 mons 36007 days"_s << QString();
        QTest::newRow("hours below nothing") << u"8 days -24:00:00"_s << QString();
        QTest::newRow("more than a lifetime") << u"101 years"_s << QString();
        QTest::newRow("a month is no shorter than any") << u"1 mon"_s << u"31 days"_s;
        QTest::newRow("days and hours stay") << u"8 days 12:00:00"_s << u"8 days 12:00:00"_s;
    }
    void aTimeBelowNothingIsRefused()
    {
        QFETCH(QString, span);
        QFETCH(QString, stored);
        const auto adm = m_console->as(u"adm"_s);
        const auto kept = adm->run(u"SELECT idemdesk.set_kept('items', $1)"_s, { span });
        QCOMPARE(kept.state, stored.isEmpty() ? u"ID005"_s : QString());
        const QString settings = u"{\"undo_window\":\"%1\"}"_s.arg(span);
        const QString answer = m_console->registerTarget(ConsoleFixture::compiled(), settings);
        QCOMPARE(answer.contains(kRegistered), !stored.isEmpty());
        if (!stored.isEmpty()) {
            QCOMPARE(root().value(u"SELECT items_kept FROM idemdesk.installation"_s), stored);
            QCOMPARE(root().value(u"SELECT undo_window FROM idemdesk.target WHERE name = 'k'"_s), stored);
        }
    }

    /// A view needs no right to what it is made of, and keeps that from being dropped.
    void aViewOnAPartIsNamedAndStopsNothingElse()
    {
        purgeOfLongAgo();
        demand(u"GRANT CREATE ON SCHEMA app TO viewer; GRANT USAGE ON SCHEMA app TO viewer; SET ROLE idemdesk_owner; "
               u"SELECT "
               "idemdesk._ensure_partition('quarantine', DATE '2020-02-01'); RESET ROLE"_s);
        const auto viewer = m_console->as(u"viewer"_s);
        const auto made = viewer->run(u"CREATE VIEW app.v AS SELECT FROM idemdesk.quarantine_20200101"_s);
        QVERIFY2(made.ok(), qPrintable(made.value()));
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->run(u"SELECT idemdesk.maintain()"_s).ok());
        QVERIFY(images() > 0);
        QVERIFY(
            op->value(u"SELECT string_agg(finding || ' ' || remedy, '; ') FROM idemdesk.guard_findings() WHERE code = "
                      "'depends'"_s)
                .contains(u"DROP VIEW app.v"_s));
        QVERIFY(viewer->run(u"DROP VIEW app.v"_s).ok());
        QVERIFY(op->run(u"SELECT idemdesk.maintain()"_s).ok());
        QCOMPARE(images(), 0);
    }

    /// A value that no sum can hold keeps no image of a purged row past its time.
    void aHugeValueStopsNothing()
    {
        purgeOfLongAgo();
        demand(u"SELECT idemdesk._ensure_span('sample_minute', 'day', now() - interval '2 hours'); SELECT "
               "idemdesk._store_samples('k', 'app.k'::regclass, date_trunc('hour', now()) - interval '2 hours' + i * "
               "interval "
               "'1 minute', '[[\"n\", \"[]\", 1.7e308], [\"m\", \"[]\", \"NaN\"]]') FROM generate_series(1, 3) i"_s);
        QVERIFY(m_console->as(u"op"_s)->run(u"SELECT idemdesk.maintain()"_s).ok());
        QCOMPARE(images(), 0);
        QCOMPARE(root().value(u"SELECT string_agg(DISTINCT metric || ' ' || value, ', ') FROM idemdesk.sample"_s),
            u"n 1e+15"_s);
    }

    /// Whoever may give a role away may give it to a runner: that stops the tables of its owner, not those of others.
    void aRoleGivenToARunnerStopsItsOwnerOnly()
    {
        demand(u"DO $$ BEGIN IF to_regrole('team') IS NULL THEN CREATE ROLE team; CREATE ROLE other_owner; END IF; END "
               u"$$; "
               "GRANT team TO idemdesk_runner_app_owner; SELECT idemdesk.make_runner('other_owner')"_s);
        const auto op = m_console->as(u"op"_s);
        const auto opened
            = m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s));
        demand(u"REVOKE team FROM idemdesk_runner_app_owner; GRANT team TO idemdesk_runner_other_owner"_s);
        const auto others
            = m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s));
        demand(u"REVOKE team FROM idemdesk_runner_other_owner"_s);
        QCOMPARE(opened.state, u"ID004"_s);
        QVERIFY2(opened.value().contains(u"is a member of team"_s), qPrintable(opened.value()));
        QCOMPARE(others.value(), u"running"_s);
    }

    /// Without it a part can be emptied, and the digests of its batches say nothing of who did it.
    void aPartWithoutItsTriggerIsSeen()
    {
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(
            m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(),
            u"running"_s);
        const QString part
            = root().value(u"SELECT relname FROM pg_class WHERE relname ~ '^action_item_[0-9]' LIMIT 1"_s);
        demand(u"DROP TRIGGER keep_table ON idemdesk."_s + part);
        QCOMPARE(
            op->value(
                u"SELECT count(*) FROM idemdesk.guard_findings() WHERE severity = 'red' AND finding = 'The trigger "
                "keep_table of idemdesk.%1 is missing.'"_s.arg(part)),
            u"1"_s);
    }

    /// The digests that people see who may not see the rows prove no guess.
    void aDigestProvesNoGuess()
    {
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QVERIFY(m_console->openPurge(*op, id, 5, false).ok());
        const auto batch = op->run(u"SELECT b ->> 'identities' FROM idemdesk.purge_batch($1, 1, 1) b"_s, { id });
        QVERIFY(batch.ok() && batch.value().size() == 64);
        QCOMPARE(
            root().value(u"SELECT count(*) FROM generate_series(0, 2000) i, generate_series(0, 9) t, LATERAL (VALUES "
                         "('k'), ('d'), ('s'), ('e')) l (l) WHERE encode(sha256(convert_to(ARRAY['t' || t, l.l || "
                         "lpad(i::text, 4, '0')]::text, 'UTF8')), 'hex') = $1 OR encode(sha256(convert_to(ARRAY['t' || "
                         "t, l.l || lpad(i::text, 3, '0')]::text, 'UTF8')), 'hex') = $1"_s,
                { batch.value() }),
            u"0"_s);
        QCOMPARE(m_console->as(u"viewer"_s)->state(u"SELECT value FROM idemdesk.salt"_s), u"42501"_s);
    }

    /// Nor do those of how far a purge went, of what was seen of a session, and of what was imported.
    void noDigestOfTheTrailProvesAGuess_data()
    {
        QTest::addColumn<QString>("kept"); // where viewers read it
        QTest::addColumn<QString>("guess"); // what it would be of, where the guess is right
        QTest::newRow("how far a purge went")
            << u"a.facts ->> 'standing'"_s
            << u"SELECT jsonb_build_array(p.state, p.note, p.approved_by, (extract(epoch FROM p.approved_at) * "
               "1000000)::bigint, p.last_batch, p.next_row, p.cursor, p.counts, p.allowance, (extract(epoch FROM "
               "p.finished_at) * 1000000)::bigint, m.by)::text FROM idemdesk.action p JOIN idemdesk.action_mark m ON "
               "m.action = p.id"_s;
        QTest::newRow("what was seen of a session")
            << u"a.facts ->> 'seen_sha'"_s << u"SELECT seen::text FROM idemdesk.signal_note"_s;
        QTest::newRow("what was imported")
            << u"a.facts ->> 'sha'"_s << u"SELECT (to_jsonb(c) - 'relation')::text FROM idemdesk.conflict c"_s;
    }
    void noDigestOfTheTrailProvesAGuess()
    {
        QFETCH(QString, kept);
        QFETCH(QString, guess);
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QVERIFY(m_console->openPurge(*op, id, 600).ok());
        QVERIFY(op->run(u"SELECT idemdesk.purge_batch($1, 1, 5)"_s, { id }).ok());
        QVERIFY(op->run(u"SELECT idemdesk.open_signal($1, 1, NULL, 'cancel', 'stuck', NULL, '{\"query\": \"x\"}')"_s,
                      { ConsoleFixture::newId() })
                    .ok());
        QVERIFY(op->run(u"SELECT idemdesk.import_conflicts('server.log', '[{\"id\": \"aa\", \"kind\": "
                        "\"deadlock\", \"key\": \"k1\"}]')"_s)
                    .ok());
        QVERIFY(m_console->as(u"viewer"_s)->value(u"SELECT count(%1) FROM idemdesk.audit a"_s.arg(kept)).toInt() > 0);
        const auto right = root().run(u"SET TimeZone = 'UTC'; "_s + guess);
        QVERIFY2(right.ok() && right.rows.size() == 1, qPrintable(right.value()));
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.audit a WHERE %1 = encode(sha256(convert_to($1, "
                              "'UTF8')), 'hex')"_s.arg(kept),
                     { right.value() }),
            u"0"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// Failures that may be tried again go only where the purge rule names them, whatever the plan says.
    void onlyWhatTheRuleNamesIsPurged_data()
    {
        QTest::addColumn<QString>("states"); // of the rule
        QTest::addColumn<QString>("state"); // SQLSTATE; empty: it is opened
        QTest::newRow("a rule without states") << QString() << u"ID005"_s;
        QTest::newRow("a rule with others") << u"\"states\":[\"succeeded\"],"_s << u"ID005"_s;
        QTest::newRow("a rule that names them") << u"\"states\":[\"failed_retryable\"],"_s << QString();
    }
    void onlyWhatTheRuleNamesIsPurged()
    {
        QFETCH(QString, states);
        QFETCH(QString, state);
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"\"purge\":[{"_s, u"\"purge\":[{"_s + states);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto opened = m_console->open(*m_console->as(u"op"_s), ConsoleFixture::newId(), u"purge"_s, u"[]"_s,
            u"{\"cutoff\":\"2026-01-01 00:00:00+00\",\"states\":[\"failed_retryable\"],\"scopes\":null,"
            "\"images\":true,\"expected\":5}"_s);
        QCOMPARE(opened.state, state);
    }

    /// What one service reported, another one does not change by reporting the same.
    void aReportStaysItsReporters()
    {
        demand(u"GRANT idemdesk_reporter TO service, op2; GRANT SELECT ON app.k TO viewer"_s);
        const QString report = u"SELECT idemdesk.record_conflict('t1', 'k001', 'aa', 'bb', $1, $2, 'k')"_s;
        QVERIFY(m_console->as(u"service"_s)->run(report, { std::nullopt, u"checkout"_s }).ok());
        QVERIFY(m_console->as(u"op2"_s)->run(report, { u"forged"_s, u"somebody"_s }).ok());
        QVERIFY(m_console->as(u"service"_s)->run(report, { std::nullopt, u"checkout"_s }).ok());
        QCOMPARE(root().value(u"SELECT string_agg(concat_ws(' ', caller, n, incoming_payload), ', ' ORDER BY caller) "
                              "FROM idemdesk.conflict"_s),
            u"checkout 2, somebody 1 forged"_s);
        demand(u"REVOKE idemdesk_reporter FROM service, op2"_s);
    }

    /// A key of any length is stored beside the others of its log.
    void aLongKeyStopsNoImport()
    {
        const QString key
            = root().value(u"SELECT string_agg(md5(i::text || random()), '') FROM generate_series(1, 200) i"_s);
        QCOMPARE(key.size(), 6'400);
        demand(u"GRANT idemdesk_reporter TO service"_s);
        QVERIFY(m_console->as(u"service"_s)
                    ->run(u"SELECT idemdesk.record_conflict('t1', $1, 'aa', 'bb', 'k', 'me')"_s, { key })
                    .ok());
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.conflict WHERE key = $1"_s, { key }), u"1"_s);
    }
};

} // namespace

QTEST_GUILESS_MAIN(AttacksUpkeepTest)

#include "tst_attacks_upkeep.moc"
