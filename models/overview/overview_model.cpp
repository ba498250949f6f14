// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/overview/overview_model.h"

#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/overview/summary_cells.h"

#include <type_traits>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

std::optional<SummaryColumn> summaryColumn(int column)
{
    switch (column) {
    case OverviewModel::Pending:
        return SummaryColumn::Pending;
    case OverviewModel::InProgress:
        return SummaryColumn::InProgress;
    case OverviewModel::Stale:
        return SummaryColumn::Stale;
    case OverviewModel::OldestStale:
        return SummaryColumn::OldestStale;
    case OverviewModel::Succeeded:
        return SummaryColumn::Succeeded;
    case OverviewModel::FailedRetryable:
        return SummaryColumn::FailedRetryable;
    case OverviewModel::FailedFinal:
        return SummaryColumn::FailedFinal;
    case OverviewModel::Unknown:
        return SummaryColumn::Unknown;
    case OverviewModel::Expired:
        return SummaryColumn::Expired;
    default:
        return std::nullopt;
    }
}

SummaryNumbers numbersOf(const sql::TargetSummary &summary)
{
    return { summary.states, summary.stale, summary.expired, summary.oldestStale, summary.now };
}

sql::RowCount countOf(const OverviewEntry &entry, int column)
{
    if (!entry.summary) {
        return {};
    }
    if (column == OverviewModel::Rows) {
        return entry.summary->rows;
    }
    const auto counted = summaryColumn(column);
    return counted ? summaryCount(numbersOf(*entry.summary), *counted) : sql::RowCount();
}

} // namespace

OverviewModel::OverviewModel(QObject *parent)
    : RowModel(parent)
{
}

void OverviewModel::setTargets(const QList<sql::Target> &targets)
{
    QList<OverviewEntry> entries;
    for (const sql::Target &target : targets) {
        const int row = rowOf(target.profile.name);
        OverviewEntry entry = row >= 0 ? m_rows.at(row) : OverviewEntry();
        if (entry.target.relation.oid != target.relation.oid) {
            entry = {};
        }
        entry.target = target;
        entries.append(entry);
    }
    setRows(entries);
}

void OverviewModel::setLoading(int row, bool loading)
{
    if (row >= 0 && row < m_rows.size() && m_rows.at(row).loading != loading) {
        m_rows[row].loading = loading;
        sayRowAnew(row);
    }
}

void OverviewModel::setResult(int row, const sql::Result<sql::TargetSummary> &result)
{
    if (row < 0 || row >= m_rows.size()) {
        return;
    }
    OverviewEntry &entry = m_rows[row];
    entry.loading = false;
    if (result.ok()) {
        entry.summary = *result;
        entry.error.reset();
        entry.refreshed = QDateTime::currentDateTime();
    } else {
        entry.error = result.error();
    }
    sayRowAnew(row);
}

int OverviewModel::rowOf(const QString &targetName) const
{
    for (int i = 0; i < m_rows.size(); ++i) {
        if (m_rows.at(i).target.profile.name == targetName) {
            return i;
        }
    }
    return -1;
}

namespace {

/// What a cell says of a summary; before there is one, that it is on its way.
template <typename Say> QString summaryCell(const OverviewEntry &entry, Say say)
{
    return entry.summary ? say(*entry.summary) : entry.loading ? u"…"_s : QString();
}

template <SummaryColumn column> QString counted(const OverviewModel &, const OverviewEntry &entry)
{
    return summaryCell(
        entry, [](const sql::TargetSummary &summary) { return summaryText(numbersOf(summary), column); });
}

} // namespace

std::span<const OverviewModel::ColumnSpec> OverviewModel::columns()
{
    using Model = OverviewModel;
    constexpr auto countedSpec = []<SummaryColumn column>(std::integral_constant<SummaryColumn, column>) {
        return ColumnSpec { .title = [] { return summaryTitle(column); },
            .text = &counted<column>,
            .alignment = kNumber,
            .help = [] { return summaryHelp(column); } };
    };
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Table"); }, // the name the person knows it by
            .text = [](const Model &, const OverviewEntry &entry) { return entry.target.profile.relation; },
            .alignment = Qt::AlignLeft | Qt::AlignVCenter },
        { .title = [] { return tr("Keys"); },
            .text =
                [](const Model &, const OverviewEntry &entry) {
                    return summaryCell(
                        entry, [](const sql::TargetSummary &summary) { return countText(summary.rows); });
                },
            .alignment = kNumber },
        countedSpec(std::integral_constant<SummaryColumn, SummaryColumn::Pending>()),
        countedSpec(std::integral_constant<SummaryColumn, SummaryColumn::InProgress>()),
        countedSpec(std::integral_constant<SummaryColumn, SummaryColumn::Stale>()),
        countedSpec(std::integral_constant<SummaryColumn, SummaryColumn::OldestStale>()),
        countedSpec(std::integral_constant<SummaryColumn, SummaryColumn::Succeeded>()),
        countedSpec(std::integral_constant<SummaryColumn, SummaryColumn::FailedRetryable>()),
        countedSpec(std::integral_constant<SummaryColumn, SummaryColumn::FailedFinal>()),
        countedSpec(std::integral_constant<SummaryColumn, SummaryColumn::Unknown>()),
        countedSpec(std::integral_constant<SummaryColumn, SummaryColumn::Expired>()),
        { .title = [] { return tr("Size"); },
            .text =
                [](const Model &, const OverviewEntry &entry) {
                    return summaryCell(
                        entry, [](const sql::TargetSummary &summary) { return bytesText(summary.bytes); });
                },
            .alignment = kNumber },
        { .title = [] { return tr("Refreshed"); },
            .text =
                [](const Model &, const OverviewEntry &entry) {
                    return entry.error              ? entry.error->what.left(80)
                        : entry.refreshed.isValid() ? entry.refreshed.toString(u"HH:mm:ss")
                                                    : QString();
                },
            .alignment = kNumber },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QString OverviewModel::toolTip(const OverviewEntry &entry, int column) const
{
    if (entry.error && (column == Refreshed || column == Title)) {
        return displayText(entry.error->line(), kToolTipChars);
    }
    if (column == Title) {
        return tr("%1: %2").arg(kindLabel(entry.target.profile.kind), displayText(entry.target.profile.shownTitle()));
    }
    const auto counted = summaryColumn(column);
    if (entry.summary && counted) {
        return summaryToolTip(numbersOf(*entry.summary), *counted, timeFormat());
    }
    const sql::RowCount count = countOf(entry, column);
    return column == Rows && count.kind == sql::RowCount::Kind::Estimated
        ? tr("%1, estimated from the table's statistics").arg(countText(count))
        : QString();
}

QVariant OverviewModel::itemData(const OverviewEntry &entry, int column, int role) const
{
    const auto counted = summaryColumn(column);
    const sql::RowCount count = countOf(entry, column);
    switch (role) {
    case Qt::ToolTipRole:
        return toolTip(entry, column);
    case RawRole:
        return count.kind == sql::RowCount::Kind::Unknown ? QVariant() : QVariant(count.rows);
    case CountKindRole:
        return int(count.kind);
    case StateRole:
        return counted && summaryState(*counted) ? QVariant(int(*summaryState(*counted))) : QVariant();
    case FilterTextRole:
        return counted ? summaryFilter(*counted) : QString();
    case ErrorRole:
        return entry.error ? displayText(entry.error->line(), kToolTipChars) : QString();
    case LoadingRole:
        return entry.loading;
    case TargetNameRole:
        return entry.target.profile.name;
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_overview_model.cpp"
