// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/overview/scopes_model.h"

#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/overview/summary_cells.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

SummaryColumn fixedColumn(int fixed)
{
    return static_cast<SummaryColumn>(fixed);
}
static_assert(int(SummaryColumn::Expired) == ScopesModel::Expired && int(SummaryColumn::Pending) == ScopesModel::Pending
    && int(SummaryColumn::OldestStale) == ScopesModel::OldestStale
    && int(SummaryColumn::Unknown) == ScopesModel::Unknown);

/// Of all scopes there are; in pages they come in the order in which the server reads them.
QList<sql::ScopeCounts> mostStuckFirst(QList<sql::ScopeCounts> scopes)
{
    std::stable_sort(scopes.begin(), scopes.end(),
        [](const sql::ScopeCounts &a, const sql::ScopeCounts &b) { return a.stale.rows > b.stale.rows; });
    return scopes;
}

} // namespace

ScopesModel::ScopesModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void ScopesModel::reset(const sql::Target &target)
{
    beginResetModel();
    m_target = target;
    m_scopes.clear();
    m_next.clear();
    m_more = false;
    m_underWay = false;
    endResetModel();
}

void ScopesModel::clear()
{
    reset({});
}

void ScopesModel::append(const sql::ScopePage &page)
{
    m_underWay = false;
    m_more = page.more && !page.scopes.isEmpty();
    m_next = page.next;
    m_now = page.now;
    if (page.scopes.isEmpty()) {
        return;
    }
    const int first = int(m_scopes.size());
    const bool whole = first == 0 && !m_more;
    beginInsertRows({}, first, first + int(page.scopes.size()) - 1);
    m_scopes.append(whole ? mostStuckFirst(page.scopes) : page.scopes);
    endInsertRows();
}

void ScopesModel::replace(const sql::ScopePage &page)
{
    m_underWay = false;
    const QList<sql::ScopeCounts> scopes = page.more ? page.scopes : mostStuckFirst(page.scopes);
    // Pages behind stay as they are if the page's own scopes are the same: the person may have scrolled far.
    bool same = scopes.size() <= m_scopes.size();
    for (int i = 0; same && i < scopes.size(); ++i) {
        same = scopes.at(i).scope == m_scopes.at(i).scope;
    }
    m_now = page.now;
    if (same && (page.more || page.scopes.size() == m_scopes.size())) {
        for (int i = 0; i < page.scopes.size(); ++i) {
            m_scopes[i] = scopes.at(i);
        }
        if (!page.scopes.isEmpty()) {
            emit dataChanged(index(0, 0), index(int(page.scopes.size()) - 1, columnCount() - 1));
        }
        return;
    }
    beginResetModel();
    m_scopes = scopes;
    m_more = page.more && !page.scopes.isEmpty();
    m_next = page.next;
    endResetModel();
}

void ScopesModel::setTimeFormat(const TimeFormat &format)
{
    m_timeFormat = format;
}

int ScopesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_scopes.size());
}

int ScopesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : partCount() + FixedColumns;
}

QVariant ScopesModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const sql::ScopeCounts &line = m_scopes.at(index.row());
    const int fixed = index.column() - partCount();
    if (role == FilterTextRole) {
        QStringList terms;
        for (int part = 0; part < partCount() && part < line.scope.size(); ++part) {
            const QString label = m_target.profile.scope.at(part).label;
            const sql::Cell &value = line.scope.at(part);
            terms.append(label + u':' + (value.null ? u"null"_s : quoteFilterValue(value.text)));
        }
        if (fixed >= 0) {
            terms.append(summaryFilter(fixedColumn(fixed)));
        }
        return terms.join(u' ');
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment((fixed < 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    }
    if (fixed < 0) {
        const sql::Cell value = line.scope.value(index.column());
        switch (role) {
        case Qt::DisplayRole:
        case Qt::AccessibleTextRole:
            return value.null && !value.failed() ? u"NULL"_s : cellText(value);
        case Qt::ToolTipRole:
            return cellToolTip(value);
        case RawRole:
            return value.null ? QVariant() : QVariant(value.text);
        default:
            return {};
        }
    }
    const SummaryNumbers numbers { line.states, line.stale, line.expired, line.oldestStale, m_now };
    const SummaryColumn column = fixedColumn(fixed);
    const sql::RowCount count = summaryCount(numbers, column);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return summaryText(numbers, column);
    case Qt::ToolTipRole:
        return summaryToolTip(numbers, column, m_timeFormat);
    case RawRole:
        return count.kind == sql::RowCount::Kind::Unknown ? QVariant() : QVariant(count.rows);
    case CountKindRole:
        return int(count.kind);
    case StateRole:
        return summaryState(column) ? QVariant(int(*summaryState(column))) : QVariant();
    default:
        return {};
    }
}

QVariant ScopesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const int fixed = section - partCount();
    if (role == Qt::DisplayRole) {
        return fixed < 0 ? labelTitle(m_target.profile.scope.at(section).label) : summaryTitle(fixedColumn(fixed));
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment((fixed < 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    }
    return role == Qt::ToolTipRole && fixed >= 0 ? QVariant(summaryHelp(fixedColumn(fixed))) : QVariant();
}

bool ScopesModel::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && m_more && !m_underWay;
}

void ScopesModel::fetchMore(const QModelIndex &parent)
{
    if (canFetchMore(parent)) {
        m_underWay = true;
        emit moreWanted();
    }
}

} // namespace idemdesk::models

#include "moc_scopes_model.cpp"
