// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/health/health_model.h"

#include "models/format/display_text.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

QString healthLevelLabel(sql::HealthLevel level)
{
    switch (level) {
    case sql::HealthLevel::Problem: return HealthModel::tr("Problem");
    case sql::HealthLevel::Advice: return HealthModel::tr("Advice");
    case sql::HealthLevel::Unknown: return HealthModel::tr("Not known");
    case sql::HealthLevel::Nothing: return HealthModel::tr("Nothing to look at");
    case sql::HealthLevel::Good: break;
    }
    return HealthModel::tr("Good");
}

HealthModel::HealthModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void HealthModel::setReports(const QList<Entry> &entries)
{
    m_all = entries;
    std::stable_sort(m_all.begin(), m_all.end(), [](const Entry &a, const Entry &b) { return a.finding.level < b.finding.level; });
    choose();
}

void HealthModel::setTarget(const QString &target)
{
    if (target != m_target) {
        m_target = target;
        choose();
    }
}

void HealthModel::choose()
{
    beginResetModel();
    m_shown.clear();
    for (const Entry &entry : std::as_const(m_all)) {
        if (m_target.isEmpty() || entry.target == m_target) {
            m_shown += entry;
        }
    }
    endResetModel();
}

const HealthModel::Entry *HealthModel::entry(int row) const { return row >= 0 && row < m_shown.size() ? &m_shown.at(row) : nullptr; }

qsizetype HealthModel::problems() const
{
    return std::count_if(m_all.cbegin(), m_all.cend(), [](const Entry &entry) { return entry.finding.level == sql::HealthLevel::Problem; });
}

int HealthModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_shown.size()); }

int HealthModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant HealthModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const Entry &entry = m_shown.at(index.row());
    if (role == LevelRole) {
        return int(entry.finding.level);
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole) {
        return {};
    }
    QString full;
    switch (index.column()) {
    case Level: full = healthLevelLabel(entry.finding.level); break;
    case Table: full = entry.title; break;
    case Question: full = entry.finding.title; break;
    case Seen: full = entry.finding.seen; break;
    default: break;
    }
    return role == Qt::ToolTipRole ? displayText(full, kToolTipChars) : displayText(full);
}

QVariant HealthModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Level: return tr("Verdict");
    case Table: return tr("Table");
    case Question: return tr("What should be");
    case Seen: return tr("What was seen");
    default: return {};
    }
}

} // namespace idemdesk::models

#include "moc_health_model.cpp"
