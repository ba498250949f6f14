// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/overview/summary_cells.h"

#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// A dash is no number: what was not counted is not nothing.
const QString kCannotSay = u"–"_s;

} // namespace

std::optional<sql::KeyState> summaryState(SummaryColumn column)
{
    switch (column) {
    case SummaryColumn::Pending:
        return sql::KeyState::Pending;
    case SummaryColumn::InProgress:
        return sql::KeyState::InProgress;
    case SummaryColumn::Succeeded:
        return sql::KeyState::Succeeded;
    case SummaryColumn::FailedRetryable:
        return sql::KeyState::FailedRetryable;
    case SummaryColumn::FailedFinal:
        return sql::KeyState::FailedFinal;
    case SummaryColumn::Unknown:
        return sql::KeyState::Unknown;
    default:
        return std::nullopt;
    }
}

QString summaryTitle(SummaryColumn column)
{
    switch (column) {
    case SummaryColumn::Stale:
        return Tr::tr("Stuck");
    case SummaryColumn::OldestStale:
        return Tr::tr("Oldest stuck");
    case SummaryColumn::Expired:
        return Tr::tr("Expired");
    case SummaryColumn::FailedRetryable: // two words would make the widest column of the least looked at number
        return Tr::tr("Retryable");
    case SummaryColumn::FailedFinal:
        return Tr::tr("Failed");
    default:
        return stateLabel(*summaryState(column));
    }
}

QString summaryHelp(SummaryColumn column)
{
    switch (column) {
    case SummaryColumn::Stale:
        return Tr::tr("Keys past their lease or age rule, by the server's clock. Nobody seems to work on them.");
    case SummaryColumn::OldestStale:
        return Tr::tr("How long the key that waits longest has been stuck.");
    case SummaryColumn::Expired:
        return Tr::tr("Keys past their retention, by the server's clock.");
    case SummaryColumn::Unknown:
        return Tr::tr("Keys whose raw status the profile maps to no state; no action touches them.");
    default:
        return Tr::tr("Keys in the state “%1”.").arg(stateLabel(*summaryState(column)));
    }
}

QString summaryFilter(SummaryColumn column)
{
    switch (column) {
    case SummaryColumn::Stale:
    case SummaryColumn::OldestStale:
        return u"state:stuck"_s;
    case SummaryColumn::Expired:
        return u"state:expired"_s;
    default:
        return u"state:"_s + sql::stateName(*summaryState(column));
    }
}

sql::RowCount summaryCount(const SummaryNumbers &numbers, SummaryColumn column)
{
    switch (column) {
    case SummaryColumn::Stale:
        return numbers.stale;
    case SummaryColumn::Expired:
        return numbers.expired;
    case SummaryColumn::OldestStale:
        return {};
    default:
        return numbers.states.value(*summaryState(column));
    }
}

QString summaryText(const SummaryNumbers &numbers, SummaryColumn column)
{
    if (column == SummaryColumn::OldestStale) {
        const bool none = numbers.stale.kind == sql::RowCount::Kind::Exact && numbers.stale.rows == 0;
        return numbers.oldestStale ? TimeFormat::age(*numbers.oldestStale, numbers.now)
            : none                 ? Tr::tr("none")
                                   : kCannotSay;
    }
    const sql::RowCount count = summaryCount(numbers, column);
    const QString text = countText(count);
    return text.isEmpty() ? kCannotSay : text;
}

QString summaryToolTip(const SummaryNumbers &numbers, SummaryColumn column, const TimeFormat &times)
{
    if (column == SummaryColumn::OldestStale) {
        return numbers.oldestStale ? times.toolTip(*numbers.oldestStale, numbers.now)
            : numbers.stale.kind == sql::RowCount::Kind::Unknown
            ? Tr::tr("The profile has no rule that says when a key is stuck.")
            : Tr::tr("No stuck key is known.");
    }
    const sql::RowCount count = summaryCount(numbers, column);
    const QString text = countText(count);
    switch (count.kind) {
    case sql::RowCount::Kind::Unknown:
        return column == SummaryColumn::Stale  ? Tr::tr("The profile has no rule that says when a key is stuck.")
            : column == SummaryColumn::Expired ? Tr::tr("The profile has no time of expiry.")
            : summaryState(column)             ? Tr::tr("No status value of the profile stands for this state.")
                                               : Tr::tr("This was not counted.");
    case sql::RowCount::Kind::Exact:
        return Tr::tr("%1, counted exactly").arg(countText(count.rows));
    case sql::RowCount::Kind::AtLeast:
        return count.rows == 0 ? Tr::tr("Not known: counting stopped before it came to one.")
                               : Tr::tr("at least %1; counting stopped there").arg(countText(count.rows));
    case sql::RowCount::Kind::Estimated:
        return Tr::tr("%1, estimated from the table's statistics").arg(text);
    }
    return {};
}

} // namespace idemdesk::models
