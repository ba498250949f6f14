// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/sql/attacks/machine/run.h"

#include <functional>

namespace idemdesk::tests::machine {

/// Runs of at most 50 actions each, one after the other on one cluster.
class Machine
{
public:
    Machine();

    struct Outcome {
        int runs = 0;
        int actions = 0;
        Tally tally;
        QStringList differences; ///< of the first run that has any
        QStringList script; ///< what was said in it
        quint64 seed = 0; ///< of it
    };
    /// Plays from this seed on, until so many actions were tried, something differs, or the time is over (0:
    /// no limit). The first run has the seed itself; the next ones follow from it. after: called with what there is
    /// after each run without a difference.
    Outcome play(quint64 seed, int actions, const QString &fault = {}, int seconds = 0,
        const std::function<void(const Outcome &)> &after = {});

private:
    std::unique_ptr<ConsoleFixture> m_console;
};

} // namespace idemdesk::tests::machine
