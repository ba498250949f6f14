// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/purge/purge_groups_model.h"

#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/triage/frozen_set.h"
#include "sql/actions/action_json.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

PurgeGroupsModel::PurgeGroupsModel(QObject *parent)
    : RowModel(parent)
{
}

void PurgeGroupsModel::setGroups(const QList<sql::PurgeGroup> &groups)
{
    m_purged.clear();
    m_groupsOf.clear();
    m_rowsOf.clear();
    m_complete = false;
    for (const sql::PurgeGroup &group : groups) {
        const QString scope = sql::cellsToJson(group.scope);
        ++m_groupsOf[scope];
        m_rowsOf[scope] += group.rows;
    }
    setRows(groups);
}

void PurgeGroupsModel::setPurged(const QList<sql::PurgedScope> &purged, bool complete)
{
    m_purged.clear();
    for (const sql::PurgedScope &taken : purged) {
        m_purged[sql::cellsToJson(taken.scope)] += taken.rows;
    }
    m_complete = complete;
    if (!m_rows.isEmpty()) {
        emit dataChanged(index(0, Purged), index(int(m_rows.size()) - 1, Purged));
    }
}

QString PurgeGroupsModel::purgedText(const sql::PurgeGroup &group) const
{
    const QString scope = sql::cellsToJson(group.scope);
    const qint64 rows = m_purged.value(scope);
    return rows == 0 && !m_complete   ? u"–"_s
        : m_groupsOf.value(scope) > 1 ? tr("%1 of %2").arg(countText(rows), countText(m_rowsOf.value(scope)))
                                      : countText(rows);
}

QString PurgeGroupsModel::timeText(const std::optional<sql::Timestamp> &time) const
{
    return time ? timeFormat().text(*time) : QString();
}

std::span<const PurgeGroupsModel::ColumnSpec> PurgeGroupsModel::columns()
{
    using Model = PurgeGroupsModel;
    using Group = sql::PurgeGroup;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Scope"); },
            .text = [](const Model &, const Group &group) { return scopeText(group.scope); } },
        { .title = [] { return tr("State"); },
            .text = [](const Model &, const Group &group) { return stateLabel(group.state); } },
        { .title = [] { return tr("Rows"); },
            .text = [](const Model &, const Group &group) { return countText(group.rows); },
            .alignment = kNumber },
        { .title = [] { return tr("Purged in scope"); },
            .text = [](const Model &model, const Group &group) { return model.purgedText(group); },
            .alignment = kNumber },
        { .title = [] { return tr("Expired since"); },
            .text = [](const Model &model, const Group &group) { return model.timeText(group.oldest); },
            .time = true },
        { .title = [] { return tr("To"); },
            .text = [](const Model &model, const Group &group) { return model.timeText(group.newest); },
            .time = true },
        { .title = [] { return tr("Note"); },
            .text = [](const Model &,
                        const Group &group) { return group.wholeScope ? tr("Empties the scope") : QString(); } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant PurgeGroupsModel::itemData(const sql::PurgeGroup &group, int column, int role) const
{
    switch (role) {
    case ShareRole: // the plan has the largest group first
        return column == Rows ? QVariant(double(group.rows) / double(std::max(m_rows.constFirst().rows, group.rows)))
                              : QVariant();
    case StateRole:
        return static_cast<int>(group.state);
    case StaleRole:
    case ExpiredRole:
        return false;
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_purge_groups_model.cpp"
