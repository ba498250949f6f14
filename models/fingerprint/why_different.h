// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/diff/json_diff.h"
#include "models/fingerprint/recipe.h"

#include <optional>

namespace idemdesk::models {

/// The sentence an engineer needs: why two payloads of one key have two hashes, as far as payloads and recipe show.
/// formLost: one of them comes out of a jsonb, which keeps the data of a request but not its form.
QString whyHashesDiffer(const JsonSource &first, const JsonSource &second, const JsonDiff &diff,
    const std::optional<Recipe> &recipe, bool formLost = false);

} // namespace idemdesk::models
