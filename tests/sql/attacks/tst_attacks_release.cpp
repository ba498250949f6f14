// SPDX-License-Identifier: GPL-3.0-or-later
// Releasing a claim from a cache: who may ask for it, that the table itself decides, and that a client can lie about
// nothing but the cache, under its own name.
#include "tests/support/console_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

const QString kProfile
    = uR"({"scope": [{"label": "tenant", "sql": "t.tenant"}], "cache": {"key": "idem:{tenant}:{key}",)"
      R"( "values": {"processing": "in_progress", "completed": "succeeded"}}})"_s;
const QString kOpen = u"SELECT idemdesk.open_release($1, $2, $3, $4, $5, $6, $7)"_s;
const QString kClose = u"SELECT idemdesk.close_release($1, $2, $3)"_s;

/// The values of one call; a test changes one of them.
struct Release {
    QString id = ConsoleFixture::newId();
    QString target = u"k"_s;
    QString cache = u"unix:///run/redis.sock"_s;
    QString entry = u"idem:t1:done"_s;
    QString value = u"processing"_s;
    QString reason = u"the worker died"_s;
    QString ticket = u"T-1"_s;
};

class AttacksReleaseTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_console;

    static Connection::Answer open(Connection &who, const Release &call)
    {
        return who.run(kOpen, { call.id, call.target, call.cache, call.entry, call.value, call.reason, call.ticket });
    }
    QString stored() { return m_console->root().value(u"SELECT count(*) FROM idemdesk.cache_release"_s); }
    QString told() { return m_console->root().value(u"SELECT count(*) FROM idemdesk.audit WHERE what = 'release'"_s); }
    void registerWithCache(const QString &settings = u"{}"_s, const QString &profile = kProfile)
    {
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"\"scope_text\""_s, u"\"key\":\"t.key\",\"scope_text\""_s);
        const QString answer = m_console->registerTarget(compiled, settings, profile);
        QVERIFY2(answer.contains(u"\"registered\": true"_s), qPrintable(answer));
    }

    /// One more table whose entries are called as those of app.k; it is empty. regionType: its scope is a column of
    /// that type, which may be NULL.
    void makeTable(const QString &name, const QString &keyType, const QString &regionType = {})
    {
        const auto made = m_console->root().run(
            u"SET ROLE app_owner; CREATE TABLE app.%1 (LIKE app.k INCLUDING ALL); ALTER TABLE app.%1 ALTER key TYPE %2 "
            "USING key::%2; GRANT SELECT, UPDATE, DELETE, INSERT ON app.%1 TO idemdesk_runner_app_owner; GRANT SELECT "
            "ON "
            "app.%1 TO op, op2; RESET ROLE"_s.arg(name, keyType));
        QVERIFY2(made.ok(), qPrintable(made.value()));
        QJsonObject compiled = QJsonDocument::fromJson(ConsoleFixture::compiled().toUtf8()).object();
        compiled.insert(u"relation"_s, u"\"app\".\"%1\""_s.arg(name));
        compiled.insert(u"key"_s, u"t.key"_s);
        QJsonArray identity = compiled[u"identity"_s].toArray();
        QJsonObject key = identity.at(1).toObject();
        key.insert(u"type"_s, u"pg_catalog."_s + keyType);
        identity.replace(1, key);
        compiled.insert(u"identity"_s, identity);
        compiled.insert(u"rules"_s, QJsonArray { compiled[u"rules"_s].toArray().first() });
        compiled.insert(u"effects"_s, QJsonArray());
        QString profile = kProfile;
        if (!regionType.isEmpty()) {
            const auto added = m_console->root().run(u"ALTER TABLE app.%1 ADD region %2"_s.arg(name, regionType));
            QVERIFY2(added.ok(), qPrintable(added.value()));
            profile.replace(u"t.tenant"_s, u"t.region"_s);
            compiled.insert(u"scope"_s, QJsonArray { u"t.region"_s });
            compiled.insert(
                u"scope_text"_s, compiled[u"scope_text"_s].toString().replace(u"t.tenant"_s, u"t.region"_s));
        }
        const QString answer
            = m_console->registerTarget(QString::fromUtf8(QJsonDocument(compiled).toJson()), u"{}"_s, profile, name);
        QVERIFY2(answer.contains(u"\"registered\": true"_s), qPrintable(answer));
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_console = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase() { m_console.reset(); }
    void init()
    {
        m_console->fresh([this] {
            registerWithCache();
            const auto made = m_console->root().run(
                u"INSERT INTO app.k (tenant, key, status) VALUES ('t1', 'done', 'succeeded'), ('t1', 'live', "
                "'processing'), ('t1', 'odd', 'what'), ('t1', 'a:b', 'failed'), ('t1:a', 'b', 'processing'), "
                "('t1', 'final', 'dead')"_s);
            QVERIFY2(made.ok(), qPrintable(made.value()));
        });
    }

    void itIsWrittenDownBeforeItIsDone()
    {
        const auto op = m_console->as(u"op"_s);
        Release call;
        const auto answer = open(*op, call);
        QVERIFY2(answer.ok(), qPrintable(answer.value()));
        QCOMPARE(answer.value(), uR"({"found": ["succeeded"], "outcome": "open"})"_s);
        const auto row = m_console->root().run(
            u"SELECT a.who, a.target, a.action, a.facts ->> 'id', a.facts ->> 'claims', a.facts ->> 'found', "
            "a.facts ->> 'reason', a.facts ->> 'ticket', a.facts::text LIKE '%idem:t1:done%' FROM idemdesk.audit a "
            "WHERE a.what = 'release'"_s);
        QCOMPARE(row.rows,
            (QList<QStringList> { { u"op"_s, u"k"_s, QString(), call.id, u"in_progress"_s, u"[\"succeeded\"]"_s,
                u"the worker died"_s, u"T-1"_s, u"f"_s } }));
        const QString seen = u"SELECT coalesce(outcome, 'not known') FROM idemdesk.cache_release_seen"_s;
        QCOMPARE(m_console->as(u"op2"_s)->value(seen), u"not known"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
        QCOMPARE(op->value(kClose, { call.id, u"deleted"_s, QString() }), u"deleted"_s);
        QCOMPARE(op->value(seen), u"deleted"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    void whoMayRelease_data()
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
        QTest::newRow("an operator from whom row security hides rows")
            << u"op"_s
            << u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON app.k USING (tenant = 't1')"_s
            << u"ID003"_s;
        QTest::newRow("on a table that was changed since it was registered")
            << u"op"_s << u"ALTER TABLE app.k ADD COLUMN more int"_s << u"ID006"_s;
        QTest::newRow("while the guard is not whole")
            << u"op"_s << u"ALTER TABLE idemdesk.provider_word DISABLE TRIGGER keep_rows"_s << u"ID004"_s;
    }

    void whoMayRelease()
    {
        QFETCH(QString, login);
        QFETCH(QString, prepare);
        QFETCH(QString, state);
        QVERIFY(m_console->root().run(prepare).ok());
        const auto answer = open(*m_console->as(login), {});
        QVERIFY2(answer.state == state, qPrintable(answer.value()));
        QCOMPARE(stored(), state.isEmpty() ? u"1"_s : u"0"_s);
        QCOMPARE(told(), state.isEmpty() ? u"1"_s : u"0"_s);
    }

    /// An operator calls it directly: the table decides whether a claim is wrong.
    void onlyAClaimThatIsWrong_data()
    {
        QTest::addColumn<QString>("entry");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("found");
        QTest::newRow("its row succeeded") << u"idem:t1:done"_s << u"processing"_s << u"[\"succeeded\"]"_s;
        QTest::newRow("its row failed for good") << u"idem:t1:final"_s << u"processing"_s << u"[\"failed_final\"]"_s;
        QTest::newRow("it has no row") << u"idem:t1:nowhere"_s << u"processing"_s << u"[]"_s;
        QTest::newRow("a live claim") << u"idem:t1:live"_s << u"processing"_s << QString();
        QTest::newRow("a row of a state that nobody knows") << u"idem:t1:odd"_s << u"processing"_s << QString();
        QTest::newRow("one reading of its name is a live claim") << u"idem:t1:a:b"_s << u"processing"_s << QString();
        QTest::newRow("an entry that holds the answer") << u"idem:t1:done"_s << u"completed"_s << QString();
        QTest::newRow("a value that the profile does not know") << u"idem:t1:done"_s << u"PROCESSING"_s << QString();
        QTest::newRow("an entry of something else") << u"session:t1:done"_s << u"processing"_s << QString();
        QTest::newRow("a name that ends too soon") << u"idem:t1"_s << u"processing"_s << QString();
        QTest::newRow("SQL as a name") << u"idem:t1:x' OR true OR 'x' = '"_s << u"processing"_s << u"[]"_s;
    }

    void onlyAClaimThatIsWrong()
    {
        QFETCH(QString, entry);
        QFETCH(QString, value);
        QFETCH(QString, found);
        Release call;
        call.entry = entry;
        call.value = value;
        const auto op = m_console->as(u"op"_s);
        const auto answer = open(*op, call);
        QVERIFY2(answer.state == (found.isEmpty() ? u"ID005"_s : QString()), qPrintable(answer.value()));
        QCOMPARE(stored(), found.isEmpty() ? u"0"_s : u"1"_s);
        QCOMPARE(told(), stored());
        if (!found.isEmpty()) {
            QCOMPARE(m_console->root().value(u"SELECT found FROM idemdesk.cache_release"_s), found);
        }
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// What was released a moment ago may be claimed anew: the table is asked each time.
    void aRowThatIsClaimedAgainIsLeftAlone()
    {
        const auto op = m_console->as(u"op"_s);
        QVERIFY(open(*op, {}).ok());
        QVERIFY(m_console->root().run(u"UPDATE app.k SET status = 'processing' WHERE key = 'done'"_s).ok());
        QCOMPARE(open(*op, {}).state, u"ID005"_s);
    }

    /// A row that is just being made is seen by nobody yet; its claim is right.
    void aRowThatIsJustBeingMadeIsWaitedFor()
    {
        Release call;
        call.entry = u"idem:t1:new"_s;
        const auto service = m_console->as(u"service"_s);
        const QString made = u"BEGIN; INSERT INTO app.k (tenant, key, status) VALUES ('t1', 'new', 'processing')"_s;
        QVERIFY(service->run(made).ok());
        const auto op = m_console->as(u"op"_s);
        const auto refused = open(*op, call);
        QCOMPARE(refused.state, u"ID005"_s);
        QVERIFY2(refused.message.contains(u"is writing to the table"_s), qPrintable(refused.message));
        QVERIFY(open(*op, {}).ok()); // where there is a row, that is what counts
        QCOMPARE(stored(), u"1"_s);
        // Who ends meanwhile is waited for, and his row is seen. The server itself ends it: a busy machine is not to
        // miss the two seconds that are waited.
        call.id = ConsoleFixture::newId();
        service->send(u"SELECT pg_sleep(0.5); COMMIT"_s);
        const auto seen = open(*op, call);
        QVERIFY(service->take().ok());
        QCOMPARE(seen.state, u"ID005"_s);
        QVERIFY2(seen.message.contains(u"in progress in the table, too"_s), qPrintable(seen.message));
        QCOMPARE(stored(), u"1"_s);
    }

    /// Nor where it is made while the log is waited for, in a transaction that was there before.
    void norIsOneMadeWhileTheLogIsHeld()
    {
        const auto service = m_console->as(u"service"_s);
        QVERIFY(service->run(u"BEGIN; SELECT 1"_s).ok());
        const auto holder = m_console->as(u"boss"_s);
        QVERIFY(holder->run(u"BEGIN; SELECT FROM idemdesk.audit_head FOR UPDATE"_s).ok());
        const auto op = m_console->as(u"op"_s);
        op->send(
            u"SELECT idemdesk.open_release('%1', 'k', 'c', 'idem:t1:new', 'processing', 'the worker died', '')"_s.arg(
                ConsoleFixture::newId()));
        QTRY_COMPARE_WITH_TIMEOUT(m_console->root().value(u"SELECT count(*) FROM pg_stat_activity WHERE pid = %1 AND "
                                                          "wait_event_type = 'Lock'"_s.arg(op->pid())),
            u"1"_s, 20'000);
        QVERIFY(service->run(u"INSERT INTO app.k (tenant, key, status) VALUES ('t1', 'new', 'processing')"_s).ok());
        QVERIFY(holder->run(u"COMMIT"_s).ok());
        const auto refused = op->take();
        QCOMPARE(refused.state, u"ID005"_s);
        QVERIFY2(refused.message.contains(u"is writing to the table"_s), qPrintable(refused.message));
        QCOMPARE(stored(), u"0"_s);
    }

    void whatSaysNothingIsRefused_data()
    {
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("value");
        QTest::newRow("no reason") << u"reason"_s << u" \u00a0\n"_s;
        QTest::newRow("a reason of 4,001 characters") << u"reason"_s << QString(4001, u'x');
        QTest::newRow("a ticket of 201 characters") << u"ticket"_s << QString(201, u'x');
        QTest::newRow("no cache") << u"cache"_s << QString();
        QTest::newRow("no entry") << u"entry"_s << QString();
        QTest::newRow("an entry of 1,001 characters") << u"entry"_s << u"idem:t1:"_s + QString(993, u'x');
        QTest::newRow("a value of 1,001 characters") << u"value"_s << QString(1001, u'x');
        QTest::newRow("a table that is not registered") << u"target"_s << u"none"_s;
    }

    void whatSaysNothingIsRefused()
    {
        QFETCH(QString, part);
        QFETCH(QString, value);
        Release call;
        QMap<QString, QString *> parts { { u"reason"_s, &call.reason }, { u"ticket"_s, &call.ticket },
            { u"cache"_s, &call.cache }, { u"entry"_s, &call.entry }, { u"value"_s, &call.value },
            { u"target"_s, &call.target } };
        *parts.value(part) = value;
        const auto answer = open(*m_console->as(u"op"_s), call);
        QVERIFY2(answer.state == u"ID005", qPrintable(answer.value()));
        QCOMPARE(stored(), u"0"_s);
        QCOMPARE(told(), u"0"_s);
    }

    void aTableWithoutACacheHasNoneToRelease_data()
    {
        QTest::addColumn<QString>("profile");
        QTest::newRow("no cache") << u"{\"x\": 1}"_s;
        QTest::newRow("values mean nothing")
            << uR"({"scope": [{"label": "tenant"}], "cache": {"key": "idem:{tenant}:{key}"}})"_s;
        QTest::newRow("a form that leaves the tenant out")
            << uR"({"cache": {"key": "idem:{key}", "values": {"processing": "in_progress"}}})"_s;
        QTest::newRow("a form that nobody can take apart")
            << uR"({"cache": {"key": "idem:{tenant}{key}", "values": {"*": "in_progress"}}})"_s;
        QTest::newRow("a form with a brace too many")
            << u"{\"cache\": {\"key\": \"idem:{tenant}:{key}}\", \"values\": {\"*\": \"in_progress\"}}}"_s;
    }

    void aTableWithoutACacheHasNoneToRelease()
    {
        QFETCH(QString, profile);
        registerWithCache(u"{}"_s, profile);
        const auto answer = open(*m_console->as(u"op"_s), {});
        QVERIFY2(answer.state == u"ID005", qPrintable(answer.value()));
        QCOMPARE(stored(), u"0"_s);
    }

    /// One by one is no way past the limit above which two people decide.
    void theLimitOfTheTableHolds()
    {
        registerWithCache(u"{\"approval_above\": 2}"_s);
        const auto op = m_console->as(u"op"_s);
        QVERIFY(open(*op, {}).ok());
        QVERIFY(open(*op, {}).ok());
        QCOMPARE(open(*op, {}).state, u"ID008"_s);
        QVERIFY(open(*m_console->as(u"op2"_s), {}).ok());
        QCOMPARE(stored(), u"3"_s);
    }

    void itIsAStatementOfItsOwn_data()
    {
        QTest::addColumn<QString>("sql");
        const QString call = u"idemdesk.open_release('%1', 'k', 'c', 'idem:t1:done', 'processing', 'r', NULL)"_s.arg(
            ConsoleFixture::newId());
        QTest::newRow("within a block") << u"DO $$ BEGIN PERFORM %1; END $$"_s.arg(call);
        QTest::newRow("beside another expression") << u"SELECT 1, %1"_s.arg(call);
        QTest::newRow("in a transaction that wrote") << u"BEGIN; UPDATE app.k SET attempts = attempts WHERE false; "
                                                        "SELECT pg_current_xact_id(); SELECT %1"_s.arg(call);
        QTest::newRow("in a view") << u"CREATE TEMP VIEW v AS SELECT %1 AS x; SELECT * FROM v"_s.arg(call);
    }

    void itIsAStatementOfItsOwn()
    {
        QFETCH(QString, sql);
        const auto answer = m_console->as(u"op"_s)->run(sql);
        QVERIFY2(!answer.ok(), qPrintable(answer.value()));
        QCOMPARE(stored(), u"0"_s);
    }

    void theSameCallIsWrittenDownOnce()
    {
        const auto op = m_console->as(u"op"_s);
        Release call;
        QVERIFY(open(*op, call).ok());
        QVERIFY(open(*op, call).ok());
        QCOMPARE(told(), u"1"_s);
        Release other = call;
        other.entry = u"idem:t1:final"_s;
        QCOMPARE(open(*op, other).state, u"ID007"_s);
        QCOMPARE(open(*m_console->as(u"op2"_s), call).state, u"ID007"_s);
        QVERIFY(op->run(kClose, { call.id, u"changed"_s, QString() }).ok());
        QCOMPARE(open(*op, call).value(), uR"({"found": ["succeeded"], "outcome": "changed"})"_s);
        QCOMPARE(told(), u"1"_s);
    }

    /// The client names the table. Where another one's entries are called alike, that one is asked, too.
    void anotherTableDoesNotVouchForIt()
    {
        makeTable(u"k2"_s, u"text"_s);
        const auto op = m_console->as(u"op"_s);
        Release call;
        call.entry = u"idem:t1:live"_s;
        QCOMPARE(open(*op, call).state, u"ID005"_s);
        call.target = u"k2"_s;
        const auto answer = open(*op, call);
        QVERIFY2(
            answer.state == u"ID005" && answer.message.contains(u"may be that of \"k\""_s), qPrintable(answer.value()));
        call.entry = u"idem:t1:done"_s; // which is finished in the one, and absent in the other
        QVERIFY2(open(*op, call).ok(), qPrintable(open(*op, call).value()));
    }

    /// A service writes a value in one way: another spelling finds no row where there is one.
    void anotherSpellingIsNoOtherRow_data()
    {
        QTest::addColumn<QString>("entry");
        QTest::addColumn<bool>("released");
        QTest::newRow("as the server writes it, of a row that is there") << uR"(idem:t1:\xdeadbeef)"_s << false;
        QTest::newRow("bare, of the same row") << u"idem:t1:deadbeef"_s << false;
        QTest::newRow("in capitals, of the same row") << uR"(idem:t1:\xDEADBEEF)"_s << false;
        QTest::newRow("as the server writes it, of no row") << uR"(idem:t1:\xdead)"_s << true;
        QTest::newRow("bare, of no row") << u"idem:t1:dead"_s << false;
    }
    void anotherSpellingIsNoOtherRow()
    {
        QFETCH(QString, entry);
        QFETCH(bool, released);
        makeTable(u"b"_s, u"bytea"_s);
        QVERIFY(m_console->root()
                    .run(uR"(INSERT INTO app.b (tenant, key, status) VALUES ('t1', '\xdeadbeef', 'processing'))"_s)
                    .ok());
        Release call;
        call.target = u"b"_s;
        call.entry = entry;
        const auto answer = open(*m_console->as(u"op"_s), call);
        QVERIFY2(answer.state == (released ? QString() : u"ID005"_s), qPrintable(answer.value()));
    }

    void aRowThatIsJustBeingChangedIsNotKnown()
    {
        const auto service = m_console->as(u"service"_s);
        QVERIFY(service->run(u"BEGIN; UPDATE app.k SET status = 'processing' WHERE key = 'done'"_s).ok());
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(open(*op, {}).state, u"ID005"_s);
        QVERIFY(service->run(u"ROLLBACK"_s).ok());
        QVERIFY(open(*op, {}).ok());
    }

    /// Whoever holds the audit log makes it wait: what was read before counts for nothing then.
    void whatChangesInTheWaitIsSeen()
    {
        const auto holder = m_console->as(u"op2"_s);
        QVERIFY(holder->run(u"BEGIN"_s).ok());
        Release other;
        other.entry = u"idem:t1:final"_s;
        QVERIFY(open(*holder, other).ok());
        const auto op = m_console->as(u"op"_s);
        op->send(u"SELECT idemdesk.open_release('%1', 'k', 'redis', 'idem:t1:done', 'processing', 'r', NULL)"_s.arg(
            ConsoleFixture::newId()));
        QTRY_COMPARE(
            m_console->root().value(u"SELECT wait_event_type FROM pg_stat_activity WHERE pid = %1"_s.arg(op->pid())),
            u"Lock"_s);
        QVERIFY(m_console->root().run(u"UPDATE app.k SET status = 'processing' WHERE key = 'done'"_s).ok());
        QVERIFY(holder->run(u"COMMIT"_s).ok());
        QCOMPARE(op->take().state, u"ID005"_s);
        QCOMPARE(told(), u"1"_s);
    }

    void anIdOpensNothingForGood()
    {
        const auto op = m_console->as(u"op"_s);
        Release call;
        QVERIFY(open(*op, call).ok());
        QVERIFY(m_console->root().run(u"UPDATE app.k SET status = 'processing' WHERE key = 'done'"_s).ok());
        QCOMPARE(open(*op, call).state, u"ID005"_s);
        call.ticket = u"T-2"_s;
        QCOMPARE(open(*op, call).state, u"ID007"_s);
    }

    /// Whoever says nothing takes the minute from nobody, and no minute outweighs an hour.
    void anEmptySampleTakesNoMinute()
    {
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(op->value(u"SELECT idemdesk.take_cache_sample('k', '{}')"_s), u"0"_s);
        QCOMPARE(op->value(uR"(SELECT idemdesk.take_cache_sample('k', '{"judged": 1e15, "off": 0}'))"_s), u"2"_s);
        QCOMPARE(m_console->root().value(u"SELECT value FROM idemdesk.sample WHERE metric = 'cache_ttl_judged'"_s),
            u"1000000"_s);
    }

    /// What came of it is the word of who did it, said once; nobody else's, and nothing but one of the outcomes.
    void aForgedOutcomeIsRefused()
    {
        const auto op = m_console->as(u"op"_s);
        Release call;
        QVERIFY(open(*op, call).ok());
        QCOMPARE(m_console->as(u"op2"_s)->state(kClose, { call.id, u"deleted"_s, QString() }), u"ID005"_s);
        QCOMPARE(m_console->as(u"viewer"_s)->state(kClose, { call.id, u"deleted"_s, QString() }), u"42501"_s);
        QCOMPARE(op->state(kClose, { call.id, u"undone"_s, QString() }), u"ID005"_s);
        QCOMPARE(op->state(kClose, { call.id, std::nullopt, QString() }), u"ID005"_s);
        QCOMPARE(op->state(kClose, { ConsoleFixture::newId(), u"deleted"_s, QString() }), u"ID005"_s);
        QCOMPARE(op->value(kClose, { call.id, u"changed"_s, QString() }), u"changed"_s);
        QCOMPARE(op->value(kClose, { call.id, u"deleted"_s, QString() }), u"changed"_s);
        QCOMPARE(op->state(u"UPDATE idemdesk.cache_release SET outcome = 'deleted'"_s), u"42501"_s);
        QCOMPARE(
            op->state(u"INSERT INTO idemdesk.cache_release SELECT * FROM idemdesk.cache_release_seen"_s), u"42501"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    void undoIsRefusedKindly()
    {
        const auto op = m_console->as(u"op"_s);
        Release call;
        QVERIFY(open(*op, call).ok());
        QVERIFY(op->run(kClose, { call.id, u"deleted"_s, QString() }).ok());
        const auto answer
            = op->run(u"SELECT idemdesk.open_undo($1, $2, 'r', NULL)"_s, { ConsoleFixture::newId(), call.id });
        QCOMPARE(answer.state, u"ID005"_s);
        QVERIFY2(answer.message.contains(u"cannot be undone"_s), qPrintable(answer.message));
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// The client chooses the number, so it may be that of an action: nothing may stand in that one's story.
    void theNumberOfAnActionIsNotTaken()
    {
        const auto op = m_console->as(u"op"_s);
        Release call;
        QVERIFY(m_console->root().run(u"SELECT 1"_s).ok());
        QVERIFY(op->run(u"SELECT idemdesk.open_action($1, 'k', 'recover', 'r', 'T', '{}', $2, $3::jsonb)"_s,
                      { call.id, ConsoleFixture::profileSha(kProfile), m_console->frozen(u"key = 'live'"_s) })
                    .ok());
        QVERIFY(open(*op, call).ok());
        QCOMPARE(m_console->root().value(
                     u"SELECT count(*) FROM idemdesk.audit WHERE what = 'release' AND action IS NOT NULL"_s),
            u"0"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// By a superuser, whom nothing holds: it is found afterwards.
    void whatIsChangedIsFound_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::newRow("another entry") << u"UPDATE idemdesk.cache_release SET entry = 'idem:t1:live'"_s;
        QTest::newRow("another value") << u"UPDATE idemdesk.cache_release SET value = 'completed'"_s;
        QTest::newRow("another cache") << u"UPDATE idemdesk.cache_release SET cache = 'redis://other'"_s;
        QTest::newRow("another row") << u"UPDATE idemdesk.cache_release SET found = '[\"in_progress\"]'"_s;
        QTest::newRow("another login") << u"UPDATE idemdesk.cache_release SET requested_by = 'op2'"_s;
        QTest::newRow("another time")
            << u"UPDATE idemdesk.cache_release SET requested_at = requested_at - interval '1 us'"_s;
        QTest::newRow("another outcome") << u"UPDATE idemdesk.cache_release SET outcome = 'gone'"_s;
        QTest::newRow("no outcome") << u"UPDATE idemdesk.cache_release SET outcome = NULL"_s;
        QTest::newRow("another table") << u"UPDATE idemdesk.cache_release SET relation = 'app.eff'::regclass"_s;
        QTest::newRow("all gone") << u"DELETE FROM idemdesk.cache_release"_s;
        QTest::newRow("one more") << u"INSERT INTO idemdesk.cache_release SELECT gen_random_uuid(), target, relation, "
                                     "cache, entry, value, claims, found, reason, ticket, requested_by, requested_at, "
                                     "outcome FROM idemdesk.cache_release"_s;
    }

    void whatIsChangedIsFound()
    {
        QFETCH(QString, sql);
        const auto op = m_console->as(u"op"_s);
        Release call;
        QVERIFY(open(*op, call).ok());
        QVERIFY(op->run(kClose, { call.id, u"deleted"_s, QString() }).ok());
        const auto done = m_console->root().run(sql);
        QVERIFY2(done.ok(), qPrintable(done.value()));
        QVERIFY2(ConsoleFixture::verified(*op).contains(u"cached claim"_s), qPrintable(ConsoleFixture::verified(*op)));
    }

    /// What a client says of the cache is kept as samples, and can spoil nothing but these.
    void aSampleOfTheCacheIsOneAMinute()
    {
        const QString take = u"SELECT idemdesk.take_cache_sample($1, $2)"_s;
        const auto op = m_console->as(u"op"_s);
        const QString seen
            = u"{\"run\": \"r1\", \"hits\": 100, \"misses\": 50, \"hits_after\": 110, \"misses_after\": 60, "
              "\"memory\": 4096, \"judged\": 10, \"off\": 2, \"crowded\": 0}"_s;
        // Hits and misses need a second look to be so many in a minute.
        QCOMPARE(op->value(take, { u"k"_s, seen }), u"4"_s);
        QCOMPARE(m_console->as(u"op2"_s)->value(take, { u"k"_s, seen }), u"0"_s);
        const QString who = u"SELECT string_agg(target || ' ' || taken_by, ',') FROM idemdesk.cache_sample_run"_s;
        QCOMPARE(m_console->as(u"viewer"_s)->value(who), u"k op"_s); // whose word it is
        QVERIFY(m_console->root()
                    .run(u"UPDATE idemdesk.counter_seen SET at = at - interval '2 min'; DELETE FROM "
                         "idemdesk.sample"_s)
                    .ok());
        const QString later = u"{\"run\": \"r1\", \"hits\": 170, \"misses\": 80, \"memory\": 1e300, \"off\": -5, "
                              "\"judged\": \"many\"}"_s;
        QCOMPARE(op->value(take, { u"k"_s, later }), u"3"_s);
        QCOMPARE(m_console->root().value(u"SELECT string_agg(metric || '=' || value, ',' ORDER BY metric) FROM "
                                         "idemdesk.sample"_s),
            u"cache_lookups=40,cache_memory=1e+15,cache_misses=10"_s);
        // Another server, or one that was started anew, has counters of its own.
        QVERIFY(m_console->root()
                    .run(u"UPDATE idemdesk.counter_seen SET at = at - interval '2 min'; DELETE FROM "
                         "idemdesk.sample"_s)
                    .ok());
        QCOMPARE(op->value(take, { u"k"_s, QString(later).replace(u"r1"_s, u"r2"_s) }), u"1"_s);
        QCOMPARE(m_console->as(u"viewer"_s)->state(take, { u"k"_s, seen }), u"42501"_s);
        QCOMPARE(op->state(take, { u"none"_s, seen }), u"ID005"_s);
        registerWithCache(u"{}"_s, u"{\"x\": 1}"_s);
        QCOMPARE(op->state(take, { u"k"_s, seen }), u"ID005"_s);
    }

    /// What is past its time goes, as items of actions do, and the trail keeps that it was done.
    void whatIsPastItsTimeGoes()
    {
        const auto op = m_console->as(u"op"_s);
        Release old;
        QVERIFY(open(*op, old).ok());
        QVERIFY(op->run(kClose, { old.id, u"deleted"_s, QString() }).ok());
        const QString maintain = u"SELECT idemdesk.maintain()"_s;
        QVERIFY(op->run(maintain).ok());
        QCOMPARE(stored(), u"1"_s);
        // Nobody can wait for 400 days: the row is made older, and the trail with it, as a superuser alone may.
        const auto aged = m_console->root().run(
            u"ALTER TABLE idemdesk.audit DISABLE TRIGGER ALL; UPDATE idemdesk.audit SET at = at - interval '401 days' "
            "WHERE what LIKE 'release%'; ALTER TABLE idemdesk.audit ENABLE ALWAYS TRIGGER keep_rows; ALTER TABLE "
            "idemdesk.audit ENABLE ALWAYS TRIGGER keep_table; UPDATE idemdesk.cache_release SET requested_at = "
            "requested_at - interval '401 days'"_s);
        QVERIFY2(aged.ok(), qPrintable(aged.value()));
        Release young;
        young.reason = u"another one"_s;
        QVERIFY(open(*op, young).ok());
        QVERIFY(op->run(maintain).ok());
        QCOMPARE(m_console->root().value(u"SELECT string_agg(id::text, ',') FROM idemdesk.cache_release"_s), young.id);
        QCOMPARE(told(), u"2"_s);
        QCOMPARE(m_console->root().value(u"SELECT facts ->> 'releases' FROM idemdesk.audit WHERE what = 'maintain'"_s),
            u"1"_s);
        const QString releases = u"SELECT count(*) FROM idemdesk._verify_releases()"_s;
        QCOMPARE(m_console->root().value(releases), u"0"_s); // the chain itself tells that its times were changed
        // Its number is nobody's: the trail has it.
        QCOMPARE(op->state(kOpen, { old.id, old.target, old.cache, old.entry, old.value, old.reason, old.ticket }),
            u"ID007"_s);
        // What is not past its time is missed.
        QVERIFY(m_console->root().run(u"DELETE FROM idemdesk.cache_release"_s).ok());
        QCOMPARE(m_console->root().value(releases), u"1"_s);
    }

    /// How a service writes NULL in an entry's name only the service knows: that row counts, whatever stands there.
    void aRowWithoutScopeCountsForEveryEntryOfItsKey_data()
    {
        QTest::addColumn<QString>("tenant");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("status");
        QTest::addColumn<QString>("state");
        const auto row
            = [](const char *name, const char *tenant, const char *type, const char *status, const char *state) {
                  QTest::newRow(name) << QString::fromLatin1(tenant) << QString::fromLatin1(type)
                                      << QString::fromLatin1(status) << QString::fromLatin1(state);
              };
        row("nothing there, at work", "", "text", "processing", "ID005");
        row("null, at work", "null", "text", "processing", "ID005");
        row("a word of the service, at work", "default", "text", "processing", "ID005");
        row("null, finished", "null", "text", "succeeded", "");
        row("None of another type, at work", "None", "uuid", "processing", "ID005");
        row("null of another type, finished", "null", "uuid", "succeeded", "");
        row("a word of another type", "default", "uuid", "succeeded", "ID005"); // nobody can say
    }

    void aRowWithoutScopeCountsForEveryEntryOfItsKey()
    {
        QFETCH(QString, tenant);
        QFETCH(QString, type);
        QFETCH(QString, status);
        QFETCH(QString, state);
        makeTable(u"loose"_s, u"text"_s, type);
        const auto made = m_console->root().run(
            u"INSERT INTO app.loose (tenant, key, status) VALUES ('t1', 'nil', '%1')"_s.arg(status));
        QVERIFY2(made.ok(), qPrintable(made.value()));
        Release call;
        call.target = u"loose"_s;
        call.entry = u"idem:%1:nil"_s.arg(tenant);
        QCOMPARE(m_console->as(u"op"_s)->state(
                     kOpen, { call.id, call.target, call.cache, call.entry, call.value, call.reason, call.ticket }),
            state);
    }

    void itIsSeenByThoseWhoMayReadTheTable()
    {
        QVERIFY(open(*m_console->as(u"op"_s), {}).ok());
        const QString count = u"SELECT count(*) FROM idemdesk.cache_release_seen"_s;
        QVERIFY(m_console->root().run(u"GRANT SELECT ON app.k TO viewer; GRANT USAGE ON SCHEMA app TO viewer"_s).ok());
        QCOMPARE(m_console->as(u"viewer"_s)->value(count), u"1"_s);
        QVERIFY(m_console->root().run(u"REVOKE SELECT ON app.k FROM viewer"_s).ok());
        QCOMPARE(m_console->as(u"viewer"_s)->value(count), u"0"_s);
        QCOMPARE(m_console->as(u"viewer"_s)->state(u"SELECT * FROM idemdesk.cache_release"_s), u"42501"_s);
    }
};

} // namespace

QTEST_GUILESS_MAIN(AttacksReleaseTest)
#include "tst_attacks_release.moc"
