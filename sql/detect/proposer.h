// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/detect/column_evidence.h"
#include "sql/types/proposal.h"

namespace idemdesk::sql {

/// Makes the best profile it can of a table's evidence, with a confidence and the reasons for it.
Proposal proposeFrom(TableEvidence table);

/// Could this table reach a proposal at all? Asked before any of its rows is read.
bool worthSampling(const TableEvidence &table);

} // namespace idemdesk::sql
