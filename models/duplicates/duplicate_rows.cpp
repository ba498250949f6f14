// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/duplicates/duplicate_rows.h"

#include "models/casefile/case_masking.h"
#include "models/complaint/match_context.h"
#include "sql/keys/body_reader.h"
#include "sql/keys/detail_reader.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qint64 kAmountChars = 20'000; // of a request or a response, to find the amount

/// The amounts that requests and responses tell. Rows that cannot be read that far stay without.
void addAmounts(sql::Session &session, const sql::Target &target, QList<DuplicateKey> *keys)
{
    QList<sql::Cells> identities;
    for (const DuplicateKey &key : std::as_const(*keys)) {
        if (key.record) {
            identities += key.record->identity;
        }
    }
    const bool stored = target.profile.has(sql::Role::RequestPayload) || target.profile.has(sql::Role::ResponseBody);
    if (identities.isEmpty() || !stored) {
        return;
    }
    const QStringList masked = maskedNames(target.profile, {});
    const auto bodies = sql::readBodies(session, target, identities, kAmountChars);
    for (const sql::KeyRecord &body : bodies ? *bodies : QList<sql::KeyRecord>()) {
        const auto key = std::find_if(keys->begin(), keys->end(),
            [&body](const DuplicateKey &one) { return one.record && one.record->sameRow(body); });
        if (key != keys->end()) {
            key->amount = matchContext(body, {}, masked).amount;
        }
    }
}

/// "10.5 EUR" is "10.50 EUR".
bool sameAmount(const QString &a, const QString &b)
{
    const auto bare = [](const QString &amount) {
        QString number = amount.section(u' ', 0, 0);
        while (number.contains(u'.') && (number.endsWith(u'0') || number.endsWith(u'.'))) {
            number.chop(1);
        }
        return number + u' ' + amount.section(u' ', 1);
    };
    return bare(a) == bare(b);
}

/// By label: an index on scope and key serves. A part that is NULL is left out, and compared with the row's.
QMap<QString, QString> scopeOf(const sql::Profile &profile, const sql::Cells &scope)
{
    QMap<QString, QString> parts;
    for (qsizetype i = 0; i < std::min(profile.scope.size(), scope.size()); ++i) {
        if (!scope.at(i).null) {
            parts.insert(profile.scope.at(i).label, scope.at(i).text);
        }
    }
    return parts;
}

} // namespace

QList<DuplicateKey> keysOf(const sql::DuplicateGroup &group, qsizetype most)
{
    QList<DuplicateKey> keys;
    for (qsizetype i = 0; i < std::min(most, group.sample.size()); ++i) {
        keys.append({ group.sample.at(i), group.sampleScopes.value(i) });
    }
    return keys;
}

std::optional<sql::Timestamp> duplicateBegan(const DuplicateKey &key)
{
    for (const sql::Role role : { sql::Role::CreatedAt, sql::Role::ClaimedAt, sql::Role::UpdatedAt }) {
        if (const auto at = key.record ? key.record->time(role) : std::nullopt) {
            return at;
        }
    }
    return std::nullopt;
}

sql::Result<QList<DuplicateKey>> readDuplicateKeys(
    sql::Session &session, const sql::Target &target, QList<DuplicateKey> keys)
{
    for (DuplicateKey &key : keys) {
        TRY(const auto records, sql::rowsWithKey(session, target, key.key, scopeOf(target.profile, key.scope)));
        for (const sql::KeyRecord &record : records) {
            if (record.scope == key.scope) {
                key.record = record;
            }
        }
    }
    addAmounts(session, target, &keys);
    // The first one is what was meant; those after it are what is too much.
    std::stable_sort(keys.begin(), keys.end(), [](const DuplicateKey &a, const DuplicateKey &b) {
        const auto first = duplicateBegan(a);
        const auto second = duplicateBegan(b);
        return first && (!second || *first < *second);
    });
    return keys;
}

QString sharedAmount(const QList<DuplicateKey> &keys)
{
    const QString first = keys.isEmpty() ? QString() : keys.constFirst().amount;
    const bool alike = std::all_of(
        keys.cbegin(), keys.cend(), [&first](const DuplicateKey &key) { return sameAmount(key.amount, first); });
    return alike ? first : QString();
}

} // namespace idemdesk::models
