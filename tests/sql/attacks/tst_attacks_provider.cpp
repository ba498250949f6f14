// SPDX-License-Identifier: GPL-3.0-or-later
// What a provider's statement says, as evidence: who may record it, that nobody changes it, and that a client can lie
// only under its own name.
#include "tests/support/console_fixture.h"

#include <QDateTime>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

const QString kSha(64, u'a');
const QString kWord = uR"({"identity": ["t1", "k001"], "key": "k001", "reference": "ref-1", "says": "happened",)"
                      R"( "line": 2, "text": "ref-1,10.00,EUR", "detail": null})"_s;

/// The values of one call; a test changes one of them.
struct Call {
    QString id = ConsoleFixture::newId();
    QString batch = u"1"_s;
    QString target = u"k"_s;
    QString provider = u"acme"_s;
    QString file = u"statement.csv"_s;
    QString sha = kSha;
    QString reason = u"statement of November"_s;
    QString words = u'[' + kWord + u']';
};

const QString kCall = u"SELECT idemdesk.record_provider_words($1, $2, $3, $4, $5, $6, $7, $8)"_s;

QList<std::optional<QString>> valuesOf(const Call &call)
{
    return { call.id, call.batch, call.target, call.provider, call.file, call.sha, call.reason, call.words };
}

QString changed(QString word, const QString &from, const QString &to)
{
    if (!word.contains(from)) {
        qFatal("the word has no %s", qPrintable(from));
    }
    return u'[' + word.replace(from, to) + u']';
}

class AttacksProviderTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_console;

    static Connection::Answer record(Connection &who, const Call &call) { return who.run(kCall, valuesOf(call)); }
    QString stored() { return m_console->root().value(u"SELECT count(*) FROM idemdesk.provider_word"_s); }
    QString told() { return m_console->root().value(u"SELECT count(*) FROM idemdesk.audit WHERE what = 'provider'"_s); }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_console = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase() { m_console.reset(); }
    void init() { m_console->fresh(); }

    void aWordHasANameATimeAndARow()
    {
        const auto op = m_console->as(u"op"_s);
        const auto answer = record(*op, {});
        QVERIFY2(answer.ok(), qPrintable(answer.value()));
        const auto row = m_console->root().run(
            u"SELECT a.seq, a.who, a.target, a.action, a.batch, a.facts ->> 'provider', a.facts ->> 'file', "
            "a.facts ->> 'file_sha', a.facts ->> 'reason', a.facts ->> 'words' FROM idemdesk.audit a "
            "WHERE a.what = 'provider'"_s);
        QCOMPARE(row.rows,
            (QList<QStringList> { { answer.value(), u"op"_s, u"k"_s, QString(), QString(), u"acme"_s,
                u"statement.csv"_s, kSha, u"statement of November"_s, u"1"_s } }));
        const auto seen
            = op->run(u"SELECT identity::text, key, reference, says, line, text, recorded_by, file_sha, "
                      "recorded_at BETWEEN now() - interval '1 minute' AND now() FROM idemdesk.provider_word_seen"_s);
        QCOMPARE(seen.rows,
            (QList<QStringList> { { u"{t1,k001}"_s, u"k001"_s, u"ref-1"_s, u"happened"_s, u"2"_s, u"ref-1,10.00,EUR"_s,
                u"op"_s, kSha, u"t"_s } }));
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    void whoMayRecord_data()
    {
        QTest::addColumn<QString>("login");
        QTest::addColumn<QString>("prepare");
        QTest::addColumn<QString>("state");
        const QString nothing = u"SELECT 1"_s;
        QTest::newRow("an operator") << u"op"_s << nothing << QString();
        QTest::newRow("an approver") << u"appr"_s << nothing << u"42501"_s;
        QTest::newRow("an admin") << u"adm"_s << nothing << u"42501"_s;
        QTest::newRow("a viewer") << u"viewer"_s << nothing << u"42501"_s;
        QTest::newRow("the service") << u"service"_s << nothing << u"42501"_s;
        QTest::newRow("a superuser, whom nothing holds") << u"boss"_s << nothing << u"ID003"_s;
        QTest::newRow("a login of several people")
            << u"op"_s << u"INSERT INTO idemdesk.shared_login (login) VALUES ('op')"_s << u"ID003"_s;
        QTest::newRow("an operator who may not read the table")
            << u"op"_s << u"REVOKE SELECT ON app.k FROM op"_s << u"ID001"_s;
        QTest::newRow("an operator who may read a part of it")
            << u"op"_s << u"REVOKE SELECT ON app.k FROM op; GRANT SELECT (key) ON app.k TO op"_s << u"ID001"_s;
        QTest::newRow("an operator from whom row security hides rows")
            << u"op"_s
            << u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON app.k USING (tenant = 't1')"_s
            << u"ID001"_s;
        QTest::newRow("while the guard is not whole")
            << u"op"_s << u"ALTER TABLE idemdesk.provider_word DISABLE TRIGGER keep_rows"_s << u"ID004"_s;
    }

    void whoMayRecord()
    {
        QFETCH(QString, login);
        QFETCH(QString, prepare);
        QFETCH(QString, state);
        QVERIFY(m_console->root().run(prepare).ok());
        const auto answer = record(*m_console->as(login), {});
        QVERIFY2(answer.state == state, qPrintable(answer.value()));
        QCOMPARE(stored(), state.isEmpty() ? u"1"_s : u"0"_s);
        QCOMPARE(told(), state.isEmpty() ? u"1"_s : u"0"_s);
    }

    void whatSaysNothingIsRefused_data()
    {
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("value");
        const auto row
            = [](const char *name, const QString &part, const QString &value) { QTest::newRow(name) << part << value; };
        row("no reason", u"reason"_s, u" \u00a0\n"_s);
        row("no provider", u"provider"_s, QString());
        row("no file", u"file"_s, QString());
        row("a short digest", u"sha"_s, u"abc"_s);
        row("a digest in capitals", u"sha"_s, QString(64, u'A'));
        row("a table that is not registered", u"target"_s, u"none"_s);
        row("batch 0", u"batch"_s, u"0"_s);
        row("no lines", u"words"_s, u"[]"_s);
        row("no list", u"words"_s, u"{}"_s);
        row("a list of texts", u"words"_s, u"[\"happened\"]"_s);
        row("1,001 lines", u"words"_s, u'[' + QStringList(1001, kWord).join(u',') + u']');
        row("a word that nobody knows", u"words"_s, changed(kWord, u"\"happened\""_s, u"\"paid\""_s));
        row("no reference", u"words"_s, changed(kWord, u"\"ref-1\","_s, u"\"\","_s));
        row("it happened, by no line", u"words"_s, changed(kWord, u"\"line\": 2"_s, u"\"line\": null"_s));
        row("line 0", u"words"_s, changed(kWord, u"\"line\": 2"_s, u"\"line\": 0"_s));
        row("a line that is no number", u"words"_s, changed(kWord, u"\"line\": 2"_s, u"\"line\": \"x\""_s));
        row("it happened, to no row", u"words"_s, changed(kWord, u"[\"t1\", \"k001\"]"_s, u"null"_s));
        row("a line without its text", u"words"_s, changed(kWord, u"\"ref-1,10.00,EUR\""_s, u"null"_s));
        row("a text of 4,001 characters", u"words"_s,
            changed(kWord, u"\"ref-1,10.00,EUR\""_s, u'"' + QString(4001, u'x') + u'"'));
        row("not in the statement, by a line", u"words"_s,
            changed(kWord, u"\"happened\""_s, u"\"not_in_statement\""_s));
        const QString missing
            = uR"({"identity": ["t1", "k001"], "reference": "r", "says": "not_in_statement", "covered_from": "%1", )"
              R"("covered_to": "%2"})"_s;
        const QString from = u"2026-01-01T00:00:00Z"_s;
        row("not in a statement of no time", u"words"_s,
            u"[{\"identity\": [\"t1\", \"k001\"], \"reference\": \"r\", \"says\": \"not_in_statement\"}]"_s);
        row("not in a statement of all times", u"words"_s, u'[' + missing.arg(u"-infinity"_s, from) + u']');
        row("not in a statement of a time to come", u"words"_s,
            u'[' + missing.arg(from, u"2999-01-01T00:00:00Z"_s) + u']');
        row("not in a statement that ends before it begins", u"words"_s,
            u'[' + missing.arg(from, u"2025-12-31T00:00:00Z"_s) + u']');
        row("not in a statement of tomorrow", u"words"_s,
            u'[' + missing.arg(from, QDateTime::currentDateTimeUtc().addSecs(3'600).toString(Qt::ISODate)) + u']');
        row("a line of all times", u"words"_s,
            changed(kWord, u"\"line\": 2"_s, u"\"line\": 2, \"covered_from\": \"-infinity\""_s));
        row("a line of no end", u"words"_s,
            changed(kWord, u"\"line\": 2"_s, u"\"line\": 2, \"line_at\": \"-infinity\""_s));
        row("an amount of 1,001 characters", u"words"_s,
            changed(kWord, u"\"line\": 2"_s, u"\"line\": 2, \"amount\": \""_s + QString(1001, u'1') + u'"'));
        row("a time that is none", u"words"_s, u'[' + missing.arg(from, u"soon"_s) + u']');
    }

    void whatSaysNothingIsRefused()
    {
        QFETCH(QString, part);
        QFETCH(QString, value);
        Call call;
        QMap<QString, QString *> parts { { u"reason"_s, &call.reason }, { u"provider"_s, &call.provider },
            { u"file"_s, &call.file }, { u"sha"_s, &call.sha }, { u"target"_s, &call.target },
            { u"batch"_s, &call.batch }, { u"words"_s, &call.words } };
        *parts.value(part) = value;
        const auto answer = record(*m_console->as(u"op"_s), call);
        QVERIFY2(answer.state == u"ID005", qPrintable(answer.value()));
        QCOMPARE(stored(), u"0"_s);
        QCOMPARE(told(), u"0"_s);
    }

    /// Whoever is made to call it by code of somebody else says nothing.
    void itIsAStatementOfItsOwn_data()
    {
        QTest::addColumn<QString>("sql");
        const QString values
            = u"'%1', 1, 'k', 'acme', 'f', '%2', 'r', '[%3]'"_s.arg(ConsoleFixture::newId(), kSha, kWord);
        QTest::newRow("within a block") << u"DO $$ BEGIN PERFORM idemdesk.record_provider_words("_s + QString(values)
                + u"); END $$"_s;
        QTest::newRow("beside another expression") << u"SELECT 1, idemdesk.record_provider_words("_s + values + u')';
        QTest::newRow("by a trigger of a table that it touches")
            << u"CREATE TEMP TABLE bait (x int); CREATE FUNCTION pg_temp.f() RETURNS trigger LANGUAGE plpgsql AS $$ "
               "BEGIN PERFORM idemdesk.record_provider_words("_s
                + values
                + u"); RETURN NULL; END $$; CREATE TRIGGER t AFTER INSERT ON bait FOR EACH ROW EXECUTE FUNCTION "
                  "pg_temp.f(); INSERT INTO bait VALUES (1)"_s;
        QTest::newRow("in a view") << u"CREATE TEMP VIEW v AS SELECT idemdesk.record_provider_words("_s + values
                + u") AS seq; SELECT * FROM v"_s;
    }

    void itIsAStatementOfItsOwn()
    {
        QFETCH(QString, sql);
        const auto answer = m_console->as(u"op"_s)->run(sql);
        QVERIFY2(answer.state == u"ID011", qPrintable(answer.value()));
        QCOMPARE(stored(), u"0"_s);
    }

    void theSameCallIsRecordedOnce()
    {
        const auto op = m_console->as(u"op"_s);
        Call call;
        const auto first = record(*op, call);
        QVERIFY2(first.ok(), qPrintable(first.value()));
        QCOMPARE(record(*op, call).value(), first.value());
        QCOMPARE(stored(), u"1"_s);
        Call other = call;
        other.words = changed(kWord, u"\"happened\""_s, u"\"did_not_happen\""_s);
        QCOMPARE(record(*op, other).state, u"ID007"_s);
        QCOMPARE(record(*m_console->as(u"op2"_s), call).state, u"ID007"_s); // another person's word is not mine
        QCOMPARE(stored(), u"1"_s);
        call.batch = u"2"_s;
        QVERIFY(record(*op, call).ok());
        QCOMPARE(told(), u"2"_s);
    }

    /// The client chooses the number, so it may be that of an action: the word must not stand in that one's story.
    void theNumberOfAnActionIsNotTaken()
    {
        const auto op = m_console->as(u"op"_s);
        Call call;
        QVERIFY(m_console->open(*op, call.id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).ok());
        QVERIFY(record(*op, call).ok());
        QCOMPARE(m_console->root().value(
                     u"SELECT count(*) FROM idemdesk.audit WHERE what = 'provider' AND action IS NOT NULL"_s),
            u"0"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    void nobodyChangesIt_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::newRow("another word") << u"UPDATE idemdesk.provider_word SET says = 'did_not_happen'"_s;
        QTest::newRow("another line") << u"UPDATE idemdesk.provider_word SET text = 'ref-1,0.01,EUR'"_s;
        QTest::newRow("another amount") << u"UPDATE idemdesk.provider_word SET amount = '1'"_s;
        QTest::newRow("another time of the line") << u"UPDATE idemdesk.provider_word SET line_at = now()"_s;
        QTest::newRow("another key") << u"UPDATE idemdesk.provider_word SET identity = '{t1,k002}'"_s;
        QTest::newRow("another login") << u"UPDATE idemdesk.provider_statement SET recorded_by = 'op2'"_s;
        QTest::newRow("another time")
            << u"UPDATE idemdesk.provider_statement SET recorded_at = recorded_at - interval '1 us'"_s;
        QTest::newRow("another file") << u"UPDATE idemdesk.provider_statement SET file_sha = repeat('b', 64)"_s;
        QTest::newRow("another table") << u"UPDATE idemdesk.provider_statement SET relation = 'app.eff'::regclass"_s;
        QTest::newRow("away with it")
            << u"DELETE FROM idemdesk.provider_word; DELETE FROM idemdesk.provider_statement"_s;
        QTest::newRow("one more line") << u"INSERT INTO idemdesk.provider_word SELECT statement, batch, 2, identity, "
                                          u"identity_hash, key, reference, "
                                          "says, line, text FROM idemdesk.provider_word"_s;
        QTest::newRow("a whole call that nobody made")
            << u"INSERT INTO idemdesk.provider_statement SELECT gen_random_uuid(), 1, target, relation, provider, "
               u"file, "
               "file_sha, reason, 'op2', now() FROM idemdesk.provider_statement"_s;
    }

    /// Not even a superuser without switching the triggers off; and then the proof tells of it.
    void nobodyChangesIt()
    {
        QFETCH(QString, sql);
        const auto op = m_console->as(u"op"_s);
        QVERIFY(record(*op, {}).ok());
        Connection &root = m_console->root();
        if (sql.contains(u"UPDATE idemdesk.provider_word"_s) || sql.startsWith(u"DELETE"_s)) {
            QCOMPARE(root.state(sql), u"ID012"_s);
        }
        QCOMPARE(root.state(u"TRUNCATE idemdesk.provider_word"_s), u"ID012"_s);
        const QString off = u"ALTER TABLE idemdesk.provider_word DISABLE TRIGGER ALL; "_s;
        const QString on = u"; ALTER TABLE idemdesk.provider_word ENABLE TRIGGER ALL; ALTER TABLE "
                           "idemdesk.provider_word ENABLE ALWAYS TRIGGER keep_rows, ENABLE ALWAYS TRIGGER keep_table"_s;
        const auto done = root.run(off + sql + on);
        QVERIFY2(done.ok(), qPrintable(done.value()));
        const QString verified = ConsoleFixture::verified(*op);
        QVERIFY2(verified != u"t", qPrintable(verified));
        QCOMPARE(root.value(u"SELECT count(*) FROM idemdesk.guard_findings() WHERE severity = 'red' "
                            "AND code <> 'superuser'"_s),
            u"0"_s);
    }

    /// Keys and lines are values of rows: they are for those who may read the table.
    void onlyReadersOfTheTableSeeIt()
    {
        QVERIFY(record(*m_console->as(u"op"_s), {}).ok());
        const QString count = u"SELECT count(*) FROM idemdesk.provider_word_seen"_s;
        QCOMPARE(m_console->as(u"viewer"_s)->value(count), u"0"_s);
        QVERIFY(m_console->root().run(u"GRANT USAGE ON SCHEMA app TO viewer; GRANT SELECT ON app.k TO viewer"_s).ok());
        QCOMPARE(m_console->as(u"viewer"_s)->value(count), u"1"_s);
        QCOMPARE(m_console->as(u"viewer"_s)->state(u"SELECT * FROM idemdesk.provider_word"_s), u"42501"_s);
        QCOMPARE(m_console->as(u"service"_s)->state(count), u"42501"_s);
        // The row of the trail, which each viewer reads, has no value of a row.
        const QString facts
            = m_console->root().value(u"SELECT facts::text FROM idemdesk.audit WHERE what = 'provider'"_s);
        QVERIFY2(!facts.contains(u"k001"_s) && !facts.contains(u"ref-1"_s), qPrintable(facts));
    }

    /// An invented line changes no limit: what needs a second person needs one all the same.
    void fourEyesAreUnaffected()
    {
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled(), u"{\"approval_above\": 1}"_s)
                    .contains(u"\"registered\": true"_s));
        const auto op = m_console->as(u"op"_s);
        QVERIFY(record(*op, {}).ok());
        const auto opened = m_console->open(
            *op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key IN ('k001', 'k002', 'k003')"_s));
        QCOMPARE(opened.value(), u"requested"_s);
        QCOMPARE(m_console->root().value(u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s), u"50"_s);
        // And it makes no key succeed: the rule's own query still has to find the effect.
        const QString id = ConsoleFixture::newId();
        QVERIFY(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s, 1, u"e-1"_s)).ok());
        ConsoleFixture::counts(*op, u"change_batch"_s, id, 1);
        QCOMPARE(m_console->root().value(u"SELECT status FROM app.k WHERE key = 'k001'"_s), u"processing"_s);
    }
};

} // namespace

QTEST_GUILESS_MAIN(AttacksProviderTest)
#include "tst_attacks_provider.moc"
