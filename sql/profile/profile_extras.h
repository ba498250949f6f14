// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"

#include <QMap>
#include <optional>

namespace idemdesk::sql {

// Keys of a profile that single features read: Profile::extra keeps them as they were written, the reader has checked their form.

/// "business_reference": SQL expressions over t, each a reference by itself; empty where the profile names none.
QStringList businessReferences(const Profile &profile);
/// The place of one of them in the profile: "$.business_reference" or "$.business_reference[1]".
QString businessReferencePath(const Profile &profile, qsizetype index);

/// "diff_ignore": JSON pointers of fields that may differ between payloads of one intent.
QStringList diffIgnore(const Profile &profile);

/// "masking": names of columns, roles and parts of the scope whose values are left out of case files.
QStringList masking(const Profile &profile);

/// Where a recipe's part of the request comes from: the same text for every row, or an SQL expression over t.
struct RecipePart {
    bool isSql = false;
    QString text;
    friend bool operator==(const RecipePart &, const RecipePart &) = default;
};

/// "fingerprint_recipe": how the service makes its fingerprints, as a person saved it.
struct StoredRecipe {
    QString recipe; ///< what models::recipeFromId() reads
    QMap<QString, RecipePart> parts; ///< by recipePartNames()
};
std::optional<StoredRecipe> storedRecipe(const Profile &profile);
void storeRecipe(Profile *profile, const StoredRecipe &recipe);
/// "$.fingerprint_recipe.parts.key.sql"
QString recipePartPath(const QString &part);

/// Every SQL expression among these keys, with its place in the profile.
QList<std::pair<QString, QString>> extraExpressions(const Profile &profile);

/// method, path, url, query, key, operation, version, client, authorization, kind: in the order requests are written.
const QStringList &recipePartNames();

} // namespace idemdesk::sql
