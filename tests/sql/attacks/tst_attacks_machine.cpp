// SPDX-License-Identifier: GPL-3.0-or-later
// The machine that keeps attacking, for a few runs; attacks_machine goes on for longer.
#include "tests/sql/attacks/machine/faults.h"
#include "tests/sql/attacks/machine/machine.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests::machine;

namespace {

class AttacksMachineTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<Machine> m_machine;

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_machine = std::make_unique<Machine>();
    }

    /// Nothing changes but what may, and things do change.
    void nothingElseChanges()
    {
        const auto outcome = m_machine->play(7, 100);
        QVERIFY2(outcome.differences.isEmpty(),
            qPrintable(u"seed %1:\n%2\n%3"_s.arg(outcome.seed)
                           .arg(outcome.script.join(u'\n'), outcome.differences.join(u'\n'))));
        QVERIFY(outcome.actions >= 100);
        QVERIFY2(Run::changedRows(outcome.tally) >= 10, qPrintable(QString::number(Run::changedRows(outcome.tally))));
    }

    /// Planting as such is not what gives a fault away.
    void plantingIsNotFound()
    {
        const auto outcome = m_machine->play(1, 50, u"nothing"_s);
        QVERIFY2(outcome.differences.isEmpty(), qPrintable(outcome.differences.join(u'\n')));
        QCOMPARE(outcome.actions, 50);
    }

    /// A check that is gone is missed. The seed is one that finds it soon;
    /// attacks_machine --fault finds it from any. Not here: own and allowance, which the first few runs from seed 1 do
    /// not find; scope, rights and race, of which no seed is known that finds them soon.
    void faultIsFound_data()
    {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<quint64>("seed");
        QTest::newRow("a recovery without its guard") << u"guard"_s << quint64(2);
        QTest::newRow("a setting that nothing pins") << u"pin"_s << quint64(3);
        QTest::newRow("calls from within other statements") << u"outermost"_s << quint64(3);
        QTest::newRow("a batch that writes one row down as left alone") << u"items"_s << quint64(1);
        QTest::newRow("a purge without its cutoff") << u"cutoff"_s << quint64(1);
        QTest::newRow("an undo over what somebody did since") << u"undo"_s << quint64(1);
        QTest::newRow("a looser limit that nobody approves") << u"loosened"_s << quint64(1);
        QTest::newRow("a recovery of a key that is not stuck") << u"stale"_s << quint64(1);
        QTest::newRow("a change under a lease that runs") << u"lease"_s << quint64(3);
    }
    void faultIsFound()
    {
        QFETCH(QString, fault);
        QFETCH(quint64, seed);
        const auto outcome = m_machine->play(seed, 2000, fault);
        QVERIFY2(!outcome.differences.isEmpty(), qPrintable(u"not found in %1 actions"_s.arg(outcome.actions)));
    }
};

} // namespace

QTEST_GUILESS_MAIN(AttacksMachineTest)
#include "tst_attacks_machine.moc"
