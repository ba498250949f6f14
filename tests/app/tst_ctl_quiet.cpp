// SPDX-License-Identifier: GPL-3.0-or-later
// "Quiet", "good" and "none" are said only of what was looked at; the rest has its own word and exit status.
#include "tests/support/registered_table.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

constexpr int kUnknown = 5;

/// Alerts that a table's rows and the server tell by themselves; what services report is switched off.
const QByteArray kOwnAlerts = R"([{"id": "conflicts", "off": true}, {"id": "violations", "off": true},
    {"id": "check_time", "off": true}, {"id": "stale_rising", "off": true}, {"id": "duplicates", "off": true}])";
/// Row security that shows the login op, and nobody else but the owner, only tenant t9's rows: none.
const QString kHideFromOp = u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; "
                            "CREATE POLICY every ON app.k TO idemdesk_runner_app_owner USING (true) WITH CHECK (true); "
                            "CREATE POLICY mine ON app.k TO op USING (tenant = 't9')"_s;

struct QuietRun {
    int status = -1;
    QByteArray out;
    QString err;
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    QJsonArray items() const { return json().value(u"items"_s).toArray(); }
    QByteArray said() const { return QByteArray::number(status) + '\n' + out + err.toUtf8(); }
};

} // namespace

class CtlQuietTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init();

    void hiddenRowsAreNotQuiet();
    void unreadableRowsAreNotQuiet_data();
    void unreadableRowsAreNotQuiet();

private:
    QuietRun ctl(const QStringList &arguments, const QString &login = u"op"_s) const;
    QString value(const QString &sql) { return m_fixture->root().value(sql); }
    void psql(const QString &sql) { m_fixture->cluster().psql(m_fixture->database(), sql); }
    /// A sample of this minute, in place of one that was taken before.
    void sampleAgain();
    /// The state of each alert by its id.
    static QMap<QString, QString> states(const QuietRun &run);

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_home;
};

void CtlQuietTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
}

void CtlQuietTest::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    m_fixture->fresh();
    psql(u"GRANT USAGE ON SCHEMA app TO adm, appr, viewer; GRANT SELECT ON app.k, app.eff TO adm, appr, viewer, op, op2"_s);
    registerTable(*m_fixture);
    m_fixture->forgetBare();
}

QuietRun CtlQuietTest::ctl(const QStringList &arguments, const QString &login) const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString &name : { u"PGHOST"_s, u"PGDATABASE"_s, u"PGUSER"_s, u"PGSERVICE"_s }) {
        environment.remove(name);
    }
    environment.insert(u"XDG_DATA_HOME"_s, m_home->path());
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(QStringLiteral(IDEMDESKCTL),
        arguments + QStringList { u"--connect"_s, m_fixture->cluster().conninfoAs(login, m_fixture->database()) });
    QuietRun run;
    if (process.waitForFinished(60'000)) {
        run.status = process.exitCode();
    }
    run.out = process.readAllStandardOutput();
    run.err = QString::fromUtf8(process.readAllStandardError());
    return run;
}

void CtlQuietTest::sampleAgain()
{
    psql(u"DELETE FROM idemdesk.sample; DELETE FROM idemdesk.sample_run"_s);
    const QuietRun run = ctl({ u"sample"_s });
    QVERIFY2(run.status == 0 && !run.out.contains("sampled already"), run.said().constData());
}

QMap<QString, QString> CtlQuietTest::states(const QuietRun &run)
{
    QMap<QString, QString> states;
    const QJsonArray items = run.items();
    for (const QJsonValue &item : items) {
        states.insert(item[u"id"_s].toString(), item[u"state"_s].toString());
    }
    return states;
}

void CtlQuietTest::hiddenRowsAreNotQuiet()
{
    const QByteArray profile = "{\"alerts\": " + kOwnAlerts + '}';
    registerTable(*m_fixture, profile);
    psql(u"UPDATE app.k SET locked_until = now() + interval '1 hour' WHERE status = 'processing'"_s);
    const QStringList alerts { u"check"_s, u"--alerts"_s, u"--json"_s };
    sampleAgain();
    const QuietRun seen = ctl(alerts);
    QVERIFY2(seen.status == 0, seen.said().constData());
    QCOMPARE(states(seen).value(u"stale_old"_s), u"quiet"_s);

    // Keys are stale for long, and nobody who counts is shown one of them.
    psql(u"UPDATE app.k SET locked_until = now() - interval '9 hours' WHERE status = 'processing'; "
         "ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; "
         "CREATE POLICY part ON app.k TO idemdesk_runner_app_owner USING (tenant = 't9') WITH CHECK (true)"_s);
    registerTable(*m_fixture, profile); // a table that changed is not sampled
    sampleAgain();
    const QuietRun hidden = ctl(alerts);
    QVERIFY2(hidden.status == kUnknown, hidden.said().constData());
    QCOMPARE(states(hidden).value(u"stale_old"_s), u"unknown"_s);
    QCOMPARE(states(hidden).value(u"growth"_s), u"unknown"_s);
    QCOMPARE(states(hidden).value(u"lock_wait"_s), u"quiet"_s); // the server tells it, not the rows
    QVERIFY2(hidden.out.contains("Row security hides rows"), hidden.said().constData());
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.sample WHERE metric IN ('stale', 'in_progress')"_s), u"0"_s);
    const QuietRun words = ctl({ u"check"_s, u"--alerts"_s });
    QVERIFY2(words.out.contains("Not known") && !words.out.contains("quiet"), words.said().constData());
    const QuietRun trend = ctl({ u"trends"_s, u"--target"_s, u"k2"_s, u"--metric"_s, u"stale"_s, u"--source"_s,
        u"samples"_s, u"--since"_s, u"1h"_s });
    QVERIFY2(trend.err.contains(u"row security hid rows"_s), trend.said().constData());

    // Nor does a policy help that is true, where another takes rows away beside it.
    psql(u"CREATE POLICY every ON app.k TO idemdesk_runner_app_owner USING (true) WITH CHECK (true); "
         "CREATE POLICY less ON app.k AS RESTRICTIVE USING (tenant <> 't1')"_s);
    registerTable(*m_fixture, profile);
    sampleAgain();
    QCOMPARE(states(ctl(alerts)).value(u"stale_old"_s), u"unknown"_s);
    // One that is true shows every row, so that it is known.
    psql(u"DROP POLICY less ON app.k"_s);
    registerTable(*m_fixture, profile);
    sampleAgain();
    const QuietRun shown = ctl(alerts);
    QVERIFY2(shown.status == 1 || states(shown).value(u"stale_old"_s) == u"pending"_s, shown.said().constData());
}

void CtlQuietTest::unreadableRowsAreNotQuiet_data()
{
    QTest::addColumn<QString>("which");
    QTest::addColumn<double>("rows");
    QTest::newRow("one") << u"key = 'k007'"_s << 1.0;
    QTest::newRow("all") << u"true"_s << 50.0;
}

void CtlQuietTest::unreadableRowsAreNotQuiet()
{
    QFETCH(QString, which);
    QFETCH(double, rows);
    registerTable(*m_fixture,
        R"({"alerts": )" + kOwnAlerts + R"(, "stale": [{"states": ["in_progress"], "by":
            "CASE WHEN t.pad = 'bad' THEN t.key::timestamptz ELSE t.locked_until END", "after": "0s"}]})");
    psql(u"UPDATE app.k SET locked_until = now() + interval '1 hour' WHERE status = 'processing'; "
         "UPDATE app.k SET pad = 'bad' WHERE "_s + which);
    sampleAgain();
    const QuietRun run = ctl({ u"check"_s, u"--alerts"_s, u"--json"_s });
    QVERIFY2(run.status == kUnknown, run.said().constData());
    QCOMPARE(states(run).value(u"stale_old"_s), u"unknown"_s);
    QVERIFY2(run.out.contains("cannot be read"), run.said().constData());
    QCOMPARE(value(u"SELECT value FROM idemdesk.sample WHERE metric = 'unreadable' AND resolution = 'minute'"_s).toDouble(), rows);
}

QTEST_GUILESS_MAIN(CtlQuietTest)
#include "tst_ctl_quiet.moc"
