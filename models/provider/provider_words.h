// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/provider.h"

namespace idemdesk::models {

/// What was recorded, with who said so: "It happened, by line 12 of “statement.csv” of acme. Reference “r-1”, at TIME.
/// Recorded by op." Safe to show. `masked`: the reference is left out.
QString evidenceText(const sql::ProviderEvidence &word, bool masked = false);

/// The same for a line of a list: "Provider: It happened (statement.csv, line 12)".
QString evidenceBrief(const sql::ProviderEvidence &word);

/// "It happened", "It happened twice", …
QString providerWordText(sql::ProviderWord word);

/// "Sent", "Not mapped": how far a request got, for people.
QString providerStateText(sql::ProviderState state);

} // namespace idemdesk::models
