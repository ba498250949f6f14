// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the bytes: an Error or a document, whose parts are in place and whose canonical forms are JSON again.
#include "models/diff/json_source.h"
#include "models/fingerprint/canonical_form.h"

#include <cstdint>
#include <cstdlib>

using namespace idemdesk::models;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const auto source = JsonSource::read(bytes);
    if (!source) {
        if (source.error().what.isEmpty()) {
            std::abort();
        }
        return 0;
    }
    const QByteArray compact = source->compact(0);
    const auto again = JsonSource::read(compact);
    if (!again || !JsonSource::same(*source, 0, *again, 0) || again->hasBlanks()) {
        std::abort();
    }
    for (const CanonicalForm &form : canonicalForms()) {
        const QByteArray made = canonicalBytes(form, bytes, &*source);
        const bool infinite = form.numbers == NumberStyle::Python && made.contains("Infinity");
        if (form.whole == CanonicalForm::Whole::Tree && !infinite && !JsonSource::read(made)) {
            std::abort();
        }
    }
    (void)prettyJson(QString::fromUtf8(bytes));
    return 0;
}
