// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that a person or a profile gives: a recipe, which is read back as it was written, a fingerprint, and where a
// log line has what.
#include "models/fingerprint/fingerprint_text.h"
#include "models/fingerprint/recipe.h"
#include "models/logs/application_log.h"

#include <cstdint>
#include <cstdlib>

using namespace idemdesk::models;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace {

void require(bool holds)
{
    if (!holds) {
        std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QString text = QString::fromUtf8(QByteArrayView(data, qsizetype(size)));
    const auto recipe = recipeFromId(text);
    require(recipe ? recipe->id() == text && !recipe->inWords().isEmpty()
                   : !recipe.error().what.isEmpty() && !recipe.error().why.isEmpty());
    if (recipe) {
        (void)recipeBytes(*recipe, "{}", {});
        (void)hashesRawBytes(*recipe);
    }
    const QStringList lines = text.split(u'\n');
    const auto mapping = mappingFrom(lines);
    require(mapping || !mapping.error().what.isEmpty());
    if (mapping && !lines.isEmpty()) {
        (void)applicationLine("{\"a\":{\"b\":\"k\"},\"outcome\":\"conflict\"}", *mapping);
    }
    require(!compareFingerprints(lines.first(), lines.last()).sentence.isEmpty());
    return 0;
}
