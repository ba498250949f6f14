// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/compare/comparison.h"

#include "models/background.h"
#include "models/diff/diff_words.h"
#include "models/fingerprint/why_different.h"
#include "sql/types/tr.h"

#include <QFile>
#include <QFileInfo>
#include <QStringDecoder>
#include <future>
#include <limits>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kSearchMs = 2'000; ///< for the recipe, in each payload

sql::Error cancelledError()
{
    return sql::makeError(sql::ErrorKind::Cancelled, Tr::tr("The comparison was stopped."), {},
        Tr::tr("Start it again when you need it."));
}

sql::Error fileError(const QString &path, const QString &why, const QString &todo)
{
    return sql::makeError(sql::ErrorKind::File, Tr::tr("The file “%1” cannot be read.").arg(path), why, todo);
}

QString decoded(QByteArrayView utf8)
{
    // A byte order mark is a difference, too: QString::fromUtf8() would hide it.
    return QStringDecoder(QStringDecoder::Utf8, QStringDecoder::Flag::ConvertInitialBom).decode(utf8);
}

/// Bytes that are no UTF-8 are written out, so that two that differ in them do not look alike.
QString textOf(const QByteArray &bytes)
{
    if (bytes.isValidUtf8()) {
        return decoded(bytes);
    }
    const QByteArrayView all(bytes);
    QByteArray written;
    for (qsizetype at = 0; at < all.size();) {
        const auto lead = uchar(all[at]);
        const qsizetype size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (at + size <= all.size() && all.sliced(at, size).isValidUtf8()) {
            written.append(all.sliced(at, size));
            at += size;
        } else {
            written += "\\x" + QByteArray::number(lead, 16).toUpper().rightJustified(2, '0');
            ++at;
        }
    }
    return decoded(written);
}

QString textSummary(const Comparison &comparison, bool sameBytes)
{
    if (sameBytes) {
        return Tr::tr("Both payloads are the same, byte for byte.");
    }
    qsizetype count = 0;
    for (const TextSpan &span : comparison.lines) {
        count += span.same ? 0 : std::max(span.aLength, span.bLength);
    }
    return count == 0 ? Tr::tr("Both payloads show the same text, but their bytes differ: one of them is not UTF-8.")
                      : Tr::tr("%n lines differ.", nullptr, int(count));
}

QString whyText(const QString &name, const sql::Error &error)
{
    return Tr::tr("“%1” is compared as text: %2")
        .arg(name, error.what + (error.why.isEmpty() ? QString() : u' ' + error.why));
}

/// Looks in both payloads, the first one first.
void searchRecipe(const CompareInput &input, const CancelFlag &cancelled, Comparison *out)
{
    RecipeAnswer all;
    for (const auto &[name, payload] : { std::pair(input.nameA, input.a), std::pair(input.nameB, input.b) }) {
        RecipeQuestion question;
        question.payload = payload;
        question.fingerprint = input.fingerprint;
        question.parts = input.parts;
        question.origin = input.origin;
        question.budgetMs = kSearchMs;
        question.cancelled = [cancelled] { return cancelled->load(); };
        const auto answer = findRecipe(question);
        if (!answer) {
            out->recipeSentence = answer.error().line();
            return;
        }
        all.tried += answer->tried;
        all.planned += answer->planned;
        if (answer->recipe) {
            all.recipe = answer->recipe;
            all.complete = true;
            all.reasons.clear();
            out->recipe = all;
            out->recipeOf = name;
            out->recipeSentence = Tr::tr("%1 makes this fingerprint out of “%2”.").arg(answer->recipe->inWords(), name);
            return;
        }
        all.complete = all.complete && answer->complete;
        all.reasons += answer->reasons;
    }
    all.reasons.removeDuplicates();
    out->recipe = all;
    const int tried = int(std::min<qint64>(all.tried, std::numeric_limits<int>::max()));
    out->recipeSentence = Tr::tr("No recipe was found that makes this fingerprint; %n were tried.", nullptr, tried)
        + u' ' + all.reasons.join(u' ');
}

/// Freeing millions of rows takes a tenth of a second, which the GUI thread must not wait for.
void freeLater(Comparison *comparison)
{
    inBackground([comparison] { delete comparison; });
}

sql::Result<QByteArray> payloadFile(const QString &path, const CancelFlag &cancelled)
{
    const QFileInfo info(path);
    const QString todo = Tr::tr("Choose another file.");
    if (!info.exists()) {
        return fileError(path, Tr::tr("There is no such file."), todo);
    }
    if (!info.isFile()) { // a pipe or a device might never end
        return fileError(path, Tr::tr("It is a folder or a device."), todo);
    }
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return fileError(path, file.errorString(), Tr::tr("Check its permissions or choose another file."));
    }
    constexpr qint64 step = 4 * 1024 * 1024;
    QByteArray bytes;
    while (bytes.size() <= JsonSource::kMostBytes) {
        if (cancelled->load()) {
            return cancelledError();
        }
        const QByteArray part = file.read(step);
        if (part.isEmpty()) {
            break;
        }
        bytes += part;
    }
    if (file.error() != QFileDevice::NoError) {
        return fileError(path, file.errorString(), todo);
    }
    return bytes.size() > JsonSource::kMostBytes ? sql::Result<QByteArray>(tooLargeError(path))
                                                 : sql::Result<QByteArray>(bytes);
}

} // namespace

DiffCounts lineCounts(const Comparison &comparison)
{
    DiffCounts counts;
    for (const TextSpan &span : comparison.lines) {
        if (!span.same) {
            const auto both = std::min(span.aLength, span.bLength);
            counts.changed += int(both);
            counts.removed += int(span.aLength - both);
            counts.added += int(span.bLength - both);
        }
    }
    return counts;
}

sql::Error tooLargeError(const QString &name)
{
    return sql::makeError(sql::ErrorKind::Usage, Tr::tr("“%1” cannot be compared.").arg(name),
        Tr::tr("It is larger than %1 MiB.").arg(JsonSource::kMostBytes / 1024 / 1024),
        Tr::tr("Choose a smaller payload."));
}

sql::Result<std::shared_ptr<const Comparison>> comparePayloads(const CompareInput &input, const CancelFlag &cancelled)
{
    TRY(const auto rules, ignoreRules(input.ignore));
    const std::shared_ptr<Comparison> out(new Comparison, freeLater);
    out->nameA = input.nameA;
    out->nameB = input.nameB;
    auto reading = std::async(std::launch::async, [&input] { return JsonSource::read(input.a); });
    auto second = JsonSource::read(input.b);
    auto first = reading.get();
    if (cancelled->load()) {
        return cancelledError();
    }
    if (first && second) {
        out->a = std::move(*first);
        out->b = std::move(*second);
        out->diff = diffJson(*out->a, *out->b, rules);
        out->treeRows = differingRows(out->diff);
        out->sideRows = sideRows(out->diff);
        out->summary = summaryOf(out->diff);
    } else {
        QStringList reasons;
        if (!first) {
            reasons += whyText(input.nameA, first.error());
        }
        if (!second) {
            reasons += whyText(input.nameB, second.error());
        }
        out->notJson
            = reasons.size() > 1 ? Tr::tr("Both are compared as text: neither is valid JSON.") : reasons.join(u' ');
        out->textA = textOf(input.a);
        out->textB = textOf(input.b);
        out->linesA = linesOf(out->textA);
        out->linesB = linesOf(out->textB);
        out->lines = diffLines(out->textA, out->textB);
        out->sideRows = sideRows(out->lines);
        out->summary = textSummary(*out, input.a == input.b);
    }
    if (!input.fingerprint.isEmpty() && !cancelled->load()) {
        searchRecipe(input, cancelled, out.get());
    }
    if (cancelled->load()) {
        return cancelledError();
    }
    if (out->json()) {
        out->why = whyHashesDiffer(*out->a, *out->b, out->diff, out->recipe ? out->recipe->recipe : std::nullopt,
            input.origin == PayloadOrigin::Jsonb);
    }
    return std::shared_ptr<const Comparison>(out);
}

QFuture<sql::Result<std::shared_ptr<const Comparison>>> comparePayloadsLater(
    const CompareInput &input, const CancelFlag &cancelled)
{
    return later<std::shared_ptr<const Comparison>>([input, cancelled] { return comparePayloads(input, cancelled); });
}

QFuture<sql::Result<QByteArray>> payloadFileLater(const QString &path, const CancelFlag &cancelled)
{
    return later<QByteArray>([path, cancelled] { return payloadFile(path, cancelled); });
}

} // namespace idemdesk::models
