// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <span>

namespace idemdesk::models {

/// What a drill tries on the service's own statements (seed 003 §28).
enum class DrillTestId { Twice, AtOnce, OtherPayload, Crash, Redelivery, Replay, Expiry, TwoKeys };

/// One of them. Texts are to be translated in context "Drill".
struct DrillTest {
    DrillTestId id;
    const char *name; ///< "at_once", as --json writes it
    const char *title;
    const char *expects; ///< a sentence
    const char *source; ///< the document and section
};

std::span<const DrillTest> drillTests(); ///< in the order in which they run
QString drillText(const char *text); ///< translated

} // namespace idemdesk::models
