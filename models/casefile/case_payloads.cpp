// SPDX-License-Identifier: GPL-3.0-or-later
// What a case file says of the requests behind its intents.
#include "models/casefile/case_file.h"

#include "models/diff/diff_words.h"
#include "models/diff/json_diff.h"
#include "models/fingerprint/recipe_check.h"
#include "models/fingerprint/why_different.h"
#include "models/format/time_format.h"

#include <QCoreApplication>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(CaseFile)
};

constexpr qsizetype kMostPairs = 10;
constexpr qsizetype kMostChanges = 200;

PayloadOrigin originOf(const QString &type)
{
    return type == u"jsonb" ? PayloadOrigin::Jsonb : type == u"json" ? PayloadOrigin::JsonText : PayloadOrigin::Bytes;
}

/// The profile's recipe, if it is the one that made this fingerprint.
std::optional<Recipe> recipeOf(const CaseRow &row)
{
    const auto stored = sql::storedRecipe(row.target.profile);
    const auto recipe = stored ? recipeFromId(stored->recipe) : sql::Result<Recipe>(sql::Error());
    const sql::PayloadSample sample { { *row.request }, row.target.roleTypes.value(sql::Role::RequestPayload).typeName };
    return recipe && checkRecipe(*recipe, sample).matching == 1 ? std::optional(*recipe) : std::nullopt;
}

CaseRequest storedRequest(const CaseRow &row)
{
    CaseRequest request { row.key, *row.request->payload, {}, { row.request->parts }, originOf(row.target.roleTypes.value(sql::Role::RequestPayload).typeName), sql::diffIgnore(row.target.profile) };
    request.parts.values.insert(u"key"_s, row.request->parts.value(u"key"_s, row.key.toUtf8()));
    if (!row.masks(sql::Role::Fingerprint)) {
        request.fingerprint = row.request->fingerprint;
        request.recipe = recipeOf(row);
    }
    return request;
}

RequestDifference difference(const CaseRequest &first, const CaseRequest &second)
{
    RequestDifference found { first.name, second.name, {}, {} };
    const auto a = JsonSource::read(first.payload);
    const auto b = JsonSource::read(second.payload);
    if (!a || !b) {
        found.sentence = first.payload == second.payload ? Tr::tr("Both are the same, byte for byte.") : Tr::tr("They differ, and at least one is not JSON.");
        return found;
    }
    const auto rules = ignoreRules(first.ignore); // the profile's reader has checked them
    const JsonDiff diff = diffJson(*a, *b, rules ? *rules : QList<QStringList>());
    found.sentence = summaryOf(diff) + u' ' + whyHashesDiffer(*a, *b, diff, first.recipe);
    found.changes = changesOf(diff, *a, *b, kMostChanges);
    found.more = std::max<qsizetype>(0, diff.counts.data() + diff.counts.form + diff.counts.ignored - found.changes.size());
    return found;
}

CaseRequest refusedRequest(const CaseFile &file, qsizetype at)
{
    const sql::ConflictRecord &conflict = file.conflicts.at(at);
    const auto isSibling = [&conflict](const sql::ConflictRecord &other) { return other.key == conflict.key && !other.incomingPayload.isEmpty(); };
    const QString key = conflict.key.value_or(QString());
    CaseRequest request;
    request.name = std::count_if(file.conflicts.begin(), file.conflicts.end(), isSibling) < 2
        ? Tr::tr("the refused request of %1").arg(key)
        : Tr::tr("refused request %1 of %2, last at %3 UTC").arg(QString::number(1 + std::count_if(file.conflicts.begin(), file.conflicts.begin() + at, isSibling)), key, TimeFormat().text(conflict.lastAt));
    request.payload = conflict.incomingPayload.toUtf8();
    request.fingerprint = masksAny(file, sql::Role::Fingerprint) ? QString() : conflict.incomingHash;
    request.parts.values.insert(u"key"_s, key.toUtf8());
    request.refused = true;
    const auto row = std::find_if(file.rows.begin(), file.rows.end(), [&](const CaseRow &one) { return storesRequest(file, one) && isOf(conflict, one.key, one.names, one.detail.record.scope); });
    if (row != file.rows.end()) {
        request.row = row - file.rows.begin();
        request.ignore = sql::diffIgnore(row->target.profile);
    }
    return request;
}

} // namespace

bool storesRequest(const CaseFile &file, const CaseRow &row) { return row.request && (row.target.profile.kind != sql::TargetKind::Outbox || isMessagesOnly(file)); }

QList<CaseRequest> requestsOf(const CaseFile &file)
{
    QList<CaseRequest> requests;
    for (qsizetype i = 0; i < file.rows.size(); ++i) {
        const CaseRow &row = file.rows.at(i);
        if (storesRequest(file, row) && row.request->payload) {
            requests += storedRequest(row);
            requests.last().row = i;
        }
    }
    for (qsizetype i = 0; i < file.conflicts.size(); ++i) {
        const sql::ConflictRecord &conflict = file.conflicts.at(i);
        const bool whole = !conflict.incomingPayload.isEmpty() && conflict.incomingPayload.size() < sql::kMostPayloadChars;
        if (whole && !masksAny(file, sql::Role::RequestPayload)) {
            requests += refusedRequest(file, i);
        }
    }
    return requests;
}

bool hasLargeRequest(const CaseFile &file)
{
    return std::any_of(file.rows.begin(), file.rows.end(), [&file](const CaseRow &row) { return storesRequest(file, row) && row.request->tooLarge; });
}

QString differenceInWords(const RequestDifference &difference) { return Tr::tr("Between %1 and %2: %3").arg(difference.first, difference.second, difference.sentence); }

QList<RequestDifference> differencesOf(const QList<CaseRequest> &requests)
{
    QList<RequestDifference> differences;
    for (qsizetype i = 1; i < requests.size() && differences.size() < kMostPairs; ++i) {
        const CaseRequest &second = requests.at(i);
        const auto first = std::find_if(requests.begin(), requests.begin() + i, [&second](const CaseRequest &one) { return !one.refused && (!second.refused || one.row == second.row); });
        if (first != requests.begin() + i) {
            differences += difference(*first, second);
        }
    }
    return differences;
}

} // namespace idemdesk::models
