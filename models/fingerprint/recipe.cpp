// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fingerprint/recipe.h"

#include "models/fingerprint/fingerprint_text.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(idemdesk::models::Recipe)
};

} // namespace

const QStringList &RequestParts::names()
{
    static const QStringList all { u"method"_s, u"path"_s, u"url"_s, u"query"_s, u"key"_s, u"operation"_s, u"version"_s, u"client"_s,
        u"authorization"_s, u"kind"_s };
    return all;
}

QString Recipe::id() const
{
    const QString shown = separator == "\n" ? u"\\n"_s : QString::fromLatin1(separator);
    QStringList words;
    for (const QString &part : order) {
        words += part == QLatin1StringView(kBodyPart) ? u"body as "_s + form : part;
    }
    return algorithmName(algorithm).toLower().remove(u'-') + u'(' + words.join(separator.isEmpty() ? u" + "_s : u" \""_s + shown + u"\" "_s)
        + (lineFeed ? u" + \"\\n\""_s : QString()) + u')';
}

QString Recipe::inWords() const
{
    QStringList words;
    for (const QString &part : order) {
        const CanonicalForm *known = canonicalForm(form);
        words += part == QLatin1StringView(kBodyPart) && known != nullptr ? formInWords(*known) : part;
    }
    QString text = Tr::tr("%1 of %2").arg(algorithmName(algorithm), words.join(u" + "_s));
    if (words.size() > 1) {
        text += separator.isEmpty()  ? Tr::tr(", with nothing between")
            : separator == "\n" ? Tr::tr(", with a line feed between")
                                : Tr::tr(", with “%1” between").arg(QString::fromLatin1(separator));
    }
    return lineFeed ? text + Tr::tr(", and a line feed at the end") : text;
}

QByteArray recipeBytes(const Recipe &recipe, const QByteArray &canonicalBody, const RequestParts &parts)
{
    QByteArray bytes;
    bytes.reserve(canonicalBody.size() + 256);
    bool first = true;
    for (const QString &part : recipe.order) {
        if (!first) {
            bytes += recipe.separator;
        }
        first = false;
        bytes += part == QLatin1StringView(kBodyPart) ? canonicalBody : parts.values.value(part);
    }
    return recipe.lineFeed ? bytes + '\n' : bytes;
}

bool hashesRawBytes(const Recipe &recipe)
{
    const CanonicalForm *form = canonicalForm(recipe.form);
    return form != nullptr && form->keepsBytes();
}

} // namespace idemdesk::models
