// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/retries/cause_model.h"

#include "models/format/quantities.h"
#include "models/retries/causes.h"

namespace idemdesk::models {

CauseModel::CauseModel(QObject *parent)
    : RowModel(parent)
{
}

void CauseModel::setPage(const sql::CausePage &page)
{
    m_now = page.now;
    setRows(page.groups);
}

QString CauseModel::timeText(const std::optional<sql::Timestamp> &time) const
{
    return time ? timeFormat().text(*time) : QString();
}

std::span<const CauseModel::ColumnSpec> CauseModel::columns()
{
    using Model = CauseModel;
    using Row = sql::CauseGroup;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Cause of failure"); },
            .text = [](const Model &, const Row &row) { return causeText(row); },
            .toolTip
            = [](const Model &, const Row &row) { return row.message.isEmpty() ? causeText(row) : row.message; } },
        { .title = [] { return tr("Class"); },
            .text =
                [](const Model &, const Row &row) {
                    const auto meaning = causeMeaning(row);
                    return meaning ? failureClassLabel(*meaning) : tr("Not known");
                },
            .toolTip = [](const Model &, const Row &row) { return row.coded ? errorCodeText(row.cause) : QString(); },
            .help = [] { return tr("Whether the same request can succeed later: a temporary failure can."); } },
        { .title = [] { return tr("Stored as final"); },
            .text = [](const Model &, const Row &row) { return countText(row.final); },
            .alignment = kNumber },
        { .title = [] { return tr("As retryable"); },
            .text = [](const Model &, const Row &row) { return countText(row.retryable); },
            .alignment = kNumber },
        { .title = [] { return tr("A retry now"); },
            .text = [](const Model &, const Row &row) { return causeRetryText(row); },
            .toolTip = [](const Model &, const Row &row) { return causeRetryText(row); },
            .help = [] { return tr("What the service does with the same request now, by the profile's rules."); } },
        { .title = [] { return tr("First seen"); },
            .text = [](const Model &model, const Row &row) { return model.timeText(row.first); },
            .time = true },
        { .title = [] { return tr("Last seen"); },
            .text = [](const Model &model, const Row &row) { return model.timeText(row.last); },
            .time = true },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant CauseModel::itemData(const sql::CauseGroup &group, int column, int role) const
{
    if (role == Qt::ToolTipRole && (column == First || column == Last)) {
        const auto &time = column == First ? group.first : group.last;
        return time ? QVariant(timeFormat().toolTip(*time, m_now)) : QVariant();
    }
    return {};
}

} // namespace idemdesk::models

#include "moc_cause_model.cpp"
