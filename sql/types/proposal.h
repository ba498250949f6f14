// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"
#include "sql/types/relation_facts.h"

namespace idemdesk::sql {

/// What detection proposes for one table.
struct Proposal {
    Profile profile;
    RelationFacts relation;
    int confidence = 0; ///< per cent; below 50 is "low"
    QStringList reasons; ///< whole sentences, strongest first
    QStringList doubts; ///< what speaks against, or what is missing
    QList<std::pair<QString, QString>> sample; ///< column -> a sampled value, shortened; never a full scan
};

} // namespace idemdesk::sql
