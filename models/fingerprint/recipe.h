// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/fingerprint/canonical_form.h"
#include "sql/types/result.h"

#include <QCryptographicHash>
#include <QMap>
#include <QStringList>

namespace idemdesk::models {

/// What is known of a request beside its body, by name.
struct RequestParts {
    QMap<QString, QByteArray> values;

    /// method, path, url, query, key, operation, version, client, authorization, kind: in the order requests are
    /// written.
    static const QStringList &names();
};

/// The place of the payload among a recipe's parts.
inline constexpr const char *kBodyPart = "body";

/// How a service makes its fingerprint.
struct Recipe {
    QStringList order; ///< part names and "body"
    QByteArray separator;
    bool lineFeed = false; ///< after all
    QString form; ///< id of the canonical form of the body
    QCryptographicHash::Algorithm algorithm = QCryptographicHash::Sha256;

    /// "sha256(method ":" path ":" body as stable-json)": stable, to be kept in a profile.
    QString id() const;
    /// "SHA-256 of method, path and the bytes as sent, joined by ":"".
    QString inWords() const;
    friend bool operator==(const Recipe &a, const Recipe &b) = default;
};

/// Reads what Recipe::id() writes. Error: Usage for any other text, with what is wrong in it.
sql::Result<Recipe> recipeFromId(const QString &id);

/// The bytes the recipe hashes; parts that are not given are left out with nothing in their place.
QByteArray recipeBytes(const Recipe &recipe, const QByteArray &canonicalBody, const RequestParts &parts);

/// True if the recipe sees the payload only as it was sent: key order, blanks and escapes change its hash.
bool hashesRawBytes(const Recipe &recipe);

} // namespace idemdesk::models
