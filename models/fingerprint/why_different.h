// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/diff/json_diff.h"
#include "models/fingerprint/recipe.h"

#include <optional>

namespace idemdesk::models {

/// The sentence an engineer needs: why two payloads of one key have two hashes, as far as payloads and recipe show.
QString whyHashesDiffer(const JsonSource &first, const JsonSource &second, const JsonDiff &diff, const std::optional<Recipe> &recipe);

} // namespace idemdesk::models
