// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/conflicts/conflict_model.h"

#include "models/conflicts/conflict_words.h"
#include "models/format/quantities.h"
#include "models/table/item_role.h"

#include <QFileInfo>

namespace idemdesk::models {

namespace {

QString conflictKeyText(const sql::ConflictRecord &record)
{
    return record.key.value_or(
        record.keyHash.isEmpty() ? ConflictModel::tr("(not named)") : ConflictModel::tr("hash %1").arg(record.keyHash));
}

} // namespace

ConflictModel::ConflictModel(QObject *parent)
    : RowModel(parent)
{
}

void ConflictModel::setTitles(const TargetTitles &titles)
{
    m_titles = titles;
    sayAnew(Table, Table);
}

std::span<const ConflictModel::ColumnSpec> ConflictModel::columns()
{
    using Model = ConflictModel;
    using Record = sql::ConflictRecord;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Last seen"); },
            .text = [](const Model &model, const Record &record) { return model.timeFormat().text(record.lastAt); },
            .toolTip = [](const Model &model, const Record &record) { return model.timeFormat().exact(record.lastAt); },
            .time = true },
        { .title = [] { return tr("What happened"); },
            .text = [](const Model &, const Record &record) { return conflictKindLabel(record.kind); },
            .toolTip = [](const Model &, const Record &record) { return conflictKindLabel(record.kind); } },
        { .title = [] { return tr("Table"); },
            .text = [](const Model &model, const Record &record) { return model.m_titles.title(record.target); } },
        { .title = [] { return tr("Scope"); },
            .text = [](const Model &, const Record &record) { return record.scope; } },
        { .title = [] { return tr("Key"); },
            .text = [](const Model &, const Record &record) { return conflictKeyText(record); } },
        { .title = [] { return tr("Times"); },
            .text = [](const Model &, const Record &record) { return countText(record.count); },
            .alignment = kNumber },
        { .title = [] { return tr("By"); }, .text = [](const Model &, const Record &record) { return record.caller; } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant ConflictModel::itemData(const sql::ConflictRecord &record, int column, int role) const
{
    if (role == TitleRole && column == Kind) {
        return displayText(conflictKindMark(record.kind));
    }
    if (role == KindRole) {
        return record.kind;
    }
    if (role != DetailRole) {
        return {};
    }
    switch (column) {
    case Kind:
        // Services record nearly all of them: only where one comes from elsewhere is worth a line.
        return displayText(record.file.isEmpty() ? record.fromLog ? tr("from a log") : QString()
                                                 : tr("from %1").arg(QFileInfo(record.file).fileName()));
    case Table:
        return displayText(m_titles.place(record.target));
    case Key:
        return displayText(record.scope);
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_conflict_model.cpp"
