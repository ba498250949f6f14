// SPDX-License-Identifier: GPL-3.0-or-later
// A dump restored into a new database: nothing may be read or acted on by old oids, and two persons bind the console to
// the restored tables, after which what was done before can be undone.
#include "tests/support/console_fixture.h"
#include "tests/support/program_run.h"
#include "tests/support/registered_table.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;
using idemdesk::app::PrivateCluster;

class CtlAdoptTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init();

    void aRestoredDumpIsAdopted();
    void aTableOfAnotherOwnerIsNotAdopted();
    void oneWhoAsksDoesNotApprove();
    void aTrailThatIsNotWholeIsNot();
    void anOldOidThatIsAnotherTableNowShowsNothing();
    void atHomeThereIsNothingToAdopt();
    void tablesThatCameLaterEndTheRequest();
    void repairDoesNotTakeThemForTheOldOnes();

private:
    ProgramRun ctl(const QStringList &arguments, const QString &login) const;
    /// The present database as a dump in a new one, to which everything else goes from now on.
    void restore(const QString &afterwards = {});
    QString value(const QString &sql) { return m_fixture->cluster().psql(m_database, sql); }
    std::unique_ptr<Connection> as(const QString &login) const
    {
        return std::make_unique<Connection>(m_fixture->cluster().conninfoAs(login, m_database));
    }

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_home;
    QString m_database;
    QString m_purge; ///< of 600 rows, in the database that is dumped
};

void CtlAdoptTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
}

void CtlAdoptTest::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    m_fixture->fresh([this] {
        m_database = m_fixture->database();
        m_fixture->cluster().psql(m_database,
            u"GRANT USAGE ON SCHEMA app TO adm, appr, viewer; GRANT SELECT ON app.k, app.eff TO adm, appr, viewer, op, op2"_s);
        registerTable(*m_fixture);
        const auto op = m_fixture->as(u"op"_s);
        m_purge = ConsoleFixture::newId();
        QCOMPARE(m_fixture->openPurge(*op, m_purge, 600).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, m_purge, 1, 1000), u"{\"purged\": 600}"_s);
        for (int batch = 2; batch < 9 && value(u"SELECT state FROM idemdesk.action"_s) == u"running"_s; ++batch) {
            ConsoleFixture::counts(*op, u"purge_batch"_s, m_purge, batch, 1000); // the last sweep
        }
        QCOMPARE(value(u"SELECT state FROM idemdesk.action"_s), u"finished"_s);
        const auto word = op->run(u"SELECT idemdesk.record_provider_words($1, 1, 'k2', 'acme', 's.csv', $2, 'r', $3)"_s,
            { ConsoleFixture::newId(), QString(64, u'a'),
                uR"([{"identity": ["t1", "k001"], "reference": "r-1", "says": "happened", "line": 2, "text": "r-1"}])"_s });
        QVERIFY2(word.ok(), qPrintable(word.value()));
    });
    m_database = m_fixture->database();
}

ProgramRun CtlAdoptTest::ctl(const QStringList &arguments, const QString &login) const
{
    return runProgram(QStringLiteral(IDEMDESKCTL),
        arguments + QStringList { u"--connect"_s, m_fixture->cluster().conninfoAs(login, m_database) },
        { privateEnvironment(m_home->path()) });
}

void CtlAdoptTest::restore(const QString &afterwards)
{
    const QString file = m_home->filePath(u"dump"_s);
    const auto run = [&](const QString &program, const QStringList &arguments) {
        QProcess process;
        process.start(PrivateCluster::program(program), arguments);
        const bool done = process.waitForFinished(60'000) && process.exitCode() == 0;
        insist(done, program + u": "_s + QString::fromUtf8(process.readAllStandardError()));
    };
    run(u"pg_dump"_s, { u"-Fc"_s, u"-f"_s, file, u"-d"_s, m_fixture->cluster().conninfo(m_database) });
    m_database += u"_restored"_s;
    // Objects in front of the restored ones, so that no oid is the old one by chance.
    m_fixture->cluster().createDatabase(m_database);
    value(u"CREATE TABLE public.before_%1 (id int PRIMARY KEY, note text)"_s.arg(m_database));
    run(u"pg_restore"_s, { u"--exit-on-error"_s, u"-d"_s, m_fixture->cluster().conninfo(m_database), file });
    if (!afterwards.isEmpty()) {
        value(afterwards);
    }
}

void CtlAdoptTest::aRestoredDumpIsAdopted()
{
    const QString before = value(u"SELECT md5(string_agg(m::text, '|' ORDER BY m::text)) FROM idemdesk.quarantine m"_s);
    restore();
    QCOMPARE(value(u"SELECT md5(string_agg(m::text, '|' ORDER BY m::text)) FROM idemdesk.quarantine m"_s), before);

    // Told before anything is asked for, wherever one would notice.
    const ProgramRun shown = ctl({ u"actions"_s, u"show"_s, m_purge }, u"op"_s);
    QCOMPARE(shown.status, 0);
    QVERIFY2(
        shown.err.contains(u"restored from a dump"_s) && shown.err.contains(u"console adopt"_s), qPrintable(shown.err));
    QVERIFY2(!shown.out.contains("d0001"), shown.out.constData());
    const ProgramRun listed = ctl({ u"targets"_s }, u"adm"_s);
    QVERIFY2(listed.status == 0 && listed.err.contains(u"console adopt"_s), qPrintable(listed.err));
    QFile profile(m_home->filePath(u"k2.json"_s));
    QVERIFY(profile.open(QIODevice::WriteOnly));
    profile.write(value(u"SELECT profile FROM idemdesk.target WHERE name = 'k2'"_s).toUtf8());
    profile.close();
    const ProgramRun untrusted = ctl({ u"targets"_s, u"check"_s, profile.fileName() }, u"adm"_s);
    const QString sha = QRegularExpression(u"--trust ([0-9a-f]{64})"_s).match(untrusted.err).captured(1);
    const ProgramRun checked = ctl({ u"targets"_s, u"check"_s, profile.fileName(), u"--trust"_s, sha }, u"adm"_s);
    QVERIFY2(checked.err.contains(u"console adopt"_s), qPrintable(checked.err + untrusted.err));
    const ProgramRun status = ctl({ u"console"_s, u"status"_s }, u"adm"_s);
    QCOMPARE(status.status, 3);
    QVERIFY2(status.out.contains("console adopt"), status.out.constData());
    const ProgramRun early = ctl({ u"actions"_s, u"undo"_s, m_purge, u"--reason"_s, u"early"_s }, u"op"_s);
    QCOMPARE(early.status, 3);
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'succeeded'"_s), u"0"_s);
    const QString words = u"SELECT count(*) FROM idemdesk.provider_word_seen"_s;
    QCOMPARE(as(u"op"_s)->value(words), u"0"_s);

    // Only an admin asks, and says why.
    QCOMPARE(ctl({ u"console"_s, u"adopt"_s }, u"adm"_s).status, 2);
    QCOMPARE(ctl({ u"console"_s, u"adopt"_s, u"--reason"_s, u"the disk died"_s }, u"op"_s).status, 3);
    const ProgramRun asked
        = ctl({ u"console"_s, u"adopt"_s, u"--reason"_s, u"the disk died"_s, u"--ticket"_s, u"T-7"_s, u"--json"_s },
            u"adm"_s);
    QVERIFY2(asked.status == 0, qPrintable(asked.err));
    const QString id = asked.json().value(u"id"_s).toString();
    QCOMPARE(asked.json().value(u"state"_s).toString(), u"requested"_s);
    QCOMPARE(value(u"SELECT audit_oid <> 'idemdesk.audit'::regclass FROM idemdesk.installation"_s), u"t"_s);
    QVERIFY(ctl({ u"requests"_s }, u"appr"_s).out.contains(id.toUtf8()));

    const ProgramRun approved = ctl({ u"approve"_s, id, u"--reason"_s, u"seen"_s }, u"appr"_s);
    QVERIFY2(approved.status == 0, qPrintable(approved.err));
    QCOMPARE(
        value(u"SELECT DISTINCT relation::regclass::text FROM idemdesk.action WHERE verb <> 'adopt'"_s), u"app.k"_s);
    QCOMPARE(value(u"SELECT DISTINCT relation::regclass::text FROM idemdesk.target"_s), u"app.k"_s);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.target t JOIN idemdesk.target_limit l ON l.relation = t.relation"_s),
        u"2"_s);
    const ProgramRun whole = ctl({ u"console"_s, u"status"_s }, u"op"_s);
    QVERIFY2(whole.status == 0, whole.said().constData());
    QCOMPARE(ConsoleFixture::verified(*as(u"op"_s)), u"t"_s);

    // What was recorded is of the table again, and of no other one that somebody makes it.
    QCOMPARE(as(u"op"_s)->value(words), u"1"_s);
    value(u"UPDATE idemdesk.provider_statement SET relation = 'app.eff'::regclass"_s);
    QVERIFY(ConsoleFixture::verified(*as(u"op"_s)) != u"t"_s);
    value(u"UPDATE idemdesk.provider_statement SET relation = 'app.k'::regclass"_s);
    QCOMPARE(ConsoleFixture::verified(*as(u"op"_s)), u"t"_s);

    // What was done before is readable and can be undone, by the table's own rights.
    const ProgramRun after = ctl({ u"actions"_s, u"show"_s, m_purge }, u"op"_s);
    QVERIFY2(after.out.contains("d0001") && !after.err.contains(u"adopt"_s), qPrintable(after.err));
    const ProgramRun undone = ctl({ u"actions"_s, u"undo"_s, m_purge, u"--reason"_s, u"they were needed"_s }, u"op"_s);
    QVERIFY2(undone.status == 0, qPrintable(undone.err));
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'succeeded'"_s), u"600"_s);
    QCOMPARE(ConsoleFixture::verified(*as(u"op"_s)), u"t"_s);
    // The trail is what ties the oids: whoever moves an action to another table afterwards is found.
    value(u"UPDATE idemdesk.action SET relation = 'app.eff'::regclass WHERE verb = 'purge'"_s);
    QVERIFY(ConsoleFixture::verified(*as(u"op"_s)) != u"t"_s);
    value(u"UPDATE idemdesk.action SET relation = 'app.k'::regclass WHERE verb = 'purge'"_s);

    // And once more, from the restored one.
    restore();
    const ProgramRun again = ctl({ u"console"_s, u"adopt"_s, u"--reason"_s, u"again"_s, u"--json"_s }, u"adm"_s);
    QVERIFY2(again.status == 0, qPrintable(again.err));
    QCOMPARE(ctl({ u"approve"_s, again.json().value(u"id"_s).toString() }, u"appr"_s).status, 0);
    QCOMPARE(ConsoleFixture::verified(*as(u"op"_s)), u"t"_s);
    QVERIFY(ctl({ u"actions"_s, u"show"_s, m_purge }, u"op"_s).out.contains("d0001"));
}

void CtlAdoptTest::oneWhoAsksDoesNotApprove()
{
    m_fixture->cluster().psql(
        m_database, u"CREATE ROLE two_hats LOGIN; GRANT idemdesk_admin, idemdesk_approver TO two_hats"_s);
    restore();
    const ProgramRun asked = ctl({ u"console"_s, u"adopt"_s, u"--reason"_s, u"r"_s, u"--json"_s }, u"two_hats"_s);
    QVERIFY2(asked.status == 0, qPrintable(asked.err));
    QCOMPARE(ctl({ u"approve"_s, asked.json().value(u"id"_s).toString() }, u"two_hats"_s).status, 3);
    QCOMPARE(value(u"SELECT audit_oid <> 'idemdesk.audit'::regclass FROM idemdesk.installation"_s), u"t"_s);
}

void CtlAdoptTest::aTrailThatIsNotWholeIsNot()
{
    restore(
        u"ALTER TABLE idemdesk.audit DISABLE TRIGGER USER; UPDATE idemdesk.audit SET who = 'x' WHERE seq = 3; "
        "ALTER TABLE idemdesk.audit ENABLE ALWAYS TRIGGER keep_rows; ALTER TABLE idemdesk.audit ENABLE ALWAYS TRIGGER keep_table"_s);
    const ProgramRun asked = ctl({ u"console"_s, u"adopt"_s, u"--reason"_s, u"r"_s }, u"adm"_s);
    QCOMPARE(asked.status, 3);
    QVERIFY2(asked.err.contains(u"not whole"_s), qPrintable(asked.err));
}

/// In another cluster an old oid may be that of any table; who may read that one must not read what was purged from the
/// other.
void CtlAdoptTest::anOldOidThatIsAnotherTableNowShowsNothing()
{
    restore();
    value(
        u"CREATE TABLE public.own (LIKE app.k); GRANT SELECT ON public.own TO viewer; REVOKE SELECT ON app.k FROM "
        u"viewer;"
        "UPDATE idemdesk.action SET relation = 'public.own'::regclass; UPDATE idemdesk.target SET relation = 'public.own'::regclass"_s);
    const auto viewer = as(u"viewer"_s);
    QCOMPARE(viewer->value(
                 u"SELECT count(*) FROM idemdesk.items($1) i WHERE i.identity IS NOT NULL OR i.before IS NOT NULL"_s,
                 { m_purge }),
        u"0"_s);
    QCOMPARE(viewer->value(u"SELECT count(*) FROM idemdesk.items($1) i"_s, { m_purge }), u"500"_s);
    QCOMPARE(viewer->value(u"SELECT count(*) FROM idemdesk.action_scopes($1)"_s, { m_purge }), u"0"_s);
}

void CtlAdoptTest::atHomeThereIsNothingToAdopt()
{
    const ProgramRun asked = ctl({ u"console"_s, u"adopt"_s, u"--reason"_s, u"r"_s }, u"adm"_s);
    QCOMPARE(asked.status, 3);
    QVERIFY2(asked.err.contains(u"nothing to adopt"_s), qPrintable(asked.err));
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action WHERE verb = 'adopt'"_s), u"0"_s);
}

void CtlAdoptTest::tablesThatCameLaterEndTheRequest()
{
    restore();
    const QString id = ctl({ u"console"_s, u"adopt"_s, u"--reason"_s, u"r"_s, u"--json"_s }, u"adm"_s)
                           .json()
                           .value(u"id"_s)
                           .toString();
    value(u"ALTER TABLE app.k RENAME TO old; CREATE TABLE app.k (LIKE app.old INCLUDING ALL)"_s);
    const ProgramRun approved = ctl({ u"approve"_s, id }, u"appr"_s);
    QCOMPARE(approved.status, 3);
    QVERIFY2(approved.err.contains(u"changed since"_s), qPrintable(approved.err));
    QCOMPARE(value(u"SELECT audit_oid <> 'idemdesk.audit'::regclass FROM idemdesk.installation"_s), u"t"_s);
}

void CtlAdoptTest::repairDoesNotTakeThemForTheOldOnes()
{
    restore();
    QVERIFY(ctl({ u"console"_s, u"repair"_s }, u"boss"_s).status != 0);
    QCOMPARE(value(u"SELECT audit_oid <> 'idemdesk.audit'::regclass FROM idemdesk.installation"_s), u"t"_s);
}

/// Whoever asks and whoever approves see whose a table of that name is now.
void CtlAdoptTest::aTableOfAnotherOwnerIsNotAdopted()
{
    restore(u"ALTER TABLE app.k OWNER TO service"_s);
    const ProgramRun asked = ctl({ u"console"_s, u"adopt"_s, u"--reason"_s, u"r"_s }, u"adm"_s);
    QVERIFY2(asked.out.contains("not adopted: of service, was of app_owner"), asked.said().constData());
    const QString id = value(u"SELECT id FROM idemdesk.action WHERE verb = 'adopt'"_s);
    const ProgramRun shown = ctl({ u"requests"_s, u"--json"_s }, u"appr"_s);
    QVERIFY2(shown.out.contains("owner_now"), shown.said().constData());
    const ProgramRun approved = ctl({ u"approve"_s, id, u"--reason"_s, u"seen"_s }, u"appr"_s);
    QVERIFY2(approved.said().contains("not adopted: of service now"), approved.said().constData());
    const ProgramRun items = ctl({ u"actions"_s, u"show"_s, m_purge }, u"op"_s);
    QVERIFY2(!items.out.contains("d0001"), items.out.constData());
    QCOMPARE(ConsoleFixture::verified(*as(u"op"_s)), u"t"_s);
}

QTEST_GUILESS_MAIN(CtlAdoptTest)
#include "tst_ctl_adopt.moc"
