// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/overview/overview_model.h"

#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/overview/summary_cells.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <type_traits>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

std::optional<SummaryColumn> summaryColumn(int column)
{
    switch (column) {
    case OverviewModel::Stale:
        return SummaryColumn::Stale;
    case OverviewModel::OldestStale:
        return SummaryColumn::OldestStale;
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

qint64 stuckSeconds(const sql::TargetSummary &summary)
{
    return (summary.now.micros - summary.oldestStale->micros) / sql::kMicros;
}

/// What makes one table worse than another, the most important first.
std::tuple<bool, bool, qint64, qint64, double> badness(const OverviewEntry &entry)
{
    const bool known = entry.summary && entry.summary->stale.kind != sql::RowCount::Kind::Unknown;
    const qint64 stale = known ? entry.summary->stale.rows : 0;
    const qint64 oldest = known && entry.summary->oldestStale ? stuckSeconds(*entry.summary) : 0;
    const bool act = entry.firing > 0 || oldest >= kLongStuckSeconds; // an alert takes its time to fire
    return { entry.error.has_value(), act, oldest, stale, entry.failures.value_or(0) };
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
    } else {
        entry.error = result.error();
    }
    sayRowAnew(row);
}

void OverviewModel::setRecent(
    const QString &targetName, const std::optional<double> &failures, bool unusual, const sql::HistoryValues &day)
{
    const int row = rowOf(targetName);
    if (row < 0) {
        return;
    }
    const OverviewEntry &now = m_rows.at(row);
    if (now.failures != failures || now.unusual != unusual || now.day != day) {
        m_rows[row].failures = failures;
        m_rows[row].unusual = unusual;
        m_rows[row].day = day;
        sayRowAnew(row);
    }
}

void OverviewModel::setFiring(const QHash<QString, int> &alerts)
{
    for (int row = 0; row < m_rows.size(); ++row) {
        const int firing = alerts.value(m_rows.at(row).target.profile.name);
        if (std::exchange(m_rows[row].firing, firing) != firing) {
            sayRowAnew(row);
        }
    }
}

void OverviewModel::sortWorstFirst()
{
    QList<OverviewEntry> sorted = m_rows;
    std::stable_sort(sorted.begin(), sorted.end(),
        [](const OverviewEntry &a, const OverviewEntry &b) { return badness(a) > badness(b); });
    const auto name = [](const OverviewEntry &entry) { return entry.target.profile.name; };
    if (std::equal(sorted.cbegin(), sorted.cend(), m_rows.cbegin(),
            [&](const OverviewEntry &a, const OverviewEntry &b) { return name(a) == name(b); })) {
        return;
    }
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    QStringList names;
    for (const QModelIndex &index : before) {
        names += name(m_rows.at(index.row()));
    }
    m_rows = sorted;
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        after += index(rowOf(names.at(i)), before.at(i).column());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, VerticalSortHint);
}

namespace {

bool mayBeStale(const sql::Profile &profile, const std::optional<sql::KeyState> &state)
{
    return state && profile.stale
        && std::any_of(profile.stale->cbegin(), profile.stale->cend(),
            [&state](const sql::TimeRule &rule) { return rule.states.contains(*state); });
}

} // namespace

QList<StateShare> OverviewModel::shares(const OverviewEntry &entry)
{
    QList<StateShare> shares;
    if (!entry.summary) {
        return shares;
    }
    constexpr SummaryColumn kOrder[]
        = { SummaryColumn::Stale, SummaryColumn::FailedFinal, SummaryColumn::FailedRetryable, SummaryColumn::Unknown,
              SummaryColumn::InProgress, SummaryColumn::Pending, SummaryColumn::Succeeded };
    const SummaryNumbers numbers = numbersOf(*entry.summary);
    // What is stale is drawn by itself, and not once more within its state.
    qint64 drawn = std::max<qint64>(0, numbers.stale.rows);
    for (const SummaryColumn column : kOrder) {
        sql::RowCount count = summaryCount(numbers, column);
        QString text = tr("%1: %2").arg(summaryTitle(column), summaryText(numbers, column));
        if (mayBeStale(entry.target.profile, summaryState(column))) {
            const qint64 part = std::min(drawn, count.rows);
            count.rows -= part;
            drawn -= part;
            text = part > 0 ? tr("%1, not stuck: %2").arg(summaryTitle(column), countText(count)) : text;
        }
        if (count.rows > 0) {
            shares.append({ summaryState(column), count, summaryFilter(column), text });
        }
    }
    return shares;
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

/// The chart in words, for who cannot see it.
QString dayText(const sql::HistoryValues &day)
{
    std::optional<double> newest;
    double highest = 0;
    for (const auto &value : day) {
        newest = value ? value : newest;
        highest = std::max(highest, value.value_or(0));
    }
    return newest ? OverviewModel::tr("%1 now, at most %2")
                        .arg(countText(std::llround(*newest)), countText(std::llround(highest)))
                  : u"–"_s;
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
        { .title = [] { return tr("Table"); },
            .text = [](const Model &, const OverviewEntry &entry) { return entry.target.profile.shownTitle(); } },
        { .title = [] { return tr("Keys by state"); },
            .text =
                [](const Model &, const OverviewEntry &entry) {
                    QStringList texts;
                    for (const StateShare &share : shares(entry)) {
                        texts += share.text;
                    }
                    return texts.join(u", ");
                },
            .help = [] { return tr("How many keys are in each state. A part of the bar leads to its keys."); } },
        countedSpec(std::integral_constant<SummaryColumn, SummaryColumn::Stale>()),
        countedSpec(std::integral_constant<SummaryColumn, SummaryColumn::OldestStale>()),
        { .title = [] { return tr("Failures, 1 h"); },
            .text =
                [](const Model &, const OverviewEntry &entry) {
                    return entry.failures ? countText(std::llround(*entry.failures)) : u"–"_s;
                },
            .alignment = kNumber,
            .help = [] { return tr("Failures in the last hour, by samples."); } },
        { .title = [] { return tr("Stuck, 24 h"); },
            .text = [](const Model &, const OverviewEntry &entry) { return dayText(entry.day); },
            .help = [] { return tr("Stuck keys over the last 24 hours, by samples."); } },
        { .title = [] { return tr("Keys"); },
            .text =
                [](const Model &, const OverviewEntry &entry) {
                    return summaryCell(
                        entry, [](const sql::TargetSummary &summary) { return countText(summary.rows); });
                },
            .alignment = kNumber },
        countedSpec(std::integral_constant<SummaryColumn, SummaryColumn::Expired>()),
        { .title = [] { return tr("Size"); },
            .text =
                [](const Model &, const OverviewEntry &entry) {
                    return summaryCell(
                        entry, [](const sql::TargetSummary &summary) { return bytesText(summary.bytes); });
                },
            .alignment = kNumber },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QString OverviewModel::toolTip(const OverviewEntry &entry, int column) const
{
    if (entry.error && column == Title) {
        return displayText(entry.error->line(), kToolTipChars);
    }
    if (column == Title) {
        return tr("%1: %2").arg(kindLabel(entry.target.profile.kind), displayText(entry.target.profile.relation));
    }
    const auto counted = summaryColumn(column);
    if (entry.summary && counted) {
        return summaryToolTip(numbersOf(*entry.summary), *counted, timeFormat());
    }
    if (column == Failures && !entry.failures) {
        return tr("No sample of the last hour tells it.");
    }
    if (column == Failures && entry.unusual) {
        return tr("More than this hour usually has.");
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
    const bool stuck = entry.summary && entry.summary->oldestStale;
    switch (role) {
    case Qt::ToolTipRole:
        return toolTip(entry, column);
    case RawRole:
        return column == OldestStale ? (stuck ? QVariant(stuckSeconds(*entry.summary)) : QVariant())
            : column == Failures     ? (entry.failures ? QVariant(qint64(std::llround(*entry.failures))) : QVariant())
            : count.kind == sql::RowCount::Kind::Unknown ? QVariant()
                                                         : QVariant(count.rows);
    case StateRole: // whose colour it has
        return (column == Failures && entry.unusual)
                || (column == OldestStale && stuck && stuckSeconds(*entry.summary) >= kLongStuckSeconds)
            ? QVariant(int(sql::KeyState::FailedFinal))
            : QVariant();
    case CountKindRole:
        return int(count.kind);
    case FilterTextRole:
        return counted           ? summaryFilter(*counted)
            : column == Failures ? u"state:failed_final,failed_retryable"_s
                                 : QString();
    case DetailRole:
        return column != Title ? QVariant()
            : entry.error      ? QVariant(displayText(entry.error->what, kToolTipChars))
                               : QVariant(displayText(entry.target.profile.relation));
    case SharesRole:
        return column == States ? QVariant::fromValue(shares(entry)) : QVariant();
    case DayRole:
        return column == Day ? QVariant::fromValue(entry.day) : QVariant();
    case ErrorRole:
        return entry.error ? displayText(entry.error->line(), kToolTipChars) : QString();
    case AlertsRole:
        return column == Title && entry.firing > 0 ? tr("%n alert(s)", nullptr, entry.firing) : QString();
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
