// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_groups.h"

#include "models/format/display_text.h"

#include <QHash>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

QString alertGroupLabel(AlertGroup group)
{
    switch (group) {
    case AlertGroup::Firing:
        return alertStateLabel(sql::AlertState::Firing);
    case AlertGroup::OverLimit:
        return alertStateLabel(sql::AlertState::Pending);
    case AlertGroup::Acknowledged:
        return AlertGroups::tr("Acknowledged");
    case AlertGroup::Unknown:
        return alertStateLabel(sql::AlertState::Unknown);
    case AlertGroup::Quiet:
        break;
    }
    return alertStateLabel(sql::AlertState::Quiet);
}

namespace {

constexpr int kStateGroups = 10; // the first rule of a state is its number, the next one that much more, and so on

} // namespace

AlertGroup AlertGroups::stateOf(int group)
{
    return static_cast<AlertGroup>(group % kStateGroups);
}

AlertGroups::AlertGroups(AlertModel *model, QObject *parent)
    : HeadedRows(model, AlertModel::What, parent)
    , m_model(model)
{
    m_folded += keyOf(int(AlertGroup::Quiet));
    rebuild();
}

void AlertGroups::prepare()
{
    const auto &rows = m_model->rows();
    QHash<QString, int> seen; // rules of a state, as often as they tell of a table
    m_byRule = false;
    for (const AlertEntry &entry : rows) {
        const bool again = ++seen[QString::number(int(entry.group())) + entry.status.rule.id] > 1;
        m_byRule = m_byRule || (again && entry.group() != AlertGroup::Quiet);
    }
    setHeadingColumn(m_byRule ? AlertModel::Table : AlertModel::What);
    QHash<AlertGroup, QStringList> rules;
    m_groupOf.clear();
    for (const AlertEntry &entry : rows) {
        QStringList &ofState = rules[entry.group()];
        const bool parted = m_byRule && entry.group() != AlertGroup::Quiet;
        if (parted && !ofState.contains(entry.status.rule.id)) {
            ofState += entry.status.rule.id;
        }
        m_groupOf += int(entry.group()) + (parted ? kStateGroups * int(ofState.indexOf(entry.status.rule.id)) : 0);
    }
}

QString AlertGroups::keyOf(int group) const
{
    const qsizetype first = m_byRule && stateOf(group) != AlertGroup::Quiet ? m_groupOf.indexOf(group) : -1;
    return QString::number(int(stateOf(group)))
        + (first < 0 ? QString() : u'\n' + m_model->rows().at(first).status.rule.id);
}

void AlertGroups::setFolded(int group, bool folded)
{
    if (folded != m_folded.contains(keyOf(group))) {
        folded ? void(m_folded.insert(keyOf(group))) : void(m_folded.remove(keyOf(group)));
        rebuild();
    }
}

int AlertGroups::groupOf(int sourceRow) const
{
    return m_groupOf.at(sourceRow);
}

QList<int> AlertGroups::groups() const
{
    QList<int> groups = m_groupOf;
    std::stable_sort(
        groups.begin(), groups.end(), [](int a, int b) { return std::pair(stateOf(a), a) < std::pair(stateOf(b), b); });
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    return groups;
}

/// "A key has been stuck for long: 11 tables".
QString AlertGroups::ruleText(int group) const
{
    const int tables = int(m_groupOf.count(group));
    const QString title = displayText(m_model->rows().at(m_groupOf.indexOf(group)).status.rule.title);
    return tables > 1 ? tr("%1: %n table(s)", nullptr, tables).arg(title) : title;
}

QString AlertGroups::textOf(AlertGroup group) const
{
    const auto &rows = m_model->rows();
    const int count = int(
        std::count_if(rows.cbegin(), rows.cend(), [group](const AlertEntry &entry) { return entry.group() == group; }));
    switch (group) {
    case AlertGroup::Firing:
        return tr("%n alert(s) need a person", nullptr, count);
    case AlertGroup::OverLimit:
        return tr("%n alert(s), not yet for long enough", nullptr, count);
    case AlertGroup::Acknowledged:
        return tr("%n alert(s), until they end or get worse", nullptr, count);
    case AlertGroup::Unknown:
        return tr("%n rule(s) without data", nullptr, count);
    case AlertGroup::Quiet:
        break;
    }
    return tr("%n rule(s) are quiet", nullptr, count);
}

QVariant AlertGroups::headingData(int group, int role) const
{
    const AlertGroup which = stateOf(group);
    const QString text = m_byRule && which != AlertGroup::Quiet ? ruleText(group) : textOf(which);
    return foldingData(group, role, text, tr("%1: %2", "group, its alerts").arg(alertGroupLabel(which), text));
}

} // namespace idemdesk::models

#include "moc_alert_groups.cpp"
