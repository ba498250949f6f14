// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/overview/overview_model.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/overview/summary_cells.h"

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
    : QAbstractTableModel(parent)
{
}

void OverviewModel::setTargets(const QList<sql::Target> &targets)
{
    QList<OverviewEntry> entries;
    for (const sql::Target &target : targets) {
        const int row = rowOf(target.profile.name);
        OverviewEntry entry = row >= 0 ? m_entries.at(row) : OverviewEntry();
        if (entry.target.relation.oid != target.relation.oid) {
            entry = {};
        }
        entry.target = target;
        entries.append(entry);
    }
    beginResetModel();
    m_entries = entries;
    endResetModel();
}

void OverviewModel::setLoading(int row, bool loading)
{
    if (row >= 0 && row < m_entries.size() && m_entries.at(row).loading != loading) {
        m_entries[row].loading = loading;
        emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
    }
}

void OverviewModel::setResult(int row, const sql::Result<sql::TargetSummary> &result)
{
    if (row < 0 || row >= m_entries.size()) {
        return;
    }
    OverviewEntry &entry = m_entries[row];
    entry.loading = false;
    if (result.ok()) {
        entry.summary = *result;
        entry.error.reset();
        entry.refreshed = QDateTime::currentDateTime();
    } else {
        entry.error = result.error();
    }
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

void OverviewModel::setTimeFormat(const TimeFormat &format)
{
    m_timeFormat = format;
    if (!m_entries.isEmpty()) {
        emit dataChanged(index(0, 0), index(int(m_entries.size()) - 1, ColumnCount - 1));
    }
}

int OverviewModel::rowOf(const QString &targetName) const
{
    for (int i = 0; i < m_entries.size(); ++i) {
        if (m_entries.at(i).target.profile.name == targetName) {
            return i;
        }
    }
    return -1;
}

int OverviewModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_entries.size()); }

int OverviewModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant OverviewModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const OverviewEntry &entry = m_entries.at(index.row());
    const int column = index.column();
    const auto counted = summaryColumn(column);
    const sql::RowCount count = countOf(entry, column);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        if (column == Title) {
            return displayText(entry.target.profile.relation); // the name the person knows it by
        }
        if (column == Refreshed) {
            return entry.error ? displayText(entry.error->what, 80) : entry.refreshed.isValid() ? entry.refreshed.toString(u"HH:mm:ss") : QString();
        }
        if (!entry.summary) {
            return entry.loading ? u"…"_s : QString();
        }
        if (column == Size) {
            return bytesText(entry.summary->bytes);
        }
        return counted ? summaryText(numbersOf(*entry.summary), *counted) : countText(count);
    case Qt::ToolTipRole:
        if (entry.error && (column == Refreshed || column == Title)) {
            return displayText(entry.error->line(), kToolTipChars);
        }
        if (column == Title) {
            const QString title = entry.target.profile.shownTitle();
            return tr("%1: %2").arg(kindLabel(entry.target.profile.kind), displayText(title));
        }
        if (entry.summary && counted) {
            return summaryToolTip(numbersOf(*entry.summary), *counted, m_timeFormat);
        }
        return entry.summary && column == Rows && count.kind == sql::RowCount::Kind::Estimated
            ? tr("%1, estimated from the table's statistics").arg(countText(count))
            : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((column == Title ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
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

QVariant OverviewModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment((section == Title ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    }
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) {
        return {};
    }
    if (const auto counted = summaryColumn(section)) {
        return role == Qt::DisplayRole ? summaryTitle(*counted) : summaryHelp(*counted);
    }
    if (role == Qt::ToolTipRole) {
        return {};
    }
    switch (section) {
    case Title:
        return tr("Table");
    case Rows:
        return tr("Keys");
    case Size:
        return tr("Size");
    case Refreshed:
        return tr("Refreshed");
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_overview_model.cpp"
