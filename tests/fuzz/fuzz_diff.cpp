// SPDX-License-Identifier: GPL-3.0-or-later
// Two payloads, one after another with a line "---" between: the differences applied to the first give the second.
#include "models/diff/json_diff.h"
#include "models/diff/text_diff.h"
#include "models/fingerprint/why_different.h"

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

void checkText(const QString &a, const QString &b)
{
    require(applyLineSpans(a, b, diffLines(a, b)) == b);
    qsizetype atA = 0;
    qsizetype atB = 0;
    for (const TextSpan &span : diffCharacters(a, b)) {
        require(span.a == atA && span.b == atB);
        require(
            !span.same || QStringView(a).sliced(span.a, span.aLength) == QStringView(b).sliced(span.b, span.bLength));
        atA += span.aLength;
        atB += span.bLength;
    }
    require(atA == a.size() && atB == b.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const qsizetype cut = bytes.indexOf("\n---\n");
    const QByteArray first = cut < 0 ? bytes.first(bytes.size() / 2) : bytes.first(cut);
    const QByteArray second = cut < 0 ? bytes.sliced(bytes.size() / 2) : bytes.sliced(cut + 5);
    checkText(QString::fromUtf8(first), QString::fromUtf8(second));
    const auto a = JsonSource::read(first);
    const auto b = JsonSource::read(second);
    if (!a || !b) {
        return 0;
    }
    const JsonDiff diff = diffJson(*a, *b);
    require(applyDiff(*a, diff) == b->compact(0));
    require((diff.counts.data() + diff.counts.form == 0) == (a->compact(0) == b->compact(0)));
    require(changesOf(diff, *a, *b).isEmpty() == (diff.counts.data() + diff.counts.form == 0));
    require(diffJson(*a, *a).counts.data() + diffJson(*a, *a).counts.form == 0);
    require(!whyHashesDiffer(*a, *b, diff, std::nullopt).isEmpty());
    return 0;
}
