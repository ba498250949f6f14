// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fingerprint/recipe.h"

#include "sql/types/profile.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// ", with “:” between", or how else the parts stand together.
QString shapeInWords(const Recipe &recipe)
{
    switch (recipe.shape) {
    case Recipe::Shape::List:
        return Tr::tr(", as a JSON list");
    case Recipe::Shape::Object:
        return Tr::tr(", as a JSON object");
    case Recipe::Shape::Named:
    case Recipe::Shape::Joined:
        break;
    }
    const QString named = recipe.shape == Recipe::Shape::Named ? Tr::tr(", each as name=value") : QString();
    if (recipe.order.size() == 1) {
        return named;
    }
    return named
        + (recipe.separator.isEmpty()      ? Tr::tr(", with nothing between")
                : recipe.separator == "\n" ? Tr::tr(", with a line feed between")
                                           : Tr::tr(", with “%1” between").arg(QString::fromLatin1(recipe.separator)));
}

} // namespace

const QStringList &RequestParts::names()
{
    return sql::recipePartNames(); // profiles name the same
}

QString Recipe::inWords() const
{
    QStringList words;
    for (const QString &part : order) {
        const CanonicalForm *known = canonicalForm(form);
        const bool body = part == QLatin1StringView(kBodyPart) && known != nullptr;
        const QString word = body ? formInWords(*known) : part;
        const bool hashed = inner == Inner::EveryPart || (body && inner == Inner::Body);
        words += hashed ? Tr::tr("the %1 of %2").arg(digestName(innerAlgorithm), word) : word;
    }
    const QString text = Tr::tr("%1 of %2").arg(digestName(algorithm), words.join(u" + "_s)) + shapeInWords(*this);
    return lineFeed ? text + Tr::tr(", and a line feed at the end") : text;
}

bool hashesRawBytes(const Recipe &recipe)
{
    const CanonicalForm *form = canonicalForm(recipe.form);
    return form != nullptr && form->keepsBytes();
}

} // namespace idemdesk::models
