// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/fingerprint/canonical_form.h"
#include "models/fingerprint/digest.h"
#include "sql/types/result.h"

#include <QMap>
#include <QStringList>

namespace idemdesk::models {

/// What is known of a request beside its body, by name.
struct RequestParts {
    QMap<QString, QByteArray> values;

    /// method, path, url, query, key, operation, version, client, authorization, kind and headers: in the order
    /// requests are written.
    static const QStringList &names();
};

/// The place of the payload among a recipe's parts.
inline constexpr const char *kBodyPart = "body";

/// How a service makes its fingerprint.
struct Recipe {
    /// How the parts stand together: one after another, as name=value, as a list or an object of JSON.
    enum class Shape { Joined, Named, List, Object };
    /// What is hashed first by itself, and stands in the place of what it was made of.
    enum class Inner { Nothing, Body, EveryPart };
    enum class InnerForm { Hex, Bytes, Base64 };

    QStringList order; ///< part names and "body"
    QByteArray separator; ///< of Joined and Named
    bool lineFeed = false; ///< after all
    QString form; ///< id of the canonical form of the body
    Digest algorithm = Digest::Sha256;
    Shape shape = Shape::Joined;
    QStringList labels = {}; ///< of Named and Object, in the order of the parts
    Inner inner = Inner::Nothing;
    InnerForm innerForm = InnerForm::Hex;
    Digest innerAlgorithm = Digest::Sha256;

    /// "sha256(method ":" path ":" body as stable-json)", "md5([body as raw, path])",
    /// "sha256(method=method "&" body=body as raw)", "sha256({path=path, body=body as stable-json})",
    /// "sha256(path "\n" sha256(body as raw))": stable, to be kept in a profile.
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
