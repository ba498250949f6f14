// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fingerprint/recipe.h"

#include "models/fingerprint/fingerprint_text.h"
#include "sql/types/profile.h"
#include "sql/types/tr.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

const QStringList &RequestParts::names()
{
    return sql::recipePartNames(); // profiles name the same
}

QString Recipe::id() const
{
    const QString shown = separator == "\n" ? u"\\n"_s : QString::fromLatin1(separator);
    QStringList words;
    for (const QString &part : order) {
        words += part == QLatin1StringView(kBodyPart) ? u"body as "_s + form : part;
    }
    return algorithmName(algorithm).toLower().remove(u'-') + u'('
        + words.join(separator.isEmpty() ? u" + "_s : u" \""_s + shown + u"\" "_s)
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
        text += separator.isEmpty() ? Tr::tr(", with nothing between")
            : separator == "\n"     ? Tr::tr(", with a line feed between")
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

sql::Result<Recipe> recipeFromId(const QString &id)
{
    static const QRegularExpression form(u"^([a-z0-9]{1,16})\\((.{1,500})\\)$"_s);
    static const QRegularExpression joint(u" \"([^\"]{1,8})\" "_s);
    static const QString bodyAs = QString::fromLatin1(kBodyPart) + u" as "_s;
    static const QString end = u" + \"\\n\""_s;
    sql::Error error = sql::makeError(sql::ErrorKind::Usage,
        Tr::tr("This text is not a recipe for a fingerprint: %1").arg(id.left(200)), {},
        Tr::tr("Write it as “idemdeskctl diff --fingerprint” names it, such as sha256(method \":\" path \":\" body as "
               "raw)."));
    const auto match = form.match(id);
    const auto algorithm = match.hasMatch() ? algorithmFromName(match.captured(1)) : std::nullopt;
    if (!algorithm) {
        error.why = match.hasMatch() ? Tr::tr("No hash called “%1” is known.").arg(match.captured(1))
                                     : Tr::tr("A recipe is the name of a hash, and in parentheses what is hashed.");
        return error;
    }
    Recipe recipe;
    recipe.algorithm = *algorithm;
    QString inner = match.captured(2);
    recipe.lineFeed = inner.endsWith(end);
    inner.chop(recipe.lineFeed ? end.size() : 0);
    const auto between = joint.match(inner);
    const QString shown = between.captured(1);
    recipe.separator = shown == u"\\n"_s ? QByteArray("\n") : shown.toLatin1();
    const QStringList words = inner.split(between.hasMatch() ? between.captured(0) : u" + "_s);
    for (const QString &word : words) {
        const bool body = word.startsWith(bodyAs);
        const QString part = body ? QString::fromLatin1(kBodyPart) : word;
        if (body) {
            recipe.form = word.sliced(bodyAs.size());
        }
        if (body ? canonicalForm(recipe.form) == nullptr : !RequestParts::names().contains(part)) {
            error.why = body ? Tr::tr("No form of a payload called “%1” is known.").arg(recipe.form)
                             : Tr::tr("“%1” is not part of a request; they are: body, %2.")
                                   .arg(part, RequestParts::names().join(u", "_s));
            return error;
        }
        if (recipe.order.contains(part)) {
            error.why = Tr::tr("The part “%1” stands in it twice.").arg(part);
            return error;
        }
        recipe.order += part;
    }
    if (recipe.form.isEmpty()) {
        error.why = Tr::tr("It does not say in which form the body is hashed.");
        return error;
    }
    // One spelling only: what a profile keeps can be compared as a text.
    if (recipe.id() != id) {
        error.why = Tr::tr("The same recipe is written %1.").arg(recipe.id());
        return error;
    }
    return recipe;
}

bool hashesRawBytes(const Recipe &recipe)
{
    const CanonicalForm *form = canonicalForm(recipe.form);
    return form != nullptr && form->keepsBytes();
}

} // namespace idemdesk::models
