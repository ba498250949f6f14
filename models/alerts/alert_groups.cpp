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

/// Nothing is to be done about them, however many there are: one heading is enough.
bool staysOne(AlertGroup group)
{
    return group == AlertGroup::Unknown || group == AlertGroup::Quiet;
}

} // namespace

AlertGroup AlertGroups::stateOf(int group)
{
    return static_cast<AlertGroup>(group % kStateGroups);
}

AlertGroups::AlertGroups(AlertModel *model, QObject *parent)
    : HeadedRows(model, AlertModel::What, parent)
    , m_model(model)
{
    m_folded += { keyOf(int(AlertGroup::Unknown)), keyOf(int(AlertGroup::Quiet)) };
    rebuild();
}

/// Under a heading that names no rule, a row does so itself; its table stands beneath.
QVariant AlertGroups::data(const QModelIndex &index, int role) const
{
    const bool names = m_byRule && index.isValid() && index.column() == AlertModel::Table && sourceRow(index.row()) >= 0
        && staysOne(stateOf(m_groupOf.at(sourceRow(index.row()))));
    const int source = index.isValid() ? sourceRow(index.row()) : -1;
    if (role == DetailRole && index.column() == AlertModel::Value && source >= 0
        && !m_model->rows().at(source).acknowledged && !limitText(m_groupOf.at(source)).isEmpty()) {
        return {}; // the heading says it for all
    }
    return HeadedRows::data(names ? index.siblingAtColumn(AlertModel::What) : index, role);
}

void AlertGroups::prepare()
{
    const auto &rows = m_model->rows();
    QHash<QString, int> seen; // rules of a state, as often as they tell of a table
    m_byRule = false;
    for (const AlertEntry &entry : rows) {
        const bool again = ++seen[QString::number(int(entry.group())) + entry.status.rule.id] > 1;
        m_byRule = m_byRule || (again && !staysOne(entry.group()));
    }
    setHeadingColumn(m_byRule ? AlertModel::Table : AlertModel::What);
    QHash<AlertGroup, QStringList> rules;
    m_groupOf.clear();
    for (const AlertEntry &entry : rows) {
        QStringList &ofState = rules[entry.group()];
        const bool parted = m_byRule && !staysOne(entry.group());
        if (parted && !ofState.contains(entry.status.rule.id)) {
            ofState += entry.status.rule.id;
        }
        m_groupOf += int(entry.group()) + (parted ? kStateGroups * int(ofState.indexOf(entry.status.rule.id)) : 0);
    }
}

QString AlertGroups::keyOf(int group) const
{
    const qsizetype first = m_byRule && !staysOne(stateOf(group)) ? m_groupOf.indexOf(group) : -1;
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

/// "Oldest stuck key over its limit: 11 tables".
QString AlertGroups::ruleText(int group) const
{
    const int tables = int(m_groupOf.count(group));
    const QString title = displayText(m_model->rows().at(m_groupOf.indexOf(group)).status.rule.title);
    return tables > 1 ? tr("%1: %n table(s)", nullptr, tables).arg(title) : title;
}

QString AlertGroups::limitText(int group) const
{
    QString text;
    for (qsizetype row = 0; m_byRule && !staysOne(stateOf(group)) && row < m_groupOf.size(); ++row) {
        if (m_groupOf.at(row) != group) {
            continue;
        }
        const QString limit = tr("Limit: %1").arg(alertLimitText(m_model->rows().at(row).status.rule));
        if (!text.isEmpty() && limit != text) {
            return {};
        }
        text = limit;
    }
    return text;
}

/// Why, where one reason is that of all.
QString AlertGroups::unknownText(int count) const
{
    QStringList reasons;
    for (const AlertEntry &entry : m_model->rows()) {
        if (entry.group() == AlertGroup::Unknown && !reasons.contains(entry.status.why)) {
            reasons += entry.status.why;
        }
    }
    const QString text = tr("%n rule(s) not checked", nullptr, count);
    return reasons.size() == 1 && !reasons.constFirst().isEmpty()
        ? tr("%1: %2", "what is not known, why").arg(text, displayText(reasons.constFirst()))
        : text;
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
        return unknownText(count);
    case AlertGroup::Quiet:
        break;
    }
    return tr("%n rule(s) are quiet", nullptr, count);
}

QVariant AlertGroups::headingData(int group, int role) const
{
    const AlertGroup which = stateOf(group);
    const QString limit = limitText(group);
    if (role == DetailRole) {
        return limit;
    }
    const QString text = m_byRule && !staysOne(which) ? ruleText(group) : textOf(which);
    const QString spoken = tr("%1: %2", "group, its alerts").arg(alertGroupLabel(which), text);
    return foldingData(group, role, text, limit.isEmpty() ? spoken : tr("%1. %2").arg(spoken, limit));
}

} // namespace idemdesk::models

#include "moc_alert_groups.cpp"
