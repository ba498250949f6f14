// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/preview_list.h"

#include "models/provider/statement_words.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QString outcomeText(const MappedLine &mapped)
{
    if (!mapped.fault.isEmpty()) {
        return PreviewList::tr("Not read: %1").arg(mapped.fault);
    }
    switch (mapped.line.outcome) {
    case sql::LineOutcome::Happened:
        return PreviewList::tr("Success");
    case sql::LineOutcome::Failed:
        return PreviewList::tr("Failure");
    case sql::LineOutcome::Other:
    case sql::LineOutcome::Unclear:
        break;
    }
    return PreviewList::tr("Ignored");
}

} // namespace

PreviewList::PreviewList(QObject *parent)
    : RowModel(parent)
{
}

std::span<const PreviewList::ColumnSpec> PreviewList::columns()
{
    using Model = PreviewList;
    using Row = MappedLine;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Line"); },
            .text = [](const Model &, const Row &row) { return QString::number(row.line.number); },
            .alignment = kNumber },
        { .title = [] { return tr("Reference"); },
            .text = [](const Model &, const Row &row) { return row.line.reference; } },
        { .title = [] { return tr("Amount"); },
            .text = [](const Model &, const Row &row) { return moneyText(row.line.amount, row.line.currency); },
            .alignment = kNumber },
        { .title = [] { return tr("Time"); },
            .text = [](const Model &model,
                        const Row &row) { return row.line.at ? model.timeFormat().text(*row.line.at) : QString(); },
            .time = true },
        { .title = [] { return tr("What it says"); },
            .text = [](const Model &, const Row &row) { return outcomeText(row); },
            .toolTip = [](const Model &, const Row &row) { return row.line.text; } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

} // namespace idemdesk::models

#include "moc_preview_list.cpp"
