// SPDX-License-Identifier: GPL-3.0-or-later
// The long form of tst_attacks_machine.
#include "tests/sql/attacks/machine/faults.h"
#include "tests/sql/attacks/machine/machine.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDateTime>
#include <QElapsedTimer>

#include <cstdio>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests::machine;

namespace {

void say(const QString &line)
{
    std::fprintf(stdout, "%s\n", qPrintable(line));
    std::fflush(stdout);
}

int report(const Machine::Outcome &outcome, bool expected)
{
    if (outcome.differences.isEmpty()) {
        say(u"no difference"_s);
        return expected ? 1 : 0;
    }
    say(u"The script of the run with seed %1:"_s.arg(outcome.seed));
    for (const QString &line : outcome.script) {
        say(u"  "_s + line);
    }
    say(u"What differs after run %1 (seed %2):"_s.arg(outcome.runs).arg(outcome.seed));
    for (const QString &line : outcome.differences) {
        say(u"  "_s + line);
    }
    return expected ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(
        u"Attacks random tables through the console in runs of at most 50 actions, and compares what changed "
        u"with a model.\n"
        "An action is one tried call that opens something: open_action, open_undo, detach, attach or drop of "
        "a partition, or a registration.\n"
        "Its batches, approvals and pauses belong to it; so do refused ones, of which the counts tell.\n"
        "Exit status: 0 without a difference (with --fault: where it was found), else 1."_s);
    parser.addHelpOption();
    parser.addOptions(
        { { u"seed"_s, u"Of the first run; the next ones count up from it. Default: the time."_s, u"N"_s },
            { u"actions"_s, u"How many to try (1000)."_s, u"N"_s, u"1000"_s },
            { u"fault"_s, u"Plant this fault first: "_s + faultNames().join(u", "_s), u"NAME"_s } });
    parser.process(app);
    const quint64 seed = parser.isSet(u"seed"_s) ? parser.value(u"seed"_s).toULongLong()
                                                 : static_cast<quint64>(QDateTime::currentMSecsSinceEpoch());
    say(u"seed %1, %2 actions%3"_s.arg(seed).arg(
        parser.value(u"actions"_s), parser.isSet(u"fault"_s) ? u", fault "_s + parser.value(u"fault"_s) : QString()));
    Machine machine;
    QElapsedTimer clock;
    clock.start();
    const auto outcome = machine.play(
        seed, parser.value(u"actions"_s).toInt(), parser.value(u"fault"_s), 0, [](const Machine::Outcome &so) {
            if (so.runs % 25 == 0) {
                say(u"%1 runs, %2 actions, seed %3"_s.arg(so.runs).arg(so.actions).arg(so.seed));
            }
        });
    for (const auto &[what, n] : outcome.tally) {
        say(u"%1  %2"_s.arg(n, 8).arg(what));
    }
    say(u"seed %1: %2 runs, %3 actions, %4 rows changed by them, %5 s, %6 actions a second"_s.arg(seed)
            .arg(outcome.runs)
            .arg(outcome.actions)
            .arg(Run::changedRows(outcome.tally))
            .arg(clock.elapsed() / 1000)
            .arg(outcome.actions * 1000.0 / qMax<qint64>(1, clock.elapsed()), 0, 'f', 1));
    return report(outcome, parser.isSet(u"fault"_s));
}
