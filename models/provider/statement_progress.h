// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <atomic>

namespace idemdesk::models {

/// How far a statement was read and compared. Its thread writes it, any other may look.
struct StatementProgress {
    enum class Phase {
        Reading, ///< bytes of the file
        LookingUp, ///< references of the statement, at most as many as it has lines
        WholeTable, ///< rows
        Missing ///< rows of the time that it covers
    };
    std::atomic<Phase> phase = Phase::Reading;
    std::atomic<qint64> done = 0;
    std::atomic<qint64> whole = 0; ///< 0: not known

    void begin(Phase next, qint64 ofAll)
    {
        done = 0;
        whole = ofAll;
        phase = next;
    }
};

} // namespace idemdesk::models
