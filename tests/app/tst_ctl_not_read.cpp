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
using namespace idemdesk::tests;

/// A table that could not be read is never "nothing found": each command that speaks of all tables names it with its
/// error, and ends with status 5.
class CtlNotReadTest final : public QObject
{
    Q_OBJECT

    static constexpr int kUnknown = 5;

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_folder;
    ProgramRun m_run;

    int run(const QStringList &arguments, const QString &login = u"op"_s)
    {
        m_run = runProgram(QStringLiteral(IDEMDESKCTL),
            arguments + QStringList { u"--connect"_s, m_fixture->cluster().conninfoAs(login, m_fixture->database()) },
            { privateEnvironment(m_folder->path()) });
        return m_run.status;
    }
    QByteArray said() const { return m_run.said(); }
    QJsonObject json() const { return m_run.json(); }
    void change(const QString &sql)
    {
        const auto done = m_fixture->root().run(sql);
        QVERIFY2(done.ok(), qPrintable(done.value()));
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
            change(uR"(
            INSERT INTO app.k (tenant, key, status) VALUES ('acme', 'pay-1', 'succeeded');
            CREATE TABLE app.other (tenant text, key text, status text NOT NULL, PRIMARY KEY (tenant, key));
            ALTER TABLE app.other OWNER TO app_owner;
            INSERT INTO app.other VALUES ('acme', 'pay-9', 'succeeded');
            GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm, idemdesk_runner_app_owner)"_s);
            registerTable(*m_fixture);
            registerTable(*m_fixture,
                R"({"relation": "app.other", "roles": {"status": "t.status"}, "guard": ["status"], "stale": null, "purge": null,
            "effects": [], "actions": {"recover": [], "requeue": []}, "policies": [{"match": {}, "effect": "local"}]})",
                u"other"_s);
            m_fixture->forgetBare();
        });
    }

    void oneTableOfSeveral_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("renamed") << u"ALTER TABLE app.other RENAME TO elsewhere"_s
                                 << QByteArray("no table or view app.other");
        QTest::newRow("no right") << u"REVOKE SELECT ON app.other FROM op"_s << QByteArray("no SELECT right");
        QTest::newRow("a column is gone") << u"ALTER TABLE app.other DROP COLUMN key"_s << QByteArray("other");
    }
    void oneTableOfSeveral()
    {
        QFETCH(QString, before);
        QFETCH(QByteArray, why);
        // All is read: the commands are quiet about it.
        QCOMPARE(run({ u"complaint"_s, u"--key"_s, u"pay-none"_s }), 0);
        QVERIFY2(m_run.out.contains("No match."), m_run.out.constData());
        QCOMPARE(run({ u"activity"_s }), 0);
        QCOMPARE(run({ u"metrics"_s }), 0);
        QVERIFY2(m_run.out.contains("idempotency_table_readable{target=\"other\"} 1\n"), m_run.out.constData());
        change(before);

        QCOMPARE(run({ u"complaint"_s, u"--key"_s, u"pay-9"_s }), kUnknown); // it is in the table that cannot be read
        QVERIFY2(said().contains(why) && said().contains("other"), said().constData());
        QVERIFY2(!m_run.out.contains("No match."), m_run.out.constData());
        QCOMPARE(run({ u"complaint"_s, u"--key"_s, u"pay-9"_s, u"--json"_s }), kUnknown);
        QCOMPARE(json().value(u"not_read"_s).toArray().size(), 1);
        const QJsonObject problem = json().value(u"not_read"_s).toArray().first().toObject();
        QCOMPARE(problem.value(u"target"_s).toString(), u"other"_s);
        QVERIFY(!problem.value(u"error"_s).toObject().value(u"what"_s).toString().isEmpty());
        // What is found elsewhere is shown, and yet not all was looked at.
        QCOMPARE(run({ u"complaint"_s, u"--key"_s, u"pay-1"_s }), kUnknown);
        QVERIFY2(m_run.out.contains("pay-1") && said().contains(why), said().constData());

        const QString file = m_folder->filePath(u"none.json"_s);
        QCOMPARE(run({ u"case"_s, u"pay-9"_s, u"-o"_s, file }), kUnknown);
        QVERIFY2(said().contains(why) && !QFile::exists(file), said().constData());
        const QString found = m_folder->filePath(u"found.json"_s);
        QCOMPARE(run({ u"case"_s, u"pay-1"_s, u"-o"_s, found }), kUnknown);
        QFile written(found);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QJsonArray inFile = QJsonDocument::fromJson(written.readAll()).object().value(u"not_read"_s).toArray();
        QVERIFY2(inFile.size() == 1 && inFile.first().toString().contains(u"other"_s), said().constData());

        QCOMPARE(run({ u"metrics"_s }), kUnknown);
        QVERIFY2(m_run.out.contains("idempotency_table_readable{target=\"other\"} 0\n")
                && m_run.out.contains("idempotency_table_readable{target=\"k2\"} 1\n"),
            m_run.out.constData());
        QVERIFY2(said().contains(why), said().constData());

        QVERIFY(run({ u"check"_s, u"--json"_s }) != 0); // 1 where the other table has a problem, else 5
        QCOMPARE(json().value(u"not_read"_s).toArray().first().toObject().value(u"target"_s).toString(), u"other"_s);
        QVERIFY(run({ u"check"_s, u"--alerts"_s }) != 0);
        QVERIFY2(!m_run.out.contains("Every alert is quiet.") && said().contains(why), said().constData());

        QFile log(m_folder->filePath(u"s.log"_s));
        QVERIFY(log.open(QIODevice::WriteOnly));
        log.write(
            R"({"time":"2026-11-20T10:00:00Z","outcome":"conflict","key_hash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"})"
            "\n");
        log.close();
        QCOMPARE(run({ u"conflicts"_s, u"import"_s, log.fileName(), u"--format"_s, u"application"_s }), kUnknown);
        QVERIFY2(said().contains(why), said().constData());
    }

    void whatIsRegisteredAndGoneIsNamedAmongTheSessions()
    {
        change(u"ALTER TABLE app.other RENAME TO elsewhere"_s);
        QCOMPARE(run({ u"activity"_s, u"--json"_s }), kUnknown);
        QCOMPARE(json().value(u"not_read"_s).toArray().first().toObject().value(u"target"_s).toString(), u"other"_s);
    }

    void noneRegisteredIsNotGood()
    {
        for (const QString &name : { u"k2"_s, u"other"_s }) {
            QVERIFY(m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target($1)"_s, { name }).ok());
        }
        for (const QStringList &arguments :
            { QStringList { u"check"_s }, QStringList { u"check"_s, u"--alerts"_s }, QStringList { u"metrics"_s } }) {
            QCOMPARE(run(arguments), kUnknown);
            QVERIFY2(m_run.err.contains(u"No target is registered"_s), qPrintable(m_run.err));
        }
        QCOMPARE(run({ u"complaint"_s, u"--key"_s, u"pay-1"_s }), kUnknown);
        QVERIFY2(m_run.out.contains("No table could be searched"), m_run.out.constData());
    }

    void whoMayNotSeeWhatIsRegisteredIsToldSo()
    {
        QCOMPARE(run({ u"check"_s }, u"service"_s), 3);
        QVERIFY2(m_run.err.contains(u"GRANT idemdesk_viewer TO \"service\""_s), qPrintable(m_run.err));
        QCOMPARE(run({ u"complaint"_s, u"--key"_s, u"pay-1"_s }, u"service"_s), kUnknown);
        QVERIFY2(m_run.err.contains(u"idemdesk_viewer"_s), qPrintable(m_run.err));
    }

    void detectNamesWhatItMayNotRead()
    {
        change(u"GRANT SELECT ON ALL TABLES IN SCHEMA app TO op"_s);
        QCOMPARE(run({ u"detect"_s, u"--schema"_s, u"app"_s }), 0);
        change(u"CREATE TABLE app.closed (key text PRIMARY KEY, status text, expires_at timestamptz)"_s);
        QCOMPARE(run({ u"detect"_s, u"--schema"_s, u"app"_s }), kUnknown);
        QVERIFY2(m_run.err.contains(u"app.closed"_s), qPrintable(m_run.err));
        QCOMPARE(run({ u"detect"_s, u"--schema"_s, u"app"_s, u"--json"_s }), kUnknown);
        QCOMPARE(json().value(u"not_readable"_s).toArray(), (QJsonArray { u"app.closed"_s }));
    }

    void aReasonThatCouldNotBeLookedAtIsNoAllClear()
    {
        // The effect's table may not be read: the other reasons are searched, and that one is said.
        change(u"REVOKE SELECT ON app.eff FROM op"_s);
        const int status = run({ u"duplicates"_s, u"--target"_s, u"k2"_s });
        QVERIFY2(status == kUnknown, said().constData());
        QVERIFY2(!m_run.out.contains("No request looks carried out"), m_run.out.constData());
    }
};

QTEST_GUILESS_MAIN(CtlNotReadTest)
#include "tst_ctl_not_read.moc"
