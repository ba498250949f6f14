// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program_run.h"
#include "tests/support/registered_table.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// From a complaint to candidates over every table, and from several keys to one case, from the terminal.
class CtlComplaintTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_folder;

    int run(const QStringList &arguments, QByteArray *out = nullptr, QString *err = nullptr) const
    {
        const ProgramRun run = runProgram(QStringLiteral(IDEMDESKCTL),
            arguments + QStringList { u"--connect"_s, m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database()) },
            { privateEnvironment(m_folder->path()) });
        if (out != nullptr) {
            *out = run.out;
        }
        if (err != nullptr) {
            *err = run.err;
        }
        return run.status;
    }

    /// "k2/pay-1": candidates, as they are ranked.
    QStringList candidates(const QStringList &arguments, QStringList *notes = nullptr) const
    {
        QByteArray out;
        QString err;
        if (const int code = run(QStringList { u"complaint"_s, u"--json"_s } + arguments, &out, &err); code != 0) {
            return { u"exit %1: %2"_s.arg(code).arg(err) };
        }
        const QJsonObject answer = QJsonDocument::fromJson(out).object();
        QStringList found;
        for (const QJsonValue &item : answer.value(u"items"_s).toArray()) {
            found += item.toObject().value(u"target"_s).toString() + u'/' + item.toObject().value(u"key"_s).toString();
        }
        if (notes != nullptr) {
            for (const QJsonValue &text : answer.value(u"notes"_s).toArray()) {
                *notes += text.toString();
            }
        }
        return found;
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase() { m_fixture.reset(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_fixture->fresh([this] {
            m_fixture->forgetBare();
            const auto done = m_fixture->root().run(uR"(
            ALTER TABLE app.k ADD COLUMN created_at timestamptz NOT NULL DEFAULT now() - interval '90 days';
            INSERT INTO app.k (tenant, key, status, created_at, result, doc) VALUES
                ('acme', 'pay-1', 'succeeded', '2026-11-20T14:30:00Z', 'ord-7', '{"amount": 10.50, "cart": "c-9"}'),
                ('acme', 'pay-2', 'succeeded', '2026-11-20T14:31:00Z', 'ord-7', '{"amount": 10.5, "cart": "c-9"}'),
                ('acme', 'pay-3', 'succeeded', '2026-11-20T18:00:00Z', 'ord-8', '{"amount": 99, "cart": "c-10"}'),
                ('bolt', 'pay-1', 'failed', now(), NULL, '{"cents": 1050}');
            INSERT INTO app.eff (tenant, key, id) VALUES ('acme', 'pay-1', 'eff-1'), ('acme', 'pay-2', 'eff-2'), ('acme', 'pay-3', 'eff-3');
            CREATE TABLE app.silent (key text PRIMARY KEY, status text);
            ALTER TABLE app.silent OWNER TO app_owner;
            INSERT INTO app.silent VALUES ('pay-1', 'succeeded');
            GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm, idemdesk_runner_app_owner)"_s);
            QVERIFY2(done.ok(), qPrintable(done.value()));
            registerTable(*m_fixture,
                R"({"roles": {"status": "t.status", "attempts": "t.attempts", "lease_until": "t.locked_until", "created_at": "t.created_at",
            "updated_at": "t.updated_at", "expires_at": "t.expires_at", "result_id": "t.result", "request_payload": "t.doc"}})");
            registerTable(*m_fixture,
                R"({"relation": "app.silent", "identity": ["key"], "scope": [], "roles": {"status": "t.status"}, "guard": ["status"],
            "stale": null, "purge": null, "effects": [], "actions": {"recover": [], "requeue": []}, "policies": [{"match": {}, "effect": "local"}]})",
                u"silent"_s);
        });
    }

    /// Two keys that succeeded and hold a charge each, of one customer and amount, are what a complaint may be about;
    /// no effect has to be found for that.
    void twoChargesAreASuspicion()
    {
        const auto planted
            = m_fixture->root().run(uR"(INSERT INTO app.k (tenant, key, status, created_at, result, doc) VALUES
                ('acme', 'twice-1', 'succeeded', '2026-11-21T14:50:00Z', 'ch-1', '{"amount": "42.00", "currency": "EUR"}'),
                ('acme', 'twice-2', 'succeeded', '2026-11-21T15:10:00Z', 'ch-2', '{"amount": 42.0, "currency": "EUR"}'),
                ('acme', 'another', 'succeeded', '2026-11-21T15:12:00Z', 'ch-3', '{"amount": 43, "currency": "EUR"}'))"_s);
        QVERIFY2(planted.ok(), qPrintable(planted.value()));
        QStringList notes;
        QCOMPARE(candidates({ u"--amount"_s, u"42"_s, u"--at"_s, u"2026-11-21T15:00Z"_s }, &notes).size(), 2);
        QVERIFY2(notes.join(u' ').contains(u"hold two charges of one customer (acme) and amount (42 EUR)"_s),
            qPrintable(notes.join(u' ')));
        const auto verdictOf = [&](const QStringList &keys) {
            const QString path = m_folder->filePath(keys.join(u'-') + u".json"_s);
            QString err;
            QStringList arguments { u"case"_s, u"--target"_s, u"k2"_s, u"-o"_s, path };
            if (run(arguments + keys, nullptr, &err) != 0) {
                return QJsonObject { { u"kind"_s, err } };
            }
            QFile file(path);
            return file.open(QIODevice::ReadOnly)
                ? QJsonDocument::fromJson(file.readAll()).object().value(u"verdict"_s).toObject()
                : QJsonObject();
        };
        const auto rules = [](const QJsonObject &verdict) {
            QStringList ids;
            for (const QJsonValue &rule : verdict.value(u"rules"_s).toArray()) {
                ids += rule[u"id"_s].toString();
            }
            return ids;
        };
        const QJsonObject both = verdictOf({ u"twice-1"_s, u"twice-2"_s });
        QCOMPARE(both.value(u"kind"_s).toString(), u"several_intents"_s);
        QCOMPARE(both.value(u"certainty"_s).toString(), u"likely"_s);
        QVERIFY2(rules(both).contains(u"two-charges"_s), qPrintable(rules(both).join(u' ')));
        // Who asks about one of them hears of the other.
        const QJsonObject one = verdictOf({ u"twice-1"_s });
        QVERIFY2(rules(one).contains(u"other-charges"_s), qPrintable(QString::fromUtf8(QJsonDocument(one).toJson())));
        QVERIFY(QJsonDocument(one).toJson().contains("twice-2") && !QJsonDocument(one).toJson().contains("another"));
        // Two purchases are no suspicion.
        const QJsonObject apart = verdictOf({ u"twice-1"_s, u"another"_s });
        QVERIFY2(apart.value(u"kind"_s).toString() != u"several_intents"_s && !rules(apart).contains(u"two-charges"_s),
            qPrintable(QString::fromUtf8(QJsonDocument(apart).toJson())));
    }

    void candidatesAreFound_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QStringList>("found");
        const QString at = u"2026-11-20T14:30:50Z"_s;
        const QStringList notAll {
            u"exit 5: "_s
        }; // one table keeps nothing of it: that none was found is not that there is none
        QTest::newRow("key, in every table") << QStringList { u"--key"_s, u"pay-1"_s }
                                             << QStringList { u"k2/pay-1"_s, u"k2/pay-1"_s, u"silent/pay-1"_s };
        QTest::newRow("nearest to the time first") << QStringList { u"--customer"_s, u"acme"_s, u"--at"_s, at }
                                                   << QStringList { u"k2/pay-2"_s, u"k2/pay-1"_s };
        QTest::newRow("a wider window") << QStringList { u"--customer"_s, u"acme"_s, u"--at"_s, at, u"--within"_s,
            u"6h"_s } << QStringList { u"k2/pay-2"_s, u"k2/pay-1"_s, u"k2/pay-3"_s };
        QTest::newRow("an amount, however written")
            << QStringList { u"--amount"_s, u"10.50"_s, u"--at"_s, at } << QStringList { u"k2/pay-2"_s, u"k2/pay-1"_s };
        QTest::newRow("what it led to") << QStringList { u"--resource"_s, u"ord-8"_s } << QStringList { u"k2/pay-3"_s };
        QTest::newRow("a date is its whole day") << QStringList { u"--customer"_s, u"acme"_s, u"--at"_s,
            u"2026-11-20"_s } << QStringList { u"k2/pay-1"_s, u"k2/pay-2"_s, u"k2/pay-3"_s };
        QTest::newRow("another day") << QStringList { u"--customer"_s, u"acme"_s, u"--at"_s, u"2026-11-19"_s }
                                     << notAll;
        QTest::newRow("text of the request") << QStringList { u"--text"_s, u"C-10"_s, u"--at"_s, at, u"--within"_s,
            u"1d"_s } << QStringList { u"k2/pay-3"_s };
        QTest::newRow("everything must hold")
            << QStringList { u"--resource"_s, u"ord-7"_s, u"--amount"_s, u"99"_s } << notAll;
        QTest::newRow("hostile text") << QStringList { u"--text"_s, u"%' OR true --"_s, u"--key"_s, u"pay-1"_s }
                                      << notAll;
    }
    void candidatesAreFound()
    {
        QFETCH(QStringList, arguments);
        QTEST(candidates(arguments), "found");
    }

    void whatWasNotSearchedIsSaid()
    {
        QStringList notes;
        QCOMPARE(candidates({ u"--customer"_s, u"acme"_s, u"--resource"_s, u"ord-8"_s }, &notes),
            QStringList { u"k2/pay-3"_s });
        QVERIFY2(notes.join(u'\n').contains(u"Not searched: Keys of the tests – app.silent. "_s),
            qPrintable(notes.join(u'\n'))); // app.silent has no result
        notes.clear();
        QVERIFY(candidates({ u"--amount"_s, u"1050"_s }, &notes).contains(u"k2/pay-1"_s));
        QVERIFY2(notes.join(u'\n').contains(u"thirty days"_s), qPrintable(notes.join(u'\n')));
    }

    void tablesWithMoreMatchesAreNamedInOneSentence()
    {
        const auto made = m_fixture->root().run(uR"(
            INSERT INTO app.k (tenant, key, status, created_at)
                SELECT 'many', 'm-' || i, 'succeeded', now() FROM generate_series(1, 51) i;
            CREATE TABLE app.more (LIKE app.k INCLUDING ALL);
            ALTER TABLE app.more OWNER TO app_owner;
            INSERT INTO app.more SELECT * FROM app.k WHERE tenant = 'many';
            GRANT SELECT ON app.more TO op, adm, idemdesk_runner_app_owner)"_s);
        QVERIFY2(made.ok(), qPrintable(made.value()));
        registerTable(*m_fixture,
            R"({"relation": "app.more", "roles": {"status": "t.status", "created_at": "t.created_at"}, "guard": ["status"],
            "stale": null, "purge": null, "effects": [], "actions": {"recover": [], "requeue": []}})",
            u"more"_s);
        QStringList notes;
        candidates({ u"--customer"_s, u"many"_s }, &notes);
        QCOMPARE(notes.filter(u"Narrow the search."_s).size(), 1);
        const QString cut = notes.filter(u"Narrow the search."_s).constFirst();
        QVERIFY2(cut.contains(u" – app.k, "_s) && cut.contains(u" – app.more are shown."_s), qPrintable(cut));
    }

    void theTableForPeopleSaysWhichIntent()
    {
        QByteArray text;
        QCOMPARE(run({ u"complaint"_s, u"--resource"_s, u"ord-7"_s }, &text), 0);
        QVERIFY2(text.contains("pay-2") && text.contains("acme"), text.constData());
    }

    void wrongCallsSaySo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing known") << QStringList() << u"Nothing is known"_s;
        QTest::newRow("no time") << QStringList { u"--at"_s, u"lately"_s } << u"not a time"_s;
        QTest::newRow("no length") << QStringList { u"--key"_s, u"a"_s, u"--within"_s, u"soon"_s }
                                   << u"“soon” does not fit --within"_s;
    }
    void wrongCallsSaySo()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        QString err;
        QCOMPARE(run(QStringList { u"complaint"_s } + arguments, nullptr, &err), 2);
        QVERIFY2(err.contains(says), qPrintable(err));
    }

    void severalKeysAreOneCase_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("certainty");
        QTest::newRow("two intents with one result, two effects") << QString() << u"several_intents"_s << u"proven"_s;
        QTest::newRow("two keys, one effect")
            << u"ALTER TABLE app.eff DROP CONSTRAINT eff_pkey; UPDATE app.eff SET id = 'eff-1'"_s << u"one_effect"_s
            << u"likely"_s;
        QTest::newRow("one did it, the other nothing")
            << u"UPDATE app.k SET status = 'dead', result = NULL WHERE key = 'pay-2'; DELETE FROM app.eff WHERE key = 'pay-2'"_s
            << u"one_effect"_s << u"likely"_s;
    }
    void severalKeysAreOneCase()
    {
        QFETCH(QString, before);
        if (!before.isEmpty()) {
            const auto done = m_fixture->root().run(before);
            QVERIFY2(done.ok(), qPrintable(done.value()));
        }
        const QString file = m_folder->filePath(u"c.json"_s);
        QString err;
        QVERIFY2(run({ u"case"_s, u"pay-1"_s, u"pay-2"_s, u"--scope"_s, u"tenant=acme"_s, u"--target"_s, u"k2"_s,
                         u"-o"_s, file },
                     nullptr, &err)
                == 0,
            qPrintable(err));
        QFile read(file);
        QVERIFY(read.open(QIODevice::ReadOnly));
        const QByteArray bytes = read.readAll();
        const QJsonObject document = QJsonDocument::fromJson(bytes).object();
        QCOMPARE(document.value(u"keys"_s).toArray(), (QJsonArray { u"pay-1"_s, u"pay-2"_s }));
        QCOMPARE(document.value(u"rows"_s).toArray().size(), 2);
        const QJsonObject verdict = document.value(u"verdict"_s).toObject();
        QTEST(verdict.value(u"kind"_s).toString(), "kind");
        QTEST(verdict.value(u"certainty"_s).toString(), "certainty");
        // One line of time: it never runs backwards, and both intents are on it.
        QString last;
        for (const QJsonValue &event : document.value(u"timeline"_s).toArray()) {
            const QString at = event.toObject().value(u"at"_s).toString();
            QVERIFY2(at.isEmpty() || at >= last, bytes.constData());
            last = at.isEmpty() ? last : at;
        }
    }

    void aKeyOfTheCaseThatIsNotThere()
    {
        QString err;
        QCOMPARE(run({ u"case"_s, u"pay-1"_s, u"pay-none"_s, u"--target"_s, u"k2"_s, u"-o"_s,
                         m_folder->filePath(u"c.json"_s) },
                     nullptr, &err),
            1);
        QVERIFY2(err.contains(u"pay-none"_s), qPrintable(err));
        QVERIFY(!QFile::exists(m_folder->filePath(u"c.json"_s)));
    }
};

QTEST_GUILESS_MAIN(CtlComplaintTest)
#include "tst_ctl_complaint.moc"
