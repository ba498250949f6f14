// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fingerprint/recipe_check.h"

#include "models/fingerprint/fingerprint_text.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "sql/profile/profile_json.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kMostExamples = 5;
constexpr qint64 kMostBytes = 1024 * 1024;

/// Enough to find the key again in a list, too little to send a request with it.
QString masked(const QString &key)
{
    constexpr qsizetype kShown = 3;
    return displayText(key.size() < 4 * kShown ? key.left(1) + u'…' : key.left(kShown) + u'…' + key.right(kShown));
}

/// True if what a jsonb changes, such as the order of keys, changes the bytes of this form.
bool lostInJsonb(const CanonicalForm &form)
{
    return form.whole == CanonicalForm::Whole::Tokens || form.keepsBytes()
        || form.keys == CanonicalForm::Keys::AsWritten || form.topOnly || form.numbers == NumberStyle::AsWritten;
}

void checkRow(
    const Recipe &recipe, const CanonicalForm &form, bool jsonb, const sql::PayloadRow &row, RecipeCheck *check)
{
    const auto stored = readFingerprint(row.fingerprint);
    if (!row.payload || !stored) {
        ++(!stored ? check->noHash : row.tooLarge ? check->tooLarge : check->withoutPayload);
        return;
    }
    const auto json = form.needsJson() ? JsonSource::read(*row.payload) : sql::Result<JsonSource>(sql::Error());
    if (form.needsJson() && !json) {
        ++check->noJson;
        return;
    }
    bool missing = false;
    for (const QString &part : recipe.order) {
        missing = missing || (part != QLatin1StringView(kBodyPart) && !row.parts.contains(part));
    }
    const QByteArray body = canonicalBytes(form, *row.payload, json ? &*json : nullptr);
    const QByteArray digest = digestOf(recipeBytes(recipe, body, { row.parts }), recipe.algorithm);
    if (reproduces(*stored, digest)) {
        ++check->matching;
    } else if (missing) {
        ++check->partMissing;
    } else if (jsonb && lostInJsonb(form)) {
        ++check->formLost;
    } else {
        ++check->differing;
        if (check->examples.size() < kMostExamples) {
            check->examples.append({ masked(row.key), row.fingerprint, writtenLike(row.fingerprint, digest) });
        }
    }
}

} // namespace

RecipeCheck checkRecipe(const Recipe &recipe, const sql::PayloadSample &sample)
{
    RecipeCheck check;
    check.newestFirst = sample.newestFirst;
    check.rows = sample.rows.size();
    if (const CanonicalForm *form = canonicalForm(recipe.form)) {
        for (const sql::PayloadRow &row : sample.rows) {
            checkRow(recipe, *form, sample.payloadType == u"jsonb", row, &check);
        }
    }
    return check;
}

sql::Result<RecipeCheck> checkStoredRecipe(sql::Session &session, const sql::Target &target, int rows)
{
    const auto &stored = target.profile.fingerprintRecipe;
    if (!stored) {
        return sql::makeError(sql::ErrorKind::Usage, Tr::tr("There is no recipe to check."),
            Tr::tr("The profile %1 keeps none.").arg(target.profile.name),
            Tr::tr("Save one in it with “idemdeskctl recipe save”."));
    }
    TRY(const auto recipe, recipeFromId(stored->recipe));
    TRY(const auto sample, sql::readPayloadSample(session, target, stored->parts, rows, kMostBytes));
    return checkRecipe(recipe, sample);
}

QStringList recipeCheckInWords(const RecipeCheck &check)
{
    if (check.rows == 0) {
        return { Tr::tr("No key has a fingerprint, so there is nothing to check.") };
    }
    QStringList words { check.newestFirst
            ? Tr::tr("The newest %n key(s) with a fingerprint were read.", nullptr, int(check.rows))
            : Tr::tr("%n key(s) with a fingerprint were read, in no particular order.", nullptr, int(check.rows)) };
    if (check.matching > 0 || check.differing > 0) {
        words += Tr::tr("Of %1 that can be judged, %2 have the fingerprint that the recipe makes, and %3 have another.")
                     .arg(countText(check.matching + check.differing), countText(check.matching),
                         countText(check.differing));
    } else {
        words += Tr::tr("None of them can be judged.");
    }
    const auto add = [&words](qint64 count, const QString &sentence) {
        if (count > 0) {
            words += sentence;
        }
    };
    add(check.withoutPayload,
        Tr::tr("%n key(s) cannot be judged: no payload is stored.", nullptr, int(check.withoutPayload)));
    add(check.tooLarge,
        Tr::tr("%n key(s) cannot be judged: the payload is too large to be read here.", nullptr, int(check.tooLarge)));
    add(check.noHash, Tr::tr("%n key(s) cannot be judged: the fingerprint is not a hash.", nullptr, int(check.noHash)));
    add(check.noJson, Tr::tr("%n key(s) cannot be judged: the payload is not JSON.", nullptr, int(check.noJson)));
    add(check.partMissing,
        Tr::tr("%n key(s) cannot be judged: a part that the recipe names is NULL.", nullptr, int(check.partMissing)));
    add(check.formLost,
        Tr::tr("%n key(s) cannot be judged: the payload is stored as jsonb, which has lost the form that the recipe "
               "hashes.",
            nullptr, int(check.formLost)));
    return words;
}

sql::Result<sql::Profile> profileWithRecipe(
    const sql::Profile &profile, const Recipe &recipe, const QMap<QString, sql::RecipePart> &parts)
{
    sql::StoredRecipe stored { recipe.id(), {} };
    for (const QString &part : recipe.order) {
        if (part == QLatin1StringView(kBodyPart)) {
            continue;
        }
        if (!parts.contains(part)) {
            return sql::makeError(sql::ErrorKind::Usage, Tr::tr("The recipe cannot be used for this profile."),
                Tr::tr("It names the part “%1” of the request, and nothing says where that comes from.").arg(part),
                Tr::tr("Give it with --part %1=TEXT, the same for every row, or with --part-sql %1=EXPRESSION over t.")
                    .arg(part));
        }
        stored.parts.insert(part, parts.value(part));
    }
    sql::Profile changed = profile;
    changed.fingerprintRecipe = stored;
    return sql::profileFromJson(sql::profileToJson(changed), profile.name);
}

} // namespace idemdesk::models
