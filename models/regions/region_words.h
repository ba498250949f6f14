// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/regions/region_compare.h"

namespace idemdesk::models {

QString phaseText(RegionCompare::Phase phase); ///< what it does now, as a sentence

/// How many keys were compared and how many of them differ, in one or two sentences.
QString compareSummary(const CompareOutcome &outcome, const std::array<QString, 2> &labels);

/// What to do now, and what replication between the two does: one sentence a line; empty where all is well.
QStringList compareAdvice(const CompareOutcome &outcome, const std::array<QString, 2> &labels);

} // namespace idemdesk::models
