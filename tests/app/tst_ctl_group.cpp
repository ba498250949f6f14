// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program_run.h"
#include "tests/support/registered_table.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// Commands over a group of databases: two real clusters with the console, and a third member that is down. Each answer
/// has its member, nothing missing passes for nothing found, and actions run in each by its own rights and trail.
class CtlGroupTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void init();

    void membersStandSideBySide();
    void aKeyIsFoundWhereverItIs();
    void complaintsAreSearchedInAll();
    void casesAreAFileAMember();
    void duplicatesAreFoundInEach();
    void healthIsToldOfEach();
    void seriesAreAMemberOrSummed();
    void nobodyAnswersIsAnError();
    void oneDatabaseUnderTwoLabelsIsRefused();
    void wordsThatActTakeNoGroup();

    void plansAreShownAndNothingIsDone();
    void nothingIsDoneUnconfirmed();
    void oneActionOverAll();
    void oneIdTakesAllOfItBack();
    void aMemberWithoutRightsIsNamed();
    void aMemberThatFailsLeavesTheOthers();
    void approvalIsAMembersOwn();
    void aLostConnectionIsLookedUp();
    void aGroupIsWellFormedInTheTrail();
    void whatAnotherRegionHasIsLeftAlone();
    void aRegionThatIsNotAskedHoldsAllBack();
    void shardsHaveKeysOfTheirOwn();
    void aMemberThatRefusesHasAnswered();

private:
    static constexpr int kDone = 0;
    static constexpr int kFailed = 1;
    static constexpr int kUsage = 2;
    static constexpr int kRefused = 3;
    static constexpr int kSkipped = 4;
    static constexpr int kUnknown = 5;

    QString groupFile(bool down, const QString &usLogin) const;
    QString whyLeft(const QString &member, const QString &key) const;
    QProcessEnvironment environment() const { return privateEnvironment(m_home->path()); }
    int ctl(const QStringList &arguments, bool down = false, const QString &usLogin = u"op"_s);
    QString in(ConsoleFixture &side, const QString &sql) const { return side.root().value(sql); }
    QStringList membersOfItems() const;
    void hasItsShape(const QString &schema) const;

    std::unique_ptr<ConsoleFixture> m_eu;
    std::unique_ptr<ConsoleFixture> m_us;
    std::unique_ptr<QTemporaryDir> m_home;
    QString m_kind = u"regions"_s; ///< of the group
    ProgramRun m_run;
};

void CtlGroupTest::initTestCase()
{
    m_eu = std::make_unique<ConsoleFixture>();
    m_us = std::make_unique<ConsoleFixture>();
}

void CtlGroupTest::cleanupTestCase()
{
    m_us.reset();
    m_eu.reset();
}

void CtlGroupTest::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    m_kind = u"regions"_s;
    for (ConsoleFixture *side : { m_eu.get(), m_us.get() }) {
        side->fresh([side] {
            side->cluster().psql(side->database(),
                u"GRANT USAGE ON SCHEMA app TO adm, appr, viewer; GRANT SELECT ON app.k, app.eff TO adm, appr, viewer, "
                "op, op2; INSERT INTO app.eff SELECT 'e-' || key, tenant, key FROM app.k WHERE key = 'd0001';"
                "SET ROLE app_owner; CREATE TABLE app.slow (seconds double precision); GRANT SELECT ON app.slow TO "
                "idemdesk_runner_app_owner;"
                "CREATE FUNCTION app.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(s.seconds) "
                "FROM app.slow s; RETURN NULL; END $$;"
                "CREATE TRIGGER slow BEFORE DELETE ON app.k FOR EACH STATEMENT EXECUTE FUNCTION app.slow()"_s);
            registerTable(*side);
            side->forgetBare();
        });
    }
}

QString CtlGroupTest::groupFile(bool down, const QString &usLogin) const
{
    QJsonArray members { QJsonObject { { u"label"_s, u"eu"_s },
                             { u"conninfo"_s, m_eu->cluster().conninfoAs(u"op"_s, m_eu->database()) } },
        QJsonObject {
            { u"label"_s, u"us"_s }, { u"conninfo"_s, m_us->cluster().conninfoAs(usLogin, m_us->database()) } } };
    if (down) {
        members.append(QJsonObject { { u"label"_s, u"asia"_s }, { u"conninfo"_s, u"host=/nowhere dbname=x"_s } });
    }
    QFile file(m_home->filePath(u"group.json"_s));
    insist(file.open(QIODevice::WriteOnly), file.errorString());
    file.write(QJsonDocument(QJsonObject { { u"idemdesk_group"_s, 1 }, { u"name"_s, u"payments"_s },
                                 { u"kind"_s, m_kind }, { u"members"_s, members } })
                   .toJson());
    return file.fileName();
}

int CtlGroupTest::ctl(const QStringList &arguments, bool down, const QString &usLogin)
{
    m_run = runProgram(QStringLiteral(IDEMDESKCTL), arguments + QStringList { u"--group"_s, groupFile(down, usLogin) },
        { environment(), {}, m_home->path() });
    return m_run.status;
}

QStringList CtlGroupTest::membersOfItems() const
{
    QStringList members;
    for (const QJsonValue &item : m_run.items()) {
        members += item[u"member"].toString();
    }
    return members;
}

void CtlGroupTest::hasItsShape(const QString &schema) const
{
    QDir(m_home->path()).mkpath(u"documents"_s);
    QFile document(m_home->filePath(u"documents/%1.json"_s.arg(schema)));
    QVERIFY(document.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QVERIFY(document.write(m_run.out) == m_run.out.size());
    document.close();
    const ProgramRun check = runProgram(
        u"/usr/bin/python3"_s, { QStringLiteral(CHECK_SHAPES), QStringLiteral(SCHEMAS), QFileInfo(document).path() });
    QVERIFY2(check.status == 0, check.said().constData());
}

void CtlGroupTest::membersStandSideBySide()
{
    QCOMPARE(ctl({ u"targets"_s, u"--counts"_s }), kDone);
    QVERIFY2(m_run.out.contains("MEMBER") && m_run.out.contains("eu ") && m_run.out.contains("us "),
        m_run.said().constData());
    m_us->root().run(u"DELETE FROM app.k WHERE key = 'k001'"_s);
    QCOMPARE(ctl({ u"targets"_s, u"--counts"_s, u"--json"_s }, true), kUnknown);
    hasItsShape(u"targets-counts-group"_s);
    QCOMPARE(membersOfItems(), QStringList({ u"eu"_s, u"us"_s }));
    QCOMPARE(m_run.json().value(u"answered"_s).toInt(), 2);
    QCOMPARE(m_run.json().value(u"members"_s).toInt(), 3);
    QCOMPARE(m_run.json().value(u"not_answered"_s)[0][u"member"].toString(), u"asia"_s);
    const int eu = m_run.items().at(0)[u"states"][u"in_progress"].toInt();
    QCOMPARE(eu, in(*m_eu, u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s).toInt());
    QCOMPARE(m_run.items().at(1)[u"states"][u"in_progress"].toInt(), eu - 1);
    QVERIFY2(m_run.err.contains(u"2 of 3 members answered") && m_run.err.contains(u"asia has no answer"),
        m_run.said().constData());
    QCOMPARE(ctl({ u"targets"_s, u"--json"_s }), kDone);
    hasItsShape(u"targets-group"_s);
    QCOMPARE(ctl({ u"activity"_s, u"--json"_s }), kDone);
    hasItsShape(u"activity-group"_s);
    QCOMPARE(ctl({ u"scopes"_s, u"--target"_s, u"k2"_s, u"--json"_s }), kDone);
    hasItsShape(u"scopes-group"_s);
}

void CtlGroupTest::aKeyIsFoundWhereverItIs()
{
    m_us->root().run(u"DELETE FROM app.k WHERE key = 'k002'"_s);
    QCOMPARE(ctl({ u"find"_s, u"k002"_s, u"--json"_s }), kDone);
    hasItsShape(u"find-group"_s);
    QCOMPARE(membersOfItems(), QStringList { u"eu"_s });
    QVERIFY(m_run.json().value(u"answers"_s)[1][u"absent"].toString().contains(u"k002"));
    // Who is down may have it: that is no "nowhere".
    QCOMPARE(ctl({ u"find"_s, u"nothing"_s, u"--json"_s }, true), kUnknown);
    QCOMPARE(ctl({ u"find"_s, u"nothing"_s }), kFailed);
    QCOMPARE(ctl({ u"find"_s, u"d0001"_s }), kDone);
    QVERIFY2(m_run.out.contains("has this key in eu, us") && m_run.out.contains("It succeeded in eu, us"),
        m_run.said().constData());
}

void CtlGroupTest::complaintsAreSearchedInAll()
{
    m_us->root().run(u"DELETE FROM app.k WHERE key = 'k003'"_s);
    QCOMPARE(ctl({ u"complaint"_s, u"--key"_s, u"k003"_s, u"--json"_s }, true), kUnknown);
    hasItsShape(u"complaint-group"_s);
    QCOMPARE(membersOfItems(), QStringList { u"eu"_s });
    QCOMPARE(ctl({ u"complaint"_s, u"--key"_s, u"k004"_s }), kDone);
    QVERIFY2(m_run.out.contains("MEMBER") && m_run.out.count("k004") == 2, m_run.said().constData());
}

void CtlGroupTest::casesAreAFileAMember()
{
    QCOMPARE(ctl({ u"case"_s, u"d0001"_s, u"-o"_s, u"case.json"_s }), kDone);
    QVERIFY(QFile::exists(m_home->filePath(u"case.eu.json"_s)) && QFile::exists(m_home->filePath(u"case.us.json"_s)));
    QCOMPARE(ctl({ u"case"_s, u"d0001"_s, u"-o"_s, u"case.json"_s }), kUsage); // nothing is overwritten
    QCOMPARE(ctl({ u"case"_s, u"d0001"_s, u"--json"_s }), kDone);
    hasItsShape(u"case-group"_s);
}

void CtlGroupTest::duplicatesAreFoundInEach()
{
    m_us->root().run(
        u"INSERT INTO app.k SELECT 't1', 'same-' || i, 'succeeded', NULL, 1, 'twice', now(), now(), 1.50, 'ab', '{}' "
        "FROM generate_series(1, 2) i"_s);
    QVERIFY(ctl({ u"duplicates"_s, u"--target"_s, u"k2"_s, u"--json"_s }) >= 0);
    hasItsShape(u"duplicates-group"_s);
    QVERIFY2(membersOfItems().contains(u"us"_s) && m_run.out.contains("same-1"), m_run.said().constData());
}

void CtlGroupTest::healthIsToldOfEach()
{
    ctl({ u"check"_s, u"--json"_s }, true);
    hasItsShape(u"check-group"_s);
    const QStringList members = membersOfItems();
    QCOMPARE(QSet<QString>(members.cbegin(), members.cend()), QSet<QString>({ u"eu"_s, u"us"_s }));
    QVERIFY(m_run.status == kFailed || m_run.status == kUnknown);
    QCOMPARE(ctl({ u"check"_s, u"--alerts"_s, u"--json"_s }), kUnknown);
    hasItsShape(u"check-alerts-group"_s);
}

void CtlGroupTest::seriesAreAMemberOrSummed()
{
    const QStringList words { u"trends"_s, u"--target"_s, u"k2"_s, u"--metric"_s, u"created"_s, u"--bucket"_s,
        u"1d"_s };
    QCOMPARE(ctl({ u"trends"_s, u"--target"_s, u"k2"_s, u"--json"_s }), kDone);
    hasItsShape(u"trends-metrics-group"_s);
    QString metric;
    for (const QJsonValue &item : m_run.items()) {
        metric = item[u"available"].toBool() && metric.isEmpty() ? item[u"metric"].toString() : metric;
    }
    QVERIFY(!metric.isEmpty());
    QStringList asked = words;
    asked[4] = metric;
    QVERIFY(ctl(asked + QStringList { u"--sum"_s, u"--json"_s }) >= 0);
    hasItsShape(u"trends-group"_s);
    QCOMPARE(membersOfItems(), QStringList({ u"eu"_s, u"us"_s }));
    const QJsonArray sums = m_run.json().value(u"sum"_s).toArray();
    QVERIFY(!sums.isEmpty());
    for (qsizetype i = 0; i < sums.size(); ++i) {
        const QJsonValue eu = m_run.items().at(0)[u"points"][i][u"value"];
        const QJsonValue us = m_run.items().at(1)[u"points"][i][u"value"];
        QCOMPARE(sums.at(i)[u"value"],
            eu.isNull() || us.isNull() ? QJsonValue() : QJsonValue(eu.toDouble() + us.toDouble()));
    }
    ctl(asked);
    QVERIFY2(
        m_run.out.contains("eu") && m_run.out.contains("us") && m_run.out.startsWith("FROM"), m_run.said().constData());
    QCOMPARE(ctl({ u"trends"_s, u"--target"_s, u"k2"_s, u"--sum"_s }), kUsage);
}

void CtlGroupTest::nobodyAnswersIsAnError()
{
    QFile file(groupFile(true, u"op"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"idemdesk_group":1,"name":"g","kind":"shards","members":[{"label":"a","conninfo":"host=/nowhere"},
        {"label":"b","conninfo":"host=/nowhere2"}]})");
    file.close();
    m_run = runProgram(
        QStringLiteral(IDEMDESKCTL), { u"targets"_s, u"--json"_s, u"--group"_s, file.fileName() }, { environment() });
    QCOMPARE(m_run.status, kFailed);
    QVERIFY2(m_run.json().value(u"error"_s)[u"why"].toString().contains(u"b: "), m_run.said().constData());
    QCOMPARE(ctl({ u"duplicates"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"state:nonsense"_s }, true), kUsage);
    QCOMPARE(ctl({ u"targets"_s, u"--connect"_s, u"host=x"_s }), kUsage);
}

void CtlGroupTest::oneDatabaseUnderTwoLabelsIsRefused()
{
    const QString here = m_eu->cluster().conninfoAs(u"op"_s, m_eu->database());
    QFile file(m_home->filePath(u"twice.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QJsonArray members { QJsonObject { { u"label"_s, u"eu"_s }, { u"conninfo"_s, here } },
        QJsonObject { { u"label"_s, u"us"_s }, { u"conninfo"_s, here + u" application_name=other"_s } } };
    file.write(QJsonDocument(QJsonObject { { u"idemdesk_group"_s, 1 }, { u"name"_s, u"payments"_s },
                                 { u"kind"_s, m_kind }, { u"members"_s, members } })
                   .toJson());
    file.close();
    for (const QStringList &words :
        { QStringList { u"targets"_s, u"--counts"_s }, { u"find"_s, u"k001"_s }, { u"keys"_s, u"--target"_s, u"k2"_s },
            { u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s, u"--yes"_s } }) {
        m_run = runProgram(QStringLiteral(IDEMDESKCTL), words + QStringList { u"--group"_s, file.fileName() },
            { environment(), {}, m_home->path() });
        QVERIFY2(m_run.status == kRefused && m_run.err.contains(u"the same database"), m_run.said().constData());
    }
    QCOMPARE(in(*m_eu, u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
}

void CtlGroupTest::wordsThatActTakeNoGroup()
{
    QCOMPARE(ctl({ u"targets"_s, u"remove"_s, u"k2"_s }), kUsage);
    QCOMPARE(ctl({ u"activity"_s, u"cancel"_s, u"1"_s, u"--reason"_s, u"x"_s }), kUsage);
    QCOMPARE(ctl({ u"audit"_s, u"anchor"_s }), kUsage);
}

namespace {

const QStringList kPurge { u"purge"_s, u"--target"_s, u"k2"_s, u"--no-pauses"_s, u"--reason"_s, u"region clean-up"_s,
    u"--ticket"_s, u"OPS-7"_s };
const QString kCount = u"SELECT count(*) FROM app.k"_s;
const QString kActions = u"SELECT count(*) FROM idemdesk.action"_s;
const QString kGroups = u"SELECT string_agg(a.plan -> 'group' ->> 'member' || ' ' || a.reason || ' ' || a.ticket, ',') "
                        "FROM idemdesk.action a WHERE a.state = 'finished'"_s;

} // namespace

void CtlGroupTest::plansAreShownAndNothingIsDone()
{
    const QString before = in(*m_eu, kCount);
    QCOMPARE(ctl({ u"purge"_s, u"--target"_s, u"k2"_s, u"--dry-run"_s, u"--json"_s }, true), kUnknown);
    hasItsShape(u"purge-plan-group"_s);
    QCOMPARE(
        m_run.json().value(u"answers"_s)[1][u"rows"].toInt(), m_run.json().value(u"answers"_s)[0][u"rows"].toInt());
    QVERIFY(m_run.json().value(u"answers"_s)[0][u"rows"].toInt() > 0);
    QVERIFY(ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--dry-run"_s, u"--json"_s }) >= 0);
    hasItsShape(u"plan-group"_s);
    QCOMPARE(ctl({ u"purge"_s, u"--target"_s, u"k2"_s, u"--dry-run"_s }), kDone);
    QVERIFY2(m_run.out.contains("== eu ==") && m_run.out.contains("== us =="), m_run.said().constData());
    QCOMPARE(in(*m_eu, kCount), before);
    QCOMPARE(in(*m_eu, kActions), u"0"_s);
}

void CtlGroupTest::nothingIsDoneUnconfirmed()
{
    const QString before = in(*m_us, kCount);
    QCOMPARE(ctl(kPurge), kRefused);
    QVERIFY2(m_run.err.contains(u"--yes") && m_run.err.contains(u"eu: "), m_run.said().constData());
    QCOMPARE(in(*m_us, kCount), before);
    QCOMPARE(in(*m_us, kActions), u"0"_s);
}

void CtlGroupTest::oneActionOverAll()
{
    QCOMPARE(ctl(kPurge + QStringList { u"--yes"_s, u"--json"_s }), kDone);
    hasItsShape(u"run-group"_s);
    const QString id = m_run.json().value(u"group_id"_s).toString();
    QVERIFY(!id.isEmpty());
    QCOMPARE(in(*m_eu, kGroups), u"eu region clean-up OPS-7"_s);
    QCOMPARE(in(*m_us, kGroups), u"us region clean-up OPS-7"_s);
    for (ConsoleFixture *side : { m_eu.get(), m_us.get() }) {
        QCOMPARE(in(*side, u"SELECT a.plan -> 'group' ->> 'id' FROM idemdesk.action a"_s), id);
        QCOMPARE(ConsoleFixture::verified(*side->as(u"op"_s)), u"t"_s);
    }
    QCOMPARE(ctl({ u"audit"_s, u"--group-id"_s, id, u"--json"_s }), kDone);
    hasItsShape(u"audit-group"_s);
    QVERIFY(membersOfItems().count(u"eu"_s) >= 2 && membersOfItems().count(u"us"_s) >= 2);
    QCOMPARE(ctl({ u"audit"_s, u"--group-id"_s, ConsoleFixture::newId(), u"--json"_s }), kDone);
    QCOMPARE(membersOfItems(), QStringList());
    // Nothing is left to do, and that is said.
    QCOMPARE(ctl(kPurge + QStringList { u"--yes"_s }), kDone);
    QCOMPARE(in(*m_eu, kActions), u"1"_s);
}

void CtlGroupTest::oneIdTakesAllOfItBack()
{
    const QString before = in(*m_eu, kCount);
    QCOMPARE(ctl(kPurge + QStringList { u"--yes"_s, u"--json"_s }), kDone);
    const QString id = m_run.json().value(u"group_id"_s).toString();
    const QString left = in(*m_eu, kCount);
    QVERIFY(left != before);

    // Each part says what it is a part of.
    const QString part = in(*m_us, u"SELECT id FROM idemdesk.action"_s);
    const QStringList show { u"actions"_s, u"show"_s, part, u"--connect"_s,
        m_us->cluster().conninfoAs(u"op"_s, m_us->database()) };
    m_run = runProgram(
        QStringLiteral(IDEMDESKCTL), show + QStringList { u"--json"_s }, { environment(), {}, m_home->path() });
    QCOMPARE(m_run.json().value(u"group"_s)[u"id"].toString(), id);
    hasItsShape(u"actions-show"_s);
    m_run = runProgram(QStringLiteral(IDEMDESKCTL), show, { environment(), {}, m_home->path() });
    QVERIFY2(m_run.out.contains("part of us in an action over the group payments") && m_run.out.contains(id.toUtf8()),
        m_run.said().constData());

    const QStringList undo { u"actions"_s, u"undo"_s, id, u"--no-pauses"_s, u"--reason"_s, u"wrong cutoff"_s };
    QCOMPARE(ctl(undo), kRefused); // nobody said yes
    QVERIFY2(m_run.err.contains(u"--yes") && !m_run.err.contains(u"--dry-run"), m_run.said().constData());
    QCOMPARE(in(*m_us, kCount), left);
    QCOMPARE(ctl({ u"actions"_s, u"undo"_s, id.left(8), u"--reason"_s, u"x"_s, u"--yes"_s }), kUsage);
    // Whoever may only look in one of them is named; the other one's part is taken back.
    QVERIFY(ctl(undo + QStringList { u"--yes"_s }, false, u"viewer"_s) != kDone);
    QVERIFY2(m_run.said().contains("us"), m_run.said().constData());
    QCOMPARE(in(*m_eu, kCount), before);
    QCOMPARE(in(*m_us, kCount), left);
    QCOMPARE(ctl(undo + QStringList { u"--yes"_s, u"--json"_s }), kDone); // what is back already is passed over
    QCOMPARE(m_run.json().value(u"group_id"_s).toString(), id);
    hasItsShape(u"run-group"_s);
    QCOMPARE(in(*m_us, kCount), before);
    for (ConsoleFixture *side : { m_eu.get(), m_us.get() }) {
        QCOMPARE(ConsoleFixture::verified(*side->as(u"op"_s)), u"t"_s);
    }
    // Once more there is nothing to take back. One member alone knows whose id it is.
    QCOMPARE(ctl(undo + QStringList { u"--yes"_s }), kSkipped);
    m_run = runProgram(QStringLiteral(IDEMDESKCTL),
        { u"actions"_s, u"undo"_s, id, u"--reason"_s, u"x"_s, u"--connect"_s,
            m_us->cluster().conninfoAs(u"op"_s, m_us->database()) },
        { environment(), {}, m_home->path() });
    QCOMPARE(m_run.status, kUsage);
    QVERIFY2(m_run.err.contains(u"action over a group") && m_run.err.contains(part), m_run.said().constData());
    // An id that nobody has.
    QCOMPARE(ctl({ u"actions"_s, u"undo"_s, ConsoleFixture::newId(), u"--reason"_s, u"x"_s, u"--yes"_s }), kFailed);
    QVERIFY2(m_run.said().contains("No action with this group id"), m_run.said().constData());
    QCOMPARE(ctl({ u"recover"_s, u"--target"_s, u"nope"_s, u"--dry-run"_s }), kUsage);
    QCOMPARE(ctl(undo + QStringList { u"--ticket"_s, QString(201, u'x'), u"--yes"_s }), kUsage);
}

void CtlGroupTest::aMemberWithoutRightsIsNamed()
{
    const QString before = in(*m_us, kCount);
    QVERIFY(ctl(kPurge + QStringList { u"--yes"_s }, true, u"viewer"_s) != kDone);
    QVERIFY2(m_run.err.contains(u"us failed: ") && m_run.err.contains(u"asia"), m_run.said().constData());
    QCOMPARE(in(*m_us, kCount), before);
    QCOMPARE(in(*m_us, kActions), u"0"_s);
    QCOMPARE(in(*m_eu, kGroups), u"eu region clean-up OPS-7"_s);
}

void CtlGroupTest::aMemberThatFailsLeavesTheOthers()
{
    // Planned, and then refused by that member's own guard.
    QVERIFY(m_us->root().run(u"CREATE ROLE intruder; GRANT idemdesk_owner TO intruder"_s).ok());
    const QString before = in(*m_us, kCount);
    QVERIFY(ctl(kPurge + QStringList { u"--yes"_s, u"--json"_s }) != kDone);
    const QString us = in(*m_us, kCount);
    m_us->root().run(u"REVOKE idemdesk_owner FROM intruder; DROP ROLE intruder"_s);
    hasItsShape(u"run-group"_s);
    QCOMPARE(us, before);
    QCOMPARE(m_run.json().value(u"not_answered"_s)[0][u"member"].toString(), u"us"_s);
    QCOMPARE(m_run.json().value(u"answers"_s)[0][u"member"].toString(), u"eu"_s);
    QCOMPARE(m_run.json().value(u"answers"_s)[0][u"state"].toString(), u"finished"_s);
    QCOMPARE(in(*m_eu, kGroups), u"eu region clean-up OPS-7"_s);
}

void CtlGroupTest::approvalIsAMembersOwn()
{
    QVERIFY(m_us->root()
                .run(u"UPDATE idemdesk.target_limit SET approval_above = 3 WHERE relation = 'app.k'::regclass"_s)
                .ok());
    const QString before = in(*m_us, kCount);
    QCOMPARE(ctl(kPurge + QStringList { u"--yes"_s }), kRefused);
    QVERIFY2(m_run.err.contains(u"us: Another person must approve this"), m_run.said().constData());
    QCOMPARE(in(*m_us, kCount), before);
    QCOMPARE(in(*m_eu, kGroups), u"eu region clean-up OPS-7"_s);
}

void CtlGroupTest::aLostConnectionIsLookedUp()
{
    m_us->cluster().psql(m_us->database(), u"INSERT INTO app.slow VALUES (60)"_s);
    QProcess running;
    running.setProcessEnvironment(environment());
    running.start(QStringLiteral(IDEMDESKCTL),
        kPurge + QStringList { u"--yes"_s, u"--json"_s, u"--group"_s, groupFile(false, u"op"_s) });
    QVERIFY(running.waitForStarted());
    const QString busy = u"SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%purge_batch%' AND wait_event = "
                         "'PgSleep' AND pid <> pg_backend_pid()"_s;
    QTRY_VERIFY_WITH_TIMEOUT(in(*m_us, busy) == u"1", 30'000);
    m_us->cluster().psql(m_us->database(), u"DELETE FROM app.slow"_s);
    in(*m_us, QString(busy).replace(u"count(*)"_s, u"pg_terminate_backend(pid)"_s));
    QVERIFY(running.waitForFinished(60'000));
    const QByteArray said = running.readAllStandardError();
    QVERIFY2(running.exitCode() == kDone || running.exitCode() == kSkipped, said.constData());
    QCOMPARE(in(*m_us, kActions), u"1"_s);
    QCOMPARE(in(*m_us, kGroups), u"us region clean-up OPS-7"_s);
    QCOMPARE(in(*m_us, kCount), in(*m_eu, kCount));
}

/// The function of the console itself: whoever calls it directly records no more than an id and two names.
void CtlGroupTest::aGroupIsWellFormedInTheTrail()
{
    const auto op = m_eu->as(u"op"_s);
    const QString rows = m_eu->frozen(u"key = 'k001'"_s);
    const auto plan = [](const QString &group) { return u"{\"group\": %1, \"more\": 1}"_s.arg(group); };
    const QString sha = in(*m_eu, u"SELECT encode(t.profile_sha, 'hex') FROM idemdesk.target t WHERE t.name = 'k2'"_s);
    const auto asked = [&](const QString &group) {
        return op->run(u"SELECT idemdesk.open_action($1, 'k2', 'recover', 'because', '', $2::jsonb, $3, $4::jsonb)"_s,
            { ConsoleFixture::newId(), plan(group), sha, rows });
    };
    for (const QString &bad : { u"\"x\""_s, u"{}"_s, u"[]"_s, u"{\"id\": \"x\", \"name\": \"g\", \"member\": \"eu\"}"_s,
             u"{\"id\": \"%1\", \"name\": 7, \"member\": \"eu\"}"_s.arg(ConsoleFixture::newId()),
             u"{\"id\": \"%1\", \"name\": \"%2\", \"member\": \"eu\"}"_s.arg(
                 ConsoleFixture::newId(), QString(201, u'x')),
             u"{\"id\": \"%1\", \"name\": \"g\", \"member\": \"eu\", \"secret\": 1}"_s.arg(ConsoleFixture::newId()) }) {
        QCOMPARE(asked(bad).state, u"ID005"_s);
    }
    const QString id = ConsoleFixture::newId();
    const auto good = asked(u"{\"id\": \"%1\", \"name\": \"g\", \"member\": \"eu\"}"_s.arg(id));
    QVERIFY2(good.ok(), qPrintable(good.message));
    QCOMPARE(
        in(*m_eu,
            u"SELECT a.plan - 'group' || jsonb_build_object('is', a.plan #>> '{group,id}') FROM idemdesk.action a"_s),
        u"{\"is\": \"%1\"}"_s.arg(id));
}

/// Why a member's plan leaves a key alone; empty: it does not.
QString CtlGroupTest::whyLeft(const QString &member, const QString &key) const
{
    for (const QJsonValue &answer : m_run.json().value(u"answers"_s).toArray()) {
        for (const QJsonValue &skipped : answer[u"skipped"].toArray()) {
            if (answer[u"member"].toString() == member && skipped[u"key"].toString() == key) {
                return skipped[u"class"].toString() + u": "_s + skipped[u"why"].toString();
            }
        }
    }
    return {};
}

/// What is stuck in one region may have been done in the other: freeing it would do it twice.
void CtlGroupTest::whatAnotherRegionHasIsLeftAlone()
{
    QVERIFY(m_eu->root()
                .run(u"UPDATE app.k SET status = 'succeeded', locked_until = NULL, result = 'r' WHERE key = 'k001';"
                     "UPDATE app.k SET status = 'dead', locked_until = NULL WHERE key = 'k003';"
                     "UPDATE app.k SET locked_until = now() + interval '1 hour' WHERE key = 'k004';"
                     "UPDATE app.k SET status = 'odd' WHERE key = 'k006';"
                     "DELETE FROM app.k WHERE key = 'k007'"_s)
                .ok());
    const QStringList recover { u"recover"_s, u"--target"_s, u"k2"_s };
    ctl(recover + QStringList { u"--dry-run"_s, u"--json"_s });
    hasItsShape(u"plan-group"_s);
    QCOMPARE(whyLeft(u"us"_s, u"k001"_s), u"needs_review: Already succeeded in eu: align the key instead."_s);
    QCOMPARE(whyLeft(u"us"_s, u"k003"_s), u"needs_review: Failed for good in eu."_s);
    QCOMPARE(whyLeft(u"us"_s, u"k004"_s), u"needs_review: May still be running in eu."_s);
    QCOMPARE(whyLeft(u"us"_s, u"k006"_s), u"needs_review: In eu its state is not known."_s);
    QCOMPARE(whyLeft(u"us"_s, u"k007"_s), QString()); // eu has looked, and has it not
    QCOMPARE(whyLeft(u"us"_s, u"k009"_s), QString()); // stuck in both
    // Rows and groups of the plan tell the same.
    const QJsonValue us = m_run.json().value(u"answers"_s)[1];
    qint64 grouped = 0;
    for (const QJsonValue &group : us[u"groups"].toArray()) {
        grouped += group[u"rows"].toInt();
    }
    QCOMPARE(grouped, us[u"rows"].toInt());
    QCOMPARE(us[u"rows"].toInt() + us[u"skipped"].toArray().size(), 50);

    QCOMPARE(ctl(recover + QStringList { u"--reason"_s, u"worker died"_s, u"--yes"_s, u"--no-pauses"_s }), kSkipped);
    QCOMPARE(
        in(*m_us,
            u"SELECT string_agg(key, ' ' ORDER BY key) FROM app.k WHERE status = 'processing' AND tenant <> 't2'"_s),
        u"k001 k003 k004 k006"_s);
    QVERIFY(in(*m_us, u"SELECT status FROM app.k WHERE key = 'k007'"_s) == u"failed"_s);

    // Another fingerprint is another request, whatever became of it.
    for (ConsoleFixture *side : { m_eu.get(), m_us.get() }) {
        registerTable(*side, R"({"roles": {"status": "t.status", "attempts": "t.attempts", "lease_until":
            "t.locked_until", "updated_at": "t.updated_at", "expires_at": "t.expires_at", "result_id": "t.result",
            "fingerprint": "t.pad"}})");
        side->root().run(
            u"UPDATE app.k SET status = 'processing', locked_until = now() - interval '1 hour' WHERE key IN "
            "('k009', 'k010')"_s);
    }
    m_eu->root().run(u"UPDATE app.k SET pad = 'cd' WHERE key = 'k009'"_s);
    ctl(recover + QStringList { u"--dry-run"_s, u"--json"_s });
    QCOMPARE(whyLeft(u"us"_s, u"k009"_s), u"needs_review: Another request in eu: its fingerprint differs."_s);
    QCOMPARE(whyLeft(u"us"_s, u"k010"_s), QString());

    // A person's choice of one key asks, too; in one database alone it stays that person's.
    const QStringList one { u"recover"_s, u"--target"_s, u"k2"_s, u"--key"_s, u"k001"_s, u"--to"_s,
        u"failed_retryable"_s, u"--reason"_s, u"x"_s, u"--yes"_s };
    QCOMPARE(ctl(one), kSkipped);
    QVERIFY2(m_run.said().contains("Already succeeded in eu"), m_run.said().constData());
    QCOMPARE(in(*m_us, u"SELECT status FROM app.k WHERE key = 'k001'"_s), u"processing"_s);
    m_run = runProgram(QStringLiteral(IDEMDESKCTL),
        recover
            + QStringList { u"--filter"_s, u"key:k003"_s, u"--reason"_s, u"x"_s, u"--connect"_s,
                m_us->cluster().conninfoAs(u"op"_s, m_us->database()) },
        { environment(), {}, m_home->path() });
    QCOMPARE(in(*m_us, u"SELECT status FROM app.k WHERE key = 'k003'"_s), u"failed"_s);
}

/// "Not asked" is never "not there": a region that is down, or does not show its rows, may have done all of them.
void CtlGroupTest::aRegionThatIsNotAskedHoldsAllBack()
{
    const QStringList plan { u"recover"_s, u"--target"_s, u"k2"_s, u"--dry-run"_s, u"--json"_s };
    QCOMPARE(ctl(plan, true), kUnknown);
    QCOMPARE(m_run.json().value(u"answers"_s)[0][u"rows"].toInt(), 0);
    QVERIFY2(whyLeft(u"eu"_s, u"k001"_s).startsWith(u"needs_review: asia was not asked: "_s), m_run.said().constData());
    QVERIFY(m_us->root().run(u"REVOKE SELECT ON app.k FROM op"_s).ok());
    ctl(plan);
    QVERIFY2(whyLeft(u"eu"_s, u"k001"_s).startsWith(u"needs_review: us was not asked: "_s), m_run.said().constData());
    QVERIFY(m_us->root()
                .run(u"GRANT SELECT ON app.k TO op; ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON "
                     "app.k USING (tenant = 't0')"_s)
                .ok());
    ctl(plan);
    QVERIFY2(whyLeft(u"eu"_s, u"k001"_s).startsWith(u"needs_review: us was not asked: "_s), m_run.said().constData());
}

void CtlGroupTest::shardsHaveKeysOfTheirOwn()
{
    m_kind = u"shards"_s;
    QVERIFY(m_eu->root().run(u"UPDATE app.k SET status = 'succeeded', result = 'r' WHERE key = 'k001'"_s).ok());
    ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--dry-run"_s, u"--json"_s }, true);
    QCOMPARE(whyLeft(u"us"_s, u"k001"_s), QString());
    QVERIFY(m_run.json().value(u"answers"_s)[1][u"rows"].toInt() > 0);
}

/// A member that said no was there; only one that is down did not answer.
void CtlGroupTest::aMemberThatRefusesHasAnswered()
{
    m_kind = u"shards"_s;
    QVERIFY(m_us->root().run(u"REVOKE SELECT ON app.k FROM op"_s).ok());
    ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"x"_s, u"--yes"_s, u"--no-pauses"_s }, true);
    QVERIFY2(m_run.said().contains("no plan for us") && !m_run.said().contains("us did not answer")
            && m_run.said().contains("asia did not answer"),
        m_run.said().constData());
}

QTEST_GUILESS_MAIN(CtlGroupTest)
#include "tst_ctl_group.moc"
