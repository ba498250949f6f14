// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/drill/drill_tests.h"

#include <QCoreApplication>
#include <array>

namespace idemdesk::models {

namespace {

using enum DrillTestId;

constexpr auto kDrillTests = std::to_array<DrillTest>({
    { Twice, "twice", QT_TRANSLATE_NOOP("Drill", "The same command twice"),
        QT_TRANSLATE_NOOP("Drill", "One effect, and an answer to the retry."), "003 §28.1" },
    { AtOnce, "at_once", QT_TRANSLATE_NOOP("Drill", "The same command from many sessions at once"),
        QT_TRANSLATE_NOOP("Drill", "One wins; there is one effect."), "003 §28.2" },
    { OtherPayload, "other_payload", QT_TRANSLATE_NOOP("Drill", "The same key with another payload"),
        QT_TRANSLATE_NOOP("Drill", "It is refused as a conflict, and has no effect."), "003 §28.3" },
    { Crash, "crash", QT_TRANSLATE_NOOP("Drill", "A client that dies before or after the commit"),
        QT_TRANSLATE_NOOP("Drill", "The retry finds what was committed, or does what was not; once."), "003 §28.4" },
    { Redelivery, "redelivery", QT_TRANSLATE_NOOP("Drill", "A message that is delivered again"),
        QT_TRANSLATE_NOOP("Drill", "One effect, and one row for the message."), "003 §28.5" },
    { Replay, "replay", QT_TRANSLATE_NOOP("Drill", "Old commands played again, in another order"),
        QT_TRANSLATE_NOOP("Drill", "Nothing is done a second time."), "003 §28.6" },
    { Expiry, "expiry", QT_TRANSLATE_NOOP("Drill", "A retry after the key expired"),
        QT_TRANSLATE_NOOP("Drill", "The business rule still holds, unless the profile allows another effect."),
        "003 §28.7" },
    { TwoKeys, "two_keys", QT_TRANSLATE_NOOP("Drill", "Two keys for one fact of the business"),
        QT_TRANSLATE_NOOP("Drill", "One effect, whatever the keys."), "003 §10" },
});

} // namespace

std::span<const DrillTest> drillTests()
{
    return kDrillTests;
}

QString drillText(const char *text)
{
    return QCoreApplication::translate("Drill", text);
}

} // namespace idemdesk::models
