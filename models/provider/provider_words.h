// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/provider.h"

namespace idemdesk::models {

/// One sentence of what was recorded, with who said so: "By statement.csv of acme, line 12, it happened; recorded by
/// op."
QString evidenceText(const sql::ProviderEvidence &word);

/// "It happened", "It happened twice", …
QString providerWordText(sql::ProviderWord word);

/// "Sent", "Not mapped": how far a request got, for people.
QString providerStateText(sql::ProviderState state);

} // namespace idemdesk::models
