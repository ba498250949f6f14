// SPDX-License-Identifier: GPL-3.0-or-later
// A backend, a client or the whole server that dies in the middle of a batch: the change and its trail exist both or
// neither, and the same batch asked for again settles it once.
#include "tests/support/console_fixture.h"

#include <QRegularExpression>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

class ActionsCrashesTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;

    /// "changed/trail": rows that changed and rows the trail says so of.
    QString both()
    {
        return m_console->root().value(
            u"SELECT (SELECT count(*) FROM app.k WHERE status = 'failed') || '/' || (SELECT count(*) FROM "
            u"idemdesk.action_item) || '/' || "
            "(SELECT count(*) FROM idemdesk.audit WHERE what = 'batch') || '/' || (SELECT count(*) FROM idemdesk.action_batch)"_s);
    }

    void settle(const QString &id)
    {
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(op->value(u"SELECT b ->> 'state' FROM idemdesk.change_batch($1, 1, 10) b"_s, { id }), u"finished"_s);
        QCOMPARE(both(), u"3/3/1/1"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_console = std::make_unique<ConsoleFixture>();
    }

    void init() { m_console->fresh(); }

    void killed_data()
    {
        QTest::addColumn<QString>(
            "place"); ///< a lock that makes the batch wait there; empty: it ended, nobody read the answer
        QTest::addColumn<QString>("victim");
        for (const char *victim : { "backend", "client", "postmaster" }) {
            const QString who = QString::fromLatin1(victim);
            QTest::addRow("%s as the batch begins", victim) << u"SELECT FROM idemdesk.action FOR UPDATE"_s << who;
            QTest::addRow("%s as a row is changed", victim) << u"LOCK TABLE app.k IN EXCLUSIVE MODE"_s << who;
            QTest::addRow("%s as items are stored", victim)
                << u"LOCK TABLE idemdesk.action_item IN EXCLUSIVE MODE"_s << who;
            QTest::addRow("%s as the chain grows", victim) << u"SELECT FROM idemdesk.audit_head FOR UPDATE"_s << who;
            QTest::addRow("%s as the audit row is stored", victim)
                << u"LOCK TABLE idemdesk.audit IN EXCLUSIVE MODE"_s << who;
            QTest::addRow("%s as the batch is stored", victim)
                << u"LOCK TABLE idemdesk.action_batch IN EXCLUSIVE MODE"_s << who;
            QTest::addRow("%s before the answer is read", victim) << QString() << who;
        }
    }

    void killed()
    {
        QFETCH(QString, place);
        QFETCH(QString, victim);
        const QString id = ConsoleFixture::newId();
        auto op = m_console->as(u"op"_s);
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key BETWEEN 'k001' AND 'k003'"_s)).value(),
            u"running"_s);
        Connection &root = m_console->root();
        const QString pid = QString::number(op->pid());
        if (!place.isEmpty()) {
            QVERIFY(root.run(u"BEGIN; "_s + place).ok());
        }
        op->send(u"SELECT idemdesk.change_batch('%1', 1, 10)"_s.arg(id));
        if (place.isEmpty()) {
            QTRY_COMPARE(root.value(u"SELECT last_batch FROM idemdesk.action"_s), u"1"_s);
        } else {
            QTRY_COMPARE(
                root.value(u"SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = $1::integer"_s, { pid }),
                u"1"_s);
        }
        if (victim == u"client"_s) {
            op->drop();
            op.reset();
            QVERIFY(place.isEmpty() || root.run(u"ROLLBACK"_s).ok());
            QTRY_COMPARE(
                root.value(u"SELECT count(*) FROM pg_stat_activity WHERE pid = $1::integer"_s, { pid }), u"0"_s);
        } else {
            const qint64 target
                = victim == u"backend"_s ? pid.toLongLong() : m_console->cluster().cluster().postmasterPid();
            QCOMPARE(::kill(static_cast<pid_t>(target), SIGKILL), 0);
            QTRY_VERIFY_WITH_TIMEOUT(!root.run(u"SELECT 1"_s).ok(), 20'000);
            m_console->forgetRoot();
            if (victim == u"postmaster"_s) {
                // Until it is gone its file says that it is ready, and a start would be content with that.
                QTRY_COMPARE_WITH_TIMEOUT(m_console->cluster().cluster().postmasterPid(), 0, 20'000);
                // Its orphans let go of the shared memory soon, but not at once: a server started before that gives up.
                QTRY_VERIFY_WITH_TIMEOUT(m_console->cluster().cluster().start(true, 1'500).ok(), 60'000);
            }
            QTRY_VERIFY_WITH_TIMEOUT(m_console->ready(), 60'000);
        }
        const QString after = both();
        // A client's death alone stops nothing on the server: it may end the batch, but never a part of it.
        QVERIFY2(place.isEmpty() ? after == u"3/3/1/1"_s
                                 : after == u"0/0/0/0"_s || (victim == u"client"_s && after == u"3/3/1/1"_s),
            qPrintable(after));
        settle(id);
    }
};

} // namespace

QTEST_GUILESS_MAIN(ActionsCrashesTest)
#include "tst_actions_crashes.moc"
