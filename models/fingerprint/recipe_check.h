// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/fingerprint/recipe.h"
#include "sql/keys/payload_sample.h"

namespace idemdesk::models {

/// What came of making fingerprints of stored rows again by a recipe.
struct RecipeCheck {
    /// A row whose fingerprint is another than the recipe makes. The key shows only its beginning and end.
    struct Example {
        QString maskedKey;
        QString stored;
        QString made; ///< written as the table writes its fingerprints
    };

    qint64 rows = 0;
    qint64 matching = 0;
    qint64 differing = 0;
    QList<Example> examples; ///< the first that differ, at most five
    // Rows that cannot be judged, by reason.
    qint64 withoutPayload = 0;
    qint64 tooLarge = 0;
    qint64 noHash = 0; ///< the stored fingerprint is no hash
    qint64 noJson = 0; ///< the recipe reads the payload as JSON, and it is none
    qint64 partMissing = 0; ///< another hash is made, but a part that the recipe names is NULL in the row
    qint64 formLost = 0; ///< another hash is made, but from a jsonb, which has lost the form that the recipe hashes
    bool newestFirst = false; ///< the rows are the newest

    qint64 unjudged() const { return withoutPayload + tooLarge + noHash + noJson + partMissing + formLost; }
};

/// Makes the fingerprint of each row again and compares.
RecipeCheck checkRecipe(const Recipe &recipe, const sql::PayloadSample &sample);

/// Reads up to `rows` rows of the target and checks the recipe that its profile keeps. Error: Usage where it keeps
/// none, or one that cannot be read.
sql::Result<RecipeCheck> checkStoredRecipe(sql::Session &session, const sql::Target &target, int rows);

/// Whole sentences: how many match, how many do not, and why the rest cannot be judged.
QStringList recipeCheckInWords(const RecipeCheck &check);

/// The profile with this recipe in it. Error: Usage where a part that the recipe names comes from nowhere, or the
/// profile cannot be read back so.
sql::Result<sql::Profile> profileWithRecipe(
    const sql::Profile &profile, const Recipe &recipe, const QMap<QString, sql::RecipePart> &parts);

} // namespace idemdesk::models
