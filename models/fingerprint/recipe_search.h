// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/fingerprint/recipe.h"
#include "sql/types/result.h"

#include <functional>
#include <optional>

namespace idemdesk::models {

/// How the payload at hand came to be: a jsonb column keeps the data but not the bytes.
enum class PayloadOrigin { Unknown, Bytes, JsonText, Jsonb };

struct RecipeQuestion {
    QByteArray payload;
    QString fingerprint; ///< as stored
    RequestParts parts;
    PayloadOrigin origin = PayloadOrigin::Unknown;
    int budgetMs = 1'000; ///< the search stops then and says so
    std::function<bool()> cancelled = {};
};

struct RecipeAnswer {
    std::optional<Recipe> recipe;
    qint64 tried = 0; ///< combinations
    qint64 planned = 0; ///< combinations there are
    bool complete = true; ///< all were tried, or one was found
    QStringList reasons; ///< where none was found: why that may be, whole sentences
};

/// Which recipe makes this fingerprint out of this payload. Error: Usage where the fingerprint is no hash.
sql::Result<RecipeAnswer> findRecipe(const RecipeQuestion &question);

/// True if the text is just what PostgreSQL prints of a jsonb value of two members or more.
bool looksLikeJsonb(const QByteArray &payload, const JsonSource &json);

} // namespace idemdesk::models
