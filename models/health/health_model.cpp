// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/health/health_model.h"

#include <algorithm>

namespace idemdesk::models {

QString healthLevelLabel(sql::HealthLevel level)
{
    switch (level) {
    case sql::HealthLevel::Problem:
        return HealthModel::tr("Problem");
    case sql::HealthLevel::Advice:
        return HealthModel::tr("Advice");
    case sql::HealthLevel::Unknown:
        return HealthModel::tr("Not known");
    case sql::HealthLevel::Nothing:
        return HealthModel::tr("Nothing to look at");
    case sql::HealthLevel::Good:
        break;
    }
    return HealthModel::tr("Good");
}

HealthModel::HealthModel(QObject *parent)
    : RowModel(parent)
{
}

void HealthModel::setReports(const QList<Entry> &entries)
{
    m_all = entries;
    std::stable_sort(
        m_all.begin(), m_all.end(), [](const Entry &a, const Entry &b) { return a.finding.level < b.finding.level; });
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
    QList<Entry> shown;
    std::copy_if(m_all.cbegin(), m_all.cend(), std::back_inserter(shown),
        [this](const Entry &entry) { return m_target.isEmpty() || entry.target == m_target; });
    setRows(shown);
}

qsizetype HealthModel::problems() const
{
    return std::count_if(m_all.cbegin(), m_all.cend(),
        [](const Entry &entry) { return entry.finding.level == sql::HealthLevel::Problem; });
}

std::span<const HealthModel::ColumnSpec> HealthModel::columns()
{
    using Model = HealthModel;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Verdict"); },
            .text = [](const Model &, const Entry &entry) { return healthLevelLabel(entry.finding.level); } },
        { .title = [] { return tr("Table"); }, .text = [](const Model &, const Entry &entry) { return entry.title; } },
        { .title = [] { return tr("What should be"); },
            .text = [](const Model &, const Entry &entry) { return entry.finding.title; } },
        { .title = [] { return tr("What was seen"); },
            .text = [](const Model &, const Entry &entry) { return entry.finding.seen; } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant HealthModel::itemData(const Entry &entry, int, int role) const
{
    return role == LevelRole ? QVariant(int(entry.finding.level)) : QVariant();
}

} // namespace idemdesk::models

#include "moc_health_model.cpp"
