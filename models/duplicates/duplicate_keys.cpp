// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/duplicates/duplicate_keys.h"

#include "models/casefile/case_masking.h"
#include "models/complaint/match_context.h"
#include "models/keys/key_cells.h"
#include "sql/keys/body_reader.h"
#include "sql/keys/detail_reader.h"
#include "sql/lanes/database.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kKeysDeadlineMs = 20'000;
constexpr qint64 kAmountChars = 20'000; // of a request or a response, to find the amount

std::optional<sql::Timestamp> beganAt(const DuplicateKey &key)
{
    for (const sql::Role role : { sql::Role::CreatedAt, sql::Role::ClaimedAt, sql::Role::UpdatedAt }) {
        if (const auto at = key.record ? key.record->time(role) : std::nullopt) {
            return at;
        }
    }
    return std::nullopt;
}

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

sql::Result<QList<DuplicateKey>> readDuplicateKeys(
    sql::Session &session, const sql::Target &target, QList<DuplicateKey> keys)
{
    for (DuplicateKey &key : keys) {
        TRY(const auto records, sql::rowsWithKey(session, target, key.key, {}));
        for (const sql::KeyRecord &record : records) {
            if (record.scope == key.scope) {
                key.record = record;
            }
        }
    }
    addAmounts(session, target, &keys);
    // The first one is what was meant; those after it are what is too much.
    std::stable_sort(keys.begin(), keys.end(), [](const DuplicateKey &a, const DuplicateKey &b) {
        const auto first = beganAt(a);
        const auto second = beganAt(b);
        return first && (!second || *first < *second);
    });
    return keys;
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

bool sameKey(const DuplicateKey &a, const DuplicateKey &b)
{
    return a.key == b.key && a.scope == b.scope;
}

} // namespace

DuplicateKeyModel::DuplicateKeyModel(QObject *parent)
    : RowModel(parent)
{
}

void DuplicateKeyModel::setDatabase(sql::Database *database)
{
    if (m_reading.setDatabase(database)) {
        clear();
    }
}

void DuplicateKeyModel::clear()
{
    m_reading.drop();
    m_table.clear();
    setRows({});
}

void DuplicateKeyModel::setGroup(const sql::Target &target, const sql::DuplicateGroup &group)
{
    QList<DuplicateKey> keys;
    for (qsizetype i = 0; i < group.sample.size(); ++i) {
        keys.append({ group.sample.at(i), group.sampleScopes.value(i) });
    }
    const bool same = std::is_permutation(keys.cbegin(), keys.cend(), m_rows.cbegin(), m_rows.cend(), sameKey);
    if (std::exchange(m_table, target.profile.name) == target.profile.name && same) {
        return;
    }
    m_absent.clear();
    setRows(keys);
    m_reading.ask(
        { sql::LaneKind::Background, kKeysDeadlineMs },
        [target, keys](sql::Session &session) { return readDuplicateKeys(session, target, keys); },
        [this](const sql::Result<QList<DuplicateKey>> &read) {
            m_absent = read ? tr("no row found") : tr("not read: %1").arg(read.error().line());
            updateRows(read ? *read : m_rows, sameKey);
        });
}

QString DuplicateKeyModel::amount() const
{
    const QString first = m_rows.isEmpty() ? QString() : m_rows.constFirst().amount;
    const bool alike = std::all_of(
        m_rows.cbegin(), m_rows.cend(), [&first](const DuplicateKey &key) { return sameAmount(key.amount, first); });
    return alike ? first : QString();
}

bool DuplicateKeyModel::oneScope() const
{
    return std::all_of(m_rows.cbegin(), m_rows.cend(),
        [this](const DuplicateKey &key) { return key.scope == m_rows.constFirst().scope; });
}

QString DuplicateKeyModel::beganText(const DuplicateKey &key, bool exact) const
{
    if (const auto at = beganAt(key)) {
        return exact ? timeFormat().exact(*at) : timeFormat().text(*at);
    }
    return key.record ? tr("not known") : QString();
}

std::span<const DuplicateKeyModel::ColumnSpec> DuplicateKeyModel::columns()
{
    using Model = DuplicateKeyModel;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Key"); }, .text = [](const Model &, const DuplicateKey &key) { return key.key; } },
        { .title = [] { return tr("Scope"); },
            .text =
                [](const Model &, const DuplicateKey &key) {
                    QStringList parts;
                    for (const sql::Cell &part : key.scope) {
                        parts += part.null ? u"–"_s : part.text;
                    }
                    return parts.join(u" / "_s);
                } },
        { .title = [] { return tr("State"); },
            .text
            = [](const Model &model,
                  const DuplicateKey &key) { return key.record ? recordStateText(*key.record) : model.m_absent; } },
        { .title = [] { return tr("Began"); },
            .text = [](const Model &model, const DuplicateKey &key) { return model.beganText(key, false); },
            .toolTip = [](const Model &model, const DuplicateKey &key) { return model.beganText(key, true); },
            .time = true },
        { .title = [] { return tr("Result"); },
            .text = [](const Model &,
                        const DuplicateKey &key) { return key.record ? recordResultText(*key.record) : QString(); } },
        { .title = [] { return tr("Amount"); },
            .text = [](const Model &, const DuplicateKey &key) { return key.amount; },
            .alignment = kNumber },
        { .title = [] { return tr("Owner"); },
            .text =
                [](const Model &, const DuplicateKey &key) {
                    return key.record ? key.record->role(sql::Role::Owner).text : QString();
                } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant DuplicateKeyModel::itemData(const DuplicateKey &key, int column, int role) const
{
    if (column != State || (!key.record && m_absent.isEmpty())) {
        return {};
    }
    switch (role) {
    case StateRole:
        return int(key.record ? key.record->state : sql::KeyState::Unknown);
    case StaleRole:
        return key.record && key.record->stale.value_or(false);
    case ExpiredRole:
        return key.record && key.record->expired.value_or(false);
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_duplicate_keys.cpp"
