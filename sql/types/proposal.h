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

/// What detection found, and which tables it could say nothing of.
struct Detected {
    QList<Proposal> proposals; ///< best first
    QStringList notReadable; ///< tables and views that this login may not read
    QStringList notSampled; ///< "app.orders: Its rows could not be looked at: …", of those that were not proposed
};

} // namespace idemdesk::sql
