// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ProfileReader for keys that single features read: they are kept as written, and checked here.
#include "sql/profile/profile_extras.h"
#include "sql/profile/profile_reader.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

void ProfileReader::readExtras(const JsonNode &root)
{
    readBusinessReference(root);
    const JsonNode *ignored = list(root, u"diff_ignore"_s, false);
    for (const JsonNode &item : ignored != nullptr ? ignored->items : QList<JsonNode>()) {
        if (const QString pointer = textOf(item); !pointer.isEmpty() && !pointer.startsWith(u'/')) {
            fail(item, u"a JSON pointer, which begins with a slash, such as /items/*/updated_at"_s);
        }
    }
    // What is not understood would leave nothing out of case files.
    const JsonNode *masked = list(root, u"masking"_s, false);
    for (const JsonNode &item : masked != nullptr ? masked->items : QList<JsonNode>()) {
        textOf(item);
    }
    readRecipe(root);
}

void ProfileReader::readBusinessReference(const JsonNode &root)
{
    const JsonNode *node = root.member(u"business_reference"_s);
    if (node == nullptr || node->isNull()) {
        return;
    }
    if (!node->isText() && (!node->isList() || node->items.isEmpty())) {
        fail(*node, u"an SQL expression over t, or a list with at least one of them"_s);
        return;
    }
    const QList<JsonNode> references = node->isList() ? node->items : QList<JsonNode> { *node };
    for (const JsonNode &item : references) {
        sqlOf(item, kNowOnly);
    }
}

void ProfileReader::readRecipe(const JsonNode &root)
{
    const JsonNode *node = root.member(u"fingerprint_recipe"_s);
    if (node == nullptr || node->isNull() || !object(*node, { u"recipe"_s, u"parts"_s })) {
        return;
    }
    text(*node, u"recipe"_s, true);
    const JsonNode *parts = node->member(u"parts"_s);
    if (parts == nullptr || parts->isNull() || !object(*parts, recipePartNames())) {
        return;
    }
    for (const auto &[name, part] : parts->members) {
        if (name.startsWith(u"x_") || !object(part, { u"value"_s, u"sql"_s })) {
            continue;
        }
        const JsonNode *value = part.member(u"value"_s);
        if ((value == nullptr) == (part.member(u"sql"_s) == nullptr)) {
            fail(part, u"either “value” or “sql” in it"_s);
        } else if (value != nullptr && (!value->isText() || value->text.contains(QChar(0)))) {
            fail(*value, u"a text, the same for every row"_s); // which may be empty
        } else if (value == nullptr) {
            sql(part, u"sql"_s, kNowOnly, true);
        }
    }
}

} // namespace idemdesk::sql
