// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/json_out.h"
#include "app/ctl/opened_target.h"
#include "models/fingerprint/recipe_check.h"
#include "models/keys/private_file.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "sql/types/tr.h"

#include <QFileInfo>
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostCheckedRows = 10'000;

/// Parts as the profile has them, those of the command line over them.
sql::Result<QMap<QString, sql::RecipePart>> partsOf(
    const Context &context, const std::optional<sql::StoredRecipe> &stored)
{
    QMap<QString, sql::RecipePart> parts = stored ? stored->parts : QMap<QString, sql::RecipePart>();
    for (const auto &[option, isSql] : { std::pair(u"part"_s, false), std::pair(u"part-sql"_s, true) }) {
        const QStringList texts = context.values(option);
        for (const QString &text : texts) {
            const qsizetype equals = text.indexOf(u'=');
            const QString name = text.left(std::max<qsizetype>(equals, 0));
            if (!sql::recipePartNames().contains(name)) {
                return usageError(Tr::tr("“%1” is not part of a request.").arg(text),
                    Tr::tr("A part is NAME=VALUE, and its name one of: %1.").arg(sql::recipePartNames().join(u", "_s)));
            }
            parts.insert(name, { isSql, text.sliced(equals + 1) });
        }
    }
    return parts;
}

/// The profile as it was written, with the recipe of the command line, else with its own.
sql::Result<sql::Profile> profileToCheck(const Context &context, const OpenedTarget &opened)
{
    TRY(const auto profile,
        opened.registered ? sql::profileFromJson(opened.registered->profileJson, opened.registered->name)
                          : context.profile());
    const auto &stored = profile.fingerprintRecipe;
    const QString text = context.has(u"recipe"_s) ? context.value(u"recipe"_s) : stored ? stored->recipe : QString();
    if (text.isEmpty()) {
        return usageError(Tr::tr("There is no recipe to check."),
            Tr::tr("Give one with --recipe, as “idemdeskctl diff --fingerprint” names it."),
            Tr::tr("The profile %1 keeps none.").arg(profile.name));
    }
    TRY(const auto recipe, models::recipeFromId(text));
    TRY(const auto parts, partsOf(context, stored));
    return models::profileWithRecipe(profile, recipe, parts);
}

QJsonObject jsonOf(const models::RecipeCheck &check, const sql::Profile &profile)
{
    QJsonArray examples;
    for (const models::RecipeCheck::Example &example : check.examples) {
        examples.append(QJsonObject {
            { u"key"_s, example.maskedKey }, { u"stored"_s, example.stored }, { u"made"_s, example.made } });
    }
    const QJsonObject unjudged { { u"without_payload"_s, check.withoutPayload }, { u"too_large"_s, check.tooLarge },
        { u"no_hash"_s, check.noHash }, { u"no_json"_s, check.noJson }, { u"part_missing"_s, check.partMissing },
        { u"form_lost"_s, check.formLost } };
    return { { u"recipe"_s, profile.fingerprintRecipe->recipe }, { u"rows"_s, check.rows },
        { u"newest_first"_s, check.newestFirst }, { u"matching"_s, check.matching },
        { u"differing"_s, check.differing }, { u"unjudged"_s, unjudged }, { u"examples"_s, examples },
        { u"words"_s, QJsonArray::fromStringList(models::recipeCheckInWords(check)) } };
}

void printCheck(const models::RecipeCheck &check, const sql::Profile &profile)
{
    const auto recipe = models::recipeFromId(profile.fingerprintRecipe->recipe);
    QString text = Tr::tr("Recipe: %1.").arg(recipe ? recipe->inWords() : QString()) + u'\n'
        + models::recipeCheckInWords(check).join(u'\n') + u'\n';
    QList<QStringList> rows;
    for (const models::RecipeCheck::Example &example : check.examples) {
        rows.append({ example.maskedKey, example.stored, example.made });
    }
    if (!rows.isEmpty()) {
        text += u'\n' + table({ Tr::tr("KEY"), Tr::tr("STORED"), Tr::tr("MADE BY THE RECIPE") }, rows, true);
    }
    print(text);
}

/// The file that “recipe save” writes: --output, which may be new, else the profile's own.
sql::Result<QString> outputOf(const Context &context)
{
    const QString target = context.target();
    const bool isFile = !sql::shippedProfile(target) && QFileInfo::exists(target);
    if (!context.has(u"output"_s) && !isFile) {
        return usageError(Tr::tr("The recipe cannot be written into %1 itself.").arg(target),
            Tr::tr("Name a new file with -o."), Tr::tr("It is not a profile file."));
    }
    const QString output = context.has(u"output"_s) ? context.value(u"output"_s) : target;
    if (QFileInfo::exists(output) && !(isFile && QFileInfo(output) == QFileInfo(target))) {
        return usageError(Tr::tr("The file %1 is there already.").arg(output), Tr::tr("Choose another name."),
            Tr::tr("Only the profile that is changed is written over."));
    }
    return output;
}

Exit save(const QString &path, const sql::Profile &profile, const models::RecipeCheck &check, bool registered)
{
    if (check.matching == 0 && check.differing > 0) {
        return fail(sql::makeError(sql::ErrorKind::Other, Tr::tr("The recipe was not saved."),
            Tr::tr("It makes none of the fingerprints that could be judged."),
            Tr::tr("Look for another with “idemdeskctl diff --fingerprint”.")));
    }
    TRY_OR(fail, models::writePrivateFile(path, sql::profileToJson(profile)));
    note(Tr::tr("The recipe is in %1.").arg(path));
    if (registered) {
        note(Tr::tr("The registered target keeps its own until an idemdesk_admin registers that file with “idemdeskctl "
                    "targets add”."));
    }
    return Exit::Done;
}

Exit runRecipe(const Context &context)
{
    const QString word = context.positional().constFirst();
    const int rows = context.number(u"sample"_s);
    TRY_OR(fail, const auto output, word == u"save" ? outputOf(context) : sql::Result<QString>(QString()));
    TRY_OR(fail, const auto opened, openTarget(context));
    TRY_OR(fail, const auto profile, profileToCheck(context, opened));
    TRY_OR(fail, const auto target, sql::bindTarget(*opened.session, profile));
    TRY_OR(fail, const auto check, models::checkStoredRecipe(*opened.session, target, rows));
    if (context.json()) {
        printJson(jsonOf(check, profile));
    } else {
        printCheck(check, profile);
    }
    if (word == u"save") {
        return save(output, profile, check, opened.registered.has_value());
    }
    return check.differing > 0 ? Exit::Failed : check.matching == 0 ? Exit::Skipped : Exit::Done;
}

} // namespace

Command recipeCommand()
{
    return { .name = u"recipe"_s,
        .synopsis = u"check|save"_s,
        .summary = Tr::tr("check a recipe for fingerprints against stored rows, and save it in the profile"),
        .about = Tr::tr(
            "“check” makes the fingerprints of --sample stored keys again (the newest where an index finds them), by "
            "the "
            "recipe in the profile's fingerprint_recipe or by --recipe. It says how many match, how many differ and "
            "why the "
            "rest cannot be judged. Parts of the request beside the payload come from the profile, --part or "
            "--part-sql. Of "
            "keys that differ a few are shown, with only the beginning and end of the key. Exit status 1 where one "
            "differs, 4 where none can be judged.\n\n"
            "“save” does the same and writes the recipe into the profile file, or with -o into a new one."),
        .arguments = { { u"check|save"_s, Tr::tr("Compare; with save the recipe is then written into the profile."), 1,
            1, { u"check"_s, u"save"_s } } },
        .options = connectOptions() + targetOptions()
            + QList { jsonOption(),
                Option::text(u"recipe"_s, Tr::tr("TEXT"),
                    Tr::tr("This recipe instead of the profile's, as “diff --fingerprint” names it.")),
                Option::text(
                    u"part"_s, Tr::tr("NAME=VALUE"), Tr::tr("A part of the request that is the same for every row."))
                    .manyTimes(),
                Option::text(u"part-sql"_s, Tr::tr("NAME=EXPRESSION"),
                    Tr::tr("A part of the request as an SQL expression over t."))
                    .manyTimes(),
                Option::number(u"sample"_s, 1, kMostCheckedRows, Tr::tr("Read so many keys."), u"200"_s),
                outputOption(Tr::tr("A new profile file, instead of the one given.")).with({ u"save"_s }) },
        .examples = { { Tr::tr("Does the profile's recipe make the stored hashes?"),
                          u"recipe check --target app.idempotency_request"_s },
            { Tr::tr("Try one and keep it:"),
                u"recipe save --target mine.json --recipe 'sha256(body as stable-json)' -o with-recipe.json"_s } },
        .run = runRecipe };
}

} // namespace idemdesk::app
