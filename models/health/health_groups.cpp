// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/health/health_groups.h"

#include "models/format/display_text.h"

#include <QHash>
#include <QSet>
#include <algorithm>

namespace idemdesk::models {

HealthGroups::HealthGroups(HealthModel *model, QObject *parent)
    : HeadedRows(model, HealthModel::Question, parent)
    , m_model(model)
{
    rebuild();
}

namespace {

constexpr int kLevelGroups = 10; // groups below are levels; check n of a level is that much, and the level, above
constexpr int kBeneathLevel = 5; // more where the check's heading stands beneath that of its level

} // namespace

sql::HealthLevel HealthGroups::levelOf(int group)
{
    return static_cast<sql::HealthLevel>(group % kLevelGroups % kBeneathLevel);
}

bool HealthGroups::isBeneath(int group)
{
    return group >= kLevelGroups && group % kLevelGroups >= kBeneathLevel;
}

void HealthGroups::prepare()
{
    const auto &rows = m_model->rows();
    m_byCheck = m_model->target().isEmpty()
        && std::any_of(rows.cbegin(), rows.cend(),
            [&rows](const HealthEntry &entry) { return entry.target != rows.constFirst().target; });
    setHeadingColumn(m_byCheck ? HealthModel::Table : HealthModel::Question);
    m_checks.clear();
    m_checkOf.clear();
    for (const HealthEntry &entry : rows) { // sorted by them
        const QString check
            = QString::number(int(entry.finding.level)) + entry.finding.id + u'\n' + entry.finding.title;
        qsizetype place = m_checks.indexOf(check);
        if (place < 0) {
            place = m_checks.size();
            m_checks += check;
        }
        m_checkOf += kLevelGroups * int(place + 1) + int(entry.finding.level);
    }
    QHash<sql::HealthLevel, QSet<int>> ofLevel;
    for (const int group : std::as_const(m_checkOf)) {
        ofLevel[levelOf(group)] += group;
    }
    for (int &group : m_checkOf) {
        group += ofLevel.value(levelOf(group)).size() > 1 ? kBeneathLevel : 0;
    }
}

void HealthGroups::setFolded(int group, bool folded)
{
    if (group < kLevelGroups) {
        m_model->showLevel(levelOf(group), !folded);
        return;
    }
    const QString &check = m_checks.at(group / kLevelGroups - 1);
    folded ? void(m_folded.insert(check)) : void(m_folded.remove(check));
    rebuild();
}

QList<int> HealthGroups::groups() const
{
    QList<int> groups;
    for (const sql::HealthLevel level : kHealthLevels) {
        if (!m_byCheck || !m_model->shows(level)) {
            groups += m_model->count(level) > 0 ? QList<int> { int(level) } : QList<int>();
            continue;
        }
        if (std::any_of(m_checkOf.cbegin(), m_checkOf.cend(),
                [level](int group) { return levelOf(group) == level && isBeneath(group); })) {
            groups += int(level);
        }
        for (const int group : m_checkOf) {
            if (levelOf(group) == level && (groups.isEmpty() || groups.constLast() != group)
                && !groups.contains(group)) {
                groups += group;
            }
        }
    }
    return groups;
}

int HealthGroups::groupOf(int sourceRow) const
{
    return m_byCheck ? m_checkOf.at(sourceRow) : int(m_model->rows().at(sourceRow).finding.level);
}

bool HealthGroups::folded(int group) const
{
    return group < kLevelGroups ? !m_model->shows(levelOf(group))
                                : m_folded.contains(m_checks.at(group / kLevelGroups - 1));
}

/// "No request fingerprint is stored: 4 tables".
QString HealthGroups::checkText(int group) const
{
    const int first = int(m_checkOf.indexOf(group));
    const int tables = int(m_checkOf.count(group));
    const QString title = displayText(m_model->rows().at(first).finding.title);
    return tables > 1 ? tr("%1: %n table(s)", nullptr, tables).arg(title) : title;
}

QString HealthGroups::textOf(sql::HealthLevel level) const
{
    const int count = int(m_model->count(level));
    switch (level) {
    case sql::HealthLevel::Problem:
        return tr("%n to fix", "findings", count);
    case sql::HealthLevel::Advice:
        return tr("%n to consider", "findings", count);
    case sql::HealthLevel::Unknown:
        return tr("%n could not be checked", "findings", count);
    case sql::HealthLevel::Nothing:
        return tr("%n without data yet", "findings", count);
    case sql::HealthLevel::Good:
        break;
    }
    return tr("%n passed", "findings", count);
}

QVariant HealthGroups::headingData(int group, int role) const
{
    const QString text = group < kLevelGroups ? textOf(levelOf(group)) : checkText(group);
    const QString spoken = tr("%1: %2", "level, its findings").arg(healthLevelLabel(levelOf(group)), text);
    return role == LevelRole ? QVariant(int(levelOf(group))) : foldingData(group, role, text, spoken);
}

} // namespace idemdesk::models

#include "moc_health_groups.cpp"
