// SPDX-License-Identifier: GPL-3.0-or-later
// A recipe as a text, and back.
#include "models/fingerprint/recipe.h"

#include "sql/types/tr.h"

#include <QRegularExpression>

#include <tuple>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QStringList hashNames()
{
    QStringList names;
    for (const Digest digest : allDigests()) {
        names += digestId(digest);
    }
    return names;
}

QStringList formNames()
{
    QStringList names;
    for (const CanonicalForm &form : canonicalForms()) {
        names += form.id;
    }
    return names;
}

const QString kLineFeedAtEnd = u" + \"\\n\""_s;
const QString kBodyAs = u"body as "_s;
constexpr std::pair<Recipe::InnerForm, const char *> kInnerForms[] = { { Recipe::InnerForm::Hex, "" },
    { Recipe::InnerForm::Bytes, "-bytes" }, { Recipe::InnerForm::Base64, "-base64" } };

QString shownSeparator(const QByteArray &separator)
{
    return separator == "\n" ? u"\\n"_s : QString::fromLatin1(separator);
}

QString innerId(const Recipe &recipe, const QString &word)
{
    QString ending;
    for (const auto &[form, text] : kInnerForms) {
        ending = form == recipe.innerForm ? QString::fromLatin1(text) : ending;
    }
    return digestId(recipe.innerAlgorithm) + ending + u'(' + word + u')';
}

/// One part as it stands in a recipe's text.
struct PartWord {
    QString label;
    QString part;
    QString form; ///< of the body
    bool hashed = false;
    Recipe::InnerForm innerForm = Recipe::InnerForm::Hex;
    Digest innerAlgorithm = Digest::Sha256;
};

/// Gives a sentence where it cannot be read.
QString readWord(QString text, bool labelled, PartWord *word)
{
    static const QRegularExpression label(u"^([A-Za-z_][A-Za-z0-9_-]{0,30})="_s);
    static const QRegularExpression inner(u"^([a-z0-9_]{1,16})(-bytes|-base64)?\\((.*)\\)$"_s);
    if (labelled) {
        const auto match = label.match(text);
        if (!match.hasMatch()) {
            return Tr::tr("“%1” has no name before it.").arg(text.left(60));
        }
        word->label = match.captured(1);
        text = text.sliced(match.capturedLength());
    }
    if (const auto match = inner.match(text); match.hasMatch()) {
        const auto algorithm = digestFromName(match.captured(1));
        if (!algorithm) {
            return Tr::tr("No hash called “%1” is known; they are: %2.")
                .arg(match.captured(1), hashNames().join(u", "_s));
        }
        word->hashed = true;
        word->innerAlgorithm = *algorithm;
        for (const auto &[form, ending] : kInnerForms) {
            word->innerForm = match.captured(2) == QLatin1StringView(ending) ? form : word->innerForm;
        }
        text = match.captured(3);
    }
    const bool body = text.startsWith(kBodyAs);
    word->part = body ? QString::fromLatin1(kBodyPart) : text;
    word->form = body ? text.sliced(kBodyAs.size()) : QString();
    if (body && canonicalForm(word->form) == nullptr) {
        return Tr::tr("No form of a payload called “%1” is known; they are: %2.")
            .arg(word->form.left(60), formNames().join(u", "_s));
    }
    if (!body && !RequestParts::names().contains(text)) {
        return Tr::tr("“%1” is not part of a request; they are: body, %2.")
            .arg(text.left(60), RequestParts::names().join(u", "_s));
    }
    return {};
}

/// Takes a word's part into the recipe. Gives a sentence where it does not fit.
QString takeWord(const PartWord &word, Recipe *recipe)
{
    if (recipe->order.contains(word.part)) {
        return Tr::tr("The part “%1” stands in it twice.").arg(word.part);
    }
    recipe->order += word.part;
    if (!word.label.isEmpty()) {
        recipe->labels += word.label;
    }
    recipe->form = word.form.isEmpty() ? recipe->form : word.form;
    if (word.hashed) {
        const bool body = word.part == QLatin1StringView(kBodyPart);
        recipe->inner
            = body && recipe->inner == Recipe::Inner::Nothing ? Recipe::Inner::Body : Recipe::Inner::EveryPart;
        recipe->innerForm = word.innerForm;
        recipe->innerAlgorithm = word.innerAlgorithm;
    }
    return {};
}

/// The texts of the parts, and how they stand together.
QStringList splitWords(QString inner, Recipe *recipe)
{
    static const QRegularExpression joint(u" \"([^\"]{1,8})\" "_s);
    recipe->lineFeed = inner.endsWith(kLineFeedAtEnd);
    inner.chop(recipe->lineFeed ? kLineFeedAtEnd.size() : 0);
    for (const auto &[open, close, shape] :
        { std::tuple(u'[', u']', Recipe::Shape::List), std::tuple(u'{', u'}', Recipe::Shape::Object) }) {
        if (inner.startsWith(QChar(open)) && inner.endsWith(QChar(close)) && inner.size() > 1) {
            recipe->shape = shape;
            return inner.sliced(1, inner.size() - 2).split(u", "_s);
        }
    }
    static const QRegularExpression named(u"^[A-Za-z_][A-Za-z0-9_-]{0,30}="_s);
    recipe->shape = named.match(inner).hasMatch() ? Recipe::Shape::Named : Recipe::Shape::Joined;
    const auto between = joint.match(inner);
    const QString shown = between.captured(1);
    recipe->separator = shown == u"\\n"_s ? QByteArray("\n") : shown.toLatin1();
    return inner.split(between.hasMatch() ? between.captured(0) : u" + "_s);
}

} // namespace

QString Recipe::id() const
{
    QStringList words;
    for (qsizetype i = 0; i < order.size(); ++i) {
        const bool body = order.at(i) == QLatin1StringView(kBodyPart);
        QString word = body ? kBodyAs + form : order.at(i);
        if (inner == Inner::EveryPart || (body && inner == Inner::Body)) {
            word = innerId(*this, word);
        }
        words += (labels.isEmpty() ? QString() : labels.value(i) + u'=') + word;
    }
    QString text = shape == Shape::List ? u'[' + words.join(u", "_s) + u']'
        : shape == Shape::Object        ? u'{' + words.join(u", "_s) + u'}'
        : separator.isEmpty()           ? words.join(u" + "_s)
                                        : words.join(u" \""_s + shownSeparator(separator) + u"\" "_s);
    return digestId(algorithm) + u'(' + text + (lineFeed ? kLineFeedAtEnd : QString()) + u')';
}

sql::Result<Recipe> recipeFromId(const QString &id)
{
    static const QRegularExpression form(u"^([a-z0-9_]{1,16})\\((.{1,800})\\)$"_s);
    sql::Error error = sql::makeError(sql::ErrorKind::Usage,
        Tr::tr("This text is not a recipe for a fingerprint: %1").arg(id.left(200)), {},
        Tr::tr("Write it as “idemdeskctl diff --fingerprint” names it, such as sha256(method \":\" path \":\" body as "
               "raw)."));
    const auto match = form.match(id);
    const auto algorithm = match.hasMatch() ? digestFromName(match.captured(1)) : std::nullopt;
    if (!algorithm) {
        error.why = match.hasMatch()
            ? Tr::tr("No hash called “%1” is known; they are: %2.").arg(match.captured(1), hashNames().join(u", "_s))
            : Tr::tr("A recipe is the name of a hash, and in parentheses what is hashed.");
        return error;
    }
    Recipe recipe;
    recipe.algorithm = *algorithm;
    const QStringList words = splitWords(match.captured(2), &recipe);
    const bool labelled = recipe.shape == Recipe::Shape::Named || recipe.shape == Recipe::Shape::Object;
    for (const QString &text : words) {
        PartWord word;
        error.why = readWord(text, labelled, &word);
        error.why = error.why.isEmpty() ? takeWord(word, &recipe) : error.why;
        if (!error.why.isEmpty()) {
            return error;
        }
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

} // namespace idemdesk::models
