// SPDX-License-Identifier: GPL-3.0-or-later
// What a recipe hashes.
#include "models/fingerprint/recipe.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

bool isBodyPart(const QString &part)
{
    return part == QLatin1StringView(kBodyPart);
}

QByteArray innerHash(const Recipe &recipe, const QByteArray &bytes)
{
    const QByteArray digest = digestOf(bytes, recipe.innerAlgorithm);
    switch (recipe.innerForm) {
    case Recipe::InnerForm::Hex:
        return digest.toHex();
    case Recipe::InnerForm::Base64:
        return digest.toBase64();
    case Recipe::InnerForm::Bytes:
        break;
    }
    return digest;
}

QByteArray joinedBytes(const Recipe &recipe, const QByteArrayList &values)
{
    QByteArray bytes;
    for (qsizetype i = 0; i < values.size(); ++i) {
        bytes += i > 0 ? recipe.separator : QByteArray();
        if (recipe.shape == Recipe::Shape::Named) {
            bytes += recipe.labels.value(i).toUtf8() + '=';
        }
        bytes += values.at(i);
    }
    return bytes;
}

/// A list or an object. A body that was read as JSON stands in it as such, one that was not as a text.
QByteArray jsonBytes(const Recipe &recipe, const QByteArrayList &values, const CanonicalForm &form)
{
    const bool object = recipe.shape == Recipe::Shape::Object;
    QByteArray bytes(1, object ? '{' : '[');
    for (qsizetype i = 0; i < values.size(); ++i) {
        const bool value = isBodyPart(recipe.order.at(i)) && form.needsJson() && recipe.inner == Recipe::Inner::Nothing;
        bytes += i == 0 ? "" : form.spaced ? ", " : ",";
        if (object) {
            bytes += jsonText(recipe.labels.value(i), form) + (form.spaced ? ": " : ":");
        }
        bytes += value ? values.at(i) : jsonText(QString::fromUtf8(values.at(i)), form);
    }
    return bytes + (object ? '}' : ']');
}

} // namespace

QByteArray recipeBytes(const Recipe &recipe, const QByteArray &canonicalBody, const RequestParts &parts)
{
    QByteArrayList values;
    for (const QString &part : recipe.order) {
        const bool body = isBodyPart(part);
        const bool hashed = recipe.inner == Recipe::Inner::EveryPart || (body && recipe.inner == Recipe::Inner::Body);
        const QByteArray value = body ? canonicalBody : parts.values.value(part);
        values += hashed ? innerHash(recipe, value) : value;
    }
    const CanonicalForm *form = canonicalForm(recipe.form);
    const bool json = recipe.shape == Recipe::Shape::List || recipe.shape == Recipe::Shape::Object;
    const QByteArray bytes = json && form != nullptr ? jsonBytes(recipe, values, *form) : joinedBytes(recipe, values);
    return recipe.lineFeed ? bytes + '\n' : bytes;
}

} // namespace idemdesk::models
