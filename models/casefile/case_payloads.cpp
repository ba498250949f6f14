// SPDX-License-Identifier: GPL-3.0-or-later
// What a case file says of the requests behind its intents.
#include "models/casefile/case_file.h"

#include "models/diff/diff_words.h"
#include "models/diff/json_diff.h"
#include "models/diff/text_diff.h"
#include "models/fingerprint/recipe_check.h"
#include "models/fingerprint/why_different.h"
#include "models/format/display_text.h"
#include "models/format/time_format.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kMostPairs = 10;
constexpr qsizetype kMostChangesKept = 200;
constexpr qsizetype kLineChars = 120;

PayloadOrigin originOf(const QString &type)
{
    return type == u"jsonb" ? PayloadOrigin::Jsonb : type == u"json" ? PayloadOrigin::JsonText : PayloadOrigin::Bytes;
}

/// The profile's recipe, if it is the one that made this fingerprint.
std::optional<Recipe> recipeOf(const CaseRow &row)
{
    const auto &stored = row.target.profile.fingerprintRecipe;
    const auto recipe = stored ? recipeFromId(stored->recipe) : sql::Result<Recipe>(sql::Error());
    const sql::PayloadSample sample { { *row.request },
        row.target.roleTypes.value(sql::Role::RequestPayload).typeName };
    return recipe && checkRecipe(*recipe, sample).matching == 1 ? std::optional(*recipe) : std::nullopt;
}

/// The key; where several rows of the case have it, with what tells them apart.
QString storedName(const CaseFile &file, const CaseRow &row)
{
    const bool alone = std::count_if(file.rows.begin(), file.rows.end(), [&](const CaseRow &one) {
        return one.key == row.key && storesRequest(file, one);
    }) < 2;
    QStringList where { row.target.profile.shownTitle(), scopeOf(row) };
    where.removeAll(QString());
    return alone ? row.key : Tr::tr("%1 (%2)").arg(row.key, where.join(u", "_s));
}

CaseRequest storedRequest(const CaseFile &file, const CaseRow &row)
{
    CaseRequest request;
    request.name = storedName(file, row);
    request.tooLarge = row.request->tooLarge;
    request.payload = row.request->payload.value_or(QByteArray());
    request.parts.values = row.request->parts;
    request.origin = originOf(row.target.roleTypes.value(sql::Role::RequestPayload).typeName);
    request.ignore = row.target.profile.diffIgnore;
    request.parts.values.insert(u"key"_s, row.request->parts.value(u"key"_s, row.key.toUtf8()));
    if (!row.masks(sql::Role::Fingerprint)) {
        request.fingerprint = row.request->fingerprint;
        request.recipe = recipeOf(row);
    }
    return request;
}

/// What is recorded of it is as much as is kept, so there may have been more.
bool isCut(const sql::ConflictRecord &conflict)
{
    return conflict.incomingPayload.size() >= sql::kMostPayloadChars;
}

/// Of two payloads of which at least one is no JSON.
QString textDifference(const QString &first, const QString &second, bool same)
{
    if (same) {
        return Tr::tr("Both are the same, byte for byte.");
    }
    const QList<QStringView> a = linesOf(first);
    const QList<QStringView> b = linesOf(second);
    qsizetype line = 0;
    while (line < a.size() && line < b.size() && a.at(line) == b.at(line)) {
        ++line;
    }
    const auto shown = [line](const QList<QStringView> &lines) {
        return displayText(lines.value(line).trimmed().toString(), kLineChars);
    };
    if (shown(a) == shown(b)) {
        return Tr::tr("They differ, and at least one is not JSON."); // in blanks, within a long line, or in bytes that
                                                                     // are no text
    }
    return Tr::tr("At least one is not JSON. Their text differs from line %1 on: “%2” and “%3”.")
        .arg(line + 1)
        .arg(shown(a), shown(b));
}

RequestDifference difference(const CaseRequest &first, const CaseRequest &second)
{
    RequestDifference found { first.name, second.name, {}, {} };
    const auto a = JsonSource::read(first.payload);
    const auto b = JsonSource::read(second.payload);
    if (!a || !b) {
        found.sentence = textDifference(
            QString::fromUtf8(first.payload), QString::fromUtf8(second.payload), first.payload == second.payload);
        return found;
    }
    const auto rules = ignoreRules(first.ignore); // the profile's reader has checked them
    const JsonDiff diff = diffJson(*a, *b, rules ? *rules : QList<QStringList>());
    found.sentence = summaryOf(diff) + u' '
        + whyHashesDiffer(
            *a, *b, diff, first.recipe, first.origin == PayloadOrigin::Jsonb || second.origin == PayloadOrigin::Jsonb);
    found.changes = changesOf(diff, *a, *b, kMostChangesKept);
    const auto listed = std::count_if(
        found.changes.begin(), found.changes.end(), [](const JsonChange &change) { return !change.ignored; });
    found.more = std::max<qsizetype>(0, diff.counts.data() + diff.counts.form - listed);
    return found;
}

CaseRequest refusedRequest(const CaseFile &file, qsizetype at)
{
    const sql::ConflictRecord &conflict = file.conflicts.at(at);
    const auto isSibling = [&conflict](const sql::ConflictRecord &other) {
        return other.key == conflict.key && !other.incomingPayload.isEmpty();
    };
    const QString key = conflict.key.value_or(QString());
    CaseRequest request;
    request.name = std::count_if(file.conflicts.begin(), file.conflicts.end(), isSibling) < 2
        ? Tr::tr("the refused request of %1").arg(key)
        : Tr::tr("refused request %1 of %2, last at %3 UTC")
              .arg(QString::number(1 + std::count_if(file.conflicts.begin(), file.conflicts.begin() + at, isSibling)),
                  key, TimeFormat::named().text(conflict.lastAt));
    request.payload = conflict.incomingPayload.toUtf8();
    request.fingerprint = masksAny(file, sql::Role::Fingerprint) ? QString() : conflict.incomingHash;
    request.parts.values.insert(u"key"_s, key.toUtf8());
    request.refused = true;
    QList<qsizetype> fitting;
    for (qsizetype i = 0; i < file.rows.size(); ++i) {
        const CaseRow &row = file.rows.at(i);
        if (isIntent(file, row) && isOf(conflict, row.key, row.names, row.detail.record.scope)) {
            fitting += i;
        }
    }
    request.ambiguous
        = fitting.size() > 1; // a record that names neither table nor scope does not tell which of several it is of
    if (fitting.size() == 1) {
        request.row = fitting.constFirst();
        request.ignore = file.rows.at(request.row).target.profile.diffIgnore;
    }
    return request;
}

} // namespace

bool storesRequest(const CaseFile &file, const CaseRow &row)
{
    return row.request && isIntent(file, row);
}

QList<CaseRequest> requestsOf(const CaseFile &file)
{
    QList<CaseRequest> requests;
    for (qsizetype i = 0; i < file.rows.size(); ++i) {
        const CaseRow &row = file.rows.at(i);
        if (storesRequest(file, row) && (row.request->payload || row.request->tooLarge)) {
            requests += storedRequest(file, row);
            requests.last().row = i;
        }
    }
    for (qsizetype i = 0; i < file.conflicts.size(); ++i) {
        const sql::ConflictRecord &conflict = file.conflicts.at(i);
        if (!conflict.incomingPayload.isEmpty() && !isCut(conflict) && !masksAny(file, sql::Role::RequestPayload)) {
            requests += refusedRequest(file, i);
        }
    }
    return requests;
}

bool hasLargeRequest(const QList<CaseRequest> &requests)
{
    return std::any_of(requests.begin(), requests.end(), [](const CaseRequest &request) { return request.tooLarge; });
}

QString differenceInWords(const RequestDifference &difference)
{
    return Tr::tr("Between %1 and %2: %3").arg(difference.first, difference.second, difference.sentence);
}

void compareRequests(CaseFile *file)
{
    file->requests = requestsOf(*file);
    file->differences.clear();
    file->notCompared.clear();
    const QList<CaseRequest> &requests = file->requests;
    qsizetype pairs = 0;
    int ambiguous = 0;
    int alone = 0;
    for (qsizetype i = 0; i < requests.size(); ++i) {
        const CaseRequest &second = requests.at(i);
        const auto first = std::find_if(requests.begin(), requests.begin() + i, [&second](const CaseRequest &one) {
            return !one.refused && (second.refused ? one.row == second.row : !one.tooLarge);
        });
        if (second.tooLarge) {
            file->notCompared += Tr::tr(
                "The request of %1 is too large for a case file. The button Compare requests reads up to 64 MiB.")
                                     .arg(second.name);
        } else if (second.refused && first == requests.begin() + i) {
            ++(second.ambiguous ? ambiguous : alone);
        } else if (first != requests.begin() + i && !first->tooLarge && ++pairs <= kMostPairs) {
            file->differences += difference(*first, second);
        }
    }
    if (ambiguous > 0) {
        file->notCompared += Tr::tr(
            "%n refused request(s) may be of any of several stored ones: their records do not tell the scope.", nullptr,
            ambiguous);
    }
    if (alone > 0) {
        file->notCompared
            += Tr::tr("%n refused request(s) have no stored request to be compared with.", nullptr, alone);
    }
    if (pairs > kMostPairs) {
        file->notCompared += Tr::tr("%n more pair(s) of requests were not compared.", nullptr, int(pairs - kMostPairs));
    }
    if (const auto cut = std::count_if(file->conflicts.begin(), file->conflicts.end(), isCut); cut > 0) {
        file->notCompared += Tr::tr("Of %n refused request(s) only the beginning was recorded.", nullptr, int(cut));
    }
    if (masksAny(*file, sql::Role::RequestPayload)) {
        file->notCompared += Tr::tr("The profile masks requests, so they are not compared.");
    }
}

} // namespace idemdesk::models
