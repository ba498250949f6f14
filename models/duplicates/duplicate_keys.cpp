// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/duplicates/duplicate_keys.h"

#include "models/keys/key_cells.h"
#include "sql/lanes/database.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kKeysDeadlineMs = 20'000;

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
    const QList<DuplicateKey> keys = keysOf(group);
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
    return sharedAmount(m_rows);
}

bool DuplicateKeyModel::oneScope() const
{
    return std::all_of(m_rows.cbegin(), m_rows.cend(),
        [this](const DuplicateKey &key) { return key.scope == m_rows.constFirst().scope; });
}

QString DuplicateKeyModel::beganText(const DuplicateKey &key, bool exact) const
{
    if (const auto at = duplicateBegan(key)) {
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
