// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/json_out.h"
#include "models/diff/diff_words.h"
#include "models/diff/text_diff.h"
#include "models/fingerprint/fingerprint_text.h"
#include "models/fingerprint/recipe_search.h"
#include "models/fingerprint/why_different.h"
#include "sql/types/tr.h"

#include <QFile>
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

using sql::Error;
using sql::ErrorKind;
using sql::Result;

namespace {

constexpr qsizetype kMostChangesListed = 1'000;
constexpr int kSearchMs = 10'000; ///< a terminal has more patience than a window

/// The answer to --fingerprint: which payload and recipe make it.
struct Found {
    models::RecipeAnswer answer;
    QString payload; ///< "a" or "b" where a recipe was found
};

Result<QByteArray> contentOf(const QString &name)
{
    QFile file(name);
    const bool opened = name == u"-"_s ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    QByteArray bytes = opened ? file.read(models::JsonSource::kMostBytes + 1) : QByteArray();
    Error error = makeError(ErrorKind::File, Tr::tr("The file “%1” cannot be read.").arg(name));
    if (!opened || file.error() != QFileDevice::NoError) {
        error.why = file.errorString();
        return error;
    }
    if (bytes.size() > models::JsonSource::kMostBytes) {
        error.why = Tr::tr("It is larger than %1 MiB.").arg(models::JsonSource::kMostBytes / 1024 / 1024);
        return error;
    }
    return bytes;
}

Result<models::RequestParts> partsOf(const QStringList &texts)
{
    models::RequestParts parts;
    for (const QString &text : texts) {
        const qsizetype equals = text.indexOf(u'=');
        const QString name = text.left(std::max<qsizetype>(equals, 0));
        if (!models::RequestParts::names().contains(name)) {
            return usageError(Tr::tr("“%1” is not part of a request.").arg(text),
                Tr::tr("A part is NAME=VALUE, and its name one of: %1.")
                    .arg(models::RequestParts::names().join(u", "_s)));
        }
        parts.values.insert(name, text.sliced(equals + 1).toUtf8());
    }
    return parts;
}

Result<models::PayloadOrigin> originOf(const QString &word)
{
    if (word.isEmpty()) {
        return models::PayloadOrigin::Unknown;
    }
    if (word == u"bytes"_s) {
        return models::PayloadOrigin::Bytes;
    }
    if (word == u"json"_s) {
        return models::PayloadOrigin::JsonText;
    }
    if (word == u"jsonb"_s) {
        return models::PayloadOrigin::Jsonb;
    }
    return usageError(Tr::tr("“%1” is not a way to store a payload.").arg(word),
        Tr::tr("The option --stored-as takes bytes, json or jsonb."));
}

Result<Found> search(const Context &context, const models::RequestParts &parts, models::PayloadOrigin origin,
    const QByteArray &a, const QByteArray &b)
{
    Found found;
    for (const auto &[name, payload] : { std::pair(u"a"_s, a), std::pair(u"b"_s, b) }) {
        models::RecipeQuestion question;
        question.payload = payload;
        question.fingerprint = context.value(u"fingerprint"_s);
        question.parts = parts;
        question.origin = origin;
        question.budgetMs = kSearchMs / 2;
        TRY(const auto answer, models::findRecipe(question));
        const qint64 before = found.answer.tried;
        const bool complete = found.answer.complete && answer.complete;
        const QStringList reasons = found.answer.reasons;
        found.answer = answer;
        found.answer.tried += before;
        found.answer.complete = complete;
        if (found.answer.recipe) {
            found.answer.complete = true;
            found.payload = name;
            return found;
        }
        found.answer.reasons = reasons + answer.reasons;
        found.answer.reasons.removeDuplicates();
    }
    return found;
}

QJsonObject jsonOf(const Found &found, const QString &fingerprint)
{
    QJsonObject object {
        { u"fingerprint"_s, fingerprint },
        { u"kind"_s, models::describeFingerprint(fingerprint) },
        { u"found"_s, found.answer.recipe.has_value() },
        { u"tried"_s, found.answer.tried },
        { u"complete"_s, found.answer.complete },
        { u"reasons"_s, QJsonArray::fromStringList(found.answer.reasons) },
    };
    if (found.answer.recipe) {
        object.insert(u"recipe"_s, found.answer.recipe->id());
        object.insert(u"recipe_in_words"_s, found.answer.recipe->inWords());
        object.insert(u"payload"_s, found.payload);
    }
    return object;
}

QString wordsOf(const Found &found)
{
    if (found.answer.recipe) {
        return Tr::tr("Recipe: %1 makes the fingerprint out of %2.")
                   .arg(found.answer.recipe->inWords(), found.payload.toUpper())
            + u'\n';
    }
    return Tr::tr("No recipe was found that makes the fingerprint, of %1 combinations tried.").arg(found.answer.tried)
        + u'\n' + u"  "_s + found.answer.reasons.join(u"\n  "_s) + u'\n';
}

void reportJson(const Context &context, const models::JsonSource &a, const models::JsonSource &b,
    const QList<QStringList> &ignore, const std::optional<Found> &found, models::PayloadOrigin origin)
{
    const models::JsonDiff diff = models::diffJson(a, b, ignore);
    const QList<models::JsonChange> changes = models::changesOf(diff, a, b, kMostChangesListed);
    const std::optional<models::Recipe> recipe = found ? found->answer.recipe : std::nullopt;
    const QString why = models::whyHashesDiffer(a, b, diff, recipe, origin == models::PayloadOrigin::Jsonb);
    if (context.json()) {
        QJsonArray items;
        for (const models::JsonChange &change : changes) {
            items.append(models::changeJson(change));
        }
        QJsonObject document { { u"kind"_s, u"json"_s }, { u"same_bytes"_s, diff.sameBytes },
            { u"same_data"_s, diff.sameData() },
            { u"forms"_s, QJsonArray::fromStringList(models::formWords(diff.forms)) },
            { u"summary"_s, models::summaryOf(diff) }, { u"why"_s, why }, { u"items"_s, items },
            { u"cut"_s, changes.size() == kMostChangesListed },
            { u"counts"_s,
                QJsonObject { { u"added"_s, diff.counts.added }, { u"removed"_s, diff.counts.removed },
                    { u"changed"_s, diff.counts.changed }, { u"moved"_s, diff.counts.moved },
                    { u"form"_s, diff.counts.form }, { u"ignored"_s, diff.counts.ignored } } } };
        if (found) {
            document.insert(u"recipe"_s, jsonOf(*found, context.value(u"fingerprint"_s)));
        }
        printJson(document);
        return;
    }
    QList<QStringList> rows;
    for (const models::JsonChange &change : changes) {
        const QString form = models::formsInWords(change.forms);
        rows.append({ change.ignored ? Tr::tr("ignored") : models::statusWord(change.status), change.pointer,
            change.from, change.to, form });
        if (change.status == models::DiffStatus::Within || change.status == models::DiffStatus::Moved) {
            rows.last()[2].clear();
            rows.last()[3].clear();
        }
    }
    QString text = models::summaryOf(diff) + u'\n';
    if (!rows.isEmpty()) {
        text += u'\n' + table({ Tr::tr("DIFFERENCE"), Tr::tr("WHERE"), Tr::tr("A"), Tr::tr("B"), Tr::tr("FORM") }, rows)
            + u'\n';
    }
    print(text + (found ? wordsOf(*found) : QString()) + why + u'\n');
}

/// Payloads that are no JSON: lines, or only that they differ where they are no text.
void reportText(const Context &context, const QByteArray &a, const QByteArray &b, const QString &reason,
    const std::optional<Found> &found)
{
    const bool text = a.isValidUtf8() && b.isValidUtf8() && !a.contains('\0') && !b.contains('\0');
    const QString left = text ? QString::fromUtf8(a) : QString();
    const QString right = text ? QString::fromUtf8(b) : QString();
    const QList<models::TextSpan> spans = models::diffLines(left, right);
    const QList<QStringView> linesA = models::linesOf(left);
    const QList<QStringView> linesB = models::linesOf(right);
    QJsonArray items;
    QList<QStringList> rows;
    const auto add = [&](const QString &sign, const QList<QStringView> &lines, qsizetype from, qsizetype count) {
        for (qsizetype i = from; i < from + count && rows.size() < kMostChangesListed; ++i) {
            rows.append({ sign, QString::number(i + 1), lines[i].toString() });
            items.append(QJsonObject { { u"status"_s, sign == u"-"_s ? u"removed"_s : u"added"_s },
                { u"line"_s, i + 1 }, { u"text"_s, lines[i].toString() } });
        }
    };
    for (const models::TextSpan &span : spans) {
        if (!span.same) {
            add(u"-"_s, linesA, span.a, span.aLength);
            add(u"+"_s, linesB, span.b, span.bLength);
        }
    }
    const QString summary = a == b ? Tr::tr("Both payloads are the same, byte for byte.")
        : text                     ? Tr::tr("The payloads differ; they were compared as text.")
                                   : Tr::tr("The payloads differ; at least one is not UTF-8 text.");
    if (context.json()) {
        QJsonObject document { { u"kind"_s, text ? u"text"_s : u"bytes"_s }, { u"same_bytes"_s, a == b },
            { u"summary"_s, summary }, { u"reason"_s, reason }, { u"items"_s, items },
            { u"cut"_s, rows.size() == kMostChangesListed } };
        if (found) {
            document.insert(u"recipe"_s, jsonOf(*found, context.value(u"fingerprint"_s)));
        }
        printJson(document);
        return;
    }
    note(reason);
    print(summary + u'\n'
        + (rows.isEmpty() ? QString() : u'\n' + table({ QString(), Tr::tr("LINE"), Tr::tr("TEXT") }, rows) + u'\n')
        + (found ? wordsOf(*found) : QString()));
}

Exit runDiff(const Context &context)
{
    TRY_OR(fail, const auto ignore, models::ignoreRules(context.values(u"ignore"_s)));
    TRY_OR(fail, const auto parts, partsOf(context.values(u"part"_s)));
    TRY_OR(fail, const auto origin, originOf(context.value(u"stored-as"_s)));
    const auto a = contentOf(context.positional().value(0));
    TRY_OR(fail, const auto b, a ? contentOf(context.positional().value(1)) : a);
    std::optional<Found> found;
    if (context.has(u"fingerprint"_s)) {
        TRY_OR(fail, found, search(context, parts, origin, *a, b));
    }
    const auto first = models::JsonSource::read(*a);
    const auto second = models::JsonSource::read(b);
    if (first && second) {
        reportJson(context, *first, *second, ignore, found, origin);
    } else {
        reportText(context, *a, b, (first ? second.error() : first.error()).line(), found);
    }
    return Exit::Done;
}

} // namespace

Command diffCommand()
{
    return { .name = u"diff"_s,
        .synopsis = u"A B"_s,
        .summary = Tr::tr("compare two payloads, and say which recipe makes a fingerprint"),
        .about = Tr::tr("Compares two payload files (- is standard input) by structure: what was added, removed, "
                        "changed or moved, and "
                        "apart from that what differs only in form, such as the order of keys or 1.0 and 1.00. "
                        "Payloads that are not "
                        "JSON are compared as text.\n\n"
                        "With --fingerprint it says which recipe makes a stored hash out of one of the payloads, or "
                        "why none may be "
                        "found. It needs no database; differences do not change the exit status. With --json, values "
                        "are given as the "
                        "JSON text that wrote them."),
        .arguments = { { u"A"_s, Tr::tr("A payload file, or - for standard input."), 1, 1, {} },
            { u"B"_s, Tr::tr("The other payload file."), 1, 1, {} } },
        .options = { jsonOption(),
            Option::text(u"fingerprint"_s, Tr::tr("HASH"),
                Tr::tr("Say which recipe makes this stored fingerprint (hex, base64, bytea or uuid) out of A or B.")),
            Option::text(u"part"_s, Tr::tr("NAME=VALUE"),
                Tr::tr("A part of the request beside its body, for the recipes. Names: %1.")
                    .arg(models::RequestParts::names().join(u", "_s)))
                .manyTimes(),
            Option::word(u"stored-as"_s, { u"bytes"_s, u"json"_s, u"jsonb"_s },
                Tr::tr("How the payloads were stored; a jsonb value no longer has the bytes that were sent.")),
            Option::text(u"ignore"_s, Tr::tr("POINTER"),
                Tr::tr(
                    "A JSON pointer of a field that may differ, such as /items/*/updated_at; * stands for any name or "
                    "place."))
                .manyTimes() },
        .examples
        = { { Tr::tr("What changed between the first request and its retry:"), u"diff first.json retry.json"_s },
            { Tr::tr("Which recipe made the stored hash:"),
                u"diff first.json retry.json "
                "--fingerprint 5840829e7cd7d0d0b2f0a3a7a5f2f7f6f8f8a6ee0c0f8a1f4a6c6de9a3d1b7c2 "
                "--part method=POST --part path=/v1/orders"_s } },
        .run = runDiff };
}

} // namespace idemdesk::app
