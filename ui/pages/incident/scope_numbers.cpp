// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/incident/scope_numbers.h"

#include "models/format/quantities.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

using models::ScopesModel;
using Kind = sql::RowCount::Kind;

std::optional<sql::KeyState> stateOf(int fixed)
{
    switch (fixed) {
    case ScopesModel::Pending:
        return sql::KeyState::Pending;
    case ScopesModel::InProgress:
        return sql::KeyState::InProgress;
    case ScopesModel::Succeeded:
        return sql::KeyState::Succeeded;
    case ScopesModel::FailedRetryable:
        return sql::KeyState::FailedRetryable;
    case ScopesModel::FailedFinal:
        return sql::KeyState::FailedFinal;
    case ScopesModel::Unknown:
        return sql::KeyState::Unknown;
    default:
        return std::nullopt;
    }
}

/// What is left of a state without its stuck keys; where counting of these stopped early, nobody knows.
sql::RowCount without(const sql::RowCount &all, const sql::RowCount &stuck)
{
    if (all.kind == Kind::Unknown || stuck.kind == Kind::Unknown) {
        return all;
    }
    if (stuck.kind == Kind::AtLeast) {
        return {};
    }
    const Kind kind = stuck.kind == Kind::Estimated && all.kind == Kind::Exact ? Kind::Estimated : all.kind;
    return { kind, std::max<qint64>(0, all.rows - stuck.rows) };
}

} // namespace

ScopeNumbers::ScopeNumbers(ScopesModel *scopes, QObject *parent)
    : QIdentityProxyModel(parent)
    , m_scopes(scopes)
{
    setSourceModel(scopes);
}

void ScopeNumbers::setProfile(const sql::Profile &profile)
{
    QList<int> columns;
    for (int fixed = 0; profile.stale && fixed < ScopesModel::FixedColumns; ++fixed) {
        const auto state = stateOf(fixed);
        const bool stuck = state
            && std::any_of(profile.stale->cbegin(), profile.stale->cend(),
                [&state](const sql::TimeRule &rule) { return rule.states.contains(*state); });
        columns += stuck ? QList { fixed } : QList<int>();
    }
    if (columns == m_mayBeStuck) {
        return;
    }
    m_mayBeStuck = columns;
    if (columnCount() > 0) {
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }
    if (rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
}

bool ScopeNumbers::anyAtLeast() const
{
    for (int row = 0; row < m_scopes->rowCount(); ++row) {
        for (int fixed = 0; fixed < ScopesModel::FixedColumns; ++fixed) {
            const auto count = countOf(row, fixed);
            if (count && count->kind == Kind::AtLeast && count->rows > 0) {
                return true;
            }
        }
    }
    return false;
}

bool ScopeNumbers::anyNotCounted(int column) const
{
    const int fixed = fixedOf(column);
    for (int row = 0; fixed >= 0 && row < m_scopes->rowCount(); ++row) {
        const auto count = countOf(row, fixed);
        if (count && notCounted(row, fixed, *count)) {
            return true;
        }
    }
    return false;
}

/// Counting stopped before it came to one, or to those that are not stuck.
bool ScopeNumbers::notCounted(int row, int fixed, const sql::RowCount &count) const
{
    const auto state = stateOf(fixed);
    const bool known = state && m_scopes->scopes().at(row).states.value(*state).kind != Kind::Unknown;
    return (count.kind == Kind::AtLeast && count.rows == 0) || (count.kind == Kind::Unknown && known);
}

int ScopeNumbers::fixedOf(int column) const
{
    return column - m_scopes->partCount();
}

std::optional<sql::RowCount> ScopeNumbers::countOf(int row, int fixed) const
{
    const sql::ScopeCounts &line = m_scopes->scopes().at(row);
    if (fixed == ScopesModel::Stale) {
        return line.stale;
    }
    if (fixed == ScopesModel::Expired) {
        return line.expired;
    }
    const auto state = stateOf(fixed);
    if (!state) {
        return std::nullopt;
    }
    const sql::RowCount all = line.states.value(*state);
    return m_mayBeStuck == QList { fixed } ? without(all, line.stale) : all;
}

QVariant ScopeNumbers::data(const QModelIndex &index, int role) const
{
    const int fixed = fixedOf(index.column());
    const QVariant said = QIdentityProxyModel::data(index, role);
    const auto count = index.isValid() && fixed >= 0 ? countOf(index.row(), fixed) : std::nullopt;
    if (!count) {
        return said;
    }
    const bool apart = m_mayBeStuck == QList { fixed };
    const QString number = models::countText(count->rows);
    const bool atLeast = count->kind == Kind::AtLeast && count->rows > 0;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        if (atLeast) {
            return role == Qt::DisplayRole ? tr("≥ %1", "at least so many").arg(number) : tr("at least %1").arg(number);
        }
        return notCounted(index.row(), fixed, *count) ? QVariant(tr("not counted"))
            : !apart                                  ? said
            : models::countText(*count).isEmpty()     ? QVariant(u"–"_s)
                                                      : QVariant(models::countText(*count));
    case Qt::ToolTipRole: {
        if (!apart || count->kind == Kind::Unknown || models::countText(*count).isEmpty()) {
            return apart ? QVariant(tr("Not known: counting stopped early.")) : said;
        }
        const QString text = atLeast ? tr("at least %1").arg(number) : models::countText(*count);
        return tr("%1, not counting those that are stuck", "number").arg(text);
    }
    case models::RawRole:
        return count->kind == Kind::Unknown ? QVariant() : QVariant(count->rows);
    case models::CountKindRole:
        return int(count->kind);
    case models::FilterTextRole: // the same keys as are counted
        return apart && count->kind != Kind::Unknown ? QVariant(said.toString() + u" -state:stuck"_s) : said;
    default:
        return said;
    }
}

QVariant ScopeNumbers::headerData(int section, Qt::Orientation orientation, int role) const
{
    const QVariant said = QIdentityProxyModel::headerData(section, orientation, role);
    const int fixed = fixedOf(section);
    if (orientation != Qt::Horizontal || !m_mayBeStuck.contains(fixed)) {
        return said;
    }
    const bool apart = m_mayBeStuck.size() == 1; // of several states nobody knows which the stuck ones are in
    if (role == Qt::DisplayRole && !apart) {
        return tr("%1, stuck too", "a state").arg(said.toString());
    }
    if (role == Qt::ToolTipRole) {
        return said.toString() + u' '
            + (apart ? tr("Stuck ones have their own column and are not counted here.")
                     : tr("Stuck ones are counted here, too, and once more in their own column."));
    }
    return said;
}

} // namespace idemdesk::ui
