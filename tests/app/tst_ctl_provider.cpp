// SPDX-License-Identifier: GPL-3.0-or-later
// A provider's statement beside the keys: each kind of difference made by hand, and none invented; hostile files; and
// the way from a line by evidence and triage to a recovered key.
#include "tests/support/program_run.h"
#include "tests/support/registered_table.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

const QByteArray kProfile = R"json({"title": "Payments", "kind": "request", "relation": "app.payment",
  "identity": ["id"], "scope": [], "key": "t.id",
  "roles": {"status": "t.status", "created_at": "t.created_at", "updated_at": "t.touched", "lease_until": "t.locked_until", "result_id": "t.result"},
  "states": {"processing": "in_progress", "succeeded": "succeeded", "failed": "failed_retryable"},
  "stale": [{"states": ["in_progress"], "by": "t.locked_until", "after": "0s"}],
  "guard": ["status"],
  "actions": {"recover": [
      {"from": ["in_progress"], "to": "failed_retryable", "set": {"status": "'failed'"}},
      {"from": ["in_progress"], "to": "succeeded", "set": {"status": "'succeeded'", "result": "t.psp_ref"}}],
    "requeue": [], "reclassify": []},
  "purge": null, "effects": [], "policies": [{"match": {}, "effect": "external"}],
  "provider": {"name": "acme", "reference": "t.psp_ref", "amount": "t.amount", "currency": "t.currency",
    "status": "t.psp_status", "states": {"new": "requested", "sent": "sent", "ok": "confirmed", "no": "failed"},
    "link": "https://acme.example/pay/{reference}"}})json";

// Times are UTC; the statement's lines go from 00:00 to 12:00 of the 20th.
const QString kRows = uR"(
CREATE TABLE app.payment (id text PRIMARY KEY, status text NOT NULL, psp_status text, psp_ref text,
    amount numeric(20,4), currency text, created_at timestamptz NOT NULL, locked_until timestamptz, result text,
    touched timestamptz);
CREATE INDEX payment_ref ON app.payment (psp_ref);
INSERT INTO app.payment (id, status, psp_status, psp_ref, amount, currency, created_at, locked_until) VALUES
 ('agrees',     'succeeded',  'ok',   'r-agrees',  0.3,      'eur', '2026-11-20 01:00+00', NULL),
 ('exact',      'succeeded',  'ok',   'r-exact',   9007199254740993.01, 'EUR', '2026-11-20 01:00+00', NULL),
 ('open',       'processing', 'sent', 'r-open',    20.00,    'EUR', '2026-11-20 02:00+00', '2026-11-20 03:00+00'),
 ('declined',   'processing', 'sent', 'r-declined', 5,       'EUR', '2026-11-20 02:00+00', '2026-11-20 03:00+00'),
 ('agreed-no',  'failed',     'no',   'r-agreed-no', 5,      'EUR', '2026-11-20 02:00+00', NULL),
 ('double',     'succeeded',  'ok',   'r-double',  7.50,     'EUR', '2026-11-20 03:00+00', NULL),
 ('amount',     'succeeded',  'ok',   'r-amount',  10.00,    'EUR', '2026-11-20 04:00+00', NULL),
 ('currency',   'succeeded',  'ok',   'r-currency', 11,      'EUR', '2026-11-20 04:00+00', NULL),
 ('missing',    'processing', 'sent', 'r-missing', 12,       'EUR', '2026-11-20 05:00+00', '2026-11-20 06:00+00'),
 ('no-charge',  'failed',     'no',   'r-no-charge', 12,     'EUR', '2026-11-20 05:00+00', NULL),
 ('before',     'processing', 'sent', 'r-before',  12,       'EUR', '2026-11-19 23:59:59+00', '2026-11-20 06:00+00'),
 ('late',       'processing', 'sent', 'r-late',    12,       'EUR', '2026-11-20 11:55+00', '2026-11-20 12:00+00'),
 ('after',      'processing', 'sent', 'r-after',   12,       'EUR', '2026-11-21 00:00+00', '2026-11-21 01:00+00'),
 ('asked-only', 'processing', 'new',  NULL,        12,       'EUR', '2026-11-20 05:00+00', '2026-11-20 06:00+00'),
 ('odd',        'processing', 'x?',   'r-odd',     13,       'EUR', '2026-11-22 00:00+00', '2026-11-22 01:00+00'),
 ('shared-1',   'succeeded',  'ok',   'r-shared',  1,        'EUR', '2026-11-20 05:00+00', NULL),
 ('shared-2',   'succeeded',  'ok',   'r-shared',  1,        'EUR', '2026-11-20 05:00+00', NULL);
ALTER TABLE app.payment OWNER TO app_owner;
GRANT SELECT, UPDATE (status, result), DELETE, INSERT ON app.payment TO idemdesk_runner_app_owner;
GRANT USAGE ON SCHEMA app TO adm, viewer;
GRANT SELECT ON app.payment TO op, op2, adm, viewer;
)"_s;

const QByteArray kStatement = "\xEF\xBB\xBFMerchant reference,Amount,Currency,Created,Status,Note\r\n"
                              "r-agrees,30,EUR,2026-11-20T00:00:00Z,paid,\r\n"
                              "r-exact,900719925474099301,EUR,2026-11-20T01:00:00Z,paid,\r\n"
                              "r-open,2000,EUR,2026-11-20T02:00:01Z,paid,\"two\nlines, and a \"\"quote\"\"\"\r\n"
                              "r-declined,500,EUR,2026-11-20T02:00:01Z,declined,\r\n"
                              "r-agreed-no,500,EUR,2026-11-20T02:00:01Z,declined,\r\n"
                              "r-double,750,EUR,2026-11-20T03:00:00Z,paid,first\r\n"
                              "r-double,750,EUR,2026-11-20T03:00:05Z,paid,again\r\n"
                              "r-amount,1001,EUR,2026-11-20T04:00:00Z,paid,\r\n"
                              "r-currency,1100,USD,2026-11-20T04:00:00Z,paid,\r\n"
                              "r-theirs,4200,EUR,2026-11-20T07:00:00Z,paid,=cmd|' /C calc'!A1\r\n"
                              "r-shared,100,EUR,2026-11-20T07:00:00Z,paid,\r\n"
                              "fee-1,15,EUR,2026-11-20T12:00:00Z,fee,\r\n";

const QStringList kMap { u"--map"_s, u"reference=Merchant reference"_s, u"--map"_s, u"amount_minor=Amount"_s,
    u"--map"_s, u"currency=Currency"_s, u"--map"_s, u"time=Created"_s, u"--map"_s, u"state=Status"_s };

/// "twice r-double 6,7" of each item, sorted.
QStringList found(const ProgramRun &run)
{
    QStringList lines;
    for (const QJsonValue &value : run.items()) {
        const QJsonObject item = value.toObject();
        QStringList numbers;
        for (const QJsonValue &line : item.value(u"lines"_s).toArray()) {
            numbers += QString::number(line.toInt());
        }
        lines += QStringList { item.value(u"finding"_s).toString(), item.value(u"reference"_s).toString(),
            numbers.join(u',') }
                     .join(u' ');
    }
    lines.sort();
    return lines;
}

} // namespace

class CtlProviderTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_home;

    ProgramRun ctl(const QStringList &arguments, const QString &login = u"op"_s) const
    {
        QProcessEnvironment environment = privateEnvironment(m_home->path());
        environment.insert(u"XDG_CONFIG_HOME"_s, m_home->path()); // where maps are remembered
        return runProgram(QStringLiteral(IDEMDESKCTL),
            arguments + QStringList { u"--connect"_s, m_fixture->cluster().conninfoAs(login, m_fixture->database()) },
            { environment, {} });
    }
    ProgramRun provider(const QStringList &arguments, const QString &login = u"op"_s) const
    {
        return ctl(QStringList { u"provider"_s, u"--target"_s, u"payments"_s, u"--json"_s } + arguments, login);
    }
    QString write(const QByteArray &bytes, const QString &name = u"statement.csv"_s) const
    {
        QFile file(m_home->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
            qFatal("%s cannot be written", qPrintable(name));
        }
        return file.fileName();
    }
    static QString whole(const ProgramRun &run) { return QString::fromUtf8(run.said()); }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase() { m_fixture.reset(); }
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        m_fixture->fresh([this] {
            m_fixture->cluster().psql(m_fixture->database(), kRows);
            registerTable(*m_fixture, kProfile, u"payments"_s);
        });
    }

    void whatIsNotSettledIsListed()
    {
        const ProgramRun run = provider({});
        QCOMPARE(run.status, 0);
        QStringList keys;
        QJsonObject open;
        for (const QJsonValue &value : run.items()) {
            const QJsonObject item = value.toObject();
            const QString key = item.value(u"record"_s).toObject().value(u"key"_s).toString();
            keys += key + u' ' + item.value(u"provider"_s).toObject().value(u"state"_s).toString();
            open = key == u"open" ? item.value(u"provider"_s).toObject() : open;
        }
        keys.sort();
        QCOMPARE(keys.join(u'\n'),
            u"after sent\nasked-only requested\nbefore sent\ndeclined sent\nlate sent\nmissing sent\nodd unknown\nopen sent"_s);
        QCOMPARE(open.value(u"reference"_s).toString(), u"r-open"_s);
        QCOMPARE(open.value(u"amount"_s).toString(), u"20.0000"_s);
        QCOMPARE(open.value(u"link"_s).toString(), u"https://acme.example/pay/r-open"_s);
        QCOMPARE(open.value(u"at"_s).toString(), u"2026-11-20T02:00:00.000000Z"_s);
        const ProgramRun confirmed = provider({ u"--state"_s, u"confirmed"_s, u"--filter"_s, u"key:exact"_s });
        QCOMPARE(confirmed.items().size(), 1);
    }

    void theListIsPaged()
    {
        QStringList keys;
        QString after;
        for (int page = 0; page < 10; ++page) {
            const ProgramRun run = provider(QStringList { u"--limit"_s, u"3"_s }
                + (after.isEmpty() ? QStringList() : QStringList { u"--after"_s, after }));
            QCOMPARE(run.status, 0);
            for (const QJsonValue &value : run.items()) {
                keys += value.toObject().value(u"record"_s).toObject().value(u"key"_s).toString();
            }
            after = run.json().value(u"next"_s).toString();
            if (after.isEmpty()) {
                break;
            }
        }
        QCOMPARE(keys.size(), 8);
        QCOMPARE(keys.removeDuplicates(), 0);
    }

    void aProfileWithoutItSaysSo()
    {
        m_fixture->cluster().psql(m_fixture->database(), u"GRANT SELECT ON app.k, app.eff TO adm, op"_s);
        registerTable(*m_fixture);
        const ProgramRun run = ctl({ u"provider"_s, u"--target"_s, u"k2"_s });
        QCOMPARE(run.status, 5);
        QVERIFY2(run.err.contains(u"says nothing of a provider"_s), qPrintable(run.err));
    }

    void eachDifferenceIsFoundAndNoneInvented_data()
    {
        QTest::addColumn<QString>("prepare");
        QTest::addColumn<QString>("notes");
        QTest::newRow("by the index of the reference") << u"SELECT 1"_s << QString();
        QTest::newRow("in a table that no index serves")
            << u"DROP INDEX app.payment_ref; INSERT INTO app.payment SELECT 'x' || n, 'succeeded', 'ok', 'x' || n, 1, "
               "'EUR', '2026-10-01' FROM generate_series(1, 60000) n; ANALYZE app.payment"_s
            << u"No index leads with the reference"_s;
        QTest::newRow("in a large table, by the indexes of reference and time")
            << u"CREATE INDEX ON app.payment (created_at); INSERT INTO app.payment SELECT 'x' || n, 'succeeded', 'ok', "
               "'x' || n, 1, 'EUR', '2026-10-01' FROM generate_series(1, 60000) n; ANALYZE app.payment"_s
            << QString();
    }

    void eachDifferenceIsFoundAndNoneInvented()
    {
        QFETCH(QString, prepare);
        QFETCH(QString, notes);
        m_fixture->cluster().psql(m_fixture->database(), prepare);
        const ProgramRun run = provider(QStringList { write(kStatement) } + kMap);
        QVERIFY2(run.status == 0, qPrintable(whole(run)));
        QCOMPARE(found(run).join(u'\n'),
            u"amount_differs r-amount 10\ncurrency_differs r-currency 11\ndid_not_happen r-declined 6\nhappened r-open "
            u"4\n"
            "not_in_statement r-missing \nonly_provider r-theirs 12\nseveral_here r-shared 13\ntwice r-double 8,9"_s);
        const QJsonObject document = run.json();
        const QJsonObject counts = document.value(u"counts"_s).toObject();
        QCOMPARE(counts.value(u"matched"_s).toInt(), 3); // agrees, exact, agreed-no
        QCOMPARE(counts.value(u"without_reference"_s).toInt(), 1);
        QCOMPARE(document.value(u"aside"_s).toInt(), 1);
        QCOMPARE(document.value(u"lines"_s).toInt(), 12);
        QCOMPARE(document.value(u"sha256"_s).toString(),
            QString::fromLatin1(QCryptographicHash::hash(kStatement, QCryptographicHash::Sha256).toHex()));
        QCOMPARE(document.value(u"covered"_s).toObject().value(u"to"_s).toString(), u"2026-11-20T11:50:00.000000Z"_s);
        QVERIFY2(notes.isEmpty() != run.err.contains(u"No index leads"_s), qPrintable(run.err));
    }

    void whatIsStuckIsToldAsSuch_data()
    {
        QTest::addColumn<QByteArray>("rule"); // beside the lease of what is in progress; empty: no rule
        QTest::addColumn<QString>("prepare");
        QTest::addColumn<QString>("told");
        const QString small
            = u"UPDATE app.payment SET locked_until = now() + interval '1 hour' WHERE id = 'declined'"_s;
        const QString large = small
            + u"; INSERT INTO app.payment (id, status, psp_status, psp_ref, amount, currency, created_at) SELECT "
              "'x' || n, 'succeeded', 'ok', 'x' || n, 1, 'EUR', '2026-10-01' FROM generate_series(1, 60000) n; "
              "ANALYZE app.payment"_s;
        const QString stuck
            = u"amount null Succeeded\ndeclined false In progress\nmissing true Stuck\nopen true Stuck"_s;
        const QString unknown
            = u"amount null Succeeded\ndeclined null In progress\nmissing null In progress\nopen null In progress"_s;
        QTest::newRow("by its lease") << QByteArray(R"("after": "0s")") << small << stuck;
        QTest::newRow("in a large table") << QByteArray(R"("after": "0s")") << large << stuck;
        QTest::newRow("in a large table whose reference no index finds")
            << QByteArray(R"("after": "0s")") << u"DROP INDEX app.payment_ref; "_s + large << stuck;
        QTest::newRow("no index finds the row, so it is not asked")
            << QByteArray(R"("after": "0s")")
            << u"ALTER TABLE app.payment DROP CONSTRAINT payment_pkey; ALTER TABLE app.payment ADD UNIQUE (touched, "
               "id); "_s
                + large
            << unknown;
        QTest::newRow("a rule that fails on one row says nothing of that row alone")
            << QByteArray(R"("after": "0s", "when": "(NULLIF(t.currency, 'EUR'))::integer IS NULL")")
            << small + u"; UPDATE app.payment SET currency = 'USD' WHERE id = 'missing'"_s
            << u"amount null Succeeded\ndeclined false In progress\nmissing null In progress\nopen true Stuck"_s;
        QTest::newRow("no rule") << QByteArray() << small << unknown;
    }

    /// As the list of open requests and recovery tell it: a worker that is dead is at nothing.
    void whatIsStuckIsToldAsSuch()
    {
        QFETCH(QByteArray, rule);
        QFETCH(QString, prepare);
        QFETCH(QString, told);
        const QByteArray stale = R"([{"states": ["in_progress"], "by": "t.locked_until", "after": "0s"}])";
        QByteArray profile = kProfile;
        QVERIFY(profile.contains(stale));
        profile.replace(
            stale, rule.isEmpty() ? "null" : R"([{"states": ["in_progress"], "by": "t.locked_until", )" + rule + "}]");
        registerTable(*m_fixture, profile, u"payments"_s);
        m_fixture->cluster().psql(m_fixture->database(), prepare);
        const ProgramRun run = provider(QStringList { write(kStatement) } + kMap);
        QVERIFY2(run.status == 0, qPrintable(whole(run)));
        QStringList lines;
        for (const QJsonValue &value : run.items()) {
            const QJsonObject item = value.toObject();
            const QJsonObject here = item.value(u"here"_s).toObject();
            const QString key = here.value(u"key"_s).toString();
            if (key != u"open" && key != u"declined" && key != u"missing" && key != u"amount") {
                continue;
            }
            const QJsonValue stuck = here.value(u"stale"_s);
            QVERIFY(!stuck.isUndefined());
            const bool said = stuck.toBool();
            const QString word = here.value(u"state"_s).toString() == u"succeeded" ? u"Succeeded"_s
                : said                                                             ? u"Stuck"_s
                                                                                   : u"In progress"_s;
            lines += key + (stuck.isNull() ? u" null "_s : said ? u" true "_s : u" false "_s) + word;
            const QString detail = item.value(u"detail"_s).toString();
            QVERIFY2(!detail.contains(u"the key is"_s) || detail.endsWith(u"the key is %1 here."_s.arg(word)),
                qPrintable(detail));
        }
        lines.sort();
        QCOMPARE(lines.join(u'\n'), told);
    }

    void jsonLinesSayTheSame()
    {
        const QString file = write("{\"id\": \"b1\", \"metadata\": {\"key\": \"r-open\"}, \"amount\": 20.00, "
                                   "\"currency\": \"eur\", \"created\": 1795140000}\n"
                                   "\n"
                                   "{\"id\": \"b2\", \"metadata\": {\"key\": \"r-amount\"}, \"amount\": "
                                   "10.0000000000000001, \"currency\": \"eur\", \"created\": 1795140002}\n"
                                   "{\"id\": \"b2\", \"metadata\": {\"key\": \"r-amount\"}, \"amount\": "
                                   "10.0000000000000001, \"currency\": \"eur\", \"created\": 1795140002}\n",
            u"s.jsonl"_s);
        const ProgramRun run = provider({ file, u"--map"_s, u"reference=/metadata/key"_s, u"--map"_s,
            u"amount=amount"_s, u"--map"_s, u"currency=currency"_s, u"--map"_s, u"time=created"_s, u"--map"_s,
            u"id=id"_s, u"--map"_s, u"outcome=happened"_s, u"--margin"_s, u"1s"_s });
        QVERIFY2(run.status == 0, qPrintable(whole(run)));
        QCOMPARE(
            found(run).join(u'\n'), u"amount_differs r-amount 3\nhappened r-open 1\nnot_in_statement r-declined "_s);
        QCOMPARE(run.json().value(u"repeated"_s).toInt(), 1);
    }

    /// Nothing is called missing where the statement might name it after all.
    void whatIsMissingIsSaidOfItsTimeOnly_data()
    {
        QTest::addColumn<QByteArray>("statement");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("missing"); // "?" not known
        QTest::addColumn<int>("status");
        const QByteArray head = "reference,amount,currency,time\n";
        const QByteArray lines
            = "r-agrees,0.3,EUR,2026-11-20 00:00:00Z\nr-exact,9007199254740993.01,EUR,2026-11-20 12:00:00+00\n"
              "r-amount,10,EUR,2026-11-20 06:00:00Z\n";
        QTest::newRow("its lines' own time")
            << head + lines << QStringList() << u"declined double currency open missing shared-1 shared-2"_s << 0;
        QTest::newRow("a time that was said")
            << head + lines
            << QStringList { u"--since"_s, u"2026-11-20T04:00:00Z"_s, u"--until"_s, u"2026-11-20T11:55:00Z"_s }
            << u"currency missing shared-1 shared-2 late"_s << 0;
        QTest::newRow("a time beyond its last line")
            << head + lines
            << QStringList { u"--since"_s, u"2026-11-20T04:00:00Z"_s, u"--until"_s, u"2026-11-21T02:00:00Z"_s }
            << u"currency missing shared-1 shared-2"_s << 0;
        QTest::newRow("references of another column")
            << QByteArray(head + "p-1,1,EUR,2026-11-20 00:00:00Z\np-2,1,EUR,2026-11-20 12:00:00Z\n") << QStringList()
            << u"?"_s << 5;
        QTest::newRow("nothing of that time is named")
            << head + lines
            << QStringList { u"--since"_s, u"2026-11-20T04:30:00Z"_s, u"--until"_s, u"2026-11-20T11:55:00Z"_s }
            << u"?"_s << 5;
        QTest::newRow("a line that is still to come")
            << QByteArray(head + lines + "r-late,12,EUR,2099-01-01 00:00:00Z\n") << QStringList() << u"?"_s << 5;
        QTest::newRow("no line") << head
                                 << QStringList { u"--since"_s, u"2026-11-20T00:00:00Z"_s, u"--until"_s,
                                        u"2026-11-21T02:00:00Z"_s }
                                 << u"?"_s << 5;
        QTest::newRow("no time") << QByteArray("reference,amount,currency\nr-agrees,0.3,EUR\n") << QStringList()
                                 << u"?"_s << 5;
        QTest::newRow("a line that cannot be read") << head + lines + "r-missing;\n" << QStringList() << u"?"_s << 5;
        QTest::newRow("one moment") << head + "r-agrees,0.3,EUR,2026-11-20 05:00:00Z\n" << QStringList() << u"?"_s << 5;
    }

    void whatIsMissingIsSaidOfItsTimeOnly()
    {
        QFETCH(QByteArray, statement);
        QFETCH(QStringList, options);
        QFETCH(QString, missing);
        QFETCH(int, status);
        const ProgramRun run = provider(QStringList { write(statement), u"--map"_s, u"outcome=happened"_s } + options);
        QVERIFY2(run.status == status, qPrintable(whole(run)));
        QStringList keys;
        for (const QJsonValue &value : run.items()) {
            if (value.toObject().value(u"finding"_s).toString() == u"not_in_statement") {
                keys += value.toObject().value(u"here"_s).toObject().value(u"key"_s).toString();
            }
        }
        QStringList wanted = missing == u"?" ? QStringList() : missing.split(u' ');
        keys.sort();
        wanted.sort();
        QCOMPARE(keys.join(u' '), wanted.join(u' '));
        QCOMPARE(run.json().value(u"counts"_s).toObject().value(u"not_in_statement"_s).isNull(), missing == u"?");
        QCOMPARE(run.json().value(u"complete"_s).toBool(), missing != u"?");
    }

    void hostileFilesEndInAMessage_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("said");
        const QByteArray head = "reference,amount,currency,time\n";
        const QByteArray good = "r-agrees,0.3,EUR,2026-11-20 00:00:00Z\n";
        QTest::newRow("empty") << QByteArray() << 1 << u"It is empty."_s;
        QTest::newRow("no header") << good + good << 2 << u"cannot be told from the first line"_s;
        QTest::newRow("two columns of one name")
            << QByteArray("reference,reference\nx,y\n") << 1 << u"from line 1 on"_s;
        QTest::newRow("UTF-16") << QByteArray("\xFF\xFEr\0e\0\n\0", 8) << 1 << u"UTF-16"_s;
        QTest::newRow("a NUL in the header") << QByteArray("refer\0ence,amount\nx,1\n", 22) << 1 << u"from line 1 on"_s;
        QTest::newRow("a NUL in a line") << head + good + QByteArray("r-\0,1,EUR,\n", 11) << 5
                                         << u"Line 3 is not compared: it holds a NUL"_s;
        QTest::newRow("broken UTF-8") << head + "r-\xC3(,1,EUR,\n" << 5 << u"Line 2 is not compared: it is no UTF-8"_s;
        QTest::newRow("a quote that is never closed")
            << head + good + "r-x,\"1,EUR,\n" + good << 1 << u"from line 3 on"_s;
        QTest::newRow("a quote that is never closed before 2 MiB")
            << head + "r-x,\"1,EUR,\n" + good.repeated(60'000) << 1 << u"from line 2 on"_s;
        QTest::newRow("a line of 100 MB") << head + good + QByteArray(100'000'000, 'x') + '\n' + good << 5
                                          << u"Line 3 is not compared: it is longer"_s;
        QTest::newRow("too few fields") << head + "r-agrees,0.3\n" << 5 << u"it has 2 fields"_s;
        QTest::newRow("an amount with thousands") << head + "r-agrees,\"1,000.00\",EUR,\n"
                                                  << 5 << u"no plain decimal number"_s;
        QTest::newRow("an amount as a double writes it") << head + "r-agrees,3e-1,EUR,\n" << 5 << u"no plain decimal"_s;
        QTest::newRow("a time without a zone") << head + "r-agrees,0.3,EUR,2026-11-20 00:00:00\n"
                                               << 5 << u"has no zone"_s;
        QTest::newRow("no reference") << head + ",0.3,EUR,\n" << 5 << u"it has no reference"_s;
        QTest::newRow("a JSON list") << QByteArray("[{\"reference\": \"x\"}]\n") << 1 << u"JSON list"_s;
        QTest::newRow("no JSON in a line") << QByteArray("{\"reference\": \"r-agrees\"}\nnonsense\n") << 5
                                           << u"Line 2 is not compared: it is no JSON"_s;
        QTest::newRow("a name twice") << QByteArray("{\"reference\": \"r-agrees\", \"reference\": \"r-open\"}\n") << 5
                                      << u"stands in it twice"_s;
        QTest::newRow("JSON deeper than any statement") << QByteArray("{\"reference\": ") + QByteArray(200'000, '[')
                + "\n" << 5 << u"Line 1"_s;
    }

    void hostileFilesEndInAMessage()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, status);
        QFETCH(QString, said);
        const ProgramRun run = provider({ write(bytes), u"--map"_s, u"outcome=happened"_s });
        QVERIFY2(run.status == status, qPrintable(whole(run).left(2'000)));
        QVERIFY2(run.err.contains(said), qPrintable(run.err.left(2'000)));
        for (const QJsonValue &value : run.items()) {
            QVERIFY2(value.toObject().value(u"finding"_s).toString() != u"not_in_statement", qPrintable(whole(run)));
        }
    }

    void whatIsNoFileEndsInAMessage()
    {
        const QString pipe = m_home->filePath(u"pipe"_s);
        QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        for (const QString &path : { m_home->path(), pipe, u"/dev/zero"_s, m_home->filePath(u"none"_s) }) {
            const ProgramRun run = provider({ path });
            QVERIFY2(run.status == 1, qPrintable(whole(run)));
            QVERIFY2(run.err.contains(u"cannot be read"_s), qPrintable(run.err));
        }
    }

    /// A key such as =cmd… is shown, and is none in what a spreadsheet opens; here it only must not act.
    void columnsAreMappedAndRemembered()
    {
        const QString file = write(kStatement);
        const ProgramRun preview = provider({ file, u"--preview"_s });
        QVERIFY2(preview.status == 0, qPrintable(whole(preview)));
        QCOMPARE(preview.json().value(u"columns"_s).toArray().size(), 6);
        QCOMPARE(preview.items().size(), 5);
        QCOMPARE(provider({ file, u"--map"_s, u"reference=None"_s }).status, 2);
        QCOMPARE(provider({ file, u"--map"_s, u"amount=Amount"_s }).status, 2);
        QCOMPARE(provider({ file, u"--map"_s, u"colour=Amount"_s }).status, 2);
        // By the names of the columns cents are taken for euros, which the differences show.
        const ProgramRun guessed = provider({ file });
        QVERIFY2(guessed.json().value(u"counts"_s).toObject().value(u"amount_differs"_s).toInt() > 1,
            qPrintable(whole(guessed)));
        const ProgramRun said = provider(QStringList { file } + kMap);
        QVERIFY2(said.status == 0, qPrintable(whole(said)));
        QCOMPARE(found(provider({ file })), found(guessed)); // a trial is not remembered
        QCOMPARE(provider(QStringList { file, u"--remember"_s } + kMap).status, 0);
        const ProgramRun again = provider({ file });
        QCOMPARE(found(again), found(said));
        QVERIFY2(again.err.contains(u"as remembered for “acme”"_s), qPrintable(again.err));
        const ProgramRun shown = provider({ file, u"--preview"_s });
        QVERIFY2(shown.json().value(u"map"_s).toArray().contains(u"amount_minor=Amount"_s), qPrintable(whole(shown)));
        QVERIFY(found(provider({ file, u"--provider"_s, u"other/one"_s })) != found(said));
    }

    void whatIsRecordedIsReadByTriageAndRecovered()
    {
        const QString file = write(kStatement);
        QCOMPARE(provider(QStringList { file, u"--record"_s } + kMap).status, 2); // without a reason
        QCOMPARE(provider(QStringList { file, u"--record"_s, u"--reason"_s, u"r"_s } + kMap, u"viewer"_s).status, 3);
        const ProgramRun run = provider(
            QStringList { file, u"--record"_s, u"--complete"_s, u"--reason"_s, u"statement of the 20th"_s } + kMap);
        QVERIFY2(run.status == 0, qPrintable(whole(run)));
        QCOMPARE(run.json().value(u"recorded"_s).toInt(), 7); // of several rows none is meant
        const auto op = m_fixture->as(u"op"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
        QCOMPARE(op->value(u"SELECT string_agg(says || ' ' || reference, ',' ORDER BY says, reference) FROM "
                           "idemdesk.provider_word_seen"_s),
            u"amount_differs r-amount,currency_differs r-currency,did_not_happen r-declined,happened r-open,"
            "not_in_statement r-missing,only_provider r-theirs,twice r-double"_s);
        QMap<QString, QJsonObject> judged;
        const ProgramRun triage = ctl({ u"triage"_s, u"--target"_s, u"payments"_s, u"--json"_s });
        QVERIFY2(triage.status == 0, qPrintable(whole(triage)));
        for (const QJsonValue &value : triage.items()) {
            judged.insert(value.toObject().value(u"record"_s).toObject().value(u"key"_s).toString(), value.toObject());
        }
        const auto classOf = [&judged](const QString &key) { return judged.value(key).value(u"class"_s).toString(); };
        QCOMPARE(classOf(u"open"_s), u"effect_happened"_s);
        QCOMPARE(classOf(u"declined"_s), u"safe_to_retry"_s);
        QCOMPARE(classOf(u"missing"_s), u"safe_to_retry"_s);
        QCOMPARE(classOf(u"late"_s), u"needs_review"_s);
        for (const QString &key : { u"open"_s, u"declined"_s, u"missing"_s }) {
            QCOMPARE(judged.value(key).value(u"bulk"_s).toBool(), false); // each is a decision
            const QString reasons = QString::fromUtf8(QJsonDocument(judged.value(key)).toJson());
            QVERIFY2(reasons.contains(u"statement.csv"_s) && reasons.contains(u"acme"_s)
                    && reasons.contains(u"Recorded by op."_s),
                qPrintable(reasons));
        }
        const ProgramRun recovered = ctl({ u"recover"_s, u"--target"_s, u"payments"_s, u"--key"_s, u"open"_s, u"--to"_s,
            u"succeeded"_s, u"--reason"_s, u"by the statement"_s, u"--json"_s });
        QVERIFY2(recovered.status == 0, qPrintable(whole(recovered)));
        QCOMPARE(m_fixture->root().value(u"SELECT status || result FROM app.payment WHERE id = 'open'"_s),
            u"succeededr-open"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
        const ProgramRun file2 = ctl({ u"case"_s, u"open"_s, u"--target"_s, u"payments"_s, u"--json"_s });
        const QString text = QString::fromUtf8(file2.out);
        QVERIFY2(text.contains(u"\"says\": \"happened\""_s) || text.contains(u"\"says\":\"happened\""_s),
            qPrintable(whole(file2)));
        QVERIFY2(text.contains(u"r-open,2000,EUR"_s) && text.contains(u"Recorded by op."_s), qPrintable(text));
    }

    /// Where statements say different things, or something else happened, a person has to look.
    void whatDisagreesNeedsReview()
    {
        const auto record = [this](const QByteArray &line) {
            const ProgramRun run = provider(QStringList { write(kStatement.left(kStatement.indexOf('\n') + 1) + line),
                                                u"--record"_s, u"--reason"_s, u"r"_s }
                + kMap);
            QVERIFY2(run.status == 0 || run.status == 5, qPrintable(whole(run)));
            QCOMPARE(run.json().value(u"recorded"_s).toInt(), 1);
        };
        const auto classOf = [this](const QString &key) {
            const ProgramRun triage
                = ctl({ u"triage"_s, u"--target"_s, u"payments"_s, u"--json"_s, u"--filter"_s, u"key:"_s + key });
            return triage.items().first().toObject().value(u"class"_s).toString();
        };
        QCOMPARE(classOf(u"open"_s), u"needs_review"_s);
        record("r-open,2000,EUR,2026-11-20T02:00:01Z,paid,\n");
        QCOMPARE(classOf(u"open"_s), u"effect_happened"_s);
        record("r-open,2000,EUR,2026-11-20T02:00:01Z,declined,\n");
        QCOMPARE(classOf(u"open"_s), u"needs_review"_s);
        record("r-missing,1201,EUR,2026-11-20T02:00:01Z,paid,\n"); // another amount than was asked for
        QCOMPARE(classOf(u"missing"_s), u"needs_review"_s);
        record(
            "r-declined,500,EUR,2026-11-20Z,declined,\n"); // at whichever time of that day, maybe before it was asked
        QCOMPARE(classOf(u"declined"_s), u"needs_review"_s);
        record("r-declined,500,EUR,2026-11-20T02:00:09Z,pending,\nr-declined,500,EUR,2026-11-20T02:00:01Z,declined,\n");
        QVERIFY(m_fixture->as(u"op"_s)
                    ->value(u"SELECT line || text FROM idemdesk.provider_word_seen WHERE says = 'contradictory'"_s)
                    .startsWith(u"2r-declined,500,EUR,2026-11-20T02:00:09Z,pending"_s)); // of one line both
    }

    /// A line is about one request, its amount and its attempt. What came later is not what it speaks of.
    void evidenceIsBoundToWhatItWasAbout_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("cls");
        QTest::addColumn<QString>("why");
        const auto row = [](const char *name, const QString &key, const QString &change, const QString &cls,
                             const QString &why) { QTest::newRow(name) << key << change << cls << why; };
        const QString safe = u"safe_to_retry"_s;
        const QString review = u"needs_review"_s;
        row("nothing changed", u"missing"_s, u"amount = 12.00"_s, safe, QString());
        row("another reference", u"missing"_s, u"psp_ref = 'r-second'"_s, review, u"another reference now"_s);
        row("no reference any more", u"open"_s, u"psp_ref = NULL"_s, review, u"another reference now"_s);
        row("another amount", u"open"_s, u"amount = 999"_s, review, u"another amount now"_s);
        row("another currency", u"open"_s, u"currency = 'USD'"_s, review, u"another amount now"_s);
        row("asked after the statement's end", u"missing"_s, u"created_at = '2026-11-20 11:51+00'"_s, review,
            u"older than the last attempt"_s);
        row("asked before its beginning", u"missing"_s, u"created_at = '2026-11-19 23:00+00'"_s, review,
            u"begins after the request"_s);
        row("failed there, and tried again later", u"declined"_s, u"created_at = '2026-11-20 02:00:02+00'"_s, review,
            u"older than the last attempt"_s);
        row("happened, to an earlier request of that name", u"open"_s, u"created_at = now()"_s, review,
            u"older than the last attempt"_s);
    }

    void evidenceIsBoundToWhatItWasAbout()
    {
        QFETCH(QString, key);
        QFETCH(QString, change);
        QFETCH(QString, cls);
        QFETCH(QString, why);
        const ProgramRun run
            = provider(QStringList { write(kStatement), u"--record"_s, u"--complete"_s, u"--reason"_s, u"r"_s } + kMap);
        QVERIFY2(run.status == 0, qPrintable(whole(run)));
        m_fixture->cluster().psql(
            m_fixture->database(), u"UPDATE app.payment SET "_s + change + u" WHERE id = '"_s + key + u'\'');
        const ProgramRun triage
            = ctl({ u"triage"_s, u"--target"_s, u"payments"_s, u"--json"_s, u"--filter"_s, u"key:"_s + key });
        QCOMPARE(triage.items().size(), 1);
        QCOMPARE(triage.items().first().toObject().value(u"class"_s).toString(), cls);
        QVERIFY2(whole(triage).contains(why), qPrintable(whole(triage)));
        QVERIFY2(whole(triage).contains(u"Recorded by op."_s), qPrintable(whole(triage))); // it is told all the same
    }

    /// Neither the same file many times nor many files outvote what one statement says.
    void whatIsRecordedAgainAddsNothing()
    {
        const auto op = m_fixture->as(u"op"_s);
        const auto say = [&op](const QString &says, int file) {
            const QString word = says == u"happened"
                ? uR"("says": "happened", "line": 4, "text": "r-open")"_s
                : uR"("says": "not_in_statement", "covered_from": "2026-11-20T00:00:00Z", "covered_to": "2026-11-20T11:50:00Z")"_s;
            return op->run(u"SELECT idemdesk.record_provider_words($1, 1, 'payments', 'acme', 's.csv', $2, 'r', $3)"_s,
                { ConsoleFixture::newId(), u"%1"_s.arg(file, 64, 10, QChar(u'0')),
                    uR"([{"identity": ["open"], "key": "open", "reference": "r-open", "amount": "20.0000", "currency": "EUR", %1}])"_s
                        .arg(word) });
        };
        const auto triage = [this] {
            return ctl({ u"triage"_s, u"--target"_s, u"payments"_s, u"--json"_s, u"--filter"_s, u"key:open"_s });
        };
        const auto classOf
            = [](const ProgramRun &run) { return run.items().first().toObject().value(u"class"_s).toString(); };
        QVERIFY(say(u"happened"_s, 1).ok());
        QCOMPARE(classOf(triage()), u"effect_happened"_s);
        for (int i = 0; i < 120; ++i) {
            QVERIFY(say(u"not_in_statement"_s, 2).ok());
        }
        const ProgramRun again = triage();
        QCOMPARE(classOf(again), u"needs_review"_s);
        QCOMPARE(whole(again).count(u"was vouched to be complete"_s), 1);
        for (int file = 3; file < 60; ++file) {
            QVERIFY(say(u"not_in_statement"_s, file).ok());
        }
        const ProgramRun many = triage();
        QCOMPARE(classOf(many), u"needs_review"_s);
        QVERIFY2(whole(many).contains(u"More was recorded of it"_s), qPrintable(whole(many)));
        const ProgramRun file = ctl({ u"case"_s, u"open"_s, u"--target"_s, u"payments"_s, u"--json"_s });
        const QString verdict = whole(file).mid(whole(file).indexOf(u"\"verdict\""_s));
        const qsizetype happened = verdict.indexOf(u"Provider's statement: It happened, by line 4"_s);
        QVERIFY2(happened > 0 && happened < verdict.indexOf(u"Provider's statement: It is not in the statement"_s)
                && verdict.contains(u"more statement"_s)
                && verdict.contains(u"Provider's statement: More was recorded of it"_s),
            qPrintable(verdict));
        const ProgramRun retry = ctl({ u"recover"_s, u"--target"_s, u"payments"_s, u"--key"_s, u"open"_s, u"--to"_s,
            u"failed_retryable"_s, u"--reason"_s, u"r"_s, u"--json"_s });
        QCOMPARE(m_fixture->root().value(u"SELECT status FROM app.payment WHERE id = 'open'"_s), u"processing"_s);
        QVERIFY2(whole(retry).contains(u"It would run a second time."_s), qPrintable(whole(retry)));
    }

    /// A file was there when it was first recorded, of whichever key: it says nothing of what came after.
    void aFileKnowsNothingOfWhatCameAfterIt()
    {
        const QStringList record = QStringList { write(kStatement), u"--record"_s, u"--reason"_s, u"r"_s } + kMap;
        const auto change = [this](const QString &what) {
            m_fixture->cluster().psql(
                m_fixture->database(), u"UPDATE app.payment SET "_s + what + u" WHERE id = 'open'"_s);
        };
        change(u"psp_ref = 'r-other'"_s);
        QCOMPARE(provider(record).status, 0);
        change(u"psp_ref = 'r-open', touched = now()"_s);
        QCOMPARE(provider(record).status, 0);
        const ProgramRun triage
            = ctl({ u"triage"_s, u"--target"_s, u"payments"_s, u"--json"_s, u"--filter"_s, u"key:open"_s });
        QVERIFY2(whole(triage).contains(u"It happened, by line 4"_s), qPrintable(whole(triage)));
        QCOMPARE(triage.items().first().toObject().value(u"class"_s).toString(), u"needs_review"_s);
        QVERIFY2(whole(triage).contains(u"older than the last attempt"_s), qPrintable(whole(triage)));
    }

    /// Who says that it happened keeps the key from a retry, by whatever choice.
    void whatHappenedIsNotRetriedByHand()
    {
        const ProgramRun run = provider(QStringList { write(kStatement), u"--record"_s, u"--reason"_s, u"r"_s } + kMap);
        QVERIFY2(run.status == 0, qPrintable(whole(run)));
        const ProgramRun retry = ctl({ u"recover"_s, u"--target"_s, u"payments"_s, u"--key"_s, u"open"_s, u"--to"_s,
            u"failed_retryable"_s, u"--reason"_s, u"r"_s });
        QVERIFY2(
            retry.status != 0 && whole(retry).contains(u"It would run a second time."_s), qPrintable(whole(retry)));
        QCOMPARE(m_fixture->root().value(u"SELECT status FROM app.payment WHERE id = 'open'"_s), u"processing"_s);
    }

    /// A query whose link is still empty finds nothing and says nothing: it is no word against the provider's.
    void anEffectThatCannotBeLookedForLeavesTheWord()
    {
        m_fixture->cluster().psql(m_fixture->database(),
            u"CREATE TABLE app.charge (id text); ALTER TABLE app.charge OWNER TO app_owner; "
            "GRANT SELECT ON app.charge TO op, adm, idemdesk_runner_app_owner"_s);
        QByteArray profile = kProfile;
        profile.replace("\"effects\": []",
            "\"effects\": [{\"type\": \"charge\", \"proves\": false, \"sql\": \"SELECT c.id AS id, NULL::timestamptz "
            "AS at, "
            "NULL::text AS state FROM app.charge c WHERE c.id = t.result\"}]");
        registerTable(*m_fixture, profile, u"payments"_s);
        const auto classOf = [this](const QString &key) {
            const ProgramRun triage
                = ctl({ u"triage"_s, u"--target"_s, u"payments"_s, u"--json"_s, u"--filter"_s, u"key:"_s + key });
            return triage.items().first().toObject().value(u"class"_s).toString();
        };
        QCOMPARE(classOf(u"open"_s), u"needs_review"_s);
        const ProgramRun run = provider(QStringList { write(kStatement), u"--record"_s, u"--reason"_s, u"r"_s } + kMap);
        QVERIFY2(run.status == 0, qPrintable(whole(run)));
        QCOMPARE(classOf(u"open"_s), u"effect_happened"_s);
        QCOMPARE(classOf(u"declined"_s), u"safe_to_retry"_s);
        QCOMPARE(classOf(u"late"_s), u"needs_review"_s);
        const ProgramRun retry = ctl({ u"recover"_s, u"--target"_s, u"payments"_s, u"--key"_s, u"declined"_s, u"--to"_s,
            u"failed_retryable"_s, u"--reason"_s, u"declined there"_s, u"--json"_s });
        QVERIFY2(retry.status == 0, qPrintable(whole(retry)));
    }

    /// A key that any line names is not missing, and one whose lines contradict each other did not simply happen.
    void whatIsNamedIsNeverMissing()
    {
        QByteArray statement = kStatement;
        statement.replace(
            "r-open,2000,EUR,2026-11-20T02:00:01Z,paid", "r-open,2000,EUR,2026-11-20T02:00:01Z,authorised");
        statement += "R missing,1200,EUR,2026-11-20T05:00:00Z,paid,\r\n"
                     "r-agrees,30,EUR,2026-11-20T08:00:00Z,refunded,\r\n"
                     "r-declined,500,EUR,2026-11-20T02:00:03Z,pending,\r\n"
                     "r-amount,5,EUR,2026-11-20T08:00:00Z,fee,\r\n";
        const ProgramRun run
            = provider(QStringList { write(statement), u"--record"_s, u"--complete"_s, u"--reason"_s, u"r"_s } + kMap);
        QVERIFY2(run.status == 5, qPrintable(whole(run)));
        QCOMPARE(found(run).join(u'\n'),
            u"amount_differs r-amount 10\ncontradictory r-declined 6,17\n"
            "currency_differs r-currency 11\nonly_provider r-theirs 12\n"
            "several_here r-shared 13\ntwice r-double 8,9"_s);
        const QJsonObject counts = run.json().value(u"counts"_s).toObject();
        QCOMPARE(counts.value(u"left_aside"_s).toInt(), 1);
        QCOMPARE(counts.value(u"nearly"_s).toInt(), 1);
        QCOMPARE(counts.value(u"taken_back"_s).toInt(), 1); // r-agrees, which was refunded
        QVERIFY2(run.err.contains(u"“authorised”"_s) && run.err.contains(u"“refunded”"_s), qPrintable(run.err));
        const ProgramRun triage = ctl({ u"triage"_s, u"--target"_s, u"payments"_s, u"--json"_s });
        for (const QJsonValue &value : triage.items()) {
            QCOMPARE(value.toObject().value(u"class"_s).toString(), u"needs_review"_s);
        }
    }

    /// Payouts and fees name no request: a file of them alone says nothing of any.
    void aFileOfFeesSaysNothingIsMissing()
    {
        const ProgramRun run = provider(QStringList { write("reference,amount,currency,time,state\n"
                                                            ",1,EUR,2026-11-20 00:00:00Z,fee\n"
                                                            "r-agrees,1,EUR,2026-11-20 12:00:00Z,payout\n") });
        QVERIFY2(run.status == 5, qPrintable(whole(run)));
        QVERIFY2(found(run).isEmpty() && run.err.contains(u"No line names a request"_s), qPrintable(whole(run)));
    }

    /// A number that stands with several references is none of a booking: no line is dropped for it.
    void aNumberOfSeveralReferencesIsNone()
    {
        const ProgramRun run = provider(QStringList { write(kStatement), u"--map"_s, u"id=Currency"_s } + kMap);
        QVERIFY2(run.status == 5, qPrintable(whole(run)));
        const QStringList lines = found(run);
        QVERIFY2(lines.contains(u"happened r-open 4"_s) && lines.contains(u"only_provider r-theirs 12"_s),
            qPrintable(lines.join(u'\n')));
        QVERIFY(run.json().value(u"counts"_s).toObject().value(u"not_in_statement"_s).isNull());
        QVERIFY2(run.err.contains(u"more than one reference"_s), qPrintable(run.err));
    }

    void nothingHappenedUnlessItIsSaid()
    {
        const QString file = write(kStatement);
        const QStringList partly = kMap.mid(0, 8); // without the state
        const ProgramRun unsaid = provider(QStringList { file } + partly);
        QCOMPARE(unsaid.status, 2);
        QVERIFY2(unsaid.err.contains(u"“Status” looks as if it did"_s), qPrintable(whole(unsaid)));
        const ProgramRun said = provider(QStringList { file, u"--map"_s, u"outcome=happened"_s } + partly);
        QVERIFY2(said.err.contains(u"The column “Status” is not read"_s), qPrintable(whole(said)));
        QCOMPARE(provider(QStringList { file, u"--map"_s, u"outcome=happened"_s } + kMap).status, 2); // both
    }

    /// A header is a stranger's text; a terminal must not act on it.
    void aPreviewEscapes()
    {
        const ProgramRun run = ctl({ u"provider"_s, write("reference,am\x1b[31mount,state\nr,1,paid\n"), u"--preview"_s,
            u"--target"_s, u"payments"_s });
        QCOMPARE(run.status, 0);
        QVERIFY2(!run.out.contains('\x1b') && !run.err.contains(QChar(0x1b)), qPrintable(whole(run)));
    }

    /// What may not be read could be the very word that the key needs.
    void whoMayNotReadEvidenceHearsSo()
    {
        const ProgramRun run = provider(QStringList { write(kStatement), u"--record"_s, u"--reason"_s, u"r"_s } + kMap);
        QVERIFY2(run.status == 0, qPrintable(whole(run)));
        m_fixture->cluster().psql(
            m_fixture->database(), u"GRANT USAGE ON SCHEMA app TO service; GRANT SELECT ON app.payment TO service"_s);
        QByteArray profile = kProfile;
        profile.replace("\"effect\": \"external\"", "\"effect\": \"external\", \"safe_to_repeat\": \"it is\"");
        profile.replace("{\"title\"", "{\"idemdesk_profile\": 1, \"name\": \"pay\", \"title\"");
        const QString file = write(profile, u"pay.json"_s);
        QStringList ask { u"triage"_s, u"--target"_s, file, u"--json"_s, u"--filter"_s, u"key:open"_s };
        static const QRegularExpression trust(u"--trust ([0-9a-f]{64})"_s);
        ask += { u"--trust"_s, trust.match(whole(ctl(ask, u"service"_s))).captured(1) };
        const ProgramRun blind = ctl(ask, u"service"_s);
        QVERIFY2(blind.status == 5, qPrintable(whole(blind)));
        QCOMPARE(blind.items().first().toObject().value(u"class"_s).toString(), u"needs_review"_s);
        QVERIFY2(whole(blind).contains(u"may not be read by this login"_s), qPrintable(whole(blind)));
        QCOMPARE(ctl(ask).items().first().toObject().value(u"class"_s).toString(), u"effect_happened"_s);
    }

    /// A line that nobody's statement has: triage names who said it, and nothing changes by it.
    void anInventedLineNamesItsInventor()
    {
        const auto op2 = m_fixture->as(u"op2"_s);
        const auto told = op2->run(
            u"SELECT idemdesk.record_provider_words($1, 1, 'payments', 'acme', 'real.csv', $2, 'x', $3)"_s,
            { ConsoleFixture::newId(), QString(64, u'0'),
                uR"([{"identity": ["late"], "key": "late", "reference": "r-late", "says": "happened", "line": 7, "text": "r-late,<b>1</b>"}])"_s });
        QVERIFY2(told.ok(), qPrintable(told.value()));
        const ProgramRun triage = ctl({ u"triage"_s, u"--target"_s, u"payments"_s, u"--filter"_s, u"key:late"_s });
        QVERIFY2(QString::fromUtf8(triage.out).contains(u"Recorded by op2."_s), qPrintable(whole(triage)));
        const ProgramRun all = ctl({ u"recover"_s, u"--target"_s, u"payments"_s, u"--filter"_s, u"key:late"_s,
            u"--reason"_s, u"r"_s, u"--json"_s });
        QVERIFY2(all.status != 1, qPrintable(whole(all)));
        QCOMPARE(m_fixture->root().value(u"SELECT status FROM app.payment WHERE id = 'late'"_s), u"processing"_s);
    }

    /// What “demo statement” writes differs from the demo's keys in every way that is told apart, and agrees with most.
    void theDemosStatementDiffersInEveryWay()
    {
        m_fixture->cluster().psqlFile(m_fixture->database(), u"sql/demo/schema_002.sql"_s);
        m_fixture->cluster().psql(m_fixture->database(),
            u"INSERT INTO seed002.idempotency_keys (idempotency_key, status, user_id, response_body, created_at, "
            "updated_at, locked_at) SELECT 'k' || n, CASE WHEN n > 640 THEN 'started' WHEN n > 620 THEN 'failed' ELSE "
            "'completed' END::seed002.idempotency_status, gen_random_uuid(), CASE WHEN n <= 620 THEN "
            "jsonb_build_object('amount', 100 + n, 'currency', 'eur') END, now() - n * interval '2 minutes', now(), "
            "NULL "
            "FROM generate_series(1, 660) n; GRANT USAGE ON SCHEMA seed002 TO op; GRANT SELECT ON ALL TABLES IN SCHEMA "
            "seed002 TO op"_s);
        QFile sql(QStringLiteral(IDEMDESK_SOURCE_DIR "/sql/demo/provider_statement.sql"));
        QVERIFY(sql.open(QIODevice::ReadOnly));
        const auto lines = m_fixture->root().run(QString::fromUtf8(sql.readAll()));
        QVERIFY2(lines.ok(), qPrintable(lines.value()));
        QByteArray csv;
        for (const QStringList &line : lines.rows) {
            csv += line.first().toUtf8() + '\n';
        }
        const ProgramRun run = ctl({ u"provider"_s, write(csv), u"--target"_s, u"started-key"_s, u"--json"_s,
            u"--map"_s, u"reference=Merchant reference"_s, u"--map"_s, u"amount_minor=Cents"_s, u"--map"_s,
            u"currency=Currency"_s, u"--map"_s, u"time=Created"_s, u"--map"_s, u"state=Status"_s });
        QVERIFY2(run.status == 0, qPrintable(whole(run).left(3'000)));
        const QJsonObject counts = run.json().value(u"counts"_s).toObject();
        for (const QString &kind : { u"twice"_s, u"amount_differs"_s, u"currency_differs"_s, u"only_provider"_s,
                 u"happened"_s, u"did_not_happen"_s, u"not_in_statement"_s }) {
            QVERIFY2(counts.value(kind).toInt() > 0 && counts.value(kind).toInt() < 30, qPrintable(kind));
        }
        QVERIFY(counts.value(u"matched"_s).toInt() > 550);
    }

    void rowSecurityIsSaid()
    {
        m_fixture->cluster().psql(m_fixture->database(),
            u"ALTER TABLE app.payment ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON app.payment USING (id <> 'agrees')"_s);
        const ProgramRun run = provider(QStringList { write(kStatement) } + kMap);
        QVERIFY2(run.status == 5, qPrintable(whole(run)));
        QCOMPARE(run.json().value(u"complete"_s).toBool(), false);
    }
};

QTEST_GUILESS_MAIN(CtlProviderTest)
#include "tst_ctl_provider.moc"
