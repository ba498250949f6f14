// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/sampler.h"
#include "sql/lanes/database.h"
#include "tests/support/console_fixture.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using namespace idemdesk::tests;

/// Samples that an open console takes.
class SamplerTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_fixture = std::make_unique<ConsoleFixture>(); }
    void cleanupTestCase() { m_fixture.reset(); }
    void init()
    {
        m_fixture->fresh();
        sql::ConnectionSettings settings;
        settings.conninfo = m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database());
        m_database = std::make_unique<sql::Database>(settings);
        m_database->open();
        m_sampler = std::make_unique<Sampler>();
        m_sampler->setDatabase(m_database.get());
    }
    void cleanup()
    {
        m_sampler.reset();
        m_database.reset();
    }

    void samplesAtOnceAndOncePerMinute()
    {
        QSignalSpy sampled(m_sampler.get(), &Sampler::sampled);
        m_sampler->setTargets({ u"k"_s });
        QTRY_COMPARE_WITH_TIMEOUT(sampled.size(), 1, 20'000);
        const qint64 first = sampled.at(0).at(1).toLongLong();
        QVERIFY(first > 0);
        m_sampler->setPeriod(20);
        QTRY_VERIFY_WITH_TIMEOUT(sampled.size() >= 2, 40'000);
        // Of one minute only one sample is kept, however often it is asked for.
        QCOMPARE(m_fixture->root().value(u"SELECT count(*) = count(DISTINCT bucket_start) FROM idemdesk.sample_run"_s),
            u"t"_s);
    }

    void aTableThatTakesLongIsSampledMoreSeldom()
    {
        // Its sample takes 0.2 s: the next one is not before ten seconds later.
        QVERIFY(
            m_fixture
                ->registerTarget(ConsoleFixture::compiled().replace(u"\"effects\":"_s,
                    u"\"samples\":[[\"slow\",\"count((SELECT sum(g) FROM generate_series(1, 5000) g WHERE t.key IS NOT NULL))\"]],\"effects\":"_s))
                .contains(u"\"registered\": true"_s));
        QSignalSpy sampled(m_sampler.get(), &Sampler::sampled);
        m_sampler->setPeriod(10);
        m_sampler->setTargets({ u"k"_s });
        QTRY_COMPARE_WITH_TIMEOUT(sampled.size(), 1, 20'000);
        QVERIFY(!sampled.wait(500));
    }

    void nothingWhileAnActionRuns()
    {
        QSignalSpy sampled(m_sampler.get(), &Sampler::sampled);
        m_sampler->setHeld(true);
        m_sampler->setPeriod(10);
        m_sampler->setTargets({ u"k"_s });
        QVERIFY(!sampled.wait(300));
        m_sampler->setHeld(false);
        QTRY_VERIFY_WITH_TIMEOUT(!sampled.isEmpty(), 20'000);
    }

    void oneThatFailsDoesNotHoldUpTheOthers()
    {
        QSignalSpy sampled(m_sampler.get(), &Sampler::sampled);
        m_sampler->setTargets({ u"nothing"_s, u"k"_s });
        QTRY_COMPARE_WITH_TIMEOUT(sampled.size(), 1, 20'000);
        QCOMPARE(sampled.at(0).at(0).toString(), u"k"_s);
    }

private:
    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<sql::Database> m_database;
    std::unique_ptr<Sampler> m_sampler;
};

QTEST_GUILESS_MAIN(SamplerTest)
#include "tst_sampler.moc"
