// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/sql/attacks/machine/machine.h"

#include "tests/sql/attacks/machine/faults.h"

#include <QElapsedTimer>

using namespace Qt::StringLiterals;

namespace idemdesk::tests::machine {

Machine::Machine()
    : m_console(std::make_unique<ConsoleFixture>(
        QStringList { u"deadlock_timeout = '100ms'"_s, u"max_wal_size = '2GB'"_s, u"jit = off"_s }))
{
    for (const QString &file : { u"tests/sql/attacks/machine/model.sql"_s, u"tests/sql/attacks/machine/world.sql"_s }) {
        m_console->cluster().psqlFile(u"console_template"_s, file);
    }
}

Machine::Outcome Machine::play(
    quint64 seed, int actions, const QString &fault, int seconds, const std::function<void(const Outcome &)> &after)
{
    Outcome outcome;
    QElapsedTimer clock;
    clock.start();
    const QString planted = fault.isEmpty() ? QString() : faultSql(fault);
    if (!fault.isEmpty() && planted.isEmpty()) {
        qFatal("there is no fault \"%s\"; there are: %s", qPrintable(fault), qPrintable(faultNames().join(u' ')));
    }
    for (outcome.seed = seed; outcome.actions < actions && (seconds == 0 || clock.elapsed() < seconds * 1000);
         ++outcome.seed) {
        const QString last = m_console->database();
        {
            Run run(*m_console, outcome.seed, &outcome.tally, planted);
            m_console->cluster().psql(u"postgres"_s, u"DROP DATABASE IF EXISTS %1 WITH (FORCE)"_s.arg(last));
            outcome.differences = run.play(qMin(50, qMax(1, actions - outcome.actions)));
            outcome.actions += run.actions();
            outcome.script = run.script();
        }
        ++outcome.runs;
        if (!outcome.differences.isEmpty()) {
            break;
        }
        if (after) {
            after(outcome);
        }
    }
    return outcome;
}

} // namespace idemdesk::tests::machine
