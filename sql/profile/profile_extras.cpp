// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/profile_extras.h"

#include "sql/profile/json_tree.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

const QString kBusinessReference = u"business_reference"_s;
const QString kDiffIgnore = u"diff_ignore"_s;
const QString kMasking = u"masking"_s;
const QString kRecipe = u"fingerprint_recipe"_s;

std::optional<JsonNode> extra(const Profile &profile, const QString &name)
{
    const auto found = profile.extra.constFind(name);
    if (found == profile.extra.cend()) {
        return std::nullopt;
    }
    const auto node = parseJson(*found, {});
    return node ? std::optional(*node) : std::nullopt;
}

QStringList textsOf(const std::optional<JsonNode> &node)
{
    QStringList texts;
    if (node && node->isText()) {
        texts += node->text;
    }
    for (const JsonNode &item : node ? node->items : QList<JsonNode>()) {
        texts += item.text;
    }
    return texts;
}

} // namespace

QStringList businessReferences(const Profile &profile) { return textsOf(extra(profile, kBusinessReference)); }

QString businessReferencePath(const Profile &profile, qsizetype index)
{
    const auto node = extra(profile, kBusinessReference);
    const QString path = jsonPath(u"$"_s, kBusinessReference);
    return node && node->isList() ? jsonPath(path, index) : path;
}

QStringList diffIgnore(const Profile &profile) { return textsOf(extra(profile, kDiffIgnore)); }

QStringList masking(const Profile &profile) { return textsOf(extra(profile, kMasking)); }

std::optional<StoredRecipe> storedRecipe(const Profile &profile)
{
    const auto node = extra(profile, kRecipe);
    const JsonNode *id = node && node->isObject() ? node->member(u"recipe"_s) : nullptr;
    if (id == nullptr) {
        return std::nullopt;
    }
    StoredRecipe stored { id->text, {} };
    const JsonNode *parts = node->member(u"parts"_s);
    for (const QString &name : recipePartNames()) {
        const JsonNode *part = parts != nullptr ? parts->member(name) : nullptr;
        const JsonNode *value = part != nullptr ? part->member(u"value"_s) : nullptr;
        const JsonNode *sql = part != nullptr ? part->member(u"sql"_s) : nullptr;
        if (sql != nullptr) {
            stored.parts.insert(name, { true, sql->text });
        } else if (value != nullptr) {
            stored.parts.insert(name, { false, value->text });
        }
    }
    return stored;
}

void storeRecipe(Profile *profile, const StoredRecipe &recipe)
{
    JsonNode parts = JsonNode::ofObject();
    for (const QString &name : recipePartNames()) {
        if (const auto part = recipe.parts.constFind(name); part != recipe.parts.cend()) {
            JsonNode node = JsonNode::ofObject();
            node.add(part->isSql ? u"sql"_s : u"value"_s, JsonNode::ofText(part->text));
            parts.add(name, node);
        }
    }
    JsonNode node = JsonNode::ofObject();
    node.add(u"recipe"_s, JsonNode::ofText(recipe.recipe));
    if (!parts.members.isEmpty()) {
        node.add(u"parts"_s, parts);
    }
    profile->extra.insert(kRecipe, writeJson(node, 0));
}

QString recipePartPath(const QString &part) { return u"$.fingerprint_recipe.parts."_s + part + u".sql"_s; }

QList<std::pair<QString, QString>> extraExpressions(const Profile &profile)
{
    QList<std::pair<QString, QString>> all;
    const QStringList references = businessReferences(profile);
    for (qsizetype i = 0; i < references.size(); ++i) {
        all.append({ businessReferencePath(profile, i), references.at(i) });
    }
    const auto recipe = storedRecipe(profile);
    for (const QString &name : recipePartNames()) {
        if (const RecipePart part = recipe ? recipe->parts.value(name) : RecipePart(); part.isSql) {
            all.append({ recipePartPath(name), part.text });
        }
    }
    return all;
}

const QStringList &recipePartNames()
{
    static const QStringList all { u"method"_s, u"path"_s, u"url"_s, u"query"_s, u"key"_s, u"operation"_s, u"version"_s, u"client"_s,
        u"authorization"_s, u"kind"_s };
    return all;
}

} // namespace idemdesk::sql
