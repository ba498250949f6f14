// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo_regions.h"
#include "tests/support/program_run.h"
#include "tests/support/test_cluster.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QMap>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// The demo of two regions: what differs in it, and that nothing of it stays behind.
class DemoRegionsTest final : public QObject
{
    Q_OBJECT

    QTemporaryDir m_home;
    std::unique_ptr<app::DemoRegions> m_regions;

    /// How many keys differ, by kind.
    QMap<QString, int> differences()
    {
        const ProgramRun run = runProgram(QStringLiteral(IDEMDESKCTL),
            { u"compare"_s, u"--group"_s, m_regions->groupFile(), u"--target"_s, u"plpgsql-request"_s, u"--json"_s },
            { privateEnvironment(m_home.path()) });
        insist(run.status == 0, QString::fromUtf8(run.said()));
        QMap<QString, int> kinds;
        for (const QJsonValue &item : run.items()) {
            ++kinds[item[u"kind"].toString()];
        }
        return kinds;
    }
    void start(QStringList *steps = nullptr)
    {
        const auto started = m_regions->start(
            [steps](const QString &step) {
                if (steps != nullptr) {
                    *steps += step;
                }
            },
            {});
        QVERIFY2(started.ok(), started ? "" : qPrintable(started.error().line() + started.error().detail));
    }

private slots:
    void initTestCase() { m_regions = std::make_unique<app::DemoRegions>(freshFolder()); }
    void cleanupTestCase() { QVERIFY(m_regions->destroy().ok()); }

    void eachDifferenceIsThere()
    {
        start();
        const QMap<QString, int> expected { { u"results"_s, 2 }, { u"fingerprint"_s, 1 }, { u"missing"_s, 10 },
            { u"state"_s, 4 }, { u"answers"_s, 1 } };
        QCOMPARE(differences(), expected);
    }
    void startAgainChangesNothing()
    {
        QStringList steps;
        start(&steps);
        QCOMPARE(steps, QStringList());
        QVERIFY(m_regions->stop().ok());
        QVERIFY(!m_regions->running());
        start(&steps);
        QCOMPARE(steps.size(), 2); // both servers, and no data anew
        QCOMPARE(differences().value(u"missing"_s), 10);
    }
    void nothingStaysBehind()
    {
        const QString file = m_regions->groupFile();
        QVERIFY(QFileInfo::exists(file));
        QVERIFY(m_regions->destroy().ok());
        QVERIFY(!m_regions->running() && !QFileInfo::exists(file));
    }
    void aStoppedStartLeavesNothingRunning()
    {
        std::stop_source stop;
        const auto started = m_regions->start([&stop](const QString &) { stop.request_stop(); }, stop.get_token());
        QVERIFY(!started.ok());
        QVERIFY(!m_regions->running());
    }
};

QTEST_GUILESS_MAIN(DemoRegionsTest)
#include "tst_demo_regions.moc"
